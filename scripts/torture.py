"""Kill the program at random moments of editing, saving, journalling and exporting, and see that nothing is lost.

    python scripts/torture.py [--rounds 200] [--seed 1]

Each round starts a real process (document, undo stack, journal thread, lock, exports), lets it work, ends it with
SIGKILL at a random moment, and looks at what is left as the next start would: every edit that was acknowledged is in
the file or in a journal that checks; the file is one of the versions that were saved, never older than the last one
that was reported saved; exports are whole; nothing else lies about. Exit code 1 when a round fails.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LONGEST_S = 0.8


def digest(data: bytes) -> str:
    """Short name of some bytes."""
    return hashlib.blake2b(data, digest_size=8).hexdigest()


# -- the process that is killed ---------------------------------------------------------------------------------------


def child(folder: Path, seed: int) -> None:
    """Work until killed; every line on standard output is told before or after what it is about, unbuffered."""
    from PySide6.QtCore import QCoreApplication, QSettings, QTimer

    from fabricwright.design import recovery, storage
    from fabricwright.design.journal_writer import now_text
    from fabricwright.design.templates import TEMPLATES
    from fabricwright.ui.document import Document
    from fabricwright.ui.safekeeping import Safekeeping
    from fabricwright.ui.session import Session
    from fabricwright.units.errors import UserError
    from fabricwright.units.files import replace_file

    dice = random.Random(seed)
    app = QCoreApplication([])
    file = folder / "plan.fwproj"
    document = Document()
    keepers: list[Safekeeping] = []

    def tell_state() -> None:
        # Before it is posted: the writer's thread may have it on the disk before this one runs on.
        if keepers:
            say("state", keepers[0]._posted + 1, digest(storage.dumps(document.project)))

    document.project_changed.connect(lambda _patch: tell_state())
    kept = Safekeeping(document, Session(QSettings(str(folder / "no.ini"), QSettings.Format.IniFormat)))

    def say(*words: object) -> None:
        os.write(1, (" ".join(map(str, words)) + "\n").encode())

    keepers.append(kept)
    told = kept.writer._on_saved

    def acknowledged(number: int, at: str, edits: int) -> None:
        say("ack", number)  # in the writer's thread, the moment fsync has returned
        told(number, at, edits)

    kept.writer._on_saved = acknowledged
    left = [f for f in recovery.find() if f.journal is not None]
    if left and dice.random() < 0.6:
        kept.restore(left[0])
    elif file.exists():
        if kept.claim(file) is not None:
            say("held")
        document.open(file)
        for one in left:
            say("discarded")
            kept.discard(one)
    else:
        document.replace(TEMPLATES["pcie-4gpu-1nic"].build(servers="3"))

    def rename() -> None:
        document.edit("retitle", title=f"Plan {dice.randrange(10**9)} 方案", merge=dice.random() < 0.5)

    def move() -> None:
        spot = [dice.randrange(1000), dice.randrange(1000)]
        row = dice.choice(document.project.designs["main"].sheets["fabric"].items.ordered())
        document.edit("set_look", design="main", sheet="fabric", item=row, xy=spot)

    def note() -> None:
        document.edit("add_note", design="main", sheet="fabric", text="n" * dice.randrange(1, 4000))

    def unnote() -> None:
        notes = document.project.designs["main"].sheets["fabric"].notes.ordered()
        if len(notes) > 3:
            document.edit("remove", design="main", sheet="fabric", ids=notes[: dice.randrange(1, len(notes))])

    def snapshot() -> None:
        if len(document.project.snapshots) > 4:
            document.edit("remove_snapshot", snapshot=document.project.snapshots.ordered()[0])
        document.edit("take_snapshot", title="kept", time=now_text(), author="torture")

    def save() -> None:
        name = digest(storage.dumps(document.project))
        say("saving", name)
        document.save(file)
        say("saved", name)

    def export() -> None:
        data = storage.dumps(document.project) * dice.randrange(1, 4)
        say("exporting", digest(data))
        replace_file(folder / "export.txt", data)
        say("exported")

    jobs: list[Callable[[], None]] = [rename, move, note] * 6 + [unnote, document.undo, document.redo] * 3
    jobs += [save] * 4 + [export] * 2 + [snapshot]

    def work() -> None:
        try:
            dice.choice(jobs)()
        except UserError as error:
            say("error", error)
        timer.start(dice.choice((0, 0, 1, 3)))

    timer = QTimer()
    timer.setSingleShot(True)
    timer.timeout.connect(work)
    timer.start(0)
    say("ready")
    app.exec()


# -- what the next start finds ----------------------------------------------------------------------------------------


@dataclass
class Told:
    """What the process said before it died."""

    states: list[tuple[int, str]] = field(default_factory=list)
    acknowledged: int = 0
    saving: list[str] = field(default_factory=list)
    saved: int = 0
    exports: list[str] = field(default_factory=list)
    exported: int = 0
    discarded: int = 0
    errors: list[str] = field(default_factory=list)


def read(lines: list[str]) -> Told:
    """The lines in words. A line that was cut by the kill was not said."""
    told = Told()
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "state":
            number, name = rest.split()
            told.states.append((int(number), name))
        elif word == "ack":
            told.acknowledged = max(told.acknowledged, int(rest))
        elif word == "saving":
            told.saving.append(rest)
        elif word == "saved":
            told.saved = len(told.saving)
        elif word == "exporting":
            told.exports.append(rest)
        elif word == "exported":
            told.exported = len(told.exports)
        elif word == "discarded":
            told.discarded += 1
        elif word in ("error", "held"):
            told.errors.append(line)
    return told


def inspect(folder: Path, told: Told, precious: str, file_before: str, export_before: str) -> list[str]:
    """What is wrong after a kill, in sentences; ``precious`` the unsaved work that was there before the process
    started ("" = none)."""
    from fabricwright.design import journal, locks, recovery, storage
    from fabricwright.units.files import sweep_beside

    wrong = list(told.errors)
    file = folder / "plan.fwproj"
    found = recovery.find()
    wrong += [f"a journal cannot be read: {f.problem}" for f in found if f.journal is None]
    held = {digest(storage.dumps(f.journal.project)) for f in found if f.journal is not None}
    on_disk = ""
    if file.exists():
        on_disk = digest(storage.dumps(storage.load(file)))
        if on_disk not in (told.saving[told.saved - 1 :] if told.saved else [file_before, *told.saving]):
            wrong.append("the file is none of the versions that may be there")
    elif file_before or told.saved:
        wrong.append("the file is gone")
    fine = {name for number, name in told.states if number >= told.acknowledged}
    if not told.acknowledged and told.discarded:
        fine = set()
    elif not told.acknowledged:
        # Killed before its first fsync returned: what was there before must be, and where nothing was nothing must be.
        before = precious or file_before
        fine = fine | {before} if before else set()
    if fine and not (fine & (held | {on_disk})):
        wrong.append(f"acknowledged edit {told.acknowledged} is missing")
    export = folder / "export.txt"
    if export.exists():
        allowed = told.exports[told.exported - 1 :] if told.exported else [export_before, *told.exports]
        if digest(export.read_bytes()) not in allowed:
            wrong.append("the export is not whole")
    taken = locks.take(file)
    if isinstance(taken, locks.Lock):
        taken.release()
    else:
        wrong.append("the lock of a dead process holds")
    sweep_beside(file)
    stray = set(os.listdir(folder)) - {"plan.fwproj", "plan.fwproj.bak", "export.txt", "data"}
    if stray:
        wrong.append(f"stray files: {sorted(stray)}")
    if journal.folder().exists():
        stray = set(os.listdir(journal.folder())) - {f.path.name for f in found}
        if stray:
            wrong.append(f"stray journals: {sorted(stray)}")
    return wrong


def on_the_disk(folder: Path) -> tuple[str, str, str]:
    """Digests of the latest unsaved work, of the file and of the export; "" where there is none."""
    from fabricwright.design import recovery, storage

    file, export = folder / "plan.fwproj", folder / "export.txt"
    on_disk = digest(storage.dumps(storage.load(file))) if file.exists() else ""
    held = [digest(storage.dumps(f.journal.project)) for f in recovery.find() if f.journal is not None]
    return held[0] if held else "", on_disk, digest(export.read_bytes()) if export.exists() else ""


def one_round(folder: Path, dice: random.Random) -> tuple[list[str], Told]:
    """Start, work, kill, look."""
    precious, file_before, export_before = on_the_disk(folder)
    seed = dice.randrange(1 << 30)
    command = [sys.executable, __file__, "--child", str(folder), "--seed", str(seed)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ)
    assert process.stdout is not None
    lines: list[str] = []
    if dice.random() < 0.08:
        time.sleep(dice.random() * 0.8)  # somewhere in its start
    else:
        for raw in process.stdout:
            lines.append(raw.decode().rstrip("\n"))
            if lines[-1] == "ready":
                break
        time.sleep(dice.random() * LONGEST_S)
    early = process.poll()
    os.kill(process.pid, signal.SIGKILL)
    rest = process.stdout.read().decode()
    process.wait()
    lines += [line for line in rest.split("\n")[:-1] if line]
    told = read(lines)
    wrong = inspect(folder, told, precious, file_before, export_before)
    if early is not None:
        wrong.append(f"the process ended by itself ({early})")
    return wrong, told


def run(rounds: int, seed: int, say: Callable[[str], Any] = print) -> int:
    """All rounds on one folder, as one person's laptop would have it; how many failed."""
    dice = random.Random(seed)
    failed = edits = acknowledged = saves = exports = restored = 0
    with tempfile.TemporaryDirectory(prefix="torture-") as name:
        folder = Path(name)
        os.environ["FABRICWRIGHT_DATA"] = str(folder / "data")
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        started = time.monotonic()
        for number in range(1, rounds + 1):
            wrong, told = one_round(folder, dice)
            edits += len(told.states)
            acknowledged += told.acknowledged
            saves += told.saved
            exports += told.exported
            restored += bool(on_the_disk(folder)[0])
            failed += bool(wrong)
            for line in wrong:
                say(f"round {number}: {line}")
        seconds = time.monotonic() - started
    say(
        f"{rounds - failed} of {rounds} recovered after kill -9; {edits} states, {acknowledged} patches acknowledged, "
        f"{saves} saves, {exports} exports; unsaved work found after {restored} kills; {seconds:.0f} s"
    )
    return failed


def main() -> int:
    """Do what the options say."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child is not None:
        child(options.child, options.seed)
        return 0
    return 1 if run(options.rounds, options.seed) else 0


if __name__ == "__main__":
    sys.exit(main())
