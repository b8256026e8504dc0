"""Write the reference pages that can be made from the program: docs/file-format.md, docs/parts.md, docs/floors.svg,
and the counts in docs/catalogue.md.

    python scripts/reference_pages.py            write them
    python scripts/reference_pages.py --check    change nothing; exit 1 when one is not current

The file format comes from resources/schema/project.schema.json and the docstrings of design/values.py, its example from
a template; the parts from the catalogue; the picture from the layers of the import contract in pyproject.toml.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from fabricwright.catalog.kind_words import kind_words
from fabricwright.catalog.store import catalogue
from fabricwright.design import storage, values
from fabricwright.design.templates import TEMPLATES
from fabricwright.resources import resource_path
from fabricwright.units.table import Table

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"

#: Definitions of the project itself, in the order of reading; those of parts are the catalogue's.
OWN = (
    *("Design", "Sheet", "Item", "Override", "Link", "Wire", "Moved", "Export", "Seating", "RackPlace", "Look", "Note"),
    *("Frame", "Picture", "Statement", "Approval", "Workload", "Price", "Stock", "Calibration", "OutputJob", "Image"),
    "Snapshot",
)
OF_PARTS = {
    *("Part", "BuiltinExport", "BuiltinItem", "BuiltinLink", "CableFeed", "Cage", "Figure", "Interior", "Mode"),
    *("Port", "Slot"),
}


# -- the file format ------------------------------------------------------------------------------------------------


def example() -> str:
    """A whole project file, small because it leaves the copies of its parts to the catalogue."""
    project = TEMPLATES["pcie-4gpu-1nic"].build(servers=2)
    return storage.dumps(replace(project, parts=Table())).decode("utf-8")


def file_format() -> str:
    """docs/file-format.md: the text beside this script, with example and tables."""
    schema = json.loads(resource_path("schema", "project.schema.json").read_text(encoding="utf-8"))
    definitions: dict[str, Any] = schema["$defs"]
    missing = set(definitions) - set(OWN) - OF_PARTS
    assert not missing, f"not on the page: {sorted(missing)}"
    lines = ["## The project", "", *_table(schema)]
    for name in OWN:
        described = " ".join((inspect.getdoc(getattr(values, name, None)) or "").split())
        own = described if not described.startswith(f"{name}(") else ""
        lines += ["", f"## {name}", "", *([own.replace("``", "`"), ""] if own else []), *_table(definitions[name])]
    text = (Path(__file__).parent / "file_format_page.md").read_text(encoding="utf-8")
    for name, value in (
        ("format", storage.FORMAT),
        ("version", str(storage.VERSION)),
        ("example", example().rstrip()),
        ("tables", "\n".join(lines)),
    ):
        text = text.replace(f"{{{name}}}", value)
    return text


def _table(definition: dict[str, Any]) -> list[str]:
    required = set(definition.get("required", ()))
    rows = ["| key | type | left out means |", "|---|---|---|"]
    for key, shape in definition["properties"].items():
        absent = "must be there" if key in required else _default(shape)
        rows.append(f"| `{key}` | {_type(shape)} | {absent} |")
    return rows


def _default(shape: dict[str, Any]) -> str:
    if "default" not in shape:
        return "empty"
    value = shape["default"]
    if value is None:
        return "not stated"
    return "empty" if value in ("", [], {}) else f"`{json.dumps(value)}`"


def _type(shape: dict[str, Any]) -> str:
    if "$ref" in shape:
        return _reference(shape["$ref"])
    if "const" in shape:
        return f"`{json.dumps(shape['const'])}`"
    if "enum" in shape:
        return ", ".join(f"`{value}`" for value in shape["enum"])
    if "anyOf" in shape:
        kinds = [_type(one) for one in shape["anyOf"] if one.get("type") != "null"]
        return " or ".join(dict.fromkeys(kinds))
    kind = shape.get("type")
    if kind == "array":
        if "prefixItems" in shape:
            return "list of (" + ", ".join(_type(one) for one in shape["prefixItems"]) + ")"
        return f"list of {_type(shape['items'])}" if "items" in shape else "list"
    if kind == "object":
        inner = shape.get("additionalProperties")
        return f"object of {_type(inner)}" if isinstance(inner, dict) and inner else "object"
    return {"string": "text", "boolean": "true or false"}.get(str(kind), str(kind or "anything"))


def _reference(target: str) -> str:
    name = target.rpartition("/")[2]
    return f"[{name}](#{name.lower()})"


# -- the parts ------------------------------------------------------------------------------------------------------

_PARTS = """# Parts

The {count} parts that the program comes with. Written by `scripts/reference_pages.py`; change
`resources/catalog/`, not this page. How parts are written down, and what each figure means:
[catalogue.md](catalogue.md). All figures of a part with their sources: `fabricwright catalog show PART`.

