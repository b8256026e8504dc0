"""Collect the texts that people see, keep their Chinese beside them, and say what is missing.

    python scripts/i18n.py              collect from the source, compile, list what is untranslated
    python scripts/i18n.py --compile    only compile fabricwright_zh_CN.ts (what `make bake` does)
    python scripts/i18n.py --check      change nothing; exit 1 when something is untranslated or no longer used
    python scripts/i18n.py --fill FILE  collect, and take missing Chinese from FILE: JSON, {"English": "Chinese"}

Two catalogues in resources/i18n, because there is no Qt below the window:

* messages_zh_CN.json: templates of ``msg("...")`` and ``N_("...")`` and the undo texts in ``builder.patch("...")``,
  edited by hand;
* fabricwright_zh_CN.ts: texts of ``tr`` and ``QCoreApplication.translate`` in ``ui``, edited by hand or in Qt Linguist.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "desktop" / "fabricwright"
MESSAGES = ROOT / "resources" / "i18n" / "messages_zh_CN.json"
WINDOW = ROOT / "resources" / "i18n" / "fabricwright_zh_CN.ts"
MARKERS = ("msg", "N_")


def main() -> int:
    """Do what the options say; 1 when --check finds something or a template is not a literal."""
    parser = argparse.ArgumentParser(description="Texts of the program and their Chinese.")
    parser.add_argument("--compile", action="store_true", help="only compile the window's texts")
    parser.add_argument("--check", action="store_true", help="change nothing, fail when a translation is missing")
    parser.add_argument("--fill", type=Path, help="JSON file with Chinese for English texts that have none yet")
    options = parser.parse_args()
    if options.compile:
        compile_window()
        return 0

    templates, complaints = collect_messages()
    known = json.loads(MESSAGES.read_text(encoding="utf-8")) if MESSAGES.exists() else {}
    given: dict[str, str] = json.loads(options.fill.read_text(encoding="utf-8")) if options.fill else {}
    known |= {template: given[template] for template in templates if template not in known and given.get(template)}
    missing = {template: place for template, place in templates.items() if template not in known}
    unused = sorted(set(known) - set(templates))
    if options.check:
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / WINDOW.name
            if WINDOW.exists():
                shutil.copy(WINDOW, copy)
            unfinished, fresh = collect_window(copy), copy.read_bytes()
        if not WINDOW.exists() or fresh != WINDOW.read_bytes():
            complaints.append(f"{WINDOW.name} does not hold the texts of the source; run `make i18n`")
        complaints += [f"{MESSAGES.name}: no longer used: {template!r}" for template in unused]
    else:
        write_messages({template: known[template] for template in templates if template in known})
        unfinished = collect_window(WINDOW)
        if given:
            fill_window(given)
            unfinished = collect_window(WINDOW)
        compile_window()
    for template, place in missing.items():
        complaints.append(f"{place}: no Chinese in {MESSAGES.name}: {template!r}")
    complaints += [f"{WINDOW.name}: no Chinese in context {context}: {text!r}" for context, text in unfinished]
    for complaint in complaints:
        print(complaint)
    print(f"{len(templates)} messages, {len(missing)} without Chinese; {len(unfinished)} window texts without Chinese")
    return 1 if complaints and options.check else 0


# ------------------------------------------------------------------------------------------------ below the window


def collect_messages() -> tuple[dict[str, str], list[str]]:
    """Template -> ``file:line`` of its first use; and a sentence for each template that is not a literal."""
    templates: dict[str, str] = {}
    complaints = []
    for path in sorted(SOURCE.rglob("*.py")):
        if path == SOURCE / "units" / "text.py":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for label, line in undo_texts(tree):
            templates.setdefault(label, f"{path.relative_to(ROOT)}:{line}")
        for call in marked_calls(tree):
            place = f"{path.relative_to(ROOT)}:{call.lineno}"
            first = call.args[0] if call.args else None
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                templates.setdefault(first.value, place)
            else:
                complaints.append(f"{place}: the text must be written out here, or nobody can translate it")
    return templates, complaints


def marked_calls(tree: ast.AST) -> Iterator[ast.Call]:
    """Calls of ``msg`` and ``N_``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKERS:
            yield node


def undo_texts(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """(text, line) of what edits are called in the undo menu: ``builder.patch("...")``, either side of an ``if``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "patch":
            label = node.args[0] if node.args else None
            for text in (label.body, label.orelse) if isinstance(label, ast.IfExp) else (label,):
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    yield text.value, text.lineno


def write_messages(translated: dict[str, str]) -> None:
    """One text per line, in alphabetical order, so that two people's additions rarely collide."""
    text = json.dumps(dict(sorted(translated.items())), ensure_ascii=False, indent=0)
    MESSAGES.parent.mkdir(parents=True, exist_ok=True)
    MESSAGES.write_text(text + "\n", encoding="utf-8")


# ----------------------------------------------------------------------------------------------------------- window


def collect_window(target: Path) -> list[tuple[str, str]]:
    """Bring a .ts file up to date with the source; (context, text) of all texts without Chinese."""
    sources = sorted(str(path.relative_to(ROOT)) for path in (SOURCE / "ui").rglob("*.py"))
    options = ["-no-obsolete", "-locations", "none", "-source-language", "en", "-target-language", "zh_CN"]
    qt_tool("lupdate", *sources, *options, "-silent", "-ts", str(target))
    # lupdate takes every "#:" of the source for a comment to translators and heaps them up before the first text.
    text = target.read_text(encoding="utf-8")
    target.write_text(re.sub(r"\n *<extracomment>.*?</extracomment>", "", text, flags=re.DOTALL), encoding="utf-8")
    found = []
    for context in ElementTree.parse(target).getroot().iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            if translation is None or translation.get("type") == "unfinished" or not "".join(translation.itertext()):
                found.append((context.findtext("name", ""), message.findtext("source", "")))
    return found


def fill_window(given: dict[str, str]) -> None:
    """Put Chinese from ``given`` into the .ts file where it has none."""
    tree = ElementTree.parse(WINDOW)
    for message in tree.getroot().iter("message"):
        translation, chinese = message.find("translation"), given.get(message.findtext("source", ""))
        if translation is not None and translation.get("type") == "unfinished" and chinese:
            translation.text = chinese
            del translation.attrib["type"]
    tree.write(WINDOW, encoding="utf-8", xml_declaration=True)


def compile_window() -> None:
    """fabricwright_zh_CN.ts -> .qm beside it."""
    if WINDOW.exists():
        fresh = WINDOW.with_suffix(".qm.new")  # a running window has the old one mapped into its memory
        qt_tool("lrelease", "-silent", str(WINDOW), "-qm", str(fresh))
        fresh.replace(WINDOW.with_suffix(".qm"))


def qt_tool(name: str, *arguments: str) -> None:
    """Run one of Qt's translation tools, which come with PySide6."""
    command = [str(Path(sys.executable).parent / f"pyside6-{name}"), *arguments]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(f"i18n: {name} failed: {(result.stdout + result.stderr).strip()}")


if __name__ == "__main__":
    sys.exit(main())
