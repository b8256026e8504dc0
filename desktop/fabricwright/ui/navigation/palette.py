"""Ctrl+K: type a few letters of a command, a part, a finding or a place, and press Enter."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from fabricwright.catalog.pictograms import pictogram
from fabricwright.catalog.store import catalogue
from fabricwright.design.order import designs_in_order
from fabricwright.ui.actions import ACTIONS, ActionSet, menu_name
from fabricwright.ui.context import UiContext
from fabricwright.ui.navigation.drawing_index import DrawingIndex, finding_entries, go_to_entry
from fabricwright.ui.navigation.entry import Entry
from fabricwright.ui.navigation.fuzzy import score
from fabricwright.ui.navigation.list_box import ListBox
from fabricwright.ui.panels.palette_model import CATEGORIES, FABRIC_KINDS, SERVER_KINDS, category_title
from fabricwright.ui.shortcuts.key_text import native
from fabricwright.ui.widgets import TextLabel

WIDTH, ROWS, SHOWN = 640, 11, 60
#: Commands that make no sense in the palette: itself, and what is only a key of the canvas.
LEFT_OUT = frozenset({"command-palette", "cancel", "next-part", "previous-part", "place-part"})
#: First letter -> kind that the palette is narrowed to.
PREFIXES = {">": "action", "+": "part", "!": "finding", "@": "place"}
#: A tie goes to what is used most.
_LEAN = {"action": 6.0, "part": 3.0, "place": 2.0, "finding": 0.0}

Row = tuple[Entry, tuple[str, ...]]


def action_rows(actions: ActionSet) -> list[Row]:
    """Commands that can be given now, in both languages."""
    out: list[Row] = []
    for spec in ACTIONS:
        action = actions[spec.id]
        if spec.id in LEFT_OUT or spec.id.startswith("nudge-") or not action.isEnabled():
            continue
        text = action.text().replace("&", "")
        where = {
            "theme": QCoreApplication.translate("CommandPalette", "Theme"),
            "language": QCoreApplication.translate("CommandPalette", "Language"),
            "align": menu_name("arrange"),
            "order": menu_name("arrange"),
            "": "",
        }.get(spec.category)
        menu = menu_name(spec.category) if where is None else where
        key = native(action.shortcut())
        if action.isCheckable() and action.isChecked():
            menu = QCoreApplication.translate("CommandPalette", "{menu}, on").format(menu=menu)
        entry = Entry("action", spec.id, text, menu, spec.icon or "command", key)
        tip = action.toolTip().casefold()
        # Chinese has no spaces: "export diagram" is one word, of the menu and of the command.
        whole = f"{menu}{text}".casefold()
        out.append((entry, (text.casefold(), spec.text.casefold(), spec.id, tip, menu.casefold(), whole)))
    return out


def part_rows(context: UiContext) -> list[Row]:
    """Parts that can stand on the open kind of sheet."""
    store = catalogue()
    wanted = FABRIC_KINDS if context.sheet_row.kind == "fabric" else SERVER_KINDS
    kinds = store.kinds()
    out: list[Row] = []
    for category, members in CATEGORIES:
        title = category_title(category)
        for kind in members:
            if kind not in wanted:
                continue
            for part_id in kinds.get(kind, ()):
                name = store.name_of(part_id, context.language)
                entry = Entry("part", part_id, name, title, pictogram(kind))
                other = store.name_of(part_id, "zh_CN" if context.language == "en" else "en")
                out.append((entry, (name.casefold(), part_id, other.casefold(), title.casefold())))
    return out


def place_rows(context: UiContext, index: DrawingIndex) -> list[Row]:
    """Sheets and designs to open."""
    out: list[Row] = []
    for n in index.sheet_rows():
        entry = index.entry(n)
        if entry.sheet == context.sheet:
            continue
        out.append((entry, (entry.title.casefold(), entry.sheet)))
    word = QCoreApplication.translate("CommandPalette", "Design")
    for design in designs_in_order(context.project):
        if design != context.design:
            title = context.project.designs[design].title or design
            out.append((Entry("design", design, title, word, "compare"), (title.casefold(), design)))
    return out


class CommandPalette(ListBox):
    """Floats over the upper middle of the window. ``run`` gets the chosen entry after it has closed."""

    def __init__(self, context: UiContext, actions: ActionSet, run: Callable[[Entry], None], parent: QWidget) -> None:
        super().__init__(parent, ROWS, radius=12, inset=10, above=10, spacing=8)
        self.context = context
        self.actions_set = actions
        self._run = run
        self._rows: dict[str, list[Row]] = {}
        self._index: DrawingIndex | None = None
        self._used: list[tuple[str, str]] = []
        self.hint = TextLabel("", self, px=11.5, token="text.3")
        self.nothing = TextLabel("", self, px=13, token="text.2")
        self.nothing.hide()
        foot = QVBoxLayout()
        foot.setContentsMargins(14, 0, 14, 0)
        foot.addWidget(self.nothing)
        foot.addWidget(self.hint)
        self.column.addLayout(foot)
        context.language_changed.connect(lambda _code: self._retranslate())
        self._retranslate()
        self.hide()

    def _retranslate(self) -> None:
        self.field.set_placeholder(self.tr("Type a command, a part, a problem or a place"))
        self.nothing.setText(self.tr("Nothing has all of these words."))
        self.hint.setText(self.tr("> commands   + parts   ! problems   @ places   ·   Enter runs, Esc closes"))

    def ask(self, prefix: str = "") -> None:
        """Open it, narrowed to what the prefix stands for ("" = everything)."""
        self._rows.clear()
        self._index = None
        self.field.setText(prefix)
        self.show()
        self.raise_()
        self.query(prefix)
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.setCursorPosition(len(prefix))

    def dismiss(self, *, back: bool = True) -> None:
        """Close it; with ``back`` the sheet gets the keyboard."""
        if not self.isVisible():
            return
        self.hide()
        canvas = getattr(self.parentWidget(), "canvas", None)
        if back and canvas is not None:
            canvas.view.setFocus()

    def accept(self) -> None:
        """Do what is chosen."""
        entry = self.list.current()
        if entry is None:
            return
        mark = (entry.kind, entry.key)
        self._used = [mark, *(m for m in self._used if m != mark)][:12]
        self.dismiss()
        self._run(entry)

    # -- rows -------------------------------------------------------------------------------------------------------

    def _rows_of(self, kind: str) -> list[Row]:
        """Rows of a kind, collected once while it is open."""
        if kind not in self._rows:
            if kind == "action":
                self._rows[kind] = action_rows(self.actions_set)
            elif kind == "part":
                self._rows[kind] = part_rows(self.context)
            elif kind == "finding":
                self._rows[kind] = finding_entries(self.context)
            else:
                self._rows[kind] = place_rows(self.context, self._drawing())
        return self._rows[kind]

    def _drawing(self) -> DrawingIndex:
        if self._index is None:
            context = self.context
            self._index = DrawingIndex(context.project, context.design_row, context.language)
        return self._index

    def query(self, text: str) -> None:
        """Show what fits a text; its first letter may narrow it to a kind."""
        narrow = PREFIXES.get(text[:1], "")
        query = text[1:].strip() if narrow else text.strip()
        if not query:
            entries = self._first(narrow)
        else:
            found: list[tuple[float, int, Entry]] = []
            for kind in (narrow,) if narrow else ("action", "part", "place", "finding"):
                for entry, texts in self._rows_of(kind):
                    fit = score(query, texts)
                    if fit is not None:
                        fit += _LEAN[kind] + (8.0 if (entry.kind, entry.key) in self._used else 0.0)
                        found.append((-fit, len(found), entry))
            found.sort(key=lambda row: row[:2])
            entries = [entry for _fit, _n, entry in found[:SHOWN]]
            if narrow in ("", "place"):
                strong = sum(1 for fit, _n, _e in found if fit <= -40.0)
                drawn = [e for e in self._drawing().find(query, self.context.sheet, SHOWN) if e.kind != "sheet"]
                entries = [*entries[:strong], *drawn[:20], *entries[strong:]]
        self.list.set_entries(entries)
        self.nothing.setVisible(not entries)
        self.place()

    def _first(self, narrow: str) -> list[Entry]:
        """Before anything is typed: what was used last, then commands (or all of the kind)."""
        if narrow:
            rows = [entry for entry, _ in self._rows_of(narrow)]
            return rows[:200]
        known = {(e.kind, e.key): e for kind in ("action", "part", "place") for e, _ in self._rows_of(kind)}
        used = [known[mark] for mark in self._used if mark in known]
        rest = [e for e, _ in self._rows_of("action") if e not in used]
        return [*used, *rest]

    def place(self) -> None:
        """Upper middle of the window, as high as its rows need."""
        owner = self.parentWidget()
        assert owner is not None
        width = min(WIDTH, owner.width() - 80)
        self.adjustSize()
        self.setGeometry((owner.width() - width) // 2, min(96, owner.height() // 8), width, self.sizeHint().height())


def run_entry(context: UiContext, actions: ActionSet, entry: Entry) -> None:
    """What choosing a row of the palette does."""
    if entry.kind == "action":
        actions[entry.key].trigger()
    elif entry.kind == "part":
        context.start_place(entry.key)
    elif entry.kind == "design":
        context.open_design(entry.key)
    else:
        go_to_entry(context, entry)
