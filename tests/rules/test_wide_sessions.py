"""Sessions that reach all that rules read: no crash, no lie of the cache, every address is drawn, every fix helps.

A few sessions run with the suite. ``FUZZ_SESSIONS=5000 FUZZ_FROM=10000`` runs as many others; a session is its seed.
"""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest

from fabricwright.analysis.cache import StageCache
from fabricwright.analysis.stages import CachedStages
from fabricwright.design.address import parse_address
from fabricwright.design.edits import run
from fabricwright.design.effective import effective
from fabricwright.design.patch import apply
from fabricwright.design.storage import dumps, loads
from fabricwright.design.values import Project
from fabricwright.rules.context import RuleContext, split_members
from fabricwright.rules.direct import DirectStages
from fabricwright.rules.finding import Finding
from fabricwright.rules.run import run_rules
from tests.design.wide_sessions import session

FIRST = int(os.environ.get("FUZZ_FROM", "12"))
SESSIONS = range(FIRST, FIRST + int(os.environ.get("FUZZ_SESSIONS", "8")))
FIXES = 2
"""Fixes tried of each design."""


def errors(found: list[Finding]) -> int:
    return sum(max(1, len(f.members)) for f in found if f.severity == "error")


def shown(finding: Finding) -> tuple[object, ...]:
    """A finding as somebody would see it."""
    fix = [call.to_json() for call in finding.fix]
    says = finding.message.to_json()
    return finding.key, finding.severity, str(finding.members), says, finding.measured, finding.allowed, fix


def is_drawn(project: Project, design_id: str, finding: Finding) -> bool:
    """Whether every place of a finding is on the drawing, and its members are members of the first one."""
    for number, at in enumerate(finding.at):
        if str(at):
            assert str(parse_address(str(at))) == str(at)
        if not at.steps:
            continue
        design = project.designs[at.design or design_id]
        root = effective(project, design, design.root)
        first, rest = at.steps[0].item, "/".join(step.item for step in at.steps[1:])
        item = root.items.get(first)
        if item is None and (first not in root.links or rest):
            return False
        if item is None:
            continue
        if number == 0 and finding.members and finding.members.ranges[-1][1] >= count_of(item.axes):
            return False
        if not rest:
            continue
        if not item.of.startswith("sheet:"):
            if f"{first}/{rest}" not in root.items:
                return False
            continue
        sheets = [effective(project, design, s) for s in split_members(design.sheets[design.root].items[first])]
        if not any(rest in sheet.items or rest in sheet.links for sheet in sheets):
            return False
    return True


def count_of(axes: tuple[tuple[str, int], ...]) -> int:
    count = 1
    for _, size in axes:
        count *= size
    return count


@pytest.mark.parametrize("seed", SESSIONS)
def test_a_session(seed: int) -> None:
    dice = random.Random(seed)
    first, steps = session(dice, dice.randint(4, 16))
    states = [first, *(state for _, _, state in steps)]
    end = states[-1]

    back = end
    for _, patch, _ in reversed(steps):
        back = apply(back, patch.inverse())
    data = dumps(end)
    assert dumps(back) == dumps(first)
    assert dumps(loads(data, "session.fwproj")) == data

    cache = StageCache()
    for state in [first, *dice.sample(states, min(2, len(states)))]:
        for design in state.designs:
            CachedStages(state, design, cache).findings()
    for design in end.designs:
        found = run_rules(RuleContext(end, design, DirectStages(end, design)))
        kept = CachedStages(end, design, cache).findings()
        assert [shown(f) for f in kept] == [shown(f) for f in found]
        assert not [key for key, n in Counter(f.key for f in found).items() if n > 1]
        for finding in found:
            assert finding.message.english() and finding.message.text("zh_CN")
            assert is_drawn(end, design, finding), finding.key
        offers = [f for f in found if f.fix]
        for finding in dice.sample(offers, min(FIXES, len(offers))):
            tried(end, design, finding, errors(found), cache)


def tried(project: Project, design: str, finding: Finding, before: int, cache: StageCache) -> None:
    """Apply the fix of a finding, look again, take it back."""
    mended, patches = project, []
    for call in finding.fix:
        patch = run(mended, call)
        patches.append(patch)
        mended = apply(mended, patch)
    assert dumps(mended) != dumps(project), f"{finding.key}: the fix changes nothing"
    assert errors(CachedStages(mended, design, cache).findings()) <= before, f"{finding.key}: the fix adds errors"
    for patch in reversed(patches):
        mended = apply(mended, patch.inverse())
    assert dumps(mended) == dumps(project)
