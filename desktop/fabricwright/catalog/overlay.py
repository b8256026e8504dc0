"""Catalogue shorthand to full parts: ranges, bare figures, and parts that are like another one.

The YAML files and ``catalog.json`` keep three shorthands so that they stay readable and load fast; ``resolve`` expands
them when a part is asked for:

* ``1..64`` (or ``d1..8``) as the key of a port or cage stands for 64 equal rows;
* a bare figure (``power_w: 700``) has the confidence of its part;
* ``like: <part id>`` inherits that part's rows; ``swap: {old: new}`` exchanges what built-in items are; own rows are
  laid over the inherited ones, field by field, and ``null`` removes one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

Raw = dict[str, Any]

_RANGE = re.compile(r"([a-z-]*)(\d+)\.\.(\d+)$")
_MOST_ROWS = 4096
_LONGEST_CHAIN = 8


def resolve(part_id: str, parts: Mapping[str, Raw]) -> Raw:
    """Full JSON form of one part (what ``units.codec.from_json`` reads). ``parts`` is the table of shorthand rows.

    Raises ``UserError`` when ``like`` names an unknown part or runs in a circle.
    """
    chain: list[str] = [part_id]
    while True:
        like = parts[chain[-1]].get("like")
        if like is None:
            break
        if like not in parts:
            raise UserError(
                msg("Part {part}: 'like' names {like}, which is not in the catalogue.", part=chain[-1], like=str(like))
            )
        if like in chain or len(chain) >= _LONGEST_CHAIN:
            raise UserError(msg("Part {part}: 'like' runs in a circle.", part=part_id))
        chain.append(like)
    full: Raw = {}
    for link in reversed(chain):
        own = _expand(parts[link])
        swap = own.pop("swap", None) or {}
        own.pop("like", None)
        if swap:
            _swap(full, swap)
        full = merge(full, own)
    return full


def _expand(row: Raw) -> Raw:
    out = dict(row)
    for key in ("ports", "cages"):
        if isinstance(out.get(key), dict):
            out[key] = _expand_ranges(out[key])
    if isinstance(out.get("modes"), dict):
        out["modes"] = {k: _expand_ports(v) for k, v in out["modes"].items()}
    interior = out.get("interior")
    if isinstance(interior, dict) and isinstance(interior.get("items"), dict):
        items = {k: _expand_ports(v) for k, v in interior["items"].items()}
        out["interior"] = {**interior, "items": items}
    if isinstance(out.get("figures"), dict):
        confidence = out.get("confidence", "engineering")
        out["figures"] = {k: _figure(v, confidence) for k, v in out["figures"].items()}
    return out


def _expand_ports(row: Any) -> Any:
    return (
        {**row, "ports": _expand_ranges(row["ports"])}
        if isinstance(row, dict) and isinstance(row.get("ports"), dict)
        else row
    )


def _expand_ranges(table: Raw) -> Raw:
    out: Raw = {}
    for key, row in table.items():
        found = _RANGE.match(key)
        if found is None:
            out[key] = row
            continue
        prefix, first, last = found.group(1), int(found.group(2)), int(found.group(3))
        for n in range(first, min(last, first + _MOST_ROWS) + 1):
            out[f"{prefix}{n}"] = row
    return out


def _figure(value: Any, confidence: str) -> Any:
    if value is None:
        return None
    if isinstance(value, dict):
        return value if "confidence" in value else {**value, "confidence": confidence}
    return {"value": value, "confidence": confidence}


def _swap(full: Raw, swap: Mapping[str, str]) -> None:
    interior = full.get("interior")
    if not isinstance(interior, dict):
        return
    items = {k: {**v, "of": swap.get(v.get("of"), v.get("of"))} for k, v in interior.get("items", {}).items()}
    full["interior"] = {**interior, "items": items}


def merge(under: Raw, over: Mapping[str, Any]) -> Raw:
    """``over`` laid over ``under`` field by field; None removes one; a figure is exchanged as a whole."""
    out = dict(under)
    for key, value in over.items():
        if value is None:
            out.pop(key, None)
        elif isinstance(value, dict) and isinstance(out.get(key), dict) and "value" not in value:
            out[key] = merge(out[key], value)
        else:
            out[key] = _without_nulls(value) if isinstance(value, dict) else value
    return out


def _without_nulls(value: Raw) -> Raw:
    return {k: _without_nulls(v) if isinstance(v, dict) else v for k, v in value.items() if v is not None}
