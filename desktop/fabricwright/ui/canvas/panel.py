"""The middle of the window: breadcrumb bar with design and load selectors, the view, and what floats over it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QMenu, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from fabricwright.design.order import designs_in_order
from fabricwright.ui.actions import ActionSet
from fabricwright.ui.canvas.group_size import GroupSizeEditor
from fabricwright.ui.canvas.overlays import Overlays
from fabricwright.ui.canvas.pointer import PointerTool
from fabricwright.ui.canvas.rename import InlineRename
from fabricwright.ui.canvas.view import CanvasView
from fabricwright.ui.context import UiContext
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.paint.pick import hit
from fabricwright.ui.panels.words import collective_name
from fabricwright.ui.theme import MEDIUM, theme
from fabricwright.ui.widgets import Breadcrumb, EmptyState, TextLabel, set_surface
from fabricwright.units.quantity import format_size
from fabricwright.units.text import msg

if TYPE_CHECKING:
    from fabricwright.ui.canvas.state import RubberLink
    from fabricwright.ui.navigation.find_bar import FindBar
    from fabricwright.ui.navigation.link_menu import LinkMenu

BAR = 36
COLLECTIVES = ("all_reduce", "all_to_all", "reduce_scatter", "all_gather", "broadcast")
SIZES = (1 << 20, 1 << 26, 1 << 30)


class PathBar(QWidget):
    """36 px bar on the canvas colour with a rule below."""

    def __init__(self, parent: QWidget | None = None, *, gives_way: bool = False) -> None:
        super().__init__(parent)
        self._gives_way = gives_way
        self.setFixedHeight(BAR)

    def fill(self, title: QWidget, said: QWidget, controls: Iterable[QWidget]) -> None:
        """The head of a view: its title, what it says of itself with all the room there is, controls at the right."""
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 0, 10, 1)
        row.setSpacing(10)
        row.addWidget(title)
        row.addWidget(said, 1)
        for control in controls:
            row.addWidget(control)

    def minimumSizeHint(self) -> QSize:
        """Small where what is in the bar gives way, so that the docks beside it need not."""
        return QSize(240, BAR) if self._gives_way else super().minimumSizeHint()

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme()["panel"])
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme()["border"])
        painter.end()


class CanvasPanel(QWidget):
    """Canvas with its bar. ``view``, ``tool`` and ``overlays`` are for the window."""

    def __init__(self, context: UiContext, actions: ActionSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.actions_set = actions
        self.view = CanvasView(context, self)
        self.tool = PointerTool(self.view)
        self.overlays = Overlays(self.view)
        #: Made when something is first searched for.
        self.find_bar: FindBar | None = None
        self.link_menu: LinkMenu | None = None
        self.path = Breadcrumb(self)
        self.applies = TextLabel("", self, px=12, weight=MEDIUM, token="accent")
        self.design_label = TextLabel("", self, px=12, token="text.2")
        self.design_box = QComboBox(self)
        self.design_box.setProperty("elide_middle", True)
        self.load_label = TextLabel("", self, px=12, token="text.2")
        self.load_box = QComboBox(self)
        self.empty = EmptyState((), "", "", self.view)
        self.empty.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._menu = QMenu(self)
        self._build()
        self.path.activated.connect(lambda key: context.open_sheet(key, "" if key == context.design_row.root else None))
        self.design_box.activated.connect(self._pick_design)
        self.load_box.activated.connect(self._pick_load)
        self.tool.rename_asked.connect(self.rename)
        self.tool.size_asked.connect(self.edit_size)
        self.tool.link_dropped.connect(self.offer_link)
        self.view.menu_asked.connect(self.show_menu)
        context.place_changed.connect(self.refresh)
        context.document.project_changed.connect(lambda _p: self.refresh())
        context.heat_changed.connect(self._heat)
        context.language_changed.connect(lambda _c: self.refresh())
        context.analysis.changed.connect(lambda topics: self._place_empty() if "status" not in topics else None)
        actions.attach_canvas(self.view)
        self.refresh()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        bar = PathBar(self, gives_way=True)
        row = QHBoxLayout(bar)
        row.setContentsMargins(8, 0, 12, 1)
        row.setSpacing(8)
        for name in ("back", "forward"):
            button = QToolButton(self)
            button.setDefaultAction(self.actions_set[name])
            button.setAutoRaise(True)
            button.setFixedSize(24, 26)
            button.setIconSize(QSize(16, 16))
            row.addWidget(button)
        row.addWidget(self.path, 1)
        row.addWidget(self.applies)
        row.addSpacing(6)
        row.addWidget(self.design_label)
        row.addWidget(self.design_box)
        row.addSpacing(6)
        row.addWidget(self.load_label)
        row.addWidget(self.load_box)
        for box in (self.design_box, self.load_box):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            box.setFixedHeight(26)
            box.setMaximumWidth(230)
            box.setMinimumWidth(110)  # else the longest entry would push the docks beside the canvas away
        column.addWidget(bar)
        column.addWidget(self.view, 1)
        set_surface(self, "canvas")

    # -- what the bar says ------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Path, selectors and the empty state."""
        context = self.context
        design = context.design_row
        steps = [(design.root, self.tr("Fabric"))]
        if context.sheet != design.root and context.sheet:
            steps.append((context.sheet, self._sheet_title()))
        elif design.sheets.get(design.root) is not None and design.sheets[design.root].title:
            steps.append((design.root, design.sheets[design.root].title))
        self.path.set_path(steps)
        self._fit_bar()
        self._fill_designs()
        self._fill_loads()
        self._place_empty()

    def _members(self) -> int:
        context = self.context
        root = context.design_row.sheets.get(context.design_row.root)
        item = root.items.get(context.host) if root is not None and context.host else None
        if item is None:
            return 0
        from fabricwright.design.indexset import IndexSet

        total, variant, other = item.count, 0, 0
        for key, override in item.except_.items():
            size = len(IndexSet.parse(key, item.axes))
            if override.sheet == context.sheet:
                variant += size
            else:
                other += size
        return total - other if item.of == f"sheet:{context.sheet}" else variant

    def _sheet_title(self) -> str:
        context = self.context
        sheet = context.sheet_row
        from fabricwright.ui.canvas.naming import spaced_model

        part = context.eff.chassis_part
        name = spaced_model(part, context.eff.chassis, context.language)[0] if part else context.sheet
        count = self._members()
        title = f"{count:,} × {name}" if count > 1 else name
        return (
            f"{title} ({context.sheet})"
            if sheet.base or sum(s.chassis == sheet.chassis for s in context.design_row.sheets.values()) > 1
            else title
        )

    def _fill_designs(self) -> None:
        names = designs_in_order(self.context.project)
        self.design_label.setText(self.tr("Design"))
        self.design_box.setAccessibleName(self.tr("Design"))
        self.design_box.blockSignals(True)
        self.design_box.clear()
        for name in names:
            self.design_box.addItem(self.context.project.designs[name].title or name, name)
        self.design_box.setCurrentIndex(max(0, self.design_box.findData(self.context.design)))
        self.design_box.blockSignals(False)
        for widget in (self.design_label, self.design_box):
            widget.setVisible(len(names) > 1)

    def _fill_loads(self) -> None:
        self.load_label.setText(self.tr("Link load"))
        self.load_box.setAccessibleName(self.tr("Link load"))
        self.load_box.blockSignals(True)
        self.load_box.clear()
        self.load_box.addItem(self.tr("Off"), None)
        text = self.tr("{collective}, {size} per GPU")
        for key in COLLECTIVES:
            for size in SIZES if key in ("all_reduce", "all_to_all") else SIZES[-1:]:
                shown = text.format(collective=collective_name(key), size=format_size(size))
                self.load_box.addItem(shown, (key, size))
        analysis = self.context.analysis
        wanted = (analysis.collective, int(analysis.size_bytes)) if self.context.heat_on else None
        index = next((n for n in range(self.load_box.count()) if self.load_box.itemData(n) == wanted), -1)
        if index < 0 and wanted is not None:
            shown = text.format(collective=collective_name(wanted[0]), size=format_size(wanted[1]))
            self.load_box.addItem(shown, wanted)
            index = self.load_box.count() - 1
        self.load_box.setCurrentIndex(max(index, 0))
        self.load_box.blockSignals(False)

    def _pick_design(self, index: int) -> None:
        self.context.open_design(str(self.design_box.itemData(index)))

    def _pick_load(self, index: int) -> None:
        wanted = self.load_box.itemData(index)
        if wanted is None:
            self.context.set_heat("", None)
        else:
            self.context.set_heat(wanted[0], int(wanted[1]))

    def _heat(self, _collective: str, _size: object) -> None:
        self.view.state.heat = self.context.heat_on
        self._fill_loads()
        self.overlays.arrange()
        self.view.refresh()

    def _place_empty(self) -> None:
        blank = self.view.source.is_empty
        self.empty.setVisible(blank)
        if blank:
            lines = [self.tr("Drag a server here"), self.tr("or press Ctrl+K and type a part")]
            self.empty.set_content(lines)
            self.empty.resize(self.view.viewport().size())

    # -- menu, rename -----------------------------------------------------------------------------------------------

    def rename(self, row: str, card: int | None = None) -> None:
        """Edit a label in place."""
        sheet = self.context.sheet_row
        if row in self.context.eff.items or row in sheet.links or row in sheet.notes or row in sheet.frames:
            InlineRename(self.view, row, card)

    def edit_size(self, row: str, card: int | None = None) -> None:
        """Count and axes of a group in place."""
        if row in self.context.sheet_row.items and self.context.sheet_row.kind == "fabric":
            GroupSizeEditor(self.view, row, card)

    def offer_link(self, start: str, rubber: RubberLink, where: QPointF) -> None:
        """A link was dropped on nothing: offer what fits there."""
        from fabricwright.ui.navigation.link_menu import LinkMenu

        if self.link_menu is None:
            self.link_menu = LinkMenu(self.context, self.view)
        if not self.link_menu.ask(start, rubber, where):
            self.context.say(msg("Nothing in the catalogue joins this port."), "info")

    def show_menu(self, where: QPoint, scene_pos: QPointF) -> None:
        """The context menu, made of the action table; what is under the pointer is selected first."""
        found = hit(self.view.source.scene, scene_pos.x(), scene_pos.y(), self.tool.reach)
        row, members = self.tool._row_of(found, scene_pos)
        document = self.context.document
        if row is not None and row not in document.selection:
            document.select([row], {row: members} if members else None)
        elif row is None:
            document.select(())
        self._menu.clear()
        wanted = (
            (
                "enter",
                "rename",
                "group-size",
                "expand-group",
                "",
                "cut",
                "copy",
                "paste",
                "duplicate",
                "repeat",
                "delete",
                "",
                *self._arranging(),
                "zoom-selection",
                "properties",
            )
            if row is not None
            else (
                "paste",
                "select-all",
                "",
                "fit",
                "zoom-100",
                "up",
                "",
                "toggle-grid",
                "toggle-heatmap",
                "toggle-minimap",
                "toggle-legend",
            )
        )
        for name in wanted:
            if not name:
                self._menu.addSeparator()
            elif name in self.actions_set:
                self._menu.addAction(self.actions_set[name])
        self._menu.popup(where)

    def _arranging(self) -> tuple[str, ...]:
        """Commands of the arrange menu that apply to the selection."""
        names = ("group", "ungroup", "lock", "unlock", "order-front", "order-back")
        shown = tuple(name for name in names if self.actions_set[name].isEnabled())
        return (*shown, "") if shown else ()

    def changeEvent(self, event: QEvent) -> None:
        """Live switch of language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.refresh()
        super().changeEvent(event)

    def resizeEvent(self, event: object) -> None:
        """The empty text stays in the middle; the bar drops its labels when there is no room."""
        super().resizeEvent(event)  # type: ignore[arg-type]
        self.empty.resize(self.view.viewport().size())
        self._fit_bar()

    def _fit_bar(self) -> None:
        """Labels give way first; how many servers an edit means is always told."""
        roomy = self.width() > 760
        for box in (self.design_box, self.load_box):
            box.setMinimumWidth(110 if self.width() > 560 else 76 if self.width() > 480 else 60)
            box.setMaximumWidth(230 if self.width() > 560 else 110)
        count = self._members()
        if count > 1:
            long = self.tr("Edits apply to all {count} servers").format(count=f"{count:,}")
            short = self.tr("Applies to all {count}").format(count=f"{count:,}")
            tight = f"× {count:,}"
            self.applies.setText(long if self.width() > 980 else short if self.width() > 500 else tight)
            self.applies.setToolTip(long)
        self.applies.setVisible(count > 1)
        self.load_label.setVisible(roomy)
        self.design_label.setVisible(roomy and self.design_box.count() > 1)
