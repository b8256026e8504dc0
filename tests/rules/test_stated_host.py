"""What is stated of hosts may be anything: no rule about PCIe or CXL falls over it, and nonsense counts as unstated."""

from __future__ import annotations

import pytest

from fabricwright.design.options import OPTIONS
from fabricwright.design.values import Export, Item, Link, Sheet
from fabricwright.rules.registry import all_rules
from fabricwright.rules.run import run_rule
from fabricwright.rules.switched import number_in, switched
from fabricwright.units.table import Table
from tests.rules.drawing import board, card, context, deal, fabric, fired, group, server, slot

FAMILIES = ("LAN", "BIF", "RET", "CXL")
JUNK: tuple[object, ...] = ("", "nan", "1e999", -1, 0, True, "x0x0", "off", "\u00bd", 10**400)


@pytest.mark.parametrize("value", JUNK, ids=lambda value: str(value)[:8])
def test_nonsense_never_raises(value: object) -> None:
    mine = [rule for rule in all_rules() if rule.startswith(FAMILIES)]
    keys = [o for o in OPTIONS.values() if any(r.startswith(FAMILIES) for r in o.rules)]
    chassis = {o.key: value for o in keys if o.place == "chassis"}
    chassis |= {f"slot.{name}.{o.key}": value for name in ("s1", "bay1") for o in keys if o.place == "slot"}
    every = {o.key: value for o in keys if o.place not in ("chassis", "slot", "design", "link", "link_end")}
    items = {
        "chassis": Item(None, config=Table(chassis)),
        "cpu0": Item(None, config=Table(every)),
        "sw0": card("lrsv9500-4i", "chassis:s1", slot_split=value, **every),
        "rt0": card("lrsv9560-2i", "chassis:s2", **every),
        "cxl0": card("lr-cxl-generic", "chassis:s3", gib=value, **every),
        "gpu0": card("h100-pcie-80gb", "chassis:bay1", **every),
    }
    link = Link("sw0:d1", "chassis:bay1", medium="pcie", config=Table({"outside": value}))
    seen = context(server("cabled-4u8g", items, {"c1": link}, settings={"traffic.host": value}))
    for rule in mine:
        run_rule(seen, rule)


def test_what_counts_as_on_off_and_number() -> None:
    assert [switched(v) for v in (True, "on", " Off ", "maybe", None, 1)] == [True, True, False, None, None, None]
    assert [number_in(v) for v in (3, "3.5", "x", True, None, "inf")] == [3, 3.5, None, None, None, None]


def cabled_nic(gen: int, lanes: int, mode: str, ports: int):
    """A dual-port NIC in a slot of this width, ``ports`` of it cabled to a switch."""
    node = Sheet(
        "server",
        chassis="board",
        items=Table({"nic0": card("mcx516a-cdat", "chassis:s1", mode=mode)}),
        exports=Table({"compute": Export(tuple(f"nic0:{n}" for n in range(1, ports + 1)))}),
    )
    return fabric(
        {"node": group("sheet:node", node=2), "leaf": group("sn4600c")},
        {"down": Link("node:compute", "leaf:1-4", deal())},
        {"node": node},
        chassis=board({"s1": slot("cpu0:p1", gen=gen, electrical=lanes)}),
    )


@pytest.mark.parametrize(
    ("gen", "lanes", "mode", "raw"),
    [(3, 8, "2x100", 63.0), (2, 8, "2x40", 32.0)],  # field cases C021, C086; C027
)
def test_narrow_slots_of_nics_are_losses_and_no_errors(gen: int, lanes: int, mode: str, raw: float) -> None:
    project = cabled_nic(gen, lanes, mode, 1)
    (found,) = fired(project, "NIC-04")
    assert found.severity == "warning" and found.allowed == pytest.approx(0.88 * raw, abs=0.1)
    assert len(fired(project, "LAN-04")) == 1
    assert fired(project, "LAN-16") == []
