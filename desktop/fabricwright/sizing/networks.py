"""The networks besides compute: storage, in-band and out-of-band management.

Storage and in-band: ports of all servers are dealt evenly over leafs, two spines or more above, at most 2:1 and 3:1
oversubscribed (the rule book's limit for networks other than compute is 3:1). Storage servers are not part of a sizing;
the storage network ends at the servers' ports and has room for as many on its leafs as the last leaf leaves.
Out-of-band: switches of 48 ports near what they manage, since twisted pair reaches 30 m.
Switch models are those of the SuperPOD template (SN4600C in-band, SN2201 out-of-band) and SN4600 for 200G storage.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from fabricwright.catalog.store import catalogue
from fabricwright.design.effective import effective
from fabricwright.design.templates.drafting import deal, item, mesh
from fabricwright.design.values import Axes, ConfigValue, Export, Item, Link
from fabricwright.sizing.choices import Choice
from fabricwright.sizing.clos import Clos, Load, ceil_div, one_tier, two_tiers
from fabricwright.sizing.offer import nic_slots, sketch
from fabricwright.sizing.switch_use import SwitchUse, splits_of, use_of
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from fabricwright.units.text import msg

STORAGE_SWITCHES = ("sn4600", "generic-64x400")
INBAND_SWITCHES = ("sn4600c",)
OOB_SWITCH = "sn2201"
OOB_PORTS = 48
OOB_UPLINKS = "49-50"
HOST_NIC = "cx7-dual-qsfp112"
"""Two ports of 200G: one for storage, one in-band."""
HOST_MODE = "2x200"
RATIOS = {"storage": 2.0, "inband": 3.0}
INBAND_CABLE = "aoc-100g-qsfp28"
"""As in the SuperPOD template, also for the uplinks of management switches."""
STEMS = {"storage": "s", "inband": "i"}


@dataclass(frozen=True, slots=True)
class Extra:
    """Rows to add: ``items`` and ``links`` of the fabric sheet, ``exports`` and ``inside`` (items) of the server sheet,
    ``roles`` of the new groups for seating.
    """

    items: dict[str, Item] = field(default_factory=dict)
    links: dict[str, Link] = field(default_factory=dict)
    exports: dict[str, Export] = field(default_factory=dict)
    inside: dict[str, Item] = field(default_factory=dict)
    roles: dict[str, str] = field(default_factory=dict)


def extra_networks(choice: Choice) -> Extra:
    """Rows of the networks that the requirement names besides compute. Raises UserError when the server has no port or
    slot for one, or a network does not reach.
    """
    out = Extra()
    hosts: list[str] = [n for n in ("storage", "inband") if n in choice.requirement.networks]
    if hosts:
        _host_ports(choice, hosts, out)
    for network in hosts:
        _spread(choice, network, out)
    if "oob" in choice.requirement.networks:
        _out_of_band(choice, out)
    return out


def _host_ports(choice: Choice, hosts: list[str], out: Extra) -> None:
    """Exports of the server for these networks: its own, else those of a card put into a free slot."""
    project = sketch(choice.offer.sheet)
    eff = effective(project, project.designs["main"], "node")
    missing = [n for n in hosts if n not in eff.exports]
    for network in set(hosts) - set(missing):
        for port in eff.exports[network].ports:
            owner = port.partition(":")[0]
            nic = eff.items[owner]
            if nic.part is not None and HOST_MODE in nic.part.modes and nic.part.default_mode != HOST_MODE:
                out.inside[owner] = Item(None, config=Table({"mode": HOST_MODE}))
    if not missing:
        return
    part = catalogue().get(choice.offer.server)
    free = nic_slots(part, catalogue().get(HOST_NIC), choice.offer.sheet)
    if not free:
        raise UserError(
            msg(
                "Server '{server}' has no slot left for a NIC of the {networks} network; compute takes {nics}. The "
                "nearest that works is {fewer} compute NICs, or without that network.",
                server=choice.offer.server,
                networks=" / ".join(missing),
                nics=choice.offer.nics,
                fewer=choice.offer.nics - 1,
            )
            if choice.offer.nics > 1
            else msg(
                "Server '{server}' has no slot left for a NIC of the {networks} network. The nearest that works is "
                "without that network.",
                server=choice.offer.server,
                networks=" / ".join(missing),
            )
        )
    names = [f"host{n}" for n in range(min(2, len(free)))]
    for name, slot in zip(names, free, strict=False):
        out.inside[name] = item(HOST_NIC, f"chassis:{slot}", mode=HOST_MODE)
    for network in missing:
        place = 1 if network == "storage" else 2
        axes: Axes = (("port", len(names)),) if len(names) > 1 else ()
        out.exports[network] = Export(tuple(f"{n}:{place}" for n in names), axes)


def _spread(choice: Choice, network: str, out: Extra) -> None:
    """Leafs and spines of a network whose ports are dealt over all leafs."""
    project = sketch(replace(choice.offer.sheet, exports=Table({**choice.offer.sheet.exports, **out.exports})))
    ports = len(effective(project, project.designs["main"], "node").exports[network].ports)
    count = choice.clos.servers * ports
    switches = STORAGE_SWITCHES if network == "storage" else INBAND_SWITCHES
    sized = _first_that_fits(count, switches, RATIOS[network], 200.0 if network == "storage" else 100.0)
    if sized is None:
        raise UserError(
            msg(
                "{count} ports of the {network} network do not fit two tiers of {switches}. The nearest that works is "
                "without that network, or fewer servers.",
                count=count,
                network=network,
                switches=list(switches),
            )
        )
    use, clos = sized
    stem = STEMS[network]
    leaf, spine = f"{stem}leaf", f"{stem}spine"
    down = ceil_div(clos.unit, use.radix.down)
    split: dict[str, ConfigValue] = {}
    if use.down != use.default:
        split["breakout"] = Table({f"1-{down}": use.down})
    out.items[leaf] = Item(use.part, ((leaf, clos.units),), config=Table(split), name=f"{leaf}-{{{leaf}1:02}}")
    out.roles[leaf] = "leaf" if clos.units > 2 else "spine"
    cable = INBAND_CABLE if network == "inband" else "auto"
    out.links[f"{stem}-down"] = Link(
        f"node:{network}", f"{leaf}:{use.ports_down(clos.unit)}", deal(), "eth", network, cable=cable
    )
    if clos.tiers > 1:
        out.items[spine] = item(use.part, axes=((spine, clos.spines),), name=f"{spine}-{{{spine}1}}")
        out.roles[spine] = "spine"
        spine_use = use_of(use.part, "eth", use.up, use.up)
        out.links[f"{stem}-up"] = Link(
            f"{leaf}:{use.ports_up(clos.uplinks)}",
            f"{spine}:{spine_use.ports_down(clos.units * clos.per_spine)}",
            mesh(clos.per_spine),
            "eth",
            network,
            cable=cable,
        )


def _first_that_fits(ports: int, switches: tuple[str, ...], ratio: float, gbps: float) -> tuple[SwitchUse, Clos] | None:
    for part_id in switches:
        _, _, splits = splits_of(part_id, "eth")
        down = next(s for s in splits if s.endswith(f"x{gbps:g}"))
        use = use_of(part_id, "eth", down, splits[0])
        load = Load(ports, 1, 1)
        above = use_of(part_id, "eth", splits[0], splits[0]).radix
        # Two leafs at least where there are spines, so that the two ports of a server part.
        found = one_tier(load, use.radix) or two_tiers(load, use.radix, above, ratio, 2)
        if found is not None:
            return use, found
    return None


def _out_of_band(choice: Choice, out: Extra) -> None:
    """Management ports of everything: switches beside each unit for servers and leafs, some for what stands apart."""
    clos, planes = choice.clos, choice.planes
    # Places of members that are not there are dealt, too, so whole units and pods count.
    local: Axes = ()
    units = clos.unit_pods * clos.pods
    if clos.rails > 1 and clos.tiers > 1:
        local = (("pod", clos.pods), ("su", clos.unit_pods)) if clos.tiers > 2 else (("su", clos.units),)
        units = 1
    elif clos.tiers > 2:
        local, units = (("pod", clos.pods),), clos.unit_pods
    on = tuple(axis for axis, _ in local)
    near: dict[str, tuple[str, int]] = {}
    if "oob" in choice.offer.exports:
        near["node"] = ("oob", clos.unit * units)
    near["leaf"] = ("mgmt", units * clos.rails * planes)
    _managed(out, "oob", local, on, near)
    far = {name: ("mgmt", row.count) for name, row in out.items.items() if name not in ("oob", "oobc")}
    if clos.tiers > 1:
        far["spine"] = ("mgmt", clos.spine_count * planes)
    if clos.tiers > 2:
        far["core"] = ("mgmt", clos.core_count * planes)
    if choice.requirement.ufm_links:
        far["ufm"] = ("bmc", ceil_div(choice.requirement.ufm_links, 2))
    if far:
        _managed(out, "oobc", (), (), far)
    out.roles["oob"] = "leaf"
    if "oobc" in out.items:
        out.roles["oobc"] = "spine"
    _uplinks(out)


def _managed(out: Extra, name: str, local: Axes, on: tuple[str, ...], devices: dict[str, tuple[str, int]]) -> None:
    """Out-of-band switches of a group of devices; each kind has its own range of ports on every switch."""
    each = 1
    while sum(ceil_div(count, each) for _, count in devices.values()) > OOB_PORTS:
        each += 1
    axes = (*local, (name, each))
    stem = "".join(f"-{{{axis}1}}" for axis, _ in axes)
    row = item(OOB_SWITCH, axes=axes, name=f"{name}{stem}")
    out.items[name] = row
    first = 1
    for device, (port, count) in devices.items():
        width = ceil_div(count, each)
        ports = str(first) if width == 1 else f"{first}-{first + width - 1}"
        out.links[f"o-{device}"] = Link(f"{device}:{port}", f"{name}:{ports}", deal(*on), "eth", "oob", cable="cat6a")
        first += width


def _uplinks(out: Extra) -> None:
    """Both uplinks of every out-of-band switch to leafs of the in-band network, as far as these have ports."""
    leaf = out.items.get("ileaf")
    # Without spines above them, in-band leafs would count the out-of-band switches as their uplinks.
    if leaf is None or leaf.of is None or "ispine" not in out.items:
        return
    ports = sum(out.items[n].count * 2 for n in ("oob", "oobc") if n in out.items)
    names, _, _ = splits_of(leaf.of, "eth")
    used = _last_port(out.links["i-down"].b)
    up = out.links.get("i-up")
    free = (int(up.a.partition(":")[2].partition("-")[0]) if up is not None else len(names) + 1) - used - 1
    width = ceil_div(ports, leaf.count)
    if width > free:
        return
    first = used + 1
    for name in ("oob", "oobc"):
        if name in out.items:
            need = ceil_div(out.items[name].count * 2, leaf.count)
            if first + need - 1 > used + free:
                return
            ends = str(first) if need == 1 else f"{first}-{first + need - 1}"
            out.links[f"i-{name}"] = Link(
                f"{name}:{OOB_UPLINKS}", f"ileaf:{ends}", deal(), "eth", "inband", cable=INBAND_CABLE
            )
            first += need


def _last_port(end: str) -> int:
    return int(end.partition(":")[2].partition("/")[0].rpartition("-")[2])
