"""Sentences that say why a time is what it is: what was chosen, what binds, what would bind next, what would
change nothing.
"""

from __future__ import annotations

from fabricwright.performance.arithmetic import arithmetic
from fabricwright.performance.band import LARGE, SPARSE, USUAL, coverage_of
from fabricwright.performance.binding import Named, Peak, Role, name_peak
from fabricwright.performance.choose import Candidate, Prepared, Times
from fabricwright.performance.collectives import busbw_factor
from fabricwright.performance.explain_network import network_sentences
from fabricwright.performance.plans import LABELS
from fabricwright.topology.domains import tray_of
from fabricwright.topology.model import Transport
from fabricwright.units.quantity import format_gbs, format_size, format_time
from fabricwright.units.text import Message, msg

IDLE_BELOW = 0.9


def binding_of(prepared: Prepared, candidate: Candidate) -> tuple[Peak, Named] | None:
    """The binding link of a candidate and its name; None when nothing is sent."""
    found = candidate.costed.phase_peaks[candidate.costed.heaviest]
    if not found:
        return None
    return found[0], name_peak(prepared.layout, candidate.costed.plan.phases[candidate.costed.heaviest], found[0])


def limit_rate(prepared: Prepared, candidate: Candidate) -> float:
    """Bus bandwidth (bytes/s) that the binding resource allows for very large sizes."""
    if candidate.seconds_per_byte <= 0:
        return 0.0
    return busbw_factor(prepared.collective, prepared.layout.n) / candidate.seconds_per_byte


def explain(prepared: Prepared, times: Times, at: int) -> list[Message]:
    """Sentences for the size with index ``at``."""
    layout = prepared.layout
    if layout.n < 2:
        return [msg("One GPU takes part: there is nothing to exchange.")]
    candidate = prepared.candidates[int(times.choice[at])]
    out = [_chosen(prepared, times, at)]
    bound = binding_of(prepared, candidate)
    if bound is not None:
        out += _bandwidth(prepared, candidate, *bound)
        out += _placement(prepared, *bound)
    out += _paths(prepared, candidate)
    if candidate.costed.plan.algorithm in ("tree", "nvls_tree") and layout.k == 2 and layout.cluster.tray_dev.size:
        out.append(
            msg(
                "With two NVLink racks the NICs carry the buffer once; with three and more a tree or ring carries it "
                "almost twice. Do not read this result as that of a larger cluster."
            )
        )
    elif candidate.costed.plan.algorithm in ("tree", "nvls_tree") and layout.k == 2:
        out.append(
            msg(
                "With two servers each NIC carries the buffer once; with three and more a tree or ring carries it "
                "almost twice. Do not read this result as that of a larger cluster."
            )
        )
    if not prepared.calibration.ideal:
        out += network_sentences(layout, candidate)
    if prepared.calibration.ideal:
        out.append(msg("Ideal network: line rates and path latencies only, no launch, protocol or pipeline losses."))
    else:
        out.append(_band(coverage_of(layout, prepared.collective, candidate.costed.plan.algorithm)))
    return out


def _band(coverage: str) -> Message:
    """What the band stands for."""
    if coverage == USUAL:
        return msg("The band holds nine of ten measured results of comparable systems that the model had not seen.")
    if coverage == LARGE:
        return msg("Few systems of this size were measured: the band is that of smaller ones, in places wider.")
    if coverage == SPARSE:
        return msg("Few systems of this kind were measured, or they differ a lot: the band is wide for that reason.")
    return msg("No measurement covers this configuration: the time is extrapolated and the band is a guess.")


def _chosen(prepared: Prepared, times: Times, at: int) -> Message:
    choice = int(times.choice[at])
    candidate = prepared.candidates[choice]
    best = float(times.all_s[choice, at])
    start = float(times.start_s[choice])
    figures: dict[str, object] = {
        "size": format_size(int(times.sizes[at])),
        "algorithm": LABELS[candidate.costed.plan.algorithm],
        "protocol": candidate.protocol,
        "latency": format_time(start),
        "transfer": format_time(best - start),
    }
    rest = [(float(times.all_s[i, at]), i) for i in range(len(prepared.candidates)) if i != choice]
    if not rest:
        return msg("{size}: {algorithm} with {protocol}, {latency} latency and {transfer} transfer.", **figures)
    other_s, number = min(rest)
    other = prepared.candidates[number]
    figures |= {
        "other": LABELS[other.costed.plan.algorithm],
        "other_protocol": other.protocol,
        "other_time": format_time(other_s),
    }
    if other_s < best:
        return msg(
            "{size}: {algorithm} with {protocol}, {latency} latency and {transfer} transfer. {other} with "
            "{other_protocol} would take {other_time}, but NCCL expects it to be slower and does not choose it.",
            **figures,
        )
    return msg(
        "{size}: {algorithm} with {protocol}, {latency} latency and {transfer} transfer; the next best, {other} with"
        " {other_protocol}, takes {other_time}.",
        **figures,
    )


