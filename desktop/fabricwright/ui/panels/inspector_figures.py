"""Figures of a part with where they are from: the fold that says how sure each one is."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from fabricwright.catalog.parts import Figure, Part
from fabricwright.catalog.store import catalogue
from fabricwright.ui.i18n import current_language
from fabricwright.ui.panels.inspector_page import Page
from fabricwright.ui.widgets import Chip, TextButton, TextLabel
from fabricwright.units.natural import natural_key


def confidence_word(confidence: str) -> str:
    """How sure a figure is."""
    return {
        "read": QCoreApplication.translate("Panels", "read from the source"),
        "engineering": QCoreApplication.translate("Panels", "engineering estimate"),
        "inferred": QCoreApplication.translate("Panels", "inferred"),
    }.get(confidence, confidence)


def figure_value(figure: Figure, unit: str) -> str:
    """``700 W``; lists joined, thousands with a comma."""
    if unit == "lanes":  # the one unit that is a word
        unit = QCoreApplication.translate("Panels", "lanes")
    values = figure.value if isinstance(figure.value, tuple) else (figure.value,)
    return (", ".join(_plain(v) for v in values) + f" {unit}").strip()


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return QCoreApplication.translate("Panels", "yes") if value else QCoreApplication.translate("Panels", "no")
    if isinstance(value, (int, float)):
        return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.6g}"
    return "–" if value is None else str(value)


def add_figures(page: Page, part: Part, part_id: str = "") -> None:
    """A fold with every figure of the part: label, value, an ``estimate`` chip where it is not read from a source;
    below them where the part is from, and the way to it in the list of parts."""
    if not part.figures:
        return
    title = QCoreApplication.translate("Panels", "Figures")
    page.add_fold(title, str(len(part.figures)), lambda: _fill(page, part, part_id))


def _fill(page: Page, part: Part, part_id: str) -> None:
    body = QWidget()
    grid = QGridLayout(body)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(8)
    grid.setVerticalSpacing(5)
    grid.setColumnStretch(0, 1)
    lang = current_language()
    store = catalogue()
    for row, name in enumerate(sorted(part.figures, key=natural_key)):
        figure = part.figures[name]
        info = store.figure_info(name)
        label = TextLabel(info.get(lang) or info.get("en") or name, body, px=11.5, token="text.2", wrap=True)
        value = TextLabel(figure_value(figure, info.get("unit", "")), body, px=11.5, wrap=True)
        value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        tip = confidence_word(figure.confidence)
        source = store.source_text(figure.source or part.source, lang)
        if source:
            text = QCoreApplication.translate("Panels", "{confidence}; source: {source}")
            tip = text.format(confidence=tip, source=source)
        label.setToolTip(tip)
        value.setToolTip(tip)
        value.setAccessibleDescription(tip)
        grid.addWidget(label, row, 0)
        grid.addWidget(value, row, 1)
        if figure.confidence != "read":
            chip = Chip(QCoreApplication.translate("Panels", "estimate"), "estimate", body)
            chip.setToolTip(tip)
            grid.addWidget(chip, row, 2)
    page.add_widget(body)
    page.add_widget(_origin(page, part, part_id))


def _origin(page: Page, part: Part, part_id: str) -> QWidget:
    """Source of the part as a whole, how sure it is, and its entry in the catalogue."""
    store = catalogue()
    box = QWidget()
    column = QVBoxLayout(box)
    column.setContentsMargins(0, 4, 0, 0)
    column.setSpacing(2)
    source = store.source_text(part.source, current_language())
    if source:
        text = QCoreApplication.translate("Panels", "{confidence}; source: {source}")
        said = text.format(confidence=confidence_word(part.confidence), source=source)
        label = TextLabel(said, box, px=11.5, token="text.3", wrap=True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column.addWidget(label)
    if part_id and part_id in store:
        link = TextButton(QCoreApplication.translate("Panels", "Catalogue entry"), box, icon_name="package")
        link.setToolTip(QCoreApplication.translate("Panels", "Show {part} in the list of parts").format(part=part_id))
        link.clicked.connect(lambda _c=False: page.context.part_wanted.emit(part_id))
        column.addWidget(link)
    elif part_id:
        own = QCoreApplication.translate("Panels", "Only in this project; the catalogue has no part {part}.")
        column.addWidget(TextLabel(own.format(part=part_id), box, px=11.5, token="text.3", wrap=True))
    return box
