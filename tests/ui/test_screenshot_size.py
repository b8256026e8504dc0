"""Sizes of scripted pictures, as they are typed."""

from __future__ import annotations

import pytest

from fabricwright.ui.screenshot import size_of
from fabricwright.units.errors import UserError


def test_a_size_is_two_numbers() -> None:
    assert size_of("1600x1000") == (1600, 1000)


@pytest.mark.parametrize("text", ["axb", "1600", "99999999x1", "0x0", "-5x9", "9999x100", "1600x1000x2", ""])
def test_what_is_no_size_is_refused(text: str) -> None:
    """One of a hundred million pixels kept the painter busy for good."""
    with pytest.raises(UserError, match="is no size of a picture"):
        size_of(text)
