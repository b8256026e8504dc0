"""The form of the requirements: sections of fields, beside each other or below each other, and the values they hold."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from fabricwright.catalog.store import catalogue
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.sizing.fields import ChoiceField, NumberField, PartField, SetField
from fabricwright.ui.style_paint import rounded
from fabricwright.ui.theme import MEDIUM, SEMIBOLD, theme
from fabricwright.ui.widgets import TextLabel

LABEL_PX = 112
#: section -> its fields, in reading order.
SECTIONS: dict[str, tuple[str, ...]] = {
    "compute": ("servers", "server", "gpus", "gpu", "grow_to"),
    "fabric": ("nic", "nics_per_server", "medium", "rails", "planes", "tiers", "ratio1", "ratio2"),
    "switches": ("switches", "leaf", "spine", "core", "ufm_links"),
    "resilience": ("redundancy", "networks"),
    "racks": ("rack", "rack_kw", "rack_u", "leaf_place", "max_cable_m"),
    "ranking": ("size",),
}
#: Sections of each column, by the number of columns.
PLACES: dict[int, tuple[tuple[str, ...], ...]] = {
    1: (tuple(SECTIONS),),
    2: (("compute", "resilience", "racks"), ("fabric", "switches", "ranking")),
    3: (("compute", "resilience", "ranking"), ("fabric",), ("switches", "racks")),
}
SIZES = (1 << 20, 1 << 26, 1 << 28, 1 << 30, 1 << 32)
RATIOS = (1.0, 1.5, 2.0, 3.0, 4.0, 8.0)
DEFAULTS: dict[str, Any] = {"rails": "auto", "leaf_place": "end", "size": 1 << 30, "ratio1": 1.0, "ratio2": 0.0}


def words(name: str) -> str:
    """Label of a section or a field."""
    return {
        "compute": QCoreApplication.translate("SizingForm", "Compute"),
        "fabric": QCoreApplication.translate("SizingForm", "Compute network"),
        "switches": QCoreApplication.translate("SizingForm", "Switches"),
        "resilience": QCoreApplication.translate("SizingForm", "Resilience and other networks"),
        "racks": QCoreApplication.translate("SizingForm", "Racks and reach"),
        "ranking": QCoreApplication.translate("SizingForm", "Workload for ranking"),
        "servers": QCoreApplication.translate("SizingForm", "Servers"),
        "server": QCoreApplication.translate("SizingForm", "Server"),
        "gpus": QCoreApplication.translate("SizingForm", "GPUs in all"),
        "gpu": QCoreApplication.translate("SizingForm", "GPU"),
        "grow_to": QCoreApplication.translate("SizingForm", "Later, GPUs"),
        "nic": QCoreApplication.translate("SizingForm", "NIC"),
        "nics_per_server": QCoreApplication.translate("SizingForm", "NICs per server"),
        "medium": QCoreApplication.translate("SizingForm", "Protocol"),
        "rails": QCoreApplication.translate("SizingForm", "Wiring"),
        "planes": QCoreApplication.translate("SizingForm", "Planes"),
        "tiers": QCoreApplication.translate("SizingForm", "Tiers"),
        "ratio1": QCoreApplication.translate("SizingForm", "Oversubscription"),
        "ratio2": QCoreApplication.translate("SizingForm", "of the spines"),
        "leaf": QCoreApplication.translate("SizingForm", "Leaf"),
        "spine": QCoreApplication.translate("SizingForm", "Spine"),
        "core": QCoreApplication.translate("SizingForm", "Core"),
        "ufm_links": QCoreApplication.translate("SizingForm", "UFM links"),
        "redundancy": QCoreApplication.translate("SizingForm", "Failures survived"),
        "networks": QCoreApplication.translate("SizingForm", "Other networks"),
        "storage": QCoreApplication.translate("SizingForm", "Storage"),
        "inband": QCoreApplication.translate("SizingForm", "In-band"),
        "oob": QCoreApplication.translate("SizingForm", "Out-of-band"),
        "rack": QCoreApplication.translate("SizingForm", "Rack"),
        "rack_kw": QCoreApplication.translate("SizingForm", "Power of a rack"),
        "rack_u": QCoreApplication.translate("SizingForm", "Height of a rack"),
        "leaf_place": QCoreApplication.translate("SizingForm", "Leafs stand"),
        "max_cable_m": QCoreApplication.translate("SizingForm", "Longest cable"),
        "size": QCoreApplication.translate("SizingForm", "Collective size"),
    }.get(name) or QCoreApplication.translate("SizingForm", "Allowed switches")


class Section(QWidget):
    """A card with a title and rows of label and field."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.name = name
        self.framed = True
        column = QVBoxLayout(self)
        self.column = column
        column.setSpacing(6)
        self.title = TextLabel("", self, px=12, weight=SEMIBOLD, token="text.2")
        column.addWidget(self.title)
        self.rows: list[tuple[TextLabel, str]] = []
        self.set_framed(True)

    def set_framed(self, framed: bool) -> None:
        """On a card of its own or as a part of another."""
        self.framed = framed
        side = 16 if framed else 0
        self.column.setContentsMargins(side, 12 if framed else 4, side, 14 if framed else 4)
        self.update()

    def add(self, name: str, field: QWidget) -> None:
        """One row."""
        row = QHBoxLayout()
        row.setSpacing(8)
        label = TextLabel("", self, px=12.5, weight=MEDIUM, token="text.2")
        label.setFixedWidth(LABEL_PX)
        label.setBuddy(field)
        row.addWidget(label)
        row.addWidget(field, 1)
        self.column.addLayout(row)
        self.rows.append((label, name))

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.framed:
            return
        painter = QPainter(self)
        rounded(painter, self.rect(), theme()["panel"], theme()["border"], 8)
        painter.end()


