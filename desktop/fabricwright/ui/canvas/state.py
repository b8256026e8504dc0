"""What the layers paint from: the scene, and the passing state of the pointer (hover, drag, verdicts)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fabricwright.ui.canvas.source import SceneSource
from fabricwright.ui.paint.scene import F32, Card, Mark, Scene
from fabricwright.ui.paint.sheet import Badge
from fabricwright.units.text import Message


@dataclass(frozen=True, slots=True)
class SlotSign:
    """Verdict on one card while a part hangs on the mouse: ok, warn or error, title, lines (rule id last)."""

    state: str
    title: str
    lines: tuple[str, ...] = ()


@dataclass(slots=True)
class Ghost:
    """The card on the mouse: picture, size, place of its centre, and the tip beside it."""

    card: Card
    w: float
    h: float
    x: float = 0.0
    y: float = 0.0
    tip_title: str = ""
    tip_state: str = ""
    tip_rows: tuple[tuple[str, str, str, float, float], ...] = ()
    tip_note: str = ""


@dataclass(slots=True)
class RubberLink:
    """A link being drawn: from a port to the pointer, with what is said about the target."""

    start: tuple[float, float]
    edge: str
    end: tuple[float, float]
    state: str = "plain"
    lines: tuple[str, ...] = ()
    target: int | None = None


@dataclass(slots=True)
class CanvasState:
    """Shared by view, tools and layers."""

    source: SceneSource
    grid: bool = True
    heat: bool = False
    hover: int | None = None
    hover_mark: tuple[int, Mark] | None = None
    hover_edge: int | None = None
    hover_end: tuple[int, int] | None = None
    hidden_cards: frozenset[int] = frozenset()
    hidden_edges: frozenset[int] = frozenset()
    drag_offset: tuple[float, float] = (0.0, 0.0)
    guides: tuple[tuple[float, float, float, float], ...] = ()
    band: tuple[float, float, float, float] | None = None
    signs: Mapping[int, SlotSign] = field(default_factory=dict)
    hot: int | None = None
    ghost: Ghost | None = None
    link: RubberLink | None = None
    pending: Mapping[int, Card] = field(default_factory=dict)
    found: frozenset[int] = frozenset()
    pulse: tuple[frozenset[int], float] | None = None
    bent: Mapping[int, F32] = field(default_factory=dict)
    show_ports: bool = False
    hasty: bool = False
    tip: tuple[float, float, Message] | None = None

    @property
    def scene(self) -> Scene:
        """The scene as it should be now."""
        return self.source.scene

    @property
    def badges(self) -> Mapping[int, Badge]:
        """Findings by card."""
        return self.source.badges
