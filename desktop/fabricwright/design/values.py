"""The document: frozen values, nothing else. See docs/document-model.md.

Every row carries ``extra``: keys of the file that this version does not know, written back unchanged. Field metadata
``tag`` says whether a field is electrical (default), naming or drawing; only electrical fields enter cache keys.
JSON names equal field names except ``except_`` (``except``) and ``from_`` style escapes, see
``fabricwright.units.codec``.
"""

from __future__ import annotations

from dataclasses import field

from fabricwright.catalog.parts import Part, Scalar
from fabricwright.units.record import record
from fabricwright.units.table import Table

Axes = tuple[tuple[str, int], ...]
ConfigValue = Scalar | Table[str]

NAMING = {"tag": "naming"}
DRAWING = {"tag": "drawing"}


def _extra() -> Table[object]:
    return Table()


@record
class Override:
    """What is different about some members of a group: another sheet, absent, other config."""

    sheet: str | None = None
    absent: bool = False
    config: Table[ConfigValue] = field(default_factory=Table)
    extra: Table[object] = field(default_factory=_extra)


@record
class Item:
    """One thing on a sheet, or a group of equal things over named ``axes``.

    ``of`` part id, ``"sheet:<id>"`` (a server drawn on its own sheet), or None when the row overlays an inherited one.
    ``seat`` "item:slot" on server sheets; ``forced`` records a drop against the rules. ``except_`` IndexSet text ->
    Override.
    ``name`` is a template over axes: ``leaf-{su1}{rail1}`` (1-based), ``{su}`` (0-based), ``{index1:03}``.
    """

    of: str | None = None
    axes: Axes = ()
    seat: str | None = None
    forced: bool = False
    config: Table[ConfigValue] = field(default_factory=Table)
    except_: Table[Override] = field(default_factory=Table, metadata={"json": "except"})
    name: str = field(default="", metadata=NAMING)
    extra: Table[object] = field(default_factory=_extra)

    @property
    def count(self) -> int:
        """Members, absent ones included: the product of the axes."""
        n = 1
        for _, size in self.axes:
            n *= size
        return n


@record
class Moved:
    """One physical link of a bundle that runs elsewhere than the wiring rule says. ``a``/``b`` "item[index]:port";
    ``cut`` = unplugged."""

    a: str | None = None
    b: str | None = None
    cut: bool = False
    extra: Table[object] = field(default_factory=_extra)


@record
class Wire:
    """How the two ends of a link meet: ``deal``, ``mesh`` or explicit ``rows`` (a index, a port, b index, b port)."""

    mode: str = "deal"
    on: tuple[str, ...] = ()
    per_pair: int = 1
    rows: tuple[tuple[int, int, int, int], ...] = ()
    moved: Table[Moved] = field(default_factory=Table)
    extra: Table[object] = field(default_factory=_extra)


@record
class Link:
    """A cable or a bundle of cables. ``a``, ``b`` are ends: "item:ports" (``leaf:1-32/1-2``), "item:export", or
    "item:slot".

    ``speed`` bit/s or None (what both ends can do); ``cable`` part id or "auto"; ``length_m`` None = from the racks.
    """

    a: str
    b: str
    wire: Wire = field(default_factory=Wire)
    medium: str = "eth"
    network: str = "compute"
    speed: float | None = None
    cable: str = "auto"
    optics: tuple[str | None, ...] = ()
    length_m: float | None = None
    config: Table[ConfigValue] = field(default_factory=Table)
    name: str = field(default="", metadata=NAMING)
    extra: Table[object] = field(default_factory=_extra)


@record
class Export:
    """Ports a server shows outside, row-major over ``axes`` (rank and rail order)."""

    ports: tuple[str, ...] = ()
    axes: Axes = ()
    extra: Table[object] = field(default_factory=_extra)


@record
class RackPlace:
    """Explicit place of one member: rack index and lowest unit."""

    rack: int
    u: int
    extra: Table[object] = field(default_factory=_extra)


