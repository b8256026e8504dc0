"""Every reader of what may come from a stranger, with sound files to start from.

A reader takes bytes and a folder and does what the program does with them, as far as the first thing that is computed
from them. ``UserError`` is how it refuses; anything else that escapes is a defect.
"""

from __future__ import annotations

import base64
import contextlib
import io
import json
import struct
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from fabricwright.catalog import own
from fabricwright.catalog.pack import plan_import, read_pack
from fabricwright.catalog.store import catalogue
from fabricwright.design import journal
from fabricwright.design.calls import EditCall
from fabricwright.design.edits import copy_rows, run
from fabricwright.design.edits.blocks import block_bytes, block_of_bytes, block_report, insert_block, make_block
from fabricwright.design.images import image_bytes, image_of
from fabricwright.design.patch import PatchMismatchError, apply, patch_from_json, patch_to_json
from fabricwright.design.storage import dumps, loads
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Project
from fabricwright.units import codec, strict_json
from fabricwright.units.errors import UserError

ROOT = Path(__file__).resolve().parents[2]
REFUSALS = (UserError,)


@dataclass(frozen=True, slots=True)
class Reader:
    """``read(data, folder)``; ``seeds`` sound inputs; ``weight`` how often it is drawn; ``refusals`` besides
    ``UserError``."""

    name: str
    read: Callable[[bytes, Path], object]
    seeds: Callable[[], Sequence[bytes]]
    weight: float = 1.0
    refusals: tuple[type[BaseException], ...] = REFUSALS


