"""The table of all commands: id, text, menu, shortcuts, icon, tip, where the shortcut works.

Texts are marked for translation here (context ``Actions``) and looked up by ``ActionSet``. Ids never change: shortcuts
that people have set are stored under them.
"""

from __future__ import annotations

from PySide6.QtGui import QKeySequence

from fabricwright.ui.i18n import QT_TRANSLATE_NOOP
from fabricwright.units.record import record

Key = QKeySequence.StandardKey


@record
class ActionSpec:
    """One command.

    ``text`` menu text; ``short`` tool-bar text when it differs; ``shortcuts`` portable texts or platform standard keys;
    ``context`` ``window`` or ``canvas`` (works only while the canvas has the focus); ``group`` names the exclusive
    group of a radio-like action.
    """

    id: str
    text: str
    category: str
    shortcuts: tuple[str | QKeySequence.StandardKey, ...] = ()
    icon: str = ""
    tooltip: str = ""
    context: str = "window"
    checkable: bool = False
    group: str = ""
    short: str = ""


#: (category, title) in the order of the menu bar.
MENUS: tuple[tuple[str, str], ...] = (
    ("file", QT_TRANSLATE_NOOP("Actions", "&File")),
    ("edit", QT_TRANSLATE_NOOP("Actions", "&Edit")),
    ("view", QT_TRANSLATE_NOOP("Actions", "&View")),
    ("insert", QT_TRANSLATE_NOOP("Actions", "&Insert")),
    ("arrange", QT_TRANSLATE_NOOP("Actions", "&Arrange")),
    ("check", QT_TRANSLATE_NOOP("Actions", "&Check")),
    ("analyse", QT_TRANSLATE_NOOP("Actions", "A&nalyse")),
    ("export", QT_TRANSLATE_NOOP("Actions", "E&xport")),
    ("window", QT_TRANSLATE_NOOP("Actions", "&Window")),
    ("help", QT_TRANSLATE_NOOP("Actions", "&Help")),
)

#: Commands above which a menu has a line.
SECTIONS: frozenset[str] = frozenset().union(
    ("open", "save", "take-snapshot", "copy-design", "project-properties", "close"),
    ("cut", "delete", "group-size", "select-all", "find", "command-palette"),
    ("view-canvas", "zoom-in", "toggle-heatmap", "enter", "full-screen"),
    ("add-note", "insert-block", "add-statement", "own-part", "lock", "auto-layout"),
    ("next-problem", "fix-problem", "size-network", "stop-analysis"),
    ("export-bom", "export-settings", "export-pack", "reset-layout", "shortcuts", "diagnostics"),
)

_FILE = (
    ActionSpec("new", QT_TRANSLATE_NOOP("Actions", "New project"), "file", (Key.New,), "new"),
    ActionSpec("new.requirements", QT_TRANSLATE_NOOP("Actions", "New from requirements…"), "file", (), "wand"),
    ActionSpec("new-server", QT_TRANSLATE_NOOP("Actions", "New server sheet…"), "file", (), "server"),
    ActionSpec(
        "new-from-template", QT_TRANSLATE_NOOP("Actions", "New from template…"), "file", ("Ctrl+Shift+N",), "layers"
    ),
    ActionSpec("open", QT_TRANSLATE_NOOP("Actions", "Open…"), "file", (Key.Open,), "open"),
    ActionSpec("save", QT_TRANSLATE_NOOP("Actions", "Save"), "file", (Key.Save,), "save"),
    ActionSpec("save-as", QT_TRANSLATE_NOOP("Actions", "Save as…"), "file", ("Ctrl+Shift+S",), "save-as"),
    ActionSpec("take-snapshot", QT_TRANSLATE_NOOP("Actions", "Take snapshot…"), "file", (), "history"),
    ActionSpec("snapshots", QT_TRANSLATE_NOOP("Actions", "Snapshots…"), "file", (), "clock"),
    ActionSpec(
        "copy-design",
        QT_TRANSLATE_NOOP("Actions", "Copy the design"),
        "file",
        (),
        "duplicate",
        QT_TRANSLATE_NOOP("Actions", "A second design in this project, to change and to compare"),
    ),
    ActionSpec("remove-design", QT_TRANSLATE_NOOP("Actions", "Delete the design"), "file", (), "delete"),
    ActionSpec(
        "project-properties", QT_TRANSLATE_NOOP("Actions", "Project properties…"), "file", ("Alt+Shift+Return",), "edit"
    ),
    ActionSpec("close", QT_TRANSLATE_NOOP("Actions", "Close project"), "file", ("Ctrl+W",), "x"),
    ActionSpec("settings", QT_TRANSLATE_NOOP("Actions", "Settings…"), "file", ("Ctrl+,",), "settings"),
    ActionSpec("quit", QT_TRANSLATE_NOOP("Actions", "Quit"), "file", ("Ctrl+Q",), "quit"),
)

