"""Nothing but ``sweep --dask`` opens an internet socket or resolves a name: seen by Python's audit events in every
command and in a session of the window, and by the system's own trace of one run of each.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fabricwright.cli.main import BUILT
from fabricwright.design.storage import dumps
from tests.hostile.readers import GRIDS, LOG, NETBOX, project
from tests.test_window_imports import SESSION

HOOK = """
import sys
heard = []
WATCHED = ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo",
           "socket.sendto", "socket.sendmsg", "socket.bind", "socket.__new__", "urllib.Request", "http.client.connect",
           "smtplib.connect", "ftplib.connect")
def hear(event, args):
    if event in WATCHED:
        import socket
        if event == "socket.__new__" and args[1] not in (socket.AF_INET, socket.AF_INET6):
            return
        local = getattr(socket, "AF_UNIX", -1)
        if event in ("socket.bind", "socket.connect") and getattr(args[0], "family", 0) == local:
            return
        heard.append(f"{event} {args[1:]}")
sys.addaudithook(hear)
"""

#: Every command with something to do. {p} a project, {o} a file to write, {d} a folder to write.
LINES = {
    "templates": "templates",
    "new": "new single-8gpu -o {o}.fwproj",
    "check": "check {p}",
    "predict": "predict {p} --sizes 1G",
    "resilience": "resilience {p}",
    "train": "train {p}",
    "path": "path {p} node/gpu0 node/gpu1",
    "accuracy": "accuracy {log}",
    "calibrate": "calibrate {p} --log {log} --name x",
    "compare": "compare {p} {p}",
    "diff": "diff {p} {p}",
    "bom": "bom {p} -o {o}.csv",
    "cables": "cables {p} -o {o}.csv",
    "slots": "slots {p} -o {o}.csv",
    "racks": "racks {p} -o {o}.csv",
    "compliance": "compliance {p} -o {o}.csv",
    "diagram": "diagram {p} -o {o}.svg",
    "catalog": "catalog import-netbox {netbox}",
    "size": "size --gpus 16",
    "export": "export {p} -o {o}.json",
    "report": "report {p} -o {o}.pdf",
    "export-pack": "export-pack {p} -o {d}",
    "sweep": "sweep {p} --grid @{grid}",
    "import": "import {p}",
    "snapshot": "snapshot list {p}",
    "versions": "versions {p}",
}

COMMANDS = (
    HOOK
    + """
import contextlib, io, json
from fabricwright.__main__ import main
codes = {}
for name, line in json.load(sys.stdin).items():
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
        codes[name] = [main(line.split(" ")), said.getvalue()]
print(json.dumps([heard, codes]))
"""
)


def _environment(tmp_path: Path) -> dict[str, str]:
    return {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path),
        "FABRICWRIGHT_DATA": str(tmp_path / "data"),
    }


def _lines(tmp_path: Path) -> dict[str, str]:
    files = {"p": dumps(project()), "log": LOG, "netbox": NETBOX, "grid": GRIDS[0]}
    suffix = {"p": ".fwproj", "log": ".log", "netbox": ".yaml", "grid": ".json"}
    places = {"o": str(tmp_path / "out"), "d": str(tmp_path / "pack")}
    for name, data in files.items():
        path = tmp_path / f"{name}{suffix[name]}"
        path.write_bytes(data)
        places[name] = str(path)
    return {name: line.format(**places) for name, line in LINES.items() if name in BUILT}


def test_no_command_opens_a_socket_or_resolves_a_name(tmp_path: Path) -> None:
    lines = _lines(tmp_path)
    assert set(BUILT) <= set(lines), "a new command belongs into LINES"
    result = subprocess.run(
        [sys.executable, "-c", COMMANDS],
        input=json.dumps(lines),
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        env=_environment(tmp_path),
    )
    assert result.returncode == 0, result.stderr[-2000:]
    heard, codes = json.loads(result.stdout.splitlines()[-1])
    assert heard == []
    assert {name: said for name, (code, said) in codes.items() if code not in (0, 1, 2) or "Internal" in said} == {}


def test_no_session_of_the_window_opens_a_socket_or_resolves_a_name(tmp_path: Path) -> None:
    session = SESSION.replace("print(json.dumps([first,", "print(json.dumps(heard)); print(json.dumps([first,")
    result = subprocess.run(
        [sys.executable, "-c", HOOK + session],
        capture_output=True,
        encoding="utf-8",
        timeout=200,
        env=_environment(tmp_path),
    )
    assert result.returncode == 0, result.stderr[-2000:]
    assert json.loads(result.stdout.splitlines()[-2]) == []


def _traced(tmp_path: Path, *command: str) -> str:
    if sys.platform != "linux" or shutil.which("strace") is None:
        pytest.skip("strace is not there")
    out = tmp_path / "trace"
    known = subprocess.run(["strace", "-f", "-o", str(out), "true"], capture_output=True)
    if known.returncode:
        pytest.skip("strace may not trace here")
    # --seccomp-bpf stops only at the calls that are looked for
    result = subprocess.run(
        ["strace", "-f", "--seccomp-bpf", "-qq", "-e", "trace=%network", "-o", str(out), *command],
        capture_output=True,
        timeout=300,
        env=_environment(tmp_path),
    )
    assert result.returncode in (0, 1), result.stderr[-2000:]
    return out.read_text(errors="replace")


def _internet(trace: str) -> list[str]:
    return [line for line in trace.splitlines() if re.search(r"\bAF_INET6?\b|sin6?_port", line)]


@pytest.mark.e2e
def test_the_system_sees_no_internet_socket_of_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "p.fwproj"
    path.write_bytes(dumps(project()))
    assert _internet(_traced(tmp_path, sys.executable, "-m", "fabricwright", "check", str(path))) == []


@pytest.mark.e2e
def test_the_system_sees_no_internet_socket_of_the_window_and_its_worker(tmp_path: Path) -> None:
    """The window with its worker until the analysis is up to date, painted into a file."""
    picture = tmp_path / "x.png"
    command = (sys.executable, "-m", "fabricwright", "--screenshot", str(picture), "--template", "single-8gpu")
    trace = _traced(tmp_path, *command)
    assert picture.exists()
    assert _internet(trace) == []


def test_no_module_of_the_program_unpickles_or_evaluates() -> None:
    """No pickle, no marshal, no shelve, no eval; YAML only by safe loaders, XML of strangers only by defusedxml."""
    program = Path(__file__).resolve().parents[2] / "desktop" / "fabricwright"
    banned = re.compile(
        r"^\s*(?:import|from)\s+(?:pickle|cPickle|marshal|shelve|dill|cloudpickle|joblib)\b"
        r"|(?<![\w.])(?:eval|exec)\(|yaml\.(?:unsafe_load|full_load|Loader|FullLoader|UnsafeLoader)\b"
        r"|np\.load\(|allow_pickle=True|extractall\(|shell=True|os\.system\(",
        re.MULTILINE,
    )
    found = {
        path.relative_to(program).as_posix(): match.group().strip()
        for path in program.rglob("*.py")
        for match in banned.finditer(path.read_text(encoding="utf-8"))
    }
    # Records compile their __init__ as dataclasses do: names of fields that stand in the source, nothing that is read.
    assert found == {"units/record.py": "exec("}
    xml = [p.name for p in program.rglob("*.py") if re.search(r"^(?:import|from) xml\.", p.read_text("utf-8"), re.M)]
    assert set(xml) <= {"selftest.py", "graphml.py", "nccl_xml.py", "svg.py", "mxgraph.py", "workbook.py"}, xml
