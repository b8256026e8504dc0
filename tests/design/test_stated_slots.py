"""What is stated about a slot counts everywhere: in the rules, on the mouse, in the compiled tree and in every key."""

from __future__ import annotations

import dataclasses
from typing import Any

from fabricwright.analysis.analyze import analyze
from fabricwright.analysis.cache import StageCache
from fabricwright.analysis.reports import finding_rows
from fabricwright.catalog.store import catalogue
from fabricwright.design.edits import EDITS
from fabricwright.design.effective import effective
from fabricwright.design.keys import sheet_key
from fabricwright.design.patch import apply
from fabricwright.design.values import Item, Project, Sheet
from fabricwright.rules.legality import legality
from fabricwright.units.table import Table
from tests.rules.drawing import board, card, fired, server, slot

NIC = "mcx715105as-weat"  # half length, low profile, Gen5 x16


def project(seat: str = "chassis:s1", **config: Any) -> Project:
    chassis = board({"s1": slot("cpu0:p1", confidence="engineering"), "s2": slot("cpu0:p2")})
    items = {"nic0": card(NIC, seat)}
    if config:
        items["chassis"] = Item(None, config=Table({k.replace("__", "."): v for k, v in config.items()}))
    return server(chassis, items)


def rules(of: Project, cache: StageCache) -> set[str]:
    return {f.rule for f in analyze(of, "main", cache=cache).findings}


def slots(of: Project, sheet: str = "node"):
    return effective(of, of.designs["main"], sheet).slots


def test_stated_values_replace_the_catalogue_ones_of_that_slot_only() -> None:
    found = slots(
        project(
            slot__s1__length="HL",
            slot__s1__height="LP",
            slot__s1__max_width=2,
            slot__s1__physical=8,
            slot__s1__electrical=4,
            slot__s1__gen=4,
            slot__s1__power_w=25,
        )
    )
    one = found["chassis:s1"]
    assert (one.length, one.height, one.max_width, one.physical) == ("HL", "LP", 2, 8)
    assert (one.electrical, one.gen, one.power_w, one.confidence) == (4, 4, 25.0, "read")
    assert found["chassis:s2"] == slots(project())["chassis:s2"]


def test_a_shorter_connector_and_an_older_riser_limit_the_wires() -> None:
    assert slots(project(slot__s1__physical=8))["chassis:s1"].electrical == 8
    assert slots(project(slot__s1__riser_gen=4))["chassis:s1"].gen == 4
    assert slots(project(slot__s1__riser_gen=6))["chassis:s1"].gen == 5


def test_values_of_a_wrong_form_count_as_not_stated() -> None:
    plain = slots(project())
    assert slots(project(slot__s1__gen="fast", slot__s1__height="tall", slot__s1__power_w=-1)) == plain
    assert slots(project(slot__s9__gen=3, slot__s1=3, slot__="x")) == plain


def test_rules_and_mouse_follow() -> None:
    assert fired(project(), "LAN-03") == [] and fired(project(), "LAN-04") == []
    (older,) = fired(project(slot__s1__gen=4), "LAN-03")
    assert (older.measured, older.allowed) == (4, 5)
    (narrower,) = fired(project(slot__s1__electrical=8), "LAN-04")
    assert (narrower.measured, narrower.allowed) == (8, 16)
    gpu = catalogue().get("h100-pcie-80gb")
    for config, rule in (
        ({"slot__s1__length": "HL"}, "MEC-03"),
        ({"slot__s1__height": "LP"}, "MEC-04"),
        ({"slot__s1__physical": 8}, "MEC-05"),
        ({}, "MEC-02"),
    ):
        verdict = legality(project("chassis:s2", **config), "main", "node", gpu)["chassis:s1"]
        assert rule in {r for r, _ in verdict.reasons}
    wide = legality(project("chassis:s2", slot__s1__max_width=2), "main", "node", gpu)["chassis:s1"]
    assert "MEC-02" not in {r for r, _ in wide.reasons}


def test_the_compiled_tree_follows() -> None:
    def width(of: Project) -> set[tuple[int, int]]:
        links = analyze(of, "main").stages.interior("node").links
        return {(link.lanes, link.gen) for link in links if "nic0" in (link.src, link.dst)}

    assert width(project()) == {(16, 5)}
    assert width(project(slot__s1__electrical=8, slot__s1__gen=4)) == {(8, 4)}


def test_a_variant_states_over_its_base() -> None:
    base = project(slot__s1__gen=4)
    design = base.designs["main"]
    variant = Sheet("server", base="node", items=Table({"chassis": Item(None, config=Table({"slot.s2.gen": 3}))}))
    both = dataclasses.replace(design, sheets=design.sheets.put("v", variant))
    drawn = dataclasses.replace(base, designs=base.designs.put("main", both))
    assert [slots(drawn, "v")[s].gen for s in ("chassis:s1", "chassis:s2")] == [4, 3]
    assert [slots(drawn)[s].gen for s in ("chassis:s1", "chassis:s2")] == [4, 5]


def test_slots_of_a_riser_are_stated_on_the_riser() -> None:
    drawn = project()
    riser = card("riser-x16-1", "chassis:s2", **{"slot.s1.length": "HL"})
    sheet = drawn.designs["main"].sheets["node"]
    sheet = dataclasses.replace(sheet, items=sheet.items.put("riser0", riser))
    design = drawn.designs["main"]
    design = dataclasses.replace(design, sheets=design.sheets.put("node", sheet))
    parts = drawn.parts.put("riser-x16-1", catalogue().get("riser-x16-1"))
    drawn = dataclasses.replace(drawn, designs=drawn.designs.put("main", design), parts=parts)
    assert slots(drawn)["riser0:s1"].length == "HL"


def test_keys_and_caches_follow() -> None:
    cache = StageCache()
    before = project()
    assert "LAN-03" not in rules(before, cache)
    stated = {"design": "main", "sheet": "node", "item": "chassis", "key": "slot.s1.gen", "value": 4}
    after = apply(before, EDITS["set_config"](before, **stated))
    design = before.designs["main"]
    assert sheet_key(before, design, "node") != sheet_key(after, after.designs["main"], "node")
    kept, fresh = analyze(after, "main", cache=cache), analyze(after, "main")
    assert finding_rows(kept) == finding_rows(fresh)
    assert "LAN-03" in rules(after, cache)
    cache.take_counts()
    assert finding_rows(analyze(before, "main", cache=cache)) == finding_rows(analyze(before, "main"))
    assert cache.take_counts()["ran"] == {}
