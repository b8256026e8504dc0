"""What one server offers to the network: its sheet, its GPUs, and the ports that it shows by rail and plane.

A server with built-in compute NICs offers these; otherwise the NICs asked for are put into its slots, and GPUs into the
GPU slots of a server that comes without.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from fabricwright.catalog.parts import Mode, Part, Slot
from fabricwright.catalog.store import catalogue
from fabricwright.design.effective import effective
from fabricwright.design.rack_height import height_units
from fabricwright.design.templates.drafting import GPU_AUX, embed, item, plan
from fabricwright.design.templates.seed_a import node_sheet
from fabricwright.design.values import Axes, Export, Item, Project, Sheet
from fabricwright.sizing.requirement import Requirement
from fabricwright.topology.cable_fit import port_cages
from fabricwright.topology.racks import figures_of_server
from fabricwright.units.errors import UserError
from fabricwright.units.natural import natural_key
from fabricwright.units.table import Table
from fabricwright.units.text import msg

CABLED_CHASSIS = "cabled-4u8g"
"""Its GPU bays are fed by cables from switch and retimer cards, as the case study draws them."""
DEFAULT_NICS = {3: "mcx555a-ecat", 4: "cx6-single-200", 5: "mcx715105as-weat", 6: "mcx715105as-weat"}
"""By PCIe generation of the slots: one port of 100G, 200G or 400G that speaks Ethernet and InfiniBand; taken where the
server has none and none is named."""
LANE_GBPS = {3: 7.88, 4: 15.75, 5: 31.51, 6: 60.5}
"""Gb/s of one PCIe lane after encoding (Gen6: after FLIT overhead)."""
DEFAULT_GPU = "h100-pcie-80gb"


@dataclass(frozen=True, slots=True)
class Offer:
    """One server as the network sees it, in one port mode of its NICs.

    ``ports`` of the export ``compute``, row-major over ``spread``, plane, port. ``spread`` the axes over which a
    server's ports of one plane may go to different leafs: ``rail`` (one NIC each) and, where there are no more ports
    than GPUs, ``port``; ``per_rail`` ports on one such leaf; ``gbps`` of a port; ``media`` what the
    ports can carry; ``cage`` type of their cages, ``per_cage`` ports in one. ``storage``, ``inband``, ``oob``: exports
    for the other networks, "" where there is none.
    """

    server: str
    sheet: Sheet
    gpus: int
    nics: int
    nic: str
    ports: tuple[str, ...]
    spread: Axes
    planes: int
    per_rail: int
    gbps: float
    media: frozenset[str]
    cage: str
    per_cage: int
    height_u: int
    power_w: float
    weight_kg: float
    exports: tuple[str, ...]

    @property
    def rails(self) -> int:
        """Leafs that the ports of one plane may be spread over."""
        n = 1
        for _, size in self.spread:
            n *= size
        return n

    @property
    def ports_per_plane(self) -> int:
        """Ports of a server in one plane."""
        return len(self.ports) // self.planes

    def compute(self, rails: bool) -> Export:
        """The export, with the axes that the wiring joins on."""
        inner = (("place", self.per_rail),) if self.per_rail > 1 else ()
        plane = (("plane", self.planes),) if self.planes > 1 else ()
        if rails or plane:
            return Export(self.ports, (*self.spread, *plane, *inner))
        return Export(self.ports, (("place", len(self.ports)),))


def offers(wanted: Requirement) -> list[Offer]:
    """All port modes in which the server can be cabled, the fastest first. Raises UserError saying what the server
    lacks and what it has.
    """
    store = catalogue()
    part = store.get(wanted.server)
    if part.interior is None:
        raise UserError(msg("The inside of server '{server}' is not known.", server=wanted.server))
    built = part.interior.exports.get("compute")
    own = _compute_nics(part, built.ports) if built is not None else {}
    if built is not None and (not wanted.nic or wanted.nic in set(own.values())):
        most = len(own)
        take = wanted.nics_per_server or most
        if take > most:
            raise UserError(
                msg(
                    "Server '{server}' has {most} compute NICs; {count} are asked for. The nearest is {most}.",
                    server=wanted.server,
                    most=most,
                    count=take,
                )
            )
        names = list(own)[:take]
        base = _with_gpus(Sheet("server", "", wanted.server), part, wanted)
        return _modes(wanted, base, names, store.get(own[names[0]]), own[names[0]], built.ports)
    nic = wanted.nic or _usual_nic(part)
    if wanted.server == CABLED_CHASSIS:
        return _modes(wanted, _cabled(wanted, nic), ["nic0"], store.get(nic), nic, ())
    base = _with_gpus(Sheet("server", "", wanted.server), part, wanted)
    base, names = _with_nics(base, part, store.get(nic), nic, wanted)
    return _modes(wanted, base, names, store.get(nic), nic, ())


def _compute_nics(part: Part, ports: tuple[str, ...]) -> dict[str, str]:
    """Built-in NICs behind the export, item -> part id, in order."""
    assert part.interior is not None
    names = dict.fromkeys(p.partition(":")[0] for p in ports)
    return {n: part.interior.items[n].of for n in names if n in part.interior.items}


# -- inside the server -------------------------------------------------------------------------------------------------


def _with_gpus(sheet: Sheet, part: Part, wanted: Requirement) -> Sheet:
    store = catalogue()
    assert part.interior is not None
    inside = {i: row.of for i, row in part.interior.items.items() if row.of in store and store.kind_of(row.of) == "gpu"}
    if inside:
        own = next(iter(inside.values()))
        if wanted.gpu and wanted.gpu != own:
            raise UserError(
                msg(
                    "Server '{server}' is built with {own}; it cannot be had with {gpu}.",
                    server=wanted.server,
                    own=own,
                    gpu=wanted.gpu,
                )
            )
        return sheet
    places = _gpu_slots(part)
    count = min(int(part.get("gpu_count") or len(places)), len(places))
    if not count:
        raise UserError(msg("Server '{server}' has no place for a GPU.", server=wanted.server))
    gpu = wanted.gpu or _usual_gpu(part)
    body = store.get(gpu)
    form = part.slots[places[0]].kind
    if body.word("form") != form:
        fitting = [g for g in store.kinds()["gpu"] if store.get(g).word("form") == form]
        raise UserError(
            msg(
                "GPU '{gpu}' does not go into server '{server}', whose GPU slots are {form}; such are {near}.",
                gpu=gpu,
                server=wanted.server,
                form=form,
                near=fitting[:6],
            )
        )
    aux = {"aux": GPU_AUX} if form == "cem" and body.get("power_w") > 75 else {}
    rows = {f"gpu{n}": Item(gpu, (), f"chassis:{slot}", config=Table(aux)) for n, slot in enumerate(places[:count])}
    return replace(sheet, items=Table({**sheet.items, **rows}))


def _gpu_slots(part: Part) -> list[str]:
    """Slots for GPUs in natural order: double-wide, or of a GPU module's form."""
    wide = [n for n, s in part.slots.items() if s.kind == "cem" and s.max_width >= 2 and n[:1] in "gfb"]
    modules = [n for n, s in part.slots.items() if s.kind.startswith(("sxm", "oam"))]
    return sorted(wide or modules, key=natural_key)


