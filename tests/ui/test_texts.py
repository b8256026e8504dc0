"""Texts for people: written so that they can be found, translated completely and without breaking their fields."""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication

ROOT = Path(__file__).resolve().parents[2]
UI = ROOT / "desktop" / "fabricwright" / "ui"
I18N = ROOT / "resources" / "i18n"

#: Modules that look up literals which a table marks with QT_TRANSLATE_NOOP.
READS_A_TABLE = {
    *("actions.py", "views.py", "shortcuts/rows.py", "tour/guide.py", "welcome/texts.py"),
    *("faults/diagnostics.py", "racks/words.py"),
}

#: Words that the glossary (names-zh.json, usage_notes_zh) rules out.
WRONG_WORDS = ("收发器", "车道", "超额订阅")


def calls_of_translation() -> Iterator[tuple[str, ast.Call, ast.expr]]:
    """(place, call, the argument that is the text) of every tr and translate in ui."""
    for path in sorted(UI.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            owner = getattr(getattr(node.func, "value", None), "id", "")
            if name == "translate" and owner not in ("QCoreApplication", "QApplication"):
                continue  # QPainter.translate and the like
            position = {"tr": 0, "translate": 1, "QT_TRANSLATE_NOOP": 1}.get(name)
            if position is not None and len(node.args) > position:
                yield f"{path.relative_to(UI)}:{node.lineno}", node, node.args[position]


def test_translated_texts_are_literals() -> None:
    """lupdate reads the source: it cannot see through variables and f-strings."""
    wrong = [
        place
        for place, _, text in calls_of_translation()
        if not (isinstance(text, ast.Constant) and isinstance(text.value, str))
        and place.split(":")[0] not in READS_A_TABLE
    ]
    assert wrong == []


def test_no_plural_forms() -> None:
    """``%n`` needs an English catalogue of its own; ``{count}`` with a text that suits every number does not."""
    texts = [(place, text.value) for place, _, text in calls_of_translation() if isinstance(text, ast.Constant)]
    assert [place for place, text in texts if "%n" in str(text)] == []


def test_nothing_else_is_called_tr() -> None:
    """lupdate takes every call of ``tr`` for Qt's; an alias would put texts into the wrong context."""
    for path in UI.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                assert node.name != "tr", path
            elif isinstance(node, ast.alias):
                assert (node.asname or node.name) != "tr", path
            elif isinstance(node, ast.Assign):
                assert all(getattr(target, "id", "") != "tr" for target in node.targets), path


@pytest.fixture(scope="module")
def i18n():  # type: ignore[no-untyped-def]
    """scripts/i18n.py as a module."""
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        import i18n as module
    finally:
        sys.path.remove(str(ROOT / "scripts"))
    return module


def test_chinese_is_complete(i18n, monkeypatch, capsys) -> None:  # type: ignore[no-untyped-def]
    """``make i18n`` lists what is missing; a translator's table goes in with ``scripts/i18n.py --fill``."""
    monkeypatch.setattr(sys, "argv", ["i18n.py", "--check"])
    code = i18n.main()
    assert code == 0, capsys.readouterr().out


def pairs() -> list[tuple[str, str]]:
    """(English, Chinese) of both catalogues."""
    found = list(json.loads((I18N / "messages_zh_CN.json").read_text(encoding="utf-8")).items())
    for message in ElementTree.parse(I18N / "fabricwright_zh_CN.ts").getroot().iter("message"):
        found.append((message.findtext("source", ""), message.findtext("translation", "")))
    return found


def fields(text: str) -> list[str]:
    """Names of the ``{fields}`` in a template."""
    return sorted(re.findall(r"\{(\w+)[^}]*\}", text))


def test_fields_survive_translation() -> None:
    assert [english for english, chinese in pairs() if chinese and fields(english) != fields(chinese)] == []


def test_chinese_follows_the_glossary() -> None:
    assert [chinese for _, chinese in pairs() if any(word in chinese for word in WRONG_WORDS)] == []


def test_chinese_punctuation() -> None:
    """Full-width signs between Han characters: a half-width comma there is an oversight."""
    slips = [chinese for _, chinese in pairs() if re.search(r"[\u4e00-\u9fff][,;:?!](?=[\u4e00-\u9fff])", chinese)]
    assert slips == []


def test_every_han_character_has_a_glyph(app: QApplication) -> None:
    """The bundled face is cut to a set of characters; ``scripts/bake_fonts.py`` widens it."""
    from PySide6.QtGui import QRawFont

    face = QRawFont(str(ROOT / "resources" / "fonts" / "NotoSansSC-Regular-subset.otf"), 16)
    used = {c for _, chinese in pairs() for c in chinese if "\u3400" <= c <= "\u9fff"}
    assert sorted(c for c in used if face.glyphIndexesForString(c) == [0]) == []


def test_no_space_between_chinese_and_chinese() -> None:
    """Templates space their fields for Latin; Chinese that goes into a field closes up with the Chinese beside it."""
    from fabricwright.units.text import msg

    several = msg("{first} and {n} more", first="nic0", n=7)
    assert msg("NIC port of {names}", names="nic0").text("zh_CN") == "nic0 的网卡端口"
    assert msg("NIC port of {names}", names=several).text("zh_CN") == "nic0 及另外 7 个的网卡端口"
    assert msg("NIC port of {names}", names=several).english() == "NIC port of nic0 and 7 more"


def test_language_is_switched_live(app: QApplication) -> None:
    from fabricwright.ui.i18n import current_language, install_language, language_changed, text_of
    from fabricwright.units.text import msg

    heard: list[str] = []
    language_changed.connect(heard.append)
    try:
        install_language(app, "zh_CN")
        assert current_language() == "zh_CN"
        assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "取消"  # Qt's own dialogs
        assert text_of(msg("{file}: no such file.", file="a.fwproj")) == "a.fwproj：没有此文件。"
        install_language(app, "en")
        assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "Cancel"
        assert text_of(msg("{file}: no such file.", file="a.fwproj")) == "a.fwproj: no such file."
    finally:
        language_changed.disconnect(heard.append)
    assert heard == ["zh_CN", "en"]


def test_unknown_language_is_refused(app: QApplication) -> None:
    from fabricwright.ui.i18n import install_language

    with pytest.raises(ValueError, match="fr"):
        install_language(app, "fr")
