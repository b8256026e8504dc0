"""Inspector of a link: its ends, what runs over it, which cable, how the ends meet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QCoreApplication

from fabricwright.catalog.store import catalogue
from fabricwright.design.address import expand_ports, split_end
from fabricwright.design.values import Link
from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import current_language, text_of
from fabricwright.ui.panels.fields import Choice, ChoiceField, FactField, TextField
from fabricwright.ui.panels.inspector_cables import cables_fold
from fabricwright.ui.panels.inspector_options import link_options
from fabricwright.ui.panels.inspector_page import Budget, Page
from fabricwright.ui.panels.inspector_signal import add_signal
from fabricwright.ui.panels.inspector_texts import medium_name, network_name
from fabricwright.ui.panels.words import listed
from fabricwright.units.errors import UserError
from fabricwright.units.natural import natural_key
from fabricwright.units.quantity import format_rate, parse_rate

NETWORKS = ("compute", "storage", "inband", "oob")


def link_page(context: UiContext, link_id: str) -> Page:
    """The page of a drawn link of the open sheet."""
    page = Page(context)
    inside = context.sheet_row.kind == "server"

    def row() -> Link:
        return context.eff.links.get(link_id) or Link("", "")

    def post(**fields: Any) -> str:
        return page.post("set_link", link=link_id, **fields)

    page.add_head("cable" if inside else "link", lambda: (row().name or link_id, _line(row(), inside)))
    page.add_field(
        TextField(
            QCoreApplication.translate("Inspector", "Name"),
            lambda: row().name,
            lambda text: page.post("rename", merge=True, item=link_id, name=text),
            placeholder=link_id,
        )
    )
    for label, side in (
        (QCoreApplication.translate("Inspector", "End A"), "a"),
        (QCoreApplication.translate("Inspector", "End B"), "b"),
    ):
        _end(page, label, side, row, post)
    if not inside:
        _network(page, row, post)
        _wiring(page, row, post)
        cables_fold(page, link_id)
    _speed(page, row, post)
    _cable(page, row, post)
    if row().medium in ("eth", "ib"):
        for number, end in enumerate(
            (
                QCoreApplication.translate("Inspector", "Transceiver A"),
                QCoreApplication.translate("Inspector", "Transceiver B"),
            )
        ):
            _optic(page, end, number, row, post)
    _length(page, row, post)
    title = QCoreApplication.translate("Inspector", "Load")
    page.add_budgets(title, lambda: load_budgets(context, link_id))
    page.add_findings([link_id])
    if inside:
        add_signal(page, link_id)
    link_options(page, link_id)
    page.add_facts([link_id])
    page.finish()
    return page


def builtin_link_page(context: UiContext, link_id: str) -> Page:
    """The page of a link that is part of the chassis: facts only."""
    page = Page(context)
    row = context.eff.builtin_links[link_id]
    built_in = QCoreApplication.translate("Inspector", "Part of the chassis")
    page.add_head("link", lambda: (link_id, built_in))
    width = f"x{row.lanes} Gen{row.gen}" if row.lanes else ""
    rate = f"{row.gbs:g} GB/s" if row.gbs else ""
    count = f"{row.nvlinks} × NVLink" if row.nvlinks else ""
    for label, text in (
        (QCoreApplication.translate("Inspector", "End A"), row.a),
        (QCoreApplication.translate("Inspector", "End B"), row.b),
        (QCoreApplication.translate("Inspector", "Medium"), medium_name(row.medium)),
        (QCoreApplication.translate("Inspector", "Width"), width or count),
        (QCoreApplication.translate("Inspector", "Rate"), rate),
    ):
        if text:
            page.add_field(FactField(label, text))
    page.add_budgets(QCoreApplication.translate("Inspector", "Load"), lambda: load_budgets(context, link_id))
    page.add_findings([link_id])
    page.finish()
    return page


def _line(row: Link, inside: bool) -> str:
    """Network (a link inside a server has none), medium, cable."""
    if row.cable in ("auto", ""):
        cable = QCoreApplication.translate("Inspector", "cable chosen")
    else:
        cable = catalogue().name_of(row.cable, current_language())
    network = "" if inside else network_name(row.network)
    return listed((network, medium_name(row.medium), cable))


def end_trouble(context: UiContext, text: str) -> str:
    """What is wrong with a typed end, "" when it names an item and ports (or an export, or a slot) that exist."""
    item_id, ports = split_end(text)
    eff = context.eff
    if text in eff.slots:
        return ""
    item = eff.items.get(item_id)
    if item is None:
        return QCoreApplication.translate("Inspector", "'{item}' is not on this sheet.").format(item=item_id)
    if not ports:
        return QCoreApplication.translate("Inspector", "A port is missing after the colon.")
    if item.of.startswith("sheet:"):
        from fabricwright.design.effective import effective

        known = set(effective(context.project, context.design_row, item.of[6:]).exports)
    else:
        known = set(item.ports)
    unknown = [] if ports in known else [p for p in expand_ports(ports) if p not in known]
    if unknown:
        text = QCoreApplication.translate("Inspector", "{item} has no port {port}.")
        return text.format(item=item_id, port=unknown[0])
    return ""


Row = Callable[[], Link]
Post = Callable[..., str]


def _end(page: Page, label: str, side: str, row: Row, post: Post) -> None:
    page.add_field(
        TextField(
            label,
            lambda: str(getattr(row(), side)),
            lambda text: end_trouble(page.context, text) or post(**{side: text}),
            tip=QCoreApplication.translate("Inspector", "item:ports, such as leaf:1-32/1-2"),
            trial=page.trial,
        )
    )


def _network(page: Page, row: Row, post: Post) -> None:
    page.add_field(
        ChoiceField(
            QCoreApplication.translate("Inspector", "Network"),
            lambda: [Choice(n, network_name(n)) for n in NETWORKS],
            lambda: row().network,
            lambda value: post(network=value),
        )
    )


def _wiring(page: Page, row: Row, post: Post) -> None:
    def options() -> list[Choice]:
        choices = [
            Choice(
                "deal",
                QCoreApplication.translate("Inspector", "one after the other"),
                QCoreApplication.translate("Inspector", "deal: ports of one side go out over the other in order"),
            ),
            Choice(
                "mesh",
                QCoreApplication.translate("Inspector", "each with each"),
                QCoreApplication.translate("Inspector", "mesh: every member of one side meets all of the other"),
            ),
        ]
        if row().wire.mode == "rows":
            choices.append(Choice("rows", QCoreApplication.translate("Inspector", "cable by cable")))
        return choices

    page.add_field(
        ChoiceField(
            QCoreApplication.translate("Inspector", "Wiring"),
            options,
            lambda: row().wire.mode,
            lambda value: post(wire={"mode": value}),
        )
    )

    def axes(text: str) -> str:
        return post(wire={"on": [p.strip() for p in text.split(",") if p.strip()]})

    page.add_field(
        TextField(
            QCoreApplication.translate("Inspector", "Matching axes"),
            lambda: ", ".join(row().wire.on),
            axes,
            placeholder=QCoreApplication.translate("Inspector", "none"),
            tip=QCoreApplication.translate("Inspector", "Members meet only where these axes are equal, such as su."),
            trial=page.trial,
        )
    )

    def per_pair(text: str) -> str:
        if not text.isdecimal():
            return QCoreApplication.translate("Inspector", "A whole number from 1 is expected.")
        if row().wire.mode != "mesh" and int(text) != row().wire.per_pair:
            return QCoreApplication.translate(
                "Inspector", "Only the wiring 'each with each' has several cables per pair."
            )
        return post(wire={"per_pair": int(text)})

    page.add_field(
        TextField(
            QCoreApplication.translate("Inspector", "Cables per pair"),
            lambda: str(row().wire.per_pair),
            per_pair,
            trial=page.trial,
        )
    )


def _speed(page: Page, row: Row, post: Post) -> None:
    def read() -> str:
        speed = row().speed
        return format_rate(speed) if speed else ""

    def write(text: str) -> str:
        try:
            return post(speed=parse_rate(text) if text else None)
        except UserError as error:
            return text_of(error.message)

    page.add_field(
        TextField(
            QCoreApplication.translate("Inspector", "Speed"),
            read,
            write,
            placeholder=QCoreApplication.translate("Inspector", "what both ends do"),
            tip=QCoreApplication.translate("Inspector", "Per port, such as 400G."),
            trial=page.trial,
        )
    )


def _cable(page: Page, row: Row, post: Post) -> None:
    def options() -> list[Choice]:
        store = catalogue()
        lang = current_language()
        kinds = ("pcie-cable",) if row().medium in ("pcie", "cxl") else ("cable", "fibre")
        found = [Choice("auto", QCoreApplication.translate("Inspector", "chosen by the program"))]
        parts = [p for kind in kinds for p in store.kinds().get(kind, ())]
        named = [Choice(p, store.name_of(p, lang), p) for p in parts]
        return found + sorted(named, key=lambda c: natural_key(c.text))

    page.add_field(
        ChoiceField(
            QCoreApplication.translate("Inspector", "Cable"),
            options,
            lambda: row().cable or "auto",
            lambda value: post(cable=value),
        )
    )


def _optic(page: Page, label: str, side: int, row: Row, post: Post) -> None:
    """The transceiver of one end; both ends together are what a link stores."""

    def options() -> list[Choice]:
        store, lang = catalogue(), current_language()
        parts = [Choice(p, store.name_of(p, lang), p) for p in store.kinds().get("optic", ())]
        unset = Choice(None, QCoreApplication.translate("Inspector", "automatic"), quiet=True)
        return [unset, *sorted(parts, key=lambda c: natural_key(c.text))]

    def ends() -> list[str | None]:
        return [*row().optics[:2], None, None][:2]

    def write(value: object) -> str:
        new = ends()
        new[side] = str(value) if value is not None else None
        return post(optics=new if any(new) else [])

    page.add_field(ChoiceField(label, options, lambda: ends()[side] or None, write))


def _length(page: Page, row: Row, post: Post) -> None:
    def read() -> str:
        length = row().length_m
        return "" if length is None else f"{length:g}"

    def write(text: str) -> str:
        if not text:
            return post(length_m=None)
        try:
            return post(length_m=float(text.removesuffix("m").strip()))
        except ValueError:
            return QCoreApplication.translate("Inspector", "A length in metres is expected.")

    page.add_field(
        TextField(
            QCoreApplication.translate("Inspector", "Length, m"),
            read,
            write,
            placeholder=QCoreApplication.translate("Inspector", "from the racks"),
            trial=page.trial,
        )
    )


def load_budgets(context: UiContext, link_id: str) -> list[Budget]:
    """Busy part of a link under the collective shown; empty when it carries nothing."""
    row = context.analysis.heat.get(link_id)
    if context.sheet_row.kind == "server":
        inner = context.analysis.heat_interior.get(context.sheet) or {}
        loads = [float(inner[link_id])] if link_id in inner else []
    else:
        loads = [float(row["max"]), float(row.get("mean", row["max"]))] if row else []
    if not loads or loads[0] <= 0:
        return []
    labels = (
        QCoreApplication.translate("Inspector", "Busiest cable"),
        QCoreApplication.translate("Inspector", "Mean"),
    )
    return [Budget(label, f"{100 * load:.0f} %", load, "neutral") for label, load in zip(labels, loads, strict=False)]
