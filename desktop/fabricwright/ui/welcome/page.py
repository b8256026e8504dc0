"""The welcome page: over the whole window below the menus while no project is open."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.actions import ActionSet
from fabricwright.ui.i18n import current_language, text_of
from fabricwright.ui.icons import app_icon
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.session import Session
from fabricwright.ui.theme import SEMIBOLD, follow_theme, theme, theme_mode
from fabricwright.ui.welcome.buttons import SIZE_AT, STATE_AT, LearnLink, RecentRow, StartButton, TemplateCard
from fabricwright.ui.welcome.recents import recent_facts
from fabricwright.ui.welcome.texts import in_order, note_of, size_text, state_words, title_of, when
from fabricwright.ui.welcome.thumbnails import FileThumbnails, baked
from fabricwright.ui.widgets import EmptyState, SearchField, SegmentedSwitch, TextLabel, set_surface

if TYPE_CHECKING:
    from PySide6.QtGui import QPixmap

    from fabricwright.design.recovery import Found
    from fabricwright.ui.welcome.recovery import RecoveryBanner

LEFT_PX = 456
MOST_BANNERS = 3
#: Ways to begin: (action, icon).
STARTS = (("new", "layers"), ("new-server", "server"), ("open", "open"), ("import-netbox", "import"))
#: Below it: (action, icon).
LEARN = (("tour", "play"), ("help", "book"), ("shortcuts", "keyboard"))


class _Mark(QWidget):
    """The program's icon."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFixedSize(56, 56)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        picture: QPixmap = app_icon().pixmap(QSize(56, 56), self.devicePixelRatioF())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawPixmap(QRectF(0, 0, 56, 56), picture, QRectF(picture.rect()))
        painter.end()


