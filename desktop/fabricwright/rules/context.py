"""What a rule may look at: the compiled stages of one design, opened one by one as the rule declared them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Protocol

from fabricwright.catalog.parts import Scalar
from fabricwright.design.address import Address, Step
from fabricwright.design.calls import EditCall
from fabricwright.design.effective import EffItem, EffSheet
from fabricwright.design.indexset import IndexSet
from fabricwright.design.order import chosen_workload
from fabricwright.design.values import Design, Item, Project, Sheet, Workload
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import Rule
from fabricwright.units.errors import UserError
from fabricwright.units.record import record
from fabricwright.units.text import Message

if TYPE_CHECKING:
    from fabricwright.topology.cables import BundleCables
    from fabricwright.topology.model import Bundle, Fabric, Interior
    from fabricwright.topology.seating import Places


class Stages(Protocol):
    """Where the compiled stages come from. Analysis serves them from its cache; ``fabricwright.rules.direct``
    computes them.
    """

    def effective(self, sheet_id: str) -> EffSheet:
        """Effective rows of a sheet."""

    def interior(self, sheet_id: str) -> Interior:
        """Compiled interior of a server sheet."""

    def bundles(self) -> Mapping[str, Bundle]:
        """Wired links of the root sheet by link id."""

    def fabric(self) -> Fabric:
        """The root sheet as arrays."""

    def of(self, design_id: str) -> Stages:
        """The same of another design."""

    def seating(self) -> Mapping[str, Places]:
        """Where the members of each seated item of the root sheet stand, by item id."""

    def cables(self) -> Mapping[str, BundleCables]:
        """Physical cables of each link of the root sheet, by link id."""


@record
class Variant:
    """Members of a group that are drawn by the same server sheet. ``item`` "" when the design is one server sheet
    alone.
    """

    item: str
    sheet: str
    members: IndexSet
    eff: EffSheet

    def at(self, *items: str, port: str = "") -> Address:
        """Address of something inside (or of the server itself without arguments). Inner items of boxes are further
        steps.
        """
        steps = [Step(self.item)] if self.item else []
        for name in items:
            steps += [Step(piece) for piece in name.split("/")]
        return Address(tuple(steps), port)


class RuleContext:
    """One design, seen by one rule. Reading a stage that the rule did not declare is a defect and asserts in debug
    runs.
    """

    def __init__(self, project: Project, design_id: str, stages: Stages) -> None:
        self.project = project
        self.design_id = design_id
        self.rule: Rule | None = None
        self._stages = stages
        self._shared: dict[str, object] = {}

    def view(self, rule: Rule) -> RuleContext:
        """The same context as ``rule`` may see it; derived values are shared between rules."""
        seen = RuleContext(self.project, self.design_id, self._stages)
        seen.rule = rule
        seen._shared = self._shared
        return seen

    def _open(self, *stages: str) -> None:
        if __debug__ and self.rule is not None:
            assert any(stage in self.rule.needs for stage in stages), f"{self.rule.id} does not declare {stages[0]}"

    @property
    def design(self) -> Design:
        """The design."""
        return self.project.designs[self.design_id]

    @property
    def settings(self) -> Mapping[str, Scalar]:
        """Settings of the design (``nccl.p2p_level`` ...)."""
        self._open("settings")
        return self.design.settings

    def workload(self) -> Workload | None:
        """What is trained: the workload that the design's setting ``workload`` names, else the project's only one."""
        return self.project.workloads.get(self.workload_id()) if self.workload_id() else None

    def workload_id(self) -> str:
        """Its id, "" when none is chosen and the project has none or several."""
        self._open("workload")
        return chosen_workload(self.project, self.design)

    def beside(self, design_id: str) -> RuleContext:
        """Another design of the project, seen by the same rule."""
        self._open("designs")
        other = RuleContext(self.project, design_id, self._stages.of(design_id))
        other.rule = self.rule
        return other

    def effective(self, sheet_id: str) -> EffSheet:
        """Effective rows of a sheet: any for a rule about the design, its own for a rule about servers."""
        self._open("effective")
        return self._stages.effective(sheet_id)

    @property
    def root(self) -> EffSheet:
        """Effective rows of the root sheet."""
        if self.rule is None or self.rule.scope == "design":
            self._open("root", "effective", "wiring", "fabric", "seating", "cables")
        else:
            self._open("root", "wiring", "fabric", "seating", "cables")
        return self._stages.effective(self.design.root)

    def interior(self, sheet_id: str) -> Interior:
        """Compiled interior of a server sheet."""
        self._open("interior")
        return self._stages.interior(sheet_id)

    def bundles(self) -> Mapping[str, Bundle]:
        """Wired links of the root sheet."""
        self._open("wiring", "fabric")
        return self._stages.bundles()

    def fabric(self) -> Fabric:
        """The root sheet as arrays."""
        self._open("fabric")
        return self._stages.fabric()

    def seating(self) -> Mapping[str, Places]:
        """Where the members of each seated item of the root sheet stand; items that are seated nowhere are missing."""
        self._open("seating")
        return self._stages.seating()

    def cables(self) -> Mapping[str, BundleCables]:
        """Physical cables of each link of the root sheet: part, ordered and laid length of every one."""
        self._open("cables")
        return self._stages.cables()

    def shared(self, key: str) -> object | None:
        """A value that another rule of this run derived, or None."""
        return self._shared.get(key)

    def share(self, key: str, value: object) -> None:
        """Keep a derived value for the other rules of this run."""
        self._shared[key] = value

    # -- groups -------------------------------------------------------------------------------------------------------

    def variants(self) -> list[Variant]:
        """Every (group, variant) of the design, in natural order of groups. They hold the servers' own sheets."""
        self._open("effective", "interior")
        found = self._shared.get("variants")
        if found is None:
            found = self._shared["variants"] = list(self._variants())
        assert isinstance(found, list)
        return found

    def _variants(self) -> Iterator[Variant]:
        root = self.design.sheets.get(self.design.root)
        if root is None:
            return
        if root.kind == "server":
            yield Variant("", self.design.root, IndexSet.span(1), self._stages.effective(self.design.root))
            return
        for item_id in root.items.ordered():
            item = root.items[item_id]
            if not (item.of or "").startswith("sheet:"):
                continue
            for sheet_id, members in split_members(item).items():
                if members and sheet_id in self.design.sheets:
                    yield Variant(item_id, sheet_id, members, self._stages.effective(sheet_id))

    def group(self, item_id: str) -> Item | None:
        """A stored row of the root sheet."""
        root = self.design.sheets.get(self.design.root)
        return root.items.get(item_id) if root else None

    def owner_sheet(self, sheet_id: str, item_id: str) -> str:
        """The sheet of the base chain that stores the row of an item; ``sheet_id`` itself for a built-in one."""
        seen: set[str] = set()
        here: str | None = sheet_id
        while here and here in self.design.sheets and here not in seen:
            seen.add(here)
            row = self.design.sheets[here].items.get(item_id)
            if row is not None and row.of is not None:
                return here
            here = self.design.sheets[here].base
        return sheet_id

    def config_of_chassis(self, sheet_id: str) -> dict[str, object]:
        """Config of the row ``chassis`` along the base chain (``fitted.PART`` counts and the like)."""
        return chassis_config(self.design, sheet_id)

    # -- making findings ----------------------------------------------------------------------------------------------

    def finding(
        self,
        at: Iterable[Address],
        message: Message,
        *,
        variant: Variant | None = None,
        members: IndexSet | None = None,
        measured: float | None = None,
        allowed: float | None = None,
        unit: str = "",
        values: Mapping[str, object] | None = None,
        evidence: Iterable[str] = (),
        fix: Iterable[EditCall] = (),
        estimate: bool = False,
        sheet: str = "",
    ) -> Finding:
        """A finding of the running rule. Members default to those of ``variant``; evidence to the rule's source."""
        assert self.rule is not None
        own = tuple(evidence) or tuple(s.strip() for s in self.rule.source.split(";") if s.strip())
        return Finding(
            self.rule.id,
            self.rule.severity,
            self.design_id,
            sheet or (variant.sheet if variant else self.design.root),
            tuple(at),
            message,
            members if members is not None else (variant.members if variant else IndexSet()),
            measured,
            allowed,
            unit,
            dict(values or {}),
            own,
            tuple(fix),
            estimate,
        )

    def edit(self, name: str, sheet: str, **args: object) -> EditCall:
        """An edit of this design, for ``fix``."""
        return EditCall(name, {"design": self.design_id, "sheet": sheet, **args})


