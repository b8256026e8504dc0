"""Bridges between two devices, and what stops peer traffic: the driver, and GPUDirect RDMA that is off."""

from __future__ import annotations

from fabricwright.design.effective import effective
from fabricwright.design.values import Project
from fabricwright.topology.interior import compile_interior
from fabricwright.topology.model import Interior, Transport
from fabricwright.topology.pcie_tree import PcieTree, build_tree
from tests.rules.drawing import server
from tests.rules.hosts import host


def tree(project: Project) -> PcieTree:
    return build_tree(effective(project, project.designs["main"], "node"))


def interior(project: Project) -> Interior:
    design = project.designs["main"]
    return compile_interior(effective(project, design, "node"), design.settings)


def test_bridges_below_one_switch() -> None:
    t = tree(host([["gpu", "gpu"]]))
    assert t.meeting("gpu0", "gpu1") == "sw0"
    assert t.bridges("gpu0", "gpu1") == [("sw0", "d1"), ("sw0", "d2")]


def test_bridges_across_root_ports_and_sockets() -> None:
    t = tree(host([["gpu"], "gpu"], ["gpu"]))
    assert t.bridges("gpu0", "gpu1") == [("sw0", "d1"), ("cpu0", "p0"), ("cpu0", "p1")]
    assert t.meeting("gpu0", "gpu2") == ""
    assert t.bridges("gpu0", "gpu2") == [("sw0", "d1"), ("cpu0", "p0"), ("cpu1", "p0")]


def test_bridges_of_a_cascade_stop_where_the_packet_turns() -> None:
    t = tree(host([[["gpu"], ["gpu"]]]))
    assert t.bridges("gpu0", "gpu1") == [("sw1", "d1"), ("sw0", "d1"), ("sw2", "d1"), ("sw0", "d2")]


def test_a_nic_with_a_bridge_of_its_own_is_where_its_gpu_meets_it() -> None:
    t = tree(server("dgx-b300", {}))
    found = t.bridges("gpu0", t.meeting("gpu0", "nic0"))
    assert found and all(node != "cpu0" for node, _ in found)


def test_gpudirect_stated_off_goes_through_host_memory() -> None:
    paths = interior(host([["gpu", "nic"]], gdr="off")).gpu_port
    assert int(paths.transport[0, 0]) == int(Transport.HOST_STAGED)
    assert int(interior(host([["gpu", "nic"]])).gpu_port.transport[0, 0]) == int(Transport.GPUDIRECT)


def test_a_driver_without_peer_to_peer_goes_through_host_memory() -> None:
    for gpu, expected in (("rtx4090", Transport.HOST_MEMORY), ("l40s", Transport.P2P)):
        assert int(interior(host([["gpu", "gpu"]], gpu=gpu)).gpu_gpu.transport[0, 1]) == int(expected)
