"""What a link would be if it were dropped here: ends, port ranges, wiring, and what the rules say. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fabricwright.catalog.parts import Port
from fabricwright.design.address import expand_ports
from fabricwright.design.calls import EditCall
from fabricwright.design.effective import EffItem, EffSheet, effective
from fabricwright.design.port_text import port_text
from fabricwright.design.values import Design, Project
from fabricwright.rules.legality import link_legality
from fabricwright.rules.link_legality import media_of
from fabricwright.topology.wiring import End, end_of
from fabricwright.units.text import Message, msg

NETWORKS = ("compute", "storage", "inband", "oob")


@dataclass(frozen=True, slots=True)
class LinkPlan:
    """``call`` connects it; ``title`` says what it would be; ``objections`` (rule id, text), empty = fine."""

    call: EditCall
    title: Message
    objections: tuple[tuple[str, Message], ...] = ()
    problem: Message | None = None

    @property
    def state(self) -> str:
        """ok, warn or error."""
        return "error" if self.problem else "warn" if self.objections else "ok"


def plan_link(project: Project, design_id: str, sheet_id: str, a: str, b: str) -> LinkPlan | None:
    """Plan from end texts. ``a`` is an end ("node:compute", "sw0:d1", "chassis:bay1"); ``b`` an end or a bare item id
    ("leaf")."""
    design = project.designs[design_id]
    eff = effective(project, design, sheet_id)
    if eff.kind == "server":
        return _server(project, design_id, sheet_id, eff, a, b)
    return _fabric(project, design, design_id, sheet_id, eff, a, b)


# -- server sheet ---------------------------------------------------------------------------------------------------


def _server(project: Project, design_id: str, sheet_id: str, eff: EffSheet, a: str, b: str) -> LinkPlan | None:
    other = server_end(eff, b, a)
    if other is None or other == a:
        return None
    medium = _medium(eff, a, other)
    args: dict[str, object] = {"design": design_id, "sheet": sheet_id, "a": a, "b": other, "medium": medium}
    said = link_legality(project, design_id, sheet_id, a, other)
    return LinkPlan(EditCall("connect", args), msg("{a} to {b}", a=a, b=other), said)


def server_end(eff: EffSheet, text: str, other: str) -> str | None:
    """A full end for what the pointer is on: itself when it is one, the slot, or the first free port that could meet
    ``other``."""
    if text in eff.slots or ":" in text:
        return text
    item = eff.items.get(text)
    if item is None:
        return None
    owner, _, port = other.partition(":")
    far = eff.items[owner].ports.get(port) if owner in eff.items else None
    used = _used_on(eff, text)
    if far is not None and far.medium == "nvlink":
        return f"{text}:nv" if "nv" in item.ports else None
    if (
        item.seat
        and item.seat in eff.slots
        and not eff.slots[item.seat].fed_by
        and (far is None or far.role in ("down", "root"))
    ):
        return item.seat
    wanted = ("up",) if far is not None and far.role in ("down", "root") else ("down", "root")
    for name, row in item.ports.items():
        if row.role in wanted and name not in used:
            return f"{text}:{name}"
    for name, row in item.ports.items():
        if row.role in wanted:
            return f"{text}:{name}"
    return next((f"{text}:{name}" for name in item.ports), None)


def _used_on(eff: EffSheet, item: str) -> set[str]:
    out: set[str] = set()
    ends = [end for row in eff.links.values() for end in (row.a, row.b)]
    ends += [end for built in eff.builtin_links.values() for end in (built.a, built.b)]
    for end in ends:
        owner, _, ports = end.partition(":")
        if owner == item:
            out.update(expand_ports(ports))
    return out


def _medium(eff: EffSheet, a: str, b: str) -> str:
    for end in (a, b):
        owner, _, port = end.partition(":")
        row = eff.items[owner].ports.get(port) if owner in eff.items else None
        if row is not None and row.medium in ("nvlink", "cxl"):
            return row.medium
    return "pcie"


# -- fabric sheet ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Side:
    """One end being planned: the item, what was pointed at, ports free for data and for management, fastest known
    first where that matters (``fit_ports``), and the networks it is on."""

    item: EffItem
    text: str
    count: int
    free: list[str] = field(default_factory=list)
    mgmt: list[str] = field(default_factory=list)
    end: End | None = None
    export_port: Port | None = None
    networks: frozenset[str] = frozenset()

    @property
    def is_server(self) -> bool:
        return self.end is not None

    @property
    def points_at_mgmt(self) -> bool:
        """Whether a management port was pointed at."""
        names = expand_ports(self.text.partition(":")[2])
        return any(n in self.mgmt or (n in self.item.ports and self.item.ports[n].medium == "mgmt") for n in names)


def _fabric(
    project: Project, design: Design, design_id: str, sheet_id: str, eff: EffSheet, a: str, b: str
) -> LinkPlan | None:
    first, second = _side(project, design, eff, a), _side(project, design, eff, b)
    for side, text in ((first, a), (second, b)):
        if side is None and _shows_nothing(project, design, eff, text):
            server = text.partition(":")[0]
            said = msg("{server} shows no network port: open it and put a NIC into a slot.", server=server)
            return LinkPlan(EditCall("connect", {}), said, (), said)
    if first is None or second is None or first.item.id == second.item.id:
        return None
    if second.is_server and not first.is_server:
        first, second = second, first
    network = _network(first, second)
    if first.is_server and not second.is_server:
        fit_ports(second, first.export_port)
        return _to_switch(project, design_id, sheet_id, first, second, network)
    if first.is_server and second.is_server:
        return _between_servers(project, design_id, sheet_id, first, second, network)
    for side, other in ((first, second), (second, first)):
        # On the management network switches offer their own management port; the one that serves it its data ports.
        if network == "oob" and side.mgmt and (side.points_at_mgmt or other.networks == {"oob"}):
            side.free = side.mgmt
    _same_speed(first, second)
    return _between_switches(project, design_id, sheet_id, first, second, network)


def _side(project: Project, design: Design, eff: EffSheet, text: str) -> _Side | None:
    item_id, _, ports = text.partition(":")
    item = eff.items.get(item_id.partition("/")[0])
    if item is None:
        return None
    count = 1
    for _, size in item.axes:
        count *= size
    if item.of.startswith("sheet:"):
        inner = effective(project, design, item.of[6:])
        exports = inner.exports
        used = {end for link in eff.links.values() for end in (link.a, link.b)}
        name = ports if ports in exports else _pick_export(item_id, exports, used)
        if not name:
            return None
        end = end_of(project, design, eff, f"{item_id}:{name}")
        return _Side(item, f"{item_id}:{name}", count, end=end, export_port=_first_port(inner, exports[name].ports))
    taken = _taken(eff, item_id)
    net = [n for n, p in item.ports.items() if p.role == "net" and n not in taken]
    networks = {
        link.network or "compute"
        for link in eff.links.values()
        if item_id in (link.a.partition(":")[0], link.b.partition(":")[0])
    }
    free = [n for n in net if item.ports[n].medium != "mgmt"]
    mgmt = [n for n in net if item.ports[n].medium == "mgmt"]
    return _Side(item, text, count, free, mgmt, networks=frozenset(networks))


def _first_port(inner: EffSheet, ports: Sequence[str]) -> Port | None:
    """The first port behind an export."""
    for name in ports[:1]:
        owner, _, port = name.partition(":")
        return inner.items[owner].ports.get(port) if owner in inner.items else None
    return None


def fit_ports(switch: _Side, port: Port | None) -> None:
    """Order the free ports of a switch for a server's port: those of its speed first, then faster, then slower ones.

    Management ports are offered only where a management port is to be met, or one was pointed at; a link that is
    short of data ports never falls back to them.
    """
    rows = switch.item.ports
    if switch.points_at_mgmt:
        switch.free = switch.mgmt
        return
    if port is None:
        return
    if port.medium == "mgmt" and not any(media_of(rows[n]) & media_of(port) for n in switch.free):
        switch.free = switch.mgmt
    if not port.gbps:
        return
    wanted = port.gbps

    def rank(name: str) -> tuple[bool, int]:
        gbps = rows[name].gbps
        return (not media_of(rows[name]) & media_of(port), 0 if gbps == wanted else 1 if gbps > wanted else 2)

    switch.free = sorted(switch.free, key=rank)  # a stable sort: ports of a kind stay in their order


def _same_speed(a: _Side, b: _Side) -> None:
    """Between switches with several kinds of ports: the fastest that both have free, else the fastest of each."""
    speeds = [{side.item.ports[n].gbps for n in side.free} for side in (a, b)]
    both = speeds[0] & speeds[1]
    for side, own in zip((a, b), speeds, strict=True):
        if len(own) > 1:
            best = max(both or own)
            side.free = [n for n in side.free if side.item.ports[n].gbps == best]


def _shows_nothing(project: Project, design: Design, eff: EffSheet, text: str) -> bool:
    """Whether this end is a server without any export."""
    item = eff.items.get(text.partition(":")[0])
    return item is not None and item.of.startswith("sheet:") and not effective(project, design, item.of[6:]).exports


def _pick_export(item_id: str, exports: Mapping[str, object], used: set[str]) -> str:
    order = sorted(exports, key=lambda n: (f"{item_id}:{n}" in used, NETWORKS.index(n) if n in NETWORKS else 9, n))
    return order[0] if order else ""


def _taken(eff: EffSheet, item_id: str) -> set[str]:
    out: set[str] = set()
    for link in eff.links.values():
        for end in (link.a, link.b):
            owner, _, ports = end.partition(":")
            if owner == item_id:
                out.update(expand_ports(ports))
    return out


def _network(a: _Side, b: _Side) -> str:
    """The network that a link between two ends belongs to: the server's export names it, else what both are on."""
    for side in (a, b):
        name = side.text.partition(":")[2]
        if side.is_server and name in NETWORKS:
            return name
    if a.points_at_mgmt or b.points_at_mgmt or {"oob"} in (set(a.networks), set(b.networks)):
        return "oob"
    known = (a.networks & b.networks) or (a.networks | b.networks)
    return next((n for n in NETWORKS if n in known), next(iter(sorted(known)), "compute"))


