"""Template ``seed-b-512``: 32 DGX H100 before, after their network upgrade, and after all that the case asks for.

The seed names the servers, two 100G Ethernet ports per node, and 400G leaf downlinks afterwards; leaf and spine models,
counts, racks and lengths are chosen here. Design ``after`` holds cards that do not fit, on purpose: they are claimed.
"""

from __future__ import annotations

from fabricwright.catalog.parts import Scalar
from fabricwright.design.templates.drafting import (
    deal,
    embed,
    export,
    gpus,
    item,
    mesh,
    pcie,
    plan,
    statements,
    without_tail,
)
from fabricwright.design.templates.seed_a import WORKLOADS
from fabricwright.design.values import Item, Link, Override, Project, Seating, Sheet, Statement, Workload
from fabricwright.units.table import Table
from fabricwright.units.text import N_

SETTINGS: dict[str, Scalar] = {
    "nccl.gdr_level": "SYS",
    "lossless": True,
    "ecmp.mode": "adaptive",
    "workload": "1t",
}
CHASSIS = "dgx-h100"
TRILLION = Workload(
    N_("1 T parameters"),
    Table({"params_b": 1000.0}),
    Table({"sharding": "zero3", "offload": "optimizer", "gradient_dtype": "fp16"}),
)
"""The model that the case grows to: 10^12 parameters, ZeRO-3 with offload; its shape is not stated."""
DATA_PARALLEL = Workload(
    N_("10 B parameters, data parallel"),
    Table({"params_b": 10.0, "layers": 40, "hidden": 4608, "heads": 36, "vocab": 51200, "seq": 2048}),
    Table(
        {
            "gradient_dtype": "fp16",
            "precision": "bf16",
            "distributed_optimizer": "on",
            "mbs": 2,
            "gbs": 2560,
            "recompute": "full",
        }
    ),
)
"""The least model with "tens of GB" of gradients on every GPU: 10^10 parameters, 20 GB in fp16. The case states no
shape, batch or plan; GPT-3's proportions and a batch that 256 and 320 GPUs divide are chosen here."""
NIC = "nic8"
"""The NIC that the upgrade adds: the chassis has eight of its own, nic0 to nic7, which stay (uncabled)."""


def draw(title: str, servers: int, key_nodes: int) -> Project:
    """The project with ``servers`` servers, the first ``key_nodes`` of them with CXL cards in design ``after``."""
    network = _fabric_after(servers, item("sheet:node"))
    everything = _fabric_after(servers, _key_nodes(servers, key_nodes))
    sheets_after = {"fabric": everything, "node-after": _node_after(), "node-after-cxl": _node_after_cxl()}
    designs = {
        "before": plan(N_("Before"), 0, {"fabric": _fabric_before(servers), "node": _node_before()}, SETTINGS),
        "after-network": plan(
            N_("After the network upgrade"), 1, {"fabric": network, "node": _node_network()}, SETTINGS
        ),
        "after": plan(N_("After"), 2, sheets_after, SETTINGS),
    }
    return embed(
        Project(
            title,
            designs=Table(designs),
            workloads=WORKLOADS.put("1t", TRILLION).put("10b", DATA_PARALLEL),
            statements=_statements(servers, key_nodes),
        )
    )


def _key_nodes(servers: int, key_nodes: int) -> Item:
    count = min(key_nodes, servers)
    if count == 0:
        return item("sheet:node-after")
    members = f"0-{count - 1}" if count > 1 else "0"
    return Item("sheet:node-after", except_=Table({members: Override(sheet="node-after-cxl")}))


