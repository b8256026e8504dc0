"""What is wrong with the texts of a rendered window: clipped, shortened without a tip, over one another, too pale.

Every widget and the sheet on the canvas are painted a second time on a device that keeps the texts alone: what is
written, where, in which colour and clipped to what. That finds texts which styles and delegates paint, not only labels.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPaintDevice, QPaintEngine, QPainter, QRegion
from PySide6.QtWidgets import QAbstractScrollArea, QGraphicsView, QLineEdit, QScrollArea, QTabBar, QWidget

from fabricwright.ui.canvas.view import CanvasView
from fabricwright.ui.paint.primitives import NEAR, Ink
from fabricwright.ui.paint.sheet import badge_box, paint_scene
from fabricwright.ui.theme import theme

CLIPPED, SHORTENED, OVERLAP, PALE, OVERFLOW = "clipped", "shortened", "overlap", "pale", "overflow"
LEAST_CONTRAST = 4.5
ELLIPSIS = "\u2026"
#: Ink may stand out of its box by this much, px: side bearings, and the room under letters without tails.
SIDE_PX, TAIL_PX = 1.5, 3.0


@dataclass(frozen=True, slots=True)
class Drawn:
    """One run of text: ``box`` of its letters and ``clip`` it was drawn in, both in the window's logical pixels."""

    text: str
    box: QRectF
    clip: QRectF
    colour: QColor
    widget: QWidget
    canvas: bool = False
    whole: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a text, and where."""

    kind: str
    text: str
    where: str
    detail: str = ""


@dataclass
class _Texts(QPaintEngine):
    """Keeps texts, ignores all else."""

    kept: list[tuple[str, QRectF, QRectF | None, QColor]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(QPaintEngine.PaintEngineFeature.AllFeatures)

    def begin(self, _device: QPaintDevice) -> bool:
        return True

    def end(self) -> bool:
        return True

    def type(self) -> QPaintEngine.Type:
        return QPaintEngine.Type.User

    def drawTextItem(self, at: QPointF, item: Any) -> None:  # noqa: N802
        text = item.text().strip()
        if not text:
            return
        p = self.painter()
        metrics = QFontMetricsF(item.font())
        # Letters reach from the height of capitals to the base line; what hangs below is allowed to touch.
        tall = metrics.capHeight() or item.ascent() * 0.72
        to_device = p.deviceTransform()
        lead = metrics.horizontalAdvance(item.text()[: len(item.text()) - len(item.text().lstrip())])
        box = to_device.mapRect(QRectF(at.x() + lead, at.y() - tall, metrics.horizontalAdvance(text), tall))
        clip = to_device.mapRect(p.clipBoundingRect()) if p.hasClipping() else None
        colour = QColor(p.pen().color())
        colour.setAlphaF(colour.alphaF() * p.opacity())
        self.kept.append((text, box, clip, colour))

    def updateState(self, _state: Any) -> None: ...  # noqa: N802
    def drawPixmap(self, *_a: Any) -> None: ...  # noqa: N802
    def drawImage(self, *_a: Any) -> None: ...  # noqa: N802
    def drawTiledPixmap(self, *_a: Any) -> None: ...  # noqa: N802
    def drawPath(self, *_a: Any) -> None: ...  # noqa: N802
    def drawPolygon(self, *_a: Any) -> None: ...  # noqa: N802
    def drawRects(self, *_a: Any) -> None: ...  # noqa: N802
    def drawLines(self, *_a: Any) -> None: ...  # noqa: N802
    def drawPoints(self, *_a: Any) -> None: ...  # noqa: N802
    def drawEllipse(self, *_a: Any) -> None: ...  # noqa: N802


class _Sheet(QPaintDevice):
    """The device of such an engine, of a given size."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__()
        self._size = (width, height)
        self.texts = _Texts()

    def paintEngine(self) -> QPaintEngine:  # noqa: N802
        return self.texts

    def metric(self, what: QPaintDevice.PaintDeviceMetric) -> int:
        metric = QPaintDevice.PaintDeviceMetric
        return {
            metric.PdmWidth: self._size[0],
            metric.PdmHeight: self._size[1],
            metric.PdmWidthMM: self._size[0] * 254 // 960,
            metric.PdmHeightMM: self._size[1] * 254 // 960,
            metric.PdmNumColors: 1 << 24,
            metric.PdmDepth: 32,
            metric.PdmDevicePixelRatio: 1,
            metric.PdmDevicePixelRatioScaled: 65536,
        }.get(what, 96)


