"""Insertion loss of what a PCIe link runs through, and what a segment of a link may lose.

Losses are meant at the Nyquist frequency of a generation (Gen5: 16 GHz for 32 GT/s NRZ, Gen6: 16 GHz for 64 GT/s
PAM4). Sources: (A) Astera Labs' retimer notes as collected (read): Gen5 budget 36 dB = package of the processor 9 +
add-in card 9.5 + CEM connector 1.5 + system board 16; (D) EDN on insertion loss (read): Gen4 28 dB; (V) PCI-SIG's
answers (read): 0.7 dB for a via; (E) engineering estimates. The catalogue's tables ``pcie_loss_budget_db`` and
``pcie_loss_db`` hold the same values; a test compares them.
"""

from __future__ import annotations

from fabricwright.units.record import record

NYQUIST_GHZ: dict[int, float] = {1: 1.25, 2: 2.5, 3: 4.0, 4: 8.0, 5: 16.0, 6: 16.0}
BUDGET_DB: dict[int, float] = {3: 22.0, 4: 28.0, 5: 36.0, 6: 32.0}  # 3 and 6 (E), 4 (D), 5 (A); none for older ones
BUDGET_READ = frozenset({4, 5})
AIC_SHARE_DB = 9.5  # (A) what an add-in card may take of the Gen5 budget
MARGIN = 0.15  # designers keep 10-20 % (A); rule RET-03

CPU_PACKAGE_DB = 9.0  # (A)
CHIP_PACKAGE_DB = 4.0  # switch or retimer chip (E)
CARD_TRACE_DB = 2.0  # from a switch or retimer chip to the edge or the cable connector of its card (E)
CONNECTOR_DB = 1.5  # CEM connector (A)
VIA_DB = 0.7  # (V)
DRIVE_DB = 4.0  # controller package of a drive with its short board (E, as a chip package)
BACKPLANE_DB = 3.0  # a bay's backplane that states none (E, as the bays of the catalogue)
RISER_DB = 2.5  # a riser that states none (E, as the catalogue's one-slot riser)
BOARD_DB = 6.0  # a board trace whose length nobody stated: 6 inches of low-loss laminate (E)

INCH_M = 0.0254
LAMINATE_DB_PER_M: dict[str, float] = {
    "standard": 2.0 / INCH_M,
    "mid-loss": 1.5 / INCH_M,
    "low-loss": 1.0 / INCH_M,
    "ultra-low-loss": 0.8 / INCH_M,
}
"""dB per metre of board trace at 16 GHz by class of laminate: 1.0 dB per inch for low-loss is the catalogue's figure
(E); the others are the usual distances between the classes (E)."""

LINE_EXPONENT = 0.75
"""Loss of a line grows with frequency to this power: between skin effect (0.5) and dielectric loss (1) (E)."""


@record
class Element:
    """One thing that a link runs through.

    ``kind`` cpu-package | chip-package | card | card-trace | connector | board | riser | backplane | cable | drive;
    ``name`` the item or link it belongs to; ``db`` at the Nyquist frequency of ``gen``; ``line``: it grows with
    frequency as a line, else it keeps its share of the budget. ``known`` False: nobody says what it loses, ``db`` is 0.
    ``assumed``: a usual value stands in for what nobody stated. ``length_m`` 0 where it has none.
    """

    kind: str
    name: str
    db: float
    gen: int = 5
    line: bool = False
    source: str = "EK"
    confidence: str = "engineering"
    known: bool = True
    assumed: bool = False
    length_m: float = 0.0

    def at(self, gen: int) -> float:
        """Loss in dB at the Nyquist frequency of ``gen``."""
        if gen == self.gen:
            return self.db
        if self.line:
            return self.db * float((NYQUIST_GHZ[gen] / NYQUIST_GHZ[self.gen]) ** LINE_EXPONENT)
        return self.db * _share(gen) / _share(self.gen)


def _share(gen: int) -> float:
    """Budget that shares are taken of; Gen6 packages are those of Gen5, at the same frequency."""
    return BUDGET_DB[min(max(gen, 3), 5)]


def errors_per_s(lanes: int, gen: int, bit_error_rate: float) -> float:
    """Bit errors, hence replays, per second of one direction: lanes x transfers/s x rate. Gen5 x16 at 1e-12: 0.51."""
    return lanes * GIGATRANSFERS.get(gen, 0.0) * 1e9 * bit_error_rate


GIGATRANSFERS = {1: 2.5, 2: 5.0, 3: 8.0, 4: 16.0, 5: 32.0, 6: 64.0}
"""GT/s of a lane by generation (PCIe)."""

SPECIFIED_BER = {1: 1e-12, 2: 1e-12, 3: 1e-12, 4: 1e-12, 5: 1e-12, 6: 1e-6}
"""Bit error rate that the specification admits: 1e-12 (kandou); of Gen6 the first one, before its error correction
(E)."""
