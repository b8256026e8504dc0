"""Signal chains for the inspector and the health of the network for its panel, as plain values.

``signal_rows``: per device of a server sheet the link above it::

    {"gpu6": {"parent", "port", "lanes", "gen", "falls_to", "retimers": [id], "replays_per_s",
              "segments": [{"name", "upper", "lower", "loss_db", "budget_db", "known", "assumed", "estimate",
                            "elements": [{"kind", "name", "db", "length_m", "source", "confidence", "known",
                                          "assumed"}]}]}}

``network_health``: ``{"medium", "pfc", "switches": [...], "incast": [...], "loss": {...} | None, "ecmp": [...],
"rows": [...]}``; bytes, Gb/s, seconds. ``medium`` of the collectives' network ("eth", "ib", ""); ``pfc`` on | off |
unknown (nobody states anything: switches are shown as if it were on) | unneeded (every NIC resends only what was lost)
| credits (InfiniBand) | "" (no network). Members of an item with ports alike
are one row, with the figures of the fullest. ``rows`` as in ``network_figures``, ``incast`` and ``ecmp`` in
``network_flows``::

    switch  {"item", "members": "0-3", "part", "buffer", "buffer_source", "buffer_estimate", "headroom", "reserved",
             "pool", "queue": bytes of one hot queue, "classes", "priorities": [3], "assumed", "estimate", "proposed",
             "ports": [{"count", "gbps", "length_m": longest, 0 unless all are known, "length_min_m",
                        "headroom": largest, "headroom_min", "method", "source", "estimate"}],
             "thresholds": [{"gbps", "kmin", "kmax", "pmax", "xoff", "buffer", "stated": bool, "stated_keys": [..],
                             "in_order": bool}],
             "incast": {"window", "senders"}}
    loss    {"rates": [...], "go_back_n": [...], "selective": [...], "window", "mtu", "round_trip_s", "rate_gbps",
             "selective_now", "lossless", "rate_now", "share_now", "assumed", "warning": {"rate", "share"},
             "example": {"gbps", "round_trip_s", "window", "go_back_n": [...], "share"}}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fabricwright.analysis.analyze import Analysis
from fabricwright.analysis.network_figures import figure_rows
from fabricwright.analysis.network_flows import entropy, incast
from fabricwright.catalog.parts import Part
from fabricwright.design.effective import EffSheet, effective
from fabricwright.design.indexset import IndexSet
from fabricwright.performance.ecmp import routing_of
from fabricwright.performance.layout import Layout, lay_out
from fabricwright.performance.loss import ASSUMED_RATE, go_back_n, is_lossless, loss_at, rate_of
from fabricwright.rules.context import split_members
from fabricwright.topology.buffers import ALPHA, LARGEST_MTU, PortUse, ecn_plan, pause_threshold
from fabricwright.topology.model import Interior
from fabricwright.topology.roce import RoceLink, pauses, roce_links
from fabricwright.topology.signal_loss import SPECIFIED_BER
from fabricwright.topology.stated import stated_figure
from fabricwright.topology.switch_ports import SwitchBuffer, switch_buffers
from fabricwright.units.errors import UserError

RATES = tuple(10 ** (exponent / 4) for exponent in range(-24, -3))
"""Loss rates of the curve: 1e-6 to 1e-1, four a decade."""

EXAMPLE_RATE, EXAMPLE_TRIP_S, EXAMPLE_MTU = 50e9, 20e-6, 4096
"""The textbook case beside it: 400 Gb/s, 20 us, 4 KiB (W = 244)."""


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
    """Buffers, thresholds, bursts, losses and hashing of a design's network."""
    layout = _layout(analysis)
    trip = loss_at(layout, 0.0).round_trip_s if layout is not None else 0.0
    root, links = _links(analysis)
    medium = layout.medium if layout is not None else "eth" if links else ""
    settings = dict(analysis.stages.design.settings)
    pfc = _pfc(links, settings, medium)
    if pfc == "unknown":
        settings["pfc"] = True
    found = switch_buffers(root, analysis.cluster.fabric, links, settings) if links else []
    switches = _alike([_switch(root, settings, buffer, trip, proposed=pfc == "unknown") for buffer in found])
    queues = switches
    if links and pfc in ("off", "unneeded"):  # without headroom the whole buffer is shared
        bare = switch_buffers(root, analysis.cluster.fabric, links, {**settings, "lossless": None, "pfc": True})
        queues = [{"item": b.item, "queue": ALPHA * b.use.buffer / (1 + ALPHA)} for b in bare]
    health: dict[str, Any] = {
        "medium": medium,
        "pfc": pfc,
        "switches": switches,
        "incast": incast(analysis, layout, queues, trip, pfc),
        "loss": _loss(layout) if layout is not None else None,
        "ecmp": entropy(analysis, layout),
    }
    return {**health, "rows": figure_rows(health)}


def _pfc(links: list[RoceLink], settings: Mapping[str, object], medium: str) -> str:
    """What the drawing says about pause frames."""
    ends = [(link, side, end) for link in links for side, end in link.sides()]
    said = {pauses(link, side, end, settings) for link, side, end in ends}
    if True in said:
        return "on"
    if False in said:
        return "off"
    if medium == "ib":
        return "credits"
    nics = [end for _, _, end in ends if end.nic]
    if not nics:
        return ""
    return "unneeded" if all(end.selective for end in nics) else "unknown"


def _layout(analysis: Analysis) -> Layout | None:
    """How the ranks lie; None for one server and where nothing can run."""
    try:
        layout = lay_out(analysis.cluster)
    except UserError:
        return None
    return layout if layout.k > 1 else None


