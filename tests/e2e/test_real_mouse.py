"""The drag with real mouse and keyboard: Xvfb is the screen, xdotool the hand. Skips where either is not installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.gui, pytest.mark.e2e]

STAGE = Path(__file__).with_name("mouse_stage.py")


def program(name: str) -> str:
    """Path of a program, or a skip that says what is missing."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """An X server of its own; its number comes from the server itself."""
    xvfb = program("Xvfb")
    program("xdotool")
    read, write = os.pipe()
    server = subprocess.Popen(
        [xvfb, "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=(write,), stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(write)
    with os.fdopen(read) as pipe:
        number = pipe.readline().strip()
    if not number:
        pytest.skip("Xvfb did not start")
    yield f":{number}"
    server.terminate()
    server.wait(10)


class Hand:
    """Moves the mouse, presses keys, and asks the program what happened."""

    def __init__(self, display: str, template: str, folder: Path) -> None:
        self.environment = {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "LC_ALL": "C.UTF-8"}
        self.environment.pop("WAYLAND_DISPLAY", None)
        command = [sys.executable, str(STAGE), template, str(folder / "settings.ini")]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self.environment,
        )
        first = self._line()
        if first != "ready":
            self.process.kill()
            error = self.process.stderr.read() if self.process.stderr else ""
            if "xcb" in error:
                pytest.skip("the xcb platform plugin cannot start here: " + error.strip().splitlines()[0])
            raise AssertionError(error)

    def _line(self) -> Any:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def ask(self, do: str, **arguments: Any) -> Any:
        """A question to the program."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"do": do, **arguments}) + "\n")
        self.process.stdin.flush()
        return self._line()

    def do(self, *words: object) -> None:
        """One xdotool call."""
        subprocess.run(["xdotool", *(str(w) for w in words)], env=self.environment, check=True, timeout=30)

    def drag(self, start: list[int], end: list[int], key: str = "") -> None:
        """Press, move in small steps (with a key held), let go."""
        self.do("mousemove", *start)
        self.do("mousedown", 1)
        time.sleep(0.08)
        for k in range(1, 13):
            self.do(
                "mousemove",
                round(start[0] + (end[0] - start[0]) * k / 12),
                round(start[1] + (end[1] - start[1]) * k / 12),
            )
            time.sleep(0.03)
        if key:
            self.do("keydown", key)
            self.do("mousemove_relative", 1, 1)
            time.sleep(0.15)
        time.sleep(0.15)
        self.do("mouseup", 1)
        if key:
            time.sleep(0.2)
            self.do("keyup", key)

    def until(self, wanted: Callable[[dict[str, Any]], bool], seconds: float = 10.0) -> dict[str, Any]:
        """State of the document once ``wanted`` holds; fails with the last state otherwise."""
        end = time.monotonic() + seconds
        state: dict[str, Any] = {}
        while time.monotonic() < end:
            state = self.ask("state")
            if wanted(state):
                assert state["failures"] == []
                return state
            time.sleep(0.1)
        raise AssertionError(f"did not happen: {state}")

    def close(self) -> None:
        """End the program."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()


@pytest.fixture
def hand(display: str, tmp_path: Path) -> Iterator[Hand]:
    tool = Hand(display, "pcie-4gpu-1nic", tmp_path)
    yield tool
    tool.close()


def test_part_is_dragged_from_the_palette_into_a_slot_and_forced_into_a_taken_one(hand: Hand) -> None:
    hand.ask("open", sheet="node")
    hand.drag(hand.ask("part", part="lres1260pf-2qsfp112"), hand.ask("card", row="chassis:n2"))
    state = hand.until(lambda s: "nic1" in s["items"])
    nic = state["items"]["nic1"]
    assert (nic["of"], nic["seat"], nic["forced"]) == ("lres1260pf-2qsfp112", "chassis:n2", False)

    # A taken slot: refused without Alt, recorded with it.
    hand.drag(hand.ask("part", part="lr-cxl-generic"), hand.ask("card", row="nic0"))
    time.sleep(0.5)
    assert "cxl0" not in hand.ask("state")["items"]
    hand.drag(hand.ask("part", part="lr-cxl-generic"), hand.ask("card", row="nic0"), key="alt")
    state = hand.until(lambda s: "cxl0" in s["items"])
    assert state["items"]["cxl0"]["seat"] == "chassis:n1"
    assert state["items"]["cxl0"]["forced"] is True

    hand.do("key", "ctrl+z")
    hand.until(lambda s: "cxl0" not in s["items"])
    hand.do("key", "ctrl+y")
    hand.until(lambda s: "cxl0" in s["items"])


def test_card_moves_to_another_slot_and_a_drag_ends_with_escape(hand: Hand) -> None:
    hand.ask("open", sheet="node")
    hand.drag(hand.ask("card", row="nic0"), hand.ask("card", row="chassis:n3"))
    hand.until(lambda s: s["items"]["nic0"]["seat"] == "chassis:n3")
    start, end = hand.ask("card", row="nic0"), hand.ask("card", row="chassis:n1")
    hand.do("mousemove", *start)
    hand.do("mousedown", 1)
    for k in range(1, 9):
        hand.do(
            "mousemove", round(start[0] + (end[0] - start[0]) * k / 8), round(start[1] + (end[1] - start[1]) * k / 8)
        )
    hand.until(lambda s: s["busy"])
    hand.do("key", "Escape")
    hand.until(lambda s: not s["busy"])
    hand.do("mouseup", 1)
    time.sleep(0.3)
    assert hand.ask("state")["items"]["nic0"]["seat"] == "chassis:n3"


def test_group_is_expanded_and_a_member_becomes_an_exception(hand: Hand) -> None:
    hand.do("mousemove", *hand.ask("card", row="node"))
    hand.do("click", 1)
    hand.until(lambda s: s["selection"] == ["node"])
    hand.do("key", "shift+F4")
    hand.until(lambda s: s["open"] == ["node"])
    hand.ask("fit")
    hand.do("mousemove", *hand.ask("member", row="node", member=2))
    hand.do("click", 1)
    hand.until(lambda s: s["members"] == {"node": "2"})
    spot = hand.ask("button", text="Absent")
    hand.do("mousemove", *spot)
    hand.do("click", 1)
    hand.until(lambda s: s["exceptions"] == {"node": ["2"]})
    hand.do("key", "ctrl+z")
    hand.until(lambda s: s["exceptions"] == {"node": []})


def test_link_rubber_band_delete_rename_and_zoom(hand: Hand) -> None:
    hand.drag(hand.ask("port", row="node", end="node:oob"), hand.ask("card", row="leaf"))
    state = hand.until(lambda s: len(s["links"]) == 2)
    (fresh,) = [k for k in state["links"] if k != "down"]
    assert state["links"][fresh][0] == "node:oob"
    assert state["selection"] == [fresh]
    hand.do("key", "Delete")
    hand.until(lambda s: fresh not in s["links"])

    hand.do("mousemove", *hand.ask("card", row="rack"))
    hand.do("click", 1)
    hand.until(lambda s: s["selection"] == ["rack"])
    hand.do("key", "F2")
    time.sleep(0.4)
    hand.do("type", "--delay", 20, "R7")
    hand.do("key", "Return")
    hand.until(lambda s: s["items"]["rack"]["name"] == "R7")

    before = hand.ask("zoom")
    hand.do("mousemove", *hand.ask("card", row="leaf"))
    hand.do("keydown", "ctrl")
    hand.do("click", 4)
    hand.do("keyup", "ctrl")
    time.sleep(0.3)
    assert hand.ask("zoom") == pytest.approx(before * 1.25, rel=1e-3)

    hand.do("mousemove", *hand.ask("empty"))
    corner = hand.ask("empty")
    hand.drag(corner, [corner[0] + 820, corner[1] + 420])
    hand.until(lambda s: len(s["selection"]) >= 1)
