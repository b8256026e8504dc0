"""Opening what a command is about: project file, design, who takes part. One thin door to the analysis."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from fabricwright.analysis.analyze import Analysis, analyze
from fabricwright.analysis.cache import StageCache
from fabricwright.cli.arguments import Arguments, count, split_addresses
from fabricwright.cli.output import progress
from fabricwright.design.check_ports import impossible_ports
from fabricwright.design.order import chosen_design
from fabricwright.design.storage import load
from fabricwright.design.values import Project
from fabricwright.design.versions import load_version
from fabricwright.units.errors import UserError
from fabricwright.units.record import record
from fabricwright.units.text import msg


def open_project(arguments: Arguments) -> tuple[Project, str]:
    """The project and the id of the design meant. Raises UserError naming the file."""
    project = open_file(arguments.file)
    try:
        return project, chosen_design(project, arguments.design)
    except UserError as error:
        raise UserError(msg("{file}: {problem}", file=arguments.file, problem=error.message)) from error


@record
class _Kept:
    """A project that several commands work on, and what they compute for each other."""

    path: str
    project: Project
    cache: StageCache


_kept: list[_Kept] = []


@contextlib.contextmanager
def keeping(path: str, project: Project) -> Iterator[None]:
    """While this lasts, commands that name the file get this project, and share what they compute."""
    _kept.append(_Kept(path, project, StageCache()))
    try:
        yield
    finally:
        _kept.pop()


def open_file(path: str) -> Project:
    """A project file. Raises UserError naming it."""
    if _kept and _kept[-1].path == path:
        return _kept[-1].project
    return _possible(load(path), path)


def open_version(path: str) -> Project:
    """A project file, or with ``FILE@snapshot`` a snapshot in it. Raises UserError naming it."""
    return _possible(load_version(path), path)


def _possible(project: Project, path: str) -> Project:
    wrong = next(impossible_ports(project), None)
    if wrong is not None:
        raise UserError(msg("{file}: {problem}", file=path, problem=wrong))
    return project


def analysis_of(project: Project, design: str, arguments: Arguments, failed: Sequence[str] = ()) -> Analysis:
    """Analysis of one design. Raises UserError naming the file and what was asked for."""
    workload = getattr(arguments, "workload", None)
    if workload is not None and workload not in project.workloads:
        known = ", ".join(sorted(project.workloads)) or msg("none")
        raise UserError(
            msg(
                "{file}: workload '{name}' does not exist; this project has {known}.",
                file=arguments.file,
                name=workload[:60],
                known=known,
            )
        )
    given = getattr(arguments, "ranks", None)
    ranks = split_addresses(given) if given is not None else None
    nodes = count(getattr(arguments, "nodes", None), "--nodes")
    shared = _kept[-1].cache if _kept and _kept[-1].project is project else StageCache()
    if nodes is not None:
        able = len(set(analyze(project, design, cache=shared, ranks=ranks).cluster.rank_server.tolist()))
        if 0 < able < nodes:  # without any GPU the command says so itself
            raise UserError(
                msg(
                    "--nodes: {count} servers of design '{design}' can take part, {value} are asked for.",
                    count=able,
                    design=design,
                    value=nodes,
                )
            )
    return analyze(project, design, cache=shared, ranks=ranks, nodes=nodes, failed=tuple(failed))


class Working:
    """Context that says on stderr what takes long, and names the file in whatever goes wrong in it."""

    def __init__(self, arguments: Arguments) -> None:
        self._file: str = arguments.file
        self._progress = progress(msg("Analysing {file} ...", file=arguments.file), arguments.lang)

    def __enter__(self) -> None:
        self._progress.__enter__()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self._progress.__exit__(None, None, None)
        if isinstance(error, UserError) and not error.message.template.startswith("{file}"):
            raise UserError(msg("{file}: {problem}", file=self._file, problem=error.message)) from error