_EDIT = (
    ActionSpec("undo", QT_TRANSLATE_NOOP("Actions", "Undo"), "edit", ("Ctrl+Z",), "undo"),
    ActionSpec("redo", QT_TRANSLATE_NOOP("Actions", "Redo"), "edit", ("Ctrl+Y", "Ctrl+Shift+Z"), "redo"),
    ActionSpec("cut", QT_TRANSLATE_NOOP("Actions", "Cut"), "edit", ("Ctrl+X",), "cut"),
    ActionSpec("copy", QT_TRANSLATE_NOOP("Actions", "Copy"), "edit", ("Ctrl+C",), "copy"),
    ActionSpec("paste", QT_TRANSLATE_NOOP("Actions", "Paste"), "edit", ("Ctrl+V",), "paste"),
    ActionSpec("paste-in-place", QT_TRANSLATE_NOOP("Actions", "Paste in place"), "edit", ("Ctrl+Shift+V",)),
    ActionSpec("duplicate", QT_TRANSLATE_NOOP("Actions", "Duplicate"), "edit", ("Ctrl+D",), "duplicate"),
    ActionSpec("repeat", QT_TRANSLATE_NOOP("Actions", "Repeat n times…"), "edit", ("Ctrl+Shift+D",), "layers"),
    ActionSpec("delete", QT_TRANSLATE_NOOP("Actions", "Delete"), "edit", ("Del",), "delete"),
    ActionSpec("rename", QT_TRANSLATE_NOOP("Actions", "Rename"), "edit", ("F2",), "edit"),
    ActionSpec("group-size", QT_TRANSLATE_NOOP("Actions", "Count and axes"), "edit", ("Shift+F2",), "layers"),
    ActionSpec("expand-group", QT_TRANSLATE_NOOP("Actions", "Expand or fold group"), "edit", ("Shift+F4",), "layers"),
    ActionSpec("properties", QT_TRANSLATE_NOOP("Actions", "Properties"), "edit", ("Alt+Return",)),
    ActionSpec("replace-part", QT_TRANSLATE_NOOP("Actions", "Replace a part…"), "edit", ("Ctrl+R",), "swap"),
    ActionSpec("select-all", QT_TRANSLATE_NOOP("Actions", "Select all"), "edit", ("Ctrl+A",), "select-all"),
    ActionSpec("find", QT_TRANSLATE_NOOP("Actions", "Find…"), "edit", ("Ctrl+F",), "search"),
    ActionSpec("find-next", QT_TRANSLATE_NOOP("Actions", "Find next"), "edit", ("F3",), "chevron-down"),
    ActionSpec("find-previous", QT_TRANSLATE_NOOP("Actions", "Find previous"), "edit", ("Shift+F3",), "chevron-up"),
    ActionSpec("command-palette", QT_TRANSLATE_NOOP("Actions", "Command palette…"), "edit", ("Ctrl+K",), "command"),
    ActionSpec("search-parts", QT_TRANSLATE_NOOP("Actions", "Search the panel of parts"), "edit", (), "package"),
)

