"""Cases about GPUs and their NICs: distance, GPUDirect RDMA, what a NIC and its host link carry, lists of NICs."""

from __future__ import annotations

from fabricwright.catalog.parts import Part
from fabricwright.design.values import Export, Item, Link, Project, Sheet
from fabricwright.units.table import Table
from tests.cases.machines import cluster, four_a100, gpus, nics, node, outside, stating
from tests.cases.register import draws
from tests.rules.drawing import board, card, deal, fabric, group, slot
from tests.rules.hosts import host

EIGHT = [f"g{n}" for n in range(1, 9)]


@draws("C007", finds="LAN-06 P2P-03 P2P-04 P2P-15 P2P-17")
def c007() -> Project:
    """Eight V100 below two switches with a NIC beside them, no peer-memory module, ACS on."""
    items = gpus("v100-pcie-32gb", EIGHT) | nics("mcx555a-ecat", ["n1", "n2"])
    sheet = node("pcie-8dw-gen3-2switch", items, "nic0:1", "nic1:1")
    return cluster(sheet, 2, "qm8700", "1-4", medium="ib", speed=100e9, gdr="off", acs="on")


@draws("C008", finds="P2P-01 P2P-03 P2P-19")
def c008() -> Project:
    """Two servers, GPUs on both sockets, one Broadcom card with one port in use on the first."""
    items = gpus("l40s", ["f1", "f2", "f3", "f4"]) | nics("p2100g", ["r1"])
    return cluster(node("pcie-4dw-2u-direct", items, "nic0:1"), 2, "sn2700", "1-2")


@draws("C009", finds="LAN-06 P2P-03 P2P-15 P2P-17")
def c009() -> Project:
    items = gpus("v100-pcie-32gb", EIGHT) | nics("mcx455a-ecat", ["n1", "n2"])
    sheet = node("pcie-8dw-gen3-2switch", items, "nic0:1", "nic1:1")
    return cluster(sheet, 4, "qm8700", "1-8", medium="ib", speed=100e9, gdr="off")


@draws("C011", finds="P2P-16")
def c011() -> Project:
    """Four A100 in an NVLink mesh on four NUMA nodes; a 200G NIC below the switch of GPU1, one below that of GPU2."""
    return four_a100(["gpu", ["gpu", "nic"]], [["gpu", "nic"], "gpu"], chip="pex88024", numa=True)


@draws("C012", finds="P2P-01")
def c012() -> Project:
    """Eight A800 on an HGX board; its one 200G NIC sits on a root port and carries storage as well."""
    items = {f"gpu{n}": card("a800-sxm4-80gb", f"chassis:sxm{n}") for n in range(8)} | nics("cx6-single-200", ["s9"])
    return cluster(node("hgx-a100-8sxm", items, "nic0:1"), 12, "qm8700", "1-12", medium="ib")


@draws("C013", finds="NIC-07")
def c013() -> Project:
    """Two Socket Direct cards, each shown twice, one half on each socket; one 100G cable per card."""
    items: dict[str, Item] = {}
    for n, (seat, guid) in enumerate([("g1", "6a1f2e"), ("g2", "6a1f2e"), ("s1", "6a20b6"), ("s2", "6a20b6")]):
        items[f"nic{n}"] = card("mcx654105a-hcat-half", f"chassis:{seat}", base_guid=f"0c42a10300{guid}")
    sheet = node("gp-2u-2s-gen3", items, *(f"nic{n}:1" for n in range(4)))
    drawn = {"node": group("sheet:node", node=2), "leaf": group("sn4600c")}
    links = {n: Link(f"node:nic{k}:1", f"leaf:{p}", deal()) for n, k, p in (("a", 0, "1-2"), ("b", 2, "3-4"))}
    return fabric(drawn, links, {"node": sheet})


@draws("C016", finds="P2P-01 P2P-03 P2P-17 P2P-18 P2P-19")
def c016() -> Project:
    """Eight A30 on root ports, two NICs of 100G, one per socket."""
    items = gpus("a30", EIGHT) | nics("mcx515a-ccat", ["n1", "n2"])
    return cluster(node("pcie-8dw-gen4-direct", items, "nic0:1", "nic1:1"), 2, "sn2700", "1-4")


