"""Logs of nccl-tests in the layouts that its versions print, and in the state that people keep them in."""

from __future__ import annotations

import pytest

from fabricwright.exchange.nccl_tests_log import good_rows, parse_log, read_log
from fabricwright.units.errors import UserError

RANKS = [f"#  Rank {n:2} Group  0 Pid  {900 + n} on   host{n // 8} device {n % 8} [0x07] A GPU" for n in range(16)]
OLD_RANKS = [f"#   Rank  {n} Pid  {900 + n} on host0 device  {n} [0x07] A GPU" for n in range(8)]
UNITS = "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)"
WITH_ROOT = "#     size       count    type   redop  root    time   algbw   busbw #wrong    time   algbw   busbw #wrong"
WITHOUT_ROOT = (
    "#       size         count    type   redop     time   algbw   busbw  error     time   algbw   busbw  error"
)
BARE = "#       size         count    type     time   algbw   busbw  error     time   algbw   busbw  error"
ONE_SIDE = "#       size         count      type   redop    root     time   algbw   busbw #wrong"


def log(*lines: str) -> str:
    return "\n".join(lines)


def test_the_layout_of_today() -> None:
    text = log(
        "# Collective test starting: all_reduce_perf",
        "# nThread 1 nGpus 1 minBytes 8 maxBytes 8G step: 2(factor) warmup iters: 5 iters: 20",
        *RANKS,
        "#",
        WITH_ROOT,
        UNITS,
        "         8           2   float     sum    -1   38.20    0.00    0.00      0   37.10    0.00    0.00      0",
        "1073741824   268435456   float     sum    -1  4360.1  246.26  461.75      0  4355.0  246.55  462.29      0",
        "# Out of bounds values : 0 OK",
        "# Avg bus bandwidth    : 123.4",
    )
    (table,) = parse_log(text, "x.log")
    assert (table.collective, table.ranks, table.hosts, table.skipped) == ("all_reduce", 16, 2, 0)
    first, last = table.rows
    assert (first.n_bytes, first.time_s) == (8, pytest.approx(38.2e-6))
    assert (last.n_bytes, last.algbw, last.busbw) == (1 << 30, 246.26e9, 461.75e9)


@pytest.mark.parametrize(
    ("heading", "row"),
    [
        (WITHOUT_ROOT, "1048576 262144 float sum 60.0 17.48 30.58 1e-06 61.0 17.19 30.08 1e-06"),
        (BARE, "1048576 262144 float 60.0 17.48 30.58 0e+00 61.0 17.19 30.08 0e+00"),
        (ONE_SIDE, "1048576 262144 float sum -1 60.0 17.48 30.58 0"),
        (WITH_ROOT, "1048576 262144 float sum -1 60.0 17.48 30.58 N/A 61.0 17.19 30.08 N/A"),
    ],
)
def test_older_layouts_and_one_without_in_place(heading: str, row: str) -> None:
    (table,) = parse_log(log(*OLD_RANKS, heading, row), "x.log")
    assert [(r.n_bytes, r.time_s, r.busbw, r.wrong) for r in table.rows] == [
        (1 << 20, pytest.approx(60e-6), 30.58e9, 0)
    ]
    assert table.ranks == 8


def test_lines_between_carriage_returns_and_a_torn_end() -> None:
    text = log(
        "$ mpirun -np 16 ./build/all_gather_perf -b 1M -e 4M",
        *RANKS,
        WITH_ROOT,
        "host0:12:34 [0] NCCL INFO Channel 00/16 :    0   1   2   3",
        " 1048576 16384 float none -1 50.0 20.97 19.66 0 51.0 20.56 19.28 0",
        " 2097152 32768 float none -1 62.0host0:12:34 [0] NCCL INFO comm 0x55",
        " 4194304 65536 float none -1 80.0 52.43 49.15 3 81.0 51.78 48.55 0",
        " 8388608 131072 float none -1 1",
    ).replace("\n", "\r\n")
    (table,) = parse_log(text, "x.log")
    assert table.collective == "all_gather"
    assert [r.n_bytes for r in table.rows] == [1 << 20, 4 << 20]
    assert [r.n_bytes for r in good_rows(table)] == [1 << 20]  # the other had three wrong values
    assert table.skipped == 2


def test_two_tables_in_one_log() -> None:
    row = "1073741824 268435456 float sum -1 4360.1 246.26 461.75 0 4355.0 246.55 462.29 0"
    text = log("# all_reduce_perf", *RANKS, WITH_ROOT, row, "# reduce_scatter_perf", *RANKS, WITH_ROOT, row)
    assert [t.collective for t in parse_log(text, "x.log")] == ["all_reduce", "reduce_scatter"]


def test_the_ratio_of_bandwidths_names_collective_and_ranks() -> None:
    # 16 ranks: 2 x 15 / 16 = 1.875
    row = "1073741824 268435456 float sum -1 4360.1 246.26 461.74 0"
    (table,) = parse_log(log(*RANKS, ONE_SIDE, row), "x.log")
    assert table.collective == "all_reduce"
    (table,) = parse_log(log("all_reduce_perf", ONE_SIDE, row), "x.log")
    assert table.ranks == 16
    # (n-1)/n fits both all_gather and all_to_all, so nothing is guessed
    (table,) = parse_log(log(*RANKS, ONE_SIDE, "1073741824 268435456 float none -1 4360.1 246.26 230.87 0"), "x.log")
    assert table.collective == ""


@pytest.mark.parametrize("text", ["", "no table here", "# size but nothing else", WITH_ROOT, "\x00\xff" * 50])
def test_what_is_no_log_is_one_sentence(text: str) -> None:
    with pytest.raises(UserError, match="no table of nccl-tests"):
        parse_log(text, "x.log")


def test_a_file_that_is_not_there(tmp_path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        read_log(tmp_path / "none.log")
