"""Write docs/accuracy.md, its figures (docs/accuracy/figures.json) and its plots from the fit and the oracle rows.

    python scripts/accuracy_page.py            (`make accuracy`)
    python scripts/accuracy_page.py --check    write nothing; exit 1 when the page is not what this would write

Everything on the page but its fixed sentences is computed here from tests/data.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from accuracy_plots import curves, ratio_plot, scatter
from numpy.typing import NDArray
from training_tables import training_tables

from fabricwright.performance.accuracy_oracle import load_oracle, score_oracle
from fabricwright.performance.measured.crossval import Fitted, fit_entries, nested, priors
from fabricwright.performance.measured.entries import Entry, load_measured
from fabricwright.performance.measured.score import CLASSES, size_class

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "tests" / "data"
PAGE = ROOT / "docs" / "accuracy.md"
FOLDER = ROOT / "docs" / "accuracy"
NAMES = [name for name, _ in CLASSES]
TARGETS = {"<=64 KiB": 36.5, "64 KiB-1 MiB": 26.0, "1-16 MiB": 12.0, "16-256 MiB": 6.0, ">256 MiB": 3.0, "all": 12.0}
# spread between comparable sites over all data at hand, wider than this file's (README of the measured data):
# median error of the other sites' mean, 90th percentile of the half-spread
FLOOR = {
    "<=64 KiB": (29.2, 30.0),
    "64 KiB-1 MiB": (20.8, 30.7),
    "1-16 MiB": (8.0, 12.4),
    "16-256 MiB": (4.4, 12.9),
    ">256 MiB": (0.9, 9.0),
}
Bool = NDArray[np.bool_]
F64 = NDArray[np.float64]


def main() -> int:
    """Compute and write."""
    parser = argparse.ArgumentParser(description="The accuracy page.")
    parser.add_argument("--check", action="store_true", help="write nothing, fail when the page is stale")
    options = parser.parse_args()
    fitted = fit_entries(load_measured(DATA / "collectives.json"))
    figures = figures_of(fitted)
    oracle = score_oracle(load_oracle(DATA / "oracle.json"))
    files = {
        PAGE: page(fitted, figures, oracle),
        FOLDER / "figures.json": json.dumps(figures, indent=1) + "\n",
        FOLDER / "scatter.svg": scatter(fitted),
        FOLDER / "ratio.svg": ratio_plot(fitted),
        FOLDER / "curves.svg": curves(fitted),
    }
    stale = [path for path, text in files.items() if not path.exists() or path.read_text("utf-8") != text]
    for path in () if options.check else stale:
        path.parent.mkdir(exist_ok=True)
        path.write_text(files[path], encoding="utf-8")
    for path in stale:
        print(f"{'stale' if options.check else 'wrote'} {path.relative_to(ROOT)}")
    return 1 if stale and options.check else 0


def figures_of(fitted: Fitted) -> dict[str, dict[str, dict[str, float]]]:
    """Figures in percent by table and class; "all" last."""
    inside, width = nested(fitted)
    classes = fitted.classes
    believed = np.array(fitted.sampled.believed_s)
    measured = np.array([s.time_s for s in fitted.sampled.samples])
    tuner = np.log(believed / measured)
    known = np.isfinite(tuner)
    out: dict[str, dict[str, dict[str, float]]] = {}
    for name in [*NAMES, "all"]:
        here = np.ones(len(classes), dtype=bool) if name == "all" else classes == name
        out.setdefault("in sample", {})[name] = summary(fitted.full[here])
        out.setdefault("left out", {})[name] = {
            **summary(fitted.left_out[here]),
            "sites": float(len(set(fitted.sites[here]))),
            "in_band": round(100 * float(inside[here].mean()), 1),
            "half_width": round(100 * float(np.median(width[here])), 1),
        }
        out.setdefault("tuner", {})[name] = summary(tuner[here & known])
        out.setdefault("left out where the tuner knows", {})[name] = summary(fitted.left_out[here & known])
    large = fitted.sizes > 1 << 20
    out["left out"]["from 1 MiB"] = {"in_band": round(100 * float(inside[large].mean()), 1)}
    return out


def summary(residual: F64) -> dict[str, float]:
    """n, median and 90th percentile of the error, signed median: percent."""
    off = 100 * np.abs(np.expm1(residual))
    return {
        "n": float(len(residual)),
        "median": round(float(np.median(off)), 1),
        "p90": round(float(np.quantile(off, 0.9)), 1),
        "signed": round(100 * math.expm1(float(np.median(residual))), 1),
    }


def site_floor(entries: Sequence[Entry]) -> dict[str, tuple[int, float, float]]:
    """(points, median error, 90th percentile of the half-spread) of this file's comparable sites, in percent."""
    groups: dict[tuple[object, ...], dict[str, dict[int, float]]] = {}
    for entry in entries:
        if not entry.scored or entry.word("quality") == "vendor-slide" or entry.word("launch") == "cuda-graph":
            continue
        if entry.word("intra").startswith("pcie") or (entry.settings() or {}).get("ALGO"):
            continue
        gpu = str(entry.fields.get("gpu") or "").upper().replace("H200", "H100").split("-")[0].split(" ")[0]
        nic = entry.number("nics_per_node") * entry.number("nic_gbps") / 8
        key = (
            gpu,
            entry.nodes,
            entry.gpus_per_node,
            entry.collective,
            entry.word("intra"),
            nic,
            entry.fields.get("rdma"),
        )
        times = dict(zip(entry.sizes, entry.times_s, strict=True))
        groups.setdefault(key, {})[str(entry.fields.get("source"))] = times
    errors: dict[str, list[float]] = {}
    spreads: dict[str, list[float]] = {}
    for curves_ in groups.values():
        for size in sorted({size for curve in curves_.values() for size in curve}):
            here = [curve[size] for curve in curves_.values() if size in curve]
            if len(here) < 2:
                continue
            name = size_class(size)
            spreads.setdefault(name, []).append((max(here) - min(here)) / (max(here) + min(here)))
            for n, value in enumerate(here):
                others = [v for m, v in enumerate(here) if m != n]
                errors.setdefault(name, []).append(abs(sum(others) / len(others) / value - 1))
    return {
        name: (len(errors[name]), 100 * float(np.median(errors[name])), 100 * float(np.quantile(spreads[name], 0.9)))
        for name in NAMES
        if name in errors
    }


