"""The catalogue: the shipped parts, one JSON file read once, and the user's own laid beside them; parts are built when
they are asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from fabricwright.catalog.overlay import Raw, resolve
from fabricwright.catalog.parts import Part
from fabricwright.resources import resource_path, user_data_path
from fabricwright.units import codec
from fabricwright.units.errors import UserError
from fabricwright.units.natural import natural_key
from fabricwright.units.text import N_, msg, translate

FORMAT = "fabricwright-catalogue"
OWN_FILE = "own_parts.json"
"""Name of the file of the user's own parts in the user's data folder (``catalog.own``)."""

UNPUBLISHED = (
    N_("stated by the user"),
    N_("engineering knowledge, not read in a source: verify against a datasheet before quoting"),
    N_("table link_latency of this catalogue (engineering knowledge)"),
    N_("worked example in the documentation of this program (docs/document-model.md)"),
)
"""What sources.yaml calls the sources that nobody published, marked for translation."""


class Catalogue:
    """Parts by id. ``version`` is that of the data, ``digest`` the content's; both go into a project part's origin."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._shipped: Mapping[str, Raw] = data["parts"]
        self._own: Mapping[str, Raw] = {}
        self._parts: Mapping[str, Raw] = self._shipped
        self._data = data
        self.version: str = data["version"]
        self.digest: str = data["digest"]
        self._built: dict[str, Part] = {}
        self._full: dict[str, Raw] = {}
        self._text: dict[str, str] = {}
        self._kinds: dict[str, tuple[str, ...]] | None = None
        self._ids: tuple[str, ...] = tuple(sorted(self._parts, key=natural_key))

    def ids(self) -> tuple[str, ...]:
        """All part ids in natural order."""
        return self._ids

    def set_own(self, rows: Mapping[str, Raw]) -> None:
        """Lay the user's own parts (full JSON form) beside the shipped ones; those laid before are dropped.

        A shipped id is never replaced: an own part with such an id is left out (``catalog.own`` says so to the user).
        """
        for part_id in {*self._own, *rows} - set(self._shipped):
            self._built.pop(part_id, None)
            self._full.pop(part_id, None)
        self._own = {part_id: row for part_id, row in rows.items() if part_id not in self._shipped}
        self._parts = {**self._shipped, **self._own}
        self._ids = tuple(sorted(self._parts, key=natural_key))
        self._text = {}
        self._kinds = None

    def with_rows(self, rows: Mapping[str, Raw]) -> Catalogue:
        """Another catalogue of the same shipped parts with ``rows`` among the user's own; this one stays as it is."""
        other = Catalogue(self._data)
        other.set_own({**self._own, **rows})
        return other

    def own_ids(self) -> tuple[str, ...]:
        """Ids of the user's own parts in natural order."""
        return tuple(sorted(self._own, key=natural_key))

    def is_shipped(self, part_id: str) -> bool:
        """Whether the id is one of the program's own catalogue."""
        return part_id in self._shipped

    def __contains__(self, part_id: object) -> bool:
        return part_id in self._parts

    def kinds(self) -> Mapping[str, tuple[str, ...]]:
        """Kind -> ids in natural order."""
        if self._kinds is not None:
            return self._kinds
        out: dict[str, list[str]] = {}
        for part_id in self._ids:
            out.setdefault(self._parts[part_id]["kind"], []).append(part_id)
        self._kinds = {kind: tuple(ids) for kind, ids in sorted(out.items())}
        return self._kinds

    def kind_of(self, part_id: str) -> str:
        """Kind of a part, without building it."""
        return str(self._row(part_id)["kind"])

    def name_of(self, part_id: str, lang: str = "en") -> str:
        """Display name, without building the part; English when ``lang`` has none."""
        names = self._row(part_id).get("names", {})
        return str(names.get(lang) or names.get("en") or part_id)

    def get(self, part_id: str) -> Part:
        """The part, the same object on every call. ``UserError`` names the nearest ids when there is none."""
        part = self._built.get(part_id)
        if part is None:
            part = self._built[part_id] = codec.from_json(Part, self.raw(part_id), part_id)
        return part

    def raw(self, part_id: str) -> Raw:
        """Full JSON form of a part (shorthands resolved). Do not change it."""
        full = self._full.get(part_id)
        if full is None:
            self._row(part_id)
            own = self._own.get(part_id)  # full form already: its keys are no shorthands
            full = self._full[part_id] = own if own is not None else resolve(part_id, self._shipped)
        return full

    def needs(self, part_id: str) -> tuple[str, ...]:
        """The part and every part inside it, to be embedded together in a project; natural order, itself first."""
        found = [part_id]
        for current in found:
            part = self.get(current)
            inside = (
                [row for item in part.interior.items.values() for row in (item.of, item.chip_part)]
                if part.interior
                else []
            )
            inside.append(part.word("chip_part"))
            found += [p for p in dict.fromkeys(inside) if p and p not in found and p in self._parts]
        return (part_id, *sorted(found[1:], key=natural_key))

    def copies(self, part_id: str) -> dict[str, Part]:
        """The part and every part inside it as a project embeds them: each says where it came from."""
        found = {needed: self.get(needed) for needed in self.needs(part_id)}
        return {k: part if part.origin else replace(part, origin=self.origin()) for k, part in found.items()}

    def origin(self) -> str:
        """What a project writes as the origin of a part that it took from here."""
        return f"catalogue {self.version} {self.digest[:12]}"

    def search(self, text: str, lang: str = "en") -> list[str]:
        """Ids whose id, names, vendor, model or kind hold every word of ``text``; those that start with it first.

        An empty text gives all ids.
        """
        wanted = text.casefold().split()
        if not wanted:
            return list(self._ids)
        if not self._text:
            self._text = {part_id: _haystack(part_id, row) for part_id, row in self._parts.items()}
        hits = [p for p in self._ids if all(w in self._text[p] for w in wanted)]
        whole = " ".join(wanted)

        def rank(part_id: str) -> int:
            words = part_id.replace("-", " ")
            if words.startswith(whole.replace("-", " ")):
                return 0
            if self.name_of(part_id, lang).casefold().startswith(whole):
                return 1
            return 2 if all(w in part_id for w in wanted) else 3

        return sorted(hits, key=rank)

    def source_text(self, source: str, lang: str = "en") -> str:
        """``"mleng, EK"`` spelled out; words that are no key of the source list stay as they are. Titles are as they
        were published; what is no publication is said in ``lang``."""
        sources: Mapping[str, str] = self._data.get("sources", {})
        keys = [s.strip() for s in source.split(",")]
        return "; ".join(translate(sources.get(k, k), lang) for k in keys if k)

    def figure_names(self) -> tuple[str, ...]:
        """Names of all declared figures, natural order."""
        return tuple(sorted(self._data.get("figures", {}), key=natural_key))

    def figure_info(self, figure: str) -> Mapping[str, str]:
        """``en``, ``zh_CN`` label and ``unit`` of a figure name; empty when it is not declared."""
        found: Mapping[str, str] = self._data.get("figures", {}).get(figure, {})
        return found

    def table(self, name: str) -> Mapping[str, Any]:
        """A reference table (cage_types, pcie_loss_db, cem ...; see tables.yaml). KeyError for another name."""
        found: Mapping[str, Any] = self._data["tables"][name]
        return found

    def _row(self, part_id: str) -> Raw:
        row = self._parts.get(part_id)
        if row is not None:
            return row
        import difflib  # only for the message: ten milliseconds that a start does not need

        near = difflib.get_close_matches(part_id.casefold(), self._ids, n=3, cutoff=0.6)
        if near:
            raise UserError(
                msg("There is no part '{part}' in the catalogue; nearest: {near}.", part=part_id, near=near)
            )
        raise UserError(msg("There is no part '{part}' in the catalogue.", part=part_id))


def _haystack(part_id: str, row: Raw) -> str:
    names = row.get("names", {}).values()
    return " ".join([part_id, row["kind"], row.get("vendor", ""), row.get("model", ""), *names]).casefold()


def load(path: Path) -> Catalogue:
    """Read a baked catalogue. Raises ``UserError`` when the file is missing or is something else."""
    try:
        data = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise UserError(msg("The parts catalogue {file} is missing: run 'make bake'.", file=path.name)) from None
    except (OSError, ValueError):
        raise UserError(
            msg("The parts catalogue {file} cannot be read: run 'make bake' again.", file=path.name)
        ) from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise UserError(msg("{file} is not a parts catalogue: run 'make bake' again.", file=path.name))
    return Catalogue(data)


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    """The catalogue that ships with the program and the user's own parts, read on first use.

    Own parts that cannot be read are left out; ``catalog.own.problems()`` says which and why.
    """
    store = load(resource_path("catalog", "catalog.json"))
    if user_data_path(OWN_FILE).exists():
        from fabricwright.catalog import own  # that module needs this one; most people have no such file

        store.set_own(own.stored_rows(store))
    return store
