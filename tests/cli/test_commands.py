"""The commands on the templates: shapes of the JSON documents, exit codes, files written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from fabricwright import __version__
from fabricwright.cli.main import COMMANDS
from fabricwright.cli.output import Output, display_width
from fabricwright.design import storage
from tests.cli.conftest import Run

ORACLE_ROW = {
    "row": "x-1",
    "config": {
        "topology": ["Ring"],
        "npus_count": [4],
        "bandwidth_bytes_per_s": [1e9],
        "latency_ns_per_hop": [0],
        "alpha_ns": [0],
    },
    "collective": "all_reduce",
    "algorithm": "ring",
    "bytes": 4_000_000,
    # 2 (n-1)/n of 4 MB at 1 GB/s = 6 ms
    "expected_time_us": 6000.0,
    "semantics": "ideal",
}


def document(run: Run, *arguments: str, code: int = 0) -> dict[str, object]:
    got, out, err = run(*arguments, "--json")
    assert got == code, err
    found = json.loads(out)
    assert isinstance(found, dict)
    return found


def test_templates_lists_ids_titles_and_keys(run: Run) -> None:
    rows = document(run, "templates")["templates"]
    assert isinstance(rows, list)
    assert [row["id"] for row in rows][:2] == ["seed-a-256x8", "seed-b-512"]
    assert {
        "key": "servers",
        "default": 256,
        "note": "number of servers",
        "type": "integer",
        "minimum": 1,
        "maximum": 256,
    } in rows[0]["settings"]
    code, out, _ = run("templates")
    assert code == 0
    assert "servers=256 (1-256)" in out


def test_new_writes_a_project_that_loads(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.fwproj"
    code, out, _ = run("new", "SEED-A-256x8", "-o", str(path), "--set", "title=Mine", "--set", "servers=8")
    assert code == 0
    assert "Mine" in out
    assert storage.load(path).title == "Mine"


def test_check_counts_and_fails_on_the_wished_severity(run: Run, files: dict[str, str]) -> None:
    found = document(run, "check", files["seed-a-256x8"], code=1)
    findings = found["findings"]
    assert isinstance(findings, list)
    keys = {
        "rule",
        "severity",
        "at",
        "members",
        "sheet",
        "message",
        "measured",
        "allowed",
        "unit",
        "estimate",
        "fix",
        "approved",
    }
    assert keys <= set(findings[0])
    assert {row["rule"] for row in findings} >= {"P2P-01", "P2P-02", "P2P-03", "LAN-06", "OPT-13"}
    # GPU 4-7 reach their NIC over the socket link; the others are statements of the guide that do not hold
    errors = sorted(row["rule"] for row in findings if row["severity"] == "error")
    assert errors == ["CXL-02", "CXL-05", "MEM-01", "P2P-02", "SED-06"]
    assert found["counts"]["error"] == len(errors)  # type: ignore[index]
    assert run("check", files["single-8gpu"], "--fail-on", "info")[0] == 0
    assert run("check", files["pcie-4gpu-1nic"])[0] == 0
    assert run("check", files["pcie-4gpu-1nic"], "--fail-on", "warning")[0] == 1


def test_check_shows_approvals_last_and_does_not_fail_on_them(run: Run, files: dict[str, str]) -> None:
    found = document(run, "check", files["superpod-h100-127"], "--fail-on", "warning")
    assert found["counts"] == {"error": 0, "warning": 0, "info": 0, "approved": 2}
    rows = found["findings"]
    assert isinstance(rows, list)
    assert {row["rule"] for row in rows} == {"NIC-04"}
    assert rows[-1]["approved"]["reason"]
    assert "approved: " in run("check", files["superpod-h100-127"])[1]


def test_check_fix_mends_and_writes_another_file(run: Run, files: dict[str, str], tmp_path: Path) -> None:
    source, target = files["pcie-8gpu-switch"], tmp_path / "mended.fwproj"
    before = Path(source).read_bytes()
    found = document(run, "check", source, "--design", "default", "--fix", "p2p-03", "-o", str(target))
    rows = found["findings"]
    assert isinstance(rows, list)
    assert "P2P-03" not in {row["rule"] for row in rows}
    assert Path(source).read_bytes() == before
    assert storage.load(target).designs["default"].settings["nccl.p2p_level"]
    code, out, err = run("check", files["single-8gpu"], "--fix", "P2P-03", "-o", str(tmp_path / "n.fwproj"))
    assert (code, out) == (2, "")
    assert "offers no fix" in err
    assert not (tmp_path / "n.fwproj").exists()


def test_predict_prints_the_table_of_nccl_tests(run: Run, files: dict[str, str]) -> None:
    found = document(run, "predict", files["single-8gpu"], "--sizes", "1M,1G")
    assert found["collective"] == "all_reduce"
    assert found["ranks"] == 8
    rows = found["rows"]
    assert isinstance(rows, list)
    assert [row["bytes"] for row in rows] == [1 << 20, 1 << 30]
    keys = {
        "time_us",
        "time_us_low",
        "time_us_high",
        "algbw_gbs",
        "busbw_gbs",
        "algorithm",
        "protocol",
        "latency_us",
        "bandwidth_us",
    }
    assert keys <= set(rows[0])
    assert {"address", "kind", "label", "utilisation"} <= set(rows[0]["bottleneck"])
    # busbw = algbw x 2 (n-1)/n = algbw x 1.75 for 8 ranks
    assert rows[1]["busbw_gbs"] == pytest.approx(rows[1]["algbw_gbs"] * 1.75)
    assert found["explanation"]
    code, out, _ = run("predict", files["single-8gpu"], "--sizes", "1G")
    assert code == 0
    assert "busbw (GB/s)" in out


def test_predict_takes_ranks_nodes_and_failures(run: Run, files: dict[str, str]) -> None:
    path = files["seed-a-256x8"]
    assert document(run, "predict", path, "--sizes", "1M", "--nodes", "4")["ranks"] == 32
    assert document(run, "predict", path, "--sizes", "1M", "--ranks", "node[0-1],node[5]/gpu3")["ranks"] == 17
    assert document(run, "predict", path, "--sizes", "1M", "--nodes", "2", "--fail", "spine[0]")["ranks"] == 16


@pytest.mark.parametrize("command", ["predict", "resilience", "train"])
def test_more_nodes_than_there_are_is_refused(run: Run, files: dict[str, str], command: str) -> None:
    said = "--nodes: 256 servers of design 'main' can take part, 257 are asked for."
    arguments = (command, files["seed-a-256x8"], "--workload", "10b", "--nodes", "257")
    code, out, err = run(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1) and said in err
    assert "可参与的服务器有 256 台，要求 257 台" in run(*arguments, "--lang", "zh_CN")[2]


def test_nodes_are_counted_among_the_ranks_and_before_failures(run: Run, files: dict[str, str]) -> None:
    predict = ("predict", files["seed-a-256x8"], "--sizes", "1M")
    assert document(run, *predict, "--nodes", "256")["ranks"] == 2048
    assert document(run, *predict, "--nodes", "256", "--fail", "node[0]")["ranks"] == 2040
    code, _, err = run(*predict, "--ranks", "node[3-4]", "--nodes", "3")
    assert code == 2 and "--nodes: 2 servers" in err


def test_path_names_class_hops_and_limit(run: Run, files: dict[str, str]) -> None:
    found = document(run, "path", files["seed-a-256x8"], "--from", "node[0]/gpu0", "--to", "node[0]/gpu1")
    assert found["class"]["nvidia_smi"] == "PIX"  # type: ignore[index]
    assert {"hops", "latency_us", "bandwidth_gbs", "limit", "loss_db"} <= set(found)
    far = document(run, "path", files["seed-a-256x8"], "--from", "node[0]", "--to", "node[su=3,node=9]")
    hops = far["hops"]
    assert isinstance(hops, list)
    assert [h["address"].partition("[")[0] for h in hops if h["kind"] == "switch"] == ["leaf", "spine", "leaf"]
    assert "bandwidth" in run("path", files["single-8gpu"], "--from", "node/gpu0", "--to", "node/gpu5")[1]


def test_accuracy_counts_oracle_rows(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "oracle.json"
    path.write_text(json.dumps([ORACLE_ROW, {**ORACLE_ROW, "semantics": "bound"}]), encoding="utf-8")
    found = document(run, "accuracy", "--oracle", str(path))["oracle"]
    assert isinstance(found, dict)
    assert (found["n_rows"], found["n_expressed"]) == (2, 1)
    assert found["max_rel_error"] < 1e-9
    assert found["not_expressed"] == {"semantics bound": 1}
    assert "2 rows, 1 expressed" in run("accuracy", "--oracle", str(path))[1]


def test_accuracy_scores_measured_collectives(run: Run, tmp_path: Path) -> None:
    known = {
        "id": "one",
        "gpu": "H100",
        "nodes": 1,
        "gpus_per_node": 8,
        "intra": "nvlink4",
        "nvlink_gbs_per_gpu": 450,
        "fabric_kind": "none",
        "collective": "all_reduce",
        "points": [{"bytes": 1 << 30, "busbw_gbs": 460.0}, {"bytes": 8}, {"bytes": 16, "time_us": None}],
    }
    strange = {
        "id": "two",
        "gpu": "Zilog Z80",
        "nodes": 3,
        "gpus_per_node": 5,
        "fabric_kind": "string and cans",
        "collective": "all_gather",
        "points": [{"bytes": 4096, "time_us": 50.0}],
    }
    path = tmp_path / "measured.json"
    path.write_text(json.dumps([known, strange, {**known, "id": "three", "use": "degraded"}]), encoding="utf-8")
    found = document(run, "accuracy", str(path))
    assert isinstance(found["all"], dict) and isinstance(found["notes"], list) and isinstance(found["classes"], list)
    assert found["all"]["n"] == 2  # the points without time and the degraded entry do not count
    assert next(row["class"] for row in found["classes"]) == "<=64 KiB"
    point = found["points"][0]  # type: ignore[index]
    # nccl-tests: time = bytes x 2 (n - 1) / n / busbw
    assert point["measured_us"] == pytest.approx((1 << 30) * 1.75 / 460e9 * 1e6)
    assert point["low_us"] < point["predicted_us"] < point["high_us"]
    assert [row["id"] for row in found["notes"]] == ["two"]
    assert "not known" in found["notes"][0]["notes"][0]
    assert "3 entries, 2 scored, 1 not to be scored" in run("accuracy", str(path))[1]


def test_bom_and_cables_print_and_write(run: Run, files: dict[str, str], tmp_path: Path) -> None:
    path = files["pcie-4gpu-1nic"]
    found = document(run, "bom", path)
    lines = found["lines"]
    assert isinstance(lines, list)
    keys = {"part", "kind", "description", "vendor", "quantity", "unit_price", "total", "source", "confidence"}
    assert keys <= set(lines[0])
    assert found["totals"] == {"price": None, "without_price": len(lines), "currency": ""}
    assert document(run, "cables", path)["cables"]
    for command, name in (("bom", "b.csv"), ("bom", "b.json"), ("cables", "c.csv"), ("cables", "c.json")):
        assert run(command, path, "-o", str(tmp_path / name))[0] == 0
        assert (tmp_path / name).stat().st_size > 100
    assert json.loads((tmp_path / "b.json").read_text(encoding="utf-8")) == found
    assert "mcp7y10-800g-2x400-q112" in run("bom", path)[1]
    assert "node[0] nic0:1" in run("cables", path)[1]


def test_diagram_writes_one_file_per_sheet(run: Run, files: dict[str, str], tmp_path: Path) -> None:
    target = tmp_path / "b.svg"
    found = document(run, "diagram", files["seed-b-512"], "--design", "after", "-o", str(target))
    rows = found["sheets"]
    assert isinstance(rows, list)
    assert [row["sheet"] for row in rows] == ["fabric", "node-after", "node-after-cxl"]
    for row in rows:
        ElementTree.parse(row["file"])
    one = tmp_path / "one.svg"
    assert run("diagram", files["seed-b-512"], "--sheet", "node", "-o", str(one))[0] == 0
    assert one.exists()
    code, _, err = run("diagram", files["seed-b-512"], "--sheet", "nope", "-o", str(one))
    assert code == 2
    assert "nope" in err


def test_catalog_lists_shows_and_checks(run: Run) -> None:
    found = document(run, "catalog", "list", "--kind", "retimer")
    assert {row["kind"] for row in found["parts"]} == {"retimer"}  # type: ignore[attr-defined]
    assert document(run, "catalog", "show", "LRSV9500-4i")["id"] == "lrsv9500-4i"
    assert "LRSV9500-4I" in run("catalog", "show", "lrsv9500-4i")[1]
    assert run("catalog", "check")[0] == 0
    assert "联瑞" in run("catalog", "list", "lrsv9500-4i", "--lang", "zh_CN")[1]


def test_options_may_stand_before_the_command(run: Run) -> None:
    code, out, _ = run("--json", "--lang", "zh_CN", "templates")
    assert code == 0
    assert "服务器" in json.loads(out)["templates"][0]["settings"][1]["note"]


def test_version_and_help(run: Run) -> None:
    assert run("--version") == (0, f"fabricwright {__version__}\n", "")
    code, out, _ = run("--help")
    assert code == 0
    for command in ("templates", "check", "predict", "diagram"):
        assert f"  {command} " in out
    assert all(option in out for option in ("--template", "--theme", "--reset-layout", "--selftest"))
    code, out, _ = run("predict", "--help")
    assert code == 0
    assert "--collective" in out
    assert {"check", "size"} <= set(COMMANDS)


def test_wide_characters_take_two_columns() -> None:
    assert display_width("部件x16") == 7
    out = Output()
    out.table(["名", "n"], [("部件", 1), ("x", 22)], "lr")
    assert out._lines == ["名     n", "部件   1", "x     22"]


@pytest.mark.e2e
def test_the_installed_program_from_outside(files: dict[str, str]) -> None:
    """Exit codes and streams of the real process; a reader that goes away is no error."""
    call = [sys.executable, "-m", "fabricwright"]
    checked = subprocess.run(
        [*call, "check", files["single-8gpu"]], capture_output=True, text=True, timeout=120, check=False
    )
    assert (checked.returncode, checked.stderr) == (0, "")
    assert checked.stdout.startswith("errors: 0")
    missing = subprocess.run([*call, "check", "none.fwproj"], capture_output=True, text=True, timeout=120, check=False)
    assert (missing.returncode, missing.stdout, missing.stderr) == (2, "", "none.fwproj: no such file.\n")
    if os.name == "posix":
        reader, writer = os.pipe()
        os.close(reader)
        piped = subprocess.run(
            [*call, "cables", files["seed-a-256x8"]],
            stdout=writer,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
            check=False,
        )
        os.close(writer)
        assert (piped.returncode, piped.stderr) == (0, "")


def test_what_goes_into_a_file_is_utf8_whatever_the_code_page(tmp_path):
    """Windows gives a redirected program its code page; other programs read our JSON as UTF-8."""
    import os
    import subprocess
    import sys

    environment = {**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "fabricwright", "templates", "--json", "--lang", "zh_CN"]
    said = subprocess.run(command, capture_output=True, env=environment, check=True).stdout
    assert "服务器" in said.decode("utf-8")
