"""Two parts held against each other, field by field: what a pack, or another catalogue, says otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabricwright.catalog.parts import Part
from fabricwright.units import codec
from fabricwright.units.natural import natural_key
from fabricwright.units.record import record

MOST_SHOWN = 200
"""Differences listed per part; a pack may change every port of a switch."""

#: Where a part came from is no difference of the part.
_PROVENANCE = ("origin", "based_on", "pack")


@record
class Difference:
    """One field: ``place`` ("figures.power_w", "cages.17.default"), what is here and what comes; "" where absent."""

    place: str
    here: str
    there: str

    def to_json(self) -> dict[str, str]:
        """For ``--json``."""
        return {"place": self.place, "here": self.here, "there": self.there}


def differences(here: Part, there: Part) -> list[Difference]:
    """Fields that differ, in natural order; at most ``MOST_SHOWN``."""
    out: list[Difference] = []
    for row in _walk(_plain(here), _plain(there), ""):
        out.append(row)
        if len(out) >= MOST_SHOWN:
            break
    return out


def differ(here: Part, there: Part) -> bool:
    """Whether anything but where they came from differs."""
    return here is not there and _plain(here) != _plain(there)


def _plain(part: Part) -> dict[str, object]:
    return {key: value for key, value in codec.to_json(part).items() if key not in _PROVENANCE}


def _walk(here: object, there: object, place: str) -> Iterator[Difference]:
    if isinstance(here, Mapping) or isinstance(there, Mapping):
        ours = here if isinstance(here, Mapping) else {}
        theirs = there if isinstance(there, Mapping) else {}
        is_figure = place.startswith("figures.") and place.count(".") == 1
        if is_figure:
            if here != there:
                yield Difference(place, _figure(ours), _figure(theirs))
            return
        for key in sorted({*ours, *theirs}, key=natural_key):
            yield from _walk(ours.get(key), theirs.get(key), f"{place}.{key}" if place else str(key))
    elif here != there:
        yield Difference(place, _shown(here), _shown(there))


def _figure(row: Mapping[str, object]) -> str:
    """A figure with its provenance, so that a figure that only became more certain shows what changed."""
    if not row:
        return ""
    source = row.get("source", "")
    return f"{_shown(row.get('value'))} ({row.get('confidence', 'engineering')}{f', {source}' if source else ''})"


def _shown(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(_shown(v) for v in value)[:200]
    return " ".join(str(value).split())[:200]
