"""``sweep``: tables, processes, what is left by a killed run, big grids, a cluster on the loopback interface."""

from __future__ import annotations

import csv
import functools
import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fabricwright.analysis import sweep_workers
from fabricwright.analysis.sweep import resolve
from fabricwright.analysis.sweep_points import SweepPoints
from fabricwright.analysis.sweep_workers import SweepJob, chunks, run_dask, run_local
from fabricwright.design.grid_text import parse_grid
from fabricwright.design.storage import dumps, save
from fabricwright.design.templates import TEMPLATES
from fabricwright.units.errors import UserError

SPEC = "up.per_pair=1..8; settings.ecmp.qps=1,2,4,8; metrics=counts,power,all_reduce@1G"


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    path = tmp_path_factory.mktemp("sweep") / "small.fwproj"
    save(TEMPLATES["seed-a-256x8"].build(servers=16), path)
    return str(path)


@pytest.fixture(scope="module")
def job():
    project = TEMPLATES["seed-a-256x8"].build(servers=16)
    return SweepJob(dumps(project), "main", resolve(parse_grid(SPEC), project, "main"))


@pytest.fixture(scope="module")
def alone(job):
    """The rows as one process gives them."""
    project = TEMPLATES["seed-a-256x8"].build(servers=16)
    return list(SweepPoints(project, "main", job.grid).rows(range(job.grid.count)))


def test_print_csv_json_and_workbook(run, small, tmp_path):
    code, said, _ = run("sweep", small, "--grid", "up.per_pair=2,4; metrics=counts,power")
    assert code == 0 and "up.per_pair" in said
    code, said, _ = run("sweep", small, "--grid", "up.per_pair=2,4; metrics=counts,power", "--json")
    found = json.loads(said)
    assert found["columns"] == ["point", "up.per_pair", "gpus", "servers", "switches", "links", "power_w", "problem"]
    assert [row["up.per_pair"] for row in found["rows"]] == [2, 4] and found["points"] == 2
    for name in ("x.csv", "x.json", "x.xlsx"):
        path = tmp_path / name
        assert run("sweep", small, "--grid", SPEC, "-o", path)[0] == 0
        assert path.stat().st_size > 500 and not Path(f"{path}.sweep").exists()
    rows = list(csv.DictReader((tmp_path / "x.csv").read_text("utf-8").splitlines()))
    assert rows == list(csv.DictReader((tmp_path / "x.csv").open(newline="", encoding="utf-8")))
    assert [int(row["point"]) for row in rows] == list(range(32))
    assert {row["gpus"] for row in rows} == {"128"}


def test_bad_input_is_one_sentence(run, small, tmp_path):
    for arguments, said in (
        (("--grid", "up.per_pear=1"), "up.per_pair"),
        (("--grid", SPEC, "--workers", "0"), "--workers"),
        (("--grid", SPEC, "--workers", "2", "--dask", "tcp://a"), "exclude"),
        (("--grid", SPEC, "-o", "x.txt"), ".txt"),
        (("--grid", f"@{tmp_path}/absent.json"), "cannot be read"),
        (("--grid", SPEC, "-o", f"{tmp_path}/no/such/x.csv"), "cannot be written"),
    ):
        code, out, err = run("sweep", small, *arguments)
        assert (code, out) == (2, "") and said in err and err.count("\n") == 1


def test_a_million_points_are_counted_first(run, small):
    grid = "settings.mtu=1000..1999; up.length_m=1..100; settings.ecmp.qps=1..10; metrics=counts"
    code, out, err = run("sweep", small, "--grid", grid)
    assert (code, out) == (2, "") and "1,000,000 points" in err and "--yes" in err and "--limit" in err
    code, out, _ = run("sweep", small, "--grid", grid, "--estimate", "--json")
    assert code == 0 and json.loads(out)["points"] == 1_000_000
    code, out, _ = run("sweep", small, "--grid", grid, "--limit", "5", "--json")
    found = json.loads(out)
    assert [row["point"] for row in found["rows"]] == [0, 200_000, 400_000, 600_000, 800_000]


