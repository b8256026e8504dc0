"""Fields of a design that may take other values, by name, and the project with such values: variants are drawn by the
same edits as by hand.

    settings.KEY                      a setting of the design (nccl.p2p_level, ecmp.qps ...)
    workload.model.KEY, .plan.KEY     what the design's workload states
    template.KEY                      a setting of the template that the project was made from: drawn anew
    ITEM.of | .count | .axes.AXIS | .config.KEY
    LINK.per_pair | .length_m | .speed_gbps | .cable | .medium | .config.KEY

ITEM and LINK are ids of the design's root sheet; ``node/nic0`` one of the sheet that ``node`` is drawn by. ``*`` in an
id means all that fit. ``unset`` takes a value back to its default.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from fabricwright.design.check_values import known_ids
from fabricwright.design.edits import EDITS
from fabricwright.design.edits.places import fresh_id
from fabricwright.design.options import OPTIONS, Option, options_for
from fabricwright.design.order import chosen_workload
from fabricwright.design.patch import Patch, PatchBuilder, apply
from fabricwright.design.templates import TEMPLATES, Template
from fabricwright.design.values import Design, Project
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from fabricwright.units.text import msg

Value = str | int | float | bool | None
ITEM_FIELDS = ("of", "count", "axes", "config")
LINK_FIELDS = ("per_pair", "length_m", "speed_gbps", "cable", "medium", "config")
MODEL_KEYS = ("params_b", "layers", "hidden", "heads", "vocab", "seq")
PLAN_KEYS = ("tp", "pp", "dp", "ep", "cp", "micro_batch", "global_batch", "precision", "zero")


@dataclass(frozen=True, slots=True)
class Field:
    """One field, found in a design. ``place`` settings, workload, template, item or link; ``ids`` the rows of ``sheet``
    that it is about; ``name`` what of them, ``key`` which axis, setting or config key. ``now`` its value today.
    """

    text: str
    place: str
    name: str
    key: str = ""
    sheet: str = ""
    ids: tuple[str, ...] = ()
    now: Value = None
    option: Option | None = None


def find_field(project: Project, design_id: str, text: str, template: Template | None = None) -> Field:
    """The field that ``text`` names. Raises UserError with the nearest names when there is none."""
    head, dot, rest = text.partition(".")
    design = project.designs[design_id]
    if head == "settings" and dot:
        return _setting(design, text, rest)
    if head == "workload" and dot:
        return _workload(project, design, text, rest)
    if head == "template" and dot:
        return _template(project, text, rest, template)
    return _row(project, design, text, head, rest)


def _unknown(text: str, known: Iterable[str]) -> UserError:
    import difflib  # only for the message

    names = list(known)
    near = difflib.get_close_matches(text, names, n=3, cutoff=0.5)
    if near:
        return UserError(msg("Field '{field}' does not exist; near are {names}.", field=text[:80], names=near))
    shown = names[:8]
    return UserError(msg("Field '{field}' does not exist; there are {names} ...", field=text[:80], names=shown))


def _setting(design: Design, text: str, key: str) -> Field:
    option = OPTIONS.get(("design", key))
    if option is None and key not in design.settings:
        raise _unknown(text, [f"settings.{k}" for k in {*design.settings, *(o.key for o in options_for("design"))}])
    return Field(text, "settings", "settings", key, now=design.settings.get(key), option=option)


def _workload(project: Project, design: Design, text: str, rest: str) -> Field:
    table, _, key = rest.partition(".")
    if not project.workloads:
        raise UserError(msg("Field '{field}': the project has no workload.", field=text))
    name = chosen_workload(project, design)  # where none is chosen, a field before this one may choose
    rows = [project.workloads[name]] if name else list(project.workloads.values())
    known = {"model": {*MODEL_KEYS}, "plan": {*PLAN_KEYS}}
    for row in rows:
        known["model"] |= set(row.model)
        known["plan"] |= set(row.plan)
    if key not in known.get(table, ()):
        raise _unknown(text, [f"workload.{t}.{k}" for t, keys in known.items() for k in sorted(keys)])
    return Field(text, "workload", table, key, now=getattr(rows[0], table).get(key) if name else None)


def _template(project: Project, text: str, key: str, template: Template | None) -> Field:
    found = template or template_of(project)
    if found is None:
        raise UserError(
            msg("Field '{field}': the project looks like no template; say which one with template=ID.", field=text)
        )
    known = {row.key: row for row in found.settings if row.key != "title"}
    if key not in known:
        raise _unknown(text, [f"template.{k}" for k in known])
    return Field(text, "template", found.id, key, now=known[key].default)


def template_of(project: Project) -> Template | None:
    """The template whose drawing has the same designs, sheets, items and links as the project; None without one."""

    def shape(of: Project) -> object:
        return {
            d: {s: (set(row.items), set(row.links), row.chassis) for s, row in design.sheets.items()}
            for d, design in of.designs.items()
        }

    mine = shape(project)
    return next((t for t in TEMPLATES.values() if shape(t.build()) == mine), None)


def _row(project: Project, design: Design, text: str, head: str, rest: str) -> Field:
    name, _, key = rest.partition(".")
    sheet, wanted = _sheet_of(design, head)
    rows = design.sheets[sheet]
    links = _matching(wanted, rows.links)
    items = () if links else _matching(wanted, known_ids(project, design, sheet))
    fields = LINK_FIELDS if links else ITEM_FIELDS
    if not (links or items) or name not in fields or bool(key) != (name in ("axes", "config")):
        raise _unknown(text, field_names(project, design))
    if links:
        row = rows.links[links[0]]
        now: Value = {
            "per_pair": row.wire.per_pair,
            "length_m": row.length_m,
            "speed_gbps": row.speed / 1e9 if row.speed else None,
            "cable": row.cable,
            "medium": row.medium,
        }.get(name)
        if name == "config":
            now = _plain(row.config.get(key))
        return Field(text, "link", name, key, sheet, links, now, _option(key, ("link", "link_end")))
    stored = [rows.items[i] for i in items if i in rows.items]
    if name != "config" and (not stored or len(stored) < len(items)):
        raise UserError(
            msg("Field '{field}': {items} is built in; only its config can be set.", field=text, items=items[0])
        )
    now = None
    if name == "axes":
        for item_id, item in zip(items, stored, strict=True):
            if key not in dict(item.axes):
                names = [f"{head}.axes.{axis}" for axis, _ in item.axes]
                raise _unknown(text, names or [f"{item_id}.count"])
        now = dict(stored[0].axes)[key]
    elif name == "count":
        now = stored[0].count
    elif name == "of":
        of = stored[0].of or ""
        now = design.sheets[of[6:]].chassis if of.startswith("sheet:") and of[6:] in design.sheets else of
    elif name == "config":
        now = _plain(stored[0].config.get(key)) if stored else None
        known = {o.key for o in OPTIONS.values() if o.place not in ("design", "link", "link_end")}
        known |= {k for item in stored for k in item.config} | {"mode", "breakout"}
        if key not in known and not key.startswith("slot."):
            raise _unknown(text, [f"{head}.config.{k}" for k in sorted(known)])
    places = ("chassis", "slot", "cpu", "pcie_switch", "gpu", "nic", "cxl", "retimer", "card", "switch", "rack")
    return Field(text, "item", name, key, sheet, items, now, _option(key, places) if name == "config" else None)


def _option(key: str, places: Sequence[str]) -> Option | None:
    """The option of a key where all places that have it agree on its kind."""
    found = [OPTIONS[place, k] for place in places for k in (key, key.rpartition(".")[0]) if (place, k) in OPTIONS]
    return found[0] if found and len({o.kind for o in found}) == 1 else None


def _plain(value: object) -> Value:
    return value if isinstance(value, (str, int, float, bool)) else None


def _sheet_of(design: Design, head: str) -> tuple[str, str]:
    """(sheet, id on it) of ``leaf`` or ``node/nic0``."""
    group, slash, inner = head.partition("/")
    root = design.sheets.get(design.root)
    row = root.items.get(group) if root is not None else None
    if slash and row is not None and row.of is not None and row.of[6:] in design.sheets and row.of[:6] == "sheet:":
        return row.of[6:], inner
    return design.root, head


def _matching(wanted: str, ids: Iterable[str]) -> tuple[str, ...]:
    if not any(c in wanted for c in "*?"):
        return (wanted,) if wanted in ids else ()
    return tuple(sorted(fnmatch.filter((i for i in ids if "/" not in i), wanted)))


def field_names(project: Project, design: Design) -> list[str]:
    """Names of the fields that a design offers without its template: the rows of its root sheet, the settings, the
    workload, and parts and modes of what its servers hold. For suggestions and for choosing.
    """
    out: list[str] = []
    root = design.sheets.get(design.root)
    sheets = [("", design.root)] if root is not None else []
    if root is not None:
        for item_id in root.items.ordered():
            of = root.items[item_id].of or ""
            if of.startswith("sheet:") and of[6:] in design.sheets:
                sheets.append((f"{item_id}/", of[6:]))
    for prefix, sheet_id in sheets:
        sheet = design.sheets[sheet_id]
        for item_id in sheet.items.ordered():
            item = sheet.items[item_id]
            if item.of is not None:
                out.append(f"{prefix}{item_id}.of")
            if item.axes:
                out += [f"{prefix}{item_id}.axes.{axis}" for axis, _ in item.axes]
            out += [
                f"{prefix}{item_id}.config.{key}"
                for key in item.config.ordered()
                if not isinstance(item.config[key], Table)
            ]
        for link_id in sheet.links.ordered():
            wire = () if sheet.links[link_id].medium in ("pcie", "cxl", "nvlink") else ("per_pair",)
            out += [f"{prefix}{link_id}.{name}" for name in (*wire, "length_m", "cable", "speed_gbps")]
    keys = {**dict.fromkeys(design.settings.ordered()), **dict.fromkeys(o.key for o in options_for("design"))}
    out += [f"settings.{key}" for key in keys]
    name = chosen_workload(project, design)
    if name:
        row = project.workloads[name]
        out += [f"workload.model.{key}" for key in dict.fromkeys((*MODEL_KEYS, *row.model))]
        out += [f"workload.plan.{key}" for key in dict.fromkeys((*PLAN_KEYS, *row.plan))]
    return out


# -- variants ---------------------------------------------------------------------------------------------------------


def redraw(project: Project, template: str, settings: Mapping[str, Value]) -> Project:
    """The project with the designs of a template drawn anew; prices, stock, profiles and workloads stay."""
    built = TEMPLATES[template].build(**{k: v for k, v in settings.items() if isinstance(v, (int, str))})
    return replace(project, designs=built.designs, parts=Table({**built.parts, **project.parts}))


def vary(project: Project, design_id: str, field: Field, value: Value) -> Project:
    """The project with one field (none of a template) at ``value``. Raises UserError where an edit refuses it."""
    if field.place == "workload":
        return _with_workload(project, design_id, field, value)
    if field.place == "settings":
        return apply(project, EDITS["set_setting"](project, design=design_id, key=field.key, value=value))
    edit = _LINK_EDITS[field.name] if field.place == "link" else _ITEM_EDITS[field.name]
    for row_id in field.ids:
        project = apply(project, edit(project, design_id, field, row_id, value))
    return project


def _with_workload(project: Project, design_id: str, field: Field, value: Value) -> Project:
    name = chosen_workload(project, project.designs[design_id])
    if not name:
        raise UserError(
            msg("Field '{field}': the design has no workload; its setting 'workload' names one.", field=field.text)
        )
    row = project.workloads[name]
    table = row.model if field.name == "model" else row.plan
    table = table.drop(field.key) if value is None else table.put(field.key, value)
    changed = replace(row, model=table) if field.name == "model" else replace(row, plan=table)
    return replace(project, workloads=project.workloads.put(name, changed))


def variant_patch(project: Project, design_id: str, chosen: Sequence[tuple[Field, Value]], title: str) -> Patch:
    """A new design of the project with these values; the design itself stays as it is. A workload that differs is kept
    under a name of its own.
    """
    drawn = project
    template = {field.key: value for field, value in chosen if field.place == "template"}
    if template:
        drawn = redraw(drawn, next(f.name for f, _ in chosen if f.place == "template"), template)
    for field, value in chosen:
        if field.place != "template":
            drawn = vary(drawn, design_id, field, value)
    builder = PatchBuilder(project)
    row = replace(drawn.designs[design_id], title=title, order=max(d.order for d in project.designs.values()) + 1)
    for name, workload in drawn.workloads.items():
        if workload != project.workloads.get(name):
            own = fresh_id(name, project.workloads, numbered=False)
            builder.set(("workloads", own), workload)
            row = replace(row, settings=row.settings.put("workload", own))
    for part, embedded in drawn.parts.items():
        if part not in project.parts:
            builder.set(("parts", part), embedded)
    builder.set(("designs", fresh_id(design_id, project.designs, numbered=False)), row)
    return builder.patch("Add design")


_Edit = Callable[[Project, str, Field, str, Value], Patch]


def _link_edit(make: Callable[[Field, Value], dict[str, object]]) -> _Edit:
    def edit(project: Project, design: str, field: Field, row_id: str, value: Value) -> Patch:
        return EDITS["set_link"](project, design=design, sheet=field.sheet, link=row_id, **make(field, value))

    return edit


def _axes(project: Project, design: str, field: Field, row_id: str, value: Value) -> Patch:
    row = project.designs[design].sheets[field.sheet].items[row_id]
    axes = [(axis, value if axis == field.key else size) for axis, size in row.axes]
    return EDITS["set_axes"](project, design=design, sheet=field.sheet, item=row_id, axes=axes)


def _count(project: Project, design: str, field: Field, row_id: str, value: Value) -> Patch:
    return EDITS["set_count"](project, design=design, sheet=field.sheet, item=row_id, count=value)


def _part(project: Project, design: str, field: Field, row_id: str, value: Value) -> Patch:
    return EDITS["replace_part"](project, design=design, sheet=field.sheet, item=row_id, part=value)


def _config(project: Project, design: str, field: Field, row_id: str, value: Value) -> Patch:
    return EDITS["set_config"](project, design=design, sheet=field.sheet, item=row_id, key=field.key, value=value)


_ITEM_EDITS: dict[str, _Edit] = {"of": _part, "count": _count, "axes": _axes, "config": _config}
_LINK_EDITS: dict[str, _Edit] = {
    "per_pair": _link_edit(lambda _, value: {"wire": {"per_pair": value}}),
    "length_m": _link_edit(lambda _, value: {"length_m": value}),
    "speed_gbps": _link_edit(lambda _, v: {"speed": v * 1e9 if isinstance(v, (int, float)) else None}),
    "cable": _link_edit(lambda _, value: {"cable": value if value is not None else "auto"}),
    "medium": _link_edit(lambda _, value: {"medium": value}),
    "config": _link_edit(lambda field, value: {"config": {field.key: value}}),
}