def _shared_axes(end: End, item: EffItem) -> list[str]:
    own, ports = end.joinable()
    names = {n for n, _ in (*own, *ports)}
    return [n for n, size in item.axes if n in names and size > 1]


def _to_switch(project: Project, design_id: str, sheet_id: str, server: _Side, switch: _Side, network: str) -> LinkPlan:
    assert server.end is not None
    on = _shared_axes(server.end, switch.item)
    total = server.count * len(server.end.ports)
    need = -(-total // max(switch.count, 1))
    ports = switch.free[:need]
    args: dict[str, object] = {
        "design": design_id,
        "sheet": sheet_id,
        "a": server.text,
        "b": f"{switch.item.id}:{port_text(ports)}",
        "wire": {"mode": "deal", "on": on},
        "network": network,
        "medium": _fabric_medium(switch.item, ports),
    }
    title = (
        msg("{total} cables, {need} per switch, joined on {axes}", total=total, need=need, axes=on)
        if on
        else msg("{total} cables, {need} per switch", total=total, need=need)
    )
    return _finish(project, design_id, sheet_id, args, title, switch, need, ports)


def _between_servers(project: Project, design_id: str, sheet_id: str, a: _Side, b: _Side, network: str) -> LinkPlan:
    assert a.end is not None
    assert b.end is not None
    shared = [n for n, _ in a.item.axes if n in dict(b.item.axes)]
    args: dict[str, object] = {
        "design": design_id,
        "sheet": sheet_id,
        "a": a.text,
        "b": b.text,
        "wire": {"mode": "deal", "on": shared},
        "network": network,
    }
    total = a.count * len(a.end.ports)
    return LinkPlan(
        EditCall("connect", args),
        msg("{total} cables from server to server", total=total),
        link_legality(project, design_id, sheet_id, a.text, b.text),
    )


def _between_switches(project: Project, design_id: str, sheet_id: str, a: _Side, b: _Side, network: str) -> LinkPlan:
    shared = [n for n, size in a.item.axes if dict(b.item.axes).get(n) == size and size > 1]
    classes = 1
    for name in shared:
        classes *= dict(a.item.axes)[name]
    n_a, n_b = max(1, a.count // classes), max(1, b.count // classes)
    single = a.count == 1 and b.count == 1
    per_pair = 1 if single else max(1, min(len(a.free) // n_b, len(b.free) // n_a))
    use_a, use_b = a.free[: n_b * per_pair], b.free[: n_a * per_pair]
    args: dict[str, object] = {
        "design": design_id,
        "sheet": sheet_id,
        "a": f"{a.item.id}:{port_text(use_a)}",
        "b": f"{b.item.id}:{port_text(use_b)}",
        "wire": {"mode": "mesh", "on": shared, "per_pair": per_pair},
        "network": network,
        "medium": _fabric_medium(a.item, use_a),
    }
    total = a.count * n_b * per_pair
    title = msg("{total} cables, {per_pair} between each pair", total=total, per_pair=per_pair)
    short = b if len(use_b) < n_a * per_pair else a
    need = n_a * per_pair if short is b else n_b * per_pair
    return _finish(project, design_id, sheet_id, args, title, short, need, use_b if short is b else use_a)


def _finish(
    project: Project,
    design_id: str,
    sheet_id: str,
    args: dict[str, object],
    title: Message,
    side: _Side,
    need: int,
    ports: list[str],
) -> LinkPlan:
    call = EditCall("connect", args)
    if not ports:
        return LinkPlan(call, title, (), msg("{item} has no free port.", item=side.item.id))
    said = link_legality(project, design_id, sheet_id, str(args["a"]), str(args["b"]))
    if len(ports) < need:
        said = (
            (
                "FAB-01",
                msg("{item} has {free} free ports, {need} are needed.", item=side.item.id, free=len(ports), need=need),
            ),
            *said,
        )
    return LinkPlan(call, title, said)


def _fabric_medium(item: EffItem, ports: Iterable[str]) -> str:
    return next((item.ports[p].medium for p in ports if p in item.ports), "eth")
