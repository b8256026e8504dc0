"""Automatic layout of a server sheet: CPUs side by side, below each its tree, end devices in one row, external boxes
under them.

Deterministic: the same rows give the same picture. Loose cards keep the place they were dropped at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from fabricwright.ui.canvas.server_tree import Node, Tree

Box = tuple[float, float, float, float]

DEVICE_W, DEVICE_H = 86.0, 118.0
SLOT_W = 80.0
CHIP_W, CHIP_H = 86.0, 58.0
BRIDGE_H = 40.0
SWITCH_MIN_W, SWITCH_H = 170.0, 84.0
NIC_MID_H = 80.0
CPU_MIN_W, CPU_H = 380.0, 98.0
GAP = 10.0
GROUP_GAP = 22.0
"""Beside a switch with what hangs on it: cards of one root port stand together."""
CPU_GAP = 64.0
ROW_GAP = 46.0
PAD = 20.0
BAR_H = 34.0
CAPTION = 28.0
POWER_W, POWER_H, POWER_GAP, TITLE_W = 400.0, 36.0, 12.0, 220.0


@dataclass(slots=True)
class Placed:
    """Where everything goes. ``boxes`` by Node identity (id of the first row); frames and aids separately."""

    boxes: dict[str, Box] = field(default_factory=dict)
    frame: Box = (0.0, 0.0, 0.0, 0.0)
    box_frames: dict[str, Box] = field(default_factory=dict)
    bar: Box | None = None
    brackets: list[Box] = field(default_factory=list)
    power: Box = (0.0, 0.0, 0.0, 0.0)


def is_chip(node: Node) -> bool:
    """Retimers and bridges are small cards in the link."""
    if node.kind == "pcie-switch" and node.item is not None:
        return sum(p.role == "down" for p in node.item.ports.values()) <= 1 and len(node.children) <= 1
    return node.kind == "retimer"


def is_switch(node: Node) -> bool:
    """Switch cards, switch chips with several things below."""
    if node.kind == "pcie-switch":
        return not is_chip(node)
    return node.kind == "pcie-switch-card" or (node.kind in ("riser", "backplane") and len(node.children) > 1)


def size_of(node: Node) -> tuple[float, float]:
    """Width and height before its children are known."""
    if node.kind == "cpu":
        return CPU_MIN_W, CPU_H
    if is_switch(node):
        return SWITCH_MIN_W, SWITCH_H
    if is_chip(node):
        return (CHIP_W, CHIP_H) if node.kind == "retimer" else (CHIP_W, BRIDGE_H)
    if node.children:
        return DEVICE_W, NIC_MID_H
    return (SLOT_W if node.slot is not None else DEVICE_W), DEVICE_H


def lay_out(tree: Tree, places: Mapping[str, tuple[float, float]], boxes_of: Callable[[str], str]) -> Placed:
    """Positions of all nodes. ``places`` hand-made positions of loose items; ``boxes_of`` title of an external box
    (for its width)."""
    out = Placed()
    rows = _rows(tree)
    heights: dict[int, float] = {}
    for node, row in rows.items_in_chassis():
        heights[row] = max(heights.get(row, 0.0), size_of(node)[1])
    last = max(heights, default=0)
    tops: dict[int, float] = {}
    y = 0.0
    for row in range(last + 1):
        tops[row] = y
        y += heights.get(row, 0.0) + ROW_GAP
    bottom = y - ROW_GAP
    x = 0.0
    for n, root in enumerate(tree.roots):
        order = _mirrored(root) if n == 0 and tree.switches and len(tree.roots) > 1 else root.children
        width = _place(root, x, rows, tops, heights, out, order)
        x += width + CPU_GAP
    x -= CPU_GAP if tree.roots else 0.0
    right = max(x, 0.0)
    right = _place_bare(tree, right, tops.get(last, 0.0), out)
    bottom = _aids(tree, out, bottom)
    if not tree.roots and not out.boxes:
        right, bottom = max(right, 420.0), max(bottom, 200.0)
    wide = min(POWER_W, max(right - TITLE_W, 180.0))
    out.power = (right - wide, bottom + POWER_GAP, wide, POWER_H)
    out.frame = (-PAD, -PAD, right + 2 * PAD, bottom + PAD + POWER_GAP + POWER_H + 10)
    _place_boxes(tree, rows, out, out.frame[1] + out.frame[3] + 24)
    _place_loose(tree, places, out)
    return out


@dataclass(slots=True)
class _Rows:
    row: dict[str, int] = field(default_factory=dict)
    nodes: dict[str, Node] = field(default_factory=dict)

    def items_in_chassis(self) -> list[tuple[Node, int]]:
        return [(n, self.row[i]) for i, n in self.nodes.items() if not n.box]


def _rows(tree: Tree) -> _Rows:
    """Row of each node: things with something below stand at their depth, all ends stand in the last row."""
    out = _Rows()
    ends: list[Node] = []

    def walk(node: Node, depth: int) -> None:
        out.nodes[node.id] = node
        inside = [c for c in node.children if not c.box or node.box]
        if node.kind == "cpu" or node.children or (is_chip(node) and node.parent is not None):
            out.row[node.id] = depth
        else:
            ends.append(node)
        del inside
        for child in node.children:
            walk(child, depth + 1)

    for root in tree.roots:
        walk(root, 0)
    deepest = max((out.row[n.id] for n in out.nodes.values() if n.id in out.row and not n.box), default=0)
    for node in ends:
        out.row[node.id] = deepest + 1
    for node in tree.bare:
        out.nodes[node.id] = node
        out.row[node.id] = deepest + 1
    return out


def _mirrored(root: Node) -> list[Node]:
    """With NVSwitches, the first socket's GPUs stand right so that the bar under all GPUs has no gap."""
    return [c for c in reversed(root.children) if not _leads_to_gpu(c)] + [c for c in root.children if _leads_to_gpu(c)]


