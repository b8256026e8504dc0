"""Inspector of a slot (what it takes, what is in it) and of a note."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QPushButton

from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import current_language, text_of
from fabricwright.ui.panels.fields import FactField
from fabricwright.ui.panels.inspector_item import slot_text
from fabricwright.ui.panels.inspector_option_fields import add_options
from fabricwright.ui.panels.inspector_options import slot_rows, slot_source
from fabricwright.ui.panels.inspector_page import Page
from fabricwright.units.text import format_value


def slot_page(context: UiContext, slot_id: str) -> Page:
    """A slot: width, generation, form, feed, and the card in it."""
    from fabricwright.rules.predicates import form_words

    page = Page(context)
    slot = context.eff.slots[slot_id]
    kind = QCoreApplication.translate("Inspector", "Slot, {kind}").format(kind=text_of(form_words(slot.kind)))
    page.add_head("package", lambda: (slot_text(slot_id, slot), kind))
    inside = context.eff.seated().get(slot_id, [])
    nothing = QCoreApplication.translate("Inspector", "empty")
    wiring = f"x{slot.electrical}"
    if slot.electrical != slot.physical:
        wiring = QCoreApplication.translate("Inspector", "x{lanes} in x{connector}")
        wiring = wiring.format(lanes=slot.electrical, connector=slot.physical)
    form = " ".join(p for p in (slot.height, slot.length) if p)
    rows = [
        (QCoreApplication.translate("Inspector", "Lanes"), f"{wiring} Gen{slot.gen}"),
        (QCoreApplication.translate("Inspector", "Form"), form),
        (QCoreApplication.translate("Inspector", "Power"), f"{slot.power_w + slot.aux_w:g} W"),
        (QCoreApplication.translate("Inspector", "Fed by"), slot.fed_by),
        (QCoreApplication.translate("Inspector", "Splits"), format_value(slot.bifurcation, current_language())),
        (QCoreApplication.translate("Inspector", "CXL"), _yes(slot.cxl)),
        (QCoreApplication.translate("Inspector", "Card"), format_value(inside, current_language()) or nothing),
    ]
    for label, text in rows:
        if text:
            page.add_field(FactField(label, text))
    if slot_id.startswith("chassis:"):
        name = slot_id.partition(":")[2]
        source = slot_source(page, page.sheet, lambda: (name, slot))
        add_options(page, slot_rows(name), source)
    for item_id in inside:
        text = QCoreApplication.translate("Inspector", "Select {item}").format(item=item_id)
        button = QPushButton(text)
        button.clicked.connect(lambda _on=False, item_id=item_id: context.document.select([item_id]))
        page.add_widget(button)
    page.finish()
    return page


def _yes(value: bool) -> str:
    return QCoreApplication.translate("Panels", "yes") if value else QCoreApplication.translate("Panels", "no")


def note_page(context: UiContext, note_id: str) -> Page:
    """A note: its text, as drawn."""
    page = Page(context)
    title = QCoreApplication.translate("Inspector", "Note")
    page.add_head("note", lambda: (title, ""))
    row = context.sheet_row.notes.get(note_id)
    if row is not None:
        page.add_line(lambda: row.text, token="text")
    page.finish()
    return page
