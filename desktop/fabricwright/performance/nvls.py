"""All-reduce inside NVLink switches (NVLS), and the same with trees between servers (NVLSTree).

NVLS: each GPU owns 1/g of the buffer. The switch reads that part from all GPUs, adds it up and hands it to the owner;
the owner writes the sum back and the switch multicasts it. A GPU's NVLink port thus sends 1 + 1/g buffers and
receives as many. NVLSTree: the owners send their parts up and down NCCL's double tree, each through the NIC of its
channel.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fabricwright.performance.calibration import Calibration
from fabricwright.performance.flows import Loads
from fabricwright.performance.layout import Layout, ServerClass
from fabricwright.performance.tree import tree_network
from fabricwright.performance.wires import Sends, wire_loads
from fabricwright.topology.model import LinkKind

F64 = NDArray[np.float64]


def nvls_possible(layout: Layout, calibration: Calibration) -> bool:
    """Every server reduces in its NVLink switches and has as many ranks as NCCL asks for; between servers a NIC
    port per GPU.
    """
    for c in layout.classes:
        generation = min(5, c.interior.nvlink_gen)
        if not (c.interior.nvls and c.nvlink and not c.mesh and generation >= 4):
            return False
        if len(c.gpus) < calibration.value(f"nvlink.nvls_min_ranks_{generation}"):
            return False
        if layout.k > 1 and len(layout.shares) < len(c.gpus):
            return False
    return True


def _add_nvls(row: F64, c: ServerClass) -> None:
    names = {c.interior.gpus[g] for g in c.gpus}
    share = 1.0 + 1.0 / len(c.gpus)
    for number, link in enumerate(c.interior.links):
        if link.kind is LinkKind.NVLINK and (link.src in names or link.dst in names):
            row[number] += share


def nvls_loads(layout: Layout) -> Loads:
    """Load of an all_reduce of one byte on one server."""
    inside = np.zeros((len(layout.classes), layout.width))
    for row, c in zip(inside, layout.classes, strict=True):
        _add_nvls(row, c)
    return Loads(layout.group, inside, wire_loads(layout, Sends.none()))


def nvls_tree_loads(layout: Layout, wire: F64) -> Loads:
    """Load of an all_reduce of one byte over several servers. ``wire`` of ``tree.tree_wire``."""
    return tree_network(layout, wire, _add_nvls, balanced=False)
