"""The worker's copy of the project, and what it tells the window after each change.

Frames in: hello (whole project), patch, view, mend, fit. After ``compute`` the window has the findings (as differences
by key), the counts, the summary of each server sheet, the curve of the chosen collective (with a failure the undamaged
one beside it), the load of each bundle, what was measured, and, where it wants them, all single failures. Nothing is
sent twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from fabricwright.analysis.analyze import Analysis, analyze
from fabricwright.analysis.bill import bill_frame, price_list_frame
from fabricwright.analysis.cache import StageCache
from fabricwright.analysis.compare import Comparer
from fabricwright.analysis.compare_wire import OtherFiles, sections, sides_of
from fabricwright.analysis.measurements import LogFiles, fit_logs, median_error, overlay
from fabricwright.analysis.mend import mend
from fabricwright.analysis.network_health import network_health
from fabricwright.analysis.protocol import pack
from fabricwright.analysis.reports import finding_rows, rule_pages, sheet_summaries
from fabricwright.analysis.size_request import SizeRequests
from fabricwright.analysis.training_request import TrainingRequests
from fabricwright.design.order import chosen_design
from fabricwright.design.patch import PatchMismatchError, apply, patch_from_json
from fabricwright.design.storage import loads
from fabricwright.design.values import Project
from fabricwright.rules.registry import all_rules
from fabricwright.units.errors import UserError

DEFAULT_VIEW: dict[str, Any] = {
    "collective": "all_reduce",
    "size": 1 << 30,
    "network": "calibrated",
    "algorithm": "auto",
    "protocol": "auto",
    "nodes": 0,
    "fail": "",
    "logs": [],
    "sweep": False,
    "health": False,
    "compare": [],
    "bill": "",
    "training": None,
}
"""``nodes`` the first servers only (0: all). ``fail`` address of what is down, "" nothing. ``logs`` files of nccl-tests
to lay over the prediction. ``sweep`` whether all single failures are wanted, ``health`` whether buffers, thresholds and
loss curve of the network are. ``compare`` the sides of a comparison
({"design", "file"}), fewer than two: none is wanted. ``bill`` by what the bill of materials is divided ("part", "rack",
"server", "phase"), "" while none is wanted. ``training`` the workload whose step is wanted ({"workload", "against"}),
None while none is."""


class Superseded(Exception):
    """Something newer waits; the computation is dropped."""


class Replica:
    """Project, view and what was last told. ``send`` takes a frame, ``checkpoint`` raises Superseded when newer input
    waits."""

    def __init__(self, send: Callable[[bytes], None], checkpoint: Callable[[], None]) -> None:
        self._send = send
        self._checkpoint = checkpoint
        self.cache = StageCache()
        self.project: Project | None = None
        self.seq = 0
        self.design = ""
        self.view: dict[str, Any] = dict(DEFAULT_VIEW)
        self._told: dict[str, Any] = {}
        self._told_findings: dict[str, dict[str, Any]] = {}
        self._reset = True
        self._mend = ""
        self._fit: dict[str, Any] | None = None
        self._price_list: dict[str, Any] | None = None
        self._sizing = SizeRequests(send, checkpoint)
        self._training = TrainingRequests(send, checkpoint)
        self._logs = LogFiles()
        self._other_files = OtherFiles()

    def take(self, header: Mapping[str, Any], payload: bytes) -> None:
        """One frame from the window. Raises PatchMismatchError when a patch does not fit (a gap)."""
        kind = header["type"]
        if kind == "hello":
            self.project = loads(payload, "project")
            self.seq = int(header["seq"])
            self.design = str(header.get("design", ""))
            self.view.update(header.get("view", {}))
            self._told.clear()
            self._told_findings.clear()
            self._reset = True
            self._mend = ""
            self._fit = None
        elif kind == "patch":
            if self.project is None or int(header["seq"]) != self.seq + 1:
                raise PatchMismatchError(f"patch {header['seq']} after {self.seq}")
            self.project = apply(self.project, patch_from_json(header["patch"]), check=True)
            self.seq += 1
        elif kind == "view":
            view = dict(header.get("view", {}))
            if "design" in view:
                self.design = str(view.pop("design"))
            self.view.update(view)
            if not self.view["sweep"]:
                self._told.pop("resilience", None)  # the window forgets what it no longer wants
            if not self.view["health"]:
                self._told.pop("health", None)
            if not self.view["training"]:
                self._told.pop("training", None)
        elif kind == "mend":
            self._mend = str(header["rule"])
        elif kind == "fit":
            self._fit = dict(header) if header.get("name") else None
        elif kind == "price_list":
            self._price_list = dict(header)
        elif kind in ("size", "size_take"):
            self._sizing.take(header)
        elif kind == "layouts":
            self._training.take(header)

    def lose(self) -> None:
        """Forget the project after a gap; nothing is computed until the next hello."""
        self.project = None

    def compute(self) -> None:
        """Bring the window up to date with the latest state."""
        self._sizing.answer(self.project)
        if self.project is None:
            return
        try:
            design = chosen_design(self.project, self.design if self.design in self.project.designs else None)
        except UserError:
            self._tell("figures", {})
            return
        self._send(pack({"type": "status", "state": "busy", "seq": self.seq}))
        if self._price_list is not None:
            asked, self._price_list = self._price_list, None
            self._send(pack({"type": "price_list", "path": asked["path"], **price_list_frame(self.project, asked)}))
        self._tell("book", {"rules": rule_pages()})
        analysis = analyze(self.project, design, cache=self.cache, checkpoint=self._checkpoint)
        self._tell("figures", {**analysis.figures(), "rules": len(all_rules())})
        self._checkpoint()
        self._tell("sheets", {"sheets": sheet_summaries(analysis)})
        self._checkpoint()
        if self.view["bill"]:
            self._tell("bill", {"design": design, "bill": bill_frame(analysis, str(self.view["bill"]))})
            self._checkpoint()
        self._tell_comparison()
        self._tell_findings(design, analysis)
        self._checkpoint()
        if self._mend:
            self._tell_mended(design)
        self._tell_prediction(design, analysis)
        self._checkpoint()
        if self.view["training"]:
            self._tell_training(self.view["training"], analysis)
            self._checkpoint()
        self._tell_measured(design)
        if self._fit is not None:
            self._tell_fitted(design, self._fit)
        if self.view["health"]:
            self._checkpoint()
            self._tell("health", {"design": design, "health": network_health(analysis)})
        if self.view["sweep"]:
            self._checkpoint()
            where = self._narrowed(design)
            found = where.failures(str(self.view["collective"]), int(self.view["size"]))
            self._tell("resilience", {"resilience": {**found, "nodes": int(self.view["nodes"])}})
        self._training.search(analysis)

    def _tell_training(self, wanted: Mapping[str, Any], analysis: Analysis) -> None:
        """The training step, beside that of another design where one is named."""
        project, against = self.project, str(wanted.get("against") or "")
        assert project is not None
        other = self._plain(project, against) if against in project.designs and against != analysis.design else None
        self._tell("training", self._training.figures(analysis, wanted, other))

    def _tell_comparison(self) -> None:
        """The sides that are compared, section by section."""
        project, wanted = self.project, list(self.view["compare"])
        assert project is not None
        if len(wanted) < 2:
            return
        head = {"type": "comparison", "asked": wanted}
        try:
            comparer = Comparer(sides_of(wanted, project, self._other_files, self._plain))
            self._tell_section("sides", {**head, "data": [side.to_json() for side in comparer.sides]})
            for name, data in sections(comparer):
                self._tell_section(name, {**head, "data": data})
                self._checkpoint()
            self._tell_section("error", {**head, "data": None})
        except UserError as error:
            self._tell_section("error", {**head, "data": error.message.to_json()})

    def _plain(self, project: Project, design: str) -> Analysis:
        return analyze(project, design, cache=self.cache, checkpoint=self._checkpoint)

    def _tell_section(self, name: str, frame: dict[str, Any]) -> None:
        key = f"comparison {name}"
        if self._told.get(key) != frame:
            self._send(pack({**frame, "section": name, "seq": self.seq}))
            self._told[key] = frame

    def _tell_mended(self, design: str) -> None:
        """The edits that mend all findings of the rule asked for, and how many stay. Newer input starts it over."""
        project, rule = self.project, self._mend
        assert project is not None
        found = mend(project, rule, lambda p: analyze(p, design, cache=self.cache, checkpoint=self._checkpoint))
        self._mend = ""
        self._send(
            pack(
                {
                    "type": "mended",
                    "seq": self.seq,
                    "design": design,
                    "rule": rule,
                    "calls": [call.to_json() for call in found.calls],
                    "fixed": found.fixed,
                    "left": found.left,
                }
            )
        )

    def _tell(self, kind: str, body: dict[str, Any]) -> None:
        if self._told.get(kind) == body:
            return
        self._send(pack({"type": kind, "seq": self.seq, **body}))
        self._told[kind] = body

    def _tell_findings(self, design: str, analysis: Analysis) -> None:
        rows = finding_rows(analysis)
        old = self._told_findings
        added = [row for key, row in rows.items() if key not in old]
        changed = [row for key, row in rows.items() if key in old and old[key] != row]
        removed = [key for key in old if key not in rows]
        if added or changed or removed or self._reset:
            self._send(
                pack(
                    {
                        "type": "findings",
                        "seq": self.seq,
                        "design": design,
                        "reset": self._reset,
                        "added": added,
                        "removed": removed,
                        "changed": changed,
                    }
                )
            )
        self._told_findings = rows
        self._reset = False

    def _narrowed(self, design: str, *, fail: str = "", nodes: int | None = None) -> Analysis:
        """The design on the ranks that are looked at, with something down where that is asked for."""
        assert self.project is not None
        first = nodes if nodes is not None else int(self.view["nodes"])
        failed = (fail,) if fail else ()
        return analyze(
            self.project, design, cache=self.cache, checkpoint=self._checkpoint, nodes=first or None, failed=failed
        )

    def _tell_prediction(self, design: str, analysis: Analysis) -> None:
        view = self.view
        fail = str(view["fail"])
        shown = self._narrowed(design, fail=fail) if fail or view["nodes"] else analysis
        prediction = {**self._curve(shown), "nodes": int(view["nodes"]), "fail": fail}
        if fail:
            prediction["undamaged"] = self._curve(self._narrowed(design))
        self._tell("prediction", {"prediction": prediction})
        self._checkpoint()
        analysis = shown
        heat = analysis.heat(str(view["collective"]), int(view["size"]), network=str(view["network"]))
        self._tell("heat", heat)

    def _curve(self, analysis: Analysis) -> dict[str, Any]:
        view = self.view
        return analysis.curve(
            str(view["collective"]),
            network=str(view["network"]),
            algorithm=str(view["algorithm"]),
            protocol=str(view["protocol"]),
            size=int(view["size"]),
        )

    def _any(self, design: str, project: Project, nodes: int | None) -> Analysis:
        return analyze(project, design, cache=self.cache, checkpoint=self._checkpoint, nodes=nodes)

    def _tell_measured(self, design: str) -> None:
        """What the logs measured beside what is predicted for the ranks that they ran on."""
        project, logs = self.project, [str(path) for path in self.view["logs"]]
        assert project is not None
        if not logs and "measured" not in self._told:
            return
        look = partial(self._any, design)
        try:
            tables = self._logs.tables(logs)
            shown = [overlay(project, table, look, str(self.view["collective"])) for table in tables]
            self._tell("measured", {"logs": logs, "tables": shown, "error": None})
        except UserError as error:
            self._tell("measured", {"logs": logs, "tables": [], "error": error.message.to_json()})

    def _tell_fitted(self, design: str, asked: dict[str, Any]) -> None:
        """The edits that store a profile fitted to the logs, and the median error before and after."""
        project = self.project
        assert project is not None
        answer: dict[str, Any] = {"type": "fitted", "seq": self.seq, "design": design, "name": asked["name"]}
        try:
            found = fit_logs(
                project,
                design,
                self._logs.tables([str(path) for path in asked["logs"]]),
                str(asked["name"]),
                partial(self._any, design),
                collective=str(self.view["collective"]),
            )
        except UserError as error:
            answer |= {"error": error.message.to_json()}
        else:
            answer |= {
                "calls": [call.to_json() for call in found.calls],
                "points": len(found.fit.before),
                "before": median_error(found.fit.before),
                "after": median_error(found.fit.after),
            }
        self._fit = None
        self._send(pack(answer))

    def report_idle(self, seconds: float) -> None:
        """All told; with how often each stage ran."""
        self._send(
            pack(
                {
                    "type": "status",
                    "state": "idle",
                    "seq": self.seq,
                    "seconds": round(seconds, 4),
                    "stages": self.cache.take_counts(),
                }
            )
        )