def _file(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


# -- projects, patches, clips, blocks ----------------------------------------------------------------------------------


@cache
def project() -> Project:
    """A small whole project: servers with cards, switches, a picture, statements."""
    return TEMPLATES["single-8gpu"].build()


@cache
def _projects() -> Sequence[bytes]:
    names = ("single-8gpu", "pcie-8gpu-switch", "pcie-4gpu-1nic", "b300-4su", "seed-a-256x8")
    return tuple(dumps(TEMPLATES[name].build()) for name in names)


@cache
def _small_projects() -> Sequence[bytes]:
    return tuple(sorted(_projects(), key=len)[:2])


def read_project(data: bytes, folder: Path) -> object:
    """Load, write, load again: what was accepted is written so that it is accepted again."""
    found = loads(data, "x.fwproj")
    again = dumps(found)
    if dumps(loads(again)) != again:
        raise AssertionError("a project that was accepted does not survive saving")
    return found


def read_and_check(data: bytes, folder: Path) -> object:
    """Load and analyse every design, as `check` and the worker do: rules, figures, a prediction."""
    from fabricwright.analysis.analyze import analyze

    found = loads(data, "x.fwproj")
    for design in list(found.designs)[:2]:
        analysis = analyze(found, design)
        json.dumps(analysis.figures())
        list(analysis.findings)
    return found


def _sheet() -> tuple[Project, str, str]:
    owner = project()
    design = next(iter(owner.designs))
    sheet = next(name for name, row in owner.designs[design].sheets.items() if row.items)
    return owner, design, sheet


@cache
def _clips() -> Sequence[bytes]:
    owner, design, sheet = _sheet()
    clip = copy_rows(owner, design=design, sheet=sheet, ids=list(owner.designs[design].sheets[sheet].items))
    return (json.dumps(clip).encode(),)


def read_clip(data: bytes, folder: Path) -> object:
    """What Paste does with a text from the clipboard."""
    from fabricwright.design.edits.clipboard import clip_of_bytes

    owner, design, sheet = _sheet()
    clip = clip_of_bytes(data)
    if clip is None:
        return None
    return run(owner, EditCall("paste", {"design": design, "sheet": sheet, "clip": clip, "at_xy": [0.0, 0.0]}))


@cache
def _blocks() -> Sequence[bytes]:
    owner, design, _ = _sheet()
    return tuple(block_bytes(make_block(owner, design=design, sheet=name)) for name in owner.designs[design].sheets)


def read_block(data: bytes, folder: Path) -> object:
    """A block, its report, and the block put on each kind of sheet."""
    owner, design, _ = _sheet()
    block = block_of_bytes(data, "x.fwblock")
    report = block_report(owner, block)
    refused = None
    for sheet in owner.designs[design].sheets:
        try:
            insert_block(owner, design=design, sheet=sheet, block=block, parts="take")
        except UserError as error:
            refused = error
    return report, refused


@cache
def _patches() -> Sequence[bytes]:
    owner, design, sheet = _sheet()
    first = next(iter(owner.designs[design].sheets[sheet].items))
    calls = (
        EditCall("retitle", {"title": "x"}),
        EditCall("remove", {"design": design, "sheet": sheet, "ids": [first]}),
    )
    return tuple(json.dumps(patch_to_json(run(owner, call))).encode() for call in calls)


def read_patch(data: bytes, folder: Path) -> object:
    """A patch as the journal and the frames carry it."""
    patch = patch_from_json(strict_json.loads(data, "patch"))
    return apply(project(), patch, check=True)


def _journals() -> Sequence[bytes]:
    owner, design, sheet = _sheet()
    first = next(iter(owner.designs[design].sheets[sheet].items))
    calls = (
        EditCall("retitle", {"title": "x"}),
        EditCall("remove", {"design": design, "sheet": sheet, "ids": [first]}),
    )
    text = dumps(owner).decode()
    rows: list[Any] = [
        {"format": journal.FORMAT, "version": journal.VERSION, "document": "x", "edits": 0},
        {"base": text},
    ]
    rows += [
        {"seq": n, "time": "2026-01-01T00:00:00", "patch": patch_to_json(run(owner, call))}
        for n, call in enumerate(calls, 1)
    ]
    return (json.dumps(rows).encode(), json.dumps(rows[:3]).encode())


def read_journal(data: bytes, folder: Path) -> object:
    """A journal whose lines were changed, under right checksums and under none."""
    try:
        rows = json.loads(data)
        lines = journal.Lines()
        text = b"".join(lines.line(row) for row in rows)
    except (ValueError, RecursionError, TypeError):
        text = data
    found = journal.read_journal(_file(folder, "x" + journal.SUFFIX, text))
    return found.head.document.lower(), found.edits + 1, found.project


# -- catalogue ---------------------------------------------------------------------------------------------------------


@cache
def _part_rows() -> dict[str, Any]:
    store = catalogue()
    rows = {}
    for kind in ("nic", "gpu", "switch", "server", "cable", "optic", "ssd"):
        found = next((p for p in project().parts if store.get(p).kind == kind), None)
        found = found or next((p for p in store.ids() if store.get(p).kind == kind), None)
        if found:
            rows[f"my-{found}"[:60]] = codec.to_json(store.get(found))
    return rows


@cache
def _packs() -> Sequence[bytes]:
    rows = _part_rows()
    head = {"format": "fabricwright-pack", "version": 1, "title": "T", "author": "A", "pack_version": "1.0"}
    whole = {**head, "parts": rows}
    single = [{**head, "parts": {k: v}} for k, v in rows.items()]
    return tuple(json.dumps(pack).encode() for pack in (whole, *single))


def read_catalogue_pack(data: bytes, folder: Path) -> object:
    """A pack, and what an import of it would do."""
    return plan_import(read_pack(_file(folder, "x.fwcat", data)))


@cache
def _own_files() -> Sequence[bytes]:
    return (json.dumps({"format": own.FORMAT, "version": own.VERSION, "parts": _part_rows()}).encode(),)


def read_own(data: bytes, folder: Path) -> object:
    """The user's own parts, as the catalogue takes them in when the program starts."""
    return own.load(catalogue(), _file(folder, "own.json", data))


NETBOX = b"""manufacturer: Acme
model: LX-32
slug: acme-lx-32
part_number: LX32
u_height: 1
is_full_depth: true
weight: 22
weight_unit: lb
airflow: front-to-rear
console-ports:
  - {name: con, type: rj-45}
power-ports:
  - {name: PSU0, type: iec-60320-c14, maximum_draw: 800}
module-bays:
  - {name: Fan 1, position: F1}
interfaces:
  - {name: mgmt0, type: 1000base-t, mgmt_only: true}
  - name: Ethernet1/1
    type: 400gbase-x-qsfpdd
  - name: Ethernet1/2
    type: 400gbase-x-qsfpdd
"""


def read_netbox(data: bytes, folder: Path) -> object:
    """A device type and the part that it becomes."""
    from fabricwright.exchange.netbox_import import import_device_type
    from fabricwright.exchange.netbox_yaml import read_device_type

    return import_device_type(read_device_type(_file(folder, "x.yaml", data)), catalogue(), "x.yaml")


# -- tables and logs ---------------------------------------------------------------------------------------------------

ENGLISH = "Price list 2026\r\n\r\nPart Number,Description,List Price (USD),Discount,Currency,Lead Time,Length\r\n"
CSV = (
    ENGLISH + 'SN5600,Switch,"$40,000.00",15%,USD,8 weeks,\r\nMFP7E10,,12.5,,,,10 m\r\n',
    "序号,物料编码,名称,含税单价,币种,折扣,税率,货期\r\n1,DGX-H100,服务器,￥226,人民币,8.5折,13%,4-6周\r\n",
)


@cache
def _workbooks() -> Sequence[bytes]:
    import openpyxl

    out = []
    for rows in (
        [["型号", "单价", "长度", "日期"], ["aoc-400g", 900, 20, "2026-01-02"]],
        [["Part", "Price"], ["x", "1"]],
    ):
        book = openpyxl.Workbook()
        sheet = book.create_sheet("Prices")
        for row in rows:
            sheet.append(row)
        held = io.BytesIO()
        book.save(held)
        out.append(held.getvalue())
    return tuple(out)


def _prices(data: bytes, folder: Path, name: str) -> object:
    from fabricwright.exchange.price_list import load_prices
    from fabricwright.exchange.price_match import match_prices

    return match_prices(load_prices(_file(folder, name, data)).rows, project())


LOG = b"""# Collective test starting: all_reduce_perf
# nThread 1 nGpus 1 minBytes 8 maxBytes 8G step: 2(factor) warmup iters: 5 iters: 20
#  Rank  0 Group  0 Pid  900 on   host0 device  0 [0x07] A GPU
#  Rank  1 Group  0 Pid  901 on   host0 device  1 [0x07] A GPU
#     size       count    type   redop  root    time   algbw   busbw #wrong    time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
         8           2   float     sum    -1   38.20    0.00    0.00      0   37.10    0.00    0.00      0
1073741824   268435456   float     sum    -1  4360.1  246.26  461.75      0  4355.0  246.55  462.29      0
# Out of bounds values : 0 OK
"""


def read_nccl_log(data: bytes, folder: Path) -> object:
    """The tables of a log."""
    from fabricwright.exchange.nccl_tests_log import good_rows, read_log

    return [list(good_rows(table)) for table in read_log(_file(folder, "x.log", data))]


@cache
def _measured() -> Sequence[bytes]:
    rows = json.loads((ROOT / "tests" / "data" / "collectives.json").read_text(encoding="utf-8"))
    return tuple(json.dumps(rows[n : n + 3]).encode() for n in range(0, len(rows), 40))


def read_measured(data: bytes, folder: Path) -> object:
    """Measured collectives, and the hardware that each entry describes."""
    from fabricwright.performance.measured.entries import load_measured

    return load_measured(_file(folder, "x.json", data))


@cache
def _runs() -> Sequence[bytes]:
    rows = json.loads((ROOT / "tests" / "data" / "training.json").read_text(encoding="utf-8"))
    return tuple(json.dumps(rows[n : n + 3]).encode() for n in range(0, len(rows), 20))


def read_runs(data: bytes, folder: Path) -> object:
    """Measured training runs in the words of the model."""
    from fabricwright.performance.calibration import load_calibration
    from fabricwright.performance.training.measured.rows import case_of, load_rows

    constants = load_calibration("training")
    return [case_of(row, constants) for row in load_rows(_file(folder, "x.json", data))]


def _requirements() -> Sequence[bytes]:
    from fabricwright.sizing.requirement import Requirement

    return (json.dumps(codec.to_json(Requirement(gpus=64))).encode(),)


def read_requirement(data: bytes, folder: Path) -> object:
    """A requirement as the window sends it."""
    from fabricwright.analysis.size_request import requirement_from_json

    return requirement_from_json(strict_json.loads(data, "requirement"))


GRIDS = (
    b'{"fields": {"template.servers": ["4..16:4"], "config.x": [1, 2]}, "metrics": "busbw"}',
    b'metrics = ["busbw"]\n[fields]\n"template.servers" = ["4..16:4", 8]\n',
)


def read_grid(data: bytes, folder: Path) -> object:
    """The grid of a sweep, from a file of either kind and as a text on the command line."""
    from fabricwright.analysis.sweep import resolve
    from fabricwright.design.grid_text import parse_grid
    from fabricwright.design.grid_text import read_grid as read

    owner, design, _ = _sheet()
    name = "x.json" if data[:1] == b"{" else "x.toml"
    found = None
    for take in (lambda: read(str(_file(folder, name, data))), lambda: parse_grid(data.decode("utf-8", "replace"))):
        with contextlib.suppress(UserError):
            found = resolve(take(), owner, design)
    return found


TEMPLATES_OF_REPORTS = (
    b'name = "Example Ltd"\naccent = "#0B5CAD"\nfooter = "Confidential"\nlogo = "../logo.png"\n',
    b'{"name": "Example", "accent": "#0B5CAD", "footer": "x"}',
)


def read_template(data: bytes, folder: Path) -> object:
    """The look of a report."""
    from fabricwright.exchange.report_template import load_template

    return load_template(str(_file(folder, "x.json" if data[:1] == b"{" else "x.toml", data)))


# -- pictures ----------------------------------------------------------------------------------------------------------


def png(width: int = 3, height: int = 2) -> bytes:
    """A sound PNG."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"\x20\x40\x60" * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"tEXt", b"a\0b") + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


JPEG = (
    b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0\xff\xdb\0\x43\0" + bytes(range(1, 65)) + b"\xff\xc0\0\x0b\x08\0\2"
    b"\0\3\1\1\x11\0\xff\xc4\0\x14\0\1" + bytes(15) + b"\0\xff\xda\0\x08\1\1\0\0\x3f\0\x37\xff\xd9"
)


def read_picture(data: bytes, folder: Path) -> object:
    """A picture put on a sheet; as a row of a project; as the clipboard or an edit carries it."""
    owner, design, sheet = _sheet()
    row = image_of(data)
    image_bytes(row)
    text = base64.b64encode(data).decode("ascii")
    args = {"design": design, "sheet": sheet, "data": text, "title": "x", "xy": [0.0, 0.0]}
    return run(owner, EditCall("add_picture", args))


# -- words -------------------------------------------------------------------------------------------------------------

WORDS = (
    *(b"main/fabric/leaf[0..3]:p1", b"leaf[pod=1,n=2..5]", b"8,1K,64K,1M,16M,256M,1G,4G", b"400G", b"0..3,7,9..12"),
    *(b"server[0]/gpu3", b"1.5GiB", b"p{1..8}/{a,b}", b"field=1..9:2;other=a,b"),
)


def read_words(data: bytes, folder: Path) -> object:
    """Addresses, ports, index sets, sizes, rates: the little languages of the command line and of fields."""
    from fabricwright.design.address import expand_ports, parse_address, split_end
    from fabricwright.design.indexset import IndexSet
    from fabricwright.units.quantity import parse_rate, parse_sizes

    text = data.decode("utf-8", "replace")
    takers: tuple[Callable[[str], object], ...] = (parse_address, split_end, expand_ports, IndexSet.parse)
    takers += (lambda t: IndexSet.parse(t, (("pod", 2), ("n", 8))), parse_sizes, parse_rate)
    for take in takers:
        with contextlib.suppress(UserError):
            take(text)
    return None


COMMANDS = (
    *("templates --json", "new single-8gpu -o {out}", "catalog list --kind nic --json", "catalog show cx7-ndr400-osfp"),
    *("path {p} server/gpu0 server/gpu1", "diff {p} {p}", "predict {p} --sizes 8,1G --json", "bom {p} -o {out}"),
    *("catalog import {bad} --plan", "calibrate {p} --log {bad} --name x", "check {bad}", "compare {p} {bad}"),
    *("cables {p} --json", "check {p} --fail-on error", "diagram {p} -o {out}", "accuracy {bad}"),
)


def read_command(data: bytes, folder: Path) -> object:
    """A command line: exit code 0, 1 or 2, one line of complaint, no internal error."""
    from fabricwright.cli.main import main

    own_file = folder / "p.fwproj"
    if not own_file.exists():
        own_file.write_bytes(dumps(project()))
    bad = _file(folder, "bad.json", data[:2000])
    text = data.decode("utf-8", "replace").replace("\0", "")
    out = str(folder / "out.csv")
    words = [w.replace("{p}", str(own_file)).replace("{bad}", str(bad)).replace("{out}", out) for w in text.split(" ")]
    words = [w for w in words if not w.startswith(("-o/", "--out=/", "/", "~")) or str(folder) in w]
    said, complained = io.StringIO(), io.StringIO()
    # A changed name may be any relative one: what is written to it lies in the folder of the test.
    with contextlib.chdir(folder), contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
        code = main(words)
    if code not in (0, 1, 2) or "Internal error" in complained.getvalue():
        raise AssertionError(f"{words}: exit code {code}: {complained.getvalue()[:400]}")
    return code


# -- frames ------------------------------------------------------------------------------------------------------------


def _frames() -> Sequence[bytes]:
    from fabricwright.analysis.protocol import pack

    return (pack({"type": "hello", "seq": 0, "design": "main"}, b"{}") + pack({"type": "stop"}),)


def read_frames(data: bytes, folder: Path) -> object:
    """What comes out of the worker's pipe, in pieces."""
    from fabricwright.analysis.protocol import FrameError, Unpacker

    unpacker = Unpacker()
    try:
        return [frame for n in range(0, len(data), 7) for frame in unpacker.feed(data[n : n + 7])]
    except FrameError:
        return None


def _texts(*rows: str) -> Callable[[], Sequence[bytes]]:
    return lambda: tuple(row.encode() for row in rows)


READERS = {
    reader.name: reader
    for reader in (
        Reader("project", read_project, _projects, 1.0),
        Reader("project-checked", read_and_check, _small_projects, 0.6),
        Reader("patch", read_patch, _patches, 2.0, (*REFUSALS, PatchMismatchError)),
        Reader("journal", read_journal, _journals, 1.0),
        Reader("clip", read_clip, _clips, 1.0),
        Reader("block", read_block, _blocks, 1.0),
        Reader("pack", read_catalogue_pack, _packs, 1.5),
        Reader("own-parts", read_own, _own_files, 1.0),
        Reader("netbox", read_netbox, lambda: (NETBOX,), 1.5),
        Reader("prices-csv", lambda data, folder: _prices(data, folder, "x.csv"), _texts(*CSV), 1.5),
        Reader("prices-xlsx", lambda data, folder: _prices(data, folder, "x.xlsx"), _workbooks, 1.5),
        Reader("nccl-log", read_nccl_log, lambda: (LOG,), 1.5),
        Reader("measured", read_measured, _measured, 1.5),
        Reader("training-runs", read_runs, _runs, 1.5),
        Reader("requirement", read_requirement, _requirements, 1.5),
        Reader("grid", read_grid, lambda: GRIDS, 1.5),
        Reader("report-template", read_template, lambda: TEMPLATES_OF_REPORTS, 1.0),
        Reader("picture", read_picture, lambda: (png(), JPEG), 1.5),
        Reader("words", read_words, lambda: WORDS, 2.0),
        Reader("command", read_command, _texts(*COMMANDS), 0.4),
        Reader("frames", read_frames, _frames, 1.0),
    )
}
