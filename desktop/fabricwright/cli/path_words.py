"""What a path is said to be: where it runs, how data crosses it, what its hops are."""

from __future__ import annotations

from fabricwright.units.text import N_, Message, msg

_CLASSES = {
    "self": N_("the same device"),
    "function": N_("functions of one device"),
    "switch": N_("one PCIe switch"),
    "cascade": N_("several PCIe switches"),
    "host-bridge": N_("one host bridge"),
    "numa-node": N_("one NUMA node"),
    "socket": N_("across the socket link"),
    "network": N_("over the network"),
    "none": N_("none"),
}
_TRANSPORTS = {
    "none": N_("none"),
    "nvlink": N_("NVLink"),
    "p2p": N_("peer-to-peer over PCIe"),
    "host-memory": N_("through host memory"),
    "gpudirect": N_("GPUDirect RDMA"),
    "host-staged": N_("staged in host memory"),
    "pxn": N_("through the NIC of an NVLink peer (PXN)"),
}
_HOPS = {
    "cable": N_("cable"),
    "c2c": N_("C2C link"),
    "host-memory": N_("host memory"),
    "nic": N_("NIC"),
    "nic-port": N_("NIC"),
    "nvlink": N_("NVLink"),
    "pcie": N_("PCIe"),
    "socket": N_("socket link"),
    "switch": N_("network switch"),
}


def class_words(name: str) -> Message:
    """``host-bridge`` in words."""
    return _words(_CLASSES, name)


def transport_words(name: str) -> Message:
    """``host-staged`` in words."""
    return _words(_TRANSPORTS, name)


def hop_words(kind: str) -> Message:
    """``pcie`` in words."""
    return _words(_HOPS, kind)


def _words(words: dict[str, str], name: str) -> Message:
    return Message(words[name]) if name in words else msg("{kind}", kind=name)