@record
class Seating:
    """Members of an item in racks: instance i in rack ``first + stride*(i div per_rack)``, unit ``u + (i mod
    per_rack)*height``."""

    racks: str
    first: int = 0
    stride: int = 1
    per_rack: int = 1
    u: int = 1
    except_: Table[RackPlace] = field(default_factory=Table, metadata={"json": "except"})
    extra: Table[object] = field(default_factory=_extra)


@record
class Look:
    """Drawing only: position, size, hand-made bends, open (expanded), stacking, locked in place."""

    xy: tuple[float, ...] = ()
    wh: tuple[float, ...] = ()
    bends: tuple[tuple[float, ...], ...] = ()
    open: bool = False
    z: int = 0
    locked: bool = False
    extra: Table[object] = field(default_factory=_extra)


@record
class Note:
    """Free text on a sheet."""

    text: str = ""
    xy: tuple[float, ...] = ()
    extra: Table[object] = field(default_factory=_extra)


@record
class Frame:
    """A titled box on the drawing, or with ``group`` things that are picked and moved as one.

    ``members`` ids of rows of the sheet (items, links, notes, pictures, other frames). Without ``xy``/``wh`` the box
    follows its members. ``colour`` "" = the theme's, else a name of the design language ("blue").
    """

    title: str = ""
    members: tuple[str, ...] = ()
    xy: tuple[float, ...] = ()
    wh: tuple[float, ...] = ()
    group: bool = False
    colour: str = ""
    extra: Table[object] = field(default_factory=_extra)


@record
class Picture:
    """An image of the project (a logo) put on a sheet."""

    image: str
    xy: tuple[float, ...] = ()
    wh: tuple[float, ...] = ()
    extra: Table[object] = field(default_factory=_extra)


@record
class Image:
    """A PNG or JPEG carried by the project: ``media`` "image/png" or "image/jpeg", ``data`` base64. Bounded, see
    ``fabricwright.design.images``."""

    media: str
    data: str
    title: str = ""
    extra: Table[object] = field(default_factory=_extra)


@record
class Sheet:
    """A fabric sheet (groups, switches, racks) or a server sheet (what is inside one server type).

    ``chassis`` part id of the server (server sheets); ``base`` another sheet that this one is a variant of;
    ``removed`` inherited ids left out.
    """

    kind: str = "fabric"
    title: str = field(default="", metadata=NAMING)
    chassis: str | None = None
    base: str | None = None
    removed: tuple[str, ...] = ()
    items: Table[Item] = field(default_factory=Table)
    links: Table[Link] = field(default_factory=Table)
    exports: Table[Export] = field(default_factory=Table)
    seats: Table[Seating] = field(default_factory=Table)
    look: Table[Look] = field(default_factory=Table, metadata=DRAWING)
    notes: Table[Note] = field(default_factory=Table, metadata=DRAWING)
    frames: Table[Frame] = field(default_factory=Table, metadata=DRAWING)
    pictures: Table[Picture] = field(default_factory=Table, metadata=DRAWING)
    extra: Table[object] = field(default_factory=_extra)


@record
class Design:
    """One alternative: its sheets, the order of ranks, and settings (``nccl.p2p_level``, ``ecmp.mode``, ``mtu`` ...).

    ``order`` is its place among the designs (tables have no order); the lowest one opens first and is what commands
    take.
    """

    title: str = field(default="", metadata=NAMING)
    root: str = "fabric"
    ranks: tuple[str, ...] = ()
    sheets: Table[Sheet] = field(default_factory=Table)
    settings: Table[Scalar] = field(default_factory=Table)
    order: int = field(default=0, metadata=NAMING)
    extra: Table[object] = field(default_factory=_extra)

    def lineage(self, sheet: Sheet | None) -> list[Sheet]:
        """A sheet and those that it is a variant of, nearest first; it ends where one is missing or comes again."""
        found: list[Sheet] = []
        while sheet is not None and all(sheet is not known for known in found):
            found.append(sheet)
            sheet = self.sheets.get(sheet.base) if sheet.base else None
        return found


