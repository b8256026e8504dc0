"""Inspector with nothing selected: the project and the settings of the design, or the server that is open."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QCoreApplication

from fabricwright.design.edits.exports import hidden_ports
from fabricwright.design.options import options_for
from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import current_language
from fabricwright.ui.panels.fields import FactField, TextField
from fabricwright.ui.panels.inspector_budgets import sheet_budgets, summary_of
from fabricwright.ui.panels.inspector_exports import exports_fold
from fabricwright.ui.panels.inspector_figures import add_figures
from fabricwright.ui.panels.inspector_findings import WHOLE
from fabricwright.ui.panels.inspector_option_fields import plain
from fabricwright.ui.panels.inspector_options import chassis_options, design_options, slots_fold
from fabricwright.ui.panels.inspector_page import Page


def other_settings(context: UiContext) -> list[str]:
    """Keys that the design sets and this version does not know; they are shown as they are."""
    known = {o.key for o in options_for("design")}
    return [key for key in context.design_row.settings.ordered() if key not in known]


def design_page(context: UiContext) -> Page:
    """Project, design, settings, counts."""
    page = Page(context)
    page.add_head("layers", lambda: (context.project.title or "–", context.design_row.title or context.design))
    page.add_field(
        TextField(
            QCoreApplication.translate("Inspector", "Project"),
            lambda: context.project.title,
            lambda text: page.post("retitle", merge=True, title=text),
        )
    )
    page.add_field(
        TextField(
            QCoreApplication.translate("Inspector", "Design"),
            lambda: context.design_row.title,
            lambda text: page.post("retitle", merge=True, title=text, design=context.design),
            placeholder=context.design,
        )
    )
    for label, figure in (
        (QCoreApplication.translate("Inspector", "Servers"), "servers"),
        (QCoreApplication.translate("Inspector", "GPUs"), "gpus"),
        (QCoreApplication.translate("Inspector", "Switches"), "switches"),
        (QCoreApplication.translate("Inspector", "Links"), "links"),
        (QCoreApplication.translate("Inspector", "Power"), "power_w"),
    ):
        page.add_field(FactField(label, partial(_figure, context, figure)))
    page.add_findings([WHOLE])
    design_options(page)
    _others(page)
    page.add_facts([WHOLE])
    page.add_fold(QCoreApplication.translate("Inspector", "Project data"), "", partial(_project_data, page))
    page.finish()
    return page


def _project_data(page: Page) -> None:
    for key, label in (
        ("customer", QCoreApplication.translate("Inspector", "Customer")),
        ("author", QCoreApplication.translate("Inspector", "Author")),
        ("revision", QCoreApplication.translate("Inspector", "Revision")),
        ("number", QCoreApplication.translate("Inspector", "Drawing number")),
        ("date", QCoreApplication.translate("Inspector", "Date")),
    ):
        _meta(page, key, label)


def _meta(page: Page, key: str, label: str) -> None:
    page.add_field(
        TextField(
            label,
            lambda: str(page.context.project.meta.get(key) or ""),
            lambda text: page.post("set_meta", merge=True, key=key, value=text or None),
        )
    )


def server_page(context: UiContext) -> Page:
    """A server sheet with nothing selected: chassis, budgets, figures."""
    page = Page(context)
    chassis = context.eff.chassis_part
    lang = current_language()
    page.add_head("server", lambda: (context.sheet_row.title or context.sheet, chassis.name(lang) if chassis else ""))
    page.add_field(
        TextField(
            QCoreApplication.translate("Inspector", "Title"),
            lambda: context.sheet_row.title,
            lambda text: page.post("retitle", merge=True, title=text, design=context.design, sheet=context.sheet),
            placeholder=context.sheet,
        )
    )
    page.add_field(FactField(QCoreApplication.translate("Inspector", "Servers"), lambda: f"{servers_of(context):,}"))
    if context.sheet_row.base:
        page.add_field(
            FactField(QCoreApplication.translate("Inspector", "Variant of"), lambda: context.sheet_row.base or "")
        )
    page.add_budgets(
        QCoreApplication.translate("Inspector", "Budgets, per server"), lambda: sheet_budgets(context, context.sheet)
    )
    page.add_findings([WHOLE])
    exports_fold(page, context.sheet, expanded=bool(hidden_ports(context.eff)))
    chassis_options(page, context.sheet)
    slots_fold(page, context.sheet)
    page.add_facts([WHOLE])
    if chassis is not None:
        add_figures(page, chassis, context.eff.chassis or "")
    page.finish()
    return page


def _others(page: Page) -> None:
    """Settings that the design has and this version does not know, as they are."""
    keys = other_settings(page.context)
    if not keys:
        return

    def fill() -> None:
        for key in keys:

            def write(text: str, key: str = key) -> str:
                return page.post("set_setting", key=key, value=text or None)

            read = lambda key=key: plain(page.context.design_row.settings.get(key))  # noqa: E731
            page.add_field(TextField(key, read, write, trial=page.trial))

    page.add_fold(QCoreApplication.translate("Inspector", "Further settings"), str(len(keys)), fill)


def servers_of(context: UiContext) -> int:
    """How many servers the open sheet stands for; from the worker, else from the drawing."""
    counted = summary_of(context, context.sheet).get("servers")
    if counted:
        return int(counted)
    root = context.design_row.sheets.get(context.design_row.root)
    of = f"sheet:{context.sheet}"
    return sum(item.count for item in root.items.values() if item.of == of) if root else 0


def _figure(context: UiContext, name: str) -> str:
    value = context.analysis.figures.get(name)
    if value is None:
        return "–"
    return f"{float(value) / 1000:,.1f} kW" if name == "power_w" else f"{int(value):,}"
