"""Template ``superpod-h100-127``: 127 DGX H100 in four scalable units, with four networks.

Counts of the compute network, racks, UFM and management servers follow NVIDIA's reference for this size; the layouts of
the storage, in-band and out-of-band networks are chosen here.
"""

from __future__ import annotations

from fabricwright.design.templates.drafting import deal, embed, item, mesh, plan, rows, statements, without_tail
from fabricwright.design.values import Approval, Item, Link, Project, Seating, Sheet
from fabricwright.units.table import Table
from fabricwright.units.text import N_

TWIN_SR4 = "optic-800g-2xsr4-mma4z00-ns"
TWIN_DR4 = "optic-800g-2xdr4-mms4x00-ns"
FLAT_SR4 = "optic-400g-sr4-osfp-flat"
QSFP_SR4 = "optic-400g-sr4-100g-lanes"
MMF = "mpo12-apc-mmf"
SMF = "mpo12-apc-smf"
PDU = "pdu-3ph-63a-43kw"


def draw(title: str, servers: int) -> Project:
    """The project with ``servers`` of 128 places taken (at most 127: the UFM uses leaf ports of the last place)."""
    fabric = Sheet("fabric", items=Table(_items(servers)), links=Table(_links()), seats=SEATS)
    sheets = {"fabric": fabric, "node": Sheet("server", "", "dgx-h100")}
    design = plan("", 0, sheets, {"ecmp.mode": "adaptive"})
    members = f"0-{servers - 1}" if servers > 1 else "0"
    # 400 + 100 Gb/s on one x16 (443 Gb/s): storage and in-band do not run at full rate at the same time.
    accepted = {
        f"a{n}": Approval(
            f"NIC-04|main|node/{nic}",
            members,
            500.0,
            N_("Storage and in-band port are not used at full rate at the same time."),
            "template",
            "",
            "main",
        )
        for n, nic in enumerate(("slota-nic", "slotb-nic"), 1)
    }
    wanted = statements(
        "",
        ("requirement", f"The cluster has {servers * 8:,} GPUs.", "cluster.gpus", servers * 8, "GPUs", "design:main"),
        ("requirement", N_("The compute network is not oversubscribed."), "leaf.oversubscription", 1, "x", "leaf"),
        ("requirement", f"The cluster has {servers} nodes.", "cluster.servers", servers, "servers", "node"),
    )
    return embed(Project(title, designs=Table({"main": design}), statements=wanted, approvals=Table(accepted)))


def _items(servers: int) -> dict[str, Item]:
    return {
        "node": without_tail(item("sheet:node", axes=(("su", 4), ("node", 32)), name="dgx-{index1:03}"), servers),
        "leaf": item("qm9700", axes=(("su", 4), ("rail", 8)), name="leaf-{su1}-{rail1}"),
        "spine": item("qm9700", axes=(("spine", 16),), name="spine-{spine1:02}"),
        "sleaf": item("qm9700", axes=(("sleaf", 8),), name="sleaf-{sleaf1}"),
        "sspine": item("qm9700", axes=(("sspine", 4),), name="sspine-{sspine1}"),
        "ileaf": item("sn4600c", axes=(("ileaf", 8),), name="ileaf-{ileaf1}"),
        "ispine": item("sn4600c", axes=(("ispine", 2),), name="ispine-{ispine1}"),
        "oob": item("sn2201", axes=(("oob", 8),), name="oob-{oob1}"),
        "stor": item("storage-2u-24nvme-2x400g-ib", axes=(("stor", 16),), name="stor-{stor1:02}"),
        "mgmt": item("mgmt-server-2u", axes=(("mgmt", 5),), name="mgmt-{mgmt1}"),
        "ufm-c": item("ufm-appliance", axes=(("ufm", 2),), name="ufm-c{ufm1}"),
        "ufm-s": item("ufm-appliance", axes=(("ufm", 2),), name="ufm-s{ufm1}"),
        "rack": item(
            "rack-48u-60kw", axes=(("row", 4), ("rack", 8)), name="r{row1}{rack1:02}", pdu=PDU, feeds=2, pdus_per_feed=2
        ),
        "lrack": item(
            "rack-48u-40kw", axes=(("row", 4),), name="net-{row1}", rack0=8, pdu=PDU, feeds=2, pdus_per_feed=1
        ),
        "mrack": item("rack-48u-40kw", axes=(("m", 2),), name="core-{m1}", row0=4, pdu=PDU, feeds=2, pdus_per_feed=1),
        # The very PDUs of the racks above, as one item: 32 x 4 + 6 x 2.
        "pdu": item(PDU, axes=(("pdu", 140),), name="pdu-{pdu1:03}"),
    }


