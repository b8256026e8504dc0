"""``fabricwright --selftest OUT.json``: does this installation work? Meant for frozen builds, of use in a checkout too.

Every probe is one function: it returns the facts it saw or raises. One that fails does not stop the others. The answer
goes into a JSON file (a windowed program has no standard output on Windows) and into the exit code: 0 all well, 1 not.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import pkgutil
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import fabricwright

Facts = dict[str, Any]

#: Calls of the ``None`` probe, and how far its count may fall meanwhile for other reasons.
NONE_CALLS = 1000
NONE_SLACK = 100
#: The drawing that the probes work on: small, with an interior and links.
TEMPLATE = "pcie-4gpu-1nic"
#: Modules that belong to the build, not to the program: they need what a frozen build leaves out.
BUILD_ONLY = ("fabricwright.catalog.bake", "fabricwright.__main__")


def main(argv: Sequence[str]) -> int:
    """Run all probes, write the report to ``argv[0]``, return 0 or 1 (2 without a place to write to)."""
    if len(argv) != 1:
        print("fabricwright: --selftest needs the name of the JSON file to write", file=sys.stderr)
        return 2
    # The self-test opens no window; a platform that the caller has chosen is left as it is.
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    report = run()
    try:
        Path(argv[0]).write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        print(f"fabricwright: {argv[0]}: cannot write the report ({error.strerror})", file=sys.stderr)
        return 2
    if sys.stdout is not None:
        for row in report["probes"]:
            print(f"{'ok    ' if row['ok'] else 'FAILED'} {row['name']}{'' if row['ok'] else ': ' + row['error']}")
    return 0 if report["ok"] else 1


def run() -> Facts:
    """All probes in order; ``ok`` is whether every one was."""
    with tempfile.TemporaryDirectory(prefix="fabricwright-") as folder:
        # A space and Chinese characters: what the path of a real user looks like.
        place = Path(folder) / "自检 selftest"
        place.mkdir()
        rows = [_run_one(probe, place) for probe in PROBES]
    return {
        "program": "fabricwright",
        "version": fabricwright.__version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "frozen": bool(getattr(sys, "frozen", False)),
        "ok": all(row["ok"] for row in rows),
        "probes": rows,
    }


def _run_one(probe: Callable[[Path], Facts], place: Path) -> Facts:
    row: Facts = {"name": probe.__name__.removeprefix("probe_")}
    started = time.perf_counter()
    try:
        row |= {"ok": True, "facts": probe(place)}
    except ModuleNotFoundError as error:
        row |= {"ok": False, "error": f"this build has no module {error.name}"}
    except (Exception, SystemExit) as error:
        row |= {"ok": False, "error": f"{type(error).__name__}: {error}"}
    row["seconds"] = round(time.perf_counter() - started, 3)
    return row


def _require(condition: object, sentence: str) -> None:
    if not condition:
        raise RuntimeError(sentence)


# ------------------------------------------------------------------------------------------------------------- probes


def probe_imports(place: Path) -> Facts:
    """Every module of the program loads, and the libraries under it are the ones the lock file names."""
    names = [
        module.name
        for module in pkgutil.walk_packages(fabricwright.__path__, "fabricwright.")
        if not module.name.startswith(BUILD_ONLY)
    ]
    failed = {}
    for name in names:
        try:
            importlib.import_module(name)
        except Exception as error:
            failed[name] = f"{type(error).__name__}: {error}"
    _require(not failed, "; ".join(f"{name} does not load ({reason})" for name, reason in failed.items()))
    versions = {}
    for name in ("PySide6", "numpy", "pydantic"):
        versions[name] = str(importlib.import_module(name).__version__)
    return {"modules": len(names), "libraries": versions}


def probe_resources(place: Path) -> Facts:
    """The data files lie where the program looks for them."""
    from fabricwright.resources import resource_path, resource_root

    wanted = ("catalog/catalog.json", "themes/tokens.json", "i18n/messages_zh_CN.json", "icons/app-icon.svg")
    missing = [name for name in wanted if not resource_path(*name.split("/")).is_file()]
    _require(not missing, f"not found below the resources folder: {', '.join(missing)}")
    return {"files": sum(1 for path in resource_root().rglob("*") if path.is_file())}


def probe_none_refcount(place: Path) -> Facts:
    """Qt's bindings give back each ``None`` they take.

    PySide6 6.12.0 drops a reference of ``None`` in every call that returns nothing, and on Python 3.11 the interpreter
    then aborts after some thousand calls ("deallocating None"). The lock file pins a release without that fault; this
    probe notices when another one gets in. On Python 3.12 and later ``None`` is immortal and the count stands still.
    """
    from PySide6.QtWidgets import QLabel

    _application()
    label = QLabel()
    label.setText("0")
    before = sys.getrefcount(None)
    for number in range(NONE_CALLS):
        label.setText(str(number))
    fall = before - sys.getrefcount(None)
    _require(
        fall < NONE_SLACK,
        f"{NONE_CALLS} calls of QLabel.setText lost {fall} references of None; this PySide6 will crash the program",
    )
    return {"fall": fall}


def probe_fonts(place: Path) -> Facts:
    """The program's own typeface loads and draws; which typeface Chinese falls back to is told, not demanded."""
    from PySide6.QtGui import QFontDatabase, QFontInfo, QImage, QPainter

    from fabricwright.ui.theme import load_fonts, ui_font

    _application()
    families = load_fonts()
    _require(families, "no font of resources/fonts could be loaded")
    used = QFontInfo(ui_font()).family()
    _require(used in families, f"text is drawn in {used}, not in {families[0]}")
    image = QImage(200, 40, QImage.Format.Format_Grayscale8)
    image.fill(255)
    painter = QPainter(image)
    painter.setFont(ui_font(20))
    painter.drawText(4, 28, "H100 16x PCIe")
    painter.end()
    _require(min(bytes(image.constBits())) < 64, "drawn text left no dark pixel")
    chinese = QFontDatabase.families(QFontDatabase.WritingSystem.SimplifiedChinese)
    return {"own": list(families), "chinese": chinese[:8]}


