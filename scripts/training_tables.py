"""Tables of the accuracy page about training steps, from docs/accuracy/training.json (scripts/fit_training.py)."""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FIGURES = ROOT / "docs" / "accuracy" / "training.json"


def training_tables() -> dict[str, str]:
    """Replacements for the page's template."""
    figures = json.loads(FIGURES.read_text("utf-8"))
    whole = figures["all"]
    head = "| runs | n | median | mean | 90th percentile | median signed |\n|---|--:|--:|--:|--:|--:|"
    main = [head]
    for name, row in whole.items():
        main.append(
            f"| {name} | {row['n']} | {row['median_abs']:.1f} | {row['mean_abs']:.1f} | {row['p90_abs']:.0f} | "
            f"{row['median_signed']:+.1f} |"
        )
    groups = []
    for key, title in (("by_source", "source"), ("by_system", "GPU as written")):
        groups.append(f"| {title} | n | in sample | left out | signed |\n|---|--:|--:|--:|--:|")
        for name, row in figures[key].items():
            inside, out = row["inside"], row["left_out"]
            groups[-1] += (
                f"\n| {name} | {out['n']} | {inside['median_abs']:.1f} | {out['median_abs']:.1f} | "
                f"{out['median_signed']:+.1f} |"
            )
    worst = ["| run | measured s | in sample | source left out |\n|---|--:|--:|--:|"]
    for row in figures["worst"]:
        worst.append(f"| {row['id']} | {row['measured_s']:.4g} | {row['inside']:+.0f} | {row['left_out']:+.0f} |")
    return {
        "TRAINING_MAIN": "\n".join(main),
        "TRAINING_GROUPS": "\n\n".join(groups),
        "TRAINING_WORST": "\n".join(worst),
    }
