"""Texts that people type into the inspector, and back: axes, breakouts, rates, lengths; and names of kinds."""

from __future__ import annotations

import re
from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication

from fabricwright.catalog.parts import Part
from fabricwright.catalog.ports import expand_cages, parse_breakout, split_of
from fabricwright.design.values import Axes
from fabricwright.units.natural import natural_key

_AXIS = re.compile(r"^([A-Za-z][A-Za-z0-9_]*)\s*[=×x:\s]\s*(\d+)$")


def kind_name(kind: str) -> str:
    """What a kind of part is called."""
    return {
        "server": QCoreApplication.translate("Panels", "Server"),
        "chassis": QCoreApplication.translate("Panels", "Server"),
        "gpu": QCoreApplication.translate("Panels", "GPU"),
        "cpu": QCoreApplication.translate("Panels", "CPU"),
        "nic": QCoreApplication.translate("Panels", "NIC"),
        "pcie-switch": QCoreApplication.translate("Panels", "PCIe switch"),
        "pcie-switch-card": QCoreApplication.translate("Panels", "PCIe switch card"),
        "retimer": QCoreApplication.translate("Panels", "Retimer"),
        "cxl": QCoreApplication.translate("Panels", "CXL memory"),
        "switch": QCoreApplication.translate("Panels", "Switch"),
        "rack": QCoreApplication.translate("Panels", "Rack"),
        "cable": QCoreApplication.translate("Panels", "Cable"),
        "pcie-cable": QCoreApplication.translate("Panels", "PCIe cable"),
        "fibre": QCoreApplication.translate("Panels", "Fibre"),
        "optic": QCoreApplication.translate("Panels", "Transceiver"),
        "nvme": QCoreApplication.translate("Panels", "NVMe drive"),
        "nvswitch": QCoreApplication.translate("Panels", "NVSwitch"),
        "external-box": QCoreApplication.translate("Panels", "External box"),
        "riser": QCoreApplication.translate("Panels", "Riser"),
        "storage-server": QCoreApplication.translate("Panels", "Storage server"),
        "management-server": QCoreApplication.translate("Panels", "Management server"),
        "pdu": QCoreApplication.translate("Panels", "PDU"),
        "chipset": QCoreApplication.translate("Panels", "Chipset"),
        "lom": QCoreApplication.translate("Panels", "Onboard network"),
        "bmc": QCoreApplication.translate("Panels", "Management controller"),
    }.get(kind, kind)


def network_name(network: str) -> str:
    """What a network is called."""
    return {
        "compute": QCoreApplication.translate("Panels", "Compute"),
        "storage": QCoreApplication.translate("Panels", "Storage"),
        "inband": QCoreApplication.translate("Panels", "In-band"),
        "oob": QCoreApplication.translate("Panels", "Out of band"),
        "mgmt": QCoreApplication.translate("Panels", "Management"),
        "": QCoreApplication.translate("Panels", "Inside the server"),
    }.get(network, network)


def medium_name(medium: str) -> str:
    """What runs over a link."""
    return {
        "eth": QCoreApplication.translate("Panels", "Ethernet"),
        "ib": "InfiniBand",
        "pcie": "PCIe",
        "cxl": "CXL",
        "nvlink": "NVLink",
        "c2c": "C2C",
        "dmi": "DMI",
        "socket": QCoreApplication.translate("Panels", "Socket link"),
        "mgmt": QCoreApplication.translate("Panels", "Management port"),
    }.get(medium, medium)


def axes_text(axes: Axes) -> str:
    """``su=2, node=16``."""
    return ", ".join(f"{name}={size}" for name, size in axes)


def parse_axes(text: str) -> list[list[object]] | str:
    """Axes of a typed text, or a sentence that says what is wrong."""
    out: list[list[object]] = []
    for piece in (p.strip() for p in text.split(",")):
        if not piece:
            continue
        found = _AXIS.match(piece)
        if not found:
            return QCoreApplication.translate("Panels", "'{text}' is not name=count.").format(text=piece)
        out.append([found[1], int(found[2])])
    names = [str(name) for name, _ in out]
    if len(set(names)) != len(names):
        return QCoreApplication.translate("Panels", "An axis is named twice.")
    return out


def breakout_text(config: Mapping[str, object]) -> str:
    """``1-8=2x200, 17-32=1x100``."""
    rows = config.get("breakout")
    if not isinstance(rows, Mapping):
        return ""
    return ", ".join(f"{cages}={rows[cages]}" for cages in sorted(rows, key=natural_key))


def parse_breakouts(text: str, part: Part) -> dict[str, str] | str:
    """Cages to splits, or a sentence: unknown cages and splits that the cage cannot do are refused."""
    out: dict[str, str] = {}
    waiting: list[str] = []  # "1, 3" of "1, 3=2x200"
    pieces = [p.strip() for p in re.split(r"[,;]", text) if p.strip()]
    for piece in pieces:
        cages, mark, split = (p.strip() for p in piece.partition("="))
        if not mark and piece != pieces[-1]:
            waiting.append(piece)
            continue
        cages, waiting = ",".join([*waiting, cages]), []
        if not mark or not split:
            return QCoreApplication.translate("Panels", "'{text}' is not cages=split, such as 1-8=2x200.").format(
                text=piece
            )
        for cage in expand_cages(cages):
            row = part.cages.get(cage)
            if row is None:
                return QCoreApplication.translate("Panels", "There is no cage {cage}.").format(cage=cage)
            if split_of(row, split) != split:
                known = ", ".join(dict.fromkeys((row.default, *row.breakouts)))
                text = QCoreApplication.translate("Panels", "Cage {cage} does {known}, not {split}.")
                return text.format(cage=cage, known=known, split=split)
        out[cages] = split
    return out


def breakable(part: Part) -> bool:
    """Whether any cage of the part can be split in more than one way."""
    return any(len({c.default, *c.breakouts}) > 1 for c in part.cages.values() if c.default)


def common_breakout(part: Part) -> str:
    """An example for the placeholder: the first other split of the first cage that has one."""
    for name in part.cages.ordered():
        cage = part.cages[name]
        other = [b for b in cage.breakouts if b != cage.default]
        if cage.default and other:
            return f"{name}={other[0]}"
    return ""


def cages_used(part: Part, config: Mapping[str, object], ports: set[str]) -> tuple[int, int]:
    """(cages with a cable, data cages) of a switch, for the ports that links use."""
    known = parse_breakout(config)
    total = {name for name, cage in part.cages.items() if cage.default and cage.medium != "mgmt"}
    used = {p.partition("/")[0] for p in ports} & total
    return len(used), len(total) if known or total else 0
