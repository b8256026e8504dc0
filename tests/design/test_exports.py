"""Network ports of a card join what a server shows outside: by rate, in natural order, never under a cable."""

from __future__ import annotations

import pytest

from fabricwright.design import storage
from fabricwright.design.edits import EDITS
from fabricwright.design.edits.exports import fitting_axes, hidden_ports, with_ports
from fabricwright.design.effective import effective
from fabricwright.design.patch import apply
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Design, Project, Sheet
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table

NODE = {"design": "main", "sheet": "node"}
FABRIC = {"design": "main", "sheet": "fabric"}
DUAL, SINGLE = "lres1260pf-2qsfp112", "mcx715105as-weat"


def edit(project: Project, edit_name: str, /, **args: object) -> Project:
    return apply(project, EDITS[edit_name](project, **args))


def exports(project: Project) -> dict[str, tuple[tuple[str, ...], tuple[tuple[str, int], ...]]]:
    return {k: (row.ports, row.axes) for k, row in project.designs["main"].sheets["node"].exports.items()}


@pytest.fixture(scope="module")
def bare() -> Project:
    """A server on a fabric sheet, drawn without cards."""
    project = Project(designs=Table({"main": Design("", sheets=Table({"fabric": Sheet("fabric")}))}))
    return edit(project, "add_item", **FABRIC, part="cabled-4u8g")


def test_ports_of_cards_come_in_natural_order_whatever_the_order_of_the_drops(bare: Project) -> None:
    one = edit(bare, "add_item", **NODE, part=DUAL, seat="chassis:s3", item="nic10")
    assert exports(one) == {"compute": (("nic10:1", "nic10:2"), (("rail", 2),))}
    two = edit(one, "add_item", **NODE, part=DUAL, seat="chassis:s4", item="nic2")
    assert exports(two) == {"compute": (("nic2:1", "nic2:2", "nic10:1", "nic10:2"), (("rail", 4),))}
    assert hidden_ports(effective(two, two.designs["main"], "node")) == []


def test_it_is_one_step_and_undone_with_it(bare: Project) -> None:
    patch = EDITS["add_item"](bare, **NODE, part=DUAL, seat="chassis:s3")
    back = apply(apply(bare, patch), patch.inverse())
    assert storage.dumps(back) == storage.dumps(bare)


def test_an_order_that_a_person_chose_stays(bare: Project) -> None:
    one = edit(bare, "add_item", **NODE, part=DUAL)
    turned = edit(one, "set_export", **NODE, name="compute", ports=["nic0:2", "nic0:1"], axes=[["rail", 2]])
    more = edit(turned, "add_item", **NODE, part=DUAL)
    assert exports(more)["compute"][0] == ("nic0:2", "nic0:1", "nic1:1", "nic1:2")


def test_another_rate_gets_an_export_of_its_own(bare: Project) -> None:
    mixed = edit(edit(bare, "add_item", **NODE, part=DUAL), "add_item", **NODE, part=SINGLE)
    assert {name: axes for name, (_, axes) in exports(mixed).items()} == {
        "compute": (("rail", 2),),
        "storage": (("port", 1),),
    }


def test_ports_under_a_cable_are_not_dealt_anew(bare: Project) -> None:
    one = edit(bare, "add_item", **NODE, part=DUAL)
    leaf = edit(one, "add_item", **FABRIC, part="sn4700", item="leaf")
    wired = edit(leaf, "connect", **FABRIC, a="node0:compute", b="leaf:1-2")
    more = edit(wired, "add_item", **NODE, part=DUAL)
    assert exports(more)["compute"] == exports(one)["compute"]
    assert exports(more)["compute2"] == (("nic1:1", "nic1:2"), (("rail", 2),))