_VIEW = (
    ActionSpec(
        "select-mode",
        QT_TRANSLATE_NOOP("Actions", "Select"),
        "view",
        ("V",),
        "select",
        QT_TRANSLATE_NOOP("Actions", "Select and move"),
        "canvas",
        group="mode",
    ),
    ActionSpec(
        "link-mode",
        QT_TRANSLATE_NOOP("Actions", "Draw links"),
        "view",
        ("L",),
        "link",
        QT_TRANSLATE_NOOP("Actions", "Draw links between ports"),
        "canvas",
        group="mode",
        short=QT_TRANSLATE_NOOP("Actions", "Link"),
    ),
    ActionSpec(
        "view-canvas",
        QT_TRANSLATE_NOOP("Actions", "Show the drawing"),
        "view",
        ("Ctrl+F1",),
        "layers",
        group="view",
        short=QT_TRANSLATE_NOOP("Actions", "Drawing"),
    ),
    ActionSpec(
        "view-racks",
        QT_TRANSLATE_NOOP("Actions", "Show the racks"),
        "view",
        ("Ctrl+F2",),
        "rack",
        group="view",
        short=QT_TRANSLATE_NOOP("Actions", "Racks"),
    ),
    ActionSpec(
        "view-compare",
        QT_TRANSLATE_NOOP("Actions", "Compare designs"),
        "view",
        ("Ctrl+F3",),
        "compare",
        QT_TRANSLATE_NOOP("Actions", "Compare two designs, or this project with another file"),
        group="view",
        short=QT_TRANSLATE_NOOP("Actions", "Compare"),
    ),
    ActionSpec(
        "view-bill",
        QT_TRANSLATE_NOOP("Actions", "Show parts and prices"),
        "view",
        ("Ctrl+F4",),
        "bom",
        QT_TRANSLATE_NOOP("Actions", "What has to be ordered, what is there, and what it costs"),
        group="view",
        short=QT_TRANSLATE_NOOP("Actions", "Parts list"),
    ),
    ActionSpec(
        "view-health",
        QT_TRANSLATE_NOOP("Actions", "Show network health"),
        "view",
        ("Ctrl+F6",),
        "gauge",
        QT_TRANSLATE_NOOP("Actions", "Buffers, thresholds, losses and bursts of the network"),
        group="view",
        short=QT_TRANSLATE_NOOP("Actions", "Network"),
    ),
    ActionSpec(
        "view-sweep",
        QT_TRANSLATE_NOOP("Actions", "Sweep fields"),
        "view",
        ("Ctrl+F5",),
        "chart",
        QT_TRANSLATE_NOOP("Actions", "Many variants of this design: fields and values, one row each"),
        group="view",
        short=QT_TRANSLATE_NOOP("Actions", "Sweep"),
    ),
    ActionSpec("cancel", QT_TRANSLATE_NOOP("Actions", "Cancel the gesture"), "", ("Esc",), context="canvas"),
    ActionSpec("zoom-in", QT_TRANSLATE_NOOP("Actions", "Zoom in"), "view", ("Ctrl+=", "Ctrl++"), "plus"),
    ActionSpec("zoom-out", QT_TRANSLATE_NOOP("Actions", "Zoom out"), "view", ("Ctrl+-",), "minus"),
    ActionSpec("zoom-100", QT_TRANSLATE_NOOP("Actions", "Zoom to 100 %"), "view", ("Ctrl+0",)),
    ActionSpec("fit", QT_TRANSLATE_NOOP("Actions", "Fit the sheet"), "view", ("Ctrl+1",), "fit"),
    ActionSpec(
        "zoom-selection", QT_TRANSLATE_NOOP("Actions", "Fit the selection"), "view", ("Ctrl+2",), "fit-selection"
    ),
    ActionSpec(
        "toggle-heatmap",
        QT_TRANSLATE_NOOP("Actions", "Link load"),
        "view",
        ("Ctrl+H",),
        "heatmap",
        QT_TRANSLATE_NOOP("Actions", "Colour links by their load"),
        checkable=True,
        short=QT_TRANSLATE_NOOP("Actions", "Heat map"),
    ),
    ActionSpec("toggle-grid", QT_TRANSLATE_NOOP("Actions", "Grid"), "view", ("Ctrl+'",), "grid", checkable=True),
    ActionSpec("toggle-minimap", QT_TRANSLATE_NOOP("Actions", "Minimap"), "view", (), "image", checkable=True),
    ActionSpec("toggle-legend", QT_TRANSLATE_NOOP("Actions", "Legend"), "view", (), "bom", checkable=True),
    ActionSpec(
        "enter", QT_TRANSLATE_NOOP("Actions", "Open the part"), "view", ("Return", "Enter"), "enter", context="canvas"
    ),
    ActionSpec("back", QT_TRANSLATE_NOOP("Actions", "Back"), "view", ("Alt+Left",), "arrow-left"),
    ActionSpec("forward", QT_TRANSLATE_NOOP("Actions", "Forward"), "view", ("Alt+Right",), "arrow-right"),
    ActionSpec("up", QT_TRANSLATE_NOOP("Actions", "Back to the enclosing sheet"), "view", ("Alt+Up",), "up"),
    ActionSpec("next-part", QT_TRANSLATE_NOOP("Actions", "Select the next part"), "", ("Tab",), context="canvas"),
    ActionSpec(
        "previous-part", QT_TRANSLATE_NOOP("Actions", "Select the previous part"), "", ("Shift+Tab",), context="canvas"
    ),
    ActionSpec("nudge-left", QT_TRANSLATE_NOOP("Actions", "Move or pan left"), "", ("Left",), context="canvas"),
    ActionSpec("nudge-left-far", QT_TRANSLATE_NOOP("Actions", "Move far left"), "", ("Shift+Left",), context="canvas"),
    ActionSpec("nudge-right", QT_TRANSLATE_NOOP("Actions", "Move or pan right"), "", ("Right",), context="canvas"),
    ActionSpec(
        "nudge-right-far", QT_TRANSLATE_NOOP("Actions", "Move far right"), "", ("Shift+Right",), context="canvas"
    ),
    ActionSpec("nudge-up", QT_TRANSLATE_NOOP("Actions", "Move or pan up"), "", ("Up",), context="canvas"),
    ActionSpec("nudge-up-far", QT_TRANSLATE_NOOP("Actions", "Move far up"), "", ("Shift+Up",), context="canvas"),
    ActionSpec("nudge-down", QT_TRANSLATE_NOOP("Actions", "Move or pan down"), "", ("Down",), context="canvas"),
    ActionSpec("nudge-down-far", QT_TRANSLATE_NOOP("Actions", "Move far down"), "", ("Shift+Down",), context="canvas"),
    ActionSpec("theme-light", QT_TRANSLATE_NOOP("Actions", "Light"), "theme", (), "sun", group="theme"),
    ActionSpec("theme-dark", QT_TRANSLATE_NOOP("Actions", "Dark"), "theme", (), "moon", group="theme"),
    ActionSpec("theme-system", QT_TRANSLATE_NOOP("Actions", "As the system"), "theme", (), "monitor", group="theme"),
    ActionSpec("language-en", "English", "language", (), group="language"),
    ActionSpec("language-zh_CN", "简体中文", "language", (), group="language"),
    ActionSpec(
        "full-screen", QT_TRANSLATE_NOOP("Actions", "Full screen"), "view", ("F11",), "full-screen", checkable=True
    ),
)

