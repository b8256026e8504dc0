"""Slot and rack tables against what the case study's servers and racks are specified with."""

from __future__ import annotations

import io
from typing import Any

import openpyxl

from fabricwright.design.values import Project
from fabricwright.exchange.data_table import DataTable, table_records
from fabricwright.exchange.rack_report import rack_tables
from fabricwright.exchange.slot_report import slot_tables
from fabricwright.exchange.workbook import BookFacts, workbook_bytes
from fabricwright.units.text import msg


def records(tables: list[DataTable], name: str) -> list[dict[str, Any]]:
    return table_records(next(table for table in tables if table.id == name))


def test_slots_of_seed_a(projects: dict[str, Project]) -> None:
    """Six CPU slots hold three switch cards, two retimer cards and the NIC; eight bays a GPU each, fed by the cards."""
    rows = {row["slot"]: row for row in records(slot_tables(projects["seed-a-256x8"], "main"), "slots")}
    assert [rows[f"s{n}"]["item"] for n in range(1, 7)] == ["sw0", "sw1", "nic0", "sw2", "rt0", "rt1"]
    assert {rows[f"s{n}"]["socket"] for n in (1, 2, 3)} == {"CPU0"}
    assert {rows[f"s{n}"]["socket"] for n in (4, 5, 6)} == {"CPU1"}
    assert [rows[f"bay{n}"]["item"] for n in range(1, 9)] == [f"gpu{n}" for n in range(8)]
    assert (rows["bay1"]["lanes"], rows["bay1"]["gen"], rows["bay1"]["fed_by"]) == (16, 5, "sw0:d1")
    assert rows["u2-0"]["state"] == "free"


def test_lanes_of_seed_a(projects: dict[str, Project]) -> None:
    """48 of 80 lanes of each socket: three x16 cards."""
    rows = records(slot_tables(projects["seed-a-256x8"], "main"), "lanes")
    assert [(r["socket"], r["available"], r["used"], r["free"]) for r in rows] == [
        ("CPU0", 80, 48, 32),
        ("CPU1", 80, 48, 32),
    ]
    assert rows[0]["share"] == 48 / 80


def test_a_forced_card_is_told(projects: dict[str, Project]) -> None:
    rows = records(slot_tables(projects["seed-b-512"], "after"), "slots")
    assert {row["state"] for row in rows if row["item"] == "sw0"} == {"forced"}


def test_racks_of_seed_a(projects: dict[str, Project]) -> None:
    """64 server racks of four 4U servers, four network racks; 256 servers and 12 switches in all."""
    tables = rack_tables(projects["seed-a-256x8"], "main")
    rows = records(tables, "racks")
    assert len(rows) == 68
    servers = [row for row in rows if row["part"] == "rack-48u-40kw"]
    assert len(servers) == 64
    assert {(row["devices"], row["used_u"], row["units"]) for row in servers} == {(4, 16, 48)}
    assert sum(row["devices"] for row in rows) == 256 + 12
    first = servers[0]
    assert first["heat_btu_h"] == first["power_w"] * 3.412142
    contents = records(tables, "contents")
    assert len(contents) == 268
    assert [row["u"] for row in contents if row["rack"] == first["rack"]] == [13, 9, 5, 1]


def test_a_design_without_racks_has_a_table_without_rows(projects: dict[str, Project]) -> None:
    tables = rack_tables(projects["single-8gpu"], "main")
    assert [len(table.rows) for table in tables] == [0, 0]
    sheet = openpyxl.load_workbook(io.BytesIO(workbook_bytes(tables, BookFacts(msg("Racks"))))).worksheets[0]
    assert sheet["A6"].value == "Rack"
