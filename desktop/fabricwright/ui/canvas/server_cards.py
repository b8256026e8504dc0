"""What the cards of a server sheet say. No Qt; texts in the wanted language."""

from __future__ import annotations

from fabricwright.catalog.parts import Part
from fabricwright.catalog.pictograms import pictogram
from fabricwright.design.effective import EffItem, EffSheet
from fabricwright.ui.canvas.naming import label_of, number_of, part_names, shortened, slot_label, spaced_model
from fabricwright.ui.canvas.server_figures import ServerFacts, lane_bar, lanes_fact, memory_line
from fabricwright.ui.canvas.server_tree import Node, Tree
from fabricwright.ui.paint.scene import Card, Mark, Style
from fabricwright.units.text import msg


def cpu_card(node: Node, width: float, facts: ServerFacts, marks: tuple[Mark, ...], eff: EffSheet) -> Card:
    """CPU with its lane budget."""
    item = node.item
    assert item is not None
    part = item.part
    bar = lane_bar(node, facts)
    model = str(item.config.get("model") or "")
    subtitle = model or part_names(part, item.of, facts.lang)[0]
    gen = int(part.get("pcie_gen", 0)) if part else 0
    available = int(bar.total)
    cxl = str(item.config.get("cxl") or (part.word("cxl") if part else ""))
    line = (
        facts.text(msg("{lanes} lanes PCIe {gen}.0, CXL {cxl}", lanes=available, gen=gen, cxl=cxl))
        if cxl
        else facts.text(msg("{lanes} lanes PCIe {gen}.0", lanes=available, gen=gen))
    )
    index = number_of(item.id)
    title = f"CPU {index}" if index else label_of(item)
    return Card(
        item.id,
        Style.CPU,
        "cpu",
        (title,),
        subtitle,
        (line,),
        memory_line(eff, facts),
        "",
        "",
        None,
        (),
        marks,
        lanes=bar,
        locked=item.locked,
        estimate=item.estimate,
    )


def gpu_card(node: Node, facts: ServerFacts, marks: tuple[Mark, ...]) -> Card:
    """GPU: index, model, memory, lanes, watts."""
    item = node.item
    assert item is not None
    part = item.part
    index = number_of(item.id)
    names = [n for n in spaced_model(part, item.of, facts.lang) if not n.upper().endswith("GB")] or list(
        spaced_model(part, item.of, facts.lang)
    )
    lines = []
    if part:
        if part.get("memory_gb"):
            lines.append(facts.text(msg("{amount} GB", amount=part.get("memory_gb"))))
        lines.append(lanes_fact(node.lanes, node.gen) if node.lanes else facts.text(msg("not connected")))
        if part.get("power_w"):
            lines.append(facts.text(msg("{power} W", power=part.get("power_w"))))
    titles = tuple(t for t in (item.name, f"GPU {index}" if index else label_of(item), index) if t)
    return Card(
        item.id,
        Style.GPU,
        "gpu",
        titles,
        "\t".join(names[-3:] if len(names) > 3 else names),
        tuple(lines),
        marks=marks,
        far=index,
        forced=item.forced,
        locked=item.locked,
        estimate=item.estimate,
    )


def _seat_text(node: Node, eff: EffSheet) -> str:
    if not node.seat:
        return ""
    slot = eff.slots.get(node.seat)
    return slot_label(node.seat, slot.label if slot else "")


