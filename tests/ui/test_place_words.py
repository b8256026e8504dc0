"""Places are called as the sheet labels them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fabricwright.design.place_words import said_of, thing_text
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Sheet
from fabricwright.units.table import Table
from fabricwright.units.text import msg


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
        ("down#12", "", "node – leaf #12"),
        ("nothing/gpu0", "", "nothing › GPU0"),
        ("down", "", "node – leaf"),
        ("]", "", "]"),
    ],
)
def test_labels(design, address: str, members: str, text: str) -> None:
    assert thing_text(design, address, members) == text


def test_what_binds_is_called_as_the_sheet_labels_it() -> None:
    """The case study's NIC sits in the slot that the chassis calls Slot 1; names stay apart by a slash."""
    design = TEMPLATES["seed-b-512"].build().designs["before"]
    at = "node[0-31]/slota-nic:1"
    told = msg("NIC port of {names}", names="slota-nic/gpu4")
    assert said_of(design, told, at).english() == "NIC port of Slot 1/GPU4"
    assert said_of(design, told).english() == told.english()
    several = msg("NIC port of {names}", names=msg("{first} and {n} more", first="slota-nic", n=7))
    assert said_of(design, several, at).english() == "NIC port of Slot 1 and 7 more"
    ends = msg("socket link {ends}", ends="cpu0-cpu1")
    assert said_of(design, ends, at).english() == "socket link CPU0 – CPU1"
    lost = msg("{a} and {b} are not joined; {c} is not here.", a="node[0]/slota-nic", b="down#3", c="none[2]/x")
    said = "n01 › Slot 1 and node – leaf #3 are not joined; none[2]/x is not here."
    assert said_of(design, lost).english() == said


def test_what_stands_on_the_fabric_sheet_keeps_its_small_letters() -> None:
    """A card there says leaf0, in a server GPU0."""
    design = TEMPLATES["single-8gpu"].build().designs["main"]
    root = design.sheets[design.root]
    item = next(iter(root.items.values()))
    sheet = Sheet(root.kind, items=Table({"leaf0": replace(item, name="", axes=())}))
    drawn = replace(design, sheets=Table({**design.sheets, design.root: sheet}))
    assert thing_text(drawn, "leaf0") == "leaf0"
    assert thing_text(drawn, "leaf0/gpu0") == "leaf0 › GPU0"
    both = msg("{servers} take part", servers="leaf0/gpu0, leaf0/gpu1")
    assert said_of(drawn, both).english() == "leaf0 › GPU0, leaf0 › GPU1 take part"
