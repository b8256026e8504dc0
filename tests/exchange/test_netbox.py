"""NetBox device types: understood, mapped to ports and cages, held against the catalogue, never overwriting."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fabricwright.catalog.own_check import validate_part
from fabricwright.catalog.ports import ports_of
from fabricwright.catalog.store import catalogue
from fabricwright.exchange.netbox_import import NetboxImport, import_device_type
from fabricwright.exchange.netbox_yaml import read_device_type
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from tests.catalog.facts import NETBOX, needs_netbox

LEAF = """
manufacturer: Acme
model: LX-32
slug: acme-lx-32
u_height: 1
weight: 22
weight_unit: lb
airflow: front-to-rear
power-ports:
  - {name: PSU0, type: iec-60320-c14, maximum_draw: 800}
  - {name: PSU1, type: iec-60320-c14, maximum_draw: 800}
module-bays:
  - {name: Fan 1, position: F1}
interfaces:
  - {name: mgmt0, type: 1000base-t, mgmt_only: true}
"""
ROWS = "".join(f"  - {{name: Ethernet1/{n}, type: 400gbase-x-qsfpdd}}\n" for n in range(1, 33))


def corpus() -> list[Any]:
    path = NETBOX / "expected.json"
    return list(json.loads(path.read_text(encoding="utf-8")).items()) if path.exists() else []


def take(tmp_path: Path, text: str, name: str = "x.yaml") -> NetboxImport:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return import_device_type(read_device_type(path), catalogue(), name)


@needs_netbox
@pytest.mark.parametrize(("name", "row"), corpus(), ids=[name for name, _ in corpus()])
def test_the_collected_records_are_understood(name: str, row: dict[str, Any]) -> None:
    record = read_device_type(NETBOX / name)
    assert record.summary() == row["expected"]
    if "WRONG" in name:
        with pytest.raises(UserError, match="cannot be a DGX-A100: it has 36 network ports, 2 power supplies instead"):
            import_device_type(record, catalogue(), name)
        return
    found = import_device_type(record, catalogue(), name)
    assert validate_part(found.part_id, found.part, catalogue()) == []
    # None of these good records contradicts the catalogue.
    assert found.differences == ()


@needs_netbox
def test_a_fabric_management_port_is_no_data_port() -> None:
    found = import_device_type(read_device_type(NETBOX / "nvidia_q3400_ra.yaml"), catalogue(), "q")
    # 144 XDR ports in 72 twin cages; fnm1 is typed infiniband-xdr, too (145 by naive count).
    ports = [p for p in ports_of(found.part, Table()).values() if p.medium == "ib"]
    assert (len(ports), {p.gbps for p in ports}, found.same_model) == (144, {800.0}, "q3400-ra")
    assert "fnm1" in found.remarks[0].english()


def test_a_new_switch_becomes_a_part(tmp_path: Path) -> None:
    found = take(tmp_path, LEAF + ROWS)
    part = found.part
    assert (found.part_id, found.same_model, part.kind) == ("netbox-lx-32", "", "switch")
    assert (part.vendor, part.model, part.source, part.confidence) == ("Acme", "LX-32", "nbx", "inferred")
    assert list(part.cages.ordered())[:2] == ["1", "2"] and part.cages["17"].type == "QSFP-DD"
    assert part.cages["17"].default == "1x400" and part.cages["mgmt"].medium == "mgmt"
    # 22 lb = 22 x 0.45359237 = 9.98 kg.
    figures = {name: row.value for name, row in part.figures.items()}
    assert figures == {
        "height_u": 1,
        "full_depth": True,
        "weight_kg": 9.98,
        "airflow": "front-to-rear",
        "psu_count": 2,
        "psu_w": 800,
        "max_logical_ports": 32,
    }
    assert "Fan 1" in part.note
    assert validate_part(found.part_id, part, catalogue()) == []


def test_supplies_may_be_bays(tmp_path: Path) -> None:
    text = LEAF.replace("power-ports:", "x:").replace("Fan 1", "PSU 0")
    found = take(tmp_path, text + ROWS)
    assert found.part.get("psu_count") == 1
    assert [r.english() for r in found.remarks] == ["not used: x"]


@pytest.mark.parametrize(
    ("model", "maker", "rows", "expected"),
    [
        # QM9700: 62 of 64 ports, and as Ethernet.
        (
            "QM9700",
            "NVIDIA",
            [f"P{n}.{p}" for n in range(32) for p in range(2)][:62],
            [("cages", "64 x 400G OSFP ib", "62 x 400G OSFP eth")],
        ),
        # SN5600 counted as 64 x 800G: the same box, split otherwise.
        ("SN5600", "Nvidia", [f"swp{n}" for n in range(1, 65)], []),
    ],
)
def test_ports_are_held_against_the_catalogue(
    tmp_path: Path, model: str, maker: str, rows: list[str], expected: list[tuple[str, str, str]]
) -> None:
    word = "400gbase-x-osfp" if model == "QM9700" else "800gbase-x-osfp"
    height = int(catalogue().get(model.lower()).get("height_u"))
    text = f"manufacturer: {maker}\nmodel: {model}\nu_height: {height}\ninterfaces:\n"
    found = take(tmp_path, text + "".join(f"  - {{name: {name}, type: {word}}}\n" for name in rows))
    assert found.same_model == model.lower()
    assert [(d.place, d.here, d.there) for d in found.differences] == expected


def test_figures_are_held_against_the_catalogue(tmp_path: Path) -> None:
    text = "manufacturer: Mellanox\nmodel: SN4600C\nu_height: 1\npower-ports:\n  - {name: a}\n"
    found = take(tmp_path, text)
    # The community lists it as 1U; it is 2U, with two supplies. NVIDIA bought Mellanox: no difference.
    assert [(d.place, d.here, d.there) for d in found.differences] == [
        ("figures.height_u", "2", "1"),
        ("figures.psu_count", "2", "1"),
    ]
    assert "known to be wrong: height 1U, really 2U" in found.remarks[0].english()


def test_slots_that_state_their_lanes_are_held_against_the_catalogue(tmp_path: Path) -> None:
    # The library's R760xa: eight x16 slots named Gen4 (they are Gen5), and a misspelt key.
    bays = "".join(f"  - {{name: 'PCI-E 4.0 x16 slot {n}', lable: '{n}'}}\n" for n in range(8))
    found = take(tmp_path, f"manufacturer: Dell\nmodel: PowerEdge R760xa\nu_height: 2\nmodule-bays:\n{bays}")
    assert found.same_model == "poweredge-r760xa"
    slots = {d.place: (d.here, d.there) for d in found.differences}["slots"]
    assert slots == ("8 x Gen5 x16", "8 x Gen4 x16")
    assert [r.english() for r in found.remarks] == [
        "not used: module-bays.lable",
        "the library's record of this model is known to be wrong: slots named Gen4, key lable",
    ]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("interfaces:\n" + "".join(f"  - {{name: e{n}, type: 100gbase-x-qsfp28}}\n" for n in range(16)), "16 network"),
        ("power-ports:\n  - {name: a}\n  - {name: b}\n", "2 power supplies instead of 6"),
        ("power-ports:\n" + "".join(f"  - {{name: p{n}, maximum_draw: 900}}\n" for n in range(6)), "900 W per supply"),
    ],
)
def test_records_of_another_device_are_refused(tmp_path: Path, lines: str, reason: str) -> None:
    with pytest.raises(UserError, match=reason) as caught:
        take(tmp_path, "manufacturer: NVIDIA\nmodel: DGX H100\nu_height: 8\n" + lines)
    assert "\n" not in str(caught.value)


def test_unknown_interfaces_are_counted_not_guessed(tmp_path: Path) -> None:
    rows = "  - {name: a, type: virtual}\n  - {name: b, type: virtual}\n  - {name: b, type: lag}\n"
    found = take(tmp_path, LEAF + rows)
    assert [r.english() for r in found.remarks] == [
        "interfaces: named twice: b",
        "1 interfaces of type lag left out: no cage is known for it",
        "2 interfaces of type virtual left out: no cage is known for it",
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "expected one NetBox device type"),
        ("- a\n", "expected one NetBox device type"),
        ("a: 1\n---\na: 2\n", "expected one NetBox device type"),
        ("manufacturer: A\nmodel: B\n", "is a module type"),
        ("manufacturer: A\nu_height: 1\n", "'model' is missing or no text"),
        ("model: A\nu_height: 1\n", "'manufacturer' is missing or no text"),
        ("manufacturer: A\nslug: a\nmodel: [1]\n", "'model' is missing or no text"),
        ("manufacturer: A\nslug: a\nmodel: yes\n", "'model' is missing or no text"),
        ("manufacturer: A\nmodel: B\nu_height: tall\n", "'u_height' must be a number from 0 to 60"),
        ("manufacturer: A\nmodel: B\nu_height: .nan\n", "'u_height' must be a number"),
        ("manufacturer: A\nmodel: B\nu_height: 1e9\n", "'u_height' must be a number"),
        ("slug: a\nmanufacturer: A\nmodel: B\nweight: 1\nweight_unit: stone\n", "weight_unit is one of kg, g, lb, oz"),
        ("slug: a\nmanufacturer: A\nmodel: B\ninterfaces: 3\n", "'interfaces' must be a list of rows"),
        ("slug: a\nmanufacturer: A\nmodel: B\ninterfaces: [3]\n", "'interfaces' must be a list of rows"),
        ("manufacturer: A\nmanufacturer: B\n", "written twice"),
        ("a: &x [1]\nb: *x\n", "YAML aliases are not allowed"),
        ("a: !!python/object/apply:os.system ['true']\n", "is not a device type"),
        ("a: " + "{b: " * 20 + "1" + "}" * 20, "nested deeper than 12 levels"),
        ("a: [1, 2\n", "line 2 is not a device type"),
        ("a: '\x07'\n", "is not readable YAML"),
        ('slug: a\n"\\e[2J": 1\n', "holds control characters"),
        ("a: " + "9" * 10_000 + "\n", "is not readable YAML"),
        ("a: [" + "1," * 110_000 + "1]\n", "more than 100000 rows"),
        ("#" * (1024 * 1024 + 1), "is larger than 1 MB"),
    ],
)
def test_hostile_files_are_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(UserError, match=sentence) as caught:
        take(tmp_path, text)
    assert "\n" not in str(caught.value) and "x.yaml" in str(caught.value)


def test_other_encodings_and_missing_files(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    with pytest.raises(UserError, match="cannot be read"):
        read_device_type(path)
    path.write_bytes("model: é".encode("latin-1"))
    with pytest.raises(UserError, match="is not UTF-8 text"):
        read_device_type(path)
