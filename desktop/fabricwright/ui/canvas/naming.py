"""What things are called on the sheet: part names from long to short, amounts. No Qt."""

from __future__ import annotations

import re
from functools import lru_cache

from fabricwright.catalog.parts import Part
from fabricwright.design.effective import EffItem

#: Words that a shortened name does not end with: what they lead to has been cut off.
_LEADING_ON = frozenset({"of", "a", "an", "the", "with", "and", "or", "on", "in", "for", "to", "per", "behind"})
_BRACKETS = re.compile(r"\s*[(（][^)）]*[)）]")


@lru_cache(maxsize=4096)
def shortened(text: str) -> tuple[str, ...]:
    """The text and ever shorter forms of it, cut at word borders: "H100 SXM5 80GB", "H100 SXM5", "H100"."""
    out = [text]
    # "ConnectX-7 dual-port" is cut at spaces only; an order number without spaces at its hyphens.
    border = " " if " " in text else r"[\-_]" if text.isascii() else r"$^"
    pieces = [m.start() for m in re.finditer(border, text)]
    for cut in reversed(pieces):
        piece = text[:cut].rstrip(" -_,")
        if len(piece) >= 2 and piece != out[-1] and piece.rpartition(" ")[2].lower() not in _LEADING_ON:
            out.append(piece)
    if len(out) == 1 and re.fullmatch(r"[\u4e00-\u9fff\w]+", text) and len(text) > 8:
        out.append(text[:8])
    return tuple(out)


@lru_cache(maxsize=4096)
def _names(model: str, name: str, vendor: str) -> tuple[str, ...]:
    text = model or _BRACKETS.sub("", name).split(",")[0].split("，")[0].strip()
    if vendor and text.lower().startswith(vendor.lower() + " "):
        text = text[len(vendor) + 1 :]
    return shortened(text)


def part_names(part: Part | None, fallback: str, lang: str) -> tuple[str, ...]:
    """Names of a part from long to short: its model where it has one, which reads the same in every language."""
    if part is None:
        return shortened(fallback)
    names = _names(part.model, part.name(lang), part.vendor)
    if lang != "en" and not part.model:
        # A Chinese name cannot be cut at spaces; the English one gives the short forms.
        names = (*names, *_names("", part.name("en"), part.vendor))
    return tuple(dict.fromkeys((*names, *(n.replace("ConnectX-", "CX-") for n in names[-1:] if "ConnectX-" in n)))) or (
        fallback,
    )


def spaced_model(part: Part | None, fallback: str, lang: str) -> tuple[str, ...]:
    """GPU and server models as people write them: "H100 SXM5 80GB"."""
    names = part_names(part, fallback, lang)
    return tuple(dict.fromkeys(name.replace("-", " ") for name in names)) if part and part.model else names


def number_of(row_id: str) -> str:
    """Trailing number of an id: gpu12 -> "12"; "" when there is none."""
    match = re.search(r"(\d+)$", row_id)
    return match[1] if match else ""


def label_of(item: EffItem) -> str:
    """What a single item is called: its name, else its id in capitals where it is an abbreviation (NIC0, GPU3)."""
    if item.name:
        return item.name
    stem = item.id.rsplit("/", 1)[-1]
    if re.fullmatch(r"[a-z]{2,4}\d+", stem):
        return stem.upper()
    return stem


def slot_label(slot_id: str, label: str) -> str:
    """ "chassis:s6" -> "S6"; the chassis' own label wins."""
    name = slot_id.rpartition(":")[2]
    return label or (name.upper() if re.fullmatch(r"[a-z]{1,4}\d*(-\d+)?", name) else name)


def kilowatts(watts: float) -> str:
    """Number without unit, as it stands left of "/ 13.2 kW"."""
    return f"{watts / 1000:.1f}" if watts >= 1000 else f"{watts / 1000:.2f}"


def thousands(value: float) -> str:
    """1,024"""
    return f"{value:,.0f}"
