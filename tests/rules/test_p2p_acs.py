"""P2P-04, 12, 13, 05, 21: what bridges and the IOMMU do to peer traffic, on bare metal and in guests."""

from __future__ import annotations

import pytest

from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from fabricwright.design.values import Project
from fabricwright.rules.finding import Finding
from tests.rules.drawing import card, everything, fired, places, server
from tests.rules.examples import fires, silent
from tests.rules.hosts import host


def mended(project: Project, found: list[Finding]) -> Project:
    for finding in found:
        for call in finding.fix:
            project = apply(project, run(project, call))
    return project


def errors(project: Project) -> int:
    return sum(f.severity == "error" for f in everything(project))


def two_root_ports(acs: object, **more: object) -> Project:
    """Two GPUs on root ports of one EPYC: NCCL uses peer-to-peer up to SYS there."""
    return host(["gpu", "gpu"], cpu="epyc-genoa", config={"cpu0": {"acs_ctl": acs}}, **more)


@fires("P2P-04")
def test_p2p_04_redirect_at_the_root_ports() -> None:
    project = two_root_ports("0x001d")
    (found,) = fired(project, "P2P-04")
    assert (found.severity, places([found])) == ("error", ["node/cpu0"])
    assert found.measured == 1  # one pair
    text = found.message.english()
    assert "0x001d" in text and "ReqRedir" in text and "bare metal assumed" in text
    after = mended(project, [found])
    assert fired(after, "P2P-04") == [] and errors(after) < errors(project)


@silent("P2P-04")
def test_p2p_04_source_validation_alone_does_no_harm() -> None:
    assert fired(two_root_ports("0x0001"), "P2P-04") == []


@pytest.mark.parametrize(
    ("acs", "speaks"),
    [
        ("0x0004", True),
        ("0x08", True),
        ("1d", True),
        (0x1D, True),
        ("SrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+", True),
        ("SrcValid+ ReqRedir- CmpltRedir-", False),
        ("0x0073", False),  # every bit but the two redirects
        ("unknown", False),
        (None, False),
    ],
)
def test_p2p_04_reads_the_control_register(acs: object, speaks: bool) -> None:
    assert bool(fired(two_root_ports(acs), "P2P-04")) is speaks


def test_p2p_04_says_nothing_where_no_peer_traffic_passes() -> None:
    assert fired(two_root_ports("0x1d", nccl_p2p_disable="on"), "P2P-04") == []
    assert fired(two_root_ports("0x1d", gpu="rtx4090"), "P2P-04") == []  # no peer-to-peer in the driver
    intel = host(["gpu", "gpu"], config={"cpu0": {"acs_ctl": "0x1d"}})
    assert fired(intel, "P2P-04") == []  # PHB: not used by default
    below = host([["gpu", "gpu"]], config={"cpu0": {"acs_ctl": "0x1d"}})
    assert fired(below, "P2P-04") == []  # the switch turns it round before the root port
    assert fired(server("dgx-h100", {}), "P2P-04") == []


def test_p2p_04_only_the_switch_on_the_path_speaks() -> None:
    two = host([["gpu", "gpu"], ["gpu", "gpu"]], config={"sw1": {"acs_ctl": "0x1d"}})
    assert places(fired(two, "P2P-04")) == ["node/sw1"]


def both_levels(root: str | None, switch: str | None, **more: object) -> Project:
    """Eight GPUs below two switch chips of two uplinks each, as field case C138."""
    names = {"cpu0": root, "cpu1": root, **{f"sw{n}": switch for n in range(4)}}
    rows = {f"gpu{n}": card("rtx-pro-6000-bse", f"chassis:g{n + 1}") for n in range(8)}
    rows |= {name: card(None, acs_ctl=value) for name, value in names.items() if value}  # type: ignore[arg-type]
    return server("pcie-8dw-2chip-4part", rows, settings=more)


