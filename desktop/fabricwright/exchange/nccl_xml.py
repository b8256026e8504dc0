"""A server as NCCL's topology file (NCCL_TOPO_FILE; format of ``src/graph/xml.cc``, v2.30).

Bus ids are made up but consistent; processors, PCIe bridges, GPUs, NICs and NVLinks are those of the drawing. Every
``cpu`` has arch, vendor, family and model, every ``pci`` class, speed and width: files without are refused or guessed
at by the library (rule EXP-03).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.sax.saxutils import quoteattr

from fabricwright.design.effective import EffItem, EffSheet, effective
from fabricwright.design.values import Project
from fabricwright.exchange.export_file import ExportFile
from fabricwright.topology.interior import compile_interior
from fabricwright.topology.model import Interior
from fabricwright.topology.nvlinks import NvDomains, nvlink_domains
from fabricwright.topology.pcie_tree import PcieTree, build_tree
from fabricwright.topology.server_graph import cpu_vendor, is_broadcom
from fabricwright.units.errors import UserError
from fabricwright.units.natural import natural_key
from fabricwright.units.text import msg

CLASS_BRIDGE, CLASS_GPU, CLASS_NVSWITCH, CLASS_NIC, CLASS_NVME = (
    "0x060400",
    "0x030200",
    "0x068000",
    "0x020700",
    "0x010802",
)
LINK_SPEED = {
    1: "2.5 GT/s PCIe",
    2: "5.0 GT/s PCIe",
    3: "8.0 GT/s PCIe",
    4: "16.0 GT/s PCIe",
    5: "32.0 GT/s PCIe",
    6: "64.0 GT/s PCIe",
}
CPU_IDS = {
    "intel": ("x86_64", "GenuineIntel", "6", "143"),
    "amd": ("x86_64", "AuthenticAMD", "25", "17"),
    "arm": ("arm64", "ARM", "0", "0"),
    "": ("x86_64", "GenuineIntel", "6", "143"),
}
"""arch, vendor, family, model of a processor of each maker (Sapphire Rapids, Genoa); NCCL picks its socket link by
them."""
INTEL_MODELS = {
    "skylake": "85",
    "cascade": "85",
    "clx": "85",
    "skx": "85",
    "icelake": "106",
    "ice": "106",
    "icx": "106",
}
INTEL_MODELS |= {"emr": "207", "emerald": "207", "gnr": "173", "granite": "173"}
SM_OF = {"v100": "70", "a100": "80", "a800": "80", "a40": "86", "a10": "86", "l40": "89", "l4": "89", "rtx4090": "89"}
SM_OF |= {"h100": "90", "h200": "90", "h800": "90", "h20": "90", "gh200": "90", "b200": "100", "gb200": "100"}
SM_OF |= {"b300": "103", "gb300": "103", "rtx5090": "120", "rtx-pro": "120", "gb10": "121"}
LARGEST_QPS = "131072"


@dataclass(slots=True)
class _Writer:
    eff: EffSheet
    tree: PcieTree
    nv: NvDomains
    interior: Interior
    busid: dict[str, str] = field(default_factory=dict)
    children: dict[str, list[str]] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)


def nccl_xml_files(project: Project, design_id: str, lang: str = "en") -> list[ExportFile]:
    """A file for every server sheet that the design uses and that has a GPU."""
    del lang
    design = project.designs[design_id]
    root = effective(project, design, design.root)
    sheets = [design.root] if root.kind == "server" else []
    for item in sorted(design.sheets[design.root].items, key=natural_key):
        row = design.sheets[design.root].items[item]
        named = [row.of or "", *(f"sheet:{o.sheet}" for o in row.except_.values() if o.sheet)]
        sheets += [name[6:] for name in named if name.startswith("sheet:") and name[6:] not in sheets]
    files = []
    for sheet in dict.fromkeys(sheets):
        text = nccl_xml(effective(project, design, sheet), design.settings)
        if text:
            files.append(ExportFile(f"{sheet}.xml", text.encode()))
    if not files:
        raise UserError(msg("Design '{design}' has no server with GPUs.", design=design_id))
    return files


def nccl_xml(eff: EffSheet, settings: Mapping[str, object]) -> str:
    """The topology file of one server; "" when it has no GPU."""
    gpus = tuple(sorted((i for i, row in eff.items.items() if row.kind == "gpu"), key=natural_key))
    if not gpus:
        return ""
    tree = build_tree(eff)
    w = _Writer(eff, tree, nvlink_domains(eff, gpus), compile_interior(eff, settings))
    w.names = _port_names(eff, w.interior)
    for node in sorted(tree.feeds, key=natural_key):
        w.children.setdefault(_parent(tree, node), []).append(node)
    bus = 0
    for n, cpu in enumerate(tree.cpus or ("",)):
        bus = _number(w, cpu, n, bus)
    w.lines.append('<system version="1">')
    for n, cpu in enumerate(tree.cpus):
        arch, vendor, family, model = _cpu_ids(eff.items[cpu])
        w.lines.append(
            f'  <cpu host_hash="0x1" numaid="{n}" affinity="{_affinity(n)}" arch="{arch}" vendor="{vendor}" '
            f'familyid="{family}" modelid="{model}">'
        )
        for child in w.children.get(cpu, ()):
            _device(w, child, "    ")
        w.lines.append("  </cpu>")
    w.lines += ["</system>", ""]
    return "\n".join(w.lines)


def _parent(tree: PcieTree, node: str) -> str:
    """The bridge or processor above, past retimers, risers and boxes."""
    above = tree.feeds[node].parent
    while above not in tree.cpus and tree.levels(above) == 0 and above in tree.feeds:
        above = tree.feeds[above].parent
    return above


def _number(w: _Writer, node: str, domain: int, bus: int) -> int:
    """Give bus ids to everything below, depth first."""
    for child in w.children.get(node, ()):
        bus += 1
        w.busid[child] = f"{domain:04x}:{bus % 256:02x}:00.0"
        if w.tree.levels(child):
            bus = _number(w, child, domain, bus + w.tree.levels(child))
    return bus


def _cpu_ids(cpu: EffItem) -> tuple[str, str, str, str]:
    vendor = cpu_vendor(cpu)
    arch, name, family, model = CPU_IDS[vendor]
    if vendor == "intel":
        model = next((number for word, number in INTEL_MODELS.items() if word in cpu.of.lower()), model)
    return arch, name, family, model


def _affinity(cpu: int) -> str:
    """32 threads for each processor, as hexadecimal words, the last ones first."""
    return ",".join(["ffffffff", *["00000000"] * cpu])


def _device(w: _Writer, node: str, indent: str) -> None:
    item, feed = w.tree.items[node], w.tree.feeds[node]
    levels = w.tree.levels(node)
    below = w.children.get(node, ())
    if not levels and item.kind not in ("gpu", "nic", "nvme"):
        for child in below:
            _device(w, child, indent)
        return
    if levels and item.kind != "nic" and not _has_end(w, node):
        return
    kind = {"gpu": CLASS_GPU, "nic": CLASS_NIC, "nvme": CLASS_NVME}.get(item.kind, CLASS_BRIDGE)
    if levels:
        kind = CLASS_BRIDGE
    speed = LINK_SPEED.get(feed.gen, LINK_SPEED[5])
    ids = ' vendor="0x1000" device="0xc030"' if levels and is_broadcom(item) else ""
    head = f'{indent}<pci busid="{w.busid[node]}" class="{kind}"{ids} link_speed="{speed}" link_width="{feed.lanes}"'
    if levels:
        w.lines.append(f"{head}>")
        if item.kind == "nic":
            w.lines.append(
                f'{indent}  <pci busid="{w.busid[node][:-1]}1" class="{CLASS_NIC}" link_speed="{speed}" '
                f'link_width="{feed.lanes}">'
            )
            _nic(w, node, f"{indent}    ")
            w.lines.append(f"{indent}  </pci>")
        for child in below:
            _device(w, child, f"{indent}  ")
        w.lines.append(f"{indent}</pci>")
    elif item.kind == "nvme":
        w.lines.append(f"{head}/>")
    else:
        w.lines.append(f"{head}>")
        (_gpu if item.kind == "gpu" else _nic)(w, node, f"{indent}  ")
        w.lines.append(f"{indent}</pci>")


def _has_end(w: _Writer, node: str) -> bool:
    return any(w.tree.items[c].kind in ("gpu", "nic") or _has_end(w, c) for c in w.children.get(node, ()))


def _gpu(w: _Writer, gpu: str, indent: str) -> None:
    number = w.interior.gpus.index(gpu)
    of = w.tree.items[gpu].of.lower()
    sm = next((value for word, value in sorted(SM_OF.items(), key=lambda p: -len(p[0])) if word in of), "80")
    head = f'{indent}<gpu dev="{number}" sm="{sm}" rank="{number}" gdr="1"'
    links = _nvlinks(w, gpu)
    if not links:
        w.lines.append(f"{head}/>")
        return
    w.lines.append(f"{head}>")
    for target, count, kind in links:
        w.lines.append(f'{indent}  <nvlink target="{target}" count="{count}" tclass="{kind}"/>')
    w.lines.append(f"{indent}</gpu>")


def _nvlinks(w: _Writer, gpu: str) -> list[tuple[str, int, str]]:
    nv = w.nv
    if gpu in nv.domain and nv.switched[nv.domain[gpu]]:
        return [(f"ffff:{nv.domain[gpu]:02x}:00.0", int(nv.links[gpu]), CLASS_NVSWITCH)]
    return [
        (w.busid[b], int(row[1]), CLASS_GPU) for (a, b), row in sorted(nv.direct.items()) if a == gpu and b in w.busid
    ] + [(w.busid[a], int(row[1]), CLASS_GPU) for (a, b), row in sorted(nv.direct.items()) if b == gpu and a in w.busid]


def _nic(w: _Writer, nic: str, indent: str) -> None:
    interior = w.interior
    if nic not in interior.nics:
        return
    index = interior.nics.index(nic)
    ports = [p for p in range(len(interior.net_ports)) if int(interior.port_nic[p]) == index]
    w.lines.append(f"{indent}<nic>")
    for k, port in enumerate(ports):
        name = quoteattr(w.names[port])
        w.lines.append(
            f'{indent}  <net name={name} dev="{port}" speed="{interior.port_rate[port] * 8e-6:.0f}" '
            f'port="{k + 1}" latency="0.000000" guid="0x{0x1000 + index:x}" maxconn="{LARGEST_QPS}" gdr="1"/>'
        )
    w.lines.append(f"{indent}</nic>")


def _port_names(eff: EffSheet, interior: Interior) -> list[str]:
    """Device name of every network port: as stated, else the first ``mlx5_N`` that is free."""
    out = [""] * len(interior.net_ports)
    for index, nic in enumerate(interior.nics):
        ports = [p for p in range(len(out)) if int(interior.port_nic[p]) == index]
        stated = str(eff.items[nic].config.get("hca") or "").replace(",", " ").split()
        for port, name in zip(ports, stated, strict=False):
            out[port] = name
    free = (name for n in range(2 * len(out)) if (name := f"mlx5_{n}") not in out)
    return [name or next(free) for name in out]
