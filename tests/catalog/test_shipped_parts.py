"""Spot values of the shipped parts against their sources; the sums are shown."""

from __future__ import annotations

import json

import pytest

from fabricwright.catalog.check import check_catalogue, interior_ports, socket_lanes
from fabricwright.catalog.parts import CONFIDENCES, Part
from fabricwright.catalog.store import Catalogue
from fabricwright.resources import resource_path, resource_root
from fabricwright.units import codec

TEMPLATE_PARTS = [
    "cabled-4u8g",
    "h100-pcie-80gb",
    "lrsv9500-4i",
    "lres1260pf-2qsfp112",
    "lrsv9560-2i",
    "generic-64x400",
    "rack-48u-40kw",
    "rack-48u-20kw",
    "aoc-400g-qdd-2x200-q56",
    "aoc-400g",
    "mcio-2x8i",
    "xeon-spr",
    "ddr5-rdimm-64",
    "aux-12v2x6-600w",
    "nvme-m2-960g",
    "lr-cxl-generic",
    "lres1080pf-2qsfp56",
    "dgx-h100",
    "dgx-h100-8sxm",
    "cx7-dual-qsfp112",
    "sn3700c",
    "sn4700",
    "aoc-100g-qsfp28",
    "dac-100g-qsfp28",
    "rack-48u-60kw",
    "lrsv9560-2e",
    "ext-gpu-box-2",
    "ext-pcie-2x8",
    "riser-2xmcio8i-x16",
    "pcie-8dw-2switch-single-root",
    "pcie-8dw-2switch-dual-root",
    "pcie-8dw-3switch-cascade",
    "pcie-8dw-2chip-4part",
    "rtx-pro-6000-bse",
    "pex89144",
    "pcie-4dw-one-socket",
    "mcx715105as-weat",
    "sn5600",
    "mcp7y10-800g-2x400-q112",
    "qm9700",
    "sn4600c",
    "sn2201",
    "storage-2u-24nvme-2x400g-ib",
    "mgmt-server-2u",
    "ufm-appliance",
    "pdu-3ph-63a-43kw",
    "mpo12-apc-mmf",
    "mpo12-apc-smf",
    "optic-800g-2xsr4-mma4z00-ns",
    "optic-800g-2xdr4-mms4x00-ns",
    "optic-400g-sr4-osfp-flat",
    "optic-400g-sr4-100g-lanes",
    "cat6a",
]


def all_parts(shipped: Catalogue) -> dict[str, Part]:
    return {part_id: shipped.get(part_id) for part_id in shipped.ids()}


def test_everything_of_the_templates_is_there(shipped: Catalogue) -> None:
    assert [p for p in TEMPLATE_PARTS if p not in shipped] == []


def test_counts_by_kind(shipped: Catalogue) -> None:
    counts = {kind: len(ids) for kind, ids in shipped.kinds().items()}
    # At least those of the facts (test_facts_complete.py names each); parts of measured systems come on top.
    assert counts["gpu"] >= 27
    assert counts["cpu"] >= 13
    assert counts["optic"] == 22 + 4  # 100G by family (optics-100g.yaml)
    assert counts["rack"] == 8
    # 27 orderable servers, the GB200 compute tray and the DGX Spark.
    assert counts["server"] == 27 + 2
    # 24 interiors: 19 chassis, two trays of an NVL72, three external boxes (the Falcon is like one of them); and seven
    # chassis for earlier generations and workstations.
    assert counts["chassis"] + 2 + 3 == 24 + 7
    assert counts["external-box"] == 4
    assert counts["switch"] == 35 + 2
    assert len(shipped.ids()) >= 348


def test_every_part_has_two_names_a_source_and_a_confidence(shipped: Catalogue) -> None:
    for part_id, part in all_parts(shipped).items():
        assert part.names.get("en") and part.names.get("zh_CN"), part_id
        assert part.source, part_id
        assert part.confidence in CONFIDENCES, part_id
        for name, figure in part.figures.items():
            assert figure.confidence in CONFIDENCES, (part_id, name)


def test_catalogue_check_finds_nothing(shipped: Catalogue) -> None:
    assert check_catalogue(all_parts(shipped)) == []


def test_parts_survive_the_project_files_codec(shipped: Catalogue) -> None:
    for part_id, part in all_parts(shipped).items():
        assert codec.from_json(Part, codec.to_json(part), part_id) == part


