"""Inspector of a group: what edits apply to, members that differ, and where the members stand in racks."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from fabricwright.design.naming import member_name
from fabricwright.design.values import Item, Override, RackPlace, Seating
from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import text_of
from fabricwright.ui.panels.fields import Choice, ChoiceField, TextField
from fabricwright.ui.panels.inspector_page import Page
from fabricwright.ui.widgets import ElidedLabel, TextButton, TextLabel
from fabricwright.units.errors import UserError
from fabricwright.units.natural import natural_key

PHASES = 9
"""Phases that members may be put into from the menu."""

_PLACE = re.compile(r"^\s*([\d\s-]+?)\s*=\s*(\d+)\s*@\s*(\d+)\s*$")


def reach_text(context: UiContext, item_id: str) -> str:
    """ "Edits apply to all 64": said as long as a group is selected, also while only some members are meant."""
    item = context.sheet_row.items.get(item_id)
    if item is None or item.count < 2:
        return ""
    count = f"{item.count:,}"
    chosen = context.document.members.get(item_id)
    if chosen is None or len(chosen) >= item.count:
        return QCoreApplication.translate("Group", "Edits apply to all {count}").format(count=count)
    text = QCoreApplication.translate("Group", "Edits apply to all {count}; make an exception for {members} below")
    members = list(chosen)
    named = member_name(item.name, item.axes, members[0], item_id) if len(members) == 1 else str(chosen)
    return text.format(count=count, members=named)


def _stored(page: Page, item_id: str) -> Item:
    return page.context.sheet_row.items.get(item_id, Item())


def exceptions_fold(page: Page, item_id: str) -> None:
    """Members that differ, one row each, and what makes one more; nothing for a single thing."""
    if _stored(page, item_id).count < 2 or page.context.sheet_row.kind != "fabric":
        return

    def count() -> str:
        rows = len(_stored(page, item_id).except_)
        return f"{rows:,}" if rows else ""

    members = page.context.document.members.get(item_id)
    opened = bool(_stored(page, item_id).except_) or members is not None

    def fill() -> None:
        section = ExceptionsSection(page, item_id)
        page.add_widget(section)
        page.add_live(section.refresh)

    page.add_fold(QCoreApplication.translate("Inspector", "Exceptions"), count, fill, expanded=opened)


class _Row(QWidget):
    """One exception: members, what is different, the way there and the way back."""

    def __init__(self, parent: ExceptionsSection, members: str, override: Override) -> None:
        super().__init__(parent)
        page, item_id = parent.page, parent.item_id
        text = override_text(page.context, override)
        self.text = f"{members}  {text}"
        label = ElidedLabel(self.text, self, px=12)
        label.setToolTip(f"{item_id}[{members}]: {text}")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        row.addWidget(label, 1)
        if override.sheet and not override.absent:
            sheet = override.sheet
            enter = TextButton(QCoreApplication.translate("Group", "Open"), self)
            enter.setAccessibleName(QCoreApplication.translate("Group", "Open {members}").format(members=members))
            enter.clicked.connect(lambda: page.context.open_sheet(sheet, item_id))
            row.addWidget(enter)
        word = QCoreApplication.translate("Group", "Bring back") if override.absent else ""
        self.back = TextButton(word or QCoreApplication.translate("Group", "Remove"), self)
        self.back.setToolTip(QCoreApplication.translate("Group", "These members are like the others again."))
        self.back.clicked.connect(lambda: page.post("add_exception", item=item_id, members=members, override=None))
        row.addWidget(self.back)


def override_text(context: UiContext, override: Override) -> str:
    """What is different about members."""
    if override.absent:
        return QCoreApplication.translate("Group", "absent")
    if override.sheet:
        sheet = context.design_row.sheets.get(override.sheet)
        return (sheet.title if sheet else "") or override.sheet
    phase = QCoreApplication.translate("Group", "Phase {phase}")
    return ", ".join(
        phase.format(phase=f"{value:g}" if isinstance(value, float) else value) if key == "phase" else key
        for key, value in override.config.items()
    )


class ExceptionsSection(QWidget):
    """Rows of the exceptions of a group, and a line that makes one more."""

    def __init__(self, page: Page, item_id: str) -> None:
        super().__init__(page)
        self.page, self.item_id = page, item_id
        self.rows: list[_Row] = []
        self._shown: object = None
        self._list = QVBoxLayout()
        self._list.setSpacing(2)
        self.members = TextField(
            QCoreApplication.translate("Group", "Members"),
            self._meant,
            self._check,
            placeholder=QCoreApplication.translate("Group", "such as 17, 40-43"),
            tip=QCoreApplication.translate("Group", "Counted from 0, as in the addresses of the findings."),
        )
        self.name = TextLabel("", self, px=11.5, token="text.3", wrap=True)
        self.differ = TextButton(QCoreApplication.translate("Group", "Differ inside"), self)
        self.absent = TextButton(QCoreApplication.translate("Group", "Absent"), self)
        self.detach = TextButton(QCoreApplication.translate("Group", "Detach"), self)
        self.differ.setToolTip(
            QCoreApplication.translate("Group", "A variant of the server for these members; opens it to change cards.")
        )
        self.absent.setToolTip(QCoreApplication.translate("Group", "Not built; cables of the others stay as they are."))
        self.detach.setToolTip(
            QCoreApplication.translate("Group", "A thing of its own on the sheet, with its cables and places.")
        )
        self.phase = TextButton(QCoreApplication.translate("Group", "Phase"), self)
        self.phase.setToolTip(
            QCoreApplication.translate("Group", "These members are bought in another step of the build-out.")
        )
        self.phases = QMenu(self)
        for n in range(1, PHASES + 1):
            row = self.phases.addAction(QCoreApplication.translate("Group", "Phase {phase}").format(phase=n))
            row.triggered.connect(lambda _on=False, n=n: self._do("add_exception", override={"config": {"phase": n}}))
        self.phase.clicked.connect(lambda: self.phases.popup(self.phase.mapToGlobal(self.phase.rect().bottomLeft())))
        self.differ.clicked.connect(self.make_variant)
        self.absent.clicked.connect(lambda: self._do("add_exception", override={"absent": True}))
        self.detach.clicked.connect(lambda: self._do("detach"))
        buttons = QHBoxLayout()
        buttons.setContentsMargins(0, 0, 0, 0)
        for button in (self.differ, self.absent, self.phase, self.detach):
            buttons.addWidget(button)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(self._list)
        column.addWidget(self.members)
        column.addWidget(self.name)
        column.addLayout(buttons)
        self.refresh()

    def _meant(self) -> str:
        chosen = self.page.context.document.members.get(self.item_id)
        return str(chosen) if chosen is not None and len(chosen) < _stored(self.page, self.item_id).count else ""

    def _check(self, text: str) -> str:
        self._enable(text)
        if not text:
            return ""
        from fabricwright.design.edits.groups import chosen_members

        try:
            chosen_members(_stored(self.page, self.item_id), text)
        except UserError as error:
            self._enable("")
            return text_of(error.message)
        return ""

    def _enable(self, text: str) -> None:
        item = _stored(self.page, self.item_id)
        inside = bool(item.of and item.of.startswith("sheet:"))
        self.differ.setVisible(inside)
        for button in (self.differ, self.absent, self.phase, self.detach):
            button.setEnabled(bool(text))
        single = text.isdecimal() and int(text) < item.count and item.name
        shown = member_name(item.name, item.axes, int(text), self.item_id) if single else ""
        self.name.setText(shown)
        self.name.setVisible(bool(shown))

    def refresh(self) -> None:
        """Show the exceptions as they are now."""
        rows = _stored(self.page, self.item_id).except_
        now = (rows, self.page.context.design_row.sheets)
        if now != self._shown:
            self._shown = now
            for old in self.rows:
                self._list.removeWidget(old)
                old.deleteLater()
            self.rows = [_Row(self, members, rows[members]) for members in sorted(rows, key=natural_key)]
            for row in self.rows:
                self._list.addWidget(row)
        self.members.refresh()
        self._enable(self.members.edit.text().strip())

    def _do(self, edit: str, **more: Any) -> bool:
        text = self.members.edit.text().strip()
        said = self.page.post(edit, item=self.item_id, members=text, **more)
        if said:
            self.members.complain(said)
            return False
        self.members.refresh(force=True)
        return True

    def make_variant(self) -> None:
        """Give the members a sheet of their own, based on the group's, and open it."""
        before = set(self.page.context.design_row.sheets)
        if self._do("make_variant"):
            fresh = [s for s in self.page.context.design_row.sheets if s not in before]
            if fresh:
                self.page.context.open_sheet(fresh[0], self.item_id)