def _usual_gpu(part: Part) -> str:
    figure = part.figures.get("gpu_models")
    listed = figure.value if figure is not None and isinstance(figure.value, tuple) else ()
    return next((str(m).casefold() for m in listed if str(m).casefold() in catalogue()), DEFAULT_GPU)


def _usual_nic(part: Part) -> str:
    gpu = set(_gpu_slots(part))
    gens = [s.gen for n, s in part.slots.items() if s.kind == "cem" and n not in gpu and s.electrical >= 16]
    return DEFAULT_NICS.get(max(gens, default=5), DEFAULT_NICS[5])


def _with_nics(sheet: Sheet, part: Part, nic: Part, nic_id: str, wanted: Requirement) -> tuple[Sheet, list[str]]:
    """NICs in the slots that take them, those beside the GPUs first."""
    free = nic_slots(part, nic, sheet)
    gpus = sum(1 for i in sheet.items if i.startswith("gpu")) or int(part.get("gpu_count") or 8)
    evenly = [n for n in range(1, min(len(free), gpus) + 1) if gpus % n == 0]
    count = wanted.nics_per_server or max(evenly, default=1)
    if not free:
        own = part.interior.exports.get("compute") if part.interior is not None else None
        raise UserError(
            msg(
                "Server '{server}' has no free slot that takes NIC '{nic}'. The nearest that works is {near}.",
                server=wanted.server,
                nic=nic_id,
                near=next(iter(_compute_nics(part, own.ports).values())) if own is not None else _usual_nic(part),
            )
        )
    if count > len(free):
        raise UserError(
            msg(
                "Server '{server}' takes {most} NICs of type {nic} (slots {slots}); {count} are asked for. The nearest "
                "is {most}.",
                server=wanted.server,
                most=len(free),
                nic=nic_id,
                slots=free or "-",
                count=count,
            )
        )
    built = part.interior.items if part.interior is not None else {}
    stem = "card" if "nic0" in built else "nic"
    names = [f"{stem}{n}" for n in range(count)]
    rows = {name: _card(nic_id, nic, slot) for name, slot in zip(names, free, strict=False)}
    return replace(sheet, items=Table({**sheet.items, **rows})), names


