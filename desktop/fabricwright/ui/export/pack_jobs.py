"""The jobs of an export pack as a person edits them: a working copy, what may be chosen, what it is called."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from fabricwright.catalog.parts import Scalar
from fabricwright.design.edits.places import fresh_id
from fabricwright.design.output_jobs import KINDS, Choice, default_jobs, format_of_job, jobs_of, text_of
from fabricwright.design.values import OutputJob, Project
from fabricwright.units.table import Table
from fabricwright.units.text import msg

ICONS = {
    "report": "book",
    "diagram": "layers",
    "bom": "bom",
    "cables": "cables",
    "labels": "tag",
    "slots": "pcie-switch",
    "racks": "rack",
    "predictions": "chart",
    "compliance": "table",
    "settings": "leaf-switch",
}
NAMES = {
    "pdf": "PDF",
    "svg": "SVG",
    "png": "PNG",
    "drawio": "draw.io",
    "xlsx": "Excel (XLSX)",
    "csv": "CSV",
    "json": "JSON",
    "sonic": "SONiC",
    "nvue": "NVUE",
    "nic": "NIC",
    "nccl-env": "NCCL (env)",
    "nccl-xml": "NCCL (XML)",
    "graphml": "GraphML",
}


@dataclass(slots=True)
class JobSet:
    """Jobs by id and which are ticked. ``usual``: the project keeps none, these are the usual ones; ``edited``: they
    differ from what the project keeps in more than the ticks."""

    jobs: dict[str, OutputJob]
    ticked: set[str]
    usual: bool
    edited: bool = False
    _kept: dict[str, OutputJob] = field(default_factory=dict)

    @staticmethod
    def of(project: Project) -> JobSet:
        """The jobs that a pack of the project would do."""
        jobs = jobs_of(project)
        ticked = {name for name, job in jobs.items() if job.options.get("off") is not True}
        if not len(project.jobs):
            if not len(project.statements):
                ticked.discard("compliance")
            lossless = any(design.settings.get("lossless") for design in project.designs.values())
            if not lossless:
                ticked -= {name for name, job in jobs.items() if job.kind == "settings"}
        return JobSet(dict(jobs), ticked, not len(project.jobs), False, dict(jobs))

    def set_option(self, name: str, key: str, value: Scalar) -> None:
        """Change one option; "" and None take it out."""
        job = self.jobs[name]
        options = job.options.drop(key) if value in ("", None) else job.options.put(key, value)
        self.jobs[name] = OutputJob(job.kind, options, job.extra)
        self.edited = self.jobs != self._kept

    def add(self, kind: str) -> str:
        """Another job of a kind; returns its id."""
        name = fresh_id(kind, self.jobs, numbered=False)
        self.jobs[name] = OutputJob(kind)
        self.ticked.add(name)
        self.edited = True
        return name

    def remove(self, name: str) -> None:
        """Take a job out."""
        del self.jobs[name]
        self.ticked.discard(name)
        self.edited = True

    def reset(self) -> None:
        """The usual jobs again."""
        self.jobs = default_jobs()
        self.ticked = set(self.jobs)
        self.edited = self.jobs != self._kept

    def rows(self) -> dict[str, dict[str, object]]:
        """What the edit ``set_jobs`` takes; a job that is not ticked is kept, but off."""
        out: dict[str, dict[str, object]] = {}
        for name, job in self.jobs.items():
            options: dict[str, object] = {k: job.options[k] for k in job.options if k != "off"}
            if name not in self.ticked:
                options["off"] = True
            out[name] = {"kind": job.kind, "options": options}
        return out

    def title(self, name: str, lang: str) -> str:
        """What a job is called: as a person named it, else its kind."""
        job = self.jobs[name]
        return text_of(job, "title") or KINDS[job.kind].title.text(lang)

    def subtitle(self, name: str, lang: str) -> str:
        """Format, paper, language, as far as they are stated."""
        job = self.jobs[name]
        words = [NAMES.get(format_of_job(job), format_of_job(job))]
        page = next((c for c in KINDS[job.kind].choices if c.key == "page"), None)
        if page is not None:
            words.append(text_of(job, "page") or page.default)
        if text_of(job, "language"):
            words.append({"en": "English", "zh_CN": "简体中文"}.get(text_of(job, "language"), ""))
        return msg("{words}", words=words).text(lang)


def value_of(job: OutputJob, choice: Choice) -> str:
    """A text or listed option as it counts."""
    return text_of(job, choice.key) or choice.default


def with_jobs(project: Project, jobs: JobSet) -> Project:
    """The project with the edited jobs, for an export that is not saved yet."""
    rows = {
        name: OutputJob(job.kind, job.options.drop("off") if name in jobs.ticked else job.options.put("off", True))
        for name, job in jobs.jobs.items()
    }
    return replace(project, jobs=Table(rows))
