"""Pages as they will leave: one large, the others below as thumbnails."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPixmap, QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.theme import MEDIUM, SEMIBOLD, make_pen, named_theme, theme, ui_font
from fabricwright.ui.widgets import ElidedLabel, TextButton, TextLabel, set_surface

THUMB = QSize(108, 78)
ZOOMS = (0.0, 0.5, 0.75, 1.0, 1.5, 2.0)
"""0 = fit."""


class PageView(QWidget):
    """One page; fits its room, or stands at a zoom of its own."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.image: QImage | None = None
        self.zoom = 0.0
        self.busy = False
        self.message = ""
        self._kept: tuple[tuple[int, int, int], QPixmap] | None = None
        self.setMinimumSize(200, 150)

    def show_image(self, image: QImage | None) -> None:
        """Another page."""
        self.image = image
        self._resize()
        self.update()

    def set_zoom(self, zoom: float) -> None:
        """0 fits the page to the room."""
        self.zoom = zoom
        self._resize()
        self.update()

    def shown_scale(self) -> float:
        """Screen pixels per pixel of the picture."""
        if self.image is None or self.image.isNull():
            return 1.0
        if self.zoom:
            return self.zoom
        return min((self.width() - 16) / self.image.width(), (self.height() - 16) / self.image.height())

    def _resize(self) -> None:
        if self.zoom and self.image is not None:
            self.setMinimumSize(round(self.image.width() * self.zoom) + 16, round(self.image.height() * self.zoom) + 16)
        else:
            self.setMinimumSize(200, 150)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colours = theme()
        if self.message or self.image is None:
            painter.setPen(colours["text.2"])
            painter.setFont(ui_font(12.5))
            text = self.message or self.tr("Drawing the preview…")
            area = QRectF(self.rect()).adjusted(24, 24, -24, -24)
            painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap), text)
            return
        scale = self.shown_scale()
        w, h = self.image.width() * scale, self.image.height() * scale
        box = QRectF(max(8.0, (self.width() - w) / 2), max(8.0, (self.height() - h) / 2), w, h)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colours.alpha("text", 0.10))
        painter.drawRect(box.translated(0, 2))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.fillRect(box, Qt.GlobalColor.white)
        if self.busy:
            painter.setOpacity(0.45)
        pixmap = self._scaled(box)
        painter.drawPixmap(box, pixmap, QRectF(pixmap.rect()))

    def _scaled(self, box: QRectF) -> QPixmap:
        """The page at its size on screen; made once, since thin lines need a careful reduction."""
        assert self.image is not None
        ratio = self.devicePixelRatioF()
        size = QSize(max(1, round(box.width() * ratio)), max(1, round(box.height() * ratio)))
        key = (self.image.cacheKey(), size.width(), size.height())
        if self._kept is None or self._kept[0] != key:
            modes = Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
            self._kept = (key, QPixmap.fromImage(self.image.scaled(size, *modes)))
        return self._kept[1]


