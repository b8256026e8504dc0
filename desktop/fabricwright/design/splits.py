"""Breakouts that follow from what is cabled: a link to ``17/2`` means that cage 17 is split, when nobody has said how.

A cage named in ``config.breakout`` keeps what is said there; otherwise the smallest legal split that has the cabled
port is taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fabricwright.catalog.parts import Part
from fabricwright.catalog.ports import cage_of, parse_breakout, parse_split
from fabricwright.design.address import expand_ports, split_end
from fabricwright.design.values import ConfigValue, Link
from fabricwright.units.table import Table


def cabled_splits(links: Iterable[Link]) -> dict[str, dict[str, int]]:
    """Item -> cage -> highest port of it that a link names (``leaf:17/1-2`` gives leaf, 17, 2)."""
    out: dict[str, dict[str, int]] = {}
    for link in links:
        for end in (link.a, link.b):
            item, ports = split_end(end)
            if "/" not in ports or "/" in item:
                continue
            highest = out.setdefault(item, {})
            for name in expand_ports(ports):
                number = name.rpartition("/")[2]
                if "/" in name and number.isdigit() and len(number) < 3:
                    cage = cage_of(name)
                    highest[cage] = max(highest.get(cage, 0), int(number))
    return out


def with_implied_breakout(part: Part, config: Table[ConfigValue], cabled: Mapping[str, int]) -> Table[ConfigValue]:
    """``config`` with a breakout for every cage that is cabled as if it were split, and that nobody has set."""
    said = parse_breakout(config)
    implied: dict[str, str] = {}
    for name, highest in cabled.items():
        cage = part.cages.get(name)
        if cage is None or name in said:
            continue
        options = [cage.default, *cage.breakouts]
        sizes = {split: parsed[0] for split in options if (parsed := parse_split(split)) is not None}
        if highest < 1 or (highest <= sizes.get(cage.default, 1) and sizes.get(cage.default, 1) > 1):
            continue
        fitting = [split for split in sizes if sizes[split] >= max(highest, 2)]
        if fitting:
            implied[name] = min(fitting, key=lambda split: (sizes[split], options.index(split)))
    return config.put("breakout", Table({**implied, **said})) if implied else config
