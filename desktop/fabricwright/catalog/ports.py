"""Which ports a device has: fixed ports, cages split by breakout, and the ports of the chosen mode.

A cage ``17`` split ``1x400`` gives port ``17``; split ``2x200`` gives ``17/1`` and ``17/2``. Nothing here raises on a
wrong configuration: an unknown split or mode counts as the default one, and a rule reports it (OPT-05, LAN-07).
"""

from __future__ import annotations

import re
import weakref
from collections.abc import Mapping
from functools import lru_cache

from fabricwright.catalog.parts import Cage, Part, Port
from fabricwright.units.natural import natural_key

Breakout = tuple[tuple[str, str], ...]

_SPLIT = re.compile(r"([1-9]\d*)x(\d+(?:\.\d+)?)([a-z]*)$")
_RANGE = re.compile(r"(\d+)-(\d+)$")
_MOST_CAGES = 4096
_cache: dict[int, tuple[weakref.ref[Part], dict[tuple[str, Breakout], Mapping[str, Port]]]] = {}


@lru_cache(maxsize=512)
def parse_split(split: str) -> tuple[int, float] | None:
    """``"2x200"`` -> (2, 200.0); None when it is not a split."""
    found = _SPLIT.match(split)
    return (int(found.group(1)), float(found.group(2))) if found else None


def expand_cages(text: str) -> list[str]:
    """``"1-3,7,mgmt"`` -> ["1", "2", "3", "7", "mgmt"]. Backward and absurdly long ranges give nothing."""
    out: list[str] = []
    for chunk in text.split(","):
        chunk = chunk.strip()
        found = _RANGE.match(chunk)
        if found:
            first, last = int(found.group(1)), int(found.group(2))
            if last - first < _MOST_CAGES:
                out += [str(n) for n in range(first, last + 1)]
        elif chunk:
            out.append(chunk)
    return out


def parse_breakout(config: Mapping[str, object]) -> dict[str, str]:
    """``config.breakout`` as cage -> split; later rows win. Anything that is not a map counts as no breakout."""
    value = config.get("breakout")
    out: dict[str, str] = {}
    if isinstance(value, Mapping):
        for cages in sorted(value, key=natural_key):
            split = value[cages]
            if isinstance(split, str):
                out.update(dict.fromkeys(expand_cages(str(cages)), split))
    return out


def cage_of(port: str) -> str:
    """Cage that a derived port name belongs to: ``17/2`` -> ``17``."""
    return port.partition("/")[0]


def split_of(cage: Cage, wanted: str | None) -> str:
    """The split that counts: ``wanted`` when the cage allows it, else its default."""
    return wanted if wanted and (wanted == cage.default or wanted in cage.breakouts) else cage.default


def split_ports(name: str, cage: Cage, split: str) -> dict[str, Port]:
    """Ports of one cage under ``split``; none when the split cannot be read."""
    parsed = parse_split(split)
    if parsed is None:
        return {}
    count, gbps = parsed
    port = Port(cage.medium, "net", gbps=gbps, cage=name, media=cage.media)
    return {name: port} if count == 1 else {f"{name}/{n}": port for n in range(1, count + 1)}


def mode_of(part: Part, config: Mapping[str, object]) -> str:
    """The mode that counts: ``config.mode`` when the part has it, else the default mode ("" without modes)."""
    mode = config.get("mode")
    return mode if isinstance(mode, str) and mode in part.modes else part.default_mode


def ports_of(part: Part, config: Mapping[str, object]) -> Mapping[str, Port]:
    """All ports of ``part`` under ``config`` (keys ``mode``, ``breakout``). Read only; shared between equal calls."""
    mode = mode_of(part, config)
    chosen: Breakout = tuple(sorted(parse_breakout(config).items())) if part.cages else ()
    known = _cache.get(id(part))
    if known is None or known[0]() is not part:
        key = id(part)
        known = (weakref.ref(part, lambda _: _cache.pop(key, None)), {})
        _cache[key] = known
    ports = known[1].get((mode, chosen))
    if ports is None:
        ports = known[1][(mode, chosen)] = _derive(part, mode, dict(chosen))
    return ports


def _derive(part: Part, mode: str, chosen: Mapping[str, str]) -> Mapping[str, Port]:
    ports: dict[str, Port] = {name: part.ports[name] for name in part.ports.ordered()}
    for name in part.cages.ordered():
        cage = part.cages[name]
        if cage.default and not cage.ports:
            ports.update(split_ports(name, cage, split_of(cage, chosen.get(name))))
    if mode in part.modes:
        table = part.modes[mode].ports
        ports.update({name: table[name] for name in table.ordered()})
    return ports