def drawn_texts(window: QWidget) -> list[Drawn]:
    """All texts that are to be seen in a window, in the order of painting."""
    found: list[Drawn] = []
    for widget in [window, *window.findChildren(QWidget)]:
        if not widget.isVisible() or widget.window() is not window:
            continue
        region = widget.visibleRegion()
        if region.isEmpty():
            continue
        if isinstance(widget.parent(), CanvasView) and widget is widget.parent().viewport():
            found += _on_canvas(widget.parent(), window)
            continue
        if isinstance(widget, CanvasView):
            continue
        found += _of_widget(widget, window, region)
    return found


def _of_widget(widget: QWidget, window: QWidget, region: QRegion) -> list[Drawn]:
    sheet = _Sheet(widget.width(), widget.height())
    widget.render(sheet, QPoint(), QRegion(), QWidget.RenderFlag(0))
    offset = QPointF(widget.mapTo(window, QPoint()))
    own = QRectF(widget.rect())
    found = []
    for text, box, clip, colour in sheet.texts.kept:
        seen = QRectF(region.boundingRect())
        cut = not own.contains(box.center()) and not isinstance(widget.parent(), QAbstractScrollArea)
        if cut:
            pass  # a line of a label that is too low for it
        elif not seen.contains(box.center()) or (_scrolled(widget) and not _inside(box, _band(widget, seen, own))):
            continue  # scrolled out of sight, at least in part
        limits = own if clip is None else own.intersected(clip)
        if _never_sideways(widget):
            limits = limits.intersected(QRectF(seen.x(), limits.y(), seen.width(), limits.height()))
        found.append(
            Drawn(text, box.translated(offset), limits.translated(offset), colour, widget, whole=_text_of(widget))
        )
    return found


def _on_canvas(view: CanvasView, window: QWidget) -> list[Drawn]:
    port = view.viewport()
    sheet = _Sheet(port.width(), port.height())
    p = QPainter(sheet)
    p.setTransform(view.viewportTransform())
    source = view.source
    area = view.mapToScene(port.rect()).boundingRect()
    paint_scene(p, source.scene, theme(), view.zoom, area, heat=view.state.heat, badges=source.badges)
    p.end()
    offset = QPointF(port.mapTo(window, QPoint()))
    own = QRectF(port.rect())
    hidden = [view.viewportTransform().mapRect(QRectF(*source.scene.box(i))) for i in view.state.hidden_cards]
    return [
        Drawn(text, box.translated(offset), (own if clip is None else clip).translated(offset), colour, port, True)
        for text, box, clip, colour in sheet.texts.kept
        if _inside(box, own) and not any(card.contains(box.center()) for card in hidden)
    ]


def _text_of(widget: QWidget) -> str:
    text = getattr(widget, "text", None)
    try:
        return str(text()) if callable(text) else ""
    except TypeError:
        return ""


def _scrolled(widget: QWidget) -> bool:
    """Whether a scroll area decides what is seen of the widget."""
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, QAbstractScrollArea):
            return True
        parent = parent.parentWidget()
    return False


def _never_sideways(widget: QWidget) -> bool:
    """Whether the widget is in a scroll area that only scrolls up and down: what is cut at its side stays cut."""
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, QScrollArea):
            return parent.horizontalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        parent = parent.parentWidget()
    return False


def _band(widget: QWidget, seen: QRectF, own: QRectF) -> QRectF:
    """What is seen of a widget, as wide as the widget where the rest cannot be scrolled to."""
    if _never_sideways(widget):
        return QRectF(own.x(), seen.y(), own.width(), seen.height())
    return seen


def _inside(box: QRectF, limits: QRectF) -> bool:
    return (
        box.left() >= limits.left() - SIDE_PX
        and box.right() <= limits.right() + SIDE_PX
        and box.top() >= limits.top() - TAIL_PX
        and box.bottom() <= limits.bottom() + SIDE_PX
    )