def test_workers_give_the_same_file(run, small, tmp_path):
    one, three = tmp_path / "one.csv", tmp_path / "three.csv"
    assert run("sweep", small, "--grid", SPEC, "-o", one)[0] == 0
    assert run("sweep", small, "--grid", SPEC, "-o", three, "--workers", "3")[0] == 0
    assert one.read_bytes() == three.read_bytes()


def test_a_worker_that_is_killed_is_replaced(job, alone):
    found = []
    killed = []

    def done(row):
        found.append(row)
        if len(found) == 5:
            child = next(pid for pid in _children() if "--serve" in _command(pid))
            killed.append(child)
            os.kill(child, signal.SIGKILL)

    if not Path("/proc").exists():
        pytest.skip("needs /proc to find the worker")
    run_local(job, range(job.grid.count), 2, done)
    assert killed and sorted(found, key=lambda row: row.index) == alone


def test_a_worker_that_is_killed_before_it_is_ready_is_replaced(job, alone, monkeypatch):
    """What a system short of memory does: the first process ends without a word, the next one works."""
    real = sweep_workers.subprocess.Popen
    begun = []

    def popen(command, **rest):
        begun.append(command)
        return real([sys.executable, "-c", ""] if len(begun) == 1 else command, **rest)

    monkeypatch.setattr(sweep_workers.subprocess, "Popen", popen)
    found = []
    run_local(job, range(job.grid.count), 1, found.append)
    assert len(begun) == 2
    assert sorted(found, key=lambda row: row.index) == alone


def test_workers_that_cannot_start_say_why(job, monkeypatch):
    monkeypatch.setattr(sweep_workers, "own_program", lambda: [sys.executable, "-c", "raise SystemExit('no room')"])
    with pytest.raises(UserError, match=r"could not be started \(no room\)"):
        run_local(job, range(job.grid.count), 2, lambda row: None)


def _children():
    for place in Path("/proc").iterdir():
        try:
            parent = int((place / "stat").read_text().rpartition(")")[2].split()[1]) if place.name.isdigit() else 0
        except OSError:
            continue
        if parent == os.getpid():
            yield int(place.name)