def _group(row: Item, servers: int) -> Item:
    per_unit = -(-servers // 2)
    group = Item(row.of, (("su", 2), ("node", per_unit)), except_=row.except_, name="n{index1:02}")
    absent = without_tail(group, servers)
    return Item(group.of, group.axes, except_=Table({**group.except_, **absent.except_}), name=group.name)


def _fabric_before(servers: int) -> Sheet:
    links = {
        "down": Link("node:compute", "leaf:1-16", deal("su", "port"), cable="aoc-100g-qsfp28", length_m=10.0),
        "up": Link("leaf:17-32", "spine:1-32", mesh(8), cable="dac-100g-qsfp28", length_m=1.0),
    }
    return _fabric(
        item("sheet:node"), servers, item("sn3700c", axes=(("su", 2), ("port", 2)), name="leaf-{su1}{port1}"), links
    )


def _fabric_after(servers: int, node: Item) -> Sheet:
    leaf = item(
        "sn4700",
        axes=(("su", 2), ("port", 2)),
        name="leaf-{su1}{port1}",
        breakout=Table({"1-8": "2x200", "17-32": "1x100"}),
    )
    links = {
        "down": Link("node:compute", "leaf:1-8/1-2", deal("su", "port"), cable="aoc-400g-qdd-2x200-q56", length_m=10.0),
        "up": Link("leaf:17-32", "spine:1-32", mesh(8), cable="dac-100g-qsfp28", length_m=1.0),
    }
    return _fabric(node, servers, leaf, links)


def _fabric(node: Item, servers: int, leaf: Item, links: dict[str, Link]) -> Sheet:
    group = _group(node, servers)
    return Sheet(
        "fabric",
        items=Table(
            {
                "node": group,
                "leaf": leaf,
                "spine": item("sn3700c", axes=(("spine", 2),), name="spine-{spine1}"),
                "rack": item("rack-48u-60kw", axes=(("rack", -(-group.count // 4)),), name="r{rack1:02}"),
                "nrack": item("rack-48u-20kw", name="net", rack0=8),
            }
        ),
        links=Table(links),
        seats=Table(
            {
                "node": Seating("rack", 0, 1, 4, 1),
                "leaf": Seating("nrack", 0, 1, 4, 40),
                "spine": Seating("nrack", 0, 1, 2, 44),
            }
        ),
    )


def _node_before() -> Sheet:
    return Sheet(
        "server",
        N_("DGX H100 as it stands"),
        CHASSIS,
        items=Table({"slota-nic": item(None, mode="2x100")}),
        exports=Table({"compute": export("slota-nic:1", "slota-nic:2", port=2)}),
    )


def _nic() -> Item:
    return item("lres1260pf-2qsfp112", "chassis:slota", mode="2x200")


def _node_network() -> Sheet:
    return Sheet(
        "server",
        N_("DGX H100 with the new NIC"),
        CHASSIS,
        removed=("slota-nic",),
        items=Table({NIC: _nic()}),
        exports=Table({"compute": export(f"{NIC}:1", f"{NIC}:2", port=2)}),
    )


def _node_after() -> Sheet:
    return Sheet(
        "server",
        N_("DGX H100 with switch card, retimers and external GPUs"),
        CHASSIS,
        removed=("slota-nic",),
        items=Table(
            {
                NIC: _nic(),
                "sw0": item("lrsv9500-4i", "chassis:slotb", forced=True, mode="2x16"),
                "rt0": item("lrsv9560-2e", mode="1x16"),
                "rt1": item("lrsv9560-2e", mode="1x16"),
                "ext0": item("ext-gpu-box-2"),
                **gpus("h100-pcie-80gb", ("ext0:g1", "ext0:g2"), 8),
            }
        ),
        links=Table(
            {
                "c1": pcie("sw0:d1", "rt0:up", "mcio-2x8i", 0.35),
                "c2": pcie("sw0:d2", "rt1:up", "mcio-2x8i", 0.35),
                "c3": pcie("rt0:d1", "ext0:g1", "ext-pcie-2x8", 1.0),
                "c4": pcie("rt1:d1", "ext0:g2", "ext-pcie-2x8", 1.0),
            }
        ),
        exports=Table({"compute": export(f"{NIC}:1", f"{NIC}:2", port=2)}),
    )


def _node_after_cxl() -> Sheet:
    card = item("lr-cxl-generic", "chassis:slotb", forced=True, gib=2048)
    return Sheet(
        "server",
        N_("The same with two CXL cards"),
        base="node-after",
        items=Table({"cxl0": card, "cxl1": card}),
    )


def _statements(servers: int, key_nodes: int) -> Table[Statement]:
    key = f"after!node[0-{min(key_nodes, servers) - 1}]" if min(key_nodes, servers) > 1 else "after!node[0]"
    return statements(
        "seedB",
        (
            "claim",
            "公司已搭建了一个包含256张NVIDIA H100 GPU的训练集群，采用DGX H100服务器。",
            "cluster.gpus",
            256,
            "GPUs",
            "before!node",
        ),
        (
            "claim",
            "原有集群采用100G以太网互联，单节点双口200Gbps的总带宽。",
            "nic.aggregate_gbps",
            200,
            "Gb/s",
            "before!node/slota-nic",
        ),
        ("claim", "DGX H100作为计算节点，单节点双口100G以太网。", "server.nic_set", "2x100G", "", "before!node"),
        (
            "claim",
            "LRES1260PF-2QSFP112双口QSFP112提供总计800Gbps的网络带宽。",
            "nic.aggregate_gbps",
            800,
            "Gb/s",
            f"node/{NIC}",
        ),
        ("claim", "单流RDMA写带宽达到390Gbps以上。", "flow.single_gbps", 390, "Gb/s", f"node/{NIC}"),
        (
            "claim",
            "LRSV9500-4I将单个PCIe x16根端口扇出为2个下游x16端口。",
            "switch_card.modes",
            "2x16",
            "",
            "after!node/sw0",
        ),
        (
            "claim",
            "使用LRSV9500-4I 1拖4 Switch卡连接外置NVMe存储阵列。",
            "switch_card.modes",
            "4x8",
            "",
            "after!node/sw0",
        ),
        (
            "claim",
            "每台服务器的物理PCIe插槽数量已被GPU、NVMe SSD和现有网卡全部占满。",
            "server.free_slots",
            0,
            "slots",
            "before!node",
        ),
        ("requirement", "将集群规模从256卡扩展至512卡以上。", "cluster.gpus", 512, "GPUs", "design:after"),
        ("claim", "同步升级Leaf交换机的下行端口至400G。", "leaf.down_gbps", 400, "Gb/s", "after!leaf"),
        ("claim", "端到端延迟低至1.8微秒。", "latency.one_way_us", 1.8, "us", "after!node"),
        ("claim", "所有通道的误码率（BER）低于10^-12。", "link.ber", 1e-12, "", "after!node/sw0"),
        ("claim", "通信等待时间占单步训练耗时的35%以上。", "step.comm_share", 0.35, "", "design:before"),
        ("claim", "通信占比从35%下降至12%。", "step.comm_share", 0.12, "", "design:after"),
        ("claim", "GPU利用率仅为65%左右。", "gpu.utilisation", 0.65, "", "design:before"),
        ("claim", "GPU利用率从65%提升至92%。", "gpu.utilisation", 0.92, "", "design:after"),
        ("claim", "AllReduce集合通信的延迟原为8.5ms。", "allreduce.time_ms", 8.5, "ms", "design:before"),
        (
            "claim",
            "AllReduce集合通信的延迟从8.5ms降低至3.2ms。",
            "allreduce.time_ms",
            3.2,
            "ms",
            "design:after",
        ),
        ("claim", "整体训练吞吐提升40%。", "train.gain", 0.40, "", "design:after"),
        ("claim", "原本需要30天完成的训练任务现在只需21天。", "train.days", "30, 21", "days", "design:after"),
        (
            "claim",
            "单台服务器配备的2TB DDR5内存在采用ZeRO-3优化策略后仍面临内存溢出风险。",
            "memory.overflow",
            2,
            "TB",
            "before!node",
        ),
        ("claim", "CXL将单节点可用内存容量从2TB扩展至6TB以上。", "memory.host_tb", 6, "TB", key),
        ("claim", "避免了频繁的PCIe数据搬运。", "cxl.no_pcie_moves", True, "", key),
        (
            "claim",
            "每月即可节省数十万元的算力成本。",
            "money.saving_per_month",
            "数十万",
            "CNY",
            "design:after",
        ),
        # "tens of GB" have no figure: 20 GB is the least that they can be
        (
            "claim",
            "每轮迭代的AllReduce需要在256张GPU之间同步数十GB的梯度数据。",
            "allreduce.payload_gb",
            20,
            "GB",
            "design:after",
        ),
        (
            "claim",
            "LRSV9500-4I 1拖4 Switch卡连接外置NVMe存储阵列。",
            "card.feeds_outside",
            True,
            "",
            "after!node/sw0",
        ),
        *(
            (
                "claim",
                "每台服务器部署一张LRES1260PF-2QSFP112 400G RDMA网卡。",
                "server.nic_set",
                "2x200G",
                "",
                f"{design}!node",
            )
            for design in ("after-network", "after")
        ),
    )
