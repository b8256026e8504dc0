"""The first step: one sentence, or the form; and what the best network for it is, said while typing."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QKeyEvent, Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from fabricwright.sizing.sentence import read_sentence, warm_up
from fabricwright.ui.i18n import text_of
from fabricwright.ui.sizing.plots import Sketch
from fabricwright.ui.sizing.result import Card
from fabricwright.ui.sizing.rows import Row, facts, switches
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import NoticeBox, TextLabel
from fabricwright.units.text import Message

READ_MS = 150


class SentenceBox(Card):
    """A line for a whole requirement. ``read`` (fields) when it says something new; ``accepted`` on Enter."""

    read = Signal(object)
    accepted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.line = QLineEdit(self)
        self.line.setClearButtonEnabled(True)
        self.line.setMinimumHeight(36)
        self.line.installEventFilter(self)
        self.column.addWidget(self.line)
        self.rest = TextLabel("", self, px=12, token="text.2", wrap=True)
        self.column.addWidget(self.rest)
        self._timer = QTimer(self, singleShot=True, interval=READ_MS)
        self._timer.timeout.connect(self.take)
        self._last: dict[str, Any] | None = None
        self._rest_of_start = warm_up()
        QTimer.singleShot(0, self, self._warm_up)
        self.line.textEdited.connect(lambda _text: self._timer.start())
        self.retranslate()

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.title.setText(self.tr("What do you need?"))
        self.line.setPlaceholderText(self.tr("512 H100, RoCE 400G, 1:1, 20 kW racks"))
        self.line.setAccessibleName(self.tr("What do you need?"))
        self._say(())

    def _say(self, rest: tuple[str, ...]) -> None:
        if rest:
            self.rest.set_token("warn")
            self.rest.setText(self.tr("Not understood, and left out: {words}").format(words="; ".join(rest)))
        else:
            self.rest.set_token("text.2")
            self.rest.setText(
                self.tr("Say it in one line and press Enter, or fill in the fields below. English and Chinese.")
            )

    def _warm_up(self) -> None:
        """Another piece of what the first sentence needs, between the frames."""
        for _piece in self._rest_of_start:
            QTimer.singleShot(0, self, self._warm_up)
            return

    def take(self) -> bool:
        """Read the sentence now. False when nothing in it was understood."""
        self._timer.stop()
        reading = read_sentence(self.line.text())
        self._say(reading.rest)
        if reading.values and reading.values != self._last:
            self._last = dict(reading.values)
            self.read.emit(dict(reading.values))
        return bool(reading.values)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter in the line is ours alone: the dialog would press its default button with it, too."""
        pressed = event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent)
        if not pressed or event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):  # type: ignore[attr-defined]
            return super().eventFilter(watched, event)
        if not self.line.text().strip() or self.take():
            self.accepted.emit()
        return True

    def changeEvent(self, event: QEvent) -> None:
        """Live switch of language."""
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "_last"):
            self.retranslate()
        super().changeEvent(event)


class LookBox(Card):
    """What the best network for the requirement is: counts and a sketch, or why there is none."""

    change_wanted = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.sketch = Sketch(self)
        self.column.addWidget(self.sketch)
        self.best = TextLabel("", self, px=13, weight=SEMIBOLD, wrap=True)
        self.text = TextLabel("", self, px=12, token="text.2", wrap=True)
        self.column.addWidget(self.best)
        self.column.addWidget(self.text)
        self.notice = NoticeBox(self)
        self.column.addWidget(self.notice)
        self.show_row(None)

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.title.setText(self.tr("The network that fits best"))

    def show_asking(self) -> None:
        """The answer is on its way; what is shown stays until it comes."""
        if not self.best.text():
            self.text.setText(self.tr("Working it out…"))

    def show_row(self, row: Row | None) -> None:
        """Counts of the best network."""
        self.retranslate()
        self.notice.hide()
        self.sketch.show_row(row)
        for widget in (self.sketch, self.best, self.text):
            widget.setVisible(row is not None or widget is self.text)
        if row is None:
            self.best.setText("")
            self.text.setText(self.tr("State the number of servers or GPUs."))
            return
        self.best.setText(switches(row))
        lines = facts(row)[1 if row["tiers"] == 1 else 2 :]
        self.text.setText("\n".join(f"{label}: {text}" for label, text in lines))

    def show_refusal(self, text: str, changes: list[dict[str, Any]], searching: bool) -> None:
        """Why nothing fits, and changes that work, each a button."""
        for widget in (self.sketch, self.best, self.text):
            widget.hide()
        refuse(self.notice, text, changes, searching, self.change_wanted.emit)
        self.notice.show()


def refuse(notice: NoticeBox, text: str, changes: list[dict[str, Any]], searching: bool, apply: Any) -> None:
    """Fill a notice with a refusal: which requirement fails, and buttons with what works."""
    from PySide6.QtCore import QCoreApplication

    buttons = [
        (text_of(Message.from_json(change["text"])), lambda values=change["values"]: apply(values))
        for change in changes
    ]
    title = QCoreApplication.translate("Sizing", "No network does this")
    if searching:
        text = text + "\n" + QCoreApplication.translate("Sizing", "Looking for the nearest that works…")
    elif buttons:
        text = text + "\n" + QCoreApplication.translate("Sizing", "These work:")
    notice.set_notice("error", title, text, buttons)
