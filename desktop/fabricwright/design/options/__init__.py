"""What a drawing may state beside its parts: the declared keys of ``config`` and ``settings``.

One row per key: where it is stated, what form it has, what counts while nobody stated it. The inspector builds its
fields from these rows, rules read values through ``stated`` and ``effective_value``, and the document model's page
lists them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabricwright.design.options import fabric, host, job, lanes, lossless, power, purchase, signal, slots
from fabricwright.design.options.option import PLACES, Option

_TABLES = (
    host.OPTIONS,
    slots.OPTIONS,
    lanes.OPTIONS,
    signal.OPTIONS,
    power.OPTIONS,
    fabric.OPTIONS,
    lossless.OPTIONS,
    job.OPTIONS,
    purchase.OPTIONS,
)

OPTIONS: dict[tuple[str, str], Option] = {(o.place, o.key): o for table in _TABLES for o in table}
"""(place, key) -> option."""


def options_for(place: str) -> Iterator[Option]:
    """Options that are stated at one kind of place, in the order they are shown."""
    return (o for o in OPTIONS.values() if o.place == place)


def stated(values: Mapping[str, object], key: str) -> object | None:
    """What somebody stated under ``key``; None when nobody did."""
    value = values.get(key)
    return None if value is None or value == "" else value


def effective_value(values: Mapping[str, object], place: str, key: str) -> tuple[object | None, bool]:
    """(value that counts, whether it is only the default). None when nothing is stated and there is no default."""
    found = stated(values, key)
    if found is not None:
        return found, False
    option = OPTIONS.get((place, key))
    return (option.default if option is not None else None), True


__all__ = ["OPTIONS", "PLACES", "Option", "effective_value", "options_for", "stated"]
