"""Inspector: what is selected, its editors, budgets and problems; with nothing selected the design or the server."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import text_of
from fabricwright.ui.panels.inspector_design import design_page, other_settings, server_page, servers_of
from fabricwright.ui.panels.inspector_group import reach_text
from fabricwright.ui.panels.inspector_item import further_keys, item_page, part_of_item
from fabricwright.ui.panels.inspector_link import builtin_link_page, link_page
from fabricwright.ui.panels.inspector_many import many_page
from fabricwright.ui.panels.inspector_page import Page
from fabricwright.ui.panels.inspector_slot import note_page, slot_page
from fabricwright.ui.widgets import SectionHeader, TextLabel, set_surface
from fabricwright.units.text import Message

#: A label, a control and the scroll bar.
_LEAST_PX = 258


class InspectorPanel(QWidget):
    """One page at a time. A page is made anew when something else is selected or its make-up changes; otherwise its
    fields are only read again, so that typing is not disturbed.
    """

    def __init__(self, context: UiContext) -> None:
        super().__init__()
        self._context = context
        self._shape: object = None
        self.page: Page | None = None
        self.banner = TextLabel("", self, px=11.5, token="info", wrap=True)
        self.banner.setContentsMargins(14, 7, 14, 7)
        set_surface(self.banner, "info.soft")
        self._scroll = QScrollArea(self)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumWidth(_LEAST_PX)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.banner)
        column.addWidget(self._scroll, 1)
        set_surface(self, "panel")
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self.refresh)
        context.document.project_changed.connect(lambda _patch: self._later.start())
        context.document.selection_changed.connect(self._later.start)
        context.place_changed.connect(self._later.start)
        context.analysis.changed.connect(self._analysed)
        self.refresh()

    def _analysed(self, topics: frozenset[str]) -> None:
        if topics & {"findings", "sheets", "figures", "heat"}:
            self._later.start()

    def refresh(self) -> None:
        """Show what is selected now."""
        self._later.stop()
        shape = self._shape_now()
        if shape != self._shape or self.page is None:
            self._shape = shape
            page = self._make()
            old, self.page = self.page, page
            set_surface(page, "panel")
            kept = self._scroll.takeWidget()
            self._scroll.setWidget(page)
            if kept is not None:
                kept.deleteLater()
            del old
        else:
            self.page.refresh()
        text = self._reach()
        self.banner.setText(text)
        self.banner.setVisible(bool(text))

    def show_fold(self, title: str) -> None:
        """Make the page of what is selected with a fold open (``title`` as marked for translation), and bring the fold
        into view."""
        shown = text_of(Message(title))
        self._context.open_folds.add(shown)
        self._shape = None
        self.refresh()
        heads = [head for head in self.findChildren(SectionHeader) if head.text() == shown]
        if heads:
            QTimer.singleShot(0, lambda: self._scroll.ensureWidgetVisible(heads[-1], 0, self._scroll.height() // 2))

    def _reach(self) -> str:
        """How many things an edit here changes; "" for one."""
        context = self._context
        if context.sheet_row.kind == "server":
            count = servers_of(context)
            return self.tr("Edits apply to all {count} servers").format(count=f"{count:,}") if count > 1 else ""
        return reach_text(context, context.selection[0]) if len(context.selection) == 1 else ""

    def _shape_now(self) -> object:
        """What a page depends on beyond the values that its fields read."""
        context = self._context
        eff, ids = context.eff, tuple(context.selection)
        looks: list[object] = []
        for row_id in ids[:50]:
            item = eff.items.get(row_id)
            stored = context.sheet_row.items.get(row_id)
            if item is not None:
                keys = tuple(further_keys(context, row_id, item, part_of_item(context, item)))
                group = (stored is not None and stored.count > 1, str(context.document.members.get(row_id) or ""))
                make_up = (item.of, id(item.part), bool(item.seat), item.forced, len(item.ports))
                looks.append((row_id, make_up, keys, group))
            else:
                looks.append((row_id, row_id in eff.links, row_id in eff.slots))
        extra = tuple(other_settings(context)) if not ids else ()
        return context.design, context.sheet, ids, tuple(looks), extra, context.language

    def _make(self) -> Page:
        context = self._context
        eff, ids = context.eff, context.selection
        if len(ids) > 1:
            return many_page(context, ids)
        if not ids:
            return server_page(context) if context.sheet_row.kind == "server" else design_page(context)
        row_id = ids[0]
        if row_id in eff.items:
            return item_page(context, row_id)
        if row_id in eff.links:
            return link_page(context, row_id)
        if row_id in eff.builtin_links:
            return builtin_link_page(context, row_id)
        if row_id in eff.slots:
            return slot_page(context, row_id)
        return note_page(context, row_id)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._shape = None
            self._later.start()
        super().changeEvent(event)
