"""LAN-12: room in the 64-bit address space for the memory windows (BARs) of GPUs."""

from __future__ import annotations

import math
from collections.abc import Iterator

from fabricwright.design.effective import EffItem
from fabricwright.design.stated_slots import stated_of_slot
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.moves import restate
from fabricwright.rules.pcie_path import ServerView, server_view
from fabricwright.rules.registry import rule
from fabricwright.rules.switched import number_in, switched
from fabricwright.units.natural import natural_key
from fabricwright.units.text import N_, msg

WINDOW = "mmio_window_gib"


@rule(
    "LAN-12",
    "warning",
    needs=("effective",),
    group="lanes & generation",
    subject="host",
    direction="up",
    title=N_("Too little address space for the BARs"),
    checks=N_(
        "The prefetchable BARs below a root port, each rounded up to a power of two, fit the stated 64-bit window; "
        "decoding above 4 GiB and resizable BARs are not stated off."
    ),
    reason=N_("Firmware reserves a window for each root port; a BAR that does not fit is left out or stays small."),
    source="EK",
)
def lan_12(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    chassis = context.config_of_chassis(variant.sheet)
    gpus = sorted((i for i, item in variant.eff.items.items() if item.kind == "gpu"), key=natural_key)
    if gpus and switched(chassis.get("above_4g")) is False:
        yield context.finding(
            [variant.at(gpu) for gpu in gpus],
            msg("Decoding above 4 GiB is off: the BARs of {count} GPUs do not fit below 4 GiB.", count=len(gpus)),
            variant=variant,
            values={"above_4g": "off"},
            fix=restate(context, variant, "chassis", "above_4g", "on"),
        )
        return
    small = _small_bars(variant, view, chassis, gpus)
    if small:
        by_board = switched(chassis.get("resizable_bar")) is False
        switches = sorted({s for gpu in small for s in view.above(gpu) if _refuses(variant, s)}, key=natural_key)
        yield context.finding(
            [variant.at(gpu) for gpu in small],
            msg("Resizable BAR is off: peers cannot map the whole memory of {count} GPUs.", count=len(small))
            if by_board
            else msg(
                "Resizable BAR is off behind {switches}: peers cannot map the whole memory of {count} GPUs.",
                switches=switches,
                count=len(small),
            ),
            variant=variant,
            measured=float(len(small)),
            allowed=0.0,
            unit="GPUs",
            fix=restate(context, variant, "chassis", "resizable_bar", "on") if by_board else (),
        )
    yield from _windows(context, variant, view, chassis, set(small))


def _refuses(variant: Variant, node: str) -> bool:
    item = variant.eff.items.get(node)
    return item is not None and switched(item.config.get("resizable_bar")) is False


def _small_bars(variant: Variant, view: ServerView, chassis: dict[str, object], gpus: list[str]) -> list[str]:
    """GPUs whose BAR stays small, because the board or a switch above them is stated not to resize it."""
    if switched(chassis.get("resizable_bar")) is False:
        return gpus
    return [gpu for gpu in gpus if any(_refuses(variant, node) for node in view.above(gpu))]


def bar_gib(item: EffItem) -> tuple[float, bool]:
    """(prefetchable BAR of a device rounded up to a power of two in GiB, whether that is an estimate); 0 = unknown."""
    stated = number_in(item.config.get("bar_gib"))
    figure = item.part.figures.get("bar_gib") if item.part is not None else None
    size = stated if stated is not None else number_in(figure.value) if figure is not None else None
    if not size or size <= 0:
        return 0.0, False
    return 2.0 ** math.ceil(math.log2(size)), stated is None and figure is not None and figure.confidence != "read"


def _windows(
    context: RuleContext, variant: Variant, view: ServerView, chassis: dict[str, object], small: set[str]
) -> Iterator[Finding]:
    bars = {i: bar_gib(item) for i, item in variant.eff.items.items() if i not in small}
    bars = {i: bar for i, bar in bars.items() if bar[0]}
    below: dict[tuple[str, str], list[str]] = {}
    for item_id in sorted(bars, key=natural_key):
        for place in _ports_above(view, item_id):
            below.setdefault(place, []).append(item_id)
    for (node, port), items in below.items():
        window = _window(variant, chassis, view, node, port)
        need = sum(bars[i][0] for i in items)
        if window is None or need <= window:
            continue
        yield context.finding(
            (variant.at(node, port=port), *(variant.at(i) for i in items)),
            msg(
                "BARs of {items} need {need} GiB; the window of {port} is {window} GiB.",
                items=items,
                need=round(need, 1),
                port=f"{node}:{port}" if port else node,
                window=round(window, 1),
            ),
            variant=variant,
            measured=need,
            allowed=window,
            unit="GiB",
            estimate=any(bars[i][1] for i in items),
        )
    total = number_in(chassis.get("mmio_total_gib"))
    need = sum(size for size, _ in bars.values())
    if total is not None and need > total:
        yield context.finding(
            (variant.at(),),
            msg(
                "BARs of {count} devices need {need} GiB; the window of the host is {window} GiB.",
                count=len(bars),
                need=round(need, 1),
                window=round(total, 1),
            ),
            variant=variant,
            measured=need,
            allowed=total,
            unit="GiB",
            estimate=any(guess for _, guess in bars.values()),
        )


def _ports_above(view: ServerView, item_id: str) -> Iterator[tuple[str, str]]:
    """Root port (processor, port) of a device, and every bridge above it ("" for the port)."""
    chain = view.tree.chain(item_id)
    for node in chain[1:]:
        if node in view.tree.cpus:
            yield node, view.tree.feeds[chain[-2]].port
        elif node in view.eff.items:
            yield node, ""


def _window(variant: Variant, chassis: dict[str, object], view: ServerView, node: str, port: str) -> float | None:
    """Stated window below a root port: of a slot on this port, else of this processor's ports; for a bridge its own."""
    item = variant.eff.items[node]
    for seat, slot in variant.eff.slots.items():
        owner, _, name = seat.partition(":")
        if port and slot.fed_by == f"{node}:{port}":
            config = chassis if owner == "chassis" else variant.eff.items[owner].config
            stated = number_in(stated_of_slot(config, name).get(WINDOW))
            if stated is not None:
                return stated
    own = number_in(item.config.get(f"{WINDOW}.{port}")) if port else None
    return own if own is not None else number_in(item.config.get(WINDOW))
