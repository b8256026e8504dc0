"""Cut the Chinese faces that ship with the program out of Noto Sans CJK SC (OFL 1.1). Only when the set must change.

    python scripts/bake_fonts.py [FOLDER]

FOLDER holds NotoSansCJK-Regular.ttc and NotoSansCJK-Bold.ttc (Debian's fonts-noto-cjk puts them where it looks first).
Kept: the 6,763 Han characters and the signs of GB 2312, CJK punctuation, and every Han character that a text of the
program or a part name uses. Latin letters come from Fabricwright Sans, which stands first in the family list: with a
Han font first, Qt's PDF text loses digits. Needs fontTools, which nothing else here needs.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools import subset  # type: ignore[import-not-found,unused-ignore]
from fontTools.ttLib import TTCollection, TTFont  # type: ignore[import-not-found,unused-ignore]

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "resources" / "fonts"
FAMILY = "Noto Sans SC"
FACES = {"Regular": 400, "Bold": 700}


def wanted_characters() -> set[int]:
    """Code points to keep."""
    kept: set[int] = set()
    for high in range(0xA1, 0xF8):
        for low in range(0xA1, 0xFF):
            try:
                kept |= {ord(c) for c in bytes((high, low)).decode("gb2312")}
            except UnicodeDecodeError:
                continue
    kept |= (
        set(range(0x3000, 0x3040)) | set(range(0xFF00, 0xFFF0)) | {0x20, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2026}
    )
    for path in (ROOT / "resources").rglob("*"):
        if path.suffix in (".json", ".yaml", ".ts", ".fwproj"):
            kept |= {ord(c) for c in path.read_text(encoding="utf-8") if 0x3400 <= ord(c) <= 0x9FFF}
    return {c for c in kept if c > 0x7F or c == 0x20}


def bake(source: Path, face: str, weight: int, characters: set[int]) -> Path:
    """One face of the collection, subset and named ``FAMILY``."""
    collection = TTCollection(str(source))
    font: TTFont = next(f for f in collection.fonts if f["name"].getDebugName(1).startswith("Noto Sans CJK SC"))
    options = subset.Options()
    options.layout_features = ["locl", "vert", "palt"]
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.hinting = False
    options.desubroutinize = False
    options.drop_tables += ["vhea", "vmtx", "VORG", "BASE", "DSIG"]
    options.notdef_outline = True
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=characters)
    cutter.subset(font)
    for record in list(font["name"].names):
        new = {1: FAMILY, 2: face, 3: f"{FAMILY} {face} subset", 4: f"{FAMILY} {face}", 6: f"NotoSansSC-{face}"}.get(
            record.nameID
        )
        if new:
            font["name"].setName(new, record.nameID, record.platformID, record.platEncID, record.langID)
    font["CFF "].cff.fontNames[0] = f"NotoSansSC-{face}"
    font["OS/2"].usWeightClass = weight
    target = TARGET / f"NotoSansSC-{face}-subset.otf"
    font.save(str(target))
    return target


def main() -> None:
    """Bake both faces; prints their sizes."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("/usr/share/fonts/opentype/noto")
    characters = wanted_characters()
    for face, weight in FACES.items():
        target = bake(folder / f"NotoSansCJK-{face}.ttc", face, weight, characters)
        print(f"{target.name}: {len(characters)} characters, {target.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
