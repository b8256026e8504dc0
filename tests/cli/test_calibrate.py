"""``calibrate``: a log that is slower than predicted moves the constants, and the project predicts by them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fabricwright.design import storage
from tests.cli.conftest import Run

SIZES = "1K,64K,1M,16M,256M,1G"


def log_of(run: Run, project: str, slower: float, target: Path, name: str = "all_reduce_perf", ranks: int = 8) -> Path:
    """What nccl-tests would print on a site where everything takes ``slower`` times the predicted time."""
    rows = json.loads(run("predict", project, "--sizes", SIZES, "--json")[1])["rows"]
    lines = [name, *(f"#  Rank {n:2} Group  0 Pid 9 on h0 device {n} [0x07] GPU" for n in range(ranks))]
    lines.append("# size count type redop root time algbw busbw #wrong time algbw busbw #wrong")
    for row in rows:
        n_bytes, time_us = row["bytes"], row["time_us"] * slower
        rate = n_bytes / time_us / 1e3
        half = f"{time_us:.2f} {rate:.2f} {rate * 1.75:.2f} 0"
        lines.append(f"{n_bytes} {n_bytes // 4} float sum -1 {half} {half}")
    target.write_text("\n".join(lines), encoding="utf-8")
    return target


def test_a_profile_is_fitted_stored_and_used(run: Run, files: dict[str, str], tmp_path: Path) -> None:
    source, target = files["single-8gpu"], tmp_path / "fitted.fwproj"
    log = log_of(run, source, 1.2, tmp_path / "site.log")
    code, out, err = run("calibrate", source, log, "--name", "site-a", "-o", target, "--json")
    assert code == 0, err
    document = json.loads(out)
    # everything is a fifth slower: off by 1/1.2 - 1 = -17 % before, next to nothing after
    assert document["median_abs"]["before"] == pytest.approx(1 - 1 / 1.2, abs=1e-3)
    assert document["median_abs"]["after"] < 0.02
    project = storage.load(target)
    assert set(project.profiles["site-a"].values) == set(document["values"])
    before, after = (json.loads(run("predict", p, "--sizes", "1G", "--json")[1]) for p in (source, target))
    assert after["rows"][0]["time_us"] / before["rows"][0]["time_us"] == pytest.approx(1.2, abs=0.02)
    assert any("profile site-a" in text for text in after["explanation"])


def test_exact_measurements_move_nothing(run: Run, files: dict[str, str], tmp_path: Path) -> None:
    log = log_of(run, files["single-8gpu"], 1.0, tmp_path / "site.log")
    _, out, _ = run("calibrate", files["single-8gpu"], log, "--name", "p", "-o", tmp_path / "p.fwproj", "--json")
    assert all(row["value"] == pytest.approx(row["shipped"], rel=0.01) for row in json.loads(out)["values"].values())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": "something", "ranks": 2}, "give --collective"),
        ({"ranks": 5}, "5 ranks; the design has 8 GPUs"),
        ({"slower": 1e5}, "does not fit this design"),
    ],
)
def test_logs_that_do_not_fit(run: Run, files: dict[str, str], tmp_path: Path, change, said: str) -> None:
    log = log_of(run, files["single-8gpu"], **{"slower": 1.1, "target": tmp_path / "x.log", **change})
    code, out, err = run("calibrate", files["single-8gpu"], log, "--name", "p", "-o", tmp_path / "p.fwproj")
    assert (code, out) == (2, "")
    assert said in err and err.count("\n") == 1
    assert not (tmp_path / "p.fwproj").exists()


def test_a_profile_that_is_not_there(run: Run, files: dict[str, str], tmp_path: Path) -> None:
    project = storage.load(files["single-8gpu"])
    from fabricwright.design.edits import EDITS
    from fabricwright.design.patch import apply

    project = apply(project, EDITS["set_setting"](project, design="main", key="profile", value="gone"))
    storage.save(project, tmp_path / "g.fwproj")
    code, _, err = run("predict", tmp_path / "g.fwproj")
    assert code == 2 and "no profile 'gone'" in err