def kinds(fitted: Fitted) -> list[tuple[str, Bool]]:
    """Groups of samples that people know apart."""
    of = [fitted.sampled.entries[i] for i in fitted.sampled.of]
    word = np.array([e.word("fabric_kind") for e in of])
    intra = np.array([e.word("intra") for e in of])
    collective = np.array([e.collective for e in of])
    ranks = np.array([e.ranks for e in of])
    launch = np.array([e.word("launch") for e in of])
    many = np.array([e.nodes > 1 for e in of])
    across = many & (word != "nvlink-domain")
    peers = np.isin(collective, ("all_to_all", "send_recv"))
    cloud = np.isin(word, ("efa", "tcpx", "tcp", "slingshot"))
    switch = np.array([w.startswith("nvlink") and "-" not in w for w in intra])
    return [
        ("one NVLink switch server", ~across & switch & ~peers & (launch != "cuda-graph") & (word != "nvlink-domain")),
        ("NVLink over several trays, CUDA graph", (word == "nvlink-domain") & ~peers),
        ("cube mesh, bridge, xGMI: one server", ~across & np.isin(intra, ("nvlink2-hcm", "xgmi", "nvlink3-bridge"))),
        ("PCIe-only servers", np.array([w.startswith("pcie") for w in intra]) & ~peers),
        ("InfiniBand, RoCE up to 128 ranks", across & ~cloud & ~peers & (ranks <= 128) & switch),
        ("more than 128 ranks", across & ~peers & (ranks > 128)),
        ("one GPU per server", (intra == "n/a") & ~peers),
        ("EFA", (word == "efa") & ~peers),
        ("GPUDirect-TCPX", (word == "tcpx") & ~peers),
        ("all_to_all, send_recv", peers),
    ]


def page(fitted: Fitted, figures: Mapping[str, Mapping[str, Mapping[str, float]]], oracle: Mapping[str, object]) -> str:
    """The page."""
    left = figures["left out"]
    text = (ROOT / "scripts" / "accuracy_page.md").read_text("utf-8")
    tuner_n = int(figures["tuner"]["all"]["n"])
    replacements = {
        "POINTS": str(len(fitted.left_out)),
        "ENTRIES": str(len(fitted.sampled.entries)),
        "SITES": str(len(set(fitted.sampled.site))),
        "VALUES": str(sum(1 for n in fitted.values if fitted_value(n))),
        "TUNER_POINTS": str(tuner_n),
        "COVERED": f"{left['from 1 MiB']['in_band']:.1f}",
        "TABLE_MAIN": main_table(figures),
        "TABLE_TARGETS": target_table(left),
        "TABLE_TUNER": tuner_table(figures),
        "TABLE_BANDS": band_table(left),
        "TABLE_FLOOR": floor_table(site_floor(fitted.sampled.entries)),
        "TABLE_KINDS": kind_table(fitted),
        "TABLE_WORST": worst_table(fitted),
        "TABLE_ORACLE": oracle_table(oracle),
        **training_tables(),
    }
    for key, value in replacements.items():
        text = text.replace("{" + key + "}", value)
    return text


def fitted_value(name: str) -> bool:
    """Whether a value is fitted at all."""
    return priors()[0][name].sigma > 0


