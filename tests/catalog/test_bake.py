"""The bake refuses mistakes with one clear sentence."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from fabricwright.catalog.bake import bake, build
from fabricwright.catalog.overlay import resolve
from fabricwright.catalog.schema import json_schema
from fabricwright.catalog.store import load
from fabricwright.resources import resource_path
from fabricwright.units.errors import UserError

META = ("about.yaml", "sources.yaml", "figures.yaml", "tables.yaml")
NIC = """
nic-x:
  kind: nic
  names: {en: X, zh_CN: 甲}
  source: EK
  ports:
    up: {medium: pcie, role: up, lanes: 16, gen: 5}
  figures:
    power_w: 20
"""
BOX = """
box-x:
  kind: chassis
  names: {en: Box, zh_CN: 箱}
  source: EK
  slots:
    s1: {kind: cem, fed_by: "cpu0:p0"}
  interior:
    items:
      cpu0:
        of: cpu-x
        config: {lanes_available: 16}
        ports: {p0: {medium: pcie, role: root, lanes: 16, gen: 5}}
cpu-x:
  kind: cpu
  names: {en: CPU, zh_CN: 处理器}
  source: EK
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in META:
        shutil.copy(resource_path("catalog", name), tmp_path / name)
    return tmp_path


def put(folder: Path, text: str) -> Path:
    (folder / "parts.yaml").write_text(text, encoding="utf-8")
    return folder


def test_a_good_folder_bakes_and_loads(folder: Path) -> None:
    put(folder, NIC + BOX)
    bake(folder)
    assert load(folder / "catalog.json").ids() == ("box-x", "cpu-x", "nic-x")
    assert not list(folder.glob("*.tmp"))


def test_the_digest_follows_the_content(folder: Path) -> None:
    one = build(put(folder, NIC))["digest"]
    assert build(put(folder, NIC + "\n# a remark\n"))["digest"] == one
    assert build(put(folder, NIC.replace("20", "21")))["digest"] != one


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (NIC.replace("lanes: 16", "lanez: 16"), "parts.yaml: nic-x.ports.up.lanez is not a known key."),
        (NIC.replace("medium: pcie, ", ""), "parts.yaml: nic-x.ports.up.medium is missing."),
        (NIC.replace("lanes: 16", "lanes: wide"), "parts.yaml: nic-x.ports.up.lanes is 'wide': "),
        (NIC.replace("medium: pcie", "medium: pci"), "parts.yaml: nic-x.ports.up.medium is 'pci': "),
        (
            NIC.replace("power_w", "powr_w"),
            "parts.yaml: nic-x has a figure 'powr_w' that figures.yaml does not declare.",
        ),
        (NIC.replace(", zh_CN: 甲", ""), "parts.yaml: nic-x has no name in zh_CN."),
        (NIC.replace("  source: EK\n", ""), "parts.yaml: nic-x names no source."),
        (NIC.replace("  kind: nic\n", ""), "parts.yaml: nic-x must be a mapping with a 'kind'."),
        (NIC + NIC, "parts.yaml, line 11: the key nic-x is written twice."),
        ("nic-x: [", "parts.yaml, line 1: "),
        ("- a\n", "parts.yaml: expected a mapping of ids to parts."),
        (NIC.replace("up:", "1:"), "parts.yaml: write the key 1 of nic-x.ports in quotes."),
        (
            NIC + "nic-y:\n  kind: nic\n  like: nic-z\n",
            "Part nic-y: 'like' names nic-z, which is not in the catalogue.",
        ),
        (NIC + "nic-y:\n  kind: nic\n  like: nic-y\n", "Part nic-y: 'like' runs in a circle."),
        (NIC + "  cages: {'1': {type: QSFP999}}\n", "parts.yaml: nic-x has a cage of unknown type QSFP999."),
        (NIC + "    aux_cable: aux-z\n", "parts.yaml: nic-x refers to aux-z, which is not in the catalogue."),
        (BOX.replace("of: cpu-x", "of: cpu-y"), "parts.yaml: box-x refers to cpu-y, which is not in the catalogue."),
        (BOX.replace('"cpu0:p0"', '"cpu0:p9"'), "parts.yaml: box-x: slot s1 is fed by cpu0:p9, which does not exist."),
        (
            BOX.replace("_available: 16", "_available: 8"),
            "parts.yaml: box-x: cpu0 has 8 lanes, its root ports take 16.",
        ),
    ],
)
def test_mistakes_are_one_sentence(folder: Path, text: str, sentence: str) -> None:
    with pytest.raises(UserError) as caught:
        build(put(folder, text))
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)


def test_a_file_in_another_encoding_is_refused(folder: Path) -> None:
    (folder / "parts.yaml").write_bytes(NIC.encode("utf-16"))
    with pytest.raises(UserError, match=r"^parts.yaml: the file is not UTF-8 text\.$"):
        build(folder)


def test_shorthands() -> None:
    parts = {
        "a": {
            "kind": "chassis",
            "confidence": "read",
            "cages": {"1..3": {"type": "OSFP"}},
            "figures": {"power_w": 5, "height_u": {"value": 1, "confidence": "inferred"}},
            "interior": {"items": {"x": {"of": "old", "ports": {"d1..2": {"medium": "pcie"}}}}},
        },
        "b": {
            "kind": "server",
            "like": "a",
            "swap": {"old": "new"},
            "confidence": "inferred",
            "cages": {"2": None, "3": {"default": "1x400"}},
            "figures": {"power_w": 6},
        },
    }
    full = resolve("b", parts)
    assert full["kind"] == "server"
    assert full["cages"] == {"1": {"type": "OSFP"}, "3": {"type": "OSFP", "default": "1x400"}}
    assert full["figures"]["power_w"] == {"value": 6, "confidence": "inferred"}
    assert full["figures"]["height_u"] == {"value": 1, "confidence": "inferred"}
    assert full["interior"]["items"]["x"] == {
        "of": "new",
        "ports": {"d1": {"medium": "pcie"}, "d2": {"medium": "pcie"}},
    }
    assert "like" not in full and "swap" not in full
    assert parts["a"]["cages"] == {"1..3": {"type": "OSFP"}}, "the shorthand rows stay as they are"


def test_the_published_schema_is_current() -> None:
    published = json.loads(resource_path("schema", "catalog.schema.json").read_text(encoding="utf-8"))
    assert published == json_schema()
    assert published["properties"]["kind"] == {"title": "Kind", "type": "string"}
