"""The catalogue's shape as pydantic models, derived from the dataclasses of ``parts`` so that there is one definition.

Used when the catalogue is baked and by ``catalog check``; the window never imports this module.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Mapping
from functools import cache
from types import UnionType
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from fabricwright.catalog.parts import CONFIDENCES, Part
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from fabricwright.units.text import msg

Confidence = Literal["read", "engineering", "inferred"]
Medium = Literal["eth", "ib", "pcie", "cxl", "nvlink", "c2c", "socket", "dmi", "mgmt"]
Role = Literal["net", "up", "down", "root", "nv", "peer"]

_WORDS: dict[str, Any] = {"confidence": Confidence, "medium": Medium, "role": Role}
assert typing.get_args(Confidence) == CONFIDENCES


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Open(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)


@cache
def model_of(cls: type, open_: bool = False) -> type[BaseModel]:
    """Pydantic model of one dataclass: same fields, tables as objects, tuples as lists.

    Unknown keys are refused (the catalogue's sources), or with ``open_`` allowed (project files keep them).
    """
    hints = typing.get_type_hints(cls)
    fields: dict[str, Any] = {}
    for f in dataclasses.fields(cls):
        if f.name == "extra" or (f.name == "origin" and not open_):
            continue
        hint = (None if open_ else _WORDS.get(f.name)) or _translate(hints[f.name], open_)
        required = f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING
        fields[f.name] = (hint, Field(..., alias=f.metadata.get("json"))) if required else (hint, _default(f))
    model: type[BaseModel] = create_model(cls.__name__, __base__=_Open if open_ else _Strict, **fields)
    return model


def _default(f: dataclasses.Field[Any]) -> Any:
    """Default in JSON's terms, so that the published schema tells the truth."""
    value = f.default if f.default is not dataclasses.MISSING else {}
    alias = f.metadata.get("json")
    if isinstance(value, (tuple, dict)):
        return Field(default_factory=lambda: list(value) if isinstance(value, tuple) else {}, alias=alias)
    return Field(default=value, alias=alias)


def _translate(hint: Any, open_: bool) -> Any:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if dataclasses.is_dataclass(hint):
        return model_of(typing.cast(type, hint), open_)
    if origin is Table:
        return dict[str, _translate(args[0], open_)]  # type: ignore[misc]
    if origin is tuple:
        # JSON and YAML have lists only; fixed tuples (an axis) are checked for length by the decoder.
        inner = [_translate(a, open_) for a in args if a is not Ellipsis]
        return list[typing.Union[tuple(inner)]]  # type: ignore[misc]  # noqa: UP007
    if origin in (UnionType, typing.Union):
        return typing.Union[tuple(_translate(a, open_) for a in args)]  # noqa: UP007
    return hint


def validate(part_id: str, row: Mapping[str, Any], place: str) -> None:
    """Check one resolved part. ``place`` is the file named in the message. ``UserError`` for the first mistake."""
    try:
        model_of(Part).model_validate(row)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        steps = [str(s) for s in first["loc"] if not _is_branch(s)]
        where = ".".join([part_id, *steps])
        if first["type"] == "extra_forbidden":
            problem = msg("{place}: {where} is not a known key.", place=place, where=where)
        elif first["type"] == "missing":
            problem = msg("{place}: {where} is missing.", place=place, where=where)
        else:
            found = repr(first.get("input"))[:60]
            problem = msg(
                "{place}: {where} is {found}: {expected}.", place=place, where=where, found=found, expected=first["msg"]
            )
        raise UserError(problem) from None


def _is_branch(step: object) -> bool:
    """Pydantic names the tried branch of a union in the path; people do not need it."""
    return isinstance(step, str) and (step in ("str", "int", "float", "bool") or "[" in step)


def json_schema() -> dict[str, Any]:
    """JSON Schema of one full part, as it stands in ``parts`` of a project file."""
    schema = model_of(Part).model_json_schema()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "Fabricwright part"
    return schema
