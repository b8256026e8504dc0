"""A NetBox device type as a part, held against the catalogue's part of the same model.

What a record gives: ports with speed and cage, height, weight, airflow, supplies, bays by name. What it does not: PCIe
lanes, topology, buffers, breakouts, latency. Records are community data and some are wrong, so a part of the same model
is never overwritten: differences are reported; a record that cannot be the device at all is refused.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fabricwright.catalog.difference import Difference
from fabricwright.catalog.parts import Cage, Figure, Part
from fabricwright.catalog.ports import parse_split
from fabricwright.catalog.store import Catalogue
from fabricwright.exchange.netbox_yaml import DeviceType, Interface
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from fabricwright.units.text import Message, msg

SERVER_PORTS = 16
"""A server has fewer network ports; a record with as many is one of a switch."""
TOO_FAR = 0.5
"""Supplies (number, watts) further off than this are those of another device."""
SLOT = re.compile(r"(?i)PCI-?E(?:xpress)?\s*(\d)\.0\s*x(\d{1,2})\b")
SWITCH_PORTS = 8
"""A device that is not in the catalogue is a switch when it has at least as many ports of 10G or more."""


@dataclass(frozen=True, slots=True)
class NetboxImport:
    """What became of a record: the part it makes, the catalogue's part of the same model ("" for none), what differs
    between them, and what was left out."""

    part_id: str
    part: Part
    same_model: str
    differences: tuple[Difference, ...]
    remarks: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class _Port:
    """A data port: cage type and speed, NetBox's name, the number(s) in it."""

    cage: str
    gbps: float
    medium: str
    name: str
    numbers: tuple[int, ...]


def import_device_type(record: DeviceType, store: Catalogue, file: str) -> NetboxImport:
    """The part of a record and how it stands to the catalogue. Raises ``UserError`` for an implausible record."""
    ports, management, remarks = _ports(record, store)
    near, exact = match(record, store)
    if near:
        _refuse_implausible(record, ports, near, store, file)
        if not exact:
            remarks.append(msg("a variant of {part}, which is in the catalogue", part=near))
    part = _part(record, ports, management, exact, store)
    found: tuple[Difference, ...] = ()
    if exact:
        found = tuple(_differences(record, ports, store.get(exact)))
    for model, what in store.table("netbox")["known_bad_records"].items():
        if _tokens(model) == _tokens(record.model):
            remarks.append(msg("the library's record of this model is known to be wrong: {what}", what=str(what)))
    return NetboxImport(_part_id(record), part, exact, found, (*record.remarks, *remarks))


def match(record: DeviceType, store: Catalogue) -> tuple[str, str]:
    """(nearest, same): the part whose model stands in the record's, and the part of exactly this model; "" for none."""
    wanted = _tokens(record.model)
    maker = set(_tokens(record.manufacturer))
    bare = [token for token in wanted if token not in maker]
    near: tuple[int, str] = (0, "")
    for part_id in store.ids():
        model = (
            store.raw(part_id).get("model") if store.kind_of(part_id) in ("switch", "server", "storage-server") else ""
        )
        tokens = _tokens(str(model or ""))
        if not tokens:
            continue
        if tokens in (wanted, bare) or "".join(tokens) == "".join(bare):
            return part_id, part_id
        runs = [bare[n : n + len(tokens)] for n in range(len(bare) - len(tokens) + 1)]
        if tokens in runs and sum(map(len, tokens)) >= 5:
            near = max(near, (len(tokens), part_id))
    return near[1], ""


def _tokens(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.casefold())


def _ports(record: DeviceType, store: Catalogue) -> tuple[list[_Port], list[Interface], list[Message]]:
    """Data ports, management interfaces, and what was left out."""
    types: Mapping[str, Mapping[str, Any]] = store.table("netbox")["interface_types"]
    data: list[_Port] = []
    management: list[Interface] = []
    unknown: Counter[str] = Counter()
    remarks: list[Message] = []
    for row in record.interfaces:
        if row.mgmt_only:
            management.append(row)
        elif row.type not in types:
            unknown[row.type] += 1
        elif "management" in row.description.casefold():
            remarks.append(
                msg("{name} is typed {type} but manages the fabric; not a data port", name=row.name, type=row.type)
            )
        else:
            known = types[row.type]
            numbers = tuple(int(n) for n in re.findall(r"\d{1,6}", row.name))
            data.append(_Port(known["cage"], known["gbps"], known.get("medium", "eth"), row.name, numbers))
    for word, count in sorted(unknown.items()):
        remarks.append(
            msg("{count} interfaces of type {type} left out: no cage is known for it", count=count, type=word)
        )
    return data, management, remarks


