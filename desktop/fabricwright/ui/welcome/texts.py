"""Words of the welcome page."""

from __future__ import annotations

from datetime import date, datetime

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from fabricwright.ui.i18n import QT_TRANSLATE_NOOP, current_language

#: Short titles of the templates and a line about each, in the order of the page; those that are not named here follow
#: with their own.
TITLES: tuple[tuple[str, str, str], ...] = (
    (
        "single-8gpu",
        QT_TRANSLATE_NOOP("Welcome", "8-GPU server, NVSwitch"),
        QT_TRANSLATE_NOOP("Welcome", "DGX H100, two sockets, PCIe 5.0"),
    ),
    (
        "pcie-8gpu-switch",
        QT_TRANSLATE_NOOP("Welcome", "8-GPU server, PCIe switches"),
        QT_TRANSLATE_NOOP("Welcome", "8 PCIe GPUs behind two PCIe switches"),
    ),
    (
        "pcie-4gpu-1nic",
        QT_TRANSLATE_NOOP("Welcome", "16-GPU pod, one NIC a server"),
        QT_TRANSLATE_NOOP("Welcome", "4 servers with 4 PCIe GPUs and a NIC each"),
    ),
    (
        "seed-b-512",
        QT_TRANSLATE_NOOP("Welcome", "Upgrade to 512 GPUs"),
        QT_TRANSLATE_NOOP("Welcome", "32 DGX H100: before, new network, after"),
    ),
    (
        "seed-a-256x8",
        QT_TRANSLATE_NOOP("Welcome", "2,048 PCIe GPUs, two tiers"),
        QT_TRANSLATE_NOOP("Welcome", "256 servers, switch and retimer cards"),
    ),
    (
        "superpod-h100-127",
        QT_TRANSLATE_NOOP("Welcome", "SuperPOD H100, 1,016 GPUs"),
        QT_TRANSLATE_NOOP("Welcome", "127 DGX H100, four networks"),
    ),
    (
        "h100-4su",
        QT_TRANSLATE_NOOP("Welcome", "H100 rail-optimised, 4 units"),
        QT_TRANSLATE_NOOP("Welcome", "127 DGX H100, four scalable units"),
    ),
    (
        "b200-8su",
        QT_TRANSLATE_NOOP("Welcome", "B200 rail-optimised, 8 units"),
        QT_TRANSLATE_NOOP("Welcome", "256 DGX B200, eight scalable units"),
    ),
    (
        "b300-4su",
        QT_TRANSLATE_NOOP("Welcome", "B300 on two planes, 4 units"),
        QT_TRANSLATE_NOOP("Welcome", "256 DGX B300, four scalable units"),
    ),
)


def title_of(template: str, otherwise: str) -> str:
    """Short title of a template."""
    short = next((title for name, title, _ in TITLES if name == template), "")
    return QCoreApplication.translate("Welcome", short) if short else otherwise


def note_of(template: str, otherwise: str) -> str:
    """A line about a template that a card has room for."""
    line = next((note for name, _, note in TITLES if name == template), "")
    return QCoreApplication.translate("Welcome", line) if line else otherwise


def in_order(templates: list[str]) -> list[str]:
    """The order of the page."""
    known = [name for name, _, _ in TITLES if name in templates]
    return [*known, *(name for name in templates if name not in known)]


def when(stamp: str) -> str:
    """``today, 09:12``, ``yesterday``, ``24 Nov``; "" when unknown."""
    try:
        moment = datetime.fromisoformat(stamp)
    except ValueError:
        return ""
    days = (date.today() - moment.date()).days
    if days == 0:
        return QCoreApplication.translate("Welcome", "today, {time}").format(time=f"{moment:%H:%M}")
    if days == 1:
        return QCoreApplication.translate("Welcome", "yesterday")
    locale = QLocale(current_language())
    chinese = current_language() == "zh_CN"
    if moment.year == date.today().year:
        shape = "M月d日" if chinese else "d MMM"
    else:
        shape = "yyyy年M月d日" if chinese else "d MMM yyyy"
    return locale.toString(QDate(moment.year, moment.month, moment.day), shape)


def size_text(servers: int, switches: int) -> str:
    """``256 servers, 48 switches``; "" when nobody has counted."""
    if servers < 0:
        return ""
    one, many = (
        QCoreApplication.translate("Welcome", "1 server"),
        QCoreApplication.translate("Welcome", "{count} servers"),
    )
    words = [one if servers == 1 else many.format(count=f"{servers:,}")]
    if switches == 1:
        words.append(QCoreApplication.translate("Welcome", "1 switch"))
    elif switches > 1:
        words.append(QCoreApplication.translate("Welcome", "{count} switches").format(count=f"{switches:,}"))
    return ("，" if current_language() == "zh_CN" else ", ").join(words)


def state_words(errors: int, warnings: int) -> list[tuple[str, str]]:
    """(severity, word) pairs of the checks."""
    if errors < 0:
        return []
    found = [("error", str(errors))] if errors else []
    found += [("warning", str(warnings))] if warnings else []
    return found or [("ok", QCoreApplication.translate("Welcome", "no problems"))]