def device_card(node: Node, facts: ServerFacts, marks: tuple[Mark, ...], eff: EffSheet) -> Card:
    """NIC, CXL expander, drive stack, riser, anything that hangs at the end."""
    item = node.item
    assert item is not None
    part = item.part
    names = part_names(part, item.of, facts.lang)
    lines: list[str] = []
    seat = _seat_text(node, eff)
    count = len(node.ids)
    layers = 1 if count > 1 and item.kind in ("nvme",) else 0
    title: tuple[str, ...] = tuple(t for t in (item.name, *shortened(label_of(item))) if t)
    frame = ""
    tail = facts.text(msg("{seat}", seat=seat)) if seat and count == 1 else ""
    if item.kind == "nic":
        lines.append(_nic_rate(item, facts))
        lines.append(lanes_fact(node.lanes, node.gen) if node.lanes else "")
    elif item.kind == "cxl":
        frame = "cxl"
        gib = item.config.get("gib") or (part.get("memory_gb") if part else 0)
        lines.append(_capacity(float(gib) if isinstance(gib, (int, float)) else 0.0))
        lines.append(lanes_fact(node.lanes, node.gen) if node.lanes else "")
        if part and part.get("power_w"):
            lines.append(facts.text(msg("{power} W", power=part.get("power_w"))))
    elif item.kind == "nvme":
        title = (f"{count} × NVMe", "NVMe") if count > 1 else (label_of(item), "NVMe")
        if part and part.get("capacity_tb"):
            lines.append(f"{part.get('capacity_tb'):g} TB")
        lines.append(lanes_fact(node.lanes, node.gen))
        names = (
            (part.word("form").upper().replace("U2", "U.2").replace("M2", "M.2"),)
            if part and part.word("form")
            else names
        )
        frame = "storage"
    elif item.kind == "chipset":
        title = (facts.text(msg("Board")), "PCH")
        names = ("PCH",) if part is None or not part.vendor else (f"{part.vendor} PCH", "PCH")
        lines += _board_lines(node, eff, facts)
    else:
        lines.append(lanes_fact(node.lanes, node.gen) if node.lanes else "")
    if tail:
        lines.append(tail)
    return Card(
        node.id,
        Style.CARD,
        pictogram(item.kind),
        title,
        "\t".join(names),
        tuple(x for x in lines if x),
        also=node.ids[1:],
        marks=marks,
        frame=frame,
        layers=layers,
        forced=item.forced,
        locked=item.locked,
        estimate=item.estimate,
        far=number_of(item.id) if item.kind == "nic" else "",
    )


def _board_lines(node: Node, eff: EffSheet, facts: ServerFacts) -> list[str]:
    kinds = [eff.items[i].kind for i in node.ids[1:] if i in eff.items]
    words = []
    drives = kinds.count("nvme")
    if drives:
        words.append(f"{drives} × M.2")
    if "lom" in kinds:
        words.append("10G LOM")
    if "bmc" in kinds:
        words.append("BMC")
    del facts
    return words


def _nic_rate(item: EffItem, facts: ServerFacts) -> str:
    rates = [p.gbps for p in item.ports.values() if p.role == "net" and p.gbps]
    del facts
    if not rates:
        return ""
    if len(set(rates)) == 1 and len(rates) > 1:
        return f"{len(rates)} × {rates[0]:g}G\t{len(rates)}×{rates[0]:g}G"
    return " + ".join(f"{r:g}G" for r in rates)


def _capacity(gib: float) -> str:
    return f"{gib / 1024:g} TB" if gib >= 1024 else f"{gib:g} GB"


def switch_card(node: Node, facts: ServerFacts, marks: tuple[Mark, ...], eff: EffSheet) -> Card:
    """PCIe switch card, or switch chip on the board: mode, lanes down and up, ratio."""
    item = node.item
    assert item is not None
    part = item.part
    up = sum(p.lanes for p in item.ports.values() if p.role == "up") or node.lanes
    down_ports = {c.port: c.lanes for c in node.children if c.item is not None}
    down = sum(
        p.lanes
        for n, p in item.ports.items()
        if p.role == "down" and (n in down_ports or item.kind == "pcie-switch-card")
    )
    chip = item.kind == "pcie-switch"
    names = part_names(part, item.of, facts.lang)
    label = label_of(item)
    seat = _seat_text(node, eff)
    mode = str(item.config.get("mode") or "")
    lines: list[str] = []
    if chip:
        titles: tuple[str, ...] = (facts.text(msg("Switch {name}", name=label)), label)
        lines.append(facts.text(msg("partition")) if "partition" in item.of else names[0])
    else:
        titles = names
        if seat and mode:
            long = facts.text(msg("{name} in {seat}, mode {mode}", name=label, seat=seat, mode=mode))
            lines.append(f"{long}\t{label}, {mode}\t{label}")
        else:
            lines.append(f"{label} {mode}".strip())
    lines.append(facts.text(msg("down {down} : up {up}", down=down, up=up)) + f"\t{down} : {up}")
    ratio = f"{down / up:g}:1" if up and down else ""
    return Card(
        item.id,
        Style.SWITCH,
        "pcie-switch",
        titles,
        "",
        tuple(lines),
        pill=ratio,
        marks=marks,
        forced=item.forced,
        locked=item.locked,
        estimate=item.estimate,
        also=node.ids[1:],
    )