def _links(analysis: Analysis) -> tuple[EffSheet, list[RoceLink]]:
    """Root sheet and its Ethernet links between NICs and switches."""
    project, design = analysis.project, analysis.stages.design
    root = effective(project, design, design.root)
    if root.kind != "fabric":
        return root, []
    rows = design.sheets[design.root].items

    def sheets(item: str) -> list[str]:
        return [sheet for sheet, members in split_members(rows[item]).items() if members]

    bundles = analysis.cluster.fabric.bundles
    return root, roce_links(root, bundles, sheets, lambda sheet: effective(project, design, sheet))


def _switch(
    root: EffSheet, settings: Mapping[str, object], found: SwitchBuffer, trip_s: float, *, proposed: bool
) -> dict[str, Any]:
    use = found.use
    item = root.items[found.item]
    source, guessed = _buffer_source(item.part)
    queue = ALPHA * use.pool / (1 + ALPHA)  # one hot queue, before it pauses
    shared = pause_threshold(use)
    fastest = max((port.gbps for port in use.ports), default=0.0)
    window = float(fastest / 8 * 1e9 * trip_s)
    return {
        "item": found.item,
        "members": str(IndexSet.of_array(found.members)),
        "part": item.of,
        "buffer": use.buffer,
        "buffer_source": source,
        "buffer_estimate": guessed,
        "headroom": use.headroom,
        "reserved": use.reserved,
        "pool": use.pool,
        "queue": queue,
        "proposed": proposed,
        "classes": use.classes,
        "priorities": list(found.priorities),
        "assumed": use.assumed,
        "estimate": use.estimate,
        "ports": _ports(use.ports),
        "thresholds": [
            _thresholds(item.config, settings, gbps, shared, use.buffer)
            for gbps in sorted({port.gbps for port in use.ports})
        ],
        # bursts of one window each that the hot queue takes
        "incast": {"window": window, "senders": int(queue / window) if window else 0},
    }


def _ports(ports: tuple[PortUse, ...]) -> list[dict[str, Any]]:
    """Ports of one rate together: the longest cable and the most headroom, with the least of both beside them."""
    kinds: dict[tuple[float, str, str], list[PortUse]] = {}
    for port in ports:
        kinds.setdefault((port.gbps, port.headroom.method, port.headroom.source), []).append(port)
    return [
        {
            "count": sum(port.count for port in rows),
            "gbps": gbps,
            "length_m": max(port.length_m for port in rows) if all(port.length_m for port in rows) else 0.0,
            "length_min_m": min(port.length_m for port in rows),
            "headroom": max(port.headroom.bytes for port in rows),
            "headroom_min": min(port.headroom.bytes for port in rows),
            "method": method,
            "source": source,
            "estimate": any(port.headroom.estimate for port in rows),
        }
        for (gbps, method, source), rows in kinds.items()
    ]


def _alike(switches: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Members of an item with as many ports of every rate together, as the one with most headroom: their cables differ
    by centimetres only.
    """
    groups: dict[tuple[object, ...], list[dict[str, Any]]] = {}
    for row in switches:
        ports: dict[float, int] = {}
        for port in row["ports"]:
            ports[port["gbps"]] = ports.get(port["gbps"], 0) + port["count"]
        groups.setdefault((row["item"], *sorted(ports.items())), []).append(row)
    out = []
    for rows in groups.values():
        worst = max(rows, key=lambda row: float(row["headroom"]))
        members = IndexSet.of([n for row in rows for n in IndexSet.parse(row["members"])])
        out.append({**worst, "members": str(members)})
    return out


def _buffer_source(part: Part | None) -> tuple[str, bool]:
    """(where the size of a switch's buffer is from, whether it is an estimate)."""
    for figure, source in (("buffer_pool_bytes", "SONiC buffers_defaults"), ("buffer_mb", "")):
        if part is not None and part.get(figure):
            row = part.figures[figure]
            return source or row.source or part.source or "EK", row.confidence != "read"
    return "", True


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
        "stated_keys": [
            key
            for key, value in zip(("kmin", "kmax", "pmax", "xoff"), (*stated, stated_xoff), strict=True)
            if value is not None
        ],
        "in_order": 2 * mtu <= kmin < kmax <= xoff,
    }


def _loss(layout: Layout) -> dict[str, Any]:
    rate, assumed = rate_of(layout)
    now = loss_at(layout, rate)
    line = now.window * now.mtu / now.round_trip_s * routing_of(layout).qps if now.round_trip_s else 0.0
    example = EXAMPLE_RATE * EXAMPLE_TRIP_S / EXAMPLE_MTU
    return {
        "rates": list(RATES),
        "go_back_n": [go_back_n(rate, now.window) for rate in RATES],
        "selective": [1.0 - rate for rate in RATES],
        "window": float(now.window),
        "mtu": now.mtu,
        "round_trip_s": float(now.round_trip_s),
        "rate_gbps": line * 8e-9,
        "selective_now": now.selective,
        "lossless": is_lossless(layout),
        "rate_now": now.rate,
        "share_now": float(now.share),
        "assumed": assumed,
        "warning": {"rate": ASSUMED_RATE, "share": float(loss_at(layout, ASSUMED_RATE).share)},
        "example": {
            "gbps": EXAMPLE_RATE * 8e-9,
            "round_trip_s": EXAMPLE_TRIP_S,
            "window": example,
            "go_back_n": [go_back_n(rate, example) for rate in RATES],
            "share": go_back_n(ASSUMED_RATE, example),
        },
    }
