"""``fabricwright catalog ACTION``: the parts that ship with the program, and the user's own."""

from __future__ import annotations

from fabricwright.catalog.kind_words import kind_words
from fabricwright.catalog.parts import Figure, Part
from fabricwright.catalog.provenance import remarks
from fabricwright.catalog.store import Catalogue, catalogue
from fabricwright.cli.arguments import Arguments, Parser
from fabricwright.cli.output import Output
from fabricwright.design.unit_words import unit_words
from fabricwright.units.codec import to_json
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, format_value, msg

SUMMARY = msg("list, show, check, export or import the parts of the catalogue")

ACTIONS = ("list", "show", "check", "copy", "remove", "export", "import", "import-netbox")


def add_arguments(parser: Parser) -> None:
    """The action and its operands."""
    parser.add_argument("action", metavar="|".join(ACTIONS), help=parser.say(msg("what to do")))
    parser.add_argument(
        "part",
        metavar="PART",
        nargs="*",
        help=parser.say(msg("list: words to search for; import, import-netbox: a file; else part ids")),
    )
    parser.add_argument("--kind", metavar="KIND", help=parser.say(msg("list: only parts of this kind")))
    parser.add_argument("--own", action="store_true", help=parser.say(msg("list, export: only parts of your own")))
    parser.add_argument("--as", dest="new_id", metavar="ID", help=parser.say(msg("copy: id of the new part")))
    parser.add_argument(
        "--set",
        metavar="FIELD=VALUE",
        action="append",
        default=[],
        help=parser.say(msg("copy: a field that differs, for example figures.power_w=650; an empty value removes it")),
    )
    parser.add_argument("-o", "--output", metavar="FILE", help=parser.say(msg("export: the pack (*.fwcat)")))
    parser.add_argument("--title", metavar="TEXT", help=parser.say(msg("export: title of the pack")))
    parser.add_argument("--author", metavar="TEXT", help=parser.say(msg("export: who made the pack")))
    parser.add_argument(
        "--pack-version", metavar="1.0", default="1.0", help=parser.say(msg("export: version of the pack"))
    )
    parser.add_argument(
        "--replace", action="store_true", help=parser.say(msg("import: the pack's parts replace your own"))
    )
    parser.add_argument("--keep", action="store_true", help=parser.say(msg("import: your own parts stay")))
    parser.add_argument(
        "--dry-run", action="store_true", help=parser.say(msg("import, import-netbox: only say what would be done"))
    )


def run(arguments: Arguments, out: Output) -> int:
    """Dispatch to the action."""
    action = arguments.action
    if action not in ACTIONS:
        raise UserError(
            msg(
                "fabricwright catalog: '{action}' is not an action; expected one of {known}.",
                action=action[:60],
                known=list(ACTIONS),
            )
        )
    if action == "list":
        return _list(catalogue(), arguments, out)
    if action == "check":
        return _check(catalogue(), out)
    if action != "export" and len(arguments.part) != 1:
        raise UserError(
            msg(
                "fabricwright catalog {action}: {what} missing; expected exactly one.",
                action=action,
                what="FILE" if action in ("import", "import-netbox") else "PART",
            )
        )
    if action == "show":
        return _show(catalogue(), arguments.part[0], out)
    if action in ("copy", "remove"):
        from fabricwright.cli import catalog_own

        return catalog_own.run(arguments, find_part(catalogue(), arguments.part[0]), out)
    from fabricwright.cli import catalog_files

    return catalog_files.run(arguments, out)


def _list(store: Catalogue, arguments: Arguments, out: Output) -> int:
    kinds = store.kinds()
    if arguments.kind and arguments.kind not in kinds:
        raise UserError(
            msg(
                "--kind: there is no kind '{kind}'; expected one of {known}.",
                kind=arguments.kind[:60],
                known=list(kinds),
            )
        )
    ids = [
        p
        for p in store.search(" ".join(arguments.part), out.lang)
        if (not arguments.kind or store.kind_of(p) == arguments.kind) and (not arguments.own or not store.is_shipped(p))
    ]
    place = {p: n for n, p in enumerate(store.ids())}
    ids.sort(key=lambda p: (store.kind_of(p), place[p]))
    rows = [(p, store.kind_of(p), store.name_of(p, out.lang), not store.is_shipped(p)) for p in ids]
    out.document(
        {
            "version": store.version,
            "parts": [{"id": p, "kind": kind, "name": name, "own": own} for p, kind, name, own in rows],
            "problems": [problem.text(out.lang) for problem in _own_problems()],
        }
    )
    out.table(
        [msg("kind"), msg("part"), msg("name"), ""],
        [(kind, p, name, msg("own part") if own else "") for p, kind, name, own in rows],
    )
    out.say(msg("{count} parts, catalogue {version}", count=len(ids), version=store.version))
    for problem in _own_problems():
        out.say(problem)
    return 0


def _own_problems() -> tuple[Message, ...]:
    from fabricwright.catalog.own import problems

    return problems()


