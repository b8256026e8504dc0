"""Servers and small clusters in a few words, for drawing field cases with parts of the catalogue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fabricwright.catalog.store import catalogue
from fabricwright.design.values import Export, Item, Link, Project, Sheet, Statement, Wire
from fabricwright.units.table import Table
from tests.rules.drawing import card, deal, fabric, group
from tests.rules.hosts import Device, host


def gpus(part: str, seats: Iterable[str], **config: Any) -> dict[str, Item]:
    """``gpu0``, ``gpu1`` ... in slots of the chassis, each with the auxiliary cable that it asks for."""
    aux = catalogue().get(part).word("aux_cable")
    plugged = {"aux": aux} if aux else {}
    return {f"gpu{n}": card(part, f"chassis:{seat}", **plugged, **config) for n, seat in enumerate(seats)}


def nics(part: str, seats: Iterable[str], **config: Any) -> dict[str, Item]:
    """``nic0``, ``nic1`` ... in slots of the chassis."""
    return {f"nic{n}": card(part, f"chassis:{seat}", **config) for n, seat in enumerate(seats)}


def stating(**config: Any) -> Item:
    """A row that only states something about a built-in item or the chassis; ``slot__n1__gen`` is ``slot.n1.gen``."""
    return Item(None, config=Table({key.replace("__", "."): value for key, value in config.items()}))


def outside(*ports: str, axis: str = "port") -> dict[str, Export]:
    """The ports that a server shows as ``compute``, along one axis (``rail`` where NICs are rails)."""
    return {"compute": Export(ports, ((axis, len(ports)),))}


def node(
    chassis: str,
    items: Mapping[str, Item],
    *ports: str,
    axis: str = "port",
    links: Mapping[str, Link] | None = None,
    exports: Mapping[str, Export] | None = None,
) -> Sheet:
    """A server sheet; ``ports`` are its compute network."""
    shown = dict(exports or {}) | (outside(*ports, axis=axis) if ports else {})
    return Sheet(
        "server", chassis=chassis, items=Table(dict(items)), links=Table(dict(links or {})), exports=Table(shown)
    )


def cluster(
    sheet: Sheet,
    nodes: int,
    leaf: str,
    ports: str,
    *on: str,
    medium: str = "eth",
    breakout: Mapping[str, str] | None = None,
    leafs: Sequence[tuple[str, int]] = (),
    spine: str = "",
    spines: int = 1,
    up: tuple[str, str] | None = None,
    per_pair: int = 0,
    statements: tuple[Statement, ...] = (),
    speed: float | None = None,
    **settings: Any,
) -> Project:
    """``nodes`` servers on a leaf (on ``leafs`` axes of them), and with ``spine`` a tier above. ``up`` = port ranges of
    leaf and spine; settings with ``_`` for ``.`` once (``nccl_p2p_level`` is ``nccl.p2p_level``).
    """
    split = {"breakout": Table(dict(breakout))} if breakout else {}
    items = {"node": group("sheet:node", node=nodes), "leaf": Item(leaf, tuple(leafs), config=Table(split))}
    links = {"down": Link("node:compute", f"leaf:{ports}", deal(*on), medium, speed=speed)}
    if spine and up:
        items["spine"] = group(spine, spine=spines)
        wire = Wire("mesh", (), per_pair) if per_pair else deal()
        links["up"] = Link(f"leaf:{up[0]}", f"spine:{up[1]}", wire, medium)
    stated = {key.replace("_", ".", 1): value for key, value in settings.items()}
    return fabric(items, links, {"node": sheet}, statements, stated)


def four_a100(*sockets: Sequence[Device], **more: Any) -> Project:
    """Two AMD servers of four A100 in an NVLink mesh with 200G NICs, drawn as ``tests.rules.hosts.host`` draws."""
    mesh = [(f"gpu{a}", f"gpu{b}") for a in range(4) for b in range(a + 1, 4)]
    parts = {"cpu": "epyc-rome", "gpu": "a100-sxm4-80gb", "nic": "cx6-single-200", "gen": 4}
    return host(*sockets, nvlink=mesh, rails=False, count=2, **parts, **more)