def _refuse_implausible(record: DeviceType, ports: list[_Port], near: str, store: Catalogue, file: str) -> None:
    """A server record with the ports or the supplies of something else is not imported."""
    part = store.get(near)
    if part.kind != "server":
        return
    reasons: list[Message] = []
    fast = sum(port.gbps >= 10 for port in ports)
    if fast >= SERVER_PORTS:
        reasons.append(msg("{count} network ports", count=fast))
    count, stated = len(record.psu_max_draw_w), part.get("psu_count")
    if count and stated and abs(count - stated) / stated > TOO_FAR:
        reasons.append(msg("{count} power supplies instead of {wanted}", count=count, wanted=f"{stated:g}"))
    watts, limit = max((w for w in record.psu_max_draw_w if w), default=0), part.get("psu_w")
    if watts and limit and abs(watts - limit) / limit > TOO_FAR:
        reasons.append(msg("{watts} W per supply instead of {wanted} W", watts=f"{watts:g}", wanted=f"{limit:g}"))
    if reasons:
        raise UserError(
            msg(
                "{file}: the record '{model}' cannot be a {part}: it has {reasons}; not imported.",
                file=file,
                model=record.model,
                part=part.model or near,
                reasons=_joined(reasons),
            )
        )


def _joined(parts: list[Message]) -> Message:
    out = parts[0]
    for part in parts[1:]:
        out = msg("{one}, {two}", one=out, two=part)
    return out


# -- the part ---------------------------------------------------------------------------------------------------------


def _part_id(record: DeviceType) -> str:
    words = "-".join(_tokens(record.model))
    return f"netbox-{words}"[:64].rstrip("-.") if words else "netbox-device"


def _part(record: DeviceType, ports: list[_Port], management: list[Interface], same: str, store: Catalogue) -> Part:
    fast = sum(port.gbps >= 10 for port in ports)
    kind = store.kind_of(same) if same else "switch" if fast >= SWITCH_PORTS else "server"
    figures: dict[str, Figure] = {
        "height_u": _read(record.u_height),
        "full_depth": Figure(record.is_full_depth, "nbx", "inferred"),
    }
    if record.weight_kg is not None:
        figures["weight_kg"] = _read(record.weight_kg)
    if record.airflow and kind == "switch":
        figures["airflow"] = _read(record.airflow)
    supplies = supplies_of(record)
    if supplies:
        figures["psu_count"] = _read(supplies)
    watts = max((w for w in record.psu_max_draw_w if w), default=None)
    if watts:
        figures["psu_w"] = _read(watts)
    if kind == "switch" and ports:
        figures["max_logical_ports"] = Figure(len(ports), "nbx", "inferred")
    name = f"{record.manufacturer} {record.model}"
    bays = [b for b in record.module_bays if not _is_supply(b)]
    return Part(
        kind,
        names=Table({"en": name, "zh_CN": name}),
        model=record.part_number or record.model,
        vendor=record.manufacturer,
        source="nbx",
        confidence="inferred",
        origin=f"NetBox device type {record.slug or record.model}",
        note=f"Bays of the record: {'; '.join(bays)}"[:2000] if bays else "",
        cages=Table({**_cages(ports), **_management(management)}),
        figures=Table(figures),
    )


def _read(value: float | str) -> Figure:
    """A figure that stands in the record; community data, so it is inferred until somebody reads a datasheet."""
    return Figure(int(value) if isinstance(value, float) and value.is_integer() else value, "nbx", "inferred")


def _is_supply(bay: str) -> bool:
    return re.match(r"(?i)(psu|power[ -]?supply|power)\b", bay) is not None


def supplies_of(record: DeviceType) -> int:
    """Power supplies: power ports, or bays for supplies where the record has modules instead."""
    return len(record.psu_max_draw_w) or sum(_is_supply(bay) for bay in record.module_bays)


def _cages(ports: list[_Port]) -> dict[str, Cage]:
    """One cage per port; ports whose names go in twos (sw1p1, sw1p2) share one."""
    out: dict[str, Cage] = {}
    # The fastest first: they keep their plain numbers where names collide (swp1, eth1).
    kinds = sorted({(p.cage, p.gbps, p.medium) for p in ports}, key=lambda row: (-row[1], row))
    for cage, gbps, medium in kinds:
        mine = [p for p in ports if (p.cage, p.gbps, p.medium) == (cage, gbps, medium)]
        groups: dict[tuple[int, ...], int] = Counter(p.numbers[:-1] for p in mine)
        twins = len(groups) > 1 and max(groups.values()) == 2
        media = ("eth", "mgmt") if cage == "RJ45" else ()
        if twins:
            for numbers in groups:
                out[_free(numbers[-1:], out)] = Cage(cage, f"2x{gbps:g}", (), medium, media)
            continue
        varying = _varying(mine)
        for port in mine:
            out[_free(port.numbers[varying : varying + 1], out)] = Cage(cage, f"1x{gbps:g}", (), medium, media)
    return out


