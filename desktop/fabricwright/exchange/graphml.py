"""The fabric as GraphML: a node per device, an edge per cable row (graphml.graphdrawing.org, read by yEd and networkx).

Attributes of nodes: ``kind``, ``part``, ``tier`` (0 end points, 1 leaf, 2 spine, 3 core, -1 other), ``item``,
``member``; of edges: ``link``, ``network``, ``medium``, ``gbps``, ``length_m`` (0 not known), ``a_port``, ``b_port``.
"""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from fabricwright.design.effective import effective
from fabricwright.design.values import Project
from fabricwright.exchange.export_file import ExportFile
from fabricwright.topology.fabric import compile_fabric
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

NODE_KEYS = (("kind", "string"), ("part", "string"), ("tier", "int"), ("item", "string"), ("member", "int"))
EDGE_KEYS = (
    ("link", "string"),
    ("network", "string"),
    ("medium", "string"),
    ("gbps", "double"),
    ("length_m", "double"),
    ("a_port", "string"),
    ("b_port", "string"),
)


def graphml_files(project: Project, design_id: str, lang: str = "en") -> list[ExportFile]:
    """The root sheet of a design; UserError when it is a server sheet."""
    del lang
    design = project.designs[design_id]
    root = effective(project, design, design.root)
    if root.kind != "fabric":
        raise UserError(msg("Design '{design}' has no fabric; graphml needs one.", design=design_id))
    fabric = compile_fabric(project, design)
    out = ['<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">']
    for place, keys in (("node", NODE_KEYS), ("edge", EDGE_KEYS)):
        for name, kind in keys:
            out.append(f'<key id="{place}-{name}" for="{place}" attr.name="{name}" attr.type="{kind}"/>')
    out.append(f'<graph id={quoteattr(design_id)} edgedefault="undirected">')
    names: dict[int, str] = {}
    for item in fabric.items:
        row = root.items[item]
        for member in range(fabric.count[item]):
            device = fabric.offset[item] + member
            if fabric.absent[device]:
                continue
            names[device] = fabric.device_address(device)
            values = (row.kind or "other", row.of, int(fabric.tier[device]), item, member)
            out.append(f"<node id={quoteattr(names[device])}>{_data('node', NODE_KEYS, values)}</node>")
    for k in range(len(fabric.bundle)):
        a, b = int(fabric.a_dev[k]), int(fabric.b_dev[k])
        if a not in names or b not in names or fabric.rate[k] <= 0:
            continue
        bundle = fabric.bundles[fabric.bundle[k]]
        ports = [
            names_[p] if p >= 0 else ""
            for names_, p in ((bundle.a_ports, int(fabric.a_port[k])), (bundle.b_ports, int(fabric.b_port[k])))
        ]
        values = (
            bundle.link,
            bundle.network,
            bundle.medium,
            round(float(fabric.rate[k]) * 8e-9, 3),
            round(float(fabric.length_m[k]), 2),
            *ports,
        )
        ends = f"source={quoteattr(names[a])} target={quoteattr(names[b])}"
        out.append(f"<edge id={quoteattr(fabric.link_address(k))} {ends}>{_data('edge', EDGE_KEYS, values)}</edge>")
    out += ["</graph>", "</graphml>", ""]
    return [ExportFile(f"{design_id}.graphml", "\n".join(out).encode())]


def _data(place: str, keys: tuple[tuple[str, str], ...], values: tuple[object, ...]) -> str:
    return "".join(
        f'<data key="{place}-{name}">{escape(str(value))}</data>' for (name, _), value in zip(keys, values, strict=True)
    )
