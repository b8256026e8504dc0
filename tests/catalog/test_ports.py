"""Ports from cages, breakouts and modes."""

from __future__ import annotations

import gc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricwright.catalog.parts import Cage, Mode, Part, Port
from fabricwright.catalog.ports import cage_of, expand_cages, parse_breakout, parse_split, ports_of
from fabricwright.catalog.store import Catalogue
from fabricwright.units.table import Table

SEED_A: Table[object] = Table({"breakout": Table({"1-32": "2x200", "33-64": "1x400"})})


def network_ports(part: Part, config: Table[object]) -> dict[str, Port]:
    return {k: p for k, p in ports_of(part, config).items() if p.medium in ("eth", "ib")}


def test_seed_a_leaf_has_64_ports_of_200g_and_32_of_400g(shipped: Catalogue) -> None:
    # Cages 1-32 split 2x200 give 64 ports, cages 33-64 at 1x400 give 32: 96 ports, 12.8 + 12.8 Tb/s.
    ports = network_ports(shipped.get("generic-64x400"), SEED_A)
    assert len(ports) == 96
    assert ports["17/1"].gbps == ports["17/2"].gbps == 200
    assert "17" not in ports
    assert ports["33"].gbps == 400
    assert ports["17/2"].cage == "17"
    assert sum(p.gbps for p in ports.values()) == 25_600


def test_unconfigured_switch_has_its_native_split(shipped: Catalogue) -> None:
    assert list(network_ports(shipped.get("generic-64x400"), Table()))[:2] == ["1", "2"]


def test_qm9700_shows_64_ports_of_400g_in_32_cages(shipped: Catalogue) -> None:
    part = shipped.get("qm9700")
    ports = network_ports(part, Table())
    assert len(ports) == 64
    assert {p.gbps for p in ports.values()} == {400.0}
    assert {p.medium for p in ports.values()} == {"ib"}
    assert list(ports)[:3] == ["1/1", "1/2", "2/1"]
    assert [name for name, port in ports.items() if port.cage == "1"] == ["1/1", "1/2"]
    assert (part.cages["1"].type, part.cages["1"].default) == ("OSFP", "2x400")
    assert len({port.cage for port in ports.values()}) == 32


def test_sn4700_takes_a_qsfp28_plug_at_1x100(shipped: Catalogue) -> None:
    part = shipped.get("sn4700")
    ports = network_ports(part, Table({"breakout": Table({"1-8": "2x200", "17-32": "1x100"})}))
    assert ports["8/2"].gbps == 200
    assert ports["17"].gbps == 100
    assert ports["9"].gbps == 400
    assert "1x100=QSFP28" in part.cages["17"].plugs


def test_every_managed_switch_has_one_management_port(shipped: Catalogue) -> None:
    for part_id in ("qm9700", "sn4600c", "sn5600", "generic-64x400", "pdu-3ph-63a-43kw"):
        port = ports_of(shipped.get(part_id), Table())["mgmt"]
        assert (port.medium, port.gbps, port.media) == ("mgmt", 1.0, ("mgmt", "eth"))


def test_nic_ports_follow_the_mode(shipped: Catalogue) -> None:
    part = shipped.get("lres1260pf-2qsfp112")
    assert {k: p.gbps for k, p in network_ports(part, Table({"mode": "2x200"})).items()} == {"1": 200, "2": 200}
    assert {k: p.gbps for k, p in network_ports(part, Table({"mode": "2x100"})).items()} == {"1": 100, "2": 100}
    up = ports_of(part, Table())["up"]
    assert (up.medium, up.role, up.lanes, up.gen) == ("pcie", "up", 16, 5)


def test_connectx7_speaks_both_protocols(shipped: Catalogue) -> None:
    for part_id in ("mcx715105as-weat", "mcx755106as-heat", "cx7-ndr400-module", "cx7-dual-qsfp112"):
        port = ports_of(shipped.get(part_id), Table())["1"]
        assert {"eth", "ib"} <= set(port.media)


def test_switch_card_modes_use_their_connectors(shipped: Catalogue) -> None:
    part = shipped.get("lrsv9500-4i")
    wide = ports_of(part, Table({"mode": "2x16"}))
    assert {k: (p.lanes, p.connector, p.connectors) for k, p in wide.items() if p.role == "down"} == {
        "d1": (16, "MCIO-8i", 2),
        "d2": (16, "MCIO-8i", 2),
    }
    narrow = ports_of(part, Table({"mode": "4x8"}))
    assert [p.lanes for p in narrow.values() if p.role == "down"] == [8, 8, 8, 8]
    assert len([p for p in ports_of(part, Table({"mode": "8x4"})).values() if p.role == "down"]) == 8


def test_external_retimer_has_external_connectors(shipped: Catalogue) -> None:
    assert ports_of(shipped.get("lrsv9560-2e"), Table())["d1"].connector == "external x8"
    assert ports_of(shipped.get("lrsv9560-2i"), Table())["d1"].connector == "MCIO-8i"


@pytest.mark.parametrize("config", [{"mode": "3x7"}, {"breakout": {"1-32": "3x133"}}, {"breakout": 7}, {"mode": 4}])
def test_wrong_configuration_counts_as_the_default(shipped: Catalogue, config: dict[str, object]) -> None:
    for part_id in ("generic-64x400", "lres1260pf-2qsfp112", "lrsv9500-4i"):
        part = shipped.get(part_id)
        assert ports_of(part, Table(config)) == ports_of(part, Table())


def test_breakout_ranges() -> None:
    assert expand_cages("1-3,7,mgmt") == ["1", "2", "3", "7", "mgmt"]
    assert expand_cages("9-1") == []
    assert expand_cages("1-99999999") == []
    assert parse_breakout({"breakout": {"1-2": "2x200", "2": "1x400"}}) == {"1": "2x200", "2": "1x400"}
    assert parse_breakout({}) == {}


def test_split_grammar() -> None:
    assert parse_split("2x200") == (2, 200.0)
    assert parse_split("1x400") == (1, 400.0)
    assert parse_split("2x400ib") == (2, 400.0)
    assert parse_split("0x400") is None
    assert parse_split("quad") is None


@given(st.integers(1, 999), st.integers(1, 8))
def test_cage_of_inverts_the_port_name(cage: int, branch: int) -> None:
    assert cage_of(str(cage)) == cage_of(f"{cage}/{branch}") == str(cage)


@given(st.sampled_from(["1x400", "2x200", "4x100"]), st.integers(1, 12))
def test_a_split_never_changes_the_rate_of_a_cage(split: str, cages: int) -> None:
    cage = Cage("QSFP-DD", "1x400", ("2x200", "4x100"))
    part = Part("switch", cages=Table({str(n): cage for n in range(1, cages + 1)}))
    ports = ports_of(part, Table({"breakout": Table({f"1-{cages}": split})}))
    assert sum(p.gbps for p in ports.values()) == 400 * cages


def test_equal_questions_share_one_answer_and_a_dead_part_leaves_none() -> None:
    part = Part("nic", modes=Table({"1x8": Mode(Table({"d1": Port("pcie", "down", 8)}))}), default_mode="1x8")
    assert ports_of(part, Table()) is ports_of(part, Table({"mode": "1x8"}))
    before = id(part)
    del part
    gc.collect()
    other = Part("nic", ports=Table({"up": Port("pcie", "up", 16)}))
    assert list(ports_of(other, Table())) == ["up"], before
