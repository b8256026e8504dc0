"""A training step as the worker tells it, turned into what the panel shows. No widgets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fabricwright.design.values import Design
from fabricwright.ui.i18n import text_of
from fabricwright.ui.panels.words import BLANK, spoken_inside
from fabricwright.ui.training.bars import Bar, Piece
from fabricwright.ui.training.changes import Change
from fabricwright.ui.training.figures import (
    MEMORY_PIECES,
    STEP_PIECES,
    TIER_TOKENS,
    days,
    delta,
    gigabytes,
    money,
    percent,
    piece_name,
    seconds,
    three,
    tier_name,
)
from fabricwright.units.text import Message, msg

Step = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the strip: ``value``, that of the other design ``before`` it, a ``note`` below."""

    value: str
    before: str = ""
    note: str = ""


def kpis(step: Step, other: Step) -> dict[str, Figure]:
    """The strip of figures; those of ``other`` (may be empty) in front."""

    def one(key: str, write: Any) -> tuple[str, str]:
        return write(float(step[key])), write(float(other[key])) if other else ""

    time, before = one("step_time_s", seconds)
    span = f"{seconds(step['step_time_s_low'])} – {seconds(step['step_time_s_high'])}"
    out = {"step": Figure(time, before, span)}
    value, before = one("days", days)
    out["days"] = Figure(value, before, f"{days(step['days_low'])} – {days(step['days_high'])}")
    for key, name in (("mfu", "mfu"), ("use", "gpu_utilisation"), ("share", "communication_share")):
        value, before = one(name, percent)
        out[key] = Figure(value, before)
    value, before = one("tokens_per_s", lambda n: f"{n:,.0f}")
    out["tokens"] = Figure(value, before)
    return out


def step_bars(step: Step, other: Step, name: str, other_name: str) -> tuple[Bar, ...]:
    """What a step spends its time on, the other design's above it."""
    return tuple(_step_bar(row, label) for row, label in ((other, other_name), (step, name)) if row)


def _step_bar(step: Step, label: str) -> Bar:
    total = float(step["step_time_s"])
    pieces = tuple(
        Piece(piece_name(key), float(step[key]), token, seconds(float(step[key]))) for key, token in STEP_PIECES
    )
    tip = ", ".join(f"{piece.name} {percent(piece.value / total)}" for piece in pieces if piece.value > 0)
    return Bar(label, pieces, seconds(total), tip, (float(step["step_time_s_low"]), float(step["step_time_s_high"])))


def gpu_bars(step: Step, other: Step, other_name: str) -> tuple[Bar, ...]:
    """Memory of a GPU by what fills it, for the first and the last stage of the pipeline."""
    out = []
    if other:
        out.append(_gpu_bar(other["memory_per_gpu_bytes"], other, other_name))
    stages = step.get("stages") or [{"stage": 0, **step["memory_per_gpu_bytes"]}]
    for row in stages:
        label = text_of(msg("GPU")) if len(stages) == 1 else text_of(msg("GPU, stage {n}", n=int(row["stage"]) + 1))
        out.append(_gpu_bar(row, step, label))
    return tuple(out)


def _gpu_bar(row: Step, step: Step, label: str) -> Bar:
    room, usable = float(step["memory_per_gpu_bytes"]["capacity"]), float(step.get("room") or 0)
    pieces = tuple(
        Piece(piece_name(key), float(row[key]), token, gigabytes(float(row[key]))) for key, token in MEMORY_PIECES
    )
    total = float(row["total"])
    tip = text_of(
        msg(
            "{usable} of {room} can be used: context, buffers and fragmentation take the rest.",
            usable=gigabytes(usable),
            room=gigabytes(room),
        )
    )
    figure = f"{gigabytes(total).removesuffix(' GB')} / {gigabytes(room)}"
    return Bar(label, pieces, figure, tip, None, room, usable, total > usable > 0)


def host_bars(step: Step, other: Step, other_name: str) -> tuple[Bar, ...]:
    """What the GPUs of a server keep outside them, tier by tier, against what is there."""
    out = []
    for row, suffix in ((other, other_name), (step, "")):
        if not row:
            continue
        host = row["memory_per_host_bytes"]
        tiers = {t["name"]: t for t in row["offload"]["tiers"]}
        for name, room in host["capacity"].items():
            if not room:
                continue
            used = float(host["tiers"].get(name, 0.0))
            if suffix and not used:
                continue
            label = f"{tier_name(name)}, {suffix}" if suffix else tier_name(name)
            rate = float(tiers[name]["rate"]) if name in tiers else 0.0
            tip = text_of(
                msg(
                    "{rate} GB/s, {latency} ns for one access",
                    rate=f"{rate / 1e9:.0f}",
                    latency=f"{1e9 * float(tiers[name]['latency_s']):,.0f}",
                )
            )
            token = TIER_TOKENS.get(name, "pcie")
            piece = Piece(text_of(msg("offloaded")), used, token, gigabytes(used) if used else "")
            figure = f"{gigabytes(used) if used else '0'} / {gigabytes(room)}"
            out.append(Bar(label, (piece,), figure, tip, None, float(room)))
    return tuple(out)


