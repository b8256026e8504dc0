"""The text of a grid: fields of a design x values, and what is wanted of every variant.

Written inline, ``FIELD=VALUE,...; FIELD=FROM..TO:STEP; metrics=NAME,...; template=ID``, or as a file (``@grid.json``,
``@grid.toml``) with ``fields`` (name -> list or text), ``metrics`` and ``template``. Not yet held against a project;
see ``fabricwright.analysis.sweep``.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fabricwright.design.field_values import number_of
from fabricwright.design.templates import TEMPLATES
from fabricwright.units import limits
from fabricwright.units.errors import UserError
from fabricwright.units.reading import read_file
from fabricwright.units.text import msg

MOST_VALUES = 100_000
MOST_FILE_BYTES = limits.GRID_BYTES


@dataclass(frozen=True, slots=True)
class GridText:
    """A grid as it was written: ``fields`` name -> values, not yet held against a project."""

    fields: Mapping[str, tuple[object, ...]]
    metrics: tuple[str, ...] = ()
    template: str = ""

    def to_json(self) -> dict[str, object]:
        """What a file holds."""
        fields = {name: list(values) for name, values in self.fields.items()}
        return {"fields": fields, "metrics": list(self.metrics), "template": self.template}


def read_grid(spec: str) -> GridText:
    """A grid from its text or from the file that ``@`` names. Raises UserError."""
    return _of_file(spec[1:].strip()) if spec.startswith("@") else parse_grid(spec)


def parse_grid(text: str) -> GridText:
    """An inline grid. Raises UserError naming the piece that is not understood."""
    fields: dict[str, tuple[object, ...]] = {}
    metrics: list[str] = []
    template = ""
    for piece in _split(text, ";"):
        if not piece.strip():
            continue
        name, sign, rest = piece.partition("=")
        name = name.strip()
        if not sign or not name:
            raise UserError(msg("Grid: expected FIELD=VALUE,..., found '{text}'.", text=piece.strip()[:80]))
        words = [word.strip() for word in _split(rest, ",")]
        if not any(words):
            raise UserError(msg("Grid: field '{field}' has no values.", field=name[:80]))
        if not all(words):
            raise UserError(msg("Grid: field '{field}' has an empty value between its commas.", field=name[:80]))
        if name == "metrics":
            metrics += words
        elif name == "template":
            template = _one(words)
        else:
            _add(fields, name, [value for word in words for value in expand(name, word)])
    return _whole(fields, metrics, template)


def _one(words: Sequence[str]) -> str:
    if len(words) != 1:
        raise UserError(msg("Grid: one template is expected, found {words}.", words=list(words)[:4]))
    return words[0]


def _add(fields: dict[str, tuple[object, ...]], name: str, values: Sequence[object]) -> None:
    if name in fields:
        raise UserError(msg("Grid: field '{field}' is given twice.", field=name[:80]))
    if not values:
        raise UserError(msg("Grid: field '{field}' has no values.", field=name[:80]))
    if len(values) > MOST_VALUES:
        raise UserError(
            msg("Grid: field '{field}' has more than {most} values.", field=name[:80], most=f"{MOST_VALUES:,}")
        )
    fields[name] = tuple(values)


def _whole(fields: dict[str, tuple[object, ...]], metrics: Sequence[str], template: str) -> GridText:
    if not fields:
        raise UserError(msg("Grid: no field is given; expected FIELD=VALUE,... such as settings.ecmp.qps=1,4,16."))
    if template and template not in TEMPLATES:
        raise UserError(
            msg("There is no template '{template}'; expected one of {known}.", template=template, known=list(TEMPLATES))
        )
    return GridText(fields, tuple(dict.fromkeys(metrics)), template)


def _split(text: str, at: str) -> Iterator[str]:
    """Pieces between separators that stand in no double quotes; the quotes are left out."""
    piece, quoted = "", False
    for letter in text:
        if letter == '"':
            quoted = not quoted
            piece += letter if at == ";" else ""
        elif letter == at and not quoted:
            yield piece
            piece = ""
        else:
            piece += letter
    if quoted:
        raise UserError(msg("Grid: a double quote is not closed in '{text}'.", text=text.strip()[:80]))
    yield piece


def expand(name: str, word: str) -> Sequence[object]:
    """``8``, or all of ``FROM..TO`` and ``FROM..TO:STEP`` (both ends included where the step meets them)."""
    low, dots, rest = word.partition("..")
    if not dots:
        return (word,)
    high, colon, by = rest.partition(":")
    start, stop, step = number_of(low.strip()), number_of(high.strip()), number_of(by.strip()) if colon else 1
    if start is None or stop is None or step is None:
        return (word,)
    if step <= 0 or stop < start:
        raise UserError(
            msg("Grid: field '{field}': '{text}' is an empty range; expected FROM..TO:STEP.", field=name, text=word)
        )
    count = math.floor((stop - start) / step * (1 + 1e-12) + 1e-9) + 1
    if count > MOST_VALUES:
        raise UserError(msg("Grid: field '{field}' has more than {most} values.", field=name, most=f"{MOST_VALUES:,}"))
    values = [start + n * step for n in range(count)]
    return [v if isinstance(v, int) else round(v, 12) for v in values]


def _of_file(path: str) -> GridText:
    data = read_file(path, MOST_FILE_BYTES)
    try:
        text = data.decode("utf-8-sig")
        parsed = tomllib.loads(text) if path.lower().endswith(".toml") else json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())[:160]
        raise UserError(msg("{file}: is no JSON or TOML ({reason}).", file=path, reason=reason)) from error
    try:
        return grid_of(parsed)
    except UserError as error:
        raise UserError(msg("{file}: {problem}", file=path, problem=error.message)) from error


def grid_of(parsed: object) -> GridText:
    """A grid from plain values, as ``GridText.to_json`` gives them. Raises UserError."""
    if not isinstance(parsed, Mapping) or not isinstance(parsed.get("fields"), Mapping):
        raise UserError(msg("Grid: expected an object with 'fields', each a list of values."))
    unknown = [key for key in parsed if key not in ("fields", "metrics", "template")]
    if unknown:
        raise UserError(
            msg("Grid: '{key}' is not known; expected fields, metrics, template.", key=str(unknown[0])[:60])
        )
    fields: dict[str, tuple[object, ...]] = {}
    for name, given in parsed["fields"].items():
        values = list(given) if isinstance(given, (list, tuple)) else [given]
        _add(fields, str(name), [v for value in values for v in _values(str(name), value)])
    metrics = parsed.get("metrics") or ()
    if isinstance(metrics, str):
        metrics = [word.strip() for word in metrics.split(",")]
    if not isinstance(metrics, (list, tuple)) or not all(isinstance(word, str) for word in metrics):
        raise UserError(msg("Grid: 'metrics' is expected to be a list of names."))
    return _whole(fields, tuple(metrics), str(parsed.get("template") or ""))


def _values(name: str, value: object) -> Sequence[object]:
    if isinstance(value, str) and not value.strip():
        raise UserError(msg("Grid: field '{field}' has an empty value.", field=name[:80]))
    return expand(name, value.strip()) if isinstance(value, str) else (value,)
