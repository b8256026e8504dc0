"""What the members of a group are called."""

from __future__ import annotations

import re

from fabricwright.design.values import Axes

# No str.format: a template comes from a file, and format fields reach attributes and any width.
_FIELD = re.compile(r"\{([a-z][a-z0-9_-]*?)(1?)(?::0?(\d{1,2}))?\}")


def member_name(template: str, axes: Axes, index: int, fallback: str) -> str:
    """Name of one member of a group.

    ``leaf-{su1}{rail1}`` counts from 1, ``{su}`` from 0, ``{index1:03}`` over all axes with leading zeros; a field that
    is no axis stays as it is written. Without a template: ``fallback`` and the index.
    """
    if not template:
        return f"{fallback}[{index}]" if axes else fallback
    values = {"index": index}
    rest = index
    for name, size in reversed(axes):
        rest, values[name] = divmod(rest, size)

    def fill(found: re.Match[str]) -> str:
        name, plus, width = found[1], int(found[2] or 0), int(found[3] or 0)
        return f"{values[name] + plus:0{width}d}" if name in values else found[0]

    return _FIELD.sub(fill, template)
