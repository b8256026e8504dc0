"""What the mouse is told before the drop, and that it is what the rules say after it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fabricwright.catalog.store import catalogue
from fabricwright.design.edits import EDITS
from fabricwright.design.patch import apply
from fabricwright.design.templates import TEMPLATES
from fabricwright.rules.legality import legality, link_legality
from fabricwright.rules.registry import all_rules
from tests.rules.drawing import board, card, everything, server, slot

NIC = catalogue().get("mcx715105as-weat")
GPU = catalogue().get("h100-pcie-80gb")


def rules_of(reasons: tuple[tuple[str, object], ...]) -> list[str]:
    return [rule for rule, _ in reasons]


def mixed():
    """A free good slot, a slow one, a short one, and one that is taken."""
    chassis = board(
        {
            "good": slot("cpu0:p1"),
            "slow": slot("cpu0:p2", gen=4),
            "narrow": slot("cpu0:p3", electrical=8),
            "taken": slot("cpu0:p4"),
            "short": slot("cpu0:p5", length="HL", max_width=2),
        },
        psu_count=2,
        psu_w=1000,
        psu_redundancy="1+1",
    )
    return server(chassis, {"nic0": card("mcx715105as-weat", "chassis:taken")})


def test_levels_and_reasons() -> None:
    verdicts = legality(mixed(), "main", "node", NIC)
    assert {k: v.level for k, v in verdicts.items()} == {
        "chassis:good": "legal",
        "chassis:slow": "loss",
        "chassis:narrow": "loss",
        "chassis:taken": "illegal",
        "chassis:short": "legal",
    }
    assert rules_of(verdicts["chassis:slow"].reasons) == ["LAN-03"]
    assert rules_of(verdicts["chassis:narrow"].reasons) == ["LAN-04"]
    assert rules_of(verdicts["chassis:taken"].reasons) == ["MEC-01"]
    gpu = legality(mixed(), "main", "node", GPU)
    assert rules_of(gpu["chassis:good"].reasons) == ["MEC-02"]
    assert rules_of(gpu["chassis:short"].reasons) == ["MEC-03"]


def test_consequences() -> None:
    verdict = legality(mixed(), "main", "node", NIC)["chassis:good"]
    assert verdict.consequences.lanes == {"cpu0": (16, 32)}
    before, after = verdict.consequences.power_w
    assert after - before == NIC.get("power_w")
    cxl = catalogue().get("lr-cxl-generic")
    more = legality(mixed(), "main", "node", cxl, config={"gib": 2048})["chassis:good"].consequences.memory_gb
    assert more[1] - more[0] == 2048


def test_moving_a_card_its_own_slot_is_free() -> None:
    verdicts = legality(mixed(), "main", "node", NIC, ignore_item="nic0")
    assert verdicts["chassis:taken"].level == "legal"
    assert verdicts["chassis:good"].consequences.lanes == {"cpu0": (0, 16)}


def test_power_supplies_that_would_be_overloaded() -> None:
    chassis = board({"g1": slot("cpu0:p1", max_width=2)}, psu_count=2, psu_w=300, psu_redundancy="1+1")
    verdict = legality(server(chassis, {}), "main", "node", GPU)["chassis:g1"]
    assert rules_of(verdict.reasons) == ["PWR-01"]  # 350 W x 1.1 over 300 W


def test_nothing_for_unknown_places() -> None:
    project = mixed()
    assert legality(project, "nowhere", "node", NIC) == {}
    assert legality(project, "main", "nowhere", NIC) == {}
    assert legality(project, "main", "fabric", NIC) == {}
    assert link_legality(project, "main", "nowhere", "a:1", "b:1") == ()


DROPPED = [
    "lr-cxl-generic",
    "h100-pcie-80gb",
    "h100-sxm5-80gb",
    "lrsv9560-2i",
    "mcx715105as-weat",
    "nvme-u2-7t68-g5",
    "mcx516a-cdat",
]


@pytest.mark.parametrize("part", DROPPED)
@pytest.mark.parametrize(
    ("template", "sheet", "slots"),
    [
        ("seed-a-256x8", "node", ["chassis:s1", "chassis:bay1", "chassis:u2-0"]),
        ("pcie-4gpu-1nic", "node", ["chassis:n2", "chassis:g1", "chassis:ocp1", "chassis:u2-0"]),
        ("single-8gpu", "node", ["chassis:slotb", "chassis:sxm0", "chassis:u2-1"]),
    ],
)
def test_the_verdict_before_the_drop_is_the_finding_after_it(
    template: str, sheet: str, slots: list[str], part: str
) -> None:
    project = TEMPLATES[template].build()
    verdicts = legality(project, "main", sheet, catalogue().get(part))
    for seat in slots:
        patch = EDITS["add_item"](
            project, design="main", sheet=sheet, part=part, seat=seat, forced=True, item="dropped"
        )
        after = everything(apply(project, patch))
        said = {r for r, _ in verdicts[seat].reasons}
        fell = {f.rule for f in after if any("dropped" in a.bare() for a in f.at)}
        judged = {
            r for r in said | fell if r.startswith(("MEC", "LAN-03", "LAN-04", "LAN-16", "BIF", "CXL-01", "CXL-04"))
        }
        assert {r for r in said if r in judged} == {r for r in fell if r in judged}, seat


def test_severities_agree_with_the_book() -> None:
    project = TEMPLATES["seed-a-256x8"].build()
    book = all_rules()
    for part in DROPPED:
        for verdict in legality(project, "main", "node", catalogue().get(part)).values():
            errors = any(book[r].severity == "error" for r, _ in verdict.reasons)
            assert verdict.level == ("illegal" if errors else "loss" if verdict.reasons else "legal")


@pytest.mark.parametrize(
    ("a", "b", "rules"),
    [
        ("sw0:d3", "chassis:bay1", {"LAN-07", "LAN-11"}),  # no such port in mode 2x16; the bay is fed already
        ("rt0:d1", "rt1:d1", {"LAN-11"}),
        ("sw0:up", "rt1:up", {"LAN-11"}),
        ("nic0:1", "sw0:d1", {"OPT-01", "LAN-11"}),  # Ethernet to PCIe; d1 has a cable
        ("chassis:bay1", "chassis:bay2", {"LAN-11"}),
    ],
)
def test_links_inside_a_server(a: str, b: str, rules: set[str]) -> None:
    project = TEMPLATES["seed-a-256x8"].build()
    assert set(rules_of(link_legality(project, "main", "node", a, b))) == rules


def test_a_free_pair_of_ports_is_fine() -> None:
    project = TEMPLATES["seed-a-256x8"].build()
    assert link_legality(project, "main", "node", "sw0:d1", "chassis:bay1", ignore_link="c1") == ()
    assert link_legality(project, "main", "fabric", "leaf:33-64", "spine:1-64", ignore_link="up") == ()
    assert rules_of(link_legality(project, "main", "fabric", "leaf:33", "spine:1")) == ["FAB-01", "FAB-01"]


def test_connectors_inside_and_outside_do_not_join() -> None:
    project = TEMPLATES["seed-b-512"].build()
    said = link_legality(project, "after", "node-after", "sw0:d1", "ext0:g1", ignore_link="c1")
    assert "OPT-01" in rules_of(said)  # MCIO-8i to external x8


def test_the_window_loads_nothing_heavy_for_it() -> None:
    code = "import sys, fabricwright.rules.legality; print(sorted(m for m in sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    for heavy in ("numpy", "networkx", "pydantic", "PySide6", "fabricwright.analysis", "fabricwright.performance"):
        assert f"'{heavy}'" not in loaded
