"""Write docs/seed-b.md and docs/seed-b.zh_CN.md: the upgrade case told with the program's own figures.

    python scripts/seed_b_page.py            write both pages
    python scripts/seed_b_page.py --check    write nothing; exit 1 when they are not what this would write

Texts: scripts/seed_b_page.md and scripts/seed_b_page.zh_CN.md; every figure in them is computed here from the template.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from fabricwright.analysis.analyze import Analysis, analyze
from fabricwright.design.templates import TEMPLATES
from fabricwright.performance.predict import PredictRequest
from fabricwright.performance.training.money import MONTH_H
from fabricwright.performance.training.offload import ADAM_BYTES
from fabricwright.performance.training.train import Training

ROOT = Path(__file__).resolve().parents[1]
TEMPLATE = "seed-b-512"
DESIGNS = ("before", "after-network", "after")
WORKLOAD = "10b"
SERVERS, GPUS = 32, 256
NODE_BEFORE, NODE_AFTER = 25e9, 50e9
"""bytes/s that a node sends: 2 x 100 and 2 x 200 Gb/s."""
PAYLOAD = 20e9
BUCKET = 83e6
CLAIMED_BEFORE_DAYS = 30.0


def main() -> int:
    """Compute and write."""
    parser = argparse.ArgumentParser(description="The pages about the upgrade case.")
    parser.add_argument("--check", action="store_true", help="write nothing, fail when a page is stale")
    options = parser.parse_args()
    figures = figures_of()
    stale = []
    for suffix in ("", ".zh_CN"):
        text = (ROOT / "scripts" / f"seed_b_page{suffix}.md").read_text("utf-8")
        for key, value in figures.items():
            text = text.replace("{" + key + "}", value)
        path = ROOT / "docs" / f"seed-b{suffix}.md"
        if not path.exists() or path.read_text("utf-8") != text:
            stale.append(path.name)
            if not options.check:
                path.write_text(text, encoding="utf-8")
    for name in stale:
        print(f"{'stale' if options.check else 'wrote'} docs/{name}")
    return 1 if stale and options.check else 0


def figures_of() -> dict[str, str]:
    """Every figure of the pages by its name in them."""
    return arithmetic() | predictions()


def arithmetic() -> dict[str, str]:
    """What follows from the claims alone."""
    wire = 2 * (SERVERS - 1) / SERVERS
    moved_after = 3.2e-3 * NODE_AFTER / wire
    moved_before = 8.5e-3 * NODE_BEFORE / wire
    whole = PAYLOAD * wire / NODE_AFTER
    gain_share = (1 - 0.12) / (1 - 0.35)
    exposed_after = 0.12 / gain_share  # of the step before
    hidden = 1 - exposed_after / (0.35 * NODE_BEFORE / NODE_AFTER)
    hours = GPUS * MONTH_H * (1 - 1 / 1.4)
    return {
        "MOVED_AFTER": f"{moved_after / 1e6:.1f}",
        "MOVED_BEFORE": f"{moved_before / 1e6:.1f}",
        "WHOLE_MS": f"{whole * 1e3:.0f}",
        "BUCKETS": f"{PAYLOAD / moved_after:.0f}",
        "FASTER": f"{8.5 / 3.2:.2f}",
        "GAIN_SHARE": f"{100 * (gain_share - 1):.1f}",
        "GAIN_USE": f"{100 * (0.92 / 0.65 - 1):.1f}",
        "GAIN_DAYS": f"{100 * (30 / 21 - 1):.1f}",
        "DAYS_SHARE": f"{30 / gain_share:.1f}",
        "DAYS_GAIN": f"{30 / 1.4:.1f}",
        "MOST_USE": f"{100 * (1 - 0.12):.0f}",
        "FALL": f"{0.35 / exposed_after:.2f}",
        "HIDDEN": f"{100 * hidden:.0f}",
        "GPU_HOUR": f"{100_000 / hours:.2f}",
        "HOURS": f"{hours:,.0f}",
    }


def predictions() -> dict[str, str]:
    """What the model predicts for the three designs."""
    project = TEMPLATES[TEMPLATE].build()
    out: dict[str, str] = {}
    trained: dict[str, Training] = {}
    for design in DESIGNS:
        analysis = analyze(project, design)
        key = design.upper().replace("-", "_")
        small, large = (all_reduce(analysis, size) for size in (BUCKET, PAYLOAD))
        found = trained[design] = analysis.train(WORKLOAD).training
        first = trained["before"]
        out |= {
            f"{key}_GPUS": str(found.job.plan.ranks),
            f"{key}_BUCKET": f"{small[0] * 1e3:.2f} ({small[1] * 1e3:.2f}-{small[2] * 1e3:.2f})",
            f"{key}_WHOLE": f"{large[0] * 1e3:.0f} ({large[1] * 1e3:.0f}-{large[2] * 1e3:.0f})",
            f"{key}_STEP": f"{found.step_time_s:.2f} ({found.low_s:.2f}-{found.high_s:.2f})",
            f"{key}_SHARE": f"{100 * found.communication_share:.1f}",
            f"{key}_USE": f"{100 * found.gpu_utilisation:.1f}",
            f"{key}_MFU": f"{100 * found.mfu:.1f}",
            f"{key}_GAIN": f"{100 * (found.tokens_per_s / first.tokens_per_s - 1):+.1f}",
            f"{key}_DAYS": f"{CLAIMED_BEFORE_DAYS * first.tokens_per_s / found.tokens_per_s:.1f}",
        }
        if design != "after-network":
            large_model = analysis.train("1t").training
            tiers = {t.name: t.capacity for t in large_model.job.tiers}
            out |= {
                f"{key}_1T_HOST": f"{large_model.host.total * large_model.job.gpus_per_server / 1e9:.0f}",
                f"{key}_1T_ROOM": f"{tiers['dram'] / 1e9:,.0f}",
                f"{key}_1T_OFFLOAD": f"{large_model.step.offload_s:.1f}",
                f"{key}_1T_SHARE": f"{100 * large_model.step.offload_s / large_model.step_time_s:.1f}",
            }
    cxl = analyze(project, "after", ranks=["node[0-7]"])
    tiers = {t.name: t for t in cxl.train("10b").training.job.tiers}
    out["CXL_ROOM"] = f"{(tiers['dram'].capacity + tiers['cxl'].capacity) / 1e12:.1f}"
    out["CXL_RATE"] = f"{tiers['cxl'].read_rate / 1e9:.0f}"
    out["CXL_UPDATE"] = f"{1e12 / SERVERS * ADAM_BYTES / tiers['cxl'].stream_rate:.1f}"
    out["DRAM_UPDATE"] = f"{1e12 / SERVERS * ADAM_BYTES / tiers['dram'].stream_rate:.1f}"
    out["DRAM_RATE"] = f"{tiers['dram'].read_rate / 1e9:.0f}"
    return out


def all_reduce(analysis: Analysis, n_bytes: float) -> tuple[float, float, float]:
    """(time, low, high) in seconds."""
    row = analysis.predict(PredictRequest("all_reduce", (int(n_bytes),))).rows[0]
    return row.time_s, row.low_s, row.high_s


if __name__ == "__main__":
    sys.exit(main())
