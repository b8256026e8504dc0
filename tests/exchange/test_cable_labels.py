"""Labels: a template over the ends of a cable, and sheets on which nothing is cut or runs over the edge."""

from __future__ import annotations

import pytest

from fabricwright.design.values import Project
from fabricwright.exchange.cable_labels import check_label, fill_label
from fabricwright.exchange.cables import cable_schedule
from fabricwright.exchange.font_metrics import text_width
from fabricwright.exchange.ink import Text
from fabricwright.exchange.label_sheet import FORMATS, PX_PER_MM, label_format, label_pages
from fabricwright.units.errors import UserError


def test_a_template_names_its_fields(projects: dict[str, Project]) -> None:
    template = "{a.rack}-{a.u}-{a.port} / {b.rack}-{b.u}-{b.port}"
    rows = {row.id: row for row in cable_schedule(projects["seed-a-256x8"], "main", label=template).cables}
    # leaf-11 stands in the first network rack at U40, nodes 1 and 2 in the first server rack at U1 and U5
    assert rows["down#0"].labels == ("net-1-40-1/1,1/2 / r101-1-nic0:1", "net-1-40-1/1,1/2 / r101-5-nic0:1")
    assert rows["up#0"].label == "net-1-40-33 / net-1-36-1"


def test_braces_and_other_fields() -> None:
    assert fill_label(check_label("{{{id}}} {length} m"), {"id": "up#0", "length": "3"}) == "{up#0} 3 m"


@pytest.mark.parametrize("template", ["{a.colour}", "{a.name", "}", "{}", "{a.name.__class__}", "{a.name!r:>9}", " "])
def test_a_wrong_template_is_one_sentence(template: str) -> None:
    with pytest.raises(UserError, match="abel"):
        check_label(template)


@pytest.mark.parametrize("name", [*FORMATS, "62x29"])
def test_every_end_has_a_label_and_nothing_leaves_it(name: str, projects: dict[str, Project]) -> None:
    table = cable_schedule(projects["pcie-4gpu-1nic"], "main")
    form = label_format(name)
    pages = label_pages(table, form)
    ends = sum(len(row.ends) for row in table.cables)
    assert ends == 6  # two splitters of one and two ends
    assert len(pages) == -(-ends // form.per_page)
    for page in pages:
        for op in page.ops:
            if isinstance(op, Text):
                assert op.x >= 0 and op.x + text_width(op.text, op.size, op.weight) <= page.width
                assert op.size * 0.7 <= op.y <= page.height
                assert "…" not in op.text
    width = form.columns * form.label_mm[0] + (form.columns - 1) * form.gap_mm[0]
    assert width <= form.page_mm[0]
    assert form.place(form.per_page - 1)[1] + form.label_mm[1] <= form.page_mm[1] + 0.01
    assert pages[0].width == form.page_mm[0] * PX_PER_MM


def test_unknown_sheets_are_named() -> None:
    with pytest.raises(UserError, match="L7651"):
        label_format("A4")
