"""How many GPUs reach each other over NVLink: inside a server, and across servers joined by NVLink cables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.scale import gpus_in
from fabricwright.rules.training_job import job_variants
from fabricwright.rules.uplinks import nvlink_groups


def domain_sizes(context: RuleContext) -> Iterator[tuple[Variant, int, bool]]:
    """(servers that take part, GPUs of their smallest NVLink domain, True); where a server has no NVLink its GPUs and
    False.
    """
    joined = _across_servers(context)
    for variant in job_variants(context):
        gpus = gpus_in(variant.eff)
        if variant.item in joined:
            yield variant, joined[variant.item], True
            continue
        groups = nvlink_groups(variant)
        inside = Counter(groups.values())
        lonely = gpus - sum(inside.values())
        if not inside or max(inside.values()) < 2:
            yield variant, gpus, False
        else:
            yield variant, 1 if lonely else min(inside.values()), True


def _across_servers(context: RuleContext) -> dict[str, int]:
    """Group of servers -> GPUs of the smallest domain that its NVLink cables make."""
    if not any(link.medium == "nvlink" for link in context.root.links.values()):
        return {}
    gpus: dict[tuple[str, int], int] = {}
    for variant in context.variants():
        if variant.item:
            gpus.update(dict.fromkeys(((variant.item, i) for i in variant.members), gpus_in(variant.eff)))
    parent: dict[tuple[str, int], tuple[str, int]] = {}

    def find(node: tuple[str, int]) -> tuple[str, int]:
        while parent.setdefault(node, node) != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for bundle in context.bundles().values():
        if bundle.medium != "nvlink":
            continue
        pairs = {(int(a), int(b)) for a, b in bundle.rows[bundle.alive][:, (0, 2)]}
        for a, b in pairs:
            parent[find((bundle.a_item, a))] = find((bundle.b_item, b))
    sizes: Counter[tuple[str, int]] = Counter()
    for node in list(parent):
        sizes[find(node)] += gpus.get(node, 0)
    out: dict[str, int] = {}
    for node in parent:
        if gpus.get(node):
            out[node[0]] = min(out.get(node[0], 1 << 30), sizes[find(node)])
    return out