def _card(nic_id: str, nic: Part, slot: str) -> Item:
    aux = nic.word("aux_cable")
    return Item(nic_id, (), f"chassis:{slot}", config=Table({"aux": aux} if aux else {}))


def nic_slots(part: Part, nic: Part, sheet: Sheet) -> list[str]:
    """Free slots of a server that take a card of this form, those of its network side first."""
    taken = {row.seat.partition(":")[2] for row in sheet.items.values() if row.seat}
    taken |= (
        {row.seat.partition(":")[2] for row in part.interior.items.values() if row.seat} if part.interior else set()
    )
    gpu = set(_gpu_slots(part))
    taken |= {part.slots[g].neighbour for g in gpu & taken}
    fits = [n for n, s in part.slots.items() if n not in taken and n not in gpu and _takes(s, nic)]
    return sorted(fits, key=lambda n: ("nrsco".find(n[:1]) % 6, natural_key(n)))


def _takes(slot: Slot, nic: Part) -> bool:
    if slot.kind != (nic.word("form") or "cem"):
        return False
    high = not (slot.height == "LP" and nic.word("slot_height") == "FH")
    longish = not (slot.length == "HL" and nic.word("slot_length") in ("FL", "3/4"))
    wide = slot.max_width >= max(1.0, nic.get("slot_width", 1))
    lanes = min(slot.electrical, int(nic.get("edge_lanes", 16)))
    rates = [p.gbps for mode in nic.modes.values() for p in mode.ports.values()]
    # Half of the fastest port at least, as rule LAN-16 asks.
    fast = lanes * LANE_GBPS.get(min(slot.gen, int(nic.get("pcie_gen", 5))), 0.0) >= max(rates, default=0.0) / 2
    return high and longish and wide and fast and slot.physical >= nic.get("edge_lanes", 16)


def _cabled(wanted: Requirement, nic: str) -> Sheet:
    """The case study's server with another NIC in its network slot."""
    if wanted.nics_per_server > 1:
        raise UserError(
            msg(
                "Chassis '{server}' has one slot left for a NIC beside its switch and retimer cards; {count} are asked "
                "for. The nearest is 1.",
                server=wanted.server,
                count=wanted.nics_per_server,
            )
        )
    drawn = node_sheet()
    rows = dict(drawn.items)
    rows["nic0"] = _card(nic, catalogue().get(nic), rows["nic0"].seat.partition(":")[2])  # type: ignore[union-attr]
    if wanted.gpu:
        rows = {i: replace(r, of=wanted.gpu) if i.startswith("gpu") else r for i, r in rows.items()}
    return replace(drawn, title="", items=Table(rows), exports=Table())


# -- ports -------------------------------------------------------------------------------------------------------------