_INSERT_ARRANGE = (
    ActionSpec(
        "place-part",
        QT_TRANSLATE_NOOP("Actions", "Place a part…"),
        "insert",
        ("A",),
        "plus",
        context="canvas",
    ),
    ActionSpec("link-selection", QT_TRANSLATE_NOOP("Actions", "Link the selection…"), "insert", ("Ctrl+L",), "link"),
    ActionSpec("add-note", QT_TRANSLATE_NOOP("Actions", "Note"), "insert", (), "note"),
    ActionSpec("add-frame", QT_TRANSLATE_NOOP("Actions", "Frame"), "insert", (), "layers"),
    ActionSpec("add-picture", QT_TRANSLATE_NOOP("Actions", "Picture…"), "insert", (), "image"),
    ActionSpec("insert-block", QT_TRANSLATE_NOOP("Actions", "Block…"), "insert", (), "import"),
    ActionSpec("save-block", QT_TRANSLATE_NOOP("Actions", "Save as block…"), "insert", (), "package"),
    ActionSpec("add-statement", QT_TRANSLATE_NOOP("Actions", "Statement"), "insert", (), "check"),
    ActionSpec("group", QT_TRANSLATE_NOOP("Actions", "Group"), "arrange", ("Ctrl+G",), "group"),
    ActionSpec("ungroup", QT_TRANSLATE_NOOP("Actions", "Ungroup"), "arrange", ("Ctrl+Shift+G",), "ungroup"),
    ActionSpec("align-left", QT_TRANSLATE_NOOP("Actions", "Align left edges"), "align", ("Ctrl+Shift+Left",), "align"),
    ActionSpec("align-center", QT_TRANSLATE_NOOP("Actions", "Align on a vertical middle line"), "align"),
    ActionSpec("align-right", QT_TRANSLATE_NOOP("Actions", "Align right edges"), "align", ("Ctrl+Shift+Right",)),
    ActionSpec("align-top", QT_TRANSLATE_NOOP("Actions", "Align top edges"), "align", ("Ctrl+Shift+Up",)),
    ActionSpec("align-middle", QT_TRANSLATE_NOOP("Actions", "Align on a horizontal middle line"), "align"),
    ActionSpec("align-bottom", QT_TRANSLATE_NOOP("Actions", "Align bottom edges"), "align", ("Ctrl+Shift+Down",)),
    ActionSpec("distribute-horizontally", QT_TRANSLATE_NOOP("Actions", "Equal horizontal gaps"), "align"),
    ActionSpec("distribute-vertically", QT_TRANSLATE_NOOP("Actions", "Equal vertical gaps"), "align"),
    ActionSpec("order-front", QT_TRANSLATE_NOOP("Actions", "Bring to front"), "order", ("Ctrl+Shift+]",)),
    ActionSpec("order-forward", QT_TRANSLATE_NOOP("Actions", "Bring forward"), "order", ("Ctrl+]",)),
    ActionSpec("order-backward", QT_TRANSLATE_NOOP("Actions", "Send backward"), "order", ("Ctrl+[",)),
    ActionSpec("order-back", QT_TRANSLATE_NOOP("Actions", "Send to back"), "order", ("Ctrl+Shift+[",)),
    ActionSpec("lock", QT_TRANSLATE_NOOP("Actions", "Lock in place"), "arrange", ("Ctrl+Alt+L",), "lock"),
    ActionSpec("unlock", QT_TRANSLATE_NOOP("Actions", "Unlock"), "arrange", ("Ctrl+Alt+U",), "lock-open"),
    ActionSpec("auto-layout", QT_TRANSLATE_NOOP("Actions", "Tidy up the sheet"), "arrange", ("Ctrl+Shift+L",), "wand"),
    ActionSpec("seat-racks", QT_TRANSLATE_NOOP("Actions", "Seat in racks by rule…"), "arrange", (), "rack"),
)