def _bandwidth(prepared: Prepared, candidate: Candidate, peak: Peak, named: Named) -> list[Message]:
    layout, costed = prepared.layout, candidate.costed
    limit = format_gbs(limit_rate(prepared, candidate))
    if candidate.ceiling:
        return [
            msg(
                "The {protocol} protocol binds: the GPU cannot store flags and data faster; bus bandwidth ends at "
                "{limit}.",
                protocol=candidate.protocol,
                limit=limit,
            )
        ]
    loads = costed.plan.phases[costed.heaviest]
    sum_ = arithmetic(layout, candidate, peak)
    out = [
        msg(
            "For large sizes {label} binds: {count} x {line} x {efficiency} = {rate} for {load} bytes per byte of "
            "buffer; bus bandwidth ends at {limit}.",
            label=named.label,
            count=sum_.count,
            line=format_gbs(sum_.line),
            efficiency=round(sum_.efficiency, 3),
            rate=format_gbs(sum_.count * sum_.line * sum_.efficiency),
            load=sum_.load,
            limit=limit,
        )
    ]
    if loads.collisions is not None and peak.role is Role.FABRIC_LINK and loads.collisions.stretch > 1.005:
        out.append(
            msg(
                "Of that load an even split would be {even}; hashed flows that share a path make it {stretch} times as "
                "much.",
                even=sum_.load / loads.collisions.stretch,
                stretch=loads.collisions.stretch,
            )
        )
    others = [p for p in costed.phase_peaks[costed.heaviest] if p is not peak]
    if others:
        second = others[0]
        name = name_peak(layout, loads, second)
        out.append(
            msg(
                "Next would bind {label}, now {percent} % as busy.",
                label=name.label,
                percent=round(100 * second.seconds_per_byte / peak.seconds_per_byte),
            )
        )
    idle = [p for p in others[1:] if p.seconds_per_byte < IDLE_BELOW * peak.seconds_per_byte]
    if idle:
        out.append(
            msg(
                "Faster links of these kinds would change nothing: {kinds}.",
                kinds=_listed([_kind_text(p.role) for p in idle]),
            )
        )
    return out


def _listed(parts: list[Message]) -> Message:
    out = parts[-1]
    for part in reversed(parts[:-1]):
        out = msg("{one}, {others}", one=part, others=out)
    return out


def _kind_text(role: Role) -> Message:
    return {
        Role.NIC_PORT: msg("NIC ports"),
        Role.FABRIC_LINK: msg("links between switches"),
        Role.SOCKET_LINK: msg("links between processors"),
        Role.HOST_MEMORY: msg("host memory"),
        Role.PCIE_UPLINK: msg("PCIe switch uplinks"),
        Role.NIC_PCIE: msg("PCIe links of NICs"),
        Role.GPU_PCIE: msg("PCIe links of GPUs"),
        Role.C2C: msg("C2C links"),
        Role.NVLINK: msg("NVLink"),
    }[role]


def _placement(prepared: Prepared, peak: Peak, named: Named) -> list[Message]:
    """Why the NIC's place inside the server does not show."""
    layout = prepared.layout
    if layout.k == 1 or peak.role not in (Role.NIC_PORT, Role.FABRIC_LINK) or not all(c.nvlink for c in layout.classes):
        return []
    c = layout.classes[0]
    if len({int(c.interior.gpu_socket[g]) for g in c.gpus}) < 2:
        return []
    ends = sorted({g for channel in c.channels for g in (channel.order[0], channel.order[-1])})
    return [
        msg(
            "The socket that the NIC hangs on does not matter: NVLink carries the data to and from the GPUs next to "
            "it ({gpus}), and {label} binds, not a path inside the server.",
            gpus=[tray_of(c.interior.gpus[g])[1] for g in ends],
            label=named.label,
        )
    ]


def _paths(prepared: Prepared, candidate: Candidate) -> list[Message]:
    """Paths that NCCL takes the long way round, with the setting that decides."""
    layout = prepared.layout
    out: list[Message] = []
    for c in layout.classes:
        inner = c.interior
        staged = [
            (e.src, e.dst)
            for channel in c.channels
            for e in channel.edges
            if inner.gpu_gpu.transport[e.src, e.dst] == Transport.HOST_MEMORY
        ]
        if staged and not any("nccl.p2p_level" in m.template for m in out):
            pairs = list(dict.fromkeys(f"{tray_of(inner.gpus[a])[1]}-{tray_of(inner.gpus[b])[1]}" for a, b in staged))
            out.append(
                msg(
                    "{pairs} exchange through host memory, because NCCL uses peer-to-peer only up to its P2P level; "
                    "nccl.p2p_level=SYS would send them directly.",
                    pairs=pairs,
                )
            )
        entering = any(
            ch.in_port >= 0 and inner.port_gpu.transport[ch.in_port, ch.order[0]] == Transport.HOST_STAGED
            for ch in c.channels
        )
        if entering and not any("nccl.gdr_level" in m.template for m in out):
            out.append(
                msg(
                    "Network data is staged in host memory, because no GPU is near enough to the NIC for GPUDirect "
                    "RDMA at this level; nccl.gdr_level=SYS would send it directly."
                )
            )
    return out
