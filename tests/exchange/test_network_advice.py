"""Settings that can be typed in: the same numbers in every form."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ElementTree

import networkx
import pytest

from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Item, Link, Project
from fabricwright.exchange.formats import FORMATS, format_of
from fabricwright.exchange.network_advice import network_advice
from fabricwright.exchange.network_texts import nic_commands, nvue_commands, nvue_name, sonic_config, sonic_name
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from tests.rules.drawing import deal, fabric, group, one_nic


def pod(nic: str = "mcx715105as-weat", length_m: float = 12.0, **settings: object) -> Project:
    """Four servers on one SN5600, cages split 2x400."""
    leaf = Item("sn5600", config=Table({"breakout": Table({"1-4": "2x400"})}))
    items = {"node": group("sheet:node", node=4), "leaf": leaf}
    links = {"down": Link("node:compute", "leaf:1-4/1", deal(), "eth", length_m=length_m)}
    stated = {key.replace("__", "."): value for key, value in settings.items()}
    return fabric(items, links, {"node": one_nic(nic=nic)}, settings=stated)


def test_values_by_hand() -> None:
    """400G over 12 m takes the 40 m row: 283,648 B x 4; the pool is 158,229,504 less that, a fifth for each queue."""
    advice = network_advice(pod(), "main")
    (plan,) = advice.switches
    assert plan.priorities == (3,) and plan.dscp == {26: 3, 48: 6}
    assert plan.use.headroom == 4 * 283_648
    (ecn,) = plan.ecn
    assert (ecn.kmin, ecn.kmax, ecn.pmax) == (50_000, 2_000_000, 0.01)
    assert ecn.kmax < ecn.xoff == pytest.approx((158_229_504 - 4 * 283_648) / 5)
    assert advice.nccl["NCCL_IB_TC"] == "104"
    assert all(row.source and row.formula.english() for row in advice.rows)


def test_what_people_read_is_chinese_and_what_devices_read_is_not() -> None:
    files = {f.name: f.data for f in format_of("sonic").make(pod(), "main", "zh_CN")}
    assert files["leaf.json"].isascii()
    assert files["README.txt"].decode("utf-8").startswith("Fabricwright 根据设计图给出的建议")
    heads, first, *_ = files["values.csv"].decode("utf-8-sig").splitlines()
    assert heads == "设备,设置,数值,单位,公式,来源,已写明,估算"
    assert first.startswith("leaf,缓存,")


def test_switches_that_differ_are_named_by_their_members() -> None:
    advice = network_advice(TEMPLATES["seed-a-256x8"].build(), "main")  # leafs of rail 0 and 1 have other lengths
    assert {row.device for row in advice.rows} == {"leaf 0,2,4,6", "leaf 1,3,5,7", "spine", "NCCL"}


def test_sonic_tables_parse_and_hold_the_same_numbers() -> None:
    project = pod()
    (plan,) = network_advice(project, "main").switches
    files = {f.name: f.data for f in format_of("sonic").make(project, "main")}
    config = json.loads(files["leaf.json"])
    assert config == sonic_config(plan)
    profile = config["BUFFER_PROFILE"]["pg_lossless_400000_20m_profile"]
    assert profile["xoff"] == "283648"
    ports = [f"Ethernet{8 * n}" for n in range(4)]
    assert list(config["PORT"]) == ports
    assert config["BUFFER_PG"] == {f"{p}|3": {"profile": "pg_lossless_400000_20m_profile"} for p in ports}
    pool = config["BUFFER_POOL"]["ingress_lossless_pool"]
    assert int(pool["xoff"]) == sum(int(profile["xoff"]) for _ in ports)
    assert int(pool["size"]) + int(pool["xoff"]) == 158_229_504
    wred = config["WRED_PROFILE"]["FABRICWRIGHT_400G"]
    assert (wred["green_min_threshold"], wred["green_max_threshold"], wred["ecn"]) == ("50000", "2000000", "ecn_all")
    assert config["DSCP_TO_TC_MAP"]["FABRICWRIGHT"]["26"] == "3"
    assert config["DSCP_TO_TC_MAP"]["FABRICWRIGHT"]["24"] == "0"  # nothing else gets into the lossless class
    assert {row["pfc_enable"] for row in config["PORT_QOS_MAP"].values()} == {"3"}
    values = {r["setting"]: r["value"] for r in csv.DictReader(io.StringIO(files["values.csv"].decode()))}
    assert values["headroom 400G 20 m"] == "283648" and values["Kmax 400G"] == "2000000"


def test_names_of_ports() -> None:
    (plan,) = network_advice(pod(), "main").switches
    assert [(p.port, sonic_name(p), nvue_name(p)) for p in plan.ports[:2]] == [
        ("1/1", "Ethernet0", "swp1s0"),
        ("2/1", "Ethernet8", "swp2s0"),
    ]


def test_nvue_commands() -> None:
    (plan,) = network_advice(pod(), "main").switches
    lines = nvue_commands(plan).splitlines()
    assert "nv set qos congestion-control roce-400g traffic-class 3 max-threshold 2000000" in lines
    assert "nv set qos pfc roce-20m cable-length 20" in lines
    assert "nv set interface swp4s0 qos pfc profile roce-20m" in lines
    assert lines[0].startswith("#") and "verify" in lines[0]


def test_nic_commands_by_vendor() -> None:
    (nvidia,) = network_advice(pod(), "main").nics
    text = nic_commands(nvidia)
    assert "--pfc 0,0,0,1,0,0,0,0" in text and "-t 104" in text and "mtu 9000" in text
    (seed,) = network_advice(TEMPLATES["seed-a-256x8"].build(), "main").nics
    assert 'bnxt_setupcc.sh -d "$RDMA" -i "$NET" -m 3 -s 26 -p 48 -r 3 -c 6' in nic_commands(seed)


def test_what_is_stated_is_kept() -> None:
    stated = {"pfc.priorities": "4", "qos.dscp_map": "32:4", "ecn.kmin": 60_000, "nccl.ib_gid_index": 5, "ecmp.qps": 8}
    advice = network_advice(pod(**{k.replace(".", "__"): v for k, v in stated.items()}), "main")
    assert advice.switches[0].priorities == (4,) and advice.switches[0].ecn[0].kmin == 60_000
    assert advice.nccl == {
        "NCCL_IB_TC": "128",
        "NCCL_IB_GID_INDEX": "5",
        "NCCL_IB_QPS_PER_CONNECTION": "8",
        "NCCL_IB_SPLIT_DATA_ON_QPS": "1",
    }


def test_nics_that_resend_selectively_need_no_pauses() -> None:
    advice = network_advice(pod("thor-ultra"), "main")
    (plan,) = advice.switches
    assert plan.priorities == () and plan.use.headroom == 0
    assert "BUFFER_PG" not in sonic_config(plan)
    assert network_advice(pod("thor-ultra", pfc="on"), "main").switches[0].priorities == (3,)


def test_seed_a_needs_few_files() -> None:
    """Lengths are rounded up to profiles; the two leafs of a row differ in what lies on either side of 5 and 10 m."""
    advice = network_advice(TEMPLATES["seed-a-256x8"].build(), "main")
    assert [plan.item for plan in advice.switches] == ["leaf", "leaf", "spine"]
    assert [len(plan.members) for plan in advice.switches] == [4, 4, 4]
    assert {port.length_m for plan in advice.switches for port in plan.ports} == {5, 10, 20}


def test_infiniband_gets_none() -> None:
    with pytest.raises(UserError, match="no Ethernet links"):
        network_advice(TEMPLATES["single-8gpu"].build(), "main")
    with pytest.raises(UserError, match="no format 'x'"):
        format_of("x")


def test_graph() -> None:
    project = TEMPLATES["seed-a-256x8"].build()
    (file,) = FORMATS["graphml"].make(project, "main")
    graph = networkx.parse_graphml(file.data.decode(), force_multigraph=True)
    kinds = [data["kind"] for _, data in graph.nodes(data=True)]
    assert (kinds.count("server"), kinds.count("switch")) == (256, 12)
    down = [d for *_, d in graph.edges(data=True) if d["link"] == "down"]
    assert len(down) == 512 and {d["gbps"] for d in down} == {200.0}


@pytest.mark.parametrize("template", ["seed-a-256x8", "single-8gpu", "pcie-8gpu-switch", "superpod-h100-127"])
def test_topology_for_nccl(template: str) -> None:
    project = TEMPLATES[template].build()
    for file in FORMATS["nccl-xml"].make(project, next(iter(project.designs))):
        system = ElementTree.fromstring(file.data)
        for cpu in system.iter("cpu"):
            assert all(cpu.get(key) for key in ("numaid", "affinity", "arch", "vendor", "familyid", "modelid"))
        ids = [pci.get("busid") for pci in system.iter("pci")]
        assert len(ids) == len(set(ids)) > 0
        assert all(pci.get(key) for pci in system.iter("pci") for key in ("class", "link_speed", "link_width"))
        gpus = list(system.iter("gpu"))
        assert [g.get("dev") for g in sorted(gpus, key=lambda g: int(g.get("dev") or 0))] == [
            str(n) for n in range(len(gpus))
        ]
        known = {*ids, *(link.get("target") for link in system.iter("nvlink") if link.get("tclass") == "0x068000")}
        assert all(link.get("target") in known for link in system.iter("nvlink"))
        if template == "single-8gpu":
            assert [link.get("count") for link in system.iter("nvlink")] == ["18"] * 8
