"""Texts for people, produced below the window and translated where they are shown.

A ``Message`` is an English template (a string literal, so that the extractor finds it) and its parameters. It crosses
the worker's pipe as data; whoever shows it picks the language. ``msg("{part}: no such part", part="x")``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache

from fabricwright.resources import resource_path
from fabricwright.units.record import record

#: Han characters and full-width signs.
_HAN = "[\u3001-\u303f\u3400-\u9fff\uff00-\uffef“”]"
_CHINESE = re.compile(_HAN)

LONGEST_VALUE = 1000
"""Characters of one value inside a sentence."""


@record
class Message:
    """English ``template`` with ``{name}`` fields, and the values of these fields.

    A parameter may itself be a ``Message`` (nested, translated too) once rendered through ``text``.
    """

    template: str
    params: Mapping[str, object] = field(default_factory=dict)

    def english(self) -> str:
        """The text in English."""
        return _render(self.template, self.params, "en")

    def text(self, lang: str) -> str:
        """The text in ``lang`` (``en`` or ``zh_CN``); an untranslated template falls back to English."""
        return _render(translate(self.template, lang), self.params, lang)

    def to_json(self) -> list[object]:
        """``[template, {params}]``, what travels between processes."""
        return [self.template, {k: v.to_json() if isinstance(v, Message) else v for k, v in self.params.items()}]

    @staticmethod
    def from_json(value: object) -> Message:
        """Inverse of ``to_json``."""
        assert isinstance(value, list) and len(value) == 2
        params = {
            k: Message.from_json(v) if isinstance(v, list) and len(v) == 2 and isinstance(v[1], dict) else v
            for k, v in value[1].items()
        }
        return Message(value[0], params)


def msg(template: str, /, **params: object) -> Message:
    """Make a message. ``template`` must be a string literal at the call site (the extractor reads the source)."""
    return Message(template, params)


def N_(text: str) -> str:  # noqa: N802 (the customary gettext name for "mark, do not translate yet")
    """Mark a literal for the message catalogue without translating it."""
    return text


def _render(template: str, params: Mapping[str, object], lang: str) -> str:
    shown = {k: v.text(lang) if isinstance(v, Message) else _short(format_value(v, lang)) for k, v in params.items()}
    if lang.startswith("zh"):
        template = _close_up(template, shown)
    try:
        return template.format(**shown)
    except (KeyError, IndexError, ValueError):
        return template


def _close_up(template: str, shown: Mapping[str, str]) -> str:
    """Take out the space between a field and Chinese beside it where what goes into the field is Chinese, too: the
    space is there for Latin only (a template cannot know: ``{names} 的网卡端口``).
    """
    for name, value in shown.items():
        if _CHINESE.match(value[:1]):
            template = re.sub(rf"(?<={_HAN}) (?=\{{{name}\b)", "", template)
        if _CHINESE.match(value[-1:]):
            template = re.sub(rf"({{{name}\b[^}}]*\}}) (?={_HAN})", r"\1", template)
    return template


def _short(text: str) -> str:
    """A value from a hostile file must not make a sentence of a megabyte."""
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"


def format_value(value: object, lang: str = "en") -> str:
    """A bare value inside a sentence: floats without noise (``48``, ``23.95``), lists joined by commas (in Chinese by
    its own mark for lists).
    """
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
    if isinstance(value, (list, tuple)):
        return ("、" if lang.startswith("zh") else ", ").join(format_value(v, lang) for v in value)
    return str(value)


@lru_cache(maxsize=4)
def _catalogue(lang: str) -> dict[str, str]:
    path = resource_path("i18n", f"messages_{lang}.json")
    if lang == "en" or not path.exists():
        return {}
    loaded: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def translate(template: str, lang: str) -> str:
    """Template in ``lang``; itself when there is no translation."""
    return _catalogue(lang).get(template, template)