def chip_card(node: Node, facts: ServerFacts, marks: tuple[Mark, ...], eff: EffSheet) -> Card:
    """Retimer, or a bridge that only passes on."""
    item = node.item
    assert item is not None
    label = label_of(item)
    seat = _seat_text(node, eff)
    if item.kind == "retimer":
        names = part_names(item.part, item.of, facts.lang)
        title = tuple(t for t in (item.name, seat or label) if t)
        word = facts.text(msg("retimer"))
        return Card(
            item.id,
            Style.CHIP,
            "retimer",
            title,
            "",
            ("\t".join(names), word),
            marks=marks,
            forced=item.forced,
            locked=item.locked,
            estimate=item.estimate,
        )
    return Card(
        item.id,
        Style.CHIP,
        pictogram(item.kind),
        (label,),
        "",
        (facts.text(msg("bridge")),),
        marks=marks,
        forced=item.forced,
        locked=item.locked,
        estimate=item.estimate,
    )


def slot_card(node: Node, facts: ServerFacts, marks: tuple[Mark, ...]) -> Card:
    """Empty slot, or a stack of equal empty bays."""
    slot = node.slot
    assert slot is not None
    count = len(node.ids)
    label = slot_label(node.id, slot.label)
    form = {"cem": "", "u2": "U.2", "m2": "M.2", "e3s": "E3.S", "ocp3": "OCP 3.0"}.get(slot.kind, slot.kind.upper())
    shape = f"{slot.height}{slot.length}" if slot.length and slot.height and slot.kind == "cem" else form
    lines = [lanes_fact(slot.electrical, slot.gen), shape]
    if slot.cable_feed is not None and not slot.fed_by and not node.link:
        lines.append(facts.text(msg("needs a cable")))
    if slot.max_width > 1 and count == 1:
        lines.append(facts.text(msg("double wide")))
    titles = (f"{count} × {form}",) if count > 1 else (label,)
    return Card(
        node.id,
        Style.SLOT,
        "",
        titles,
        "",
        tuple(x for x in lines if x),
        also=node.ids[1:],
        marks=marks,
        frame="border.strong",
        drop=node.ids,
    )


def bar_card(tree: Tree, eff: EffSheet, facts: ServerFacts, gpus: list[str]) -> Card:
    """One bar for all NVSwitches."""
    first = eff.items[tree.switches[0]]
    part = first.part
    gpu: Part | None = next((eff.items[g].part for g in gpus if eff.items[g].part), None)
    links = int(gpu.get("nvlinks")) if gpu else 0
    rate = gpu.get("nvlink_gbs_bidir") if gpu else 0.0
    name = part_names(part, first.of, facts.lang)
    title = f"{len(tree.switches)} × {name[0]}"
    line = facts.text(msg("{links} NVLinks, {rate} GB/s per GPU", links=links, rate=rate)) if links else ""
    short = f"{rate:g} GB/s" if rate else ""
    return Card(
        first.id,
        Style.BAR,
        "nvlink-nvswitch",
        (title, name[-1]),
        "",
        (line, short) if line else (),
        also=tuple(tree.switches[1:]),
        frame="nvlink",
        locked=first.locked,
    )


def bracket_card(domain: tuple[tuple[str, ...], tuple[str, ...]], eff: EffSheet, facts: ServerFacts) -> Card:
    """Bracket under GPUs that are joined directly."""
    members, links = domain
    part = eff.items[members[0]].part
    rate = part.get("nvlink_gbs_bidir") if part else 0.0
    amd = any(
        eff.builtin_links[i].medium == "xgmi" or eff.builtin_links[i].kind == "xgmi"
        for i in links
        if i in eff.builtin_links
    )
    word = "xGMI" if amd else "NVLink"
    if len(members) == 2:
        long = (
            facts.text(msg("{word} bridge {rate} GB/s", word=word, rate=rate))
            if rate
            else facts.text(msg("{word} bridge", word=word))
        )
    else:
        long = (
            facts.text(msg("{word} mesh {rate} GB/s", word=word, rate=rate))
            if rate
            else facts.text(msg("{word} mesh", word=word))
        )
    return Card(
        links[0] if links else members[0],
        Style.BRACKET,
        "",
        (long, word),
        also=tuple(dict.fromkeys(links[1:])),
        frame="nvlink",
    )
