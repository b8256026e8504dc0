"""What the mouse asks while a card or cable hangs on it: which slots take the card, why the others do not, and what
it would cost.

Runs in the window's process: plain Python on one effective sheet, no compiled topology. The MEC, LAN, BIF, CXL and
PWR rules
use the same predicates, so that the answer before the drop is the verdict after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace

from fabricwright.catalog.parts import Part
from fabricwright.catalog.ports import mode_of, ports_of
from fabricwright.design.effective import EffItem, EffSheet, effective
from fabricwright.design.values import Project
from fabricwright.rules import link_legality as _links
from fabricwright.rules.card import Card, card_of
from fabricwright.rules.context import chassis_config
from fabricwright.rules.least_link import too_narrow
from fabricwright.rules.mechanical_fit import no_bay, riser_too_old, vendor_maximum
from fabricwright.rules.pcie_path import ServerView, server_view, slot_link, socket_lanes
from fabricwright.rules.power import overload
from fabricwright.rules.power_feed import gpu_above_limit
from fabricwright.rules.predicates import (
    behind_switch,
    misfits,
    narrower,
    no_cxl_here,
    overloaded_socket,
    slower,
)
from fabricwright.rules.reason import Reason
from fabricwright.rules.slot_splits import illegal_split, split_mismatch
from fabricwright.topology.fitted_memory import card_memory_gb, memory_with_cards_gb
from fabricwright.topology.server_power import Supply, supplies
from fabricwright.units.record import record
from fabricwright.units.text import Message

link_legality = _links.link_legality

ON_THE_MOUSE = "~"
"""Id of the card that is not there yet; no item can have it."""


@record
class Consequences:
    """What seating the card changes: lanes of each processor, watts of the enclosure, GB of memory the host reaches."""

    lanes: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    power_w: tuple[float, float] = (0.0, 0.0)
    memory_gb: tuple[float, float] = (0.0, 0.0)


@record
class SlotVerdict:
    """Verdict for one slot. ``level`` legal | loss | illegal; ``reasons`` (rule id, text) with the worst first."""

    slot: str
    level: str
    reasons: tuple[tuple[str, Message], ...] = ()
    consequences: Consequences = Consequences()


def legality(
    project: Project,
    design_id: str,
    sheet_id: str,
    part: Part,
    *,
    ignore_item: str | None = None,
    config: Mapping[str, object] | None = None,
) -> dict[str, SlotVerdict]:
    """Verdict of every slot of a server sheet for a part. ``ignore_item`` = the card is that item, being moved.

    An unknown design or sheet has no slots.
    """
    design = project.designs.get(design_id)
    if design is None or sheet_id not in design.sheets:
        return {}
    eff = effective(project, design, sheet_id)
    moving = eff.items.get(ignore_item) if ignore_item else None
    if moving is not None:
        config = config if config is not None else moving.config
        items = {k: v for k, v in eff.items.items() if k != ignore_item}
        eff = _without(eff, items, moving.id)
    view = server_view(eff, project.parts)
    chosen: Mapping[str, object] = config or {}
    card = card_of(part, ports_of(part, chosen))
    fitted = chassis_config(design, sheet_id)
    base = _Base(view, part, card, chosen, fitted)
    return {seat: base.verdict(seat) for seat in eff.slots if not seat.startswith(f"{ignore_item}:")}


_moving: list[tuple[EffSheet, str, EffSheet]] = []


def _without(eff: EffSheet, items: Mapping[str, EffItem], item_id: str) -> EffSheet:
    """The sheet without the card that is being moved; kept, because a drag asks many times."""
    for known, known_id, reduced in _moving:
        if known is eff and known_id == item_id:
            return reduced
    reduced = replace(eff, items=items)
    _moving.insert(0, (eff, item_id, reduced))
    del _moving[4:]
    return reduced


class _Base:
    """What is the same for every slot of one question."""

    def __init__(
        self, view: ServerView, part: Part, card: Card, config: Mapping[str, object], fitted: Mapping[str, object]
    ) -> None:
        self.view, self.part, self.card, self.config, self.fitted = view, part, card, config, fitted
        self.mode = mode_of(part, config)
        self.ports = ports_of(part, config)
        split = config.get("slot_split")
        self.split = split if isinstance(split, str) else ""
        self.before = {use.cpu: use.assigned for use in socket_lanes(view)}
        self.supplies = {s.host: s for s in supplies(view.eff, view.parts, fitted)}
        self.memory = host_memory_gb(view, fitted)
        self.watts = part.get("power_w") or part.get("tdp_w")

    def verdict(self, seat: str) -> SlotVerdict:
        reasons = list(self.reasons(seat))
        errors = [r for r in reasons if r.severity == "error"]
        level = "illegal" if errors else "loss" if reasons else "legal"
        ordered = [*errors, *(r for r in reasons if r.severity != "error")]
        return SlotVerdict(seat, level, tuple((r.rule, r.message) for r in ordered), self.consequences(seat))

    def reasons(self, seat: str) -> Iterator[Reason]:
        view, card = self.view, self.card
        bad = list(misfits(view, card, seat, ON_THE_MOUSE))
        yield from bad
        if any(r.rule == "MEC-06" for r in bad):
            found = no_bay(view, card, seat)
            if found:
                yield found
            return
        for found in (
            riser_too_old(view, card, seat),
            gpu_above_limit(view, self.part, seat, self.config),
            vendor_maximum(view.eff, self.part) if self._in_chassis(seat) else None,
        ):
            if found:
                yield found
        owner, port, _ = view.feed_of_slot(seat)
        if card.lanes and owner:
            link = slot_link(view, seat, card.lanes, card.gen, self.split)
            needed = too_narrow(self.part, self.ports, link)
            for found in (needed, slower(card.name, link), narrower(card.name, link)):
                if found:
                    yield found
        if self.split:
            found = illegal_split(view, seat, self.split)
            if found:
                yield found
        if card.kind == "retimer":
            found = split_mismatch(view, card.name, seat, self.mode, self.split)
            if found:
                yield found
        if card.kind == "cxl":
            for found in (no_cxl_here(view, card.name, seat), behind_switch(view, card.name, owner)):
                if found:
                    yield found
        if owner in view.tree.cpus:
            found = overloaded_socket(view, owner, port, self._lanes_in(seat))
            if found:
                yield found
        supply = self._supply(seat)
        if supply is not None:
            found = overload(replace(supply, load_w=supply.load_w + self.watts))
            if found:
                yield found

    def _lanes_in(self, seat: str) -> int:
        slot = self.view.eff.slots[seat]
        return min(self.card.lanes or slot.electrical, slot.electrical)

    def _in_chassis(self, seat: str) -> bool:
        return seat.partition(":")[0].partition("/")[0] not in self.supplies or seat.startswith("chassis:")

    def _supply(self, seat: str) -> Supply | None:
        host = seat.partition(":")[0].partition("/")[0]
        return self.supplies.get(host) or self.supplies.get("chassis")

    def consequences(self, seat: str) -> Consequences:
        owner, port, _ = self.view.feed_of_slot(seat)
        lanes: dict[str, tuple[int, int]] = {}
        if owner in self.view.tree.cpus:
            after = {u.cpu: u.assigned for u in socket_lanes(self.view, {(owner, port): self._lanes_in(seat)})}
            lanes = {c: (n, after[c]) for c, n in self.before.items() if after[c] != n}
        supply = self._supply(seat)
        load = supply.load_w if supply is not None else 0.0
        more = card_memory_gb(self.part, self.config) if self.card.kind == "cxl" else 0.0
        return Consequences(lanes, (load, load + self.watts), (self.memory, self.memory + more))


def host_memory_gb(view: ServerView, fitted: Mapping[str, object]) -> float:
    """Memory of the host: its modules (``fitted.PART`` counts, else the chassis' population) and its CXL cards."""
    return memory_with_cards_gb(view.eff, view.parts, fitted)
