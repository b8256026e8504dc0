"""Rows to and from JSON by reflection over their dataclasses: one codec for catalogue, files, journal, frames and
cache keys.

JSON names are the field names (a field may state another in its metadata, ``except_`` -> ``except``); fields equal to
their default are omitted; whole floats are written as integers. Unknown keys of a row with an ``extra`` field land
there and are written back.
Readers are compiled once per type, in plain Python: the window opens files without pydantic. Every mismatch is a
``UserError`` that names the place and what was expected.
"""

from __future__ import annotations

import dataclasses
import json
import math
import types
import typing
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar, cast

from fabricwright.units.errors import UserError
from fabricwright.units.natural import natural_key
from fabricwright.units.record import record
from fabricwright.units.table import Table
from fabricwright.units.text import Message, msg

T = TypeVar("T")
Reader = Callable[[Any], Any]
_MISSING = object()


class _MismatchError(Exception):
    """A value of the wrong shape. ``path`` grows from the inside out while the exception travels."""

    def __init__(self, problem: Callable[[str], Message]) -> None:
        super().__init__()
        self.problem = problem
        self.path: list[str] = []


@record
class _Field:
    name: str
    json: str
    hint: Any
    default: object
    tag: str


@cache
def _fields(cls: type) -> tuple[_Field, ...]:
    hints = typing.get_type_hints(cls)
    out = []
    for f in dataclasses.fields(cls):
        default: object = _MISSING
        if f.default is not dataclasses.MISSING:
            default = f.default
        elif f.default_factory is not dataclasses.MISSING:
            default = f.default_factory()
        out.append(
            _Field(f.name, f.metadata.get("json", f.name), hints[f.name], default, f.metadata.get("tag", "electrical"))
        )
    return tuple(out)


# -- writing ----------------------------------------------------------------------------------------------------------


def to_json(value: object, *, electrical_only: bool = False) -> Any:
    """JSON-ready form of a row, a table or a scalar. Fields keep their order, rows of a table stand in natural order.

    ``electrical_only`` leaves out fields tagged naming or drawing: what cache keys are made of.
    """
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
    for f in _fields(cast(Any, type(value))):
        part = getattr(value, f.name)
        if f.name == "extra":
            extra = part
        elif electrical_only and f.tag != "electrical":
            continue
        elif f.default is _MISSING or part != f.default or type(part) is not type(f.default):
            out[f.json] = to_json(part, electrical_only=electrical_only)
    for key in sorted(extra, key=natural_key):
        out.setdefault(key, to_json(extra[key]))
    return out


def canonical(value: object) -> bytes:
    """Canonical JSON of the electrical fields."""
    return json.dumps(
        to_json(value, electrical_only=True), ensure_ascii=False, sort_keys=True, separators=(",", ":")
    ).encode()


# -- reading ----------------------------------------------------------------------------------------------------------


def from_json(cls: type[T], data: object, where: str = "") -> T:
    """Build a ``cls`` from parsed JSON. ``where`` is the place of ``data`` in errors. Raises UserError."""
    return cast(T, decode(cls, data, where))


def decode(hint: Any, data: object, where: str = "") -> object:
    """Value of any type that fields may have, from parsed JSON. Raises UserError."""
    try:
        return reader(hint)(data)
    except _MismatchError as wrong:
        place = where
        for step in reversed(wrong.path):
            place += step if step.startswith("[") else f".{step}" if place else step
        raise UserError(wrong.problem(place or "file")) from None


@cache
def reader(hint: Any) -> Reader:
    """Compiled reader of a type annotation."""
    origin = typing.get_origin(hint)
    args = typing.get_args(hint)
    if dataclasses.is_dataclass(hint):
        return _row_reader(cast(type, hint))
    if origin is Table:
        return _table_reader(reader(args[0]))
    if origin in (types.UnionType, typing.Union):
        return _union_reader(args)
    if origin is tuple:
        return (
            _list_reader(reader(args[0]))
            if len(args) == 2 and args[1] is Ellipsis
            else _fixed_reader([reader(a) for a in args])
        )
    if hint in (object, Any):
        return freeze
    if hint is float:
        return _float
    if hint is int:
        return _int
    for kind, text in ((bool, "true or false"), (str, "a text"), (types.NoneType, "null")):
        if hint is kind:
            return _exact_reader(kind, text)
    raise TypeError(f"no reader for {hint}")


