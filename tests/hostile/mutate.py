"""Files as a stranger might make them: sound ones, changed at random. Everything follows from the generator's seed.

Two kinds of change. Bytes: flipped, cut, doubled, exchanged for ones that readers trip over. And, where the file is
JSON, values: another type, a number out of range, a text with control characters, a list in place of an object, deep
nesting, rows gone or doubled: such a file passes the parser and reaches the checks behind it.
"""

from __future__ import annotations

import io
import json
import zipfile
from random import Random
from typing import Any

BYTES = (
    *(b"\x00", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"\r", b"\n\n", b'"', b"'", b"\\", b"{", b"}", b"[", b"]", b","),
    *(b"=", b":", b"#", b"&a *a", b"<<: *x", b"!!python/object:os.system", b"%s%n", b"\x1b[2J", b"../../etc/passwd"),
    *(b"NaN", b"Infinity", b"-1", b"1e999", b"9" * 400, b"0x10", b"null", b"true", b"\xed\xa0\x80", b"\xe2\x80\xae"),
    *(b"[" * 300, b"{" * 200, b"<!ENTITY x SYSTEM 'file:///etc/passwd'>", b"\xd6\xd0\xce\xc4", b"- " * 200),
)
TEXTS = (
    *(
        "",
        " ",
        "\x00",
        "\x1b[2J",
        "\u202e",
        "\ud800",
        "../../x",
        "/etc/passwd",
        "a/b",
        "a:b",
        "a[0]",
        "a[0..9999999999]",
    ),
    *("=1+1", "@SUM(A1)", "-2+3", "|cmd", "x" * 5000, "{x}", "{0.__class__}", "%s", "sheet:x", "sheet:", "#", "*", "0"),
    *("main", "fabric", "leaf", "1..2", "p0", "auto", "нет", "服务器", "9" * 60, "1e400", "nan", "[", "]", "x.y.z"),
)
NUMBERS = (0, -1, 1, 2, 3, 255, 65536, 2**31, 2**53, 2**63, 2**64, 10**30, 10**400, -(10**30))
NUMBERS_F = (0.5, -0.5, 1e-320, 1e308, -1e308, 1e15, 2.0, 1e300)


def mutate(data: bytes, random: Random) -> bytes:
    """One changed copy of a sound file."""
    if data[:4] == b"PK\x03\x04" and random.random() < 0.7:
        try:
            return _archive(data, random)
        except Exception:  # noqa: BLE001 (an archive that was broken already)
            pass
    if data[:1] in b"{[" and random.random() < 0.75:
        try:
            return _json(data, random)
        except (ValueError, RecursionError, OverflowError):
            pass
    return _bytes(data, random)


def _bytes(data: bytes, random: Random) -> bytes:
    out = bytearray(data)
    for _ in range(random.choice((1, 1, 1, 2, 3, 8, 30))):
        at = random.randrange(len(out) + 1)
        end = min(len(out), at + random.choice((1, 1, 2, 4, 16, 200)))
        kind = random.randrange(7)
        if kind == 0 and out:
            out[at % len(out)] ^= 1 << random.randrange(8)
        elif kind == 1:
            del out[at:end]
        elif kind == 2:
            out[at:at] = random.choice(BYTES)
        elif kind == 3:
            out[at:end] = random.choice(BYTES)
        elif kind == 4:
            out[at:at] = out[at:end] * random.choice((1, 2, 50))
        elif kind == 5:
            start = random.randrange(len(out) + 1)
            out[at:end] = out[start : start + end - at]
        else:
            del out[at if random.random() < 0.1 else len(out) - random.randrange(min(len(out), 40) + 1) :]
    return bytes(out)


# -- values of JSON ----------------------------------------------------------------------------------------------------


def _json(data: bytes, random: Random) -> bytes:
    value = json.loads(data)
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        value = _change(value, random)
    return json.dumps(value, ensure_ascii=random.random() < 0.5, allow_nan=True).encode("utf-8", "surrogatepass")


