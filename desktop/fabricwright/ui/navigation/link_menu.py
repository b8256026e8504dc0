"""The list that opens where a link was dropped on nothing: what fits its loose end, to be placed and linked at once."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QPoint, QPointF, Qt

from fabricwright.catalog.pictograms import pictogram
from fabricwright.catalog.store import catalogue
from fabricwright.ui.canvas.link_offers import Offer, join_part, offers
from fabricwright.ui.canvas.link_plan import plan_link
from fabricwright.ui.canvas.naming import part_names
from fabricwright.ui.canvas.state import RubberLink
from fabricwright.ui.canvas.view import CanvasView
from fabricwright.ui.context import UiContext
from fabricwright.ui.navigation.entry import Entry
from fabricwright.ui.navigation.fuzzy import score
from fabricwright.ui.navigation.list_box import ListBox
from fabricwright.ui.panels.part_facts import fact_line
from fabricwright.units.text import Message

WIDTH, ROWS = 420, 8


class LinkMenu(ListBox):
    """A field and a list over the sheet; the link stays drawn to it until something is chosen or Esc."""

    def __init__(self, context: UiContext, view: CanvasView) -> None:
        super().__init__(view, ROWS, radius=10, inset=8, above=8, spacing=6)
        self.context = context
        self.view = view
        self.start = ""
        self.at = QPointF()
        self._rows: list[tuple[Entry, tuple[str, ...]]] = []
        self.hide()

    def ask(self, start: str, rubber: RubberLink, at: QPointF) -> bool:
        """Open it for a link from ``start`` dropped at ``at``; False when nothing fits."""
        self.start, self.at = start, at
        self._rows = [self._row(offer) for offer in offers(self.context, start)]
        if not self._rows:
            return False
        self.view.state.link = rubber
        self.field.set_placeholder(self.tr("Link to…"))
        self.field.setText("")
        self.query("")
        self.show()
        self.raise_()
        self.place()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)
        self.view.refresh()
        return True

    def _row(self, offer: Offer) -> tuple[Entry, tuple[str, ...]]:
        lang = self.context.language
        if offer.item:
            item = self.context.eff.items[offer.item]
            name = part_names(item.part, item.of, lang)[0]
            here = QCoreApplication.translate("LinkMenu", "on this sheet")
            icon = pictogram(item.part.kind if item.part is not None else item.kind)
            return Entry("item", offer.item, offer.item, name, icon, here), (offer.item, name.casefold())
        part = catalogue().get(offer.part)
        name = part_names(part, offer.part, lang)[0]
        entry = Entry("part", offer.part, name, fact_line(part), pictogram(part.kind))
        return entry, (name.casefold(), offer.part, part.name("en").casefold(), part.name("zh_CN").casefold())

    def query(self, text: str) -> None:
        """Show the offers that fit a text."""
        fits = [(score(text, texts), n) for n, (_entry, texts) in enumerate(self._rows)]
        found = sorted((-fit, n) for fit, n in fits if fit is not None)
        self.list.set_entries([self._rows[n][0] for _fit, n in found])
        self.place()

    def place(self) -> None:
        """Beside the loose end, inside the view."""
        spot: QPoint = self.view.mapFromScene(self.at)
        area = self.view.viewport().rect()
        height = self.sizeHint().height()
        x = min(max(spot.x() - 20, 8), max(area.width() - WIDTH - 8, 8))
        y = spot.y() + 10 if spot.y() + 10 + height < area.height() else max(8, spot.y() - height - 10)
        self.setGeometry(x, y, WIDTH, height)

    def dismiss(self, *, back: bool = True) -> None:
        """Close it without a link."""
        if not self.isVisible():
            return
        self.hide()
        self.view.state.link = None
        self.view.refresh()
        if back:
            self.view.setFocus()

    def accept(self) -> None:
        """Join what is chosen."""
        entry = self.list.current()
        self.dismiss()
        if entry is None:
            return
        context = self.context
        before = set(context.sheet_row.links)
        if entry.kind == "item":
            plan = plan_link(context.project, context.design, context.sheet, self.start, entry.key)
            if plan is not None:
                context.edit(plan.call)
        else:
            done = join_part(context, self.start, entry.key, self.at.x(), self.at.y())
            if isinstance(done, Message):
                context.say(done, "warning")
                return
            context.document.push(done)
        context.document.select([i for i in context.sheet_row.links if i not in before])
