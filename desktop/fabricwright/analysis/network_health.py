"""Signal chains for the inspector and the health of the network for its panel, as plain values.

``signal_rows``: per device of a server sheet the link above it::

    {"gpu6": {"parent", "port", "lanes", "gen", "falls_to", "retimers": [id], "replays_per_s",
              "segments": [{"name", "upper", "lower", "loss_db", "budget_db", "known", "assumed", "estimate",
                            "elements": [{"kind", "name", "db", "length_m", "source", "confidence", "known",
                                          "assumed"}]}]}}

``network_health``: ``{"switches": [...], "loss": {...} | None}``; bytes, Gb/s, seconds::

    switch  {"item", "members": "0-3", "part", "buffer", "headroom", "reserved", "pool", "classes", "priorities": [3],
             "assumed", "estimate",
             "ports": [{"count", "gbps", "length_m", "headroom", "method", "source", "estimate"}],
             "thresholds": [{"gbps", "kmin", "kmax", "pmax", "xoff", "buffer", "stated": bool, "in_order": bool}],
             "incast": {"window", "senders"}}
    loss    {"rates": [...], "go_back_n": [...], "selective": [...], "window", "mtu", "round_trip_s", "rate_gbps",
             "selective_now", "lossless", "rate_now", "share_now"}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fabricwright.analysis.analyze import Analysis
from fabricwright.design.effective import effective
from fabricwright.design.indexset import IndexSet
from fabricwright.performance.layout import Layout, lay_out
from fabricwright.performance.loss import go_back_n, is_lossless, loss_at, loss_rate
from fabricwright.rules.context import split_members
from fabricwright.topology.buffers import ALPHA, LARGEST_MTU, ecn_plan, pause_threshold
from fabricwright.topology.model import Interior
from fabricwright.topology.roce import roce_links
from fabricwright.topology.signal_loss import SPECIFIED_BER
from fabricwright.topology.stated import stated_figure
from fabricwright.topology.switch_ports import SwitchBuffer, switch_buffers
from fabricwright.units.errors import UserError

RATES = tuple(10 ** (exponent / 4) for exponent in range(-24, -3))
"""Loss rates of the curve: 1e-6 to 1e-1, four a decade."""


def signal_rows(interior: Interior) -> dict[str, dict[str, Any]]:
    """The signal path above every device of a server; links of generations without a budget are left out."""
    out: dict[str, dict[str, Any]] = {}
    for node, path in interior.signal.items():
        if not any(segment.budget_db for segment in path.segments):
            continue
        out[node] = {
            "parent": path.parent,
            "port": path.port,
            "lanes": path.lanes,
            "gen": path.gen,
            "falls_to": path.falls_to,
            "retimers": list(path.retimers),
            "replays_per_s": path.replays_per_s(SPECIFIED_BER[path.falls_to]),
            "segments": [
                {
                    "name": segment.name,
                    "upper": segment.upper,
                    "lower": segment.lower,
                    "loss_db": round(segment.loss_db, 3),
                    "budget_db": segment.budget_db,
                    "known": segment.known,
                    "assumed": segment.assumed,
                    "estimate": segment.estimate,
                    "elements": [
                        {
                            "kind": e.kind,
                            "name": e.name,
                            "db": round(e.at(path.gen), 3),
                            "length_m": e.length_m,
                            "source": e.source,
                            "confidence": e.confidence,
                            "known": e.known,
                            "assumed": e.assumed,
                        }
                        for e in segment.elements
                    ],
                }
                for segment in path.segments
            ],
        }
    return out


def network_health(analysis: Analysis) -> dict[str, Any]:
    """Buffers, thresholds and losses of a design's network."""
    layout = _layout(analysis)
    trip = loss_at(layout, 0.0).round_trip_s if layout is not None else 0.0
    return {
        "switches": [_switch(analysis, found, trip) for found in _buffers(analysis)],
        "loss": _loss(layout) if layout is not None else None,
    }