class Thumbs(QWidget):
    """A row of pages to choose from, by mouse or arrow keys."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.images: list[QImage] = []
        self.titles: list[str] = []
        self.current = 0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFixedHeight(THUMB.height() + 30)
        self.setAccessibleName(self.tr("Pages"))

    def show_pages(self, images: list[QImage], titles: list[str]) -> None:
        """Other pages."""
        size = THUMB * 2
        mode = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        self.images = [image.scaled(size, *mode) for image in images]
        self.titles = titles
        self.current = min(self.current, max(0, len(images) - 1))
        self.setMinimumWidth(len(images) * (THUMB.width() + 10) + 6)
        self.update()

    def choose(self, index: int) -> None:
        """Make a page the current one."""
        if 0 <= index < len(self.images) and index != self.current:
            self.current = index
            self.update()
            self.chosen.emit(index)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.choose(int((event.position().x() - 3) // (THUMB.width() + 10)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        self.choose(self.current + step)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colours = theme()
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        painter.setFont(ui_font(11, MEDIUM))
        for n, image in enumerate(self.images):
            box = QRectF(3 + n * (THUMB.width() + 10), 3, THUMB.width(), THUMB.height() + 22)
            here = n == self.current
            painter.setPen(make_pen(colours["select" if here else "border"], 2.0 if here else 1.0))
            painter.setBrush(Qt.GlobalColor.white)
            painter.drawRoundedRect(box, 4, 4)
            scale = min((THUMB.width() - 8) / image.width(), (THUMB.height() - 6) / image.height())
            w, h = image.width() * scale, image.height() * scale
            painter.drawImage(QRectF(box.center().x() - w / 2, 5 + (THUMB.height() - h) / 2, w, h), image)
            # Paper is white in the dark theme too.
            painter.setPen(named_theme("print")["text"])
            foot = QRectF(box.left(), box.bottom() - 20, box.width(), 18)
            painter.drawText(foot, Qt.AlignmentFlag.AlignCenter, str(n + 1))


class Preview(QWidget):
    """Title with zoom buttons, the page, the thumbnails."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_surface(self, "window")
        self.pages: list[QImage] = []
        self.names: list[str] = []
        self.title = ElidedLabel("", self, px=13, weight=SEMIBOLD)
        self.percent = TextLabel("", self, px=12)
        less, more, fit = (
            TextButton("", self, token="text.2", icon_name=name) for name in ("zoom-out", "zoom-in", "fit")
        )
        for button, text in ((less, self.tr("Smaller")), (more, self.tr("Larger")), (fit, self.tr("Fit page"))):
            button.setAccessibleName(text)
            button.setToolTip(text)
            button.setFixedSize(28, 26)
        self.page = PageView(self)
        self.thumbs = Thumbs(self)
        self.page_area = QScrollArea(self)
        self.page_area.setWidget(self.page)
        self.strip = QScrollArea(self)
        self.strip.setWidget(self.thumbs)
        for area in (self.page_area, self.strip):
            area.setWidgetResizable(True)
            area.setFrameShape(QScrollArea.Shape.NoFrame)
            set_surface(area.viewport(), "window")
        self.strip.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.strip.setFixedHeight(THUMB.height() + 46)
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        for widget in (less, self.percent, more, fit):
            head.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 12)
        column.setSpacing(10)
        column.addLayout(head)
        column.addWidget(self.page_area, 1)
        column.addWidget(self.strip)
        less.clicked.connect(lambda: self._step(-1))
        more.clicked.connect(lambda: self._step(1))
        fit.clicked.connect(lambda: self._zoom(0.0))
        self.thumbs.chosen.connect(self._show)

    def show_pages(self, images: list[QImage], names: list[str]) -> None:
        """Pages of the current choices."""
        self.pages, self.names = images, names
        self.page.busy, self.page.message = False, ""
        self.thumbs.show_pages(images, names)
        self._show(self.thumbs.current)

    def set_busy(self) -> None:
        """Old pages stay, paler, until the new ones are there."""
        self.page.busy, self.page.message = True, ""
        self.page.update()

    def say(self, text: str) -> None:
        """A sentence instead of a page."""
        self.page.message, self.page.busy = text, False
        self.page.update()

    def _show(self, index: int) -> None:
        if not self.pages:
            self.title.set_text("")
            self.page.show_image(None)
            return
        text = self.tr("Page {n} of {m}, {title}")
        self.title.set_text(text.format(n=index + 1, m=len(self.pages), title=self.names[index]))
        self.page.show_image(self.pages[index])
        self._tell()

    def _tell(self) -> None:
        self.percent.setText(f"{100 * self.page.shown_scale():.0f} %")

    def _step(self, step: int) -> None:
        now = self.page.shown_scale()
        steps = [z for z in ZOOMS if (z > now * 1.02 if step > 0 else 0 < z < now * 0.98)]
        if steps:
            self._zoom(min(steps) if step > 0 else max(steps))
        elif step < 0:
            self._zoom(0.0)

    def _zoom(self, zoom: float) -> None:
        self.page.set_zoom(zoom)
        self._tell()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._step(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
        else:
            super().wheelEvent(event)
