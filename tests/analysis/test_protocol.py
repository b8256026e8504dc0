"""Frames survive any cutting of the byte stream; nonsense is an error, not a hang."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricwright.analysis.cache import StageCache
from fabricwright.analysis.protocol import HEAD, FrameError, Unpacker, pack


@given(st.lists(st.tuples(st.text(max_size=20), st.binary(max_size=50)), max_size=6), st.integers(1, 17))
def test_frames_cut_anywhere_come_out_whole(frames, step):
    stream = b"".join(pack({"type": "x", "text": text}, payload) for text, payload in frames)
    unpacker = Unpacker()
    out = []
    for start in range(0, len(stream), step):
        out += unpacker.feed(stream[start : start + step])
    assert [(h["text"], p) for h, p in out] == frames


@pytest.mark.parametrize("data", [HEAD.pack(1 << 31, 0), HEAD.pack(2, 0) + b"[]", HEAD.pack(3, 0) + b"{x}"])
def test_nonsense_is_reported(data):
    with pytest.raises(FrameError):
        list(Unpacker().feed(data))


def test_a_stage_runs_once_per_input_and_the_oldest_result_goes_first():
    cache = StageCache(limit_bytes=3000)
    make = lambda: np.zeros(128)  # noqa: E731 (1,024 + 128 bytes by the estimate)
    for key in (1, 2, 1, 3):
        cache.get("wiring", (key,), make)
    assert cache.ran["wiring"] == 3 and cache.reused["wiring"] == 1
    # three results of 1,152 bytes exceed the limit: number 2 is the least recently used
    cache.get("wiring", (1,), make)
    assert cache.ran["wiring"] == 3
    cache.get("wiring", (2,), make)
    assert cache.ran["wiring"] == 4
