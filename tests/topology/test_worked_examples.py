"""Examples A and C of path-classes.md, drawn from scratch: the recorded files' counts, without the catalogue."""

from __future__ import annotations

from collections import Counter

from fabricwright.catalog.parts import BuiltinItem, BuiltinLink, Interior, Part, Port, Slot
from fabricwright.design.effective import effective
from fabricwright.design.values import Design, Item, Project, Sheet
from fabricwright.topology.interior import compile_interior
from fabricwright.topology.model import NcclClass, Transport
from fabricwright.units.table import Table

UP = Port("pcie", "up", 16, 5)
DOWN = Port("pcie", "down", 16, 5)
PARTS = {
    "cpu": Part("cpu", vendor="Intel"),
    "gpu": Part("gpu", model="H100", ports=Table({"up": UP, "nv": Port("nvlink", "nv")})),
    "nic": Part("nic", ports=Table({"up": UP, "1": Port("ib", "net", gbps=400)})),
    "chip": Part("pcie-switch"),
    "nvsw": Part("nvswitch"),
    "riser": Part("riser"),
}


def root(n: int, numa: int, one_bridge: bool = False) -> BuiltinItem:
    ports = {
        f"p{i}": Port("pcie", "root", 16, 5, host_bridge="all" if one_bridge else f"hb{i}", numa=numa) for i in range(n)
    }
    return BuiltinItem("cpu", ports=Table(ports))


def compiled(items: dict[str, BuiltinItem], links: dict[str, BuiltinLink], slots: dict[str, Slot]):
    chassis = Part("server", slots=Table(slots), interior=Interior(Table(items), Table(links)))
    seated = {name: Item("gpu" if name.startswith("gpu") else "nic", seat=f"chassis:{name}") for name in slots}
    sheet = Sheet("server", "", "box", items=Table(seated))
    design = Design("", "node", (), Table({"node": sheet}))
    project = Project("", designs=Table({"main": design}), parts=Table({**PARTS, "box": chassis}))
    return compile_interior(effective(project, design, "node"), {})


def test_example_a_two_level_broadcom_chips():
    # nccl_xml/oci_H100-topology.xml: eight chips of two levels, each with a GPU and a NIC; NVLink over four switches
    items = {"cpu0": root(4, 0), "cpu1": root(4, 1)}
    links = {"upi": BuiltinLink("cpu0:upi", "cpu1:upi", "socket", gbs=22)}
    slots = {}
    ports = Table({"up": UP, "d1": DOWN, "d2": DOWN})
    for i in range(8):
        items[f"sw{i}"] = BuiltinItem("chip", ports=ports, chip=f"c{i}", chip_part="pex89144", bridge_levels=2)
        links[f"b{i}"] = BuiltinLink(f"cpu{i // 4}:p{i % 4}", f"sw{i}:up", "pcie", 16, 5)
        links |= {
            f"n{i}-{k}": BuiltinLink(f"gpu{i}:nv", f"nv{k}:g{i}", "nvlink", nvlinks=w)
            for k, w in enumerate((5, 5, 4, 4))
        }
        slots |= {f"gpu{i}": Slot("sxm5", f"sw{i}:d1"), f"nic{i}": Slot("cem", f"sw{i}:d2")}
    items |= {f"nv{k}": BuiltinItem("nvsw") for k in range(4)}
    one = compiled(items, links, slots)
    assert Counter(NcclClass(c).name for c in one.gpu_port.nccl.ravel()) == {"PXB": 8, "PHB": 24, "SYS": 32}
    assert Counter(NcclClass(c).name for c in one.gpu_port.nccl_flattened.ravel()) == {"PIX": 8, "PHB": 24, "SYS": 32}
    pairs = [(i, j) for i in range(8) for j in range(i)]
    assert Counter(NcclClass(one.gpu_gpu.nccl[p]).name for p in pairs) == {"PHB": 12, "SYS": 16}
    assert Counter(NcclClass(one.gpu_gpu.overlay[p]).name for p in pairs) == {"NVL": 28}
    assert one.gpu_gpu.smi[0][1] == "NV18" and one.gpu_port.smi[0][0] == "PXB"


def test_example_c_sixteen_gpus_on_two_roots():
    # matrix/pcie_switch_16gpu_2root.txt: PIX on a switch, PHB on a root, NODE between the two roots; P2P only where PIX
    ports = {f"p{i}": Port("pcie", "root", 16, 5, host_bridge=f"root{i // 2}", numa=0) for i in range(4)}
    items = {"cpu0": BuiltinItem("cpu", ports=Table(ports))}
    links, slots = {}, {}
    downs = Table({"up": UP, **{f"d{k}": DOWN for k in range(1, 5)}})
    for s in range(4):
        items[f"sw{s}"] = BuiltinItem("chip", ports=downs)
        links[f"b{s}"] = BuiltinLink(f"cpu0:p{s}", f"sw{s}:up", "pcie", 16, 5)
        slots |= {f"gpu{4 * s + k}": Slot("cem", f"sw{s}:d{k + 1}") for k in range(4)}
    one = compiled(items, links, slots)
    assert [one.gpu_gpu.smi[0][j] for j in (3, 4, 8)] == ["PIX", "PHB", "NODE"]
    assert [NcclClass(one.gpu_gpu.nccl[0, j]).name for j in (3, 4, 8)] == ["PIX", "PHB", "PHB"]
    assert [Transport(one.gpu_gpu.transport[0, j]).name for j in (3, 4, 8)] == ["P2P", "HOST_MEMORY", "HOST_MEMORY"]


def test_a_bifurcated_root_port_is_no_bridge():
    # two devices on a passive x8/x8 split: between them lies the root port, not a switch; each trains at x8
    split = Table({"up": UP, "d1": Port("pcie", "down", 8, 5), "d2": Port("pcie", "down", 8, 5)})
    items = {"cpu0": root(1, 0), "riser": BuiltinItem("riser", ports=split, bridge_levels=0)}
    links = {"b0": BuiltinLink("cpu0:p0", "riser:up", "pcie", 16, 5)}
    one = compiled(items, links, {"gpu0": Slot("cem", "riser:d1"), "gpu1": Slot("cem", "riser:d2")})
    assert one.gpu_gpu.smi[0][1] == "PHB"
    assert {link.lanes for link in one.links if link.name.startswith("gpu") and link.lanes} == {8}
    assert one.lanes["cpu0"].used == 16
