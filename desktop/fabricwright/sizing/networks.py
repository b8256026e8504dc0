"""The networks besides compute: storage, in-band and out-of-band management, sized as spread leaf and spine.

Ports of all servers are dealt evenly over the leafs. Storage servers are not part of a sizing; the storage network
ends at the servers' ports.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fabricwright.design.values import Export, Item, Link
from fabricwright.sizing.choices import Choice


@dataclass(frozen=True, slots=True)
class Extra:
    """Rows to add: ``items`` and ``links`` of the fabric sheet, ``exports`` and ``inside`` (items) of the server sheet,
    ``removed`` built-in items, ``roles`` of the new groups for seating.
    """

    items: dict[str, Item] = field(default_factory=dict)
    links: dict[str, Link] = field(default_factory=dict)
    exports: dict[str, Export] = field(default_factory=dict)
    inside: dict[str, Item] = field(default_factory=dict)
    removed: tuple[str, ...] = ()
    roles: dict[str, str] = field(default_factory=dict)


def extra_networks(choice: Choice) -> Extra:
    """Rows of the networks that the requirement names besides compute."""
    return Extra()
