"""The folder of an export pack: what may be written over, the list of what is in it, files that appear whole.

``manifest.json`` lists every file of a pack with its SHA-256. A later pack into the same folder replaces what an
earlier one wrote and takes away what it no longer has; what a person put there or changed is never touched.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fabricwright.cli.output import write_file
from fabricwright.units.errors import UserError
from fabricwright.units.os_reasons import reason_of
from fabricwright.units.text import Message, msg

MANIFEST = "manifest.json"
README = "README.txt"
FORMAT = "fabricwright-pack"
VERSION = 1
MOST_MANIFEST = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Packed:
    """A file of the pack: path below the folder with "/", the job and kind it is of, its bytes."""

    name: str
    job: str
    kind: str
    data: bytes

    @property
    def sha256(self) -> str:
        """Checksum in hex."""
        return hashlib.sha256(self.data).hexdigest()


def earlier(folder: Path) -> dict[str, str]:
    """File -> SHA-256 of the pack that lies in the folder; empty where there is none."""
    path = folder / MANIFEST
    try:
        if not path.is_file() or path.stat().st_size > MOST_MANIFEST:
            return {}
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(found, dict) or found.get("format") != FORMAT or not isinstance(found.get("files"), list):
        return {}
    out = {}
    for row in found["files"]:
        if isinstance(row, dict) and isinstance(row.get("name"), str) and isinstance(row.get("sha256"), str):
            parts = row["name"].split("/")
            if all(part not in ("", ".", "..") and "\\" not in part and ":" not in part for part in parts):
                out[row["name"]] = row["sha256"]
    return out


def check_folder(folder: Path, names: Sequence[str], *, replace: bool) -> None:
    """Raises UserError when a file of the pack would overwrite what no pack wrote, or what was changed since."""
    if folder.exists() and not folder.is_dir():
        raise UserError(msg("{file}: is a file; expected a folder.", file=str(folder)))
    if replace:
        return
    known = earlier(folder)
    for name in (*names, README, MANIFEST):
        path = folder / name
        if not path.exists():
            continue
        if name == MANIFEST:
            if not known and path.stat().st_size:
                raise _in_the_way(path)
            continue
        if not path.is_file() or _sum(path) != known.get(name):
            raise _in_the_way(path)


def _in_the_way(path: Path) -> UserError:
    return UserError(
        msg(
            "{file}: is there already and was not written by an export pack, or was changed since; choose another "
            "folder, or --replace.",
            file=str(path),
        )
    )


def _sum(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def write_pack(folder: Path, files: Sequence[Packed], manifest: Mapping[str, object], readme: str) -> list[str]:
    """Write all files, the list last; returns what was taken away. Raises UserError."""
    before = earlier(folder)
    notes = Packed(README, "", "", readme.encode())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in (*files, notes):
            (folder / file.name).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(
            msg("{file}: cannot be a folder ({problem}).", file=str(folder), problem=reason_of(error))
        ) from error
    for file in (*files, notes):
        write_file(str(folder / file.name), file.data)
    gone = []
    kept = {file.name for file in (*files, notes)}
    for name, checksum in sorted(before.items()):
        path = folder / name
        inside = path.resolve().is_relative_to(folder.resolve())  # a folder below may be a link to somewhere else
        if name not in kept and inside and path.is_file() and not path.is_symlink() and _sum(path) == checksum:
            with contextlib.suppress(OSError):
                path.unlink()
                gone.append(name)
            with contextlib.suppress(OSError):
                if path.parent != folder:
                    os.rmdir(path.parent)
    rows = [
        {"name": f.name, "job": f.job, "kind": f.kind, "bytes": len(f.data), "sha256": f.sha256}
        for f in (*files, notes)
    ]
    document = {"format": FORMAT, "version": VERSION, **manifest, "files": rows}
    write_file(str(folder / MANIFEST), (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode())
    return gone


def readme_text(head: Sequence[tuple[Message, str]], rows: Sequence[tuple[str, Message]], lang: str) -> str:
    """What is in the folder, for people: facts, then a line for each file."""
    lines = [msg("Export pack of Fabricwright").text(lang), ""]
    colon = "：" if lang.startswith("zh") else ": "
    lines += [f"{name.text(lang)}{colon}{value}" for name, value in head if value]
    lines += ["", msg("Files").text(lang)]
    lines += [f"  {name}  -  {what.text(lang)}" for name, what in rows]
    lines += ["", msg("manifest.json lists the SHA-256 of every file.").text(lang), ""]
    return "\n".join(lines)
