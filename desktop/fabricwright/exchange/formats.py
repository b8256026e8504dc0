"""Formats of other tools: what ``export --to`` offers. A new one is one row here and a module that makes its files."""

from __future__ import annotations

from fabricwright.exchange.export_file import ExportFormat
from fabricwright.exchange.graphml import graphml_files
from fabricwright.exchange.nccl_xml import nccl_xml_files
from fabricwright.exchange.network_texts import nccl_files, nic_files, nvue_files, sonic_files
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

FORMATS: dict[str, ExportFormat] = {
    row.name: row
    for row in (
        ExportFormat("sonic", msg("config_db tables of every kind of switch, for SONiC"), ".json", False, sonic_files),
        ExportFormat("nvue", msg("NVUE commands of every kind of switch"), ".nvue", False, nvue_files),
        ExportFormat("nic", msg("commands that set up every NIC for RoCE"), ".sh", False, nic_files),
        ExportFormat("nccl-env", msg("environment of NCCL for the drawn network"), ".env", True, nccl_files),
        ExportFormat(
            "nccl-xml", msg("topology of every kind of server, as NCCL reads it"), ".xml", False, nccl_xml_files
        ),
        ExportFormat("graphml", msg("devices and cables of the fabric as a graph"), ".graphml", True, graphml_files),
    )
}
"""Name -> format, in the order they are shown."""


PLANNED = ("astra-sim", "netbox")
"""Formats whose names are reserved; they say that they are not built yet."""


def format_of(name: str) -> ExportFormat:
    """A format by name; UserError with the known ones."""
    if name in PLANNED:
        raise UserError(
            msg("The format '{name}' is not built yet; there are {known}.", name=name, known=", ".join(FORMATS))
        )
    if name not in FORMATS:
        raise UserError(
            msg("There is no format '{name}'; there are {known}.", name=name[:60], known=", ".join(FORMATS))
        )
    return FORMATS[name]
