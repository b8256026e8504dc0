"""The project file: JSON, UTF-8, one row per line, written atomically, read with suspicion.

Unknown keys survive; a newer version is refused untouched; anything wrong is one ``UserError`` naming file and place.
The writer is deterministic: equal projects give equal bytes.
"""

from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path
from typing import Any

from fabricwright.design.adopt import adopt_parts
from fabricwright.design.check_values import check
from fabricwright.design.file_state import FileState, state_of
from fabricwright.design.migrations import migrated
from fabricwright.design.values import Design, Project, Sheet
from fabricwright.units import codec, limits
from fabricwright.units.errors import UserError
from fabricwright.units.files import BACKUP, NotConfirmedError, patiently, replace_file, system_path
from fabricwright.units.natural import natural_key
from fabricwright.units.os_reasons import reason_of
from fabricwright.units.reading import finite, json_depth, refuse_half_characters, some_bytes
from fabricwright.units.text import Message, msg

FORMAT = "fabricwright-project"
VERSION = 1
MAX_FILE_BYTES = limits.PROJECT_BYTES
MAX_DEPTH = limits.PROJECT_DEPTH
MAX_ROWS = limits.PROJECT_ROWS


# -- writing ----------------------------------------------------------------------------------------------------------


def dumps(project: Project) -> bytes:
    """The file's bytes: one row per line, defaults omitted, natural order."""
    lines = ["{" + f'"format":{_j(FORMAT)},"version":{VERSION}']
    head = codec.to_json(dataclasses.replace(project, designs=type(project.designs)(), parts=type(project.parts)()))
    body: dict[str, str] = {}
    for key, value in head.items():
        if key in ("title", "meta"):
            lines[0] += f",{_j(key)}:{_j(value)}"
        elif isinstance(value, dict) and value and all(isinstance(v, dict) for v in value.values()):
            body[key] = _table(value, 1)
        else:
            body[key] = _j(value)
    if project.designs:
        rows = [f"{_j(k)}:{_design(project.designs[k])}" for k in sorted(project.designs, key=natural_key)]
        body["designs"] = "{" + ",".join("\n" + row for row in rows) + "}"
    if project.parts:
        body["parts"] = _table({k: codec.to_json(project.parts[k]) for k in project.parts}, 1)
    order = ["designs", "workloads", "statements", "prices", "stock", "ordering", "profiles", "jobs"]
    order += ["approvals", "parts", "images", "snapshots"]
    for key in [*[k for k in order if k in body], *sorted(set(body) - set(order), key=natural_key)]:
        lines[-1] += ","
        lines.append(f"{_j(key)}:{body[key]}")
    # Half a character can come from a paste; saving must not fail for it.
    return ("\n".join(lines) + "}\n").encode("utf-8", "replace")


def _design(design: Design) -> str:
    plain = codec.to_json(dataclasses.replace(design, sheets=type(design.sheets)()))
    text = ",".join(f"{_j(k)}:{_j(v)}" for k, v in plain.items())
    rows = [f" {_j(k)}:{_sheet(design.sheets[k])}" for k in sorted(design.sheets, key=natural_key)]
    sheets = '"sheets":{' + ",".join("\n" + row for row in rows) + "}" if rows else ""
    return "{" + ",".join(t for t in (text, sheets) if t) + "}"


def _sheet(sheet: Sheet) -> str:
    plain: dict[str, Any] = codec.to_json(sheet)
    # Kind and chassis are written even where they are the default: a sheet should say what it is.
    plain = {"kind": sheet.kind, **{k: v for k, v in plain.items() if k != "kind"}}
    pieces = []
    for key, value in plain.items():
        is_table = isinstance(value, dict) and value and all(isinstance(v, dict) for v in value.values())
        pieces.append(f"\n  {_j(key)}:{_table(value, 3)}" if is_table else f"{_j(key)}:{_j(value)}")
    return "{" + ",".join(pieces) + "}"


def _table(rows: dict[str, Any], indent: int) -> str:
    pad = " " * indent
    return "{" + ",".join(f"\n{pad}{_j(k)}:{_j(rows[k])}" for k in sorted(rows, key=natural_key)) + "}"