class WelcomePage(QWidget):
    """``template_chosen`` (id), ``file_chosen`` (Path), ``language_chosen``, ``theme_chosen``,
    ``recovered`` (Found, answer) what to do with unsaved work."""

    template_chosen = Signal(str)
    file_chosen = Signal(object)
    language_chosen = Signal(str)
    theme_chosen = Signal(str)
    recovered = Signal(object, str)

    def __init__(self, actions: ActionSet, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.actions_set = actions
        self.session = session
        self.thumbnails = FileThumbnails(session.settings.fileName())
        self.starts: dict[str, StartButton | LearnLink] = {}
        self.cards: list[TemplateCard] = []
        self.rows: list[tuple[Path, RecentRow]] = []
        self.banners: list[RecoveryBanner] = []
        self._columns = 0
        set_surface(self, "canvas")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self._left = self._make_left()
        row.addWidget(self._left)
        row.addWidget(self._make_right(), 1)
        follow_theme(self._themed)
        self.retranslate()

    # -- left: ways to begin ----------------------------------------------------------------------------------------

    def _make_left(self) -> QWidget:
        inside = QWidget()
        set_surface(inside, "panel")
        column = QVBoxLayout(inside)
        self._left_column = column
        column.setSpacing(10)
        head = QHBoxLayout()
        head.setSpacing(16)
        head.addWidget(_Mark(inside))
        words = QVBoxLayout()
        words.setSpacing(2)
        self._name = TextLabel("Fabricwright", inside, px=23, weight=SEMIBOLD)
        self._motto = TextLabel("", inside, px=13, token="text.2")
        words.addWidget(self._name)
        words.addWidget(self._motto)
        head.addLayout(words, 1)
        column.addLayout(head)
        column.addSpacing(24)
        self._start(column, "new.requirements", StartButton("wand", inside, primary=True))
        column.addSpacing(4)
        for name, icon_name in STARTS:
            self._start(column, name, StartButton(icon_name, inside))
        column.addSpacing(10)
        self._learn = TextLabel("", inside, px=12, token="text.2")
        column.addWidget(self._learn)
        for name, icon_name in LEARN:
            self._start(column, name, LearnLink(icon_name, inside))
        column.addStretch(1)
        self.language = SegmentedSwitch((("en", "English"), ("zh_CN", "中文")), current_language(), inside)
        self.language.changed.connect(self.language_chosen)
        self.theme = SegmentedSwitch((), "", inside)
        self.theme.changed.connect(self.theme_chosen)
        self._labels = (TextLabel("", inside, px=12, token="text.2"), TextLabel("", inside, px=12, token="text.2"))
        for label, switch in zip(self._labels, (self.language, self.theme), strict=True):
            line = QHBoxLayout()
            line.addWidget(label)
            line.addStretch(1)
            line.addWidget(switch)
            column.addLayout(line)
        area = _scrolling(inside, self)
        area.setFixedWidth(LEFT_PX)
        return area

    def _start(self, column: QVBoxLayout, name: str, button: StartButton | LearnLink) -> None:
        action = self.actions_set[name]
        button.clicked.connect(action.trigger)
        action.changed.connect(lambda: button.setEnabled(action.isEnabled()))
        button.setEnabled(action.isEnabled())
        self.starts[name] = button
        column.addWidget(button)

    # -- right: templates and recent files --------------------------------------------------------------------------

    def _make_right(self) -> QWidget:
        inside = QWidget()
        set_surface(inside, "canvas")
        column = QVBoxLayout(inside)
        column.setContentsMargins(56, 36, 56, 36)
        column.setSpacing(10)
        self._banners = QVBoxLayout()
        self._banners.setSpacing(10)
        column.addLayout(self._banners)
        self._templates = TextLabel("", inside, px=16, weight=SEMIBOLD)
        column.addWidget(self._templates)
        self._grid = QGridLayout()
        self._grid.setSpacing(18)
        column.addLayout(self._grid)
        for name in in_order(list(TEMPLATES)):
            card = TemplateCard(name, inside)
            card.clicked.connect(lambda _c=False, n=name: self.template_chosen.emit(n))
            self.cards.append(card)
        column.addSpacing(18)
        head = QHBoxLayout()
        self._recent = TextLabel("", inside, px=16, weight=SEMIBOLD)
        self.search = SearchField("", inside)
        self.search.setFixedWidth(220)
        self.search.queried.connect(lambda _t: self._filter())
        head.addWidget(self._recent)
        head.addStretch(1)
        head.addWidget(self.search)
        column.addLayout(head)
        self._heads = _Heads(inside)
        column.addWidget(self._heads)
        self._list = QVBoxLayout()
        self._list.setSpacing(0)
        column.addLayout(self._list)
        self._none = EmptyState((), "", "folder", inside)
        self._none.setFixedHeight(120)
        self._none.activated.connect(self.actions_set["open"].trigger)
        column.addWidget(self._none)
        column.addStretch(1)
        self._right = _scrolling(inside, self)
        return self._right

    def _place_cards(self) -> None:
        columns = max(1, min(3, (self.width() - self._left.width() - 112) // 250))
        if columns == self._columns:
            return
        self._columns = columns
        for n, card in enumerate(self.cards):
            self._grid.addWidget(card, n // columns, n % columns)
        for n in range(3):
            self._grid.setColumnStretch(n, 1 if n < columns else 0)
        order: list[QWidget] = [*self.starts.values(), self.language, self.theme, *self.cards, self.search]
        for first, second in pairwise(order):
            QWidget.setTabOrder(first, second)

    def keep_places(self) -> None:
        """Leave room for work that will be offered, before anybody sees the page: reading it takes a second or two, and
        what moves under the pointer then is clicked by mistake."""
        from fabricwright.design.recovery import left_over

        self.show_recovered([None] * len(left_over()))

    def show_recovered(self, found: Sequence[Found | None]) -> None:
        """Unsaved work that other processes left, above everything else; None keeps the place of what is still being
        read, so that nothing moves under the pointer when it is.
        """
        from fabricwright.ui.welcome.recovery import RecoveryBanner

        for banner in self.banners:
            self._banners.removeWidget(banner)
            banner.hide()
            banner.deleteLater()
        self.banners = []
        for left in found[:MOST_BANNERS]:
            banner = RecoveryBanner(left, self._right.widget())
            banner.answered.connect(self.recovered)
            self._banners.addWidget(banner)
            banner.show()
            self.banners.append(banner)
        self._banners.setContentsMargins(0, 0, 0, 14 if self.banners else 0)

    # -- filling ----------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Recent files and pictures as they are now."""
        files = recent_facts(self.session)
        for _path, row in self.rows:
            self._list.removeWidget(row)
            row.deleteLater()
        self.rows = []
        for path, facts in files:
            row = RecentRow(self)
            row.clicked.connect(lambda _c=False, p=path: self.file_chosen.emit(p))
            row.set_facts(
                facts.title or path.stem,
                str(path.parent / path.name),
                size_text(facts.servers, facts.switches),
                state_words(facts.errors, facts.warnings),
                when(facts.opened),
                self.thumbnails.read(path, theme().name),
            )
            self._list.addWidget(row)
            self.rows.append((path, row))
        for card in self.cards:
            card.set_picture(partial(baked, card.template, theme().name))
        self._filter()

    def _filter(self) -> None:
        """Show the recent files that hold every word of the search."""
        words = self.search.text().casefold().split()
        shown = 0
        for path, row in self.rows:
            holds = f"{row.text()} {path}".casefold()
            seen = all(word in holds for word in words)
            row.setVisible(seen)
            shown += seen
        for widget in (self.search, self._heads):
            widget.setVisible(bool(self.rows))
        self._none.setVisible(not shown)
        if not self.rows:
            lines = [
                self.tr("Files that you open or save are listed here."),
                self.tr("Start from a template above, or"),
            ]
            self._none.set_content(lines, self.tr("open a project"), "folder")
        elif not shown:
            self._none.set_content([self.tr("No recent file holds these words.")], "", "search")

    def retranslate(self) -> None:
        """Every text in the current language."""
        self._motto.setText(self.tr("Draw the cluster, check it, price it."))
        titles = {
            "new.requirements": (self.tr("New from requirements"), self.tr("from GPUs, servers and target rate")),
            "new": (self.tr("Blank fabric sheet"), ""),
            "new-server": (self.tr("Blank server sheet"), ""),
            "open": (self.tr("Open a project"), ""),
            "import-netbox": (self.tr("Import a NetBox device type"), ""),
            "tour": (self.tr("Three-minute tour"), self.tr("draw, break and mend a small cluster")),
            "help": (self.tr("User guide"), self.tr("English and Chinese, offline")),
            "shortcuts": (self.tr("Keys and gestures"), self.tr("all of them on one sheet, to be changed there")),
        }
        for name, button in self.starts.items():
            title, note = titles[name]
            if isinstance(button, StartButton):
                button.set_texts(title, note, self.actions_set[name].shortcut().toString())
            else:
                button.set_texts(title, note)
        self._learn.setText(self.tr("Learn"))
        self._templates.setText(self.tr("Start from a template"))
        self._recent.setText(self.tr("Recent"))
        self.search.set_placeholder(self.tr("Search recent"))
        self._labels[0].setText(self.tr("Language"))
        self._labels[1].setText(self.tr("Theme"))
        self.theme.set_options((("system", self.tr("System")), ("light", self.tr("Light")), ("dark", self.tr("Dark"))))
        self.theme.set_current(theme_mode())
        self.theme.setAccessibleName(self.tr("Theme"))
        self.language.setAccessibleName(self.tr("Language"))
        self.language.set_current(current_language())
        self._heads.set_texts((self.tr("Project"), self.tr("Size"), self.tr("State"), self.tr("Opened")))
        for banner in self.banners:
            banner.retranslate()
        for card in self.cards:
            about = text_of(TEMPLATES[card.template].title)
            card.set_texts(title_of(card.template, about), note_of(card.template, about), about)
        self.refresh()

    def _themed(self, _theme: object) -> None:
        self.theme.set_current(theme_mode())
        if self.isVisible():
            self.refresh()

    # -- events -----------------------------------------------------------------------------------------------------

    def changeEvent(self, event: QEvent) -> None:
        """Live switch of language."""
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "_none"):
            self.retranslate()
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fewer columns on a narrow window."""
        super().resizeEvent(event)
        wide = self.width() >= 1100
        self._left.setFixedWidth(LEFT_PX if wide else 380)
        self._left_column.setContentsMargins(*((72, 44, 64, 24) if wide else (24, 28, 16, 24)))
        self._place_cards()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab stays on the page: what it covers cannot be seen."""
        stops = [w for w in self.findChildren(QWidget) if _takes_tab(w)]
        stops.sort(key=self._reading_order)
        if not stops:
            return False
        here = QApplication.focusWidget()
        step = 1 if forward else -1
        index = (stops.index(here) + step) % len(stops) if here in stops else (0 if forward else -1)
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        stops[index].setFocus(reason)
        for area in self.findChildren(QScrollArea):
            if area.isAncestorOf(stops[index]):
                area.ensureWidgetVisible(stops[index], 8, 24)
        return True

    def _reading_order(self, widget: QWidget) -> tuple[int, int, int]:
        spot = widget.mapTo(self, widget.rect().topLeft())
        return (0 if self._left.isAncestorOf(widget) else 1, spot.y(), spot.x())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter is the button that has the focus; keys of the canvas underneath do nothing here."""
        here = QApplication.focusWidget()
        pressed = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if pressed and isinstance(here, TemplateCard | RecentRow | StartButton | LearnLink):
            here.click()
        event.accept()


class _Heads(QWidget):
    """Column heads of the recent files."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._texts: tuple[str, ...] = ("", "", "", "")
        self.setFixedHeight(24)

    def set_texts(self, texts: tuple[str, ...]) -> None:
        """Project, size, state, opened."""
        self._texts = texts
        self.update()

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        from fabricwright.ui.paint import text

        now = theme()
        painter = QPainter(self)
        w = self.width()
        for x, word in zip((64, w * SIZE_AT, w * STATE_AT), self._texts, strict=False):
            text.draw_in(painter, QRectF(x, 0, 160, 22), (word,), 12, now["text.3"])
        text.draw_in(painter, QRectF(w - 170, 0, 158, 22), (self._texts[3],), 12, now["text.3"], align=text.RIGHT)
        painter.fillRect(0, self.height() - 1, w, 1, now["border"])
        painter.end()


def _takes_tab(widget: QWidget) -> bool:
    tabs = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return tabs and widget.isVisible() and widget.isEnabled() and not isinstance(widget, QScrollArea)


def _scrolling(inside: QWidget, parent: QWidget) -> QScrollArea:
    area = QScrollArea(parent)
    area.setWidget(inside)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area
