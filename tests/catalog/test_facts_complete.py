"""Nothing of the collected facts is missing from the catalogue: every part, every figure, or a reason why not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest

from fabricwright.catalog.parts import CONFIDENCES, Part
from fabricwright.catalog.ports import parse_split
from fabricwright.catalog.store import Catalogue
from tests.catalog.facts import fact, needs_facts

pytestmark = needs_facts

TABLES = {
    "cpu_platforms": "cpu",
    "pcie_switch_chips": "pcie-switch",
    "pcie_cards": "",
    "gpus": "gpu",
    "servers": "server",
    "nics": "nic",
    "switches": "switch",
    "cables": "cable",
    "optics": "optic",
}
OTHER_TABLES = {
    "meta": "about the file",
    "sources": "resources/catalog/sources.yaml",
    "pcie": "rates in topology/constants.py; loss, splits and retimers in tables.yaml",
    "cxl": "modules are parts (tested here); versions and latencies in tables.yaml",
    "asics": "tables.yaml, switch_chips (tested here)",
    "cages": "tables.yaml, cage_types (tested here)",
    "link_latency": "tables.yaml, link_latency",
    "fabric_validation": "tests of the fabric",
    "fabric_formulas": "sizing",
    "netbox": "tables.yaml, netbox (tested here)",
    "perf_validation": "tests of the prediction",
    "memory": "training memory, no parts",
    "pfc_headroom": "tables.yaml, pfc_headroom",
    "rules": "rules",
    "seed_findings": "rules",
}
NOT_PARTS: dict[str, str] = {}
"""Facts' part id -> why the catalogue has no such part. None today."""

# What a field of a row became: the figure, or a function of (part, value of the fact) -> does the part say so.
Same = Callable[[Part, Any], bool]


def slug_of() -> dict[str, str]:
    return {row["catalog_id"]: slug for slug, row in fact("names-zh.json")["parts"].items() if row.get("catalog_id")}


def figure(name: str, scale: float = 1) -> Same:
    def same(part: Part, value: Any) -> bool:
        row = part.figures.get(name)
        if row is None:
            return False
        if isinstance(value, list):
            found = row.value if isinstance(row.value, tuple) else (row.value,)
            return [v for v in value if v is not None] == list(found)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return isinstance(row.value, (int, float)) and abs(row.value - value * scale) < 1e-9 * max(1, abs(value))
        return row.value == value

    return same


def word(name: str) -> Same:
    return lambda part, value: str(value) in part.word(name) or part.word(name) in str(value)


def anything(_part: Part, _value: Any) -> bool:
    return True


def data_cages(part: Part) -> list[str]:
    return [name for name, cage in part.cages.items() if "mgmt" not in (cage.medium, *cage.media)]


def cage_count(part: Part, value: Any) -> bool:
    return len(data_cages(part)) == value


def cage_speed(part: Part, value: Any) -> bool:
    if not data_cages(part):
        return value in (800,) and part.model.startswith("DCS-7800")  # line cards: no cages of its own
    totals = []
    for name in data_cages(part):
        count, gbps = parse_split(part.cages[name].default) or (0, 0.0)
        totals.append(count * gbps)
    return max(totals) == value


def breakouts(part: Part, value: Any) -> bool:
    splits = {s for name in data_cages(part) for s in (part.cages[name].default, *part.cages[name].breakouts)}
    return {v for v in value if "(" not in v} <= splits | {"1x100"}


def gpu_row(part: Part, value: dict[str, Any]) -> bool:
    models = part.figures["gpu_models"].value if "gpu_models" in part.figures else ()
    known = {slug_of()[m] for m in value["models"] if m in slug_of()}
    return part.get("gpu_count") == value["count"] and known <= set(models if isinstance(models, tuple) else ())


