"""Sheets as the SVG files that the command line would write, for tests that look into them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fabricwright.design.values import Project
from fabricwright.exchange.diagram_svg import draw_pages
from fabricwright.exchange.svg import svg_bytes


@dataclass(frozen=True, slots=True)
class DrawnSheet:
    """The first page of a sheet."""

    sheet: str
    data: bytes


def draw_sheets(project: Project, design: str, **options: Any) -> list[DrawnSheet]:
    """One sheet, or all of a design; ``options`` as for ``draw_pages``."""
    pages = draw_pages(project, design, **options)
    return [DrawnSheet(page.sheet, svg_bytes(page.ink)) for page in pages if page.part == 1]
