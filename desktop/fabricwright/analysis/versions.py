"""Two versions of a project file: which designs are each other's, how each differs, and what else differs."""

from __future__ import annotations

from dataclasses import dataclass

from fabricwright.analysis.analyze import analyze
from fabricwright.analysis.cache import StageCache
from fabricwright.analysis.compare import Comparison, Side, compare
from fabricwright.design.diff import diff
from fabricwright.design.order import designs_in_order
from fabricwright.design.patch import ABSENT
from fabricwright.design.values import Project

BESIDE = ("designs", "images", "snapshots", "extra")
"""Fields of a project that are not told row by row: designs are compared, the others say nothing to a reader."""


@dataclass(frozen=True, slots=True)
class OtherRow:
    """A row of the project outside its designs: ``kind`` removed, added or changed."""

    table: str
    id: str
    kind: str

    def to_json(self) -> dict[str, object]:
        """Plain values."""
        return {"table": self.table, "id": self.id, "kind": self.kind}


@dataclass(frozen=True, slots=True)
class Versions:
    """Two files. ``compared`` one comparison per pair of designs that differ, ``equal`` ids of those that do not,
    ``removed``/``added`` designs that only the first or second file has.
    """

    files: tuple[str, str]
    compared: tuple[Comparison, ...]
    equal: tuple[str, ...]
    removed: tuple[str, ...]
    added: tuple[str, ...]
    other: tuple[OtherRow, ...]

    @property
    def empty(self) -> bool:
        """Whether the two are the same document."""
        return not (self.compared or self.removed or self.added or self.other)

    def to_json(self, lang: str = "en") -> dict[str, object]:
        """The document of ``diff --json``."""
        return {
            "files": list(self.files),
            "empty": self.empty,
            "designs": [c.to_json(lang) for c in self.compared],
            "equal": list(self.equal),
            "removed": list(self.removed),
            "added": list(self.added),
            "other": [row.to_json() for row in self.other],
        }


def design_pairs(a: Project, b: Project) -> list[tuple[str, str]]:
    """Designs of two files that belong together: equal ids; where no id is shared, the first with the first."""
    shared = [(name, name) for name in designs_in_order(a) if name in b.designs]
    if shared or not a.designs or not b.designs:
        return shared
    return [(designs_in_order(a)[0], designs_in_order(b)[0])]


def compare_versions(a: Project, b: Project, files: tuple[str, str], n_bytes: int) -> Versions:
    """Compare two files design by design. Raises UserError for a design that cannot be compiled."""
    caches = StageCache(), StageCache()
    pairs = design_pairs(a, b)
    same_parts = not any(c.path[0] in ("parts", "statements", "prices", "approvals") for c in diff(a, b).changes)
    compared, equal = [], []
    for x, y in pairs:
        if x == y and same_parts and a.designs[x] == b.designs[y]:
            equal.append(x)
            continue
        sides = (
            Side(analyze(a, x, cache=caches[0]), files[0]),
            Side(analyze(b, y, cache=caches[1]), files[1]),
        )
        compared.append(compare(sides, n_bytes))
    left, right = {x for x, _ in pairs}, {y for _, y in pairs}
    return Versions(
        files,
        tuple(compared),
        tuple(equal),
        tuple(name for name in designs_in_order(a) if name not in left),
        tuple(name for name in designs_in_order(b) if name not in right),
        other_rows(a, b),
    )


def other_rows(a: Project, b: Project) -> tuple[OtherRow, ...]:
    """Rows and fields of the project itself that differ: statements, workloads, prices, parts, title ..."""
    out: list[OtherRow] = []
    for change in diff(a, b).changes:
        if change.path[0] not in BESIDE:
            kind = "added" if change.old is ABSENT else "removed" if change.new is ABSENT else "changed"
            out.append(OtherRow(change.path[0], "/".join(change.path[1:]), kind))
    return tuple(out)
