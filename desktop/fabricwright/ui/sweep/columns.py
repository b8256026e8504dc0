"""Columns of a sweep's rows, and what is shown for them."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from fabricwright.ui.panels.words import collective_name

TEXTS = ("_algorithm", "_protocol", "_bottleneck", "_bottleneck_address", "currency", "worst_failure", "problem")


def columns_of(metrics: tuple[str, ...]) -> list[str]:
    """Keys of the columns that metrics give, as ``analysis.sweep_metrics`` names them. That floor computes, so the
    window does not load it; a test holds the two together."""
    out: list[str] = []
    for metric in metrics:
        collective, at, size = metric.partition("@")
        if at:
            key = f"{collective}_{size.upper()}"
            out += [f"{key}_{name}" for name in COLLECTIVE_COLUMNS]
        else:
            out += PLAIN_COLUMNS[metric]
    return out


COLLECTIVE_COLUMNS = (
    *("busbw_gbs", "busbw_gbs_low", "busbw_gbs_high", "time_us"),
    *("algorithm", "protocol", "bottleneck", "bottleneck_address"),
)
PLAIN_COLUMNS: dict[str, tuple[str, ...]] = {
    "counts": ("gpus", "servers", "switches", "links"),
    "tiers": ("leafs", "spines", "cores"),
    "cables": ("cables",),
    "power": ("power_w",),
    "fabric_power": ("fabric_power_w",),
    "rack_units": ("rack_units",),
    "cost": ("price", "fabric_price", "currency", "without_price"),
    "findings": ("errors", "warnings", "infos", "approved"),
    "worst_failure": ("worst_failure_ratio", "worst_failure"),
    "train": ("step_time_s", "mfu", "communication_share", "gpu_utilisation", "tokens_per_s", "days"),
}


def head_of(key: str) -> str:
    """What is shown for a column, in the current language."""
    names = {
        "point": QCoreApplication.translate("Sweep", "Point"),
        "gpus": QCoreApplication.translate("Sweep", "GPUs"),
        "servers": QCoreApplication.translate("Sweep", "Servers"),
        "switches": QCoreApplication.translate("Sweep", "Switches"),
        "links": QCoreApplication.translate("Sweep", "Links"),
        "leafs": QCoreApplication.translate("Sweep", "Leafs"),
        "spines": QCoreApplication.translate("Sweep", "Spines"),
        "cores": QCoreApplication.translate("Sweep", "Cores"),
        "cables": QCoreApplication.translate("Sweep", "Cables"),
        "power_w": QCoreApplication.translate("Sweep", "Power (W)"),
        "fabric_power_w": QCoreApplication.translate("Sweep", "Power of the network (W)"),
        "rack_units": QCoreApplication.translate("Sweep", "Rack units"),
        "price": QCoreApplication.translate("Sweep", "Price"),
        "fabric_price": QCoreApplication.translate("Sweep", "Price of the network"),
        "currency": QCoreApplication.translate("Sweep", "Currency"),
        "without_price": QCoreApplication.translate("Sweep", "Lines without price"),
        "errors": QCoreApplication.translate("Sweep", "Errors"),
        "warnings": QCoreApplication.translate("Sweep", "Warnings"),
        "infos": QCoreApplication.translate("Sweep", "Infos"),
        "approved": QCoreApplication.translate("Sweep", "Approved"),
        "worst_failure_ratio": QCoreApplication.translate("Sweep", "Worst failure"),
        "worst_failure": QCoreApplication.translate("Sweep", "Place of the worst failure"),
        "step_time_s": QCoreApplication.translate("Sweep", "Step (s)"),
        "mfu": QCoreApplication.translate("Sweep", "MFU"),
        "communication_share": QCoreApplication.translate("Sweep", "Communication share"),
        "gpu_utilisation": QCoreApplication.translate("Sweep", "GPU utilisation"),
        "tokens_per_s": QCoreApplication.translate("Sweep", "Tokens/s"),
        "days": QCoreApplication.translate("Sweep", "Days"),
        "problem": QCoreApplication.translate("Sweep", "Problem"),
    }
    if key in names:
        return names[key]
    for suffix, text in (
        ("_busbw_gbs_low", QCoreApplication.translate("Sweep", "{what}, low (GB/s)")),
        ("_busbw_gbs_high", QCoreApplication.translate("Sweep", "{what}, high (GB/s)")),
        ("_busbw_gbs", QCoreApplication.translate("Sweep", "{what} (GB/s)")),
        ("_time_us", QCoreApplication.translate("Sweep", "{what} (µs)")),
        ("_algorithm", QCoreApplication.translate("Sweep", "{what}, algorithm")),
        ("_protocol", QCoreApplication.translate("Sweep", "{what}, protocol")),
        ("_bottleneck", QCoreApplication.translate("Sweep", "{what}, limit")),
        ("_bottleneck_address", QCoreApplication.translate("Sweep", "{what}, place of the limit")),
    ):
        if key.endswith(suffix) and key.startswith("all_"):
            collective, _, size = key.removesuffix(suffix).rpartition("_")
            return text.format(what=f"{collective_name(collective)} {size}")
    return key
