"""Cases about traffic between GPUs: ACS, IOMMU, virtual machines, drivers without peer-to-peer."""

from __future__ import annotations

from fabricwright.design.values import Project
from tests.cases.machines import cluster, gpus, nics, node, outside, stating
from tests.cases.register import draws
from tests.rules.drawing import server
from tests.rules.hosts import host

ALL_BITS = "SrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-"
EIGHT = [f"g{n}" for n in range(1, 9)]


def two_ada(acs: str) -> Project:
    """One EPYC socket of a two-socket board, a card on each of two root ports."""
    items = gpus("rtx5880-ada", ["g2", "g3"])
    items |= {"cpu0": stating(acs_ctl=acs), "chassis": stating(cpus_fitted=1)}
    return server("pcie-8dw-gen4-direct", items)


@draws("C001", finds="P2P-04 P2P-19")
def c001() -> Project:
    return two_ada("0x001d")


@draws("C001", "only SrcValid set", finds="P2P-19")
def c001_only_src_valid() -> Project:
    return two_ada("0x0001")


@draws("C002", finds="LAN-06 P2P-03 P2P-04 P2P-12 P2P-17")
def c002() -> Project:
    items = gpus("v100-pcie-32gb", EIGHT) | nics("mcx455a-ecat", ["n1", "n2"])
    items |= {"sw0": stating(acs_ctl=ALL_BITS), "sw1": stating(acs_ctl=ALL_BITS)}
    sheet = node("pcie-8dw-gen3-2switch", items, "nic0:1", "nic1:1")
    return cluster(sheet, 2, "qm8700", "1-4", medium="ib", speed=100e9)


@draws("C003", finds="P2P-12")
def c003() -> Project:
    """A Dell server with a ConnectX-7 beside every GPU."""
    items = nics("mcx75310aas-neat", [f"n{n}" for n in range(1, 9)])
    sheet = node("poweredge-xe9680", items, *(f"nic{n}:1" for n in range(8)), axis="rail")
    return cluster(sheet, 4, "qm9700", "1-16/1-2", medium="ib", acs="on")


def two_pairs(vt_d: str) -> Project:
    """A pair below two switches of a cascade, a pair below one switch of the other socket."""
    return host(
        [[["gpu"], ["gpu"]]],
        [["gpu", "gpu"]],
        cpu="xeon-clx",
        gpu="v100-pcie-32gb",
        gen=3,
        chip="pex8747",
        config={f"gpu{n}": {"aux": "aux-8pin-cpu-300w"} for n in range(4)},
        iommu=vt_d,
    )


@draws("C004", finds="LAN-06 P2P-03 P2P-13")
def c004() -> Project:
    return two_pairs("on")


@draws("C004", "VT-d off", finds="LAN-06 P2P-03")
def c004_off() -> Project:
    return two_pairs("off")


def eight_4090(**settings: object) -> Project:
    items = gpus("rtx4090-2slot", EIGHT) | nics("mcx653106a-hdat", ["c1"])
    return server("pcie-8dw-gen4-2switch", items, exports=outside("nic0:1"), settings=settings)


@draws("C006", finds="LAN-06 P2P-01 P2P-14 P2P-18")
def c006() -> Project:
    return eight_4090()


@draws("C006", "P2P level set or one tensor-parallel group", finds="LAN-06 P2P-01 P2P-09 P2P-14 P2P-18")
def c006_level() -> Project:
    return eight_4090(**{"nccl.p2p_level": "SYS"})


def one_a100(nps: str) -> Project:
    """One A100 and an InfiniBand NIC on the processor in each of two AMD servers."""
    items = gpus("a100-pcie-40gb", ["g1"]) | nics("mcx653106a-hdat", ["n1"])
    items |= {"cpu0": stating(nps=nps)}
    sheet = node("pcie-8dw-gen4-direct", items, "nic0:1")
    return cluster(sheet, 2, "qm8700", "1-2", medium="ib", nccl_gdr_level="PXB")


