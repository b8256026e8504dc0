"""Template ``seed-a-256x8``: 256 servers of eight PCIe GPUs behind switch and retimer cards, two rails, leaf and spine.

The seed names the servers, the cards and the two tiers; GPU model, switches, racks and lengths are chosen here.
"""

from __future__ import annotations

from math import ceil

from fabricwright.design.templates.drafting import (
    deal,
    embed,
    export,
    fitted,
    gpus,
    item,
    mesh,
    pcie,
    plan,
    statements,
    without_tail,
)
from fabricwright.design.values import Link, Project, Seating, Sheet, Statement, Workload
from fabricwright.units.table import Table
from fabricwright.units.text import N_

SERVERS_PER_SU = 64
CABLE_M = {"sw0": 0.35, "sw1": 0.45, "sw2": 0.45, "rt0": 0.75, "rt1": 0.75}


def draw(title: str, servers: int) -> Project:
    """The project with ``servers`` servers (1..256) in scalable units of up to 64."""
    units = ceil(servers / SERVERS_PER_SU)
    # Whole racks per unit, so that the borders of units are borders of rows; what is too many is absent.
    per_unit = 4 * ceil(servers / units / 4)
    design = plan(
        "",
        0,
        {"fabric": _fabric(servers, units, per_unit), "node": node_sheet()},
        {"lossless": True, "mtu": 9000, "roce.mtu": 4096, "ecmp.mode": "hash", "ecmp.qps": 4},
    )
    return embed(Project(title, designs=Table({"main": design}), workloads=WORKLOADS, statements=_statements()))


WORKLOADS: Table[Workload] = Table(
    {
        "10b": Workload(N_("10 B parameters"), Table({"params_b": 10.0}), Table({"gradient_dtype": "fp16"})),
        "175b": Workload(
            "GPT-3 175B",
            Table({"params_b": 175.0, "layers": 96, "hidden": 12288, "heads": 96, "vocab": 51200, "seq": 2048}),
            Table({"gradient_dtype": "fp16"}),
        ),
    }
)
"""Workload rows of both seeds; GPT-3's shape is 96 layers, hidden 12288, 96 heads, vocabulary 51200, sequence 2048."""


