"""Catalogue packs: written, read with suspicion, never overwriting silently."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabricwright.catalog import own
from fabricwright.catalog.difference import Difference, differences
from fabricwright.catalog.pack import apply_import, export_pack, plan_import, read_pack
from fabricwright.catalog.parts import Figure
from fabricwright.catalog.store import catalogue
from fabricwright.units.errors import UserError


@pytest.fixture
def pack(own_folder: Path, tmp_path: Path) -> Path:
    """A pack with a switch and a server that holds a GPU of the user's own; the user's catalogue is empty again."""
    own.save(*own.make_from("sn5600", {"model": "SN5600-S", "figures": {"depth_mm": 600}}))
    own.save(*own.make_from("h100-sxm5-80gb", {"figures": {"tdp_w": 650}}, "lab-gpu"))
    items = {f"gpu{n}": {"of": "lab-gpu"} for n in range(8)}
    own.save(*own.make_from("dgx-h100", {"interior": {"items": items}}, "lab-server"))
    target = tmp_path / "lab.fwcat"
    target.write_bytes(export_pack(["my-sn5600", "lab-server"], "Lab parts", "A. Engineer", "1.2"))
    for part_id in list(own.listing()):
        own.remove(part_id)
    return target


def test_a_pack_brings_its_parts_and_what_they_need(pack: Path) -> None:
    found = read_pack(pack)
    assert (found.title, found.author, found.pack_version) == ("Lab parts", "A. Engineer", "1.2")
    assert list(found.parts) == ["lab-gpu", "lab-server", "my-sn5600"], "the GPU inside the server comes along"
    plan = plan_import(found)
    assert (plan.new, plan.equal, plan.conflicts) == (("lab-gpu", "lab-server", "my-sn5600"), (), ())
    assert apply_import(plan) == plan.new
    part = catalogue().get("my-sn5600")
    assert part.get("depth_mm") == 600
    assert part.origin == "pack Lab parts 1.2 by A. Engineer"
    assert dict(part.extra["pack"]) == {"author": "A. Engineer", "title": "Lab parts", "version": "1.2"}  # type: ignore[call-overload]
    assert "lab-gpu" in catalogue().needs("lab-server")
    # Again: nothing to do.
    again = plan_import(found)
    assert (again.new, len(again.equal), again.conflicts) == ((), 3, ())


def test_other_content_is_a_difference_report(pack: Path) -> None:
    apply_import(plan_import(read_pack(pack)))
    part = catalogue().get("my-sn5600")
    own.save("my-sn5600", replace(part, figures=part.figures.put("depth_mm", Figure(650, "own"))), replace_own=True)
    plan = plan_import(read_pack(pack))
    assert plan.new == () and plan.equal == ("lab-gpu", "lab-server")
    assert [c.part for c in plan.conflicts] == ["my-sn5600"]
    assert plan.conflicts[0].differences == (
        Difference("figures.depth_mm", "650 (engineering, own)", "600 (engineering, own)"),
    )
    # Undecided: refused and nothing is written.
    with pytest.raises(UserError, match=r"^1 parts are here with other content: my-sn5600; say which ones stay\.$"):
        apply_import(plan)
    assert catalogue().get("my-sn5600").get("depth_mm") == 650
    assert apply_import(plan, keep_own=True) == ()
    assert catalogue().get("my-sn5600").get("depth_mm") == 650
    assert apply_import(plan, replace_own=True) == ("my-sn5600",)
    assert catalogue().get("my-sn5600").get("depth_mm") == 600


def change(path: Path, edit: Callable[[dict[str, Any]], object]) -> Path:
    data = json.loads(path.read_text(encoding="utf-8"))
    edit(data)
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_older_versions_and_other_authors_are_named(pack: Path) -> None:
    apply_import(plan_import(read_pack(pack)))
    sw = {"figures": {"depth_mm": {"value": 610, "source": "own", "confidence": "engineering"}}}
    change(pack, lambda d: (d.update(pack_version="1.1"), d["parts"]["my-sn5600"]["figures"].update(sw["figures"])))
    remark = plan_import(read_pack(pack)).conflicts[0].remark
    assert remark is not None
    assert remark.english() == "version 1.2 of the pack was imported before, this one is 1.1"
    change(pack, lambda d: d.update(author="Somebody Else", pack_version="2.0"))
    remark = plan_import(read_pack(pack)).conflicts[0].remark
    assert remark is not None and "is by Somebody Else" in remark.english()
    change(pack, lambda d: d.update(author="A. Engineer", pack_version="1.10"))
    assert plan_import(read_pack(pack)).conflicts[0].remark is None, "1.10 is newer than 1.2"


def test_a_shipped_id_always_stays(pack: Path) -> None:
    change(pack, lambda d: d["parts"].update({"sn5600": {**d["parts"]["my-sn5600"], "model": "hijacked"}}))
    plan = plan_import(read_pack(pack))
    assert [(c.part, c.shipped) for c in plan.conflicts] == [("sn5600", True)]
    written = apply_import(plan, replace_own=True)
    assert "sn5600" not in written and catalogue().get("sn5600").model == "SN5600"


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (lambda d: d.update(format="zip"), "is not a catalogue pack"),
        (lambda d: d.update(version=2), r"was written by a newer program \(format 2, known 1\)"),
        (lambda d: d.update(version=True), "'version' is missing or no number"),
        (lambda d: d.pop("author"), "'author' must be one line of 1 to 120 characters"),
        (lambda d: d.update(title="a\nb"), "'title' must be one line"),
        (lambda d: d.update(title="x" * 121), "'title' must be one line"),
        (lambda d: d.update(pack_version="newest"), "is written as 1.2, not 'newest'"),
        (lambda d: d.update(pack_version=1), "is written as 1.2, not '1'"),
        (lambda d: d.update(parts={}), "holds no parts"),
        (lambda d: d.update(parts=[]), "holds no parts"),
        (lambda d: d["parts"].update({"../../etc": {"kind": "nic"}}), "'../../etc' is not a part id"),
        (lambda d: d["parts"].update({"x": 3}), "x: expected an object, found 3"),
        (lambda d: d["parts"]["my-sn5600"].pop("kind"), "my-sn5600: 'kind' is missing"),
        (lambda d: d["parts"]["my-sn5600"].update(note="x" * 5000), "a text is longer than 4000 characters"),
        (lambda d: d["parts"]["my-sn5600"]["cages"]["1"].update(default="99999x1"), "at most 64 ports, not 99999"),
        (
            lambda d: d["parts"]["my-sn5600"].update(ports={"a": {"medium": "eth", "gbps": 1e9}}),
            "expected 0 to 100000",
        ),
        (lambda d: d["parts"].update({f"p{n}": {"kind": "nic"} for n in range(2001)}), "more than 2000 parts"),
        (
            lambda d: d["parts"]["my-sn5600"].update(ports={f"p{n}": {"medium": "eth"} for n in range(5000)}),
            "holds more than 4096 rows",
        ),
        (lambda d: d["parts"]["my-sn5600"].update(ports={"\x1b[2J": {"medium": "eth"}}), "holds control characters"),
        (lambda d: d["parts"]["my-sn5600"].update(note="\x1b]0;x\x07"), "holds control characters"),
        (lambda d: d["parts"]["my-sn5600"].update(ports={"a:b": {"medium": "eth"}}), "'a:b' is not a name"),
    ],
)
def test_hostile_packs_are_one_sentence(pack: Path, edit: Callable[[dict[str, Any]], object], sentence: str) -> None:
    change(pack, edit)
    with pytest.raises(UserError, match=sentence) as caught:
        read_pack(pack)
    assert "lab.fwcat: " in str(caught.value) and str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "line 1 is not JSON"),
        (b"\xff\xfe", "is not UTF-8 text"),
        (b"PK\x03\x04", "is not JSON"),
        (b"[" * 100_000, "is nested deeper than 24 levels"),
        (b'{"a":' + b"9" * 10_000 + b"}", "is not readable JSON"),
        (b'{"a":NaN}', "holds NaN, which is no number"),
        (b'{"a":[' + b"1," * 300_000 + b"1]}", "holds more than 200000 rows"),
        (b" " * (8 * 1024 * 1024 + 1), "is larger than 8 MB"),
    ],
)
def test_what_is_no_pack_at_all(tmp_path: Path, data: bytes, sentence: str) -> None:
    path = tmp_path / "x.fwcat"
    path.write_bytes(data)
    with pytest.raises(UserError, match=sentence):
        read_pack(path)


def test_parts_that_do_not_hold_together_are_refused(pack: Path) -> None:
    change(pack, lambda d: d["parts"].pop("lab-gpu"))
    with pytest.raises(UserError, match=r"lab-server: interior\.items\.gpu0\.of: there is no part 'lab-gpu'"):
        plan_import(read_pack(pack))


def test_only_own_parts_go_into_a_pack(own_folder: Path) -> None:
    with pytest.raises(UserError, match="'sn5600' is not a part of your own"):
        export_pack(["sn5600"], "t", "a")
    with pytest.raises(UserError, match="at least one part"):
        export_pack([], "t", "a")
    own.save(*own.make_from("sn5600", {}))
    with pytest.raises(UserError, match="'author'"):
        export_pack(["my-sn5600"], "t", " ")


def test_differences_show_figures_with_their_provenance(own_folder: Path) -> None:
    _, one = own.make_from("sn5600", {})
    _, two = own.make_from(
        "sn5600", {"figures": {"weight_kg": None}, "cages": {"7": {"default": "1x800"}}, "note": "n"}
    )
    rows = {d.place: (d.here, d.there) for d in differences(one, two)}
    assert rows == {
        "cages.7.default": ("2x400", "1x800"),
        "figures.weight_kg": ("23.5 (read, nbx)", ""),
        "note": ("", "n"),
    }
    assert differences(one, one) == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.binary(max_size=200), st.integers(0, 4000), st.integers(0, 60))
def test_damaged_packs_never_crash(tmp_path: Path, junk: bytes, start: int, length: int) -> None:
    whole = json.dumps(
        {
            "format": "fabricwright-pack",
            "version": 1,
            "title": "t",
            "author": "a",
            "pack_version": "1.0",
            "parts": {"x": {"kind": "nic", "names": {"en": "X"}, "source": "own", "cages": {"1": {"type": "OSFP"}}}},
        }
    ).encode()
    at = start % len(whole)
    path = tmp_path / "x.fwcat"
    path.write_bytes(whole[:at] + junk + whole[at + length :])
    with contextlib.suppress(UserError):  # anything else is a defect
        plan_import(read_pack(path), catalogue())