def _varying(ports: list[_Port]) -> int:
    """Which of the numbers in the names counts the ports: the last that differs (Ethernet7/1, et-0/0/7)."""
    widths = {len(p.numbers) for p in ports}
    if len(widths) != 1:
        return -1
    columns = range(widths.pop())
    return max((n for n in columns if len({p.numbers[n] for p in ports}) > 1), default=-1) if columns else -1


def _free(number: tuple[int, ...], taken: Mapping[str, Cage]) -> str:
    stem = str(number[0]) if number else str(len(taken) + 1)
    if stem not in taken:
        return stem
    return next(name for n in range(1, 100_000) if (name := f"{stem}.{n}") not in taken)


def _management(rows: list[Interface]) -> dict[str, Cage]:
    names = ["mgmt" if n == 0 else f"mgmt{n + 1}" for n in range(len(rows))]
    return {name: Cage("RJ45", "1x1", (), "mgmt", ("mgmt", "eth")) for name in names}


# -- against the catalogue --------------------------------------------------------------------------------------------


def _differences(record: DeviceType, ports: list[_Port], here: Part) -> list[Difference]:
    """Fields that both state and that differ, the catalogue first."""
    out: list[Difference] = []

    def hold(place: str, ours: object, theirs: object) -> None:
        if ours not in (None, "", 0, 0.0) and theirs not in (None, "", 0, 0.0) and ours != theirs:
            out.append(Difference(place, _shown(ours), _shown(theirs)))

    # Mellanox is NVIDIA today; the community's records keep the old name.
    renamed = {here.vendor.casefold(), record.manufacturer.casefold()} == {"nvidia", "mellanox"}
    if not renamed and not set(_tokens(here.vendor)) & set(_tokens(record.manufacturer)):
        hold("vendor", here.vendor, record.manufacturer)
    hold("figures.height_u", here.get("height_u"), float(record.u_height))
    hold("figures.weight_kg", here.get("weight_kg"), record.weight_kg)
    hold("figures.airflow", here.word("airflow"), record.airflow)
    hold("figures.psu_count", here.get("psu_count"), float(supplies_of(record)))
    hold("figures.psu_w", here.get("psu_w"), max((w for w in record.psu_max_draw_w if w), default=None))
    hold("slots", _slot_words(_catalogue_slots(here)), _slot_words(_record_slots(record)))
    if here.kind == "switch":
        for (cage, gbps, medium), count in sorted(Counter((p.cage, p.gbps, p.medium) for p in ports).items()):
            if cage in ("RJ45", "SFP+", "SFP28") and not any(c.type == cage for c in _data_cages(here)):
                continue  # the catalogue keeps such further ports as a remark
            ours = _ports_at(here, cage, gbps)
            if ours != count or not any(c.medium == medium for c in _data_cages(here) if _takes(c.type, cage)):
                out.append(
                    Difference(
                        "cages",
                        _port_words(ours, cage, gbps, "/".join(sorted({c.medium for c in _data_cages(here)}))),
                        _port_words(count, cage, gbps, medium),
                    )
                )
    return out


def _record_slots(record: DeviceType) -> Counter[tuple[int, int]]:
    """(generation, lanes) of PCIe bays that say so in their name: "PCI-E 5.0 x16, Full Height"."""
    found = (SLOT.search(bay) for bay in record.module_bays)
    return Counter((int(row[1]), int(row[2])) for row in found if row)


def _catalogue_slots(part: Part) -> Counter[tuple[int, int]]:
    return Counter((slot.gen, slot.electrical) for slot in part.slots.values() if slot.kind == "cem")


def _slot_words(slots: Mapping[tuple[int, int], int]) -> str:
    return ", ".join(f"{count} x Gen{gen} x{lanes}" for (gen, lanes), count in sorted(slots.items(), reverse=True))


def _data_cages(part: Part) -> list[Cage]:
    return [cage for cage in part.cages.values() if cage.medium != "mgmt"]


def _takes(ours: str, theirs: str) -> bool:
    """Whether a cage of the catalogue is what NetBox means; it has one word for OSFP of every speed."""
    return ours == theirs or (theirs == "OSFP" and ours == "OSFP1600")


def _ports_at(part: Part, cage_type: str, gbps: float) -> int:
    """Ports of this speed when every cage of the type is split for it."""
    total = 0
    for cage in _data_cages(part):
        if not _takes(cage.type, cage_type):
            continue
        for split in (cage.default, *cage.breakouts):
            parsed = parse_split(split)
            if parsed and parsed[1] == gbps:
                total += parsed[0]
                break
    return total


def _port_words(count: int, cage: str, gbps: float, medium: str) -> str:
    return f"{count} x {gbps:g}G {cage} {medium}"


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
