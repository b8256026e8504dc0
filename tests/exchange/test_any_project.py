"""Whatever was drawn can be counted, scheduled and drawn: an export of a wrong design is wrong, not a crash."""

from __future__ import annotations

from xml.etree import ElementTree

import hypothesis
from hypothesis import given

from fabricwright.design.patch import Patch
from fabricwright.design.values import Project
from fabricwright.exchange.bom import bom
from fabricwright.exchange.cables import cable_schedule
from tests.design.strategies import edited_projects
from tests.exchange.drawn import draw_sheets


@hypothesis.settings(max_examples=60, deadline=None)
@given(edited_projects(max_edits=14))
def test_every_export_of_every_design_comes_out(session: tuple[Project, list[Patch], Project]) -> None:
    project = session[2]
    for name in project.designs:
        table = bom(project, name)
        assert all(line.quantity > 0 for line in table.lines)
        schedule = cable_schedule(project, name)
        assert all(len(row.ends) >= 2 for row in schedule.cables)
        table.to_csv()
        schedule.to_csv("zh_CN")
        for sheet in draw_sheets(project, name):
            ElementTree.fromstring(sheet.data)
