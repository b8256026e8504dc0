"""The user guide against the program: its commands are run, its menu paths, names and keys are those on the screen."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtGui import QKeySequence

from fabricwright.cli.main import main
from fabricwright.ui.actions import ACTIONS, MENUS, default_shortcuts
from fabricwright.ui.guide.pages import ORDER, guide_root, load_pages, plain, search

ROOT = Path(__file__).resolve().parents[1]
LANGUAGES = ("en", "zh_CN")
PAGES = [(language, name) for language in LANGUAGES for name in ORDER]
GENERATED = "shortcuts"

pytestmark = pytest.mark.usefixtures("qapp")


def read(language: str, name: str) -> str:
    return (guide_root() / language / f"{name}.md").read_text(encoding="utf-8")


def without_code(text: str) -> str:
    return re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)


@cache
def texts(language: str) -> dict[str, set[str]]:
    """English text of the window or of a message -> what is on the screen in ``language``."""
    found: dict[str, set[str]] = {}
    tree = ElementTree.parse(ROOT / "resources" / "i18n" / "fabricwright_zh_CN.ts")
    for message in tree.getroot().iter("message"):
        english = (message.findtext("source") or "").replace("&", "")
        chinese = re.sub(r"\(&.\)", "", message.findtext("translation") or "")
        found.setdefault(english, set()).add(english if language == "en" else chinese)
    messages = json.loads((ROOT / "resources" / "i18n" / "messages_zh_CN.json").read_text(encoding="utf-8"))
    for english, chinese in messages.items():
        found.setdefault(english, set()).add(english if language == "en" else chinese)
    return found


def test_both_languages_have_all_pages() -> None:
    for language in LANGUAGES:
        assert {path.stem for path in (guide_root() / language).glob("*.md")} == set(ORDER)
        assert [page.name for page in load_pages(language)] == list(ORDER)


@pytest.mark.parametrize("name", ORDER)
def test_both_languages_say_the_same(name: str) -> None:
    def shape(language: str) -> list[object]:
        text = read(language, name)
        bare = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
        return [
            re.findall(r"^(#+) ", bare, re.MULTILINE),
            re.findall(r"```sh\n(.*?)```", text, re.DOTALL),
            [picture.replace(f"-{language}.png", "") for picture in re.findall(r"!\[[^\]]*\]\(([^)]*)\)", text)],
            sorted(set(re.findall(r"\(([a-z-]+\.md)\)", text))),
        ]

    assert shape("en") == shape("zh_CN")


@pytest.mark.parametrize(("language", "name"), PAGES)
def test_links_and_pictures_are_there(language: str, name: str) -> None:
    folder = guide_root() / language
    targets = re.findall(r"\]\(([^)]*)\)", read(language, name))
    assert [target for target in targets if not (folder / target).is_file()] == []


def test_pictures_are_small_and_used() -> None:
    """They are in every installer."""
    files = list((guide_root() / "pictures").glob("*.png"))
    assert sum(path.stat().st_size for path in files) < 3_000_000
    everything = "".join(read(language, name) for language, name in PAGES)
    assert [path.name for path in files if path.name not in everything] == []


@pytest.mark.parametrize(("language", "name"), PAGES)
def test_names_are_those_on_the_screen(language: str, name: str) -> None:
    """What is bold is a menu path or a text of the window, letter by letter."""
    on_screen = {text for found in texts(language).values() for text in found}
    categories = {category: text.replace("&", "") for category, text in MENUS}
    wrong = []
    for bold in re.findall(r"\*\*(.+?)\*\*", without_code(read(language, name))):
        if " › " not in bold:
            if bold not in on_screen:
                wrong.append(bold)
            continue
        menu, item = bold.split(" › ")
        paths = [
            (menu_text, text)
            for spec in ACTIONS
            if spec.category in categories
            for menu_text in texts(language)[categories[spec.category]]
            for text in texts(language)[spec.text.replace("&", "")]
        ]
        if (menu, item) not in paths:
            wrong.append(bold)
    assert wrong == []


@pytest.mark.parametrize(("language", "name"), PAGES)
def test_keys_are_those_of_the_program(language: str, name: str) -> None:
    portable = QKeySequence.SequenceFormat.PortableText
    keys = {key.toString(portable) for spec in ACTIONS for key in default_shortcuts(spec)}
    named = re.findall(r"`((?:(?:Ctrl|Shift|Alt)\+)+\S+|F\d+|Return|[A-Z])`", read(language, name))
    assert [key for key in named if key not in keys] == []


@pytest.mark.parametrize(("language", "name"), PAGES)
def test_markdown_is_shown_as_meant(language: str, name: str) -> None:
    """Marks beside Chinese punctuation are easily taken for text."""
    from PySide6.QtGui import QTextDocument

    document = QTextDocument()
    document.setMarkdown(read(language, name))
    assert re.findall(r"\*\*|\]\(|^#", document.toPlainText(), re.MULTILINE) == []


@pytest.mark.parametrize("name", [name for name in ORDER if "```sh" in read("en", name)])
def test_commands_do_what_the_page_says(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of the page, in an empty folder; ``# exit N`` behind a command states another code than 0."""
    monkeypatch.chdir(tmp_path)
    for block in re.findall(r"```sh\n(.*?)```", read("en", name), re.DOTALL):
        for line in block.strip().splitlines():
            command, _, stated = line.partition("  # exit ")
            program, *arguments = shlex.split(command)
            assert program == "fabricwright"
            assert main(arguments) == int(stated or 0), line


def test_the_pages_of_shortcuts_are_current() -> None:
    spec = importlib.util.spec_from_file_location("guide_shortcuts", ROOT / "scripts" / "guide_shortcuts.py")
    assert spec and spec.loader
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    for language in LANGUAGES:
        assert script.page(language) == read(language, GENERATED), "run scripts/guide_shortcuts.py"


def test_search_finds_sections_with_the_word_in_their_title_first() -> None:
    hits = search(load_pages("en"), "snapshots")
    assert (hits[0].page.name, hits[0].section.title) == ("saving", "Saving, journal, snapshots")
    assert all("snapshot" in f"{hit.section.title} {hit.section.text}".casefold() for hit in hits)
    assert {hit.page.name for hit in search(load_pages("zh_CN"), "收敛比")} >= {"sizing", "glossary"}
    assert search(load_pages("en"), "xyzzy") == ()
    assert search(load_pages("en"), "  ") == ()


def test_plain_text_has_no_marks() -> None:
    assert plain("* **Fix** (`Ctrl+.`), see [Racks](racks.md).") == "Fix (Ctrl+.), see Racks."
