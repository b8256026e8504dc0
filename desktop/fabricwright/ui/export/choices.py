"""What a person chose in the export dialog, and the command line that does it."""

from __future__ import annotations

from dataclasses import dataclass

PAPERS = ("A4", "A3", "A2", "A1", "A0")
RESOLUTIONS = (96, 150, 300, 600)


@dataclass(frozen=True, slots=True)
class Choices:
    """One export. ``sheets`` empty = all; ``also`` of "racks", "parts" and "findings" follow the
    sheets in a PDF."""

    format: str = "pdf"
    sheets: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    paper: str = "A3"
    portrait: bool = False
    language: str = "en"
    print_safe: bool = False
    revision: str = ""
    legend: bool = True
    figures: bool = True
    labels: bool = True
    heat: bool = False
    findings: bool = False
    transparent: bool = False
    dpi: int = 150
    only: tuple[str, ...] = ()

    def arguments(self, design: str) -> list[str]:
        """Options of ``fabricwright diagram`` that say the same."""
        out = [
            "--design",
            design,
            "--lang",
            self.language,
            "--page",
            self.paper + ("-portrait" if self.portrait else ""),
        ]
        if self.sheets:
            out += ["--sheet", ",".join(self.sheets)]
        if self.also:
            out += ["--also", ",".join(self.also)]
        if self.only:
            out += ["--only", ",".join(self.only)]
        out += ["--revision", self.revision]
        flags = {
            "--print-safe": self.print_safe,
            "--no-legend": not self.legend,
            "--no-figures": not self.figures,
            "--no-labels": not self.labels,
            "--heat": self.heat,
            "--findings": self.findings,
            "--transparent": self.transparent and self.format in ("png", "svg"),
        }
        out += [flag for flag, on in flags.items() if on]
        return out
