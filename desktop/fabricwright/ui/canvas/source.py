"""Keeps the scene of the open sheet: built when somebody looks, thrown away when a patch, a sheet, a language or a
result changes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from fabricwright.design.address import parse_address
from fabricwright.design.frames import rows_in
from fabricwright.design.patch import Patch
from fabricwright.design.values import Sheet
from fabricwright.ui.canvas.annotations import add_annotations
from fabricwright.ui.canvas.selected import boxes_of
from fabricwright.ui.context import UiContext
from fabricwright.ui.paint.scene import Card, Scene, Style
from fabricwright.ui.paint.sheet import Badge
from fabricwright.units.errors import UserError

_RANK = {"error": 0, "warning": 1, "info": 2}


class SceneSource(QObject):
    """``scene`` and ``badges`` of the open sheet. ``changed`` says why: "rows", "place", "heat", "badges" or "text";
    "built" when the scene that changed rows asked for is there."""

    changed = Signal(str)
    _wanted = Signal()

    def __init__(self, context: UiContext) -> None:
        super().__init__(context)
        self.context = context
        self.built = 0
        self._scene: Scene | None = None
        self._last: Scene | None = None
        self._badges: dict[int, Badge] | None = None
        #: Bounds (x, y, w, h) of the sheet that was left last, as it was drawn then; None = not known.
        self.left: tuple[float, float, float, float] | None = None
        # A turn of its own, after the edit and before the next frame (which has a low priority).
        self._wanted.connect(self._build, Qt.ConnectionType.QueuedConnection)
        context.document.project_changed.connect(self._patched)
        context.place_changed.connect(lambda: self.drop("place"))
        context.language_changed.connect(lambda _code: self.drop("text"))
        context.heat_changed.connect(lambda *_: self.changed.emit("heat"))
        context.analysis.changed.connect(self._analysed)

    @property
    def scene(self) -> Scene:
        """The scene as it should be now."""
        if self._scene is None:
            self._scene = self._last = build_scene(self.context, self._last)
            self.built += 1
            self._badges = None
        return self._scene

    @property
    def badges(self) -> Mapping[int, Badge]:
        """Findings by card."""
        scene = self.scene
        if self._badges is None:
            self._badges = place_badges(self.context, scene)
        return self._badges

    def drop(self, why: str) -> None:
        """Forget the scene; it is built again when it is next looked at."""
        if why == "place":
            self.left = self._scene.bounds() if self._scene is not None else None
        self._scene = None
        self._badges = None
        if why == "place":
            self._last = None
        self.changed.emit(why)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is drawn. Told without building a scene where the rows tell."""
        row = self.context.design_row.sheets.get(self.context.sheet)
        if self._scene is None and row is not None and row.kind == "fabric" and row.items:
            return False
        return len(self.scene) == 0

    def _build(self) -> None:
        if self._scene is None:
            _ = self.scene
            self.changed.emit("built")

    def _patched(self, patch: Patch | None) -> None:
        if patch is None or touches(patch, self.context.design):
            self.drop("rows")
            self._wanted.emit()

    def _analysed(self, topics: frozenset[str]) -> None:
        if topics & {"sheets", "heat"}:
            self.drop("heat")
        elif (
            "findings" in topics or "placement" in topics or ("training" in topics and self.context.analysis.placement)
        ):
            self._badges = None
            self.changed.emit("badges")


def touches(patch: Patch, design: str) -> bool:
    """Whether a patch can change what a design's sheets look like."""
    for path in patch.paths():
        if path[0] == "parts" or (path[0] == "designs" and (len(path) == 1 or path[1] == design)):
            if len(path) > 2 and path[2] in ("settings", "ranks", "title"):
                continue
            return True
    return False


def build_scene(context: UiContext, previous: Scene | None = None) -> Scene:
    """Scene of the context's open sheet; ``previous`` one of the same sheet, whose lines stay where they can."""
    row = context.design_row.sheets.get(context.sheet)
    if row is None:
        return Scene("fabric")
    scene = _scene_of(context, previous)
    add_annotations(context.project, row, scene)
    add_frames(row, scene)
    scene.stack({k: look.z for k, look in row.look.items() if look.z})
    return scene


