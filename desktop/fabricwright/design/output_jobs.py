"""Output jobs: presets of what leaves a project, kept in it: kinds, their formats and options.

A job is a row of ``Project.jobs``: its kind and options. ``format`` one of the kind's, ``name`` template of the file
name, ``design`` (empty: the one that is asked for), ``language`` (empty: the pack's), ``off`` leaves it out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from fabricwright.catalog.parts import Scalar
from fabricwright.design.values import OutputJob, Project
from fabricwright.units.errors import UserError
from fabricwright.units.natural import natural_key
from fabricwright.units.record import record
from fabricwright.units.table import Table
from fabricwright.units.text import Message, msg

PAPERS = tuple(f"A{n}{turn}" for n in (4, 3, 2, 1, 0) for turn in ("", "-portrait"))
GROUPS = ("part", "rack", "server", "phase")
LANGUAGES = ("en", "zh_CN")
COMMON = ("format", "name", "design", "language", "off", "title")
NAME_FIELDS = ("project", "design", "kind", "job", "language", "revision", "date", "format")
DEFAULT_NAME = "{project}-{kind}"
MOST_JOBS = 100
LONGEST = 120


@record
class Choice:
    """An option of a kind: a ``flag``, one of ``values``, or a text."""

    key: str
    label: Message
    flag: bool = False
    values: tuple[str, ...] = ()
    default: str = ""


@record
class JobKind:
    """``name`` as the file says it, what it is called, its formats (the first is the usual one), its options."""

    name: str
    title: Message
    formats: tuple[str, ...]
    choices: tuple[Choice, ...] = ()
    folder: bool = False
    """Whether a job of this kind may be several files."""


_PAPER = Choice("page", msg("Paper"), values=PAPERS, default="A3")

KINDS: dict[str, JobKind] = {
    kind.name: kind
    for kind in (
        JobKind(
            "report",
            msg("Report"),
            ("pdf",),
            (Choice("drawings", msg("Drawings in the report"), flag=True, default="on"),),
        ),
        JobKind(
            "diagram",
            msg("Diagram"),
            ("pdf", "svg", "png", "drawio"),
            (
                _PAPER,
                Choice("parts", msg("Bill of materials behind the sheets"), flag=True, default="on"),
                Choice("racks", msg("Rack elevation behind the sheets"), flag=True, default="on"),
                Choice("findings", msg("Findings behind the sheets"), flag=True, default="on"),
                Choice("heat", msg("Link load"), flag=True),
                Choice("print_safe", msg("Greys only"), flag=True),
            ),
            folder=True,
        ),
        JobKind(
            "bom",
            msg("Bill of materials"),
            ("xlsx", "csv", "json"),
            (Choice("group", msg("Divided by"), values=GROUPS, default="part"),),
        ),
        JobKind("cables", msg("Cable schedule"), ("xlsx", "csv", "json"), (Choice("label", msg("Label template")),)),
        JobKind(
            "labels",
            msg("Cable labels"),
            ("pdf",),
            (Choice("label", msg("Label template")), Choice("sheet", msg("Label sheet"), default="L7651")),
        ),
        JobKind("slots", msg("Lanes and slots"), ("xlsx", "csv", "json")),
        JobKind("racks", msg("Racks"), ("xlsx", "csv", "json")),
        JobKind("predictions", msg("Predictions"), ("csv", "xlsx", "json")),
        JobKind("compliance", msg("Answer sheet"), ("csv", "json")),
        JobKind(
            "settings",
            msg("Network settings"),
            ("sonic", "nvue", "nic", "nccl-env", "nccl-xml", "graphml"),
            folder=True,
        ),
    )
}
"""Kind -> what it is, in the order of a pack."""


def kind_of(job: OutputJob) -> JobKind:
    """The kind of a job. Raises UserError for one that is not known."""
    if job.kind not in KINDS:
        raise UserError(
            msg("Output job: '{kind}' is not a kind; expected {known}.", kind=job.kind[:40], known=list(KINDS))
        )
    return KINDS[job.kind]


def check_job(job: OutputJob) -> None:
    """Raises UserError naming what cannot be."""
    kind = kind_of(job)
    known = {choice.key: choice for choice in kind.choices}
    for key in job.options:
        if key not in known and key not in COMMON:
            expected = [*COMMON, *known]
            raise UserError(msg("Output job: '{key}' is no option; expected {known}.", key=key[:40], known=expected))
        value = job.options[key]
        if isinstance(value, str) and len(value) > LONGEST:
            raise UserError(msg("Output job: {key} is longer than {most} characters.", key=key, most=LONGEST))
    for key, allowed in (("format", kind.formats), ("language", ("", *LANGUAGES))):
        value = text_of(job, key)
        if value and value not in allowed:
            raise UserError(
                msg(
                    "Output job: {key} '{value}' is not known; expected {known}.",
                    key=key,
                    value=value[:40],
                    known=[name for name in allowed if name],
                )
            )
    for choice in kind.choices:
        value = text_of(job, choice.key)
        if choice.values and value and value not in choice.values:
            raise UserError(
                msg(
                    "Output job: {key} '{value}' is not known; expected {known}.",
                    key=choice.key,
                    value=value[:40],
                    known=list(choice.values),
                )
            )
    file_stem(text_of(job, "name") or DEFAULT_NAME, {})


def text_of(job: OutputJob, key: str) -> str:
    """A text option, "" where it is not stated."""
    value = job.options.get(key)
    return str(value) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else ""


def is_on(job: OutputJob, key: str) -> bool:
    """A flag: stated, else the kind's default."""
    value = job.options.get(key)
    if isinstance(value, bool):
        return value
    choice = next((c for c in KINDS[job.kind].choices if c.key == key), None)
    return choice is not None and choice.default == "on"


