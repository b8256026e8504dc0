"""The table at the end of ``make bench``."""

from __future__ import annotations

from tests.bench.measure import ROWS


def pytest_terminal_summary(terminalreporter):
    if not ROWS:
        return
    widths = [max(len(row[n]) for row in ROWS) for n in range(4)]
    terminalreporter.write_line("")
    for row in [("work", "measured", "goal", "reference"), *ROWS]:
        cells = [cell.ljust(max(width, 9)) for cell, width in zip(row, widths, strict=True)]
        terminalreporter.write_line("  ".join(cells).rstrip())
