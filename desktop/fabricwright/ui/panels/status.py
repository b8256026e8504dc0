"""The status line: selection, what the design amounts to, the pointer, the file, how the analysis stands."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QDateTime, QEvent, QLocale, QPointF, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import text_of
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.panels.written import WrittenFile
from fabricwright.ui.theme import follow_theme, theme
from fabricwright.ui.widgets import ElidedLabel, TextLabel
from fabricwright.units.text import Message

SHOWN_MS = {"info": 6000, "warning": 9000, "error": 15000}
OFFERED_MS = 20000
_TOKENS = {"idle": "ok", "busy": "accent", "starting": "text.3", "lost": "error", "failed": "error"}


class _Dot(QWidget):
    """A small disc in the colour of a state; the text beside it says the same."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._token = "text.3"
        self.setFixedSize(QSize(8, 8))

    def set_token(self, token: str) -> None:
        """Another state."""
        self._token = token
        self.update()

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme()[self._token])
        painter.drawEllipse(QRectF(0.5, 0.5, 7, 7))
        painter.end()


class StatusPanel(QWidget):
    """One line at the foot of the window. A sentence said through the context stands first for a while."""

    def __init__(self, context: UiContext) -> None:
        super().__init__()
        self._context = context
        self._saved: QDateTime | None = None
        self._sentence: tuple[Message | str, str] | None = None
        self._first = ElidedLabel("", self, px=11.5, token="text.2")
        self._counts = TextLabel("", self, px=11.5, token="text.3")
        self._pointer = TextLabel("", self, px=11.5, token="text.3")
        self._pointer.setMinimumWidth(96)
        self._file = TextLabel("", self, px=11.5, token="text.3")
        self._dot = _Dot(self)
        self._state = TextLabel("", self, px=11.5, token="text.2")
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(16)
        self.written = WrittenFile(context, self)
        self._head = QHBoxLayout()
        self._head.setSpacing(10)
        self._head.addWidget(self._first, 1)
        self._head.addWidget(self.written)
        self._head.addStretch(0)
        row.addLayout(self._head, 1)
        for widget in (self._counts, self._pointer, self._file):
            row.addWidget(widget)
        end = QHBoxLayout()
        end.setSpacing(6)
        end.addWidget(self._dot)
        end.addWidget(self._state)
        row.addLayout(end)
        self._silence = QTimer(self)
        self._silence.setSingleShot(True)
        self._silence.timeout.connect(self._quiet)
        context.said.connect(self.say)
        context.written.connect(self._offer)
        context.place_changed.connect(self.refresh)
        context.document.selection_changed.connect(self.refresh)
        context.document.project_changed.connect(lambda _patch: self.refresh())
        context.document.modified_changed.connect(self._modified)
        context.document.journal_changed.connect(self.refresh)
        context.document.told.connect(self.say)
        context.analysis.changed.connect(lambda _topics: self.refresh())
        follow_theme(self._themed)
        self.refresh()

    def _themed(self, _theme: object) -> None:
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(600, 24)

    def say(self, message: Message | str, severity: str = "info") -> None:
        """Show a sentence for a few seconds; errors longer."""
        self._sentence = (message, severity)
        self._silence.start(SHOWN_MS.get(severity, 6000))
        self._show_written(False)
        self.refresh()

    def _offer(self, path: Path) -> None:
        """What the sentence speaks of can be opened; there is time to reach for it."""
        self.written.offer(path)
        self._show_written(True)
        self._silence.start(OFFERED_MS)

    def _show_written(self, on: bool) -> None:
        """The links stand right behind the sentence."""
        self.written.setVisible(on)
        self._head.setStretch(0, 0 if on else 1)
        self._head.setStretch(2, 1 if on else 0)

    def show_pointer(self, where: QPointF | None) -> None:
        """Where the pointer is, in sheet units; None outside the sheet."""
        self._pointer.setText("" if where is None else f"x {where.x():,.0f}  y {where.y():,.0f}")

    def _quiet(self) -> None:
        self._sentence = None
        self._show_written(False)
        self.refresh()

    def _modified(self, modified: bool) -> None:
        if not modified and self._context.document.file is not None:
            self._saved = QDateTime.currentDateTime()
        self.refresh()

    def refresh(self) -> None:
        """Write everything anew."""
        if self._sentence is not None:
            message, severity = self._sentence
            self._first.set_text(text_of(message), "error" if severity == "error" else "text")
        else:
            self._first.set_text(self._selected(), "text.2")
        self._counts.setText(self._amounts())
        self._file.setText(self._file_text())
        status = self._context.analysis.status
        self._dot.set_token(_TOKENS.get(status, "text.3"))
        self._state.setText(self._state_text(status))

    def _selected(self) -> str:
        count = len(self._context.selection)
        if count == 0:
            return self.tr("Nothing selected")
        if count == 1:
            return self.tr("1 selected: {name}").format(name=self._context.selection[0])
        return self.tr("{count} selected").format(count=count)

    def _amounts(self) -> str:
        figures = self._context.analysis.figures
        if not figures:
            return ""
        words = (
            ("servers", self.tr("1 server"), self.tr("{count} servers")),
            ("gpus", self.tr("1 GPU"), self.tr("{count} GPUs")),
            ("switches", self.tr("1 switch"), self.tr("{count} switches")),
            ("links", self.tr("1 link"), self.tr("{count} links")),
        )
        pieces = []
        for key, one, many in words:
            count = int(figures.get(key, 0))
            pieces.append(one if count == 1 else many.format(count=f"{count:,}"))
        return self.tr(", ").join(pieces)

    def _file_text(self) -> str:
        document = self._context.document
        if document.modified and document.journal_time:
            # Said only when the disk has it: the journal's thread tells after fsync.
            moment = QDateTime.fromString(document.journal_time, Qt.DateFormat.ISODate).toLocalTime()
            return self.tr("Saved to journal {time}").format(time=QLocale().toString(moment.time(), "HH:mm:ss"))
        if document.modified and document.journal_problem:
            return self.tr("Not saved: journal: {reason}").format(reason=text_of(Message(document.journal_problem)))
        if document.modified:
            return self.tr("Not saved")
        if document.file is None or self._saved is None:
            return ""
        time = QLocale().toString(self._saved.time(), "HH:mm:ss")
        return self.tr("Saved {time}").format(time=time)

    def _state_text(self, status: str) -> str:
        if status == "idle":
            seconds = self._context.analysis.seconds
            if seconds is None:
                return self.tr("Analysis up to date")
            return self.tr("Analysis up to date, {ms} ms").format(ms=f"{seconds * 1000:,.0f}")
        return {
            "busy": self.tr("Analysing"),
            "starting": self.tr("Analysis starting"),
            "lost": self.tr("Analysis stopped; restart it in the Analyse menu"),
            "failed": self.tr("Analysis ran out of memory")
            if self._context.analysis.out_of_memory
            else self.tr("Analysis failed; see the log"),
        }.get(status, status)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.written.retranslate()
            self.refresh()
        super().changeEvent(event)