def _fabric(servers: int, units: int, per_unit: int) -> Sheet:
    node = item("sheet:node", axes=(("su", units), ("node", per_unit)), name="n{index1:03}")
    return Sheet(
        "fabric",
        items=Table(
            {
                "node": without_tail(node, servers),
                "leaf": item(
                    "generic-64x400",
                    axes=(("su", units), ("rail", 2)),
                    name="leaf-{su1}{rail1}",
                    breakout=Table({"1-32": "2x200", "33-64": "1x400"}),
                ),
                "spine": item(
                    "generic-64x400", axes=(("spine", 4),), name="spine-{spine1}", breakout=Table({"1-64": "1x400"})
                ),
                "rack": item("rack-48u-40kw", axes=(("row", units), ("rack", per_unit // 4)), name="r{row1}{rack1:02}"),
                "nrack": item("rack-48u-20kw", axes=(("row", units),), name="net-{row1}", rack0=per_unit // 4),
            }
        ),
        links=Table(
            {
                "down": Link("node:compute", "leaf:1-32/1-2", deal("su", "rail"), cable="aoc-400g-qdd-2x200-q56"),
                "up": Link("leaf:33-64", "spine:1-64", mesh(8), cable="aoc-400g", length_m=20.0),
            }
        ),
        seats=Table(
            {
                "node": Seating("rack", 0, 1, 4, 1),
                "leaf": Seating("nrack", 0, 1, 2, 40),
                "spine": Seating("nrack", 0, 1, 1, 36),
            }
        ),
    )


def node_sheet() -> Sheet:
    """The server of the case study: eight PCIe GPUs behind three switch cards and two retimer cards, and one NIC."""
    cards = {
        "sw0": item("lrsv9500-4i", "chassis:s1", mode="2x16"),
        "sw1": item("lrsv9500-4i", "chassis:s2", mode="2x16"),
        "sw2": item("lrsv9500-4i", "chassis:s4", mode="2x16"),
        "nic0": item("lres1260pf-2qsfp112", "chassis:s3", mode="2x200"),
        "rt0": item("lrsv9560-2i", "chassis:s5", mode="1x16"),
        "rt1": item("lrsv9560-2i", "chassis:s6", mode="1x16"),
    }
    feeds = ("sw0:d1", "sw0:d2", "sw1:d1", "sw1:d2", "sw2:d1", "sw2:d2", "rt0:d1", "rt1:d1")
    return Sheet(
        "server",
        N_("8 x H100 PCIe"),
        "cabled-4u8g",
        items=Table(
            {
                **gpus("h100-pcie-80gb", [f"chassis:bay{n}" for n in range(1, 9)]),
                **cards,
                "chassis": fitted(nvme_m2_960g=2),
            }
        ),
        links=Table(
            {f"c{n}": pcie(feed, f"chassis:bay{n}", "mcio-2x8i", CABLE_M[feed[:3]]) for n, feed in enumerate(feeds, 1)}
        ),
        exports=Table({"compute": export("nic0:1", "nic0:2", rail=2)}),
    )


def _statements() -> Table[Statement]:
    """What the guide says, in its own words; ``s9`` to ``s11`` speak of models that the project has as workloads."""
    return statements(
        "seedA",
        (
            "claim",
            "LRES1260PF-2QSFP112采用双端口QSFP112接口，总带宽达400Gbps（2×200G）。",
            "nic.aggregate_gbps",
            400,
            "Gb/s",
            "node/nic0",
        ),
        (
            "claim",
            "LRES1080PF-2QSFP56双端口100G网卡。",
            "nic.aggregate_gbps",
            200,
            "Gb/s",
            "part:lres1080pf-2qsfp56",
        ),
        (
            "claim",
            "一台典型的双路服务器提供的PCIe通道数量通常在96~128条（PCIe 5.0）。",
            "host.lanes",
            "96..128",
            "lanes",
            "node/cpu0",
        ),
        ("claim", "8张GPU就需要消耗128条PCIe 5.0通道。", "host.lanes_needed", 128, "lanes", "node"),
        ("requirement", "一个256节点的GPU训练集群。", "cluster.servers", 256, "servers", "node"),
        (
            "requirement",
            "每个计算节点配置8张GPU（通过LRSV9500-4I PCIe Switch扩展卡实现多GPU接入）。",
            "server.gpus",
            8,
            "GPUs",
            "node",
        ),
        (
            "claim",
            "PCIe Switch通过多个下游端口连接终端设备，实现PCIe通道的扇出复用。",
            "switch_card.fanout",
            2,
            "x",
            "node/sw0",
        ),
        (
            "claim",
            "任意两台服务器之间的通信路径跳数相同（最多经过一个Spine和一个Leaf交换机）。",
            "path.switches",
            2,
            "switches",
            "node",
        ),
        (
            "claim",
            "对于一个10B参数的模型（FP16精度），单次AllReduce的数据量约为20GB。",
            "allreduce.payload_gb",
            20,
            "GB",
            "workload:10b",
        ),
        (
            "claim",
            "一个175B参数的模型，仅模型状态就需要约3.5TB的内存空间。",
            "model.state_tb",
            3.5,
            "TB",
            "workload:175b",
        ),
        (
            "claim",
            "即使将模型分布到8张GPU上，每张GPU仍需约440GB内存。",
            "model.state_per_gpu_gb",
            440,
            "GB",
            "workload:175b",
        ),
        (
            "claim",
            "CXL可将模型状态的Offloading延迟从毫秒级降低到百纳秒级。",
            "cxl.latency_ns",
            100,
            "ns",
            "part:lr-cxl-generic",
        ),
        (
            "claim",
            "CPU、GPU和内存扩展设备之间以加载/存储语义直接访问共享内存资源。",
            "cxl.gpu_loadstore",
            True,
            "",
            "node/gpu0",
        ),
        (
            "claim",
            "多台服务器可以通过CXL交换机共享同一个内存资源池；CXL 1.1/2.0已获得原生支持。",
            "cxl.pooling",
            True,
            "",
            "node/cpu0",
        ),
        (
            "requirement",
            "整个网络从交换机到网卡都必须构建无损以太网环境。",
            "network.lossless",
            True,
            "",
            "design:main",
        ),
        ("claim", "以下是核心产品矩阵及其在AI集群中的定位。", "doc.missing", "产品矩阵表", "", "document:seedA"),
    )
