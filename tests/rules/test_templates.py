"""What the rules say about the six templates: exactly the rules that the case lists, and nothing it calls silent."""

from __future__ import annotations

import pytest

from fabricwright.design.edits import EDITS
from fabricwright.design.patch import apply
from fabricwright.design.templates import TEMPLATES
from fabricwright.rules.approvals import judge
from fabricwright.rules.finding import Finding
from fabricwright.rules.run import findings_to_json
from tests.rules.drawing import everything

# (template, design) -> rule -> addresses of its findings without index sets
EXPECTED: dict[tuple[str, str], dict[str, set[str]]] = {
    ("seed-a-256x8", "main"): {
        "P2P-01": {f"node/gpu{n}" for n in range(8)},
        "P2P-02": {f"node/gpu{n}" for n in range(4, 8)},
        "P2P-03": {f"node/gpu{n}" for n in range(8)},
        "P2P-07": {"node"},
        "LAN-06": {"node/sw0", "node/sw1", "node/sw2"},
        "FAB-06": {"node"},  # 50 Gb/s per GPU
        "RET-11": {f"node/gpu{n}" for n in range(6)} | {f"node/c{n}" for n in range(1, 7)},  # 0.35 and 0.45 m
        "CXL-02": {"node/cpu0"},
        "CXL-05": {"node/gpu0"},
        "CXL-06": {"node"},
        "OPT-13": {"leaf", "down"},
        "MEM-01": {""},
        "SED-04": {""},
        "SED-05": {"node/cpu0"},
        "SED-06": {"node"},
    },
    ("seed-b-512", "before"): {
        "FAB-06": {"node"},  # 25
        "P2P-01": {f"node/gpu{n}" for n in range(8)},
        "MEM-03": {"node"},  # 2 TB hold what 10^12 parameters keep in each of 32 servers
        "SRV-02": {"node"},
    },
    ("seed-b-512", "after-network"): {
        "FAB-06": {"node"},  # 50
        "P2P-01": {f"node/gpu{n}" for n in range(8)},
        "FAB-03": {"leaf"},
        "OPT-13": {"leaf", "down"},
        "NIC-01": {"node/nic8"},
        "NIC-02": {"node/nic8"},
        "NIC-05": {"node/nic8"},
        "NIC-03": {"node/nic8"},
        "SRV-02": {"node"},
    },
    ("seed-b-512", "after"): {
        "FAB-06": {"node"},  # 40
        "P2P-01": {f"node/gpu{n}" for n in range(10)},
        "FAB-03": {"leaf"},
        "OPT-13": {"leaf", "down"},
        "NIC-01": {"node/nic8"},
        "NIC-02": {"node/nic8"},
        "NIC-05": {"node/nic8"},
        "NIC-03": {"node/nic8"},
        "SRV-02": {"node"},
        "GPU-03": {"node/gpu8", "node/gpu9"},
        "SED-01": {""},
        "SED-02": {""},
        "SED-03": {"node"},
        "SED-07": {"node"},
        "MEC-01": {"node/sw0", "node/rt0", "node/rt1", "node/cxl0", "node/cxl1"},
        "LAN-06": {"node/sw0"},
        "LAN-07": {"node/sw0"},
        "LAN-08": {"node/stor0"},
        "RET-04": {"node/sw0"},
        "RET-05": {"node/rt0", "node/rt1"},
        "RET-07": {"node/sw0"},
        "CXL-06": {"node"},
        "CXL-07": {"node/cpu0", "node/cxl0", "node/cxl1"},
        "P2P-03": {"node/gpu8", "node/gpu9"},
        "P2P-08": {"node"},
        "SCL-01": {"node"},
        "CXL-01": {"node/cxl0", "node/cxl1"},
        "CXL-04": {"node/cxl0", "node/cxl1"},
    },
    ("single-8gpu", "main"): {},
    ("pcie-8gpu-switch", "p2p-sys"): {"LAN-06": {"node/sw0", "node/sw1"}, "P2P-08": {"node"}},
    ("pcie-8gpu-switch", "default"): {
        "LAN-06": {"node/sw0", "node/sw1"},
        "P2P-03": {f"node/gpu{n}" for n in range(8)},
        "P2P-08": {"node"},
        "P2P-18": {"node/cpu0"},
    },
    ("pcie-4gpu-1nic", "main"): {
        "P2P-01": {f"node/gpu{n}" for n in range(4)},
        "P2P-07": {"node"},
        "P2P-08": {"node"},
        "P2P-19": {"node/cpu0"},
    },
    ("superpod-h100-127", "main"): {"NIC-04": {"node/slota-nic", "node/slotb-nic"}},
}


