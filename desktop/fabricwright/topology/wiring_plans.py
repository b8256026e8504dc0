"""Group-to-group wiring as a plan: which port would meet which, how many cables, what is short, and the edits it takes.

Pure and quick enough to be made anew with every option that changes; nothing is stored until ``plan_calls`` is run
(all of them as the one edit ``together``). Patterns: document model, section 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fabricwright.design.address import split_end
from fabricwright.design.calls import EditCall
from fabricwright.design.edits.items import _axes
from fabricwright.design.effective import EffItem, EffSheet, effective
from fabricwright.design.port_text import port_text
from fabricwright.design.values import Axes, Design, Link, Project, Wire
from fabricwright.design.wiring import Wired, end_of, product, wire_rows
from fabricwright.topology.port_choice import free_ports, network_exports, used_ports
from fabricwright.topology.wiring_sides import Side, preview, tally
from fabricwright.topology.wiring_wish import (
    NETWORKS,
    PATTERNS,
    EndTally,
    PlannedLink,
    WiringPlan,
    WiringWish,
    plan_calls,
)
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

MAX_LISTED = 4096
"""Rows of a listed wiring that a plan writes; beyond, axes should say it."""


def plan_wiring(project: Project, design: str, sheet: str, wish: WiringWish, *, shown: int = 12) -> WiringPlan:
    """The plan for a wish. Raises UserError only for ids and words that do not exist; anything else is a problem of the
    plan."""
    if design not in project.designs or sheet not in project.designs[design].sheets:
        raise UserError(msg("Sheet '{sheet}' does not exist in design '{design}'.", sheet=sheet, design=design))
    if wish.pattern not in PATTERNS:
        known = ", ".join(PATTERNS)
        raise UserError(msg("Pattern '{pattern}' is not known; expected {known}.", pattern=wish.pattern, known=known))
    row = project.designs[design]
    eff = effective(project, row, sheet)
    planner = _Planner(project, row, design, sheet, eff, wish)
    return planner.plan(shown)


class _Planner:
    """One plan being made."""

    def __init__(self, project: Project, row: Design, design: str, sheet: str, eff: EffSheet, wish: WiringWish) -> None:
        self.project, self.row, self.design, self.sheet, self.eff, self.wish = project, row, design, sheet, eff, wish
        self.problems: list[Message] = []
        self.axes: list[tuple[str, Axes]] = []

    def plan(self, shown: int) -> WiringPlan:
        """Ends, pattern, rows, counts."""
        wish = self.wish
        if split_end(wish.a)[0] == split_end(wish.b)[0]:
            raise UserError(msg("A link needs two different ends; both are '{end}'.", end=split_end(wish.a)[0]))
        a, b = self._side(wish.a, 0.0, wish.a_axes), self._side(wish.b, 0.0, wish.b_axes)
        if b.export and not a.export and wish.pattern not in ("full-mesh", "by-hand"):
            a, b = b, a  # a server's ports are dealt to switches, whichever was pointed at first
        slower = min((s.gbps for s in (a, b) if s.gbps), default=0.0)
        rate = min(slower, wish.speed / 1e9) if wish.speed and slower else slower
        if wish.split and rate:
            a, b = self._resplit(a, rate), self._resplit(b, rate)
        if wish.pattern == "by-hand":
            return self._by_hand(a, b, shown)
        for side in (a, b):
            if not side.offered:
                self.problems.append(msg("'{item}' has no free port.", item=side.item.id))
                return self._empty(a, b)
        b, wire = self._wire(a, b)
        if wire is None:
            return self._empty(a, b)
        return self._finished(a, b, wire, shown)

    # -- ends ----------------------------------------------------------------------------------------------------------

    def _side(self, text: str, gbps: float, axes: Axes | None) -> Side:
        item_id, ports = split_end(text)
        item = self.eff.items.get(item_id)
        if item is None:
            raise UserError(msg("Item '{item}' does not exist on sheet '{sheet}'.", item=item_id, sheet=self.sheet))
        export = ""
        shown = network_exports(self.project, self.row, self.eff, item)
        if not ports and shown:
            free = [name for name in shown if name not in used_ports(self.eff, item_id)] or list(shown)
            wanted = (self.wish.network, "compute")
            ports = export = next((w for w in wanted if w in free), free[0])
        elif ports in shown:
            export = ports
        if ports:
            end = end_of(self.project, self.row, self.eff, f"{item_id}:{ports}")
        else:
            end = end_of(self.project, self.row, self.eff, f"{item_id}:1")
            end = replace(end, ports=tuple(free_ports(self.eff, item, gbps)), port_axes=())
        if axes is not None:
            new = _axes(axes)
            if product(new) != end.count:
                self.problems.append(
                    msg(
                        "'{item}' has {count} members; its new axes have {wrong}.",
                        item=item_id,
                        count=end.count,
                        wrong=product(new),
                    )
                )
            elif new != end.axes:
                end = replace(end, axes=new)
                self.axes.append((item_id, new))
        medium, media, rate = self._rate(item, end.ports)
        return Side(item, end, export, end.ports, rate, medium, media)

    def _rate(self, item: EffItem, ports: Sequence[str]) -> tuple[str, tuple[str, ...], float]:
        """(medium, further media, Gb/s) of the first port that is known."""
        inside = effective(self.project, self.row, item.of[6:]).items if item.of.startswith("sheet:") else {}
        for name in ports[:64]:
            owner, _, port = name.rpartition(":")
            holder = inside.get(owner) if owner else item
            found = holder.ports.get(port) if holder is not None else None
            if found is not None:
                return found.medium, found.media, found.gbps
        return "", (), 0.0

    def _resplit(self, side: Side, gbps: float) -> Side:
        """Free ports of a switch at the rate of the other side."""
        if side.export or ":" in (self.wish.a if split_end(self.wish.a)[0] == side.item.id else self.wish.b):
            return side
        ports = tuple(free_ports(self.eff, side.item, gbps))
        return replace(side, end=replace(side.end, ports=ports), offered=ports)

    # -- patterns ------------------------------------------------------------------------------------------------------

    def _wire(self, a: Side, b: Side) -> tuple[Side, Wire | None]:
        """The wiring rule of the pattern, and the b side with the axes it needs."""
        pattern = self.wish.pattern
        if self.wish.on is not None:
            on: tuple[str, ...] = self.wish.on
            mode = "mesh" if pattern == "full-mesh" or (pattern == "planes" and not a.export) else "deal"
            return b, self._sized(mode, on, a, b)
        if pattern == "full-mesh":
            return b, self._sized("mesh", (), a, b)
        if pattern == "spread":
            return b, Wire("deal")
        if pattern in ("rail-aligned", "planes"):
            axis = "rail" if pattern == "rail-aligned" else "plane"
            if axis not in a.axes_known and "port" in a.axes_known and a.size("port") > 1:
                axis = "port"
            if axis not in a.axes_known:
                self.problems.append(
                    msg("'{item}' shows no axis '{axis}'; lay its ports out over it first.", item=a.item.id, axis=axis)
                )
                return b, None
            b = self._with_axis(a, b, axis)
            if axis not in b.axes_known or (axis == "port" and axis not in dict(b.end.axes)):
                return b, None
            mode = "mesh" if pattern == "planes" and not a.export and not b.export else "deal"
            return b, self._sized(mode, self._shared(a, b), a, b)
        shared = self._shared(a, b)
        if pattern == "dual-homed":
            own = dict(b.end.axes)
            on = (*shared, "port") if "port" in own and "port" not in shared and "port" in a.axes_known else shared
            return b, Wire("deal", on)
        return b, self._one_to_one(a, b, shared)

    def _shared(self, a: Side, b: Side) -> tuple[str, ...]:
        """Axes of b's members that a has, too, in a's order."""
        theirs = dict(b.end.axes)
        return tuple(name for name in dict.fromkeys(a.axes_known) if name in theirs)

    def _with_axis(self, a: Side, b: Side, axis: str) -> Side:
        """b laid out over ``axis``: its members are divided, if nothing hangs yet on how they are numbered."""
        if axis in dict(b.end.axes):
            return b
        size = a.size(axis)
        if b.end.count % size:
            self.problems.append(
                msg(
                    "'{item}' has {count} members, which do not divide into {size} ({axis}).",
                    item=b.item.id,
                    count=b.end.count,
                    size=size,
                    axis=axis,
                )
            )
            return b
        stored = self.row.sheets[self.sheet].items.get(b.item.id)
        if stored is None or stored.except_ or used_ports(self.eff, b.item.id) or self.wish.b_axes is not None:
            self.problems.append(
                msg("'{item}' needs an axis '{axis}' of {size}.", item=b.item.id, axis=axis, size=size)
            )
            return b
        rest = b.end.count // size
        outer = next((name for name, n in a.end.axes if n == rest and name != axis), None)
        outer = outer or (b.end.axes[0][0] if b.end.axes and b.end.axes[0][0] != axis else "unit")
        axes: Axes = ((axis, size),) if rest == 1 else ((outer, rest), (axis, size))
        self.axes.append((b.item.id, axes))
        return replace(b, end=replace(b.end, axes=axes))

    def _sized(self, mode: str, on: tuple[str, ...], a: Side, b: Side) -> Wire | None:
        """A mesh with as many cables per pair as asked for, or as both sides have ports for; None when not even one."""
        if mode == "deal":
            return Wire("deal", on)
        joined = [n for n in on if n in a.axes_known and n in b.axes_known]
        near = far = 1
        for name in joined:
            near *= a.size(name) if name in dict(a.end.axes) else 1
            far *= b.size(name) if name in dict(b.end.axes) else 1
        n_a, n_b = max(1, a.end.count // near), max(1, b.end.count // far)
        fair = min(len(a.offered) // n_b, len(b.offered) // n_a)
        if fair < 1:
            self.problems.append(
                msg(
                    "A mesh needs {need} ports on each '{a}' and {more} on each '{b}'; {have} and {there} are free.",
                    need=n_b,
                    a=a.item.id,
                    more=n_a,
                    b=b.item.id,
                    have=len(a.offered),
                    there=len(b.offered),
                )
            )
            return None
        if self.wish.per_pair > 4 * fair:  # far beyond the ports there is nothing to preview
            self.problems.append(
                msg("{count} cables per pair; there are ports for {fair}.", count=self.wish.per_pair, fair=fair)
            )
            return None
        return Wire("mesh", tuple(joined), self.wish.per_pair or fair)

    def _one_to_one(self, a: Side, b: Side, shared: tuple[str, ...]) -> Wire | None:
        if shared and all(name in shared for name, _ in b.end.axes):
            return Wire("deal", shared)
        if a.end.count != b.end.count:
            self.problems.append(
                msg(
                    "'{a}' has {count} members and '{b}' {there}; one to one needs as many, or axes in common.",
                    a=a.item.id,
                    count=a.end.count,
                    b=b.item.id,
                    there=b.end.count,
                )
            )
            return None
        if len(a.offered) == 1 or len(b.offered) == 1:
            return Wire("deal")
        if not a.export and not b.export:
            return Wire("deal", ("port",))
        ports = min(len(a.offered), len(b.offered))
        if a.end.count * ports > MAX_LISTED:
            self.problems.append(msg("Give '{item}' the axes of '{other}' first.", item=b.item.id, other=a.item.id))
            return None
        return Wire("rows", rows=tuple((i, p, i, p) for i in range(a.end.count) for p in range(ports)))

    def _by_hand(self, a: Side, b: Side, shown: int) -> WiringPlan:
        """Listed rows; ports by name."""
        names: tuple[list[str], list[str]] = ([], [])
        rows: list[tuple[int, int, int, int]] = []
        for n, given in enumerate(self.wish.rows):
            if len(given) != 4:
                raise UserError(msg("Row {row} has {count} entries; expected four.", row=n + 1, count=len(given)))
            places = []
            for side, listed, member, port in ((a, names[0], *given[:2]), (b, names[1], *given[2:])):
                if not isinstance(member, int) or not 0 <= member < side.end.count:
                    raise UserError(
                        msg("Row {row}: '{item}' has no member {member}.", row=n + 1, item=side.item.id, member=member)
                    )
                if port not in listed:
                    listed.append(str(port))
                places += [member, listed.index(str(port))]
            rows.append((places[0], places[1], places[2], places[3]))
        if not rows:
            self.problems.append(msg("No cable is listed yet."))
            return self._empty(a, b)
        a = replace(a, export="", end=replace(a.end, ports=tuple(names[0]), port_axes=()))
        b = replace(b, export="", end=replace(b.end, ports=tuple(names[1]), port_axes=()))
        busy = [f"{a.item.id}:{p}" for p in names[0] if p in used_ports(self.eff, a.item.id)]
        busy += [f"{b.item.id}:{p}" for p in names[1] if p in used_ports(self.eff, b.item.id)]
        if busy:
            self.problems.append(msg("Already cabled: {ports}.", ports=busy[:8]))
        return self._finished(a, b, Wire("rows", rows=tuple(rows)), shown)

    # -- result --------------------------------------------------------------------------------------------------------

    def _finished(self, a: Side, b: Side, wire: Wire, shown: int) -> WiringPlan:
        wired = wire_rows(Link("", "", wire), a.end, b.end)
        if wire.mode != "rows":
            a, b = self._trimmed(a, wired, 1), self._trimmed(b, wired, 3)
            wired = wire_rows(Link("", "", wire), a.end, b.end)
        present = (wired.rows[:, 0] >= 0) & ~a.end.absent[np.maximum(wired.rows[:, 0], 0)]
        no_port = present & ((wired.rows[:, 2] < 0) | (wired.rows[:, 3] < 0) | (wired.rows[:, 1] < 0))
        short = int(no_port.sum())
        if short:
            self.problems.append(
                msg(
                    "{count} cables find no port: '{b}' has {have} free on each of its {members} members.",
                    count=short,
                    b=b.item.id,
                    have=len(b.offered),
                    members=b.end.count,
                )
            )
        medium = self._medium(a, b)
        network = self.wish.network or (a.export if a.export in NETWORKS else self._network(a, b))
        ends = [f"{s.item.id}:{s.export or port_text(s.end.ports)}" for s in (a, b)]
        link = PlannedLink(ends[0], ends[1], wire, network, medium, self.wish.speed, self.wish.cable or "auto")
        tallies = [tally(s, wired, column) for s, column in ((a, 0), (b, 2))]
        if self.wish.pattern == "dual-homed" and wired.alive.any() and tallies[0].peers_min < 2:
            self.problems.append(msg("Some members of '{item}' reach one device only.", item=a.item.id))
        if self.wish.pattern == "one-to-one" and max(tallies[0].peers_max, tallies[1].peers_max) > 1:
            self.problems.append(msg("Some members meet more than one device; join more axes."))
        plan = WiringPlan(
            self.wish,
            (link,) if len(wired.rows) else (),
            tuple(self.axes),
            wire.on,
            self._shared(a, b),
            preview(a, b, wired, shown),
            int(wired.alive.sum()),
            0,
            short,
            tallies[0],
            tallies[1],
            tuple(self.problems),
        )
        return replace(plan, cables=self._cables(plan)) if plan.possible else plan

    def _trimmed(self, side: Side, wired: Wired, column: int) -> Side:
        """Only the ports that the wiring takes, so that the rest stays free for others. An export stays whole."""
        if side.export or not len(wired.rows) or ":" in self._asked(side):
            return side
        last = int(wired.rows[:, column].max()) + 1
        ports = side.end.ports[: max(1, last)]
        return replace(side, end=replace(side.end, ports=ports))

    def _asked(self, side: Side) -> str:
        return self.wish.a if split_end(self.wish.a)[0] == side.item.id else self.wish.b

    def _medium(self, a: Side, b: Side) -> str:
        for medium in (a.medium, b.medium, *a.media):
            if medium and medium in (a.medium, *a.media) and medium in (b.medium, *b.media):
                return medium
        if a.medium and b.medium:
            self.problems.append(
                msg("'{a}' speaks {one}, '{b}' {other}.", a=a.item.id, one=a.medium, b=b.item.id, other=b.medium)
            )
        return a.medium or b.medium or "eth"

    def _network(self, a: Side, b: Side) -> str:
        for link in self.eff.links.values():
            if {split_end(link.a)[0], split_end(link.b)[0]} & {a.item.id, b.item.id}:
                return link.network or "compute"
        return "compute"

    def _cables(self, plan: WiringPlan) -> int:
        """Physical cables, counted on the project as it would be."""
        from fabricwright.design.edits import run
        from fabricwright.design.patch import apply
        from fabricwright.topology.cables import bundle_cables
        from fabricwright.topology.wiring import wire

        calls = [[call.name, dict(call.args)] for call in plan_calls(plan, self.design, self.sheet)]
        after = apply(self.project, run(self.project, EditCall("together", {"calls": calls, "label": "wire"})))
        row = after.designs[self.design]
        eff = effective(after, row, self.sheet)
        count = 0
        for link_id in eff.links.keys() - self.eff.links.keys():
            link = eff.links[link_id]
            bundle = wire(link, end_of(after, row, eff, link.a), end_of(after, row, eff, link.b), link_id)
            count += bundle_cables(after, row, eff, bundle, {}).count
        return count

    def _empty(self, a: Side, b: Side) -> WiringPlan:
        return WiringPlan(self.wish, shared=self._shared(a, b), axes=tuple(self.axes), problems=tuple(self.problems))


__all__ = ["PATTERNS", "EndTally", "PlannedLink", "WiringPlan", "WiringWish", "plan_calls", "plan_wiring"]
