"""Results in the shape that crosses the pipe to the window."""

from __future__ import annotations

from typing import Any

import numpy as np

from fabricwright.analysis.analyze import Analysis
from fabricwright.analysis.network_health import signal_rows
from fabricwright.design.values import Approval
from fabricwright.rules.context import chassis_config
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import all_rules
from fabricwright.rules.run import finding_to_json
from fabricwright.topology.model import Interior, NcclClass, Paths, Transport
from fabricwright.topology.server_power import supplies


def finding_rows(analysis: Analysis) -> dict[str, dict[str, Any]]:
    """Finding key -> row: the ``check`` shape with the message untranslated, the key, the fixes, the
    statements it is about, and an approval that it outgrew.
    """
    rows: dict[str, dict[str, Any]] = {}
    for entry in analysis.judged:
        finding = entry.finding
        row = dict(finding_to_json(entry))
        row |= {
            "key": finding.key,
            "message": finding.message.to_json(),
            "fix": [call.to_json() for call in finding.fix],
            "evidence": list(finding.evidence),
            "statements": statements_of(finding),
            "lapsed": _approval(entry.outgrown) if entry.outgrown is not None else None,
        }
        if entry.approval is not None:
            row["approved"] = _approval(entry.approval)
        rows[finding.key] = row
    return rows


def _approval(row: Approval) -> dict[str, Any]:
    """An approval with what it was given for; ``key`` is what the ``unapprove`` edit takes."""
    return {
        "key": row.key,
        "reason": row.reason,
        "author": row.author,
        "date": row.date,
        "members": row.members,
        "measured": row.measured,
        "everywhere": row.design == "*",
    }


def statements_of(finding: Finding) -> list[str]:
    """Ids of the statements that a finding holds against the drawing or each other (``values["statement"]``, a text
    or a list; ``values["statements"]`` likewise)."""
    out: list[str] = []
    for name in ("statement", "statements"):
        value = finding.values.get(name)
        if isinstance(value, str):
            out += [part.strip() for part in value.split(",")]
        elif isinstance(value, (list, tuple)):
            out += [str(part) for part in value]
    return [part for part in dict.fromkeys(out) if part]


def rule_pages() -> dict[str, dict[str, str]]:
    """Rule id -> what the explanation pane shows of it: English literals, translated where they are shown."""
    return {
        rule.id: {
            "severity": rule.severity,
            "group": rule.group,
            "subject": rule.subject,
            "title": rule.title,
            "checks": rule.checks,
            "reason": rule.reason,
            "source": rule.source,
        }
        for rule in all_rules().values()
    }


def sheet_summaries(analysis: Analysis) -> dict[str, dict[str, Any]]:
    """Server sheet -> lanes per CPU, path matrix, watts, what its links lose, and how many servers it stands for."""
    counts = analysis.sheet_counts()
    out: dict[str, dict[str, Any]] = {}
    for sheet, interior in analysis.interiors().items():
        eff = analysis.stages.effective(sheet)
        power = supplies(eff, analysis.project.parts, chassis_config(analysis.stages.design, sheet))
        out[sheet] = {
            "servers": counts.get(sheet, 0),
            "lanes": {
                cpu: {"wired": use.wired, "used": use.used, "available": use.available, "by_kind": dict(use.by_kind)}
                for cpu, use in interior.lanes.items()
            },
            "matrix": path_matrix(interior),
            "power_w": sum(s.load_w for s in power),
            "power": [
                {"host": s.host, "load_w": s.load_w, "usable_w": s.usable_w, "estimate": s.estimate} for s in power
            ],
            "problems": list(interior.problems),
            "signal": signal_rows(interior),
        }
    return out


def path_matrix(interior: Interior) -> dict[str, Any]:
    """Words as nvidia-smi prints them, NCCL's classes after its overlays, and which GPU-NIC pairs use
    GPUDirect RDMA. ``*_gbs`` GB/s by NCCL's constants of the way taken, ``*_way`` that way (``Transport``).
    """
    cabled = [n for n in range(len(interior.nics)) if (interior.port_nic == n).any()]
    first_port = [int(np.argmax(interior.port_nic == n)) for n in cabled]
    to_nic = interior.gpu_port
    return {
        "gpus": list(interior.gpus),
        "nics": [interior.nics[n] for n in cabled],
        "gpu_gpu": [list(row) for row in interior.gpu_gpu.smi],
        "gpu_gpu_nccl": _nccl(interior.gpu_gpu, range(len(interior.gpus))),
        "gpu_nic": [[row[p] for p in first_port] for row in to_nic.smi],
        "gpu_nic_nccl": _nccl(to_nic, first_port),
        "gpu_gpu_gbs": _gbs(interior.gpu_gpu.bandwidth),
        "gpu_nic_gbs": _gbs(to_nic.bandwidth[:, first_port]),
        "gpu_gpu_way": interior.gpu_gpu.transport.tolist(),
        "gpu_nic_way": to_nic.transport[:, first_port].tolist(),
        "gdr": (to_nic.transport[:, first_port] == Transport.GPUDIRECT).tolist(),
        "p2p": np.isin(interior.gpu_gpu.transport, (Transport.NVLINK, Transport.P2P)).tolist(),
    }


def _gbs(bandwidth: Any) -> list[list[float]]:
    """GB/s with one decimal; 0 where there is no path (and for a GPU to itself)."""
    shown = np.where(np.isfinite(bandwidth), bandwidth, 0.0) / 1e9
    return [[round(float(value), 1) for value in row] for row in shown]


def _nccl(paths: Paths, columns: Any) -> list[list[str]]:
    """NCCL's word per pair: the overlay where one is nearer, else the class after flattening."""
    best = np.where(paths.overlay >= 0, paths.overlay, paths.nccl_flattened)
    return [[NcclClass(int(best[row, c])).name for c in columns] for row in range(best.shape[0])]
