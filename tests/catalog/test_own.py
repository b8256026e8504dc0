"""Parts of the user's own: made from another, checked per field, kept, merged, never in place of a shipped one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricwright.catalog import own
from fabricwright.catalog.own_check import FieldProblem, figure_shape, validate_part
from fabricwright.catalog.parts import Cage, Figure, Part
from fabricwright.catalog.store import Catalogue, catalogue
from fabricwright.resources import user_data_path
from fabricwright.units import codec
from fabricwright.units.errors import UserError

CHANGES: dict[str, Any] = {
    "names": {"en": "SN5600, short rails"},
    "model": "SN5600-S",
    "figures": {
        "depth_mm": 600,
        "airflow": None,
        "power_w": {"value": 2000, "source": "our lab", "confidence": "read"},
    },
    "cages": {"64": None},
}


def places(found: list[FieldProblem]) -> list[str]:
    return [row.place for row in found]


def test_a_part_made_from_another_keeps_what_was_not_changed(own_folder: Path) -> None:
    part_id, part = own.make_from("sn5600", CHANGES)
    base = catalogue().get("sn5600")
    assert part_id == "my-sn5600"
    assert part.name() == "SN5600, short rails" and part.name("zh_CN") == "SN5600, short rails"
    assert "64" not in part.cages and len(part.cages) == len(base.cages) - 1
    assert "airflow" not in part.figures
    # What the user states is the user's; what stays keeps its source, also where it leaned on the part's own.
    assert part.figures["depth_mm"] == Figure(600, "own", "engineering")
    assert part.figures["power_w"] == Figure(2000, "our lab", "read")
    assert part.figures["switching_tbps"] == Figure(51.2, base.source, "read")
    assert part.figures["module_power_w"].source == "sn5k"
    assert part.source == "own"
    assert own.based_on(part) == "sn5600"
    assert part.origin.startswith("own parts, from sn5600 (catalogue ")
    assert own.validate(part_id, part) == []
    assert not own_folder.exists(), "nothing is saved yet"


def test_saved_parts_stand_beside_the_shipped_ones(own_folder: Path) -> None:
    store = catalogue()
    shipped, count = store.get("sn5600"), len(store.ids())
    part_id, part = own.make_from("sn5600", CHANGES)
    own.save(part_id, part)
    assert len(store.ids()) == count + 1 and part_id in store
    assert store.get(part_id) == part and store.get("sn5600") is shipped
    assert own.listing() == {part_id: part}
    assert part_id in store.search("short rails") and part_id in store.kinds()["switch"]
    assert store.copies(part_id)[part_id].origin == part.origin, "a project says where the part is from"
    # A second one from the same part gets another id; saving over one must be wanted.
    assert own.make_from("sn5600", {})[0] == "my-sn5600-2"
    with pytest.raises(UserError, match=r"^You have a part 'my-sn5600' already; choose another id\.$"):
        own.save(part_id, part)
    own.save(part_id, replace(part, note="second thought"), replace_own=True)
    assert catalogue().get(part_id).note == "second thought"
    # Another start of the program reads the same.
    assert own.load(store).rows[part_id] == codec.to_json(catalogue().get(part_id))
    own.remove(part_id)
    assert part_id not in catalogue() and own.listing() == {}
    with pytest.raises(UserError, match="There is no part 'my-sn5600' of your own"):
        own.remove(part_id)


def test_servers_can_be_made_too(own_folder: Path) -> None:
    part_id, part = own.make_from("dgx-h100", {"slots": {"slota": {"label": "Slot A"}}}, "lab-h100")
    assert own.validate(part_id, part) == []
    own.save(part_id, part)
    assert "h100-sxm5-80gb" in catalogue().needs("lab-h100")
    # A shipped id is never taken, whatever the file says.
    with pytest.raises(UserError, match="'dgx-h100' is a shipped part"):
        own.save("dgx-h100", part)


@pytest.mark.parametrize(
    ("changes", "place", "sentence"),
    [
        ({"figures": {"power_w": "lots"}}, "figures.power_w", "expected a number, found lots."),
        ({"figures": {"power_w": -1}}, "figures.power_w", "expected a number from 0, found -1."),
        ({"figures": {"power_w": [1, 2]}}, "figures.power_w", "expected a number, found (1, 2)."),
        ({"figures": {"airflow": 3}}, "figures.airflow", "expected a text, found 3."),
        ({"figures": {"orderable_m": 3}}, "figures.orderable_m", "expected a list of numbers, found 3."),
        ({"figures": {"wdm": 3}}, "figures.wdm", "expected yes or no, found 3."),
        ({"figures": {"colour": 3}}, "figures.colour", "there is no figure of this name."),
        (
            {"figures": {"power_w": {"value": 1, "confidence": "sure"}}},
            "figures.power_w",
            "confidence is one of read, engineering, inferred, not 'sure'.",
        ),
        ({"figures": {"power_w": 1e13}}, "figures.power_w.value", "1e+13 is too large for a figure of a part."),
        ({"names": {"en": "", "zh_CN": ""}, "model": ""}, "names.en", "a part needs a name."),
        ({"names": {"en": "a\nb"}}, "names.en", "a name is one line of at most 200 characters."),
        ({"kind": "toaster"}, "kind", "there is no kind 'toaster'."),
        ({"source": " "}, "source", "say where the figures come from."),
        ({"cages": {"1": {"type": "QSFP9"}}}, "cages.1.type", "there is no cage type 'QSFP9'."),
        ({"cages": {"1": {"default": "twice"}}}, "cages.1", "twice of cage 1 is not a split such as 2x200"),
        ({"cages": {"1": {"default": "900x1"}}}, "cages.1", "a cage has at most 64 ports, not 900."),
        ({"ports": {"x": {"medium": "pcie", "lanes": 999}}}, "ports.x.lanes", "expected 0 to 256, found 999."),
    ],
)
def test_every_field_has_its_own_sentence(own_folder: Path, changes: dict[str, Any], place: str, sentence: str) -> None:
    part_id, part = own.make_from("sn5600", changes)
    found = own.validate(part_id, part)
    assert (place, sentence) in [(row.place, row.message.english()) for row in found]
    with pytest.raises(UserError):
        own.save(part_id, part)
    assert not own_folder.exists()


def test_wiring_is_checked_as_for_shipped_parts(own_folder: Path) -> None:
    _, part = own.make_from("dgx-h100", {"slots": {"slota": None, "slotb": {"gen": 6}}})
    assert "slots.slotb" in places(own.validate("my-h100", part))
    _, other = own.make_from("dgx-h100", {"interior": {"items": {"gpu0": {"of": "h900"}}}})
    assert places(own.validate("my-h100", other))[0] == "interior.items.gpu0.of"


@pytest.mark.parametrize("part_id", ["", "A", "-a", "a b", "a/b", "a" * 65, "../x"])
def test_ids_are_checked(own_folder: Path, part_id: str) -> None:
    _, part = own.make_from("sn5600", {})
    assert places(own.validate(part_id, part)) == ["id"]


def test_changes_of_the_wrong_shape_are_one_sentence(own_folder: Path) -> None:
    for changes in ({"figures": 3}, {"cages": {"1": {"breakouts": 7}}}, {"names": [1]}):
        with pytest.raises(UserError) as caught:
            own.make_from("sn5600", changes)
        assert "\n" not in str(caught.value)
    with pytest.raises(UserError, match="There is no part"):
        own.make_from("sn56000", {})


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "line 1 is not JSON"),
        ("[]", "is not a file of own parts"),
        ('{"format":"fabricwright-own-parts","version":9,"parts":{}}', "was written by a newer version"),
        ('{"format":"fabricwright-own-parts","version":1,"parts":{"a":1,"a":2}}', "the key 'a' is written twice"),
        ("[" * 40 + "]" * 40, "is nested deeper than 24 levels"),
        ('{"format":"fabricwright-own-parts","version":1,"parts":7}', "expected at most 2000 parts"),
    ],
)
def test_a_damaged_file_is_left_alone(own_folder: Path, text: str, sentence: str) -> None:
    own_folder.mkdir()
    own.path().write_text(text, encoding="utf-8")
    found = own.load(catalogue())
    assert found.rows == {} and sentence in found.problems[0].english()
    # Saving would lose what is in it: refused, the file stays.
    part_id, part = own.make_from("sn5600", CHANGES)
    with pytest.raises(UserError):
        own.save(part_id, part)
    assert own.path().read_text(encoding="utf-8") == text


def test_one_bad_part_does_not_hide_the_others(own_folder: Path) -> None:
    part_id, part = own.make_from("sn5600", CHANGES)
    own.save(part_id, part)
    data = json.loads(own.path().read_text(encoding="utf-8"))
    data["parts"] |= {"bad": {"kind": 3}, "Bad Id": {"kind": "nic"}, "dgx-h100": {"kind": "server"}}
    own.path().write_text(json.dumps(data), encoding="utf-8")
    found = own.load(catalogue())
    assert set(found.rows) == {part_id}
    sentences = [row.english() for row in found.problems]
    assert sentences == [
        "own_parts.json: bad.kind: expected a text, found 3.",
        "own_parts.json: 'Bad Id' is not a part id (a-z, 0-9, dots, hyphens).",
        "own_parts.json: dgx-h100 is now a shipped part; yours is not shown.",
    ]
    # What is left out is not lost when something else is saved.
    own.save("another", part)
    assert set(json.loads(own.path().read_text(encoding="utf-8"))["parts"]) == {*data["parts"], "another"}


def test_the_file_is_replaced_in_one_step(own_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part_id, part = own.make_from("sn5600", CHANGES)
    own.save(part_id, part)
    before = own.path().read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(UserError, match=r"cannot be written \(No space left on device\)"):
        own.save("second", part)
    assert own.path().read_bytes() == before
    assert [p.name for p in own_folder.iterdir()] == ["own_parts.json"]


def test_shorthands_of_the_yaml_mean_nothing_here(own_folder: Path) -> None:
    part_id, part = own.make_from("sn5600", {"like": "dgx-h100", "swap": {"a": "b"}})
    own.save(part_id, part)
    assert catalogue().get(part_id).interior is None


def test_the_folder_is_the_platforms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FABRICWRIGHT_DATA")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert user_data_path("x") == Path("/data/fabricwright/x")
    monkeypatch.delenv("XDG_DATA_HOME")
    assert user_data_path("x") == Path.home() / ".local/share/fabricwright/x"
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setenv("APPDATA", "/roaming")
    assert user_data_path("x") == Path("/roaming/Fabricwright/x")
    monkeypatch.setattr("sys.platform", "darwin")
    assert user_data_path("x") == Path.home() / "Library/Application Support/Fabricwright/x"


def test_every_shipped_part_would_pass_as_a_copy(shipped: Catalogue) -> None:
    # The form must not complain about what the catalogue itself says.
    for part_id in shipped.ids():
        copy_id, part = own.make_from(part_id, {}, f"copy-{part_id}", shipped)
        assert validate_part(copy_id, part, shipped) == [], part_id


def test_shapes_of_figures(shipped: Catalogue) -> None:
    shapes = {name: figure_shape(name, shipped) for name in ("power_w", "airflow", "orderable_m", "wdm", "talks_to")}
    assert shapes == {
        "power_w": "number",
        "airflow": "text",
        "orderable_m": "numbers",
        "wdm": "flag",
        "talks_to": "texts",
    }
    # Stated by no shipped part.
    assert (figure_shape("max_dpus", shipped), figure_shape("full_depth", shipped)) == ("number", "flag")


@given(
    st.dictionaries(
        st.sampled_from(["power_w", "airflow", "weight_kg", "port_gbps", "p2p", "nonsense"]),
        st.one_of(
            st.none(),
            st.integers(),
            st.floats(allow_nan=False),
            st.text(max_size=8),
            st.booleans(),
            st.lists(st.integers(), max_size=3),
        ),
        max_size=4,
    )
)
def test_any_figures_give_sentences_or_a_sound_part(figures: dict[str, Any]) -> None:
    store = catalogue()
    try:
        part_id, part = own.make_from("mcx715105as-weat", {"figures": figures}, "x", store)
    except UserError:
        return
    found = validate_part(part_id, part, store)
    if not found:
        assert codec.from_json(Part, codec.to_json(part), part_id) == part
        for name, value in figures.items():
            assert (name in part.figures) == (value is not None)


def test_a_whole_number_that_no_float_holds_is_refused_in_a_short_sentence(shipped: Catalogue) -> None:
    made = shipped.get("mcx715105as-weat")
    name, figure = next(iter(made.figures.items()))
    part = replace(made, figures=made.figures.put(name, replace(figure, value=10**400)))
    assert "1.00e+400" in [row.message.params.get("value") for row in validate_part("x", part, shipped)]


def test_cages_with_thousands_of_ports_are_cheap_to_refuse(shipped: Catalogue) -> None:
    part = replace(shipped.get("sn5600"), cages=shipped.get("sn5600").cages.put("1", Cage("OSFP", "999999999x1")))
    assert "cages.1" in places(validate_part("x", part, shipped))
