"""One line of facts about a part, as a person would say it: "2 × 200G, PCIe 5.0 x16". Figures come from the
part alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

from fabricwright.catalog.parts import Part
from fabricwright.ui.i18n import current_language
from fabricwright.ui.panels.words import listed
from fabricwright.units.text import format_value


def fact_line(part: Part) -> str:
    """The line under a part's name; "" when nothing short can be said."""
    make = _LINES.get(part.kind)
    facts = make(part) if make else []
    return listed(facts)


def _number(part: Part, figure: str, text: str) -> str:
    value = part.get(figure, -1)
    return text.format(value) if value > 0 else ""


def _pcie(part: Part) -> str:
    gen, lanes = part.get("pcie_gen"), part.get("edge_lanes")
    return f"PCIe {gen:.0f}.0 x{lanes:.0f}" if gen and lanes else ""


def _gpu(part: Part) -> list[str]:
    return [_number(part, "memory_gb", "{:.0f} GB"), _pcie(part), _number(part, "power_w", "{:.0f} W")]


def _nic(part: Part) -> list[str]:
    mode = part.default_mode.replace("x", " × ").replace("ib", "") if part.default_mode else ""
    return [f"{mode}G" if mode and mode[-1].isdigit() else mode, _pcie(part)]


def _switch_card(part: Part) -> list[str]:
    modes = format_value(part.modes.ordered(), current_language())
    text = QCoreApplication.translate("PartFacts", "x{lanes} to {modes}")
    return [text.format(lanes=int(part.get("edge_lanes", 16)), modes=modes)]


def _retimer(part: Part) -> list[str]:
    inside = part.word("cable_where") != "outside"
    internal = QCoreApplication.translate("PartFacts", "internal")
    external = QCoreApplication.translate("PartFacts", "external")
    where = internal if inside else external
    return [f"Gen{part.get('pcie_gen', 5):.0f} x{part.get('edge_lanes', 16):.0f}", where]


def _cxl(part: Part) -> list[str]:
    return [_number(part, "memory_gb", "{:,.0f} GB"), _pcie(part), _number(part, "power_w", "{:.0f} W")]


def _switch(part: Part) -> list[str]:
    # The row names the data cages; a management port beside them is not what anyone looks for.
    kinds = Counter((cage.type, cage.default) for cage in part.cages.values() if cage.default)
    (kind, split), count = kinds.most_common(1)[0] if kinds else (("", ""), 0)
    cages = f"{count} × {split.replace('1x', '').replace('x', '×')}G {kind}" if count else ""
    return [cages, _number(part, "height_u", "{:.0f}U")]


def _server(part: Part) -> list[str]:
    gpus = part.get("gpu_count")
    text = QCoreApplication.translate("PartFacts", "{count} GPUs").format(count=int(gpus)) if gpus else ""
    return [text, _number(part, "height_u", "{:.0f}U"), _number(part, "power_w", "{:,.0f} W")]


def _cable(part: Part) -> list[str]:
    lengths = part.numbers("orderable_m")
    reach = f"{min(lengths):g}–{max(lengths):g} m" if lengths else _number(part, "max_m", "{:g} m")
    return [_number(part, "total_gbps", "{:.0f}G"), reach]


def _rack(part: Part) -> list[str]:
    return [_number(part, "u", "{:.0f}U"), _number(part, "usable_kw", "{:.0f} kW")]


def _cpu(part: Part) -> list[str]:
    lanes = part.get("lanes_per_socket")
    text = QCoreApplication.translate("PartFacts", "{lanes} lanes PCIe {gen}.0")
    text = text.format(lanes=int(lanes), gen=int(part.get("pcie_gen"))) if lanes else ""
    cxl = part.word("cxl")
    return [text, f"CXL {cxl}" if cxl else ""]


def _nvme(part: Part) -> list[str]:
    return [_number(part, "capacity_tb", "{:g} TB"), _number(part, "power_w", "{:g} W")]


_LINES: dict[str, Callable[[Part], list[str]]] = {
    "gpu": _gpu,
    "nic": _nic,
    "pcie-switch-card": _switch_card,
    "retimer": _retimer,
    "cxl": _cxl,
    "switch": _switch,
    "server": _server,
    "chassis": _server,
    "cable": _cable,
    "pcie-cable": _cable,
    "fibre": _cable,
    "optic": _cable,
    "rack": _rack,
    "cpu": _cpu,
    "nvme": _nvme,
}
