"""Recorded drawings as a draw.io file: uncompressed mxGraph, one page a drawing, and everything stays editable.

A group becomes a container with its texts and pictograms as children, its ports become child cells, and a line that
joins two ports becomes a connector with source and target. Each layer of the drawing is a layer of the page.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from functools import lru_cache
from xml.sax.saxutils import quoteattr

from fabricwright.exchange.font_metrics import text_width
from fabricwright.exchange.ink import Begin, End, Ink, Line, Op, Path, Picture, Port, Rect, Symbol, Text
from fabricwright.exchange.svg import clean, pictogram_markup
from fabricwright.units.text import Message, msg

LAST = ("links", "labels")
"""Layers that lie on top of all others, in this order."""

PLAIN_ENDS = "endArrow=none;startArrow=none;html=0;"
IN_THE_MIDDLE = "exitX=0.5;exitY=0.5;exitPerimeter=0;entryX=0.5;entryY=0.5;entryPerimeter=0;"


def layer_title(name: str) -> Message:
    """What a layer is called in the file."""
    known = {
        "": msg("Page"),
        "page": msg("Page"),
        "frames": msg("Frames"),
        "servers": msg("Servers"),
        "tier1": msg("Leaf"),
        "tier2": msg("Spine"),
        "tier3": msg("Core"),
        "networks": msg("Other networks"),
        "parts": msg("Parts"),
        "links": msg("Links"),
        "labels": msg("Labels"),
        "notes": msg("Notes"),
        "findings": msg("Findings"),
    }
    return known.get(name) or msg("{layer}", layer=name)


def drawio_bytes(pages: Sequence[Ink], names: Sequence[str] = ()) -> bytes:
    """The file, UTF-8. ``names`` of the pages (default: their titles). The same drawings give the same bytes."""
    out = ['<?xml version="1.0" encoding="UTF-8"?>', '<mxfile host="Fabricwright" type="device">']
    for number, ink in enumerate(pages):
        name = names[number] if number < len(names) else ink.title
        out.append(f'<diagram id="page-{number + 1}" name={_q(name)}>')
        out.append(
            '<mxGraphModel grid="1" gridSize="10" guides="1" tooltips="1" connect="1" arrows="0" fold="1" page="1" '
            f'pageScale="1" pageWidth="{_n(ink.width)}" pageHeight="{_n(ink.height)}" math="0" shadow="0"><root>'
        )
        out += _Page(ink).cells()
        out.append("</root></mxGraphModel></diagram>")
    return "\n".join([*out, "</mxfile>", ""]).encode()


class _Page:
    """The cells of one drawing."""

    def __init__(self, ink: Ink) -> None:
        self._ink = ink
        self._layers: dict[str, list[str]] = {}
        self._ports = {op.name: op for op in ink.ops if isinstance(op, Port)}
        self._ports_of: dict[str, list[Port]] = {}
        for port in self._ports.values():
            self._ports_of.setdefault(port.owner, []).append(port)
        self._boxes: dict[str, Rect] = {}
        self._count = 0

    def cells(self) -> list[str]:
        """Everything between <root> and </root>."""
        ops, at = self._ink.ops, 0
        self._find_boxes()
        while at < len(ops):
            op = ops[at]
            if isinstance(op, Begin):
                end = _end_of(ops, at)
                self._group(op, ops[at + 1 : end])
                at = end
            else:
                self._loose(op)
            at += 1
        order = sorted(self._layers, key=lambda name: LAST.index(name) + 1 if name in LAST else 0)
        out = ['<mxCell id="0"/>']
        for name in order:
            title = layer_title(name).text(self._ink.lang)
            out.append(f'<mxCell id={_q(_layer_id(name))} value={_q(title)} parent="0"/>')
        for name in order:
            out += self._layers[name]
        return out

    def _find_boxes(self) -> None:
        """The rectangle of each group: the largest that is drawn in it."""
        ops = self._ink.ops
        for at, op in enumerate(ops):
            if isinstance(op, Begin):
                inside = [row for row in ops[at + 1 : _end_of(ops, at)] if isinstance(row, Rect)]
                if inside:
                    self._boxes[op.name] = max(inside, key=lambda row: row.w * row.h)

    def _into(self, layer: str) -> list[str]:
        return self._layers.setdefault(layer or "page", [])

    def _group(self, begin: Begin, inside: Sequence[Op]) -> None:
        cells = self._into(begin.layer)
        box = self._boxes.get(begin.name)
        rows = [op for op in inside if not isinstance(op, (Begin, End, Port))]
        if box is None:
            for op in rows:
                self._draw(op, _layer_id(begin.layer or "page"), 0, 0, cells)
            return
        style = self._rect_style(box) + "container=1;collapsible=0;recursiveResize=0;expand=0;"
        self._vertex(cells, f"g-{begin.name}", "", style, _layer_id(begin.layer or "page"), box.x, box.y, box.w, box.h)
        main_done = False
        for op in rows:
            if op is box and not main_done:
                main_done = True
                continue
            self._draw(op, f"g-{begin.name}", box.x, box.y, cells)
        for port in self._ports_of.get(begin.name, ()):
            self._port(port, f"g-{begin.name}", box.x, box.y, cells)

    def _loose(self, op: Op) -> None:
        if isinstance(op, Port):
            if op.owner not in self._boxes:
                self._port(op, _layer_id("page"), 0, 0, self._into("page"))
        elif isinstance(op, Line) and op.ends is not None:
            self._draw(op, _layer_id("links"), 0, 0, self._into("links"))
        else:
            self._draw(op, _layer_id("page"), 0, 0, self._into("page"))

    def _port(self, port: Port, parent: str, x0: float, y0: float, cells: list[str]) -> None:
        fill = self._ink.colour(port.fill)
        style = f"rounded=1;arcSize=20;strokeColor=none;fillColor={fill};resizable=0;fontSize=1;points=[[0.5,0.5]];"
        label = port.name.rpartition(":")[2]
        place = _geometry(port.x - x0, port.y - y0, port.w, port.h)
        cells.append(
            f'<object id={_q(f"p-{port.name}")} label="" port={_q(label)}>'
            f'<mxCell style={_q(style)} vertex="1" parent={_q(parent)}>{place}</mxCell></object>'
        )

    def _draw(self, op: Op, parent: str, x0: float, y0: float, cells: list[str]) -> None:
        if isinstance(op, Rect):
            self._vertex(cells, self._id(), "", self._rect_style(op), parent, op.x - x0, op.y - y0, op.w, op.h)
        elif isinstance(op, Text):
            self._text(op, parent, x0, y0, cells)
        elif isinstance(op, Symbol):
            data = _picture_data(op.name, self._ink.colour(op.fill))
            style = f"shape=image;aspect=fixed;imageAspect=0;connectable=0;image=data:image/svg+xml,{data};"
            self._vertex(cells, self._id(), "", style, parent, op.x - x0, op.y - y0, op.size, op.size)
        elif isinstance(op, Picture):
            style = f"shape=image;imageAspect=0;connectable=0;image=data:{op.media},{op.data};"
            self._vertex(cells, self._id(), "", style, parent, op.x - x0, op.y - y0, op.w, op.h)
        elif isinstance(op, Line):
            self._line(op, parent, x0, y0, cells)
        elif isinstance(op, Path):
            xs = [float(v) for step in op.steps for v in step[1::2]]
            ys = [float(v) for step in op.steps for v in step[2::2]]
            style = self._shape(op, min(xs), min(ys), max(xs) - min(xs) or 1.0, max(ys) - min(ys) or 1.0)
            w, h = max(xs) - min(xs) or 1.0, max(ys) - min(ys) or 1.0
            self._vertex(cells, self._id(), "", style, parent, min(xs) - x0, min(ys) - y0, w, h)

    def _shape(self, op: Path, x: float, y: float, w: float, h: float) -> str:
        points, closed = [], any(step[0] == "Z" for step in op.steps)
        for step in op.steps:
            if len(step) > 2:
                points.append((float(step[-2]), float(step[-1])))
        coords = ",".join(f"[{_n((px - x) / w)},{_n((py - y) / h)}]" for px, py in points)
        kind = "mxgraph.basic.polygon" if closed else "mxgraph.basic.polyline"
        pen = f"strokeColor={self._ink.colour(op.stroke) if op.width else 'none'};strokeWidth={_n(op.width or 1)};"
        return f"shape={kind};polyCoords=[{coords}];polyline={0 if closed else 1};fillColor={self._fill(op.fill)};{pen}"

    def _text(self, op: Text, parent: str, x0: float, y0: float, cells: list[str]) -> None:
        width = text_width(op.text, op.size, op.weight) + 4
        left = {"start": op.x - 2, "middle": op.x - width / 2, "end": op.x - width + 2}[op.anchor]
        height = op.size * 1.3
        align = {"start": "left", "middle": "center", "end": "right"}[op.anchor]
        style = (
            f"text;html=0;align={align};verticalAlign=middle;spacing=2;spacingTop=-2;whiteSpace=nowrap;overflow=visible;"
            f"fontSize={_n(op.size)};fontColor={self._ink.colour(op.fill)};fontStyle={1 if op.weight >= 600 else 0};"
            "fontFamily=Fabricwright Sans,Inter,Noto Sans SC,Microsoft YaHei;"
            "strokeColor=none;fillColor=none;connectable=0;"
        )
        if op.turn:
            style += f"rotation={_n(op.turn)};"
        self._vertex(cells, self._id(), op.text, style, parent, left - x0, op.y - op.size - y0, width, height)

    def _line(self, op: Line, parent: str, x0: float, y0: float, cells: list[str]) -> None:
        style = f"{PLAIN_ENDS}strokeColor={self._ink.colour(op.stroke)};strokeWidth={_n(op.width)};"
        style += f"rounded={1 if op.radius else 0};arcSize={_n(max(1, op.radius * 2))};"
        if op.dash:
            style += f"dashed=1;fixDash=1;dashPattern={op.dash};"
        points = [(x - x0, y - y0) for x, y in op.points]
        inner = "".join(f'<mxPoint x="{_n(x)}" y="{_n(y)}"/>' for x, y in points[1:-1])
        way = f'<Array as="points">{inner}</Array>' if inner else ""
        joined = op.ends if op.ends and all(end in self._ports for end in op.ends) else None
        if joined:
            style = f"edgeStyle=orthogonalEdgeStyle;{style}{IN_THE_MIDDLE}"
            ends = f" source={_q(f'p-{joined[0]}')} target={_q(f'p-{joined[1]}')}"
            name = f"l-{op.name or joined[0]}-{self._number()}"
            extra = ""
        else:
            ends, name = "", self._id()
            (xa, ya), (xb, yb) = points[0], points[-1]
            extra = f'<mxPoint x="{_n(xa)}" y="{_n(ya)}" as="sourcePoint"/>'
            extra += f'<mxPoint x="{_n(xb)}" y="{_n(yb)}" as="targetPoint"/>'
        cells.append(
            f'<mxCell id={_q(name)} value="" style={_q(style)} edge="1" parent={_q(parent)}{ends}>'
            f'<mxGeometry relative="1" as="geometry">{extra}{way}</mxGeometry></mxCell>'
        )

    def _rect_style(self, op: Rect) -> str:
        pen = (
            f"strokeColor={self._ink.colour(op.stroke)};strokeWidth={_n(op.width)};"
            if op.width
            else "strokeColor=none;"
        )
        dash = f"dashed=1;fixDash=1;dashPattern={op.dash};" if op.dash else ""
        round_ = f"rounded=1;absoluteArcSize=1;arcSize={_n(2 * op.radius)};" if op.radius > 0 else "rounded=0;"
        return f"{round_}html=0;fillColor={self._fill(op.fill)};{pen}{dash}"

    def _fill(self, token: str) -> str:
        return self._ink.colour(token)

    def _vertex(
        self, cells: list[str], name: str, value: str, style: str, parent: str, x: float, y: float, w: float, h: float
    ) -> None:
        cells.append(
            f'<mxCell id={_q(name)} value={_q(value)} style={_q(style)} vertex="1" parent={_q(parent)}>'
            f"{_geometry(x, y, w, h)}</mxCell>"
        )

    def _number(self) -> int:
        self._count += 1
        return self._count

    def _id(self) -> str:
        return f"c{self._number()}"


@lru_cache(maxsize=256)
def _picture_data(name: str, tint: str) -> str:
    """A pictogram in one colour, base64. draw.io separates styles by ";", so its data addresses leave out ";base64"."""
    box, markup = pictogram_markup(name)
    tinted = markup.replace("currentColor", tint)
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="48" height="48">{tinted}</svg>'
    return base64.b64encode(svg.encode()).decode()


def _end_of(ops: Sequence[Op], start: int) -> int:
    depth = 0
    for at in range(start, len(ops)):
        if isinstance(ops[at], Begin):
            depth += 1
        elif isinstance(ops[at], End):
            depth -= 1
            if not depth:
                return at
    return len(ops)


def _layer_id(name: str) -> str:
    return f"layer-{name or 'page'}"


def _geometry(x: float, y: float, w: float, h: float) -> str:
    return f'<mxGeometry x="{_n(x)}" y="{_n(y)}" width="{_n(w)}" height="{_n(h)}" as="geometry"/>'


def _q(text: str) -> str:
    return quoteattr(clean(text))


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") or "0"