# -- racks -----------------------------------------------------------------------------------------------------------


def racks_fold(page: Page, item_id: str) -> None:
    """Where the members stand: racks, first rack, how many in each, from which unit, and single ones elsewhere."""
    context = page.context
    if context.sheet_row.kind != "fabric":
        return

    def racks() -> list[str]:
        eff = context.eff
        return sorted((i for i, row in eff.items.items() if row.kind in ("rack", "rack-set")), key=natural_key)

    if item_id in racks() or (not racks() and item_id not in context.sheet_row.seats):
        return

    def seat() -> Seating | None:
        return context.sheet_row.seats.get(item_id)

    def post(**changed: Any) -> str:
        row = seat() or Seating("")
        fields = {"racks": row.racks, "first": row.first, "stride": row.stride, "per_rack": row.per_rack, "u": row.u}
        return page.post("set_seating", item=item_id, **{**fields, **changed})

    def note() -> str:
        row = seat()
        return row.racks if row else ""

    def options() -> list[Choice]:
        return [Choice(None, QCoreApplication.translate("Group", "not in racks")), *(Choice(r, r) for r in racks())]

    def fill() -> None:
        page.add_field(
            ChoiceField(
                QCoreApplication.translate("Group", "Stand in"),
                options,
                lambda: getattr(seat(), "racks", None),
                lambda value: post(racks=value),
            )
        )
        for label, name, tip in (
            (
                QCoreApplication.translate("Group", "First rack"),
                "first",
                QCoreApplication.translate("Group", "Counted from 0."),
            ),
            (
                QCoreApplication.translate("Group", "Per rack"),
                "per_rack",
                QCoreApplication.translate("Group", "How many members one rack takes."),
            ),
            (
                QCoreApplication.translate("Group", "Every n-th rack"),
                "stride",
                QCoreApplication.translate("Group", "1 fills one rack after the other."),
            ),
            (
                QCoreApplication.translate("Group", "From unit"),
                "u",
                QCoreApplication.translate("Group", "Lowest height unit of the first member in a rack."),
            ),
        ):
            page.add_field(_number(page, label, name, tip, seat, post))

        def elsewhere(text: str) -> str:
            parsed = parse_places(text)
            if isinstance(parsed, str):
                return parsed
            return post(places=parsed) if seat() else ""

        page.add_field(
            TextField(
                QCoreApplication.translate("Group", "Elsewhere"),
                lambda: places_text(seat()),
                elsewhere,
                placeholder=QCoreApplication.translate("Group", "such as 17=3@40"),
                tip=QCoreApplication.translate("Group", "Single members: member=rack@unit, separated by commas."),
                wide=True,
                trial=page.trial,
            )
        )

    page.add_fold(QCoreApplication.translate("Inspector", "Racks"), note, fill)


