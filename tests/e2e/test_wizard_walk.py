"""From the first page to a drawn, checked cluster with its racks, with a real mouse and keyboard; gestures counted."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e import test_real_mouse
from tests.e2e.test_real_mouse import Hand

pytestmark = [pytest.mark.gui, pytest.mark.e2e]

display = test_real_mouse.display
STAGE = Path(__file__).with_name("wizard_stage.py")
#: Click, sentence, Enter (alternatives), Enter (draw), Ctrl+F2 (racks).
GESTURES = 5
#: Where pictures of the walk go when somebody wants them.
PICTURES = os.environ.get("FABRICWRIGHT_WALK_PICTURES", "")


class Walker(Hand):
    """Counts what a person would have to do."""

    gestures = 0

    def click(self, spot: list[int]) -> None:
        """One click."""
        self.gestures += 1
        self.do("mousemove", *spot)
        time.sleep(0.1)
        self.do("click", 1)

    def key(self, name: str) -> None:
        """One key or chord."""
        self.gestures += 1
        self.do("key", name)

    def type(self, text: str) -> None:
        """One line of text."""
        self.gestures += 1
        self.do("type", "--delay", 25, text)

    def see(self, what: str, wanted: Callable[[dict[str, Any]], bool], seconds: float = 240.0) -> dict[str, Any]:
        """State once ``wanted`` holds."""
        state = self.until(wanted, seconds)
        if PICTURES and what:
            name, _, of = what.partition(":")
            time.sleep(0.8)
            self.ask("grab", path=str(Path(PICTURES) / f"{name}-light-en.png"), what=of)
        return state


@pytest.fixture
def walker(display: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Walker]:
    monkeypatch.setattr(test_real_mouse, "STAGE", STAGE)
    one = Walker(display, str(tmp_path / "settings.ini"), tmp_path)
    yield one
    assert one.process.stdin is not None
    one.process.stdin.close()
    one.process.wait(30)


def test_from_the_first_page_to_the_racks(walker: Walker) -> None:
    """256 servers of 8: 32 a unit, so 8 units of 8 rail leafs (64) and 64 x 32 uplinks on 64-port spines (32)."""
    walker.see("", lambda s: s["welcome"])
    walker.click(walker.ask("begin"))
    walker.see("", lambda s: s["step"] == 0)
    walker.type("256 x 8 H100 NDR")
    walker.see("wizard-requirements:wizard", lambda s: s["servers"] == 256)
    walker.key("Return")
    walker.see("wizard-alternatives:wizard", lambda s: len(s["rows"]) >= 6 and (not PICTURES or not s["busy"]))
    walker.key("Return")
    drawn = walker.see("", lambda s: s["step"] == -1 and s["status"] == "idle" and s["figures"] and bool(s["items"]))
    assert not drawn["welcome"]
    assert sorted(drawn["items"].values())[-3:] == [32, 64, 256] or {32, 64, 256} <= set(drawn["items"].values())
    assert drawn["counts"]["error"] == 0
    walker.see("wizard-drawn:window", lambda s: s["view"] == "canvas")
    walker.key("ctrl+F2")
    walker.see("wizard-racks:window", lambda s: s["view"] == "racks")
    assert walker.gestures == GESTURES