def _j(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def save(project: Project, path: str | Path, *, backup: bool = False) -> FileState:
    """Write a project file, see ``write_bytes``. Returns what was written, for ``file_state.changed_since``."""
    try:
        data = dumps(project)
    except (ValueError, TypeError) as error:
        raise UserError(
            msg("{file}: cannot be written, since the project holds a value that no file can hold.", file=str(path))
        ) from error
    if len(data) > MAX_FILE_BYTES or data.count(b"{") + data.count(b"[") > MAX_ROWS:
        raise UserError(  # written it would be lost: nobody could open it again
            msg(
                "{file}: would be too large to be opened again ({size} MB, at most {limit} MB); delete snapshots or "
                "pictures first.",
                file=str(path),
                size=-(-len(data) // 1_000_000),
                limit=MAX_FILE_BYTES // 1_000_000,
            )
        )
    write_bytes(data, path, backup=backup)
    return state_of(data)


def write_bytes(data: bytes, path: str | Path, *, backup: bool = False) -> None:
    """Write atomically (``units.files.replace_file``). A failure leaves the old file; ``backup`` keeps it anyway."""
    try:
        replace_file(path, data, backup=backup)
    except NotConfirmedError as error:
        raise UserError(
            msg(
                "{file}: was written, but the disk did not confirm it ({reason}).",
                file=str(path),
                reason=reason_of(error),
            )
        ) from error
    except (OSError, ValueError) as error:
        kept = str(getattr(error, "filename2", None) or "")
        if kept.endswith(BACKUP):
            raise UserError(
                msg(
                    "{file}: cannot be written, since the version before cannot be kept as {name} ({reason}).",
                    file=str(path),
                    name=os.path.basename(kept),
                    reason=reason_of(error),
                )
            ) from error
        raise UserError(
            msg(
                "{file}: cannot be written ({reason}); the previous file is untouched.",
                file=str(path),
                reason=reason_of(error),
            )
        ) from error


# -- reading ----------------------------------------------------------------------------------------------------------


def load(path: str | Path) -> Project:
    """Read a project file. Raises UserError naming the file and the place; never returns half a project."""
    return loads(read_bytes(path), str(path))


def load_with_state(path: str | Path) -> tuple[Project, FileState]:
    """``load``, and what the file was: a later save knows by it whether somebody else wrote meanwhile."""
    data = read_bytes(path)
    return loads(data, str(path)), state_of(data)


def read_bytes(path: str | Path) -> bytes:
    """The bytes of a project file, bounded. Raises UserError."""
    name = str(path)
    path = system_path(path)
    try:
        if os.path.isdir(path):
            raise UserError(msg("{file}: is a folder; expected a project file (*.fwproj).", file=name))
        data = patiently(lambda: some_bytes(path, MAX_FILE_BYTES + 1))
        if len(data) > MAX_FILE_BYTES:
            raise UserError(
                msg(
                    "{file}: is {size} MB; expected a project file of at most {limit} MB.",
                    file=name,
                    size=max(os.stat(path).st_size, len(data)) // 1_000_000,
                    limit=MAX_FILE_BYTES // 1_000_000,
                )
            )
    except FileNotFoundError as error:
        raise UserError(msg("{file}: no such file.", file=name)) from error
    except (OSError, ValueError) as error:
        raise UserError(msg("{file}: cannot be read ({reason}).", file=name, reason=reason_of(error))) from error
    return data


def loads(data: bytes, name: str = "project") -> Project:
    """Project from the bytes of a file; ``name`` is what errors call it."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(
            msg("{file}: byte {byte} is not UTF-8; expected a JSON text in UTF-8.", file=name, byte=error.start)
        ) from error
    if not text.strip():
        raise UserError(msg("{file}: is empty and so not valid JSON; expected a project file (*.fwproj).", file=name))
    _check_depth(text, name)
    try:
        parsed = json.loads(
            text,
            object_pairs_hook=_no_duplicates,
            parse_constant=_no_constants,
            parse_float=finite,
        )
    except json.JSONDecodeError as error:
        raise UserError(
            msg(
                "{file}: line {line}, column {column}: not valid JSON ({reason}); is the file cut off?",
                file=name,
                line=error.lineno,
                column=error.colno,
                reason=error.msg,
            )
        ) from error
    except RecursionError as error:
        raise UserError(msg("{file}: is nested deeper than {limit} levels.", file=name, limit=MAX_DEPTH)) from error
    except ValueError as error:
        reason: Message | str = str(error)
        if "set_int_max_str_digits" in str(error):
            reason = msg("a number has thousands of digits")
        raise UserError(msg("{file}: {reason}.", file=name, reason=reason)) from error
    refuse_half_characters(text, parsed, name)
    return _from_parsed(parsed, name)


def _from_parsed(parsed: object, name: str) -> Project:
    if not isinstance(parsed, dict) or parsed.get("format") != FORMAT:
        raise UserError(
            msg(
                '{file}: is not a Fabricwright project; expected "format":"{format}" at the top.',
                file=name,
                format=FORMAT,
            )
        )
    version = parsed.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise UserError(msg("{file}: version: expected a whole number from 1.", file=name))
    if version > VERSION:
        raise UserError(
            msg(
                "{file}: file version {version} is newer than this program reads ({known}); it is left untouched.",
                file=name,
                version=version,
                known=VERSION,
            )
        )
    try:
        rest = migrated(parsed, version, VERSION)
        project = adopt_parts(codec.from_json(Project, rest))
    except UserError as error:
        raise UserError(msg("{file}: {problem}", file=name, problem=error.message)) from error
    problems = check(project)
    if problems:
        more: Message | str = msg(" ({count} more)", count=len(problems) - 1) if len(problems) > 1 else ""
        raise UserError(msg("{file}: {problem}{more}", file=name, problem=problems[0], more=more))
    return project


def _check_depth(text: str, name: str) -> None:
    """Depth of nesting without recursion, so that a hostile file cannot exhaust the stack; and how many rows there may
    be at most."""
    rows = text.count("[") + text.count("{")
    if rows > MAX_DEPTH and json_depth(text, MAX_DEPTH) > MAX_DEPTH:
        raise UserError(msg("{file}: is nested deeper than {limit} levels.", file=name, limit=MAX_DEPTH))
    if rows > MAX_ROWS:
        raise UserError(msg("{file}: holds more than {limit} rows.", file=name, limit=MAX_ROWS))


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ValueError(f"'{key[:60]}' stands twice in one object")
            seen.add(key)
    return out


def _no_constants(text: str) -> float:
    raise ValueError(f"{text} is not a number that JSON allows")
