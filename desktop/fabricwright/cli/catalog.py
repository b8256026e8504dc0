"""``fabricwright catalog list|show|check``: the parts that ship with the program."""

from __future__ import annotations

from fabricwright.catalog.parts import Figure, Part
from fabricwright.catalog.store import Catalogue, catalogue
from fabricwright.cli.arguments import Arguments, Parser
from fabricwright.cli.output import Output
from fabricwright.units.codec import to_json
from fabricwright.units.errors import UserError
from fabricwright.units.text import format_value, msg

SUMMARY = msg("list, show or check the parts of the catalogue")

LATER = ("import-netbox", "export", "import")


def add_arguments(parser: Parser) -> None:
    """The action and its operand."""
    parser.add_argument("action", metavar="list|show|check", help=parser.say(msg("what to do")))
    parser.add_argument(
        "part", metavar="PART", nargs="?", help=parser.say(msg("show: part id; list: words to search for"))
    )
    parser.add_argument("--kind", metavar="KIND", help=parser.say(msg("list: only parts of this kind")))


def run(arguments: Arguments, out: Output) -> int:
    """Dispatch to the action."""
    action = arguments.action
    if action in LATER:
        raise UserError(
            msg("fabricwright catalog {action}: this is not built yet; expected list, show or check.", action=action)
        )
    if action == "list":
        return _list(catalogue(), arguments, out)
    if action == "show":
        if not arguments.part:
            raise UserError(msg("fabricwright catalog show: PART missing."))
        return _show(catalogue(), arguments.part, out)
    if action == "check":
        return _check(catalogue(), out)
    raise UserError(
        msg("fabricwright catalog: '{action}' is not an action; expected list, show or check.", action=action[:60])
    )


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
        for p in store.search(arguments.part or "", out.lang)
        if not arguments.kind or store.kind_of(p) == arguments.kind
    ]
    ids.sort(key=lambda p: (store.kind_of(p), store.ids().index(p)))
    out.document(
        {
            "version": store.version,
            "parts": [{"id": p, "kind": store.kind_of(p), "name": store.name_of(p, out.lang)} for p in ids],
        }
    )
    out.table([msg("kind"), msg("part"), msg("name")], [(store.kind_of(p), p, store.name_of(p, out.lang)) for p in ids])
    out.say(msg("{count} parts, catalogue {version}", count=len(ids), version=store.version))
    return 0


def find_part(store: Catalogue, name: str) -> str:
    """Part id, matched without regard to case. Raises UserError with the nearest ids."""
    if name in store:
        return name
    lower = name.casefold()
    return next((p for p in store.ids() if p.casefold() == lower), None) or str(store.get(name))


def _show(store: Catalogue, name: str, out: Output) -> int:
    part_id = find_part(store, name)
    part = store.get(part_id)
    out.document({"id": part_id, **to_json(part)})
    out.say(f"{part_id}  {part.name(out.lang)}")
    out.say(
        msg(
            "kind: {kind}; vendor: {vendor}; model: {model}",
            kind=part.kind,
            vendor=part.vendor or "-",
            model=part.model or "-",
        )
    )
    out.say(
        msg("source: {source} ({confidence})", source=store.source_text(part.source) or "-", confidence=part.confidence)
    )
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


def _figure(store: Catalogue, name: str, row: Figure, part: Part, out: Output) -> tuple[str, ...]:
    info = store.figure_info(name)
    value = format_value(list(row.value) if isinstance(row.value, tuple) else row.value)
    label = info.get(out.lang) or info.get("en") or name
    return label, value, info.get("unit", ""), row.confidence, store.source_text(row.source or part.source)


def _places(part: Part) -> list[tuple[str, str, str]]:
    rows = []
    for name in part.cages.ordered():
        cage = part.cages[name]
        splits = ", ".join(s for s in (cage.default, *cage.breakouts) if s)
        rows.append(("cage", name, f"{cage.type}  {splits}".rstrip()))
    for name in part.ports.ordered():
        port = part.ports[name]
        rows.append(("port", name, _lanes(port.lanes, port.gen) or (f"{port.gbps:g}G" if port.gbps else port.medium)))
    for name in part.slots.ordered():
        slot = part.slots[name]
        rows.append(("slot", name, f"{slot.kind}  {_lanes(slot.electrical, slot.gen)}  {slot.fed_by}".rstrip()))
    for name in part.modes.ordered():
        rows.append(("mode", name, ", ".join(part.modes[name].ports.ordered())))
    return rows


def _lanes(lanes: int, gen: int) -> str:
    return f"x{lanes} Gen{gen}" if lanes else ""


def _check(store: Catalogue, out: Output) -> int:
    from fabricwright.catalog.check import check_catalogue

    found = check_catalogue({part_id: store.get(part_id) for part_id in store.ids()})
    problems = [{"part": row.part, "place": row.place, "message": row.message.text(out.lang)} for row in found]
    out.document({"version": store.version, "parts": len(store.ids()), "problems": problems})
    for row in found:
        out.say(msg("{part}: {place}: {problem}", part=row.part, place=row.place, problem=row.message))
    out.say(msg("{count} parts, {problems} problems", count=len(store.ids()), problems=len(problems)))
    return 1 if problems else 0
