"""The bill of materials and price lists in the shape that crosses the pipe to the window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from fabricwright.analysis.analyze import Analysis
from fabricwright.design.values import Price, Project
from fabricwright.exchange.bom import BomLine, bom, line_figures
from fabricwright.exchange.price_columns import Mapped, guess_columns, named_columns
from fabricwright.exchange.price_list import read_prices
from fabricwright.exchange.price_match import match_prices
from fabricwright.exchange.prices import bill_price
from fabricwright.exchange.spreadsheet import SheetRows, read_sheets
from fabricwright.exchange.workbook import column_letters
from fabricwright.units.errors import UserError

PREVIEW_ROWS = 12
MOST_TOLD = 200


def bill_frame(analysis: Analysis, group: str) -> dict[str, Any]:
    """Lines, sums and groups of the bill; messages untranslated. ``groups`` [title, line, quantity]."""
    table = bom(analysis.project, analysis.design, analysis.stages.bundles(), group=group)
    price = bill_price(table)
    place = {id(line): n for n, line in enumerate(table.lines)}
    return {
        "by": group,
        "lines": [_line(line) for line in table.lines],
        "groups": [
            [row.group.to_json(), place.get(id(row.line), -1), row.quantity, _line(row.line)] for row in table.groups
        ],
        "currency": table.currency,
        "without_price": sum(line.unit_price is None for line in table.lines),
        "net": price.net,
        "money": [
            {"currency": m.currency, "net": m.net, "tax": m.tax, "gross": m.gross, "lines": m.lines}
            for m in price.money
        ],
        "notes": [note.to_json() for note in table.notes],
    }


def _line(line: BomLine) -> dict[str, Any]:
    return line_figures(line) | {
        "spare_share": line.spare_rule,
        "order": line.order,
        "price_date": line.price_date,
        "note": line.note.to_json() if line.note is not None else None,
    }


def price_list_frame(project: Project, asked: Mapping[str, Any]) -> dict[str, Any]:
    """What a price list file holds under the columns asked for (``columns`` FIELD -> letter; empty = guessed).

    ``rows`` are ready for the edit ``set_prices``; ``heads`` and ``preview`` show the file; or ``error``, with the file
    shown as far as it could be read.
    """
    shown: dict[str, Any] = {"heads": [], "preview": [], "columns": {}, "sheet": "", "head_row": 0}
    try:
        sheets = read_sheets(str(asked["path"]))
        guess = guess_columns(sheets)
        wanted = {str(k): str(v) for k, v in dict(asked.get("columns") or {}).items() if v}
        mapped = named_columns(sheets, wanted, guess if not wanted else _bare(guess)) if wanted else guess
        mapped = mapped or Mapped(0, 0, {})
        shown = _shown(sheets, mapped)
        found = read_prices(
            sheets,
            mapped,
            str(asked.get("source") or "price list"),
            currency=str(asked.get("currency") or "CNY"),
            tax=asked.get("tax"),
            discount=float(asked.get("discount") or 0.0),
        )
        matched = match_prices(found.rows, project)
    except UserError as error:
        return {**shown, "error": error.message.to_json()}
    used = {item.part for item in matched.prices}
    return {
        **shown,
        "rows": [_price(row) for row in matched.prices],
        "count": len(found.rows),
        "parts": len(used),
        "unknown": [[row.place, row.price.part] for row in matched.unknown[:MOST_TOLD]],
        "unknown_count": len(matched.unknown),
        "twice": [text.to_json() for text in matched.twice[:MOST_TOLD]],
        "problems": [text.to_json() for text in found.problems[:MOST_TOLD]],
        "error": None,
    }


def _bare(guess: Mapped | None) -> Mapped | None:
    """The place of the heads that was guessed, without the guessed columns."""
    return None if guess is None else Mapped(guess.sheet, guess.head, {}, guess.taxed)


def _shown(sheets: list[SheetRows], mapped: Mapped) -> dict[str, Any]:
    if not sheets:
        return {"heads": [], "preview": [], "columns": {}, "sheet": "", "head_row": 0}
    sheet = sheets[mapped.sheet]
    rows = sheet.rows[mapped.head : mapped.head + 1 + PREVIEW_ROWS]
    width = max((len(row) for row in rows), default=0)
    heads = [str(rows[0][n]) if rows and n < len(rows[0]) and rows[0][n] is not None else "" for n in range(width)]
    preview = [["" if cell is None else str(cell)[:80] for cell in row] for row in rows[1:]]
    return {
        "heads": [[column_letters(n), head[:80]] for n, head in enumerate(heads)],
        "preview": preview,
        "columns": {field: column_letters(n) for field, n in mapped.columns.items()},
        "sheet": sheet.name,
        "head_row": mapped.head + 1,
    }


def _price(row: Price) -> dict[str, Any]:
    return {f.name: getattr(row, f.name) for f in fields(row) if f.name not in ("extra", "source")}
