"""What a loose end of a link could meet, on the sheet or in the catalogue, and the edit that joins them."""

from __future__ import annotations

from dataclasses import dataclass

from fabricwright.catalog.parts import Part, Port
from fabricwright.catalog.store import catalogue
from fabricwright.design.calls import EditCall
from fabricwright.design.edits import run
from fabricwright.design.effective import effective
from fabricwright.design.patch import Patch, PatchBuilder
from fabricwright.rules.link_legality import media_of, resolve
from fabricwright.ui.canvas.link_plan import LinkPlan, plan_link, server_end
from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import current_language
from fabricwright.ui.paint.pick import snap
from fabricwright.units.errors import UserError
from fabricwright.units.natural import natural_key
from fabricwright.units.text import Message, msg

#: Kinds that a link on each sheet may lead to, the likeliest first.
FABRIC = ("switch", "storage-server", "server", "management-server")
SERVER = ("retimer", "pcie-switch-card", "external-box", "riser")
MOST = 60


@dataclass(frozen=True, slots=True)
class Offer:
    """Something to join: ``item`` on the sheet, or ``part`` to place first."""

    item: str = ""
    part: str = ""


def offers(context: UiContext, start: str) -> list[Offer]:
    """What fits the loose end ``start`` ("node:compute", "sw0:d1", "leaf0"), the best first; never more than 60."""
    project, design = context.project, context.design_row
    eff = effective(project, design, context.sheet)
    ports = list(resolve(project, design, eff, start).ports.values()) if ":" in start else []
    own = start.partition(":")[0]
    if not ports and own in eff.items and not eff.items[own].of.startswith("sheet:"):
        ports = [p for p in eff.items[own].ports.values() if p.role == "net" and p.medium != "mgmt"][:1]
    port = ports[0] if ports else None
    there = [Offer(item=i) for i in sorted(eff.items, key=natural_key) if i != own and _joins(context, start, i)]
    kinds = FABRIC if eff.kind == "fabric" else SERVER
    store = catalogue()
    found: list[tuple[tuple[int, int, int, str], Offer]] = []
    used = {item.of for item in eff.items.values()}
    for rank, kind in enumerate(kinds):
        for part_id in store.kinds().get(kind, ()):
            fit = _fit(store.get(part_id), port, fabric=eff.kind == "fabric")
            if fit is not None:
                found.append(((rank, 0 if part_id in used else 1, fit, part_id), Offer(part=part_id)))
    found.sort(key=lambda row: row[0])
    return [*there[:12], *(offer for _, offer in found)][:MOST]


def _joins(context: UiContext, start: str, item: str) -> bool:
    try:
        plan = plan_link(context.project, context.design, context.sheet, start, item) if ":" in start else None
    except UserError:
        return False
    return plan is not None and plan.state == "ok"


def _fit(part: Part, port: Port | None, *, fabric: bool) -> int | None:
    """0 = made for it, 1 = joins at another speed, None = not at all."""
    if not fabric or port is None:
        return 0
    if part.kind in ("server", "chassis", "storage-server", "management-server"):
        return 0
    media = {cage.medium for cage in part.cages.values()} | {m for cage in part.cages.values() for m in cage.media}
    media |= {p.medium for p in part.ports.values() if p.role == "net"}
    if not media & media_of(port):
        return None
    rates = [split for cage in part.cages.values() for split in (cage.default, *cage.breakouts)]
    return 0 if any(rate.partition("x")[2] == f"{port.gbps:g}" for rate in rates) else 1


def join_part(context: UiContext, start: str, part: str, x: float, y: float) -> Patch | Message:
    """The edit that places a part at a point and links it, as one step; or the sentence that says why not."""
    builder = PatchBuilder(context.project)
    where = {"design": context.design, "sheet": context.sheet}
    before = set(context.sheet_row.items)
    server = context.sheet_row.kind == "server"
    w, h = (86.0, 118.0) if server else (210.0, 80.0)
    try:
        at = [snap(x - w / 2), snap(y - h / 2)]
        builder.include(
            run(builder.project, EditCall("add_item", {**where, "part": part, "xy": at, "lang": current_language()}))
        )
        row = builder.project.designs[context.design].sheets[context.sheet]
        item = next(i for i in row.items if i not in before)
        plan = plan_to(builder, context, start, item)
        if plan is None:
            return msg("These two cannot be joined.")
        if plan.problem is not None:
            return plan.problem
        builder.include(run(builder.project, plan.call))
    except UserError as error:
        return error.message
    return builder.patch("Add part and link")


def plan_to(builder: PatchBuilder, context: UiContext, start: str, item: str) -> LinkPlan | None:
    """Plan of the link in the project as it is being built."""
    project = builder.project
    if context.sheet_row.kind == "server" and ":" not in start:
        eff = effective(project, project.designs[context.design], context.sheet)
        start = server_end(eff, start, item) or start
    return plan_link(project, context.design, context.sheet, start, item)
