"""Edits of workloads, and the nearest that works in the sentences of plans that cannot run."""

from __future__ import annotations

import pytest

from fabricwright.design.calls import EditCall
from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.training.check import workload_problem
from fabricwright.design.training.presets import preset
from fabricwright.units.errors import UserError


def test_add_copy_rename_remove_and_back() -> None:
    project = TEMPLATES["seed-b-512"].build()
    start = project
    made = {"workload": "w", "title": "W", "model": {"params_b": 7}, "plan": {"tp": 2, "pp": None}}
    project = apply(project, run(project, EditCall("set_workload", made)))
    assert dict(project.workloads["w"].plan) == {"tp": 2}
    project = apply(project, run(project, EditCall("copy_workload", {"workload": "w", "copy": "v"})))
    project = apply(project, run(project, EditCall("rename_workload", {"workload": "v", "title": "V"})))
    assert (project.workloads["w"].title, project.workloads["v"].title) == ("W", "V")
    patch = run(project, EditCall("remove_workload", {"workload": "1t"}))
    gone = apply(project, patch)
    assert all("workload" not in design.settings for design in gone.designs.values())
    assert apply(gone, patch.inverse()) == project
    with pytest.raises(UserError, match="no workload"):
        run(start, EditCall("remove_workload", {"workload": "none"}))


@pytest.mark.parametrize(
    ("model", "plan", "field", "nearest"),
    [
        ("gpt3-175b", {"tp": 8, "pp": 8, "gbs": 7}, "gbs", "; 32 is."),  # 8 stages x DP 4
        ("gpt3-175b", {"tp": 64}, "tp", "; TP 32 would."),  # 48 divides 96 heads, but not 256 GPUs
        ("deepseek-v3", {"tp": 8, "pp": 4}, "pp", "; PP 2 x 1 would."),  # 61 layers + 1 for the embedding
        ("gpt3-175b", {"tp": 8, "pp": 4, "dp": 5}, "dp", "; DP 8 would fit."),
    ],
)
def test_the_nearest_that_works(model: str, plan: dict[str, int], field: str, nearest: str) -> None:
    found = workload_problem(preset(model).model, plan, 256)
    assert found is not None and found[0] == field and found[1].english().endswith(nearest)