def psu_row(part: Part, value: dict[str, Any]) -> bool:
    if not value:
        return True
    count = value.get("fitted", value["count"])
    mode = value.get("redundancy", "")
    return (
        part.get("psu_count") == count
        and part.get("psu_w") == value["W"]
        and value.get("total_W", count * value["W"]) == count * value["W"]
        and mode.split(" ")[0] in (part.word("psu_redundancy"), "")
        and (mode.split(" ")[1:] or [""])[0] == part.word("psu_mode")
        and ("max_system_W" not in value or part.get("max_system_w") == value["max_system_W"])
    )


def cxl_row(part: Part, value: dict[str, Any]) -> bool:
    return part.word("cxl") in value["ver"] and part.get("cxl_lanes") == value["lanes"]


def module_power(part: Part, value: dict[str, Any]) -> bool:
    return part.get("module_power_w") == value["all_ports_W"]


def slots_row(part: Part, value: Any) -> bool:
    return isinstance(value, str) or (part.interior is not None and len(part.slots) > 0) or value == []


FIELDS: dict[str, dict[str, Same]] = {
    "cpu_platforms": {
        "pcie_gen": figure("pcie_gen"),
        "lanes_1s": figure("lanes_1s"),
        "lanes_2s": figure("lanes_2s"),
        "lanes_2s_options": figure("lanes_2s_options"),
        "mem_channels": figure("mem_channels"),
        "cxl": cxl_row,
        "family": lambda part, value: value in part.model or value in part.name(),
    },
    "pcie_switch_chips": {
        "gen": figure("pcie_gen"),
        "lanes": figure("chip_lanes"),
        "ports": figure("chip_ports"),
        "latency_ns": figure("latency_ns"),
        "typ_W": figure("typ_power_w"),
    },
    "pcie_cards": {
        "gen": lambda part, value: part.get("pcie_gen", value) == value,
        "downstream_lanes": figure("downstream_lanes"),
        "power_W": figure("power_w"),
        "modes": lambda part, value: set(value) == set(part.modes),
        "form": figure("form_as_stated"),
        "oversub": figure("oversubscription"),
        "p2p": figure("p2p"),
        "upstream": lambda part, value: f"x{part.get('edge_lanes'):g}" == value["edge"],
        "downstream_connectors": lambda part, value: part.get("connectors") == value[0]["count"],
        "internal_only": lambda part, value: (part.word("cable_where") == "inside") == value,
        "likely_chip": lambda part, value: part.word("chip_part") in value.lower(),
        "kind": anything,
    },
    "gpus": {
        "mem_GB": figure("memory_gb"),
        "mem_type": figure("memory_type"),
        "mem_TBps": figure("memory_gbs", 1000),
        "link": figure("gpu_link"),
        "link_GBps_bidir": figure("nvlink_gbs_bidir"),
        "pcie_gen": figure("pcie_gen"),
        "pcie_lanes": figure("edge_lanes"),
        "bf16_dense_TFLOPS": figure("bf16_tflops"),
        "fp8_dense_TFLOPS": figure("fp8_tflops"),
        "tdp_W": figure("tdp_w"),
        "slot_width": figure("slot_width"),
        "form": figure("form_as_stated"),
        "mamf_bf16": figure("mamf_bf16_tflops"),
        "mamf_fp8": figure("mamf_fp8_tflops"),
        "length_mm": figure("length_mm"),
        "p2p_GBps_per_dir": figure("nvlink_gbs_per_link"),
    },
    "servers": {
        "height_U": figure("height_u"),
        "cpu": figure("cpu_as_stated"),
        "sockets": figure("sockets"),
        "dimm_slots": figure("dimm_slots"),
        "gpu": gpu_row,
        "slots": slots_row,
        "psu": psu_row,
        "builtin_net": lambda part, value: value.startswith("as ") or part.word("network_as_stated") == value,
        "topology": anything,  # the interior; interiors.json is tested below
        "mem_TB": figure("memory_tb"),
        "storage": figure("drives"),
        "nvswitch": lambda part, value: (
            part.interior is not None
            and sum(row.of.startswith("nvswitch") for row in part.interior.items.values()) == value
        ),
        "weight_kg": figure("weight_kg"),
    },
    "nics": {
        "ports": lambda part, value: len(part.cages) == value,
        "cage": lambda part, value: {c.type for c in part.cages.values()} <= {value, *value.split("/")},
        "port_Gbps": figure("port_gbps"),
        "pcie_gen": figure("pcie_gen"),
        "pcie_lanes": figure("edge_lanes"),
        "power_W": figure("power_w"),
        "form": word("form_as_stated"),
        "features": lambda part, value: part.word("features").split(" (")[0] in value,
        "aux_power": lambda part, value: (part.get("aux_w") > 0) == value,
        "aggregate_Gbps": figure("aggregate_gbps"),
    },
    "switches": {
        "asic": figure("asic"),
        "Tbps": figure("switching_tbps"),
        "ports": cage_count,
        "cage": anything,  # cages, and cage_as_stated where the words say more
        "port_Gbps": cage_speed,
        "breakouts": breakouts,
        "max_logical_ports": figure("max_logical_ports"),
        "height_U": figure("height_u"),
        "buffer_MB": lambda part, value: value in (part.get("buffer_mb"), part.word("buffer_as_stated")),
        "latency_ns": figure("latency_ns"),
        "typ_W": figure("typ_power_w"),
        "max_W": figure("power_w"),
        "psu": lambda part, value: part.get("psu_count") == value,
        "fabric": lambda part, value: {part.cages[c].medium for c in data_cages(part)} == {value.lower()},
        "module_power": module_power,
        "extra_ports": figure("extra_ports"),
        "weight_kg": figure("weight_kg"),
        "airflow": word("airflow"),
    },
    "cables": {
        "kind": figure("cable_kind"),
        "end_A": anything,  # plug names are normalised; test_cable_ends_and_transceivers_fit_cages holds them
        "end_B": anything,
        "total_Gbps": figure("total_gbps"),
        "branches": figure("branches"),
        "lane_Gbps": figure("lane_gbps"),
        "min_m": lambda part, value: part.get("min_m") in (value, part.numbers("orderable_m")[0]),
        "max_m": lambda part, value: part.get("max_m") in (value, part.numbers("orderable_m")[-1]),
        "W_per_end_A": figure("power_w_a"),
        "W_per_end_B": figure("power_w_b"),
        "latency_ns": figure("latency_ns"),
    },
    "optics": {
        "form": word("form_as_stated"),
        "Gbps": figure("gbps"),
        "fibre": lambda part, value: value.startswith(part.word("fibre")),
        "max_m": figure("max_m"),
        "W": figure("power_w"),
        "breakout": anything,  # splits, wdm and talks_to
    },
    "cxl": {
        "cap_GB": lambda part, value: list(part.numbers("capacities_gb") or (part.get("memory_gb"),)) == value,
        "form": figure("form_as_stated"),
        "lanes": figure("edge_lanes"),
        "gen": figure("pcie_gen"),
        "cxl": figure("cxl"),
        "bw_GBps": figure("memory_gbs"),
        "controller": figure("controller"),
        "power_W": figure("power_w"),
    },
}
ABOUT_THE_ROW = {"id", "vendor", "conf", "src", "note"}