def _number(
    page: Page, label: str, name: str, tip: str, seat: Callable[[], Seating | None], post: Callable[..., str]
) -> TextField:
    def write(text: str) -> str:
        if seat() is None:
            return QCoreApplication.translate("Group", "Choose the racks first.")
        if not text.isdecimal():
            return QCoreApplication.translate("Group", "A whole number is expected.")
        return post(**{name: int(text)})

    def read() -> str:
        row = seat()
        return str(getattr(row, name)) if row is not None else ""

    return TextField(label, read, write, tip=tip, trial=page.trial)


def places_text(seat: Seating | None) -> str:
    """``17=3@40``: member 17 in rack 3 from unit 40."""
    rows: dict[str, RackPlace] = dict(seat.except_) if seat is not None else {}
    return ", ".join(f"{members}={rows[members].rack}@{rows[members].u}" for members in sorted(rows, key=natural_key))


def parse_places(text: str) -> dict[str, list[int]] | str:
    """Places of a typed text, or a sentence that says what is wrong."""
    out: dict[str, list[int]] = {}
    for piece in (p for p in text.split(",") if p.strip()):
        found = _PLACE.match(piece)
        if found is None:
            said = QCoreApplication.translate("Group", "'{text}' is not member=rack@unit.")
            return said.format(text=piece.strip())
        out[found[1]] = [int(found[2]), int(found[3])]
    return out