@pytest.fixture(scope="module")
def found() -> dict[tuple[str, str], list[Finding]]:
    projects = {name: template.build() for name, template in TEMPLATES.items()}
    return {(t, d): everything(projects[t], d) for t, d in EXPECTED}


def problems(findings: list[Finding]) -> list[Finding]:
    """What the problems panel lists; facts are for the inspector and the report."""
    return [f for f in findings if f.severity != "fact"]


@pytest.mark.parametrize(("template", "design"), list(EXPECTED))
def test_fires_exactly_what_is_listed(found, template: str, design: str) -> None:
    got: dict[str, set[str]] = {}
    for finding in problems(found[template, design]):
        got.setdefault(finding.rule, set()).update(a.bare() for a in finding.at)
    assert {k: {a.partition(":")[0] for a in v} for k, v in got.items()} == EXPECTED[template, design]


def by_rule(findings: list[Finding], rule: str) -> list[Finding]:
    return [f for f in findings if f.rule == rule]


def test_seed_b_figures(found) -> None:
    after = found["seed-b-512", "after"]
    (scale,) = by_rule(after, "SCL-01")
    assert (scale.measured, scale.allowed) == (320, 512)  # 32 x 8 + 64
    (claim,) = by_rule(after, "NIC-02")
    assert (claim.measured, claim.allowed) == (800, 400)
    (host,) = by_rule(after, "NIC-01")
    assert (host.measured, round(host.allowed or 0)) == (800, 504)
    (flow,) = by_rule(after, "NIC-05")
    assert (flow.measured, flow.allowed) == (390, 200)
    (ratio,) = by_rule(after, "FAB-03")
    assert ratio.measured == pytest.approx(2.0)
    (splitters,) = by_rule(after, "OPT-13")
    assert splitters.measured == 32
    slots = {f.at[0].bare(): f for f in by_rule(after, "MEC-01")}
    assert slots["node/sw0"].values["variants"] == {"8-31": 5, "0-7": 7}  # cards for two slots
    assert str(slots["node/sw0"].members) == "0-31" and str(slots["node/cxl0"].members) == "0-7"


def test_seed_a_figures(found) -> None:
    main = found["seed-a-256x8", "main"]
    assert [f.measured for f in by_rule(main, "LAN-06")] == [2, 2, 2]
    assert by_rule(main, "OPT-13")[0].measured == 256
    (p2p,) = by_rule(main, "P2P-03")
    assert p2p.measured == 25  # 28 pairs, 3 of them below one switch card
    assert str(p2p.members) == "0-255"
    assert p2p.fix[0].args == {"design": "main", "key": "nccl.p2p_level", "value": "SYS"}


def test_moving_the_nic_to_the_other_socket_fires_p2p_02() -> None:
    project = TEMPLATES["pcie-4gpu-1nic"].build()
    patch = EDITS["seat"](project, design="main", sheet="node", item="nic0", slot="chassis:n2")
    moved = everything(apply(project, patch))
    before = {f.rule for f in everything(project)}
    assert {f.rule for f in moved} - before == {"P2P-02"}
    (far,) = by_rule(moved, "P2P-02")
    assert far.values["gbs"] == pytest.approx(22)  # NCCL's socket link of Sapphire Rapids


def test_superpod_findings_are_accepted_in_the_template() -> None:
    project = TEMPLATES["superpod-h100-127"].build()
    report = findings_to_json(judge(project, everything(project)))
    assert report["counts"] == {"error": 0, "warning": 0, "info": 0, "approved": 2}