def add_frames(row: Sheet, scene: Scene) -> None:
    """Titled boxes drawn by hand: where they were put, or around what they hold. Drawing groups have no box."""
    cards, boxes = [], []
    for frame_id, frame in row.frames.items():
        if frame.group:
            continue
        box: tuple[float, float, float, float] | None = None
        if len(frame.xy) == 2 and len(frame.wh) == 2:
            box = (frame.xy[0], frame.xy[1], frame.wh[0], frame.wh[1])
        else:
            inside = list(boxes_of(scene, rows_in(row, frame_id)).values())
            if inside:
                x0, y0 = min(b[0] for b in inside) - 24, min(b[1] for b in inside) - 24
                x1, y1 = max(b[0] + b[2] for b in inside) + 24, max(b[1] + b[3] for b in inside) + 42
                box = (x0, y0, x1 - x0, y1 - y0)
        if box is not None:
            cards.append(Card(frame_id, Style.FRAME, "frame", (frame.title or " ",), frame="border.strong"))
            boxes.append(box)
    scene.append(cards, boxes)


def _scene_of(context: UiContext, previous: Scene | None) -> Scene:
    project, design, sheet, analysis = context.project, context.design_row, context.sheet, context.analysis
    if design.sheets[sheet].kind == "server":
        from fabricwright.ui.canvas.server_scene import server_scene

        heat = analysis.heat_interior.get(sheet, {})
        return server_scene(
            project, design, sheet, context.language, host=context.host, summary=analysis.sheets.get(sheet), heat=heat
        )
    from fabricwright.ui.canvas.fabric_scene import fabric_scene

    return fabric_scene(
        project, design, sheet, context.language, heat=analysis.heat, sheets=analysis.sheets, previous=previous
    )


def place_badges(context: UiContext, scene: Scene) -> dict[int, Badge]:
    """Worst severity and count per card, from the findings that were not approved; facts have no badge."""
    rows: dict[int, list[tuple[str, str]]] = {}
    for key, finding in context.analysis.findings.items():
        if finding.get("approved") or finding.get("severity") not in _RANK:
            continue
        for index in cards_of(context, scene, finding):
            rows.setdefault(index, []).append((str(finding["severity"]), key))
    out = {}
    for index, entries in rows.items():
        worst = min((s for s, _ in entries), key=lambda s: _RANK[s])
        out[index] = Badge(worst, len(entries), tuple(k for _, k in entries))
    return out


def cards_of(context: UiContext, scene: Scene, finding: Mapping[str, Any]) -> list[int]:
    """Cards that a finding is about on the open sheet: on the fabric sheet the group, on a server sheet the part
    inside."""
    places: list[int] = []
    for text in list(finding.get("at", ()))[:1]:
        try:
            where = parse_address(str(text))
        except UserError:
            continue
        if not where.steps or (where.design and where.design != context.design):
            continue
        if context.host:
            sheet = finding.get("sheet")
            if sheet and sheet != context.sheet and not _based_on(context, str(sheet)):
                continue
            inner = where.steps[1:] if where.steps[0].item == context.host else where.steps
            name = "/".join(step.item for step in inner)
            places += scene.by_id.get(name, [])[:1] or (scene.by_id.get(inner[0].item, [])[:1] if inner else [])
            continue
        step = where.steps[0]
        if step.item in scene.runs:
            places += scene.rows_of(step.item, step.members)[:64]
            continue
        mine = [i for i in scene.by_id.get(step.item, ()) if scene.style[i] != Style.FRAME]
        if step.members is not None and len(mine) > 1:
            wanted = set(step.members) if len(step.members) < 4096 else None
            if wanted is not None:
                exact = [i for i in mine if (m := scene.card(i).members) is not None and any(x in m for x in wanted)]
                mine = exact or mine
        places += mine[:64]
    return places


def _based_on(context: UiContext, sheet: str) -> bool:
    """Whether the open sheet is a variant of ``sheet``: what is wrong there is wrong here too."""
    design = context.design_row
    return any(row.base == sheet for row in design.lineage(design.sheets.get(context.sheet)))
