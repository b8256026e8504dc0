"""Editors of options: a fold per subject, a drop-down or a checked line of text per option."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QCoreApplication

from fabricwright.catalog.store import catalogue
from fabricwright.design.options import Option
from fabricwright.design.options.words import SUBJECTS, label_of, subject_of
from fabricwright.ui.i18n import current_language, text_of
from fabricwright.ui.panels.fields import CONTROL_PX, Choice, ChoiceField, TextField
from fabricwright.ui.panels.inspector_page import Page
from fabricwright.ui.panels.words import listed, unit_word
from fabricwright.units.natural import natural_key
from fabricwright.units.text import Message

OPTION_PX = 118
_SHORT = 13
#: option -> kind of part that it names
_PARTS = {("card", "aux"): "aux-cable", ("rack", "pdu"): "pdu"}


@dataclass(frozen=True, slots=True)
class Stated:
    """One option at one place: ``key`` as stored, and what stands behind its label (``A`` of a link's end)."""

    option: Option
    key: str
    suffix: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """Where values are read and written: ``own`` what is stated here, ``known`` what counts otherwise (inherited, or
    from the catalogue; None when unknown), ``post`` writes (None clears) and returns the sentence of a refusal.
    """

    own: Callable[[str], object]
    known: Callable[[Stated], object]
    post: Callable[[str, object], str]


def add_options(page: Page, rows: Sequence[Stated], source: Source) -> None:
    """One fold per subject; its head says how many of its options are stated."""
    by_subject: dict[str, list[Stated]] = {}
    for row in rows:
        by_subject.setdefault(subject_of(row.option), []).append(row)
    for subject, title in SUBJECTS.items():
        found = by_subject.get(subject)
        if not found:
            continue

        def note(found: Iterable[Stated] = tuple(found)) -> str:
            count = sum(source.own(row.key) is not None for row in found)
            return f"{count:,}" if count else ""

        def fill(found: Iterable[Stated] = tuple(found)) -> None:
            for row in found:
                add_option(page, row, source)

        page.add_fold(text_of(Message(title)), note, fill)


def add_option(page: Page, row: Stated, source: Source) -> None:
    """The field of one option: a drop-down, or a line of text that is checked while it is typed."""
    option = row.option
    label = text_of(Message(option.label))
    unit = unit_word(option.unit)
    if unit:
        label = QCoreApplication.translate("Inspector", "{label}, {unit}").format(label=label, unit=unit)
    if row.suffix:
        label = QCoreApplication.translate("Inspector", "{label}, end {end}").format(label=label, end=row.suffix)
    choices = _choices(page, option)

    def read() -> object:
        value = source.own(row.key)
        if option.kind == "switch" and isinstance(value, bool):
            return "on" if value else "off"
        if option.kind == "choice" and value is not None:
            return str(value)
        return value

    if choices is not None:

        def offered() -> list[Choice]:
            unset = Choice(None, default_text(option, source.known(row)), tip_of(option), quiet=True)
            return [unset, *choices]

        px = OPTION_PX if all(len(c.text) <= _SHORT for c in choices) else CONTROL_PX
        write = partial(source.post, row.key)
        page.add_field(ChoiceField(label, offered, read, write, tip=tip_of(option), px=px))
        return

    def typed(text: str) -> str:
        value = parse_option(option, text)
        if isinstance(value, Wrong):
            return value.sentence
        return source.post(row.key, value)

    page.add_field(
        TextField(
            label,
            lambda: plain(read()),
            typed,
            placeholder=lambda: default_text(option, source.known(row)),
            tip=tip_of(option),
            trial=page.trial,
            px=OPTION_PX,
        )
    )


def _choices(page: Page, option: Option) -> list[Choice] | None:
    """What an option can be chosen from, None when it is typed."""
    if option.kind == "switch":
        return [Choice(word, text_of(Message(label_of(word)))) for word in ("on", "off")]
    if option.kind == "choice":
        return [Choice(word, text_of(Message(label_of(word))), word) for word in option.choices]
    if (option.place, option.key) == ("design", "workload"):
        rows = page.context.project.workloads
        return [Choice(name, rows[name].title or name, name) for name in rows.ordered()]
    kind = _PARTS.get((option.place, option.key))
    if kind is None:
        return None
    store, lang = catalogue(), current_language()
    found = [Choice(part, store.name_of(part, lang), part) for part in store.kinds().get(kind, ())]
    return sorted(found, key=lambda c: natural_key(c.text))


def default_text(option: Option, known: object) -> str:
    """What stands in a field that nobody filled in."""
    value = option.default if known is None else known
    if value is None:
        return QCoreApplication.translate("Inspector", "not stated")
    if isinstance(value, bool):
        value = "on" if value else "off"
    shown = text_of(Message(label_of(str(value)))) if isinstance(value, str) else plain(value)
    if known is not None:
        return shown
    return QCoreApplication.translate("Inspector", "default ({value})").format(value=shown)


def tip_of(option: Option) -> str:
    """What an option means, and which rules read it."""
    text = text_of(Message(option.help))
    if not option.rules:
        return text
    rules = QCoreApplication.translate("Inspector", "Read by {rules}.").format(rules=listed(option.rules))
    return f"{text}\n{rules}"


@dataclass(frozen=True, slots=True)
class Wrong:
    """Why a typed text is no value of an option."""

    sentence: str


def parse_option(option: Option, text: str) -> object:
    """The value that a typed text means; None clears. ``Wrong`` with a sentence when it means nothing."""
    if not text:
        return None
    if option.kind == "names":
        return ", ".join(part.strip() for part in text.replace("，", ",").split(",") if part.strip()) or None
    if option.kind != "number":
        wrong = option.pattern and not re.fullmatch(option.pattern, text.strip(), re.IGNORECASE)
        return Wrong(text_of(Message(option.help))) if wrong else text
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return Wrong(QCoreApplication.translate("Inspector", "A number is expected."))
    low, high = option.low, option.high
    if value != value or value in (float("inf"), float("-inf")):
        return Wrong(QCoreApplication.translate("Inspector", "A number is expected."))
    if low is not None and high is not None and not low <= value <= high:
        sentence = QCoreApplication.translate("Inspector", "A number from {low} to {high} is expected.")
        return Wrong(sentence.format(low=plain(low), high=plain(high)))
    if low is not None and value < low:
        sentence = QCoreApplication.translate("Inspector", "A number from {low} on is expected.")
        return Wrong(sentence.format(low=plain(low)))
    return int(value) if value.is_integer() else value


def plain(value: object) -> str:
    """A stored value as it is typed."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:g}"
    return str(value).lower() if isinstance(value, bool) else str(value)