def split_members(item: Item) -> dict[str, IndexSet]:
    """Sheet id -> present members of a server group, exceptions applied (later index sets win)."""
    base = (item.of or "")[6:]
    sheets: dict[str, IndexSet] = {base: IndexSet.span(item.count)}
    for text in item.except_.ordered():
        override = item.except_[text]
        try:
            members = IndexSet.parse(text, item.axes).clip(item.count)
        except UserError:
            continue
        if not members or (override.sheet is None and not override.absent):
            continue
        sheets = {sheet: have.minus(members) for sheet, have in sheets.items()}
        if override.sheet is not None and not override.absent:
            sheets[override.sheet] = sheets.get(override.sheet, IndexSet()).union(members)
    return sheets


def chassis_config(design: Design, sheet_id: str) -> dict[str, object]:
    """Config of the overlay row ``chassis`` of a sheet and its bases; nearer sheets win."""
    chain: list[Sheet] = []
    here: str | None = sheet_id
    seen: set[str] = set()
    while here and here in design.sheets and here not in seen:
        seen.add(here)
        chain.append(design.sheets[here])
        here = design.sheets[here].base
    out: dict[str, object] = {}
    for sheet in reversed(chain):
        row = sheet.items.get("chassis")
        if row is not None:
            out.update(row.config)
    return out


def own_items(eff: EffSheet) -> Iterator[EffItem]:
    """Items that somebody put there: built-in ones as shipped are not judged against their own chassis."""
    for item_id in sorted(eff.items):
        item = eff.items[item_id]
        if not item.locked:
            yield item
