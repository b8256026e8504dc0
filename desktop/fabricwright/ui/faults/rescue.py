"""A copy of the open project, written before anything else is tried after a fault."""

from __future__ import annotations

import logging
import re
import tempfile
from collections.abc import Callable
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
    """Write ``project`` into the rescue folder, or where that cannot be written into a fresh folder for temporary files
    that nobody else may look into; None when even that fails. The file it came from is not touched.

    The newest ``KEPT`` copies stay.
    """
    stem = re.sub(r"[^\w.-]+", "-", name, flags=re.UNICODE).strip("-.")[:60] or "project"
    name = f"{datetime.now():%Y%m%d-%H%M%S-%f}-{stem}.fwproj"
    target = _written(project, rescue_folder, name) or _written(project, _other_folder, name)
    if target is None:
        return None
    try:
        for old in sorted(target.parent.glob("*.fwproj"))[:-KEPT]:
            old.unlink()
    except OSError:
        log.warning("old rescue copies could not be removed")
    return target


def _written(project: Project, folder: Callable[[], Path], name: str) -> Path | None:
    try:
        from fabricwright.design.storage import dumps  # loaded long ago, unless the fault came before the first panel

        target = folder() / name
        target.parent.mkdir(parents=True, exist_ok=True)
        replace_file(target, dumps(project))
    except Exception:  # the fault may have left anything behind; the dialog says that nothing could be saved
        log.exception("the rescue copy could not be written")
        return None
    return target


def _other_folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="fabricwright-rescued-"))