def rows(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """A Markdown table, numbers to the right."""
    lines = ["| " + " | ".join(head) + " |", "|---" + "|--:" * (len(head) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in body])


def cell(row: Mapping[str, float]) -> str:
    """Median / 90th percentile."""
    return f"{row['median']:.1f} / {row['p90']:.0f}"


def main_table(figures: Mapping[str, Mapping[str, Mapping[str, float]]]) -> str:
    """In sample and left out."""
    body = []
    for name in [*NAMES, "all"]:
        inside, left = figures["in sample"][name], figures["left out"][name]
        body.append(
            [name, f"{left['n']:.0f}", f"{left['sites']:.0f}", cell(inside), cell(left), f"{left['signed']:+.1f}"]
        )
    return rows(["size", "points", "sites", "in sample", "site left out", "signed"], body)


def target_table(left: Mapping[str, Mapping[str, float]]) -> str:
    """Goals and what is reached."""
    body = []
    for name, goal in TARGETS.items():
        got = left[name]["median"]
        body.append([name, f"{goal:g}", f"{got:.1f}", "met" if got <= goal else f"missed by {got - goal:.1f}"])
    return rows(["size", "goal, median %", "site left out", ""], body)


def tuner_table(figures: Mapping[str, Mapping[str, Mapping[str, float]]]) -> str:
    """NCCL's own prediction beside ours on the same points."""
    body = []
    for name in [*NAMES, "all"]:
        tuner, ours = figures["tuner"][name], figures["left out where the tuner knows"][name]
        ratio = tuner["median"] / ours["median"] if ours["median"] else math.inf
        body.append([name, f"{tuner['n']:.0f}", cell(tuner), f"{tuner['signed']:+.0f}", cell(ours), f"{ratio:.1f}"])
    return rows(["size", "points", "NCCL's tuner", "signed", "this model, site left out", "ratio of medians"], body)


def band_table(left: Mapping[str, Mapping[str, float]]) -> str:
    """Bands made of the other sites."""
    body = []
    for name in NAMES:
        limit = 2 * FLOOR[name][1]
        body.append([name, f"{left[name]['in_band']:.0f}", f"{left[name]['half_width']:.0f}", f"{limit:.0f}"])
    return rows(
        ["size", "left-out points inside, %", "median half-width, %", "twice the spread between sites, %"], body
    )


def floor_table(own: Mapping[str, tuple[int, float, float]]) -> str:
    """What nominally equal sites differ by."""
    body = []
    for name in NAMES:
        here = own.get(name)
        mine = [f"{here[0]}", f"{here[1]:.1f}", f"{here[2]:.0f}"] if here else ["0", "-", "-"]
        body.append([name, *mine, f"{FLOOR[name][0]:.1f}", f"{FLOOR[name][1]:.0f}"])
    head = [
        "size",
        "points of this file",
        "median error",
        "half-spread, 90 %",
        "all data: median",
        "all data: half-spread, 90 %",
    ]
    return rows(head, body)


def kind_table(fitted: Fitted) -> str:
    """Left-out error by kind and class."""
    classes = fitted.classes
    body = []
    for label, here in kinds(fitted):
        cells = []
        for name in NAMES:
            both = here & (classes == name)
            median = 100 * float(np.median(np.abs(np.expm1(fitted.left_out[both])))) if both.any() else 0.0
            cells.append(f"{median:.0f} ({both.sum()})" if both.any() else "-")
        body.append([label, str(len(set(fitted.sites[here]))), *cells])
    return rows(["left out: median error, % (points)", "sites", *NAMES], body)


def worst_table(fitted: Fitted, most: int = 12) -> str:
    """Curves with the largest median error, left out."""
    body = []
    of = np.array(fitted.sampled.of)
    for number, entry in enumerate(fitted.sampled.entries):
        here = of == number
        error = fitted.left_out[here]
        body.append((float(np.median(np.abs(error))), entry, error))
    body.sort(key=lambda row: -row[0])
    out = []
    for _, entry, error in body[:most]:
        what = f"{entry.fields.get('gpu')}, {entry.nodes} x {entry.gpus_per_node}, {entry.collective}"
        where = f"{entry.word('intra')}, {entry.word('fabric_kind')}, {entry.word('launch') or 'unknown'}"
        out.append([what, where, f"{len(error)}", f"{100 * math.expm1(float(np.median(error))):+.0f}"])
    return rows(["largest median errors, left out", "links, network, launch", "points", "signed median, %"], out)


def oracle_table(oracle: Mapping[str, object]) -> str:
    """Rows of the oracle file."""
    missing = oracle["not_expressed"]
    error = oracle["max_rel_error"]
    assert isinstance(missing, Mapping) and isinstance(error, float)
    body = [["in the file", str(oracle["n_rows"])]]
    body.append(["expressed", f"{oracle['n_expressed']}, largest relative error {error:.0e}"])
    body += [[f"not expressed: {reason}", str(count)] for reason, count in missing.items()]
    return rows(["rows", ""], body)


if __name__ == "__main__":
    sys.exit(main())