def _change(value: Any, random: Random) -> Any:
    """Walk down at random, change what is there."""
    holders: list[tuple[Any, Any]] = []
    here = value
    while isinstance(here, (dict, list)) and here:
        key = random.choice(list(here)) if isinstance(here, dict) else random.randrange(len(here))
        holders.append((here, key))
        here = here[key]
    if not holders:
        return _any(random)
    # near the leaf more often than near the root: a file without designs is soon refused
    holder, key = holders[-1 - min(int(random.expovariate(0.9)), len(holders) - 1)]
    kind = random.randrange(11)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, dict):
        holder[random.choice((*TEXTS, *holder))] = holder.pop(key)
    elif kind == 2 and isinstance(holder, dict):
        holder[random.choice(TEXTS)] = _any(random)
    elif kind == 3 and isinstance(holder, list):
        holder.extend([holder[key]] * random.choice((1, 2, 40)))
    elif kind == 4:  # a value from elsewhere in the file
        holder[key] = _elsewhere(value, random)
    elif kind in (5, 8, 9, 10):
        holder[key] = _near(holder[key], random)
    else:
        holder[key] = _any(random)
    return value


def _elsewhere(value: Any, random: Random) -> Any:
    here = value
    for _ in range(random.randrange(2, 12)):
        if isinstance(here, dict) and here:
            here = here[random.choice(list(here))]
        elif isinstance(here, list) and here:
            here = random.choice(here)
    return json.loads(json.dumps(here))


def _near(old: Any, random: Random) -> Any:
    """Of the same type, somewhat different: what passes the type checks."""
    if isinstance(old, bool):
        return not old
    if isinstance(old, (int, float)):
        return random.choice((old + 1, old - 1, -old, old * 2, old * 1000, old / 3 if abs(old) < 1e300 else 1, 0))
    if isinstance(old, str):
        at = random.randrange(len(old) + 1)
        return random.choice((old[:at], old[at:], old + old, old[:at] + random.choice(TEXTS) + old[at:], old.upper()))
    if isinstance(old, list):
        return random.choice((old[::-1], old[:1], old + old, []))
    return {} if isinstance(old, dict) else _any(random)


def _any(random: Random) -> Any:
    deep: Any = None
    kind = random.randrange(9)
    if kind == 0:
        for _ in range(random.choice((3, 30, 70, 400))):
            deep = [deep] if random.random() < 0.5 else {"a": deep}
        return deep
    if kind in (1, 2):
        return random.choice(TEXTS)
    if kind in (3, 4):
        return random.choice(NUMBERS)
    if kind == 5:
        return random.choice((*NUMBERS_F, float("inf"), float("nan")))
    return random.choice((None, True, False, [], {}, [1, 2], ["a"], {"a": 1}, [[]], [None], {"": {}}))


# -- archives ----------------------------------------------------------------------------------------------------------


def _archive(data: bytes, random: Random) -> bytes:
    """A zip whose members are changed while the archive stays sound; now and then a name that leads outside."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        names = old.namelist()
        chosen = set(random.sample(names, min(len(names), random.choice((1, 1, 2)))))
        for name in names:
            content = old.read(name)
            if name in chosen:
                content = _xml(content, random) if random.random() < 0.6 else _bytes(content, random)
            if random.random() < 0.02:
                name = "../../" + name
            if random.random() < 0.97:
                new.writestr(name, content)
    return out.getvalue()


def _xml(content: bytes, random: Random) -> bytes:
    """Another number, another attribute, an entity: still XML most of the time."""
    if random.random() < 0.15:
        bomb = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
        head, sign, rest = content.partition(b"?>")
        return head + sign + bomb + rest if sign else bomb + content
    pieces = content.split(b'"')
    for _ in range(random.choice((1, 1, 2, 5))):
        at = random.randrange(len(pieces))
        if at % 2:
            pieces[at] = random.choice((b"", b"-1", b"1048577", b"XFD1048576", b"A0", b"s", b"n", b"e", b"9" * 30))
        elif b">" in pieces[at]:
            text = random.choice((b"1e999", b"nan", b"=1+1", b"-1", b"99999999", b"\xe4\xb8\xad", b"<v>1</v>", b"&a;"))
            pieces[at] = pieces[at].replace(b"<v>", b"<v>" + text, 1)
    return b'"'.join(pieces)
