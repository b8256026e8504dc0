"""What a tool tip and ``catalog show`` say about where a part comes from."""

from __future__ import annotations

from pathlib import Path

from fabricwright.catalog import own
from fabricwright.catalog.provenance import remarks
from fabricwright.catalog.store import Catalogue, catalogue

SERVERS = 27


def sentences(part_id: str, store: Catalogue) -> list[str]:
    return [remark.english() for remark in remarks(part_id, store)]


def test_assumed_servers_say_so_and_read_ones_do_not(shipped: Catalogue) -> None:
    servers = [p for p in shipped.kinds()["server"] if p not in ("gb200-compute-tray", "dgx-spark")]
    assert len(servers) == SERVERS
    for part_id in servers:
        part = shipped.get(part_id)
        assert part.interior is not None and part.interior.archetype in shipped, part_id
        assert part.interior.items and part.slots, part_id
        estimate = any(s.startswith("inside: an estimate") for s in sentences(part_id, shipped))
        assert estimate == part.interior.assumed, part_id
        assert part.is_estimate() or not part.interior.assumed, part_id
    read = {p for p in servers if not shipped.get(p).interior.assumed}  # type: ignore[union-attr]
    assert read == {"dgx-h100", "dgx-h200", "dgx-a100", "poweredge-r760xa", "esc8000a-e13p"}


def test_confidence_is_said_where_it_is_less_than_read(shipped: Catalogue) -> None:
    assert sentences("h100-sxm5-80gb", shipped) == []
    assert "inferred" in sentences("lrsv9500-4i", shipped)[0]
    assert "engineering knowledge" in sentences("generic-64x400", shipped)[0]


def test_own_parts_name_their_origin(own_folder: Path) -> None:
    own.save(*own.make_from("sn5600", {}, "lab-leaf"))
    assert sentences("lab-leaf", catalogue())[0].startswith("your own part: own parts, from sn5600 (catalogue ")
