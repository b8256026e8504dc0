"""Small servers for tests about paths: sockets, switches, GPUs and NICs in a few words."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from fabricwright.catalog.parts import BuiltinItem, BuiltinLink, Port, Slot
from fabricwright.catalog.store import catalogue
from fabricwright.design.values import Export, Item, Link, Project, Workload
from fabricwright.units.table import Table
from tests.rules.drawing import board, card, server, slot, switch_chip

Device = str | Sequence[Any]
"""``gpu``, ``nic``, or a switch with the devices below it as a sequence."""

GPU = "l40s"
"""A PCIe card without NVLink whose driver has peer-to-peer."""
NIC = "mcx715105as-weat"
"""One 400G port."""


class _Board:
    """Collects the built-in items, slots and cards of a server while its sockets are walked."""

    def __init__(self, gpu: str | Sequence[str], nic: str, gen: int, chip: str, gens: Mapping[str, tuple[int, int]]):
        self.gpu, self.nic, self.gen, self.chip, self.gens = gpu, nic, gen, chip, gens
        self.items: dict[str, BuiltinItem] = {}
        self.links: dict[str, BuiltinLink] = {}
        self.slots: dict[str, Slot] = {}
        self.cards: dict[str, Item] = {}

    def place(self, feed: str, device: Device, config: Mapping[str, Mapping[str, Any]]) -> None:
        if not isinstance(device, str):
            name = f"sw{sum(i.startswith('sw') for i in self.items)}"
            chip = switch_chip(len(device), self.gen)
            self.items[name] = BuiltinItem(chip.of, ports=chip.ports, chip=name, chip_part=self.chip)
            self.links[f"l-{name}"] = BuiltinLink(feed, f"{name}:up", "pcie", 16, self.gen)
            for n, below in enumerate(device, 1):
                self.place(f"{name}:d{n}", below, config)
            return
        number = sum(i.startswith(device) for i in self.cards)
        name, seat = f"{device}{number}", f"{device[0]}{number}"
        gen, lanes = self.gens.get(name, (self.gen, 16))
        parts = self.nic if device == "nic" else self.gpu
        part = parts if isinstance(parts, str) else parts[number]
        self.slots[seat] = slot(feed, max_width=3, gen=gen, electrical=lanes)
        form = catalogue().get(part).word("form")
        if form.startswith(("sxm", "oam")):  # a module needs a place of its kind
            self.slots[seat] = dataclasses.replace(
                self.slots[seat], kind=form, power_w=catalogue().get(part).get("power_w")
            )
        self.cards[name] = card(part, f"chassis:{seat}", **config.get(name, {}))


def host(
    *sockets: Sequence[Device],
    cpu: str = "xeon-spr",
    gpu: str | Sequence[str] = GPU,
    nic: str = NIC,
    gen: int = 5,
    chip: str = "pex89144",
    gens: Mapping[str, tuple[int, int]] | None = None,
    config: Mapping[str, Mapping[str, Any]] | None = None,
    nvlink: Sequence[tuple[str, str]] = (),
    rails: bool | None = None,
    numa: bool = False,
    count: int = 1,
    tp: int = 0,
    **settings: Any,
) -> Project:
    """A server of one processor per argument, each a list of what hangs on its root ports.

    ``host(["gpu", ["gpu", "nic"]], ["gpu"])``: gpu0 on a root port of cpu0, gpu1 and nic0 below switch sw0, gpu2 on
    cpu1. ``gens`` (generation, lanes) of a device's slot; ``config`` by item, built-in ones too; ``rails`` exports all
    NIC ports as ``compute`` with (True) or without rails (False); ``numa`` puts every root port into a NUMA node of its
    own (NPS, SNC); settings with ``_`` for ``.`` once
    (``nccl_p2p_level`` is ``nccl.p2p_level``).
    """
    config = config or {}
    drawn = _Board(gpu, nic, gen, chip, gens or {})
    for s, devices in enumerate(sockets):
        ports = {
            f"p{n}": Port("pcie", "root", 16, gen, host_bridge=f"cpu{s}-p{n}", numa=10 * s + n if numa else s)
            for n in range(len(devices))
        }
        ports |= {"link": Port("socket", "peer")}
        drawn.items[f"cpu{s}"] = BuiltinItem(cpu, ports=Table(ports), config=Table({"lanes_available": 128}))
        if s:
            drawn.links[f"l-s{s}"] = BuiltinLink(f"cpu{s - 1}:link", f"cpu{s}:link", "socket", kind="upi")
    for s, devices in enumerate(sockets):
        for n, device in enumerate(devices):
            drawn.place(f"cpu{s}:p{n}", device, config)
    rows = dict(drawn.cards)
    for name, values in config.items():
        if name not in rows:
            rows[name] = Item(None, config=Table(dict(values)))
    links = {f"nv{n}": Link(f"{a}:nv", f"{b}:nv", medium="nvlink") for n, (a, b) in enumerate(nvlink)}
    exports = {}
    if rails is not None:
        names = tuple(f"{n}:1" for n in drawn.cards if n.startswith("nic"))
        exports["compute"] = Export(names, (("rail" if rails else "port", len(names)),))
    project = server(
        board(drawn.slots, drawn.items, drawn.links),
        rows,
        links,
        count=count,
        exports=exports,
        settings={k.replace("_", ".", 1): v for k, v in settings.items()},
    )
    if tp:
        plan = Workload("Model", plan=Table({"tp": tp}))
        project = dataclasses.replace(project, workloads=Table({"model": plan}))
    return project
