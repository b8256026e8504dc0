"""Fields of the requirements: numbers with a unit, parts that are found by typing, fixed choices, sets of parts.

Every field has ``value()``, ``set_value(value)``, a signal ``edited`` and a property ``invalid``; None is "not stated".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QCompleter, QLineEdit, QMenu, QPushButton, QSizePolicy, QWidget

from fabricwright.catalog.pictograms import pictogram
from fabricwright.catalog.store import catalogue
from fabricwright.ui.i18n import current_language
from fabricwright.ui.icons import icon
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.theme import theme, ui_font


def mark(widget: QWidget, wrong: bool) -> None:
    """Frame in the error colour, or not."""
    if bool(widget.property("invalid")) != wrong:
        widget.setProperty("invalid", wrong)
        widget.update()


class NumberField(QLineEdit):
    """A number, empty for "choose". ``unit`` is written at its right end."""

    edited = Signal()

    def __init__(self, parent: QWidget, unit: str = "", *, whole: bool = True, empty: str = "") -> None:
        super().__init__(parent)
        self._unit, self._whole = unit, whole
        self.setPlaceholderText(empty)
        self.setTextMargins(0, 0, 8 + 7 * len(unit) if unit else 0, 0)
        self.textEdited.connect(lambda _text: self._changed())

    def _changed(self) -> None:
        mark(self, not self.understood())
        self.edited.emit()

    def understood(self) -> bool:
        """Whether the text is a number or nothing."""
        pattern = r"\d{1,9}" if self._whole else r"\d{1,6}(\.\d{1,3})?"
        return not self._plain() or re.fullmatch(pattern, self._plain()) is not None

    def _plain(self) -> str:
        return self.text().strip().replace(",", "").replace("\u00a0", "")

    def value(self) -> float | int | None:
        """The number, None when empty or not understood."""
        if not self._plain() or not self.understood():
            return None
        return int(self._plain()) if self._whole else float(self._plain())

    def set_value(self, value: float | int | None) -> None:
        """Show a number; None and 0 empty the field."""
        self.setText(f"{value:,}" if isinstance(value, int) and value else f"{value:g}" if value else "")
        mark(self, False)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._unit:
            self._paint_unit()

    @safe_paint
    def _paint_unit(self) -> None:
        painter = QPainter(self)
        painter.setFont(ui_font(11.5))
        painter.setPen(theme()["text.3"])
        painter.drawText(
            QRectF(self.rect()).adjusted(0, 0, -8, 0),
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
            self._unit,
        )
        painter.end()

    def sizeHint(self) -> QSize:
        return QSize(120, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(60, super().minimumSizeHint().height())


class _Combo(QComboBox):
    """A combo box that the wheel does not change while a form is scrolled."""

    edited = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self.activated.connect(lambda _index: self.edited.emit())

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def minimumSizeHint(self) -> QSize:
        return QSize(70, super().minimumSizeHint().height())


class ChoiceField(_Combo):
    """One of some (value, text); the first is the default."""

    def set_choices(self, rows: Sequence[tuple[Any, str]]) -> None:
        """Other texts for the same values, or other values."""
        before = self.value() if self.count() else None
        self.clear()
        for value, text in rows:
            self.addItem(text, value)
        self.set_value(before if before is not None else rows[0][0])

    def value(self) -> Any:
        """The chosen value."""
        return self.currentData()

    def set_value(self, value: Any) -> None:
        """Choose; an unknown value becomes a row of its own, shown as it is."""
        at = next((n for n in range(self.count()) if self.itemData(n) == value), -1)
        if at < 0:
            self.addItem(f"{value:g}:1" if isinstance(value, float) else str(value), value)
            at = self.count() - 1
        self.setCurrentIndex(at)


class PartField(_Combo):
    """A part of the catalogue: typing finds it by any piece of name or id. Empty until ``fill``."""

    def __init__(self, parent: QWidget, kinds: Sequence[str], *, only: Sequence[str] = ()) -> None:
        super().__init__(parent)
        self._kinds, self._only = tuple(kinds), tuple(only)
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        completer = QCompleter(self.model(), self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        completer.activated.connect(lambda _text: self._settle())
        self.setCompleter(completer)
        self.setMaxVisibleItems(14)
        self._line().editingFinished.connect(self._settle)
        self._line().setCursorPosition(0)

    def _line(self) -> QLineEdit:
        line = self.lineEdit()
        assert line is not None  # the box is editable
        return line

    def fill(self, none: str) -> None:
        """Rows in the current language; ``none`` stands for no part."""
        before = self.value() if self.count() else ""
        store, lang = catalogue(), current_language()
        kinds = store.kinds()
        self.blockSignals(True)
        self.clear()
        if none:
            self.addItem(none, "")
        for kind in self._kinds:
            sign = icon(pictogram(kind))
            for part in kinds.get(kind, ()):
                if self._only and part not in self._only:
                    continue
                self.addItem(sign, store.name_of(part, lang), part)
                self.setItemData(self.count() - 1, part, Qt.ItemDataRole.ToolTipRole)
        self.blockSignals(False)
        self.set_value(before)

    def value(self) -> str:
        """Id of the chosen part, "" for none."""
        return str(self.currentData() or "")

    def set_value(self, value: str | None) -> None:
        """Choose a part by id; one that is not in the list stays as it was."""
        at = self.findData(value or "")
        if at >= 0:
            self.setCurrentIndex(at)
            self._line().setCursorPosition(0)
            self.setToolTip(self.currentText())
        mark(self, False)

    def _settle(self) -> None:
        """What was typed becomes the part that it names; else the field goes back."""
        text = self._line().text().strip().casefold()
        at = next((n for n in range(self.count()) if self.itemText(n).casefold() == text), -1)
        if at < 0:
            at = self.findData(text)
        if at < 0 and text:
            at = next((n for n in range(self.count()) if text in self.itemText(n).casefold()), -1)
        before = self.property("settled")
        if at >= 0:
            self.setCurrentIndex(at)
        else:
            self._line().setText(self.currentText())
        self._line().setCursorPosition(0)
        self.setToolTip(self.currentText())
        if before != self.value():
            self.setProperty("settled", self.value())
            self.edited.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._settle()
            return
        super().keyPressEvent(event)


class SetField(QPushButton):
    """Any number of parts out of a menu with check marks; none checked means all."""

    edited = Signal()

    def __init__(self, parent: QWidget, kind: str) -> None:
        super().__init__(parent)
        self._all, self._kind = "", kind
        self._chosen: list[str] = []
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill)
        self.setMenu(self._menu)
        self.setProperty("choice", True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAutoDefault(False)

    def set_all(self, text: str) -> None:
        """What no choice is called."""
        self._all = text
        self._show()

    def _fill(self) -> None:
        self._menu.clear()
        store, lang = catalogue(), current_language()
        for part in store.kinds().get(self._kind, ()):
            if str(store.raw(part).get("role", "")) == "oob":
                continue
            action = self._menu.addAction(store.name_of(part, lang))
            action.setCheckable(True)
            action.setChecked(part in self._chosen)
            action.triggered.connect(lambda on, p=part: self._toggle(p, on))

    def _toggle(self, part: str, on: bool) -> None:
        self._chosen = [*self._chosen, part] if on else [p for p in self._chosen if p != part]
        self._show()
        self.edited.emit()

    def _show(self) -> None:
        """What does not fit is shortened when it is painted; the tool tip has all of it."""
        text = ", ".join(part.upper() for part in self._chosen) or self._all
        self.setText(text)
        self.setToolTip(text)

    def value(self) -> tuple[str, ...]:
        """Ids of the chosen parts."""
        return tuple(self._chosen)

    def set_value(self, value: Sequence[str] | None) -> None:
        """Choose these."""
        self._chosen = list(value or ())
        self._show()

    def minimumSizeHint(self) -> QSize:
        return QSize(70, super().minimumSizeHint().height())
