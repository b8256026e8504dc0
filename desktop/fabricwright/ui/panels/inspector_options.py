"""What a drawing may state about a design, an item, a slot, a link: which options there are, where values are kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication

from fabricwright.catalog.parts import Part, Slot
from fabricwright.design.effective import EffItem
from fabricwright.design.options import options_for
from fabricwright.design.values import Link
from fabricwright.ui.panels.fields import Choice, ChoiceField
from fabricwright.ui.panels.inspector_option_fields import OPTION_PX, Source, Stated, add_option, add_options
from fabricwright.ui.panels.inspector_page import Page
from fabricwright.units.natural import natural_key

_CARDS = ("nic", "pcie-switch-card", "retimer", "cxl")
_PLACES = {
    "cpu": "cpu",
    "pcie-switch": "pcie_switch",
    "pcie-switch-card": "pcie_switch",
    "gpu": "gpu",
    "nic": "nic",
    "cxl": "cxl",
    "retimer": "retimer",
    "switch": "switch",
    "rack": "rack",
}


def design_options(page: Page) -> None:
    """Settings of the design."""
    context = page.context
    source = Source(
        lambda key: context.design_row.settings.get(key),
        lambda _row: None,
        lambda key, value: page.post("set_setting", key=key, value=value),
    )
    add_options(page, [Stated(o, o.key) for o in options_for("design")], source)


def places_of(item: EffItem, part: Part | None, *, root: bool = False) -> list[str]:
    """Places whose options an item has; ``root`` when it stands on the sheet of the whole design."""
    more = ["item"] if root and "/" not in item.id else []
    kind = part.kind if part is not None else item.kind
    found = [_PLACES[kind]] if kind in _PLACES else []
    seated = item.seat is not None and page_slot_kind(item.seat)
    return [*found, "card", *more] if kind in _CARDS or (kind == "gpu" and seated) else [*found, *more]


def at_root(page: Page) -> bool:
    """Whether a page is about the sheet of the whole design."""
    return page.sheet == page.context.design_row.root


def page_slot_kind(seat: str) -> bool:
    """Whether a seat is one of cards; modules on a baseboard have no auxiliary cable of their own."""
    return not seat.rpartition(":")[2].startswith(("sxm", "oam"))


def item_options(page: Page, item: EffItem, part: Part | None) -> None:
    """Options of an item of the page's sheet. Things inside a box that was drawn have none of their own."""
    if "/" in item.id:
        return
    rows = [Stated(o, o.key) for place in places_of(item, part, root=at_root(page)) for o in options_for(place)]
    add_options(page, rows, item_source(page, page.sheet, item.id, part))


def many_options(page: Page, ids: Sequence[str], write: Callable[[str, object], str]) -> None:
    """Options that several items share. ``write`` (key, value) sets one for all of them as one undo entry; where they
    differ the field says so and takes a new value for all.
    """
    eff = page.context.eff
    root = at_root(page)
    places = [places_of(eff.items[i], eff.items[i].part, root=root) for i in ids if i in eff.items and "/" not in i]
    if not places or len(places) != len(ids):
        return
    shared = [place for place in places[0] if all(place in other for other in places)]
    sources = [item_source(page, page.sheet, i, eff.items[i].part) for i in ids]

    def values(key: str) -> list[object]:
        return [source.own(key) for source in sources]

    def own(key: str) -> object:
        found = values(key)
        return found[0] if all(value == found[0] for value in found) else None

    def known(row: Stated) -> object:
        if any(value is not None for value in values(row.key)) and own(row.key) is None:
            return QCoreApplication.translate("Inspector", "different")
        found = [source.known(row) for source in sources]
        return found[0] if all(value == found[0] for value in found) else None

    rows = [Stated(o, o.key) for place in shared for o in options_for(place)]
    add_options(page, rows, Source(own, known, write))


def chassis_options(page: Page, sheet: str) -> None:
    """Options of the server itself."""
    add_options(page, [Stated(o, o.key) for o in options_for("chassis")], item_source(page, sheet, "chassis", None))


