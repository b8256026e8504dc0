"""Inspector with nothing selected: the project and the settings of the design, or the server that is open."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QCoreApplication

from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import current_language
from fabricwright.ui.panels.fields import Choice, ChoiceField, FactField, TextField
from fabricwright.ui.panels.inspector_budgets import sheet_budgets, summary_of
from fabricwright.ui.panels.inspector_figures import add_figures
from fabricwright.ui.panels.inspector_page import Page

_LEVELS = ("LOC", "NVL", "PIX", "PXB", "PHB", "SYS")


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of a design: key, kind (level, switch, number, word), what counts when it is not set."""

    key: str
    kind: str
    default: str = ""
    words: tuple[str, ...] = ()


#: In the order they are shown. Defaults are what the analysis takes when the key is absent.
SETTINGS = (
    Setting("nccl.p2p_level", "word", "PXB", _LEVELS),
    Setting("nccl.gdr_level", "word", "PXB", _LEVELS),
    Setting("nccl.p2p_disable", "switch", "off"),
    Setting("nccl.pxn", "switch", "on"),
    Setting("ecmp.mode", "word", "", ("adaptive", "hash")),
    Setting("ecmp.qps", "number", "1"),
    Setting("lossless", "switch", ""),
    Setting("mtu", "number", ""),
    Setting("roce.mtu", "number", ""),
    Setting("acs", "switch", "off"),
    Setting("iommu", "switch", "off"),
)


def setting_name(key: str) -> str:
    """What a setting is called; keys that people know by their own name keep it."""
    return {
        "nccl.p2p_level": QCoreApplication.translate("Inspector", "NCCL P2P level"),
        "nccl.gdr_level": QCoreApplication.translate("Inspector", "NCCL GDR level"),
        "nccl.p2p_disable": QCoreApplication.translate("Inspector", "NCCL P2P off"),
        "nccl.pxn": QCoreApplication.translate("Inspector", "NCCL PXN"),
        "ecmp.mode": QCoreApplication.translate("Inspector", "Equal-cost paths"),
        "ecmp.qps": QCoreApplication.translate("Inspector", "Queue pairs"),
        "lossless": QCoreApplication.translate("Inspector", "Lossless network"),
        "mtu": QCoreApplication.translate("Inspector", "MTU, bytes"),
        "roce.mtu": QCoreApplication.translate("Inspector", "RoCE MTU, bytes"),
        "acs": QCoreApplication.translate("Inspector", "PCIe ACS"),
        "iommu": QCoreApplication.translate("Inspector", "IOMMU"),
    }.get(key, key)


def word_name(word: str) -> str:
    """What a value of a setting is called; NCCL's path levels keep their own names."""
    return {
        "adaptive": QCoreApplication.translate("Inspector", "adaptive"),
        "hash": QCoreApplication.translate("Inspector", "hash"),
    }.get(word, word)


def other_settings(context: UiContext) -> list[str]:
    """Keys that the design sets and this version does not know; they are shown as they are."""
    known = {s.key for s in SETTINGS}
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
    page.add_section(QCoreApplication.translate("Inspector", "Settings of the design"))
    for setting in SETTINGS:
        _setting(page, setting)
    for key in other_settings(context):
        _setting(page, Setting(key, "text"))
    page.open_fold(QCoreApplication.translate("Inspector", "Project data"))
    for key, label in (
        ("customer", QCoreApplication.translate("Inspector", "Customer")),
        ("author", QCoreApplication.translate("Inspector", "Author")),
        ("revision", QCoreApplication.translate("Inspector", "Revision")),
        ("number", QCoreApplication.translate("Inspector", "Drawing number")),
        ("date", QCoreApplication.translate("Inspector", "Date")),
    ):
        _meta(page, key, label)
    page.close_fold()
    page.finish()
    return page


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
    page.add_head(
        "server", lambda: (context.sheet_row.title or context.sheet, chassis.name(lang) if chassis else "")
    )
    page.add_field(
        TextField(
            QCoreApplication.translate("Inspector", "Title"),
            lambda: context.sheet_row.title,
            lambda text: page.post("retitle", merge=True, title=text, design=context.design, sheet=context.sheet),
            placeholder=context.sheet,
        )
    )
    page.add_field(
        FactField(QCoreApplication.translate("Inspector", "Servers"), lambda: f"{servers_of(context):,}")
    )
    if context.sheet_row.base:
        page.add_field(
            FactField(QCoreApplication.translate("Inspector", "Variant of"), lambda: context.sheet_row.base or "")
        )
    page.add_budgets(
        QCoreApplication.translate("Inspector", "Budgets, per server"), lambda: sheet_budgets(context, context.sheet)
    )
    if chassis is not None:
        add_figures(page, chassis)
    page.finish()
    return page


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


def _default_text(default: str) -> str:
    if not default:
        return QCoreApplication.translate("Inspector", "not stated")
    shown = {
        "on": QCoreApplication.translate("Inspector", "on"),
        "off": QCoreApplication.translate("Inspector", "off"),
    }.get(default, default)
    return QCoreApplication.translate("Inspector", "default ({value})").format(value=shown)


def _setting(page: Page, setting: Setting) -> None:
    context = page.context
    label = setting_name(setting.key)
    default = _default_text(setting.default)

    def value() -> object:
        return context.design_row.settings.get(setting.key)

    def post(new: object, merge: bool = False) -> str:
        return page.post("set_setting", merge=merge, key=setting.key, value=new)

    if setting.kind == "word":
        choices = [Choice(None, default), *(Choice(w, word_name(w)) for w in setting.words)]
        page.add_field(ChoiceField(label, lambda: choices, value, post, tip=setting.key))
    elif setting.kind == "switch":
        on, off = QCoreApplication.translate("Inspector", "on"), QCoreApplication.translate("Inspector", "off")
        choices = [Choice(None, default), Choice("on", on), Choice("off", off)]

        def as_word() -> object:
            known = value()
            return ("on" if known else "off") if isinstance(known, bool) else known

        page.add_field(
            ChoiceField(
                label, lambda: choices, as_word, lambda new: post(None if new is None else new == "on"), tip=setting.key
            )
        )
    elif setting.kind == "number":

        def number(text: str) -> str:
            if text and not (text.isdecimal() and int(text) > 0):
                return QCoreApplication.translate("Inspector", "A whole number from 1 is expected.")
            return post(int(text) if text else None, True)

        read = lambda: "" if value() is None else str(value())  # noqa: E731
        page.add_field(TextField(label, read, number, placeholder=default, tip=setting.key, trial=page.trial))
    else:
        page.add_field(
            TextField(label, lambda: str(value() or ""), lambda text: post(text or None, True), tip=setting.key)
        )
