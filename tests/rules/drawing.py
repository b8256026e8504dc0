"""Small designs for rule tests: a hand-made server board, or a few catalogue parts on a fabric sheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fabricwright.catalog.parts import BuiltinItem, BuiltinLink, Figure, Interior, Part, Port, Slot
from fabricwright.catalog.store import catalogue
from fabricwright.design.templates.drafting import embed
from fabricwright.design.values import Design, Export, Item, Link, Project, Sheet, Statement, Wire
from fabricwright.rules.context import RuleContext
from fabricwright.rules.direct import DirectStages
from fabricwright.rules.finding import Finding
from fabricwright.rules.run import run_rule, run_rules
from fabricwright.units.table import Table


def root_port(lanes: int = 16, gen: int = 5) -> Port:
    return Port("pcie", "root", lanes, gen)


def cpu(ports: Mapping[str, Port], lanes: int = 80, cxl: str = "1.1") -> BuiltinItem:
    return BuiltinItem("xeon-spr", ports=Table(dict(ports)), config=Table({"lanes_available": lanes, "cxl": cxl}))


def slot(fed_by: str, **fields: Any) -> Slot:
    return Slot("cem", fed_by, **{"length": "FL", "height": "FH", "confidence": "read", **fields})


def switch_chip(downs: int, gen: int = 5) -> BuiltinItem:
    ports = {"up": Port("pcie", "up", 16, gen)} | {f"d{n}": Port("pcie", "down", 16, gen) for n in range(1, downs + 1)}
    return BuiltinItem("pcie-switch-partition", ports=Table(ports))


def board(
    slots: Mapping[str, Slot],
    items: Mapping[str, BuiltinItem] | None = None,
    links: Mapping[str, BuiltinLink] | None = None,
    **figures: float | str,
) -> Part:
    """A chassis. Without ``items``: one processor with a root port for every slot that asks for one."""
    if items is None:
        roots = {s.fed_by.partition(":")[2]: root_port(s.electrical, s.gen) for s in slots.values() if s.fed_by}
        items = {"cpu0": cpu(roots)}
    return Part(
        "chassis",
        Table({"en": "Test board"}),
        slots=Table(dict(slots)),
        interior=Interior(Table(dict(items)), Table(dict(links or {}))),
        figures=Table({k: Figure(v, confidence="read") for k, v in figures.items()}),
    )


def card(of: str, seat: str = "", forced: bool = False, **config: Any) -> Item:
    return Item(of, (), seat or None, forced, Table(config))


def server(
    chassis: Part | str,
    items: Mapping[str, Item],
    links: Mapping[str, Link] | None = None,
    *,
    count: int = 1,
    settings: Mapping[str, Any] | None = None,
    statements: tuple[Statement, ...] = (),
    exports: Mapping[str, Export] | None = None,
    parts: Mapping[str, Part] | None = None,
    removed: tuple[str, ...] = (),
) -> Project:
    """One group ``node`` of ``count`` servers drawn on sheet ``node``; no network."""
    name = chassis if isinstance(chassis, str) else "board"
    node = Sheet(
        "server",
        chassis=name,
        items=Table(dict(items)),
        links=Table(dict(links or {})),
        exports=Table(dict(exports or {})),
        removed=removed,
    )
    group = Item("sheet:node", (("node", count),) if count > 1 else ())
    sheets = {"fabric": Sheet("fabric", items=Table({"node": group})), "node": node}
    design = Design(root="fabric", ranks=("node",), sheets=Table(sheets), settings=Table(dict(settings or {})))
    own = {**_with_inside(None if isinstance(chassis, str) else chassis), **(parts or {})}
    project = Project(
        "Test",
        designs=Table({"main": design}),
        parts=Table(own),
        statements=Table({f"s{n}": s for n, s in enumerate(statements, 1)}),
    )
    return embed(project)


def _with_inside(chassis: Part | None) -> dict[str, Part]:
    """A hand-made board as part ``board``, and the catalogue parts it is built of."""
    if chassis is None:
        return {}
    inside = chassis.interior.items.values() if chassis.interior else ()
    return {"board": chassis, **{row.of: catalogue().get(row.of) for row in inside}}


def fabric(
    items: Mapping[str, Item],
    links: Mapping[str, Link],
    sheets: Mapping[str, Sheet] | None = None,
    statements: tuple[Statement, ...] = (),
    settings: Mapping[str, Any] | None = None,
    chassis: Part | None = None,
) -> Project:
    """A fabric sheet of catalogue parts, with the server sheets that it names (``chassis`` = their part "board")."""
    every = {"fabric": Sheet("fabric", items=Table(dict(items)), links=Table(dict(links))), **(sheets or {})}
    design = Design(root="fabric", sheets=Table(every), settings=Table(dict(settings or {})))
    project = Project(
        "Test",
        designs=Table({"main": design}),
        parts=Table(_with_inside(chassis)),
        statements=Table({f"s{n}": s for n, s in enumerate(statements, 1)}),
    )
    return embed(project)


def group(of: str, **axes: int) -> Item:
    return Item(of, tuple(axes.items()))


def deal(*on: str) -> Wire:
    return Wire("deal", on)


def mesh(per_pair: int, *on: str) -> Wire:
    return Wire("mesh", on, per_pair)


def one_nic(chassis: str = "pcie-4dw-one-socket", nic: str = "mcx715105as-weat") -> Sheet:
    """A server sheet with one NIC of one 400G port, exported as ``compute``."""
    return Sheet(
        "server",
        chassis=chassis,
        items=Table({"nic0": card(nic, "chassis:n1")}),
        exports=Table({"compute": Export(("nic0:1",))}),
    )


def claim(quantity: str, value: Any, subject: str, kind: str = "claim") -> Statement:
    return Statement(kind, "", quantity, value, "", subject, "test")


def context(project: Project, design: str = "main") -> RuleContext:
    return RuleContext(project, design, DirectStages(project, design))


def fired(project: Project, rule: str, design: str = "main") -> list[Finding]:
    return run_rule(context(project, design), rule)


def everything(project: Project, design: str = "main") -> list[Finding]:
    """All problems; facts are none."""
    return [f for f in run_rules(context(project, design)) if f.severity != "fact"]


def places(findings: list[Finding]) -> list[str]:
    return [str(a) for f in findings for a in f.at]
