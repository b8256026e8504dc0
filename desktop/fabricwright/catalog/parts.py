"""What a part is: cages, ports, slots, modes, an interior, and figures that name their source.

The YAML files in ``resources/catalog``, the baked JSON and the ``parts`` of a project file all hold these values, in
the form that ``fabricwright.units.codec`` writes (field names as here, defaults omitted). Units: Gb/s in ``gbps``
fields because that is how ports are named in the field; everything else SI.

Port names. A device's ports are derived (``fabricwright.catalog.ports``): fixed ``ports``; one group per cage, named
by the cage and the breakout (``17`` for ``1x400``, ``17/1`` and ``17/2`` for ``2x200``); or the ports of the chosen
``mode``.
"""

from __future__ import annotations

from dataclasses import field

from fabricwright.units.record import record
from fabricwright.units.table import Table

Scalar = str | int | float | bool | None

CONFIDENCES = ("read", "engineering", "inferred")


@record
class Figure:
    """One value with its provenance. ``confidence`` is read (from the named source), engineering or inferred."""

    value: Scalar | tuple[Scalar, ...]
    source: str = ""
    confidence: str = "engineering"


@record
class Port:
    """A port of a part.

    medium  eth | ib | pcie | cxl | nvlink | c2c | socket | dmi | mgmt
    role    net (cage), up (towards the CPU), down (away), root (CPU root port), nv (NVLink), peer
    lanes   PCIe/CXL lanes;  gen PCIe generation (both 0 where they do not apply)
    gbps    line rate in Gb/s, 0 where it does not apply
    cage    name of the cage that holds it, "" when none
    media   what a multi-protocol network port may also carry, e.g. ("eth", "ib")
    host_bridge, numa   root ports only: host bridge id and NUMA node
    connector  PCIe cable connector type ("MCIO-8i"), "" for an edge or fixed trace; connectors = how many of them
    """

    medium: str
    role: str = "net"
    lanes: int = 0
    gen: int = 0
    gbps: float = 0.0
    cage: str = ""
    media: tuple[str, ...] = ()
    host_bridge: str = ""
    numa: int = 0
    connector: str = ""
    connectors: int = 0


@record
class Cage:
    """A transceiver cage: ``type`` (OSFP, QSFP-DD, QSFP112, RJ45 ...), the native split ``default`` ("1x400", "2x400"),
    further legal ``breakouts`` ("2x200", "4x100"), and the medium of its ports. ``ports`` names member ports when
    they are ports of other items (a server's OSFP cage: "nic0:1"), else they follow from the split."""

    type: str
    default: str = ""
    breakouts: tuple[str, ...] = ()
    medium: str = "eth"
    media: tuple[str, ...] = ()
    ports: tuple[str, ...] = ()
    plugs: tuple[str, ...] = ()


@record
class CableFeed:
    """A slot fed by a cable: connector type, how many, port name of the feed."""

    connector: str
    count: int = 1
    port: str = ""


@record
class Slot:
    """A place for a card or module. ``fed_by`` "item:port" or "" (fed by a cable link to the slot, or by C2C).

    kind cem | sxm4 | sxm5 | sxm6 | oam | ocp3 | u2 | m2 | e3s | ...; ``electrical``/``physical`` in lanes; ``length``
    HL|3/4|FL,
    ``height`` LP|FH; ``max_width`` in slot pitches; ``neighbour`` the slot that a double-wide card covers; watts from
    the slot and from auxiliary connectors; ``bifurcation`` legal splits ("x8x8"); ``cxl`` whether CXL.mem can train
    here.
    """

    kind: str
    fed_by: str = ""
    electrical: int = 16
    physical: int = 16
    gen: int = 5
    length: str = ""
    height: str = ""
    max_width: int = 1
    neighbour: str = ""
    power_w: float = 75.0
    aux_w: float = 0.0
    bifurcation: tuple[str, ...] = ()
    cxl: bool = False
    cable_feed: CableFeed | None = None
    trace_db: float | None = None
    label: str = ""
    confidence: str = "engineering"
    open_ended: bool = False


@record
class Mode:
    """One configuration of a card (config ``mode``): the ports it then has besides the fixed ones."""

    ports: Table[Port] = field(default_factory=Table)
    note: str = ""


