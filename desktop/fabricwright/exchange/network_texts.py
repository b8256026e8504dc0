"""Network advice as text: SONiC tables, NVUE commands, NIC commands, NCCL's environment, and the list of values.

What people read (README.txt, values.csv) is in the language asked for; what devices and shells read is ASCII, its
comments too.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator

from fabricwright.design.values import Project
from fabricwright.exchange.export_file import ExportFile
from fabricwright.exchange.network_advice import PROPOSAL, NetworkAdvice, network_advice
from fabricwright.exchange.network_plans import CNP_DSCP, CNP_PRIORITY, NicPlan, PortPlan, SwitchPlan, which
from fabricwright.exchange.tabular import as_text
from fabricwright.topology.buffers import SHORTEST_M
from fabricwright.units.text import N_, msg, translate

_HEADS = (
    N_("device"),
    N_("setting"),
    N_("value"),
    N_("unit"),
    N_("formula"),
    N_("source"),
    N_("stated"),
    N_("estimate"),
)
_YES, _NO = N_("yes"), N_("no")

MAP = "FABRICWRIGHT"
WATCHDOG_MS = 200
"""Detection time of the PFC watchdog, ms; restoration takes twice that (SONiC's defaults are of this order; EK)."""

XON_OFFSET = 19456
"""A queue asks to go on when it is this much below the pause threshold, bytes (SONiC's profiles for Spectrum; EK)."""


def sonic_name(port: PortPlan) -> str:
    """``Ethernet128``: SONiC counts electrical lanes from 0 over all cages."""
    return f"Ethernet{(port.cage - 1) * port.lanes + (port.branch - 1) * port.lanes // port.branches}"


def nvue_name(port: PortPlan) -> str:
    """``swp17s1``, or ``swp17`` for a whole cage."""
    return f"swp{port.cage}" + (f"s{port.branch - 1}" if port.branches > 1 else "")


def sonic_config(plan: SwitchPlan) -> dict[str, dict[str, dict[str, str]]]:
    """Tables of config_db for one switch; all values are strings, as SONiC keeps them."""
    names = {sonic_name(p): p for p in plan.ports}
    queues = sorted(plan.priorities) or [3]
    every = {str(n): str(n) for n in range(8)}
    dscp = {str(d): str(plan.dscp.get(d, d // 8 if d // 8 not in plan.priorities else 0)) for d in range(64)}
    tables: dict[str, dict[str, dict[str, str]]] = {
        "PORT": {name: {"mtu": str(plan.mtu), "speed": f"{p.gbps * 1000:.0f}"} for name, p in names.items()},
        "DSCP_TO_TC_MAP": {MAP: dscp},
        "TC_TO_QUEUE_MAP": {MAP: every},
        "TC_TO_PRIORITY_GROUP_MAP": {MAP: {n: n if int(n) in plan.priorities else "0" for n in every}},
        "MAP_PFC_PRIORITY_TO_QUEUE": {MAP: every},
        "PORT_QOS_MAP": {},
        "WRED_PROFILE": {},
        "QUEUE": {},
    }
    for ecn in plan.ecn:
        tables["WRED_PROFILE"][f"{MAP}_{ecn.gbps:.0f}G"] = {
            "ecn": "ecn_all",
            "wred_green_enable": "true",
            "green_min_threshold": f"{ecn.kmin:.0f}",
            "green_max_threshold": f"{ecn.kmax:.0f}",
            "green_drop_probability": f"{max(1, round(ecn.pmax * 100))}",
        }
    for name, port in names.items():
        qos = {
            "dscp_to_tc_map": MAP,
            "tc_to_queue_map": MAP,
            "tc_to_pg_map": MAP,
            "pfc_to_queue_map": MAP,
        }
        if plan.priorities:
            qos |= {"pfc_enable": ",".join(map(str, plan.priorities)), "pfcwd_sw_enable": qos_list(plan)}
        tables["PORT_QOS_MAP"][name] = qos
        for queue in queues:
            tables["QUEUE"][f"{name}|{queue}"] = {"wred_profile": f"{MAP}_{port.gbps:.0f}G"}
    if plan.priorities:
        tables |= _sonic_buffers(plan, names)
    return tables


def qos_list(plan: SwitchPlan) -> str:
    """Lossless priorities with commas."""
    return ",".join(map(str, plan.priorities))


def _sonic_buffers(plan: SwitchPlan, names: dict[str, PortPlan]) -> dict[str, dict[str, dict[str, str]]]:
    pool = {"type": "ingress", "mode": "dynamic", "xoff": f"{plan.use.headroom:.0f}"}
    if plan.use.buffer:
        pool["size"] = f"{plan.use.pool:.0f}"
    profiles: dict[str, dict[str, str]] = {}
    groups: dict[str, dict[str, str]] = {}
    for name, port in names.items():
        length = port.length_m or SHORTEST_M
        profile = f"pg_lossless_{port.gbps * 1000:.0f}_{length:g}m_profile"
        profiles[profile] = {
            "pool": "ingress_lossless_pool",
            "dynamic_th": "0",
            "size": f"{XON_OFFSET + port.headroom.bytes:.0f}",
            "xon": str(XON_OFFSET),
            "xoff": f"{port.headroom.bytes:.0f}",
        }
        for priority in plan.priorities:
            groups[f"{name}|{priority}"] = {"profile": profile}
    return {
        "BUFFER_POOL": {"ingress_lossless_pool": pool},
        "BUFFER_PROFILE": profiles,
        "BUFFER_PG": groups,
        "CABLE_LENGTH": {"AZURE": {n: f"{p.length_m or SHORTEST_M:g}m" for n, p in names.items()}},
        "PFC_WD": {
            "GLOBAL": {"POLL_INTERVAL": str(WATCHDOG_MS)},
            **{
                n: {"action": "drop", "detection_time": str(WATCHDOG_MS), "restoration_time": str(2 * WATCHDOG_MS)}
                for n in names
            },
        },
    }


def nvue_commands(plan: SwitchPlan) -> str:
    """NVUE commands for one switch (Cumulus Linux 5)."""
    lines = [f"# {plan.item}: {PROPOSAL.english()}"]
    for dscp, priority in sorted(plan.dscp.items()):
        lines.append(f"nv set qos mapping roce dscp {dscp} switch-priority {priority}")
    lines.append("nv set qos mapping roce trust l3")
    for priority in plan.priorities:
        lines.append(
            f"nv set qos egress-queue-mapping default-global switch-priority {priority} traffic-class {priority}"
        )
    for ecn in plan.ecn:
        for tc in plan.priorities or (3,):
            lines += [
                f"nv set qos congestion-control roce-{ecn.gbps:.0f}g traffic-class {tc} {word}"
                for word in (
                    "ecn enable",
                    "red disable",
                    f"min-threshold {ecn.kmin:.0f}",
                    f"max-threshold {ecn.kmax:.0f}",
                    f"probability {max(1, round(ecn.pmax * 100))}",
                )
            ]
    lengths = sorted({max(1, round(p.length_m or SHORTEST_M)) for p in plan.ports})
    for length in lengths if plan.priorities else ():
        lines += [
            f"nv set qos pfc roce-{length}m switch-priority {qos_list(plan)}",
            f"nv set qos pfc roce-{length}m rx enable",
            f"nv set qos pfc roce-{length}m tx enable",
            f"nv set qos pfc roce-{length}m cable-length {length}",
        ]
    for port in plan.ports:
        name = nvue_name(port)
        lines += [
            f"nv set interface {name} link mtu {plan.mtu}",
            f"nv set interface {name} qos mapping profile roce",
            f"nv set interface {name} qos congestion-control profile roce-{port.gbps:.0f}g",
        ]
        if plan.priorities:
            length = max(1, round(port.length_m or SHORTEST_M))
            lines += [
                f"nv set interface {name} qos pfc profile roce-{length}m",
                f"nv set interface {name} qos pfc-watchdog state enable",
            ]
    lines += ["nv config apply", "# nv show qos roce"]
    return "\n".join(lines) + "\n"


def nic_commands(plan: NicPlan) -> str:
    """Commands for one NIC: mlnx_qos and cma_roce_tos, or bnxt's set-up script; comments for others."""
    device = plan.device or ("mlx5_0" if plan.tool == "mlnx" else "bnxt_re0")
    lines = [
        "#!/bin/sh",
        f"# {plan.sheet}/{plan.nic} {plan.name}: {PROPOSAL.english()}",
        f'NET="${{1:-eth0}}" RDMA="${{2:-{device}}}"',
        f'ip link set dev "$NET" mtu {plan.mtu}',
    ]
    pfc = ",".join("1" if n in plan.priorities else "0" for n in range(8))
    priority = plan.priorities[0] if plan.priorities else plan.dscp // 8
    if plan.tool == "mlnx":
        lines += [
            'mlnx_qos -i "$NET" --trust dscp',
            f'mlnx_qos -i "$NET" --pfc {pfc}',
            f'mlnx_qos -i "$NET" --dscp2prio set,{plan.dscp},{priority}',
            f'echo 1 > "/sys/class/net/$NET/ecn/roce_np/enable/{priority}"',
            f'echo 1 > "/sys/class/net/$NET/ecn/roce_rp/enable/{priority}"',
            f'echo {CNP_DSCP} > "/sys/class/net/$NET/ecn/roce_np/cnp_dscp"',
            f'cma_roce_tos -d "$RDMA" -t {plan.dscp * 4}',
            f'echo {plan.dscp * 4} > "/sys/class/infiniband/$RDMA/tc/1/traffic_class"',
        ]
    elif plan.tool == "bnxt":
        mode = 3 if plan.priorities else 2  # 3 pause frames and congestion control, 2 congestion control alone
        lines.append(
            f'bnxt_setupcc.sh -d "$RDMA" -i "$NET" -m {mode} -s {plan.dscp} -p {CNP_DSCP} '
            f"-r {priority} -c {CNP_PRIORITY}"
        )
    else:
        lines += [
            f"# trust DSCP; DSCP {plan.dscp} -> priority {priority}; CNP DSCP {CNP_DSCP} -> priority {CNP_PRIORITY}",
            f"# PFC by priority 0-7: {pfc}; DCQCN on",
        ]
    return "\n".join(lines) + "\n"


def nccl_environment(advice: NetworkAdvice) -> str:
    """``export NAME=value`` lines."""
    lines = [f"# {PROPOSAL.english()}", *(f"export {name}={value}" for name, value in advice.nccl.items())]
    return "\n".join(lines) + "\n"


def advice_table(advice: NetworkAdvice, lang: str = "en") -> bytes:
    """All values with formula and source as CSV; Chinese with a byte-order mark, since spreadsheets guess otherwise."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([translate(head, lang) for head in _HEADS])
    for row in advice.rows:
        said = [translate(_YES if flag else _NO, lang) for flag in (row.stated, row.estimate)]
        words = [row.device, row.setting.text(lang), row.value, row.unit, row.formula.text(lang)]
        writer.writerow([*words, as_text(translate(row.source, lang)), *said])
    return text.getvalue().encode("utf-8" if lang == "en" else "utf-8-sig")


def sonic_files(project: Project, design: str, lang: str = "en") -> list[ExportFile]:
    """A config_db file for every kind of switch, and the list of values with PROPOSAL on top."""
    advice = network_advice(project, design)
    files = [
        ExportFile(f"{name}.json", (json.dumps(sonic_config(plan), indent=1) + "\n").encode())
        for name, plan in _named(advice)
    ]
    return [*files, ExportFile("values.csv", advice_table(advice, lang)), _note(advice, lang)]


def nvue_files(project: Project, design: str, lang: str = "en") -> list[ExportFile]:
    """NVUE commands for every kind of switch, and the list of values."""
    advice = network_advice(project, design)
    files = [ExportFile(f"{name}.nvue", nvue_commands(plan).encode()) for name, plan in _named(advice)]
    return [*files, ExportFile("values.csv", advice_table(advice, lang)), _note(advice, lang)]


def nic_files(project: Project, design: str, lang: str = "en") -> list[ExportFile]:
    """A script for every NIC of every server sheet."""
    del lang
    advice = network_advice(project, design)
    return [ExportFile(f"{n.sheet}-{n.nic.replace('/', '-')}.sh", nic_commands(n).encode()) for n in advice.nics]


def nccl_files(project: Project, design: str, lang: str = "en") -> list[ExportFile]:
    """NCCL's environment."""
    del lang
    return [ExportFile("nccl.env", nccl_environment(network_advice(project, design)).encode())]


def _named(advice: NetworkAdvice) -> Iterator[tuple[str, SwitchPlan]]:
    """File name of each plan: the item, numbered where its members differ."""
    counts: dict[str, int] = {}
    for plan in advice.switches:
        counts[plan.item] = counts.get(plan.item, 0) + 1
    for plan in advice.switches:
        yield (plan.item if counts[plan.item] == 1 else f"{plan.item}-{plan.members[0]}"), plan


def _note(advice: NetworkAdvice, lang: str) -> ExportFile:
    lines = [PROPOSAL.text(lang), ""]
    for name, plan in _named(advice):
        said = msg(
            "{file}: {members}: {model}, {count} ports",
            file=name,
            members=which(plan),
            model=plan.name,
            count=len(plan.ports),
        )
        lines.append(said.text(lang))
    return ExportFile("README.txt", ("\n".join(lines) + "\n").encode())
