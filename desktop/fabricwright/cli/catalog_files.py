"""The actions of ``fabricwright catalog`` that read or write files: packs of own parts, NetBox device types."""

from __future__ import annotations

from pathlib import Path

from fabricwright.catalog import own
from fabricwright.catalog.difference import Difference
from fabricwright.catalog.pack import SUFFIX, Conflict, Plan, apply_import, export_pack, plan_import, read_pack
from fabricwright.catalog.store import catalogue
from fabricwright.cli.arguments import Arguments
from fabricwright.cli.output import Output, suffix_of, write_file
from fabricwright.units.codec import to_json
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg


def run(arguments: Arguments, out: Output) -> int:
    """export, import or import-netbox."""
    if arguments.action == "export":
        return _export(arguments, out)
    if arguments.action == "import":
        return _import(arguments, out)
    return _import_netbox(arguments, out)


# -- packs ------------------------------------------------------------------------------------------------------------


def _export(arguments: Arguments, out: Output) -> int:
    if not arguments.output:
        raise UserError(msg("fabricwright catalog export: -o FILE missing."))
    suffix_of(arguments.output, (SUFFIX,))
    mine = catalogue().own_ids()
    ids = list(mine) if arguments.own and not arguments.part else list(dict.fromkeys(arguments.part))
    title = arguments.title or Path(arguments.output).stem
    if not arguments.author:
        raise UserError(msg("fabricwright catalog export: --author missing; a pack says who made it."))
    data = export_pack(ids, title, arguments.author, arguments.pack_version)
    write_file(arguments.output, data)
    pack = read_pack(arguments.output)
    out.document({"file": arguments.output, **pack.key(), "parts": list(pack.parts)})
    out.say(
        msg(
            "{file}: {count} parts, version {version}",
            file=arguments.output,
            count=len(pack.parts),
            version=pack.pack_version,
        )
    )
    return 0


def _import(arguments: Arguments, out: Output) -> int:
    if arguments.replace and arguments.keep:
        raise UserError(msg("fabricwright catalog import: --replace and --keep exclude each other."))
    plan = plan_import(read_pack(arguments.part[0]))
    undecided = bool(plan.conflicts) and not (arguments.replace or arguments.keep)
    written: tuple[str, ...] = ()
    if not undecided and not arguments.dry_run:
        written = apply_import(plan, arguments.replace, arguments.keep)
    out.document(
        {
            "pack": plan.pack.key(),
            "written": list(written),
            "new": list(plan.new),
            "equal": list(plan.equal),
            "conflicts": [_conflict_json(row, out.lang) for row in plan.conflicts],
        }
    )
    _say_plan(plan, written, out)
    if undecided:
        out.say(msg("Nothing was imported: --replace takes the pack's parts, --keep leaves yours."))
    return 1 if undecided else 0


def _conflict_json(row: Conflict, lang: str) -> dict[str, object]:
    return {
        "part": row.part,
        "shipped": row.shipped,
        "remark": row.remark.text(lang) if row.remark else None,
        "differences": [d.to_json() for d in row.differences],
    }


def _say_plan(plan: Plan, written: tuple[str, ...], out: Output) -> None:
    pack = plan.pack
    out.say(msg("{title} {version} by {author}", title=pack.title, version=pack.pack_version, author=pack.author))
    for conflict in plan.conflicts:
        what = (
            msg("{part}: shipped with the program, stays as it is", part=conflict.part)
            if conflict.shipped
            else msg("{part}: here with other content", part=conflict.part)
        )
        out.say(what)
        if conflict.remark:
            out.say(conflict.remark)
        _say_differences(conflict.differences, msg("in the pack"), out)
    out.say(
        msg(
            "{written} parts imported, {equal} the same as here, {conflicts} in conflict",
            written=len(written),
            equal=len(plan.equal),
            conflicts=len(plan.conflicts),
        )
    )


def _say_differences(rows: tuple[Difference, ...], there: Message, out: Output) -> None:
    if rows:
        out.table([msg("field"), msg("here"), there], [(row.place, row.here or "-", row.there or "-") for row in rows])


# -- NetBox -----------------------------------------------------------------------------------------------------------


def _import_netbox(arguments: Arguments, out: Output) -> int:
    """A device type becomes a part of the user's own, unless the catalogue has its model: then only what differs."""
    from fabricwright.exchange.netbox_import import import_device_type
    from fabricwright.exchange.netbox_yaml import read_device_type

    path = arguments.part[0]
    store = catalogue()
    record = read_device_type(path)
    found = import_device_type(record, store, Path(path).name)
    saved = ""
    if not found.same_model and not arguments.dry_run:
        own.save(found.part_id, found.part)
        saved = found.part_id
    out.document(
        {
            "record": record.summary(),
            "part": {"id": found.part_id, **to_json(found.part)},
            "saved": saved or None,
            "same_model": found.same_model or None,
            "differences": [row.to_json() for row in found.differences],
            "remarks": [row.text(out.lang) for row in found.remarks],
        }
    )
    out.say(
        msg(
            "{maker} {model}: {height} U, {ports} interfaces, {supplies} power ports, {bays} module bays",
            maker=record.manufacturer,
            model=record.model,
            height=record.u_height,
            ports=len(record.interfaces),
            supplies=len(record.psu_max_draw_w),
            bays=len(record.module_bays),
        )
    )
    for remark in found.remarks:
        out.say(remark)
    if found.same_model:
        _say_differences(found.differences, msg("in the record"), out)
        out.say(
            msg(
                "{part} is in the catalogue already and stays as it is; {count} differences.",
                part=found.same_model,
                count=len(found.differences),
            )
        )
        return 1 if found.differences else 0
    if saved:
        out.say(msg("Saved as {part} among your own parts.", part=saved))
    return 0
