"""Marks on tests that are a rule's own examples: the drawing on which it fires, and the one on which it is silent."""

from __future__ import annotations

import pytest


def fires(rule: str) -> pytest.MarkDecorator:
    """The test draws the rule's firing example."""
    return pytest.mark.fires(rule)


def silent(rule: str) -> pytest.MarkDecorator:
    """The test draws the rule's silent example."""
    return pytest.mark.silent(rule)
