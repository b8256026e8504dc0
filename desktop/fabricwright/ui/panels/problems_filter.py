"""Which findings are shown by sheet and by group of rules: a button with a menu; what is chosen stands on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QMenu, QSizePolicy, QWidget

from fabricwright.ui.icons import paint_icon
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.panels.words import group_name, listed
from fabricwright.ui.style_paint import rounded
from fabricwright.ui.theme import MEDIUM, theme, ui_font

_MOST_PX = 190


class FilterButton(QAbstractButton):
    """A funnel. ``changed`` when another ``sheet`` or group of ``rules`` was chosen ("" = all)."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sheet = ""
        self.rules = ""
        self._sheets: dict[str, str] = {}
        self._groups: dict[str, int] = {}
        self._here = ""
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._pop)
        self._tell()

    def offer(self, sheets: Mapping[str, str], groups: Mapping[str, int], here: str) -> None:
        """What can be chosen: sheet -> title, group -> how many findings; ``here`` is the open sheet."""
        self._sheets, self._groups, self._here = dict(sheets), dict(groups), here
        self._tell()

    def choose(self, sheet: str | None = None, group: str | None = None) -> None:
        """Choose as the menu does; None leaves one as it is."""
        chosen = (self.sheet if sheet is None else sheet, self.rules if group is None else group)
        if chosen != (self.sheet, self.rules):
            self.sheet, self.rules = chosen
            self._tell()
            self.changed.emit()

    @property
    def active(self) -> bool:
        """Whether anything is filtered out."""
        return bool(self.sheet or self.rules)

    def menu(self) -> QMenu:
        """The menu, made anew for what there is."""
        menu = QMenu(self)
        self._section(menu, self.tr("Sheet"), self.tr("All sheets"), self._sheet_rows(), self.sheet, "sheet")
        menu.addSeparator()
        rows = [(key, f"{group_name(key)}\t{count}") for key, count in self._groups.items()]
        self._section(menu, self.tr("Rules"), self.tr("All rules"), rows, self.rules, "group")
        return menu

    def _sheet_rows(self) -> list[tuple[str, str]]:
        rows = []
        for key, title in self._sheets.items():
            here = self.tr("{sheet} (open now)").format(sheet=title)
            rows.append((key, here if key == self._here else title))
        return rows

    def _section(
        self, menu: QMenu, title: str, every: str, rows: Sequence[tuple[str, str]], chosen: str, what: str
    ) -> None:
        head = QAction(title, menu)
        head.setEnabled(False)
        menu.addAction(head)
        together = QActionGroup(menu)
        for key, text in [("", every), *rows]:
            action = menu.addAction(text.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(key == chosen)
            together.addAction(action)
            action.triggered.connect(lambda _on=False, key=key, what=what: self.choose(**{what: key}))

    def _pop(self) -> None:
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.mapToGlobal(QPoint(0, self.height() + 2)))

    def _text(self) -> str:
        return listed((self._sheets.get(self.sheet, self.sheet), group_name(self.rules)))

    def _tell(self) -> None:
        text = self._text()
        name = self.tr("Filter by sheet and rules")
        self.setAccessibleName(self.tr("{filter}: {chosen}").format(filter=name, chosen=text) if text else name)
        self.setToolTip(self.accessibleName())
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        text = self._text()
        if not text:
            return QSize(28, 26)
        width = QFontMetricsF(ui_font(11.5, MEDIUM)).horizontalAdvance(text) + 40
        return QSize(round(min(_MOST_PX, width)), 26)

    def minimumSizeHint(self) -> QSize:
        return QSize(28, 26)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect())
        if self.active:
            rounded(painter, box, now["accent.soft"])
        elif self.underMouse():
            rounded(painter, box, now["hover"])
        if self.hasFocus():
            rounded(painter, box, None, now["focus"], width=1.5)
        token = "accent" if self.active else "text.2"
        paint_icon(painter, "filter", QRectF(6, self.height() / 2 - 8, 16, 16), token)
        text = self._text()
        if text:
            painter.setFont(ui_font(11.5, MEDIUM))
            painter.setPen(now["accent"])
            place = box.adjusted(28, 0, -8, 0)
            shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(place.width()))
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._tell()
        super().changeEvent(event)
