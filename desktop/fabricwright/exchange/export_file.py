"""What an export to another tool is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from fabricwright.design.values import Project
from fabricwright.units.text import Message


@dataclass(frozen=True, slots=True)
class ExportFile:
    """One file: a plain name without folders, its bytes."""

    name: str
    data: bytes


class Maker(Protocol):
    """Makes the files of a design; what people read in them is in ``lang``."""

    def __call__(self, project: Project, design: str, lang: str = "en", /) -> list[ExportFile]: ...


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A format: ``name`` as ``--to`` says it, what it is, ``suffix`` of its files, how they are made. ``single`` it is
    always one file, and then the path that is named; else a folder is. Raises UserError when the design has nothing of
    the kind.
    """

    name: str
    title: Message
    suffix: str
    single: bool
    make: Maker
