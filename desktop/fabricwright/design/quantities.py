"""What statements may be about: the declared list that fixes the type of a statement's value and its unit.

A value is stored as people write it: a number, a list ``30, 21``, a range ``96..128``, a flag, or a word. Wrong is
still a value in a
file (a finding later); an edit refuses it.
"""

from __future__ import annotations

import re

from fabricwright.units.errors import UserError
from fabricwright.units.record import record
from fabricwright.units.text import N_, msg

_NUMBER = r"-?\d[\d,]*(?:\.\d+)?(?:[eE]-?\d+)?"
_FORMS = {
    "number": re.compile(rf"^{_NUMBER}$"),
    "list": re.compile(rf"^{_NUMBER}(?:\s*,\s+{_NUMBER})*$"),
    "range": re.compile(rf"^{_NUMBER}(?:\s*\.\.\s*{_NUMBER})?$"),
    "word": re.compile(r"^\S.{0,199}$", re.DOTALL),
}
KINDS = ("number", "list", "range", "flag", "word")
STATEMENT_KINDS = ("claim", "requirement", "target")


@record
class Quantity:
    """``kind`` one of ``KINDS``; ``unit`` as printed, "" for a pure number. ``label`` what it is called in the window,
    ``help`` what the value means and what a subject can be: English literals marked for translation. ``rules`` judge
    it.
    """

    kind: str
    unit: str
    label: str
    help: str
    rules: tuple[str, ...] = ()


