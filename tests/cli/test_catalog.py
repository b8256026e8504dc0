"""``fabricwright catalog``: what it proves, the user's own parts, packs and NetBox records."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fabricwright.analysis import interior_proof
from fabricwright.catalog import own
from fabricwright.catalog.parts import Figure
from fabricwright.catalog.store import catalogue
from tests.cli.conftest import Run

RECORD = """
manufacturer: Acme
model: LX-16
u_height: 1
interfaces:
""" + "".join(f"  - {{name: swp{n}, type: 400gbase-x-osfp}}\n" for n in range(1, 17))


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("FABRICWRIGHT_DATA", str(tmp_path / "data"))
    catalogue().set_own({})
    yield tmp_path / "data"
    catalogue().set_own({})


def document(run: Run, *arguments: str, code: int = 0) -> dict[str, Any]:
    found, out, err = run(*arguments, "--json")
    assert (found, err) == (code, "")
    loaded: dict[str, Any] = json.loads(out)
    return loaded


def test_check_says_what_it_proved_in_one_line_per_kind(run: Run) -> None:
    code, out, _ = run("catalog", "check")
    assert code == 0
    assert [line.split(":")[0] for line in out.splitlines()] == [
        "lanes",
        "cages and ports",
        "slots",
        "links",
        "path classes",
        f"{len(catalogue().ids())} parts, 0 problems",
    ]
    found = document(run, "catalog", "check")
    proofs = {row["kind"]: row for row in found["proofs"]}
    assert all(row["faults"] == 0 for row in proofs.values())
    # 20 archetypes and trays with a matrix, one of them under no other name, and 27 servers that are wired like them.
    assert proofs["classes"]["interiors"] == 19 + 27
    assert proofs["lanes"]["sockets"] > 80 and proofs["slots"]["slots"] > 1000


def test_a_wrong_interior_is_one_sentence_per_fault(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = json.loads(json.dumps(interior_proof.expected_interiors()))
    row = expected["pcie-4dw-one-socket"]["expected"]
    row["matrix_nvidia_smi"]["gpu1"] = "PIX X NODE NODE | NODE"
    expected["ext-gpu-chassis-8"]["expected"]["gpu_gpu_inside"]["PIX"] = 13
    monkeypatch.setattr(interior_proof, "expected_interiors", lambda: expected)
    code, out, _ = run("catalog", "check")
    assert code == 1
    assert out.splitlines()[:4] == [
        "ext-gpu-chassis-8: interior: GPU-GPU classes are PIX 12, expected PIX 13",
        "h3-falcon-5012: interior: GPU-GPU classes are PIX 12, expected PIX 13",
        (
            "pcie-4dw-one-socket: interior.items.gpu1: gpu1 compiles to NODE X NODE NODE | NODE, "
            "expected PIX X NODE NODE | NODE"
        ),
        "pcie-4dw-one-socket: interior.items.gpu1: NCCL's class between gpu1 and gpu0 is PHB, expected PIX",
    ]
    assert "as expected; faults: 4" in out


def test_an_assumed_archetype_is_shown_as_an_estimate(run: Run) -> None:
    assert document(run, "catalog", "show", "poweredge-xe9680")["estimate"] is True
    assert document(run, "catalog", "show", "dgx-h100")["estimate"] is False
    _, out, _ = run("catalog", "show", "poweredge-xe9680")
    assert "inside: an estimate, wired as the archetype hgx-8sxm-4chip-shared" in out
    assert "inside: wired as the archetype dgx-h100-8sxm" in run("catalog", "show", "dgx-h100")[1]
    assert "内部：估算" in run("catalog", "show", "poweredge-xe9680", "--lang", "zh_CN")[1]


def test_own_parts_are_listed_with_their_origin(run: Run) -> None:
    own.save(*own.make_from("sn5600", {"model": "SN5600-S"}))
    rows = document(run, "catalog", "list", "sn5600")["parts"]
    assert [(row["id"], row["own"]) for row in rows] == [("my-sn5600", True), ("sn5600", False)]
    assert [row["id"] for row in document(run, "catalog", "list", "--own")["parts"]] == ["my-sn5600"]
    assert "your own part: own parts, from sn5600 (catalogue" in run("catalog", "show", "my-sn5600")[1]
    own.path().write_text("{", encoding="utf-8")
    catalogue().set_own({})
    assert "is not JSON" in run("catalog", "list", "sn5600")[1]


def test_packs_go_from_one_person_to_another(run: Run, tmp_path: Path, own_folder: Path) -> None:
    own.save(*own.make_from("sn5600", {"figures": {"depth_mm": 600}}))
    file = str(tmp_path / "lab.fwcat")
    made = document(run, "catalog", "export", "my-sn5600", "-o", file, "--author", "A", "--title", "Lab")
    assert made == {"file": file, "title": "Lab", "author": "A", "version": "1.0", "parts": ["my-sn5600"]}
    own.remove("my-sn5600")
    assert document(run, "catalog", "import", file, "--dry-run")["written"] == []
    assert document(run, "catalog", "import", file)["written"] == ["my-sn5600"]
    part = catalogue().get("my-sn5600")
    assert part.origin == "pack Lab 1.0 by A"
    own.save("my-sn5600", replace(part, figures=part.figures.put("depth_mm", Figure(650, "own"))), replace_own=True)
    code, out, err = run("catalog", "import", file)
    assert (code, err) == (1, "")
    assert "figures.depth_mm  650 (engineering, own)  600 (engineering, own)" in out
    assert "Nothing was imported: --replace takes the pack's parts, --keep leaves yours." in out
    assert catalogue().get("my-sn5600").get("depth_mm") == 650
    assert document(run, "catalog", "import", file, "--keep")["written"] == []
    conflicts = document(run, "catalog", "import", file, code=1)["conflicts"]
    assert conflicts[0]["differences"][0]["place"] == "figures.depth_mm"
    assert document(run, "catalog", "import", file, "--replace")["written"] == ["my-sn5600"]
    assert catalogue().get("my-sn5600").get("depth_mm") == 600
    assert document(run, "catalog", "export", "--own", "-o", file, "--author", "A")["parts"] == ["my-sn5600"]


def test_netbox_records_become_own_parts(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "lx.yaml"
    path.write_text(RECORD, encoding="utf-8")
    found = document(run, "catalog", "import-netbox", str(path), "--dry-run")
    assert found["saved"] is None and found["record"]["interfaces"] == {"400gbase-x-osfp": 16}
    found = document(run, "catalog", "import-netbox", str(path))
    assert (found["saved"], found["same_model"]) == ("netbox-lx-16", None)
    assert len(catalogue().get("netbox-lx-16").cages) == 16
    # A second time the model is in the catalogue (the user's own): nothing is overwritten.
    again = document(run, "catalog", "import-netbox", str(path))
    assert (again["saved"], again["same_model"], again["differences"]) == (None, "netbox-lx-16", [])
    path.write_text(RECORD.replace("LX-16", "SN4700").replace("Acme", "NVIDIA"), encoding="utf-8")
    code, out, _ = run("catalog", "import-netbox", str(path))
    assert code == 1 and "sn4700 is in the catalogue already and stays as it is; 1 differences." in out
    assert "SN4700" not in [row["id"] for row in document(run, "catalog", "list", "--own")["parts"]]


def test_implausible_records_are_refused_with_one_sentence(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "dgx.yaml"
    path.write_text(RECORD.replace("LX-16", "DGX H100").replace("Acme", "NVIDIA"), encoding="utf-8")
    code, out, err = run("catalog", "import-netbox", str(path))
    assert (code, out) == (2, "")
    assert err == "dgx.yaml: the record 'DGX H100' cannot be a DGX-H100: it has 16 network ports; not imported.\n"


def test_a_part_is_copied_with_changes(run: Run) -> None:
    made = document(
        run,
        *(
            "catalog",
            "copy",
            "SN5600",
            "--as",
            "lab-leaf",
            "--set",
            "figures.depth_mm=600",
            "--set",
            "figures.airflow=",
        ),
        *("--set", "names.en=Lab leaf", "--set", "cages.1.default=1x800"),
    )
    assert (made["saved"], made["problems"]) == ("lab-leaf", [])
    part = catalogue().get("lab-leaf")
    assert (part.name(), part.get("depth_mm"), part.cages["1"].default) == ("Lab leaf", 600, "1x800")
    assert "airflow" not in part.figures
    code, out, _ = run("catalog", "copy", "lab-leaf", "--set", "figures.weight_kg=25")
    assert code == 0 and "figures.weight_kg: 23.5 (read, nbx) becomes 25 (engineering, own)" in out
    assert document(run, "catalog", "remove", "lab-leaf") == {"removed": "lab-leaf"}
    assert catalogue().own_ids() == ("my-lab-leaf",)
    assert catalogue().get("my-lab-leaf").origin == "own parts, from lab-leaf"


def test_a_wrong_copy_names_every_field_and_saves_nothing(run: Run, own_folder: Path) -> None:
    code, out, _ = run("catalog", "copy", "sn5600", "--set", "figures.power_w=lots", "--set", "kind=toaster")
    assert code == 1
    assert out.splitlines()[:2] == [
        "kind: there is no kind 'toaster'.",
        "figures.power_w: expected a number, found lots.",
    ]
    assert not own_folder.exists()
    assert run("catalog", "copy", "sn5600", "--as", "qm9700")[1].startswith("id: 'qm9700' is a shipped part")
    for wrong in ("=1", "a..b=1", "figures=3", "a", "x.x.x.x.x.x.x.x.x=1"):
        code, out, err = run("catalog", "copy", "sn5600", "--set", wrong)
        assert (code, out, err.count("\n")) == (2, "", 1), wrong
    assert run("catalog", "remove", "sn5600")[2] == "There is no part 'sn5600' of your own.\n"