class RequirementForm(QWidget):
    """All sections. ``edited`` whenever something was changed by hand."""

    edited = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.fields: dict[str, Any] = {}
        self.sections = [Section(name, self) for name in SECTIONS]
        self._by_gpus = False
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(14)
        self._stacks = [QVBoxLayout() for _ in range(3)]
        for stack in self._stacks:
            self._row.addLayout(stack)
        self._columns: object = None
        self._make()
        self.retranslate()
        self.set_columns(3)
        self.fields["size"].set_value(DEFAULTS["size"])
        self.set_values({})

    def _make(self) -> None:
        number = {
            "servers": ("", True),
            "gpus": ("", True),
            "grow_to": ("", True),
            "nics_per_server": ("", True),
            "ufm_links": ("", True),
            "rack_kw": ("kW", False),
            "rack_u": ("U", True),
            "max_cable_m": ("m", False),
        }
        parts = {
            "server": (("server", "chassis"), with_gpus()),
            "gpu": (("gpu",), ()),
            "nic": (("nic",), ()),
            "leaf": (("switch",), ()),
            "spine": (("switch",), ()),
            "core": (("switch",), ()),
            "rack": (("rack",), ()),
        }
        for section in self.sections:
            for name in SECTIONS[section.name]:
                field: QWidget
                if name in number:
                    unit, whole = number[name]
                    field = NumberField(section, unit, whole=whole)
                elif name in parts:
                    kinds, only = parts[name]
                    field = PartField(section, kinds, only=only)  # filled by retranslate
                elif name == "switches":
                    field = SetField(section, "switch")
                elif name == "networks":
                    field = _Networks(section)
                else:
                    field = ChoiceField(section)
                self.fields[name] = field
                field.edited.connect(lambda n=name: self._edited(n))  # type: ignore[attr-defined]
                section.add(name, field)

    # -- layout -----------------------------------------------------------------------------------------------------

    def set_columns(self, columns: int, beside: QWidget | None = None, *, framed: bool = True) -> None:
        """Cards in so many columns, or plain sections below each other. ``beside`` stands below the second column (or
        below all)."""
        key = (columns, beside, framed)
        if key == self._columns:
            return
        self._columns = key
        for stack in self._stacks:
            while stack.count():
                stack.takeAt(0)
        by_name = {section.name: section for section in self.sections}
        for section in self.sections:
            section.set_framed(framed)
        for n, stack in enumerate(self._stacks):
            stack.setSpacing(14 if framed else 4)
            for name in PLACES[columns][n] if n < columns else ():
                stack.addWidget(by_name[name])
            self._row.setStretch(n, 1 if n < columns else 0)
        if beside is not None:
            self._stacks[1 if columns > 1 else 0].addWidget(beside)
            beside.show()
        for stack in self._stacks:
            stack.addStretch(1)

    def retranslate(self) -> None:
        """Texts in the current language."""
        for section in self.sections:
            section.title.setText(words(section.name))
            for label, name in section.rows:
                label.setText(words(name))
                self.fields[name].setAccessibleName(words(name))
        choose, auto = self.tr("choose"), self.tr("as it fits")
        for name in ("servers", "gpus", "grow_to", "nics_per_server", "ufm_links", "rack_kw", "rack_u", "max_cable_m"):
            none = {"nics_per_server": choose, "rack_kw": auto, "rack_u": auto}.get(name, "")
            self.fields[name].setPlaceholderText(
                none or {"grow_to": self.tr("no growth"), "max_cable_m": self.tr("any")}.get(name, "")
            )
        nones = {
            "gpu": self.tr("as built in"),
            "nic": self.tr("as built in"),
            "leaf": self.tr("any"),
            "spine": self.tr("as the leaf"),
            "core": self.tr("as the spine"),
            "rack": self.tr("any that fits"),
        }
        for name, none in nones.items():
            self.fields[name].fill(none)
        self.fields["server"].fill("")
        self.fields["switches"].set_all(self.tr("all there are"))
        fields = self.fields
        fields["medium"].set_choices((("", auto), ("ib", "InfiniBand"), ("eth", self.tr("Ethernet (RoCE)"))))
        fields["rails"].set_choices((("auto", auto), ("yes", self.tr("rail-aligned")), ("no", self.tr("no rails"))))
        fields["planes"].set_choices(((0, auto), (1, "1"), (2, "2"), (4, "4")))
        fields["tiers"].set_choices(((0, self.tr("as few as possible")), (1, "1"), (2, "2"), (3, "3")))
        ratios = tuple((r, f"{r:g}:1") for r in RATIOS)
        fields["ratio1"].set_choices(ratios)
        fields["ratio2"].set_choices(((0.0, self.tr("as the leafs")), *ratios))
        fields["redundancy"].set_choices(((0, self.tr("not asked for")), (1, "1"), (2, "2")))
        fields["leaf_place"].set_choices(
            (
                ("end", self.tr("at the end of the row")),
                ("middle", self.tr("in the middle")),
                ("top", self.tr("in each rack")),
            )
        )
        from fabricwright.units.quantity import format_size

        fields["size"].set_choices(tuple((n, format_size(n)) for n in SIZES))
        fields["networks"].retranslate()

    def changeEvent(self, event: QEvent) -> None:
        """Live switch of language."""
        if event.type() == QEvent.Type.LanguageChange and self.fields:
            self.retranslate()
        super().changeEvent(event)

    # -- values -----------------------------------------------------------------------------------------------------

    def _edited(self, name: str) -> None:
        if name in ("servers", "gpus", "server"):
            if name != "server":
                self._by_gpus = name == "gpus"
            self._couple()
        self.edited.emit()

    def _couple(self) -> None:
        """Servers follow the GPUs, or the GPUs the servers."""
        each = gpus_of(self.fields["server"].value())
        given, other = ("gpus", "servers") if self._by_gpus else ("servers", "gpus")
        count = self.fields[given].value()
        if not each or count is None:
            self.fields[other].set_value(None)
            return
        self.fields[other].set_value(-(-int(count) // each) if self._by_gpus else int(count) * each)

    def values(self) -> dict[str, Any]:
        """Fields of a requirement that are stated."""
        out: dict[str, Any] = {}
        by = "gpus" if self._by_gpus else "servers"
        for name, field in self.fields.items():
            value = field.value()
            if name in ("servers", "gpus") and name != by:
                continue
            if name in ("ratio1", "ratio2", "size", "networks") or not value:
                continue
            if isinstance(value, int) and name in ("rack_kw", "max_cable_m"):
                value = float(value)
            if DEFAULTS.get(name) != value:
                out[name] = list(value) if isinstance(value, tuple) else value
        first, second = self.fields["ratio1"].value(), self.fields["ratio2"].value()
        if first != 1.0 or second:
            out["oversubscription"] = [first, second] if second else [first]
        others = self.fields["networks"].value()
        if others:
            out["networks"] = ["compute", *others]
        return out

    def size_bytes(self) -> int:
        """Size of the collective that alternatives are ranked by."""
        return int(self.fields["size"].value())

    def understood(self) -> bool:
        """Whether every number is one."""
        return all(f.understood() for f in self.fields.values() if isinstance(f, NumberField))

    def set_values(self, values: dict[str, Any]) -> None:
        """Put a requirement in; what it does not name gets its default."""
        self._by_gpus = "gpus" in values and not values.get("servers")
        ratios = tuple(float(r) for r in values.get("oversubscription") or (1.0,))
        given = {**values, "ratio1": ratios[0], "ratio2": ratios[1] if len(ratios) > 1 else 0.0}
        given["networks"] = [n for n in values.get("networks") or () if n != "compute"]
        given.setdefault("server", "dgx-h100")
        for name, field in self.fields.items():
            if name == "size" and name not in given:
                continue
            default: Any = DEFAULTS.get(name, "" if isinstance(field, PartField) else 0)
            if name == "medium":
                default = ""
            if isinstance(field, (NumberField, SetField)):
                default = None
            field.set_value(given.get(name, default))
        self._couple()

    def change(self, values: dict[str, Any]) -> None:
        """Change some fields, as by hand."""
        self.set_values({**self.values(), **values})
        self.edited.emit()


class _Networks(QWidget):
    """Check boxes of the networks beside the compute one."""

    edited = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 0)
        column.setSpacing(4)
        self.boxes = {name: QCheckBox(self) for name in ("storage", "inband", "oob")}
        for box in self.boxes.values():
            column.addWidget(box)
            box.clicked.connect(lambda _on: self.edited.emit())
        self.setFocusProxy(self.boxes["storage"])

    def retranslate(self) -> None:
        """Texts."""
        for name, box in self.boxes.items():
            box.setText(words(name))

    def value(self) -> tuple[str, ...]:
        """Those that are ticked."""
        return tuple(n for n, box in self.boxes.items() if box.isChecked())

    def set_value(self, value: Any) -> None:
        """Tick these."""
        for name, box in self.boxes.items():
            box.setChecked(name in (value or ()))


def gpus_of(server: str) -> int:
    """GPUs in a server part, 0 where its count is not known beforehand."""
    return int(catalogue().get(server).get("gpu_count") or 0) if server in catalogue() else 0


def with_gpus() -> tuple[str, ...]:
    """Servers and chassis that GPUs go into: all that state a count or have wide or module slots."""
    store = catalogue()
    out = []
    for kind in ("server", "chassis"):
        for part in store.kinds().get(kind, ()):
            if kind == "server" or store.raw(part).get("interior"):
                out.append(part)
    return tuple(p for p in out if p != "desktop-am5")