QUANTITIES: dict[str, Quantity] = {
    # the cluster as a whole
    "cluster.gpus": Quantity(
        "number",
        "GPUs",
        N_("GPUs of the cluster"),
        N_("All GPUs of a design or of a group of servers, external boxes included."),
        ("SCL-01",),
    ),
    "cluster.servers": Quantity(
        "number",
        "servers",
        N_("Servers of the cluster"),
        N_("All servers of a design or of a group."),
        ("SCL-01",),
    ),
    # a server
    "server.gpus": Quantity(
        "number", "GPUs", N_("GPUs per server"), N_("GPUs of each server of a group."), ("SCL-01",)
    ),
    "server.nic_set": Quantity(
        "word",
        "",
        N_("NICs of a server"),
        N_("Count and rate of its network ports, such as 8x400 or 8x400 + 2x100; subject: a group of servers."),
        ("SRV-02",),
    ),
    "server.free_slots": Quantity(
        "number",
        "slots",
        N_("Free slots per server"),
        N_("PCIe card slots of a server in which nothing sits."),
        ("SED-05",),
    ),
    "server.power_w": Quantity(
        "number",
        "W",
        N_("Maximum power of a server"),
        N_("What the maker states at most for one server of a group."),
        ("SED-05",),
    ),
    "host.lanes": Quantity(
        "range",
        "lanes",
        N_("PCIe lanes of a server"),
        N_("Lanes of all its processors together; subject: a group of servers or one of its processors."),
        ("SED-05",),
    ),
    "host.lanes_needed": Quantity(
        "number",
        "lanes",
        N_("PCIe lanes that the GPUs need"),
        N_("Lanes of the edge connectors of all GPUs of a server."),
        ("SED-05",),
    ),
    "memory.host_tb": Quantity(
        "number",
        "TB",
        N_("Memory of a server"),
        N_("Memory modules and CXL cards of one server together."),
        ("SED-05",),
    ),
    "memory.overflow": Quantity(
        "number",
        "TB",
        N_("Host memory that overflows"),
        N_("Host memory per server that is said to be too small for the chosen workload."),
        ("MEM-03",),
    ),
    # cards, switches, links
    "nic.aggregate_gbps": Quantity(
        "number",
        "Gb/s",
        N_("Rate of all ports of a NIC"),
        N_("Sum of the ports; subject: a NIC of a server or a part."),
        ("NIC-02", "NIC-01", "NIC-03"),
    ),
    "nic.port_gbps": Quantity(
        "number",
        "Gb/s",
        N_("Rate of a NIC port"),
        N_("One port; subject: a NIC of a server or a part."),
        ("NIC-03", "SED-05"),
    ),
    "nic.ports": Quantity(
        "number",
        "ports",
        N_("Ports of a NIC"),
        N_("Network ports in its mode; subject: a NIC, a part, or a group of servers for its compute ports."),
        ("SED-05", "SRV-02"),
    ),
    "flow.single_gbps": Quantity(
        "number",
        "Gb/s",
        N_("Rate of one flow"),
        N_("One connection alone; subject: a NIC, a group of servers or a design."),
        ("NIC-05",),
    ),
    "gpu.memory_gb": Quantity(
        "number", "GB", N_("Memory of a GPU"), N_("Memory on one GPU; subject: a GPU or a part."), ("SED-05",)
    ),
    "part.power_w": Quantity(
        "number", "W", N_("Power of a part"), N_("What one piece draws at most; subject: a part."), ("SED-05",)
    ),
    "switch.ports": Quantity(
        "number",
        "ports",
        N_("Ports of a switch"),
        N_("Network cages of one switch; subject: a switch or a part."),
        ("SED-05",),
    ),
    "switch_card.fanout": Quantity(
        "number",
        "x",
        N_("Fan-out of a switch card"),
        N_("Lanes down for each lane up; subject: a switch card."),
        ("LAN-06",),
    ),
    "card.feeds_outside": Quantity(
        "flag",
        "",
        N_("Card feeds something outside"),
        N_("True when its cables are said to leave the chassis; subject: a switch or retimer card."),
        ("RET-04",),
    ),
    "switch_card.modes": Quantity(
        "word",
        "",
        N_("Mode of a switch card"),
        N_("How its lanes are dealt out, such as 2x16 or 4x8; several statements are held against each other."),
        ("LAN-07",),
    ),
    "link.ber": Quantity(
        "number", "", N_("Bit error rate"), N_("Limit of a PCIe link; subject: the card it ends at."), ("RET-07",)
    ),
    # the network
    "leaf.down_gbps": Quantity(
        "number", "Gb/s", N_("Rate of a leaf downlink"), N_("One downlink port of a leaf switch."), ("OPT-13",)
    ),
    "leaf.oversubscription": Quantity(
        "number", "x", N_("Oversubscription"), N_("Rate down for each rate up of a leaf, at most."), ("FAB-03",)
    ),
    "path.switches": Quantity(
        "number",
        "switches",
        N_("Switches between two servers"),
        N_("Network switches that a packet crosses between any two servers, at most."),
        ("SED-06",),
    ),
    "network.tiers": Quantity(
        "number", "tiers", N_("Tiers of switches"), N_("Levels of switches of the compute network."), ("SED-06",)
    ),
    "latency.one_way_us": Quantity(
        "number",
        "us",
        N_("Latency one way"),
        N_("From server to server through the network, without the GPUs."),
        ("SED-07",),
    ),
    "network.lossless": Quantity(
        "flag", "", N_("Lossless network"), N_("PFC and ECN keep packets from being dropped."), ()
    ),
    "network.redundant": Quantity(
        "flag",
        "",
        N_("No single point of failure"),
        N_("No loss of one switch, cable or NIC cuts a server off; subject: a design, or none."),
        ("FAB-22",),
    ),
    # training
    "allreduce.payload_gb": Quantity(
        "number",
        "GB",
        N_("Size of an all-reduce"),
        N_("Gradients of one step; subject: a workload, a design or a document."),
        ("MEM-04",),
    ),
    "allreduce.time_ms": Quantity(
        "number", "ms", N_("Time of an all-reduce"), N_("All servers of a design take part."), ("SED-03",)
    ),
    "step.comm_share": Quantity(
        "number",
        "",
        N_("Share of a step that waits for communication"),
        N_("0 to 1; subject: a design."),
        ("SED-01", "SED-02"),
    ),
    "gpu.utilisation": Quantity(
        "number",
        "",
        N_("GPU utilisation"),
        N_("Share of a step that computes, 0 to 1; subject: a design."),
        ("SED-02",),
    ),
    "train.gain": Quantity(
        "number", "", N_("Gain in training throughput"), N_("0.4 = 40 % more; subject: the later design."), ("SED-01",)
    ),
    "train.days": Quantity(
        "list",
        "days",
        N_("Days of training"),
        N_("Before and after, such as 30, 21; subject: the later design."),
        ("SED-01",),
    ),
    "train.mfu": Quantity(
        "number", "", N_("Model FLOPs utilisation (MFU)"), N_("0 to 1; subject: a workload or a design."), ("MEM-06",)
    ),
    "train.tflops_per_gpu": Quantity(
        "number",
        "TFLOPS",
        N_("Throughput per GPU"),
        N_("Model FLOPs per second of each GPU; subject: a workload or a design."),
        ("MEM-06",),
    ),
    "model.state_tb": Quantity(
        "number",
        "TB",
        N_("State of a model"),
        N_("Parameters, gradients and optimizer together; subject: a workload."),
        ("MEM-01",),
    ),
    "model.state_per_gpu_gb": Quantity(
        "number",
        "GB",
        N_("State of a model per GPU"),
        N_("The same on each of 8 GPUs, or on as many as its tensor-parallel plan names; subject: a workload."),
        ("MEM-01",),
    ),
    "money.saving_per_month": Quantity(
        "word", "CNY", N_("Money saved per month"), N_("As stated, in words or digits."), ()
    ),
    # CXL
    "cxl.gpu_loadstore": Quantity(
        "flag",
        "",
        N_("GPU loads and stores CXL memory"),
        N_("True when a GPU is said to reach CXL memory by load and store; subject: a GPU."),
        ("CXL-05",),
    ),
    "cxl.latency_ns": Quantity(
        "number",
        "ns",
        N_("Latency of offload to CXL memory"),
        N_("What moving model state is said to take; subject: a CXL card or a part."),
        ("CXL-06",),
    ),
    "cxl.no_pcie_moves": Quantity(
        "flag",
        "",
        N_("CXL saves the moves over PCIe"),
        N_("True when offload to CXL memory is said to need no transfer over PCIe; subject: a group of servers."),
        ("CXL-06",),
    ),
    "cxl.pooling": Quantity(
        "flag",
        "",
        N_("CXL memory is pooled"),
        N_("True when servers are said to share memory behind a CXL switch; subject: a processor."),
        ("CXL-02",),
    ),
    "cxl.read_gbs": Quantity(
        "number",
        "GB/s",
        N_("Reads from CXL memory"),
        N_("Bandwidth asked of an expander, or of all expanders of a server; subject: a CXL card or a group."),
        ("CXL-09",),
    ),
    # documents
    "doc.missing": Quantity(
        "word", "", N_("Missing from a document"), N_("What it refers to and does not contain."), ("SED-04",)
    ),
}


def fits(quantity: str, value: object) -> bool:
    """Whether a value has the form that its quantity asks for; False for an unknown quantity."""
    known = QUANTITIES.get(quantity)
    if known is None or value is None:
        return False
    if known.kind == "flag":
        return isinstance(value, bool)
    if isinstance(value, bool):
        return False
    if isinstance(value, (int, float)):
        return known.kind != "word"
    return isinstance(value, str) and _FORMS[known.kind].match(value.strip()) is not None


def check_statement(quantity: str, value: object) -> None:
    """Raise UserError when the quantity is not declared or the value has another form. Neither quantity nor value is a
    line of text that no rule judges.
    """
    if not quantity and value in (None, ""):
        return
    if quantity not in QUANTITIES:
        raise UserError(msg("Quantity '{name}' is not known.", name=quantity))
    if not fits(quantity, value):
        kind = QUANTITIES[quantity].kind
        shown = str(value)[:60]
        raise UserError(msg("'{value}' does not fit {name}; expected a {kind}.", value=shown, name=quantity, kind=kind))
