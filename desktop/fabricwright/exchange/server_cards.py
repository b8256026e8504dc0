"""Cards of a server's printed page: processors with their lane budget, switches and retimers, GPUs, NICs, slots."""

from __future__ import annotations

from fabricwright.catalog.parts import Part
from fabricwright.catalog.pictograms import pictogram
from fabricwright.exchange.fabric_cards import draw_badge
from fabricwright.exchange.font_metrics import text_width, wrap
from fabricwright.exchange.naming import part_label
from fabricwright.exchange.server_view import Branch, ServerView
from fabricwright.exchange.sheet_page import Page
from fabricwright.units.text import Message, format_value, msg

CPU_H, INNER_H, LEAF_H = 96.0, 80.0, 122.0
"""Heights of the three rows of cards."""
LANE_COLOURS = {
    "gpu": "pcie",
    "pcie-switch-card": "rail0",
    "pcie-switch": "rail0",
    "nic": "rail2",
    "retimer": "rail6",
    "nvme": "storage",
    "cxl": "cxl",
}


class ServerCards:
    """Draws the cards of one server view into a page."""

    def __init__(self, page: Page, view: ServerView) -> None:
        self.page, self.svg, self.view = page, page.svg, view

    def cpu(self, cpu: str, x: float, y: float, w: float) -> None:
        """A processor with its lane budget."""
        svg, item = self.svg, self.view.eff.items[cpu]
        svg.begin(cpu)
        svg.rect(x, y, w, CPU_H, fill="raised", width=1.5, radius=8)
        svg.icon("cpu", x + 12, y + 12, 28)
        width = svg.text(x + 50, y + 27, cpu.upper(), 14, weight=600)
        svg.text(
            x + 60 + width,
            y + 27,
            part_label(item.part, item.of, self.page.lang),
            12,
            fill="text.2",
            room=w - width - 76,
        )
        use = self.view.lanes.get(cpu)
        badge = self.page.options.badges.get(self.page.sheet, {}).get(cpu)
        if use is None:
            svg.end()
            return
        facts = [msg("{lanes} lanes PCIe", lanes=use.available).text(self.page.lang)]
        if item.config.get("cxl"):
            facts.append(f"CXL {item.config['cxl']}")
        svg.text(x + 50, y + 44, format_value(facts, self.page.lang), 12, fill="text.2", room=w - 64)
        self._lane_bar(x + 14, y + 54, w - 28, use.available, dict(use.by_kind))
        figure = msg("{used} of {available}", used=use.used, available=use.available).text(self.page.lang)
        svg.text(x + w - 14, y + 86, figure, 12, weight=600, anchor="end")
        at = x + 14
        for kind, lanes in use.by_kind.items():
            text = f"{kind_word(kind).text(self.page.lang)} {lanes}"
            if at + 20 + text_width(text, 12) > x + w - 30 - text_width(figure, 12, 600):
                break
            svg.rect(at, y + 77, 9, 9, fill=LANE_COLOURS.get(kind, "border.strong"), width=0, radius=2)
            at += 30 + svg.text(at + 14, y + 86, text, 12, fill="text.2")
        svg.end()
        if badge is not None:
            draw_badge(self.page, badge, x + w, y, cpu)

    def _lane_bar(self, x: float, y: float, w: float, available: int, by_kind: dict[str, int]) -> None:
        self.svg.rect(x, y, w, 13, fill="hover", width=0, radius=3)
        at = x
        for kind, lanes in by_kind.items():
            part = min(w * lanes / max(1, available), x + w - at)
            if part > 0:
                self.svg.rect(
                    at, y, max(1.0, part - 1.5), 13, fill=LANE_COLOURS.get(kind, "border.strong"), width=0, radius=3
                )
            at += part

    def inner(self, branch: Branch, x: float, y: float, w: float) -> None:
        """A card that others hang on: a switch or a retimer."""
        svg, item = self.svg, branch.item
        assert item is not None
        svg.rect(x, y, w, INNER_H, fill="raised", stroke="error" if item.forced else "text", width=1.4)
        icon = 0.0
        if w > 110:
            svg.icon(pictogram(item.kind), x + 8, y + 9, 22)
            icon = 30.0
        svg.text(x + 6 + icon, y + 19, item.id.upper(), 12, weight=600, room=w - 14 - icon)
        remark = self._remark(branch)
        most = 2 if remark and w > 110 else 3
        lines = wrap(part_label(item.part, item.of, self.page.lang), w - 10 - icon, 12, most=most)
        for n, line in enumerate(lines):
            svg.text(x + 6 + icon, y + 36 + 15 * n, line, 12, fill="text.2")
        if remark and w > 110:
            svg.text(
                x + w - 8,
                y + INNER_H - 8,
                remark,
                12,
                fill="error" if item.forced else "text.2",
                anchor="end",
                room=w - 16,
            )

    def _remark(self, branch: Branch) -> str:
        item = branch.item
        assert item is not None
        pieces = []
        if branch.slot:
            pieces.append(slot_name(branch.slot))
        if item.config.get("mode"):
            pieces.append(str(item.config["mode"]))
        if item.forced:
            pieces.append(msg("forced").text(self.page.lang))
        return " · ".join(pieces)

    def leaf(self, branch: Branch, x: float, y: float, w: float) -> None:
        """A card at the end of a branch, or an empty slot."""
        svg, item = self.svg, branch.item
        if item is None:
            slot = self.view.eff.slots[branch.slot]
            svg.rect(x, y, w, LEAF_H, fill="none", stroke="border.strong", width=1.2, dash="4 3")
            name = slot.kind.upper() if branch.count > 1 else slot_name(branch.slot)
            svg.text(x + w / 2, y + 26, name, 12, weight=600, anchor="middle", room=w - 6)
            kind = f"× {branch.count}" if branch.count > 1 else f"x{slot.electrical}"
            svg.text(x + w / 2, y + 44, kind, 12, fill="text.2", anchor="middle", room=w - 6)
            svg.text(
                x + w / 2, y + 61, msg("empty").text(self.page.lang), 12, fill="text.3", anchor="middle", room=w - 6
            )
            return
        if branch.count > 1:
            svg.rect(x + 3, y + 3, w, LEAF_H, fill="raised", width=1)
        stroke = "error" if item.forced else "cxl" if item.kind == "cxl" else "text"
        svg.rect(x, y, w, LEAF_H, fill="raised", stroke=stroke, width=1.4)
        svg.icon(pictogram(item.kind), x + 6, y + 8, 20, "cxl" if item.kind == "cxl" else "text")
        label = item.id[3:] if item.kind == "gpu" and item.id[3:].isdigit() else item.id.rsplit("/", 1)[-1].upper()
        if branch.count > 1:
            label = f"× {branch.count}"
        svg.text(x + 31, y + 23, label, 14 if len(label) < 4 else 12, weight=600, room=w - 35)
        base = y + 46
        lines = wrap(part_label(item.part, item.of, self.page.lang), w - 10, 12, most=3)
        for line in lines:
            svg.text(x + 6, base, line, 12)
            base += 15
        for line in self._leaf_facts(branch, item.part)[: 2 if len(lines) > 2 else 3]:
            if base < y + LEAF_H - 4:
                svg.text(
                    x + 6,
                    base,
                    line,
                    12,
                    fill="error" if item.forced and line == self._forced() else "text.2",
                    room=w - 8,
                )
                base += 15

    def _forced(self) -> str:
        return msg("forced").text(self.page.lang)

    def _leaf_facts(self, branch: Branch, part: Part | None) -> list[str]:
        item = branch.item
        assert item is not None
        out = [self._forced()] if item.forced else []
        if item.kind == "nic":
            rates = [port.gbps for port in item.ports.values() if port.role == "net" and port.gbps]
            if rates and len(set(rates)) == 1:
                out.append(f"{len(rates)} × {rates[0]:g}G")
        if item.kind == "cxl" and item.config.get("gib"):
            out.append(f"{item.config['gib']} GiB")
        if branch.slot and branch.count == 1:
            out.append(slot_name(branch.slot))
        if part is not None and part.get("power_w") and item.kind in ("gpu", "nic", "cxl"):
            out.append(f"{part.get('power_w'):g} W")
        return out


def slot_name(slot: str) -> str:
    """``chassis:s3`` -> ``S3``; ``ext0:g1`` -> ``ext0 G1``."""
    owner, _, name = slot.rpartition(":")
    return name.upper() if owner in ("chassis", "") else f"{owner} {name.upper()}"


def kind_word(kind: str) -> Message:
    """Short word for a kind in the lane bar's key."""
    words = {
        "gpu": msg("GPU"),
        "nic": msg("NIC"),
        "pcie-switch": msg("switch"),
        "pcie-switch-card": msg("switch"),
        "retimer": msg("retimer"),
        "nvme": msg("NVMe"),
        "cxl": msg("CXL"),
        "riser": msg("riser"),
    }
    return words.get(kind) or msg("{kind}", kind=kind)
