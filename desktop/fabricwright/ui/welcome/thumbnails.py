"""Small pictures of projects: what a template or a file looks like, painted by the same code as the canvas.

Those of the templates are made when the program is built (``scripts/bake_thumbnails.py``) and ship in
``resources/thumbnails``; those of files are kept beside the settings when a file is saved or opened.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter

from fabricwright.resources import resource_path
from fabricwright.ui.theme import Theme, named_theme

if TYPE_CHECKING:
    from fabricwright.design.values import Project
    from fabricwright.ui.paint.scene import Scene

#: Size of a thumbnail in logical pixels; files hold it at twice the size.
SIZE = QSize(316, 118)
RATIO = 2
_MARGIN = 10
_LARGEST = 1.0


def scene_of(project: Project, language: str = "en") -> Scene | None:
    """What shows a project best: its first fabric sheet, or inside its server where there is no more than one. None
    when nothing is drawn."""
    from fabricwright.design.order import designs_in_order

    names = designs_in_order(project)
    if not names:
        return None
    design = project.designs[names[0]]
    root = design.sheets.get(design.root)
    if root is None:
        return None
    servers = [k for k, row in root.items.items() if row.of and row.of.startswith("sheet:")]
    of = (root.items[servers[0]].of or "")[6:] if len(servers) == 1 else ""
    if of in design.sheets and not root.links:
        from fabricwright.ui.canvas.server_scene import server_scene

        return server_scene(project, design, of, language, host=servers[0])
    from fabricwright.ui.canvas.fabric_scene import fabric_scene

    scene = fabric_scene(project, design, design.root, language)
    return scene if len(scene) else None


def picture(scene: Scene, colours: Theme, size: QSize = SIZE, ratio: int = RATIO) -> QImage:
    """The scene in the middle of a transparent picture of ``size`` logical pixels."""
    from fabricwright.ui.paint.sheet import paint_scene  # numpy; the page is there before it

    image = QImage(size * ratio, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    x, y, w, h = scene.bounds()
    room_w, room_h = size.width() - 2 * _MARGIN, size.height() - 2 * _MARGIN
    scale = min(room_w / max(w, 1.0), room_h / max(h, 1.0), _LARGEST)
    painter = QPainter(image)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    painter.scale(ratio, ratio)
    painter.translate(size.width() / 2, size.height() / 2)
    painter.scale(scale, scale)
    painter.translate(-x - w / 2, -y - h / 2)
    paint_scene(painter, scene, colours, scale, QRectF(x, y, w, h))
    painter.end()
    image.setDevicePixelRatio(ratio)
    return image


def _read(path: Path) -> QImage | None:
    image = QImage(str(path))
    if image.isNull():
        return None
    image.setDevicePixelRatio(RATIO)
    return image


def baked(template: str, theme_name: str) -> QImage | None:
    """The picture of a template that ships with the program."""
    return _read(resource_path("thumbnails", f"{template}-{theme_name}.png"))


class FileThumbnails:
    """Pictures of files that were opened, in a folder beside the settings; none are kept without such a folder."""

    def __init__(self, settings_file: str) -> None:
        folder = Path(settings_file).parent if settings_file else None
        self._folder = folder / "thumbnails" if folder is not None and folder.is_dir() else None
        if str(folder) in ("/dev", ""):
            self._folder = None

    def _path(self, file: Path, theme_name: str) -> Path | None:
        if self._folder is None:
            return None
        import hashlib  # brings OpenSSL

        name = hashlib.sha256(str(file).encode("utf-8", "surrogatepass")).hexdigest()[:24]
        return self._folder / f"{name}-{theme_name}.png"

    def read(self, file: Path, theme_name: str) -> QImage | None:
        """The picture of a file, None when there is none yet."""
        path = self._path(file, theme_name)
        return _read(path) if path is not None and path.exists() else None

    def keep(self, file: Path, scene: Scene | None) -> None:
        """Remember what a file looks like, in both themes. A picture that cannot be written is only missed."""
        if scene is None or self._folder is None:
            return
        try:
            self._folder.mkdir(exist_ok=True)
        except OSError:
            return
        for name in ("light", "dark"):
            path = self._path(file, name)
            if path is not None:
                picture(scene, named_theme(name), ratio=RATIO).save(str(path))

    def forget(self, keep: list[Path]) -> None:
        """Delete the pictures of files that are in the list no more."""
        if self._folder is None or not self._folder.is_dir():
            return
        wanted = {self._path(file, name) for file in keep for name in ("light", "dark")}
        for path in self._folder.glob("*.png"):
            if path not in wanted:
                path.unlink(missing_ok=True)
