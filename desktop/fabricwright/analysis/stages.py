"""Compiled stages of one design, each found in the cache by the content of its inputs.

    interior  <- sheet, the settings that steer NCCL's transport inside a server
    bundle    <- link row, both items with their exceptions, ports or exports
    seating   <- root sheet, seats, chassis of the server sheets
    cables    <- bundle, seating, cages of both ends, cable parts and prices of the project (one result per link)
    fabric    <- root sheet, seats, what the server sheets show to the network (ports and exports)
    cluster   <- fabric, all interiors, settings, ranks, failures
    rule r    <- exactly the stages that the rule declares; for a rule about servers, each (group, variant) apart
    book      <- cluster (flows of every algorithm, sizes aside)

Drawing and naming are outside every key: after a move all stages are found again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

from fabricwright.analysis.cache import Key, StageCache, T
from fabricwright.design.address import split_end
from fabricwright.design.effective import EffSheet, effective
from fabricwright.design.keys import digest, part_key, row_key, settings_key, sheet_key, table_key
from fabricwright.design.order import designs_in_order
from fabricwright.design.values import Design, Project
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import Rule, all_rules
from fabricwright.rules.run import merge, order, run_for, run_rule
from fabricwright.topology.cables import BundleCables, bundle_cables
from fabricwright.topology.cluster import compile_cluster
from fabricwright.topology.fabric import compile_fabric, wire_one
from fabricwright.topology.interior import compile_interior
from fabricwright.topology.model import Bundle, Cluster, Fabric, Interior
from fabricwright.topology.seating import Places, places_of

if TYPE_CHECKING:  # loaded when something is predicted, see ``book``
    from fabricwright.performance.plans import PlanBook

INTERIOR_SETTINGS = ("nccl.", "acs", "iommu", "p2p", "gdr")
Checkpoint = Callable[[], None]


class CachedStages:
    """The stages of ``design_id``. ``checkpoint`` is called between stages and may raise to drop the computation."""

    def __init__(
        self, project: Project, design_id: str, cache: StageCache, checkpoint: Checkpoint = lambda: None
    ) -> None:
        self.project = project
        self.design_id = design_id
        self.cache = cache
        self._checkpoint = checkpoint
        self._sheet_keys: dict[str, int] = {}
        self._port_keys: dict[str, int] = {}
        self._rule_keys: dict[tuple[bool, frozenset[str]], Key] = {}
        self._bundles: dict[str, Bundle] | None = None
        self._cables: dict[str, BundleCables] | None = None

    @property
    def design(self) -> Design:
        """The design."""
        return self.project.designs[self.design_id]

    def checkpoint(self) -> None:
        """Give whoever asked for this the chance to drop it."""
        self._checkpoint()

    def of(self, design_id: str) -> CachedStages:
        """The stages of another design of the project, from the same cache."""
        return CachedStages(self.project, design_id, self.cache, self._checkpoint)

    # -- keys ---------------------------------------------------------------------------------------------------------

    def sheet_key(self, sheet_id: str) -> int:
        """Content key of a sheet."""
        if sheet_id not in self._sheet_keys:
            self._sheet_keys[sheet_id] = sheet_key(self.project, self.design, sheet_id)
        return self._sheet_keys[sheet_id]

    def _interior_key(self, sheet_id: str) -> Key:
        return (self.sheet_key(sheet_id), self._interior_settings_key)

    @cached_property
    def _interior_settings_key(self) -> int:
        return settings_key(self.design, INTERIOR_SETTINGS)

    def _bundle_key(self, eff: EffSheet, link_id: str) -> Key:
        link = eff.links[link_id]
        return (row_key(link), self._end_key(link.a), self._end_key(link.b))

    def _end_key(self, end: str) -> int:
        """Everything that wiring reads of one end: the item's row, and the ports it or its server sheets show."""
        item_id = split_end(end)[0].partition("/")[0]
        row = self.design.sheets[self.design.root].items.get(item_id)
        if row is None:
            return 0
        of = row.of or ""
        if not of.startswith("sheet:"):
            return digest(row_key(row), part_key(self.project, of))
        shown = effective(self.project, self.design, of[6:]).exports
        return digest(row_key(row), repr(sorted((k, v.ports, v.axes) for k, v in shown.items())))

    @cached_property
    def _seating_key(self) -> Key:
        """Everything that decides where members stand: racks, seats, and the heights of what is seated."""
        sheets = self.design.sheets
        root = sheets.get(self.design.root)
        if root is None:
            return ()
        drawn = [(s, row) for s, row in sorted(sheets.items()) if row.kind == root.kind]
        parts = {item.of or "" for _, row in drawn for item in row.items.values()} | {
            r.chassis or "" for r in sheets.values()
        }
        return (
            self.design.root,
            table_key(root.seats),
            tuple((s, row.base, row.chassis) for s, row in sorted(sheets.items())),
            tuple((s, row.removed, table_key(row.items)) for s, row in drawn),
            tuple((p, part_key(self.project, p)) for p in sorted(parts) if p and not p.startswith("sheet:")),
        )

    @cached_property
    def _choice_key(self) -> Key:
        """Everything of the project that an automatic choice of cables looks at."""
        own = sorted(part for part, row in self.project.parts.items() if row.kind == "cable")
        parts = repr([(part, part_key(self.project, part)) for part in own])
        return (digest(parts, table_key(self.project.prices)),)

    def _cables_key(self, eff: EffSheet, link_id: str) -> Key:
        link = eff.links[link_id]
        inside: list[object] = []
        for end in (link.a, link.b):
            item = eff.items.get(split_end(end)[0].partition("/")[0])
            if item is not None:  # ports with their breakouts, which may be implied by other links
                inside += [tuple((name, port.cage, port.gbps) for name, port in item.ports.items())]
                inside += [self._ports_key(item.of[6:]) if item.of.startswith("sheet:") else 0]
        cable = part_key(self.project, link.cable) if link.cable else 0
        return (link_id, *self._bundle_key(eff, link_id), cable, *inside, self._seating_key, self._choice_key)

    def _ports_key(self, sheet_id: str) -> int:
        """What a server sheet shows to the network: its chassis, its exports, and all about the items with ports."""
        if sheet_id not in self._port_keys:
            eff = self.effective(sheet_id)
            owners = {port.rpartition(":")[0].partition("/")[0] for row in eff.exports.values() for port in row.ports}
            owners |= {i for i, item in eff.items.items() if any(p.gbps or p.cage for p in item.ports.values())}
            shown = [
                (
                    i,
                    eff.items[i].of,
                    eff.items[i].locked,
                    sorted((key, str(value)) for key, value in eff.items[i].config.items()),
                    tuple((name, p.cage, p.gbps, p.medium) for name, p in eff.items[i].ports.items()),
                    part_key(self.project, eff.items[i].of),
                )
                for i in sorted(owners & set(eff.items))
            ]
            exports = sorted((name, row.ports, row.axes) for name, row in eff.exports.items())
            chassis = self.design.sheets[sheet_id].chassis if sheet_id in self.design.sheets else None
            stated = sorted((key, str(value)) for key, value in eff.chassis_config.items())
            self._port_keys[sheet_id] = digest(
                repr(shown), repr(exports), repr(stated), part_key(self.project, chassis or "")
            )
        return self._port_keys[sheet_id]

    @cached_property
    def _fabric_key(self) -> Key:
        """Everything that the root sheet is compiled from: its rows, its racks, and what its servers show."""
        shown = tuple((s, self._ports_key(s)) for s in self.server_sheets())
        return (digest(repr((self.design.root, self.sheet_key(self.design.root), shown, self._seating_key))),)

    @cached_property
    def _cluster_key(self) -> Key:
        root = self.design.sheets.get(self.design.root)
        seats = table_key(root.seats) if root is not None else 0
        # With their ids: two designs may call different sheets by the same name, and items refer to them by it.
        sheets = tuple((s, self.sheet_key(s)) for s in sorted(self.design.sheets))
        return (self.design.root, sheets, seats, self.design.ranks, settings_key(self.design))

    # -- stages -------------------------------------------------------------------------------------------------------

    def effective(self, sheet_id: str) -> EffSheet:
        """Effective rows of a sheet."""
        return effective(self.project, self.design, sheet_id)

    def interior(self, sheet_id: str) -> Interior:
        """Compiled interior of a server sheet."""
        self._checkpoint()
        return self.cache.get(
            "interior",
            self._interior_key(sheet_id),
            lambda: compile_interior(self.effective(sheet_id), self.design.settings),
        )

    def bundles(self) -> Mapping[str, Bundle]:
        """Wired links of the root sheet."""
        if self._bundles is None:
            eff = self.effective(self.design.root)
            self._checkpoint()
            self._bundles = {
                link_id: self.cache.get(
                    "wiring",
                    (link_id, *self._bundle_key(eff, link_id)),
                    partial(wire_one, self.project, self.design, eff, link_id),
                )
                for link_id in (eff.links if eff.kind == "fabric" else ())
            }
        return self._bundles

    def seating(self) -> Mapping[str, Places]:
        """Where the members of each seated item of the root sheet stand."""
        self._checkpoint()
        return self.cache.get(
            "seating",
            self._seating_key,
            lambda: places_of(self.project, self.design, self.effective(self.design.root)),
        )

    def cables(self) -> Mapping[str, BundleCables]:
        """Physical cables of each link of the root sheet."""
        if self._cables is None:
            eff, places = self.effective(self.design.root), self.seating()
            self._checkpoint()
            self._cables = {
                link_id: self.cache.get(
                    "cables",
                    self._cables_key(eff, link_id),
                    partial(bundle_cables, self.project, self.design, eff, bundle, places),
                )
                for link_id, bundle in self.bundles().items()
                if bundle.a_item in eff.items and bundle.b_item in eff.items
            }
        return self._cables

    def server_sheets(self) -> list[str]:
        """Sheets that members of the root sheet are drawn by; the root itself when it is a server."""
        root = self.design.sheets.get(self.design.root)
        if root is None:
            return []
        if root.kind == "server":
            return [self.design.root]
        found: dict[str, None] = {}
        for item in root.items.values():
            if item.of and item.of.startswith("sheet:"):
                found.setdefault(item.of[6:])
                for override in item.except_.values():
                    if override.sheet:
                        found.setdefault(override.sheet)
        return [sheet for sheet in found if sheet in self.design.sheets]

    def cluster(
        self, *, ranks: Sequence[str] | None = None, nodes: int | None = None, failed: Sequence[str] = ()
    ) -> Cluster:
        """The compiled design; ``ranks``, ``nodes``, ``failed`` as ``compile_cluster`` takes them."""
        interiors = {sheet: self.interior(sheet) for sheet in self.server_sheets()}
        bundles = self.bundles()
        fabric = None if failed else self.fabric()
        self._checkpoint()
        return self.cache.get(
            "cluster",
            (*self._cluster_key, tuple(ranks) if ranks is not None else None, nodes, tuple(failed)),
            lambda: compile_cluster(
                self.project,
                self.design_id,
                ranks=ranks,
                nodes=nodes,
                failed=failed,
                interiors=interiors,
                bundles=bundles,
                fabric=fabric,
            ),
        )

    def fabric(self) -> Fabric:
        """The root sheet as arrays, nothing down."""
        bundles = self.bundles()
        self._checkpoint()
        return self.cache.get(
            "fabric", self._fabric_key, lambda: compile_fabric(self.project, self.design, bundles=bundles)
        )

    def book(self, cluster: Cluster, key: Key) -> PlanBook:
        """Flows of a cluster; ``key`` is what the cluster was found by beyond the design."""
        from fabricwright.performance.predict import open_book

        self._checkpoint()
        return self.cache.get("flows", (*self._cluster_key, *key), lambda: open_book(cluster))

    def of_cluster(self, stage: str, key: Key, compute: Callable[[], T]) -> T:
        """What ``compute`` makes of a cluster; ``key`` is what it depends on beyond the design."""
        return self.cache.get(stage, (*self._cluster_key, *key), compute)

    # -- rules --------------------------------------------------------------------------------------------------------

    def findings(self, only: Sequence[str] | None = None) -> list[Finding]:
        """Findings of all rules (or of ``only`` these); each rule runs again only when a stage it reads has changed,
        and a rule about servers only for the servers that changed.
        """
        context = RuleContext(self.project, self.design_id, self)
        servers = [(variant, self._variant_key(context, variant)) for variant in context.variants()]
        found: list[Finding] = []
        for rule in all_rules().values():
            if only is not None and rule.id not in only:
                continue
            self._checkpoint()
            needs = (rule.scope == "design", rule.needs)  # rules that read the same have the same key
            if needs not in self._rule_keys:
                self._rule_keys[needs] = self._rule_key(rule)
            stage, key = f"rule {rule.id}", self._rule_keys[needs]
            if rule.scope == "design":
                found += self.cache.get(stage, key, partial(run_rule, context, rule))
                continue
            rows: list[Finding] = []
            for variant, own in servers:
                rows += self.cache.get(stage, (*key, *own), partial(run_for, context, rule, variant))
            found += merge(rows, rule.direction)
        return sorted(found, key=order)

    def _variant_key(self, context: RuleContext, variant: Variant) -> Key:
        """One (group, variant): its members, the group's own row, the sheet it is drawn by."""
        row = context.group(variant.item) if variant.item else None
        return (
            variant.item,
            str(variant.members),
            row_key(row) if row is not None else 0,
            variant.sheet,
            self.sheet_key(variant.sheet),
        )

    def _rule_key(self, rule: Rule) -> Key:
        """What a rule reads beside the server it is run for."""
        key: list[object] = [self.design_id, self.design.root]
        if rule.scope == "design" and rule.needs & {"effective", "interior"}:
            key.append(self._sheets_key)
        if "root" in rule.needs:
            key.append(self.sheet_key(self.design.root))
        if rule.needs & {"wiring", "fabric", "seating", "cables"}:
            key.append(self._fabric_key)
        if "cables" in rule.needs:
            key.append(self._choice_key)
        if rule.needs & {"interior", "settings"}:
            key.append(self._settings_key)
        if "designs" in rule.needs:
            key.append(self._designs_key)
        if rule.needs & {"statements", "workload", "designs"}:
            key.append(self._stated_key)
        if "workload" in rule.needs:
            key.append(self.design.settings.get("workload"))
        return tuple(key)

    # Keys are compared rule by rule, so each is one number, made once.

    @cached_property
    def _sheets_key(self) -> int:
        return digest(repr([(s, self.sheet_key(s)) for s in sorted(self.design.sheets)]))

    @cached_property
    def _settings_key(self) -> int:
        return settings_key(self.design)

    @cached_property
    def _stated_key(self) -> int:
        """Statements, workloads, the order of designs that they may speak about, and parts that only they name."""
        rows = self.project.statements.values()
        stated = {row.subject[5:].strip() for row in rows if row.subject[:5] == "part:"}
        order = designs_in_order(self.project)  # which design a claim calls the earlier one
        parts = [(p, part_key(self.project, p)) for p in sorted(stated)]
        return digest(table_key(self.project.statements), table_key(self.project.workloads), repr(order), repr(parts))

    @cached_property
    def _designs_key(self) -> int:
        return digest(repr([(d, self._other_design_key(d)) for d in sorted(self.project.designs)]))

    def _other_design_key(self, design_id: str) -> Key:
        design = self.project.designs[design_id]
        sheets = tuple((s, sheet_key(self.project, design, s)) for s in sorted(design.sheets))
        return (design.root, sheets, settings_key(design))
