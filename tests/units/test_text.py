"""Messages: values inside sentences."""

from __future__ import annotations

from fabricwright.units.text import LONGEST_VALUE, msg


def test_a_value_of_a_megabyte_does_not_make_a_sentence_of_a_megabyte():
    said = msg("'{name}' is unknown.", name="x" * 1_000_000).english()
    assert len(said) == LONGEST_VALUE + len("'' is unknown.")
    assert said.endswith("x…' is unknown.")


def test_floats_and_lists_read_well():
    assert msg("{a}, {b}: {c}", a=48.0, b=23.95, c=["x", 1]).english() == "48, 23.95: x, 1"


def test_lists_are_joined_as_the_language_does():
    text = msg("{gpus} share it", gpus=["gpu0", "gpu1"])
    assert text.english() == "gpu0, gpu1 share it"
    assert text.text("zh_CN") == "gpu0、gpu1 share it"
