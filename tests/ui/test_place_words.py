"""Places are called as the sheet labels them."""

from __future__ import annotations

import pytest

from fabricwright.design.place_words import thing_text
from fabricwright.design.templates import TEMPLATES


@pytest.fixture(scope="module")
def design():
    return TEMPLATES["seed-a-256x8"].build().designs["main"]


@pytest.mark.parametrize(
    ("address", "members", "text"),
    [
        ("node", "", "node"),
        ("node[17]", "", "n018"),
        ("node[17]/gpu3", "", "n018 › GPU3"),
        ("node/gpu3", "0-7", "n001 … n008 › GPU3"),
        ("node/gpu3", "0-255", "node › GPU3"),
        ("node/gpu3", "1,5", "node[1,5] › GPU3"),
        ("node[0]/nic0:1", "", "n001 › NIC0:1"),
        ("down#12", "", "down#12"),
        ("nothing/gpu0", "", "nothing › GPU0"),
        ("down", "", "down"),
        ("]", "", "]"),
    ],
)
def test_labels(design, address: str, members: str, text: str) -> None:
    assert thing_text(design, address, members) == text
