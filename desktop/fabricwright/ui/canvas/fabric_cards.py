"""What the cards of a fabric sheet say. No Qt; texts in the wanted language."""

from __future__ import annotations

import re
from collections import Counter

from fabricwright.catalog.parts import Part
from fabricwright.catalog.pictograms import pictogram
from fabricwright.design.effective import EffItem, EffSheet, effective
from fabricwright.design.naming import member_name
from fabricwright.ui.canvas.fabric_figures import FabricFacts, group_meters
from fabricwright.ui.canvas.fabric_pieces import LEAF, SERVER, SPINE, Piece, rail_of, tile_label
from fabricwright.ui.canvas.naming import part_names, spaced_model, thousands
from fabricwright.ui.paint.scene import Card, Mark, Meter, Style, Tile
from fabricwright.units.text import Message, msg

NETWORK_TOKENS = {"storage": "storage", "inband": "storage", "oob": "mgmt", "mgmt": "mgmt"}


def make_card(piece: Piece, marks: tuple[Mark, ...], facts: FabricFacts, columns: int) -> Card:
    """Card of a piece."""
    item = facts.eff.items[piece.item]
    if piece.role == SERVER:
        return group_card(piece, item, marks, facts)
    if piece.role == LEAF:
        return leaf_card(piece, item, marks, facts)
    if piece.role == SPINE:
        return spine_card(piece, item, marks, facts, columns)
    return side_card(piece, item, marks, facts)


def _count_pill(piece: Piece) -> str:
    return f"× {thousands(piece.count)}" if len(piece.members) > 1 else ""


def server_part(item: EffItem, facts: FabricFacts) -> Part | None:
    """Chassis part of a server item."""
    if item.of.startswith("sheet:"):
        return effective(facts.project, facts.design, item.of[6:]).chassis_part
    return item.part


def group_card(piece: Piece, item: EffItem, marks: tuple[Mark, ...], facts: FabricFacts) -> Card:
    """Server group with what is inside, lanes and power."""
    part = server_part(item, facts)
    models = spaced_model(part, item.of, facts.lang)
    single = len(piece.members) == 1
    name = member_name(item.name, item.axes, int(piece.members[0]), item.id) if single and item.name else ""
    titles = (
        (*((name,) if name else ()), facts.text(msg("{model} server", model=models[0])), *models)
        if part and part.model
        else (*((name,) if name else ()), *models)
    )
    total = _total(item)
    return Card(
        item.id,
        Style.GROUP,
        "server-group" if not single else "server",
        titles,
        "",
        group_lines(item, facts),
        (),
        _count_pill(piece),
        thousands(piece.count),
        piece.members_set(total),
        (),
        marks,
        group_meters(item, part, facts),
        layers=2 if not single else 0,
    )


def _total(item: EffItem) -> int:
    n = 1
    for _, size in item.axes:
        n *= size
    return n


def group_lines(item: EffItem, facts: FabricFacts) -> tuple[str, ...]:
    """``8 × H100 SXM5; 1 × ConnectX-7 (2 × 100G)``: GPUs, and the NICs that the network of the sheet uses."""
    if not item.of.startswith("sheet:"):
        part = item.part
        return (part.name(facts.lang),) if part else ()
    inner = effective(facts.project, facts.design, item.of[6:])
    gpus = Counter(i.of for i in inner.items.values() if i.kind == "gpu")
    words = []
    for of, count in gpus.most_common(3):
        names = [n for n in spaced_model(facts.project.parts.get(of), of, facts.lang) if not n.upper().endswith("GB")]
        words.append(f"{count} × {names[0] if names else of}")
    if any(i.kind == "nvswitch" for i in inner.items.values()) and words:
        words[-1] += ", NVSwitch"
    nics = _nic_words(inner, facts)
    text = ", ".join(words)
    if nics and text and len(text) + len(nics) > 54:
        return (text, nics)
    if nics:
        text = f"{text}; {nics}" if text else nics
    return (text,) if text else ()