def faults(window: QWidget, image: QImage | None = None, texts: list[Drawn] | None = None) -> list[Fault]:
    """All faults of the texts of a window, whose picture and texts are made when not given."""
    texts = drawn_texts(window) if texts is None else texts
    pixels = _pixels(image if image is not None else window.grab().toImage())
    found = _clipped(texts) + _shortened(texts) + _badged(texts)
    found += _overlaps(texts, window) + _pale(texts, window, pixels)
    least = window.minimumSizeHint()
    if least.width() > window.width() or least.height() > window.height():
        size = f"{least.width()} x {least.height()} > {window.width()} x {window.height()}"
        found.append(Fault(OVERFLOW, window.windowTitle(), _name(window), size))
    return found


def _clipped(texts: list[Drawn]) -> list[Fault]:
    found = []
    for one in texts:
        if isinstance(one.widget, QLineEdit):
            continue  # it scrolls
        # The view of a graphics scene clips at its edge, as a scroll area does.
        if isinstance(one.widget.parent(), QGraphicsView) and not one.canvas:
            continue
        if not _inside(one.box, one.clip):
            detail = f"{_rect(one.box)} in {_rect(one.clip)}"
            found.append(Fault(CLIPPED, one.text, _name(one.widget), detail))
    return found


def _shortened(texts: list[Drawn]) -> list[Fault]:
    """Labels, buttons and tabs that say less than they hold, and tell no tip with the rest."""
    found = []
    for one in texts:
        if not one.text.endswith(ELLIPSIS):
            continue
        widget = one.widget
        if isinstance(widget, QTabBar):
            if not any(widget.tabText(n) == one.text for n in range(widget.count())):
                found.append(Fault(SHORTENED, one.text, _name(widget)))
        elif one.whole and not one.whole.replace("&", "").endswith(ELLIPSIS) and not widget.toolTip():
            found.append(Fault(SHORTENED, one.text, _name(widget), one.whole))
    return found


def _overlaps(texts: list[Drawn], window: QWidget) -> list[Fault]:
    """Pairs of texts whose letters lie on one another; what an opaque widget covers is not seen."""
    found = []
    boxes = np.array([one.box.getCoords() for one in texts], float).reshape(-1, 4)
    for n, one in enumerate(texts):
        near = (boxes[n + 1 :, 0] < one.box.right() - SIDE_PX) & (boxes[n + 1 :, 2] > one.box.left() + SIDE_PX)
        near &= (boxes[n + 1 :, 1] < one.box.bottom() - 1.0) & (boxes[n + 1 :, 3] > one.box.top() + 1.0)
        for k in np.flatnonzero(near).tolist():
            other = texts[n + 1 + k]
            if other.widget is not one.widget and _covered(one, other, window):
                continue
            if other.text == one.text and other.box == one.box:
                continue  # the same drawn twice, as for a shadow
            found.append(Fault(OVERLAP, f"{one.text} / {other.text}", _name(other.widget), _rect(other.box)))
    return found


def _badged(texts: list[Drawn]) -> list[Fault]:
    """Texts of the sheet that a badge lies on."""
    found = []
    for port in {id(one.widget): one.widget for one in texts if one.canvas}.values():
        view = port.parent()
        assert isinstance(view, CanvasView)
        ink = Ink.at(theme(), view.zoom)
        if ink.band != NEAR:
            continue
        offset = QPointF(port.mapTo(port.window(), QPoint()))
        for index, badge in view.source.badges.items():
            box = badge_box(view.source.scene, index, badge, ink)
            seen = QRectF(view.viewportTransform().mapRect(box)).translated(offset)
            for one in texts:
                inner = one.box.intersected(seen)
                if one.canvas and one.text != str(badge.count) and inner.width() > 1.5 and inner.height() > 1.5:
                    found.append(Fault(OVERLAP, one.text, "badge", f"of {view.source.scene.card(index).id}"))
    return found


