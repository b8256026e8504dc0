"""Every rule of the book is shown firing and silent by a test that carries its mark."""

from __future__ import annotations

from fabricwright.rules.registry import all_rules
from scripts.rules_page import example_tests


def test_every_rule_has_an_example_on_which_it_fires_and_one_on_which_it_is_silent() -> None:
    examples = example_tests()
    missing = [
        f"{rule}: {mark}"
        for rule in sorted(all_rules())
        for mark in ("fires", "silent")
        if (mark, rule) not in examples
    ]
    assert missing == []


def test_no_example_names_a_rule_that_does_not_exist() -> None:
    assert {rule for _, rule in example_tests()} <= set(all_rules())
