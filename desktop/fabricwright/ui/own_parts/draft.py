"""A part while its form is open: a plain row of fields, what is wrong with it, and how it stands to its base.

Nothing is saved before ``save``. Texts that cannot be a value yet (``abc`` lanes) are kept as typed under their place
and are a problem like any other, so that nothing typed is lost and nothing wrong is saved.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal

from fabricwright.catalog import own
from fabricwright.catalog.own_check import FieldProblem, figure_shape
from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import Catalogue, catalogue
from fabricwright.units import codec
from fabricwright.units.errors import UserError
from fabricwright.units.natural import natural_key
from fabricwright.units.text import Message, msg

LANGUAGES = ("en", "zh_CN")
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?")


class Draft(QObject):
    """``changed`` after every edit; then ``problems`` is up to date.

    ``base_id`` is the part it was made from ("" for none); ``editing`` says that ``part_id`` is one of the user's own
    already and is replaced; ``free_kind`` that the kind is a guess that may be corrected.
    """

    changed = Signal()

    def __init__(
        self,
        part_id: str,
        part: Part,
        *,
        editing: bool = False,
        free_kind: bool = False,
        store: Catalogue | None = None,
    ) -> None:
        super().__init__()
        self.store = store or catalogue()
        self.part_id = part_id
        self.editing = editing
        self.free_kind = free_kind
        self.row: dict[str, Any] = dict(codec.to_json(part))
        self.base_id = own.based_on(part)
        start = self.store.get(self.base_id) if self.base_id in self.store else part
        self.base_names = {lang: start.names.get(lang) or "" for lang in LANGUAGES}
        self._first = {name: dict(row) for name, row in self.row.get("figures", {}).items()}
        self._bad: dict[str, tuple[str, Message]] = {}
        self.problems: list[FieldProblem] = []
        self._dirty = False
        self._check()

    # -- reading ------------------------------------------------------------------------------------------------------

    @property
    def dirty(self) -> bool:
        """Whether anything was changed since the form opened."""
        return self._dirty

    def text(self, field: str) -> str:
        """A text field of the part itself ("vendor"), a name ("names.en"), or "id"."""
        if field == "id":
            return self.part_id
        head, _, lang = field.partition(".")
        value = self.row.get(head, "")
        if lang:
            value = value.get(lang, "") if isinstance(value, Mapping) else ""
        return str(value or ("engineering" if field == "confidence" else ""))

    def table(self, name: str) -> dict[str, Any]:
        """Rows of cages, ports, slots, modes or figures; empty when there are none."""
        found = self.row.get(name)
        return found if isinstance(found, dict) else {}

    def typed(self, place: str) -> str | None:
        """The text that stands at a place although it cannot be a value; None when there is none."""
        found = self._bad.get(place)
        return found[0] if found else None

    def problems_at(self, place: str) -> list[Message]:
        """What is wrong with a place or anything inside it."""
        return [p.message for p in self.problems if p.place == place or p.place.startswith(f"{place}.")]

    def part(self) -> Part:
        """The part as it stands. Raises ``UserError`` when a field has the wrong shape."""
        return codec.from_json(Part, self.row, self.part_id)

    # -- writing ------------------------------------------------------------------------------------------------------

    def set_text(self, field: str, value: str) -> None:
        """Write a text field. A name typed in one language stands for the other, while that one is untouched."""
        if value == self.text(field):
            return
        if field == "id":
            self.part_id = value
        elif field.startswith("names."):
            lang = field.partition(".")[2]
            names = dict(self.table("names"))
            other = LANGUAGES[1 - LANGUAGES.index(lang)]
            if names.get(other, "") in ("", self.base_names[other], names.get(lang, "")):
                names[other] = value
            names[lang] = value
            self.row["names"] = names
        else:
            self.row[field] = value
        self.touch()

    def set_row(self, table: str, name: str, row: dict[str, Any] | None) -> None:
        """Put, exchange or (None) remove one row of a table, without telling: call ``touch`` when all is written."""
        rows = dict(self.table(table))
        if row is None:
            rows.pop(name, None)
            self.forget(f"{table}.{name}")
        else:
            rows[name] = row
        self.row[table] = rows

    def put_bad(self, place: str, text: str, message: Message) -> None:
        """Keep a text that is no value, with what was expected."""
        self._bad[place] = (text, message)

    def forget(self, place: str) -> None:
        """Drop what was kept at a place and inside it."""
        for key in [k for k in self._bad if k == place or k.startswith(f"{place}.")]:
            del self._bad[key]

    def touch(self) -> None:
        """Check again and tell."""
        self._dirty = True
        self._check()
        self.changed.emit()

    # -- figures ------------------------------------------------------------------------------------------------------

    def set_figure(self, name: str, text: str) -> None:
        """Write a figure's value from what was typed. A changed value is the user's until they say otherwise; one that
        is changed back has its old source again."""
        row = dict(self.table("figures").get(name, {}))
        unit = self.store.figure_info(name).get("unit", "")
        value = read_value(text, figure_shape(name, self.store), unit)
        row["value"] = value
        first = self._first.get(name)
        untouched = first is None or provenance(row) == provenance(first)
        if first is not None and value == first.get("value"):
            if provenance(row) == (own.ORIGIN, "engineering"):
                row["source"], row["confidence"] = provenance(first)
        elif untouched:
            row.update(source=own.ORIGIN, confidence="engineering")
        self.set_row("figures", name, row)
        self.touch()

    def set_figure_field(self, name: str, field: str, value: str) -> None:
        """Write a figure's source or confidence."""
        self.set_row("figures", name, {**self.table("figures").get(name, {}), field: value})
        self.touch()

    def add_figure(self, name: str) -> None:
        """A figure that the part does not state yet, empty: it is a problem until it has a value."""
        shape = figure_shape(name, self.store)
        empty: object = [] if shape.endswith("s") else False if shape == "flag" else ""
        self.set_row("figures", name, {"value": empty, "source": own.ORIGIN, "confidence": "engineering"})
        self.touch()

    def remove_figure(self, name: str) -> None:
        """Leave a figure out."""
        self.set_row("figures", name, None)
        self.touch()

    # -- the end ------------------------------------------------------------------------------------------------------

    def _check(self) -> None:
        found = [FieldProblem(place, message) for place, (_, message) in self._bad.items()]
        if not self.editing and self.part_id in self.store.own_ids():
            message = msg("You have a part '{part}' already; choose another id.", part=self.part_id)
            found.append(FieldProblem("id", message))
        for name, row in self.table("figures").items():
            if row.get("value") in ("", [], None):
                found.append(FieldProblem(f"figures.{name}", msg("state a value or remove the figure.")))
        try:
            part = self.part()
        except UserError as error:
            found.append(FieldProblem("", error.message))
        else:
            found += own.validate(self.part_id, part, self.store)
        self.problems = _each_once(found)

    def save(self) -> str:
        """Keep the part among the user's own; its id. ``UserError`` when it is not sound or cannot be written."""
        if self.problems:
            raise UserError(self.problems[0].message)
        own.save(self.part_id, self.part(), replace_own=self.editing)
        self._dirty = False
        return self.part_id


