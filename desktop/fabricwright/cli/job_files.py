"""One output job done: its files written into a folder by the commands that make such files on their own."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fabricwright.analysis.prediction_table import TITLE, prediction_table
from fabricwright.cli import table_command
from fabricwright.cli.arguments import Arguments, Parser, add_common
from fabricwright.cli.output import Output
from fabricwright.cli.projects import analysis_of, open_project
from fabricwright.design.output_jobs import DEFAULT_NAME, file_stem, format_of_job, is_on, kind_of, text_of
from fabricwright.design.values import OutputJob
from fabricwright.exchange.formats import format_of
from fabricwright.units.text import msg


@dataclass(frozen=True, slots=True)
class Pack:
    """What the jobs of a pack share. ``file`` the project's path; ``date`` ISO or ""."""

    file: str
    project: str
    design: str
    language: str
    revision: str = ""
    date: str = ""
    template: str = ""


def job_language(job: OutputJob, pack: Pack) -> str:
    """The job's own language, else the pack's."""
    return text_of(job, "language") or pack.language


def run_job(name: str, job: OutputJob, pack: Pack, folder: Path) -> None:
    """Write the job's files into ``folder``, which holds nothing else. Raises UserError."""
    kind, form = kind_of(job), format_of_job(job)
    design = text_of(job, "design") or pack.design
    language = job_language(job, pack)
    values = {
        "project": pack.project,
        "design": design,
        "kind": kind.name,
        "job": name,
        "language": language,
        "revision": pack.revision,
        "date": pack.date,
        "format": form,
    }
    stem = file_stem(text_of(job, "name") or DEFAULT_NAME, values)
    ending = f".{form}"
    if kind.name == "settings":
        made = format_of(form)
        ending = made.suffix if made.single else f"-{form}"
    target = folder / f"{stem}{ending}"
    words = [pack.file, f"--output={target}", f"--design={design}", f"--lang={language}"]
    if kind.name == "predictions":
        _predictions(words)
    else:
        command, more = _COMMANDS[kind.name](job, pack)
        _run(command, [*words, *more])


def _run(command: str, words: list[str]) -> None:
    module = importlib.import_module(f"fabricwright.cli.{command}")
    parser = Parser(f"fabricwright {command}", module.SUMMARY)
    module.add_arguments(parser)
    add_common(parser)
    parsed = parser.parse_args(words)
    module.run(parsed, Output(parsed.lang))


def _predictions(words: list[str]) -> None:
    parser = Parser("fabricwright export-pack", msg("predictions as a table"))
    table_command.add_arguments(parser)
    add_common(parser)
    parsed: Arguments = parser.parse_args(words)
    project, design = open_project(parsed)
    analysis = analysis_of(project, design, parsed)
    table_command.give(parsed, Output(parsed.lang), project, design, TITLE, [prediction_table(analysis)])


def _diagram(job: OutputJob, pack: Pack) -> tuple[str, list[str]]:
    words = ["--page", text_of(job, "page") or "A3"]
    also = [key for key in ("racks", "parts", "findings") if is_on(job, key)]
    if also and format_of_job(job) in ("pdf", "drawio"):
        words += ["--also", ",".join(also)]
    words += ["--heat"] if is_on(job, "heat") else []
    words += ["--print-safe"] if is_on(job, "print_safe") else []
    return "diagram", words + ([f"--revision={pack.revision}"] if pack.revision else [])


def _report(job: OutputJob, pack: Pack) -> tuple[str, list[str]]:
    words = [] if is_on(job, "drawings") else ["--no-drawings"]
    words += [f"--template={pack.template}"] if pack.template else []
    return "report", words + ([f"--revision={pack.revision}"] if pack.revision else [])


def _labels(job: OutputJob, pack: Pack) -> tuple[str, list[str]]:
    del pack
    sheet = text_of(job, "sheet")
    return "cables", [*_label(job), *([f"--label-sheet={sheet}"] if sheet else [])]


def _label(job: OutputJob) -> list[str]:
    label = text_of(job, "label")
    return [f"--label={label}"] if label else []


_COMMANDS: dict[str, Callable[[OutputJob, Pack], tuple[str, list[str]]]] = {
    "report": _report,
    "diagram": _diagram,
    "bom": lambda job, pack: ("bom", ["--group", text_of(job, "group") or "part"]),
    "cables": lambda job, pack: ("cables", _label(job)),
    "labels": _labels,
    "slots": lambda job, pack: ("slots", []),
    "racks": lambda job, pack: ("racks", []),
    "compliance": lambda job, pack: ("compliance", []),
    "settings": lambda job, pack: ("export", ["--to", format_of_job(job)]),
}
