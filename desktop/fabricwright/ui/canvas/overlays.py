"""Boxes that float over the sheet: legend of load steps and link kinds, and where they and the minimap stand. Painted,
and out of the way on small windows."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from fabricwright.ui.canvas.minimap import WIDTH, Minimap
from fabricwright.ui.canvas.placement import PlacementKey
from fabricwright.ui.canvas.view import CanvasView
from fabricwright.ui.i18n import text_of
from fabricwright.ui.icons import paint_state
from fabricwright.ui.paint import text
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.paint.primitives import NEAR, Ink, shell
from fabricwright.ui.paint.scene import KINDS
from fabricwright.ui.theme import LOAD_WIDTHS, MEDIUM, SEMIBOLD, link_style, load_step, make_pen, theme
from fabricwright.units.text import msg

MARGIN = 14
SMALL = 900
STRIP_STEP, STRIP_H = 92, 24
#: So long after the last step of a pan or a zoom the boxes look for a free corner.
SETTLE_MS = 100
#: So many sheets and sizes keep their form of the legend.
KEPT = 200
STEPS = ("0 – 25 %", "25 – 50 %", "50 – 75 %", "75 – 90 %", "90 – 100 %")


class Legend(QWidget):
    """Load steps with the number of bundles in each while the heat map is on; below, the kinds of link on this
    sheet."""

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view)
        self._view = view
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        #: One line at the foot of the view, where no corner has room for the box.
        self.strip = False
        self.resize(self.sizeHint())

    def rows(self) -> tuple[list[tuple[str, int]], list[tuple[str, str]]]:
        """((step text, bundles), ...) and ((kind, name), ...)."""
        scene = self._view.source.scene
        edges = scene.edges
        steps: list[tuple[str, int]] = []
        if self._view.state.heat and len(edges) and not np.isnan(edges.load).all():
            counts = [0] * 5
            for load in edges.load[~np.isnan(edges.load)].tolist():
                counts[load_step(load)] += 1
            steps = list(zip(STEPS, counts, strict=True))
        names = {
            "storage": text_of(msg("storage")),
            "mgmt": text_of(msg("mgmt")),
            "cxl": "CXL",
            "nvlink": "NVLink",
            "upi": text_of(msg("socket link")),
            "pcie": "PCIe",
        }
        kinds = {KINDS[k] for k in np.unique(edges.kind).tolist()} if len(edges) else set()
        shown: list[tuple[str, str]] = [
            (k, names[k])
            for k in ("storage", "mgmt", "pcie", "cxl", "nvlink")
            if k in kinds and not (k == "pcie" and len(kinds) < 3)
        ]
        return steps, shown if scene.kind == "fabric" else []

    def wanted(self) -> bool:
        """Whether there is anything to say."""
        steps, kinds = self.rows()
        return bool(steps or kinds or self.verdicts)

    @property
    def verdicts(self) -> list[tuple[str, str, str]]:
        """(state, name, what it means) while a part hangs on the mouse, else none."""
        if not self._view.state.signs:
            return []
        return [
            ("ok", text_of(msg("Legal")), text_of(msg("all rules pass"))),
            ("warn", text_of(msg("Works with a loss")), text_of(msg("drops, adds a warning"))),
            ("error", text_of(msg("Illegal")), text_of(msg("Alt drops it, recorded as an error"))),
        ]

    def sizeHint(self) -> QSize:
        if self.verdicts:
            return self._verdict_size()
        steps, kinds = self.rows()
        if self.strip:
            return QSize(STRIP_STEP * len(steps) + 20, STRIP_H)
        return self._box_size(len(steps), len(kinds))

    def usual_size(self) -> QSize:
        """The box as it is once the loads are there: a sheet that is fitted before them leaves room for it."""
        steps, kinds = self.rows()
        if self._view.state.heat and len(self._view.source.scene.edges):
            return self._box_size(len(STEPS), len(kinds))
        return self._box_size(len(steps), len(kinds)) if steps or kinds else QSize(0, 0)

    @staticmethod
    def _box_size(steps: int, kinds: int) -> QSize:
        height = 14 + (26 + 20 * steps if steps else 0) + (24 * ((kinds + 1) // 2) + 4 if kinds else 0)
        return QSize(WIDTH, max(height, 30))

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        ink = Ink(theme(), 1.0, NEAR)
        p = QPainter(self)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        shell(p, QRectF(1, 1, self.width() - 2, self.height() - 3), ink, outline="border", radius=10)
        if self.verdicts:
            self._paint_verdicts(p, ink)
            p.end()
            return
        steps, kinds = self.rows()
        if self.strip:
            self._paint_strip(p, ink, steps)
            p.end()
            return
        y = 8.0
        if steps:
            text.draw_in(p, QRectF(13, y, 100, 22), (text_of(msg("Link load")),), 12, ink["text"], weight=SEMIBOLD)
            text.draw_in(
                p,
                QRectF(70, y, self.width() - 84, 22),
                (text_of(msg("bundles") if self._view.source.scene.kind == "fabric" else msg("links")),),
                11,
                ink["text.2"],
                align=text.RIGHT,
            )
            y += 24
            for n, (label, count) in enumerate(steps):
                p.setPen(make_pen(ink[f"heat{n}"], LOAD_WIDTHS[n]))
                p.drawLine(QPointF(13, y + 10), QPointF(45, y + 10))
                text.draw_in(p, QRectF(54, y, 80, 20), (label,), 11, ink["text"])
                text.draw_in(
                    p, QRectF(100, y, self.width() - 114, 20), (str(count),), 11, ink["text.2"], align=text.RIGHT
                )
                y += 20
            if kinds:
                p.fillRect(QRectF(13, y + 3, self.width() - 26, 1), ink["border"])
                y += 8
        for n, (kind, name) in enumerate(kinds):
            x = 13 + (n % 2) * 78
            row = y + (n // 2) * 24
            style = link_style(kind)
            p.setPen(make_pen(ink[style.token], style.width if style.width < 3 else 3, style.dash))
            for offset in (-1.5, 1.5) if style.gap else (0.0,):
                p.drawLine(QPointF(x, row + 10 + offset), QPointF(x + 24, row + 10 + offset))
            text.draw_in(p, QRectF(x + 30, row, 48, 20), (name,), 11, ink["text.2"])
        p.end()

    def _verdict_size(self) -> QSize:
        names = [text.width(name, 12, MEDIUM) for _state, name, _means in self.verdicts]
        if self.strip:
            return QSize(round(sum(names)) + 3 * 44 + 8, STRIP_H + 6)
        wide = max(names) + max(text.width(means, 12) for _state, _name, means in self.verdicts)
        return QSize(round(wide) + 84, 34 + 30 * len(names))

    def _paint_verdicts(self, p: QPainter, ink: Ink) -> None:
        """What the frames around the slots mean while a part hangs on the mouse."""
        rows = self.verdicts
        names = [text.width(name, 12, MEDIUM) for _state, name, _means in rows]
        if not self.strip:
            title = (text_of(msg("Legend while dragging")),)
            text.draw_in(p, QRectF(13, 6, self.width() - 26, 22), title, 12, ink["text"], weight=SEMIBOLD)
        x = 12.0
        for n, (state, name, means) in enumerate(rows):
            y = 4.0 if self.strip else 32.0 + 30 * n
            box = QRectF(x, y, 28, 21)
            p.setPen(make_pen(ink[state], 1.4, () if state == "ok" else (4, 3)))
            p.setBrush(ink[f"{state}.soft"])
            p.drawRoundedRect(box, 5, 5)
            paint_state(p, {"warn": "warning"}.get(state, state), QRectF(x + 7, y + 3.5, 14, 14))
            text.draw_in(p, QRectF(x + 36, y, names[n] + 2, 21), (name,), 12, ink["text"], weight=MEDIUM)
            if self.strip:
                x += names[n] + 44
                continue
            left = x + 36 + max(names) + 18
            text.draw_in(p, QRectF(left, y, self.width() - left - 8, 21), (means,), 12, ink["text.2"])

    def _paint_strip(self, p: QPainter, ink: Ink, steps: list[tuple[str, int]]) -> None:
        for n, (label, _count) in enumerate(steps):
            x = 12.0 + STRIP_STEP * n
            middle = self.height() / 2 - 0.5
            p.setPen(make_pen(ink[f"heat{n}"], LOAD_WIDTHS[n]))
            p.drawLine(QPointF(x, middle), QPointF(x + 18, middle))
            text.draw_in(p, QRectF(x + 23, 0, STRIP_STEP - 26, self.height() - 1), (label,), 11, ink["text"])


class Overlays:
    """Places legend and minimap in the top right corner of the view."""

    def __init__(self, view: CanvasView) -> None:
        self.view = view
        self.legend = Legend(view)
        self.minimap = Minimap(view)
        self.placement = PlacementKey(view.context, view.placement, view)
        self.legend_on = True
        self.minimap_on = True
        #: Whether the legend has the form of a box, by sheet and size: a sheet that is entered again looks the same.
        self._boxed: dict[tuple[object, ...], bool] = {}
        self._corner: str | None = None
        self._arriving = False
        self._settle = QTimer(view)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE_MS)
        self._settle.timeout.connect(self.arrange)
        view.resized.connect(self.arrange)
        view.verdicts_changed.connect(self.arrange)
        view.fitting.connect(self._arrives)
        view.source.changed.connect(lambda why: self.arrange() if why != "rows" else None)  # "built" follows
        view.zoom_changed.connect(self._moved)
        view.context.analysis.changed.connect(self._placed)
        self.arrange()

    def _arrives(self) -> None:
        self.arrange()
        self._arriving = True

    def _moved(self, _zoom: float) -> None:
        """At once where a sheet is shown anew; a hand that pans or zooms comes to rest first."""
        if self._arriving:
            self._arriving = False
            self.arrange()
        else:
            self._settle.start()

    def _placed(self, topics: frozenset[str]) -> None:
        """The key of the placement comes or goes: a sheet that was fitted makes room for it."""
        if topics & {"placement", "training"} and self.placement.wanted() == self.placement.isHidden():
            self.arrange()
            if self.view.fitted:
                self.view.fit()

    def arrange(self) -> None:
        """Show, hide and place: the legend in a corner where it covers nothing, the minimap where one needs it."""
        view = self.view
        self._settle.stop()
        area = view.viewport().rect()
        roomy = area.width() >= SMALL
        self.legend.strip = False
        room = self.legend.sizeHint() if self.legend.verdicts else self.legend.usual_size()
        kept = roomy and self.legend_on and not room.isEmpty()
        view.overlay = (room.width() + MARGIN + 2.0, room.height() + MARGIN + 2.0) if kept else (0.0, 0.0)
        self.placement.follow()
        if not self.placement.isHidden():
            wide, high = self.placement.width() + MARGIN + 2.0, self.placement.height() + MARGIN + 2.0
            view.overlay = (max(wide, view.overlay[0]), high + view.overlay[1])
        small = roomy and self.minimap_on and self.minimap.wanted()
        legend = kept and self.legend.wanted()
        corner = self._legend_corner(small=small) if legend else None
        self._corner = None if self.legend.strip else corner
        self.legend.setVisible(corner is not None)
        y = MARGIN
        if corner is not None:
            size = self.legend.sizeHint()
            self.legend.resize(size)
            margin = 2 if self.legend.strip else MARGIN
            x = MARGIN if corner == "bl" else area.width() - size.width() - MARGIN
            top = MARGIN if corner == "tr" else area.height() - size.height() - margin
            self.legend.move(x, top)
            self.legend.update()
            y += size.height() + 12 if corner == "tr" else 0
        if not self.placement.isHidden():
            taken = self.legend.geometry() if corner is not None else None
            free = corner or view.free_corner(view.centre(), view.zoom, *view.overlay)
            self.placement.place(area, free, taken)
            y += self.placement.height() + 12 if free == "tr" else 0
        self.minimap.setVisible(small)
        if small:
            self.minimap.move(area.width() - WIDTH - MARGIN, y)
            self.minimap.update()

    def _legend_corner(self, *, small: bool) -> str | None:
        """Where the legend stands, None for nowhere; sets its form."""
        view = self.view
        name, cards, lines = view.emptiest_corner(view.centre(), view.zoom, *view.overlay, first=self._corner)
        free = not cards and not lines
        boxed = free if self.legend.verdicts else self._box_fits()
        if (self.legend.rows()[0] or self.legend.verdicts) and not boxed:
            self.legend.strip = True
            return "br"
        # Zoomed in, where every corner covers something: where that is least.
        return name if free or small or self.legend.rows()[0] else None

    def _box_fits(self) -> bool:
        """Whether the whole sheet, fitted, leaves a corner for the box."""
        view = self.view
        context = view.context
        bounds = tuple(round(b) for b in view.source.scene.bounds())
        size = view.viewport().size()
        key = (context.design, context.sheet, context.host, size.width(), size.height(), bounds, view.overlay)
        if key not in self._boxed:
            if len(self._boxed) > KEPT:
                self._boxed.clear()
            self._boxed[key] = view.free_corner(*view.fit_stand(), *view.overlay) is not None
        return self._boxed[key]
