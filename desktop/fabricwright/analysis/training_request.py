"""Training for the window: the figures of the design that is open, and a search for the best layout.

The view's ``training`` asks for figures: None, or {"workload": id or "", "against": design or ""}. Frame in:
``layouts`` {id, workload, keep}; without a workload the search ends. Frames out: ``training`` (``training_wire``) and
``layouts_found`` {id, done, total, fit, rows, end} as it goes; {id, error, end} when nothing fits. A search that newer
input interrupts goes on where it was, unless what it searches on has changed: then it starts over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from fabricwright.analysis.protocol import pack
from fabricwright.analysis.training import groups_of, job_of, workload_named
from fabricwright.analysis.training_mend import plan_fields
from fabricwright.analysis.training_wire import ranked_wire, training_frame
from fabricwright.design.keys import row_key
from fabricwright.performance.training.search import Progress, nowhere, search
from fabricwright.units.errors import UserError

if TYPE_CHECKING:
    from fabricwright.analysis.analyze import Analysis

MOST_ROWS = 20


class TrainingRequests:
    """What was asked and how far it is. ``send`` takes a frame, ``checkpoint`` may raise to stop."""

    def __init__(self, send: Callable[[bytes], None], checkpoint: Callable[[], None]) -> None:
        self._send = send
        self._checkpoint = checkpoint
        self._asked: dict[str, Any] | None = None
        self._running: Iterator[Progress] | None = None
        self._of: tuple[object, ...] = ()
        self._last: Progress | None = None

    def take(self, header: Mapping[str, Any]) -> None:
        """A frame ``layouts``."""
        self._asked = dict(header) if header.get("workload") is not None else None
        self._running, self._last, self._of = None, None, ()

    def figures(self, analysis: Analysis, view: Mapping[str, Any], other: Analysis | None) -> dict[str, Any]:
        """The body of the frame ``training``."""
        return {"training": training_frame(analysis, str(view.get("workload") or ""), other)}

    def search(self, analysis: Analysis) -> None:
        """Go on with the search that was asked for, if any."""
        asked = self._asked
        if asked is None:
            return
        head = {"type": "layouts_found", "id": asked.get("id")}
        try:
            name, row = workload_named(analysis.project, analysis.design, str(asked["workload"]) or None)
            groups = groups_of(analysis)
            of = (analysis.design, name, row_key(row), id(groups))
            if self._running is None or of != self._of:
                job, _ = job_of(analysis, _bare(row), groups)
                keep = min(max(int(asked.get("keep") or 10), 1), MOST_ROWS)
                self._job, self._groups = job, groups
                self._running, self._of, self._last = search(job, groups, keep=keep), of, None
            while (step := next(self._running, None)) is not None:
                self._last = step
                self._send(pack({**head, **self._body(step, row.plan), "workload": name, "end": False}))
                self._checkpoint()
            last = self._last
            if last is None or not last.best:
                raise nowhere(self._job, self._groups)
            self._send(pack({**head, **self._body(last, row.plan), "workload": name, "end": True}))
        except UserError as error:
            self._send(pack({**head, "error": error.message.to_json(), "end": True}))
        self._asked = self._running = None

    @staticmethod
    def _body(step: Progress, plan: Mapping[str, object]) -> dict[str, Any]:
        rows = [ranked_wire(row, plan_fields(row.plan, plan)) for row in step.best]
        return {"done": step.done, "total": step.total, "fit": step.fit, "rows": rows}


def _bare(row: Any) -> Any:
    """The workload without its degrees, which are what is searched for and may not even divide."""
    from dataclasses import replace

    from fabricwright.units.table import Table

    drop = ("tp", "pp", "dp", "cp", "ep", "vpp", "mbs", "micro_batch")
    return replace(row, plan=Table({k: v for k, v in row.plan.items() if k not in drop}))
