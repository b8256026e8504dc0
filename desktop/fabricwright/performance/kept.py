"""Things worked out per server class that many layouts share: a sweep over failures meets the same servers each time.

Keys name objects by ``id``; the object is kept with the value, so that an id never means another object.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """The last ``most`` values by (object, key)."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._values: OrderedDict[tuple[int, Hashable], tuple[object, T]] = OrderedDict()

    def get(self, owner: object, key: Hashable, make: Callable[[], T]) -> T:
        """The value of ``key`` for ``owner``, made when it is not there."""
        whole = (id(owner), key)
        found = self._values.get(whole)
        if found is None or found[0] is not owner:
            found = self._values[whole] = owner, make()
            while len(self._values) > self.most:
                self._values.popitem(last=False)
        else:
            self._values.move_to_end(whole)
        return found[1]
