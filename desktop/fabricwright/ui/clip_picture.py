"""The selection as other programs take it from the clipboard: a picture, SVG, and the names as text."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMimeData, QRectF, QSize
from PySide6.QtGui import QImage, QPainter

from fabricwright.ui.paint.edges import EdgeList, Edges
from fabricwright.ui.paint.scene import Scene, Style
from fabricwright.ui.paint.sheet import paint_scene
from fabricwright.ui.theme import named_theme

MARGIN = 16.0
LONGEST_PX = 4000
SVG_MIME = "image/svg+xml"


def cut_out(scene: Scene, ids: Iterable[str]) -> Scene:
    """The chosen rows alone: their cards, the frames around chosen boxes, and the lines whose two ends are there."""
    wanted = set(ids)
    rows = sorted({i for row_id in wanted for i in scene.rows_of(row_id)})[:2000]
    place = {old: new for new, old in enumerate(rows)}
    out = Scene(scene.kind)
    out.fill_cards([scene.card(i) for i in rows], [scene.box(i) for i in rows])
    edges = scene.edges
    found = EdgeList()
    chosen = np.zeros(len(scene), np.bool_)
    chosen[rows] = True
    both = np.flatnonzero(chosen[edges.a] & chosen[edges.b]) if len(edges) else np.zeros(0, np.int32)
    for n in both.tolist():
        points = [(float(x), float(y)) for x, y in edges.polyline(n)]
        load = float(edges.load[n])
        found.add(
            edges.links[int(edges.link[n])],
            place[int(edges.a[n])],
            place[int(edges.b[n])],
            _kind(edges, n),
            points,
            rail=int(edges.rail[n]),
            count=int(edges.count[n]),
            load=None if np.isnan(load) else load,
        )
    out.edges = found.arrays()
    drawn = set(out.edges.links)
    out.ties = [t for t in scene.ties if t.link in drawn]
    out.labels = [t for t in scene.labels if t.link in drawn]
    return out


def _kind(edges: Edges, n: int) -> str:
    from fabricwright.ui.paint.edges import KINDS

    return KINDS[int(edges.kind[n])]


def picture_data(scene: Scene, ids: Iterable[str]) -> QMimeData:
    """Picture at twice the size on a white ground, SVG with text as text, and the names one a line."""
    part = cut_out(scene, ids)
    x, y, w, h = part.bounds()
    box = QRectF(x, y, w, h).adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN)
    data = QMimeData()
    names = [part.card(i).titles[0] for i in range(len(part)) if part.style[i] != Style.FRAME]
    data.setText("\n".join(name for name in names if name))
    scale = min(2.0, LONGEST_PX / max(box.width(), box.height(), 1.0))
    image = QImage(QSize(round(box.width() * scale), round(box.height() * scale)), QImage.Format.Format_ARGB32)
    image.fill(named_theme("print")["panel"])
    painter = QPainter(image)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    painter.scale(scale, scale)
    painter.translate(-box.topLeft())
    paint_scene(painter, part, named_theme("print"), 1.0)
    painter.end()
    data.setImageData(image)
    data.setData(SVG_MIME, svg_of(part, box))
    return data


def svg_of(part: Scene, box: QRectF) -> QByteArray:
    """The same drawing as SVG."""
    from PySide6.QtSvg import QSvgGenerator

    out = QByteArray()
    buffer = QBuffer(out)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QSvgGenerator()
    writer.setOutputDevice(buffer)
    writer.setSize(QSize(round(box.width()), round(box.height())))
    writer.setViewBox(QRectF(0, 0, box.width(), box.height()))
    writer.setTitle("Fabricwright")
    painter = QPainter(writer)
    painter.translate(-box.topLeft())
    paint_scene(painter, part, named_theme("print"), 1.0)
    painter.end()
    buffer.close()
    return out