def _command(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""


def test_a_point_that_ends_every_worker_gets_a_row_that_says_so(job, monkeypatch, tmp_path):
    """A stand-in for the program that dies whenever it is asked for point 3."""
    fake = tmp_path / "fake.py"
    fake.write_text(
        "import json, os, sys\n"
        "print('\"ready\"', flush=True)\n"
        "for line in sys.stdin:\n"
        "    for n in json.loads(line):\n"
        "        if n == 3: os._exit(9)\n"
        f"        print(json.dumps([n, [n] + [None] * {job.columns - 1}]), flush=True)\n"
    )
    monkeypatch.setattr(sweep_workers, "own_program", lambda: [sys.executable, str(fake)])
    found = []
    run_local(job, range(8), 2, found.append)
    assert sorted(row.index for row in found) == list(range(8))
    assert [row.cells[-1] for row in found if row.index == 3] == ["The process that computed this point ended, twice."]


def test_workers_that_do_not_start_are_told(job, monkeypatch):
    monkeypatch.setattr(sweep_workers, "own_program", lambda: [sys.executable, "-c", "import sys; sys.exit('no room')"])
    with pytest.raises(UserError, match="no room"):
        run_local(job, range(4), 2, lambda row: None)


def test_a_killed_run_goes_on_where_it_was(run, small, tmp_path):
    out, whole = tmp_path / "x.csv", tmp_path / "whole.csv"
    command = [sys.executable, "-m", "fabricwright", "sweep", small, "--grid", SPEC, "-o", str(out), "--report-rows"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for _ in range(10):
            process.stdout.readline()
        process.kill()
    journal = Path(f"{out}.sweep")
    kept = len(journal.read_text("utf-8").splitlines()) - 1
    assert kept >= 9 and not out.exists()
    code, _, err = run("sweep", small, "--grid", SPEC, "-o", out)
    assert code == 0 and (f"{kept} of 32" in err or f"{kept - 1} of 32" in err)
    assert not journal.exists()
    assert run("sweep", small, "--grid", SPEC, "-o", whole)[0] == 0
    assert out.read_bytes() == whole.read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent as a signal")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_keeps_finished_rows_and_leaves_no_process(small, tmp_path, workers):
    out = tmp_path / "x.csv"
    grid = "up.length_m=1..4000; settings.ecmp.qps=1; metrics=counts,all_reduce@1G"
    command = [sys.executable, "-m", "fabricwright", "sweep", small, "--grid", grid, "-o", str(out)]
    command += ["--workers", workers, "--report-rows"]
    # A shell that runs this in its background has children ignore the key; the command is to be in the foreground.
    foreground = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, preexec_fn=foreground, **pipes) as process:
        for _ in range(5):
            process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 2 and "Interrupted" in err and err.strip().count("\n") == 0
    rows = list(csv.DictReader(out.open(newline="", encoding="utf-8")))
    assert len(rows) >= 5
    assert [int(row["point"]) for row in rows] == sorted(int(row["point"]) for row in rows)
    assert Path(f"{out}.sweep").exists()
    if Path("/proc").exists():
        time.sleep(0.3)
        left = [p for p in Path("/proc").iterdir() if p.name.isdigit() and str(out) in _command(p.name)]
        assert left == []


def test_chunks_keep_neighbours_together():
    found = list(chunks(range(1000), 2))
    assert [n for chunk in found for n in chunk] == list(range(1000))
    assert max(map(len, found)) <= sweep_workers.MOST_IN_A_CHUNK
    assert list(chunks([4, 9], 8)) == [[4], [9]]


def test_without_distributed_one_sentence_says_how_to_get_it(run, small, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    code, out, err = run("sweep", small, "--grid", SPEC, "--dask", "tcp://127.0.0.1:1")
    assert (code, out) == (2, "") and "pip install" in err and err.count("\n") == 1


dask = pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="distributed is not installed")


@dask
def test_nobody_answers_at_the_address(run, small, monkeypatch):
    monkeypatch.setattr(sweep_workers, "CONNECT_S", 1.0)
    code, out, err = run("sweep", small, "--grid", SPEC, "--dask", "tcp://127.0.0.1:1")
    assert (code, out) == (2, "") and "127.0.0.1:1" in err


@dask
def test_a_cluster_that_loses_a_worker_gives_the_same_rows(job, alone, tmp_path):
    """A real scheduler and two workers on the loopback interface; one is killed in the middle."""
    ready = tmp_path / "scheduler.json"
    environment = {**os.environ, "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "5"}
    common = {"env": environment, "cwd": tmp_path, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    python = (sys.executable, "-m")
    scheduler = ("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    quiet = ("--dashboard-address", "127.0.0.1:0", "--scheduler-file", str(ready))
    worker = ("distributed.cli.dask_worker", "--nthreads", "1", "--no-nanny", "--host", "127.0.0.1", "--no-dashboard")
    started = [subprocess.Popen([*python, *scheduler, *quiet], **common)]
    try:
        address = _address(ready)
        started += [subprocess.Popen([*python, *worker, address], **common) for _ in range(2)]
        _wait_for_workers(address, 2)
        found = []

        def done(row):
            found.append(row)
            if len(found) == 5:
                started[-1].kill()

        run_dask(job, range(job.grid.count), address, done)
        assert sorted(found, key=lambda row: row.index) == alone
        assert len(found) == len(alone)
        assert started[-1].wait(10) != 0
    finally:
        for process in reversed(started):
            process.kill()
            process.wait(10)


def _address(ready):
    for _ in range(300):
        if ready.exists() and ready.stat().st_size:
            return json.loads(ready.read_text())["address"]
        time.sleep(0.1)
    raise AssertionError("the scheduler did not start")


def _wait_for_workers(address, count):
    from distributed import Client

    with Client(address, timeout=20, set_as_default=False) as client:
        client.wait_for_workers(count, timeout=60)