def item_source(page: Page, sheet: str, item_id: str, part: Part | None) -> Source:
    """Config of an item's row on a sheet; inherited from the sheets that it is a variant of, else from the part."""

    def own(key: str) -> object:
        row = page.context.design_row.sheets.get(sheet)
        item = row.items.get(item_id) if row is not None else None
        return item.config.get(key) if item is not None else None

    def known(row: Stated) -> object:
        found = inherited(page, sheet, item_id, row.key)
        if found is None and part is not None:
            figure = part.figures.get(row.key)
            found = figure.value if figure is not None and not isinstance(figure.value, tuple) else None
        return found

    def post(key: str, value: object) -> str:
        return page.post("set_config", sheet=sheet, item=item_id, key=key, value=value)

    return Source(own, known, post)


def inherited(page: Page, sheet: str, item_id: str, key: str) -> object:
    """What the sheets below say, nearest first; None when they say nothing."""
    design = page.context.design_row
    for below in design.lineage(design.sheets.get(sheet))[1:]:
        item = below.items.get(item_id)
        if item is not None and item.config.get(key) is not None:
            return item.config[key]
    return None


def slot_rows(name: str) -> list[Stated]:
    """Options of one slot of the chassis, as stored on the chassis' row."""
    return [Stated(o, f"slot.{name}.{o.key}") for o in options_for("slot")]


def slot_source(page: Page, sheet: str, slot: Callable[[], tuple[str, Slot | None]]) -> Source:
    """Values of the slot that ``slot`` names at the moment (name, as the catalogue has it). Keys are ``slot.*.KEY``."""
    base = item_source(page, sheet, "chassis", None)

    def full(key: str) -> str:
        return f"slot.{slot()[0]}.{key.rpartition('.')[2]}"

    def known(row: Stated) -> object:
        found = inherited(page, sheet, "chassis", full(row.key))
        part = slot()[1]
        if found is None and part is not None:
            found = getattr(part, row.option.key, None)
        if isinstance(found, tuple):
            return ", ".join(map(str, found)) or None
        return found or None

    return Source(lambda key: base.own(full(key)), known, lambda key, value: base.post(full(key), value))


def slots_fold(page: Page, sheet: str) -> None:
    """A fold with a slot picker and the options of the slot picked."""
    eff = page.context.eff
    slots = {key.partition(":")[2]: row for key, row in eff.slots.items() if key.startswith("chassis:")}
    names = sorted(slots, key=natural_key)
    if not names:
        return
    chosen = [next((n for n in names if _stated_of_slot(page, sheet, n)), names[0])]

    def now() -> tuple[str, Slot | None]:
        return chosen[0], slots.get(chosen[0])

    def pick(value: object) -> str:
        chosen[0] = str(value)
        page.refresh()
        return ""

    def options() -> list[Choice]:
        out = []
        for name in names:
            count = _stated_of_slot(page, sheet, name)
            text = QCoreApplication.translate("Inspector", "{slot} ({count} stated)")
            out.append(Choice(name, text.format(slot=name, count=count) if count else name, slots[name].label))
        return out

    def note() -> str:
        count = sum(_stated_of_slot(page, sheet, name) for name in names)
        return f"{count:,}" if count else ""

    def fill() -> None:
        label = QCoreApplication.translate("Inspector", "Slot")
        page.add_field(ChoiceField(label, options, lambda: chosen[0], pick, px=OPTION_PX))
        source = slot_source(page, sheet, now)
        for row in slot_rows(names[0]):
            add_option(page, row, source)

    page.add_fold(QCoreApplication.translate("Inspector", "Slots"), note, fill)


def _stated_of_slot(page: Page, sheet: str, name: str) -> int:
    row = page.context.design_row.sheets.get(sheet)
    item = row.items.get("chassis") if row is not None else None
    config = item.config if item is not None else {}
    return sum(config.get(f"slot.{name}.{o.key}") is not None for o in options_for("slot"))


def link_options(page: Page, link_id: str) -> None:
    """Options of a drawn link and of its two ends."""
    context = page.context
    link = context.eff.links.get(link_id) or Link("", "")
    inside = context.sheet_row.kind == "server"
    wires = link.medium in ("pcie", "cxl", "nvlink")
    rows = [Stated(o, o.key) for o in options_for("link") if inside]
    if not wires:
        rows += [Stated(o, f"{o.key}.{end}", end.upper()) for o in options_for("link_end") for end in ("a", "b")]

    def own(key: str) -> object:
        row = context.eff.links.get(link_id)
        return row.config.get(key) if row is not None else None

    def post(key: str, value: object) -> str:
        return page.post("set_link", link=link_id, config={key: value})

    add_options(page, rows, Source(own, lambda _row: None, post))