def _nic_words(inner: EffSheet, facts: FabricFacts) -> str:
    export = inner.exports.get("compute")
    ports = export.ports if export else ()
    by_nic: dict[str, list[float]] = {}
    for name in ports:
        owner, _, port = name.partition(":")
        item = inner.items.get(owner)
        if item is not None and port in item.ports:
            by_nic.setdefault(owner, []).append(item.ports[port].gbps)
    kinds = Counter((inner.items[n].of, tuple(r)) for n, r in by_nic.items())
    words = []
    for (of, rates), count in kinds.most_common(2):
        names = part_names(facts.project.parts.get(of), of, facts.lang)
        short = min(names, key=len) if len(names) > 2 else names[-1]
        rate = f"{len(rates)} × {rates[0]:g}G" if len(rates) > 1 else f"{rates[0]:g}G"
        words.append(f"{count} × {short} ({rate})")
    return ", ".join(words)


def leaf_card(piece: Piece, item: EffItem, marks: tuple[Mark, ...], facts: FabricFacts) -> Card:
    """Leaf tile, narrow or wide."""
    total = _total(item)
    names = part_names(item.part, item.of, facts.lang)
    label = tile_label(piece, item.axes, facts.pieces.axis)
    single = len(piece.members) == 1
    rail = rail_of(piece, facts.pieces.axis) if piece.tiles > 1 else -1
    wide = piece.tiles <= 3
    pill = f"× {piece.count}" if piece.count > 1 else ""
    if not wide:
        own = member_name(item.name, item.axes, int(piece.members[0]), item.id)
        return Card(
            item.id,
            Style.LEAF,
            "leaf-switch",
            (label or own,),
            "",
            (names[0],),
            pill=pill,
            far=label,
            members=piece.members_set(total),
            marks=marks,
            rail=rail,
            layers=1 if piece.count > 1 else 0,
            tip=own,
        )
    own = member_name(item.name, item.axes, int(piece.members[0]), item.id) if single else item.name or item.id
    title = (own, label) if label else (own,)
    used, cages = facts.cages.get(item.id, (0, 0))
    meters = (
        (
            Meter(
                "",
                used / cages,
                facts.text(msg("{used} of {cages} cages", used=used, cages=cages)),
                "ok" if used <= cages else "error",
            ),
        )
        if cages and used
        else ()
    )
    model = names[0] if not pill else f"{piece.count} × {names[0]}"
    return Card(
        item.id,
        Style.LEAF_WIDE,
        "leaf-switch",
        title,
        "",
        (model,),
        pill=pill,
        far=label or own,
        members=piece.members_set(total),
        marks=marks,
        meters=meters,
        rail=rail,
        layers=1 if piece.count > 1 else 0,
    )


def spine_card(piece: Piece, item: EffItem, marks: tuple[Mark, ...], facts: FabricFacts, columns: int) -> Card:
    """Tier frame with a tile per switch."""
    total = _total(item)
    tier = facts.pieces.tier.get(item.id, 2)
    words = {1: msg("Leaf"), 2: msg("Spine"), 3: msg("Core")}
    title = facts.text(words.get(tier, msg("Switches")))
    names = part_names(item.part, item.of, facts.lang)
    used, cages = facts.cages.get(item.id, (0, 0))
    cage = next(iter(item.part.cages.values()), None) if item.part else None
    corner: tuple[str, ...] = ()
    if cages:
        kind = cage.type if cage else ""
        long = facts.text(msg("{used} of {cages} {kind} cages in use", used=used, cages=cages, kind=kind))
        corner = (long, facts.text(msg("{used} of {cages} cages", used=used, cages=cages)))
    letter = {1: "L", 2: "S", 3: "C"}.get(tier, "")
    load = facts.loads.get(item.id)
    shown = piece.members.tolist()
    digits = max(2, len(str(len(shown))))
    names_fit = len(shown) <= 6 and "{" in item.name
    tiles = tuple(
        Tile(member_name(item.name, item.axes, m, item.id) if names_fit else f"{letter}{k + 1:0{digits}}", load)
        for k, m in enumerate(shown)
    )
    limit = max(columns * 3, 1)
    if len(tiles) > limit:
        rest = len(tiles) - limit + 1
        tiles = (*tiles[: limit - 1], Tile(f"+{rest}"))
    where = ""
    if piece.unit >= 0:
        where = f" {piece.unit + 1}"
    icon = "core-switch" if tier >= 3 else "spine-switch" if tier == 2 else "leaf-switch"
    return Card(
        item.id,
        Style.SPINE,
        icon,
        (f"{title}{where}", item.name or item.id) if not item.name.startswith("{") else (f"{title}{where}",),
        f"{piece.count} × {names[0]}",
        (),
        corner,
        "",
        thousands(piece.count),
        piece.members_set(total),
        (),
        marks,
        tiles=tiles,
        tile_columns=columns,
    )