@draws("C030", finds="P2P-01 P2P-18")
def c030() -> Project:
    return one_a100("1")


@draws("C030", "NPS4", finds="P2P-01")
def c030_nps4() -> Project:
    return one_a100("4")


@draws("C031", finds="P2P-03 P2P-18 P2P-19")
def c031() -> Project:
    return server("pcie-8dw-gen4-direct", gpus("rtx3090-2slot", EIGHT))


@draws("C077", "ATS/ACS DT stated off", finds="P2P-21")
def c077() -> Project:
    """Eight H200 and eight ConnectX-7 passed through to a KVM guest."""
    items = nics("mcx75310aas-neat", [f"n{n}" for n in range(1, 9)], vm="guest", ats="off")
    items |= {f"gpu{n}": stating(vm="guest") for n in range(8)} | {f"sw{n}": stating(acs_dt="off") for n in range(8)}
    sheet = node("g593-zd1", items, *(f"nic{n}:1" for n in range(8)), axis="rail")
    return cluster(sheet, 2, "qm9700", "1-8/1-2", medium="ib", host_vm="on")


@draws("C100", finds="P2P-09 P2P-19")
def c100() -> Project:
    return server("workstation-wrx90", gpus("rtx5090", ["s1", "s3"]), settings={"job.tp": 2})


@draws("C104", finds="LAN-06 P2P-14 P2P-18")
def c104() -> Project:
    """Two cards on the root ports of one socket, two below a switch of the other."""
    cables = {f"gpu{n}": {"aux": "aux-12v2x6-600w"} for n in range(4)}
    below = [["gpu", "gpu"]]
    return host(["gpu", "gpu"], below, cpu="epyc-rome", gpu="rtx4090-2slot", gen=4, chip="pex88024", config=cables)


@draws("C128", finds="P2P-16 P2P-21")
def c128() -> Project:
    """An A100 HGX server as a virtual machine: redirects as the hypervisor needs them, ATS and translation off."""
    items = nics("cx6-single-200", ["n1", "n5"], vm="guest", ats="off")
    items |= {f"gpu{n}": stating(vm="guest") for n in range(8)}
    items |= {f"sw{n}": stating(acs_ctl="0x001d", acs_dt="off") for n in range(4)}
    sheet = node("hgx-a100-8sxm", items, "nic0:1", "nic1:1")
    return cluster(sheet, 2, "qm8700", "1-4", medium="ib", host_vm="on")


def esc8000a(switches: str = "", roots: str = "", **settings: object) -> Project:
    """Eight RTX PRO 6000 below two switch chips, each two virtual switches."""
    items = gpus("rtx-pro-6000-bse", EIGHT)
    items |= {f"sw{n}": stating(acs_ctl=switches) for n in range(4) if switches}
    items |= {f"cpu{n}": stating(acs_ctl=roots) for n in range(2) if roots}
    return server("esc8000a-e13p", items, settings=settings)


@draws("C137", "all-to-all", finds="LAN-06 P2P-20")
def c137() -> Project:
    return esc8000a(**{"acs": "off", "job.collective": "all_to_all", "nccl.p2p_level": "SYS"})


@draws("C137", "ring", finds="LAN-06")
def c137_ring() -> Project:
    return esc8000a(**{"acs": "off", "job.collective": "all_reduce", "nccl.p2p_level": "SYS"})


@draws("C138", finds="LAN-06 P2P-04")
def c138() -> Project:
    return esc8000a(**{"acs": "on", "nccl.p2p_level": "SYS"})


@draws("C138", "only the root ports cleared", finds="LAN-06 P2P-04")
def c138_roots() -> Project:
    return esc8000a("0x001d", "0x0000", **{"nccl.p2p_level": "SYS"})


@draws("C138", "both levels cleared", finds="LAN-06")
def c138_cleared() -> Project:
    return esc8000a("0x0000", "0x0000", **{"nccl.p2p_level": "SYS"})
