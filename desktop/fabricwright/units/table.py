"""Immutable mapping id -> row, the shape of every collection in the document.

A change copies the table once and shares every row. Order carries no meaning: two tables with the same rows are equal,
and files are written in natural order.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import Generic, TypeVar, overload

from fabricwright.units.natural import natural_key

V = TypeVar("V")
D = TypeVar("D")


class Table(Mapping[str, V], Generic[V]):
    """Immutable mapping. ``memo`` is a place for values derived from this very table (cache keys)."""

    __slots__ = ("_rows", "memo")

    def __init__(self, rows: Mapping[str, V] | None = None) -> None:
        self._rows: dict[str, V] = dict(rows) if rows else {}
        self.memo: dict[str, object] = {}

    def __getitem__(self, key: str) -> V:
        return self._rows[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, key: object) -> bool:
        return key in self._rows

    # The views and ``get`` of the rows themselves: those that Mapping makes of ``__getitem__`` are many times slower.
    @overload
    def get(self, key: str, /) -> V | None: ...
    @overload
    def get(self, key: str, /, default: V | D) -> V | D: ...
    def get(self, key: str, /, default: object = None) -> object:
        """The row, or ``default``."""
        return self._rows.get(key, default)

    def keys(self) -> KeysView[str]:
        """All ids."""
        return self._rows.keys()

    def values(self) -> ValuesView[V]:
        """All rows."""
        return self._rows.values()

    def items(self) -> ItemsView[str, V]:
        """All ids with their rows."""
        return self._rows.items()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Table):
            return self._rows == other._rows
        return self._rows == other if isinstance(other, dict) else NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self._rows))

    def __repr__(self) -> str:
        return f"Table({self._rows!r})"

    def ordered(self) -> list[str]:
        """Ids in natural order."""
        return sorted(self._rows, key=natural_key)

    def put(self, key: str, row: V) -> Table[V]:
        """A copy with one row set."""
        rows = dict(self._rows)
        rows[key] = row
        return Table(rows)

    def drop(self, key: str) -> Table[V]:
        """A copy without one row (absent ids are ignored)."""
        rows = dict(self._rows)
        rows.pop(key, None)
        return Table(rows)