def find_part(store: Catalogue, name: str) -> str:
    """Part id, matched without regard to case. Raises UserError with the nearest ids."""
    if name in store:
        return name
    lower = name.casefold()
    return next((p for p in store.ids() if p.casefold() == lower), None) or str(store.get(name))


def _show(store: Catalogue, name: str, out: Output) -> int:
    part_id = find_part(store, name)
    part = store.get(part_id)
    out.document({"id": part_id, "own": not store.is_shipped(part_id), "estimate": part.is_estimate(), **to_json(part)})
    out.say(f"{part_id}  {part.name(out.lang)}")
    out.say(
        msg(
            "kind: {kind}; vendor: {vendor}; model: {model}",
            kind=kind_words(part.kind),
            vendor=part.vendor or "-",
            model=part.model or "-",
        )
    )
    out.say(
        msg(
            "source: {source} ({confidence})",
            source=store.source_text(part.source, out.lang) or "-",
            confidence=_sure(part.confidence),
        )
    )
    for remark in remarks(part_id, store):
        out.say(remark)
    if part.note:
        out.say(part.note)
    if part.figures:
        out.say()
        out.table(
            [msg("figure"), msg("value"), msg("unit"), msg("confidence"), msg("source")],
            [_figure(store, name, part.figures[name], part, out) for name in part.figures.ordered()],
            "lr",
        )
    if part.cages or part.ports or part.slots or part.modes:
        out.say()
        out.table([msg("what"), msg("name"), msg("is")], _places(part))
    return 0


def _sure(confidence: str) -> Message:
    return {
        "read": msg("read in a source"),
        "engineering": msg("engineering knowledge"),
        "inferred": msg("inferred"),
    }.get(confidence, msg("{kind}", kind=confidence))


def _figure(store: Catalogue, name: str, row: Figure, part: Part, out: Output) -> tuple[str | Message, ...]:
    info = store.figure_info(name)
    value = format_value(list(row.value) if isinstance(row.value, tuple) else row.value, out.lang)
    label = info.get(out.lang) or info.get("en") or name
    unit = unit_words(info.get("unit", ""))
    return label, value, unit, _sure(row.confidence), store.source_text(row.source or part.source, out.lang)


def _places(part: Part) -> list[tuple[Message, str, str]]:
    rows: list[tuple[Message, str, str]] = []
    for name in part.cages.ordered():
        cage = part.cages[name]
        splits = ", ".join(s for s in (cage.default, *cage.breakouts) if s)
        rows.append((msg("cage"), name, f"{cage.type}  {splits}".rstrip()))
    for name in part.ports.ordered():
        port = part.ports[name]
        rows.append(
            (msg("port"), name, _lanes(port.lanes, port.gen) or (f"{port.gbps:g}G" if port.gbps else port.medium))
        )
    for name in part.slots.ordered():
        slot = part.slots[name]
        rows.append((msg("slot"), name, f"{slot.kind}  {_lanes(slot.electrical, slot.gen)}  {slot.fed_by}".rstrip()))
    for name in part.modes.ordered():
        rows.append((msg("mode"), name, ", ".join(part.modes[name].ports.ordered())))
    return rows


def _lanes(lanes: int, gen: int) -> str:
    return f"x{lanes} Gen{gen}" if lanes else ""


def _check(store: Catalogue, out: Output) -> int:
    """Lane arithmetic, cages and ports, slots and links of every part, then the path classes of every interior."""
    from fabricwright.analysis.interior_proof import prove_interiors
    from fabricwright.catalog.check import Proven, check_catalogue, proven

    parts = {part_id: store.get(part_id) for part_id in store.ids()}
    found = check_catalogue(parts)
    classes = prove_interiors(store)
    found += classes.problems
    counts = {
        "interiors": classes.interiors,
        "gpu_pairs": classes.gpu_pairs,
        "gpu_nic_pairs": classes.gpu_nic_pairs,
    }
    line = msg(
        "path classes: {interiors} interiors, {gpu_pairs} GPU-GPU and {gpu_nic_pairs} GPU-NIC pairs as expected",
        **counts,
    )
    proofs = [*proven(parts), Proven("classes", counts, line)]
    problems = [{"part": row.part, "place": row.place, "message": row.message.text(out.lang)} for row in found]
    faults = {row.kind: sum(problem.kind == row.kind for problem in found) for row in proofs}
    out.document(
        {
            "version": store.version,
            "parts": len(parts),
            "proofs": [{"kind": row.kind, **row.counts, "faults": faults[row.kind]} for row in proofs],
            "problems": problems,
        }
    )
    for problem in found:
        out.say(msg("{part}: {place}: {problem}", part=problem.part, place=problem.place, problem=problem.message))
    for row in proofs:
        out.say(
            msg("{proof}; faults: {count}", proof=row.message, count=faults[row.kind])
            if faults[row.kind]
            else row.message
        )
    out.say(msg("{count} parts, {problems} problems", count=len(parts), problems=len(problems)))
    return 1 if problems else 0
