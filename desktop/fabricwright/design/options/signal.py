"""What a signal loses on its way: traces, cards, cables and reference clocks. Losses in dB at the Nyquist frequency of
the generation that the link trains to."""

from __future__ import annotations

from fabricwright.design.options.option import Option
from fabricwright.units.text import N_

_BUDGET = ("RET-02", "RET-03")

OPTIONS: tuple[Option, ...] = (
    Option(
        "slot",
        "board_db",
        "number",
        N_("Loss of the board trace"),
        N_("From the processor, switch or cable connector to this slot."),
        None,
        unit="dB",
        low=0,
        rules=_BUDGET,
    ),
    Option(
        "slot",
        "board_m",
        "number",
        N_("Length of the board trace"),
        N_("From the processor, switch or cable connector to this slot; with the laminate it gives the loss."),
        None,
        unit="m",
        low=0,
        rules=_BUDGET,
    ),
    Option(
        "slot",
        "laminate",
        "choice",
        N_("Laminate of the board"),
        N_("Class of the board material: how much a trace loses per length."),
        "low-loss",
        ("standard", "mid-loss", "low-loss", "ultra-low-loss"),
        rules=_BUDGET,
    ),
    Option(
        "slot",
        "vias",
        "number",
        N_("Vias"),
        N_("Vias on the way that the loss of the trace does not count; 0.7 dB each."),
        None,
        low=0,
        high=20,
        rules=_BUDGET,
    ),
    Option(
        "slot",
        "riser_db",
        "number",
        N_("Loss of the riser"),
        N_("Of a riser between the board and this slot, its connectors included."),
        None,
        unit="dB",
        low=0,
        rules=_BUDGET,
    ),
    Option(
        "card",
        "board_db",
        "number",
        N_("Loss of the card"),
        N_("From the edge to the chip; the share of an add-in card counts while it is not stated."),
        None,
        unit="dB",
        low=0,
        rules=("RET-02", "RET-03", "RET-08"),
    ),
    Option(
        "card",
        "aux_db",
        "number",
        N_("Loss of the auxiliary card"),
        N_("Of a second board that the link of this card runs through."),
        None,
        unit="dB",
        low=0,
        rules=("RET-02", "RET-03", "RET-08"),
    ),
    Option(
        "card",
        "harness_db",
        "number",
        N_("Loss of the card's harness"),
        N_("Of the cable between this card and its auxiliary card."),
        None,
        unit="dB",
        low=0,
        rules=("RET-02", "RET-03", "RET-08"),
    ),
    Option(
        "link",
        "loss_db",
        "number",
        N_("Loss of the cable"),
        N_("Of the whole PCIe cable with both connectors, as measured or from its data sheet."),
        None,
        unit="dB",
        low=0,
        rules=_BUDGET,
    ),
    Option(
        "link_end",
        "clock",
        "choice",
        N_("Reference clock"),
        N_(
            "Of this end of a PCIe cable: one clock for both ends, or one for each with (SRIS) or without (SRNS) spread."
        ),
        None,
        ("common", "sris", "srns"),
        rules=("RET-09",),
    ),
)
