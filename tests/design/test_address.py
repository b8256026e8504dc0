"""The address grammar of docs/document-model.md section 3, port ranges and index sets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricwright.design.address import expand_ports, parse_address, split_end
from fabricwright.design.indexset import IndexSet, coordinates
from fabricwright.units.errors import UserError


@pytest.mark.parametrize(
    "text",
    [
        "node[41]/nic0:2",
        "node[0-31,40]/gpu3",
        "leaf[3]:17/2",
        "spine[0]",
        "down#82",
        "after!node[0-7]/cxl0",
        "nic0:2",
        "before!",
        "chassis:slota",
    ],
)
def test_addresses_print_as_they_were_read(text):
    assert str(parse_address(text)) == text


def test_parts_of_an_address():
    a = parse_address("after!node[0-31,40]/gpu3:up")
    assert (a.design, a.item, a.port) == ("after", "node", "up")
    assert list(a.steps[0].members)[-2:] == [31, 40]
    assert a.bare() == "node/gpu3:up"


def test_coordinates_are_resolved_with_the_axes():
    # su 4 x node 64, row-major: su 1, node 9 is 64 + 9 = 73
    axes = (("su", 4), ("node", 64))
    assert list(IndexSet.parse("su=1,node=9", axes)) == [73]
    assert len(IndexSet.parse("su=1", axes)) == 64
    assert coordinates(73, axes) == {"su": 1, "node": 9}


@pytest.mark.parametrize(
    "text",
    ["", "node[", "Node", "node[x]", "node[3-1]", "node:", "a!b!c:", "node[-1]", "leaf#x", "node[99999999999999]"],
)
def test_bad_addresses_give_one_sentence(text):
    with pytest.raises(UserError) as failed:
        parse_address(text)
    assert "\n" not in str(failed.value) and "expected" in str(failed.value)


def test_port_ranges():
    assert expand_ports("1-2/1-2") == ["1/1", "1/2", "2/1", "2/2"]
    assert expand_ports("33-35") == ["33", "34", "35"]
    assert expand_ports("d1-d3") == ["d1", "d2", "d3"]
    # slot and export names that only look like ranges stay names
    assert expand_ports("u2-0") == ["u2-0"]
    assert expand_ports("compute") == ["compute"]
    assert len(expand_ports("1-999999999")) <= 100_001
    assert split_end("leaf:1-32/1-2") == ("leaf", "1-32/1-2")


@given(st.sets(st.integers(0, 300)))
def test_index_sets_are_canonical(members):
    made = IndexSet.of(members)
    assert set(made) == members and len(made) == len(members)
    if members:
        assert IndexSet.parse(str(made)) == made


@given(st.sets(st.integers(0, 100)), st.sets(st.integers(0, 100)))
def test_index_set_algebra(a, b):
    assert set(IndexSet.of(a).union(IndexSet.of(b))) == a | b
    assert set(IndexSet.of(a).minus(IndexSet.of(b))) == a - b


@given(st.lists(st.integers(0, 200)))
def test_index_sets_from_arrays(indices):
    assert IndexSet.of_array(np.array(indices, dtype=np.int64)) == IndexSet.of(indices)
    assert IndexSet.of(indices).array().tolist() == sorted(set(indices))
