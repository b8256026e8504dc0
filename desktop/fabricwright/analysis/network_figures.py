"""Every figure of the network's health with its formula and its source, as rows of a table of plain values:
``{"of", "figure", "value", "unit", "formula", "source", "stated", "estimate"}``; figure and formula are messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fabricwright.units.text import Message, msg

_SCALES = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"))
_THRESHOLDS = (
    ("kmin", msg("Kmin"), msg("5 kB x rate / 40G, at least 2 frames, at most Kmax / 4")),
    ("kmax", msg("Kmax"), msg("200 kB x rate / 40G, at most 3/4 of the pause threshold")),
    ("pmax", msg("Pmax"), msg("chance of a mark just below Kmax")),
    ("xoff", msg("XOFF"), msg("pool / (1 + lossless queues), dynamic threshold of 1")),
)
_ECN, _SHARED = "Zhu et al., SIGCOMM 2015", "Choudhury and Hahne 1998"


def bytes_text(count: float) -> tuple[str, str]:
    """(figure, unit) of bytes in powers of ten, as buffers are sold."""
    for scale, unit in _SCALES:
        if count >= scale:
            return f"{count / scale:.3g}", unit
    return f"{count:.0f}", "B"


def figure_rows(health: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The table of ``network_health``."""
    out: list[dict[str, Any]] = []
    for switch in health["switches"]:
        out += _switch(switch)
    for row in health["incast"]:
        out += _incast(row)
    if health["loss"]:
        out += _loss(health["loss"])
    for row in health["ecmp"]:
        out += _ecmp(row)
    return out


def _row(
    of: str,
    figure: Message,
    value: tuple[str, str],
    formula: Message,
    source: str,
    *,
    stated: bool = False,
    estimate: bool = False,
) -> dict[str, Any]:
    return {
        "of": of,
        "figure": figure.to_json(),
        "value": value[0],
        "unit": value[1],
        "formula": formula.to_json(),
        "source": source,
        "stated": stated,
        "estimate": estimate,
    }


def _switch(switch: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    of = f"{switch['item']} {switch['members']}".strip()
    yield _row(
        of,
        msg("Buffer"),
        bytes_text(switch["buffer"]),
        msg("shared buffer of the switch"),
        str(switch["buffer_source"]),
        estimate=bool(switch["buffer_estimate"]),
    )
    for port in switch["ports"]:
        low, value = bytes_text(port["headroom_min"]), bytes_text(port["headroom"])
        if low != value and low[1] == value[1]:
            value = (f"{low[0]}-{value[0]}", value[1])
        yield _row(
            of,
            msg("Headroom of a {rate}G port ({count} of them)", rate=port["gbps"], count=port["count"]),
            value,
            msg("table by rate and cable length")
            if port["method"] == "sonic"
            else msg("2 x cable x 5 ns/m x rate + 672 + 2 frames + interface + response, in bit times"),
            port["source"],
            estimate=bool(port["estimate"]) or not port["length_m"],
        )
    yield _row(
        of,
        msg("Headroom"),
        bytes_text(switch["headroom"]),
        msg("ports x lossless classes x headroom, classes = {classes}", classes=switch["classes"]),
        "IEEE 802.1Qbb",
        estimate=bool(switch["estimate"] or switch["assumed"]),
    )
    yield _row(
        of,
        msg("Shared pool"),
        bytes_text(switch["pool"]),
        msg("buffer - headroom - reserved"),
        "SONiC buffers",
        estimate=bool(switch["estimate"]),
    )
    for axis in switch["thresholds"]:
        for key, name, formula in _THRESHOLDS:
            said = key in axis["stated_keys"]
            yield _row(
                of,
                msg("{threshold}, {rate}G", threshold=name, rate=axis["gbps"]),
                (f"{100 * axis[key]:g}", "%") if key == "pmax" else bytes_text(axis[key]),
                msg("as the drawing states") if said else formula,
                "" if said else _SHARED if key == "xoff" else _ECN,
                stated=said,
                estimate=not said,
            )


def _incast(row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    storage = row["traffic"] == "storage"
    of = "storage" if storage else "all_to_all"
    yield _row(
        of,
        msg("Senders to one port"),
        (f"{row['senders']:,}", ""),
        msg("ports of servers on the storage network")
        if storage
        else msg("ports of all other servers at once, the worst case; NCCL staggers them"),
        "EK",
        estimate=True,
    )
    yield _row(
        of,
        msg("Burst of all senders"),
        bytes_text(row["burst"]),
        msg("senders x rate x unloaded round trip"),
        "EK",
        estimate=True,
    )
    if row["room"]:
        yield _row(
            of,
            msg("What one hot queue takes"),
            bytes_text(row["room"]),
            msg("pool / 2, dynamic threshold of 1"),
            _SHARED,
            estimate=True,
        )


def _loss(loss: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    book = "Bertsekas and Gallager 1992, 2.4"
    yield _row(
        "loss",
        msg("Round trip"),
        (f"{1e6 * loss['round_trip_s']:.2f}", "µs"),
        msg("twice the unloaded way between servers as drawn"),
        "EK",
        estimate=True,
    )
    yield _row(
        "loss",
        msg("Packets under way"),
        (f"{loss['window']:.0f}", ""),
        msg("rate x round trip / (queue pairs x RDMA MTU of {mtu} bytes)", mtu=loss["mtu"]),
        book,
        estimate=True,
    )
    yield _row(
        "loss",
        msg("Left at 0.01 % loss"),
        (f"{100 * loss['warning']['share']:.2f}", "%"),
        msg("1 - p (selective repeat)") if loss["selective_now"] else msg("(1 - p) / (1 + p (W - 1)), go-back-N"),
        book,
        estimate=True,
    )
    yield _row(
        "loss",
        msg("Left at 0.01 % loss, 400G, 20 µs, 4 KiB"),
        (f"{100 * loss['example']['share']:.2f}", "%"),
        msg("(1 - p) / (1 + p (W - 1)), go-back-N"),
        book,
        estimate=True,
    )
    if loss["rate_now"]:
        yield _row(
            "loss",
            msg("Loss rate"),
            (f"{100 * loss['rate_now']:.3g}", "%"),
            msg("nobody states it: the rate that is said to set off go-back-N")
            if loss["assumed"]
            else msg("as the drawing states"),
            "",
            stated=not loss["assumed"],
            estimate=bool(loss["assumed"]),
        )
        yield _row(
            "loss",
            msg("Left of the ports' rate"),
            (f"{100 * loss['share_now']:.2f}", "%"),
            msg("1 - p (selective repeat)") if loss["selective_now"] else msg("(1 - p) / (1 + p (W - 1)), go-back-N"),
            book,
            estimate=True,
        )


def _ecmp(row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    if row["slowest"] is None:
        return
    source = "Blom 1958" if not row["flows"] else "Monte Carlo"
    for figure, key, formula in (
        (msg("Slowest flow"), "slowest", msg("its part of what its NIC port gives it; a collective waits for it")),
        (msg("Mean flow"), "mean", msg("the same for the mean flow")),
    ):
        value = (f"{100 * row[key]:.0f}", "%")
        yield _row(row["collective"], figure, value, formula, source, estimate=True)
