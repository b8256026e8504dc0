"""A copy of the open project, written before anything else is tried after a fault."""

from __future__ import annotations

import logging
import re
from datetime import datetime
from pathlib import Path

from fabricwright.design.values import Project
from fabricwright.resources import user_data_path
from fabricwright.units.files import replace_file

log = logging.getLogger(__name__)

KEPT = 10


def rescue_folder() -> Path:
    """Where the copies are."""
    return user_data_path("rescued")


def save_copy(project: Project, name: str) -> Path | None:
    """Write ``project`` into the rescue folder; None when even that fails. The file it came from is not touched.

    The newest ``KEPT`` copies stay.
    """
    stem = re.sub(r"[^\w.-]+", "-", name, flags=re.UNICODE).strip("-.")[:60] or "project"
    target = rescue_folder() / f"{datetime.now():%Y%m%d-%H%M%S-%f}-{stem}.fwproj"
    try:
        from fabricwright.design.storage import dumps  # loaded long ago, unless the fault came before the first panel

        target.parent.mkdir(parents=True, exist_ok=True)
        replace_file(target, dumps(project))
    except Exception:  # the fault may have left anything behind; the dialog says that nothing could be saved
        log.exception("the rescue copy could not be written")
        return None
    try:
        for old in sorted(target.parent.glob("*.fwproj"))[:-KEPT]:
            old.unlink()
    except OSError:
        log.warning("old rescue copies could not be removed")
    return target
