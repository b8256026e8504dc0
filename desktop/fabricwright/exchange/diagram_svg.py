"""Sheets as pages: the fabric sheet and the server sheets of a design, in the print theme, with their page around."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from fabricwright.design.effective import effective
from fabricwright.design.indexset import IndexSet
from fabricwright.design.network_names import network_words
from fabricwright.design.values import Design, Item, Project, Wire
from fabricwright.exchange import diagram_fabric, diagram_server, fabric_networks, server_legend
from fabricwright.exchange.bom import bom
from fabricwright.exchange.drawing_options import DrawOptions
from fabricwright.exchange.fabric_view import FabricView, Group, fabric_view
from fabricwright.exchange.ink import Ink
from fabricwright.exchange.naming import part_label, short_name, thousands
from fabricwright.exchange.page_order import sheets_of
from fabricwright.exchange.server_view import ServerView, server_view
from fabricwright.exchange.sheet_frames import draw_pictures, notes_of
from fabricwright.exchange.sheet_page import Page, PageText, SideBlock, facts_page, numbered
from fabricwright.topology.fabric import compile_fabric
from fabricwright.topology.model import Fabric
from fabricwright.topology.wiring import product
from fabricwright.units.errors import UserError
from fabricwright.units.natural import natural_key
from fabricwright.units.text import Message, msg


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """One recorded page. A sheet on narrow paper has a second page with its legend and figures (``part`` 2).

    ``shrunk`` how many times smaller than usual its letters are on paper (1 = none).
    """

    sheet: str
    title: str
    ink: Ink
    part: int = 1
    shrunk: float = 1.0


def draw_pages(
    project: Project,
    design_id: str,
    *,
    sheet: str | None = None,
    lang: str = "en",
    fabric: Fabric | None = None,
    side: Sequence[SideBlock] = (),
    options: DrawOptions | None = None,
    more: int = 0,
    sheets: Sequence[str] = (),
) -> list[DrawnPage]:
    """Record one sheet, some ``sheets``, or all of a design. ``side`` adds blocks to the right column of the fabric
    page; ``more`` pages follow in the same book and count in "n of m".

    Raises UserError when the sheet does not exist.
    """
    design = project.designs[design_id]
    every = sheets_of(design)
    wanted = [sheet] if sheet is not None else list(sheets or every)
    for name in wanted:
        if name not in design.sheets:
            raise UserError(
                msg("Sheet '{sheet}' does not exist; this design has {known}.", sheet=name[:60], known=every)
            )
    options = options or DrawOptions()
    per_sheet = 2 if not options.page.wide and (options.legend or options.figures) else 1
    of = per_sheet * len(every) + more
    out: list[DrawnPage] = []
    for number, name in enumerate(every):
        if name not in wanted:
            continue
        if design.sheets[name].kind == "server":
            text, make = _server_page(project, design, name, lang, options)
        else:
            text, make = _fabric_page(project, design_id, lang, fabric, side, options)
        text = numbered(text, per_sheet * number + 1, of)
        page = _fitted(project, text, lang, options, make)
        title = page.say(text.title)
        draw_pictures(page, project, design.sheets[name], page.size.foot - text.side_lift + 8)
        out.append(DrawnPage(name, title, page.svg, 1, max(1.0, page.size.scale)))
        if not page.size.wide and per_sheet == 2:
            facts = facts_page(project, numbered(text, per_sheet * number + 2, of), lang, options)
            out.append(DrawnPage(name, title, facts, 2))
    return out


_Maker = Callable[[Page], "diagram_fabric.FabricDrawing | diagram_server.ServerDrawing"]


def _fitted(project: Project, text: PageText, lang: str, options: DrawOptions, make: _Maker) -> Page:
    """The sheet on the smallest layout of its paper that it fits."""
    for size in options.page.layouts():
        page = Page(project, text, lang, replace(options, page=size))
        drawing = make(page)
        if drawing.lack <= 1.0:
            break
    drawing.draw()
    return page


def _server_page(
    project: Project, design: Design, sheet: str, lang: str, options: DrawOptions
) -> tuple[PageText, _Maker]:
    row = design.sheets[sheet]
    inside = server_view(effective(project, design, sheet))
    shown = options.figures and (inside.columns <= diagram_server.MOST_BESIDE_LIST or not options.page.wide)
    text = PageText(
        row.title or _server_name(project, design, sheet, lang),
        _server_subtitle(inside),
        (_server_parts(inside, lang),) if shown else (),
        (*_server_notes(design, sheet, inside, lang), *notes_of(row)),
        legend=server_legend.legend_of(inside),
        sheet=sheet,
    )
    return text, lambda page: diagram_server.ServerDrawing(page, inside)


def _fabric_page(
    project: Project, design_id: str, lang: str, fabric: Fabric | None, side: Sequence[SideBlock], options: DrawOptions
) -> tuple[PageText, _Maker]:
    design = project.designs[design_id]
    row = design.sheets[design.root]
    view = fabric_view(project, design, fabric or compile_fabric(project, design), options.only)
    lift = 20.0 + fabric_networks.network_cards_height(len(view.others))
    text = PageText(
        row.title or _fabric_title(project, design),
        _fabric_subtitle(project, design, view),
        (*_fabric_parts(project, design_id, lang, view), *side) if options.figures else (),
        (*_fabric_notes(project, design, view, lang), *notes_of(row)),
        legend=fabric_networks.legend_of(view),
        side_lift=lift + (120 if row.pictures else 0),
        sheet=design.root,
    )
    return text, lambda page: diagram_fabric.FabricDrawing(page, view, project, design)


LISTED_KINDS = ("server", "chassis", "gpu", "nic", "switch", "optic", "cable", "fibre")
MOST_LISTED = 12


MOST_COUNTED = 500
"""Bundles up to which the list names cables: choosing them one by one takes longer than drawing the page."""


def _fabric_parts(project: Project, design_id: str, lang: str, view: FabricView) -> tuple[SideBlock, ...]:
    """The parts that make the fabric, lengths added up."""
    counts: dict[str, int] = {}
    remark: Message | str = ""
    if len(view.fabric.bundles) > MOST_COUNTED:
        remark = msg("without cables")
        for group in view.groups.values():
            if not group.is_server:
                counts[group.item.of] = counts.get(group.item.of, 0) + group.present
    else:
        for line in bom(project, design_id).lines:
            if line.kind in LISTED_KINDS and line.part:
                counts[line.part] = counts.get(line.part, 0) + line.quantity
    rows = []
    for part_id, count in counts.items():
        part = project.parts.get(part_id)
        label = part_id if part is None else part.model or short_name(part, lang)
        if part is not None and part.kind in ("cable", "fibre", "optic"):
            label = part.name(lang)
        rows.append((label, thousands(count)))
    return (SideBlock(msg("Fabric parts"), tuple(rows[:MOST_LISTED]), remark),) if rows else ()


def _fabric_title(project: Project, design: Design) -> Message:
    if design.title and len(project.designs) > 1:
        return msg("Fabric: {design}", design=design.title)
    return msg("Compute fabric")


def _fabric_subtitle(project: Project, design: Design, view: FabricView) -> Message:
    servers = gpus = 0
    for group in view.groups.values():
        if group.is_server:
            row = design.sheets[design.root].items.get(group.item.id)
            for sheet, members in server_variants(row, group).items():
                eff = effective(project, design, sheet)
                gpus += members * sum(1 for item in eff.items.values() if item.kind == "gpu")
            servers += group.present
    switches = sum(group.present for group in view.groups.values() if group.item.kind == "switch")
    if not switches:
        return msg("{servers} servers, {gpus} GPUs", servers=thousands(servers), gpus=thousands(gpus))
    return msg(
        "{servers} servers, {gpus} GPUs, {switches} switches in the {network} network",
        servers=thousands(servers),
        gpus=thousands(gpus),
        switches=thousands(switches),
        network=network_words(view.main),
    )


def server_variants(row: Item | None, group: Group) -> dict[str, int]:
    """Server sheet -> present members of a group that it stands for."""
    base = group.item.of[6:]
    out = {base: group.present}
    for key, override in row.except_.items() if row is not None else ():
        if override.sheet and not override.absent:
            members = len(IndexSet.parse(key, group.item.axes).clip(product(group.item.axes)))
            out[override.sheet] = out.get(override.sheet, 0) + members
            out[base] -= members
    return out


def _fabric_notes(project: Project, design: Design, view: FabricView, lang: str) -> tuple[Message, ...]:
    """How each bundle of the main network is wired, and with which cable."""
    out = []
    for cable in view.cables:
        link = design.sheets[design.root].links[cable.bundle.link]
        part = project.parts.get(link.cable)
        out.append(
            msg(
                "{link}: {count} links, {rule}, {cable}",
                link=cable.bundle.link,
                count=thousands(cable.count),
                rule=_rule(link.wire),
                cable=short_name(part, lang) if part is not None else link.cable,
            )
        )
    return tuple(out)


def _rule(wire: Wire) -> Message:
    if wire.mode == "mesh":
        return msg("every pair {n} times", n=wire.per_pair)
    if wire.mode == "rows":
        return msg("as listed")
    if wire.on:
        return msg("dealt by {axes}", axes=list(wire.on))
    return msg("dealt in turn")


def _server_name(project: Project, design: Design, sheet: str, lang: str) -> str:
    eff = effective(project, design, sheet)
    return part_label(eff.chassis_part, sheet, lang)


def _server_subtitle(view: ServerView) -> Message:
    items = view.eff.items.values()
    gpus = sum(1 for item in items if item.kind == "gpu")
    nics = sum(1 for item in items if item.kind == "nic")
    return msg("{cpus} CPUs, {gpus} GPUs, {nics} NICs", cpus=len(view.cpus), gpus=gpus, nics=nics)


def _server_parts(view: ServerView, lang: str) -> SideBlock:
    rows = view.part_counts(lang).items()
    chassis = view.eff.chassis_part
    head = ((part_label(chassis, view.eff.chassis, lang), "1"),) if chassis is not None else ()
    return SideBlock(msg("Parts of one server"), (*head, *((label, thousands(n)) for label, n in rows)))


def _server_notes(design: Design, sheet: str, view: ServerView, lang: str) -> tuple[Message, ...]:
    out = []
    base = design.sheets[sheet].base
    if base:
        out.append(msg("Variant of sheet {sheet}.", sheet=base))
    for name in sorted(view.eff.exports, key=natural_key):
        ports = view.eff.exports[name].ports
        out.append(msg("Network {name}: ports {ports}", name=name, ports=list(ports)))
    if view.loose:
        out.append(msg("Not connected: {items}", items=list(view.loose)))
    return tuple(out)
