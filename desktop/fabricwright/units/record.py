"""Frozen rows, made quickly: what ``@dataclass(frozen=True, slots=True, weakref_slot=True)`` gives, in a third of the
time.

A dataclass compiles six methods when its module is loaded; with some two hundred rows that was a third of what
``fabricwright check`` takes to start. A record compiles ``__init__`` only; comparing, hashing and printing need no text
of their own. ``dataclasses.fields``, ``replace``, ``is_dataclass``, ``copy`` and ``pickle`` work as with a dataclass.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from typing import Any, NoReturn, TypeVar, dataclass_transform

T = TypeVar("T")

_ABSENT = object()


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
def record(cls: type[T]) -> type[T]:
    """Class decorator. Every field is a parameter of ``__init__``; ``default``, ``default_factory``, ``compare``,
    ``repr`` and ``metadata`` mean what they mean in a dataclass. Methods that the class has itself stay. Records do not
    inherit from each other. Raises TypeError for a field that asks for anything else.
    """
    own = set(vars(cls))
    if cls.__doc__ is None:
        cls.__doc__ = cls.__name__  # else the dataclass writes down its signature, for which it loads ``inspect``
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True, weakref_slot=True)(cls)
    fields = dataclasses.fields(made)
    for field in fields:
        if not field.init or field.hash is not None or field.kw_only:
            raise TypeError(f"{cls.__name__}.{field.name}: a record takes no init=False, hash or kw_only")
    names = tuple(field.name for field in fields)
    setters = tuple(getattr(made, name).__set__ for name in names)
    methods: dict[str, Callable[..., object]] = {
        **_compared(tuple(field.name for field in fields if field.compare)),
        "__init__": _init(made, fields, setters),
        "__repr__": _printed(tuple(field.name for field in fields if field.repr)),
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        **_pickled(names, setters),
    }
    for name, method in methods.items():
        if name not in own:
            method.__name__, method.__qualname__ = name, f"{cls.__qualname__}.{name}"
            setattr(made, name, method)
    made.__dataclass_params__.frozen = True
    return made  # type: ignore[no-any-return]


def _init(made: type, fields: tuple[dataclasses.Field[Any], ...], setters: tuple[Any, ...]) -> Callable[..., None]:
    """``__init__`` with the fields as parameters; the slots are set directly, past ``__setattr__``."""
    known: dict[str, Any] = {"_absent": _ABSENT}
    parameters, lines = [], []
    for n, (field, setter) in enumerate(zip(fields, setters, strict=True)):
        name = field.name
        known[f"_s{n}"] = setter
        value = name
        if field.default is not dataclasses.MISSING:
            known[f"_d{n}"] = field.default
            parameters.append(f"{name}=_d{n}")
        elif field.default_factory is not dataclasses.MISSING:
            known[f"_f{n}"] = field.default_factory
            parameters.append(f"{name}=_absent")
            value = f"_f{n}() if {name} is _absent else {name}"
        else:
            parameters.append(name)
        lines.append(f"  _s{n}(self, {value})")
    if hasattr(made, "__post_init__"):
        lines.append("  self.__post_init__()")
    exec(f"def __init__({', '.join(['self', *parameters])}):\n" + ("\n".join(lines) or "  pass"), known)
    init: Callable[..., None] = known["__init__"]
    init.__annotations__ = {**{field.name: field.type for field in fields}, "return": None}
    return init


def _compared(names: tuple[str, ...]) -> dict[str, Callable[..., object]]:
    """Equality and hash over these fields, of rows of the same class."""
    values: Callable[[Any], Any] = attrgetter(*names) if len(names) > 1 else _few(names)

    def equal(self: Any, other: Any) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return values(self) == values(other)

    def hashed(self: Any) -> int:
        return hash(values(self))

    return {"__eq__": equal, "__hash__": hashed}


def _few(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    # Of one name an attrgetter gives the value itself, not a tuple, and values may compare as they like (arrays, NaN).
    return lambda row: tuple(getattr(row, name) for name in names)


def _printed(names: tuple[str, ...]) -> Callable[[Any], str]:
    @recursive_repr()
    def printed(self: Any) -> str:
        return f"{self.__class__.__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return printed


def _pickled(names: tuple[str, ...], setters: tuple[Any, ...]) -> dict[str, Callable[..., object]]:
    def state(self: Any) -> list[Any]:
        return [getattr(self, name) for name in names]

    def restore(self: Any, state: list[Any]) -> None:
        for setter, value in zip(setters, state, strict=True):
            setter(self, value)

    return {"__getstate__": state, "__setstate__": restore}


def _refuse(self: Any, name: str, *_value: Any) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"{self.__class__.__name__}.{name}: a record does not change")
