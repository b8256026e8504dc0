"""Addresses: one grammar for findings, approvals, the command line, selection and cable labels.

address = [design "!"] item ["[" set "]"] { "/" item ["[" set "]"] } [":" port]
cable   = link "#" row
"""

from __future__ import annotations

import re
from itertools import islice

from fabricwright.design.indexset import IndexSet
from fabricwright.units.errors import UserError
from fabricwright.units.record import record
from fabricwright.units.text import msg

_ID = r"[a-z][a-z0-9-]*"
_STEP = re.compile(rf"^({_ID})(?:\[([^\]]*)\])?$")
_CABLE = re.compile(rf"^({_ID})#(\d+)$", re.ASCII)
ID = re.compile(rf"^{_ID}$")


@record
class Step:
    """One item on the way, with the members meant (None = all). ``raw`` keeps coordinates until the axes are known."""

    item: str
    members: IndexSet | None = None
    raw: str = ""

    def __str__(self) -> str:
        if self.members is not None:
            return f"{self.item}[{self.members}]"
        return f"{self.item}[{self.raw}]" if self.raw else self.item


@record
class Address:
    """A place in a design. ``cable`` is the row of a link bundle (then ``steps`` holds the link id)."""

    steps: tuple[Step, ...] = ()
    port: str = ""
    design: str = ""
    cable: int | None = None

    def __str__(self) -> str:
        prefix = f"{self.design}!" if self.design else ""
        if self.cable is not None:
            return f"{prefix}{self.steps[0].item}#{self.cable}"
        path = "/".join(str(step) for step in self.steps)
        return prefix + path + (f":{self.port}" if self.port else "")

    def bare(self) -> str:
        """Without index sets and design: the form that finding keys are made of."""
        path = "/".join(step.item for step in self.steps)
        return path + (f":{self.port}" if self.port else "")

    @property
    def item(self) -> str:
        """First item (or link) id, "" for an address of the whole design."""
        return self.steps[0].item if self.steps else ""


def address(*items: str, port: str = "", members: IndexSet | None = None, design: str = "") -> Address:
    """Build an address; ``members`` belong to the first item."""
    steps = tuple(Step(item, members if n == 0 else None) for n, item in enumerate(items))
    return Address(steps, port, design)


def parse_address(text: str) -> Address:
    """Parse; raises UserError with the grammar when it does not fit. Coordinates stay in ``Step.raw``."""
    design, bang, rest = text.strip().partition("!")
    if not bang:
        design, rest = "", text.strip()
    if bang and not ID.match(design):
        raise _bad(text)
    cable = _CABLE.match(rest)
    if cable:
        return Address((Step(cable[1]),), "", design, int(cable[2]))
    if not rest and bang:
        return Address((), "", design)
    path, colon, port = rest.partition(":")
    if colon and not port:
        raise _bad(text)
    steps = []
    for piece in _split_path(path):
        match = _STEP.match(piece)
        if not match:
            raise _bad(text)
        inner = match[2]
        if inner is None:
            steps.append(Step(match[1]))
        elif "=" in inner:
            steps.append(Step(match[1], None, inner))
        else:
            steps.append(Step(match[1], IndexSet.parse(inner)))
    if not steps:
        raise _bad(text)
    return Address(tuple(steps), port, design)


def _split_path(path: str) -> list[str]:
    return re.split(r"/(?![^\[]*\])", path)


def _bad(text: str) -> UserError:
    return UserError(
        msg(
            "Address '{text}' is not understood; expected item[members]/item:port, such as node[41]/nic0:2.",
            text=text,
        )
    )


_RUN = re.compile(r"^([A-Za-z-]*)(\d+)-([A-Za-z-]*)(\d+)$", re.ASCII)
MAX_PORTS = 100_000


def expand_ports(text: str) -> list[str]:
    """Port names of a range text, in order: ``1-32/1-2`` -> 1/1, 1/2, 2/1 ...; ``d1-d4``; ``1,3``.

    A run is recognised when both sides are bare numbers (``1-32``) or carry the same letters (``d1-d4``); ``u2-0`` is
    a name.
    Expansion stops at ``MAX_PORTS`` names so that a hostile range costs nothing.
    """
    if text.isascii() and text.replace("/", "").isalnum() and text[0] != "/":
        return [text]  # one port, as most links of a drawing name them
    names: list[str] = []
    for piece in text.split(","):
        combos = [""]
        for part in piece.strip().split("/"):
            options = _options(part)
            named = (f"{c}/{o}" if c else o for c in combos for o in options)
            combos = list(islice(named, MAX_PORTS))
        names.extend(combos)
        if len(names) > MAX_PORTS:
            break
    return names[:MAX_PORTS]


def _options(part: str) -> list[str]:
    match = _RUN.match(part)
    if not match:
        return [part]
    prefix, lo, second, hi = match[1], int(match[2]), match[3], int(match[4])
    if second != prefix or hi < lo or (prefix == "" and part.startswith("0")):
        return [part]
    return [f"{prefix}{n}" for n in range(lo, min(hi, lo + MAX_PORTS) + 1)]


def split_end(end: str) -> tuple[str, str]:
    """``leaf:1-32/1-2`` -> ("leaf", "1-32/1-2"); the port text is "" when there is none."""
    item, _, ports = end.partition(":")
    return item, ports
