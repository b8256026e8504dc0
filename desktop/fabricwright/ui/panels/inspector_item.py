"""Inspector of one item: a part in a server, a group of servers or switches, a rack."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from fabricwright.catalog.parts import Part, Slot
from fabricwright.catalog.pictograms import pictogram
from fabricwright.catalog.ports import mode_of
from fabricwright.catalog.store import catalogue
from fabricwright.design.effective import EffItem
from fabricwright.design.naming import member_name
from fabricwright.design.options import options_for
from fabricwright.design.values import Item
from fabricwright.ui.canvas.naming import slot_label
from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import current_language, text_of
from fabricwright.ui.panels.fields import CheckField, Choice, ChoiceField, FactField, TextField
from fabricwright.ui.panels.inspector_budgets import item_budgets
from fabricwright.ui.panels.inspector_exports import exports_fold
from fabricwright.ui.panels.inspector_figures import add_figures
from fabricwright.ui.panels.inspector_group import exceptions_fold, racks_fold
from fabricwright.ui.panels.inspector_option_fields import plain
from fabricwright.ui.panels.inspector_options import chassis_options, item_options, places_of
from fabricwright.ui.panels.inspector_page import Page
from fabricwright.ui.panels.inspector_signal import add_signal
from fabricwright.ui.panels.inspector_texts import (
    axes_text,
    breakable,
    breakout_text,
    common_breakout,
    kind_name,
    parse_axes,
    parse_breakouts,
)
from fabricwright.ui.panels.part_facts import fact_line
from fabricwright.ui.panels.words import listed
from fabricwright.units.natural import natural_key

_HANDLED = {"mode", "breakout", "cxl", "rail", "lanes_available"}


def part_of_item(context: UiContext, item: EffItem) -> Part | None:
    """The part that an item is; for a server on its own sheet the chassis of that sheet."""
    if item.part is not None or not item.of.startswith("sheet:"):
        return item.part
    design = context.design_row
    below = design.lineage(design.sheets.get(item.of[6:]))
    chassis = next((sheet.chassis for sheet in below if sheet.chassis is not None), None)
    return context.project.parts.get(chassis) if chassis else None


def item_page(context: UiContext, item_id: str) -> Page:
    """The page of an item of the open sheet."""
    page = Page(context)
    first = context.eff.items[item_id]
    part = part_of_item(context, first)
    stored = item_id in context.sheet_row.items and context.sheet_row.items[item_id].of is not None

    def now() -> EffItem:
        return context.eff.items.get(item_id, first)

    def head() -> tuple[str, str]:
        item = now()
        shown = member_name(item.name, (), 0, item_id) if not item.axes else item_id
        line = kind_name(part.kind if part else item.kind)
        facts = fact_line(part) if part else ""
        count = _count(item)
        if count > 1:
            line = QCoreApplication.translate("Inspector", "{count} × {kind}").format(count=f"{count:,}", kind=line)
        return shown, listed((line, facts))

    kind = part.kind if part else first.kind
    page.add_head(pictogram(kind), head, "cxl" if kind == "cxl" else "text")
    if first.forced:
        text = QCoreApplication.translate("Inspector", "Placed against the rules.")
        page.add_line(lambda: text if now().forced else "", token="warn")
    _name(page, item_id)
    if part is not None:
        _type(page, item_id, part, editable=stored)
    if stored:
        _group(page, item_id)
        _seat(page, item_id, part)
    elif first.seat:
        page.add_field(FactField(QCoreApplication.translate("Inspector", "Slot"), lambda: now().seat))
    if part is not None and first.part is not None:
        _mode(page, item_id, part)
        _breakout(page, item_id, part)
    page.add_budgets(QCoreApplication.translate("Inspector", "Budgets"), lambda: item_budgets(context, now(), part))
    page.add_findings([item_id])
    if context.sheet_row.kind == "server":
        add_signal(page, item_id)
    if stored:
        exceptions_fold(page, item_id)
        racks_fold(page, item_id)
    if first.of.startswith("sheet:"):
        exports_fold(page, first.of[6:])
        chassis_options(page, first.of[6:])
    item_options(page, first, part)
    _further(page, item_id, first, part)
    page.add_facts([item_id])
    if part is not None:
        add_figures(page, part, _part_id(context, first.of))
    if first.ports:
        _ports(page, first)
    page.finish()
    return page


def _count(item: EffItem) -> int:
    n = 1
    for _, size in item.axes:
        n *= size
    return n


def _stored(page: Page, item_id: str) -> Item:
    return page.context.sheet_row.items.get(item_id, Item())


def _name(page: Page, item_id: str) -> None:
    page.add_field(
        TextField(
            QCoreApplication.translate("Inspector", "Name"),
            lambda: _stored(page, item_id).name,
            lambda text: page.post("rename", merge=True, item=item_id, name=text),
            placeholder=item_id,
            tip=QCoreApplication.translate(
                "Inspector", "A template over the axes: {su1} counts from 1, {su} from 0, {index1:03} over all members."
            ),
        )
    )

    def example() -> str:
        row = _stored(page, item_id)
        if not row.name or row.count < 2:
            return ""
        text = QCoreApplication.translate("Inspector", "{first} … {last}")
        first, last = (member_name(row.name, row.axes, n, item_id) for n in (0, row.count - 1))
        return text.format(first=first, last=last)

    page.add_line(example, token="text.3")


def _type(page: Page, item_id: str, part: Part, *, editable: bool) -> None:
    label = QCoreApplication.translate("Inspector", "Type")
    context = page.context

    def current() -> str:
        item = context.eff.items.get(item_id)
        if item is None or item.of.startswith("sheet:"):
            sheet = context.design_row.sheets.get(item.of[6:]) if item else None
            return (sheet.chassis or "") if sheet else ""
        return item.of

    def options() -> list[Choice]:
        lang = current_language()
        store = catalogue()
        ids = {p for p in store.ids() if store.kind_of(p) == part.kind}
        ids |= {p for p, row in context.project.parts.items() if row.kind == part.kind}
        named = []
        for part_id in ids:
            own = context.project.parts.get(part_id)
            name = own.name(lang) if own is not None else store.name_of(part_id, lang)
            named.append(Choice(part_id, name, part_id))
        return sorted(named, key=lambda c: natural_key(c.text))

    if not editable or not current():
        page.add_field(FactField(label, lambda: part.name(current_language())))
        return
    page.add_field(
        ChoiceField(label, options, current, lambda value: page.post("replace_part", item=item_id, part=str(value)))
    )


def _group(page: Page, item_id: str) -> None:
    """Count and axes; cards inside a server come one by one unless they are a group already."""
    if page.context.sheet_row.kind == "server" and not _stored(page, item_id).axes:
        return

    def count(text: str) -> str:
        if not text.isdecimal():
            return QCoreApplication.translate("Inspector", "A whole number from 1 is expected.")
        return page.post("set_count", item=item_id, count=int(text))

    page.add_field(
        TextField(
            QCoreApplication.translate("Inspector", "Count"),
            lambda: str(_stored(page, item_id).count),
            count,
            trial=page.trial,
        )
    )

    def axes(text: str) -> str:
        parsed = parse_axes(text)
        return parsed if isinstance(parsed, str) else page.post("set_axes", item=item_id, axes=parsed)

    page.add_field(
        TextField(
            QCoreApplication.translate("Inspector", "Axes"),
            lambda: axes_text(_stored(page, item_id).axes),
            axes,
            placeholder=QCoreApplication.translate("Inspector", "none"),
            tip=QCoreApplication.translate("Inspector", "How the members are counted, such as su=2, node=16."),
            trial=page.trial,
        )
    )


def _seat(page: Page, item_id: str, part: Part | None) -> None:
    if part is None or page.context.sheet_row.kind != "server":
        return
    context = page.context

    def options() -> list[Choice]:
        from fabricwright.rules.legality import legality

        found = [Choice(None, QCoreApplication.translate("Inspector", "not in a slot"))]
        verdicts = legality(context.project, context.design, context.sheet, part, ignore_item=item_id)
        sign = {"legal": "ok", "loss": "warning", "illegal": "error"}
        own = _stored(page, item_id).seat
        for slot in sorted(verdicts, key=natural_key):
            verdict = verdicts[slot]
            why = "\n".join(f"{rule}: {text_of(message)}" for rule, message in verdict.reasons)
            if slot != own and any(rule == "MEC-06" for rule, _ in verdict.reasons):
                continue  # another kind of slot altogether
            found.append(Choice(slot, slot_text(slot, context.eff.slots.get(slot)), why, sign[verdict.level]))
        return found

    def write(value: object) -> str:
        from fabricwright.rules.legality import legality

        if value is None:
            return page.post("seat", item=item_id, slot=None)
        verdict = legality(context.project, context.design, context.sheet, part, ignore_item=item_id).get(str(value))
        forced = verdict is not None and verdict.level == "illegal"
        return page.post("seat", item=item_id, slot=str(value), forced=forced)

    page.add_field(
        ChoiceField(
            QCoreApplication.translate("Inspector", "Slot"), options, lambda: _stored(page, item_id).seat, write
        )
    )
    page.add_field(
        CheckField(
            QCoreApplication.translate("Inspector", "Forced"),
            QCoreApplication.translate("Inspector", "keep against the rules"),
            lambda: _stored(page, item_id).forced,
            lambda on: page.post("seat", item=item_id, slot=_stored(page, item_id).seat, forced=on),
            tip=QCoreApplication.translate("Inspector", "Recorded in the project; the rules still report it."),
        )
    )


def slot_text(seat: str, slot: Slot | None) -> str:
    """A slot as the sheet names it: ``chassis:n2`` -> ``N2``; slots of other boxes keep their owner."""
    owner = seat.partition(":")[0]
    name = slot_label(seat, slot.label if slot is not None else "")
    return name if owner == "chassis" else f"{owner} {name}"


def _mode(page: Page, item_id: str, part: Part) -> None:
    if len(part.modes) < 2:
        return

    def read() -> object:
        item = page.context.eff.items.get(item_id)
        return mode_of(part, item.config) if item is not None else part.default_mode

    page.add_field(
        ChoiceField(
            QCoreApplication.translate("Inspector", "Mode"),
            lambda: [Choice(m, m.replace("x", "×"), part.modes[m].note) for m in part.modes.ordered()],
            read,
            lambda value: page.post("set_config", item=item_id, key="mode", value=value),
        )
    )


def _breakout(page: Page, item_id: str, part: Part) -> None:
    if not breakable(part):
        return

    def write(text: str) -> str:
        parsed = parse_breakouts(text, part)
        if isinstance(parsed, str):
            return parsed
        return page.post("set_config", item=item_id, key="breakout", value=parsed or None)

    def read() -> str:
        item = page.context.eff.items.get(item_id)
        return breakout_text(item.config) if item is not None else ""

    example = QCoreApplication.translate("Inspector", "such as {example}").format(example=common_breakout(part))
    tip = QCoreApplication.translate("Inspector", "Cages and how each is split; the others stay at their default.")
    label = QCoreApplication.translate("Inspector", "Breakout")
    page.add_field(TextField(label, read, write, placeholder=example, tip=tip, wide=True, trial=page.trial))


def further_keys(context: UiContext, item_id: str, item: EffItem, part: Part | None) -> list[str]:
    """Config keys of the stored row that neither a field nor a declared option shows."""
    row = context.sheet_row.items.get(item_id)
    if row is None:
        return []
    root = context.sheet == context.design_row.root
    declared = {o.key for place in places_of(item, part, root=root) for o in options_for(place)}
    known = _HANDLED | declared
    return sorted(k for k, v in row.config.items() if k not in known and isinstance(v, (str, int, float)))


def _part_id(context: UiContext, of: str) -> str:
    """Part of an item, the chassis for one that stands for a sheet."""
    if not of.startswith("sheet:"):
        return of
    sheet = context.design_row.sheets.get(of[6:])
    return (sheet.chassis or "") if sheet is not None else ""


def _further(page: Page, item_id: str, item: EffItem, part: Part | None) -> None:
    """Other config values of the stored row, as they are."""
    keys = further_keys(page.context, item_id, item, part)
    if not keys:
        return

    def fill() -> None:
        for key in keys:

            def write(text: str, key: str = key) -> str:
                return page.post("set_config", item=item_id, key=key, value=typed(text))

            read = lambda key=key: plain(_stored(page, item_id).config.get(key))  # noqa: E731
            page.add_field(TextField(key, read, write, trial=page.trial))

    page.add_fold(QCoreApplication.translate("Inspector", "Options"), str(len(keys)), fill)


def typed(text: str) -> object:
    """A typed config value: number, true/false, text; None for nothing."""
    if text in ("true", "false"):
        return text == "true"
    for make in (int, float):
        try:
            return make(text)
        except ValueError:
            continue
    return text or None


def _ports(page: Page, item: EffItem) -> None:
    def fill() -> None:
        for name in sorted(item.ports, key=natural_key)[:64]:
            port = item.ports[name]
            text = f"x{port.lanes} Gen{port.gen}" if port.lanes else f"{port.gbps:g}G" if port.gbps else port.medium
            page.add_field(FactField(name, text))

    page.add_fold(QCoreApplication.translate("Inspector", "Ports"), str(len(item.ports)), fill)
