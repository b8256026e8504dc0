"""FAB: what a fabric can hold, and whether its cables are as many as the arithmetic of leafs and spines wants."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fabricwright.design.network_names import network_words
from fabricwright.rules.context import RuleContext
from fabricwright.rules.fabric import at_item, target_of
from fabricwright.rules.fabric_attached import Attached, attached
from fabricwright.rules.fabric_cabling import (
    COMPUTE,
    Bool,
    cabling,
    downs,
    half_of_leaf,
    network_code,
    once,
    per_device,
    radix_of,
    ups,
)
from fabricwright.rules.fabric_joined import joined
from fabricwright.rules.fabric_view import F64, I64, members_where
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import rule
from fabricwright.topology.wiring import end_of
from fabricwright.units.record import record
from fabricwright.units.text import N_, msg


@record
class Piece:
    """One connected part of a network that has a spine tier (a plane, or all of it).

    ``leafs``/``spines`` devices of tiers 1 and 2; ``top`` highest tier; ``ends`` (devices) end points cabled to each
    leaf, ``planned`` with absent members; ``servers``/``planned_servers`` the same of servers; ``uplinks`` cables up.
    """

    network: str
    leafs: I64
    spines: I64
    top: int
    ends: I64
    planned: I64
    servers: I64
    planned_servers: I64
    uplinks: I64
    item: str
    spine_item: str


def pieces(context: RuleContext) -> list[Piece]:
    """Connected parts with a spine tier, of every network."""
    return once(context, "pieces", lambda: list(_pieces(context)))


def _pieces(context: RuleContext) -> Iterator[Piece]:
    fabric, seen, below, above = context.fabric(), cabling(context), downs(context), ups(context)
    n = len(fabric.absent)
    for code, network in enumerate(fabric.networks):
        rising = above.network == code
        if not rising.any():
            continue
        piece = joined(context, 3, network)
        member = (seen.main == code) & fabric.switch & ~fabric.absent
        own = below.network == code
        planned = own & ~fabric.absent[below.leaf] if fabric.absent.any() else own
        masks = (own & below.drawn, planned, own & below.drawn & below.server, planned & below.server)
        counts = [np.bincount(below.leaf if rows.all() else below.leaf[rows], minlength=n) for rows in masks]
        up = np.bincount(above.low if rising.all() else above.low[rising], minlength=n)
        for label in np.flatnonzero(np.bincount(piece[member & (fabric.tier == 2)], minlength=1)):
            here = member & (piece == label)
            leafs, spines = np.flatnonzero(here & (fabric.tier == 1)), np.flatnonzero(here & (fabric.tier == 2))
            if len(leafs):
                ends, all_ends, servers, all_servers = (c[leafs].astype(np.int64) for c in counts)
                yield Piece(
                    network,
                    leafs,
                    spines,
                    int(fabric.tier[here].max()),
                    ends,
                    all_ends,
                    servers,
                    all_servers,
                    up[leafs].astype(np.int64),
                    fabric.device_name(int(leafs[0]))[0],
                    fabric.device_name(int(spines[0]))[0],
                )


@rule(
    "FAB-05",
    "error",
    needs=("root", "fabric", "statements"),
    scope="design",
    group="spine-leaf",
    subject="fabric",
    direction="up",
    title=N_("Too many end points for two tiers"),
    checks=N_(
        "The end points of a two-tier fabric are at most half a leaf's ports times a spine's ports (more where a "
        "target above 1:1 is stated)."
    ),
    reason=N_(
        "Every leaf needs a port on every spine, so a spine's ports bound the leafs: with 64 ports 64 x 32 = 2,048 "
        "end points. Beyond that it takes a core tier."
    ),
    source="sp_b200 (8 SU = 2048 = 64^2/2); apetops",
)
def fab_05(context: RuleContext) -> Iterator[Finding]:
    radix = per_device(context, "radix", radix_of)
    for piece in pieces(context):
        if piece.top > 2:
            continue
        half = half_of_leaf(context, piece.network)[piece.leafs].max()
        most = half * radix[piece.spines].max()
        total = int(piece.ends.sum())
        if most > 0 and total > most:
            yield context.finding(
                (at_item(piece.spine_item), at_item(piece.item)),
                msg(
                    "{total} end points of the network {network}; two tiers hold {most} ({half} per leaf x {ports} "
                    "ports of a spine). It takes a third tier.",
                    total=total,
                    network=network_words(piece.network),
                    most=int(most),
                    half=int(half),
                    ports=int(radix[piece.spines].max()),
                ),
                measured=float(total),
                allowed=float(most),
                unit="end points",
            )


@rule(
    "FAB-09",
    "warning",
    needs=("root", "fabric", "statements"),
    scope="design",
    group="spine-leaf",
    subject="fabric",
    direction="down",
    title=N_("Uplinks left out with missing servers"),
    checks=N_("Where servers of a scalable unit are missing, its leafs still have the uplinks of the full unit."),
    reason=N_(
        "The fabric is built at the size of full units: uplinks that are left out make that leaf the slow one of "
        "every collective, and are missing when the servers come."
    ),
    source="sp_h100 text",
)
def fab_09(context: RuleContext) -> Iterator[Finding]:
    for piece in pieces(context):
        if piece.network != COMPUTE or piece.top > 2:
            continue
        planned = _full_units(context, piece)
        missing = int((planned - piece.servers).sum())
        ratio = target_of(context, piece.item, frozenset({COMPUTE}))
        up, wanted = float(piece.uplinks.sum()), float(planned.sum()) / ratio
        enough_for_now = up >= float(piece.servers.sum()) / ratio - 0.5
        if missing > 0 and enough_for_now and up < wanted - 0.5 and _one_speed(context, COMPUTE):
            yield context.finding(
                (at_item(piece.item), at_item(piece.spine_item)),
                msg(
                    "{missing} server ports of full units are missing, and so are uplinks: {up} leaf-spine cables "
                    "where the full size has {wanted}.",
                    missing=missing,
                    up=int(up),
                    wanted=int(wanted),
                ),
                measured=up,
                allowed=wanted,
                unit="cables",
            )


def _full_units(context: RuleContext, piece: Piece) -> I64:
    """Server ports that each leaf has when all units are full: absent members counted in; where one unit is full at
    half the ports of its leafs, a unit of nearly as many servers is one with some left out.
    """
    half = half_of_leaf(context, piece.network)[piece.leafs].astype(np.int64)
    planned = piece.planned_servers
    if len(planned) and planned.max() == half.max() and half.max() > 0:
        return np.where(planned >= 0.75 * half, np.maximum(planned, half), planned)
    return planned


def _one_speed(context: RuleContext, network: str) -> bool:
    """Whether all cables of a network have one line rate, so that counting them is right."""
    code, below, above = network_code(context.fabric(), network), downs(context), ups(context)
    rates = [
        above.gbps[(above.network == code) & (above.gbps > 0)],
        below.gbps[(below.network == code) & below.drawn & (below.gbps > 0)],
    ]
    every = np.concatenate(rates)
    return bool(len(every)) and float(np.ptp(every)) < 1.0


@rule(
    "FAB-17",
    "error",
    needs=("root", "fabric", "statements"),
    scope="design",
    group="spine-leaf",
    subject="cable count",
    direction="up",
    title=N_("Cables differ from the formula"),
    checks=N_(
        "Every compute port of every server has a cable to a leaf, and in a 1:1 fabric of full leafs there are as many "
        "leaf-spine cables as leafs times half their ports. Management appliances and storage do not count."
    ),
    reason=N_("A cable too few is a GPU without network, or a leaf slower than the others; it is easily overlooked."),
    source="sp_b200",
)
def fab_17(context: RuleContext) -> Iterator[Finding]:
    for group in attached(context):
        columns = _own_columns(context, group)
        far = group.far[:, columns]
        switch = context.fabric().switch
        if not (far >= 0).any() or not switch[far[far >= 0]].all():
            continue  # cabled port to port: no leafs to count
        per_server = (far >= 0).sum(axis=1)
        short: Bool = group.there & (per_server < len(columns))
        if short.any():
            cabled, wanted = int(per_server[group.there].sum()), int(group.there.sum()) * len(columns)
            yield _difference(context, group, short, cabled, wanted)
    for piece in pieces(context):
        yield from _leaf_spine(context, piece)


def _own_columns(context: RuleContext, group: Attached) -> list[int]:
    """Ports that the link rows of the group name (not those that single cables were moved to)."""
    root = context.root
    named: set[str] = set()
    for bundle in context.fabric().bundles:
        link = root.links.get(bundle.link)
        if link is None or bundle.network != COMPUTE:
            continue
        for text, item in ((link.a, bundle.a_item), (link.b, bundle.b_item)):
            if item == group.item:
                named |= set(end_of(context.project, context.design, root, text).ports)
    return [k for k, name in enumerate(group.ports) if name in named]


def _difference(context: RuleContext, group: Attached, short: Bool, cabled: int, wanted: int) -> Finding:
    return context.finding(
        (at_item(group.item),),
        msg(
            "{item}: {cabled} compute cables to leafs for {wanted} compute ports.",
            item=group.item,
            cabled=cabled,
            wanted=wanted,
        ),
        members=members_where(short),
        measured=float(wanted - cabled),
        allowed=0.0,
        unit="cables",
        values={"cables": cabled, "ports": wanted},
    )


def _leaf_spine(context: RuleContext, piece: Piece) -> Iterator[Finding]:
    half: F64 = half_of_leaf(context, piece.network)[piece.leafs]
    if piece.network != COMPUTE or piece.top > 2 or target_of(context, piece.item, frozenset({COMPUTE})) != 1.0:
        return
    full = (piece.planned >= half) & (half > 0)
    if not full.all() or np.ptp(half) or not _one_speed(context, COMPUTE):
        return
    usual = int(np.bincount(piece.uplinks).argmax())
    wanted, drawn = int(half.sum()), int(piece.uplinks.sum())
    if usual == half[0] and drawn != wanted:
        yield context.finding(
            (at_item(piece.item), at_item(piece.spine_item)),
            msg(
                "{drawn} leaf-spine cables; {leafs} leafs x {half} are {wanted}.",
                drawn=drawn,
                leafs=len(piece.leafs),
                half=int(half[0]),
                wanted=wanted,
            ),
            measured=float(abs(wanted - drawn)),
            allowed=0.0,
            unit="cables",
            values={"cables": drawn, "formula": wanted},
        )
