"""What the comparison shows in its tables, strip and chart: the worker's sections as rows. No widgets here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication

from fabricwright.catalog.kind_words import kind_words
from fabricwright.catalog.pictograms import pictogram
from fabricwright.design.quantities import QUANTITIES
from fabricwright.design.unit_words import unit_words
from fabricwright.ui.compare.ledger import MEDIUM, SEMIBOLD, Cell, Column, Row
from fabricwright.ui.i18n import text_of
from fabricwright.ui.paint.chart_model import ChartModel, Series
from fabricwright.units.figure_text import MINUS, NOTHING, difference_text, figure_pair, figure_text
from fabricwright.units.quantity import format_size
from fabricwright.units.text import Message, translate

Comparison = Mapping[str, Any]
CHIPS = {"better": "ok", "worse": "warn", "same": "neutral", "": "neutral"}
STATES = {"not met": "error", "partly": "warning", "met": "ok", "unknown": "info"}
KPIS = (
    "all_reduce_busbw",
    "step_time_s",
    "communication_share",
    "fabric_price",
    "fabric_power_w",
    "switches",
    "cables",
    "all_to_all_busbw",
    "errors",
    "power_w",
    "rack_units",
)
MOST_KPIS = 6
_LOW_BYTES, _HIGH_BYTES = 1 << 20, 1 << 34


def spoken(message: Any) -> str:
    """A message of the worker in the current language, "" for none."""
    if isinstance(message, list) and len(message) == 2:
        return text_of(Message.from_json(message))
    return str(message or "")


def figures_told(comparison: Comparison) -> dict[str, Any]:
    """The section of figures, with what is known of the training steps, which come later."""
    told = dict(comparison.get("figures") or {})
    later = comparison.get("training") or {}
    if told and later and len(later["designs"]) == len(told["designs"]):
        known = {row["key"] for row in told["rows"]}
        told["rows"] = [*told["rows"], *(row for row in later["rows"] if row["key"] not in known)]
        told["designs"] = [
            {**one, "training": two["training"]} for one, two in zip(told["designs"], later["designs"], strict=True)
        ]
        told["training_problems"] = later["training_problems"]
    return told


def letters(count: int) -> list[str]:
    """A, B, C ..."""
    return [chr(ord("A") + n) for n in range(count)]


def strip(comparison: Comparison) -> list[dict[str, str]]:
    """Headline figures of the first two sides: caption, before, value, chip and its kind."""
    figures = figures_told(comparison)
    rows = {row["key"]: row for row in figures.get("rows") or ()}
    size = format_size(int(figures.get("bytes") or 1 << 30))
    out = []
    for key in KPIS:
        row = rows.get(key)
        if row is None or row["values"][0] is None or row["values"][1] is None:
            continue
        change = row["deltas"][0]
        before, value = figure_pair(row["values"][0], row["values"][1], row["unit"])
        caption = spoken(row["label"])
        if row["unit"] == "B/s":
            caption = f"{caption}, {size}"
        same = change["absolute"] == 0
        chip = text_of(difference_text(change["absolute"], change["ratio"], row["unit"]))
        out.append(
            {
                "caption": caption,
                "before": "" if same else before,
                "value": value,
                "chip": "" if same else chip,
                "kind": CHIPS[change["verdict"]],
            }
        )
    return out[:MOST_KPIS]


def chart(comparison: Comparison, names: Sequence[str]) -> ChartModel:
    """All-reduce over the size of the message: the first side dashed, the others solid, all with their bands."""
    tokens = (("text.3", True), ("accent", False), ("rail1", False), ("rail2", False))
    series = []
    size = float((comparison.get("figures") or {}).get("bytes") or 1 << 30)
    for n, (curve, name) in enumerate(zip(comparison.get("curves") or (), names, strict=False)):
        kept = [i for i, b in enumerate(curve["bytes"]) if _LOW_BYTES <= b <= _HIGH_BYTES]
        if not kept:
            continue
        token, dashed = tokens[n % len(tokens)]
        sizes = tuple(float(curve["bytes"][i]) for i in kept)
        y, low, high = (
            tuple(float(curve[key][i]) for i in kept) for key in ("busbw_gbs", "busbw_gbs_low", "busbw_gbs_high")
        )
        series.append(Series(sizes, y, name[:1], token, dashed, low, high))
    return ChartModel(
        tuple(series),
        reading_bytes=size,
        y_unit="GB/s",
        x_title=QCoreApplication.translate("Compare", "message per GPU"),
    )


# -- tables -----------------------------------------------------------------------------------------------------------


def parts(comparison: Comparison, pair: int, lang: str) -> tuple[list[Column], list[Row], Row | None]:
    """The bill of materials as a difference, and its total where prices are known."""
    lists = comparison.get("bom") or []
    lines = lists[pair] if pair < len(lists) else []
    money = any(line["cost"] is not None for line in lines)
    columns = [
        Column(QCoreApplication.translate("Compare", "Part")),
        Column("A", 46, True),
        Column("BCD"[pair] if pair < 3 else "B", 46, True),
    ]
    columns.append(Column("\u0394", 52, True))
    if money:
        columns.append(Column(QCoreApplication.translate("Compare", "\u0394 cost"), 78, True))
    rows, total = [], 0.0
    for line in lines:
        name = str(line["names"].get(lang) or line["names"]["en"])
        kind = text_of(kind_words(str(line["kind"])))
        model = str(line["model"] or line["part"] or name).upper() if line["part"] else name
        length = f"{line['length_m']:g} m" if line["length_m"] else ""
        cells = [
            Cell(model, weight=MEDIUM, sub=", ".join(t for t in (kind, length) if t)),
            _count(line["a"], "text.2"),
            _count(line["b"], "text", MEDIUM),
            Cell(_signed(line["delta"]), "ok" if line["delta"] > 0 else "error", SEMIBOLD),
        ]
        if money:
            cells.append(Cell(NOTHING if line["cost"] is None else _money(line["cost"])))
            total += line["cost"] or 0.0
        rows.append(Row(tuple(cells), icon=pictogram(str(line["kind"])), tip=name))
    if not money:
        return columns, rows, None
    currency = next(str(line["currency"]) for line in lines if line["cost"] is not None)
    end = Row(
        (
            Cell(QCoreApplication.translate("Compare", "Total"), weight=SEMIBOLD),
            Cell(),
            Cell(),
            Cell(currency, "text.2"),
            Cell(_money(total), "text", SEMIBOLD),
        )
    )
    return columns, rows, end


def _count(value: int, token: str, weight: int = 400) -> Cell:
    return Cell(f"{value:,}", token, weight) if value else Cell(NOTHING, "text.3")


def _signed(value: int) -> str:
    return f"+{value:,}" if value > 0 else f"{MINUS}{-value:,}"


def _money(value: float) -> str:
    return f"+{value:,.0f}" if value > 0 else f"{MINUS}{-value:,.0f}" if value < 0 else "0"


def claims(comparison: Comparison, lang: str) -> tuple[list[Column], list[Row], int]:
    """Statements that were judged, contradicted ones first; and how many were not."""
    columns = [
        Column(QCoreApplication.translate("Compare", "Claim"), share=1.0),
        Column(QCoreApplication.translate("Compare", "Stated"), 76),
        Column(QCoreApplication.translate("Compare", "Model says"), share=1.9),
    ]
    rows = []
    every = comparison.get("claims") or []
    judged = [row for row in every if row["answer"] != "unknown"]
    order = list(STATES)
    for row in sorted(judged, key=lambda r: order.index(r["answer"])):
        quantity = QUANTITIES.get(row["quantity"])
        name = translate(quantity.label, lang) if quantity is not None else row["text"]
        answers = [a for a in row["answers"] if a is not None and a["answer"] != "unknown"]
        said = spoken(answers[-1]["evidence"]) if answers else ""
        tip = "\n".join((str(row["text"]), *(spoken(a["evidence"]) for a in answers)))
        rows.append(
            Row(
                (Cell(name), Cell(_stated(row), "text.2"), Cell(said, weight=MEDIUM)),
                state=STATES[row["answer"]],
                tip=tip,
                key=f"at|{row['subject']}",
            )
        )
    return columns, rows, len(every) - len(judged)


def _stated(row: Mapping[str, Any]) -> str:
    value = row["value"]
    if isinstance(value, bool):
        return QCoreApplication.translate("Compare", "yes") if value else QCoreApplication.translate("Compare", "no")
    if isinstance(value, float) and row["unit"] == "" and abs(value) <= 1:
        return f"{value * 100:g} %" if value > 1e-3 else f"{value:g}"
    return f"{value:g} {text_of(unit_words(row['unit']))}".strip() if isinstance(value, (int, float)) else (
        f"{value or ''} {text_of(unit_words(row['unit']))}".strip()
    )  # fmt: skip


def findings(comparison: Comparison, pair: int) -> tuple[list[Column], list[Row]]:
    """Findings that only the later side has, then those that it no longer has."""
    columns = [
        Column("", 66),
        Column(QCoreApplication.translate("Compare", "Rule"), 58),
        Column(QCoreApplication.translate("Compare", "Finding")),
    ]
    lists = comparison.get("findings") or []
    found = lists[pair] if pair < len(lists) else {"gained": [], "lost": []}
    rows = []
    for name, word, token in (
        ("gained", QCoreApplication.translate("Compare", "gained"), "error"),
        ("lost", QCoreApplication.translate("Compare", "lost"), "ok"),
    ):
        for row in found[name]:
            text = spoken(row["message"])
            place = ", ".join(row["at"][:2])
            rows.append(
                Row(
                    (Cell(word, token, MEDIUM), Cell(row["rule"], "text.2"), Cell(text, sub=place)),
                    state=row["severity"],
                    tip=text,
                    key=f"{'b' if name == 'gained' else 'a'}|{row['at'][0] if row['at'] else ''}",
                )
            )
    return columns, rows


def drawing(comparison: Comparison, pair: int) -> tuple[list[Column], list[Row]]:
    """Rows of the drawing that differ."""
    lists = comparison.get("drawing") or []
    columns = [
        Column(QCoreApplication.translate("Compare", "Change"), 74),
        Column(QCoreApplication.translate("Compare", "Where"), share=0.8),
        Column("A", share=1.0),
    ]
    columns.append(Column("BCD"[pair] if pair < 3 else "B", share=1.0))
    words = {
        "removed": QCoreApplication.translate("Compare", "removed"),
        "added": QCoreApplication.translate("Compare", "added"),
        "replaced": QCoreApplication.translate("Compare", "replaced"),
        "changed": QCoreApplication.translate("Compare", "changed"),
    }
    tokens = {"removed": "error", "added": "ok", "replaced": "warn", "changed": "accent"}
    rows = []
    for row in lists[pair] if pair < len(lists) else ():
        fields = row["fields"]
        side = "a" if row["kind"] == "removed" else "b"
        sheet = row[f"sheet_{side}"] or ""
        a = "; ".join(f["a"] or NOTHING for f in fields) if fields else row["part_a"] or NOTHING
        b = "; ".join(f["b"] or NOTHING for f in fields) if fields else row["part_b"] or NOTHING
        if row["inside"]:
            a = b = QCoreApplication.translate("Compare", "what is inside")
        names = ", ".join(f["name"] for f in fields)
        rows.append(
            Row(
                (
                    Cell(words[row["kind"]], tokens[row["kind"]], MEDIUM),
                    Cell(row["id"], sub=sheet),
                    Cell(a, "text.2"),
                    Cell(b),
                ),
                tip=names,
                key=f"{side}|{sheet}|{row['id']}",
            )
        )
    return columns, rows


def figures(comparison: Comparison, count: int) -> tuple[list[Column], list[Row]]:
    """All figures of all sides, each against the first."""
    table = figures_told(comparison).get("rows") or ()
    columns = [Column(QCoreApplication.translate("Compare", "Figure"))]
    for letter in letters(count):
        columns.append(Column(letter, 82, True))
        if letter != "A":
            columns.append(Column("\u0394", 74, True))
    tokens = {"better": "ok", "worse": "error"}
    rows = []
    for row in table:
        cells = [Cell(spoken(row["label"])), Cell(figure_text(row["values"][0], row["unit"]), "text.2")]
        for value, change in zip(row["values"][1:], row["deltas"], strict=True):
            shown = text_of(difference_text(change["absolute"], change["ratio"], row["unit"]))
            cells += [
                Cell(figure_text(value, row["unit"]), weight=MEDIUM),
                Cell(shown, tokens.get(change["verdict"], "text.3")),
            ]
        rows.append(Row(tuple(cells)))
    return columns, rows


# -- sentences --------------------------------------------------------------------------------------------------------


def binds(comparison: Comparison) -> tuple[str, str]:
    """What limits both sides, and how the collective runs on them."""
    told = figures_told(comparison)
    lines = []
    for letter, row in zip("ABCD", told.get("designs") or (), strict=False):
        reduce = row["all_reduce"]
        if reduce["problem"] is None:
            pattern = QCoreApplication.translate("Compare", "{side}: {algorithm}, {protocol}")
            lines.append(pattern.format(side=letter, algorithm=reduce["algorithm"], protocol=reduce["protocol"]))
    return spoken(told.get("binds")), "; ".join(lines)


def amounts(comparison: Comparison, pair: int) -> str:
    """``Differences: part lines 7, items 6, links 2``: reads alike with one of them."""
    drawn = comparison.get("drawing") or []
    bought = comparison.get("bom") or []
    rows = drawn[pair] if pair < len(drawn) else []
    lines = bought[pair] if pair < len(bought) else []
    return QCoreApplication.translate(
        "Compare", "Differences: part lines {parts}, items {items}, links {links}"
    ).format(
        parts=len(lines),
        items=sum(row["table"] == "items" for row in rows),
        links=sum(row["table"] == "links" for row in rows),
    )
