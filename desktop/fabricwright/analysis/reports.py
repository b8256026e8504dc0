"""Results in the shape that crosses the pipe to the window."""

from __future__ import annotations

from typing import Any

import numpy as np

from fabricwright.analysis.analyze import Analysis
from fabricwright.rules.context import chassis_config
from fabricwright.rules.power import supplies
from fabricwright.rules.run import finding_to_json
from fabricwright.topology.model import Interior, NcclClass, Paths, Transport


def finding_rows(analysis: Analysis) -> dict[str, dict[str, Any]]:
    """Finding key -> row: the ``check`` shape with the message untranslated, the key and the fixes."""
    rows: dict[str, dict[str, Any]] = {}
    for entry in analysis.judged:
        finding = entry.finding
        row = dict(finding_to_json(entry))
        row |= {
            "key": finding.key,
            "message": finding.message.to_json(),
            "fix": [call.to_json() for call in finding.fix],
            "evidence": list(finding.evidence),
        }
        rows[finding.key] = row
    return rows


def sheet_summaries(analysis: Analysis) -> dict[str, dict[str, Any]]:
    """Server sheet -> lanes per CPU, path matrix, watts, and how many servers it stands for."""
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
        }
    return out


def path_matrix(interior: Interior) -> dict[str, Any]:
    """Words as nvidia-smi prints them, NCCL's classes after its overlays, and which GPU-NIC pairs use
    GPUDirect RDMA.
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
        "gdr": (to_nic.transport[:, first_port] == Transport.GPUDIRECT).tolist(),
        "p2p": np.isin(interior.gpu_gpu.transport, (Transport.NVLINK, Transport.P2P)).tolist(),
    }


def _nccl(paths: Paths, columns: Any) -> list[list[str]]:
    """NCCL's word per pair: the overlay where one is nearer, else the class after flattening."""
    best = np.where(paths.overlay >= 0, paths.overlay, paths.nccl_flattened)
    return [[NcclClass(int(best[row, c])).name for c in columns] for row in range(best.shape[0])]