def rows() -> Iterator[Any]:
    data = fact("catalog.json")
    if not data:
        return
    for table in TABLES:
        for row in data[table]:
            yield pytest.param(table, row, id=f"{table}-{row['id']}")
    for row in data["cxl"]["modules"]:
        yield pytest.param("cxl", row, id=f"cxl-{row['id']}")


def test_every_table_is_looked_at() -> None:
    assert set(fact("catalog.json")) == set(TABLES) | set(OTHER_TABLES)


@pytest.mark.parametrize(("table", "row"), list(rows()))
def test_parts_and_their_figures(shipped: Catalogue, table: str, row: dict[str, Any]) -> None:
    if row["id"] in NOT_PARTS:
        return
    part_id = slug_of()[row["id"]]
    part = shipped.get(part_id)
    kind = TABLES.get(table) or part.kind
    assert part.kind == kind
    assert part.source and part.confidence in CONFIDENCES
    assert "vendor" not in row or part.vendor == row["vendor"] or part.vendor in row["vendor"]
    known = FIELDS[table]
    unknown = set(row) - set(known) - ABOUT_THE_ROW
    assert unknown == set(), f"{part_id}: nobody carries {sorted(unknown)}"
    wrong = [
        (field, value, {k: f.value for k, f in part.figures.items()})
        for field, value in row.items()
        if field in known and value not in (None, "", [], [None]) and not known[field](part, value)
    ]
    assert wrong == []


