"""How a list of ports is written at the end of a link: the inverse of ``address.expand_ports``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from fabricwright.design.address import expand_ports

_CAGE = re.compile(r"^([A-Za-z-]*)(\d+)$", re.ASCII)


def port_text(names: Sequence[str]) -> str:
    """Ports as an end names them: 1/1, 1/2, 2/1 ... -> ``1-32/1-2``; expands to exactly ``names`` again."""
    cages = [(cage, [n.partition("/")[2] for n in rows]) for cage, rows in _by_cage(names)]
    pieces: list[str] = []
    at = 0
    while at < len(cages):
        cage, parts = cages[at]
        found = _CAGE.match(cage)
        last = at
        while found is not None and last + 1 < len(cages) and cages[last + 1][1] == parts:
            after = _CAGE.match(cages[last + 1][0])
            if after is None or after[1] != found[1] or int(after[2]) != int(found[2]) + last + 1 - at:
                break
            last += 1
        head = cage if last == at else f"{cage}-{cages[last][0]}"
        pieces += [f"{head}/{run}" if run else head for run in _runs(parts)]
        at = last + 1
    text = ",".join(pieces)
    return text if expand_ports(text) == list(names) else ",".join(names)


def _by_cage(names: Sequence[str]) -> list[tuple[str, list[str]]]:
    return [(cage, list(rows)) for cage, rows in groupby(names, key=lambda name: name.partition("/")[0])]


def _runs(parts: list[str]) -> list[str]:
    """``1-4`` of the ports of one cage; single names where they do not count on."""
    numbers = [int(p) if p.isdigit() else -1 for p in parts]
    if len(parts) > 1 and numbers == list(range(numbers[0], numbers[0] + len(parts))) and numbers[0] > 0:
        return [f"{parts[0]}-{parts[-1]}"]
    return parts