def test_p2p_04_both_levels_have_to_be_cleared() -> None:
    on = both_levels("0x001d", "0x001d")
    assert places(fired(on, "P2P-04")) == [f"node/sw{n}" for n in range(4)]
    far = both_levels("0x001d", "0x001d", **{"nccl.p2p_level": "SYS"})
    assert places(fired(far, "P2P-04")) == ["node/cpu0", "node/cpu1", *(f"node/sw{n}" for n in range(4))]
    assert places(fired(both_levels("0x0000", "0x001d"), "P2P-04")) == [f"node/sw{n}" for n in range(4)]
    assert fired(both_levels("0x0000", "0x0000", **{"nccl.p2p_level": "SYS"}), "P2P-04") == []
    assert fired(mended(far, fired(far, "P2P-04")), "P2P-04") == []


def test_p2p_04_the_setting_counts_where_no_bits_are_stated() -> None:
    (found,) = fired(host([["gpu", "gpu"]], acs="on"), "P2P-04")
    assert found.fix[0].args == {"design": "main", "key": "acs", "value": "off"}
    cleared = host([["gpu", "gpu"]], acs="on", config={"sw0": {"acs_ctl": "0x0000"}})
    assert fired(cleared, "P2P-04") == []


def test_p2p_04_in_guests_redirect_belongs_there() -> None:
    assert fired(two_root_ports("0x1d", host_vm="on"), "P2P-04") == []
    guests = host([["gpu", "gpu"]], config={"sw0": {"acs_ctl": "0x1d"}, "gpu0": {"vm": "a"}})
    assert fired(guests, "P2P-04") == []


def gpu_beside_nic(acs: str | None, **more: object) -> Project:
    config = {"sw0": {"acs_ctl": acs}} if acs else {}
    return host([["gpu", "nic"]], config=config, rails=False, **more)


@fires("P2P-12")
def test_p2p_12_switch_port_between_gpu_and_nic_redirects() -> None:
    project = gpu_beside_nic("0x001d")
    (found,) = fired(project, "P2P-12")
    assert (places([found]), found.values["nics"]) == (["node/sw0"], ["nic0"])
    assert fired(mended(project, [found]), "P2P-12") == []


@silent("P2P-12")
def test_p2p_12_cleared() -> None:
    assert fired(gpu_beside_nic("0x0000"), "P2P-12") == []
    assert fired(gpu_beside_nic(None), "P2P-12") == []


def test_p2p_12_needs_a_path_meant_for_gpudirect() -> None:
    assert fired(gpu_beside_nic("0x1d", gdr="off"), "P2P-12") == []
    assert fired(gpu_beside_nic("0x1d", nccl_gdr_level="LOC"), "P2P-12") == []
    assert fired(gpu_beside_nic("0x1d", host_vm="on"), "P2P-12") == []
    root = host(["gpu", "nic"], config={"cpu0": {"acs_ctl": "0x1d"}}, rails=False)
    assert fired(root, "P2P-12") == []  # PHB: off by default
    root = host(["gpu", "nic"], config={"cpu0": {"acs_ctl": "0x1d"}}, rails=False, nccl_gdr_level="SYS")
    assert places(fired(root, "P2P-12")) == ["node/cpu0"]


def test_p2p_12_a_storage_nic_is_not_meant() -> None:
    """The compute NIC hangs on a clean switch, another NIC on a redirecting one."""
    drawn = host([["gpu", "nic"], ["gpu", "nic"]], config={"sw1": {"acs_ctl": "0x1d"}}, rails=True)
    assert places(fired(drawn, "P2P-12")) == ["node/sw1"]
    without = host([["gpu", "nic"], ["nic"]], config={"sw1": {"acs_ctl": "0x1d"}}, rails=True)
    assert fired(without, "P2P-12") == []  # the one GPU has its own NIC


def pair_below_switches(**more: object) -> Project:
    """Field case C004: pairs below switches, sockets apart."""
    return host([[["gpu"], ["gpu"]]], [["gpu", "gpu"]], **more)


@fires("P2P-13")
def test_p2p_13_translating() -> None:
    project = pair_below_switches(iommu="on")
    (found,) = fired(project, "P2P-13")
    assert (places([found]), found.measured) == (["node/cpu0", "node/cpu1"], 4)
    assert fired(mended(project, [found]), "P2P-13") == []


