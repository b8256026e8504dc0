"""Bills of materials against the quantities that the templates are specified with, and counts made by hand."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import openpyxl
import pytest

from fabricwright.design.calls import EditCall
from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from fabricwright.design.values import Item, Price, Project, Stock
from fabricwright.exchange.bom import BomTable, bom, spares_for
from fabricwright.exchange.bom_tables import TITLE, bom_tables, order_table
from fabricwright.exchange.cables import cable_schedule
from fabricwright.exchange.data_table import table_records
from fabricwright.exchange.prices import money_of
from fabricwright.exchange.tabular import to_csv
from fabricwright.exchange.workbook import facts_of, workbook_bytes
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table


def quantities(table: BomTable) -> dict[str, int]:
    out: dict[str, int] = {}
    for line in table.lines:
        out[line.part] = out.get(line.part, 0) + line.quantity
    return out


# (template, design) -> part -> how many. From the part lists of the specification; products are written out.
EXPECTED: dict[tuple[str, str], dict[str, int]] = {
    ("seed-a-256x8", "main"): {
        "cabled-4u8g": 256,
        "xeon-spr": 256 * 2,
        "ddr5-rdimm-64": 256 * 32,
        "h100-pcie-80gb": 256 * 8,
        "lrsv9500-4i": 256 * 3,
        "lrsv9560-2i": 256 * 2,
        "lres1260pf-2qsfp112": 256,
        "aux-12v2x6-600w": 256 * 8,
        "nvme-m2-960g": 256 * 2,
        "mcio-2x8i": 256 * 8,
        "generic-64x400": 8 + 4,
        "aoc-400g-qdd-2x200-q56": 256,  # one splitter per pair of 200G ports: 512 / 2
        "aoc-400g": 256,
        "rack-48u-40kw": 64,
        "rack-48u-20kw": 4,
    },
    ("seed-b-512", "before"): {
        "dgx-h100": 32,
        "sn3700c": 4 + 2,
        "aoc-100g-qsfp28": 64,
        "dac-100g-qsfp28": 64,
        "rack-48u-60kw": 8,
        "rack-48u-20kw": 1,
    },
    ("seed-b-512", "after-network"): {
        "dgx-h100": 32,
        "lres1260pf-2qsfp112": 32,
        "sn4700": 4,
        "sn3700c": 2,
        "aoc-400g-qdd-2x200-q56": 32,
        "dac-100g-qsfp28": 64,
        "rack-48u-60kw": 8,
        "rack-48u-20kw": 1,
    },
    ("seed-b-512", "after"): {
        "dgx-h100": 32,
        "lres1260pf-2qsfp112": 32,
        "lrsv9500-4i": 32,
        "lrsv9560-2e": 64,
        "ext-gpu-box-2": 32,
        "h100-pcie-80gb": 64,
        "aux-12v2x6-600w": 64,
        "lr-cxl-generic": 8 * 2,
        "mcio-2x8i": 64,
        "ext-pcie-2x8": 64,
        "sn4700": 4,
        "sn3700c": 2,
        "aoc-400g-qdd-2x200-q56": 32,
        "dac-100g-qsfp28": 64,
        "rack-48u-60kw": 8,
        "rack-48u-20kw": 1,
    },
    ("single-8gpu", "main"): {"dgx-h100": 1},
    ("pcie-8gpu-switch", "default"): {
        "pcie-8dw-2switch-single-root": 1,
        "epyc-turin": 2,
        "ddr5-rdimm-64": 24,
        "rtx-pro-6000-bse": 8,
        "aux-12v2x6-600w": 8,
    },
    ("pcie-4gpu-1nic", "main"): {
        "pcie-4dw-one-socket": 4,
        "xeon-spr": 8,
        "ddr5-rdimm-64": 4 * 16,
        "h100-pcie-80gb": 16,
        "aux-12v2x6-600w": 16,
        "mcx715105as-weat": 4,
        "sn5600": 1,
        "mcp7y10-800g-2x400-q112": 2,
        "rack-48u-20kw": 1,
    },
    ("superpod-h100-127", "main"): {
        "dgx-h100": 127,
        "qm9700": 32 + 16 + 8 + 4,
        "sn4600c": 8 + 2,
        "sn2201": 8,
        "storage-2u-24nvme-2x400g-ib": 16,
        "mgmt-server-2u": 5,
        "ufm-appliance": 4,
        # compute 1,016 + 4 UFM; storage 254 + 32 + 4 + 192
        "mpo12-apc-mmf": 1020 + 482,
        "mpo12-apc-smf": 1024,
        "aoc-100g-qsfp28": 254 + 10 + 16 + 16 + 128,
        "cat6a": 362,
        # 4 twin cages per node; leaf down; storage leafs down, storage servers, UFM; storage up at both ends
        "optic-800g-2xsr4-mma4z00-ns": 127 * 4 + 512 + (128 + 16 + 4 + 96 + 96),
        "optic-800g-2xdr4-mms4x00-ns": 512 + 512,
        "optic-400g-sr4-100g-lanes": 254,
        "optic-400g-sr4-osfp-flat": 4 + 32 + 4,
        "rack-48u-60kw": 32,
        "rack-48u-40kw": 4 + 2,
        "pdu-3ph-63a-43kw": 140,
    },
    ("h100-4su", "main"): {
        "dgx-h100": 127,
        "qm9700": 4 * 8 + 16,
        "ufm-appliance": 2,
        "mpo12-apc-mmf": 127 * 8 + 4,  # a rail of each server, and the UFM links
        "mpo12-apc-smf": 32 * 32,  # 32 uplinks of each leaf
        "optic-800g-2xsr4-mma4z00-ns": 127 * 4 + 32 * 16,  # twin cages: 4 of a server, 16 of a leaf
        "optic-800g-2xdr4-mms4x00-ns": 32 * 16 + 16 * 32,
        "optic-400g-sr4-osfp-flat": 4,
        "rack-48u": 4 * 6 + 4 + 1,
    },
    ("b200-8su", "main"): {
        "dgx-b200": 8 * 32,
        "qm9700": 8 * 8 + 32,
        "mpo12-apc-mmf": 256 * 8,
        "mpo12-apc-smf": 64 * 32,
        "optic-800g-2xsr4-mma4z00-ns": 256 * 4 + 64 * 16,
        "optic-800g-2xdr4-mms4x00-ns": 64 * 16 + 32 * 32,
        "rack-48u": 8 * 8 + 8 + 1,
    },
    ("b300-4su", "main"): {
        "dgx-b300": 4 * 64,
        "sn5600": 4 * 8 * 2 + 2 * 16,
        "mpo16-smf-2xmpo12": 256 * 8,  # one split fibre per NIC, to the leafs of both planes
        "optic-800g-dr8": 256 * 8,
        "optic-800g-2xdr4-mms4x00-ns": 64 * 32,
        "aoc-800g": 64 * 32,
        "rack-48u": 4 * 16 + 4 + 2,
    },
    ("pcie-8gpu-switch", "p2p-sys"): {
        "pcie-8dw-2switch-single-root": 1,
        "epyc-turin": 2,
        "ddr5-rdimm-64": 2 * 12,
        "rtx-pro-6000-bse": 8,
        "aux-12v2x6-600w": 8,
    },
}


@pytest.mark.parametrize(("name", "design"), list(EXPECTED))
def test_quantities_are_those_of_the_part_lists(name: str, design: str, projects: dict[str, Project]) -> None:
    assert quantities(bom(projects[name], design)) == EXPECTED[name, design]


def test_every_template_is_counted_by_hand(projects: dict[str, Project]) -> None:
    assert set(EXPECTED) == {(name, design) for name, project in projects.items() for design in project.designs}


@pytest.mark.parametrize("by", ["rack", "server", "phase"])
@pytest.mark.parametrize(("name", "design"), list(EXPECTED))
def test_groups_add_up_to_the_lines(name: str, design: str, by: str, projects: dict[str, Project]) -> None:
    table = bom(projects[name], design, group=by)
    sums: dict[str, int] = {}
    for row in table.groups:
        sums[row.line.part] = sums.get(row.line.part, 0) + row.quantity
    assert sums == EXPECTED[name, design]


def test_a_rack_of_seed_a(projects: dict[str, Project]) -> None:
    """Four servers of eight GPUs each, and the rack itself; their cables run to other racks."""
    table = bom(projects["seed-a-256x8"], "main", group="rack")
    first = {row.line.part: row.quantity for row in table.groups if row.group.english() == "r101"}
    assert first["h100-pcie-80gb"] == 4 * 8
    assert first["cabled-4u8g"] == 4
    assert first["rack-48u-40kw"] == 1
    assert "aoc-400g-qdd-2x200-q56" not in first


def test_phases_are_stated_by_items_and_by_members(projects: dict[str, Project]) -> None:
    """The second half of the servers comes later: 128 of 256 servers, and their cables with them."""
    project = projects["seed-a-256x8"]
    args = {"design": "main", "sheet": "fabric", "item": "node", "members": "128-255"}
    call = EditCall("add_exception", {**args, "override": {"config": {"phase": 2}}})
    project = apply(project, run(project, call))
    table = bom(project, "main", group="phase")
    later = {row.line.part: 0 for row in table.groups}
    for row in table.groups:
        if row.group.english() == "Phase 2":
            later[row.line.part] += row.quantity
    assert later["cabled-4u8g"] == 128
    assert later["aoc-400g-qdd-2x200-q56"] == 128
    assert later["generic-64x400"] == 0


@pytest.mark.parametrize("members", [("0",), ("0", "1"), ("5",), ("0", "64"), ("2-3",)])
def test_a_splitter_shared_with_a_detached_member_is_one_cable(
    members: tuple[str, ...], projects: dict[str, Project]
) -> None:
    """Detaching orders nothing, and the schedule still has 512 cables with every port once."""
    project = projects["seed-a-256x8"]
    for one in members:
        args = {"design": "main", "sheet": "fabric", "item": "node", "members": one}
        project = apply(project, run(project, EditCall("detach", args)))
    assert quantities(bom(project, "main")) == EXPECTED["seed-a-256x8", "main"]
    cables = cable_schedule(project, "main").cables
    assert len(cables) == 512
    used = [(end.device, port) for row in cables for end in row.ends for port in end.port.split(",")]
    assert len(used) == len(set(used)) == 2 * 512 + 2 * 256


def test_a_splitter_that_was_left_to_be_chosen_is_shared_too(projects: dict[str, Project]) -> None:
    project = projects["seed-a-256x8"]
    project = apply(
        project,
        run(project, EditCall("set_link", {"design": "main", "sheet": "fabric", "link": "down", "cable": "auto"})),
    )
    whole = quantities(bom(project, "main"))
    args = {"design": "main", "sheet": "fabric", "item": "node", "members": "7"}
    assert quantities(bom(apply(project, run(project, EditCall("detach", args))), "main")) == whole


def test_spares_are_rounded_up_for_each_line(projects: dict[str, Project]) -> None:
    """2% of 254, 40, 1,024 and 1,360 transceivers: 5.08, 0.8, 20.48 and 27.2."""
    table = bom(projects["superpod-h100-127"], "main", spares={"optic": 0.02})
    assert [line.spares for line in table.lines if line.kind == "optic"] == [6, 1, 21, 28]
    assert all(line.spares == 0 for line in table.lines if line.kind != "optic")
    assert [spares_for({"": 0.1}, "gpu", n) for n in (0, 1, 10, 11)] == [0, 1, 1, 2]


def test_what_is_owned_is_not_ordered_again(projects: dict[str, Project]) -> None:
    """The upgrade keeps 32 servers, 2 of 6 old switches are needed again, and 50 of 64 short cables are there."""
    stock = {
        "own1": Stock("dgx-h100", 32),
        "own2": Stock("sn3700c", 6),
        "own3": Stock("dac-100g-qsfp28", 50, 1.0),
    }
    table = bom(replace(projects["seed-b-512"], stock=Table(stock)), "after-network")
    order = {line.part: line.order for line in table.lines}
    assert (order["dgx-h100"], order["sn3700c"], order["dac-100g-qsfp28"], order["sn4700"]) == (0, 0, 14, 4)


def test_owned_cables_of_any_length_serve_the_shortest_lines_first(projects: dict[str, Project]) -> None:
    """Splitters are needed 40 x 5 m, 52 x 7 m, 80 x 10 m and 84 x 15 m; 100 are there."""
    stock = Table({"own1": Stock("aoc-400g-qdd-2x200-q56", 100)})
    lines = bom(replace(projects["seed-a-256x8"], stock=stock), "main").lines
    assert [line.order for line in lines if line.part == "aoc-400g-qdd-2x200-q56"] == [0, 0, 72, 84]


def test_discount_tax_and_rate_of_exchange(projects: dict[str, Project]) -> None:
    """32 servers at 113 with 13% tax inside = 100, 10% off = 90; 6 switches at 10 USD, one USD = 7.

    Net 32 x 90 + 6 x 70 = 3,300; tax 13% of the servers' 2,880 = 374.4.
    """
    rows = {
        "p1": Price("dgx-h100", 113.0, "CNY", discount=0.1, tax=0.13, tax_included=True),
        "p2": Price("sn3700c", 10.0, "USD"),
    }
    project = replace(projects["seed-b-512"], prices=Table(rows), ordering=Table({"rate.USD": 7.0}))
    (money,) = money_of(bom(project, "before"))
    assert (money.currency, money.net) == ("CNY", 3300.0)
    assert money.tax == pytest.approx(374.4)
    assert (money.lines, money.untaxed) == (2, 1)  # no rate is told for the switches, and the total says so
    totals = {row.label.text("en"): row.cells for row in order_table(bom(project, "before")).totals}
    assert totals["Priced lines in CNY without a tax rate"] == {"quantity": 1}
    apart = money_of(bom(replace(project, ordering=Table()), "before"))
    assert [(m.currency, m.net) for m in apart] == [("CNY", 2880.0), ("USD", 60.0)]


def test_what_cards_and_fibres_need_besides_is_told(projects: dict[str, Project]) -> None:
    project = projects["h100-4su"]
    args = {"design": "main", "sheet": "fabric", "link": "up", "optics": [None, None]}
    bare = apply(project, run(project, EditCall("set_link", args)))
    told = {line.description("en"): line.quantity for line in bom(bare, "main").lines if not line.part}
    assert told == {"up: transceiver not chosen": 32 * 16 + 16 * 32}
    project = projects["pcie-4gpu-1nic"]
    design = project.designs["main"]
    node = design.sheets["node"]
    gpu = node.items["gpu0"]
    sheet = replace(node, items=node.items.put("gpu0", replace(gpu, config=gpu.config.drop("aux"))))
    changed = replace(design, sheets=design.sheets.put("node", sheet))
    lines = bom(replace(project, designs=project.designs.put("main", changed)), "main").lines
    assert [(line.description("en"), line.quantity) for line in lines if not line.part] == [
        ("node/gpu0: auxiliary power cable not chosen", 4)
    ]


def test_workbooks_hold_the_same_quantities(projects: dict[str, Project]) -> None:
    table = bom(projects["superpod-h100-127"], "main", spares={"optic": 0.02})
    (sheet,) = bom_tables(table)
    rows = table_records(sheet)
    assert [row["quantity"] for row in rows] == [line.order for line in table.lines]
    assert "discount" not in rows[0] and "spares" in rows[0]


def test_lengths_of_seed_a(projects: dict[str, Project]) -> None:
    """Splitters 5 m 40, 7 m 52, 10 m 80, 15 m 84 (length rule of the specification); MCIO by card; uplinks 20 m."""
    by_length = {(line.part, line.length_m): line.quantity for line in bom(projects["seed-a-256x8"], "main").lines}
    splitter = "aoc-400g-qdd-2x200-q56"
    assert {k[1]: n for k, n in by_length.items() if k[0] == splitter} == {5.0: 40, 7.0: 52, 10.0: 80, 15.0: 84}
    assert {k[1]: n for k, n in by_length.items() if k[0] == "mcio-2x8i"} == {0.35: 512, 0.45: 1024, 0.75: 512}
    assert by_length["aoc-400g", 20.0] == 256


def test_an_absent_member_takes_its_parts_and_cables_along(projects: dict[str, Project]) -> None:
    """Seed A with 255 servers: one server's parts less; the splitters of its two ports still serve the neighbour."""
    project = projects["seed-a-256x8"]
    fabric = project.designs["main"].sheets["fabric"]
    from fabricwright.design.templates.drafting import without_tail

    node = without_tail(fabric.items["node"], 255)
    sheet = replace(fabric, items=fabric.items.put("node", node))
    design = replace(project.designs["main"], sheets=project.designs["main"].sheets.put("fabric", sheet))
    smaller = quantities(bom(replace(project, designs=project.designs.put("main", design)), "main"))
    assert smaller["h100-pcie-80gb"] == 255 * 8
    assert smaller["lrsv9500-4i"] == 255 * 3
    assert smaller["aoc-400g-qdd-2x200-q56"] == 256
    assert smaller["aoc-400g"] == 256


