"""GPU-to-GPU links inside a server: NVLink domains over switches, NVLink meshes and bridges, AMD's xGMI mesh.

All switch chips that join the same GPUs count as one plane: NCCL and the GPUs stripe over them. A tray's
connector towards
rack switches is a plane too, so the GPUs of one tray see each other through it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from fabricwright.catalog.parts import Part
from fabricwright.design.address import split_end
from fabricwright.design.effective import EffItem, EffSheet
from fabricwright.topology.constants import NVLINK_LINKS_PER_GPU, NVLINK_NCCL, NVLINK_RATE
from fabricwright.units.natural import natural_key

MEDIA = ("nvlink", "xgmi")


@dataclass(slots=True)
class NvDomains:
    """``domain`` GPU -> domain id; ``switched`` whether the domain has a plane; ``links`` GPU -> links into the plane;
    ``direct`` (GPU, GPU) sorted -> (link id, links, line rate, NCCL rate); ``rate``/``nccl`` per GPU in
    bytes/s, one direction;
    ``reduces`` the plane can reduce in the switch (NVSwitch of the third generation on: NVLink 4; NCCL asks
    for SM90).
    """

    domain: dict[str, int] = field(default_factory=dict)
    switched: dict[int, bool] = field(default_factory=dict)
    links: dict[str, int] = field(default_factory=dict)
    direct: dict[tuple[str, str], tuple[str, int, float, float]] = field(default_factory=dict)
    rate: dict[str, float] = field(default_factory=dict)
    nccl: dict[str, float] = field(default_factory=dict)
    generation: int = 0
    xgmi: bool = False
    reduces: bool = False

    def path(self, a: str, b: str) -> tuple[str, int] | None:
        """("switch" | "direct" | "third", links) of the NVLink path between two GPUs, None when there is none."""
        if a == b or a not in self.domain or self.domain[a] != self.domain.get(b, -1):
            return None
        if self.switched[self.domain[a]]:
            return "switch", min(self.links[a], self.links[b])
        if (min(a, b), max(a, b)) in self.direct:
            return "direct", self.direct[(min(a, b), max(a, b))][1]
        return ("third", 1) if self.third(a, b) else None

    def third(self, a: str, b: str) -> str:
        """A GPU that has direct links to both, "" when none."""
        for c in sorted(self.domain, key=natural_key):
            if (min(a, c), max(a, c)) in self.direct and (min(b, c), max(b, c)) in self.direct:
                return c
        return ""


def nvlink_generation(part: Part | None) -> int:
    """NVLink generation of a GPU or switch part, 0 when it has none or is not known.

    From the figure ``nvlink_gen``, else from its link text ("NVLink4 18 links"), else from the model name.
    """
    if part is None:
        return 0
    stated = int(part.get("nvlink_gen"))
    if stated:
        return stated
    for name in ("gpu_link", "link"):
        found = re.search(r"NVLink\s*(\d)", part.word(name), re.IGNORECASE)
        if found:
            return int(found.group(1))
    text = f"{part.model} {part.name()}".upper()
    for pattern, generation in (
        (r"B[23]00", 5),
        (r"H(?:[12]00|800|20)\b", 4),
        (r"A(?:100|800|40)\b", 3),
        (r"V100", 2),
        (r"P100", 1),
    ):
        if re.search(pattern, text):
            return generation
    return 0


def is_xgmi(part: Part | None) -> bool:
    """AMD Instinct: the GPUs' own links are xGMI."""
    return part is not None and ("xgmi" in part.word("gpu_link").lower() or part.vendor.upper().startswith("AMD"))


