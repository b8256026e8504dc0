"""CXL: where an expander may sit, what it gives, and what is said of it."""

from __future__ import annotations

import pytest

from fabricwright.catalog.parts import BuiltinItem, BuiltinLink, Part
from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from fabricwright.design.values import Item, Link
from fabricwright.units.table import Table
from tests.rules.drawing import board, card, claim, cpu, fired, places, root_port, server, slot, switch_chip
from tests.rules.examples import fires, silent
from tests.rules.pcie_parts import retimer_part, switch_part

CARD = "lr-cxl-generic"


def slots(count: int, **fields: object):
    return {f"s{n}": slot(f"cpu0:p{n}", **{"cxl": True, **fields}) for n in range(1, count + 1)}


def host(part: str, ports: int = 1) -> dict[str, BuiltinItem]:
    """A processor as its part describes it, with x16 root ports."""
    return {"cpu0": BuiltinItem(part, ports=Table({f"p{n}": root_port() for n in range(1, ports + 1)}))}


@fires("CXL-01")
@silent("CXL-01")
def test_cxl_01_processor_or_slot_without_cxl() -> None:
    expander = {"cxl0": card("lr-cxl-generic", "chassis:s1")}
    ice_lake = {"cpu0": cpu({"p1": root_port()}, cxl="none")}
    assert places(fired(server(board(slots(1, cxl=True), ice_lake), expander), "CXL-01")) == ["node/cxl0"]
    assert places(fired(server(board(slots(1, cxl=False)), expander), "CXL-01")) == ["node/cxl0"]
    assert fired(server(board(slots(1, cxl=True)), expander), "CXL-01") == []


@fires("CXL-04")
@silent("CXL-04")
def test_cxl_04_expander_below_a_switch() -> None:
    items = {"cpu0": cpu({"p1": root_port()}), "sw0": switch_chip(1)}
    links = {"b1": BuiltinLink("cpu0:p1", "sw0:up", "pcie", 16, 5)}
    below = board({"s1": slot("sw0:d1", cxl=True)}, items, links)
    expander = {"cxl0": card("lr-cxl-generic", "chassis:s1")}
    assert places(fired(server(below, expander), "CXL-04")) == ["node/cxl0"]
    assert fired(server(board(slots(1, cxl=True)), expander), "CXL-04") == []


def pooled(processor: str, value: object = True, subject: str = "node/cpu0"):
    return server(board(slots(1), host(processor)), {}, statements=(claim("cxl.pooling", value, subject),))


@fires("CXL-02")
def test_cxl_02_pool_with_cxl_1_1_hosts() -> None:
    (found,) = fired(pooled("xeon-spr"), "CXL-02")
    assert (places([found]), found.measured, found.allowed) == (["node/cpu0"], 1.1, 2.0)
    for subject in ("node", "design:main", "part:cz120"):
        expected = [] if subject.startswith("part") else ["node/cpu0"]
        assert places(fired(pooled("epyc-genoa", subject=subject), "CXL-02")) == expected


@silent("CXL-02")
def test_cxl_02_pool_with_xeon_6() -> None:
    assert fired(pooled("xeon6-67"), "CXL-02") == []
    assert fired(pooled("xeon-spr", False), "CXL-02") == []


def behind_cxl_switch(processor: str, **figures: object):
    seats = {"s1": slot("cpu0:p1", cxl=True)}
    items = {"sw0": card("cxlsw"), "cxl0": card(CARD)}
    links = {"u": Link("cpu0:p1", "sw0:up", medium="cxl"), "d": Link("sw0:d1", "cxl0:up", medium="cxl")}
    return server(board(seats, host(processor)), items, links, parts={"cxlsw": switch_part(2, cxl="2.0")})


def test_cxl_02_drawn_cxl_switch() -> None:
    assert places(fired(behind_cxl_switch("xeon-emr"), "CXL-02")) == ["node/cpu0"]
    assert fired(behind_cxl_switch("epyc-turin"), "CXL-02") == []
    assert fired(behind_cxl_switch("epyc-turin"), "CXL-04") == []


def many(count: int, second: bool = False):
    seats = slots(6) | ({"t1": slot("cpu1:p1", cxl=True)} if second else {})
    items = host("xeon6-67", 6) | ({"cpu1": host("xeon6-67")["cpu0"]} if second else {})
    return server(board(seats, items), {f"cxl{n}": card(CARD, f"chassis:s{n}") for n in range(1, count + 1)})


