"""Different workable designs for one requirement, with their figures, and which of them no other one beats.

``alternatives(requirement)`` sizes, draws and measures; the first one meets the requirement best. Variants that depart
from it (an oversubscribed network, no rails, fewer NICs ...) say so in ``differs``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from fabricwright.analysis.analyze import Analysis, analyze
from fabricwright.analysis.cache import StageCache
from fabricwright.analysis.figures import GIB, BusbwFigure, DesignFigures, busbw_figure, design_figures, worst_of
from fabricwright.analysis.size_limits import MOST
from fabricwright.design.edits.places import fresh_id
from fabricwright.design.order import designs_in_order
from fabricwright.design.patch import Patch, PatchBuilder
from fabricwright.design.values import Project
from fabricwright.sizing.choices import Choice, size
from fabricwright.sizing.draw import MAIN, Drawn, counted_cables, draw
from fabricwright.sizing.requirement import Requirement, checked
from fabricwright.sizing.switch_use import SwitchUse
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

FIGURES_UP_TO_GPUS = 20_000
"""Beyond, only counts are given, without predictions: drawing and predicting would take many seconds each."""
DRAWN_UP_TO_GPUS = 70_000
"""Beyond, alternatives are counted but not drawn."""
SWEPT_UP_TO_GPUS = 4_200
"""Beyond, single failures are swept for the first alternative only."""
UNLIKE = 4
"""Choices that meet the requirement and are unlike each other, before variants of the requirement are tried."""
TRIES = 60
"""Choices that are drawn at most while looking for alternatives."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """One design. ``drawn`` None where it was only counted; ``cables`` physical cables by tier pair; ``figures`` None
    where nothing was predicted; ``differs`` what departs from the requirement; ``pareto`` no other one is at least as
    good in everything and better in something (price or fabric power, rack units, cables, busbw, worst failure).
    """

    id: str
    choice: Choice
    drawn: Drawn | None
    figures: DesignFigures | None
    cables: Mapping[str, int | None] = field(default_factory=dict)
    all_reduce: tuple[BusbwFigure, ...] = ()
    all_to_all: tuple[BusbwFigure, ...] = ()
    differs: tuple[str, ...] = ()
    pareto: bool = False

    @property
    def title(self) -> Message:
        """What it is, in short."""
        choice = self.choice
        return msg(
            "{leaf}, {tiers} tiers, {rails}, {ratio}:1",
            leaf=choice.leaf.part,
            tiers=choice.clos.tiers,
            rails=msg("rails") if choice.rails else msg("no rails"),
            ratio=choice.requirement.ratio(1),
        )

    @property
    def notes(self) -> tuple[Message, ...]:
        """What the design leaves out, for people."""
        if "nvlink" not in self.choice.offer.exports:
            return ()
        return (
            msg(
                "The NVLink ports of {server} stay open: NVLink switches of the rack are not drawn, so only the GPUs "
                "of one tray count as one NVLink domain.",
                server=self.choice.offer.server,
            ),
        )

    def to_json(self) -> dict[str, object]:
        """One row of ``size --json``; null where a tier or a figure does not exist."""
        choice, figures = self.choice, self.figures
        clos, planes = choice.clos, choice.planes
        cables = self.cables
        links = choice.links

        def tier(use: SwitchUse | None, count: int) -> dict[str, object] | None:
            return {"part": use.part, "count": count * planes} if use is not None and count else None

        def pair(name: str) -> dict[str, object] | None:
            return {"links": links[name], "cables": cables.get(name)} if name in links else None

        return {
            "id": self.id,
            "tiers": clos.tiers,
            "planes": planes,
            "leaf": tier(choice.leaf, clos.leafs),
            "spine": tier(choice.spine, clos.spine_count),
            "core": tier(choice.core, clos.core_count),
            "servers": choice.servers,
            "gpus": choice.gpus,
            "cables": {name: pair(name) for name in ("node_leaf", "leaf_spine", "spine_core")},
            "cost": figures.price if figures is not None else None,
            "power_w": figures.power_w if figures is not None else None,
            "rack_units": figures.rack_units if figures is not None else None,
            "all_reduce_busbw_gbs": _gbs(self.all_reduce),
            "all_to_all_busbw_gbs": _gbs(self.all_to_all),
            "worst_failure_ratio": figures.worst_failure_ratio if figures is not None else None,
            "server": choice.offer.server,
            "nic": choice.offer.nic,
            "nics_per_server": choice.offer.nics,
            "medium": choice.medium,
            "rails": choice.offer.rails if choice.rails else None,
            "oversubscription": choice.requirement.ratio(1),
            "scalable_units": clos.units,
            "servers_per_unit": clos.unit,
            "uplinks_per_leaf": clos.uplinks,
            "breakouts": {"leaf_down": choice.leaf.down, "leaf_up": choice.leaf.up if clos.tiers > 1 else None},
            "fabric_power_w": figures.fabric_power_w if figures is not None else None,
            "racks": self.drawn.racks if self.drawn is not None else None,
            "longest_cable_m": max(self.drawn.longest_m.values(), default=0.0) if self.drawn is not None else None,
            "findings": dict(figures.findings) if figures is not None else None,
            "meets": not self.differs,
            "differs": list(self.differs),
            "pareto": self.pareto,
            "growth": choice.growth.to_json() if choice.growth is not None else None,
            "notes": [note.english() for note in self.notes],
        }


def differ_word(what: str) -> Message:
    """What a variant departs from the requirement in, for people."""
    return {
        "oversubscription": msg("oversubscription"),
        "switch": msg("switch"),
        "rails": msg("rails"),
        "medium": msg("protocol"),
        "tiers": msg("tiers"),
        "planes": msg("planes"),
        "nics": msg("NICs"),
    }[what]


def _gbs(rows: tuple[BusbwFigure, ...]) -> float | None:
    return rows[-1].busbw / 1e9 if rows and rows[-1].known else None


def alternatives(
    wanted: Requirement,
    *,
    most: int = MOST,
    sizes: tuple[int, ...] = (GIB,),
    checkpoint: Callable[[], None] = lambda: None,
    done: Callable[[Alternative], None] = lambda _: None,
    cache: StageCache | None = None,
    priced_as: Project | None = None,
) -> tuple[Alternative, ...]:
    """At least one, at most ``most`` designs, the first to be taken when nobody chooses. ``sizes`` bytes per GPU at
    which collectives are predicted, the last one is the figure shown; ``checkpoint`` is called between designs and
    stages and may raise to stop; ``done`` is told each one as it is ready, and again when its failures are known;
    ``cache`` of a run that was stopped; ``priced_as`` the project whose price list counts. Raises UserError when the
    requirement cannot be met.
    """
    wanted = checked(wanted)
    found: list[Alternative] = []
    faulty: list[Alternative] = []
    swept: dict[str, Analysis] = {}
    seen: set[tuple[object, ...]] = set()
    problem: UserError | None = None
    cache = StageCache() if cache is None else cache
    for tries, (choice, differs) in enumerate(_candidates(wanted)):
        if len(found) >= most or tries >= TRIES:
            break
        key = _signature(choice)
        if key in seen:
            continue
        checkpoint()
        try:
            made, analysis = _made(f"a{len(found) + 1}", choice, differs, sizes, cache, priced_as, checkpoint)
        except UserError as error:
            problem = problem or error
            continue
        seen.add(key)
        if made.figures is not None and made.figures.findings.get("error"):
            faulty.append(made)
            continue
        found.append(made)
        if analysis is not None and (len(found) == 1 or choice.gpus <= SWEPT_UP_TO_GPUS):
            swept[made.id] = analysis
        done(made)
    if not found and not faulty:
        assert problem is not None
        raise problem
    for n, one in enumerate(found):  # failures last: they take longer than all other figures together
        if one.id in swept:
            checkpoint()
            found[n] = _with_worst(one, swept.pop(one.id), sizes[-1])
            done(found[n])
    # A server that breaks a rule by itself breaks it in every network: better shown with its findings than not at all.
    return _marked(found or [replace(a, id=f"a{n}") for n, a in enumerate(faulty[:most], 1)])


def _candidates(wanted: Requirement) -> Iterator[tuple[Choice, tuple[str, ...]]]:
    """The best choice, those that differ most from it, variants of the requirement, then all that is left."""
    exact = size(wanted)
    kinds: dict[tuple[object, ...], Choice] = {}
    for choice in exact:
        ports = len(choice.leaf.cages) * choice.leaf.radix.down
        kinds.setdefault((ports, choice.rails, choice.clos.tiers, choice.planes, choice.offer.nics), choice)
    apart = list(kinds.values())[:UNLIKE]
    yield from ((choice, ()) for choice in apart)
    others = []
    for differs, other in _variants(wanted, exact[0]):
        try:
            ways = size(other)
        except UserError:
            continue
        yield ways[0], differs
        others += [(choice, differs) for choice in ways[1:3]]
    yield from ((choice, ()) for choice in exact)
    yield from others


def _variants(wanted: Requirement, first: Choice) -> Iterator[tuple[tuple[str, ...], Requirement]]:
    """The requirement with one thing changed at a time."""
    ratio = wanted.ratio(1)
    for other in (2.0, 3.0, 1.0, 4.0):
        if other != ratio and first.clos.tiers > 1:
            yield ("oversubscription",), replace(wanted, oversubscription=(other,))
    if wanted.leaf or wanted.switches:
        yield ("switch",), replace(wanted, leaf="", spine="", core="", switches=())
    if wanted.rails != "auto":
        yield ("rails",), replace(wanted, rails="auto")
    if wanted.medium:
        yield ("medium",), replace(wanted, medium="", leaf="", spine="", core="")
    for tiers in (2, 3, 1):
        if tiers != first.clos.tiers:
            yield ("tiers",), replace(wanted, tiers=tiers, core="")
    if wanted.planes:
        yield ("planes",), replace(wanted, planes=0)
    for planes in (1, 2):
        if planes != first.planes:
            yield ("planes",), replace(wanted, planes=planes)
    if not wanted.nic and first.offer.planes == 1 and first.clos.rails > 1:
        yield ("rails",), replace(wanted, rails="no")
    half = first.offer.nics // 2
    if half and first.offer.gpus % half == 0:
        yield ("nics",), replace(wanted, nics_per_server=half)


def _signature(choice: Choice) -> tuple[object, ...]:
    """Alike designs count once: the same switches by radix, tiers, rails, planes, ratio, NICs and spine count."""
    uses = (choice.leaf, choice.spine, choice.core)
    radix = tuple((len(u.cages), u.down, u.up, u.part) if u is not None else None for u in uses)
    return (
        radix,
        choice.clos.tiers,
        choice.rails,
        choice.planes,
        choice.requirement.ratio(1),
        choice.offer.nic,
        choice.offer.nics,
        choice.clos.spine_count,
        choice.medium,
    )


def _made(
    name: str,
    choice: Choice,
    differs: tuple[str, ...],
    sizes: tuple[int, ...],
    cache: StageCache,
    priced_as: Project | None,
    checkpoint: Callable[[], None],
) -> tuple[Alternative, Analysis | None]:
    if choice.gpus > DRAWN_UP_TO_GPUS:
        return Alternative(name, choice, None, None, counted_cables(choice), differs=differs), None
    drawn = draw(choice)
    if choice.gpus > FIGURES_UP_TO_GPUS:
        return Alternative(name, choice, drawn, None, drawn.cables, differs=differs), None
    project = drawn.project
    if priced_as is not None:
        project = replace(project, prices=priced_as.prices, ordering=priced_as.ordering)
    analysis = analyze(project, MAIN, cache=cache, checkpoint=checkpoint)
    figures = design_figures(analysis, n_bytes=sizes[-1], worst_failure=False, training=False)
    smaller = sizes[:-1]
    reduce = tuple(busbw_figure(analysis, "all_reduce", n) for n in smaller)
    everyone = tuple(busbw_figure(analysis, "all_to_all", n) for n in smaller)
    made = Alternative(
        name,
        choice,
        drawn,
        figures,
        drawn.cables,
        (*reduce, figures.all_reduce),
        (*everyone, figures.all_to_all),
        differs,
    )
    return made, analysis


def _with_worst(one: Alternative, analysis: Analysis, n_bytes: int) -> Alternative:
    """The alternative with what its worst single failure leaves."""
    assert one.figures is not None
    ratio, where = worst_of(analysis, n_bytes)
    return replace(one, figures=replace(one.figures, worst_failure_ratio=ratio, worst_failure=where))


# -- Pareto front ------------------------------------------------------------------------------------------------------


def _marked(found: list[Alternative]) -> tuple[Alternative, ...]:
    scores = [_score(a) for a in found]
    return tuple(
        replace(a, pareto=not any(_beats(other, mine) for other in scores if other is not mine))
        for a, mine in zip(found, scores, strict=True)
    )


def _score(alternative: Alternative) -> tuple[float, ...]:
    """Smaller is better in each place."""
    figures, choice = alternative.figures, alternative.choice
    if figures is None:
        return (float(choice.switches), float(sum(choice.links.values())))
    money = figures.fabric_price if figures.fabric_price is not None else figures.fabric_power_w
    return (
        money,
        float(figures.rack_units),
        float(figures.cables),
        -round(figures.all_reduce.busbw / 1e8),
        -round(figures.all_to_all.busbw / 1e8),
        -(figures.worst_failure_ratio or 0.0),
    )


def _beats(one: tuple[float, ...], two: tuple[float, ...]) -> bool:
    return len(one) == len(two) and all(a <= b for a, b in zip(one, two, strict=True)) and one != two


def _name(alternative: Alternative) -> Message:
    """The title with the model that people know instead of the catalogue's id."""
    title, leaf = alternative.title, alternative.choice.leaf.part
    known = alternative.drawn.project.parts if alternative.drawn is not None else {}
    model = known[leaf].model if leaf in known else ""
    return Message(title.template, {**title.params, "leaf": (model or leaf).upper()})


# -- into a project ----------------------------------------------------------------------------------------------------


def add_to(project: Project, alternative: Alternative, title: str = "", lang: str = "en") -> Patch:
    """The edit that puts the alternative into a project as another design, after the last; without ``title`` it is
    called what the alternative is called in ``lang``. Raises UserError for one that was only counted.
    """
    if alternative.drawn is None:
        raise UserError(msg("This alternative was counted only; size it alone to draw it."))
    builder = PatchBuilder(project)
    name = fresh_id("option", project.designs)
    last = [project.designs[d].order for d in designs_in_order(project)]
    design = replace(
        alternative.drawn.design, title=title or _name(alternative).text(lang), order=max(last, default=-1) + 1
    )
    builder.set(("designs", name), design)
    for part_id, part in alternative.drawn.project.parts.items():
        if part_id not in project.parts:
            builder.set(("parts", part_id), part)
    return builder.patch("Add design")