def _row_reader(cls: type) -> Reader:
    fields = {f.json: (f.name, f.hint) for f in _fields(cls) if f.name != "extra"}
    required = [f.json for f in _fields(cls) if f.default is _MISSING]
    keeps_extra = any(f.name == "extra" for f in _fields(cls))
    readers: dict[str, tuple[str, Reader]] = {}

    def read(data: Any) -> Any:
        if not isinstance(data, Mapping):
            raise _wrong("an object", data)
        if not readers:
            readers.update({key: (name, reader(hint)) for key, (name, hint) in fields.items()})
        values: dict[str, Any] = {}
        extra: dict[str, object] = {}
        key = ""
        try:
            for key, value in data.items():
                known = readers.get(key)
                if known is not None:
                    values[known[0]] = known[1](value)
                elif keeps_extra:
                    extra[key] = freeze(value)
        except _MismatchError as wrong:
            wrong.path.append(key)
            raise
        for name in required:
            if name not in data:
                raise _missing(name)
        if extra:
            values["extra"] = Table(extra)
        return cls(**values)

    return read


def _table_reader(row: Reader) -> Reader:
    def read(data: Any) -> Any:
        if not isinstance(data, Mapping):
            raise _wrong("an object", data)
        out: dict[str, Any] = {}
        key = ""
        try:
            for key, value in data.items():
                out[key] = row(value)
        except _MismatchError as wrong:
            wrong.path.append(str(key))
            raise
        return Table(out)

    return read


def _list_reader(row: Reader) -> Reader:
    def read(data: Any) -> Any:
        if not isinstance(data, (list, tuple)):
            raise _wrong("a list", data)
        out: list[Any] = []
        try:
            for value in data:
                out.append(row(value))
        except _MismatchError as wrong:
            wrong.path.append(f"[{len(out)}]")
            raise
        return tuple(out)

    return read


def _fixed_reader(rows: list[Reader]) -> Reader:
    def read(data: Any) -> Any:
        if not isinstance(data, (list, tuple)) or len(data) != len(rows):
            raise _wrong(f"a list of {len(rows)}", data)
        out: list[Any] = []
        try:
            for row, value in zip(rows, data, strict=True):
                out.append(row(value))
        except _MismatchError as wrong:
            wrong.path.append(f"[{len(out)}]")
            raise
        return tuple(out)

    return read


def _union_reader(options: tuple[Any, ...]) -> Reader:
    scalars = {o for o in options if o in (str, int, float, bool, types.NoneType)}
    readers: list[Reader] = []

    def read(data: Any) -> Any:
        if type(data) in scalars and (type(data) is not float or math.isfinite(data)):
            return data
        if not readers:
            readers.extend(reader(o) for o in options)
        failed: _MismatchError | None = None
        for option in readers:
            try:
                return option(data)
            except _MismatchError as wrong:
                failed = failed or wrong
        raise failed or _wrong("another type", data)

    return read


def _float(data: Any) -> float:
    if isinstance(data, (int, float)) and not isinstance(data, bool) and abs(data) < 1e300:
        return float(data)
    raise _wrong("a number", data)


def _int(data: Any) -> int:
    if isinstance(data, int) and not isinstance(data, bool):
        return data
    if isinstance(data, float) and data.is_integer():
        return int(data)
    raise _wrong("a whole number", data)


def _exact_reader(kind: type, text: str) -> Reader:
    def read(data: Any) -> Any:
        if type(data) is kind:
            return data
        raise _wrong(text, data)

    return read


def _missing(key: str) -> _MismatchError:
    return _MismatchError(lambda where: msg("{where}: '{key}' is missing.", where=where, key=key))


def _wrong(expected: str, data: object) -> _MismatchError:
    shown = json.dumps(data, ensure_ascii=False, default=str)
    shown = shown if len(shown) <= 60 else shown[:59] + "…"
    return _MismatchError(
        lambda where: msg("{where}: expected {expected}, found {found}.", where=where, expected=expected, found=shown)
    )


def freeze(data: object) -> object:
    """Parsed JSON of unknown shape as immutable values."""
    kind = type(data)
    if kind is str or kind is int or kind is float:  # most of what there is
        return data
    if isinstance(data, (list, tuple)):
        return tuple(map(freeze, data))
    if isinstance(data, Mapping):
        return Table({str(k): freeze(v) for k, v in data.items()})
    return data