@draws("C017", "the NICs together exceed one PCIe x16 of a GPU, or its NVLink", finds="LAN-06 P2P-03 P2P-17")
def c017() -> Project:
    """Eight L40S below two switches with four NICs of 400G."""
    items = gpus("l40s", EIGHT) | nics("mcx715105as-weat", ["n1", "n2", "n3", "n4"])
    sheet = node("pcie-8dw-2switch-dual-root", items, *(f"nic{n}:1" for n in range(4)))
    return cluster(sheet, 2, "generic-64x400", "1-8")


@draws("C017", "NVLink GB/s per GPU >= sum of NIC GB/s", finds="")
def c017_nvlink() -> Project:
    return cluster(node("dgx-h100", {}), 2, "qm9700", "1-8/1-2", medium="ib")


def dual_port(nic: str, gen: int, mode: str, leaf: str) -> Project:
    """Eight GPUs and four dual-port NICs, both ports cabled; slots of the given generation."""
    items = gpus("l40s", EIGHT) | nics(nic, ["n1", "n2", "n3", "n4"], mode=mode)
    items["chassis"] = stating(**{f"slot__n{n}__gen": gen for n in range(1, 5)})
    ports = [f"nic{n}:{p}" for n in range(4) for p in (1, 2)]
    return cluster(node("pcie-8dw-2switch-dual-root", items, *ports), 2, leaf, "1-16")


@draws("C018", "2x100G on Gen3 x16", finds="LAN-06 NIC-04 P2P-03 P2P-17")
def c018_gen3() -> Project:
    return dual_port("mcx516a-ccat", 3, "2x100", "sn2700")


@draws("C018", "2x100G on Gen4 x16", finds="LAN-06 P2P-03 P2P-17")
def c018_gen4() -> Project:
    return dual_port("mcx623106an-cdat", 4, "2x100", "sn3700c")


@draws("C018", "2x200G on Gen4 x16", finds="LAN-06 NIC-04 P2P-03 P2P-17")
def c018_2x200() -> Project:
    return dual_port("mcx653106a-hdat", 4, "2x200", "sn3700")


def two_cards(*ports: str) -> Project:
    items = nics("mcx516a-ccat", ["s1", "s2"])
    return cluster(node("gp-2u-2s-gen3", items, *ports), 2, "sn2700", f"1-{2 * len(ports)}")


@draws("C020", "both ports of one card cabled", finds="NIC-04")
def c020() -> Project:
    return two_cards("nic0:1", "nic0:2")


@draws("C020", "one port per card", finds="")
def c020_one_each() -> Project:
    return two_cards("nic0:1", "nic1:1")


@draws("C038", finds="P2P-16")
def c038() -> Project:
    """Eight H100, a NIC for every second one."""
    items = nics("mcx75310aas-neat", ["n1", "n3", "n5", "n7"])
    sheet = node("sys-821ge-tnhr", items, *(f"nic{n}:1" for n in range(4)), axis="rail")
    return cluster(sheet, 2, "qm9700", "1-4/1-2", medium="ib")


def bonded(qps: int | None) -> Project:
    """Eight A100 below four switches, a bonded dual-port card beside every second one."""
    items = nics("mcx653106a-hdat", ["n1", "n3", "n5", "n7"], mode="2x100", bond="active-active")
    sheet = node("hgx-a100-8sxm", items, *(f"nic{n}:{p}" for n in range(4) for p in (1, 2)))
    stated = {} if qps is None else {"ecmp_qps": qps}
    return cluster(sheet, 2, "sn4600c", "1-16", **stated)


@draws("C043", finds="FAB-10 NIC-05")
def c043() -> Project:
    return bonded(None)


@draws("C043", "2 or more QPs", finds="FAB-10")
def c043_two() -> Project:
    return bonded(2)


def b300(**settings: object) -> Project:
    sheet = node("dgx-b300", {})
    planes = [("plane", 2)]
    return cluster(sheet, 2, "sn5600", "1-8/1-2", "plane", leafs=planes, breakout={"1-8": "2x400"}, **settings)


@draws("C047", finds="NIC-08")
def c047() -> Project:
    return b300(traffic_host="on")


@draws("C047", "GPU buffers only", finds="")
def c047_gpu() -> Project:
    return b300(traffic_host="off")


