"""How much of what comes from outside is read: the one place where sizes and depths are bounded (docs/security.md).

Bytes are those of the file. Every reader of a file that a stranger may have made names its bound here, so that a file
can neither fill the memory nor keep the program busy for long.
"""

from __future__ import annotations

from typing import Final

KB: Final = 1024
MB: Final = 1024 * KB

PROJECT_BYTES: Final = 64 * MB
"""A project with all the pictures it may carry, and its snapshots."""
PROJECT_DEPTH: Final = 64
PROJECT_ROWS: Final = 2_000_000
"""Braces and brackets: rows, lists and what they hold."""
SNAPSHOTS_BYTES: Final = 32 * MB
"""All snapshots of a project together: half of the room that its file has."""

JOURNAL_BYTES: Final = 512 * MB

PACK_BYTES: Final = 8 * MB
PACK_DEPTH: Final = 24
PACK_ROWS: Final = 200_000
PACK_TEXT: Final = 4_000
"""Characters of one text in a catalogue pack or among the user's own parts."""

CLIP_BYTES: Final = 16 * MB
"""A block file, or what is pasted from the clipboard."""
CLIP_DEPTH: Final = 48
CLIP_ROWS: Final = 500_000

PICTURE_BYTES: Final = 512 * KB
"""A picture as the project keeps it; the file that it comes from may be eight times as large."""
PICTURES: Final = 32
PICTURES_BYTES: Final = 4 * MB
PICTURE_SIDE: Final = 4096
"""Pixels of a side: decoded as 32 bit that is at most 64 MB."""

NETBOX_BYTES: Final = 1 * MB
NETBOX_DEPTH: Final = 12
NETBOX_EVENTS: Final = 100_000
"""Values, lists and mappings."""

TABLE_BYTES: Final = 30_000_000
TABLE_UNPACKED_BYTES: Final = 200_000_000
TABLE_RATIO: Final = 200
"""Bytes unpacked per byte packed, of a file inside an XLSX that is larger than ``TABLE_RATIO_FROM`` when unpacked.
Sheets reach 10 to 60; a bomb of zeros 1000."""
TABLE_RATIO_FROM: Final = 4 * MB
TABLE_MEMBERS: Final = 2_000
TABLE_SHEETS: Final = 50
TABLE_ROWS: Final = 100_000
TABLE_COLUMNS: Final = 200
TABLE_CELLS: Final = 4_000_000
"""Cells that hold something, over all sheets."""
TABLE_STRINGS: Final = 400_000
"""Different texts of a workbook: each costs 15 µs before the first row can be read."""
TABLE_TAGS: Final = 800_000
"""Openings and ends of tags in its other files (formats, names), beside sheets and texts."""
TABLE_TEXT: Final = 2_000

LOG_BYTES: Final = 64 * MB
LOG_LINES: Final = 1_000_000

MEASURED_BYTES: Final = 32 * MB
"""Measured collectives, training runs, rows of an oracle: JSON."""
MEASURED_DEPTH: Final = 32

GRID_BYTES: Final = 8 * MB
TEMPLATE_BYTES: Final = 64 * KB
"""The look of a report."""

FRAME_HEADER_BYTES: Final = 64 * MB
FRAME_PAYLOAD_BYTES: Final = 512 * MB