def _covered(one: Drawn, other: Drawn, window: QWidget) -> bool:
    """Whether only one of two texts of different widgets is seen where they meet."""
    above = one.widget.parentWidget()
    if above is other.widget.parentWidget() and not isinstance(above, CanvasView):
        return False  # neighbours of one layout; what floats stands on a canvas or in another widget
    spot = one.box.intersected(other.box).center().toPoint()
    top = window.childAt(spot)
    below = [w for w in (one.widget, other.widget) if top is None or not (w is top or w.isAncestorOf(top))]
    if below:
        return True
    # One inside the other: what the inner one paints on its own ground hides the outer one's text.
    inner = other.widget if one.widget.isAncestorOf(other.widget) else one.widget
    return inner.autoFillBackground() or (one.canvas or other.canvas)


def _pixels(image: QImage) -> tuple[NDArray[np.uint8], float]:
    """Rows of red, green, blue, and device pixels per logical one."""
    flat = image.convertToFormat(QImage.Format.Format_RGB32)
    raw = np.frombuffer(flat.constBits(), np.uint8).reshape(flat.height(), flat.bytesPerLine() // 4, 4)
    return raw[:, : flat.width(), 2::-1].copy(), image.devicePixelRatio()


def _pale(texts: list[Drawn], window: QWidget, picture: tuple[NDArray[np.uint8], float]) -> list[Fault]:
    pixels, ratio = picture
    found = []
    for one in texts:
        if not one.widget.isEnabled() or (one.canvas and _hidden(one, window)):
            continue
        if isinstance(one.widget, QLineEdit) and one.widget.hasSelectedText():
            continue  # drawn in a colour that the painter does not tell
        x0, y0, x1, y1 = (round(v * ratio) for v in one.box.getCoords())
        part = pixels[max(y0 - 2, 0) : y1 + 3, max(x0 - 2, 0) : x1 + 3].reshape(-1, 3)
        if not len(part):
            continue
        codes = part.astype(np.int64) @ np.array([65536, 256, 1])
        values, counts = np.unique(codes, return_counts=True)
        # Large or bold letters cover more than their ground: what is almost their colour is not the ground.
        ink = np.array(one.colour.getRgb()[:3])
        apart = np.abs(np.stack([values >> 16, values >> 8 & 255, values & 255], 1) - ink).max(axis=1) > 24
        if one.colour.alpha() == 255 and apart.any():
            values, counts = values[apart], counts[apart]
        ground = int(values[counts.argmax()])
        back = QColor(ground >> 16, ground >> 8 & 255, ground & 255)
        ratio_here = contrast(mixed(one.colour, back), back)
        if ratio_here < LEAST_CONTRAST:
            detail = f"{ratio_here:.2f} ({one.colour.name()} on {back.name()})"
            found.append(Fault(PALE, one.text, _name(one.widget), detail))
    return found


def _hidden(one: Drawn, window: QWidget) -> bool:
    top = window.childAt(one.box.center().toPoint())
    return top is not one.widget


def mixed(over: QColor, ground: QColor) -> QColor:
    """A colour that lets the ground through, as it is seen."""
    a = over.alphaF()
    pairs = zip(over.getRgb()[:3], ground.getRgb()[:3], strict=True)
    return QColor(*(round(o * a + g * (1 - a)) for o, g in pairs))


def contrast(one: QColor, two: QColor) -> float:
    """Contrast ratio of two opaque colours, 1 to 21 (WCAG 2.1, relative luminance)."""
    light, dark = sorted((_luminance(one), _luminance(two)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: QColor) -> float:
    red, green, blue = (
        c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4
        for c in (colour.redF(), colour.greenF(), colour.blueF())
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _name(widget: QWidget) -> str:
    """Class names from the dock or dialog down."""
    names: list[str] = []
    at: QWidget | None = widget
    while at is not None and not at.isWindow() and len(names) < 4:
        name = at.objectName() or type(at).__name__
        if not name.startswith("qt_"):
            names.append(name)
        at = at.parentWidget()
    return " < ".join(names) or type(widget).__name__


def _rect(box: QRectF | QRect) -> str:
    return f"{box.x():.0f},{box.y():.0f} {box.width():.0f}x{box.height():.0f}"
