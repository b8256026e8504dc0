"""What a wiring plan is asked and what it answers: plain values, and the edits that draw it."""

from __future__ import annotations

from dataclasses import dataclass

from fabricwright.design.calls import EditCall
from fabricwright.design.values import Axes, Wire
from fabricwright.units.text import Message

PATTERNS = ("rail-aligned", "one-to-one", "full-mesh", "dual-homed", "planes", "spread", "by-hand")
NETWORKS = ("compute", "storage", "inband", "oob")


@dataclass(frozen=True, slots=True)
class WiringWish:
    """What is asked for.

    ``a``, ``b`` items ("node") or ends ("node:compute", "leaf:1-32/1-2"); an item alone takes its uncabled export or
    free ports. ``per_pair`` cables of each pair of a mesh, 0 = as many as the ports give. ``on`` axes that must agree,
    None = what the pattern means. ``a_axes``/``b_axes`` new axes for a group (same count). ``rows`` of by-hand: (a
    member, a port name, b member, b port name). ``speed`` bit/s. ``split`` faster cages into the slower side's rate.
    """

    a: str
    b: str
    pattern: str = "rail-aligned"
    per_pair: int = 0
    on: tuple[str, ...] | None = None
    speed: float | None = None
    cable: str = "auto"
    network: str = ""
    a_axes: Axes | None = None
    b_axes: Axes | None = None
    rows: tuple[tuple[int, str, int, str], ...] = ()
    split: bool = True


@dataclass(frozen=True, slots=True)
class EndTally:
    """One side, counted per member: ports offered, and the least and most that are used and stay free."""

    item: str
    members: int
    ports: int
    used_min: int
    used_max: int
    free_min: int
    free_max: int
    peers_min: int
    peers_max: int


@dataclass(frozen=True, slots=True)
class PlannedLink:
    """A link row as it would be."""

    a: str
    b: str
    wire: Wire
    network: str
    medium: str
    speed: float | None
    cable: str


@dataclass(frozen=True, slots=True)
class WiringPlan:
    """What would be drawn.

    ``links`` rows to draw, after ``axes`` (item, new axes) were given. ``preview`` (a address, b address) of the first
    rows. ``rows`` cabled port pairs, ``cables`` physical cables (a splitter is one), ``short`` ports that find none.
    ``on`` axes that are joined, ``shared`` those that could be. ``problems`` sentences, the first one matters most; a
    plan that is ``possible`` can be drawn all the same.
    """

    wish: WiringWish
    links: tuple[PlannedLink, ...] = ()
    axes: tuple[tuple[str, Axes], ...] = ()
    on: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()
    preview: tuple[tuple[str, str], ...] = ()
    rows: int = 0
    cables: int = 0
    short: int = 0
    a: EndTally | None = None
    b: EndTally | None = None
    problems: tuple[Message, ...] = ()

    @property
    def possible(self) -> bool:
        """Whether there is something to draw."""
        return bool(self.links) and self.rows > 0


def plan_calls(plan: WiringPlan, design: str, sheet: str) -> tuple[EditCall, ...]:
    """The edits of a plan, in order; run them as one step with the edit ``together`` (``label="wire"``)."""
    where = {"design": design, "sheet": sheet}
    calls = [
        EditCall("set_axes", {**where, "item": item, "axes": [list(axis) for axis in axes]}) for item, axes in plan.axes
    ]
    for link in plan.links:
        wire: dict[str, object] = {"mode": link.wire.mode, "on": list(link.wire.on), "per_pair": link.wire.per_pair}
        if link.wire.rows:
            wire["rows"] = [list(r) for r in link.wire.rows]
        args: dict[str, object] = {**where, "a": link.a, "b": link.b, "wire": wire}
        args |= {"network": link.network, "medium": link.medium, "cable": link.cable, "speed": link.speed}
        calls.append(EditCall("connect", args))
    return tuple(calls)
