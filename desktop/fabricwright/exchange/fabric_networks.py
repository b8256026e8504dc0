"""The other networks of a fabric drawing as cards in the right column, and the legend of the sheet."""

from __future__ import annotations

from collections.abc import Callable

from fabricwright.exchange.fabric_cards import Box
from fabricwright.exchange.fabric_view import FabricView, OtherNetwork
from fabricwright.exchange.font_metrics import wrap
from fabricwright.exchange.naming import part_label, thousands
from fabricwright.exchange.sheet_page import LegendEntry, Page
from fabricwright.exchange.svg import RAIL_DASH, Svg, draw_tie
from fabricwright.units.text import Message, format_value, msg

BUS_STEP = 34.0
NETWORK_CARD_H = 64.0
ROW_H = NETWORK_CARD_H + 24
"""What the cards take below the drawing on a page without a column at the right."""


class OtherNetworks:
    """Draws the networks that are not drawn out. ``bottom`` is the lower edge of the main network's drawing."""

    def __init__(self, page: Page, view: FabricView, blocks: dict[tuple[str, int], Box], bottom: float) -> None:
        self.page, self.svg, self.view = page, page.svg, view
        self.blocks, self._bottom = blocks, bottom

    def draw(self) -> None:
        """Cards in the right column, or below on a narrow page, and their lines."""
        others = self.view.others
        if not others:
            return
        size = self.page.size
        lowest = size.foot - 20 - (0 if size.wide else ROW_H)
        step = min(BUS_STEP, (lowest - self._bottom) / len(others))
        for n, network in enumerate(others):
            card = self._card_box(n, len(others))
            bus = self._bottom + 18 + step * n
            token, dash = network_style(network.name)
            self._bus(network, n, bus, card, token, dash)
            svg = self.svg
            svg.begin(f"network-{network.name}")
            svg.rect(card.x, card.y, card.w, card.h, fill="raised", stroke=token, width=1.5)
            svg.icon("storage" if network.name == "storage" else "leaf-switch", card.x + 12, card.y + 13, 24, token)
            title = network_title(network.name).text(self.page.lang)
            svg.text(card.x + 46, card.y + 22, title, 13, weight=600, room=card.w - 54)
            for k, line in enumerate(wrap(self._contents(network), card.w - 56, 12, most=2)):
                svg.text(card.x + 46, card.y + 39 + 16 * k, line, 12, fill="text.2")
            svg.end()

    def _card_box(self, n: int, of: int) -> Box:
        size = self.page.size
        if size.wide:
            top = size.foot - network_cards_height(of) + n * (NETWORK_CARD_H + 8)
            return Box(size.side, top, size.right - 20 - size.side, NETWORK_CARD_H)
        width = (size.x1 - size.x0 + 16) / of - 16
        return Box(size.x0 + n * (width + 16), size.foot - 14 - NETWORK_CARD_H, width, NETWORK_CARD_H)

    def _bus(self, network: OtherNetwork, number: int, bus: float, card: Box, token: str, dash: str) -> None:
        starts = []
        for (item_id, panel), box in self.blocks.items():
            if item_id in network.from_servers:
                owner = item_id if self.view.panels == 1 else f"{item_id}-{panel}"
                x = box.x + box.w - 26 - 16 * number
                y = box.y + box.h + (8 if self.view.groups[item_id].present > 1 else 0)
                port = self.svg.port(f"{owner}:{network.name}", owner, x, y, 6, 6)
                starts.append((x, y, port))
        if not starts:
            return
        size = self.page.size
        goal = f"network-{network.name}"
        if size.wide:
            turn = size.x1 + 6 + 8 * number
            end = self.svg.port(f"{goal}:in", goal, card.x, card.y + card.h / 2, 6, 6)
            tail = [(turn, bus), (turn, card.y + card.h / 2), (card.x, card.y + card.h / 2)]
        else:
            turn = card.middle
            end = self.svg.port(f"{goal}:in", goal, turn, card.y, 6, 6)
            tail = [(turn, bus), (turn, card.y)]
        first = min(x for x, _, _ in starts)
        for x, y, port in starts:
            self._strokes([(x, y), (x, bus), *tail], token, dash, network.name, (port, end))
        if not self.page.options.labels:
            return
        count = sum(network.from_servers.values())
        text = f"{thousands(count)} × {network.rate}" if network.rate else f"{thousands(count)} ×"
        place = (first + turn) / 2 - (60 if size.wide else 0)
        draw_tie(self.svg, [place], bus, text, f"net-{network.name}")

    def _strokes(
        self, points: list[tuple[float, float]], token: str, dash: str, network: str, ends: tuple[str, str]
    ) -> None:
        if network != "storage":
            self.svg.line(points, stroke=token, width=1.25, dash=dash, radius=6, ends=ends, name=f"net-{network}")
            return
        shifted = [(x + 3, y + 3) for x, y in points[:-1]] + [(points[-1][0], points[-1][1] + 3)]
        self.svg.line(points, stroke=token, width=1.2, radius=6, ends=ends, name=f"net-{network}")
        self.svg.line(shifted, stroke=token, width=1.2, radius=6)

    def _contents(self, network: OtherNetwork) -> str:
        parts: dict[str, list[int]] = {}
        for item_id, count in network.items.items():
            item = self.view.eff.items[item_id]
            parts.setdefault(part_label(item.part, item.of, self.page.lang), []).append(count)
        pieces = [f"{' + '.join(map(str, counts))} × {label}" for label, counts in parts.items()]
        pieces.append(msg("{count} links", count=thousands(network.links)).text(self.page.lang))
        return format_value(pieces, self.page.lang)


