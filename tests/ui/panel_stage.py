"""A template project with a hand-made analysis, for tests of panels. No worker runs."""

from __future__ import annotations

from typing import Any

from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.context import UiContext
from fabricwright.ui.document import Document

GIB = 1 << 30


def finding(rule: str, severity: str, at: list[str], **more: Any) -> dict[str, Any]:
    """A row as the worker sends it."""
    design = more.pop("design", "after")
    row = {
        "key": f"{rule}|{design}|{','.join(at)}",
        "rule": rule,
        "severity": severity,
        "at": at,
        "members": "",
        "sheet": "fabric",
        "message": ["{what} is wrong.", {"what": at[0]}],
        "measured": None,
        "allowed": None,
        "unit": "",
        "estimate": False,
        "fix": [],
        "approved": None,
    }
    return row | more


FINDINGS = [
    finding("FAB-03", "warning", ["leaf"], members="0-3"),
    finding("CXL-04", "error", ["node/cxl0"], members="0-7", sheet="node-after-cxl"),
    finding("MEC-01", "error", ["node/sw0"], members="0-31", sheet="node-after"),
    finding(
        "P2P-03",
        "warning",
        ["node/gpu8", "node/gpu9"],
        members="0-31",
        sheet="node-after",
        fix=[{"name": "set_setting", "args": {"design": "after", "key": "nccl.p2p_level", "value": "SYS"}}],
    ),
    finding("OPT-13", "info", ["leaf", "down"], members="0-3", estimate=True),
    finding("FAB-01", "fact", ["spine"]),
    finding(
        "NIC-02",
        "error",
        ["node/nic8"],
        sheet="node-after",
        approved={"reason": "agreed", "author": "Li", "date": "2026-11-30"},
    ),
]

BOOK = {
    "MEC-01": {
        "severity": "error",
        "group": "mechanical",
        "subject": "slot",
        "title": "Two cards in one slot",
        "checks": "Every card has a slot of its own.",
        "reason": "A connector takes one card.",
        "source": "EK",
    },
    "P2P-03": {"severity": "warning", "group": "P2P & NUMA", "title": "t", "checks": "c", "reason": "r", "source": ""},
}

ROW = {
    "bytes": GIB,
    "time_us": 28_500.0,
    "time_us_low": 26_600.0,
    "time_us_high": 31_700.0,
    "algbw_gbs": 37.7,
    "busbw_gbs": 37.6,
    "algorithm": "Ring",
    "protocol": "Simple",
    "latency_us": 250.0,
    "bandwidth_us": 28_250.0,
    "bottleneck": {
        "address": "node[8-31]/nic8:1",
        "kind": "nic_port",
        "label": ["NIC port of {names}", {"names": "nic8"}],
        "utilisation": 0.76,
    },
    "alternatives": [{"algorithm": "Tree", "protocol": "Simple", "time_us": 31_000.0}],
    "limit_gbs": 48.0,
}
SIZES = [1 << e for e in range(3, 35)]
PREDICTION = {
    "collective": "all_reduce",
    "ranks": 256,
    "settings": {},
    "rows": [ROW],
    "explanation": [["{size}: chosen.", {"size": "1 GiB"}], ["It binds.", {}]],
    "curve": {
        "bytes": SIZES,
        "time_us": [s / 40e3 + 100 for s in SIZES],
        "low_us": [(s / 40e3 + 100) * 0.9 for s in SIZES],
        "high_us": [(s / 40e3 + 100) * 1.1 for s in SIZES],
        "busbw_gbs": [s / (s / 40 + 100e3) for s in SIZES],
        "algorithm": ["Tree" if s < 1 << 22 else "Ring" for s in SIZES],
        "protocol": ["LL" if s < 1 << 22 else "Simple" for s in SIZES],
        "limit_gbs": [48.0] * len(SIZES),
    },
}
SHEETS = {
    "node-after": {
        "servers": 24,
        "lanes": {"cpu0": {"wired": 80, "used": 80, "available": 80, "by_kind": {"nic": 64, "pcie-switch": 16}}},
        "power": [
            {"host": "chassis", "load_w": 10_300.0, "usable_w": 13_200.0, "estimate": True},
            {"host": "ext0", "load_w": 1_500.0, "usable_w": 1_600.0, "estimate": True},
        ],
        "matrix": {
            "gpus": ["gpu0", "gpu4"],
            "nics": ["nic0", "nic8", "nic7"],
            "gpu_gpu": [["X", "NV18"], ["NV18", "X"]],
            "gpu_gpu_nccl": [["LOC", "NVL"], ["NVL", "LOC"]],
            "gpu_nic": [["PXB", "PHB", "SYS"], ["SYS", "PIX", "NODE"]],
            "gpu_nic_nccl": [["PXB", "PHB", "SYS"], ["SYS", "PIX", "PHB"]],
            "gdr": [[True, False, False], [False, True, False]],
        },
    }
}


def stage(sheet: str = "fabric", *, analysed: bool = True) -> UiContext:
    """Seed B, design ``after``, with the analysis above."""
    context = UiContext(Document(TEMPLATES["seed-b-512"].build()))
    context.open_design("after")
    context.open_sheet(sheet)
    if analysed:
        context.analysis.update(
            findings={row["key"]: row for row in FINDINGS},
            prediction=PREDICTION,
            sheets=SHEETS,
            heat={"down": {"max": 0.76, "mean": 0.7}, "up": {"max": 0.1, "mean": 0.1}},
            figures={"servers": 32, "gpus": 320, "switches": 6, "links": 128, "power_w": 361_196.0},
            status="idle",
            seconds=0.3,
        )
    return context