def test_another_mode_brings_its_ports_along_until_a_cable_ends_there(bare: Project) -> None:
    one = edit(bare, "add_item", **NODE, part="c8180")
    assert exports(one)["compute"] == (("nic0:1",), (("rail", 1),))
    split = edit(one, "set_config", **NODE, item="nic0", key="mode", value="2x400")
    assert exports(split)["compute"] == (("nic0:1", "nic0:2"), (("rail", 2),))
    assert exports(edit(split, "set_config", **NODE, item="nic0", key="mode", value="1x800")) == exports(one)
    leaf = edit(one, "add_item", **FABRIC, part="sn4700", item="leaf")
    wired = edit(leaf, "connect", **FABRIC, a="node0:compute", b="leaf:1")
    assert exports(edit(wired, "set_config", **NODE, item="nic0", key="mode", value="2x400")) == exports(one)


def test_copies_of_a_card_join_too(bare: Project) -> None:
    one = edit(bare, "add_item", **NODE, part=DUAL, seat="chassis:s3")
    more = edit(one, "repeat", **NODE, ids=["nic0"], times=3, slots=["chassis:s4", "chassis:s5", "chassis:s6"])
    assert exports(more)["compute"] == (tuple(f"nic{n}:{p}" for n in range(4) for p in (1, 2)), (("rail", 8),))


def test_exports_that_come_with_the_server_and_variants_stay(bare: Project) -> None:
    dgx = TEMPLATES["single-8gpu"].build()
    design, root = next((d, row.root) for d, row in dgx.designs.items())
    before = dgx.designs[design].sheets[root].exports
    inherited = effective(dgx, dgx.designs[design], root).exports
    after = edit(dgx, "add_item", design=design, sheet=root, part=SINGLE, item="own0")
    for name, row in effective(after, after.designs[design], root).exports.items():
        assert row == inherited[name] if name in inherited else row.ports == ("own0:1",)
    assert set(after.designs[design].sheets[root].exports) >= set(before)
    one = edit(bare, "add_item", **NODE, part=DUAL)
    apart = edit(one, "make_variant", **FABRIC, item="node0", members="0", changes=[["add_item", {"part": DUAL}]])
    variant = next(s for s, row in apart.designs["main"].sheets.items() if row.base)
    assert not apart.designs["main"].sheets[variant].exports


def test_renaming_keeps_the_cables_and_removing_takes_them_along(bare: Project) -> None:
    one = edit(bare, "add_item", **NODE, part=DUAL)
    leaf = edit(one, "add_item", **FABRIC, part="sn4700", item="leaf")
    wired = edit(leaf, "connect", **FABRIC, a="node0:compute", b="leaf:1-2", link="down")
    named = edit(wired, "rename_export", **NODE, name="compute", to="rails")
    assert named.designs["main"].sheets["fabric"].links["down"].a == "node0:rails"
    assert list(exports(named)) == ["rails"]
    gone = edit(named, "remove_export", **NODE, name="rails")
    assert not exports(gone) and not gone.designs["main"].sheets["fabric"].links
    for wrong in ("Not an id", "compute"):
        if wrong == "compute":
            named = edit(named, "set_export", **NODE, name="compute", ports=["nic0:1"])
        with pytest.raises(UserError):
            EDITS["rename_export"](named, **NODE, name="rails", to=wrong)


@pytest.mark.parametrize(
    ("axes", "count", "wanted"),
    [
        ((("rail", 2),), 5, (("rail", 5),)),
        ((("rail", 4), ("port", 2)), 10, (("rail", 5), ("port", 2))),
        ((("rail", 4), ("port", 2)), 9, (("rail", 9),)),
        ((), 3, ()),
    ],
)
def test_axes_fit_the_ports(axes: object, count: int, wanted: object) -> None:
    assert fitting_axes(axes, count) == wanted


def test_with_ports_sorts_only_what_was_sorted() -> None:
    assert with_ports(("nic2:1",), ("nic10:1", "nic1:1")) == ("nic1:1", "nic2:1", "nic10:1")
    assert with_ports(("nic2:1", "nic1:1"), ("nic0:1",)) == ("nic2:1", "nic1:1", "nic0:1")
