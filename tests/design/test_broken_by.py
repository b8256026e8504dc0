"""What an edit would break is found from the rows it touches alone, and is what the check of everything finds."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from fabricwright.design import edits
from fabricwright.design.check_values import broken_by, check
from fabricwright.design.patch import ABSENT, Change, Patch, apply
from fabricwright.design.values import Item, Link, Look, Wire
from tests.design.strategies import small_fabric

PROJECT = small_fabric()
(DESIGN,) = PROJECT.designs
ROOT = PROJECT.designs[DESIGN].root
SHEET = PROJECT.designs[DESIGN].sheets[ROOT]
SWITCH = next(item.of for item in SHEET.items.values() if item.of and not item.of.startswith("sheet:"))


def row(table: str, name: str, *field: str) -> tuple[str, ...]:
    return ("designs", DESIGN, "sheets", ROOT, table, name, *field)


def broken(*changes: Change) -> list[str]:
    patch = Patch("Spoil", changes)
    found = [problem.english() for problem in broken_by(PROJECT, patch)]
    assert found == [problem.english() for problem in check(apply(PROJECT, patch))]
    return found


def changes() -> st.SearchStrategy[Change]:
    """Rows that come, go or change, sound or not."""
    items = st.builds(
        Item,
        of=st.sampled_from([SWITCH, "no-such-part", "sheet:nowhere", f"sheet:{ROOT}"]),
        axes=st.sampled_from([(), (("i", 4),), (("i", 0),), (("i", 1 << 20),), (("i", 2), ("i", 2))]),
    )
    ends = st.sampled_from([*SHEET.items, "ghost"]).map(lambda name: f"{name}:1")
    links = st.builds(
        Link,
        a=ends,
        b=ends,
        wire=st.builds(Wire, mode=st.sampled_from(["deal", "knot"]), per_pair=st.sampled_from([0, -1])),
        cable=st.sampled_from(["auto", "no-such-cable"]),
        length_m=st.sampled_from([None, 1.0, -1.0]),
    )

    def of(table: str, values: st.SearchStrategy[object]) -> st.SearchStrategy[Change]:
        rows = getattr(SHEET, table)
        return st.builds(
            lambda name, value: Change(row(table, name), rows.get(name, ABSENT), value),
            st.sampled_from([*rows, "new", "Not An Id"]),
            values,
        ).filter(lambda change: change.old is not ABSENT or change.new is not ABSENT)

    return st.one_of(of("items", st.one_of(items, st.just(ABSENT))), of("links", st.one_of(links, st.just(ABSENT))))


@settings(max_examples=150, deadline=None)
@given(st.lists(changes(), min_size=1, max_size=4, unique_by=lambda change: change.path))
def test_it_is_what_the_check_of_everything_finds(spoiled: list[Change]) -> None:
    patch = Patch("Spoil", tuple(spoiled))
    alone = sorted(problem.english() for problem in broken_by(PROJECT, patch))
    assert alone == sorted(problem.english() for problem in check(apply(PROJECT, patch)))


def test_a_row_that_others_name_does_not_go_or_change_its_part_unseen() -> None:
    link_id, link = next(iter(SHEET.links.items()))
    owner = link.a.partition(":")[0]
    found = broken(Change(row("items", owner), SHEET.items[owner], ABSENT))
    assert any(link_id in text and "does not exist" in text for text in found)
    assert broken(Change(row("items", owner, "of"), SHEET.items[owner].of, "no-such-part"))


def test_one_field_of_a_row() -> None:
    link_id, link = next(iter(SHEET.links.items()))
    assert broken(Change(row("links", link_id, "length_m"), link.length_m, -2.0)) == [
        f"designs.{DESIGN}.sheets.{ROOT}.links.{link_id}: counts, lengths and speeds must not be negative."
    ]
    assert broken(Change(row("links", link_id, "length_m"), link.length_m, 2.0)) == []


def test_a_place_on_the_sheet_breaks_nothing() -> None:
    name = next(iter(SHEET.items))
    assert broken(Change(row("look", name), SHEET.look.get(name, ABSENT), Look(xy=(1.0, 2.0)))) == []


def test_what_was_unsound_before_is_not_told_of_another_edit() -> None:
    name, item = next(iter(SHEET.items.items()))
    unsound = apply(PROJECT, Patch("Spoil", (Change(row("items", name), item, replace(item, of="no-such-part")),)))
    assert check(unsound)
    assert broken_by(unsound, edits.run(unsound, edits.EditCall("add_design", (("title", "x"), ("design", "x"))))) == []


def test_a_design_with_a_name_that_is_none() -> None:
    patch = edits.run(PROJECT, edits.EditCall("add_design", (("title", "x"), ("design", "4 00"))))
    assert any("is not allowed" in problem.english() for problem in broken_by(PROJECT, patch))