def nvlink_domains(eff: EffSheet, gpus: tuple[str, ...]) -> NvDomains:
    """Domains of a server sheet."""
    edges = list(_edges(eff))
    root: dict[str, str] = {}

    def find(x: str) -> str:
        while root.setdefault(x, x) != x:
            root[x] = root[root[x]]
            x = root[x]
        return x

    for _, a, b, _, _ in edges:
        root[find(a)] = find(b)
    out = NvDomains()
    known = set(gpus)
    planes = {find(i) for _, a, b, _, _ in edges for i in (a, b) if i not in known}
    ids: dict[str, int] = {}
    for gpu in gpus:
        if gpu in root:
            group = find(gpu)
            out.domain[gpu] = ids.setdefault(group, len(ids))
            out.switched[out.domain[gpu]] = group in planes
    for link_id, a, b, count, gbs in edges:
        for gpu, other in ((a, b), (b, a)):
            if gpu in known and other not in known:
                out.links[gpu] = out.links.get(gpu, 0) + count
        if a in known and b in known:
            line, nccl = _rates(eff.items[a], eff.items[b], count, gbs)
            before = out.direct.get((min(a, b), max(a, b)))
            if before is not None:
                link_id, count, line, nccl = before[0], before[1] + count, before[2] + line, before[3] + nccl
            out.direct[(min(a, b), max(a, b))] = (link_id, count, line, nccl)
    for gpu, group_id in list(out.domain.items()):
        if out.switched[group_id] and gpu not in out.links:
            # A bridge to a GPU of a plane is no way into the plane: traffic does not pass through GPUs.
            out.domain[gpu] = len(out.switched)
            out.switched[out.domain[gpu]] = False
    for gpu in out.domain:
        part = eff.items[gpu].part
        out.xgmi = out.xgmi or is_xgmi(part)
        out.generation = max(out.generation, 0 if is_xgmi(part) else nvlink_generation(part))
        _total(out, gpu, part)
    chips = any(eff.items[i].kind in ("nvswitch", "connector") for _, a, b, _, _ in edges for i in (a, b))
    out.reduces = chips and out.generation >= 4 and any(out.switched.values())
    return out


def _total(out: NvDomains, gpu: str, part: Part | None) -> None:
    generation = nvlink_generation(part) or 4
    if out.switched[out.domain[gpu]]:
        # A cut-down GPU (A800, H800) in a full chassis uses only the links it has.
        stated = int(part.get("nvlinks")) if part is not None else 0
        if stated:
            out.links[gpu] = min(out.links[gpu], stated)
        out.rate[gpu] = out.links[gpu] * NVLINK_RATE[min(generation, 5)]
        out.nccl[gpu] = out.links[gpu] * NVLINK_NCCL[min(generation, 5)]
        return
    mine = [row for pair, row in out.direct.items() if gpu in pair]
    out.rate[gpu] = sum(row[2] for row in mine)
    out.nccl[gpu] = sum(row[3] for row in mine)


def _rates(a: EffItem, b: EffItem, count: int, gbs: float) -> tuple[float, float]:
    """(line rate, NCCL's rate) of a direct link; a stated rate (xGMI) counts for both, NCCL keeps no constant
    for it.
    """
    if gbs:
        return gbs * 1e9, gbs * 1e9
    generation = min(x for x in (nvlink_generation(a.part) or 4, nvlink_generation(b.part) or 4, 5))
    return count * NVLINK_RATE[generation], count * NVLINK_NCCL[generation]


def _edges(eff: EffSheet) -> list[tuple[str, str, str, int, float]]:
    """(link id, item, item, links, GB/s or 0) of every NVLink or xGMI connection, built in and drawn."""
    out = []
    for link_id in sorted(eff.builtin_links, key=natural_key):
        row = eff.builtin_links[link_id]
        a, b = split_end(row.a)[0], split_end(row.b)[0]
        if row.medium in MEDIA and a in eff.items and b in eff.items and a != b:
            out.append((link_id, a, b, (row.nvlinks or 1) * max(row.count, 1), row.gbs))
    for link_id in sorted(eff.links, key=natural_key):
        link = eff.links[link_id]
        a, b = split_end(link.a)[0], split_end(link.b)[0]
        if link.medium in MEDIA and a in eff.items and b in eff.items and a != b:
            stated = link.config.get("nvlinks")
            count = int(stated) if isinstance(stated, (int, float)) and stated >= 1 else _bridge_links(eff.items[a])
            out.append((link_id, a, b, count, 0.0))
    return out


def _bridge_links(gpu: EffItem) -> int:
    """Links of a drawn bridge between two cards: all that the card has (A100/H100 PCIe: 12 at NVLink 3/4)."""
    part = gpu.part
    stated = int(part.get("nvlinks")) if part is not None else 0
    return stated or (12 if nvlink_generation(part) in (3, 4) else NVLINK_LINKS_PER_GPU.get(nvlink_generation(part), 1))