def format_of_job(job: OutputJob) -> str:
    """Its format, the kind's usual one where none is stated."""
    return text_of(job, "format") or kind_of(job).formats[0]


def jobs_of(project: Project) -> dict[str, OutputJob]:
    """The project's jobs in the order of a pack, or the usual set where it has none."""
    if not len(project.jobs):
        return default_jobs()
    order = {name: n for n, name in enumerate(KINDS)}
    names = sorted(project.jobs, key=lambda name: (order.get(project.jobs[name].kind, len(order)), natural_key(name)))
    return {name: project.jobs[name] for name in names}


def default_jobs() -> dict[str, OutputJob]:
    """What a pack holds while nobody said otherwise; jobs with nothing to tell leave themselves out."""
    out = {name: OutputJob(name) for name in KINDS if name != "settings"}
    rows: dict[str, dict[str, Scalar]] = {
        "settings-sonic": {"format": "sonic"},
        "settings-nccl": {"format": "nccl-env", "name": "{project}-nccl"},
    }
    for name, options in rows.items():
        out[name] = OutputJob("settings", Table(options))
    return out


_FIELD = re.compile(r"\{([^{}]*)\}")
_NEVER = re.compile(r'[\x00-\x1f<>:"/\\|?*]')
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?")


def file_stem(template: str, values: Mapping[str, str]) -> str:
    """A file name without its ending. What no system takes in a name becomes "-". Raises UserError for a field that
    is not known."""
    for found in _FIELD.finditer(template):
        if found[1] not in NAME_FIELDS:
            raise UserError(
                msg(
                    "File name '{name}': the field '{field}' is not known; expected {known}.",
                    name=template[:60],
                    field=found[1][:30],
                    known=list(NAME_FIELDS),
                )
            )
    text = _FIELD.sub(lambda found: values.get(found[1], ""), template)
    text = _NEVER.sub("-", unicodedata.normalize("NFC", text))
    text = "".join(c for c in text if c.isprintable())
    text = re.sub(r"\s+", " ", text).strip(" .-")[:100].strip(" .-")
    if _RESERVED.fullmatch(text):
        text = f"_{text}"
    return text or "file"
