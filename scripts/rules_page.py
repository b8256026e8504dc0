"""Write docs/rules.md and docs/rules.zh_CN.md from the rule registry, so that the pages say what the program checks.

python scripts/rules_page.py            write both pages
python scripts/rules_page.py --check    change nothing; exit 1 when a page is not current
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from fabricwright.resources import resource_path
from fabricwright.rules.registry import STAGES, Rule, all_rules
from fabricwright.units.natural import natural_key
from fabricwright.units.text import translate

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
TESTS = ROOT / "tests" / "rules"
PAGES = {"en": "rules.md", "zh_CN": "rules.zh_CN.md"}

# What stands on the page besides the rules' own texts. The window never shows these, so they are not in its catalogues.
WORDS = {
    "en": {
        "title": "Rules",
        "intro": "{count} rules. Written by `scripts/rules_page.py` from the registry ([Chinese](rules.zh_CN.md)); "
        "change the rule, not this page.\nA finding is an error (cannot work or cannot be ordered), a warning "
        "(works, but costs), an info or a fact.\nA rule is computed again only when a stage that it reads has changed.",
        "checks": "Checks",
        "reason": "Why",
        "reads": "Reads",
        "source": "Source",
        "fires": "Fires in",
        "silent": "Silent in",
        "sources": "Short names of sources",
        "sources_intro": "As in `resources/catalog/sources.yaml`. `SD` and `C` with a number are entries of lists of "
        "claims and of field cases that the rule was written from.",
    },
    "zh_CN": {
        "title": "规则",
        "intro": "共 {count} 条规则。本页由 `scripts/rules_page.py` 从规则登记表生成（[English](rules.md)），"
        "请修改规则，不要修改本页。\nerror 表示不能工作或不能订货，warning 表示能工作但有损失，"
        "info 为提示，fact 为事实。\n"
        "只有规则所读的阶段变化时才重新计算该规则。",
        "checks": "检查",
        "reason": "原因",
        "reads": "读取",
        "source": "来源",
        "fires": "触发的测试",
        "silent": "不触发的测试",
        "sources": "来源简称",
        "sources_intro": "与 `resources/catalog/sources.yaml` 一致。"
        "`SD`、`C` 加数字是编写规则时所依据的说法清单和现场案例的编号。",
    },
}

# Groups in Chinese; the window shows rules by id and title only.
GROUPS_ZH = {
    "bifurcation": "通道拆分",
    "CXL": "CXL",
    "spine-leaf": "叶脊网络",
    "lanes & generation": "通道与代际",
    "mechanical": "机械结构",
    "memory & capacity": "内存与容量",
    "NIC, ports, cables, optics": "网卡、端口、线缆、光模块",
    "P2P & NUMA": "P2P 与 NUMA",
    "power & cooling": "供电与散热",
    "retimer & signal": "Retimer 与信号",
    "scale": "规模",
    "seed claims": "声明值核对",
}


def page(lang: str) -> str:
    """The whole page in one language."""
    words = WORDS[lang]
    rules = sorted(all_rules().values(), key=lambda rule: natural_key(rule.id))
    examples = example_tests()
    groups: dict[str, list[Rule]] = {}
    for rule in rules:
        groups.setdefault(rule.group, []).append(rule)
    lines = [f"# {words['title']}", "", *words["intro"].format(count=len(rules)).split("\n")]
    for group, members in groups.items():
        lines += ["", f"## {_group(group, lang)}"]
        for rule in members:
            lines += ["", *_rule(rule, lang, examples)]
    lines += ["", f"## {words['sources']}", "", words["sources_intro"], ""]
    lines += [f"* `{name}`: {text}" for name, text in _sources(rules)]
    return "\n".join(lines) + "\n"


def _group(group: str, lang: str) -> str:
    name = GROUPS_ZH.get(group, group) if lang == "zh_CN" else group
    return name[:1].upper() + name[1:]


def example_tests(folder: Path = TESTS) -> dict[tuple[str, str], list[str]]:
    """(``fires`` | ``silent``, rule) -> ``file::test`` of the tests that are marked as examples of the rule."""
    found: dict[tuple[str, str], list[str]] = {}
    for path in sorted(folder.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for call in node.decorator_list:
                    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.args:
                        mark, rule = call.func.id, call.args[0]
                        if mark in ("fires", "silent") and isinstance(rule, ast.Constant):
                            found.setdefault((mark, str(rule.value)), []).append(f"{path.name}::{node.name}")
    return found


def _rule(rule: Rule, lang: str, examples: dict[tuple[str, str], list[str]]) -> Iterator[str]:
    words, (title, checks, reason) = WORDS[lang], (translate(text, lang) for text in rule.page)
    colon = "：" if lang == "zh_CN" else ": "
    yield f"### {rule.id} {title}"
    yield ""
    yield f"`{rule.severity}`"
    yield ""
    yield f"* {words['checks']}{colon}{checks}"
    yield f"* {words['reason']}{colon}{reason}"
    yield f"* {words['reads']}{colon}{', '.join(stage for stage in STAGES if stage in rule.needs)}"
    yield f"* {words['source']}{colon}{rule.source}"
    for mark in ("fires", "silent"):
        if tests := examples.get((mark, rule.id)):
            yield f"* {words[mark]}{colon}{', '.join(f'`{test}`' for test in tests)}"


def _sources(rules: list[Rule]) -> list[tuple[str, str]]:
    known = json.loads(resource_path("catalog", "catalog.json").read_text(encoding="utf-8"))["sources"]
    named = {word for rule in rules for word in re.findall(r"\w+", rule.source)}
    return [(name, known[name]) for name in sorted(named & set(known), key=natural_key)]


def main(argv: list[str]) -> int:
    """Write both pages, or say which is not current."""
    parser = argparse.ArgumentParser(description="The rules as pages of docs/.")
    parser.add_argument("--check", action="store_true", help="change nothing, fail when a page is not current")
    check = parser.parse_args(argv).check
    stale = [name for lang, name in PAGES.items() if not _current(DOCS / name, page(lang))]
    for name in stale:
        if check:
            print(f"docs/{name} is not current; run scripts/rules_page.py")
    if not check:
        for lang, name in PAGES.items():
            (DOCS / name).write_text(page(lang), encoding="utf-8")
    return 1 if check and stale else 0


def _current(path: Path, text: str) -> bool:
    return path.exists() and path.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