*read*: read from its source. *engineering*: engineering knowledge, to be verified against a datasheet before
it is quoted. *inferred*: from a name or from other values. ≈: the inside of the server is an assumption, or
the part is inferred. Figures may have sources of their own."""


def parts() -> str:
    """docs/parts.md."""
    store = catalogue()
    used: set[str] = set()
    lines = [_PARTS.format(count=sum(map(store.is_shipped, store.ids())))]
    for kind, ids in sorted(store.kinds().items()):
        title = kind_words(kind).text("en")
        lines += [
            "",
            f"## {title[:1].upper()}{title[1:]}",
            "",
            "| part | name | confidence | source |",
            "|---|---|---|---|",
        ]
        for part_id in ids:
            if not store.is_shipped(part_id):
                continue
            part = store.get(part_id)
            used |= {part.source} | {row.source for row in part.figures.values()}
            mark = " ≈" if part.is_estimate() else ""
            source = _cell(part.source) or "-"
            lines.append(f"| `{part_id}`{mark} | {_cell(part.name('en'))} | {part.confidence} | {source} |")
    lines += ["", "## Sources", "", "| short name | stands for |", "|---|---|"]
    lines += [f"| {_cell(name)} | {_cell(store.source_text(name))} |" for name in sorted(used) if name and _told(name)]
    return "\n".join(lines) + "\n"


def _told(source: str) -> bool:
    return catalogue().source_text(source) != source


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def counted_kinds() -> str:
    """docs/catalogue.md as it is, with the number of parts in its table of kinds."""
    store = catalogue()
    counts = {kind: sum(map(store.is_shipped, ids)) for kind, ids in store.kinds().items()}
    text = (DOCS / "catalogue.md").read_text(encoding="utf-8")
    return re.sub(
        r"^\| `([a-z-]+)` \| \d+ \|", lambda m: f"| `{m[1]}` | {counts.get(m[1], 0)} |", text, flags=re.MULTILINE
    )


# -- the floors -----------------------------------------------------------------------------------------------------

_ABOUT = {
    "ui": "window, canvas, panels, painting; the only floor with Qt",
    "cli": "the same jobs without a window",
    "analysis": "stages, cache, worker, comparisons, sweeps",
    "exchange": "tables, drawings, reports, other programs' formats",
    "rules": "what is checked",
    "performance": "how fast it runs",
    "sizing": "requirement to design",
    "topology": "a design compiled to arrays",
    "design": "the document: values, edits, storage",
    "catalog": "parts, their ports and slots, where figures come from",
    "units": "quantities, texts, tables, errors, the codec",
    "resources": "where the shipped files are",
}
_ABOVE = ("__main__", "selftest")


def floors() -> str:
    """docs/floors.svg: the layers of the import contract, and in which process they run."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    layers = [layer for layer in layers if layer not in _ABOVE]
    left, width, row, gap = 190, 570, 46, 8
    height = 24 + len(layers) * (row + gap) + 30
    out = [_SVG.format(height=height)]
    tops: dict[str, float] = {}
    for n, layer in enumerate(layers):
        y = 20 + n * (row + gap)
        names = [name.strip() for name in layer.split("|")]
        each = (width - gap * (len(names) - 1)) / len(names)
        for k, name in enumerate(names):
            tops[name] = y
            x = left + k * (each + gap)
            fill = "#E5ECFF" if name == "ui" else "#F1F4F8"
            out.append(
                f'<rect x="{x:g}" y="{y}" width="{each:g}" height="{row}" rx="7" fill="{fill}" stroke="#D8DEE7"/>'
            )
            out.append(_text(x + 14, y + 19, name, bold=True))
            out.append(_text(x + 14, y + 36, _ABOUT[name]))
    for first, last, title, line in (
        ("ui", "ui", "process 1", "the window"),
        ("cli", "exchange", "process 2", "worker, command line"),
        ("rules", "resources", "both", "as far as needed"),
    ):
        top, bottom = tops[first], tops[last] + row
        middle = (top + bottom) / 2
        out.append(f'<path d="M{left - 14} {top + 2}h-8v{bottom - top - 4}h8" fill="none" stroke="#7F8B9C"/>')
        out.append(_text(left - 32, middle - 2, title, bold=True, end=True))
        out.append(_text(left - 32, middle + 14, line, end=True))
    out.append(
        _text(left, height - 12, "A floor imports only from floors below it (import contract of pyproject.toml).")
    )
    return "\n".join((*out, "</svg>")) + "\n"


_SVG = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 780 {height}" width="780" height="{height}"
 font-family="Inter, Segoe UI, Noto Sans, sans-serif" role="img">
<title>Floors of the program: imports go down only</title>
<rect width="780" height="{height}" fill="#FFFFFF"/>"""


def _text(x: float, y: float, text: str, *, bold: bool = False, end: bool = False) -> str:
    look = 'font-size="14" font-weight="600" fill="#172033"' if bold else 'font-size="11.5" fill="#4A5669"'
    anchor = ' text-anchor="end"' if end else ""
    return f'<text x="{x:g}" y="{y:g}" {look}{anchor}>{text}</text>'


PAGES: dict[str, Callable[[], str]] = {
    "file-format.md": file_format,
    "parts.md": parts,
    "catalogue.md": counted_kinds,
    "floors.svg": floors,
}


def main() -> int:
    """Write the pages, or say which is not current."""
    check, old = "--check" in sys.argv[1:], []
    for name, make in PAGES.items():
        path, text = DOCS / name, make()
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            old.append(name)
            if not check:
                path.write_text(text, encoding="utf-8")
    for name in old if check else ():
        print(f"docs/{name} is not current: run scripts/reference_pages.py")
    return 1 if check and old else 0


if __name__ == "__main__":
    sys.exit(main())
