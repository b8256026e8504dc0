"""The work of an architect, counted with real mouse and keyboard: an 8-GPU PCIe server, a two-tier fabric of 32.

No template, no wizard. A press is a click, double click or drag, a key chord, or a field typed into; the goal is 60.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.test_real_mouse import Hand, display

__all__ = ["display"]

pytestmark = [pytest.mark.gui, pytest.mark.e2e]

GOAL = 60


class Worker(Hand):
    """A hand that counts what it does."""

    def __init__(self, display: str, folder: Path) -> None:
        super().__init__(display, "blank", folder)
        self.work: Counter[str] = Counter()

    def pull(self, start: list[int], end: list[int]) -> None:
        self.work["drags"] += 1
        self.drag(start, end)

    def click(self, spot: list[int], times: int = 1) -> None:
        self.work["clicks" if times == 1 else "double clicks"] += 1
        self.do("mousemove", *spot)
        self.do("click", "--repeat", times, "--delay", 60, 1)
        time.sleep(0.25)

    def chord(self, keys: str) -> None:
        self.work["key chords"] += 1
        self.do("key", keys)
        time.sleep(0.3)

    def write(self, text: str) -> None:
        self.work["typed fields"] += 1
        self.do("type", "--delay", 15, text)
        time.sleep(0.4)

    def find(self, text: str, part: str) -> list[int]:
        """Search the palette; the row of a part."""
        self.click(self.ask("search"))
        self.write(text)
        end = time.monotonic() + 8
        while self.ask("part", part=part) is None and time.monotonic() < end:
            time.sleep(0.1)
        time.sleep(0.3)
        spot: list[int] = self.ask("part", part=part)
        return spot

    def place(self, text: str, part: str, row: str) -> str:
        """Drag a part from the palette onto a card; the id of what came."""
        before = set(self.ask("state")["items"])
        self.pull(self.find(text, part), self.ask("card", row=row))
        state = self.until(lambda s: len(s["items"]) > len(before))
        (fresh,) = set(state["items"]) - before
        return str(fresh)

    def dialog(self, open_: bool) -> None:
        """Wait until a dialog is there, or is gone."""
        end = time.monotonic() + 10
        while bool(self.ask("front")) is not open_ and time.monotonic() < end:
            time.sleep(0.1)
        assert bool(self.ask("front")) is open_, self.ask("front")


@pytest.fixture
def worker(display: str, tmp_path: Path) -> Iterator[Worker]:
    tool = Worker(display, tmp_path)
    yield tool
    tool.close()


def test_a_server_and_a_fabric_of_32_take_at_most_sixty_presses(worker: Worker) -> None:
    corner = worker.ask("empty")
    worker.pull(worker.find("cabled", "cabled-4u8g"), [corner[0] + 300, corner[1] + 330])
    (node,) = worker.until(lambda s: s["items"])["items"]
    worker.click(worker.ask("card", row=node), times=2)
    server = worker.until(lambda s: s["sheet"] != "fabric")["sheet"]

    # Two switch cards in the mode that feeds four GPUs each.
    first = worker.place("9500-4i", "lrsv9500-4i", "chassis:s1")
    set_mode(worker, first)
    worker.chord("ctrl+d")
    state = worker.until(lambda s: len(s["items"]) == 2)
    second = next(i for i in state["items"] if i != first)
    assert state["items"][second]["seat"] == "chassis:s2"

    # Eight GPUs: one, and seven more in the bays beside it.
    gpu = worker.place("h100-pcie", "h100-pcie-80gb", "chassis:bay1")
    worker.chord("ctrl+shift+d")
    worker.dialog(True)
    worker.write("7")
    worker.chord("Return")
    state = worker.until(lambda s: len(s["items"]) == 10)
    gpus = sorted(i for i in state["items"] if i.startswith(gpu.rstrip("0123456789")))
    assert [state["items"][g]["seat"] for g in gpus] == [f"chassis:bay{n}" for n in range(1, 9)]

    # Their cables.
    for n, one in enumerate(gpus):
        card = first if n < 4 else second
        start = worker.ask("port", row=card, end=f"{card}:d{n % 4 + 1}")
        worker.pull(start, worker.ask("card", row=one))
        state = worker.until(lambda s, n=n: len(s["links"]) == n + 1)

    # A retimer into the first of them, a NIC and CXL memory.
    links = len(state["links"])
    cable = next(k for k, ends in state["links"].items() if f"{first}:d1" in ends)
    worker.pull(worker.find("9560-2i", "lrsv9560-2i"), worker.ask("line", link=cable))
    worker.until(lambda s: len(s["links"]) == links + 1)
    worker.place("lres1260", "lres1260pf-2qsfp112", "chassis:s3")
    worker.place("cxl-gen", "lr-cxl-generic", "chassis:s4")

    # Thirty-two of them.
    worker.chord("alt+Up")
    worker.until(lambda s: s["sheet"] == "fabric")
    worker.click(worker.ask("card", row=node))
    grow(worker, node, 32)

    # Leafs and spines.
    fresh_leaf = worker.find("sn4700", "sn4700")
    worker.pull(fresh_leaf, [corner[0] + 300, corner[1] + 200])
    leaf = next(iter(worker.until(lambda s: len(s["items"]) == 2)["selection"]))
    grow(worker, leaf, 4)
    worker.pull(worker.ask("part", part="sn4700"), [corner[0] + 300, corner[1] + 70])
    spine = next(iter(worker.until(lambda s: len(s["items"]) == 3)["selection"]))
    grow(worker, spine, 2)
    wire(worker, node, leaf)
    wire(worker, leaf, spine)

    state = worker.ask("state")
    assert {i: row["count"] for i, row in state["items"].items()} == {node: 32, leaf: 4, spine: 2}
    assert state["failures"] == [] and server
    total = sum(worker.work.values())
    print(f"\n  presses: {total} ({', '.join(f'{n} {what}' for what, n in sorted(worker.work.items()))}); goal {GOAL}")
    assert total <= GOAL


def set_mode(worker: Worker, card: str) -> None:
    """The mode of a switch card that is selected, in the inspector."""
    worker.click(worker.ask("option", name="Mode"))
    worker.chord("Down")
    worker.chord("Return")
    worker.until(lambda _s: f"{card}:d4" in worker.ask("ports", row=card))


def grow(worker: Worker, row: str, count: int) -> None:
    """Make a group of what is selected."""
    worker.chord("shift+F2")
    worker.write(str(count))
    worker.chord("Return")
    worker.until(lambda s: s["items"][row]["count"] == count)


def wire(worker: Worker, a: str, b: str) -> None:
    """Draw a link between two groups and take what the dialog proposes."""
    before = len(worker.ask("state")["links"])
    worker.ask("fit")
    worker.chord("l")
    worker.pull(worker.ask("out", row=a), worker.ask("card", row=b))
    worker.dialog(True)
    worker.chord("Return")
    worker.until(lambda s: len(s["links"]) > before)