def provenance(row: Mapping[str, Any]) -> tuple[Any, Any]:
    """(source, confidence) of a stored figure, as its row says it."""
    return row.get("source", ""), row.get("confidence", "engineering")


def _each_once(found: list[FieldProblem]) -> list[FieldProblem]:
    """One sentence per place: that the figure is missing is enough, without that "" is no number."""
    out: dict[str, FieldProblem] = {}
    for problem in found:
        key = problem.place or problem.message.english()
        out.setdefault(key, problem)
    return list(out.values())


def read_number(text: str) -> int | float | None:
    """``1,200`` or ``0.5``; None when it is no number."""
    plain = text.strip().replace("\u2212", "-")
    if _THOUSANDS.fullmatch(plain):
        plain = plain.replace(",", "")
    try:
        return int(plain) if re.fullmatch(r"[+-]?\d{1,15}", plain) else float(plain)
    except ValueError:
        return None


def read_value(text: str, shape: str, unit: str = "") -> Any:
    """What was typed as the value of a figure of that shape; the text itself where it is none (the check says so)."""
    words = text.strip()
    if unit and words.endswith(unit):
        words = words[: -len(unit)].strip()
    if shape == "number":
        found = read_number(words)
        return words if found is None else found
    if shape == "flag":
        return {"true": True, "false": False}.get(words.casefold(), words)
    if shape.endswith("s"):
        cells = [cell.strip() for cell in re.split(r"[,;\uff0c\u3001\uff1b]", words) if cell.strip()]
        if shape == "texts":
            return cells
        return [cell if (number := read_number(cell)) is None else number for cell in cells]
    return words


def shown_value(value: object) -> str:
    """A value as it is typed: lists with commas, numbers in full."""
    if isinstance(value, (list, tuple)):
        return ", ".join(shown_value(v) for v in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return "" if value is None else str(value)


def free_figures(draft: Draft) -> list[str]:
    """Declared figures that the part does not state: those that parts of its kind state first."""
    store = draft.store
    kind = draft.text("kind")
    near: dict[str, None] = {}
    for part_id in store.kinds().get(kind, ()):
        near.update(dict.fromkeys(store.get(part_id).figures))
    names = [n for n in store.figure_names() if n not in draft.table("figures")]
    return sorted(names, key=lambda name: (name not in near, natural_key(name)))
