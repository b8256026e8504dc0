"""A rack plan from figures alone: which racks are needed, where they stand, and where every member is seated.

Pure arithmetic on counts, rack units, watts and kilograms; no project is read. The result is what a fabric sheet
stores: rack items (axes ``row``, ``rack``; ``row0``, ``rack0``, ``gap_at``, ``gap``) and one ``Seating`` per group.

Rules of the plan
* Servers stand from unit 1 up, as many per rack as height, power and weight allow (and the style's own limit).
* A full scalable unit ends at the end of a row where its racks go into a row a whole number of times.
* Leafs: ``top`` of the server racks, shared out evenly; ``middle`` or ``end`` of each row in network racks.
* Spines, cores and service machines: ``separate`` racks in a row of their own, or ``network``: with the leafs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fabricwright.design.values import Axes, ConfigValue, Item, Override, Seating
from fabricwright.sizing.rack_fill import Fill, RackGroup, RackType, fill, servers_per_rack
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from fabricwright.units.text import msg

LEAF_PLACES = ("top", "middle", "end")
SPINE_PLACES = ("separate", "network")
MAX_RACKS = 9_999
"""More racks than one rack item may have (an edit refuses a seat beyond)."""

__all__ = ["LEAF_PLACES", "SPINE_PLACES", "RackGroup", "RackItem", "RackPlan", "RackStyle", "RackType", "plan_racks"]


@dataclass(frozen=True, slots=True)
class RackStyle:
    """How a room is laid out.

    ``leafs`` one of ``LEAF_PLACES``; ``spines`` one of ``SPINE_PLACES``; ``racks_per_row`` server racks in one row;
    ``servers_per_rack`` at most so many although more would fit (0 = as many as fit); ``ids`` of the server, network
    and spine rack items.
    """

    leafs: str = "end"
    spines: str = "separate"
    racks_per_row: int = 16
    servers_per_rack: int = 0
    ids: tuple[str, str, str] = ("rack", "nrack", "srack")


@dataclass(frozen=True, slots=True)
class RackItem:
    """One rack item of the sheet. ``absent`` index set of racks that its axes have too many; ``use`` is "server",
    "network" or "spine".
    """

    id: str
    use: str
    part: str
    axes: Axes
    name: str
    config: tuple[tuple[str, int], ...] = ()
    absent: str = ""

    @property
    def count(self) -> int:
        """Racks that really stand there."""
        n = 1
        for _, size in self.axes:
            n *= size
        lo, _, hi = self.absent.partition("-")
        return n - (int(hi or lo) - int(lo) + 1 if self.absent else 0)

    def item(self) -> Item:
        """The row to store."""
        config: dict[str, ConfigValue] = dict(self.config)
        gone = {self.absent: Override(absent=True)} if self.absent else {}
        return Item(self.part, self.axes, config=Table(config), except_=Table(gone), name=self.name)


@dataclass(frozen=True, slots=True)
class RackPlan:
    """Rack items, item -> its Seating, and what the fullest rack of each rack item holds (units, watts, kilograms).

    ``binds`` says for each group what decides how many go into one rack: "height", "power", "weight", "style" or ""
    (all of them in one rack).
    """

    racks: tuple[RackItem, ...]
    seats: dict[str, Seating]
    fullest: dict[str, Fill] = field(default_factory=dict)
    binds: dict[str, str] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """Racks needed."""
        return sum(rack.count for rack in self.racks)

    @property
    def power_w(self) -> float:
        """Watts of the fullest rack."""
        return max((f.power_w for f in self.fullest.values()), default=0.0)

    def items(self) -> dict[str, Item]:
        """Rack items as rows of a fabric sheet."""
        return {rack.id: rack.item() for rack in self.racks}


@dataclass(slots=True)
class _Seated:
    """What has been seated so far; the three tables of the plan that is being made."""

    seats: dict[str, Seating] = field(default_factory=dict)
    fullest: dict[str, Fill] = field(default_factory=dict)
    binds: dict[str, str] = field(default_factory=dict)


def plan_racks(
    groups: Sequence[RackGroup],
    rack: RackType,
    style: RackStyle | None = None,
    network_rack: RackType | None = None,
) -> RackPlan:
    """Racks and seats for ``groups`` in racks of type ``rack`` (switches that stand apart: ``network_rack``, the same
    when left out). Raises UserError naming the limit when one member alone is too much for a rack.
    """
    style = style or RackStyle()
    _check(style)
    apart = network_rack or rack
    servers = [g for g in groups if g.count > 0 and g.role == "server"]
    leafs = [g for g in groups if g.count > 0 and g.role == "leaf"]
    others = [g for g in groups if g.count > 0 and g.role not in ("server", "leaf")]
    racks: list[RackItem] = []
    seated = _Seated()
    server_id, network_id, spine_id = style.ids
    top = leafs if style.leafs == "top" and servers else []
    row_leafs = [] if top else leafs
    n = _server_racks(servers, top, rack, style, seated) if servers else 0
    per_row, rows = _rows(n, servers, seated.seats, style)
    if n:
        racks.append(_server_item(server_id, rack, n, rows, per_row))
    with_leafs = others if style.spines == "network" and not top else []
    standing = [*row_leafs, *with_leafs]
    if standing:
        per_rack_row = _network(standing, apart, rows, network_id, seated)
        middle = style.leafs == "middle" and n > 0
        at = (per_row + 1) // 2 if middle else per_row
        if middle and racks:
            gap = (("gap_at", at), ("gap", per_rack_row))
            server = racks[0]
            racks[0] = RackItem(server.id, server.use, server.part, server.axes, server.name, gap, server.absent)
        axes, name = _axes(rows, per_rack_row, "net")
        placed = (("rack0", at),) if at else ()
        empty = _absent(_used(standing, seated.seats), rows * per_rack_row)
        racks.append(RackItem(network_id, "network", apart.part, axes, name, placed, empty))
    apart_groups = [g for g in others if g not in with_leafs]
    if apart_groups:
        count = _network(apart_groups, apart, 1, spine_id, seated)
        axes, name = _axes(1, count, "core")
        row0 = (("row0", rows),) if n or standing else ()
        racks.append(RackItem(spine_id, "spine", apart.part, axes, name, row0))
    for made in racks:
        if made.count > MAX_RACKS:
            raise UserError(
                msg("{count} racks are needed; at most {limit} fit one plan.", count=made.count, limit=MAX_RACKS)
            )
    return RackPlan(tuple(racks), seated.seats, seated.fullest, seated.binds)


def _check(style: RackStyle) -> None:
    for value, known, what in ((style.leafs, LEAF_PLACES, "leafs"), (style.spines, SPINE_PLACES, "spines")):
        if value not in known:
            raise UserError(
                msg("'{what}' is '{value}'; expected {known}.", what=what, value=value, known=", ".join(known))
            )
    if style.racks_per_row < 1:
        raise UserError(msg("A row has {count} racks; expected at least 1.", count=style.racks_per_row))
    if style.servers_per_rack < 0:
        raise UserError(
            msg("{count} servers per rack; expected 0 (as many as fit) or more.", count=style.servers_per_rack)
        )


def _server_racks(
    servers: Sequence[RackGroup],
    top: Sequence[RackGroup],
    rack: RackType,
    style: RackStyle,
    seated: _Seated,
) -> int:
    """Seats servers (and leafs at the top of their racks); returns the number of racks."""
    share = dict.fromkeys((g.item for g in top), 0)
    # Leafs take room, so fewer servers fit, so there are more racks and fewer leafs in each: the share only falls from
    # the second turn on and the loop ends; the larger reserve of two alternating turns is kept.
    for _ in range(16):
        reserve = Fill.of((g, share[g.item]) for g in top)
        fits = {g.item: servers_per_rack(g, rack, reserve, style.servers_per_rack) for g in servers}
        n = sum(-(-g.count // fits[g.item][0]) for g in servers)
        wanted = {g.item: -(-g.count // n) for g in top}
        if all(wanted[i] <= share[i] for i in share):
            break
        share = {i: max(share[i], wanted[i]) for i in share}
    first = 0
    loads = Fill()
    for group in servers:
        each, why = fits[group.item]
        seated.seats[group.item] = Seating(style.ids[0], first, 1, each, 1)
        seated.binds[group.item] = why if group.count > each else ""
        loads = loads.most(reserve.plus(group, min(each, group.count)))
        first += -(-group.count // each)
    seated.fullest[style.ids[0]] = loads
    u = rack.units + 1
    for group in top:
        each = -(-group.count // first)
        stride = max(1, first // group.count) if each == 1 else 1
        u -= each * group.height_u
        seated.seats[group.item] = Seating(style.ids[0], 0, stride, each, u)
        seated.binds[group.item] = "style"
    return first


def _rows(n: int, servers: Sequence[RackGroup], seats: dict[str, Seating], style: RackStyle) -> tuple[int, int]:
    """(server racks in a row, rows): whole scalable units in a row when they fit, else rows of even length."""
    if not n:
        return 0, 1
    longest = min(style.racks_per_row, n)
    group = servers[0]
    per_block, rest = divmod(group.count, max(1, group.blocks))
    each = seats[group.item].per_rack
    if len(servers) == 1 and group.blocks > 1 and not rest and per_block % each == 0:
        block = per_block // each
        if block <= longest:
            longest -= longest % block
            return longest, -(-n // longest)
    rows = -(-n // longest)
    return -(-n // rows), rows


def _server_item(item_id: str, rack: RackType, n: int, rows: int, per_row: int) -> RackItem:
    axes, name = _axes(rows, per_row, "r")
    absent = _absent(n, rows * per_row)
    return RackItem(item_id, "server", rack.part, axes, name, (), absent)


def _absent(used: int, total: int) -> str:
    """Racks at the end that hold nothing, as an index set."""
    return "" if used >= total else str(used) if used == total - 1 else f"{used}-{total - 1}"


def _used(groups: Sequence[RackGroup], seats: dict[str, Seating]) -> int:
    """How many racks, counted from the first, reach to the last one that holds anything."""
    places = ((seats[g.item], g.count) for g in groups)
    return max(s.first + s.stride * ((count - 1) // s.per_rack) + 1 for s, count in places)


def _axes(rows: int, per_row: int, stem: str) -> tuple[Axes, str]:
    """Axes and name template of a rack item."""
    if rows > 1 and per_row > 1:
        return (("row", rows), ("rack", per_row)), stem + ("{row1}-{rack1:02}")
    if rows > 1:
        return (("row", rows),), stem + "{row1}"
    if per_row > 1:
        return (("rack", per_row),), stem + "{rack1:02}"
    return (), stem


def _network(
    groups: Sequence[RackGroup],
    rack: RackType,
    rows: int,
    racks_id: str,
    seated: _Seated,
) -> int:
    """Seats switches and service machines in racks that stand apart; returns how many such racks each row has.

    Every group is spread evenly over the racks of its row. Where the groups are too many for that, each group keeps to
    one rack of the row.
    """
    for group in groups:
        servers_per_rack(group, rack, Fill(), 0)  # says which limit one alone breaks
    per_row, why = 1, ""
    while broken := fill((g, _share(g, rows, per_row)) for g in groups).broken(rack):
        why = broken
        if all(_share(g, rows, per_row) == 1 for g in groups):
            return _kept_apart(groups, rack, rows, racks_id, seated)
        per_row += 1
    if rows > 1 and not _even(groups, rows, per_row) and _even(groups, rows, per_row + 1):
        per_row += 1  # else the last switches of a row would stand in the next one
    shares = [(g, _share(g, rows, per_row)) for g in groups]
    _stack(shares, rack, racks_id, seated.seats, {g.item: (0, max(1, rows * per_row // g.count)) for g in groups})
    seated.fullest[racks_id] = fill(shares)
    seated.binds.update((g.item, why if per_row > 1 else "") for g in groups)
    return per_row


def _even(groups: Sequence[RackGroup], rows: int, per_row: int) -> bool:
    """Whether every rack of a row gets as many of each group."""
    return all(g.count % (rows * per_row) == 0 for g in groups)


def _share(group: RackGroup, rows: int, per_row: int) -> int:
    """Members of a group in one rack when ``per_row`` racks stand in each row."""
    in_a_row = -(-group.count // rows)
    return -(-in_a_row // per_row)


def _kept_apart(
    groups: Sequence[RackGroup],
    rack: RackType,
    rows: int,
    racks_id: str,
    seated: _Seated,
) -> int:
    """First fit: each group in the first rack of the row that takes its share of the row."""
    racks: list[list[tuple[RackGroup, int]]] = []
    for group in groups:
        each = _share(group, rows, 1)
        most = servers_per_rack(group, rack, Fill(), 0)[0]
        pieces = -(-each // most)
        if pieces > 1 and rows > 1:
            raise UserError(
                msg(
                    "{count} of '{item}' for one row do not go into one network rack; {most} do. Choose more rows or a "
                    "larger rack.",
                    count=each,
                    item=group.item,
                    most=most,
                )
            )
        if pieces > 1:
            _stack([(group, most)], rack, racks_id, seated.seats, {group.item: (len(racks), 1)})
            racks += [[(group, most)] for _ in range(pieces)]
            continue
        home = next((r for r in racks if not fill([*r, (group, each)]).broken(rack)), None)
        if home is None:
            racks.append([(group, each)])
        else:
            home.append((group, each))
    for at, held in enumerate(racks):
        mine = [(g, n) for g, n in held if g.item not in seated.seats]
        _stack(mine, rack, racks_id, seated.seats, {g.item: (at, len(racks)) for g, _ in mine})
    for held in racks:
        seated.fullest[racks_id] = seated.fullest.get(racks_id, Fill()).most(fill(held))
    seated.binds.update((g.item, "height") for g in groups)
    return len(racks)


def _stack(
    shares: Sequence[tuple[RackGroup, int]],
    rack: RackType,
    racks_id: str,
    seats: dict[str, Seating],
    where: Mapping[str, tuple[int, int]],
) -> None:
    """Switches from the top down, service machines from the bottom up; ``where`` item -> first and stride."""
    u, bottom = rack.units + 1, 1
    for group, each in shares:
        first, stride = where[group.item]
        if group.role == "service":
            start, bottom = bottom, bottom + each * group.height_u
        else:
            u -= each * group.height_u
            start = u
        seats[group.item] = Seating(racks_id, first, stride, each, start)