@fires("CXL-03")
def test_cxl_03_five_x16_on_64_cxl_lanes() -> None:
    (found,) = fired(many(5), "CXL-03")
    assert (places([found])[0], found.measured, found.allowed) == ("node/cpu0", 80, 64)
    project = many(5, second=True)
    (found,) = fired(project, "CXL-03")
    assert fired(apply(project, run(project, found.fix[0])), "CXL-03") == []


@silent("CXL-03")
def test_cxl_03_four_x16() -> None:
    assert fired(many(4), "CXL-03") == []


def gpu_server(*statements: object, parts: dict[str, Part] | None = None):
    seats = slots(1) | {"g1": slot("cpu0:p2", max_width=2)}
    items = {"cxl0": card(CARD, "chassis:s1"), "gpu0": card("h100-pcie-80gb", "chassis:g1")}
    return server(board(seats), items, statements=statements, parts=parts)


@fires("CXL-05")
@pytest.mark.parametrize("subject", ["node/gpu0", "node"])
def test_cxl_05_gpu_said_to_load_and_store(subject: str) -> None:
    assert places(fired(gpu_server(claim("cxl.gpu_loadstore", True, subject)), "CXL-05")) == ["node/gpu0"]


@silent("CXL-05")
def test_cxl_05_host_tier_by_dma() -> None:
    assert fired(gpu_server(claim("cxl.gpu_loadstore", False, "node/gpu0")), "CXL-05") == []
    assert fired(gpu_server(), "CXL-05") == []


STATE = claim("model.state_per_gpu_gb", 440, "design:main")


@fires("CXL-06")
def test_cxl_06_440_gb_do_not_move_in_100_ns() -> None:
    (found,) = fired(gpu_server(STATE, claim("cxl.latency_ns", 100, "node/cxl0")), "CXL-06")
    rate = 0.88 * 16 * 32 * 128 / 130 / 8  # 55.4 GB/s of large transfers over Gen5 x16
    assert found.measured == pytest.approx(440 / rate) == pytest.approx(7.9, abs=0.05)
    assert places([found]) == ["node/cxl0"]


@silent("CXL-06")
def test_cxl_06_no_latency_stated() -> None:
    assert fired(gpu_server(STATE), "CXL-06") == []


def test_cxl_06_a_load_latency_that_cxl_has() -> None:
    assert fired(gpu_server(claim("cxl.latency_ns", 250, "node/cxl0")), "CXL-06") == []
    (found,) = fired(gpu_server(claim("cxl.latency_ns", 100, "part:lr-cxl-generic")), "CXL-06")
    assert found.values["gbs"] == pytest.approx(55.4, abs=0.1)


def test_cxl_06_moves_still_cross_pcie() -> None:
    (found,) = fired(gpu_server(STATE, claim("cxl.no_pcie_moves", True, "node")), "CXL-06")
    assert places([found]) == ["node"] and "still crosses" in found.message.english()
    assert fired(gpu_server(STATE, claim("cxl.no_pcie_moves", False, "node")), "CXL-06") == []


def far_memory(cards: int, ddr_modules: int, sockets: int = 1):
    """2 TB expanders on socket 0; ``ddr_modules`` of 64 GB."""
    items = {f"cpu{s}": cpu({f"p{n}": root_port() for n in range(1, 5)}) for s in range(sockets)}
    chassis = board(slots(4), items)
    fitted = Item(None, config=Table({"fitted.ddr5-rdimm-64": ddr_modules}))
    return server(chassis, {f"cxl{n}": card(CARD, f"chassis:s{n}") for n in range(1, cards + 1)} | {"chassis": fitted})


@fires("CXL-07")
def test_cxl_07_8_tb_beside_2_tb() -> None:
    (found,) = fired(far_memory(4, 32), "CXL-07")  # 4 x 2,048 beside 32 x 64 GB
    assert (places([found])[0], found.measured, found.allowed) == ("node/cpu0", 4, 3)


def test_cxl_07_names_an_assumed_size() -> None:
    """A card for modules of one's own choice: 2 TB when full, beside half of 1 TB."""
    empty = server("poweredge-r760xa", {"leo": card("leo-a-series", "chassis:f1")})
    (found,) = fired(empty, "CXL-07")
    assert found.estimate and "Size of leo not stated" in found.message.english()
    stated = server("poweredge-r760xa", {"leo": card("leo-a-series", "chassis:f1", gib=1024)})
    assert fired(stated, "CXL-07") == []


@silent("CXL-07")
def test_cxl_07_4_tb_beside_2_tb() -> None:
    assert fired(far_memory(2, 32), "CXL-07") == []
    assert fired(far_memory(4, 0), "CXL-07") == []  # memory of the host not known