_OWN_PARTS = (
    ActionSpec("own-part", QT_TRANSLATE_NOOP("Actions", "Make own part from the chosen one…"), "insert", (), "person"),
    ActionSpec("import-pack", QT_TRANSLATE_NOOP("Actions", "Import catalogue pack…"), "insert", (), "import"),
    ActionSpec("import-prices", QT_TRANSLATE_NOOP("Actions", "Import price list…"), "insert", (), "price"),
    ActionSpec("import-netbox", QT_TRANSLATE_NOOP("Actions", "Import NetBox device type…"), "insert", (), "import"),
    ActionSpec("export-pack", QT_TRANSLATE_NOOP("Actions", "Catalogue pack of my parts…"), "export", (), "package"),
)

_CHECK_ANALYSE = (
    ActionSpec("check-now", QT_TRANSLATE_NOOP("Actions", "Check now"), "check", ("F9",), "shield"),
    ActionSpec("next-problem", QT_TRANSLATE_NOOP("Actions", "Next problem"), "check", ("F8",), "arrow-down"),
    ActionSpec("prev-problem", QT_TRANSLATE_NOOP("Actions", "Previous problem"), "check", ("Shift+F8",), "arrow-up"),
    ActionSpec("fix-problem", QT_TRANSLATE_NOOP("Actions", "Fix the chosen problem"), "check", ("Ctrl+.",), "wand"),
    ActionSpec("fix-all-problems", QT_TRANSLATE_NOOP("Actions", "Fix all problems of this kind"), "check"),
    ActionSpec("approve-problem", QT_TRANSLATE_NOOP("Actions", "Approve the chosen problem…"), "check", (), "shield"),
    ActionSpec("analyse-now", QT_TRANSLATE_NOOP("Actions", "Predict now"), "analyse", ("F5",), "play"),
    ActionSpec("size-network", QT_TRANSLATE_NOOP("Actions", "Size a network…"), "analyse", (), "wand"),
    ActionSpec("stop-analysis", QT_TRANSLATE_NOOP("Actions", "Stop"), "analyse", ("Shift+F5",), "stop"),
    ActionSpec("restart-worker", QT_TRANSLATE_NOOP("Actions", "Restart the analysis"), "analyse", (), "refresh"),
)

