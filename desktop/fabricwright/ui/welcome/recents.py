"""What is remembered of files that were opened: title, size, state of the checks, when."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from datetime import datetime
from pathlib import Path
from typing import Any

from fabricwright.ui.session import Session
from fabricwright.units.record import record

KEY = "files/recent_facts"


@record
class RecentFacts:
    """A row of the list. Counts are -1 while nobody has counted; ``opened`` is a local time in ISO form."""

    title: str = ""
    servers: int = -1
    switches: int = -1
    errors: int = -1
    warnings: int = -1
    opened: str = ""


def _stored(session: Session) -> dict[str, Any]:
    try:
        rows = json.loads(session.text(KEY) or "{}")
    except ValueError:
        return {}
    return rows if isinstance(rows, dict) else {}


def recent_facts(session: Session) -> list[tuple[Path, RecentFacts]]:
    """Files opened last with what is known of them, newest first."""
    rows = _stored(session)
    out = []
    for path in session.recent():
        row = rows.get(str(path))
        known: dict[str, Any] = {
            f.name: row[f.name] for f in fields(RecentFacts) if isinstance(row, dict) and f.name in row
        }
        sound: dict[str, Any] = {
            k: v for k, v in known.items() if isinstance(v, str if k in ("title", "opened") else int)
        }
        out.append((path, RecentFacts(**sound)))
    return out


def remember(session: Session, path: Path, **found: Any) -> None:
    """Note what became known of a file; files that left the list are forgotten."""
    wanted = str(path.resolve())
    rows = _stored(session)
    old = rows.get(wanted)
    before = old if isinstance(old, dict) else {}
    facts = {**asdict(RecentFacts()), **before, **found}
    kept = {str(p) for p in session.recent()}
    rows = {k: v for k, v in rows.items() if k in kept}
    rows[wanted] = facts
    session.put(KEY, json.dumps(rows, ensure_ascii=False))


def now() -> str:
    """The present as it is stored."""
    return datetime.now().isoformat(timespec="minutes")
