"""A choice drawn: a design of groups, link rows, racks and cables, the very rows a person would draw by hand."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fabricwright.catalog.parts import Scalar
from fabricwright.catalog.store import catalogue
from fabricwright.design.templates.drafting import deal, embed, item, mesh, plan, rows, without_tail
from fabricwright.design.values import Axes, ConfigValue, Design, Item, Link, Project, Sheet, Statement, Wire
from fabricwright.sizing.cabling import Cabled, cable_up
from fabricwright.sizing.choices import Choice
from fabricwright.sizing.clos import ceil_div
from fabricwright.sizing.networks import Extra, extra_networks
from fabricwright.sizing.rack_plan import RackGroup
from fabricwright.sizing.racking import Racked, layouts
from fabricwright.sizing.switch_use import SwitchUse
from fabricwright.topology.racks import figures_of_part
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from fabricwright.units.text import msg

UFM = "ufm-appliance"
UFM_PORTS = 2
MAIN = "main"


@dataclass(frozen=True, slots=True)
class Drawn:
    """A choice as a project of one design ``main``. ``cables`` physical cables by tier pair (node_leaf, leaf_spine,
    spine_core; None where that pair does not exist); ``racks`` how many, 0 when none were planned.
    """

    choice: Choice
    project: Project
    cables: dict[str, int | None]
    longest_m: dict[str, float]
    racks: int

    @property
    def design(self) -> Design:
        """The design."""
        return self.project.designs[MAIN]


def draw(choice: Choice, title: str = "", lang: str = "en") -> Drawn:
    """The drawing, laid out in racks and cabled, its statements in ``lang``. Raises UserError when no cable reaches or
    no rack holds it.
    """
    extra = extra_networks(choice)
    sheet = _fabric(choice, extra)
    own = choice.offer.sheet
    exports = {**own.exports, **extra.exports, "compute": choice.offer.compute(choice.rails)}
    inside = {i: _over(own.items.get(i), row) for i, row in extra.inside.items()}
    node = replace(own, exports=Table(exports), items=Table({**own.items, **inside}))
    problem: UserError | None = None
    for racked in layouts(choice.requirement, _groups(choice, sheet, extra)):
        project = _project(choice, title, lang, sheet, node, racked)
        try:
            cabled = cable_up(project, MAIN, choice.requirement.max_cable_m)
        except UserError as error:
            problem = problem or error
            continue
        return Drawn(choice, cabled.project, _counts(choice, cabled), cabled.longest_m, racked.racks)
    assert problem is not None
    raise problem


def counted_cables(choice: Choice) -> dict[str, int | None]:
    """Physical cables of a network that is too large to draw: as many links to a cable as in two pods (or units) of it.
    The lengths of such a network are not known; its cables are taken to be those of the smaller one.
    """
    clos = choice.clos
    pods = min(clos.pods, 2)
    units = min(clos.units, 2 * clos.unit_pods if clos.tiers > 2 else 2)
    servers = min(clos.servers, units * clos.unit)
    in_pod = clos.unit_pods if clos.tiers > 2 else units
    part = replace(clos, pods=pods, units=units, servers=servers, unit_pods=in_pod)
    wanted = replace(choice.requirement, ufm_links=0, networks=("compute",), max_cable_m=0.0)
    small = replace(choice, clos=part, requirement=wanted)
    cables, links, every = draw(small).cables, small.links, choice.links
    return {
        name: None if cables[name] is None else ceil_div(every[name] * (cables[name] or 0), links[name])
        for name in cables
        if name in links
    }


def _over(own: Item | None, row: Item) -> Item:
    """A row that adds config to one that may be there already."""
    return row if own is None else replace(own, config=Table({**own.config, **row.config}))


def _counts(choice: Choice, cabled: Cabled) -> dict[str, int | None]:
    tiers = choice.clos.tiers
    return {
        "node_leaf": cabled.cables.get("down", 0) + cabled.cables.get("ufm", 0),
        "leaf_spine": cabled.cables["up"] if tiers > 1 else None,
        "spine_core": cabled.cables["top"] if tiers > 2 else None,
    }


def _project(choice: Choice, title: str, lang: str, sheet: Sheet, node: Sheet, racked: Racked) -> Project:
    fabric = replace(sheet, items=Table({**sheet.items, **racked.items}), seats=Table(racked.seats))
    design = plan(title, 0, {"fabric": fabric, "node": node}, _settings(choice))
    return embed(Project(title, designs=Table({MAIN: design}), statements=Table(_statements(choice, lang))))


def _settings(choice: Choice) -> dict[str, Scalar]:
    """Adaptive routing where the switches have it, else hashing over several queue pairs."""
    adaptive = choice.medium == "ib" or catalogue().get(choice.leaf.part).word("asic").startswith("Spectrum-4")
    out: dict[str, Scalar] = {"ecmp.mode": "adaptive"} if adaptive else {"ecmp.mode": "hash", "ecmp.qps": 4}
    if choice.medium == "eth":
        out |= {"lossless": True, "mtu": 9000, "roce.mtu": 4096}
    if choice.requirement.redundancy:
        out["fabric.redundant"] = True
    return out


def _statements(choice: Choice, lang: str) -> dict[str, Statement]:
    """What the sizing was for, in ``lang``, so that the rule book holds the drawing against it later."""
    wanted = choice.requirement
    gpus, ratio = choice.gpus, wanted.ratio(1)
    size = msg("The cluster has {count} GPUs.", count=f"{gpus:,}").text(lang)
    share = msg("The compute network is at most {ratio}:1 oversubscribed.", ratio=f"{ratio:g}").text(lang)
    rows = [
        Statement("target", size, "cluster.gpus", gpus, "GPUs", "design:main", "sizing"),
        Statement(
            "target",
            share,
            "leaf.oversubscription",
            ratio,
            "x",
            "leaf",
            "sizing",
        ),
    ]
    if ratio > 1 and choice.clos.tiers > 2:
        rows.append(replace(rows[1], value=wanted.ratio(2), subject="spine"))
    return {f"s{n}": row for n, row in enumerate(rows, 1)}


# -- the fabric sheet --------------------------------------------------------------------------------------------------


def _fabric(choice: Choice, extra: Extra) -> Sheet:
    clos = choice.clos
    items = {"node": _node(choice), "leaf": _leaf(choice)}
    links = {"down": _down(choice)}
    if clos.tiers > 1 and choice.spine is not None:
        items["spine"] = _spine(choice, choice.spine)
        links["up"] = _up(choice, choice.spine)
    if clos.tiers > 2 and choice.spine is not None and choice.core is not None:
        items["core"] = _core(choice, choice.core)
        links["top"] = _top(choice, choice.spine, choice.core)
    if choice.requirement.ufm_links:
        items["ufm"] = item(UFM, axes=(("ufm", ceil_div(choice.requirement.ufm_links, UFM_PORTS)),), name="ufm-{ufm1}")
        links["ufm"] = _ufm(choice)
    return Sheet("fabric", items=Table({**items, **extra.items}), links=Table({**links, **extra.links}))


def _pod_axes(choice: Choice) -> Axes:
    clos = choice.clos
    if clos.tiers > 2:
        return (("pod", clos.pods), ("su", clos.unit_pods))
    return (("su", clos.units),) if clos.tiers > 1 else ()


def _plane(choice: Choice) -> Axes:
    return (("plane", choice.planes),) if choice.planes > 1 else ()


def _node(choice: Choice) -> Item:
    clos = choice.clos
    row = item("sheet:node", axes=(*_pod_axes(choice), ("node", clos.unit)), name="n{index1:04}")
    return without_tail(row, clos.servers)


def _split(use: SwitchUse, down_cages: int, up_cages: int) -> Table[ConfigValue]:
    """Config ``breakout`` of a switch, only where it is not how the switch comes."""
    out: dict[str, str] = {}
    n = len(use.cages)
    if down_cages and use.down != use.default:
        out[_span(use.cages[:down_cages])] = use.down
    if up_cages and use.up != use.default:
        out[_span(use.cages[n - up_cages :])] = use.up
    return Table({"breakout": Table(out)} if out else {})


def _span(cages: tuple[str, ...]) -> str:
    return cages[0] if len(cages) == 1 else f"{cages[0]}-{cages[-1]}"


def _leaf_down(choice: Choice) -> int:
    """Ports of a leaf towards servers, fabric managers included."""
    clos = choice.clos
    return clos.unit * clos.per_rail + (choice.requirement.ufm_links if clos.tiers == 1 else 0)


def _leaf_cages(choice: Choice) -> tuple[int, int]:
    """Cages of a leaf in use towards servers and spines."""
    radix = choice.leaf.radix
    return ceil_div(_leaf_down(choice), radix.down), ceil_div(choice.clos.uplinks, radix.up)


def _leaf(choice: Choice) -> Item:
    clos = choice.clos
    spread = choice.offer.spread if choice.rails else ()
    axes = (*_pod_axes(choice), *spread, *_plane(choice))
    name = "leaf" + "".join(f"-{{{axis}1}}" for axis, size in axes if size > 1 or axis == "su")
    row = Item(choice.leaf.part, axes, config=_split(choice.leaf, *_leaf_cages(choice)), name=name)
    return without_tail(row, clos.leafs * choice.planes)


def _spine(choice: Choice, use: SwitchUse) -> Item:
    clos = choice.clos
    pod = (("pod", clos.pods),) if clos.tiers > 2 else ()
    axes = (*_plane(choice), *pod, ("spine", clos.spines))
    down = ceil_div(clos.unit_pods * clos.rails * clos.per_spine, use.radix.down)
    name = "spine" + "".join(f"-{{{axis}1}}" for axis, _ in axes)
    return Item(use.part, axes, config=_split(use, down, ceil_div(clos.spine_up, use.radix.up)), name=name)


def _core(choice: Choice, use: SwitchUse) -> Item:
    clos = choice.clos
    axes = (*_plane(choice), ("spine", clos.spines), ("core", clos.cores))
    down = ceil_div(clos.pods * clos.per_core, use.radix.down)
    name = "core" + "".join(f"-{{{axis}1}}" for axis, _ in axes)
    return Item(use.part, axes, config=_split(use, down, 0), name=name)


def _link(choice: Choice, a: str, b: str, wire: Wire) -> Link:
    return Link(a, b, wire, choice.medium)


def _down(choice: Choice) -> Link:
    on = tuple(axis for axis, _ in _leaf(choice).axes)
    return _link(choice, "node:compute", f"leaf:{choice.leaf.ports_down(_leaf_down(choice))}", deal(*on))


def _up(choice: Choice, spine: SwitchUse) -> Link:
    clos = choice.clos
    on = (*(("pod",) if clos.tiers > 2 else ()), *(("plane",) if choice.planes > 1 else ()))
    below = clos.unit_pods * clos.rails * clos.per_spine
    a, b = f"leaf:{choice.leaf.ports_up(clos.uplinks)}", f"spine:{spine.ports_down(below)}"
    return _link(choice, a, b, mesh(clos.per_spine, *on))


def _top(choice: Choice, spine: SwitchUse, core: SwitchUse) -> Link:
    clos = choice.clos
    on = ("spine", *(("plane",) if choice.planes > 1 else ()))
    a, b = f"spine:{spine.ports_up(clos.spine_up)}", f"core:{core.ports_down(clos.pods * clos.per_core)}"
    return _link(choice, a, b, mesh(clos.per_core, *on))


def _ufm(choice: Choice) -> Link:
    """Fabric managers on leaf ports that no server uses: of the last unit's missing servers, else of spare ones."""
    clos, count = choice.clos, choice.requirement.ufm_links
    per_leaf = _leaf_down(choice)
    cables = []
    leafs = clos.leafs * choice.planes
    per_unit = clos.rails * choice.planes
    used = [0] * leafs
    last = clos.servers - (clos.units - 1) * clos.unit
    for n in range(count):
        step, at = divmod(n, per_unit)
        leaf, port = leafs - per_unit + at, max(last, 0) * clos.per_rail + step
        if port >= per_leaf:
            raise UserError(
                msg(
                    "{count} fabric manager links do not find free leaf ports; the most that work are {most}.",
                    count=count,
                    most=n,
                )
            )
        used[leaf] += 1
        cables.append((n // UFM_PORTS, n % UFM_PORTS, leaf, port))
    return Link("ufm:1-2", f"leaf:{choice.leaf.ports_down(per_leaf)}", rows(*cables), choice.medium)


# -- racks -------------------------------------------------------------------------------------------------------------


def _groups(choice: Choice, sheet: Sheet, extra: Extra) -> list[RackGroup]:
    offer, clos = choice.offer, choice.clos
    out = [
        RackGroup(
            "node",
            sheet.items["node"].count,
            "server",
            offer.height_u,
            offer.power_w,
            offer.weight_kg,
            max(1, clos.units),
        )
    ]
    roles = {"leaf": "leaf", "spine": "spine", "core": "spine", "ufm": "service", **extra.roles}
    for item_id, role in roles.items():
        row = sheet.items.get(item_id)
        if row is None or row.of is None:
            continue
        figures = figures_of_part(catalogue().get(row.of))
        out.append(
            RackGroup(
                item_id,
                row.count,
                role,
                max(1, round(figures["units"].value)),
                figures["power_w"].value,
                figures["weight_kg"].value,
            )
        )
    return out
