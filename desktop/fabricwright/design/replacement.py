"""What of one part another can take over: modes, breakouts, ports, slots. Pure, and explicit about what it cannot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fabricwright.catalog.parts import Part
from fabricwright.catalog.ports import cage_of, expand_cages, ports_of
from fabricwright.design.address import expand_ports
from fabricwright.design.check_ports import ports_in_any_mode
from fabricwright.design.indexset import IndexSet
from fabricwright.design.patch import Patch
from fabricwright.design.port_text import port_text
from fabricwright.design.values import ConfigValue
from fabricwright.units.record import record
from fabricwright.units.table import Table
from fabricwright.units.text import Message, msg


@record
class Unmapped:
    """One thing that the new part does not take over as it was.

    ``kind`` mode | breakout | port | slot | export | row | built-in | statement; ``address`` where ("main!node/nic0");
    ``lost``: the row is gone (undo brings it back), else it is kept or was put in the nearest place, as ``message``
    says.
    """

    kind: str
    address: str
    message: Message
    lost: bool = False


@record
class Replacement:
    """What replacing a part does: the patch, how many rows got the new part, and all that did not map."""

    patch: Patch
    replaced: int
    unmapped: tuple[Unmapped, ...] = ()


Config = Table[ConfigValue]


def mapped_mode(config: Config, old: Part, new: Part, where: str, said: list[Unmapped]) -> Config:
    """Config with a mode that the new part has: the same name, else one with the same ports, else its default."""
    mode = config.get("mode")
    if mode is None or mode in new.modes:
        return config
    if not new.modes:
        said.append(
            Unmapped("mode", where, msg("{at}: mode {mode} is dropped; the new part has none.", at=where, mode=mode))
        )
        return config.drop("mode")
    ports = set(ports_of(old, config))
    alike = next((m for m in new.modes.ordered() if set(ports_of(new, {"mode": m})) == ports), None)
    chosen = alike or new.default_mode
    said.append(
        Unmapped("mode", where, msg("{at}: mode {mode} becomes {chosen}.", at=where, mode=mode, chosen=chosen or "-"))
    )
    return config.put("mode", chosen) if chosen else config.drop("mode")


def mapped_breakout(config: Config, new: Part, where: str, said: list[Unmapped]) -> Config:
    """Config with the splits that the new part's cages allow."""
    given = config.get("breakout")
    if not isinstance(given, Mapping):
        return config
    kept: dict[str, str] = {}
    for cages, split in given.items():
        fine = [c for c in expand_cages(cages) if c in new.cages and _splits(new, c, split)]
        gone = [c for c in expand_cages(cages) if c not in fine]
        if fine:
            kept[cages if not gone else joined_cages(fine)] = split
        if gone:
            text = msg(
                "{at}: cages {cages} cannot be split {split} in the new part.",
                at=where,
                cages=joined_cages(gone),
                split=split,
            )
            said.append(Unmapped("breakout", where, text))
    return config.put("breakout", Table(kept)) if kept else config.drop("breakout")


def _splits(part: Part, cage: str, split: str) -> bool:
    row = part.cages[cage]
    return split == row.default or split in row.breakouts


def joined_cages(names: Iterable[str]) -> str:
    """``1-3,7,mgmt`` of cage names."""
    listed = list(names)
    numbers = IndexSet.of(int(n) for n in listed if n.isdigit() and len(n) < 7)
    return ",".join([*([str(numbers)] if numbers else []), *(n for n in listed if not n.isdigit())])


@record
class PortMap:
    """Names that ports of an old part have on a new one; a port left out has none there."""

    names: Mapping[str, str]

    def end(self, ports: str) -> tuple[str, list[str], dict[str, str]]:
        """(the port text now, names that found no port and stay written, names that changed)."""
        names = expand_ports(ports)
        missing = [n for n in names if n not in self.names]
        changed = {n: self.names[n] for n in names if self.names.get(n, n) != n}
        return (port_text([self.names.get(n, n) for n in names]) if changed else ports), missing, changed


def port_map(old: Part, old_config: Config, new: Part, new_config: Config, used: Iterable[str]) -> PortMap:
    """How the ``used`` ports of ``old`` are called on ``new``.

    All by name and cage (17 is 17/1 where the cage is split), or if more of them fit so, all by their place among ports
    of the same kind. Never two ports on one.
    """
    possible = ports_in_any_mode(new)
    wanted = list(dict.fromkeys(used))
    by_name: dict[str, str] = {}
    for port in wanted:
        cage = cage_of(port)
        for name in (port, f"{port}/1" if "/" not in port else "", cage if port == f"{cage}/1" else ""):
            if name in possible and name not in by_name.values():
                by_name[port] = name
                break
    places: dict[tuple[str, str], list[str]] = {}
    for name, row in ports_of(new, new_config).items():
        places.setdefault((row.medium, row.role), []).append(name)
    by_place: dict[str, str] = {}
    counted: dict[tuple[str, str], int] = {}
    for name, row in ports_of(old, old_config).items():
        kind = (row.medium, row.role)
        n = counted.get(kind, 0)
        counted[kind] = n + 1
        if n < len(places.get(kind, ())) and name in wanted:
            by_place[name] = places[kind][n]
    return PortMap(by_place if len(by_place) > len(by_name) else by_name)


def same_kind(old: Part, new: Part) -> bool:
    """Whether one can stand where the other stands at all."""
    servers = {"server", "chassis", "storage-server"}
    return old.kind == new.kind or {old.kind, new.kind} <= servers
