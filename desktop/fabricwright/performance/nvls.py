"""All-reduce inside NVLink switches (NVLS), and the same with trees between servers (NVLSTree).

NVLS: each GPU owns 1/g of the buffer. The switch reads that part from all GPUs, adds it up and hands it to the owner;
the owner writes the sum back and the switch multicasts it. A GPU's NVLink port thus sends 1 + 1/g buffers and
receives as many. NVLSTree: the owners send their parts up and down NCCL's double tree, each through the NIC of its
channel.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fabricwright.performance.belief_tables import belief
from fabricwright.performance.flows import Loads, add_path
from fabricwright.performance.layout import Layout, ServerClass
from fabricwright.performance.ring import ring_sends
from fabricwright.performance.sends import Sends
from fabricwright.performance.tree import tree_network
from fabricwright.performance.wires import wire_loads
from fabricwright.topology.model import LinkKind

F64 = NDArray[np.float64]
MOST_HEADS = 8
"""Parts of the buffer that NVLS deals to GPUs; larger domains measure as eight do."""


def nvls_switched(layout: Layout) -> bool:
    """Every server reduces in its NVLink switches."""
    return all(c.interior.nvls and c.nvlink and not c.mesh and c.interior.nvlink_gen >= 4 for c in layout.classes)


def nvls_possible(layout: Layout) -> bool:
    """Every server reduces in its NVLink switches and has as many ranks as NCCL asks for; between servers a NIC
    port per GPU, or as many as NCCL has heads.
    """
    if not nvls_switched(layout):
        return False
    for c in layout.classes:
        if len(c.gpus) < belief("nvls_ranks", "hopper" if c.interior.nvlink_gen == 4 else "blackwell"):
            return False
        if layout.k > 1 and len(layout.shares) < min(len(c.gpus), MOST_HEADS):
            return False
    return True


def one_shot_loads(layout: Layout) -> Loads:
    """Every GPU loads the whole buffer, reduced on the way by the switch: one byte out of and into each GPU."""
    inside = np.zeros((len(layout.classes), layout.width))
    for row, c in zip(inside, layout.classes, strict=True):
        _add(row, c, 1.0)
    return Loads(layout.group, inside, wire_loads(layout, Sends.none()))


def collnet_loads(layout: Layout) -> Loads:
    """The fabric's switches reduce (SHARP): servers reduce inside, every NIC sends its part of the buffer once and gets
    the sum once. On the wires that is one byte per edge of a ring; that links above the leafs carry less is left out.
    """
    inside = np.zeros((len(layout.classes), layout.width))
    for row, c in zip(inside, layout.classes, strict=True):
        _add_nvls(row, c)
        for channel, share in zip(c.channels, layout.shares, strict=True):
            add_path(row, c.interior.gpu_port, channel.tree_order[0], channel.in_port, share)
            add_path(row, c.interior.port_gpu, channel.in_port, channel.tree_order[0], share)
    return Loads(layout.group, inside, wire_loads(layout, ring_sends(layout)))


def _add(row: F64, c: ServerClass, share: float) -> None:
    names = {c.interior.gpus[g] for g in c.gpus}
    for number, link in enumerate(c.interior.links):
        if link.kind is LinkKind.NVLINK and (link.src in names or link.dst in names):
            row[number] += share


def _add_nvls(row: F64, c: ServerClass) -> None:
    """1 + 1/g buffers per port up to eight GPUs; larger domains measure eight's bus bandwidth (one rack of GB200)."""
    g = len(c.gpus)
    share = 1.0 + 1.0 / g if g <= MOST_HEADS else (1.0 + 1.0 / MOST_HEADS) * (1 - 1 / g) / (1 - 1 / MOST_HEADS)
    _add(row, c, share)


def nvls_loads(layout: Layout) -> Loads:
    """Load of an all_reduce of one byte on one server."""
    inside = np.zeros((len(layout.classes), layout.width))
    for row, c in zip(inside, layout.classes, strict=True):
        _add_nvls(row, c)
    return Loads(layout.group, inside, wire_loads(layout, Sends.none()))


def nvls_tree_loads(layout: Layout, wire: F64) -> Loads:
    """Load of an all_reduce of one byte over several servers. ``wire`` of ``tree.tree_wire``."""
    return tree_network(layout, wire, _add_nvls, balanced=False)
