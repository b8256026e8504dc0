"""The pages of the user guide: read from Markdown, in their order, with what they are searched by. No Qt here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from unicodedata import east_asian_width

from fabricwright.resources import resource_path, resource_root

#: Pages in reading order.
ORDER = (
    "first-design",
    "fabric",
    "servers",
    "sizing",
    "racks",
    "problems",
    "statements",
    "performance",
    "training",
    "network",
    "compare",
    "sweeps",
    "parts-list",
    "report",
    "catalogue",
    "saving",
    "command-line",
    "shortcuts",
    "glossary",
)
FIRST = ORDER[0]
_MARKS = re.compile(r"[*`]|!\[[^\]]*\]\([^)]*\)|(?<=\])\([^)]*\)|[\[\]]|^\s*(?:[-#>]|\d+\.)\s+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what is under it, without Markdown's marks. ``number`` counts the headings of its page from 0."""

    number: int
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Page:
    """One page. ``text`` is its Markdown."""

    name: str
    title: str
    text: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """A section that holds all words searched for, and a line of it around the first."""

    page: Page
    section: Section
    line: str


def guide_root() -> Path:
    """Folder with a folder per language: beside the other resources in an installed program, in docs/ of a checkout."""
    shipped = resource_path("guide")
    return shipped if shipped.is_dir() else resource_root().parent / "docs" / "guide"


@lru_cache(maxsize=4)
def load_pages(language: str) -> tuple[Page, ...]:
    """All pages of ``en`` or ``zh_CN``, in reading order; those that cannot be read are left out."""
    pages = []
    for name in ORDER:
        try:
            text = (guide_root() / language / f"{name}.md").read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        sections = _sections(text)
        pages.append(Page(name, sections[0].title if sections else name, text, sections))
    return tuple(pages)


def _sections(text: str) -> tuple[Section, ...]:
    found: list[tuple[str, list[str]]] = []
    fenced = False
    for line in text.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced and re.match(r"#{1,4} ", line):
            found.append((line.lstrip("# ").strip(), []))
        elif found:
            found[-1][1].append(line)
    return tuple(Section(n, title, plain("\n".join(lines))) for n, (title, lines) in enumerate(found))


def plain(markdown: str) -> str:
    """Text without Markdown's marks, on one line."""
    cells = re.sub(r"\|[-: |]+\|\n", "", markdown).replace("|", " ")
    return " ".join(_MARKS.sub("", cells).split())


def search(pages: tuple[Page, ...], query: str) -> tuple[Hit, ...]:
    """Sections that hold every word of ``query``, also inside other words; words in a title count most."""
    words = query.casefold().split()
    if not words:
        return ()
    ranked: list[tuple[int, int, Hit]] = []
    for place, page in enumerate(pages):
        for section in page.sections:
            title = section.title.casefold()
            body = f"{title} {section.text.casefold()}"
            if all(word in body for word in words):
                rank = sum(word not in title for word in words)
                ranked.append((rank, place, Hit(page, section, _line(section.text, words))))
    return tuple(hit for _, _, hit in sorted(ranked, key=lambda row: row[:2]))


LEAD = 12
"""What stands before the word that is found, in letters; Han characters are two wide. The list is narrow."""


def _line(text: str, words: list[str], length: int = 90) -> str:
    """A piece of ``text`` around the first word that is found."""
    lower = text.casefold()
    places = [lower.find(word) for word in words if word in lower]
    start = min(places, default=0)
    room = LEAD
    while start and (room := room - (2 if east_asian_width(text[start - 1]) in "WF" else 1)) >= 0:
        start -= 1
    piece = text[start : start + length].strip()
    return ("… " if start else "") + piece + (" …" if start + length < len(text) else "")
