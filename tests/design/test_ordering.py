"""Edits of prices, owned quantities and the rules of the bill of materials."""

from __future__ import annotations

import pytest

from fabricwright.design.calls import EditCall
from fabricwright.design.edits import run
from fabricwright.design.patch import apply, patch_from_json, patch_to_json
from fabricwright.design.storage import dumps, loads
from fabricwright.design.values import Price, Project, Stock
from fabricwright.units.errors import UserError


def after(project: Project, name: str, **args: object) -> Project:
    """The project after an edit, sent through the journal's form."""
    patch = patch_from_json(patch_to_json(run(project, EditCall(name, args))))
    changed = apply(project, patch)
    assert apply(changed, patch.inverse()) == project
    return loads(dumps(changed), "x")


def test_a_price_list_replaces_itself_and_older_prices_of_the_same_parts() -> None:
    rows = [{"part": "dgx-h100", "amount": 100.0, "tax": 0.13}, {"part": "aoc-400g", "amount": 5.0, "length_m": 20.0}]
    first = after(Project(), "set_prices", rows=rows, source="March")
    assert first.prices["p1"] == Price("dgx-h100", 100.0, "CNY", "March", tax=0.13)
    more = after(first, "set_prices", rows=[{"part": "dgx-h100", "amount": 90.0}], source="April")
    assert {(p.part, p.amount, p.source) for p in more.prices.values()} == {
        ("dgx-h100", 90.0, "April"),
        ("aoc-400g", 5.0, "March"),
    }
    assert len(after(more, "set_prices", rows=[], source="March").prices) == 1


def test_one_price_is_set_changed_and_taken_out() -> None:
    one = after(Project(), "set_price", part="x", amount=3, currency="USD")
    assert one.prices["p1"] == Price("x", 3.0, "USD")
    assert after(one, "set_price", part="x", amount=4).prices["p1"] == Price("x", 4.0, "USD")
    assert not after(one, "set_price", part="x", amount=None).prices


def test_owned_quantities_by_part_and_length() -> None:
    project = after(Project(), "set_owned", part="x", quantity=3)
    project = after(project, "set_owned", part="x", quantity=2, length_m=5)
    assert sorted((s.quantity, s.length_m) for s in project.stock.values()) == [(2, 5.0), (3, None)]
    assert after(project, "set_owned", part="x", quantity=0).stock["own2"] == Stock("x", 2, 5.0)


def test_rules_of_ordering() -> None:
    project = after(Project(), "set_ordering", key="spares.optic", value=0.02)
    project = after(project, "set_ordering", key="currency", value="USD")
    assert dict(project.ordering) == {"spares.optic": 0.02, "currency": "USD"}
    project = after(project, "set_ordering", key="currency", value=None)
    assert not after(project, "set_ordering", key="spares.optic", value=None).ordering


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("set_prices", {"rows": [{"part": "x", "amount": -1}], "source": "l"}),
        ("set_prices", {"rows": [{"part": "x", "amount": float("nan")}], "source": "l"}),
        ("set_prices", {"rows": [{"part": "x", "amount": 1, "currency": "yuan"}], "source": "l"}),
        ("set_prices", {"rows": [{"part": "x", "amount": 1, "colour": "red"}], "source": "l"}),
        ("set_prices", {"rows": [{"amount": 1}], "source": "l"}),
        ("set_owned", {"part": "x", "quantity": -1}),
        ("set_owned", {"part": "x", "quantity": 1.5}),
        ("set_ordering", {"key": "spares.optic", "value": 2}),
        ("set_ordering", {"key": "rate.USD", "value": 0}),
        ("set_ordering", {"key": "colour", "value": 1}),
    ],
)
def test_bad_values_are_one_sentence(name: str, args: dict[str, object]) -> None:
    with pytest.raises(UserError):
        run(Project(), EditCall(name, args))


def test_a_tax_rate_for_prices_that_tell_none() -> None:
    project = after(Project(), "set_ordering", key="tax", value=0.13)
    assert dict(project.ordering) == {"tax": 0.13}
    with pytest.raises(UserError):
        after(Project(), "set_ordering", key="tax", value=1.5)
