"""Whatever is drawn, no rule crashes; applying an offered fix never makes things worse, and undo takes it back."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings

from fabricwright.catalog.store import catalogue
from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from fabricwright.design.storage import dumps
from fabricwright.rules.finding import Finding
from fabricwright.rules.legality import legality, link_legality
from fabricwright.units.errors import UserError
from tests.design.strategies import SERVER_PARTS, edited_projects
from tests.rules.drawing import everything

SLOW = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def errors(found: list[Finding]) -> int:
    return sum(max(1, len(f.members)) for f in found if f.severity == "error")


@SLOW
@given(edited_projects())
def test_no_rule_crashes_and_every_finding_can_be_shown(session) -> None:
    _, _, project = session
    for design in project.designs:
        for found in everything(project, design):
            assert found.at
            assert found.message.english() and found.message.text("zh_CN")
            assert str(found.at[0])


@SLOW
@given(edited_projects())
def test_fixes_apply_and_do_not_add_errors(session) -> None:
    _, _, project = session
    for design in list(project.designs):
        before = everything(project, design)
        for found in before:
            mended = project
            patches = []
            for call in found.fix:
                patch = run(mended, call)
                patches.append(patch)
                mended = apply(mended, patch)
            if not patches:
                continue
            assert errors(everything(mended, design)) <= errors(before), found.rule
            for patch in reversed(patches):
                mended = apply(mended, patch.inverse())
            assert dumps(mended) == dumps(project)


@SLOW
@given(edited_projects())
def test_legality_never_raises(session) -> None:
    _, _, project = session
    for design_id, design in project.designs.items():
        for sheet_id, sheet in design.sheets.items():
            for part in SERVER_PARTS[:3]:
                for verdict in legality(project, design_id, sheet_id, catalogue().get(part)).values():
                    assert verdict.level in ("legal", "loss", "illegal")
            for link in sheet.links.values():
                link_legality(project, design_id, sheet_id, link.a, link.b)
            for item in sheet.items:
                try:
                    legality(project, design_id, sheet_id, catalogue().get(SERVER_PARTS[0]), ignore_item=item)
                except UserError as error:  # pragma: no cover
                    raise AssertionError(str(error)) from error
