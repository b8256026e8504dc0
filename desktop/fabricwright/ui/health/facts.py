"""Bursts and equal-cost paths in a few lines each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from fabricwright.ui.health.words import ESTIMATE, bytes_text, outcome_text, percent, traffic_name
from fabricwright.ui.panels.words import collective_name
from fabricwright.ui.theme import MEDIUM
from fabricwright.ui.widgets import BudgetBar, TextLabel

_VERDICTS = {"fits": "ok", "pauses": "warn", "drops": "error"}


class Facts(QWidget):
    """Lines and bars; made anew for other figures."""

    def __init__(self) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(5)
        self._parts: list[QWidget] = []
        self._drawn: object = None

    def texts(self) -> list[str]:
        """All lines shown."""
        return [part.text() if isinstance(part, TextLabel) else part.accessibleName() for part in self._parts]

    def begin(self, drawn: object) -> bool:
        """Whether anything is new; then what was shown is gone."""
        if drawn == self._drawn:
            return False
        self._drawn = drawn
        for part in self._parts:
            self._column.removeWidget(part)
            part.hide()
            part.deleteLater()
        self._parts = []
        return True

    def add(self, part: QWidget, tip: str = "") -> None:
        """One more line or bar."""
        part.setToolTip(tip)
        self._parts.append(part)
        self._column.addWidget(part)

    def line(self, text: str, token: str = "text", tip: str = "", weight: int = 400) -> None:
        """One more line."""
        self.add(TextLabel(text, self, px=11.5, token=token, wrap=True, weight=weight), tip)


def show_incast(facts: Facts, health: Mapping[str, Any], language: str) -> None:
    """Worst bursts against the queue that takes them."""
    rows = health.get("incast") or []
    if not facts.begin((language, repr(rows))):
        return
    for row in rows:
        sum_text = QCoreApplication.translate("Health", "{senders} × {rate}G at once: {sign}{burst}")
        label = sum_text.format(
            senders=f"{row['senders']:,}", rate=f"{row['rate_gbps']:.0f}", sign=ESTIMATE, burst=bytes_text(row["burst"])
        )
        tip = QCoreApplication.translate(
            "Health",
            "Worst case: senders x rate x unloaded round trip, before any of them hears a mark or a pause; NCCL "
            "staggers an all-to-all.\nOne hot queue takes half of the shared pool (dynamic threshold of 1, "
            "Choudhury and Hahne 1998). Estimates.",
        )
        facts.line(traffic_name(str(row["traffic"])), weight=MEDIUM, tip=tip)
        if row["room"]:
            figure = QCoreApplication.translate("Health", "queue of {item}: {room}")
            figure = figure.format(item=row["item"], room=bytes_text(row["room"]))
            verdict = _VERDICTS.get(str(row["outcome"]), "neutral")
            facts.add(BudgetBar(label, figure, float(row["burst"]) / float(row["room"]), verdict, facts), tip)
        else:
            facts.line(label, "text.2", tip)
        text, token = outcome_text(row)
        facts.line(text, token, tip)
    if not rows:
        facts.line(QCoreApplication.translate("Health", "Nobody sends over a network."), "text.2")


def show_paths(facts: Facts, health: Mapping[str, Any], language: str) -> None:
    """How flows spread over equal paths."""
    rows = health.get("ecmp") or []
    if not facts.begin((language, repr(rows))):
        return
    for row in rows[:1]:
        facts.line(_mode(row), weight=MEDIUM)
    for row in rows:
        name = collective_name(str(row["collective"]))
        if row["slowest"] is None:
            continue
        tip = QCoreApplication.translate(
            "Health",
            "Expected slowest flow as a part of what its NIC port gives it; a collective waits for it. Hashed flows "
            "are routed for several seeds (Monte Carlo); flows of an all-to-all by order statistics (Blom 1958).",
        )
        label = QCoreApplication.translate("Health", "{collective}: slowest flow").format(collective=name)
        share = float(row["slowest"])
        verdict = "ok" if share >= 0.9 else "warn" if share >= 0.6 else "error"
        facts.add(BudgetBar(label, ESTIMATE + percent(share), share, verdict, facts), tip)
        text = QCoreApplication.translate("Health", "Mean flow {mean}; busiest link {stretch} × an even split.")
        if percent(row["low"]) != percent(row["high"]):
            text = QCoreApplication.translate(
                "Health", "{low} to {high} by chance, mean flow {mean}; busiest link {stretch} × an even split."
            )
        facts.line(
            text.format(
                low=percent(row["low"]),
                high=percent(row["high"]),
                mean=percent(row["mean"]),
                stretch=f"{row['stretch']:.2g}",
            ),
            "text.2",
            tip,
        )
    if rows and all(row["slowest"] is None for row in rows) and rows[0]["mode"] != "split":
        facts.line(QCoreApplication.translate("Health", "No flow is hashed: they stay on one leaf."), "text.2")
    if not rows:
        facts.line(QCoreApplication.translate("Health", "There are no equal-cost paths."), "text.2")


def _mode(row: Mapping[str, Any]) -> str:
    mode = str(row["mode"])
    pairs = int(row["queue_pairs"])
    if mode == "split":
        return QCoreApplication.translate("Health", "Adaptive routing spreads packets evenly over equal paths.")
    if mode == "pinned":
        return QCoreApplication.translate("Health", "Flows are dealt to equal paths in turn (pinned).")
    text = QCoreApplication.translate(
        "Health", "Flows are hashed to equal paths; queue pairs of a connection: {count}."
    )
    if row["assumed"]:
        text = QCoreApplication.translate(
            "Health", "Flows are hashed to equal paths (assumed); queue pairs of a connection: {count}."
        )
    return text.format(count=pairs)