def test_pdus_follow_the_racks_unless_they_are_drawn(projects: dict[str, Project]) -> None:
    project = projects["superpod-h100-127"]
    fabric = project.designs["main"].sheets["fabric"]
    bare = replace(fabric, items=fabric.items.drop("pdu"), links=fabric.links.drop("o-pdu"))
    design = replace(project.designs["main"], sheets=project.designs["main"].sheets.put("fabric", bare))
    table = bom(replace(project, designs=project.designs.put("main", design)), "main")
    assert table.quantity("pdu-3ph-63a-43kw") == 32 * 4 + 6 * 2


def test_what_nobody_chose_is_a_line_of_its_own(projects: dict[str, Project]) -> None:
    project = projects["seed-a-256x8"]
    design = project.designs["main"]
    node = design.sheets["node"]
    links = node.links.put("c1", replace(node.links["c1"], cable="auto"))
    changed = replace(design, sheets=design.sheets.put("node", replace(node, links=links)))
    table = bom(replace(project, designs=project.designs.put("main", changed)), "main")
    opened = [line for line in table.lines if not line.part]
    assert [(line.kind, line.quantity, line.description("en")) for line in opened] == [
        ("pcie-cable", 256, "node/c1: cable not chosen")
    ]
    assert table.quantity("mcio-2x8i") == 256 * 7


