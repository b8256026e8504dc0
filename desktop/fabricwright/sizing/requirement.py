"""What somebody asks for: so many GPUs in such servers, on such a network, in such racks. Frozen, plain values.

``Requirement(...)`` may hold anything; ``checked(requirement)`` gives it back with part ids resolved (in whatever case
they were written) and raises UserError with what is wrong and what the nearest possible value is.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from fabricwright.catalog.store import catalogue
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

NETWORKS = ("compute", "storage", "inband", "oob")
MEDIA = ("eth", "ib")
RAILS = ("auto", "yes", "no")
MOST_GPUS = 4_194_304
"""A request beyond this is a slip of the pen: it is what three tiers of the largest radix (256) join."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """A sizing request. 0, "" and () mean "choose".

    gpus / servers   how many; servers alone counts, else the GPUs rounded up to whole servers
    server, gpu, nic   part ids; ``gpu`` only for servers that come without; ``nic`` "" = what is built in
    nics_per_server, planes, rails ("auto", "yes", "no"), medium ("eth", "ib")
    oversubscription   per tier, leaf first; the last counts for the tiers above. 1 = non-blocking
    redundancy   failures of a switch, cable or NIC that no server is cut off by (0 = not asked for)
    tiers   1, 2 or 3;  ufm_links   links of fabric managers on leaf ports (InfiniBand)
    leaf, spine, core   part ids;  switches   the only parts that may be chosen from
    networks   which networks are drawn
    rack, rack_kw, rack_u   rack part, kilowatts and units of one rack when they differ from the part's
    leaf_place   "end", "middle" or "top" (of rack);  max_cable_m   no cable longer than that
    grow_to   GPUs that the network must be able to reach later
    """

    gpus: int = 0
    servers: int = 0
    server: str = "dgx-h100"
    gpu: str = ""
    nic: str = ""
    nics_per_server: int = 0
    planes: int = 0
    rails: str = "auto"
    medium: str = ""
    oversubscription: tuple[float, ...] = (1.0,)
    redundancy: int = 0
    tiers: int = 0
    ufm_links: int = 0
    leaf: str = ""
    spine: str = ""
    core: str = ""
    switches: tuple[str, ...] = ()
    networks: tuple[str, ...] = ("compute",)
    rack: str = ""
    rack_kw: float = 0.0
    rack_u: int = 0
    leaf_place: str = "end"
    max_cable_m: float = 0.0
    grow_to: int = 0

    def ratio(self, tier: int) -> float:
        """Oversubscription of tier 1 (leaf) or 2 (spine)."""
        given = self.oversubscription or (1.0,)
        return given[min(tier, len(given)) - 1]


def checked(wanted: Requirement) -> Requirement:
    """The request with resolved part ids. Raises UserError for what no part or number can be."""
    if wanted.gpus == 0 and wanted.servers == 0:
        raise UserError(msg("Nothing to size: state the number of GPUs or of servers, at least 1."))
    for what, count, low, high in (
        (msg("number of GPUs"), wanted.gpus, 0, MOST_GPUS),
        (msg("number of servers"), wanted.servers, 0, MOST_GPUS),
        (msg("number of GPUs to grow to"), wanted.grow_to, 0, MOST_GPUS),
        (msg("number of NICs per server"), wanted.nics_per_server, 0, 64),
        (msg("number of planes"), wanted.planes, 0, 64),
        (msg("number of tiers"), wanted.tiers, 0, 3),
        (msg("number of UFM links"), wanted.ufm_links, 0, 4096),
        (msg("redundancy"), wanted.redundancy, 0, 8),
        (msg("rack height in units"), wanted.rack_u, 0, 60),
    ):
        if not low <= count <= high:
            raise _outside(what, count, low, high)
    for what, value, least, most in (
        (msg("rack power in kW"), wanted.rack_kw, 0.0, 1000.0),
        (msg("longest cable in metres"), wanted.max_cable_m, 0.0, 2000.0),
        *((msg("oversubscription"), r, 1.0, 64.0) for r in wanted.oversubscription),
    ):
        if not least <= value <= most:
            raise _outside(what, value, least, most)
    for word, known in ((wanted.rails, RAILS), (wanted.medium, ("", *MEDIA)), (wanted.leaf_place, PLACES)):
        if word not in known:
            raise _no_word(word, [k for k in known if k])
    for word in wanted.networks:
        if word not in NETWORKS:
            raise _no_word(word, NETWORKS)
    return replace(
        wanted,
        server=part_id(wanted.server, ("server", "chassis")),
        gpu=part_id(wanted.gpu, ("gpu",)),
        nic=part_id(wanted.nic, ("nic",)),
        leaf=part_id(wanted.leaf, ("switch",)),
        spine=part_id(wanted.spine, ("switch",)),
        core=part_id(wanted.core, ("switch",)),
        switches=tuple(part_id(s, ("switch",)) for s in wanted.switches),
        rack=part_id(wanted.rack, ("rack",)),
        networks=tuple(n for n in NETWORKS if n in wanted.networks or n == "compute"),
    )


PLACES = ("end", "middle", "top")


def part_id(given: str, kinds: Sequence[str]) -> str:
    """Catalogue id of a part named in whatever case, "" for "". Raises UserError with the nearest of these kinds."""
    word = given.strip().casefold().replace(" ", "-")
    if not word:
        return ""
    store = catalogue()
    ids = [i for kind in kinds for i in store.kinds().get(kind, ())]
    if word in ids:
        return word
    models = {store.get(i).model.casefold().replace(" ", "-"): i for i in ids if store.get(i).model}
    if word in models:
        return models[word]
    shown = given.strip()[:60]
    if word in store:
        raise UserError(
            msg(
                "'{part}' is a {kind}; expected a {kinds}.",
                part=shown,
                kind=store.kind_of(word),
                kinds=" / ".join(kinds),
            )
        )
    # A short name that begins an id (cx7, h200) is nearer than anything of its length.
    begun = [i for i in ids if i.startswith(word)] or [i for i in ids if word in i]
    near = (
        begun[:3] or difflib.get_close_matches(word, ids, n=3, cutoff=0.4) or [i for i in ids if i[:2] == word[:2]][:3]
    )
    raise UserError(
        msg("There is no {kind} '{part}' in the catalogue; nearest: {near}.", kind=kinds[0], part=shown, near=near)
        if near
        else msg(
            "There is no {kind} '{part}' in the catalogue; it has {known}.",
            kind=kinds[0],
            part=shown,
            known=ids[:12],
        )
    )


def _outside(what: Message, value: float, low: float, high: float) -> UserError:
    nearest = low if value < low else high
    return UserError(
        msg(
            "{what}: {value} is outside {low} to {high}; the nearest is {nearest}.",
            what=what,
            value=value,
            low=low,
            high=high,
            nearest=nearest,
        )
    )


def _no_word(word: str, known: Sequence[str]) -> UserError:
    return UserError(msg("'{word}' is not one of {known}.", word=word[:60], known=list(known)))