def network_cards_height(count: int) -> float:
    """What so many network cards take above the foot of the right column."""
    return 16 + count * (NETWORK_CARD_H + 8)


def network_title(name: str) -> Message:
    """Heading of a network's card."""
    known = {
        "storage": msg("Storage network"),
        "inband": msg("In-band network"),
        "oob": msg("Management network"),
        "compute": msg("Compute network"),
    }
    return known.get(name) or msg("Network {name}", name=name)


def network_style(name: str) -> tuple[str, str]:
    """(colour token, dash) of a network that is drawn as a card."""
    if name == "storage":
        return "storage", ""
    return "mgmt", "5 3" if name == "oob" else ""


def legend_of(view: FabricView) -> tuple[LegendEntry, ...]:
    """Only the kinds of line and shape that are on this sheet."""
    entries: list[LegendEntry] = []
    for lane in range(view.lanes if view.lane_axis else 0):
        names = {"rail": msg("rail {n}", n=lane), "plane": msg("plane {n}", n=lane), "port": msg("port {n}", n=lane)}
        name = names.get(view.lane_axis) or msg("{axis} {n}", axis=view.lane_axis, n=lane)
        entries.append(LegendEntry(name, _sample(f"rail{lane % 8}", RAIL_DASH[lane % 8], 2.0)))
    if view.top >= 2:
        entries.append(LegendEntry(msg("switch to switch"), _double("text")))
    for network in view.others:
        token, dash = network_style(network.name)
        draw = _double(token) if network.name == "storage" else _sample(token, dash, 1.25)
        short = {"storage": msg("storage"), "inband": msg("in-band"), "oob": msg("management")}
        entries.append(LegendEntry(short.get(network.name) or network_title(network.name), draw))
    if any(group.present > 1 for group in view.groups.values()):
        entries.append(LegendEntry(msg("equal parts"), _stack))
    if view.cables:
        entries.append(LegendEntry(msg("links in a bundle"), _capsule))
    return tuple(entries)


def _sample(token: str, dash: str, width: float) -> Callable[[Svg, float, float], None]:
    return lambda svg, x, y: svg.line([(x, y), (x + 36, y)], stroke=token, width=width, dash=dash)


def _double(token: str) -> Callable[[Svg, float, float], None]:
    def draw(svg: Svg, x: float, y: float) -> None:
        svg.line([(x, y - 2), (x + 36, y - 2)], stroke=token, width=1.1)
        svg.line([(x, y + 2), (x + 36, y + 2)], stroke=token, width=1.1)

    return draw


def _stack(svg: Svg, x: float, y: float) -> None:
    svg.rect(x + 4, y - 3, 26, 12, fill="raised", width=1, radius=2)
    svg.rect(x, y - 7, 26, 12, fill="raised", width=1, radius=2)


def _capsule(svg: Svg, x: float, y: float) -> None:
    svg.rect(x, y - 6, 36, 12, fill="raised", width=1, radius=6)