@record
class Workload:
    """What is trained on the cluster. ``model`` holds params_b, layers, hidden, heads, vocab, seq ...; ``plan`` tp,
    pp, dp, precision ..."""

    title: str = field(default="", metadata=NAMING)
    model: Table[Scalar] = field(default_factory=Table)
    plan: Table[Scalar] = field(default_factory=Table)
    extra: Table[object] = field(default_factory=_extra)


@record
class Statement:
    """A claim, requirement or target beside the drawing. ``quantity`` is one of ``fabricwright.design.quantities``;
    ``value`` text in the quantity's form (number, list ``30, 21``, range ``96..128``, word); ``subject`` address or
    ``part:ID`` etc."""

    kind: str = "claim"
    text: str = ""
    quantity: str = ""
    value: str | int | float | bool | None = None
    unit: str = ""
    subject: str = ""
    source: str = ""
    extra: Table[object] = field(default_factory=_extra)


@record
class Approval:
    """A finding accepted by a person: ``key`` (rule|design|addresses), the members and measured value it was given
    for."""

    key: str
    members: str = ""
    measured: float | None = None
    reason: str = ""
    author: str = ""
    date: str = ""
    design: str = ""
    extra: Table[object] = field(default_factory=_extra)


@record
class Price:
    """Unit price of a part in a currency, from a named list (``source``, of ``date``).

    ``amount`` as listed; ``discount`` the share taken off (0.15 = 15%); ``tax`` the rate (0.13) or None = not told,
    ``tax_included`` whether ``amount`` holds it. ``length_m`` of a cable sold by length, None = any; ``lead_days``
    delivery time.
    """

    part: str
    amount: float
    currency: str = "CNY"
    source: str = ""
    date: str = ""
    discount: float = 0.0
    tax: float | None = None
    tax_included: bool = False
    length_m: float | None = None
    lead_days: int | None = None
    extra: Table[object] = field(default_factory=_extra)


@record
class Stock:
    """How many of a part the customer owns already. ``length_m`` of a cable, None = whatever its length."""

    part: str
    quantity: int
    length_m: float | None = None
    note: str = ""
    extra: Table[object] = field(default_factory=_extra)


@record
class Calibration:
    """A named set of fitted constants."""

    title: str = ""
    values: Table[Scalar] = field(default_factory=Table)
    extra: Table[object] = field(default_factory=_extra)


@record
class OutputJob:
    """A preset of an export."""

    kind: str = ""
    options: Table[Scalar] = field(default_factory=Table)
    extra: Table[object] = field(default_factory=_extra)


@record
class Snapshot:
    """The project as it was at ``time`` (ISO 8601 with zone), under a name. ``content`` see
    ``fabricwright.design.snapshots``."""

    title: str = field(default="", metadata=NAMING)
    time: str = ""
    author: str = ""
    content: str = ""
    extra: Table[object] = field(default_factory=_extra)


@record
class Project:
    """The whole document. ``ordering`` rules of the bill of materials and of cable labels, see
    ``fabricwright.design.edits.ordering``."""

    title: str = field(default="", metadata=NAMING)
    meta: Table[Scalar] = field(default_factory=Table, metadata=NAMING)
    designs: Table[Design] = field(default_factory=Table)
    workloads: Table[Workload] = field(default_factory=Table)
    statements: Table[Statement] = field(default_factory=Table)
    parts: Table[Part] = field(default_factory=Table)
    approvals: Table[Approval] = field(default_factory=Table)
    prices: Table[Price] = field(default_factory=Table)
    stock: Table[Stock] = field(default_factory=Table)
    ordering: Table[Scalar] = field(default_factory=Table, metadata=NAMING)
    profiles: Table[Calibration] = field(default_factory=Table)
    jobs: Table[OutputJob] = field(default_factory=Table)
    images: Table[Image] = field(default_factory=Table, metadata=DRAWING)
    snapshots: Table[Snapshot] = field(default_factory=Table, metadata=NAMING)
    extra: Table[object] = field(default_factory=_extra)