def _leads_to_gpu(node: Node) -> bool:
    return not node.box and (node.kind == "gpu" or any(_leads_to_gpu(c) for c in node.children))


def span_of(node: Node) -> float:
    """Width of a subtree."""
    own = size_of(node)[0]
    return max(own, _inner(node.children))


def _gap(left: Node, right: Node) -> float:
    return GROUP_GAP if any(is_switch(n) and len(n.children) > 1 for n in (left, right)) else GAP


def _inner(children: Sequence[Node]) -> float:
    """Width of subtrees beside each other."""
    return sum(map(span_of, children)) + sum(map(_gap, children, children[1:]))


def _place(
    node: Node,
    x: float,
    rows: _Rows,
    tops: Mapping[int, float],
    heights: Mapping[int, float],
    out: Placed,
    order: list[Node] | None = None,
) -> float:
    """Place a subtree with its left edge at ``x``; returns its width."""
    width = span_of(node)
    w, h = size_of(node)
    children = node.children if order is None else order
    at = x + (width - _inner(children)) / 2
    centres = []
    for n, child in enumerate(children):
        used = _place(child, at, rows, tops, heights, out)
        box = out.boxes.get(child.id)
        if box:
            centres.append(box[0] + box[2] / 2)
        at += used + (_gap(child, children[n + 1]) if n + 1 < len(children) else 0.0)
    row = rows.row[node.id]
    if node.kind == "cpu":
        w = width
    elif is_switch(node) and len(children) > 1 and centres:
        w = min(max(w, centres[-1] - centres[0] + DEVICE_W), max(width, w))
    left = x + (width - w) / 2
    if centres and node.kind != "cpu":
        middle = (centres[0] + centres[-1]) / 2
        left = min(max(middle - w / 2, x), x + width - w)
    if not node.box:
        top = tops[row]
        if is_chip(node) and heights.get(row, h) > h:
            top += (heights[row] - h) / 2
        out.boxes[node.id] = (left, top, w, h)
    else:
        out.boxes[node.id] = (left, 0.0, w, h)
    return width