def test_cxl_07_local_means_the_same_socket() -> None:
    (found,) = fired(far_memory(2, 32, sockets=2), "CXL-07")
    assert found.measured == 4  # 4 TB beside half of 2 TB
    assert "even over 2 sockets" in found.message.english()


@fires("CXL-08")
def test_cxl_08_latency_of_an_expander() -> None:
    (found,) = fired(gpu_server(), "CXL-08")
    assert (found.severity, found.values["low_ns"], found.values["high_ns"]) == ("fact", 170, 270)
    (behind,) = fired(behind_cxl_switch("xeon6-67"), "CXL-08")
    assert (behind.values["low_ns"], behind.values["high_ns"]) == (240, 370)


@silent("CXL-08")
def test_cxl_08_no_expander() -> None:
    assert fired(server("dgx-h100", {}), "CXL-08") == []


def reading(asked: float | None, lanes: int = 8, subject: str = "node/cxl0"):
    said = (claim("cxl.read_gbs", asked, subject, "requirement"),) if asked else ()
    chassis = board({"e1": slot("cpu0:p1", electrical=lanes, cxl=True)})
    return server(chassis, {"cxl0": card(CARD, "chassis:e1")}, statements=said)


@fires("CXL-09")
@pytest.mark.parametrize("subject", ["node/cxl0", "node", "part:lr-cxl-generic"])
def test_cxl_09_52_gbs_of_an_x8_expander(subject: str) -> None:
    (found,) = fired(reading(52, subject=subject), "CXL-09")
    assert (places([found]), found.measured) == (["node/cxl0"], 52)
    assert found.values["raw_gbs"] == pytest.approx(31.5, abs=0.05) and found.allowed == pytest.approx(30, abs=0.05)


@silent("CXL-09")
def test_cxl_09_25_gbs() -> None:
    assert fired(reading(25), "CXL-09") == []
    assert fired(reading(52, lanes=16), "CXL-09") == []
    assert fired(reading(None), "CXL-09") == []


def behind_retimer(lanes: int = 16, figures: dict[str, object] | None = None, asked: float = 0, **config: object):
    """An expander cabled to a retimer card."""
    items = {"rt0": card("rt", "chassis:s1", **config), "cxl0": card(CARD, "chassis:bay1")}
    said = (claim("cxl.read_gbs", asked, "node/cxl0"),) if asked else ()
    link = Link("rt0:d1", "chassis:bay1", medium="cxl")
    parts = {"rt": retimer_part(5, lanes, **(figures or {}))}
    return server("cabled-4u8g", items, {"c1": link}, parts=parts, statements=said)


def test_c082_x8_retimer_halves_an_x16_module() -> None:
    """Field case C082: as drawn a loss and no error; 52 GB/s cannot come through."""
    project = behind_retimer(8, asked=52)
    (narrow,) = fired(project, "LAN-04")
    assert (narrow.measured, narrow.allowed, narrow.severity) == (8, 16, "warning")
    assert places(fired(project, "CXL-09")) == ["node/cxl0"]
    assert fired(behind_retimer(16, asked=52), "CXL-09") == []


@fires("CXL-10")
def test_cxl_10_retimer_without_cxl() -> None:
    assert places(fired(behind_retimer(cxl="off"), "CXL-10")) == ["node/rt0", "node/cxl0"]
    assert len(fired(behind_retimer(figures={"cxl": "none"}), "CXL-10")) == 1


@silent("CXL-10")
def test_cxl_10_retimer_for_pcie_and_cxl() -> None:
    assert fired(behind_retimer(cxl="on"), "CXL-10") == []
    assert fired(behind_retimer(figures={"cxl": "2.0"}), "CXL-10") == []
    assert fired(behind_retimer(), "CXL-10") == []  # nobody says


def firmware(value: object):
    chassis = {"chassis": Item(None, config=Table({"cxl_bios": value}))} if value is not None else {}
    return server(board(slots(1)), {"cxl0": card(CARD, "chassis:s1"), **chassis})


@fires("CXL-11")
def test_cxl_11_firmware_support_off() -> None:
    """Field case C061: slot and processor have CXL, firmware publishes no range."""
    project = firmware("off")
    (found,) = fired(project, "CXL-11")
    assert places([found]) == ["node/cxl0"]
    assert fired(project, "CXL-01") == []
    assert fired(apply(project, run(project, found.fix[0])), "CXL-11") == []
    assert len(fired(firmware(False), "CXL-11")) == 1


@silent("CXL-11")
def test_cxl_11_on_or_not_stated() -> None:
    assert fired(firmware("on"), "CXL-11") == []
    assert fired(firmware(None), "CXL-11") == []
