"""The book itself: what rules declare, members and variants, approvals, the check document."""

from __future__ import annotations

import ast
import inspect
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from fabricwright.design.address import address
from fabricwright.design.edits import EDITS
from fabricwright.design.indexset import IndexSet
from fabricwright.design.patch import apply
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Approval, Item, Override
from fabricwright.rules import book
from fabricwright.rules.approvals import judge
from fabricwright.rules.context import split_members
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import RULES, all_rules
from fabricwright.rules.run import findings_to_json, merge, run_rule, run_rules
from fabricwright.units.table import Table
from fabricwright.units.text import msg
from tests.rules.drawing import board, card, context, everything, fired, server, slot

LATER = {
    "MEC-12": "import of records",
    **{f"IMP-{n:02}": "import of dumps" for n in range(1, 12)},
    **{f"EXP-{n:02}": "export to other tools" for n in range(1, 5)},
}
"""Rules of the collected rule book that judge what cannot be drawn, imported or exported yet."""


def test_the_book_holds_every_rule_that_can_be_judged() -> None:
    """175 rules were collected; tests/data/rule-ids.txt lists their ids."""
    collected = (Path(__file__).parents[1] / "data" / "rule-ids.txt").read_text(encoding="utf-8").split()
    assert len(collected) == 175
    assert set(collected) - set(all_rules()) == set(LATER)


def test_every_module_with_a_rule_is_in_the_book() -> None:
    """A module that the book does not import registers nothing."""
    folder = Path(book.__file__).parent
    with_rules = {p.stem for p in folder.glob("*.py") if re.search(r"^@rule\(", p.read_text(encoding="utf-8"), re.M)}
    assert with_rules == set(book.__all__)


@pytest.mark.parametrize("rule_id", sorted(all_rules()))
def test_every_rule_has_a_page_and_a_source(rule_id: str) -> None:
    rule = all_rules()[rule_id]
    assert all(text.strip() for text in (*rule.page, rule.source, rule.group, rule.subject))
    assert rule.needs


def test_a_rule_may_not_read_what_it_does_not_declare() -> None:
    project = server(board({"s1": slot("cpu0:p1")}), {})
    only_settings = replace(all_rules()["P2P-03"], needs=frozenset({"settings"}))
    view = context(project).view(only_settings)
    assert view.settings == {}
    with pytest.raises(AssertionError, match="does not declare interior"):
        view.interior("node")


def test_texts_of_rules_are_literals() -> None:
    """Every msg() and N_() of the rules has a string literal, so that the extractor finds it."""
    for rule in all_rules().values():
        module = inspect.getmodule(rule.run)
        assert module is not None
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("msg", "N_"):
                assert isinstance(node.args[0], ast.Constant), (module.__name__, node.lineno)


def test_members_of_a_group_by_sheet() -> None:
    item = Item(
        "sheet:node",
        (("su", 4), ("node", 64)),
        except_=Table({"17": Override(sheet="node-cxl"), "255": Override(absent=True), "0-1": Override()}),
    )
    assert {k: str(v) for k, v in split_members(item).items()} == {"node": "0-16,18-254", "node-cxl": "17"}


def test_255_servers_with_one_fault_are_one_finding() -> None:
    project = server(board({"s1": slot("cpu0:p1", gen=4)}), {"nic0": card("mcx715105as-weat", "chassis:s1")}, count=256)
    patch = EDITS["add_exception"](
        project, design="main", sheet="fabric", item="node", members="255", override={"absent": True}
    )
    (found,) = fired(apply(project, patch), "LAN-03")
    assert (str(found.members), found.key) == ("0-254", "LAN-03|main|node/nic0")


def finding(measured: float | None, members: str, rule: str = "FAB-03") -> Finding:
    return Finding(
        rule,
        "warning",
        "main",
        "fabric",
        (address("leaf"),),
        msg("ratio"),
        IndexSet.parse(members),
        measured,
        1.0,
    )


def test_merging_keeps_the_worst_value_and_all_members() -> None:
    (one,) = merge([finding(1.5, "0-3"), finding(2.0, "8")], "up")
    assert (one.measured, str(one.members)) == (2.0, "0-3,8")
    assert one.values["variants"] == {"0-3": 1.5, "8": 2.0}
    (low,) = merge([finding(1.5, "0-3"), finding(2.0, "8")], "down")
    assert low.measured == 1.5


def approved(found: Finding, **row: object) -> bool:
    project = TEMPLATES["single-8gpu"].build()
    approval = Approval(**{"key": "FAB-03|main|leaf", "members": "0-3", "measured": 2.0, "reason": "agreed", **row})
    project = replace(project, approvals=Table({"a1": approval}))
    (entry,) = judge(project, [found])
    assert not (entry.lapsed and entry.approval)
    return entry.approval is not None


def test_an_approval_covers_its_members_and_its_value() -> None:
    assert all_rules()["FAB-03"].direction == "up"
    assert approved(finding(2.0, "0-3"))
    assert approved(finding(1.5, "2"))  # better, and fewer
    assert approved(finding(2.015, "0-3"))  # within the rule's 1 %
    assert not approved(finding(2.5, "0-3"))  # worse
    assert not approved(finding(2.0, "0-4"))  # a new member
    assert not approved(finding(2.0, "0-3"), key="FAB-03|other|leaf")
    assert approved(finding(2.0, "0-3"), key="FAB-03|other|leaf", design="*")
    assert approved(finding(9.0, "0-9"), members="", measured=None)


def test_check_document() -> None:
    project = TEMPLATES["seed-b-512"].build()
    report = findings_to_json(judge(project, everything(project, "after")))
    severities = Counter(found.severity for found in everything(project, "after"))
    assert report["counts"] == {**{s: severities[s] for s in ("error", "warning", "info")}, "approved": 0}
    assert report["facts"] == []
    rows = report["findings"]
    assert isinstance(rows, list)
    row = next(r for r in rows if r["rule"] == "NIC-02")
    assert row == {
        "rule": "NIC-02",
        "severity": "error",
        "at": ["node/nic8"],
        "members": "0-31",
        "sheet": "node-after",
        "message": row["message"],
        "measured": 800.0,
        "allowed": 400.0,
        "unit": "Gb/s",
        "estimate": False,
        "fix": False,
        "approved": None,
    }
    assert "800" in row["message"] and "2 x 200 = 400" in row["message"]


def test_errors_come_first() -> None:
    found = everything(TEMPLATES["seed-b-512"].build(), "after")
    assert [f.severity for f in found] == sorted((f.severity for f in found), key=["error", "warning", "info"].index)


def test_a_rule_that_raises_does_not_take_the_others_along(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> list[Finding]:
        raise ZeroDivisionError

    project = TEMPLATES["seed-a-256x8"].build()
    monkeypatch.setitem(RULES, "LAN-06", replace(all_rules()["LAN-06"], run=broken))
    heard: list[str] = []
    found = run_rules(context(project), on_error=lambda rule, _: heard.append(rule))
    assert heard == ["LAN-06"]
    assert {f.rule for f in found} >= {"P2P-01", "P2P-03"}
    with pytest.raises(ZeroDivisionError):
        run_rule(context(project), "LAN-06")


def test_chinese_texts_are_complete() -> None:
    for rule in all_rules().values():
        for text in rule.page:
            assert msg(text).text("zh_CN") != text, (rule.id, text)
    for found in everything(TEMPLATES["seed-b-512"].build(), "after"):
        assert found.message.text("zh_CN") != found.message.english(), found.rule