def _place_bare(tree: Tree, right: float, y: float, out: Placed) -> float:
    """Slots that nothing feeds yet, at the right end of the device row."""
    x = right + (CPU_GAP if right else 0.0)
    for node in tree.bare:
        if node.box:
            continue
        w, h = size_of(node)
        out.boxes[node.id] = (x, y, w, h)
        x += w + GAP
    return x - GAP if any(not n.box for n in tree.bare) else right


def _aids(tree: Tree, out: Placed, bottom: float) -> float:
    """NVSwitch bar and NVLink brackets under the device row."""
    gpus = [
        out.boxes[n.id]
        for n in {id(n): n for n in tree.nodes.values()}.values()
        if n.kind == "gpu" and n.id in out.boxes and not n.box
    ]
    if tree.switches and gpus:
        x0, x1 = min(b[0] for b in gpus), max(b[0] + b[2] for b in gpus)
        out.bar = (x0, bottom + 30, x1 - x0, BAR_H)
        bottom += 30 + BAR_H
    elif tree.switches:
        out.bar = (0.0, bottom + 30, 420.0, BAR_H)
        bottom += 30 + BAR_H
    level = bottom
    for members, _links in tree.domains:
        boxes = [out.boxes[m] for m in members if m in out.boxes]
        if not boxes:
            out.brackets.append((0.0, 0.0, 0.0, 0.0))
            continue
        x0, x1 = min(b[0] for b in boxes) + 8, max(b[0] + b[2] for b in boxes) - 8
        y = max(b[1] + b[3] for b in boxes) + 5
        out.brackets.append((x0, y, x1 - x0, 34.0))
        level = max(level, y + 34)
    return max(bottom, level)


def _place_boxes(tree: Tree, rows: _Rows, out: Placed, y: float) -> None:
    """External boxes: a frame below the chassis around whatever sits in them, under the cards that feed them."""
    members: dict[str, list[Node]] = {}
    for node in rows.nodes.values():
        if node.box:
            members.setdefault(node.box, []).append(node)
    for node in tree.loose + tree.bare:
        if node.box and node not in members.get(node.box, ()):
            members.setdefault(node.box, []).append(node)
    edge = -1e9
    for box_id, nodes in members.items():
        fed = [n for n in nodes if n.id in out.boxes]
        rest = [n for n in nodes if n.id not in out.boxes and n.kind not in ("bmc",)]
        depth = {n.id: _depth_in_box(n) for n in fed}
        lowest = max(depth.values(), default=0)
        tops = [y + 40 + level * (SWITCH_H + 44) for level in range(lowest + 1)]
        for node in fed:
            x, _y, w, h = out.boxes[node.id]
            level = lowest if not node.children else depth[node.id]
            out.boxes[node.id] = (x, tops[level], w, h)
        x = max((out.boxes[n.id][0] + out.boxes[n.id][2] for n in fed), default=max(edge + 40, 0.0) - GAP) + GAP
        for node in rest:
            w, h = size_of(node)
            out.boxes[node.id] = (x, tops[-1], w, h)
            x += w + GAP
        inside = [out.boxes[n.id] for n in nodes if n.id in out.boxes]
        if not inside:
            continue
        x0, x1 = min(b[0] for b in inside) - 14, max(b[0] + b[2] for b in inside) + 14
        low = max(b[1] + b[3] for b in inside)
        out.box_frames[box_id] = (x0, y, x1 - x0, low - y + 14 + CAPTION + 4)
        edge = x1


def _depth_in_box(node: Node) -> int:
    depth = 0
    above = node.parent
    while above is not None and above.box == node.box:
        depth += 1
        above = above.parent
    return depth


def _place_loose(tree: Tree, places: Mapping[str, tuple[float, float]], out: Placed) -> None:
    """Items without any connection: where they were dropped, else in a row above the frame."""
    x = 0.0
    for node in tree.loose:
        if node.id in out.boxes or node.box or node.id in out.box_frames:
            continue
        w, h = size_of(node)
        if node.id in places:
            out.boxes[node.id] = (places[node.id][0], places[node.id][1], w, h)
        else:
            out.boxes[node.id] = (x, out.frame[1] - h - 40, w, h)
            x += w + GAP
