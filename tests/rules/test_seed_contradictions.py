"""The 36 contradictions of the two seeds, each found in the project that its document is drawn as.

Figures are those of the collected calculations: seed A is a guide to a cluster of 256 servers, seed B a case of 32 DGX
H100 before and after an upgrade.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from fabricwright.design.edits import EDITS
from fabricwright.design.patch import apply
from fabricwright.design.templates import TEMPLATES
from fabricwright.rules.claims_parts import figure_verdicts
from fabricwright.rules.finding import Finding
from fabricwright.rules.run import run_rules
from tests.rules.drawing import context, fired

A, B = "seed-a-256x8", "seed-b-512"


@dataclass(frozen=True)
class Contradiction:
    """``at`` address of the finding; ``figures`` what the calculation gives, by reader of the finding."""

    id: str
    template: str
    design: str
    rule: str
    at: str
    severity: str
    figures: dict[str, object] = field(default_factory=dict)


def of(statement: str, figure: str) -> Callable[[Finding], object]:
    return lambda finding: finding.values["figures"][statement][figure]  # type: ignore[index]


READ: dict[str, Callable[[Finding], object]] = {
    "measured": lambda f: f.measured,
    "allowed": lambda f: f.allowed,
    "members": lambda f: str(f.members),
    "gain from days": lambda f: f.values["gain_from_train.days"],
    "gain from shares": lambda f: f.values["gain_from_step.comm_share"],
    "gain from times": lambda f: f.values["gain_from_allreduce.time_ms"],
    "moved MB": lambda f: f.values["moved_mb"],
    "payload GB": lambda f: f.values["payload_gb"],
    "wire GB": lambda f: f.values["workloads"]["10b"]["wire_gb"],  # type: ignore[index]
    "least TB": lambda f: f.values["least_tb"],
    "most TB": lambda f: f.values["most_tb"],
    "bytes per parameter": of("s10", "bytes_per_param"),
    "ZeRO TB": of("s10", "zero"),
    "Megatron TB": of("s10", "megatron"),
    "ZeRO GB": of("s11", "zero"),
    "stated GB": of("s11", "measured"),
    "built in": lambda f: f.values["built_in"],
    "fewest switches": lambda f: f.values["fewest"],
    "modes": lambda f: f.values["modes"],
    "seconds": lambda f: f.values["seconds"],
    "GB moved": lambda f: f.values["gb"],
    "connector": lambda f: f.values["connector"],
    "missing": lambda f: f.values["missing"],
    "cage": lambda f: f.values["cage"],
}

CONTRADICTIONS = [
    Contradiction("SD01", B, "after", "NIC-02", "node/nic8", "error", {"measured": 800, "allowed": 400}),
    # 16 lanes x 32 GT/s x 128/130
    Contradiction("SD02", B, "after", "NIC-01", "node/nic8", "error", {"measured": 800, "allowed": 504.1}),
    Contradiction("SD03", B, "after", "NIC-05", "node/nic8", "warning", {"measured": 390, "allowed": 200}),
    Contradiction(
        "SD04", B, "after", "LAN-07", "node/sw0", "error", {"modes": ["2x16", "4x8"], "measured": 64, "allowed": 32}
    ),
    Contradiction("SD05", A, "main", "LAN-06", "node/sw0", "warning", {"measured": 2.0}),
    # 32 x 8 + 64 = 320
    Contradiction("SD06", B, "after", "SCL-01", "node", "error", {"measured": 320, "allowed": 512}),
    # two slots; NIC, switch card, two retimer cards, the card that is there (and two CXL cards in key nodes)
    Contradiction("SD07", B, "after", "MEC-01", "node/sw0", "error", {"measured": 7, "allowed": 2}),
    Contradiction(
        "SD08", B, "before", "SRV-02", "node", "error", {"built in": "8x400G", "measured": 200, "allowed": 3200}
    ),
    # 400 Gb/s for 8 (10) GPUs, 1/8 (1/10) of the reference's 400 Gb/s for each
    Contradiction("SD09", B, "after-network", "FAB-06", "node", "warning", {"measured": 50}),
    # 30/21 - 1
    Contradiction("SD10", B, "after", "SED-01", "", "warning", {"measured": 0.40, "gain from days": 0.42857}),
    # 0.88/0.65 - 1; 1/(0.65 + 0.35 x 3.2/8.5) - 1
    Contradiction("SD11", B, "after", "SED-01", "", "warning", {"gain from shares": 0.3538, "gain from times": 0.2792}),
    Contradiction("SD12", B, "after", "SED-02", "", "error", {"measured": 0.92, "allowed": 0.88}),
    # 20 GB x 2 x 31/32 / 50 GB/s = 775 ms; 3.2 ms move 83 MB
    Contradiction("SD13", B, "after", "SED-03", "node", "warning", {"measured": 3.2, "allowed": 775, "moved MB": 82.6}),
    # 8.5/3.2 = 2.656 against 50/25
    Contradiction("SD14", B, "after", "SED-03", "node", "warning", {}),
    Contradiction("SD15", A, "main", "SED-05", "node/cpu0", "warning", {"measured": 128, "allowed": 160}),
    # 10e9 x 2 B; 2 x 2047/2048 x 20
    Contradiction("SD16", A, "main", "MEM-04", "node", "fact", {"measured": 20, "wire GB": 39.98}),
    Contradiction(
        "SD17", A, "main", "MEM-01", "", "error", {"bytes per parameter": 20, "ZeRO TB": 2.8, "Megatron TB": 3.15}
    ),
    # 16 x 175e9 / 8
    Contradiction("SD18", A, "main", "MEM-01", "", "error", {"stated GB": 440, "ZeRO GB": 350}),
    Contradiction("SD19", A, "main", "SED-06", "node", "error", {"measured": 2, "allowed": 3, "fewest switches": 1}),
    # 440 GB / 55.4 GB/s = 7.9 s
    Contradiction("SD20", A, "main", "CXL-06", "node", "warning", {"GB moved": 440, "measured": 7.93}),
    Contradiction("SD21", A, "main", "CXL-05", "node/gpu0", "error"),
    Contradiction("SD22", B, "after", "CXL-06", "node", "warning", {"members": "0-7"}),
    # 16 to 20 bytes x 1e12 / 32
    Contradiction("SD23", B, "before", "MEM-03", "node", "warning", {"measured": 2, "least TB": 0.5, "most TB": 0.625}),
    # the memory adds up (2 + 2 x 2 TB, below); its cards find no slot
    Contradiction("SD24", B, "after", "MEC-01", "node/cxl0", "error", {"members": "0-7", "allowed": 2}),
    Contradiction("SD25", A, "main", "CXL-02", "node/cpu0", "error", {"measured": 1.1, "allowed": 2.0}),
    Contradiction("SD26", B, "after", "GPU-03", "node/gpu8", "warning", {"measured": 756, "allowed": 989}),
    Contradiction("SD27", B, "after", "RET-05", "node/rt0", "error", {"connector": "MCIO-8i"}),
    Contradiction("SD28", B, "after", "RET-04", "node/sw0", "error"),
    # 32 servers, two ports of 200G on each 400G port
    Contradiction("SD30", B, "after", "OPT-13", "leaf", "info", {"measured": 32}),
    # 16 x 200 Gb/s down, 16 x 100 Gb/s up
    Contradiction("SD31", B, "after", "FAB-03", "leaf", "warning", {"measured": 2.0, "allowed": 1.0}),
    # NICs 1.2, sn4700 + sn3700c + sn4700, 22 m of cable
    Contradiction("SD32", B, "after", "SED-07", "node", "warning", {"measured": 1.8, "allowed": 2.7}),
    # 16 x 32e9 x 1e-12 = 0.512 errors a second
    Contradiction("SD33", B, "after", "RET-07", "node/sw0", "info", {"seconds": 1.95}),
    Contradiction("SD34", A, "main", "SED-04", "", "info", {"missing": "产品矩阵表"}),
    Contradiction(
        "SD35", B, "after", "NIC-03", "node/nic8", "warning", {"cage": "QSFP112", "measured": 400, "allowed": 200}
    ),
    Contradiction("SD36", A, "main", "FAB-06", "node", "warning", {"measured": 50}),
]


@pytest.fixture(scope="module")
def found() -> dict[tuple[str, str], list[Finding]]:
    projects = {name: TEMPLATES[name].build() for name in (A, B)}
    return {(t, d): run_rules(context(p, d)) for t, p in projects.items() for d in p.designs}


@pytest.mark.parametrize("case", CONTRADICTIONS, ids=lambda case: case.id)
def test_contradiction(case: Contradiction, found: dict[tuple[str, str], list[Finding]]) -> None:
    here = [f for f in found[case.template, case.design] if f.rule == case.rule and case.at in {a.bare() for a in f.at}]
    assert len(here) == 1, [(f.rule, [str(a) for a in f.at]) for f in here]
    (finding,) = here
    assert finding.severity == case.severity
    for name, wanted in case.figures.items():
        got = READ[name](finding)
        assert got == (pytest.approx(wanted, rel=0.02) if isinstance(wanted, float) else wanted), name


def test_sd14_twice_the_bandwidth_is_not_2_66_times_the_speed(found: dict[tuple[str, str], list[Finding]]) -> None:
    (finding,) = [f for f in found[B, "after"] if f.rule == "SED-03"]
    text = finding.message.english()
    assert "2.66 times faster" in text
    assert "only 2.00 times (25 to 50 GB/s)" in text


def test_sd24_six_terabytes_are_two_and_two_cards_of_two() -> None:
    seen = context(TEMPLATES[B].build(), "after")
    (memory,) = [v for v in figure_verdicts(seen) if v.statement.row.quantity == "memory.host_tb"]
    assert memory.holds
    assert (memory.measured, memory.allowed) == (6, 6)  # 32 x 64 GB and 2 x 2,048 GB
    assert "2 CXL cards" in memory.text.english()


def test_sd29_the_internal_retimer_card_is_not_the_external_one() -> None:
    """One document builds with LRSV9560-2I inside, the other with -2E to a box outside: swapped, RET-04 speaks."""
    project = TEMPLATES[B].build()
    assert not [f for f in fired(project, "RET-04", "after") if f.at[0].bare() == "node/rt0"]
    patch = EDITS["replace_part"](project, design="after", sheet="node-after", item="rt0", part="lrsv9560-2i")
    swapped = fired(apply(project, patch), "RET-04", "after")
    assert "node/rt0" in {a.bare() for f in swapped for a in f.at}
    assert not fired(TEMPLATES[A].build(), "RET-04")  # its cables stay inside


def test_sd35_the_guide_itself_counts_ports_and_not_cages() -> None:
    assert fired(TEMPLATES[A].build(), "NIC-03") == []


def test_every_contradiction_has_its_test() -> None:
    ids = {case.id for case in CONTRADICTIONS} | {"SD29"}
    assert ids == {f"SD{n:02}" for n in range(1, 37)}
