"""The shortcut sheet as a dialog: search, choose a command, press its new key."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QKeySequence, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QKeySequenceEdit,
    QListView,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QVBoxLayout,
    QWidget,
)

from fabricwright.ui import dialogs
from fabricwright.ui.actions import ActionSet, default_shortcuts
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.shortcuts.key_text import native
from fabricwright.ui.shortcuts.rows import ShortcutRow, command_text, sheet_rows
from fabricwright.ui.style_paint import Option
from fabricwright.ui.theme import MEDIUM, SEMIBOLD, theme, ui_font
from fabricwright.ui.widgets import Divider, EmptyState, SearchField, TextButton, TextLabel, set_surface
from fabricwright.ui.widgets.row_model import Index, RowModel

ROW_PX, HEAD_PX = 30, 38
#: Keys that Windows, input methods or graphics drivers take before a program sees them.
SYSTEM_KEYS = frozenset(
    {"Ctrl+Space", "Shift+Space", "Ctrl+Shift+0", "Alt+F4", "Alt+Tab", "Meta+D", "Meta+L"}
    | {f"Ctrl+Alt+{way}" for way in ("Left", "Right", "Up", "Down", "Del")}
)


class _Rows(RowModel[ShortcutRow]):
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role != Qt.ItemDataRole.AccessibleTextRole:
            return super().data(index, role)
        row = self.rows[index.row()]
        return ": ".join(piece for piece in (row.title, row.how or ", ".join(row.keys)) if piece)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if index.isValid() and self.rows[index.row()].action:
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.NoItemFlags


class _Delegate(QStyledItemDelegate):
    def sizeHint(self, option: Option, index: Index) -> QSize:
        model = index.model()
        head = isinstance(model, _Rows) and model.rows[index.row()].is_head
        return QSize(200, HEAD_PX if head else ROW_PX)

    @safe_paint
    def paint(self, painter: QPainter, option: Option, index: Index) -> None:
        model = index.model()
        if not isinstance(model, _Rows):
            return
        row = model.rows[index.row()]
        now = theme()
        rect: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        if row.is_head:
            painter.setFont(ui_font(12, SEMIBOLD))
            painter.setPen(now["text"])
            painter.drawText(rect.adjusted(12, 8, -12, 0), left, row.title)
            painter.restore()
            return
        if option.state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver) and row.action:
            painter.setPen(Qt.PenStyle.NoPen)
            chosen = option.state & QStyle.StateFlag.State_Selected
            painter.setBrush(now["accent.soft" if chosen else "hover"])
            painter.drawRoundedRect(QRectF(rect).adjusted(4, 1, -4, -1), 6, 6)
        right = self._keys(painter, rect, row)
        painter.setFont(ui_font(12.5, MEDIUM if row.changed else 400))
        painter.setPen(now["text"])
        room = QRect(rect.left() + 24, rect.top(), right - rect.left() - 32, rect.height())
        text = painter.fontMetrics().elidedText(row.title, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, left, text)
        if row.changed:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(now["accent"])
            painter.drawEllipse(QRectF(rect.left() + 12, rect.center().y() - 2, 5, 5))
        painter.restore()

    @staticmethod
    def _keys(painter: QPainter, rect: QRect, row: ShortcutRow) -> int:
        """Key caps at the right end; returns where they begin."""
        now = theme()
        right = rect.right() - 14
        painter.setFont(ui_font(11.5, MEDIUM if row.keys else 400))
        metrics = painter.fontMetrics()
        if row.how:
            painter.setPen(now["text.2"])
            painter.drawText(
                rect.adjusted(0, 0, -14, 0), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, row.how
            )
            return right - metrics.horizontalAdvance(row.how)
        for key in reversed(row.keys[:3]):
            width = metrics.horizontalAdvance(key) + 16
            cap = QRectF(right - width, rect.center().y() - 10, width, 21)
            painter.setPen(now["border"])
            painter.setBrush(now["raised"])
            painter.drawRoundedRect(cap, 4, 4)
            painter.setPen(now["text.2"])
            painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, key)
            right -= width + 6
        return right


class ShortcutSheet(QWidget):
    """Search, list and the editor of the chosen command. Used by the dialog and by the settings."""

    def __init__(self, actions: ActionSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.actions_set = actions
        self.search = SearchField(self.tr("Search commands and keys"), self)
        self.model = _Rows(self)
        self.list = QListView(self)
        self.list.setModel(self.model)
        self.list.setItemDelegate(_Delegate(self.list))
        self.list.setMouseTracking(True)
        self.list.setFrameShape(QListView.Shape.NoFrame)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setAccessibleName(self.tr("Keyboard shortcuts"))
        self.empty = EmptyState((), "", "search", self)
        self.empty.hide()
        self.empty.activated.connect(self.search.clear)
        self.about = TextLabel("", self, px=12.5, weight=SEMIBOLD)
        self.key = QKeySequenceEdit(self)
        self.key.setMaximumSequenceLength(1)
        self.key.setClearButtonEnabled(True)
        self.key.setFixedWidth(200)
        self.key.setAccessibleName(self.tr("New key"))
        self.set_button = QPushButton(self.tr("Assign"), self)
        self.remove_button = QPushButton(self.tr("No key"), self)
        self.default_button = QPushButton(self.tr("Default"), self)
        self.said = TextLabel("", self, px=12, token="text.3", wrap=True)
        self.take_button = TextButton(self.tr("Assign it all the same"), self)
        self._build()
        self.search.queried.connect(lambda _text: self.refresh())
        self.search.leave_down.connect(self.list.setFocus)
        self.list.selectionModel().currentChanged.connect(lambda *_: self._chosen())
        self.key.keySequenceChanged.connect(self._tried)
        self.set_button.clicked.connect(lambda: self._assign(take=False))
        self.take_button.clicked.connect(lambda: self._assign(take=True))
        self.remove_button.clicked.connect(self._no_key)
        self.default_button.clicked.connect(self._default)
        self.refresh()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self.search)
        column.addWidget(self.list, 1)
        column.addWidget(self.empty, 1)
        column.addWidget(Divider(self))
        column.addWidget(self.about)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.key)
        for button in (self.set_button, self.remove_button, self.default_button):
            row.addWidget(button)
        row.addStretch(1)
        column.addLayout(row)
        foot = QHBoxLayout()
        foot.addWidget(self.said, 1)
        foot.addWidget(self.take_button)
        column.addLayout(foot)

    def current(self) -> str:
        """Id of the chosen command, "" = none."""
        index = self.list.currentIndex()
        return self.model.rows[index.row()].action if index.isValid() else ""

    def choose(self, action_id: str) -> None:
        """Choose a command in the list."""
        for n, row in enumerate(self.model.rows):
            if row.action == action_id:
                self.list.setCurrentIndex(self.model.index(n))
                return

    def refresh(self) -> None:
        """Rows anew; the chosen command stays chosen."""
        chosen = self.current()
        bar = self.list.verticalScrollBar()
        at = bar.value()
        self.model.set_rows(sheet_rows(self.actions_set, self.search.text()))
        bar.setValue(at)
        nothing = not self.model.rows
        self.list.setVisible(not nothing)
        self.empty.setVisible(nothing)
        if nothing:
            lines = [self.tr("No command and no key holds these words.")]
            self.empty.set_content(lines, self.tr("Show all"), "search")
        if chosen:
            self.choose(chosen)
        self._chosen()

    def _chosen(self) -> None:
        action = self.current()
        for widget in (self.key, self.remove_button, self.default_button):
            widget.setEnabled(bool(action))
        self.about.setText(command_text(self.actions_set, action) if action else self.tr("Choose a command"))
        self.key.blockSignals(True)
        keys = self.actions_set.shortcuts(action) if action else []
        self.key.setKeySequence(keys[0] if keys else QKeySequence())
        self.key.blockSignals(False)
        changed = bool(action) and keys != default_shortcuts(self.actions_set.specs[action])
        self.default_button.setEnabled(changed)
        self.remove_button.setEnabled(bool(keys))
        self._say("", "text.3")
        self.set_button.setEnabled(False)

    def _say(self, text: str, token: str, *, take: bool = False) -> None:
        self.said.set_token(token)
        self.said.setText(text)
        self.take_button.setVisible(take)

    def _tried(self, key: QKeySequence) -> None:
        """A key was pressed in the field: say what it would mean."""
        action = self.current()
        self.set_button.setEnabled(False)
        if not action or key.isEmpty():
            self._say("", "text.3")
            return
        if key.toString(QKeySequence.SequenceFormat.PortableText) in SYSTEM_KEYS:
            text = self.tr("{key} is taken by the system or by input methods; choose another one.")
            self._say(text.format(key=native(key)), "warn")
            return
        others = self.actions_set.users_of(action, [key])
        if others:
            names = ", ".join(command_text(self.actions_set, other) for other in others)
            text = self.tr("{key} is the key of {command}.")
            self._say(text.format(key=native(key), command=names), "warn", take=True)
            return
        self._say(self.tr("{key} is free.").format(key=native(key)), "ok")
        self.set_button.setEnabled(key not in self.actions_set.shortcuts(action))

    def _assign(self, *, take: bool) -> None:
        action, key = self.current(), self.key.keySequence()
        if not action or key.isEmpty():
            return
        if take:
            for other in self.actions_set.users_of(action, [key]):
                kept = [k for k in self.actions_set.shortcuts(other) if k != key]
                self.actions_set.set_shortcuts(other, kept)
        self.actions_set.set_shortcuts(action, [key])
        self.refresh()
        text = self.tr("{command} is now on {key}.")
        self._say(text.format(command=command_text(self.actions_set, action), key=native(key)), "ok")

    def _no_key(self) -> None:
        if self.current():
            self.actions_set.set_shortcuts(self.current(), [])
            self.refresh()

    def _default(self) -> None:
        action = self.current()
        if not action:
            return
        clashes = self.actions_set.set_shortcuts(action, None)
        self.refresh()
        if clashes:
            names = ", ".join(command_text(self.actions_set, other) for other in clashes)
            self._say(self.tr("Its default key is in use by {command}.").format(command=names), "warn")

    def reset_all(self) -> None:
        """Every command gets its default keys again."""
        self.actions_set.reset_shortcuts()
        self.refresh()


class ShortcutDialog(QDialog):
    """The sheet with a way to print it."""

    def __init__(self, actions: ActionSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        self.sheet = ShortcutSheet(actions, self)
        self.pdf_button = QPushButton(self.tr("Save as PDF…"), self)
        self.reset_button = QPushButton(self.tr("Reset all"), self)
        close = QPushButton(self.tr("Close"), self)
        for button in (self.pdf_button, self.reset_button, close):
            button.setAutoDefault(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(14)
        column.addWidget(TextLabel(self.tr("Keyboard and mouse"), self, px=17, weight=SEMIBOLD))
        column.addWidget(self.sheet, 1)
        row = QHBoxLayout()
        row.addWidget(self.pdf_button)
        row.addWidget(self.reset_button)
        row.addStretch(1)
        row.addWidget(close)
        column.addLayout(row)
        set_surface(self, "panel")
        self.pdf_button.clicked.connect(self._save)
        self.reset_button.clicked.connect(self.sheet.reset_all)
        close.clicked.connect(self.accept)
        dialogs.fit_to_screen(self, QSize(620, 700))
        self.sheet.search.setFocus()

    def _save(self) -> None:
        from fabricwright.ui.shortcuts.printed import write_pdf

        path = dialogs.ask_save(
            self, "fabricwright-shortcuts.pdf", self.tr("Save the shortcuts"), "PDF (*.pdf)", ".pdf"
        )
        if path is not None and not write_pdf(self.sheet.actions_set, path):
            dialogs.show_problem(self, self.tr("{file}: cannot be written.").format(file=path.name))
