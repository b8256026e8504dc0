"""What the worker last said. Panels and canvas read it; ``changed`` names the topics that are new."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal

TOPICS = frozenset(
    {
        "findings",
        "prediction",
        "heat",
        "sheets",
        "figures",
        "status",
        "book",
        "mending",
        "measured",
        "resilience",
        "fitting",
        "comparison",
        "bill",
        "training",
        "layouts",
        "placement",
        "health",
    }
)


class AnalysisState(QObject):
    """Latest results for the current design.

    ``findings`` key -> finding JSON (``interfaces.md`` check rows plus "key", "at" addresses, "fix" calls);
    ``prediction`` predict
    JSON plus "curve"; ``heat`` {link id: {"max", "mean", "argmax", "load_bytes", "capacity"}}; ``heat_interior``
    {sheet: {link name:
    utilisation}}; ``sheets`` {sheet: {"lanes", "matrix", "power_w"}}; ``figures`` counts; ``status`` one of
    "starting", "busy", "idle", "lost"; ``book`` rule id -> page (title, checks, reason, source, group, severity);
    ``mending`` the rule whose fixes the worker is trying out, "" when none; ``measured`` the tables of the logs with
    their points; ``resilience`` all single failures while ``sweep_wanted``; ``fitting`` the profile being fitted;
    ``comparison`` section -> what ``compared`` (the sides asked for) gave, as far as it is there;
    ``bill`` the bill of materials while ``bill_wanted`` says by what it is divided ("part", "rack", "server", "phase");
    ``health`` buffers, thresholds and losses of the network while ``health_wanted``;
    ``training`` the step of ``training_wanted`` ({"workload", "against"}, None while nobody looks); ``layouts`` a
    search for the best layout as far as it is; ``placement`` by what ranks are coloured on the canvas ("tp", "pp",
    "dp", ""); ``ran`` whether the last analysis had anything to compute.

    ``collective``, ``size_bytes``, ``nodes`` (first servers only, 0 all), ``fail`` (address of what is down) and
    ``logs`` (files) are what is asked for; ``ask`` changes them.

    ``mend_wanted`` (rule) asks the worker for the edits that mend all findings of a rule; ``mended`` brings them.
    """

    changed = Signal(object)
    mend_wanted = Signal(str)
    mended = Signal(object)
    view_wanted = Signal()
    fit_wanted = Signal(str)
    fitted = Signal(object)
    price_list_wanted = Signal(object)
    price_list_read = Signal(object)
    layouts_wanted = Signal(object)
    size_wanted = Signal(object)
    sized = Signal(object)
    size_taken = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.findings: dict[str, dict[str, Any]] = {}
        self.prediction: dict[str, Any] = {}
        self.heat: dict[str, dict[str, Any]] = {}
        self.heat_interior: dict[str, dict[str, float]] = {}
        self.sheets: dict[str, dict[str, Any]] = {}
        self.figures: dict[str, Any] = {}
        self.book: dict[str, dict[str, str]] = {}
        self.mending = ""
        self.status = "starting"
        self.out_of_memory = False
        self.seconds: float | None = None
        self.collective = "all_reduce"
        self.size_bytes = 1 << 30
        self.nodes = 0
        self.fail = ""
        self.logs: list[str] = []
        self.sweep_wanted = False
        self.measured: dict[str, Any] = {}
        self.resilience: dict[str, Any] = {}
        self.fitting = ""
        self.ran = False
        self.bill_wanted = ""
        self.bill: dict[str, Any] = {}
        self.training_wanted: dict[str, str] | None = None
        self.training: dict[str, Any] = {}
        self.layouts: dict[str, Any] = {}
        self.placement = ""
        self.health_wanted = False
        self.health: dict[str, Any] = {}
        self.compared: list[dict[str, str]] = []
        self.comparison: dict[str, Any] = {}

    @property
    def checked(self) -> bool:
        """Whether any check has come to an end yet; before, no findings does not mean no problems."""
        return bool(self.findings) or self.seconds is not None

    def counts(self) -> dict[str, int]:
        """Findings by severity; approved ones count under "approved" only."""
        out = {"error": 0, "warning": 0, "info": 0, "fact": 0, "approved": 0}
        for row in self.findings.values():
            key = "approved" if row.get("approved") else str(row.get("severity", "info"))
            out[key] = out.get(key, 0) + 1
        return out

    def update(self, **topics: Any) -> None:
        """Put in new results (keys as the attributes) and announce them."""
        for name, value in topics.items():
            setattr(self, name, value)
        names = {("heat" if n == "heat_interior" else n) for n in topics}
        self.changed.emit(frozenset(names & TOPICS | ({"status"} if "seconds" in topics else set())))

    def ask(self, **view: Any) -> None:
        """Look at something else (``nodes``, ``fail``, ``logs``, ``sweep_wanted``, ``collective``, ``size_bytes``)."""
        if any(getattr(self, name) != value for name, value in view.items()):
            for name, value in view.items():
                setattr(self, name, value)
            self.view_wanted.emit()

    def ask_comparison(self, sides: list[dict[str, str]]) -> None:
        """Compare these sides ({"design", "file"}; fewer than two ends it). What was known stays until it is new."""
        if sides != self.compared:
            self.compared = sides
            if len(sides) < 2:
                self.update(comparison={})
            self.view_wanted.emit()

    def take_section(self, section: str, asked: list[dict[str, str]], data: Any) -> None:
        """One section of the comparison; one of sides that are no longer asked for is dropped."""
        if asked == self.compared:
            fresh = dict(self.comparison) if self.comparison.get("asked") == asked else {"asked": asked}
            self.update(comparison={**fresh, section: data})

    def ask_fit(self, name: str) -> bool:
        """Ask for a profile fitted to ``logs``. False when the worker does not run or is at it already."""
        if self.fitting or not self.logs or self.status not in ("idle", "busy"):
            return False
        self.update(fitting=name)
        self.fit_wanted.emit(name)
        return True

    def take_fitted(self, answer: Mapping[str, Any]) -> None:
        """The answer to ``ask_fit``: ``name`` and ``calls``, ``points``, ``before``, ``after``; or ``error``."""
        self.update(fitting="")
        self.fitted.emit(dict(answer))

    def ask_price_list(self, **asked: Any) -> bool:
        """Have a price list file read: ``path``, ``source``, ``columns`` FIELD -> letter, ``currency``, ``tax``,
        ``discount``. ``price_list_read`` brings what it holds. False when the worker does not run."""
        if self.status not in ("idle", "busy"):
            return False
        self.price_list_wanted.emit(asked)
        return True

    def ask_size(self, **asked: Any) -> bool:
        """Have a requirement sized: ``id``, ``requirement`` (plain values; none = no longer wanted), ``most``,
        ``look`` = only what the best network is. ``sized`` brings each alternative, then all of them. False when the
        worker does not run."""
        if self.status in ("lost", "failed"):
            return False
        self.size_wanted.emit({"type": "size", **asked})
        return True

    def take_size(self, **asked: Any) -> bool:
        """Ask for one ``alternative`` as an edit (``new``: as a project), called ``title``; ``size_taken`` brings it.
        False when the worker does not run."""
        if self.status in ("lost", "failed"):
            return False
        self.size_wanted.emit({"type": "size_take", **asked})
        return True

    def ask_layouts(self, workload: str, keep: int = 10) -> bool:
        """Search for the best layouts of a workload on the open design; ``layouts`` tells how far it is. False when
        the worker does not run."""
        if self.status in ("lost", "failed"):
            return False
        number = int(self.layouts.get("id", 0)) + 1
        self.update(layouts={"id": number, "workload": workload, "done": 0, "total": 0, "rows": [], "end": False})
        self.layouts_wanted.emit({"type": "layouts", "id": number, "workload": workload, "keep": keep})
        return True

    def stop_layouts(self) -> None:
        """The search is no longer wanted; what it found so far stays."""
        if self.layouts and not self.layouts.get("end"):
            self.layouts_wanted.emit({"type": "layouts", "id": self.layouts["id"], "workload": None})
            self.update(layouts={**self.layouts, "end": True, "stopped": True})

    def take_layouts(self, answer: Mapping[str, Any]) -> None:
        """How far a search is; one that is no longer wanted is dropped."""
        if answer.get("id") == self.layouts.get("id") and not self.layouts.get("stopped"):
            self.update(layouts={**self.layouts, **answer})

    def change_findings(
        self, added: list[Mapping[str, Any]], removed: list[str], changed: list[Mapping[str, Any]]
    ) -> None:
        """Apply a difference of findings."""
        for key in removed:
            self.findings.pop(key, None)
        for row in (*added, *changed):
            self.findings[str(row["key"])] = dict(row)
        self.changed.emit(frozenset({"findings"}))

    def ask_mend(self, rule: str) -> bool:
        """Ask for the edits that mend all findings of a rule. False when the checks do not run or are at it already."""
        if self.mending or self.status not in ("idle", "busy"):
            return False
        self.update(mending=rule)
        self.mend_wanted.emit(rule)
        return True

    def stop_mend(self) -> None:
        """No longer wanted; an answer that comes all the same is ignored."""
        if self.mending:
            self.update(mending="")
            self.mend_wanted.emit("")

    def take_mended(self, answer: Mapping[str, Any]) -> None:
        """The answer to ``ask_mend``: ``rule``, ``calls``, ``fixed``, ``left``."""
        self.update(mending="")
        self.mended.emit(dict(answer))

    def clear(self) -> None:
        """Forget everything (another project or design)."""
        self.mending = self.fitting = self.fail = ""
        self.nodes, self.logs = 0, []
        self.measured, self.resilience, self.comparison, self.bill = {}, {}, {}, {}
        self.training, self.layouts, self.placement = {}, {}, ""
        self.health = {}
        self.findings, self.prediction, self.heat, self.heat_interior, self.sheets, self.figures = (
            {},
            {},
            {},
            {},
            {},
            {},
        )
        self.changed.emit(TOPICS)