def offload_line(step: Step) -> str:
    """Which way the offloaded bytes take, and what it costs."""
    if not step["memory_per_host_bytes"]["total"]:
        return ""
    parts = step["offload"]
    return text_of(
        msg(
            "{link} over PCIe between GPU and host, {update} for the optimizer in host memory.",
            link=seconds(float(parts["link_s"])),
            update=seconds(float(parts["update_s"])),
        )
    )


def _kind(name: str) -> str:
    """A kind of parallelism in words."""
    known = {
        "tensor": msg("tensor"),
        "context": msg("context"),
        "expert": msg("expert"),
        "pipeline": msg("pipeline"),
        "data": msg("data"),
    }
    return text_of(known.get(name, msg("{kind}", kind=name)))


def changes(step: Step) -> list[Change]:
    """The sensitivity list, largest gain first."""
    now, out = float(step["step_time_s"]), []
    for row in step.get("sensitivity", ()):
        then = float(row["step_time_s"])
        token = "ok" if then < now * 0.9995 else "error" if then > now * 1.0005 else "text.3"
        text = text_of(Message.from_json(row["change"]))
        tip = ", ".join(row["at"][:4]) + (" …" if len(row["at"]) > 4 else "")
        out.append(Change(text[:1].upper() + text[1:], seconds(then), delta(now, then), token, tuple(row["at"]), tip))
    return out


def communication_lines(step: Step, design: Design = BLANK) -> list[str]:
    """One line per kind of parallelism: what is sent, what is seen of it, what binds it."""
    out = []
    for row in step.get("communication", ()):
        limit = spoken_inside(design, row["limit"]) if row.get("limit") else text_of(msg("latency"))
        out.append(
            text_of(
                msg(
                    "{kind} parallel: {total} sent, {exposed} exposed; bound by {limit}",
                    kind=_kind(str(row["kind"])),
                    total=seconds(float(row["total_s"])),
                    exposed=seconds(float(row["exposed_s"])),
                    limit=limit,
                )
            )
        )
    return [line[:1].upper() + line[1:] for line in out] or [text_of(msg("One GPU takes part: nothing is sent."))]


def money_lines(step: Step, other: Step, saving: Step | None, other_name: str) -> list[str]:
    """Cost of a step, a million tokens and the training; what is saved against the other design."""
    cost = step.get("money")
    if not cost:
        return []
    code = str(cost["currency"])
    value, low, high = three(cost["per_training"])
    out = [
        text_of(
            msg(
                "Training: {value} {code} ({low} to {high})",
                value=money(value),
                code=code,
                low=money(low),
                high=money(high),
            )
        ),
        text_of(
            msg(
                "Step: {step} {code}; million tokens: {token} {code}",
                step=money(three(cost["per_step"])[0]),
                token=money(three(cost["per_token"])[0] * 1e6),
                code=code,
            )
        ),
        text_of(
            msg(
                "{hour} {code} an hour, of that {power} for power",
                hour=money(float(cost["per_hour"])),
                power=money(float(cost["power_per_hour"])),
                code=code,
            )
        )
        if cost["basis"] == "own"
        else text_of(msg("{hour} {code} an hour of rent", hour=money(float(cost["per_hour"])), code=code)),
    ]
    if not saving:
        return out
    value, low, high = three(saving["per_month"])
    out.append(
        text_of(
            msg(
                "Against {design}: {value} {code} saved a month ({low} to {high})",
                design=other_name,
                value=money(value),
                code=code,
                low=money(low),
                high=money(high),
            )
        )
    )
    extra, back = saving["extra_price"], saving["payback_months"]
    if extra is not None and extra > 0:
        months = text_of(msg("never")) if back["value"] is None else f"{back['value']:.1f}"
        ends = tuple("–" if back[k] is None else f"{back[k]:.1f}" for k in ("low", "high"))
        out.append(
            text_of(
                msg(
                    "Its {extra} {code} more are paid back after {months} months ({low} to {high})",
                    extra=money(float(extra)),
                    code=code,
                    months=months,
                    low=ends[0],
                    high=ends[1],
                )
            )
        )
    out += [text_of(Message.from_json(note)) for note in saving["notes"]]
    return out
