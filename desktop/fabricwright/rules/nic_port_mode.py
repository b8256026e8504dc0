"""NIC-09: a port mode that the card does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabricwright.catalog.parts import Part
from fabricwright.catalog.ports import ports_of
from fabricwright.design.calls import EditCall
from fabricwright.design.effective import EffItem
from fabricwright.design.options import stated
from fabricwright.rules.card import item_label
from fabricwright.rules.compute_ports import links_of
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import rule
from fabricwright.units.natural import natural_key
from fabricwright.units.text import N_, msg

_MODE = re.compile(r"^\s*(\d+)\s*x\s*(\d+)\s*([a-z]*)\s*$", re.IGNORECASE)
_ETHERNET = ("gbe", "ge", "eth", "ethernet", "roce")
_INFINIBAND = ("ib", "edr", "hdr", "ndr", "xdr", "infiniband")
_SERIES = "connectx-8"
_NO_800GBE = (40, 44)
"""Up to this firmware a ConnectX-8 offers XDR InfiniBand or two ports of 400 GbE, no single port of 800 GbE (release
notes 40.44, field case C113). What later releases offer is not known."""


def parse_mode(text: object) -> tuple[int, int, str] | None:
    """(ports, Gb/s each, "eth" | "ib" | "") of "1x800GbE", "2x400", "2x400ib"; None for other words."""
    found = _MODE.match(str(text))
    if found is None:
        return None
    word = found[3].lower()
    medium = "eth" if word in _ETHERNET else "ib" if word in _INFINIBAND else ""
    return int(found[1]), int(found[2]), medium


def offered(part: Part) -> list[tuple[str, int, int, frozenset[str]]]:
    """(mode, ports, Gb/s each, media) of every mode of a NIC; its fixed ports, at each stated rate, where it has no
    modes.
    """
    out = []
    for name in sorted(part.modes, key=natural_key):
        ports = [p for p in part.modes[name].ports.values() if p.gbps]
        if ports:
            media = frozenset(m for p in ports for m in (p.medium, *p.media))
            out.append((name, len(ports), int(ports[0].gbps), media))
    if not part.modes:
        ports = [p for p in ports_of(part, {}).values() if p.role == "net" and p.gbps]
        media = frozenset(m for p in ports for m in (p.medium, *p.media))
        rates = sorted({int(r) for r in part.numbers("port_gbps")} | {int(p.gbps) for p in ports}, reverse=True)
        out = [(f"{len(ports)}x{rate}", len(ports), rate, media) for rate in rates] if ports else []
    return out


@rule(
    "NIC-09",
    "error",
    needs=("effective", "root", "wiring"),
    group="NIC, ports, cables, optics",
    subject="nic",
    title=N_("Port mode that the NIC does not offer"),
    checks=N_(
        "The mode that is set for a NIC is one of its own, for the protocol it is cabled with, and one that the stated "
        "firmware offers."
    ),
    reason=N_(
        "A card has the port modes that its firmware knows: a ConnectX-8 runs 800G as XDR InfiniBand or as two ports "
        "of 400 GbE."
    ),
    source="field case C113; cx8fw",
)
def nic_09(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    for item_id in sorted(variant.eff.items, key=natural_key):
        item = variant.eff.items[item_id]
        if item.kind != "nic" or item.part is None:
            continue
        mode, assumed = stated(item.config, "mode"), False
        if mode is None:
            mode, assumed = item.part.default_mode or None, True
        asked = parse_mode(mode) if mode is not None else None
        if mode is None or (asked is None and str(mode) in item.part.modes):
            continue
        have = offered(item.part)
        media = _cabled_with(context, variant, item_id)
        wanted = asked[2] if asked is not None and asked[2] else media
        if not (asked is not None and asked[2]) and _unknown(item):
            wanted = ""
        if not have or _fine(item, str(mode), asked, wanted, have, spelled=asked is not None and bool(asked[2])):
            continue
        if assumed and not wanted:
            continue
        yield context.finding(
            (variant.at(item_id),),
            msg(
                "{nic} does not offer {mode}{medium}; it offers {modes}.",
                nic=item_label(item),
                mode=str(mode),
                medium={"eth": msg(" on Ethernet"), "ib": msg(" on InfiniBand")}.get(wanted, ""),
                modes=[f"{name} ({'/'.join(sorted(kinds))})" for name, _, _, kinds in have],
            ),
            variant=variant,
            values={"mode": str(mode), "medium": wanted, "modes": [name for name, *_ in have]},
            fix=_instead(context, variant, item, asked, wanted, have),
            estimate=item.part.confidence != "read",
        )


def _unknown(item: EffItem) -> bool:
    """Which protocols the modes of a card are for is inferred, and no firmware says better."""
    inferred = item.part is not None and item.part.confidence == "inferred"
    return inferred and stated(item.config, "firmware") is None


def _cabled_with(context: RuleContext, variant: Variant, nic: str) -> str:
    """ "eth" or "ib" when all cables of the NIC on the root sheet are of that medium, else ""."""
    if not variant.item:
        return ""
    found = set()
    for link_id, link, _ in links_of(context.root, variant.item):
        bundle = context.bundles().get(link_id)
        if bundle is None:
            continue
        for owner, ports in ((bundle.a_item, bundle.a_ports), (bundle.b_item, bundle.b_ports)):
            if owner == variant.item and any(p.rpartition(":")[0] == nic for p in ports):
                found.add(link.medium)
    return found.pop() if len(found) == 1 and found <= {"eth", "ib"} else ""


def _fine(
    item: EffItem,
    mode: str,
    asked: tuple[int, int, str] | None,
    medium: str,
    have: list[tuple[str, int, int, frozenset[str]]],
    *,
    spelled: bool,
) -> bool:
    """Whether a mode is offered. ``spelled``: the mode itself names the protocol."""
    if asked is None:
        return mode in {name for name, *_ in have}
    same = [row for row in have if (row[1], row[2]) == asked[:2]]
    if medium:
        same = [row for row in same if medium in row[3]]
    if not same:
        return False
    return not _late(item, asked, medium, spelled=spelled)


def _late(item: EffItem, asked: tuple[int, int, str], medium: str, *, spelled: bool) -> bool:
    """A single 800 GbE port of a ConnectX-8 whose firmware is not known to have it: asked for by name, or by a cable
    when the firmware is stated.
    """
    part = item.part
    if part is None or _SERIES not in f"{part.name()} {part.model}".lower().replace("cx-8", _SERIES):
        return False
    if asked[:2] != (1, 800) or medium != "eth":
        return False
    release = [int(n) for n in re.findall(r"\d+", str(stated(item.config, "firmware") or ""))[:2]]
    return tuple(release) <= _NO_800GBE if release else spelled


def _instead(
    context: RuleContext,
    variant: Variant,
    item: EffItem,
    asked: tuple[int, int, str] | None,
    medium: str,
    have: list[tuple[str, int, int, frozenset[str]]],
) -> tuple[EditCall, ...]:
    """The mode with the same rate in all, else the card's own default; only where no cable would lose its port."""
    part = item.part
    if part is None or not part.modes:
        return ()
    total = asked[0] * asked[1] if asked is not None else 0
    good = [
        row
        for row in have
        if (not medium or medium in row[3])
        and not _late(item, (row[1], row[2], ""), medium, spelled=True)
        and (not total or row[1] * row[2] == total)
    ]
    default = next((row for row in have if row[0] == part.default_mode), None)
    if not good and medium and default is not None and medium not in default[3]:
        return ()  # another card or another cable is what helps
    name = good[0][0] if good else part.default_mode
    if name == (stated(item.config, "mode") or part.default_mode):
        return ()
    now = set(item.ports)
    after = set(ports_of(part, {"mode": name}))
    if not now <= after:
        return ()
    sheet = context.owner_sheet(variant.sheet, item.id)
    return (context.edit("set_config", sheet, item=item.id, key="mode", value=name),)