def _links() -> dict[str, Link]:
    links = {
        "c-down": Link(
            "node:compute", "leaf:1-16/1-2", deal("su", "rail"), "ib", cable=MMF, optics=(TWIN_SR4, TWIN_SR4)
        ),
        "c-up": Link("leaf:17-32/1-2", "spine:1-32/1-2", mesh(2), "ib", cable=SMF, optics=(TWIN_DR4, TWIN_DR4)),
        # Ports of the absent last node.
        "c-ufm": Link(
            "ufm-c:1-2",
            "leaf:16/2",
            rows((0, 0, 24, 0), (0, 1, 25, 0), (1, 0, 26, 0), (1, 1, 27, 0)),
            "ib",
            cable=MMF,
            optics=(FLAT_SR4, TWIN_SR4),
        ),
        "s-down": Link(
            "node:storage", "sleaf:1-16/1-2", deal(), "ib", "storage", cable=MMF, optics=(QSFP_SR4, TWIN_SR4)
        ),
        "s-stor": Link("stor:1-2", "sleaf:17-18/1-2", deal(), "ib", "storage", cable=MMF, optics=(FLAT_SR4, TWIN_SR4)),
        "s-ufm": Link(
            "ufm-s:1-2",
            "sleaf:19/1",
            rows((0, 0, 0, 0), (0, 1, 1, 0), (1, 0, 2, 0), (1, 1, 3, 0)),
            "ib",
            "storage",
            cable=MMF,
            optics=(FLAT_SR4, TWIN_SR4),
        ),
        "s-up": Link(
            "sleaf:21-32/1-2", "sspine:1-24/1-2", mesh(6), "ib", "storage", cable=MMF, optics=(TWIN_SR4, TWIN_SR4)
        ),
        "i-down": _inband("node:inband", "ileaf:1-32"),
        "i-mgmt": _inband("mgmt:1-2", "ileaf:33-34"),
        "i-stor": _inband("stor:3", "ileaf:35-36"),
        "i-oob": _inband("oob:49-50", "ileaf:37-38"),
        "i-up": Link("ileaf:49-64", "ispine:1-64", mesh(8), "eth", "inband", cable="aoc-100g-qsfp28"),
    }
    managed = {
        "node": ("oob", "1-16"),
        "leaf": ("mgmt", "17-20"),
        "spine": ("mgmt", "21-22"),
        "sleaf": ("mgmt", "23"),
        "sspine": ("mgmt", "24"),
        "ileaf": ("mgmt", "25"),
        "ispine": ("mgmt", "26"),
        "stor": ("bmc", "27-28"),
        "mgmt": ("bmc", "29"),
        "pdu": ("mgmt", "31-48"),
    }
    for name, (port, ports) in managed.items():
        links[f"o-{name}"] = Link(f"{name}:{port}", f"oob:{ports}", deal(), "eth", "oob", cable="cat6a")
    links["o-ufm-c"] = Link("ufm-c:bmc", "oob:30", rows((0, 0, 0, 0), (1, 0, 1, 0)), "eth", "oob", cable="cat6a")
    links["o-ufm-s"] = Link("ufm-s:bmc", "oob:30", rows((0, 0, 2, 0), (1, 0, 3, 0)), "eth", "oob", cable="cat6a")
    return links


def _inband(a: str, b: str) -> Link:
    return Link(a, b, deal(), "eth", "inband", cable="aoc-100g-qsfp28")


SEATS = Table(
    {
        "node": Seating("rack", per_rack=4, u=1),
        "leaf": Seating("lrack", per_rack=8, u=30),
        "spine": Seating("mrack", per_rack=8, u=30),
        "sleaf": Seating("mrack", per_rack=4, u=20),
        "sspine": Seating("mrack", per_rack=2, u=26),
        "ileaf": Seating("lrack", per_rack=2, u=20),
        "ispine": Seating("mrack", per_rack=1, u=40),
        "oob": Seating("lrack", per_rack=2, u=26),
        "stor": Seating("lrack", per_rack=4, u=1),
        "mgmt": Seating("mrack", per_rack=3, u=1),
        "ufm-c": Seating("mrack", per_rack=1, u=12),
        "ufm-s": Seating("mrack", per_rack=1, u=14),
    }
)