@record
class BuiltinItem:
    """A thing inside a chassis or box. ``of`` a part id; ``ports`` when this instance differs from the part's own.

    ``chip``: items with the same chip are partitions of one switch chip; ``chip_part`` its part id; ``bridge_levels``
    how many
    PCIe bridges the operating system shows for it. ``config`` carries what the part cannot know (lanes_available,
    cxl, rail ...).
    """

    of: str
    seat: str = ""
    locked: bool = True
    ports: Table[Port] = field(default_factory=Table)
    chip: str = ""
    chip_part: str = ""
    bridge_levels: int = 1
    config: Table[Scalar] = field(default_factory=Table)
    confidence: str = "engineering"


@record
class BuiltinLink:
    """A fixed connection "item:port" to "item:port". ``nvlinks`` NVLink count; ``gbs`` bytes/s per direction in GB/s
    where the link has a rate of its own (socket links, C2C)."""

    a: str
    b: str
    medium: str
    lanes: int = 0
    gen: int = 0
    nvlinks: int = 0
    gbs: float = 0.0
    count: int = 1
    kind: str = ""
    confidence: str = "engineering"


@record
class BuiltinExport:
    """Ports a chassis shows outside, row-major over ``axes``."""

    ports: tuple[str, ...]
    axes: tuple[tuple[str, int], ...] = ()


@record
class Interior:
    """Everything inside a chassis. CPUs are items too (``of`` the CPU part, ports = root ports, UPI, DMI)."""

    items: Table[BuiltinItem] = field(default_factory=Table)
    links: Table[BuiltinLink] = field(default_factory=Table)
    exports: Table[BuiltinExport] = field(default_factory=Table)
    archetype: str = ""
    assumed: bool = False


@record
class Part:
    """One catalogue entry.

    ``kind``: server, chassis, gpu, cpu, nic, pcie-switch, pcie-switch-card, retimer, cxl, cable, pcie-cable,
    optic, fibre, switch, rack, pdu, nvme, dimm, riser, backplane, external-box, nvswitch, storage-server, aux-cable,
    ...

    ``names`` {"en", "zh_CN"}; ``model`` the orderable part number; figures by name (``power_w``, ``height_u``,
    ``latency_ns``, ``pcie_gen``, ``lanes`` ...), see docs/catalogue.md for the list by kind.
    """

    kind: str
    names: Table[str] = field(default_factory=Table)
    model: str = ""
    vendor: str = ""
    source: str = ""
    confidence: str = "engineering"
    origin: str = ""
    note: str = ""
    cages: Table[Cage] = field(default_factory=Table)
    ports: Table[Port] = field(default_factory=Table)
    slots: Table[Slot] = field(default_factory=Table)
    modes: Table[Mode] = field(default_factory=Table)
    default_mode: str = ""
    interior: Interior | None = None
    figures: Table[Figure] = field(default_factory=Table)
    extra: Table[object] = field(default_factory=Table)

    def name(self, lang: str = "en") -> str:
        """Display name in ``lang``, falling back to English, then the model."""
        return self.names.get(lang) or self.names.get("en") or self.model

    def is_estimate(self) -> bool:
        """Whether the part as a whole must be shown as an estimate: its wiring is an assumed archetype, or it was not
        read from its source."""
        return self.confidence == "inferred" or (self.interior is not None and self.interior.assumed)

    def get(self, figure: str, default: float = 0.0) -> float:
        """Numeric figure, or ``default`` when it is not known."""
        row = self.figures.get(figure)
        if row is None or isinstance(row.value, (str, tuple)) or row.value is None:
            return default
        return float(row.value)

    def word(self, figure: str, default: str = "") -> str:
        """Text figure, or ``default``."""
        row = self.figures.get(figure)
        return str(row.value) if row is not None and row.value is not None else default

    def numbers(self, figure: str) -> tuple[float, ...]:
        """List figure as floats (orderable lengths, port speeds); empty when not known."""
        row = self.figures.get(figure)
        if row is None or not isinstance(row.value, tuple):
            return ()
        return tuple(float(v) for v in row.value if isinstance(v, (int, float)))