def side_card(piece: Piece, item: EffItem, marks: tuple[Mark, ...], facts: FabricFacts) -> Card:
    """Switches and servers of other networks, racks, power: a small card in the colour of its network."""
    part = item.part
    names = part_names(part, item.of, facts.lang)
    token = NETWORK_TOKENS.get(piece.network, "")
    if item.kind in ("rack", "rack-set"):
        return rack_card(piece, item, marks, facts)
    plain = item.name if item.name and "{" not in item.name else ""
    title = plain or (facts.text(SIDE_TITLES[item.id]) if item.id in SIDE_TITLES else item.id)
    icon = pictogram(item.kind)
    if item.kind == "switch":
        icon = "spine-switch" if "spine" in item.id else "leaf-switch"
    count = f"{piece.count} × " if piece.count > 1 else ""
    word = facts.text(NETWORK_WORDS[piece.network]) if piece.network in NETWORK_WORDS else piece.network
    return Card(
        item.id,
        Style.DEVICE,
        icon,
        (title, *((item.id,) if title != item.id else ())),
        "",
        tuple(x for x in (f"{count}{names[0]}", word) if x),
        far=thousands(piece.count),
        marks=marks,
        frame=token,
        layers=1 if piece.count > 1 else 0,
    )


SIDE_TITLES: dict[str, Message] = {
    "sspine": msg("Storage spine"),
    "sleaf": msg("Storage leaf"),
    "ispine": msg("In-band spine"),
    "ileaf": msg("In-band leaf"),
    "stor": msg("Storage"),
    "mgmt": msg("Management servers"),
    "oob": msg("Management"),
    "pdu": msg("Power"),
    "ufm-c": msg("UFM, compute"),
    "ufm-s": msg("UFM, storage"),
}
NETWORK_WORDS: dict[str, Message] = {
    "storage": msg("storage network"),
    "inband": msg("in-band network"),
    "oob": msg("out of band"),
    "compute": msg("compute network"),
    "mgmt": msg("management"),
}


def rack_card(piece: Piece, item: EffItem, marks: tuple[Mark, ...], facts: FabricFacts) -> Card:
    """Racks: how many, units and power, what stands in them."""
    part = item.part
    sheet = facts.design.sheets.get(facts.eff.id)
    inside = []
    if sheet is not None:
        for row_id in sheet.seats.ordered():
            seat = sheet.seats[row_id]
            if seat.racks == item.id:
                row = facts.eff.items.get(row_id)
                if row is not None and row.of.startswith("sheet:"):
                    one = msg("1 server") if seat.per_rack == 1 else msg("{count} servers", count=seat.per_rack)
                    inside.append(facts.text(one))
                else:
                    inside.append(f"{seat.per_rack} {row_id}")
    words = []
    if part:
        words.append(facts.text(msg("{units}U, {power} kW", units=part.get("u"), power=part.get("usable_kw"))))
    if inside:
        held = msg("{what} each", what=inside[:2]) if piece.count > 1 else msg("{what}", what=inside[:2])
        words.append(facts.text(held))
    title = short = facts.text(msg("Racks")) if piece.count > 1 else facts.text(msg("Rack"))
    if item.id not in ("rack", "racks"):
        # "net{row1}" stands for net1 ... net5: what they have in common is what people call them.
        short = re.sub(r"\{[^}]*\}", "", item.name).strip(" -_.") or item.id
        title = f"{title} {short}"
    return Card(
        item.id,
        Style.RACK,
        "rack",
        (title, short),
        "",
        tuple(words),
        pill=f"× {thousands(piece.count)}" if piece.count > 1 else "",
        far=thousands(piece.count),
        marks=marks,
        layers=1 if piece.count > 1 else 0,
    )
