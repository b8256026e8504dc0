"""Random servers with random statements: no rule of this family raises, and no fix adds an error."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from tests.rules.drawing import context, fired
from tests.rules.hosts import host

RULES = [
    *(f"P2P-{n:02}" for n in range(1, 23)),
    *("GPU-04", "GPU-05", "NIC-07", "NIC-08", "FAB-19"),
]
LEAF = st.sampled_from(["gpu", "nic"])
DEVICE = st.one_of(LEAF, st.lists(st.one_of(LEAF, st.lists(LEAF, min_size=1, max_size=2)), min_size=1, max_size=3))
ON_OFF = st.sampled_from(["on", "off"])
SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "acs": ON_OFF,
        "iommu": st.sampled_from(["on", "pt", "off"]),
        "gdr": ON_OFF,
        "host_vm": ON_OFF,
        "nccl_p2p_level": st.sampled_from(["LOC", "PIX", "PXB", "PHB", "SYS"]),
        "nccl_gdr_level": st.sampled_from(["LOC", "PIX", "PXB", "PHB", "SYS"]),
        "nccl_p2p_disable": ON_OFF,
        "nccl_hca": st.sampled_from(["nic0", "nic0,nic1", "^nic1", "mlx5_0"]),
        "traffic_host": ON_OFF,
        "job_collective": st.sampled_from(["all_reduce", "all_to_all"]),
        "job_tp": st.integers(1, 4),
        "job_ranks_per_server": st.integers(1, 4),
    },
)
ACS = st.sampled_from(["0x001d", "0x0001", "0x0000", "?"])
STATED = st.fixed_dictionaries(
    {},
    optional={
        "cpu0": st.fixed_dictionaries({"acs_ctl": ACS}),
        "sw0": st.fixed_dictionaries({"acs_ctl": ACS}, optional={"acs_dt": ON_OFF}),
        "gpu0": st.fixed_dictionaries({}, optional={"vm": st.sampled_from(["a", "b"]), "mig": st.just("7x1g")}),
        "gpu1": st.fixed_dictionaries({}, optional={"vm": st.sampled_from(["a", "b"])}),
        "nic0": st.fixed_dictionaries({}, optional={"ats": ON_OFF, "base_guid": st.just("a")}),
        "nic1": st.fixed_dictionaries({}, optional={"ats": ON_OFF, "base_guid": st.just("a")}),
    },
)


@settings(max_examples=25, deadline=None)
@given(
    sockets=st.lists(st.lists(DEVICE, min_size=1, max_size=4), min_size=1, max_size=2),
    cpu=st.sampled_from(["xeon-spr", "epyc-turin", "kunpeng920"]),
    gpu=st.sampled_from(["l40s", "rtx5090"]),
    rails=st.sampled_from([None, True, False]),
    stated=STATED,
    asked=SETTINGS,
)
def test_no_rule_raises_and_no_fix_adds_an_error(sockets, cpu, gpu, rails, stated, asked) -> None:
    plain = host(*sockets, cpu=cpu, gpu=gpu, rails=rails)
    known = {*context(plain).effective("node").items}
    config = {name: values for name, values in stated.items() if name in known}
    project = host(*sockets, cpu=cpu, gpu=gpu, rails=rails, config=config, **asked)

    def errors(drawn) -> int:
        return sum(f.severity == "error" for rule in RULES for f in fired(drawn, rule))

    before = errors(project)
    for rule in RULES:
        for finding in fired(project, rule):
            assert finding.message.english() and finding.at
            after = project
            for call in finding.fix:
                after = apply(after, run(after, call))
            if finding.fix:
                assert errors(after) <= before, (rule, finding.fix)
