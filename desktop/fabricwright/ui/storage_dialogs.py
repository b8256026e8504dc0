"""Questions about files: changed by someone else, cannot be written, open somewhere else, unsaved work found.

Plain functions, so that tests can answer for the person. Closing the box is always the answer that changes nothing.
"""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QCoreApplication, QLocale
from PySide6.QtWidgets import QMessageBox, QPushButton, QWidget

from fabricwright.design.locks import Holder
from fabricwright.design.recovery import Found
from fabricwright.ui.i18n import current_language, text_of
from fabricwright.units.text import Message


def choose(
    parent: QWidget, text: str, more: str, answers: list[tuple[str, str]], icon: QMessageBox.Icon, cancel: str
) -> str:
    """One of (key, text) buttons, the first is the default; "" for cancel."""
    box = QMessageBox(icon, "Fabricwright", text, QMessageBox.StandardButton.NoButton, parent)
    box.setInformativeText(more)
    buttons: dict[str, QPushButton] = {}
    for key, words in answers:
        buttons[key] = box.addButton(words, QMessageBox.ButtonRole.AcceptRole)
    leave = box.addButton(cancel, QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(buttons[answers[0][0]])
    box.setEscapeButton(leave)
    box.exec()
    clicked = box.clickedButton()
    found = next((key for key, button in buttons.items() if button is clicked), "")
    box.deleteLater()
    return found


def ask_changed(parent: QWidget, name: str) -> str:
    """``elsewhere``, ``compare``, ``overwrite`` or ""."""
    return choose(
        parent,
        QCoreApplication.translate("Storage", "{name} was changed by someone else since you opened it.").format(
            name=name
        ),
        QCoreApplication.translate(
            "Storage", "Saving over it loses what they did; the version on disk is kept beside it as {name}.bak."
        ).format(name=name),
        [
            ("elsewhere", QCoreApplication.translate("Storage", "Save as…")),
            ("compare", QCoreApplication.translate("Storage", "Compare")),
            ("overwrite", QCoreApplication.translate("Storage", "Overwrite")),
        ],
        QMessageBox.Icon.Warning,
        QCoreApplication.translate("Storage", "Cancel"),
    )


def ask_not_written(parent: QWidget, message: Message) -> str:
    """``retry``, ``elsewhere`` or ""."""
    return choose(
        parent,
        text_of(message),
        QCoreApplication.translate("Storage", "Your work is still open here, and in the journal."),
        [
            ("retry", QCoreApplication.translate("Storage", "Try again")),
            ("elsewhere", QCoreApplication.translate("Storage", "Save as…")),
        ],
        QMessageBox.Icon.Warning,
        QCoreApplication.translate("Storage", "Cancel"),
    )


def held_text(name: str, holder: Holder) -> str:
    """Who, where, since when."""
    return QCoreApplication.translate("Storage", "{name} is open: {user} on {host}, since {time}.").format(
        name=name, user=holder.user, host=holder.host, time=moment_text(holder.since)
    )


def ask_held(parent: QWidget, name: str, holder: Holder) -> str:
    """``read-only``, ``copy`` or ""."""
    return choose(
        parent,
        held_text(name, holder),
        QCoreApplication.translate("Storage", "Two people saving the same file lose one another's changes."),
        [
            ("read-only", QCoreApplication.translate("Storage", "Open read-only")),
            ("copy", QCoreApplication.translate("Storage", "Open a copy")),
        ],
        QMessageBox.Icon.Question,
        QCoreApplication.translate("Storage", "Cancel"),
    )


def ask_save_held(parent: QWidget, name: str, holder: Holder) -> bool:
    """Whether to write a file that somebody else has open."""
    answer = choose(
        parent,
        held_text(name, holder),
        QCoreApplication.translate("Storage", "Saving over it loses what they do in the meantime."),
        [
            ("elsewhere", QCoreApplication.translate("Storage", "Choose another name")),
            ("overwrite", QCoreApplication.translate("Storage", "Overwrite")),
        ],
        QMessageBox.Icon.Warning,
        QCoreApplication.translate("Storage", "Cancel"),
    )
    return answer == "overwrite"


def ask_recovered(parent: QWidget, left: Found) -> str:
    """``restore``, ``compare``, ``discard`` or "" (later)."""
    title, text = found_words(left)
    return choose(
        parent,
        title,
        text,
        [
            ("restore", QCoreApplication.translate("Storage", "Restore")),
            ("compare", QCoreApplication.translate("Storage", "Compare")),
            ("discard", QCoreApplication.translate("Storage", "Discard")),
        ],
        QMessageBox.Icon.Question,
        QCoreApplication.translate("Storage", "Later"),
    )


def found_words(left: Found) -> tuple[str, str]:
    """Title and line of unsaved work that was found."""
    journal = left.journal
    if journal is None:
        title = QCoreApplication.translate("Storage", "Unsaved work found that cannot be read")
        return title, text_of(left.problem) if left.problem is not None else left.path.name
    name = journal.project.title or (left.document.name if left.document else "")
    title = QCoreApplication.translate("Storage", "Unsaved work found: {name}").format(
        name=name or QCoreApplication.translate("Storage", "a project without a name")
    )
    one = QCoreApplication.translate("Storage", "1 edit after the last save, {time}.")
    many = QCoreApplication.translate("Storage", "{count} edits after the last save, {time}.")
    text = (one if journal.edits == 1 else many).format(count=f"{journal.edits:,}", time=moment_text(journal.time))
    between = "" if current_language() == "zh_CN" else " "
    if journal.torn_bytes:
        torn = QCoreApplication.translate(
            "Storage",
            "The last {count} bytes were not whole and are left out; everything before them passed its check.",
        )
        return title, between.join((text, torn.format(count=f"{journal.torn_bytes:,}")))
    sound = QCoreApplication.translate("Storage", "The copy is complete and passed its check.")
    return title, between.join((text, sound))


def moment_text(stamp: str) -> str:
    """``29 Nov 2026, 21:47`` in local time."""
    try:
        moment = datetime.fromisoformat(stamp).astimezone()
    except ValueError:
        return stamp
    if current_language() == "zh_CN":
        return f"{moment.year}年{moment.month}月{moment.day}日 {moment:%H:%M}"
    month = QLocale("en").monthName(moment.month, QLocale.FormatType.ShortFormat)
    return f"{moment.day} {month} {moment.year}, {moment:%H:%M}"