def test_prices_of_one_currency_are_added_up(projects: dict[str, Project]) -> None:
    rows = {
        "p1": Price("dgx-h100", 100.0, "CNY", "example"),
        "p2": Price("sn3700c", 10.0, "CNY", "example"),
        "p3": Price("dac-100g-qsfp28", 1.0, "USD", "example"),
    }
    found = bom(replace(projects["seed-b-512"], prices=Table(rows)), "before").to_json()
    # 32 x 100 + 6 x 10; the dollar price counts as none
    assert found["totals"] == {"price": 3260.0, "without_price": 4, "currency": "CNY"}


def test_a_part_without_catalogue_entry_is_still_counted(projects: dict[str, Project]) -> None:
    project = projects["single-8gpu"]
    design = project.designs["main"]
    fabric = design.sheets["fabric"]
    odd = replace(fabric, items=fabric.items.put("thing", Item("home-made", (("n", 3),))))
    changed = replace(design, sheets=design.sheets.put("fabric", odd))
    assert bom(replace(project, designs=project.designs.put("main", changed)), "main").quantity("home-made") == 3


def test_csv_holds_the_same_lines(projects: dict[str, Project]) -> None:
    table = bom(projects["superpod-h100-127"], "main")
    rows = list(csv.DictReader(io.StringIO(table.to_csv().decode("utf-8"))))
    assert [int(row["Quantity"]) for row in rows] == [line.quantity for line in table.lines]
    chinese = table.to_csv("zh_CN")
    assert chinese.startswith(b"\xef\xbb\xbf")
    assert "交换机" in chinese.decode("utf-8-sig")


