"""Do the interiors of the catalogue compile to the path classes that recorded machines show?

``interiors_expected.json`` (beside the parts) holds, per archetype, a reference population, the words ``nvidia-smi topo
-m`` prints for it, the counts of NCCL's classes, and the lanes per socket; docs/path-classes.md is the table between
the two. A server is held against the matrix of its archetype; its NVLink words are those of its own ``nvlink_label``.

The proof compiles, so it cannot live in the catalogue's own check: ``fabricwright catalog check`` runs both.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fabricwright.catalog.check import Problem
from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import Catalogue
from fabricwright.design.effective import effective
from fabricwright.design.values import Design, Item, Link, Project, Sheet
from fabricwright.resources import resource_path
from fabricwright.topology.interior import compile_interior
from fabricwright.topology.model import Interior, NcclClass
from fabricwright.units.table import Table
from fabricwright.units.text import Message, msg

NVLINK = ("NV", "XGMI")
"""Beginnings of the words that stand for a GPU link rather than a PCIe path."""
CLASS_OF = {"PIX": "PIX", "PXB": "PXB", "PHB": "PHB", "NODE": "PHB", "SYS": "SYS"}
"""nvidia-smi's word -> NCCL's class of the same path (docs/path-classes.md, section 1)."""


@dataclass(frozen=True, slots=True)
class InteriorProof:
    """What was compiled and compared: interiors with a full matrix, pairs of each kind, and what differs."""

    interiors: int
    gpu_pairs: int
    gpu_nic_pairs: int
    problems: tuple[Problem, ...]


def expected_interiors(path: Path | None = None) -> Mapping[str, Any]:
    """Archetype -> its reference population and what it must compile to."""
    file = path or resource_path("catalog", "interiors_expected.json")
    found: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))["interiors"]
    return found


def prove_interiors(store: Catalogue, expected: Mapping[str, Any] | None = None) -> InteriorProof:
    """Compile every part with an interior whose archetype has an expected matrix, and compare."""
    table = expected_interiors() if expected is None else expected
    problems: list[Problem] = []
    interiors = gpu_pairs = gpu_nic_pairs = 0
    for part_id in store.ids():
        if "interior" not in store.raw(part_id):
            continue
        part = store.get(part_id)
        row = table.get(part.interior.archetype if part.interior and part.interior.archetype else part_id)
        if row is None:
            continue
        compiled = _compiled(part_id, row, store)
        found = _differences(compiled, part, row["expected"])
        problems += [Problem(part_id, place, text, "classes") for place, text in found]
        if "matrix_nvidia_smi" in row["expected"]:
            interiors += 1
            gpu_pairs += len(compiled.gpus) * (len(compiled.gpus) - 1) // 2
            gpu_nic_pairs += len(compiled.gpus) * len(row["expected"]["nics"])
    return InteriorProof(interiors, gpu_pairs, gpu_nic_pairs, tuple(problems))


def _compiled(part_id: str, row: Mapping[str, Any], store: Catalogue) -> Interior:
    """The part with the reference population of its archetype, compiled as the root of a design."""
    items = {
        name: Item(card["of"], seat=card["seat"], config=Table({"mode": card["mode"]} if card.get("mode") else {}))
        for name, card in (row.get("reference_population") or {}).items()
    }
    cables = {
        name: Link(cable["a"], cable["b"], medium="pcie") for name, cable in (row.get("reference_links") or {}).items()
    }
    sheet = Sheet("server", "", part_id, None, (), Table(items), Table(cables))
    design = Design("", "node", (), Table({"node": sheet}))
    needed = dict.fromkeys(p for top in (part_id, *(i.of or "" for i in items.values())) for p in store.needs(top))
    project = Project("", designs=Table({"main": design}), parts=Table({p: store.get(p) for p in needed}))
    return compile_interior(effective(project, design, "node"), {})


def _differences(compiled: Interior, part: Part, expected: Mapping[str, Any]) -> Iterator[tuple[str, Message]]:
    for code in compiled.problems:
        yield "interior", msg("its interior does not compile: {code}", code=code)
    for cpu, row in expected.get("lanes", {}).items():
        lanes = compiled.lanes.get(cpu)
        # A server may exchange the CPUs of its archetype: what it has is held against itself by the lane check.
        if lanes is None or lanes.wired != row["wired"]:
            yield (
                f"interior.items.{cpu}",
                msg(
                    "{cpu} has {found} lanes wired, expected {wanted}",
                    cpu=cpu,
                    found=0 if lanes is None else lanes.wired,
                    wanted=row["wired"],
                ),
            )
    if "matrix_nvidia_smi" in expected:
        yield from _matrix(compiled, part, expected)
        return
    n = len(compiled.gpus)
    words = Counter(compiled.gpu_gpu.smi[i][j] for i in range(n) for j in range(i))
    if "gpu_gpu" in expected and dict(words) != expected["gpu_gpu"]:
        yield "interior", _counts("GPU-GPU", words, expected["gpu_gpu"])
    # A box alone knows its own switches only; what joins its halves is decided by the host.
    if "gpu_gpu_inside" in expected and words["PIX"] != expected["gpu_gpu_inside"]["PIX"]:
        yield "interior", _counts("GPU-GPU", {"PIX": words["PIX"]}, {"PIX": expected["gpu_gpu_inside"]["PIX"]})


def _matrix(compiled: Interior, part: Part, expected: Mapping[str, Any]) -> Iterator[tuple[str, Message]]:
    if list(compiled.gpus) != expected["gpus"] or sorted(compiled.nics) != sorted(expected["nics"]):
        yield (
            "interior",
            msg(
                "it has {found}, expected {wanted}",
                found=[*compiled.gpus, *compiled.nics],
                wanted=[*expected["gpus"], *expected["nics"]],
            ),
        )
        return
    owner = [name.rpartition(":")[0] for name in compiled.net_ports]
    ports = [owner.index(nic) for nic in expected["nics"]]
    label = part.word("nvlink_label")
    for i, gpu in enumerate(compiled.gpus):
        wanted = [
            label if label and word.startswith(NVLINK) else word for word in expected["matrix_nvidia_smi"][gpu].split()
        ]
        found = [*compiled.gpu_gpu.smi[i], "|", *(compiled.gpu_port.smi[i][p] for p in ports)]
        if found != wanted:
            yield (
                f"interior.items.{gpu}",
                msg(
                    "{gpu} compiles to {found}, expected {wanted}",
                    gpu=gpu,
                    found=" ".join(found),
                    wanted=" ".join(wanted),
                ),
            )
        others = wanted[: wanted.index("|")]
        for j, word in enumerate(others):
            if j != i:
                nearer = NcclClass(compiled.gpu_gpu.overlay[i, j]).name if compiled.gpu_gpu.overlay[i, j] >= 0 else ""
                yield from _class_of(gpu, compiled.gpus[j], word, int(compiled.gpu_gpu.nccl[i, j]), nearer)
        for nic, port, word in zip(expected["nics"], ports, wanted[len(others) + 1 :], strict=True):
            yield from _class_of(gpu, nic, word, int(compiled.gpu_port.nccl[i, port]), "")
    raw = Counter(NcclClass(compiled.gpu_port.nccl[i, p]).name for i in range(len(compiled.gpus)) for p in ports)
    if raw != Counter(expected["gpu_nic_nccl"]):
        yield "interior", _counts("GPU-NIC", raw, expected["gpu_nic_nccl"])


def _class_of(gpu: str, other: str, word: str, pci: int, nearer: str) -> Iterator[tuple[str, Message]]:
    """NCCL's class of one pair against the word: PCIe words by the table, GPU links by the overlay."""
    found = nearer if word.startswith(NVLINK) else NcclClass(pci).name
    wanted = "NVL" if word.startswith(NVLINK) else CLASS_OF.get(word, word)
    if found != wanted:
        yield (
            f"interior.items.{gpu}",
            msg(
                "NCCL's class between {gpu} and {other} is {found}, expected {wanted}",
                gpu=gpu,
                other=other,
                found=found or "-",
                wanted=wanted,
            ),
        )


def _counts(pairs: str, found: Mapping[str, int], wanted: Mapping[str, int]) -> Message:
    return msg(
        "{pairs} classes are {found}, expected {wanted}",
        pairs=pairs,
        found=[f"{k} {v}" for k, v in sorted(found.items())],
        wanted=[f"{k} {v}" for k, v in sorted(wanted.items())],
    )
