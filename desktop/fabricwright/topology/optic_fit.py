"""Light, fibre and connectors of transceivers: which go into a cage, which can talk to each other, what joins them.

What a part's name and figures say, nothing else; pure functions of parts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from fabricwright.catalog.parts import Part
from fabricwright.topology.cable_fit import accepted_plugs

LANE_GBPS = (1.25, 10.0, 25.0, 50.0, 100.0, 200.0)
_FAMILY = re.compile(r"(?<![A-Za-z])(XDR|PLR|SRBD|CWDM|SWDM|PSM|SR|DR|FR|LR|ER)(\d*)(?![A-Za-z\d])")
_CLASSES = {"SR": "SR", "SRBD": "BD", "SWDM": "BD"}


def optic_fits(optic: Part, cage: str) -> bool:
    """Whether a transceiver goes into a cage; True when either is not known."""
    figure = optic.figures.get("fits_cages")
    if figure is not None and isinstance(figure.value, tuple):
        return not cage or cage in figure.value
    form = optic.word("form")
    return not form or not accepted_plugs(cage) or form in accepted_plugs(cage)


def families(optic: Part) -> tuple[tuple[str, int], ...]:
    """(family, optical lanes) that the name of a transceiver states: 400G-DR4 is (DR, 4); the digit of an IEEE 802.3
    name counts the lanes, none means one. A part sold for several lists them all.
    """
    text = f"{optic.name()} {optic.model}".split("transceiver")[0]
    return tuple((word, int(digits or 1)) for word, digits in _FAMILY.findall(text))


def classes(optic: Part) -> frozenset[str]:
    """Kinds of light: SR (850 nm parallel), BD (two wavelengths a fibre), DR (one wavelength, also FR1 and LR1), WDM
    (several wavelengths in one fibre). Empty when the name says nothing.
    """
    out = set()
    for word, lanes in families(optic):
        wdm = word in ("CWDM", "ER") or (word in ("FR", "LR") and lanes > 1)
        out.add(_CLASSES.get(word, "WDM" if wdm else "DR"))
    return frozenset(out)


def optical_lane_gbps(optic: Part) -> frozenset[float]:
    """Rates of one optical lane, Gb/s; empty when not known. Not that of the host's lanes: a 400G-DR4 takes eight of
    50G and sends four of 100G.
    """
    per_port = optic.get("gbps") / max(1.0, optic.get("ports_per_module", 1))
    out = set()
    for word, lanes in families(optic):
        if word in ("SRBD", "SWDM"):
            out.add(optic.get("lane_gbps"))
        elif per_port:
            out.add(min(LANE_GBPS, key=lambda rate: abs(rate - per_port / lanes)))
    if not out and optic.get("lane_gbps"):
        out.add(optic.get("lane_gbps"))
    return frozenset(rate for rate in out if rate)


def fibre_of(part: Part) -> str:
    """ "MMF", "SMF", "copper" or "" of a transceiver or fibre cable."""
    word = part.word("fibre")
    return next((kind for kind in ("MMF", "SMF", "copper") if word.startswith(kind)), "")


def connectors(word: str) -> frozenset[str]:
    """Connector forms in a stated word: MPO-12 (an MPO-8 is one with eight fibres), MPO-16, LC, RJ45. How the face is
    polished is left aside.
    """
    out = {found.replace("MPO-8", "MPO-12") for found in re.findall(r"MPO-\d+|LC|RJ45", word)}
    return frozenset(out)


def talks(a: Part, b: Part, names: Mapping[int, str]) -> bool:
    """Whether either transceiver's list ``talks_to`` names the other one."""
    for one, two in ((a, b), (b, a)):
        figure = one.figures.get("talks_to")
        listed = figure.value if figure is not None and isinstance(figure.value, tuple) else ()
        other = names.get(id(two), "")
        if other and any(re.search(rf"(?<![\w-]){re.escape(other)}(?![\w-])", str(entry)) for entry in listed):
            return True
    return False


def same_light(a: Part, b: Part) -> bool:
    """Whether two transceivers use one kind of fibre and light; True when nothing says otherwise."""
    fibre = fibre_of(a), fibre_of(b)
    if all(fibre) and fibre[0] != fibre[1]:
        return False
    kinds = classes(a), classes(b)
    return not all(kinds) or bool(kinds[0] & kinds[1])
