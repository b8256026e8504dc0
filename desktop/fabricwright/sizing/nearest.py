"""When a requirement cannot be met: which changes of one thing make it work, with numbers, so that one can be applied.

``nearest(requirement)`` tries them; every one it gives was sized and drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from fabricwright.sizing.choices import Choice, size
from fabricwright.sizing.draw import draw
from fabricwright.sizing.requirement import Requirement
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

MOST = 4
"""Changes that are offered."""
DRAWN_UP_TO_GPUS = 20_000
"""Beyond, a change is sized only: drawing takes seconds."""
CABLES_M = (10.0, 20.0, 30.0, 50.0, 100.0, 200.0)
RACK_KW = (8.0, 10.0, 12.0, 15.0, 20.0, 30.0, 40.0, 60.0, 100.0, 150.0)


@dataclass(frozen=True, slots=True)
class Change:
    """``values`` fields of the requirement to set; ``text`` says it."""

    values: dict[str, Any]
    text: Message

    def to_json(self) -> dict[str, object]:
        """Plain values."""
        return {"values": self.values, "text": self.text.to_json()}


def nearest(wanted: Requirement, checkpoint: Callable[[], None] = lambda: None) -> list[Change]:
    """Changes of one thing that make the requirement work, the least of each kind, at most ``MOST``."""
    found: list[Change] = []
    kinds: set[str] = set()
    for kind, change in _tries(wanted):
        if len(found) >= MOST:
            break
        if kind in kinds:
            continue
        checkpoint()
        if works(_of(wanted, change.values)):
            kinds.add(kind)
            found.append(change)
    if not found and (wanted.gpus or wanted.servers) > 1:
        found = _fewer(wanted, checkpoint)
    return found


def _of(wanted: Requirement, values: dict[str, Any]) -> Requirement:
    return replace(wanted, **values)


def works(wanted: Requirement) -> Choice | None:
    """The best network for a requirement that can be drawn, too; None when there is none."""
    try:
        choices = size(wanted)
    except UserError:
        return None
    for choice in choices[:3]:
        if choice.gpus > DRAWN_UP_TO_GPUS:
            return choice
        try:
            draw(choice)
        except UserError:
            continue
        return choice
    return None


def _tries(wanted: Requirement) -> Iterator[tuple[str, Change]]:
    """(kind, change), those nearest to what was asked for first."""
    for n in range(wanted.redundancy - 1, -1, -1):
        yield "redundancy", Change({"redundancy": n}, msg("Redundancy {count}", count=n) if n else msg("No redundancy"))
    for n in range(wanted.nics_per_server - 1, 0, -1):
        if n in (1, 2, 4, 8, 16) or n == wanted.nics_per_server - 1:
            yield (
                "nics",
                Change(
                    {"nics_per_server": n},
                    msg("{count} NICs per server", count=n) if n > 1 else msg("One NIC per server"),
                ),
            )
    if wanted.nics_per_server:
        yield "nics", Change({"nics_per_server": 0}, msg("As many NICs as the server takes"))
    for n in range(wanted.planes - 1, 0, -1):
        yield "planes", Change({"planes": n}, msg("{count} planes", count=n) if n > 1 else msg("One plane"))
    if wanted.planes:
        yield "planes", Change({"planes": 0}, msg("As many planes as the NIC has"))
    if wanted.ufm_links:
        yield "ufm", Change({"ufm_links": 0}, msg("No UFM links"))
    if wanted.leaf or wanted.spine or wanted.core or wanted.switches:
        free: dict[str, Any] = {"leaf": "", "spine": "", "core": "", "switches": ()}
        if wanted.spine or wanted.core:
            yield "switch", Change({"spine": "", "core": ""}, msg("Spine and core of any type"))
        yield "switch", Change(free, msg("Any switch"))
    if wanted.rails != "auto":
        yield "rails", Change({"rails": "auto"}, msg("Rails or not, as it fits"))
    if wanted.medium:
        other = "eth" if wanted.medium == "ib" else "ib"
        word = msg("Ethernet") if other == "eth" else msg("InfiniBand")
        change: dict[str, Any] = {"medium": other, "leaf": "", "spine": "", "core": "", "switches": ()}
        yield "medium", Change(change, msg("{protocol} instead", protocol=word))
    for tiers in range(wanted.tiers + 1, 4) if wanted.tiers else ():
        yield "tiers", Change({"tiers": tiers}, msg("{count} tiers", count=tiers))
    if wanted.tiers:
        yield "tiers", Change({"tiers": 0}, msg("As many tiers as it takes"))
    if wanted.nic:
        change = {"nic": "", "nics_per_server": 0, "planes": 0}
        yield "nic", Change(change, msg("The NIC that the server comes with"))
    if wanted.gpu:
        yield "gpu", Change({"gpu": ""}, msg("The GPU that the server usually has"))
    for kw in RACK_KW if wanted.rack_kw else ():
        if kw > wanted.rack_kw:
            yield "rack_kw", Change({"rack_kw": kw}, msg("Racks of {power} kW", power=kw))
    for u in (24, 42, 48, 52) if wanted.rack_u else ():
        if u > wanted.rack_u:
            yield "rack_u", Change({"rack_u": u}, msg("Racks of {height} U", height=u))
    for metres in CABLES_M if wanted.max_cable_m else ():
        if metres > wanted.max_cable_m:
            yield "cable", Change({"max_cable_m": metres}, msg("Cables of up to {metres} m", metres=metres))
    if wanted.networks != ("compute",):
        yield "networks", Change({"networks": ("compute",)}, msg("The compute network only"))
    for ratio in (2.0, 3.0, 4.0, 8.0):
        if ratio > wanted.ratio(1):
            change = {"oversubscription": (ratio,)}
            yield "oversubscription", Change(change, msg("Oversubscription of {ratio}:1", ratio=ratio))
    if wanted.server != "dgx-h100" and not wanted.nic:
        for nic in ("mcx75310aas-neat", "mcx755106as-heat", "lres1260pf-2qsfp112"):
            yield "other nic", Change({"nic": nic}, msg("NIC {nic}", nic=nic))


def _fewer(wanted: Requirement, checkpoint: Callable[[], None]) -> list[Change]:
    """As many servers or GPUs as work, by bisection on the size alone."""
    name = "servers" if wanted.servers else "gpus"
    low, high = 0, int(getattr(wanted, name))
    while high - low > max(1, high // 256):
        checkpoint()
        middle = (low + high) // 2
        try:
            size(_of(wanted, {name: middle}))
        except UserError:
            high = middle
        else:
            low = middle
    if not low:
        return []
    text = msg("{count} servers", count=low) if name == "servers" else msg("{count} GPUs", count=low)
    return [Change({name: low}, text)]
