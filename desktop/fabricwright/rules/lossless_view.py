"""What the rules of a lossless network ask: Ethernet links with their ends, and switches with their buffers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabricwright.design.effective import effective
from fabricwright.rules.context import RuleContext, split_members
from fabricwright.rules.fabric_cabling import once
from fabricwright.topology.roce import NOT_ROCE, RoceEnd, RoceLink, pauses, roce_links
from fabricwright.topology.switch_ports import SwitchBuffer, switch_buffers


def ethernet_links(context: RuleContext) -> list[RoceLink]:
    """Ethernet links of the root sheet whose ends are switches or NICs."""

    def make() -> list[RoceLink]:
        if context.root.kind != "fabric":
            return []
        return roce_links(
            context.root,
            context.fabric().bundles,
            lambda item: _sheets(context, item),
            lambda sheet: effective(context.project, context.design, sheet),
        )

    return once(context, "ethernet links", make)


def _sheets(context: RuleContext, item: str) -> Iterator[str]:
    row = context.group(item)
    if row is not None:
        yield from (sheet for sheet, members in split_members(row).items() if members)


def rdma_links(context: RuleContext) -> list[RoceLink]:
    """Those that RDMA over Ethernet runs on: none where the design states another transport."""
    if str(context.settings.get("network.transport") or "").strip().lower() in NOT_ROCE:
        return []
    return ethernet_links(context)


def buffers(context: RuleContext) -> list[SwitchBuffer]:
    """Buffers of all switches with ports that pause."""

    fabric, links, settings = context.fabric(), ethernet_links(context), context.settings
    known = fabric.memo.get("rules: switch buffers")  # links hold what servers state, settings belong to the design
    if isinstance(known, tuple) and known[:2] == (links, settings):
        found: list[SwitchBuffer] = known[2]
        return found
    found = switch_buffers(context.root, fabric, links, settings)
    fabric.memo["rules: switch buffers"] = (links, settings, found)
    return found


def lossless(context: RuleContext, link: RoceLink) -> bool:
    """Whether a port of a link is stated to pause."""
    settings: Mapping[str, object] = context.settings
    return any(pauses(link, side, end, settings) for side, end in link.sides())


def clear_at(link: RoceLink, side: str, end: RoceEnd, key: str) -> str:
    """Where a key is stated that counts at an end: "link", "device" or "design"."""
    if f"{key}.{side}" in link.config:
        return "link"
    return "device" if key in end.config else "design"
