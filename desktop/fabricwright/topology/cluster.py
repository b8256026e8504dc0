"""A whole design compiled: its server variants, who is cabled where, and which GPUs take part in which order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from fabricwright.design.address import parse_address
from fabricwright.design.effective import EffSheet, effective
from fabricwright.design.indexset import IndexSet
from fabricwright.design.values import Design, Project
from fabricwright.topology.fabric import NETWORK_MEDIA, compile_fabric
from fabricwright.topology.failures import Failures, members_of, parse_failures
from fabricwright.topology.interior import compile_interior
from fabricwright.topology.model import I32, Bundle, Cluster, Fabric, Interior
from fabricwright.topology.wiring import member_set, product
from fabricwright.units.errors import UserError
from fabricwright.units.natural import natural_key
from fabricwright.units.text import msg


def compile_cluster(
    project: Project,
    design_id: str | Design,
    *,
    ranks: Sequence[str] | None = None,
    nodes: int | None = None,
    failed: Sequence[str] = (),
    settings: Mapping[str, object] | None = None,
    interiors: Mapping[str, Interior] | None = None,
    bundles: Mapping[str, Bundle] | None = None,
    fabric: Fabric | None = None,
) -> Cluster:
    """Compile a design.

    ``ranks``: addresses of servers or GPUs in rank order (default: all GPUs, design's order); ``nodes``: only
    the first n
    servers. ``failed``: addresses of what is down (``spine[0]``, ``down#3``, ``node[4]/nic0:1``,
    ``leaf[2]:17/2``); failed
    servers and GPUs take no part. ``settings`` replace the design's. ``interiors`` (by sheet) and ``bundles``
    (by link) are
    pieces compiled before, and so is ``fabric``, the whole root sheet (used only when nothing is down). Raises
    UserError for addresses that name nothing.
    """
    design = project.designs[design_id] if isinstance(design_id, str) else design_id
    name = design_id if isinstance(design_id, str) else next((i for i, d in project.designs.items() if d is design), "")
    rules: Mapping[str, object] = design.settings if settings is None else settings
    eff = effective(project, design, design.root)
    groups = _groups(design, eff)
    inner = {i: {k: row.kind for k, row in effective(project, design, s).items.items()} for i, s in groups.items()}
    down = parse_failures(eff, failed, inner) if eff.kind == "fabric" else _inner_failures(eff, failed)
    if fabric is None or failed:
        fabric = compile_fabric(project, design, bundles=bundles, failures=down)
    device, sheet_of = _servers(design, eff, groups, fabric)
    sheets = tuple(dict.fromkeys(sheet_of))
    compiled = tuple((interiors or {}).get(s) or compile_interior(effective(project, design, s), rules) for s in sheets)
    variant = (
        np.array([sheets.index(s) for s in sheet_of], dtype=np.int32) if len(sheets) < 2 else _codes(sheet_of, sheets)
    )
    up = ~fabric.failed[device] if len(device) else np.zeros(0, dtype=bool)
    uplink, leaf = uplinks_of(fabric, compiled, device, variant)
    rank_server, rank_gpu = _ranks(eff, fabric, compiled, device, variant, up, down, ranks, nodes)
    return Cluster(
        design=name,
        settings=rules,
        interiors=compiled,
        variant_sheet=sheets,
        server_dev=device,
        variant=variant,
        rank_server=rank_server,
        rank_gpu=rank_gpu,
        uplink=uplink,
        uplink_leaf=leaf,
        fabric=fabric,
        rank_domain=domains_of(fabric, compiled, device, variant, rank_server, rank_gpu),
        server_axes=_axes(eff, fabric, device),
        up=up,
    )


def _groups(design: Design, eff: EffSheet) -> dict[str, str]:
    """Server items in rank order: ``design.ranks`` first, then the others; item -> sheet."""
    if eff.kind != "fabric":
        return {}
    servers = {i: row.of[6:] for i, row in eff.items.items() if row.of.startswith("sheet:")}
    order = [i for i in design.ranks if i in servers]
    order += [i for i in sorted(servers, key=natural_key) if i not in order]
    return {i: servers[i] for i in order}


def _inner_failures(eff: EffSheet, failed: Iterable[str]) -> Failures:
    gpus = []
    for text in failed:
        address = parse_address(text)
        row = eff.items.get(address.item)
        if row is None or row.kind != "gpu":
            raise UserError(msg("'{address}' cannot be failed here; on a server sheet name a GPU.", address=text))
        gpus.append((eff.id, IndexSet.span(1), address.item))
    return Failures(gpus=tuple(gpus))


def _servers(design: Design, eff: EffSheet, groups: Mapping[str, str], fabric: Fabric) -> tuple[I32, list[str]]:
    """Devices of all servers that are there, in rank order, and the sheet of each."""
    if eff.kind != "fabric":
        return np.zeros(1, dtype=np.int32), [eff.id]
    devices: list[I32] = []
    sheets: list[str] = []
    for item, base in groups.items():
        count, first = fabric.count[item], fabric.offset[item]
        own = [base] * count
        row = design.sheets[eff.id].items.get(item)
        if row is not None:
            for key, override in row.except_.items():
                if override.sheet is not None and override.sheet in design.sheets:
                    for member in member_set(key, row.axes).clip(count):
                        own[member] = override.sheet
        there = np.flatnonzero(~fabric.absent[first : first + count])
        devices.append((there + first).astype(np.int32))
        sheets += own if len(there) == count else [own[i] for i in there]
    return (np.concatenate(devices) if devices else np.zeros(0, dtype=np.int32)), sheets


def _codes(names: list[str], order: tuple[str, ...]) -> I32:
    code = {name: i for i, name in enumerate(order)}
    return np.fromiter((code[name] for name in names), dtype=np.int32, count=len(names))


def _server_index(fabric: Fabric, device: I32) -> I32:
    """Device -> server, -1 for other devices."""
    out = np.full(len(fabric.absent), -1, dtype=np.int32)
    out[device] = np.arange(len(device), dtype=np.int32)
    return out


def uplinks_of(fabric: Fabric, interiors: tuple[Interior, ...], device: I32, variant: I32) -> tuple[I32, I32]:
    """(S, P) physical link and far device of every network port of every server; the first living cable of a
    port counts.
    """
    width = max((len(i.net_ports) for i in interiors), default=0)
    uplink = np.full((len(device), width), -1, dtype=np.int32)
    leaf = np.full((len(device), width), -1, dtype=np.int32)
    server = _server_index(fabric, device)
    for n, bundle in enumerate(fabric.bundles if width else ()):
        if bundle.medium not in NETWORK_MEDIA:
            continue
        mine = np.flatnonzero((fabric.bundle == n) & (fabric.rate > 0)).astype(np.int32)[::-1]
        ends = (
            (bundle.a_ports, fabric.a_dev, fabric.a_port, fabric.b_dev),
            (bundle.b_ports, fabric.b_dev, fabric.b_port, fabric.a_dev),
        )
        for names, near, port, far in ends:
            at = server[near[mine]]
            rows = mine[at >= 0]
            if not len(rows):
                continue
            at = at[at >= 0]
            table = np.full((len(interiors), len(names) + 1), -1, dtype=np.int32)
            for v, interior in enumerate(interiors):
                index = {name: p for p, name in enumerate(interior.net_ports)}
                table[v, : len(names)] = [index.get(name, -1) for name in names]
            column = table[variant[at], port[rows]]
            good = column >= 0
            fresh = good & (uplink[at, np.maximum(column, 0)] < 0)
            uplink[at[fresh], column[fresh]] = rows[fresh]
            leaf[at[fresh], column[fresh]] = far[rows[fresh]]
    return uplink, leaf


def _ranks(
    eff: EffSheet,
    fabric: Fabric,
    interiors: tuple[Interior, ...],
    device: I32,
    variant: I32,
    up: np.ndarray[tuple[int], np.dtype[np.bool_]],
    down: Failures,
    ranks: Sequence[str] | None,
    nodes: int | None,
) -> tuple[I32, I32]:
    gpus = np.array([len(i.gpus) for i in interiors], dtype=np.int64)
    if ranks is not None:
        server, gpu = _named(eff, fabric, interiors, device, variant, ranks)
    else:
        per = gpus[variant] if len(variant) else np.zeros(0, dtype=np.int64)
        server = np.repeat(np.arange(len(device), dtype=np.int32), per)
        first = np.cumsum(per) - per
        gpu = (np.arange(per.sum()) - np.repeat(first, per)).astype(np.int32)
    if nodes is not None:
        order = list(dict.fromkeys(server.tolist())) if ranks is not None else np.unique(server).tolist()
        keep = np.isin(server, order[: max(nodes, 0)])
        server, gpu = server[keep], gpu[keep]
    there = up[server]
    for item, members, name in down.gpus:
        first_dev, index = (
            fabric.offset[item],
            {v: i.gpus.index(name) for v, i in enumerate(interiors) if name in i.gpus},
        )
        at = device[server] - first_dev
        inside = (at >= 0) & (at < fabric.count[item])
        hit = np.zeros(fabric.count[item], dtype=bool)
        for lo, hi in members.ranges:
            hit[lo : hi + 1] = True
        wanted = np.array([index.get(v, -2) for v in range(len(interiors))], dtype=np.int32)
        there &= ~(inside & hit[np.where(inside, at, 0)] & (gpu == wanted[variant[server]]))
    return server[there], gpu[there]


def _named(
    eff: EffSheet, fabric: Fabric, interiors: tuple[Interior, ...], device: I32, variant: I32, ranks: Sequence[str]
) -> tuple[I32, I32]:
    servers, chosen = [], []
    taken: set[tuple[int, int]] = set()
    index = _server_index(fabric, device)
    for text in ranks:
        address = parse_address(text)
        if eff.kind != "fabric":
            own = interiors[0].gpus
            if address.item not in own:
                raise UserError(msg("'{address}' is not a GPU of this server.", address=text))
            servers.append(0)
            chosen.append(own.index(address.item))
            _take(taken, [(0, chosen[-1])], text)
            continue
        row = eff.items.get(address.item)
        if row is None or not row.of.startswith("sheet:"):
            raise UserError(msg("'{address}' is not a server or a GPU of this design.", address=text))
        inner = "/".join(step.item for step in address.steps[1:])
        for member in members_of(eff, address):
            server = int(index[fabric.offset[address.item] + member])
            if server < 0:
                continue
            gpus = interiors[variant[server]].gpus
            if inner and inner not in gpus:
                raise UserError(msg("'{address}': the server has no GPU '{gpu}'.", address=text, gpu=inner))
            wanted = [gpus.index(inner)] if inner else range(len(gpus))
            servers += [server] * len(wanted)
            chosen += list(wanted)
            _take(taken, [(server, gpu) for gpu in wanted], text)
    return np.array(servers, dtype=np.int32), np.array(chosen, dtype=np.int32)


def _take(taken: set[tuple[int, int]], gpus: list[tuple[int, int]], text: str) -> None:
    """Note the GPUs of an address of ``ranks``. Raises UserError when one of them has a rank already."""
    if not taken.isdisjoint(gpus):
        raise UserError(msg("'{address}' names a GPU that has a rank already; a GPU takes part once.", address=text))
    taken.update(gpus)


def domains_of(
    fabric: Fabric, interiors: tuple[Interior, ...], device: I32, variant: I32, rank_server: I32, rank_gpu: I32
) -> I32:
    """NVLink domain of each rank over the cluster: servers joined by NVLink cables share theirs, and so do those whose
    parts state a rack-wide domain when no NVLink cables are drawn.
    """
    root = _stated_racks(fabric, interiors, device, variant, _nvlink_components(fabric))
    width = max((int(i.nvlink_domain.max(initial=-1)) + 1 for i in interiors), default=0)
    table = np.full((len(interiors), max((len(i.gpus) for i in interiors), default=0) + 1), -1, dtype=np.int64)
    for v, interior in enumerate(interiors):
        table[v, : len(interior.gpus)] = interior.nvlink_domain
    inner = table[variant[rank_server], rank_gpu] if len(rank_server) else np.zeros(0, dtype=np.int64)
    dev = device[rank_server]
    joined = root[dev] >= 0
    key = np.where(joined, -2 - root[dev], dev.astype(np.int64) * max(width, 1) + inner)
    _, codes = np.unique(key, return_inverse=True)
    return np.where(inner >= 0, codes, -1).astype(np.int32)


def _stated_racks(
    fabric: Fabric,
    interiors: tuple[Interior, ...],
    device: I32,
    variant: I32,
    root: np.ndarray[tuple[int], np.dtype[np.int64]],
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """``root`` with the domains that parts state: servers of one item in order, until the stated GPUs are together."""
    stated = np.array([i.domain_gpus for i in interiors], dtype=np.int64)
    if not len(device) or not stated.any() or any(b.medium == "nvlink" for b in fabric.bundles):
        return root
    out = root.copy()
    gpus = np.array([len(i.gpus) for i in interiors], dtype=np.int64)
    for item in fabric.items:
        first = fabric.offset[item]
        mine = np.flatnonzero((device >= first) & (device < first + fabric.count[item]) & (stated[variant] > 0))
        if not len(mine):
            continue
        before = np.cumsum(gpus[variant[mine]]) - gpus[variant[mine]]
        rack = before // stated[variant[mine]]
        start = mine[np.searchsorted(rack, rack)]
        out[device[mine]] = device[start]
    return out


def _nvlink_components(fabric: Fabric) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Lowest device of each NVLink-cabled component, -1 for devices without NVLink cables."""
    out = np.full(len(fabric.absent), -1, dtype=np.int64)
    left, right = [], []
    for n, bundle in enumerate(fabric.bundles):
        if bundle.medium == "nvlink":
            mine = np.flatnonzero(fabric.bundle == n)
            mine = mine[bundle.alive[fabric.row[mine]] & (fabric.up[mine] if len(fabric.up) else True)]
            left.append(fabric.a_dev[mine])
            right.append(fabric.b_dev[mine])
    if not left:
        return out
    a, b = np.concatenate(left), np.concatenate(right)
    touched = np.unique(np.concatenate((a, b)))
    out[touched] = touched
    while True:
        low = np.minimum(out[a], out[b])
        before = out.copy()
        np.minimum.at(out, a, low)
        np.minimum.at(out, b, low)
        if (out == before).all():
            return out


def _axes(eff: EffSheet, fabric: Fabric, device: I32) -> dict[str, I32]:
    """Coordinates of each server by axis name."""
    out: dict[str, I32] = {}
    for item in fabric.items if eff.kind == "fabric" else ():
        row = eff.items[item]
        if not row.of.startswith("sheet:"):
            continue
        first, count = fabric.offset[item], product(row.axes)
        mine = np.flatnonzero((device >= first) & (device < first + count))
        index = device[mine] - first
        for name, size in reversed(row.axes):
            column = out.setdefault(name, np.full(len(device), -1, dtype=np.int32))
            column[mine] = index % size
            index = index // size
    return out
