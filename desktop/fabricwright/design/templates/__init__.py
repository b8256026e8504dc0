"""The projects to start from. ``TEMPLATES`` by id; ``TEMPLATES[id].build(**settings)`` gives a project.

Part lists, wirings and statements are those of the two seeds and of NVIDIA's reference designs; see each module.
"""

from __future__ import annotations

from fabricwright.design.templates import reference, seed_a, seed_b, single_server, superpod
from fabricwright.design.templates.template import Setting, Template
from fabricwright.units.text import N_, msg

__all__ = ["TEMPLATES", "Setting", "Template"]


def _title(default: str) -> Setting:
    return Setting("title", default, msg("title of the project"))


_ALL = (
    Template(
        "seed-a-256x8",
        msg("256 servers with 8 PCIe GPUs each behind switch and retimer cards"),
        (
            _title(N_("256 servers x 8 GPUs")),
            Setting("servers", 256, msg("number of servers"), 1, 256),
        ),
        seed_a.draw,
    ),
    Template(
        "seed-b-512",
        msg("Upgrade of 32 DGX H100: before, after the network, after"),
        (
            _title(N_("Upgrade towards 512 GPUs")),
            Setting("servers", 32, msg("number of servers"), 2, 32),
            Setting("key_nodes", 8, msg("servers that get CXL cards in design after"), 0, 32),
        ),
        seed_b.draw,
    ),
    Template(
        "single-8gpu",
        msg("One DGX H100"),
        (
            _title(N_("One DGX H100")),
            Setting("servers", 1, msg("number of servers, side by side and uncabled"), 1, 1024),
            Setting("server", "dgx-h100", msg("part id of the server")),
        ),
        single_server.draw_single,
    ),
    Template(
        "pcie-8gpu-switch",
        msg("One server with 8 PCIe GPUs behind two PCIe switches"),
        (
            _title(N_("Eight PCIe GPUs behind two switches")),
            Setting("gpu", "rtx-pro-6000-bse", msg("part id of the GPU")),
        ),
        single_server.draw_switched,
    ),
    Template(
        "pcie-4gpu-1nic",
        msg("Four servers with 4 PCIe GPUs and one NIC each"),
        (
            _title(N_("Four servers with one NIC each")),
            Setting("servers", 4, msg("number of servers"), 1, 9),
        ),
        single_server.draw_one_nic,
    ),
    Template(
        "superpod-h100-127",
        msg("DGX SuperPOD with 127 DGX H100 and four networks"),
        (
            _title(N_("DGX SuperPOD, 127 nodes")),
            Setting("servers", 127, msg("number of servers in the 128 places"), 1, 127),
        ),
        superpod.draw,
    ),
    Template(
        "h100-4su",
        msg("Compute fabric of 127 DGX H100 in four scalable units"),
        (_title(N_("H100, 4 scalable units")),),
        reference.draw_h100,
    ),
    Template(
        "b200-8su",
        msg("Compute fabric of 256 DGX B200 in eight scalable units"),
        (_title(N_("B200, 8 scalable units")),),
        reference.draw_b200,
    ),
    Template(
        "b300-4su",
        msg("Compute fabric of 256 DGX B300 in four scalable units, on two planes or one"),
        (
            _title(N_("B300, 4 scalable units")),
            Setting("planes", 2, msg("planes of the network: 2 of 400G, or 1 of 800G"), 1, 2),
        ),
        reference.draw_b300,
    ),
)

TEMPLATES: dict[str, Template] = {template.id: template for template in _ALL}
