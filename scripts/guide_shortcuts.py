"""Write the guide's page of shortcuts in both languages, from the action table and the table of gestures.

python scripts/guide_shortcuts.py [--check]      --check changes nothing; 1 when a page is not current
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "guide"
PAGE = "shortcuts.md"
WORDS = {
    "en": (
        "Shortcuts",
        "The keys as the program comes. **Help › Keyboard shortcuts…** (`Ctrl+/`) shows, changes and prints yours.",
        ("command", "keys"),
        "Mouse",
        ("what", "how"),
    ),
    "zh_CN": (
        "快捷键",
        "以下是程序默认的按键。**帮助 › 快捷键…** （`Ctrl+/`）显示当前设置，可修改和打印。",
        ("命令", "按键"),
        "鼠标",
        ("操作", "方式"),
    ),
}


def page(language: str) -> str:
    """The page in ``en`` or ``zh_CN``. Needs a QGuiApplication; the language of the program is the same afterwards."""
    from PySide6.QtCore import QCoreApplication
    from PySide6.QtGui import QKeySequence

    from fabricwright.ui.actions import ACTIONS, MENUS, default_shortcuts
    from fabricwright.ui.i18n import current_language, install_language
    from fabricwright.ui.shortcuts.rows import GESTURES, gesture_text, group_title

    app = QCoreApplication.instance()
    assert app is not None
    before = current_language()
    install_language(app, language)
    title, about, heads, mouse, mouse_heads = WORDS[language]
    lines = [f"# {title}", "", about]
    categories = [name for name, _ in MENUS]
    categories[categories.index("arrange") + 1 : categories.index("arrange") + 1] = ["align", "order"]
    for category in (*categories, ""):
        rows = []
        for spec in ACTIONS:
            keys = [key.toString(QKeySequence.SequenceFormat.PortableText) for key in default_shortcuts(spec)]
            if spec.category == category and keys:
                text = QCoreApplication.translate("Actions", spec.text).replace("&", "")
                rows.append(f"| {text} | {', '.join(f'`{key}`' for key in keys)} |")
        if rows:
            lines += ["", f"## {group_title(category)}", "", f"| {heads[0]} | {heads[1]} |", "|---|---|", *rows]
    lines += ["", f"## {mouse}", "", f"| {mouse_heads[0]} | {mouse_heads[1]} |", "|---|---|"]
    lines += [f"| {gesture_text(what)} | {gesture_text(how)} |" for what, how in GESTURES]
    install_language(app, before)
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write the pages, or say which is not current."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtGui import QGuiApplication

    app = QGuiApplication(sys.argv[:1])
    old = 0
    for language in WORDS:
        path = FOLDER / language / PAGE
        text = page(language)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            old += 1
            if "--check" in sys.argv:
                print(f"{path.relative_to(ROOT)} is not current: run scripts/guide_shortcuts.py")
            else:
                path.write_text(text, encoding="utf-8")
    del app
    return 1 if old and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
