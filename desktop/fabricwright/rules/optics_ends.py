"""What sits at the two ends of a link: cages, plugs, transceivers and fibre, and what their names say of the light."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import catalogue
from fabricwright.design.address import Address, Step
from fabricwright.design.effective import EffItem, effective
from fabricwright.design.values import Link, Project
from fabricwright.rules.context import RuleContext
from fabricwright.rules.fabric_view import Side, sides
from fabricwright.topology.cable_fit import accepted_plugs, plug_fits, port_cages
from fabricwright.topology.model import Bundle

LANE_GBPS = (1.25, 10.0, 25.0, 50.0, 100.0, 200.0)
_FAMILY = re.compile(r"(?<![A-Za-z])(XDR|PLR|SRBD|CWDM|SWDM|PSM|SR|DR|FR|LR|ER)(\d*)(?![A-Za-z\d])")
_CLASSES = {"SR": "SR", "SRBD": "BD", "SWDM": "BD"}


@dataclass(frozen=True, slots=True)
class Socket:
    """A kind of cage at one end: ``type`` ("" not known), ``ports`` that it is split into, line rate of each, an
    example port.
    """

    type: str
    ports: int
    gbps: float
    port: str


@dataclass(frozen=True, slots=True)
class LinkEnd:
    """One end of a link row: the item, its sockets, the transceiver that is named for it."""

    side: Side
    row: EffItem | None
    sockets: tuple[Socket, ...]
    optic: Part | None


@dataclass(frozen=True, slots=True)
class LinkEnds:
    """A link row with both ends; ``cable`` the named cable or fibre, None for "auto"."""

    id: str
    link: Link
    bundle: Bundle
    a: LinkEnd
    b: LinkEnd
    cable: Part | None

    @property
    def both(self) -> tuple[LinkEnd, LinkEnd]:
        """Both ends."""
        return self.a, self.b

    @property
    def gbps(self) -> float:
        """Line rate of the link: what both ends and the link row allow; 0 when not known."""
        rates = [s.gbps for end in self.both for s in end.sockets if s.gbps]
        if self.link.speed:
            rates.append(self.link.speed / 1e9)
        return min(rates, default=0.0)


def link_ends(context: RuleContext) -> list[LinkEnds]:
    """Every wired link of the root sheet."""
    found = context.shared("link_ends")
    if not isinstance(found, list):
        found = list(_link_ends(context))
        context.share("link_ends", found)
    return found


def _link_ends(context: RuleContext) -> Iterator[LinkEnds]:
    for link_id, bundle in context.bundles().items():
        link = context.root.links.get(link_id)
        if link is None or not len(bundle.rows) or bundle.medium not in ("eth", "ib", "mgmt"):
            continue
        named = context.project.parts.get(link.cable)
        optics = [context.project.parts.get(o) if o else None for o in link.optics[:2]]
        if named is not None and named.kind == "optic":  # a module named where a cable is asked for: one at each end
            optics, named = [named, named], None
        ends = [
            LinkEnd(side, context.root.items.get(side.item), tuple(_sockets(context, side)), optic)
            for side, optic in zip(sides(bundle), [*optics, None, None], strict=False)
        ]
        yield LinkEnds(link_id, link, bundle, ends[0], ends[1], named)


def _sockets(context: RuleContext, side: Side) -> Iterator[Socket]:
    """Kinds of cages behind the ports that an end names. Each kind once."""
    row = context.root.items.get(side.item)
    if row is None:
        return
    counts = _ports_per_cage(context, row)
    seen: set[tuple[str, int, float]] = set()
    for name, cage in zip(side.ports, port_cages(context.project, context.design, row, side.ports), strict=True):
        kind = (cage.type, counts.get(cage.cage, 1), cage.gbps)
        if kind not in seen:
            seen.add(kind)
            yield Socket(*kind, name)


def _ports_per_cage(context: RuleContext, row: EffItem) -> dict[str, int]:
    """How many ports each cage of an item serves now, by the names that ``port_cages`` gives cages."""
    counts: dict[str, int] = {}
    if not row.of.startswith("sheet:"):
        for port in row.ports.values():
            if port.cage:
                counts[port.cage] = counts.get(port.cage, 0) + 1
        return counts
    inner = effective(context.project, context.design, row.of[6:])
    if inner.chassis_part is not None:
        counts.update({name: len(cage.ports) or 1 for name, cage in inner.chassis_part.cages.items()})
    for item_id, item in inner.items.items():
        for port in item.ports.values():
            if port.cage and port.role == "net":
                key = f"{item_id}:{port.cage}"
                counts[key] = counts.get(key, 0) + 1
    return counts


def at_link(name: str) -> Address:
    """Address of a link row or item of the root sheet."""
    return Address((Step(name),))


# -- what fits ---------------------------------------------------------------------------------------------------------


def optic_fits(optic: Part, cage: str) -> bool:
    """Whether a transceiver goes into a cage; True when either is not known."""
    figure = optic.figures.get("fits_cages")
    if figure is not None and isinstance(figure.value, tuple):
        return not cage or cage in figure.value
    form = optic.word("form")
    return not form or not accepted_plugs(cage) or form in accepted_plugs(cage)


@dataclass(frozen=True, slots=True)
class Serving:
    """What the catalogue has for two cages: longest reach in metres, inf when some part states none; 0 nothing fits."""

    reach_m: float
    part: str


def serving(project: Project, cage_a: str, cage_b: str) -> Serving:
    """The farthest-reaching cable, or pair of transceivers with fibre, whose plugs go into both cages. Rates and
    splits are left aside.
    """
    best = Serving(0.0, "")
    cables, optics = _orderable(project, "cable"), _orderable(project, "optic")
    for part in cables:
        ways = ((cage_a, cage_b), (cage_b, cage_a))
        if any(plug_fits(part, "a", x) and plug_fits(part, "b", y) for x, y in ways):
            best = max(best, Serving(part.get("max_m") or float("inf"), part.model or part.name()), key=_reach)
    near, far = ([o for o in optics if optic_fits(o, cage)] for cage in (cage_a, cage_b))
    for one in near:
        for two in far:
            if same_light(one, two):
                reach = min(one.get("max_m") or float("inf"), two.get("max_m") or float("inf"))
                best = max(best, Serving(reach, one.model or one.name()), key=_reach)
    return best


def _reach(found: Serving) -> float:
    return found.reach_m


def _orderable(project: Project, kind: str) -> list[Part]:
    store = catalogue()
    parts = {i: store.get(i) for i in store.kinds().get(kind, ())}
    parts.update({i: p for i, p in project.parts.items() if p.kind == kind})
    return list(parts.values())


# -- light -------------------------------------------------------------------------------------------------------------


def families(optic: Part) -> tuple[tuple[str, int], ...]:
    """(family, optical lanes) that the name of a transceiver states: 400G-DR4 is (DR, 4); the digit of an IEEE 802.3
    name counts the lanes, none means one. A part sold for several lists them all.
    """
    text = f"{optic.name()} {optic.model}".split("transceiver")[0]
    return tuple((word, int(digits or 1)) for word, digits in _FAMILY.findall(text))


def classes(optic: Part) -> frozenset[str]:
    """Kinds of light: SR (850 nm parallel), BD (two wavelengths a fibre), DR (one wavelength, also FR1 and LR1), WDM
    (several wavelengths in one fibre). Empty when the name says nothing.
    """
    out = set()
    for word, lanes in families(optic):
        wdm = word in ("CWDM", "ER") or (word in ("FR", "LR") and lanes > 1)
        out.add(_CLASSES.get(word, "WDM" if wdm else "DR"))
    return frozenset(out)


def optical_lane_gbps(optic: Part) -> frozenset[float]:
    """Rates of one optical lane, Gb/s; empty when not known. Not that of the host's lanes: a 400G-DR4 takes eight of
    50G and sends four of 100G.
    """
    per_port = optic.get("gbps") / max(1.0, optic.get("ports_per_module", 1))
    out = set()
    for word, lanes in families(optic):
        if word in ("SRBD", "SWDM"):
            out.add(optic.get("lane_gbps"))
        elif per_port:
            out.add(min(LANE_GBPS, key=lambda rate: abs(rate - per_port / lanes)))
    if not out and optic.get("lane_gbps"):
        out.add(optic.get("lane_gbps"))
    return frozenset(rate for rate in out if rate)


def fibre_of(part: Part) -> str:
    """ "MMF", "SMF", "copper" or "" of a transceiver or fibre cable."""
    word = part.word("fibre")
    return next((kind for kind in ("MMF", "SMF", "copper") if word.startswith(kind)), "")


def connectors(word: str) -> frozenset[str]:
    """Connector forms in a stated word: MPO-12 (an MPO-8 is one with eight fibres), MPO-16, LC, RJ45. How the face is
    polished is left aside.
    """
    out = {found.replace("MPO-8", "MPO-12") for found in re.findall(r"MPO-\d+|LC|RJ45", word)}
    return frozenset(out)


def talks(a: Part, b: Part, names: Mapping[int, str]) -> bool:
    """Whether either transceiver's list ``talks_to`` names the other one."""
    for one, two in ((a, b), (b, a)):
        figure = one.figures.get("talks_to")
        listed = figure.value if figure is not None and isinstance(figure.value, tuple) else ()
        other = names.get(id(two), "")
        if other and any(re.search(rf"(?<![\w-]){re.escape(other)}(?![\w-])", str(entry)) for entry in listed):
            return True
    return False


def same_light(a: Part, b: Part) -> bool:
    """Whether two transceivers use one kind of fibre and light; True when nothing says otherwise."""
    fibre = fibre_of(a), fibre_of(b)
    if all(fibre) and fibre[0] != fibre[1]:
        return False
    kinds = classes(a), classes(b)
    return not all(kinds) or bool(kinds[0] & kinds[1])
