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
from fabricwright.design.values import Item, Link, Override, Project, Seating, Sheet, Statement
from fabricwright.units.table import Table

SETTINGS: dict[str, Scalar] = {"nccl.gdr_level": "SYS", "lossless": True, "ecmp.mode": "adaptive"}
CHASSIS = "dgx-h100"
NIC = "nic8"
"""The NIC that the upgrade adds: the chassis has eight of its own, nic0 to nic7, which stay (uncabled)."""


def draw(title: str, servers: int, key_nodes: int) -> Project:
    """The project with ``servers`` servers, the first ``key_nodes`` of them with CXL cards in design ``after``."""
    network = _fabric_after(servers, item("sheet:node"))
    everything = _fabric_after(servers, _key_nodes(servers, key_nodes))
    sheets_after = {"fabric": everything, "node-after": _node_after(), "node-after-cxl": _node_after_cxl()}
    designs = {
        "before": plan("Before", 0, {"fabric": _fabric_before(servers), "node": _node_before()}, SETTINGS),
        "after-network": plan("After the network upgrade", 1, {"fabric": network, "node": _node_network()}, SETTINGS),
        "after": plan("After", 2, sheets_after, SETTINGS),
    }
    return embed(
        Project(title, designs=Table(designs), workloads=WORKLOADS, statements=_statements(servers, key_nodes))
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
        "DGX H100 as it stands",
        CHASSIS,
        items=Table({"slota-nic": item(None, mode="2x100")}),
        exports=Table({"compute": export("slota-nic:1", "slota-nic:2", port=2)}),
    )


def _nic() -> Item:
    return item("lres1260pf-2qsfp112", "chassis:slota", mode="2x200")


def _node_network() -> Sheet:
    return Sheet(
        "server",
        "DGX H100 with the new NIC",
        CHASSIS,
        removed=("slota-nic",),
        items=Table({NIC: _nic()}),
        exports=Table({"compute": export(f"{NIC}:1", f"{NIC}:2", port=2)}),
    )


def _node_after() -> Sheet:
    return Sheet(
        "server",
        "DGX H100 with switch card, retimers and external GPUs",
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
        "The same with two CXL cards",
        base="node-after",
        items=Table({"cxl0": card, "cxl1": card}),
    )


def _statements(servers: int, key_nodes: int) -> Table[Statement]:
    key = f"after!node[0-{min(key_nodes, servers) - 1}]" if min(key_nodes, servers) > 1 else "after!node[0]"
    return statements(
        "seedB",
        ("claim", "The existing cluster has 32 DGX H100 with 256 GPUs.", "cluster.gpus", 256, "GPUs", "before!node"),
        (
            "claim",
            "The network is 100G Ethernet with two ports, 200G per node.",
            "nic.aggregate_gbps",
            200,
            "Gb/s",
            "before!node/slota-nic",
        ),
        ("claim", "Two 100G ports are the whole network of a node.", "server.nic_set", "2x100G", "", "before!node"),
        ("claim", "LRES1260 with two QSFP112 cages gives 800G.", "nic.aggregate_gbps", 800, "Gb/s", f"node/{NIC}"),
        ("claim", "A single RDMA write flow reaches 390G or more.", "flow.single_gbps", 390, "Gb/s", f"node/{NIC}"),
        ("claim", "The switch card turns one x16 into two x16.", "switch_card.modes", "2x16", "", "after!node/sw0"),
        ("claim", "The same card serves an NVMe array one to four.", "switch_card.modes", "4x8", "", "after!node/sw0"),
        ("claim", "All slots of every server are full.", "server.free_slots", 0, "slots", "before!node"),
        ("requirement", "The cluster grows to 512 GPUs.", "cluster.gpus", 512, "GPUs", "design:after"),
        ("claim", "The downlinks of the leafs become 400G.", "leaf.down_gbps", 400, "Gb/s", "after!leaf"),
        ("claim", "Latency from end to end is 1.8 us.", "latency.one_way_us", 1.8, "us", "after!node"),
        ("claim", "The bit error rate stays below 1e-12 on all lanes.", "link.ber", 1e-12, "", "after!node/sw0"),
        ("claim", "Before, 35 % of a step is waiting for communication.", "step.comm_share", 0.35, "", "design:before"),
        ("claim", "Afterwards it is 12 %.", "step.comm_share", 0.12, "", "design:after"),
        ("claim", "Before, the GPUs are used at 65 %.", "gpu.utilisation", 0.65, "", "design:before"),
        ("claim", "Afterwards they are used at 92 %.", "gpu.utilisation", 0.92, "", "design:after"),
        ("claim", "Before, an all-reduce takes 8.5 ms.", "allreduce.time_ms", 8.5, "ms", "design:before"),
        ("claim", "Afterwards it takes 3.2 ms.", "allreduce.time_ms", 3.2, "ms", "design:after"),
        ("claim", "Training throughput rises by 40 %.", "train.gain", 0.40, "", "design:after"),
        ("claim", "Thirty days of training become twenty-one.", "train.days", "30, 21", "days", "design:after"),
        (
            "claim",
            "Host memory of 2 TB overflows with ZeRO-3 at 1 T parameters.",
            "memory.overflow",
            2,
            "TB",
            "before!node",
        ),
        ("claim", "CXL raises 2 TB of memory to 6 TB or more.", "memory.host_tb", 6, "TB", key),
        ("claim", "With CXL no data move over PCIe any more.", "cxl.no_pcie_moves", True, "", key),
        (
            "claim",
            "The upgrade saves hundreds of thousand RMB a month.",
            "money.saving_per_month",
            "hundreds of thousand",
            "CNY",
            "design:after",
        ),
    )