def _layout(analysis: Analysis) -> Layout | None:
    """How the ranks lie; None for one server and where nothing can run."""
    try:
        layout = lay_out(analysis.cluster)
    except UserError:
        return None
    return layout if layout.k > 1 else None


def _buffers(analysis: Analysis) -> list[SwitchBuffer]:
    project, design = analysis.project, analysis.stages.design
    root = effective(project, design, design.root)
    if root.kind != "fabric":
        return []
    fabric = analysis.cluster.fabric
    rows = design.sheets[design.root].items

    def sheets(item: str) -> list[str]:
        return [sheet for sheet, members in split_members(rows[item]).items() if members]

    links = roce_links(root, fabric.bundles, sheets, lambda sheet: effective(project, design, sheet))
    return switch_buffers(root, fabric, links, design.settings)


def _switch(analysis: Analysis, found: SwitchBuffer, trip_s: float) -> dict[str, Any]:
    use = found.use
    design = analysis.stages.design
    root = effective(analysis.project, design, design.root)
    item = root.items[found.item]
    shared = pause_threshold(use)
    fastest = max((port.gbps for port in use.ports), default=0.0)
    window = fastest / 8 * 1e9 * trip_s
    return {
        "item": found.item,
        "members": str(IndexSet.of_array(found.members)),
        "part": item.of,
        "buffer": use.buffer,
        "headroom": use.headroom,
        "reserved": use.reserved,
        "pool": use.pool,
        "classes": use.classes,
        "priorities": list(found.priorities),
        "assumed": use.assumed,
        "estimate": use.estimate,
        "ports": [
            {
                "count": port.count,
                "gbps": port.gbps,
                "length_m": port.length_m,
                "headroom": port.headroom.bytes,
                "method": port.headroom.method,
                "source": port.headroom.source,
                "estimate": port.headroom.estimate,
            }
            for port in use.ports
        ],
        "thresholds": [
            _thresholds(item.config, design.settings, gbps, shared, use.buffer)
            for gbps in sorted({port.gbps for port in use.ports})
        ],
        # Bursts of one window each that a single queue takes before it pauses: alpha pool / (1 + alpha).
        "incast": {"window": window, "senders": int(ALPHA * use.pool / (1 + ALPHA) / window) if window else 0},
    }


def _thresholds(
    config: Mapping[str, object], settings: Mapping[str, object], gbps: float, shared: float, buffer: float
) -> dict[str, Any]:
    """Kmin, Kmax and xoff on one axis: stated where they are, else proposed."""

    def said(key: str) -> float | None:
        return stated_figure(config.get(key, settings.get(key)))

    stated_xoff = said("pfc.xoff")
    xoff = shared if stated_xoff is None else stated_xoff
    mtu = said("mtu") or LARGEST_MTU
    plan = ecn_plan(gbps, mtu, xoff)
    stated = [said(key) for key in ("ecn.kmin", "ecn.kmax", "ecn.pmax")]
    kmin, kmax, pmax = (
        own if own is not None else value for own, value in zip(stated, (plan.kmin, plan.kmax, plan.pmax), strict=True)
    )
    return {
        "gbps": gbps,
        "kmin": kmin,
        "kmax": kmax,
        "pmax": pmax,
        "xoff": xoff,
        "buffer": buffer,
        "stated": any(value is not None for value in stated),
        "in_order": 2 * mtu <= kmin < kmax <= xoff,
    }


def _loss(layout: Layout) -> dict[str, Any]:
    now = loss_at(layout, loss_rate(layout))
    line = now.window * now.mtu / now.round_trip_s if now.round_trip_s else 0.0
    return {
        "rates": list(RATES),
        "go_back_n": [go_back_n(rate, now.window) for rate in RATES],
        "selective": [1.0 - rate for rate in RATES],
        "window": now.window,
        "mtu": now.mtu,
        "round_trip_s": now.round_trip_s,
        "rate_gbps": line * 8e-9,
        "selective_now": now.selective,
        "lossless": is_lossless(layout),
        "rate_now": now.rate,
        "share_now": now.share,
    }