def _modes(
    wanted: Requirement, base: Sheet, names: list[str], nic: Part, nic_id: str, built: tuple[str, ...]
) -> list[Offer]:
    """One offer for each port mode of the NIC."""
    found = []
    modes: dict[str, Mode | None] = {m: nic.modes[m] for m in nic.modes} if nic.modes else {"": None}
    for mode, row in modes.items():
        table = row.ports if row is not None else nic.ports
        ports = [p for p in table.ordered() if table[p].role == "net" and table[p].medium in ("eth", "ib")]
        if not ports:
            continue
        rates = {table[p].gbps for p in ports}
        media = frozenset.intersection(*(frozenset({table[p].medium, *table[p].media}) for p in ports))
        planes = wanted.planes or (len(ports) if _two_planes(base, built, ports) else 1)
        if len(rates) != 1 or len(ports) % planes:
            continue
        found.append(_offer(wanted, base, names, nic, nic_id, mode, ports, max(rates), media, planes))
    if not found:
        counts = sorted({len([p for p in m.ports.values() if p.role == "net"]) for m in nic.modes.values()} or {1})
        raise UserError(
            msg(
                "{planes} planes need as many ports on every NIC; {nic} has {counts}. The nearest is {nearest}.",
                planes=wanted.planes,
                nic=nic_id,
                counts=counts,
                nearest=max((c for c in counts if c <= wanted.planes), default=counts[0]),
            )
        )
    return sorted(found, key=lambda o: (-o.gbps * len(o.ports), len(o.ports)))


def _two_planes(base: Sheet, built: tuple[str, ...], ports: list[str]) -> bool:
    """Whether the server's own export is of several planes in this very mode."""
    if not built or base.chassis is None:
        return False
    interior = catalogue().get(base.chassis).interior
    export = interior.exports.get("compute") if interior is not None else None
    axes = dict(export.axes) if export is not None else {}
    return axes.get("plane", 1) == len(ports) > 1


def _offer(
    wanted: Requirement,
    base: Sheet,
    names: list[str],
    nic: Part,
    nic_id: str,
    mode: str,
    ports: list[str],
    gbps: float,
    media: frozenset[str],
    planes: int,
) -> Offer:
    rows = dict(base.items)
    if mode and mode != nic.default_mode:
        for name in names:
            row = rows.get(name, Item(None))
            rows[name] = replace(row, config=Table({**row.config, "mode": mode}))
    sheet = replace(base, items=Table(rows))
    project = sketch(sheet)
    design = project.designs["main"]
    eff = effective(project, design, "node")
    gpus = sum(1 for i in eff.items.values() if i.kind == "gpu")
    per_nic = len(ports) // planes
    spread: Axes = (("rail", len(names)),) if len(names) > 1 else ()
    per_rail = per_nic
    if per_nic > 1 and len(names) * per_nic <= max(gpus, 1):
        # The ports of a NIC part only where there are no more ports than GPUs.
        spread, per_rail = (*spread, ("port", per_nic)), 1
    inner = [(j, k) for j in range(per_nic) for k in range(planes)]
    if per_rail > 1:
        inner = [(j, k) for k in range(planes) for j in range(per_nic)]
    # Port j of plane k is the NIC's port j * planes + k: its ports go to the planes in turn.
    order = [f"{n}:{ports[j * planes + k]}" for n in names for j, k in inner]
    cages = port_cages(project, design, effective(project, design, "fabric").items["node"], tuple(order))
    per_cage = max(sum(1 for c in cages if c.cage == one.cage) for one in cages)
    figures = figures_of_server(project, design, "node")
    return Offer(
        server=wanted.server,
        sheet=sheet,
        gpus=gpus,
        nics=len(names),
        nic=nic_id,
        ports=tuple(order),
        spread=spread,
        planes=planes,
        per_rail=per_rail,
        gbps=gbps,
        media=media,
        cage=cages[0].type,
        per_cage=per_cage,
        height_u=height_units(project, design, "sheet:node"),
        power_w=figures["power_w"].value,
        weight_kg=figures["weight_kg"].value,
        exports=tuple(eff.exports),
    )


def sketch(sheet: Sheet) -> Project:
    """A project of one such server and nothing else, for looking inside."""
    fabric = Sheet("fabric", items=Table({"node": item("sheet:node")}))
    return embed(Project("", designs=Table({"main": plan("", 0, {"fabric": fabric, "node": sheet})})))
