"""Sizing for the window: a requirement comes in, alternatives go out one by one, and one of them becomes an edit.

Frames in: ``size`` {id, requirement, most, sizes}, ``size_take`` {id, alternative, title}; a ``size`` without
requirement takes the last one back. Frames out: ``sized`` {id, alternative: row of ``size --json``, title: message} for
each as it is ready, ``sized`` {id, done: true, rows: all of them, with the Pareto front} at the end or {id, error:
message}; ``size_taken`` {id, alternative, patch} or, when the project is not there yet, {..., project: text of a file}.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from fabricwright.analysis.alternatives import MOST, Alternative, add_to, alternatives
from fabricwright.analysis.figures import GIB
from fabricwright.analysis.protocol import pack
from fabricwright.design.patch import patch_to_json
from fabricwright.design.storage import dumps
from fabricwright.design.values import Project
from fabricwright.sizing.draw import draw
from fabricwright.sizing.requirement import Requirement
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg


class SizeRequests:
    """What was asked and what was found last. ``send`` takes a frame, ``checkpoint`` may raise to stop; what was asked
    then stays asked, and starts over."""

    def __init__(self, send: Callable[[bytes], None], checkpoint: Callable[[], None]) -> None:
        self._send = send
        self._checkpoint = checkpoint
        self._asked: dict[str, Any] | None = None
        self._take: dict[str, Any] | None = None
        self._told = 0
        self._found: dict[str, Alternative] = {}

    def take(self, header: Mapping[str, Any]) -> None:
        """A frame from the window."""
        if header["type"] == "size":
            self._asked = dict(header) if header.get("requirement") else None
            self._found, self._told, self._take = {}, 0, None
        else:
            self._take = dict(header)

    def answer(self, project: Project | None) -> None:
        """Answer what is still open."""
        if self._asked is not None:
            self._size(self._asked)
            self._asked = None
        if self._take is not None:
            asked, self._take = self._take, None
            self._send(pack({"type": "size_taken", "id": asked.get("id"), **self._taken(asked, project)}))

    def _size(self, asked: dict[str, Any]) -> None:
        head = {"type": "sized", "id": asked.get("id")}
        try:
            wanted = requirement_from_json(asked["requirement"])
            sizes = tuple(int(n) for n in asked.get("sizes") or (GIB,))
            found = alternatives(
                wanted,
                most=int(asked.get("most") or MOST),
                sizes=sizes,
                checkpoint=self._checkpoint,
                done=lambda one: self._ready(head, one),
            )
        except UserError as error:
            self._send(pack({**head, "error": error.message.to_json()}))
            return
        self._found = {one.id: one for one in found}
        self._send(pack({**head, "done": True, "rows": [one.to_json() for one in found]}))

    def _ready(self, head: dict[str, Any], one: Alternative) -> None:
        number = int(one.id[1:])
        if number > self._told:  # started over, it tells only what is new
            self._told = number
            self._send(pack({**head, "alternative": one.to_json(), "title": one.title.to_json()}))

    def _taken(self, asked: Mapping[str, Any], project: Project | None) -> dict[str, Any]:
        name, title = str(asked.get("alternative", "")), str(asked.get("title", ""))
        one = self._found.get(name)
        answer: dict[str, Any] = {"alternative": name}
        try:
            if one is None:
                raise UserError(msg("There is no alternative '{name}'; size again.", name=name[:20]))
            if project is None or asked.get("new"):
                drawn = draw(one.choice, title or one.title.english())
                return {**answer, "project": dumps(drawn.project).decode("utf-8")}
            return {**answer, "patch": patch_to_json(add_to(project, one, title))}
        except UserError as error:
            return {**answer, "error": error.message.to_json()}


def requirement_from_json(data: object) -> Requirement:
    """A requirement from plain values by field name. Raises UserError for an unknown name or another type of value."""
    if not isinstance(data, Mapping):
        raise UserError(msg("The requirement is not a set of named values."))
    known = {f.name: f.default for f in fields(Requirement)}
    values: dict[str, Any] = {}
    for name, value in data.items():
        default = known.get(name)
        if name not in known:
            raise UserError(msg("'{word}' is not one of {known}.", word=str(name)[:60], known=list(known)))
        if isinstance(default, tuple):
            fits = isinstance(value, (list, tuple))
            fits = fits and all(isinstance(v, (int, float) if name == "oversubscription" else str) for v in value)
            value = tuple(value) if fits else value
        elif isinstance(default, float):
            fits = isinstance(value, (int, float)) and not isinstance(value, bool)
        else:
            fits = isinstance(value, type(default)) and not isinstance(value, bool)
        if not fits:
            raise UserError(msg("{field}: {value} is not of the kind expected.", field=name, value=str(value)[:60]))
        values[name] = value
    return Requirement(**values)
