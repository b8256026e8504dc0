"""The other networks of a fabric drawing as cards in the right column, and the legend of the sheet."""

from __future__ import annotations

from collections.abc import Callable

from fabricwright.exchange.fabric_cards import Box
from fabricwright.exchange.fabric_view import FabricView, OtherNetwork
from fabricwright.exchange.font_metrics import wrap
from fabricwright.exchange.naming import part_label, thousands
from fabricwright.exchange.sheet_page import FOOT, RIGHT, SIDE, LegendEntry, Page
from fabricwright.exchange.svg import RAIL_DASH, Svg, draw_tie
from fabricwright.units.text import Message, format_value, msg

X1 = SIDE - 30
BUS_STEP = 34.0
NETWORK_CARD_H = 64.0


class OtherNetworks:
    """Draws the networks that are not drawn out. ``bottom`` is the lower edge of the main network's drawing."""

    def __init__(self, page: Page, view: FabricView, blocks: dict[tuple[str, int], Box], bottom: float) -> None:
        self.page, self.svg, self.view = page, page.svg, view
        self.blocks, self._bottom = blocks, bottom

    def draw(self) -> None:
        """Cards in the right column and their lines."""
        others = self.view.others
        if not others:
            return
        right = RIGHT - 20
        room = FOOT - 20 - self._bottom
        for n, network in enumerate(others):
            top = network_cards_top(len(others)) + n * (NETWORK_CARD_H + 8)
            token, dash = network_style(network.name)
            bus = self._bottom + 18 + min(BUS_STEP, room / len(others)) * n
            middle = top + NETWORK_CARD_H / 2
            self._bus(network, n, bus, middle, token, dash)
            self.svg.rect(SIDE, top, right - SIDE, NETWORK_CARD_H, fill="raised", stroke=token, width=1.5)
            self.svg.icon("storage" if network.name == "storage" else "leaf-switch", SIDE + 12, top + 13, 24, token)
            self.svg.text(SIDE + 46, top + 22, network_title(network.name).text(self.page.lang), 13, weight=600)
            for k, line in enumerate(wrap(self._contents(network), right - SIDE - 56, 12, most=2)):
                self.svg.text(SIDE + 46, top + 39 + 16 * k, line, 12, fill="text.2")

    def _bus(self, network: OtherNetwork, number: int, bus: float, middle: float, token: str, dash: str) -> None:
        starts = []
        for (item_id, _), box in self.blocks.items():
            if item_id in network.from_servers:
                starts.append(
                    (
                        box.x + box.w - 26 - 16 * number,
                        box.y + box.h + (8 if self.view.groups[item_id].present > 1 else 0),
                    )
                )
        if not starts:
            return
        turn = X1 + 6 + 8 * number
        for x, y in starts:
            self._strokes([(x, y), (x, bus)], token, dash, network.name)
        first = min(x for x, _ in starts)
        self._strokes([(first, bus), (turn, bus), (turn, middle), (SIDE, middle)], token, dash, network.name)
        count = sum(network.from_servers.values())
        text = f"{thousands(count)} × {network.rate}" if network.rate else f"{thousands(count)} ×"
        draw_tie(self.svg, [(first + turn) / 2 - 60], bus, text, f"net-{network.name}")

    def _strokes(self, points: list[tuple[float, float]], token: str, dash: str, network: str) -> None:
        if network != "storage":
            self.svg.line(points, stroke=token, width=1.25, dash=dash, radius=6)
            return
        shifted = [(x + 3, y + 3) for x, y in points]
        self.svg.line(points, stroke=token, width=1.2, radius=6)
        self.svg.line(shifted, stroke=token, width=1.2, radius=6)

    def _contents(self, network: OtherNetwork) -> str:
        parts: dict[str, list[int]] = {}
        for item_id, count in network.items.items():
            item = self.view.eff.items[item_id]
            parts.setdefault(part_label(item.part, item.of, self.page.lang), []).append(count)
        pieces = [f"{' + '.join(map(str, counts))} × {label}" for label, counts in parts.items()]
        pieces.append(msg("{count} links", count=thousands(network.links)).text(self.page.lang))
        return format_value(pieces, self.page.lang)


def network_cards_top(count: int) -> float:
    """Upper edge of the first of so many network cards in the right column."""
    return FOOT - 16 - count * (NETWORK_CARD_H + 8)


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