MENDED_NAMES = ("aec-400g", "aec-800g", "aoc-400g", "ds5000", "pcie-4dw-one-socket")
"""Their Chinese in the list has English words ("same or") or reads the wrong way round; a bill needs better."""


def test_names_are_those_of_the_list(shipped: Catalogue) -> None:
    names = fact("names-zh.json")["parts"]
    wrong = [
        (part_id, lang)
        for part_id, row in names.items()
        for lang in ("en", "zh_CN")
        if part_id not in NOT_PARTS
        and (part_id, lang) not in product(MENDED_NAMES, ["zh_CN"])
        and shipped.name_of(part_id, lang) != row[lang]
    ]
    assert wrong == []


def test_switch_chips_and_cages_are_tables(shipped: Catalogue) -> None:
    chips, cages = shipped.table("switch_chips"), shipped.table("cage_types")
    for name, row in fact("catalog.json")["asics"].items():
        if name == "conf":
            continue
        ours = chips[name]
        assert ours.get("tbps") == row.get("Tbps") and ours.get("buffer_mb") == row.get("buffer_MB")
        assert ours.get("power_w") == row.get("chip_W")
        if "serdes" in row:
            assert row["serdes"].startswith(f"{ours['lanes']}x{ours['lane_gbps']}G")
    extra = fact("parts-extra.json")["cages_extra"]
    for name, row in {**fact("catalog.json")["cages"], **extra}.items():
        if name == "conf":
            continue
        assert cages[name]["lanes"] == row["lanes"]
        assert row.get("max_lane_G", cages[name].get("max_lane_gbps")) == cages[name].get("max_lane_gbps")
        if name not in ("RJ45", "QSFP112-DD"):  # words there, plugs here
            assert set(row.get("accepts", ())) <= set(cages[name]["accepts"])
    types = shipped.table("netbox")["interface_types"]
    for name, (cage, gbps) in fact("catalog.json")["netbox"]["interface_type_to_cage"].items():
        assert (types[name]["cage"], types[name]["gbps"]) == (cage, gbps)


# -- parts-extra.json -------------------------------------------------------------------------------------------------

EXTRA_FIGURES = {
    "power_w": ("power_w",),
    "ru": ("height_u",),
    "power_w_typ": ("typ_power_w",),
    "power_w_max": ("power_w", "max_power_w"),
    "capacity_gb": ("memory_gb",),
    "peak_gbs_at_5600": ("memory_gbs",),
    "gbs_bidir": ("nvlink_gbs_bidir",),
    "gpus": ("gpu_count",),
    "cpus": ("cpu_count",),
    "nvswitch": ("nvswitch_count",),
    "lanes": ("edge_lanes", "lanes"),
    "gen": ("pcie_gen",),
    "power_w_per_end": ("power_w_a",),
    "kw": ("cooling_kw",),
    "w": ("power_w",),
}
EXTRA_ABOUT = {"en", "zh_CN", "conf", "src", "note", "interior"}


