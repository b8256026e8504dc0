"""Sizing for the window: a requirement comes in, alternatives go out one by one, and one of them becomes an edit.

Frames in: ``size`` {id, requirement, most, sizes}, ``size_take`` {id, alternative (or alternatives: several), title,
new}; a ``size`` without requirement takes the last one back, one with ``look`` only asks what the best network is.
Frames out: ``sized`` {id, alternative: row of ``size --json`` and more, title: message} for each as it is ready,
``sized`` {id, done: true, rows: all of them, with the Pareto front} at the end, {id, look: row without figures}, or
{id, error: message, changes: those of ``nearest``, searching: they come in the next frame}; ``size_taken`` {id,
alternative, patch} or, for a new project, {..., project: text of a file}.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any

from fabricwright.analysis.alternatives import Alternative, add_to, alternatives
from fabricwright.analysis.cache import StageCache
from fabricwright.analysis.figures import GIB
from fabricwright.analysis.protocol import pack
from fabricwright.analysis.size_limits import MOST
from fabricwright.design.patch import Patch, PatchBuilder, apply, patch_to_json
from fabricwright.design.storage import dumps
from fabricwright.design.values import Project
from fabricwright.sizing.choices import Choice, size
from fabricwright.sizing.draw import draw
from fabricwright.sizing.nearest import nearest
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
        self._told = (False, 0)
        self._cache = StageCache()
        self._found: dict[str, Alternative] = {}

    def take(self, header: Mapping[str, Any]) -> None:
        """A frame from the window."""
        if header["type"] == "size":
            self._asked = dict(header) if header.get("requirement") else None
            self._told, self._take, self._cache = (False, 0), None, StageCache()
            if header.get("requirement") and not header.get("look"):
                self._found = {}
        else:
            self._take = dict(header)

    def answer(self, project: Project | None) -> None:
        """Answer what is still open."""
        if self._asked is not None:
            self._size(self._asked, project)
            self._asked = None
        if self._take is not None:
            asked, self._take = self._take, None
            self._send(pack({"type": "size_taken", "id": asked.get("id"), **self._taken(asked, project)}))

    def _size(self, asked: dict[str, Any], project: Project | None) -> None:
        head = {"type": "sized", "id": asked.get("id")}
        try:
            wanted = requirement_from_json(asked["requirement"])
            if asked.get("look"):
                self._send(pack({**head, "look": _row(size(wanted)[0])}))
                return
            sizes = tuple(int(n) for n in asked.get("sizes") or (GIB,))
            found = alternatives(
                wanted,
                most=int(asked.get("most") or MOST),
                sizes=sizes,
                checkpoint=self._checkpoint,
                done=lambda one: self._ready(head, one),
                cache=self._cache,
                priced_as=project,
            )
        except UserError as error:
            changes: list[object] = []
            self._send(pack({**head, "error": error.message.to_json(), "changes": changes, "searching": True}))
            try:
                wanted = requirement_from_json(asked["requirement"])
                changes = [c.to_json() for c in nearest(wanted, self._checkpoint)]
            except UserError:
                pass
            self._send(pack({**head, "error": error.message.to_json(), "changes": changes}))
            return
        self._found = {one.id: one for one in found}
        self._send(pack({**head, "done": True, "rows": [_told(one) for one in found]}))

    def _ready(self, head: dict[str, Any], one: Alternative) -> None:
        self._found[one.id] = one  # it can be taken before all are ready
        stage = (one.figures is not None and one.figures.worst_failure_ratio is not None, int(one.id[1:]))
        if stage > self._told:  # started over, it tells only what is new
            self._told = stage
            self._send(pack({**head, "alternative": _told(one), "title": one.title.to_json()}))

    def _taken(self, asked: Mapping[str, Any], project: Project | None) -> dict[str, Any]:
        names = [str(n) for n in asked.get("alternatives") or (asked.get("alternative", ""),)]
        title, lang = str(asked.get("title", "")), str(asked.get("lang", "en"))
        answer: dict[str, Any] = {"alternative": names[0]}
        try:
            chosen = [self._one(name) for name in names]
            first = chosen[0]
            if project is None or asked.get("new"):
                drawn = draw(first.choice, title or first.title.text(lang), lang).project
                if project is not None:
                    drawn = replace(drawn, prices=project.prices, ordering=project.ordering)
                if len(chosen) > 1:
                    drawn = apply(drawn, _added(drawn, chosen[1:], "", lang))
                return {**answer, "project": dumps(drawn).decode("utf-8")}
            return {**answer, "patch": patch_to_json(_added(project, chosen, title, lang))}
        except UserError as error:
            return {**answer, "error": error.message.to_json()}

    def _one(self, name: str) -> Alternative:
        if name not in self._found:
            raise UserError(msg("There is no alternative '{name}'; size again.", name=name[:20]))
        return self._found[name]


def _added(project: Project, chosen: list[Alternative], title: str, lang: str) -> Patch:
    """Designs put into a project as one edit; the first is called ``title``, others as they are called in ``lang``."""
    if len(chosen) == 1:
        return add_to(project, chosen[0], title, lang)
    builder = PatchBuilder(project)
    for n, one in enumerate(chosen):
        builder.include(add_to(builder.project, one, "" if n else title, lang))
    return builder.patch("Add design")


def _row(choice: Choice) -> dict[str, object]:
    """A choice that was only counted, in the form of ``size --json``."""
    return _told(Alternative("a0", choice, None, None))


def _told(one: Alternative) -> dict[str, object]:
    """Row of ``size --json`` with what people read as messages: ``title``, ``remarks``, ``growth_warning``."""
    grows = one.choice.growth
    figures = one.figures
    return {
        **one.to_json(),
        "title": one.title.to_json(),
        "remarks": [note.to_json() for note in one.notes],
        "growth_warning": grows.blocked.to_json() if grows is not None and grows.blocked is not None else None,
        "currency": figures.currency if figures is not None else "",
        "fabric_cost": figures.fabric_price if figures is not None else None,
        "gbps": one.choice.offer.gbps,
        "ports": len(one.choice.offer.ports),
        "gpus_per_server": one.choice.offer.gpus,
    }


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
