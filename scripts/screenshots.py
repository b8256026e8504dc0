"""Pictures of every view for docs/screenshots, made offscreen: light and dark, English and Chinese.

python scripts/screenshots.py [FOLDER] [--only WORD] [--scale 2]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

#: name -> options of the window
VIEWS: dict[str, tuple[str, ...]] = {
    "main": ("--design", "before"),
    "fabric-after": ("--design", "after", "--select", "leaf"),
    "server": ("--design", "before", "--sheet", "node", "--select", "gpu2"),
    "server-after": ("--design", "after", "--sheet", "node-after"),
    "server-cxl": ("--design", "after", "--sheet", "node-after-cxl", "--select", "cxl0"),
    "cabled-server": ("--template", "seed-a-256x8", "--sheet", "node", "--select", "sw0"),
    "rails": (
        "--template",
        "superpod-h100-127",
    ),
    "units": ("--template", "seed-a-256x8"),
    "drop-legal": ("--template", "pcie-4gpu-1nic", "--sheet", "node", "--drag", "lr-cxl-generic@chassis:n2"),
    "drop-taken": ("--template", "seed-a-256x8", "--sheet", "node", "--drag", "lr-cxl-generic@nic0"),
    "compare": ("--template", "seed-b-512", "--view", "compare"),
    "small": ("--design", "before", "--size", "1280x720"),
}
LOOKS = (("light", "en"), ("dark", "en"), ("light", "zh_CN"), ("dark", "zh_CN"))


def main() -> int:
    """Make them all; 1 when one failed."""
    parser = argparse.ArgumentParser(description="Pictures of every view.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "docs" / "screenshots")
    parser.add_argument("--only", default="", help="only views whose file name holds this word")
    parser.add_argument("--scale", default="1", help="device pixels per logical pixel")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": options.scale}
    failed = 0
    for name, arguments in VIEWS.items():
        for theme, lang in LOOKS:
            target = options.folder / f"{name}-{theme}-{'zh' if lang == 'zh_CN' else lang}.png"
            if options.only not in target.name:
                continue
            command = [
                sys.executable,
                "-m",
                "fabricwright",
                "--screenshot",
                str(target),
                "--theme",
                theme,
                "--lang",
                lang,
                *arguments,
            ]
            done = subprocess.run(command, env=environment, cwd=ROOT, timeout=300)
            failed += done.returncode != 0 or not target.exists()
            print(target.name, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
