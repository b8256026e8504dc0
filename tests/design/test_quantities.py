"""Statements speak about declared quantities, in the form that each one asks for."""

from __future__ import annotations

import pytest

from fabricwright.design.edits import EDITS
from fabricwright.design.patch import apply
from fabricwright.design.quantities import QUANTITIES, fits
from fabricwright.design.templates import TEMPLATES
from fabricwright.units.errors import UserError
from tests.design.strategies import empty_project


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_statement_of_the_templates_fits_its_quantity_and_unit(template):
    for row in TEMPLATES[template].build().statements.values():
        assert fits(row.quantity, row.value), row
        assert row.unit == QUANTITIES[row.quantity].unit, row


@pytest.mark.parametrize(
    ("quantity", "value", "good"),
    [
        ("cluster.gpus", 512, True),
        ("cluster.gpus", "1,016", True),
        ("cluster.gpus", "many", False),
        ("cluster.gpus", True, False),
        ("host.lanes", "96..128", True),
        ("host.lanes", "96-128", False),
        ("train.days", "30, 21", True),
        ("cxl.pooling", True, True),
        ("cxl.pooling", "yes", False),
        ("switch_card.modes", "2x16", True),
        ("switch_card.modes", "", False),
        ("no.such", 1, False),
    ],
)
def test_forms(quantity, value, good):
    assert fits(quantity, value) is good


def test_the_edit_refuses_what_does_not_fit():
    project = empty_project()
    fields = {"kind": "requirement", "text": "512 GPUs", "quantity": "cluster.gpus", "subject": "main!"}
    added = apply(project, EDITS["set_statement"](project, value=512, unit="GPUs", **fields))
    assert [s.value for s in added.statements.values()] == [512]
    with pytest.raises(UserError, match="does not fit"):
        EDITS["set_statement"](project, value="many", **fields)
    with pytest.raises(UserError, match="not known"):
        EDITS["set_statement"](project, **{**fields, "quantity": "size"}, value=1)