def test_dgx_h100_lanes_and_inside(shipped: Catalogue) -> None:
    part = shipped.get("dgx-h100")
    # Per socket: 4 ConnectX-7 x16 + 1 storage switch x16 = 5 x 16 = 80 of 80.
    lanes = socket_lanes(part)
    assert {k: (v.wired, v.available) for k, v in lanes.items()} == {"cpu0": (80, 80), "cpu1": (80, 80)}
    inside = part.interior
    assert inside is not None
    assert not inside.assumed
    assert [i for i, row in inside.items.items() if row.of == "h100-sxm5-80gb"] == [f"gpu{n}" for n in range(8)]
    # Each GPU: 5 + 5 + 4 + 4 = 18 NVLinks over four NVSwitches.
    for gpu in range(8):
        links = [row.nvlinks for row in inside.links.values() if row.a == f"gpu{gpu}:nv"]
        assert sorted(links) == [4, 4, 5, 5]
    assert part.cages["osfp1"].ports == ("nic7:1", "nic4:1")
    assert inside.exports["compute"].axes == (("rail", 8),)
    assert inside.links["sl0"].gbs == 22
    assert inside.items["nic0"].config["rail"] == 0
    assert part.slots["slotb"].fed_by == "stor0:d1"
    assert part.get("height_u") == 8
    assert part.get("max_system_w") == 10_200
    assert part.word("psu_redundancy") == "4+2"


def test_dgx_h200_is_a_dgx_h100_with_other_gpus(shipped: Catalogue) -> None:
    one, two = shipped.get("dgx-h100").interior, shipped.get("dgx-h200").interior
    assert one is not None and two is not None
    changed = {i for i in one.items if one.items[i] != two.items[i]}
    assert changed == {f"gpu{n}" for n in range(8)}
    assert two.items["gpu3"].of == "h200-sxm-141gb"
    assert one.links == two.links


def test_epyc_variant_of_an_intel_archetype_has_xgmi(shipped: Catalogue) -> None:
    inside = shipped.get("as-8125gs-tnhr").interior
    assert inside is not None
    assert inside.assumed
    assert inside.items["cpu0"].of == "epyc-genoa"
    assert "upi" not in inside.items["cpu0"].ports
    assert (inside.links["sl0"].kind, inside.links["sl0"].gbs, inside.links["sl0"].count) == ("xgmi", 16, 3)


def test_root_ports_carry_bridge_and_numa_node(shipped: Catalogue) -> None:
    spr = shipped.get("cabled-4u8g").interior
    rome = shipped.get("dgx-a100").interior
    assert spr is not None and rome is not None
    assert (spr.items["cpu1"].ports["p2"].host_bridge, spr.items["cpu1"].ports["p2"].numa) == ("cpu1-p2", 1)
    # NPS4: four NUMA nodes per socket, 0-3 and 4-7.
    assert {port.numa for port in rome.items["cpu0"].ports.values() if port.role == "root"} == {0, 1, 2, 3}
    assert rome.items["cpu0"].ports["p0"].numa == 3
    assert rome.items["cpu1"].ports["p0"].numa == 7


def test_cabled_chassis_bays_are_fed_by_cables(shipped: Catalogue) -> None:
    part = shipped.get("cabled-4u8g")
    bay = part.slots["bay1"]
    assert bay.fed_by == "" and bay.cable_feed is not None
    assert (bay.cable_feed.connector, bay.cable_feed.count, bay.trace_db) == ("MCIO-8i", 2, 3.0)
    # Three slots x16 and four U.2 x4 per socket: 48 + 16 = 64 of 80.
    assert {v.wired for v in socket_lanes(part).values()} == {64}


@pytest.mark.parametrize(
    ("part_id", "figure", "value", "confidence"),
    [
        ("h100-sxm5-80gb", "bf16_tflops", 989, "read"),
        ("h100-sxm5-80gb", "nvlinks", 18, "read"),
        ("h100-sxm5-80gb", "nvlink_gbs_per_link", 25, "read"),
        ("b200-sxm-180gb", "nvlink_gbs_per_link", 50, "read"),
        ("b200-sxm-180gb", "tdp_w", 1000, "engineering"),
        ("h800-sxm5-80gb", "nvlinks", 8, "inferred"),  # 400 GB/s / 2 / 25
        ("h100-pcie-80gb", "aux_w", 275, "inferred"),  # 350 - 75 from the slot
        ("lres1260pf-2qsfp112", "aggregate_gbps", 400, "read"),
        ("lres1260pf-2qsfp112", "power_w", 30, "inferred"),
        ("e810-cqda2", "aggregate_gbps", 100, "engineering"),
        ("b3220", "power_w", 150, "read"),
        ("b3220", "aux_w", 84, "inferred"),  # 150 - 66 from a 12 V only edge
        ("pex89144", "chip_lanes", 144, "read"),
        ("pex89144", "typ_power_w", 55, "engineering"),
        ("qm9700", "latency_ns", 130, "engineering"),
        ("sn4700", "buffer_pool_bytes", 60_817_392, "read"),
        ("rack-48u-60kw", "usable_kw", 60, "engineering"),
        ("pdu-3ph-63a-43kw", "usable_kw", 34.9, "engineering"),
        ("optic-800g-2xsr4-mma4z00-ns", "power_w", 17, "read"),
        ("xeon-spr", "lanes_per_socket", 80, "engineering"),
        ("epyc-genoa", "lanes_per_socket", 64, "read"),
        ("nvme-u2-3t84-g4", "capacity_tb", 3.84, "engineering"),
    ],
)
def test_figures(shipped: Catalogue, part_id: str, figure: str, value: float, confidence: str) -> None:
    row = shipped.get(part_id).figures[figure]
    assert row.value == value
    assert row.confidence == confidence


