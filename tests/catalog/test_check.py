"""What the catalogue check notices: one small chassis, one mistake at a time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fabricwright.catalog.check import check_part, socket_lanes
from fabricwright.catalog.parts import (
    BuiltinExport,
    BuiltinItem,
    BuiltinLink,
    CableFeed,
    Cage,
    Figure,
    Interior,
    Mode,
    Part,
    Port,
    Slot,
)
from fabricwright.units.table import Table


def root(lanes: int = 16) -> Port:
    return Port("pcie", "root", lanes, 5, host_bridge="hb", numa=0)


PARTS = {
    "cpu": Part("cpu"),
    "chip": Part("pcie-switch", figures=Table({"chip_lanes": Figure(48)})),
    "switch": Part("pcie-switch"),
    "nic": Part("nic", ports=Table({"up": Port("pcie", "up", 16, 5), "1": Port("eth", gbps=400)})),
}
INSIDE = Interior(
    items=Table(
        {
            "cpu0": BuiltinItem(
                "cpu", ports=Table({"p0": root(), "p1": root()}), config=Table({"lanes_available": 64})
            ),
            "sw0": BuiltinItem(
                "switch",
                chip="c",
                chip_part="chip",
                ports=Table(
                    {
                        "up": Port("pcie", "up", 16, 5),
                        "d1": Port("pcie", "down", 16, 5),
                        "d2": Port("pcie", "down", 16, 5),
                    }
                ),
            ),
            "nic0": BuiltinItem("nic", seat="chassis:n1"),
        }
    ),
    links=Table({"b1": BuiltinLink("cpu0:p0", "sw0:up", "pcie", 16, 5)}),
    exports=Table({"compute": BuiltinExport(("nic0:1",), (("rail", 1),))}),
)
CHASSIS = Part(
    "chassis",
    cages=Table({"q1": Cage("QSFP112", "1x400", ports=("nic0:1",))}),
    slots=Table(
        {
            "n1": Slot("cem", "sw0:d1"),
            "c1": Slot("cem", "cpu0:p1"),
            "bay": Slot("cem", cable_feed=CableFeed("MCIO-8i", 2)),
        }
    ),
    interior=INSIDE,
)


def sentences(part: Part) -> list[str]:
    return [p.message.english() for p in check_part("x", part, PARTS)]


def inside(**changes: object) -> Part:
    return replace(CHASSIS, interior=replace(INSIDE, **changes))  # type: ignore[arg-type]


def test_the_sound_chassis_is_clean() -> None:
    assert sentences(CHASSIS) == []
    assert socket_lanes(CHASSIS)["cpu0"].wired == 32


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        (replace(CHASSIS, slots=CHASSIS.slots.drop("c1")), "root port cpu0:p1 feeds nothing"),
        (
            replace(CHASSIS, slots=CHASSIS.slots.put("c1", Slot("cem", "cpu0:p0"))),
            "cpu0:p0 feeds slot c1, link b1",
        ),
        (replace(CHASSIS, slots=CHASSIS.slots.put("c2", Slot("cem"))), "slot c2 is fed 0 times"),
        (
            replace(CHASSIS, slots=CHASSIS.slots.put("bay", Slot("cem", "sw0:d2", cable_feed=CableFeed("MCIO-8i")))),
            "slot bay is fed 2 times",
        ),
        (
            replace(CHASSIS, slots=CHASSIS.slots.put("n1", Slot("cem", "sw0:d1", gen=6))),
            "slot n1 is Gen6 x16, its feed sw0:d1 Gen5 x16",
        ),
        (
            replace(CHASSIS, slots=CHASSIS.slots.put("n1", Slot("cem", "sw0:d9"))),
            "slot n1 is fed by sw0:d9, which does not exist",
        ),
        (
            replace(CHASSIS, slots=CHASSIS.slots.put("n1", Slot("cem", "sw0:d1", neighbour="n2"))),
            "slot n1 covers n2, which does not exist",
        ),
        (
            inside(links=INSIDE.links.put("b2", BuiltinLink("sw0:d2", "gpu0:up", "pcie", 16, 5))),
            "link b2 ends at gpu0:up, which does not exist",
        ),
        (
            inside(links=INSIDE.links.put("b1", BuiltinLink("sw0:up", "cpu0:p0", "pcie", 16, 5))),
            "link b1 must run from the CPU side to an upstream port, not to cpu0:p0",
        ),
        (
            inside(exports=Table({"compute": BuiltinExport(("nic0:1",), (("rail", 2),))})),
            "the axes of compute do not multiply to its 1 ports",
        ),
        (
            inside(exports=INSIDE.exports.put("also", BuiltinExport(("nic0:1",)))),
            "nic0:1 is in also and in compute",
        ),
        (inside(exports=Table({"e": BuiltinExport(("nic0:7",))})), "export e shows nic0:7, which does not exist"),
        (
            replace(CHASSIS, cages=Table({"q1": Cage("QSFP112", ports=("nic1:1",))})),
            "cage q1 holds nic1:1, which does not exist",
        ),
        (
            inside(items=INSIDE.items.put("nic1", BuiltinItem("nic", seat="chassis:n1"))),
            "chassis:n1 holds nic0, nic1",
        ),
        (
            inside(items=INSIDE.items.put("nic1", BuiltinItem("nic", seat="chassis:n9"))),
            "nic1 sits in chassis:n9, which does not exist",
        ),
        (
            inside(
                items=INSIDE.items.put(
                    "sw0",
                    replace(INSIDE.items["sw0"], ports=INSIDE.items["sw0"].ports.put("d3", Port("pcie", "down", 4, 5))),
                )
            ),
            "chip c (chip) has 48 lanes, its ports take 52",
        ),
        (
            inside(
                items=INSIDE.items.put("cpu0", replace(INSIDE.items["cpu0"], config=Table({"lanes_available": 16})))
            ),
            "cpu0 has 16 lanes, its root ports take 32",
        ),
        (
            replace(CHASSIS, cages=CHASSIS.cages.put("q2", Cage("OSFP", "twice"))),
            "twice of cage q2 is not a split such as 2x200",
        ),
    ],
)
def test_each_mistake_is_named(part: Part, sentence: str) -> None:
    assert sentence in [s.rstrip(".").removeprefix("x: ") for s in sentences(part)]


def test_cards_and_risers() -> None:
    riser = Part(
        "riser",
        ports=Table({"up": Port("pcie", "up", 16, 5)}),
        slots=Table({"s1": Slot("cem", "up", 8), "s2": Slot("cem", "up", 8)}),
    )
    assert sentences(riser) == []
    wide = replace(riser, slots=Table({"s1": Slot("cem", "up", 16), "s2": Slot("cem", "up", 8)}))
    assert "slots take 24 lanes from up, which has 16" in sentences(wide)[0]
    card = Part("nic", modes=Table({"1x400": Mode(Table({"1": Port("eth", cage="1")}))}), default_mode="2x200")
    assert len(sentences(card)) == 2
