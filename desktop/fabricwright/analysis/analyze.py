"""One call for everything the program knows about a design; the worker and the command line both go through here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fabricwright.analysis.cache import StageCache
from fabricwright.analysis.stages import CachedStages, Checkpoint
from fabricwright.design.values import Project
from fabricwright.rules.approvals import Judged, judge
from fabricwright.rules.context import chassis_config
from fabricwright.rules.finding import Finding
from fabricwright.topology.model import Cluster, Interior
from fabricwright.topology.server_power import supplies
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

if TYPE_CHECKING:  # a check of the rules needs no model of performance: it is loaded when something is predicted
    from fabricwright.analysis.training import DesignTraining
    from fabricwright.performance.calibration import Profile
    from fabricwright.performance.plans import PlanBook
    from fabricwright.performance.predict import Prediction, PredictRequest
    from fabricwright.performance.resilience import Failure, Resilience


class Analysis:
    """Results for one design, computed as they are asked for and kept in the cache they came from.

    ``ranks``/``nodes``/``failed`` narrow or damage what predictions run on; findings are about the design as drawn.
    """

    def __init__(
        self,
        stages: CachedStages,
        ranks: Sequence[str] | None = None,
        nodes: int | None = None,
        failed: Sequence[str] = (),
    ) -> None:
        self.stages = stages
        self.project = stages.project
        self.design = stages.design_id
        self._where = (tuple(ranks) if ranks is not None else None, nodes, tuple(failed))

    @cached_property
    def cluster(self) -> Cluster:
        """The compiled design. Raises UserError for addresses that name nothing."""
        ranks, nodes, failed = self._where
        return self.stages.cluster(ranks=ranks, nodes=nodes, failed=failed)

    @cached_property
    def judged(self) -> list[Judged]:
        """All findings with the approvals that cover them, worst first."""
        return judge(self.project, self.stages.findings())

    @property
    def findings(self) -> list[Finding]:
        """Problems: errors, warnings and infos."""
        return [j.finding for j in self.judged if j.finding.severity != "fact"]

    @property
    def facts(self) -> list[Finding]:
        """Findings of severity ``fact``."""
        return [j.finding for j in self.judged if j.finding.severity == "fact"]

    def interiors(self) -> dict[str, Interior]:
        """Compiled interior of each server sheet in use."""
        return {sheet: self.stages.interior(sheet) for sheet in self.stages.server_sheets()}

    def book(self) -> PlanBook:
        """Flows of the ranks that take part, which predictions are made from."""
        return self.stages.book(self.cluster, self._where)

    def predict(self, request: PredictRequest) -> Prediction:
        """Predict a collective. Raises UserError with the reason when it cannot run here."""
        from fabricwright.performance.predict import predict

        if request.profile is None:
            request = replace(request, profile=profile_of(self.project, self.design))
        return predict(self.book(), request)

    def resilience(self, request: PredictRequest) -> Resilience:
        """What every single failure costs under a request of one size. Raises UserError where it cannot run whole."""
        from fabricwright.performance.resilience import sweep

        if request.profile is None:
            request = replace(request, profile=profile_of(self.project, self.design))
        return self.stages.of_cluster(
            "resilience", (*self._where, request), lambda: sweep(self.cluster, request, self.stages.checkpoint)
        )

    def worst_failure(self, request: PredictRequest) -> Failure | None:
        """The single failure that costs most; None where nothing can fail. Raises UserError as ``resilience``."""
        from fabricwright.performance.resilience import worst_failure

        if request.profile is None:
            request = replace(request, profile=profile_of(self.project, self.design))
        return self.stages.of_cluster(
            "worst failure",
            (*self._where, request),
            lambda: worst_failure(self.cluster, request, self.stages.checkpoint),
        )

    @property
    def where(self) -> tuple[tuple[str, ...] | None, int | None, tuple[str, ...]]:
        """(ranks, nodes, failed) that narrow the cluster."""
        return self._where

    def train(self, workload: str | None = None) -> DesignTraining:
        """The training step of a workload (default: the design's own). Raises UserError with the reason when it
        cannot run here, and the nearest that can.
        """
        from fabricwright.analysis.training import train_design

        return train_design(self, workload)

    def failures(self, collective: str, size: int) -> dict[str, Any]:
        """The sweep for the window: as ``resilience --json``, texts as messages; or ``{"error": message}``."""
        from fabricwright.performance.predict import PredictRequest

        asked = {"collective": collective, "bytes": size}
        try:
            found = self.resilience(PredictRequest(collective, (size,)))
        except UserError as error:
            return {**asked, "error": error.message.to_json()}
        rows = [
            {**row.to_json(), "problem": None if row.problem is None else row.problem.to_json()}
            for row in found.failures
        ]
        return {**found.to_json(), "failures": rows}

    def curve(self, collective: str, *, network: str, algorithm: str, protocol: str, size: int) -> dict[str, Any]:
        """Prediction for the window: rows at the chosen size, the curve, texts as messages; or ``{"error":
        message}``.
        """
        from fabricwright.performance.predict import PredictRequest

        try:
            request = PredictRequest(collective, (size,), algorithm, protocol, network)
            return self.predict(request).to_wire()
        except UserError as error:
            return {"error": error.message.to_json(), "collective": collective}

    def heat(self, collective: str, size: int, *, network: str) -> dict[str, Any]:
        """Busy part of every link: ``{"heat": {link: ...}, "interior": {sheet: {name: busy}}}``; empty when it
        cannot run.
        """
        from fabricwright.performance.predict import PredictRequest

        try:
            found = dict(self.predict(PredictRequest(collective, (size,), network=network)).heat)
        except UserError:
            return {"heat": {}, "interior": {}}
        interior = found.pop("interior", {})
        return {"heat": found, "interior": interior}

    def figures(self) -> dict[str, Any]:
        """Counts for status bar and title block; watts are nominal maximum draws of the parts."""
        cluster, fabric = self.cluster, self.cluster.fabric
        alive = fabric.rate > 0
        switches = int(np.count_nonzero(fabric.switch & ~fabric.absent)) if len(fabric.switch) else 0
        return {
            "servers": len(cluster.server_dev),
            "gpus": int(sum(len(cluster.interiors[v].gpus) for v in cluster.variant)),
            "switches": switches,
            "links": int(np.count_nonzero(alive)),
            "power_w": self._power_w(),
        }

    def _power_w(self) -> float:
        total = 0.0
        for sheet, count in self.sheet_counts().items():
            fitted = chassis_config(self.stages.design, sheet)
            power = supplies(self.stages.effective(sheet), self.project.parts, fitted)
            total += count * sum(s.load_w for s in power)
        root = self.stages.effective(self.stages.design.root)
        for item in root.items.values():
            if item.part is not None and item.kind == "switch":
                count = 1
                for _, size in item.axes:
                    count *= size
                total += count * item.part.get("power_w")
        return total

    def sheet_counts(self) -> dict[str, int]:
        """How many servers each server sheet stands for."""
        variant = self.cluster.variant
        return {sheet: int(np.count_nonzero(variant == v)) for v, sheet in enumerate(self.cluster.variant_sheet)}


def profile_of(project: Project, design: str) -> Profile | None:
    """The profile that the design's setting ``profile`` names. Raises UserError when the project has none by it."""
    name = project.designs[design].settings.get("profile")
    if not isinstance(name, str) or not name.strip():
        return None
    row = project.profiles.get(name.strip())
    if row is None:
        raise UserError(msg("The project has no profile '{name}'.", name=name.strip()[:60]))
    values = ((key, row.values[key]) for key in row.values.ordered())
    return name.strip(), tuple((key, float(v)) for key, v in values if isinstance(v, (int, float)) and v > 0)


def analyze(
    project: Project,
    design_id: str,
    *,
    cache: StageCache | None = None,
    checkpoint: Checkpoint = lambda: None,
    ranks: Sequence[str] | None = None,
    nodes: int | None = None,
    failed: Sequence[str] = (),
) -> Analysis:
    """Analyse a design. With the ``cache`` of an earlier call only what changed is computed again."""
    stages = CachedStages(project, design_id, cache if cache is not None else StageCache(), checkpoint)
    return Analysis(stages, ranks, nodes, failed)