def test_orderable_lengths_and_loss_of_pcie_cables(shipped: Catalogue) -> None:
    cable = shipped.get("mcio-2x8i")
    lengths, loss = cable.numbers("orderable_m"), cable.numbers("loss_db")
    assert lengths == (0.25, 0.35, 0.45, 0.55, 0.75, 1.0)
    # 1.5 dB for both connectors and 7 dB per metre: 1.5 + 7 x 0.35 = 3.95.
    assert loss[1] == pytest.approx(cable.get("connectors_db") + cable.get("db_per_m") * 0.35)
    assert cable.word("end_a") == "MCIO-8i" and cable.get("end_count_a") == 2


def test_cable_ends_and_transceivers_fit_cages(shipped: Catalogue) -> None:
    cages = shipped.table("cage_types")
    plugs = {plug for row in cages.values() for plug in row["accepts"]}
    for kind in ("cable", "optic"):
        for part_id in shipped.kinds()[kind]:
            part = shipped.get(part_id)
            for figure in ("end_a", "end_b") if kind == "cable" else ("form",):
                assert part.word(figure) in plugs, (part_id, figure, part.word(figure))
    for part_id in shipped.kinds()["optic"]:
        part = shipped.get(part_id)
        fits = part.figures["fits_cages"].value
        assert isinstance(fits, tuple) and set(fits) <= set(cages), part_id


def test_oversized_servers_do_not_inherit_more_memory_than_slots(shipped: Catalogue) -> None:
    for part_id in (*shipped.kinds()["server"], *shipped.kinds()["chassis"]):
        part = shipped.get(part_id)
        assert part.get("dimm_count") <= part.get("dimm_slots"), part_id


def test_external_box_feeds(shipped: Catalogue) -> None:
    chassis = shipped.get("ext-gpu-chassis-8")
    assert chassis.slots["g1"].fed_by == "sw0:d1"
    assert chassis.interior is not None
    assert chassis.interior.items["h"].ports["1"].connector == "CDFP"
    box = shipped.get("ext-gpu-box-2").slots["g1"]
    assert box.fed_by == "" and box.cable_feed is not None
    assert (box.cable_feed.connector, box.cable_feed.count) == ("external x8", 2)
    assert shipped.get("h3-falcon-5012").slots == chassis.slots


def test_expected_interiors_name_slots_and_parts_that_exist(shipped: Catalogue) -> None:
    path = resource_path("catalog", "interiors_expected.json")
    interiors = json.loads(path.read_text(encoding="utf-8"))["interiors"]
    parts = all_parts(shipped)
    assert len(interiors) == 24
    for part_id, row in interiors.items():
        part = shipped.get(part_id)
        assert part.interior is not None
        for item in row.get("reference_population", {}).values():
            assert item["of"] in shipped, part_id
            assert item["seat"].split(":")[1] in part.slots, part_id
        lanes = {k: {"wired": v.wired, "available": v.available} for k, v in socket_lanes(part).items()}
        assert lanes == row["expected"].get("lanes", {}), part_id
        known = interior_ports(part.interior, parts)
        for name, export in part.interior.exports.items():
            assert list(export.ports) == row["exports"][name]["ports"], part_id
            assert set(export.ports) <= set(known)


def test_the_documentation_lists_every_kind_and_figure(shipped: Catalogue) -> None:
    text = (resource_root().parent / "docs" / "catalogue.md").read_text(encoding="utf-8")
    for kind in shipped.kinds():
        assert f"| `{kind}` |" in text
    for part in all_parts(shipped).values():
        for figure in part.figures:
            assert f"| `{figure}` |" in text, figure
