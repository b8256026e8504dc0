"""Figures and differences as the mock-up of the comparison writes them."""

from __future__ import annotations

import pytest

from fabricwright.units.figure_text import difference_text, figure_pair, figure_text
from fabricwright.units.text import Message


@pytest.mark.parametrize(
    ("a", "b", "unit", "shown"),
    [
        (19.0e9, 37.9e9, "B/s", ("19.0", "37.9 GB/s")),
        (1.0, 0.83, "s", ("1.00", "0.83 s")),
        (0.35, 0.21, "1", ("35", "21 %")),
        (2780.0, 4630.0, "W", ("2.78", "4.63 kW")),
        (6.0, 4.0, "", ("6", "4")),
        (140_200.0, 199_400.0, "USD", ("140,200", "199,400 USD")),
        (None, 4.0, "", ("–", "4")),
    ],
)
def test_pairs(a: float | None, b: float | None, unit: str, shown: tuple[str, str]) -> None:
    assert figure_pair(a, b, unit) == shown


@pytest.mark.parametrize(
    ("absolute", "ratio", "unit", "shown"),
    [
        (18.9e9, 1.995, "B/s", "× 2.0"),
        (1e9, 1.04, "B/s", "+ 4.0 %"),
        (-0.17, 0.83, "s", "− 17 %"),
        (-0.14, 0.6, "1", "− 14 points"),
        (59_200.0, 1.42, "USD", "+ 42 %"),
        (1850.0, 1.67, "W", "+ 1.85 kW"),
        (-2.0, 0.67, "", "− 2"),
        (3.0, None, "s", "+ 3.00 s"),
        (0.0, 1.0, "W", "="),
        (None, None, "W", "–"),
    ],
)
def test_differences(absolute: float | None, ratio: float | None, unit: str, shown: str) -> None:
    text = difference_text(absolute, ratio, unit)
    assert (text.english() if isinstance(text, Message) else text) == shown


def test_a_figure_alone() -> None:
    assert figure_text(-1500.0, "W") == "−1.50 kW"
    assert figure_text(None, "W") == "–"
    assert figure_text(123.4, "W") == "123 W" and figure_text(12.34, "W") == "12.3 W"
