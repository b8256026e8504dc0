"""Random sessions that reach what the rule book reads: every stated option, every quantity, every kind of part.

Everything is drawn from one ``random.Random``, so that a session is its seed, or shrinks when Hypothesis owns the
dice (``st.randoms``).
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from fabricwright.catalog.store import catalogue
from fabricwright.design.edits import EDITS, copy_rows
from fabricwright.design.effective import EffSheet, effective
from fabricwright.design.options import OPTIONS, Option
from fabricwright.design.patch import Patch, apply
from fabricwright.design.quantities import QUANTITIES, STATEMENT_KINDS
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Project, Workload
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from tests.design.strategies import empty_project

Call = tuple[str, dict[str, Any]]

TEMPLATE_SIZES: tuple[tuple[str, dict[str, str]], ...] = (
    ("seed-a-256x8", {"servers": "3"}),
    ("seed-b-512", {"servers": "2", "key_nodes": "1"}),
    ("pcie-4gpu-1nic", {"servers": "3"}),
    ("pcie-8gpu-switch", {}),
    ("single-8gpu", {"servers": "2"}),
    ("superpod-h100-127", {"servers": "2"}),
    ("b300-4su", {}),
)

JUNK: tuple[Any, ...] = (
    *("", "x", " ", "on", "off", "yes", "auto", "none", "nan", "inf", "-1", "1e999", "16x", "0x", "0x001d", "0xzz"),
    *("机架", "A" * 300, "a,b,,c", "7x1g", "7x", "x7", "40.44", "40.", "1..2", "mlx5_0", "^mlx5_0", "=mlx5_1:1", "²"),
    *(0, -1, 1, 2.5, 1e-9, 1e12, 1e300, 10**30, -(10**30), True, False, {"a": "b"}, {}),
)
"""Values that no option asks for."""

PARTS_OF_A_SERVER = (
    *("gpu", "gpu", "nic", "nic", "cxl", "pcie-switch-card", "retimer", "external-box", "nvme", "dimm"),
    *("nvlink-bridge", "riser", "pcie-switch", "backplane", "cpu"),
)
PARTS_OF_A_FABRIC = (
    *("switch", "switch", "switch", "server", "server", "rack", "rack", "storage-server", "management-server"),
    *("pdu", "rack-set", "nvlink-switch", "power-shelf", "cooling", "fibre-panel", "external-box"),
)
PLACES_OF_KINDS = {
    "gpu": ("gpu", "card"),
    "nic": ("nic", "card"),
    "cxl": ("card",),
    "cpu": ("cpu",),
    "pcie-switch": ("pcie_switch",),
    "pcie-switch-card": ("pcie_switch", "card"),
    "retimer": ("retimer", "card"),
    "switch": ("switch",),
    "rack": ("rack",),
}
SUBJECTS = (
    *("", "main", "design:main", "design:after", "workload:175b", "workload:w1", "workload:nothing", "doc:guide"),
    *("part:lres1260pf-2qsfp112", "part:h100-pcie-80gb", "part:nothing", "node/nic0:2", "nothing/at:all", "!!"),
    *("node[0]", "node[1-2]/gpu0", "node[99]", "main!node/gpu0"),
)
WORDS = (
    *("8x400", "8x400 + 2x100", "8x", "2x16", "4x8", "2x16, 4x8", "1.2M", "120万", "¥ 3,000,000", "Appendix C", "x400"),
    *("A" * 180, "*x*", "0x0", "100"),
)


def pick(dice: random.Random, options: Any, default: Any = "nothing") -> Any:
    """One of these, or the default."""
    options = list(options)
    return options[dice.randrange(len(options))] if options else default


@lru_cache(maxsize=1)
def parts_by_kind() -> dict[str, list[str]]:
    """Kind -> ids of the catalogue."""
    out: dict[str, list[str]] = {}
    for part in catalogue().ids():
        out.setdefault(catalogue().kind_of(part), []).append(part)
    return out


@cache
def template(n: int) -> Project:
    """A template, small."""
    name, sizes = TEMPLATE_SIZES[n]
    return TEMPLATES[name].build(**sizes)


def start(dice: random.Random, most: int = len(TEMPLATE_SIZES)) -> Project:
    """An empty project, any server of the catalogue, or a template; perhaps with workloads."""
    kind = dice.random()
    if kind < 0.15:
        project = empty_project()
    elif kind < 0.3:
        server = pick(dice, parts_by_kind()["server"])
        project = TEMPLATES["single-8gpu"].build(server=server, servers="2")
    else:
        project = template(dice.randrange(most))
    if dice.random() < 0.5:
        project = dataclasses.replace(project, workloads=project.workloads.put("w1", workload(dice)))
    return project


def workload(dice: random.Random) -> Workload:
    """A model and its plan, some of it nonsense."""
    right = {
        "params_b": 70.0,
        "layers": 80,
        "hidden": 8192,
        "heads": 64,
        "vocab": 32000,
        "seq": 4096,
        "experts": 8,
        "tp": 8,
        "pp": 4,
        "dp": 2,
        "cp": 1,
        "ep": 1,
        "precision": "bf16",
        "optimizer": "adam",
        "global_batch": 512,
        "gradient_dtype": "fp16",
        "micro_batch": 1,
        "tokens_b": 300.0,
        "mfu": 0.4,
        "recompute": "full",
        "zero": 1,
    }

    def some() -> Table[Any]:
        keys = [k for k in right if dice.random() < 0.6]
        return Table({k: right[k] if dice.random() < 0.8 else scalar_junk(dice) for k in keys})

    return Workload(pick(dice, ("", "Model")), some(), some())


def scalar_junk(dice: random.Random) -> Any:
    """A value that a table of scalars takes and that means nothing."""
    return pick(dice, [v for v in JUNK if not isinstance(v, dict)])


def value_of(dice: random.Random, option: Option) -> Any:
    """A value of an option: mostly one that it asks for."""
    luck = dice.random()
    if luck < 0.1:
        return None
    if luck < 0.25:
        return pick(dice, JUNK)
    if option.kind == "switch":
        return pick(dice, ("on", "off", True, False))
    if option.kind == "choice":
        return pick(dice, option.choices)
    if option.kind == "number":
        low = option.low if option.low is not None else 0
        high = option.high if option.high is not None else 1000
        plain = (low, high, 1, 2, 4, 8, 16, 75, 300, (low + high) / 2, low - 1, high * 2)
        return pick(dice, plain)
    return pick(
        dice, ("x8x8", "x16,x8x8,x4x4x4x4", "n+1", "2+2", "vm0", "vm1", "mlx5_0", "0x001d", "7x1g", "none", "w1")
    )


def statement(dice: random.Random, project: Project) -> dict[str, Any]:
    """Arguments of ``set_statement``."""
    quantity = pick(dice, QUANTITIES)
    kind = QUANTITIES[quantity].kind
    number = pick(dice, (0, 1, 2, 8, 16, 30, 64, 256, 400, 1.5, -3, 1e12, "1,024", "1e6", 0.000000000001))
    value: Any = {
        "number": number,
        "list": pick(dice, ("30, 21", "1", "0, 0", "1, 2, 3, 4", number)),
        "range": pick(dice, ("96..128", "128..96", "5", number)),
        "flag": dice.random() < 0.5,
        "word": pick(dice, WORDS),
    }[kind]
    if dice.random() < 0.1:
        value = scalar_junk(dice)
    design = pick(dice, project.designs)
    sheet = project.designs[design].sheets[pick(dice, project.designs[design].sheets)]
    inner = pick(dice, sheet.items)
    group = pick(dice, project.designs[design].sheets[project.designs[design].root].items)
    subject = pick(
        dice, (*SUBJECTS, design, f"design:{design}", group, f"{group}/{inner}", f"part:{pick(dice, project.parts)}")
    )
    fields: dict[str, Any] = {"kind": pick(dice, STATEMENT_KINDS), "quantity": quantity, "value": value}
    fields |= {"subject": subject, "text": pick(dice, ("", "as said")), "source": pick(dice, ("", "p. 3"))}
    if dice.random() < 0.1:
        fields["unit"] = pick(dice, ("GB", "TB", "x", "%", "万"))
    if project.statements and dice.random() < 0.3:
        fields["statement"] = pick(dice, project.statements)
    return fields


def state_option(dice: random.Random, project: Project, where: dict[str, str], eff: EffSheet) -> Call:
    """State an option at a thing it is for."""
    if dice.random() < 0.3:
        option = pick(dice, [o for o in OPTIONS.values() if o.place == "design"])
        value = value_of(dice, option)
        value = None if isinstance(value, dict) else value
        return "set_setting", {"design": where["design"], "key": option.key, "value": value}
    places: list[tuple[str, str]] = []
    if eff.kind == "server":
        places += [("chassis", "chassis"), ("slot", "chassis")]
    for item_id, item in eff.items.items():
        places += [(place, item_id) for place in PLACES_OF_KINDS.get(item.kind, ())]
    for link_id in eff.links:
        places += [("link", link_id), ("link_end", link_id)]
    place, row = pick(dice, places, ("switch", "leaf"))
    option = pick(dice, [o for o in OPTIONS.values() if o.place == place])
    key = option.key
    if place == "slot":
        key = f"slot.{pick(dice, eff.slots).rpartition(':')[2]}.{key}"
    value = value_of(dice, option)
    if place in ("link", "link_end"):
        key = f"{key}.{pick(dice, 'ab')}" if place == "link_end" else key
        return "set_link", {**where, "link": row, "config": {key: Table(value) if isinstance(value, dict) else value}}
    return "set_config", {**where, "item": row, "key": key, "value": value}


MODES = ("2x16", "4x8", "1x400", "2x200", "1x800", "2x400", "x8x8", "x4x4x4x4", {"1": "2x200"}, {"1-4": "4x100"})
BREAKOUTS = ({"1-8": "2x400"}, {"1": "4x100"}, {"1-64": "2x200"}, {"99": "2x200"}, None)


def end_of(dice: random.Random, eff: EffSheet) -> str:
    """One end for a link: a port, a run of ports, an export of a server, a slot."""
    item = pick(dice, eff.items)
    row = eff.items.get(item)
    if row is None:
        return f"{item}:1"
    names = [*row.ports, *(seat.partition(":")[2] for seat in eff.slots if seat.startswith(f"{item}:"))]
    if row.of.startswith("sheet:"):
        return f"{item}:{pick(dice, ('compute', 'storage', 'oob', 'port', '1'))}"
    low = pick(dice, names, "1")
    if dice.random() < 0.5:
        return f"{item}:{low}"
    return f"{item}:{pick(dice, ('1-32', '33-64', '1-8/1-2', '1-32/1-2', '1-4', 'd1-d4'))}"


def wire(dice: random.Random) -> dict[str, Any] | None:
    """A wiring rule."""
    on = pick(dice, ([], ["port"], ["rail"], ["plane"], ["leaf"], ["su"], ["node"]))
    return pick(dice, (None, {"mode": "deal", "on": on}, {"mode": "mesh", "per_pair": dice.randint(1, 4), "on": on}))


def edit(dice: random.Random, project: Project) -> Call:
    """Name and arguments of an edit that may or may not apply."""
    design = pick(dice, project.designs)
    drawn = project.designs[design]
    sheet = drawn.root if dice.random() < 0.4 and drawn.root in drawn.sheets else pick(dice, drawn.sheets)
    row = drawn.sheets[sheet]
    where = {"design": design, "sheet": sheet}
    eff = effective(project, drawn, sheet)
    item, link = pick(dice, eff.items), pick(dice, eff.links)
    xy = [dice.randint(-500, 500), dice.randint(-500, 500)]
    what = dice.random()
    if what < 0.3:
        return state_option(dice, project, where, eff)
    if what < 0.42:
        return "set_statement", statement(dice, project)
    if what < 0.57:
        kinds = PARTS_OF_A_FABRIC if row.kind == "fabric" else PARTS_OF_A_SERVER
        args: dict[str, Any] = {**where, "part": pick(dice, parts_by_kind()[pick(dice, kinds)]), "xy": xy}
        if row.kind == "server":
            args |= {"seat": pick(dice, eff.slots, None), "forced": dice.random() < 0.5} if dice.random() < 0.8 else {}
        elif dice.random() < 0.7:
            args["axes"] = pick(
                dice,
                ([["leaf", 4]], [["spine", 2]], [["plane", 2], ["leaf", 2]], [["su", 2], ["node", 4]], [["core", 3]]),
            )
        return "add_item", args
    if what < 0.67:
        network = pick(dice, ("compute", "storage", "oob", "inband", "nvlink", "host"))
        medium = pick(dice, (None, "eth", "ib", "pcie", "nvlink", "fc"))
        cables = parts_by_kind()["cable"] + parts_by_kind()["pcie-cable"] + parts_by_kind()["fibre"]
        args = {**where, "a": end_of(dice, eff), "b": end_of(dice, eff), "wire": wire(dice), "network": network}
        args |= {"medium": medium, "cable": pick(dice, ("auto", pick(dice, cables)))}
        return "connect", args | {"length_m": pick(dice, (None, 0.5, 3, 30, 250, 5000))}
    optics = parts_by_kind()["optic"]
    cables = [*parts_by_kind()["cable"], *parts_by_kind()["pcie-cable"], *parts_by_kind()["fibre"], "auto"]
    link_fields = pick(
        dice,
        (
            {"length_m": pick(dice, (None, 0.1, 2.5, 30, 600, 40000))},
            {"cable": pick(dice, cables)},
            {"optics": [pick(dice, optics), pick(dice, [*optics, None])]},
            {"speed": pick(dice, (None, 1e8, 1e11, 4e11, 8e11, 1.6e12))},
            {"network": pick(dice, ("compute", "storage", "oob"))},
            {"medium": pick(dice, ("eth", "ib", "pcie", "nvlink"))},
            {"wire": wire(dice) or {"mode": "rows", "rows": [[0, 0, 0, 0], [1, 0, 0, 1]]}},
            {"a": end_of(dice, eff)},
        ),
    )
    members = pick(dice, ("0", "1", "0-1", "2,4", "3-9", "99"))
    override = pick(
        dice, ({"absent": True}, {"config": {"mode": pick(dice, MODES[:6])}}, {"sheet": pick(dice, drawn.sheets)}, None)
    )
    racks = pick(dice, [i for i, r in eff.items.items() if r.kind == "rack"], "rack")
    seating = {
        "first": dice.randint(0, 4),
        "per_rack": dice.randint(1, 9),
        "u": dice.randint(1, 48),
        "stride": dice.randint(0, 2),
    }
    new_kind = parts_by_kind().get(eff.items[item].kind, []) if item in eff.items else []
    findings_like = f"{pick(dice, ('MEC-01', 'FAB-03', 'LAN-02', 'OPT-03'))}|{design}|{item}"
    calls: tuple[Call, ...] = (
        ("set_link", {**where, "link": link, **link_fields}),
        ("set_link", {**where, "link": link, **link_fields}),
        (
            "move_cable",
            {
                **where,
                "link": link,
                "row": dice.randint(0, 12),
                **pick(dice, ({"cut": True}, {"b": end_of(dice, eff)}, {"b": f"{item}[1]:{dice.randint(1, 64)}"})),
            },
        ),
        ("move_cable", {**where, "link": link, "row": dice.randint(0, 12), "a": f"{item}[0]:{dice.randint(1, 64)}"}),
        ("add_exception", {**where, "item": item, "members": members, "override": override}),
        ("make_variant", {**where, "item": item, "members": members}),
        ("detach", {**where, "item": item, "members": members, "apart": dice.random() < 0.5}),
        ("set_seating", {**where, "item": item, "racks": racks, **seating}),
        ("seat_member", {**where, "item": item, "member": dice.randint(0, 3), "rack": dice.randint(0, 2), "u": 9}),
        ("seat_again", {**where, "item": item}),
        ("set_racks", {**where, "item": racks, "count": dice.randint(1, 9), "pitch_m": 0.75}),
        (
            "seat_by_rule",
            {
                **where,
                "racks": {racks: {"part": "rack-48u-40kw", "axes": [["rack", dice.randint(2, 9)]]}},
                "seats": {item: {"racks": racks, **seating}},
            },
        ),
        ("set_config", {**where, "item": item, "key": "mode", "value": pick(dice, MODES)}),
        ("set_config", {**where, "item": item, "key": "breakout", "value": pick(dice, BREAKOUTS)}),
        (
            "set_config",
            {
                **where,
                "item": "chassis",
                "key": f"fitted.{pick(dice, parts_by_kind()['dimm'])}",
                "value": dice.randint(0, 32),
            },
        ),
        ("replace_part", {**where, "item": item, "part": pick(dice, new_kind, "nothing")}),
        (
            "replace_everywhere",
            {"old": eff.items[item].of if item in eff.items else "x", "new": pick(dice, new_kind, "x")},
        ),
        ("set_count", {**where, "item": item, "count": dice.randint(1, 20)}),
        (
            "set_axes",
            {
                **where,
                "item": item,
                "axes": pick(dice, ([["plane", 2], ["leaf", 2]], [["su", 2], ["rail", 4]], [["node", 5]], [])),
            },
        ),
        ("seat", {**where, "item": item, "slot": pick(dice, eff.slots, None), "forced": dice.random() < 0.5}),
        ("remove", {**where, "ids": [pick(dice, (item, link))]}),
        (
            "remove",
            {
                **where,
                "ids": [pick(dice, [i for i, r in eff.items.items() if r.kind in ("rack", "switch", "nic", "gpu")])],
            },
        ),
        ("rename", {**where, "item": item, "name": pick(dice, ("", "n{index1}", "{nope}", "机", "{leaf}-{su1}"))}),
        ("move", {**where, "places": {item: xy}}),
        (
            "set_export",
            {
                **where,
                "name": pick(dice, ("compute", "storage")),
                "ports": [end_of(dice, eff) for _ in range(dice.randint(1, 3))],
            },
        ),
        ("remove_export", {**where, "name": pick(dice, row.exports, "compute")}),
        ("rename_export", {**where, "name": pick(dice, row.exports, "compute"), "to": "net"}),
        (
            "insert_in_link",
            {
                **where,
                "link": link,
                "part": pick(dice, parts_by_kind()[pick(dice, ("retimer", "pcie-switch-card", "switch"))]),
            },
        ),
        ("duplicate", {**where, "ids": [item]}),
        ("repeat", {**where, "ids": [item], "times": dice.randint(1, 3)}),
        ("paste", {**where, "clip": {}, "at_xy": xy}),
        ("copy_design", {"design": design}),
        ("remove_design", {"design": design}),
        (
            "approve",
            {
                "key": findings_like,
                "reason": "agreed",
                "author": "a",
                "date": "2026-01-01",
                "members": pick(dice, ("", members)),
            },
        ),
        ("set_statement", {"statement": pick(dice, project.statements), "kind": None}),
    )
    name, args = pick(dice, calls)
    if name == "paste":
        args["clip"] = copy_rows(project, design=design, sheet=sheet, ids=list(row.items)[:3])
    return name, args


def session(
    dice: random.Random, edits: int, begin: Callable[[random.Random], Project] = start
) -> tuple[Project, list[tuple[Call, Patch, Project]]]:
    """(start, each edit that applied with its patch and the state after it)."""
    first = project = begin(dice)
    steps: list[tuple[Call, Patch, Project]] = []
    for _ in range(edits):
        call = edit(dice, project)
        try:
            patch = EDITS[call[0]](project, **call[1])
        except UserError:
            continue
        if patch:
            project = apply(project, patch)
            steps.append((call, patch, project))
    return first, steps