_EXPORT = (
    ActionSpec("export-all", QT_TRANSLATE_NOOP("Actions", "Export pack…"), "export", ("Ctrl+Shift+E",), "export"),
    ActionSpec("export-report", QT_TRANSLATE_NOOP("Actions", "Report…"), "export", (), "book"),
    ActionSpec("export-diagram", QT_TRANSLATE_NOOP("Actions", "Diagram…"), "export", ("Ctrl+E",), "image"),
    ActionSpec("export-bom", QT_TRANSLATE_NOOP("Actions", "Bill of materials…"), "export", ("Ctrl+B",), "bom"),
    ActionSpec("export-cables", QT_TRANSLATE_NOOP("Actions", "Cable schedule…"), "export", (), "cables"),
    ActionSpec("export-labels", QT_TRANSLATE_NOOP("Actions", "Cable labels…"), "export", (), "printer"),
    ActionSpec("export-slots", QT_TRANSLATE_NOOP("Actions", "Lanes and slots…"), "export", (), "pcie-switch"),
    ActionSpec("export-racks", QT_TRANSLATE_NOOP("Actions", "Power, heat and weight of racks…"), "export", (), "rack"),
    ActionSpec("export-settings", QT_TRANSLATE_NOOP("Actions", "Network settings…"), "export", (), "leaf-switch"),
    ActionSpec("export-predictions", QT_TRANSLATE_NOOP("Actions", "Predictions…"), "export", (), "chart"),
)

_WINDOW_HELP = (
    ActionSpec(
        "toggle-palette", QT_TRANSLATE_NOOP("Actions", "Parts"), "window", ("Alt+1",), "package", checkable=True
    ),
    ActionSpec(
        "toggle-inspector", QT_TRANSLATE_NOOP("Actions", "Inspector"), "window", ("Alt+2",), "ruler", checkable=True
    ),
    ActionSpec(
        "toggle-problems",
        QT_TRANSLATE_NOOP("Actions", "Problems"),
        "window",
        ("Alt+3",),
        "error-octagon",
        checkable=True,
    ),
    ActionSpec(
        "toggle-performance", QT_TRANSLATE_NOOP("Actions", "Performance"), "window", ("Alt+4",), "chart", checkable=True
    ),
    ActionSpec(
        "toggle-outline", QT_TRANSLATE_NOOP("Actions", "Outline"), "window", ("Alt+5",), "outline", checkable=True
    ),
    ActionSpec(
        "toggle-history", QT_TRANSLATE_NOOP("Actions", "History"), "window", ("Alt+6",), "history", checkable=True
    ),
    ActionSpec(
        "toggle-statements", QT_TRANSLATE_NOOP("Actions", "Statements"), "window", ("Alt+7",), "table", checkable=True
    ),
    ActionSpec("toggle-paths", QT_TRANSLATE_NOOP("Actions", "Paths"), "window", ("Alt+8",), "go", checkable=True),
    ActionSpec(
        "toggle-training", QT_TRANSLATE_NOOP("Actions", "Training"), "window", ("Alt+9",), "gauge", checkable=True
    ),
    ActionSpec("reset-layout", QT_TRANSLATE_NOOP("Actions", "Reset the layout"), "window", (), "refresh"),
    ActionSpec("welcome", QT_TRANSLATE_NOOP("Actions", "Welcome page"), "help", (), "home"),
    ActionSpec("tour", QT_TRANSLATE_NOOP("Actions", "Guided tour"), "help", (), "play"),
    ActionSpec("tour-next", QT_TRANSLATE_NOOP("Actions", "Tour: next step"), "", ("Ctrl+PgDown",)),
    ActionSpec("tour-back", QT_TRANSLATE_NOOP("Actions", "Tour: step before"), "", ("Ctrl+PgUp",)),
    ActionSpec("tour-skip", QT_TRANSLATE_NOOP("Actions", "Tour: skip it"), "", ("Ctrl+Shift+End",)),
    ActionSpec("help", QT_TRANSLATE_NOOP("Actions", "User guide"), "help", (Key.HelpContents,), "book"),
    ActionSpec("shortcuts", QT_TRANSLATE_NOOP("Actions", "Keyboard shortcuts…"), "help", ("Ctrl+/",), "keyboard"),
    ActionSpec("diagnostics", QT_TRANSLATE_NOOP("Actions", "Diagnostic file…"), "help", (), "bug"),
    ActionSpec("about", QT_TRANSLATE_NOOP("Actions", "About Fabricwright"), "help", (), "info-circle"),
)

#: All commands, in menu order.
ACTIONS: tuple[ActionSpec, ...] = (
    _FILE + _EDIT + _VIEW + _INSERT_ARRANGE + _CHECK_ANALYSE + _EXPORT + _OWN_PARTS + _WINDOW_HELP
)
