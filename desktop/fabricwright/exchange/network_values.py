"""The settings of a RoCE network one by one, for people: value, unit, formula and source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fabricwright.exchange.network_plans import SwitchPlan
from fabricwright.topology.buffers import SHORTEST_M
from fabricwright.units.text import N_, Message, msg

DRAWING, PROPOSED = N_("drawing"), N_("proposal")


@dataclass(frozen=True, slots=True)
class Advice:
    """One value: whose, what, how much, by which formula, from which source (its short name, or a word that is
    translated where it is shown); ``stated``: the drawing says so.
    """

    device: str
    setting: Message
    value: str
    unit: str
    formula: Message
    source: str
    stated: bool = False
    estimate: bool = False


def switch_values(plan: SwitchPlan, device: str, settings: Mapping[str, object]) -> list[Advice]:
    """Values of one switch plan; ``device`` what it is called in the list."""
    rows = [
        Advice(
            device,
            msg("buffer"),
            f"{plan.use.buffer:.0f}",
            "B",
            msg("shared buffer of the switch"),
            "SONiC buffers_defaults, data sheet",
            estimate=plan.use.estimate,
        ),
        Advice(
            device,
            msg("lossless priorities"),
            ",".join(map(str, plan.priorities)) or "-",
            "",
            msg("each takes headroom of its own"),
            DRAWING if settings.get("pfc.priorities") else PROPOSED,
            stated=bool(settings.get("pfc.priorities")),
        ),
        Advice(device, msg("MTU"), str(plan.mtu), "B", msg("largest frame without headers"), "EK"),
    ]
    seen: set[tuple[float, float]] = set()
    for port in plan.ports if plan.priorities else ():
        if (port.gbps, port.length_m) in seen:
            continue
        seen.add((port.gbps, port.length_m))
        length = port.length_m or SHORTEST_M
        rows.append(
            Advice(
                device,
                msg("headroom {rate}G {length} m", rate=f"{port.gbps:g}", length=f"{length:g}"),
                f"{port.headroom.bytes:.0f}",
                "B",
                msg("table by rate and cable length")
                if port.headroom.method == "sonic"
                else msg("2 x cable x 5 ns/m x rate + 672 + 2 frames + interface + response, in bit times"),
                port.headroom.source,
                estimate=port.headroom.estimate or not port.length_m,
            )
        )
    for ecn in plan.ecn:
        rate = f"{ecn.gbps:g}"
        for label, value, unit, formula in (
            (
                msg("Kmin {rate}G", rate=rate),
                f"{ecn.kmin:.0f}",
                "B",
                msg("5 kB x rate / 40G, at least 2 frames, at most Kmax / 4"),
            ),
            (
                msg("Kmax {rate}G", rate=rate),
                f"{ecn.kmax:.0f}",
                "B",
                msg("200 kB x rate / 40G, at most 3/4 of the pause threshold"),
            ),
            (msg("Pmax {rate}G", rate=rate), f"{ecn.pmax:g}", "", msg("chance of a mark just below Kmax")),
        ):
            source = "Zhu et al., SIGCOMM 2015, scaled"
            rows.append(Advice(device, label, value, unit, formula, source, estimate=True))
        if ecn.xoff:
            rows.append(
                Advice(
                    device,
                    msg("xoff {rate}G", rate=rate),
                    f"{ecn.xoff:.0f}",
                    "B",
                    msg("pool / (1 + lossless queues), dynamic threshold of 1"),
                    "Choudhury and Hahne 1998",
                    estimate=True,
                )
            )
    return rows


def nccl_values(nccl: Mapping[str, str], settings: Mapping[str, object]) -> list[Advice]:
    """Values of the job's environment."""
    stated = {"NCCL_IB_TC": "nccl.ib_tc", "NCCL_IB_GID_INDEX": "nccl.ib_gid_index", "NCCL_IB_HCA": "nccl.hca"}
    stated |= {"NCCL_IB_QPS_PER_CONNECTION": "ecmp.qps"}
    why = {
        "NCCL_IB_TC": msg("DSCP x 4"),
        "NCCL_IB_GID_INDEX": msg("entry of the GID table with RoCE v2 and IPv4; show_gids tells"),
        "NCCL_IB_QPS_PER_CONNECTION": msg("more flows spread better over equal paths"),
        "NCCL_IB_SPLIT_DATA_ON_QPS": msg("all queue pairs carry a part of each message"),
        "NCCL_IB_ADAPTIVE_ROUTING": msg("switches pick the way; packets may overtake"),
        "NCCL_IB_HCA": msg("NICs of the drawing"),
    }
    rows = []
    for name, value in nccl.items():
        said = settings.get(stated.get(name, "")) is not None
        rows.append(
            Advice("NCCL", msg("{name}", name=name), value, "", why[name], DRAWING if said else PROPOSED, stated=said)
        )
    return rows
