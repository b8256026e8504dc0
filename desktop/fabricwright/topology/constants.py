"""Physical and NCCL constants of the topology, each with its source. Rates are bytes/s per direction, times seconds.

Sources: (N) NCCL v2.30 ``src/graph/topo.h``; (C5.5) PCIe-only servers as measured in voipmonitor/rtx6kpro at 29f3863a;
(S) the interface's own encoding; (E) engineering estimate.
"""

from __future__ import annotations

# PCIe line rate per lane after encoding (S): 8b/10b for Gen1-2, 128b/130b for Gen3-5; of the 256 bytes of a
# Gen6 flit 236 carry TLPs (6 DLP, 8 CRC, 6 FEC).
PCIE_LANE_RATE: dict[int, float] = {
    1: 0.25e9,
    2: 0.5e9,
    3: 8e9 / 8 * 128 / 130,
    4: 16e9 / 8 * 128 / 130,
    5: 32e9 / 8 * 128 / 130,
    6: 64e9 / 8 * 236 / 256,
}

# NCCL counts a PCIe link as width x speed / 80 GB/s with these speeds (N): Gen3 x16 = 12, Gen4 24, Gen5 48,
# Gen6 96 GB/s.
NCCL_PCIE_SPEED: dict[int, float] = {1: 15, 2: 30, 3: 60, 4: 120, 5: 240, 6: 480}

# NVLink, one link, one direction, by generation. Line rate (S) and what NCCL counts (N: SM60 18, SM70/80 20,
# SM90 20.6, SM100 40.1).
NVLINK_RATE: dict[int, float] = {1: 20e9, 2: 25e9, 3: 25e9, 4: 25e9, 5: 50e9}
NVLINK_NCCL: dict[int, float] = {1: 18e9, 2: 20e9, 3: 20e9, 4: 20.6e9, 5: 40.1e9}
NVLINK_LINKS_PER_GPU: dict[int, int] = {1: 4, 2: 6, 3: 12, 4: 18, 5: 18}

# Peer-to-peer writes through an Intel root complex are cut into 64-byte TLPs (N: INTEL_P2P_OVERHEAD).
INTEL_P2P_OVERHEAD = 6 / 5

# Processor link by platform when the chassis does not state it: NCCL's constants (N).
SOCKET_NCCL: dict[str, float] = {"intel": 22e9, "amd": 16e9, "arm": 6e9, "": 6e9}
# What a GPU-to-GPU copy really gets across the processors' link. NCCL's 16 GB/s for AMD is a ranking value; measured on
# Genoa/Turin with Gen5 cards: 39-51 GB/s (C5.5), the middle is kept. Intel: NCCL's own values agree with measurement.
SOCKET_RATE_AMD_GEN5 = 45e9

# Copies through host memory: each GPU writes to and reads from a pinned buffer by its own copy loop. Eight Gen5 cards
# on two sockets reach 22.2 GB/s in a ring under NCCL's defaults (C5.5, all hops through host memory, a 32 MiB buffer).
# That the limit is per GPU, so that rings with fewer such hops keep it, is inferred; with more channels it is
# higher (8 channels: 37.6). Up to Gen4: 3.9-4.0 GB/s for a pair (A40, NCCL 2.16 without P2P, collectives.json).
HOST_COPY_RATE: dict[int, float] = {3: 4.0e9, 4: 4.0e9, 5: 22.2e9, 6: 22.2e9}
# The same across sockets up to Gen4: four A40 over two sockets reach 1.44 GB/s, 0.36 of the pair. Gen5: no loss seen.
HOST_COPY_CROSS_SOCKET: dict[int, float] = {3: 0.36, 4: 0.36, 5: 1.0, 6: 1.0}
# DRAM of one socket, one direction, where the processor's memory channels are not known: 8 x DDR5-4800 = 307 GB/s,
# 80 % usable, half of it writing (E).
HOST_MEMORY_RATE = 120e9

# Latency. From GPU-resident ping-pong, one way (C5.5): same switch 633-727 ns, two switches and the root complex
# 1062-1072 ns, other socket 1270-1360 ns (pcie-8dw-2chip-4part); host memory about 14 us. A Gen5 switch is 115 ns (R).
SWITCH_LATENCY_S = 115e-9
RETIMER_LATENCY_S = 20e-9  # (E), as rule RET-06 counts
ENDPOINT_LATENCY_S = 282e-9  # half of 680 - 115
ROOT_LATENCY_S = 272e-9  # 1067 - 680 - 115
SOCKET_LATENCY_S = 248e-9  # 1315 - 1067
HOST_COPY_LATENCY_S = 6.7e-6  # each of write and read: (14 us - path) / 2
NVLINK_LATENCY_S = 250e-9  # half of a GPU-GPU hop of 0.5 us (E; the ideal-network rows of peers.md use 500 ns)
C2C_LATENCY_S = 250e-9  # (E)
NIC_LATENCY_S = 600e-9  # one way through a NIC (E, catalogue link_latency)
FIBRE_S_PER_M = 5.0e-9
SWITCH_ASIC_LATENCY_S = 600e-9  # where the switch part states none (E)


def pcie_rate(lanes: int, gen: int) -> float:
    """Line rate in bytes/s of ``lanes`` at PCIe ``gen`` (Gen5 x16: 63.0e9). Unknown generations count as Gen5."""
    return lanes * PCIE_LANE_RATE.get(gen, PCIE_LANE_RATE[5])


def pcie_nccl_rate(lanes: int, gen: int) -> float:
    """What NCCL counts for the link, bytes/s (Gen5 x16: 48e9)."""
    return lanes * NCCL_PCIE_SPEED.get(gen, NCCL_PCIE_SPEED[5]) / 80 * 1e9
