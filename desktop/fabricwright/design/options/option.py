"""One declared key of ``config`` or ``settings``."""

from __future__ import annotations

from fabricwright.units.record import record

PLACES = (
    "design",  # settings of the design
    "chassis",  # config of the overlay row ``chassis`` of a server sheet
    "slot",  # one slot: key ``slot.NAME.KEY`` of the overlay row ``chassis``
    "cpu",
    "pcie_switch",  # switch chips and switch cards
    "gpu",
    "nic",
    "cxl",
    "retimer",
    "card",  # every card in a slot
    "switch",  # network switches
    "rack",
    "item",  # anything on the sheet of the whole design
    "link",
    "link_end",  # one end of a link: key ``KEY.a`` or ``KEY.b``
)
"""Where a key is stated."""

NO_PART = "none"
"""Value of a key that names a part (``aux``, ``pdu``): somebody stated that there is none."""

KINDS = ("switch", "choice", "number", "word", "names")
"""``switch`` on/off, ``choice`` one of ``choices``, ``number`` in ``unit``, ``word`` free text, ``names`` ids with
commas."""


@record
class Option:
    """A key that a drawing may state.

    ``default`` is what counts while nothing is stated; None = unknown, and rules that need it stay silent. ``label``
    and ``help`` are English literals marked for translation; ``unit`` as printed behind a number; ``choices`` the
    stored words (what they are called: ``fabricwright.design.options.words``). ``low``/``high`` bound a number.
    A ``word`` matches ``pattern`` (whole, case ignored) where there is one; ``help`` then shows how it is written.
    ``rules`` read it.
    """

    place: str
    key: str
    kind: str
    label: str
    help: str
    default: object | None = None
    choices: tuple[str, ...] = ()
    unit: str = ""
    low: float | None = None
    high: float | None = None
    rules: tuple[str, ...] = ()
    pattern: str = ""