def probe_plugins(place: Path) -> Facts:
    """Qt finds its platform and image plugins, and an SVG icon becomes pixels."""
    from PySide6.QtGui import QGuiApplication, QIcon, QImageReader

    from fabricwright.resources import resource_path

    _application()
    formats = sorted(bytes(name.data()).decode() for name in QImageReader.supportedImageFormats())
    missing = {"png", "svg"} - set(formats)
    _require(not missing, f"Qt cannot read {', '.join(sorted(missing))}")
    icon = QIcon(str(resource_path("icons", "app-icon.svg")))
    _require(not icon.pixmap(32, 32).isNull(), "app-icon.svg gives no picture")
    return {"platform": QGuiApplication.platformName(), "image_formats": formats}


def probe_save_and_load(place: Path) -> Facts:
    """A template is drawn, saved, read back equal, and saved again byte for byte."""
    from fabricwright.design.storage import load, save

    first, second = _drawn(place), place / "again.fwproj"
    project = load(first)
    save(project, second)
    _require(load(second) == project, "a saved project reads back different")
    _require(first.read_bytes() == second.read_bytes(), "saving an unchanged project changes its file")
    return {"bytes": first.stat().st_size, "parts": len(project.parts)}


def probe_worker(place: Path) -> Facts:
    """The worker process starts from this executable, takes a project and answers with findings and a prediction."""
    from fabricwright.analysis.client import WorkerClient
    from fabricwright.design.storage import load

    project = load(_drawn(place))
    client = WorkerClient()
    try:
        client.hello(project, next(iter(project.designs)))
        answer = client.until_idle(timeout_s=30)
    finally:
        client.close()
    problem = answer.get("problem")
    _require(problem is None, f"the worker reported: {problem and problem.get('error')}")
    _require(answer.get("status", {}).get("state") == "idle", "the worker did not finish within its time")
    missing = [kind for kind in ("prediction", "heat", "figures") if kind not in answer]
    _require(not missing, f"the worker sent no {', '.join(missing)}")
    return {"findings": len(answer["findings"]), "frames": sorted(answer), "exit_code": client.process.returncode}


def probe_svg(place: Path) -> Facts:
    """The diagram is written and is well-formed SVG with something on it."""
    target = place / "diagram.svg"
    _command("diagram", str(_drawn(place)), "-o", str(target))
    drawing = ElementTree.parse(target).getroot()
    _require(drawing.tag.endswith("svg"), f"the root element is {drawing.tag}, not svg")
    elements = sum(1 for _ in drawing.iter())
    _require(elements > 20, f"the drawing has only {elements} elements")
    return {"bytes": target.stat().st_size, "elements": elements}


def probe_tables(place: Path) -> Facts:
    """Check, prediction, bill of materials and cable schedule come out as JSON; a bill written as a workbook is read
    again as a price list."""
    project = str(_drawn(place))
    findings = json.loads(_command("check", project, "--json", allowed=(0, 1)))["findings"]
    rows = json.loads(_command("predict", project, "--sizes", "1M,1G", "--json"))["rows"]
    lines = json.loads(_command("bom", project, "--json"))["lines"]
    cables = json.loads(_command("cables", project, "--json"))["cables"]
    _require(rows and all(row["busbw_gbs"] > 0 for row in rows), "the prediction has no bandwidth")
    _require(lines, "the bill of materials is empty")
    book = place / "bill.xlsx"
    _command("bom", project, "-o", str(book))
    listed = json.loads(_command("bom", project, "--prices", str(book), "--map", "price=Quantity", "--json"))
    _require(listed["price_list"]["matched"], "the workbook could not be read again")
    return {"findings": len(findings), "predictions": len(rows), "bom_lines": len(lines), "cables": len(cables)}


PROBES: tuple[Callable[[Path], Facts], ...] = (
    probe_imports,
    probe_resources,
    probe_none_refcount,
    probe_fonts,
    probe_plugins,
    probe_save_and_load,
    probe_worker,
    probe_svg,
    probe_tables,
)


# ------------------------------------------------------------------------------------------------- what probes share


def _application() -> object:
    """The one QApplication of this process."""
    from PySide6.QtWidgets import QApplication

    return QApplication.instance() or QApplication(["fabricwright"])


def _drawn(place: Path) -> Path:
    """A project file made from a template, once."""
    path = place / "项目 plan.fwproj"
    if not path.exists():
        _command("new", TEMPLATE, "-o", str(path))
    return path


def _command(*arguments: str, allowed: Sequence[int] = (0,)) -> str:
    """What a subcommand prints; a sentence when it ends with an exit code that was not ``allowed``."""
    from fabricwright.cli.main import main as command_line

    output, complaint = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(complaint):
        code = command_line(list(arguments))
    _require(code in allowed, f"`{arguments[0]}` ended with {code}: {complaint.getvalue().strip()[:400]}")
    return output.getvalue()
