"""What statements may be about: the declared list that fixes the type of a statement's value and its unit.

A value is stored as people write it: a number, a list ``30, 21``, a range ``96..128``, a flag, or a word. Wrong is
still a value in a
file (a finding later); an edit refuses it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

_NUMBER = r"-?\d[\d,]*(?:\.\d+)?(?:[eE]-?\d+)?"
_FORMS = {
    "number": re.compile(rf"^{_NUMBER}$"),
    "list": re.compile(rf"^{_NUMBER}(?:\s*,\s+{_NUMBER})*$"),
    "range": re.compile(rf"^{_NUMBER}(?:\s*\.\.\s*{_NUMBER})?$"),
    "word": re.compile(r"^\S.{0,199}$", re.DOTALL),
}


@dataclass(frozen=True, slots=True)
class Quantity:
    """``kind`` number | list | range | flag | word; ``unit`` as printed, "" for a pure number."""

    kind: str
    unit: str = ""


QUANTITIES: dict[str, Quantity] = {
    "allreduce.payload_gb": Quantity("number", "GB"),
    "allreduce.time_ms": Quantity("number", "ms"),
    "cluster.gpus": Quantity("number", "GPUs"),
    "cluster.servers": Quantity("number", "servers"),
    "cxl.gpu_loadstore": Quantity("flag"),
    "cxl.latency_ns": Quantity("number", "ns"),
    "cxl.no_pcie_moves": Quantity("flag"),
    "cxl.pooling": Quantity("flag"),
    "doc.missing": Quantity("word"),
    "flow.single_gbps": Quantity("number", "Gb/s"),
    "gpu.utilisation": Quantity("number"),
    "host.lanes": Quantity("range", "lanes"),
    "host.lanes_needed": Quantity("number", "lanes"),
    "latency.one_way_us": Quantity("number", "us"),
    "leaf.down_gbps": Quantity("number", "Gb/s"),
    "leaf.oversubscription": Quantity("number", "x"),
    "link.ber": Quantity("number"),
    "memory.host_tb": Quantity("number", "TB"),
    "memory.overflow": Quantity("number", "TB"),
    "model.state_per_gpu_gb": Quantity("number", "GB"),
    "model.state_tb": Quantity("number", "TB"),
    "money.saving_per_month": Quantity("word", "CNY"),
    "network.lossless": Quantity("flag"),
    "nic.aggregate_gbps": Quantity("number", "Gb/s"),
    "nic.ports": Quantity("number", "ports"),
    "path.switches": Quantity("number", "switches"),
    "server.free_slots": Quantity("number", "slots"),
    "server.gpus": Quantity("number", "GPUs"),
    "server.nic_set": Quantity("word"),
    "step.comm_share": Quantity("number"),
    "switch_card.fanout": Quantity("number", "x"),
    "switch_card.modes": Quantity("word"),
    "train.days": Quantity("list", "days"),
    "train.gain": Quantity("number"),
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
    """Raise UserError when the quantity is not declared or the value has another form."""
    if quantity not in QUANTITIES:
        raise UserError(msg("Quantity '{name}' is not known.", name=quantity))
    if not fits(quantity, value):
        kind = QUANTITIES[quantity].kind
        shown = str(value)[:60]
        raise UserError(msg("'{value}' does not fit {name}; expected a {kind}.", value=shown, name=quantity, kind=kind))
