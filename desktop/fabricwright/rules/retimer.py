"""RET: retimers in a link."""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.rules.card import item_label
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.pcie_path import device_link, server_view
from fabricwright.rules.registry import rule
from fabricwright.units.natural import natural_key
from fabricwright.units.text import N_, msg

MOST_RETIMERS = 2


@rule(
    "RET-01",
    "error",
    needs=("effective",),
    group="retimer & signal",
    subject="link",
    direction="up",
    title=N_("More than two retimers in a link"),
    checks=N_("Between two ports (root port, switch port, device) lie at most two retimers."),
    reason=N_("The PCIe specification allows two; link training and timeouts are laid out for that."),
    source="EK PCIe Base spec",
)
def ret_01(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    for item_id in sorted(variant.eff.items, key=natural_key):
        item = variant.eff.items[item_id]
        if view.is_passive(item_id) and item.kind in ("retimer", "riser", "backplane", "connector", "external-box"):
            continue
        link = device_link(view, item_id)
        if link is not None and len(link.retimers) > MOST_RETIMERS:
            yield context.finding(
                (variant.at(item_id), *(variant.at(r) for r in link.retimers)),
                msg(
                    "{count} retimers ({retimers}) between {device} and {parent}; a link takes at most {most}.",
                    count=len(link.retimers),
                    retimers=list(link.retimers),
                    device=item_label(item),
                    parent=f"{link.parent}:{link.port}" if link.port else link.parent,
                    most=MOST_RETIMERS,
                ),
                variant=variant,
                measured=float(len(link.retimers)),
                allowed=float(MOST_RETIMERS),
                unit="retimers",
            )