@draws("C081", finds="NIC-04 NIC-07")
def c081() -> Project:
    """Two DGX Spark; the job's list and the drawing count all four functions of the ConnectX-7."""
    sheet = node("dgx-spark", {}, "nic0:1", "nic0:2", "nic1:1", "nic1:2")
    return cluster(sheet, 2, "sn3700", "1-8")


@draws("C090", finds="FAB-19 P2P-16")
def c090() -> Project:
    """Eight GPUs, four NICs below their switches, two on root ports that lead to the front end."""
    rows = nics("mcx75310aas-neat", ["n1", "n3", "n5", "n7"]) | {
        f"nic{n}": card("mcx623106an-cdat", f"chassis:{seat}") for n, seat in ((4, "c1"), (5, "c2"))
    }
    names = {"nic0": 0, "nic1": 1, "nic4": 2, "nic5": 3, "nic2": 4, "nic3": 5}
    items: dict[str, Item] = {
        nic: card(row.of or "", row.seat or "", hca=f"mlx5_{names[nic]}") for nic, row in rows.items()
    }
    front = {"inband": Export(("nic4:1", "nic5:1"), (("port", 2),))}
    sheet = node("sys-821ge-tnhr", items, *(f"nic{n}:1" for n in range(4)), axis="rail", exports=front)
    drawn = {"node": group("sheet:node", node=4), "leaf": group("qm9700"), "edge": group("sn2700")}
    links = {
        "down": Link("node:compute", "leaf:1-8/1-2", deal(), "ib"),
        "front": Link("node:inband", "edge:1-8", deal(), network="inband"),
    }
    return fabric(drawn, links, {"node": sheet}, settings={"nccl.hca": ",".join(f"mlx5_{n}" for n in range(6))})


@draws("C092", finds="P2P-22")
def c092() -> Project:
    """Four sockets, an NDR200 NIC on each, one rank over all four rails."""
    return host(
        *[["nic"]] * 4,
        nic="mcx75310aas-neat",
        config={f"nic{n}": {"mode": "1x200"} for n in range(4)},
        rails=False,
        count=2,
        job_ranks_per_server=1,
    )


def cx8(gen: int, mode: str, firmware: str = "40.44") -> Project:
    """A ConnectX-8 in a slot of the given generation."""
    seat = slot("cpu0:n", gen=gen, length="HL", height="LP")
    chassis: Part = board({"n1": seat})
    sheet = Sheet(
        "server",
        chassis="board",
        items=Table({"nic0": card("c8180", "chassis:n1", mode=mode, firmware=firmware)}),
        exports=Table(outside("nic0:1", "nic0:2") if mode == "2x400" else outside("nic0:1")),
    )
    ib = mode == "1x800"
    leaf = Item("q3400-ra" if ib else "sn5600", config=Table({} if ib else {"breakout": Table({"1-2": "2x400"})}))
    ports = "1/1-2" if ib else "1-2/1-2"
    link = Link("node:compute", f"leaf:{ports}", deal(), "ib" if ib else "eth")
    return fabric({"node": group("sheet:node", node=2), "leaf": leaf}, {"down": link}, {"node": sheet}, chassis=chassis)


@draws("C113", "Gen5 x16, 800G mode", finds="LAN-03 NIC-04")
def c113() -> Project:
    return cx8(5, "1x800")


@draws("C113", "Gen6 x16", finds="")
def c113_gen6() -> Project:
    return cx8(6, "1x800")


@draws("C113", "1x800GbE", finds="NIC-09")
def c113_one_ethernet() -> Project:
    """One 800G Ethernet port asked for: the port mode that the card's list does not have."""
    return cx8(6, "1x800GbE")


@draws("C113", "2x400GbE", finds="")
def c113_two_ethernet() -> Project:
    return cx8(6, "2x400")


@draws("C145", finds="P2P-16")
def c145() -> Project:
    """A Dell XE9680 with SNC: one ConnectX card below a switch of each socket, two functions each."""
    items = nics("cx7-dual-qsfp112", ["n1", "n5"], mode="2x200")
    items |= {"cpu0": stating(nps="2"), "cpu1": stating(nps="2")}
    sheet = node("poweredge-xe9680", items, "nic0:1", "nic0:2", "nic1:1", "nic1:2")
    return cluster(sheet, 2, "sn3700", "1-8")
