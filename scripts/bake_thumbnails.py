"""Paint the thumbnails of the templates, light and dark, into resources/thumbnails.

python scripts/bake_thumbnails.py           paint all
python scripts/bake_thumbnails.py --check   exit 1 when a template has none, or there is one without a template
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.theme import apply_theme, named_theme
from fabricwright.ui.welcome.thumbnails import picture, scene_of

FOLDER = Path(__file__).resolve().parents[1] / "resources" / "thumbnails"


def main() -> int:
    """Paint, or compare names."""
    names = {f"{template}-{theme}.png" for template in TEMPLATES for theme in ("light", "dark")}
    if "--check" in sys.argv[1:]:
        found = {path.name for path in FOLDER.glob("*.png")}
        for name in sorted(names ^ found):
            print(f"thumbnails: {name} is {'missing' if name in names else 'not of a template'}")
        return int(names != found)
    app = QApplication([])
    apply_theme(app, "light")
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.png"):
        if path.name not in names:
            path.unlink()
    for template in TEMPLATES.values():
        scene = scene_of(template.build())
        if scene is None:
            print(f"thumbnails: {template.id} draws nothing")
            return 1
        for theme in ("light", "dark"):
            picture(scene, named_theme(theme)).save(str(FOLDER / f"{template.id}-{theme}.png"))
    print(f"thumbnails: {len(names)} in resources/thumbnails")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
