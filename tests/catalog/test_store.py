"""Finding parts: unknown ids, search, embedding, a missing or wrong file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fabricwright.catalog.store import Catalogue, load
from fabricwright.units.errors import UserError


def test_an_unknown_part_names_the_nearest(shipped: Catalogue) -> None:
    with pytest.raises(UserError) as caught:
        shipped.get("dgx-h10")
    assert str(caught.value) == "There is no part 'dgx-h10' in the catalogue; nearest: dgx-h100, dgx-h200, dgx-a100."
    with pytest.raises(UserError, match=r"^There is no part 'qqqqqqqqqqqq' in the catalogue\.$"):
        shipped.raw("qqqqqqqqqqqq")


def test_the_same_part_is_the_same_object(shipped: Catalogue) -> None:
    assert shipped.get("qm9700") is shipped.get("qm9700")


def test_search_in_both_languages(shipped: Catalogue) -> None:
    assert shipped.search("h100 pcie")[0] == "h100-pcie-80gb"
    assert shipped.search("LRES1260")[0] == "lres1260pf-2qsfp112"
    assert "mpo12-apc-smf" in shipped.search("光纤 单模", "zh_CN")
    assert shipped.search("") == list(shipped.ids())
    assert shipped.search("no such thing") == []
    assert shipped.search("dgx")[:2] == ["dgx-a100", "dgx-a100-8sxm"]


def test_names_in_both_languages(shipped: Catalogue) -> None:
    assert shipped.name_of("mcio-8i") == "MCIO 8i cable, x8"
    assert shipped.get("mcio-8i").name("zh_CN") == shipped.name_of("mcio-8i", "zh_CN") == "MCIO 8i线缆，x8"
    assert shipped.name_of("mcio-8i", "fr") == "MCIO 8i cable, x8"


def test_a_server_is_embedded_with_all_that_is_inside(shipped: Catalogue) -> None:
    needs = shipped.needs("dgx-h100")
    assert needs[0] == "dgx-h100"
    for inside in ("xeon-spr", "h100-sxm5-80gb", "nvswitch3", "pcie-switch-partition", "pex89048", "cx7-bridge"):
        assert inside in needs
    assert shipped.needs("lrsv9500-4i") == ("lrsv9500-4i", "pex89048")


def test_sources_and_figures_are_explained(shipped: Catalogue) -> None:
    assert "ml-engineering" in shipped.source_text("mleng")
    assert shipped.source_text("seedA; own note").endswith("own note")
    assert shipped.figure_info("power_w")["unit"] == "W"
    assert shipped.figure_info("nonsense") == {}
    assert shipped.table("pcie_loss_budget_db") == {"gen3": 22, "gen4": 28, "gen5": 36, "gen6": 32}


@pytest.mark.parametrize("content", [None, "{", "[]", '{"format":"something else"}', "\x00"])
def test_a_missing_or_wrong_file_is_one_sentence(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "catalog.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(UserError, match=r"run 'make bake'( again)?\.$"):
        load(path)


def test_a_baked_file_gives_the_same_parts(shipped: Catalogue, tmp_path: Path) -> None:
    path = tmp_path / "catalog.json"
    path.write_text(json.dumps(shipped._data), encoding="utf-8")
    again = load(path)
    assert again.ids() == shipped.ids()
    assert again.get("dgx-h100") == shipped.get("dgx-h100")
    assert again.origin() == shipped.origin()


def test_reading_parts_needs_no_pydantic_and_no_yaml() -> None:
    code = (
        "import sys, fabricwright.catalog.store, fabricwright.catalog.ports; "
        "sys.exit(1 if {'pydantic', 'yaml', 'networkx', 'PySide6'} & set(sys.modules) else 0)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
