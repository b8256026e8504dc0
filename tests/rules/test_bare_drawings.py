"""The whole rule book on drawings of which little is known: a server sheet alone, bare parts, loose cards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fabricwright.catalog.parts import BuiltinItem, Part, Port
from fabricwright.catalog.store import catalogue
from fabricwright.design.values import Design, Item, Link, Project, Sheet, Workload
from fabricwright.units.table import Table
from tests.rules.drawing import (
    board,
    card,
    cpu,
    deal,
    everything,
    fabric,
    group,
    mesh,
    one_nic,
    root_port,
    server,
    slot,
)
from tests.rules.pcie_parts import nic_part, retimer_part, switch_part
from tests.topology import samples

KINDS = ("gpu", "nic", "cxl", "retimer", "nvme", "dpu", "pcie-switch-card")
BARE = {f"bare-{kind}": Part(kind, Table({"en": f"Bare {kind}"})) for kind in KINDS}
SLOTS = {f"s{n}": slot(f"cpu0:p{n}") for n in range(len(KINDS))}


def alone(chassis: str, items: dict[str, Item] | None = None) -> Project:
    """A design that is one server sheet and nothing else."""
    project = samples.server(chassis, items or {}, populate=True)
    return replace(project, workloads=Table({"job": Workload("Job", Table({"params_b": 7}), Table({"tp": 1}))}))


def readable(project: Project, design: str = "main") -> list[str]:
    found = everything(project, design)
    assert all(f.message.english() and f.message.text("zh_CN") for f in found)
    return sorted({f.rule for f in found})


@pytest.mark.parametrize("chassis", sorted(samples.EXPECTED))
def test_a_server_sheet_alone(chassis: str) -> None:
    readable(alone(chassis))


def test_parts_without_figures() -> None:
    seated = {name: card(name, f"chassis:s{n}") for n, name in enumerate(BARE)}
    assert readable(server(board(SLOTS), seated, parts=BARE, count=2)) is not None


def test_cards_that_lie_on_the_table() -> None:
    loose = {name: card(name) for name in BARE} | {
        "nic": card("test-nic"),
        "rt": card("test-retimer"),
        "sw": card("test-switch"),
        "h100": card("h100-pcie-80gb"),
    }
    made = {"test-nic": nic_part(400), "test-retimer": retimer_part(), "test-switch": switch_part(2)}
    assert readable(server(board(SLOTS), loose, parts={**BARE, **made}, count=2))


def test_cards_in_slots_that_are_not_there_and_two_in_one() -> None:
    seats = ("chassis:s0", "chassis:s0", "x:y")
    items = {f"nic{n}": card("mcx715105as-weat", seat, forced=True) for n, seat in enumerate(seats)}
    assert "MEC-01" in readable(server(board({"s0": slot("cpu0:p0")}), items))


def test_a_board_of_parts_that_nobody_knows() -> None:
    """A processor without a part, a device that hangs on nothing, a switch that is led to itself."""
    chips = {
        "cpu0": cpu({"p0": root_port()}),
        "odd": BuiltinItem("pcie-switch-partition", ports=Table({"up": Port("pcie", "up", 16, 5)})),
    }
    chassis = board({"s0": slot("cpu0:p0"), "s1": slot("odd:d9")}, chips)
    assert readable(server(chassis, {"g": card("l40s", "chassis:s1")}))


def test_networks_whose_parts_have_no_figures() -> None:
    made = {"sw": Part("switch", Table({"en": "Bare switch"}))}
    items = {"node": group("sheet:node", node=4), "leaf": Item("sw", (("leaf", 2),)), "odd": Item("sw")}
    links = {
        "down": Link("node:compute", "leaf:1-4", deal()),
        "up": Link("leaf:5-6", "odd:1-4", mesh(2)),
        "side": Link("node:compute", "odd:1", deal(), network="storage", cable="optic-400g-dr4"),
    }
    sheets = {"fabric": Sheet("fabric", items=Table(items), links=Table(links)), "node": one_nic()}
    parts = {**made, **{p: catalogue().get(p) for p in ("pcie-4dw-one-socket", "mcx715105as-weat", "optic-400g-dr4")}}
    project = Project("", designs=Table({"main": Design(root="fabric", sheets=Table(sheets))}), parts=Table(parts))
    assert readable(project)


def test_servers_that_are_all_absent() -> None:
    from fabricwright.design.values import Override

    node = Item("sheet:node", (("node", 4),), except_=Table({"0-3": Override(absent=True)}))
    links = {"down": Link("node:compute", "leaf:1-4", deal())}
    project = fabric({"node": node, "leaf": group("generic-64x400", leaf=2)}, links, {"node": one_nic()})
    assert isinstance(readable(project), list)
