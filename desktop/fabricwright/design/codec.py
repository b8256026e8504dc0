"""One codec for files, journal lines, worker frames and cache keys.

JSON names are the field names (a field may state another in its metadata, ``except_`` -> ``except``); fields equal to their
default are omitted; unknown keys land in ``extra`` and are written back. Decoding is by reflection over the dataclasses, in
plain Python, so that the window can open a file without pydantic; every mismatch is a ``UserError`` naming the place.
"""

from __future__ import annotations

import dataclasses
import json
import math
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from fabricwright.units.errors import UserError
from fabricwright.units.natural import natural_key
from fabricwright.units.table import Table
from fabricwright.units.text import msg

T = TypeVar("T")
_MISSING = object()


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    json: str
    hint: Any
    default: object
    tag: str


@lru_cache(maxsize=None)
def _fields(cls: type) -> tuple[_Field, ...]:
    hints = typing.get_type_hints(cls)
    out = []
    for f in dataclasses.fields(cls):
        default = _MISSING
        if f.default is not dataclasses.MISSING:
            default = f.default
        elif f.default_factory is not dataclasses.MISSING:
            default = f.default_factory()
        out.append(_Field(f.name, f.metadata.get("json", f.name), hints[f.name], default, f.metadata.get("tag", "electrical")))
    return tuple(out)


# -- values to JSON ---------------------------------------------------------------------------------------------------


def to_json(value: object, *, electrical_only: bool = False) -> Any:
    """JSON-ready form of a row, a table or a scalar. Keys come out in field order, table rows in natural order."""
    if isinstance(value, (str, bool, int)) or value is None:
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 1e15 else value
    if isinstance(value, Mapping):
        return {k: to_json(value[k], electrical_only=electrical_only) for k in sorted(value, key=natural_key)}
    if isinstance(value, (tuple, list)):
        return [to_json(v, electrical_only=electrical_only) for v in value]
    out: dict[str, Any] = {}
    extra: Mapping[str, Any] = {}
    for f in _fields(type(value)):
        part = getattr(value, f.name)
        if f.name == "extra":
            extra = part
            continue
        if electrical_only and f.tag != "electrical":
            continue
        if f.default is not _MISSING and part == f.default and type(part) is type(f.default):
            continue
        out[f.json] = to_json(part, electrical_only=electrical_only)
    for key in sorted(extra, key=natural_key):
        if key not in out:
            out[key] = to_json(extra[key])
    return out


def canonical(value: object) -> bytes:
    """Canonical JSON of the electrical fields: what cache keys are made of."""
    return json.dumps(to_json(value, electrical_only=True), ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


# -- JSON to values ---------------------------------------------------------------------------------------------------


def from_json(cls: type[T], data: object, where: str = "") -> T:
    """Build a ``cls`` from parsed JSON. ``where`` prefixes the place named in errors."""
    return typing.cast(T, _decode(cls, data, where))


def _decode(hint: Any, data: object, where: str) -> object:
    origin = typing.get_origin(hint)
    if dataclasses.is_dataclass(hint):
        return _decode_row(typing.cast(type, hint), data, where)
    if hint is Table or origin is Table:
        args = typing.get_args(hint)
        return _decode_table(args[0] if args else object, data, where)
    if origin in (types.UnionType, typing.Union):
        return _decode_union(typing.get_args(hint), data, where)
    if origin is tuple:
        return _decode_tuple(typing.get_args(hint), data, where)
    if hint is object or hint is Any:
        return freeze(data)
    if hint is type(None):
        if data is None:
            return None
        raise _wrong(where, "null", data)
    if hint is float:
        if isinstance(data, (int, float)) and not isinstance(data, bool) and math.isfinite(data):
            return float(data)
        raise _wrong(where, "a number", data)
    if hint is int:
        if isinstance(data, int) and not isinstance(data, bool):
            return data
        if isinstance(data, float) and data.is_integer():
            return int(data)
        raise _wrong(where, "a whole number", data)
    if hint is bool:
        if isinstance(data, bool):
            return data
        raise _wrong(where, "true or false", data)
    if hint is str:
        if isinstance(data, str):
            return data
        raise _wrong(where, "a text", data)
    raise TypeError(f"no decoding for {hint}")


def _decode_row(cls: type, data: object, where: str) -> object:
    if not isinstance(data, dict):
        raise _wrong(where, "an object", data)
    values: dict[str, object] = {}
    known = set()
    has_extra = False
    for f in _fields(cls):
        if f.name == "extra":
            has_extra = True
            continue
        known.add(f.json)
        if f.json in data:
            values[f.name] = _decode(f.hint, data[f.json], f"{where}.{f.json}" if where else f.json)
        elif f.default is _MISSING:
            raise UserError(msg("{where}: '{key}' is missing.", where=where or "file", key=f.json))
    if has_extra:
        rest = {k: freeze(v) for k, v in data.items() if k not in known}
        if rest:
            values["extra"] = Table(rest)
    return cls(**values)


def _decode_table(hint: Any, data: object, where: str) -> Table[object]:
    if not isinstance(data, dict):
        raise _wrong(where, "an object", data)
    return Table({k: _decode(hint, v, f"{where}.{k}" if where else k) for k, v in data.items()})


def _decode_union(options: tuple[Any, ...], data: object, where: str) -> object:
    if data is None and type(None) in options:
        return None
    ordered = [o for o in options if o is not type(None)]
    if isinstance(data, bool):
        ordered.sort(key=lambda o: o is not bool)
    elif isinstance(data, int):
        ordered.sort(key=lambda o: o is not int)
    error: UserError | None = None
    for option in ordered:
        try:
            return _decode(option, data, where)
        except UserError as failed:
            error = error or failed
    raise error or _wrong(where, "another type", data)


def _decode_tuple(args: tuple[Any, ...], data: object, where: str) -> tuple[object, ...]:
    if not isinstance(data, (list, tuple)):
        raise _wrong(where, "a list", data)
    if len(args) == 2 and args[1] is Ellipsis:
        return tuple(_decode(args[0], v, f"{where}[{n}]") for n, v in enumerate(data))
    if len(data) != len(args):
        raise _wrong(where, f"a list of {len(args)}", data)
    return tuple(_decode(a, v, f"{where}[{n}]") for n, (a, v) in enumerate(zip(args, data, strict=True)))


def freeze(data: object) -> object:
    """Parsed JSON of unknown shape as immutable values."""
    if isinstance(data, dict):
        return Table({k: freeze(v) for k, v in data.items()})
    if isinstance(data, list):
        return tuple(freeze(v) for v in data)
    return data


def _wrong(where: str, expected: str, data: object) -> UserError:
    shown = json.dumps(data, ensure_ascii=False, default=str)
    return UserError(
        msg("{where}: expected {expected}, found {found}.", where=where or "file", expected=expected, found=shown[:60] + ("…" if len(shown) > 60 else ""))
    )
