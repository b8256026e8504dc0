"""``fabricwright export-pack FILE -o DIR``: all output jobs of a project in one folder, with a list of what is there.

Everything is made beside the folder first; files appear in it whole, all of them or none. The same project gives the
same bytes: the only date in them is the one that the project states.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from fabricwright import __version__
from fabricwright.cli.arguments import Arguments, Parser, add_project
from fabricwright.cli.job_files import Pack, job_language, run_job
from fabricwright.cli.output import Output, progress
from fabricwright.cli.pack_folder import Packed, check_folder, readme_text, write_pack
from fabricwright.cli.projects import Working, keeping, open_project
from fabricwright.cli.report import teller
from fabricwright.design.output_jobs import KINDS, check_job, format_of_job, jobs_of
from fabricwright.design.values import OutputJob, Project
from fabricwright.exchange.report_template import load_template
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

SUMMARY = msg("all output jobs of a project into a folder: diagram, parts, cables, report ...")

WEIGHTS = {"report": 6.0, "diagram": 3.0, "predictions": 2.0}
"""How long jobs take against each other, for the progress that is told."""


def add_arguments(parser: Parser) -> None:
    """FILE, ``-o``, which jobs."""
    add_project(parser)
    say = parser.say
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help=say(msg("folder to write")))
    parser.add_argument("--only", metavar="JOB,...", help=say(msg("only these jobs (default: all that are on)")))
    text = msg("look of the report: name, logo, accent colour, footer (.toml or .json, docs/report-template.md)")
    parser.add_argument("--template", metavar="FILE", help=say(text))
    parser.add_argument(
        "--replace", action="store_true", help=say(msg("write over files that no earlier pack put there"))
    )
    parser.add_argument("--report-progress", action="store_true", help=say(msg("say on stderr how far it is")))


def run(arguments: Arguments, out: Output) -> int:
    """Do all jobs, then write the folder."""
    load_template(arguments.template)
    project, design = open_project(arguments)
    jobs = _chosen(project, arguments)
    folder = Path(arguments.output)
    if folder.exists() and not folder.is_dir():
        raise UserError(msg("{file}: is a file; expected a folder.", file=str(folder)))
    meta = project.meta
    pack = Pack(
        arguments.file,
        project.title or design,
        design,
        out.lang,
        str(meta.get("revision") or ""),
        str(meta.get("date") or ""),
        arguments.template or "",
    )
    told = teller(arguments.report_progress)
    said = _sayer(arguments.report_progress)
    with progress(msg("Exporting {file} ...", file=arguments.file), out.lang), Working(arguments):
        files, skipped = _make(jobs, pack, project, told, said)
    if not files:
        raise UserError(msg("{file}: no output job had anything to write.", file=arguments.file))
    names = [file.name for file in files]
    check_folder(folder, names, replace=arguments.replace)
    manifest: dict[str, object] = {
        "program": f"Fabricwright {__version__}",
        "project": project.title,
        "design": design,
        "language": out.lang,
        "revision": pack.revision,
        "date": pack.date,
        "skipped": [{"job": name, "reason": reason.text(out.lang)} for name, reason in skipped],
    }
    head = [
        (msg("Project"), project.title),
        (msg("Design"), project.designs[design].title or design),
        (msg("Customer"), str(meta.get("customer") or "")),
        (msg("Revision"), pack.revision),
        (msg("Date"), pack.date),
    ]
    rows = [(file.name, KINDS[file.kind].title) for file in files]
    gone = write_pack(folder, files, manifest, readme_text(head, rows, out.lang))
    told(1.0)
    out.document(
        {
            "folder": str(folder),
            "design": design,
            "files": [{"name": f.name, "job": f.job, "bytes": len(f.data), "sha256": f.sha256} for f in files],
            "skipped": manifest["skipped"],
            "removed": gone,
        }
    )
    for file in files:
        out.say(f"{folder / file.name}")
    for name, reason in skipped:
        out.say(msg("left out: {job}: {reason}", job=name, reason=reason))
    for name in gone:
        out.say(msg("taken away, as the pack no longer has it: {file}", file=name))
    return 0


def _chosen(project: Project, arguments: Arguments) -> dict[str, OutputJob]:
    jobs = jobs_of(project)
    wanted = [name.strip() for name in (arguments.only or "").split(",") if name.strip()]
    for name in wanted:
        if name not in jobs:
            raise UserError(msg("--only: there is no job '{job}'; there are {known}.", job=name[:40], known=list(jobs)))
    for name, job in jobs.items():
        try:
            check_job(job)
        except UserError as error:
            raise UserError(
                msg("{file}: jobs.{job}: {problem}", file=arguments.file, job=name, problem=error.message)
            ) from error
    if wanted:
        return {name: jobs[name] for name in jobs if name in wanted}
    return {name: job for name, job in jobs.items() if job.options.get("off") is not True}


def _make(
    jobs: dict[str, OutputJob],
    pack: Pack,
    project: Project,
    told: Callable[[float], bool],
    said: Callable[[str, str], None],
) -> tuple[list[Packed], list[tuple[str, Message]]]:
    """Files of all jobs. A usual job that has nothing to tell is left out; one that the project asks for must work."""
    usual = not len(project.jobs)
    weights = [WEIGHTS.get(job.kind, 1.0) for job in jobs.values()]
    done, files, skipped = 0.0, [], []
    with tempfile.TemporaryDirectory(prefix="fabricwright-pack-") as scratch, keeping(pack.file, project):
        for weight, (name, job) in zip(weights, jobs.items(), strict=True):
            said("start", name)
            folder = Path(scratch) / name
            folder.mkdir()
            try:
                reason = None if not usual else _nothing(job, project)
                if reason is None:
                    run_job(name, job, pack, folder)
            except UserError as error:
                if not usual:
                    raise UserError(msg("jobs.{job}: {problem}", job=name, problem=error.message)) from error
                reason = error.message
            if reason is not None:
                skipped.append((name, reason))
                said("skipped", name)
            else:
                files += _read(folder, name, job)
                said("done", name)
            done += weight
            told(0.98 * done / sum(weights))
    return _apart(files, jobs, pack), skipped


def _nothing(job: OutputJob, project: Project) -> Message | None:
    if job.kind == "compliance" and not len(project.statements):
        return msg("there are no statements to answer")
    return None


def _read(folder: Path, name: str, job: OutputJob) -> list[Packed]:
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return [Packed(p.relative_to(folder).as_posix(), name, job.kind, p.read_bytes()) for p in found]


def _apart(files: Sequence[Packed], jobs: dict[str, OutputJob], pack: Pack) -> list[Packed]:
    """Two jobs that would write the same name get the language, then the job's id, appended."""
    out: list[Packed] = []
    taken: set[str] = set()
    for file in files:
        name, job = file.name, jobs[file.job]
        stem, dot, ending = name.rpartition(".")
        tails = (f"-{job_language(job, pack)}", f"-{format_of_job(job)}-{file.job}", f"-{len(out)}")
        for tail in ("", *tails):
            shown = f"{stem}{tail}{dot}{ending}" if stem else f"{name}{tail}"
            if shown.lower() not in taken and shown.lower() not in ("readme.txt", "manifest.json"):
                break
        taken.add(shown.lower())
        out.append(Packed(shown, file.job, file.kind, file.data))
    return out


def _sayer(wanted: bool) -> Callable[[str, str], None]:
    """Says ``job start bom`` on stderr, for whoever started this program."""

    def said(what: str, name: str) -> None:
        if wanted:
            print(f"job {what} {name}", file=sys.stderr, flush=True)

    return said
