"""Bake ``resources/catalog/**.yaml`` into ``catalog.json``: ``python -m fabricwright.catalog.bake``.

Every part is resolved, validated (unknown keys, wrong types, undeclared figures, unknown references) and checked
(lanes, feeds, links, cages); the first mistake stops the bake with one sentence that names file and place.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from fabricwright.catalog.check import check_part
from fabricwright.catalog.overlay import Raw, resolve
from fabricwright.catalog.parts import Part
from fabricwright.catalog.schema import json_schema, validate
from fabricwright.catalog.store import FORMAT
from fabricwright.resources import resource_path
from fabricwright.units import codec
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

META_FILES = ("about.yaml", "sources.yaml", "figures.yaml", "tables.yaml")
PART_FIGURES = ("gpu", "dimm_part", "aux_cable", "chip_part")  # figures whose value is a part id


class _Loader(yaml.SafeLoader):
    """Safe YAML that refuses a key written twice."""


def _mapping(loader: _Loader, node: yaml.MappingNode) -> dict[Any, Any]:
    seen: dict[Any, Any] = {}
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node, deep=True)
        if key in seen:
            raise yaml.MarkedYAMLError(problem=f"the key {key} is written twice", problem_mark=key_node.start_mark)
        seen[key] = loader.construct_object(value_node, deep=True)
    return seen


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def read_yaml(path: Path, root: Path) -> dict[str, Any]:
    """One YAML file as a mapping with text keys. Raises ``UserError`` naming file and line."""
    place = path.relative_to(root).as_posix()
    try:
        data = yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)
    except UnicodeDecodeError:
        raise UserError(msg("{place}: the file is not UTF-8 text.", place=place)) from None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        raise UserError(
            msg("{place}, line {line}: {problem}.", place=place, line=line, problem=error.problem or "not YAML")
        ) from None
    if not isinstance(data, dict):
        raise UserError(msg("{place}: expected a mapping of ids to parts.", place=place))
    _text_keys(data, place, "")
    return data


def _text_keys(value: Any, place: str, where: str) -> None:
    if isinstance(value, dict):
        for key, row in value.items():
            if not isinstance(key, str):
                raise UserError(
                    msg(
                        "{place}: write the key {key} of {where} in quotes.",
                        place=place,
                        key=str(key),
                        where=where or "the file",
                    )
                )
            _text_keys(row, place, f"{where}.{key}" if where else key)
    elif isinstance(value, list):
        for row in value:
            _text_keys(row, place, where)


def read_sources(root: Path) -> tuple[dict[str, Raw], dict[str, str], dict[str, dict[str, Any]]]:
    """All YAML below ``root``: shorthand parts by id, the file of each, and the four meta files by stem."""
    parts: dict[str, Raw] = {}
    places: dict[str, str] = {}
    meta: dict[str, dict[str, Any]] = {}
    for path in sorted(root.rglob("*.yaml")):
        data = read_yaml(path, root)
        place = path.relative_to(root).as_posix()
        if place in META_FILES:
            meta[path.stem] = data
            continue
        for part_id, row in data.items():
            if not isinstance(row, dict) or "kind" not in row:
                raise UserError(msg("{place}: {part} must be a mapping with a 'kind'.", place=place, part=part_id))
            if part_id in parts:
                raise UserError(
                    msg("{place}: {part} is already in {other}.", place=place, part=part_id, other=places[part_id])
                )
            parts[part_id] = row
            places[part_id] = place
    for name in META_FILES:
        if Path(name).stem not in meta:
            raise UserError(msg("{place} is missing from the catalogue.", place=name))
    return parts, places, meta


def build(root: Path) -> dict[str, Any]:
    """The baked catalogue of the YAML files in ``root``. Raises ``UserError`` for the first mistake."""
    parts, places, meta = read_sources(root)
    built = {part_id: _build_part(part_id, parts, places[part_id]) for part_id in parts}
    for part_id, part in built.items():
        _check_references(part_id, part, built, meta, places[part_id])
        problems = check_part(part_id, part, built)
        if problems:
            first = problems[0].message
            raise UserError(msg("{place}: {part}: {problem}.", place=places[part_id], part=part_id, problem=first))
    body = {"sources": meta["sources"], "figures": meta["figures"], "tables": meta["tables"], "parts": parts}
    text = json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    digest = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
    return {"format": FORMAT, "version": str(meta["about"]["version"]), "digest": digest, **body}


def _build_part(part_id: str, parts: Mapping[str, Raw], place: str) -> Part:
    full = resolve(part_id, parts)
    validate(part_id, full, place)
    return codec.from_json(Part, full, part_id)


def _check_references(part_id: str, part: Part, known: Mapping[str, Part], meta: Mapping[str, Any], place: str) -> None:
    for figure in part.figures:
        if figure not in meta["figures"]:
            raise UserError(
                msg(
                    "{place}: {part} has a figure '{figure}' that figures.yaml does not declare.",
                    place=place,
                    part=part_id,
                    figure=figure,
                )
            )
    for lang in ("en", "zh_CN"):
        if not part.names.get(lang):
            raise UserError(msg("{place}: {part} has no name in {lang}.", place=place, part=part_id, lang=lang))
    if not part.source:
        raise UserError(msg("{place}: {part} names no source.", place=place, part=part_id))
    wanted = [part.word(f) for f in PART_FIGURES]
    if part.interior:
        wanted += [ref for item in part.interior.items.values() for ref in (item.of, item.chip_part)]
    cage_types = meta["tables"]["cage_types"]
    for cage in part.cages.values():
        if cage.type not in cage_types:
            raise UserError(
                msg("{place}: {part} has a cage of unknown type {type}.", place=place, part=part_id, type=cage.type)
            )
    for ref in wanted:
        if ref and ref not in known:
            raise UserError(
                msg(
                    "{place}: {part} refers to {ref}, which is not in the catalogue.",
                    place=place,
                    part=part_id,
                    ref=ref,
                )
            )


def write_atomically(path: Path, text: str) -> None:
    """Replace ``path`` in one step, so that a reader never sees half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(f".{os.getpid()}.tmp")
    temporary.write_text(text, encoding="utf-8")
    os.replace(temporary, path)


def bake(root: Path | None = None, target: Path | None = None) -> dict[str, Any]:
    """Build the catalogue and write it (default: ``resources/catalog/catalog.json``). Returns what was written."""
    root = root or resource_path("catalog")
    data = build(root)
    write_atomically(target or root / "catalog.json", json.dumps(data, ensure_ascii=False, separators=(",", ":")))
    return data


def main() -> int:
    """Command line entry: 0, or 2 with one sentence on stderr."""
    try:
        data = bake()
        schema = json.dumps(json_schema(), ensure_ascii=False, indent=1, sort_keys=True) + "\n"
        write_atomically(resource_path("schema", "catalog.schema.json"), schema)
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"catalogue {data['version']} {data['digest'][:12]}: {len(data['parts'])} parts")
    return 0


if __name__ == "__main__":
    sys.exit(main())
