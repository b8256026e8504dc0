"""Records hold what dataclasses hold; the same class made both ways is the oracle."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import math
import pickle
import weakref
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricwright.units.record import record


@record
class Row:
    """A row with every kind of field."""

    name: str
    count: int = 1
    extra: tuple[str, ...] = field(default_factory=tuple, metadata={"tag": "naming"})


@record
class Alone:
    """One field: its hash and equality are those of a tuple of one."""

    value: float = 0.0


@record
class Empty:
    """No field at all."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Oracle:
    """The same as Row."""

    name: str
    count: int = 1
    extra: tuple[str, ...] = field(default_factory=tuple, metadata={"tag": "naming"})


ROWS = st.tuples(st.text(max_size=3), st.integers(0, 3), st.lists(st.text(max_size=1), max_size=2).map(tuple))


@given(ROWS, ROWS)
def test_compares_hashes_and_prints_as_a_dataclass(a, b) -> None:
    assert (Row(*a) == Row(*b)) == (Oracle(*a) == Oracle(*b))
    assert hash(Row(*a)) == hash(Oracle(*a))
    assert repr(Row(*a)) == repr(Oracle(*a)).replace("Oracle", "Row")
    assert dataclasses.astuple(Row(*a)) == a


def test_signature_fields_and_defaults() -> None:
    names = [f.name for f in dataclasses.fields(Row)]
    assert names == [f.name for f in dataclasses.fields(Oracle)] == list(inspect.signature(Row).parameters)
    assert dataclasses.fields(Row)[2].metadata == {"tag": "naming"}
    assert Row("a") == Row("a", 1, ()) == Row(name="a", extra=())
    assert Row("a") != Oracle("a")
    assert Row.__dataclass_params__.frozen
    with pytest.raises(TypeError):
        Row()
    with pytest.raises(TypeError):
        Row("a", 1, (), 4)


def test_nothing_changes_in_place() -> None:
    row = Row("a")
    for change in (lambda: setattr(row, "name", "b"), lambda: delattr(row, "name"), lambda: setattr(row, "other", 1)):
        with pytest.raises(dataclasses.FrozenInstanceError):
            change()
    assert row == Row("a") and not hasattr(row, "__dict__")
    assert dataclasses.replace(row, count=2) == Row("a", 2)
    with pytest.raises(TypeError):
        dataclasses.replace(row, other=2)


@pytest.mark.parametrize("row", [Row("a", 2, ("x",)), Alone(1.5), Empty()])
def test_copies_pickles_and_weak_references(row) -> None:
    assert Alone(math.nan) != Alone(float("nan")) and Alone(math.nan) == Alone(math.nan)  # as tuples compare
    assert copy.copy(row) == copy.deepcopy(row) == pickle.loads(pickle.dumps(row)) == row
    assert weakref.ref(row)() is row
    assert hash(row) == hash(copy.deepcopy(row))


def test_own_methods_stay_and_strange_fields_are_refused() -> None:
    @record
    class Shouting:
        """Prints itself its own way."""

        name: str

        def __repr__(self) -> str:
            return self.name.upper()

    assert repr(Shouting("a")) == "A"
    with pytest.raises(TypeError, match=r"Hidden\.name"):

        @record
        class Hidden:
            """Wants a field that is no parameter."""

            name: str = field(default="", init=False)


def test_what_a_row_does_after_it_is_made() -> None:
    @record
    class Checked:
        """Refuses what is not positive."""

        count: int = 1

        def __post_init__(self) -> None:
            if self.count < 1:
                raise ValueError(self.count)

    assert Checked(2).count == 2 and Checked().count == 1
    with pytest.raises(ValueError, match="0"):
        Checked(0)


def test_a_field_may_stay_out_of_comparison_and_print() -> None:
    @record
    class Kept:
        """With a memory of its own."""

        name: str
        memo: dict[str, int] = field(default_factory=dict, compare=False, repr=False)

    assert Kept("a", {"x": 1}) == Kept("a") and hash(Kept("a", {"x": 1})) == hash(Kept("a"))
    assert Kept("a") != Kept("b") and repr(Kept("a")).endswith("Kept(name='a')")
    assert Kept("a").memo is not Kept("a").memo