@silent("P2P-13")
@pytest.mark.parametrize("iommu", ["pt", "off", None])
def test_p2p_13_pass_through_or_off(iommu: str | None) -> None:
    assert fired(pair_below_switches(**({"iommu": iommu} if iommu else {})), "P2P-13") == []


def test_p2p_13_only_near_traffic_counts() -> None:
    assert fired(host(["gpu", "gpu"], iommu="on"), "P2P-13") == []  # through host memory by default
    assert fired(host([["gpu", "gpu"]], iommu="on", host_vm="on"), "P2P-13") == []
    assert fired(host([["gpu", "gpu"]], iommu="on", gpu="rtx5090"), "P2P-13") == []
    near = host([["gpu", "nic"]], iommu="on", rails=False)
    (found,) = fired(near, "P2P-13")
    assert found.values["nics"] == ["nic0"]
    assert fired(host([["gpu", "nic"]], iommu="on", rails=False, gdr="off"), "P2P-13") == []


def guests(acs: str | None = None, one: str = "vm1", two: str = "vm2", **config: object) -> Project:
    rows = {"gpu0": {"vm": one}, "gpu1": {"vm": two}, **({"sw0": config} if config else {})}
    return host([["gpu", "gpu"]], config=rows, **({"acs": acs} if acs else {}))


@fires("P2P-05")
def test_p2p_05_two_guests_below_one_switch() -> None:
    project = guests("off")
    (found,) = fired(project, "P2P-05")
    assert (places([found]), found.measured) == (["node/sw0"], 2)
    after = mended(project, [found])
    assert fired(after, "P2P-05") == [] and errors(after) < errors(project)


@silent("P2P-05")
def test_p2p_05_acs_on() -> None:
    assert fired(guests("on"), "P2P-05") == []


def test_p2p_05_edges() -> None:
    assert fired(guests(), "P2P-05") == []  # ACS not stated
    assert fired(guests("off", two="vm1"), "P2P-05") == []
    by_bits = guests(acs_ctl="0x0001")
    (found,) = fired(by_bits, "P2P-05")
    assert fired(mended(by_bits, [found]), "P2P-05") == []
    apart = host([["gpu"], ["gpu"]], config={"gpu0": {"vm": "a"}, "gpu1": {"vm": "b"}}, acs="off")
    assert fired(apart, "P2P-05") == []


def guest(nic: dict[str, str] | None = None, switch: dict[str, str] | None = None, **more: object) -> Project:
    """Field case C128: GPU and NIC below one switch, passed through."""
    return host([["gpu", "nic"]], config={"nic0": nic or {}, "sw0": switch or {}}, rails=False, host_vm="on", **more)


@fires("P2P-21")
def test_p2p_21_ats_off() -> None:
    project = guest({"ats": "off"}, {"acs_dt": "on"})
    (found,) = fired(project, "P2P-21")
    assert places([found]) == ["node/nic0"]
    assert fired(mended(project, [found]), "P2P-21") == []
    assert fired(project, "P2P-12") == [] and fired(project, "P2P-04") == []


@silent("P2P-21")
def test_p2p_21_both_on() -> None:
    assert fired(guest({"ats": "on"}, {"acs_dt": "on"}), "P2P-21") == []


def test_p2p_21_edges() -> None:
    assert places(fired(guest({"ats": "on"}, {"acs_dt": "off"}), "P2P-21")) == ["node/sw0"]
    assert fired(guest(), "P2P-21") == []  # not stated
    assert fired(guest({"ats": "off"}, gdr="off"), "P2P-21") == []
    bare = host([["gpu", "nic"]], config={"nic0": {"ats": "off"}}, rails=False)
    assert fired(bare, "P2P-21") == []
    other = host([["gpu", "nic"]], config={"nic0": {"ats": "off", "vm": "b"}, "gpu0": {"vm": "a"}}, rails=False)
    assert fired(other, "P2P-21") == []  # different guests share nothing
