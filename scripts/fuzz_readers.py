"""Feed every reader of the program with files as a stranger might make them, and say what got through.

    python scripts/fuzz_readers.py --inputs 100000     (`make fuzz N=100000`)
    python scripts/fuzz_readers.py --minutes 10 --readers project,pack
    python scripts/fuzz_readers.py --again project:17:4 one input again: reader, number, seed; with its traceback

An input is a fault when anything but a ``UserError`` escapes, when it takes longer than 5 s of the processor (whatever
else the machine does meanwhile) or stands still for a minute, or when the process grows beyond 1 GiB. Inputs follow
from (seed, reader, number), so each can be made again; faults are kept in build/fuzz.

The parent starts a process that does the work under a limit of memory. One that hangs where Python cannot interrupt it
is killed and started behind that input.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

HANG_S = 5.0
MEMORY = 1 << 30
SILENT_S = 60.0


class Hang(BaseException):
    """Raised by the alarm; not an ``Exception``, so that no reader takes it for a bad file."""


def main() -> int:
    """0 when nothing got through."""
    parser = argparse.ArgumentParser(description="Hostile input for every reader.")
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--minutes", type=float, default=0.0, help="stop after so many minutes, whatever --inputs says")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--readers", default="")
    parser.add_argument("--again", default="")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["FABRICWRIGHT_DATA"] = tempfile.mkdtemp(prefix="fabricwright-fuzz-")
    if options.again:
        return again(options.again)
    if options.child:
        return child(options, int(options.child[0]), int(options.child[1]), Path(options.child[2]))
    return parent(options)


# -- one input ---------------------------------------------------------------------------------------------------------


def input_of(name: str, number: int, seed: int) -> bytes:
    """The bytes of one input."""
    from tests.hostile.mutate import mutate
    from tests.hostile.readers import READERS

    random = Random(f"{seed}:{name}:{number}")
    data = random.choice(READERS[name].seeds())
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        data = mutate(data, random)
    return data


def again(text: str) -> int:
    """Run one input without a net."""
    from tests.hostile.readers import READERS

    name, number, seed = text.split(":")
    data = input_of(name, int(number), int(seed))
    kept = ROOT / "build" / "fuzz" / f"{name}-{number}-{seed}"
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(data)
    print(f"{len(data)} bytes in {kept}")
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        try:
            print(repr(READERS[name].read(data, Path(folder)))[:400])
        except READERS[name].refusals as error:
            print(f"refused: {error}")
    print(f"{time.monotonic() - started:.2f} s")
    return 0


# -- the process that does the work ------------------------------------------------------------------------------------


def order(options: argparse.Namespace) -> list[str]:
    """Reader of each input in one round of 200, by weight."""
    from tests.hostile.readers import READERS

    wanted = [name for name in options.readers.split(",") if name] or list(READERS)
    total = sum(READERS[name].weight for name in wanted)
    names = [name for name in wanted for _ in range(max(1, round(200 * READERS[name].weight / total)))]
    Random(0).shuffle(names)
    return names


def child(options: argparse.Namespace, first: int, last: int, report: Path) -> int:
    """Inputs ``first`` to ``last``; one JSON line per fault, a counter of what was begun, a summary at the end."""
    from tests.hostile.readers import READERS

    names = order(options)
    signal.signal(signal.SIGPROF, _alarm)
    with tempfile.TemporaryDirectory() as folder:
        for name in set(names):  # imports and caches are not what is timed
            for data in READERS[name].seeds():
                attempt(name, data, Path(folder), 60.0)
    base = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (base + MEMORY, base + MEMORY))
    counter = os.open(report.with_suffix(".at"), os.O_RDWR | os.O_CREAT)
    ends = time.monotonic() + options.minutes * 60 if options.minutes else float("inf")
    told: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder, open(report, "a", encoding="utf-8") as out:
        for at in range(first, last):
            if time.monotonic() > ends:
                break
            name = names[at % len(names)]
            os.pwrite(counter, f"{at:>20} {name:<30}".encode(), 0)
            verdict, where = attempt(name, input_of(name, at, options.seed), Path(folder))
            told[f"{name} {verdict}"] += 1
            if verdict not in ("accepted", "refused"):
                out.write(json.dumps({"input": f"{name}:{at}:{options.seed}", "what": verdict, "where": where}) + "\n")
                out.flush()
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        out.write(json.dumps({"done": dict(told), "rss_mib": grown}) + "\n")
    os.pwrite(counter, f"{last:>20} {'-':<30}".encode(), 0)
    return 0


def _alarm(*_: object) -> None:
    raise Hang


def attempt(name: str, data: bytes, folder: Path, limit_s: float = HANG_S) -> tuple[str, str]:
    """(accepted | refused | the fault, where)."""
    from tests.hostile.readers import READERS

    signal.setitimer(signal.ITIMER_PROF, limit_s)
    try:
        READERS[name].read(data, folder)
        return "accepted", ""
    except READERS[name].refusals:
        return "refused", ""
    except Hang:
        return f"longer than {HANG_S:.0f} s", _place()
    except BaseException as error:  # noqa: BLE001 (what escapes is what is looked for)
        return f"{type(error).__name__}: {' '.join(str(error).split())[:160]}", _place()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _place() -> str:
    """The last three places of our own in the traceback."""
    frames = traceback.extract_tb(sys.exc_info()[2])
    ours = [f for f in frames if "fabricwright" in f.filename] or frames
    return " < ".join(f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in reversed(ours[-3:]))


# -- the parent --------------------------------------------------------------------------------------------------------


def parent(options: argparse.Namespace) -> int:
    """Start children until all inputs are through; print what was found."""
    folder = ROOT / "build" / "fuzz"
    folder.mkdir(parents=True, exist_ok=True)
    report = folder / f"report-{options.seed}-{os.getpid()}.jsonl"
    at_file = report.with_suffix(".at")
    started, first, lost = time.monotonic(), 0, []
    passed = [f"--seed={options.seed}", f"--readers={options.readers}"]
    while first < options.inputs:
        left = options.minutes - (time.monotonic() - started) / 60 if options.minutes else 0.0
        if options.minutes and left <= 0:
            break
        # a fresh process now and then, so that no cache hides what the first file does
        last = min(first + 20_000, options.inputs)
        command = [
            sys.executable,
            __file__,
            *passed,
            f"--minutes={left}",
            "--child",
            str(first),
            str(last),
            str(report),
        ]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        where, since = "", time.monotonic()
        while process.poll() is None:
            time.sleep(0.5)
            now = at_file.read_text() if at_file.exists() else ""
            if now != where:
                where, since = now, time.monotonic()
            elif time.monotonic() - since > (SILENT_S if where else 5 * SILENT_S):
                process.kill()
                process.wait()
        if process.returncode and not at_file.exists():
            print(f"the process that does the work ended with {process.returncode} before its first input")
            return 2
        reached = at_file.read_text().split() if at_file.exists() else [str(first), "?"]
        if process.returncode == 0:
            first = last
        else:
            lost.append(f"{reached[1]}:{reached[0]}:{options.seed} ended the process ({process.returncode})")
            first = max(first, int(reached[0])) + 1
    return tell(report, lost, time.monotonic() - started)


def tell(report: Path, lost: list[str], seconds: float) -> int:
    """Print the figures and the faults, the same place once."""
    rows = [json.loads(line) for line in report.read_text(encoding="utf-8").splitlines()] if report.exists() else []
    told: Counter[str] = Counter()
    for row in rows:
        told.update(row.get("done", {}))
    names = sorted({key.split(" ")[0] for key in told})
    print(f"{'reader':<18}{'inputs':>9}{'accepted':>10}{'refused':>9}{'faults':>8}")
    for name in names:
        every = {key.split(" ", 1)[1]: n for key, n in told.items() if key.split(" ")[0] == name}
        good, bad, whole = every.get("accepted", 0), every.get("refused", 0), sum(every.values())
        print(f"{name:<18}{whole:>9}{good:>10}{bad:>9}{whole - good - bad:>8}")
    most = max((row["rss_mib"] for row in rows if "rss_mib" in row), default=0)
    print(f"{sum(told.values())} inputs in {seconds:.0f} s, at most {most} MiB")
    faults: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        if "what" in row:
            key = hashlib.sha1(f"{row['what'].split(':')[0]} {row['where']}".encode()).hexdigest()
            faults.setdefault(key, []).append(row)
    for same in sorted(faults.values(), key=len, reverse=True):
        print(
            f"FAULT {len(same):>5} x {same[0]['what']}\n        {same[0]['where']}\n        --again {same[0]['input']}"
        )
    for line in lost:
        print(f"FAULT {line}")
    return 1 if faults or lost else 0


if __name__ == "__main__":
    sys.exit(main())