def extra_rows() -> Iterator[Any]:
    data = fact("parts-extra.json")
    for kind, table in data.get("kinds", {}).items():
        for part_id, row in table.items():
            yield pytest.param(part_id, row, id=f"{kind}-{part_id}")
    for part_id, row in data.get("transceivers", {}).items():
        yield pytest.param(part_id, row, id=f"transceiver-{part_id}")


@pytest.mark.parametrize(("part_id", "row"), list(extra_rows()))
def test_extra_parts_and_their_numbers(shipped: Catalogue, part_id: str, row: dict[str, Any]) -> None:
    part = shipped.get(part_id)
    assert part.source and part.confidence in CONFIDENCES
    for field, value in row.items():
        if field in EXTRA_ABOUT or isinstance(value, (bool, str, dict)) or value in (None, 0):
            continue
        if field == "power_kw":
            assert part.get("power_w") == value * 1000
            continue
        if isinstance(value, list):
            stated = {str(v) for f in part.figures.values() if isinstance(f.value, tuple) for v in f.value}
            assert {str(v) for v in value} <= stated | {str(v) for v in part.numbers("orderable_m")}, field
            continue
        names = EXTRA_FIGURES.get(field, (field,))
        assert any(part.get(name) == value for name in names), (field, value)


# -- interiors.json ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(fact("interiors.json").get("builtin_parts", {})))
def test_builtin_parts(shipped: Catalogue, name: str) -> None:
    row = fact("interiors.json")["builtin_parts"][name]
    part = shipped.get(name)
    assert (part.name("en"), part.name("zh_CN")) == (row["en"], row["zh_CN"])
    if "w" in row:
        assert part.get("power_w") == row["w"]
    if "latency_ns" in row:
        assert part.get("latency_ns") == row["latency_ns"]


@pytest.mark.parametrize("name", sorted(fact("interiors.json").get("archetypes", {})))
def test_archetypes_are_wired_as_the_facts_say(shipped: Catalogue, name: str) -> None:
    row = fact("interiors.json")["archetypes"][name]
    part = shipped.get(name)
    inside = part.interior
    assert inside is not None
    assert set(row["items"]) <= set(inside.items)
    for item_id, item in row["items"].items():
        assert inside.items[item_id].of == item["of"], item_id
        assert inside.items[item_id].seat == (item.get("seat") or ""), item_id
    for end, root in row.get("root_ports", {}).items():
        cpu, _, port = end.partition(":")
        found = inside.items[cpu].ports[port]
        assert (found.lanes, found.gen, found.host_bridge) == (root["lanes"], root["gen"], root["host_bridge"]), end
    ends = {(link.a, link.b) for link in inside.links.values()}
    for link in row.get("links", {}).values():
        assert (link["a"], link["b"]) in ends, link
    for slot_id, slot in row.get("slots", {}).items():
        found_slot = part.slots[slot_id]
        assert (found_slot.electrical, found_slot.gen) == (slot["electrical"], slot["gen"]), slot_id
        assert found_slot.fed_by == (slot["fed_by"] or ""), slot_id
    mechanics = {"ru": "height_u", "depth_mm": "depth_mm", "weight_kg": "weight_kg", "height_mm": "height_mm"}
    for field, name_of_figure in mechanics.items():
        if row["mechanics"].get(field):
            assert part.get(name_of_figure) == row["mechanics"][field], field


@pytest.mark.parametrize("name", sorted(fact("interiors.json").get("servers", {})))
def test_servers_have_the_interior_of_their_archetype(shipped: Catalogue, name: str) -> None:
    row = fact("interiors.json")["servers"][name]
    part = shipped.get(name)
    assert part.interior is not None
    assert part.interior.archetype == row["archetype"]
    # An assumed archetype is an estimate and must be shown as one.
    assert part.interior.assumed == (row["show_as"] == "archetype assumed")


def test_there_are_27_orderable_servers() -> None:
    assert len(fact("interiors.json")["servers"]) == 27