def test_text_that_looks_like_a_formula_stays_text() -> None:
    assert to_csv(["price"], [[1234567.89], [30.0]]) == b"price\r\n1234567.89\r\n30\r\n"
    assert to_csv(["a"], [["=1+1"], ["plain"], [None], [2.5]]) == b"a\r\n'=1+1\r\nplain\r\n\r\n2.5\r\n".replace(
        b"\r\n\r\n", b'\r\n""\r\n'
    )


@pytest.mark.parametrize("text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "\t=1", "\r=1"])
def test_names_that_look_like_formulas_stay_text_everywhere(text: str, projects: dict[str, Project]) -> None:
    """A hostile file names its parts, racks and customer like formulas."""
    project = projects["pcie-4gpu-1nic"]
    part = replace(project.parts["h100-pcie-80gb"], names=Table({"en": text}), model=text, vendor=text, source=text)
    hostile = replace(project, parts=project.parts.put("h100-pcie-80gb", part), title=text)
    table = bom(hostile, "main", group="rack")
    facts = facts_of(TITLE, {"customer": text, "company": text}, text, text)
    book = openpyxl.load_workbook(io.BytesIO(workbook_bytes(bom_tables(table), facts)))
    computed = [
        cell.value for sheet in book.worksheets for row in sheet.iter_rows() for cell in row if cell.data_type == "f"
    ]
    assert computed and all(str(value).startswith(("=MAX(", "=IF(", "=SUM", "=ROWS(")) for value in computed)
    lines = csv.reader(io.StringIO(bom(hostile, "main").to_csv().decode("utf-8")))
    assert all(not cell.startswith(("=", "+", "-2", "@", "\t", "\r")) for line in lines for cell in line)


def test_the_same_bill_is_the_same_bytes(projects: dict[str, Project]) -> None:
    project = projects["superpod-h100-127"]
    made = [
        workbook_bytes(bom_tables(bom(project, "main", group="rack")), facts_of(TITLE, project.meta, "a", "b"))
        for _ in range(2)
    ]
    assert made[0] == made[1]


def test_hostile_prices_stocks_and_rules_do_no_harm(projects: dict[str, Project]) -> None:
    rows = {
        "p1": Price("dgx-h100", 10.0, '"),HYPERLINK("x")', tax=-1.0, tax_included=True),
        "p2": Price("sn3700c", 10.0, "{part}", discount=7.0, tax=9.0),
    }
    stock = {"own1": Stock("dgx-h100", -5), "own2": Stock("sn3700c", 10**12, -1.0)}
    rules = Table({"spares": 1e300, "currency": "{x}", "rate.USD": -1.0, "cable_label": "{nothing}"})
    project = replace(projects["seed-b-512"], prices=Table(rows), stock=Table(stock), ordering=rules)
    table = bom(project, "before")
    assert {money.currency for money in money_of(table)} == {"XXX"}
    assert next(line.order for line in table.lines if line.part == "dgx-h100") == 64  # as many spares as servers
    data = workbook_bytes(bom_tables(table), facts_of(TITLE, {}, "", ""))
    assert b"HYPERLINK" not in data
    with pytest.raises(UserError, match="nothing"):
        cable_schedule(project, "before")
