"""What runs on the cluster, as far as rules need it."""

from __future__ import annotations

from fabricwright.design.options.option import Option
from fabricwright.units.text import N_

LEVELS = ("LOC", "NVL", "PIX", "PXB", "PHB", "SYS")

OPTIONS: tuple[Option, ...] = (
    Option(
        "design",
        "nccl.p2p_level",
        "choice",
        N_("NCCL P2P level"),
        N_("Farthest class for peer-to-peer."),
        None,
        LEVELS,
        rules=("P2P-03", "P2P-09"),
    ),
    Option(
        "design",
        "nccl.gdr_level",
        "choice",
        N_("NCCL GDR level"),
        N_("Farthest class for GPUDirect RDMA."),
        None,
        LEVELS,
        rules=("P2P-01", "P2P-15"),
    ),
    Option(
        "design",
        "nccl.p2p_disable",
        "switch",
        N_("NCCL P2P off"),
        N_("Peer-to-peer is switched off."),
        "off",
        rules=("P2P-03", "P2P-18"),
    ),
    Option(
        "design",
        "nccl.pxn",
        "switch",
        N_("NCCL PXN"),
        N_("A GPU sends through the NIC of an NVLink peer."),
        "on",
        rules=("P2P-01", "P2P-02"),
    ),
    Option(
        "design",
        "nccl.hca",
        "names",
        N_("NICs of the compute group"),
        N_("NIC list as NCCL_IB_HCA would name it."),
        None,
        rules=("FAB-19", "NIC-07"),
    ),
    Option(
        "design",
        "traffic.host",
        "switch",
        N_("Host traffic"),
        N_("Data moves between host memory and GPUs or NICs."),
        None,
        rules=("LAN-06", "LAN-15", "NIC-08"),
    ),
    Option(
        "design",
        "job.collective",
        "choice",
        N_("Main collective"),
        N_("What the job mostly does."),
        None,
        ("all_reduce", "reduce_scatter", "all_gather", "all_to_all", "send_recv", "gather", "broadcast"),
        rules=("FAB-20", "P2P-17", "P2P-20"),
    ),
    Option(
        "design",
        "job.gpus_per_server",
        "number",
        N_("GPUs of a job per server"),
        N_("Fewer than fitted, or all."),
        None,
        low=1,
        rules=("P2P-11",),
    ),
    Option(
        "design",
        "job.tp",
        "number",
        N_("Tensor-parallel group"),
        N_("GPUs of one group."),
        None,
        low=1,
        rules=("GPU-05", "MEM-05", "P2P-09"),
    ),
    Option(
        "design",
        "job.ranks_per_server",
        "number",
        N_("Ranks per server"),
        N_("One rank may drive several NICs."),
        None,
        low=1,
        rules=("P2P-22",),
    ),
)
