"""Everything that is drawn in a design, searchable: items with the parts they are, members, links, notes, findings.

Rows hold ids and one lower-case text each; an ``Entry`` is made when a row is found. 10,000 items and 40,000 links are
read once per change of the design, when somebody searches.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication

from fabricwright.catalog.parts import Part
from fabricwright.catalog.pictograms import pictogram
from fabricwright.design.address import parse_address
from fabricwright.design.effective import EffItem, effective
from fabricwright.design.indexset import IndexSet
from fabricwright.design.naming import member_name
from fabricwright.design.values import Design, Project
from fabricwright.ui.canvas.naming import part_names, slot_label
from fabricwright.ui.context import UiContext
from fabricwright.ui.navigation.entry import Entry
from fabricwright.ui.panels.problems_model import problem_of
from fabricwright.ui.panels.words import sheet_name
from fabricwright.units.errors import UserError
from fabricwright.units.natural import natural_key

#: Names of members are only looked through where there are no more; an address ("node[9000]") finds any.
NAMED_MEMBERS = 20_000

LIMIT = 500

_Row = tuple[str, str, str, int]  # kind, sheet, row id, member (-1 = the row itself)


class DrawingIndex:
    """Rows of one design. ``find`` gives entries, those of the open sheet first."""

    def __init__(self, project: Project, design: Design, lang: str) -> None:
        self.project, self.design, self.lang = project, design, lang
        self._rows: list[_Row] = []
        self._words: list[str] = []
        self._hosts = _hosts(design)
        self._texts: dict[int, str] = {}
        for sheet_id in (design.root, *(s for s in design.sheets.ordered() if s != design.root)):
            if sheet_id in design.sheets:
                self._add_sheet(sheet_id)

    def _add(self, kind: str, sheet: str, row: str, words: str, member: int = -1) -> None:
        self._rows.append((kind, sheet, row, member))
        self._words.append(words.casefold())

    def _add_sheet(self, sheet_id: str) -> None:
        sheet = self.design.sheets[sheet_id]
        eff = effective(self.project, self.design, sheet_id)
        self._add("sheet", sheet_id, "", f"{sheet_id} {sheet_name(self.design, sheet_id)}")
        for item_id in sorted(eff.items, key=natural_key):
            item = eff.items[item_id]
            seat = f" {item.seat}" if item.seat else ""
            self._add("item", sheet_id, item_id, f"{item_id} {item.name}{seat} {self._part_text(item)}")
        for link_id in (*eff.links, *eff.builtin_links):
            link = eff.links.get(link_id) or eff.builtin_links[link_id]
            more = f"{sheet.links[link_id].name} {sheet.links[link_id].network}" if link_id in sheet.links else ""
            self._add("link", sheet_id, link_id, f"{link_id} {more} {link.a} {link.b}")
        for slot_id, slot in eff.slots.items():
            self._add("slot", sheet_id, slot_id, f"{slot_id} {slot_label(slot_id, slot.label)}")
        for note_id, note in sheet.notes.items():
            self._add("note", sheet_id, note_id, note.text)
        for item_id, item in eff.items.items():
            total = _count(item)
            if item.name and 1 < total <= NAMED_MEMBERS:
                for k in range(total):
                    self._add("member", sheet_id, item_id, member_name(item.name, item.axes, k, item_id), k)

    def _part_text(self, item: EffItem) -> str:
        part, extra = item.part, ""
        if item.of.startswith("sheet:"):
            inner = self.design.sheets.get(item.of[6:])
            part = self.project.parts.get(inner.chassis) if inner is not None and inner.chassis else None
            extra = f"{item.of[6:]} {inner.title if inner is not None else ''}"
        if part is None:
            return f"{extra} {item.of}"
        found = self._texts.get(id(part))
        if found is None:
            found = self._texts[id(part)] = _words_of(part, item.of)
        return f"{extra} {found}"

    # -- asking -----------------------------------------------------------------------------------------------------

    def find(self, query: str, sheet: str = "", limit: int = LIMIT) -> list[Entry]:
        """Entries that hold every word; exact ids first, the open sheet before others."""
        words = query.casefold().split()
        if not words:
            return []
        found = [n for n, text in enumerate(self._words) if words[0] in text]
        for word in words[1:]:
            found = [n for n in found if word in self._words[n]]
        named = {self._rows[n][1:3] for n in found if self._rows[n][0] == "item"}
        # Where the group itself is meant, its members would only bury the other rows.
        found = [n for n in found if self._rows[n][0] != "member" or self._rows[n][1:3] not in named]
        whole = query.strip().casefold()
        order = {"item": 0, "member": 1, "slot": 2, "note": 3, "link": 4, "sheet": 5}

        def rank(n: int) -> tuple[bool, bool, bool, int, int]:
            kind, on, row, _member = self._rows[n]
            text = self._words[n]
            return (on != sheet, row.casefold() != whole, not text.startswith(words[0]), order[kind], n)

        found.sort(key=rank)
        out = [self.entry(n) for n in found[:limit]]
        direct = self._address(query)
        return [direct, *out] if direct is not None and direct not in out else out

    def sheet_rows(self) -> list[int]:
        """Rows that are sheets."""
        return [n for n, row in enumerate(self._rows) if row[0] == "sheet"]

    def entry(self, n: int) -> Entry:
        """The row as it is listed."""
        kind, sheet, row, member = self._rows[n]
        tail = sheet_name(self.design, sheet)
        host = self._hosts.get(sheet, "")
        if kind == "sheet":
            word = QCoreApplication.translate("Find", "Sheet")
            shown = "server" if self.design.sheets[sheet].kind == "server" else "layers"
            return Entry("sheet", sheet, sheet_name(self.design, sheet), word, shown, "", sheet, host)
        eff = effective(self.project, self.design, sheet)
        if kind in ("item", "member"):
            item = eff.items[row]
            part = item.part
            if item.of.startswith("sheet:"):
                inner = self.design.sheets.get(item.of[6:])
                part = self.project.parts.get(inner.chassis) if inner is not None and inner.chassis else None
            name = part_names(part, item.of, self.lang)[0]
            icon = pictogram(part.kind if part is not None else item.kind)
            if kind == "member":
                title = member_name(item.name, item.axes, member, row)
                return Entry("member", row, title, f"{row}[{member}] · {name}", icon, tail, sheet, host, one(member))
            total = _count(item)
            title = f"{row} × {total:,}" if total > 1 else row if not item.name or item.name == row else item.name
            detail = name if title.startswith(row) else f"{row} · {name}"
            return Entry("item", row, title, detail, icon, tail, sheet, host)
        if kind == "slot":
            word = QCoreApplication.translate("Find", "Slot")
            seated = ", ".join(eff.seated().get(row, ()))
            return Entry("slot", row, slot_label(row, eff.slots[row].label), seated or word, "pin", tail, sheet, host)
        if kind == "note":
            text = self.design.sheets[sheet].notes[row].text.replace("\n", " ")
            return Entry("note", row, text, QCoreApplication.translate("Find", "Note"), "note", tail, sheet, host)
        link = eff.links.get(row) or eff.builtin_links[row]
        name = self.design.sheets[sheet].links[row].name if row in self.design.sheets[sheet].links else ""
        return Entry("link", row, name or row, f"{link.a} – {link.b}", "cable", tail, sheet, host)

    def _address(self, query: str) -> Entry | None:
        """A typed address of a member ("node[17]") as an entry."""
        if "[" not in query:
            return None
        try:
            where = parse_address(query.strip())
        except UserError:
            return None
        root = self.design.sheets.get(self.design.root)
        if root is None or not where.steps or where.steps[0].members is None or len(where.steps) > 1:
            return None
        step = where.steps[0]
        item = effective(self.project, self.design, self.design.root).items.get(step.item)
        if item is None or step.members is None or max(step.members, default=0) >= _count(item):
            return None
        first = next(iter(step.members))
        title = member_name(item.name, item.axes, first, step.item)
        icon = pictogram(item.part.kind if item.part is not None else item.kind)
        tail = sheet_name(self.design, self.design.root)
        return Entry("member", step.item, title, query.strip(), icon, tail, self.design.root, "", step.members)


def one(member: int) -> IndexSet:
    """A set of one."""
    return IndexSet.of([member])


def _count(item: EffItem) -> int:
    n = 1
    for _, size in item.axes:
        n *= size
    return n


def _hosts(design: Design) -> dict[str, str]:
    """Fabric item through which a server sheet is entered, by sheet."""
    root = design.sheets.get(design.root)
    out: dict[str, str] = {}
    for item_id in root.items.ordered() if root is not None else ():
        row = root.items[item_id]  # type: ignore[union-attr]
        of = row.of or ""
        for sheet in (of[6:] if of.startswith("sheet:") else "", *(o.sheet for o in row.except_.values())):
            if sheet:
                out.setdefault(sheet, item_id)
    return out


def _words_of(part: Part, part_id: str) -> str:
    return " ".join(dict.fromkeys((part_id, part.model, part.name("en"), part.name("zh_CN"), part.vendor, part.kind)))


def finding_entries(context: UiContext) -> list[tuple[Entry, tuple[str, ...]]]:
    """Findings of the open design with the texts that are searched: errors first, approved ones last; no facts."""
    out: list[tuple[Entry, tuple[str, ...]]] = []
    order = {"error": 0, "warning": 1, "info": 2, "approved": 3}
    for key, finding in context.analysis.findings.items():
        if finding.get("severity") == "fact":
            continue
        problem = problem_of(context.design_row, finding)
        entry = Entry("finding", key, f"{problem.rule}  {problem.text}", problem.place, f"state:{problem.state}")
        out.append((entry, (problem.rule.casefold(), problem.text.casefold(), problem.place.casefold())))
    out.sort(key=lambda row: (order.get(row[0].icon[6:], 9), row[0].title))
    return out


def go_to_entry(context: UiContext, entry: Entry) -> bool:
    """Open the sheet of a row of the drawing or of a finding, select it and bring it into view."""
    if entry.kind == "finding":
        return go_to_finding(context, entry.key)
    if entry.sheet not in context.design_row.sheets:
        return False
    if entry.sheet != context.sheet:
        context.open_sheet(entry.sheet, entry.host)
    if entry.kind in ("sheet", "place"):
        return True
    context.document.select([entry.key], {entry.key: entry.members} if entry.members else None)
    context.reveal.emit([entry.key])
    return True


def go_to_finding(context: UiContext, key: str) -> bool:
    """Show a finding in the list and its place on the canvas."""
    from fabricwright.ui.panels.words import address_of, row_ids

    finding: Mapping[str, object] | None = context.analysis.findings.get(key)
    if finding is None:
        return False
    context.problem_wanted.emit(key)
    at = finding.get("at")
    if not isinstance(at, (list, tuple)) or not at:
        return False
    if not row_ids(finding):
        context.open_sheet(context.design_row.root, "")
        context.document.select(())
        return True
    where = address_of(context.design_row, finding, str(at[0]))
    return where is not None and context.go_to(where)
