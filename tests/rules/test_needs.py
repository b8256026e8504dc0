"""Every stage that a rule can come to read is among those it declares, on the ways that no drawing of the tests takes,
too: what is not declared stops the check, and a rule would keep a verdict that is no longer true.

The code of each rule and of the functions and classes it calls is read, not run: ``context.effective(...)`` and so on.
"""

from __future__ import annotations

import dis
import inspect
from collections.abc import Iterator
from types import CodeType, FunctionType

import pytest

from fabricwright.rules.context import RuleContext
from fabricwright.rules.registry import Rule, all_rules

ANY_OF = {
    "settings": {"settings"},
    "workload": {"workload"},
    "workload_id": {"workload"},
    "beside": {"designs"},
    "effective": {"effective"},
    "interior": {"interior"},
    "bundles": {"wiring", "fabric"},
    "fabric": {"fabric"},
    "seating": {"seating"},
    "cables": {"cables"},
    "variants": {"effective", "interior"},
    "root": {"root", "wiring", "fabric", "seating", "cables"},
}
"""What ``RuleContext`` asks for (one of these) when it is read; for a rule about the design ``effective`` has the root,
too."""


def code_of(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from code_of(inner)


def called(function: FunctionType, name: object) -> Iterator[FunctionType]:
    """Functions of the program behind a global name: itself, or what a class of the rules has."""
    found = inspect.unwrap(function.__globals__.get(str(name), None) or len)
    if not getattr(found, "__module__", "").startswith("fabricwright"):
        return
    if isinstance(found, FunctionType):
        yield found
    elif isinstance(found, type) and found is not RuleContext and found.__module__.startswith("fabricwright.rules"):
        for member in vars(found).values():
            member = member.fget if isinstance(member, property) else member
            if isinstance(member, FunctionType):
                yield member


def reads(function: FunctionType, seen: set[FunctionType]) -> Iterator[tuple[str, str]]:
    """(what is read of the context, by which function)."""
    if function in seen:
        return
    seen.add(function)
    for code in code_of(function.__code__):
        before = None
        for step in dis.get_instructions(code):
            of_context = before is not None and before.argval == "context"
            if of_context and step.opname in ("LOAD_ATTR", "LOAD_METHOD") and step.argval in ANY_OF:
                yield str(step.argval), function.__qualname__
            if step.opname == "LOAD_GLOBAL":
                for other in called(function, step.argval):
                    yield from reads(other, seen)
            before = step


@pytest.mark.parametrize("rule", all_rules().values(), ids=lambda rule: rule.id)
def test_what_a_rule_reads_is_declared(rule: Rule) -> None:
    function = inspect.unwrap(rule.run)
    assert isinstance(function, FunctionType)
    missing = []
    for name, where in reads(function, set()):
        enough = ANY_OF[name] | ({"effective"} if name == "root" and rule.scope == "design" else set())
        if not enough & rule.needs:
            missing.append(f"{where} reads context.{name}")
    assert not missing


def test_the_names_are_those_of_the_context() -> None:
    opening = {
        name
        for name, member in vars(RuleContext).items()
        if (code := getattr(getattr(member, "fget", member), "__code__", None)) and "_open" in code.co_names
    }
    assert opening | {"workload"} == set(ANY_OF)


def test_a_way_that_is_not_declared_is_seen() -> None:
    seen = set(reads(all_rules()["OPT-10"].run, set()))  # type: ignore[arg-type]
    assert ("effective", "_twin") in seen
    assert ("bundles", "_link_ends") in seen
