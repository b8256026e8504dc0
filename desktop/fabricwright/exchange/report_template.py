"""The look of a report: company name, logo, accent colour, footer, from a small TOML or JSON file.

    name = "Example Ltd"
    accent = "#0B5CAD"
    logo = "logo.png"          # PNG or JPEG, beside the template
    footer = "Confidential"

A template may come from a stranger: it is bounded, knows only these keys, and reads no file outside its own folder.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fabricwright.design.images import MAX_IMAGE_BYTES, image_of, pixels_of
from fabricwright.design.values import Image
from fabricwright.units import limits
from fabricwright.units.errors import UserError
from fabricwright.units.reading import read_file
from fabricwright.units.text import Message, msg

MOST_BYTES = limits.TEMPLATE_BYTES
LONGEST = 200
KEYS = ("name", "accent", "logo", "footer")
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
READABLE = 0.30
"""Largest relative luminance of an accent: WCAG 2.2 wants a contrast of 3:1 for large white letters on it, (1.05 / 3) -
0.05 = 0.30; lighter accents are darkened."""
ACCENT = "#1E3A5F"


@dataclass(frozen=True, slots=True)
class ReportTemplate:
    """``accent`` a hex colour; ``logo`` checked, or None for the program's own mark; ``footer`` on every page."""

    name: str = ""
    accent: str = ACCENT
    logo: Image | None = None
    logo_px: tuple[int, int] = (1, 1)
    footer: str = ""


def load_template(path: str | None) -> ReportTemplate:
    """Read a template; None gives the program's own look. Raises UserError naming file and key."""
    if path is None:
        return ReportTemplate()
    file = Path(path)
    data = read_file(path, MOST_BYTES)
    try:
        text = data.decode("utf-8-sig")
        found = json.loads(text) if file.suffix.lower() == ".json" else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise UserError(
            msg("{file}: not understood as TOML or JSON ({reason}).", file=path, reason=str(error)[:120])
        ) from error
    if not isinstance(found, dict):
        raise UserError(msg("{file}: expected keys such as name and accent.", file=path))
    try:
        return _template(found, file.resolve().parent)
    except UserError as error:
        raise UserError(msg("{file}: {problem}", file=path, problem=error.message)) from error


def _template(found: Mapping[str, object], folder: Path) -> ReportTemplate:
    for key in found:
        if key not in KEYS:
            raise UserError(msg("'{key}' is not known here; expected {known}.", key=str(key)[:40], known=list(KEYS)))
    accent = _text(found, "accent") or ACCENT
    if not _COLOUR.fullmatch(accent):
        raise UserError(msg("accent: '{value}' is no colour; expected such as #0B5CAD.", value=accent[:40]))
    logo, size = _logo(_text(found, "logo"), folder)
    return ReportTemplate(_text(found, "name"), readable(accent.upper()), logo, size, _text(found, "footer"))


def _text(found: Mapping[str, object], key: str) -> str:
    value = found.get(key, "")
    if not isinstance(value, str) or len(value) > LONGEST:
        raise UserError(msg("{key}: expected a text of at most {most} characters.", key=key, most=LONGEST))
    return " ".join("".join(c for c in value if c.isprintable() or c.isspace()).split())


def _logo(name: str, folder: Path) -> tuple[Image | None, tuple[int, int]]:
    if not name:
        return None, (1, 1)
    path = (folder / name).resolve()
    if folder not in path.parents:
        raise UserError(msg("logo: '{name}' lies outside the template's folder.", name=name[:80]))
    try:
        if not path.is_file() or path.stat().st_size > 8 * MAX_IMAGE_BYTES:
            raise UserError(_no_logo(name))
        image = image_of(path.read_bytes())
    except OSError as error:
        raise UserError(_no_logo(name)) from error
    except UserError as error:
        raise UserError(msg("logo: {problem}", problem=error.message)) from error
    pixels = pixels_of(image)
    return image, (pixels.width, pixels.height)


def _no_logo(name: str) -> Message:
    return msg("'{name}' cannot be read; expected a PNG or JPEG of at most 4 MB.", name=name[:80])


def readable(accent: str) -> str:
    """The accent, darkened until white letters can be read on it."""
    red, green, blue = (int(accent[k : k + 2], 16) for k in (1, 3, 5))
    while luminance(red, green, blue) > READABLE:
        red, green, blue = (int(part * 0.9) for part in (red, green, blue))
    return f"#{red:02X}{green:02X}{blue:02X}"


def luminance(red: int, green: int, blue: int) -> float:
    """Relative luminance of an sRGB colour (WCAG 2.2)."""
    parts = [c / 255 for c in (red, green, blue)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
