"""Measured entries: from hardware fields to a design, a request and figures."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabricwright.performance.interior_order import mesh_rings
from fabricwright.performance.layout import lay_out
from fabricwright.performance.measured.design import compiled
from fabricwright.performance.measured.entries import Entry
from fabricwright.performance.measured.hardware import hardware_of
from fabricwright.performance.measured.request import algorithm_of, design_settings, launch_of, protocol_of
from fabricwright.performance.measured.samples import site_of
from fabricwright.performance.measured.score import Books, predict_entry, score, size_class
from fabricwright.performance.measured.server import CUBE_MESH
from fabricwright.topology.model import LinkKind, NcclClass

DGX = {"gpu": "H100", "nics_per_node": 8, "nic_gbps": 400, "intra": "nvlink4", "nvlink_gbs_per_gpu": 450,
       "fabric_kind": "infiniband", "rdma": True}  # fmt: skip


def entry(nodes=1, gpus=8, collective="all_reduce", sizes=(1 << 30,), times=(4e-3,), scored=True, **fields):
    return Entry("x", fields, collective, nodes, gpus, sizes, times, scored)


def layout_of(one):
    hardware, _ = hardware_of(one)
    return lay_out(compiled(hardware, design_settings(one, hardware)))


def test_a_dgx_pair():
    layout = layout_of(entry(nodes=2, **DGX))
    inner = layout.classes[0].interior
    assert (layout.k, layout.n, layout.medium) == (2, 16, "ib")
    assert inner.nvlink_rate.tolist() == [450e9] * 8 and inner.nvls and inner.nvlink_gen == 4
    assert inner.port_rate.tolist() == [50e9] * 8
    # every GPU has its NIC below its own PCIe switch
    assert np.diag(inner.gpu_port.nccl).tolist() == [NcclClass.PIX] * 8
    assert len(layout.shares) == 8


@pytest.mark.parametrize(("nics", "gbps", "rate"), [(4, 100, 12.5e9), (32, 100, 12.5e9), (1, 400, 50e9)])
def test_any_number_of_nics_is_cabled(nics, gbps, rate):
    layout = layout_of(entry(nodes=2, **DGX | {"nics_per_node": nics, "nic_gbps": gbps}))
    assert len(layout.shares) == nics
    assert layout.wire_rate[layout.is_port].tolist() == [rate] * (4 * nics)


def test_a_cut_down_gpu_has_fewer_links():
    inner = layout_of(entry(**DGX | {"gpu": "H800", "nvlink_gbs_per_gpu": 200})).classes[0].interior
    assert inner.nvlink_rate.tolist() == [200e9] * 8


def test_a_rack_is_one_nvlink_domain():
    rack = entry(nodes=18, gpus=4, gpu="GB200", intra="nvlink5", nvlink_gbs_per_gpu=900, fabric_kind="nvlink-domain",
                 nvlink_domain_gpus=72)  # fmt: skip
    layout = layout_of(rack)
    assert (layout.k, layout.n) == (1, 72)
    assert layout.classes[0].interior.nvls
    many = {**rack.fields, "fabric_kind": "infiniband", "nics_per_node": 4, "nic_gbps": 400}
    twenty = layout_of(Entry("y", many, "all_reduce", 360, 4, (8,), (1.0,), True))
    assert (twenty.k, twenty.n) == (20, 1440)
    # rings and trees of a domain use eight ports of 400 Gb/s
    assert len(twenty.shares) == 8 and len(twenty.classes[0].ports) == 72


def test_a_domain_that_is_not_full():
    # 20 trays of 4 in domains of 72: 18 trays and 2
    part = entry(nodes=20, gpus=4, gpu="GB200", intra="nvlink5", nvlink_gbs_per_gpu=900, fabric_kind="roce",
                 nics_per_node=4, nic_gbps=400, nvlink_domain_gpus=72)  # fmt: skip
    layout = layout_of(part)
    assert layout.gpu_count.tolist() == [72, 8]


def test_pcie_servers():
    switched = layout_of(entry(gpu="RTX PRO 6000", intra="pcie5-switch", fabric_kind="none"))
    assert (switched.classes[0].interior.gpu_gpu.nccl_flattened.max()) <= NcclClass.PXB
    host = entry(gpus=2, gpu="A40", intra="pcie4-shm", fabric_kind="none")
    hardware, _ = hardware_of(host)
    assert design_settings(host, hardware)["nccl.p2p_disable"] == "on"
    links = layout_of(host).classes[0].interior.links
    assert any(link.kind is LinkKind.HOST_MEMORY and link.rate == 4.0e9 for link in links)


def test_rings_of_the_cube_mesh():
    # directed rings of 25 GB/s that measurements of DGX-1V show: 2, 4, 2, 4, 6 for 3, 4, 6, 7, 8 GPUs, none for 5
    for gpus, rings in ((3, 2), (4, 4), (5, 0), (6, 2), (7, 4), (8, 6)):
        mesh = {g: {} for g in range(gpus)}
        for (a, b), count in CUBE_MESH.items():
            if b < gpus:
                mesh[a][b] = mesh[b][a] = 25e9 * count
        found = mesh_rings(mesh)
        assert len(found) == rings
        assert sum(part for _, part in found) == pytest.approx(1.0 if rings else 0.0)
        used = {}
        for ring, _ in found:
            assert sorted(ring) == list(range(gpus))
            for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
                used[a, b] = used.get((a, b), 0) + 1
        assert all(count * 25e9 <= mesh[a][b] for (a, b), count in used.items())


def test_xgmi_leaves_through_the_nic_beside_each_gpu():
    # eight NICs: a GPU's NIC is reached over the mesh by one thin link only, so each channel leaves beside another GPU
    layout = layout_of(entry(nodes=2, gpu="MI300X", intra="xgmi", nvlink_gbs_per_gpu=448, fabric_kind="roce",
                             nics_per_node=8, nic_gbps=400))  # fmt: skip
    c = layout.classes[0]
    for channel in c.channels:
        assert c.interior.gpu_port.nccl[channel.order[-1], channel.out_port] == NcclClass.PIX


def test_what_is_not_known_is_assumed_and_said():
    strange = entry(nodes=3, gpus=5, gpu="Zilog Z80", fabric_kind="string and cans", sizes=(4096,), times=(1e-4,))
    predicted = predict_entry(strange, Books())
    assert predicted.problem is None and predicted.time_s[0] > 0
    said = " ".join(note.english() for note in predicted.notes)
    for words in ("'Zilog Z80' is not known", "How the GPUs of a server are joined", "NICs are not stated",
                  "speed is not stated", "Network 'string and cans' is not known"):  # fmt: skip
        assert words in said


def test_a_server_beyond_reason_is_one_sentence():
    predicted = predict_entry(entry(gpus=4096, **DGX), Books())
    assert predicted.problem is not None and "too many" in predicted.problem.english()


JUNK = st.one_of(st.none(), st.booleans(), st.integers(-2, 9), st.floats(), st.text(max_size=4), st.lists(st.none()),
                 st.sampled_from(["pcie9-switch", "nvlink0", "nvlink9-bridge", "nvlink2-hcm", "xgmi", "tcp"]),
                 st.dictionaries(st.sampled_from(["ALGO", "P2P_LEVEL", "PROTO", "MIN_NCHANNELS"]), st.text(max_size=3))
                 )  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(fields=st.dictionaries(st.sampled_from([*DGX, "launch", "nccl_settings", "algo", "nvlink_domain_gpus"]), JUNK),
       nodes=st.integers(1, 3), gpus=st.integers(1, 9),
       collective=st.sampled_from(["all_reduce", "all_gather", "all_to_all", "send_recv"]))  # fmt: skip
def test_odd_fields_are_predicted_or_refused(fields, nodes, gpus, collective):
    predicted = predict_entry(entry(nodes=nodes, gpus=gpus, collective=collective, **DGX | fields), Books())
    assert predicted.problem is not None or (np.isfinite(predicted.time_s).all() and (predicted.time_s > 0).all())


def test_nccl_settings_become_settings_of_the_program():
    stated = {"P2P_LEVEL": "sys", "NET_GDR_LEVEL": "PHB", "PXN_DISABLE": "1", "MIN_NCHANNELS": "8", "ALGO": "Ring",
              "PROTO": "LL128"}  # fmt: skip
    one = entry(nodes=2, nccl_settings=stated, launch="pytorch", algo="NVLS", **DGX)
    hardware, _ = hardware_of(one)
    assert design_settings(one, hardware) | {"ecmp.mode": ""} == {
        "nccl.p2p_level": "SYS",
        "nccl.gdr_level": "PHB",
        "nccl.pxn": "off",
        "nccl.channels": 8,
        "network.transport": "infiniband",
        "ecmp.mode": "",
    }
    assert (algorithm_of(one)[:2], protocol_of(one), launch_of(one)) == (("ring", "ring"), "LL128", "framework")
    assert launch_of(entry()) == "unknown"


@pytest.mark.parametrize(
    ("algo", "usual", "large"),
    [
        ("Ring", "ring", "ring"),
        ("NVLSTree", "nvls_tree", "nvls_tree"),
        ("NVLS (large)", "auto", "nvls"),
        ("default (Tree at large sizes)", "auto", "tree"),
        ("one-shot multimem", "one_shot", "one_shot"),
        (None, "auto", "auto"),
    ],
)
def test_algorithms_as_sources_write_them(algo, usual, large):
    assert algorithm_of(entry(algo=algo))[:2] == (usual, large)


def test_an_algorithm_that_cannot_run_is_left_to_nccl():
    predicted = predict_entry(entry(gpu="A100", intra="nvlink3", nvlink_gbs_per_gpu=300, algo="NVLS"), Books())
    assert predicted.problem is None
    assert "cannot run here" in predicted.notes[-1].english()


def test_nothing_depends_on_names():
    one = entry(nodes=2, **DGX)
    other = Entry("y", {**DGX, "system": "another", "source": "elsewhere", "fabric": "text"}, *[getattr(one, f) for f in
                  ("collective", "nodes", "gpus_per_node", "sizes", "times_s", "scored")])  # fmt: skip
    first, second = (predict_entry(e, Books()).time_s[0] for e in (one, other))
    assert first == second


def test_scoring():
    single = entry(sizes=(1 << 16, (1 << 16) + 1), times=(1e-5, 1e-5), **DGX)
    bad = entry(scored=False, **DGX)
    alone = Entry("z", DGX, "all_reduce", 1, 1, (8,), (1e-5,), True)
    found = score([single, bad, alone])
    assert [row["n"] for row in found["classes"]] == [1, 1, 0, 0, 0]
    assert found["classes"][2]["median_abs"] is None
    assert found["entries"] == {"n": 3, "scored": 1, "not_scored": 1, "not_predicted": 1}
    row = found["points"][0]
    error = abs(row["predicted_us"] / row["measured_us"] - 1)
    assert found["classes"][0]["median_abs"] == pytest.approx(error)


def test_size_classes_include_their_upper_limit():
    assert size_class(65536) == "<=64 KiB" and size_class(65537) == "64 KiB-1 MiB"
    assert size_class(1 << 28) == "16-256 MiB" and size_class((1 << 28) + 1) == ">256 MiB"


def test_sites_follow_shape_or_source():
    a = entry(system="2x AWS p5.48xlarge", source="one", gpu="H100")
    b = entry(system="4x AWS p5.48xlarge EKS", source="two", gpu="H100")
    assert site_of(a) == site_of(b)
    repository = "https://github.com/owner/name path/file.md @abc"
    c, d = (entry(system=s, source=repository, gpu="A100-SXM") for s in ("8 GPUs", "2 nodes"))
    assert site_of(c) == site_of(d) != site_of(entry(system="8 GPUs", source=repository, gpu="V100"))
