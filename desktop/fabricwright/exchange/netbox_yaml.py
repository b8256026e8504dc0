"""NetBox device-type YAML read with suspicion: what the record states, and nothing that it does not.

Safe YAML only: no aliases, no tags, one document, bounded in size, nesting and count. PyYAML is imported when a record
is read (docs/decisions/netbox-import.md), not before.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fabricwright.units import limits
from fabricwright.units.errors import UserError
from fabricwright.units.reading import read_file
from fabricwright.units.text import Message, msg

CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
MAX_BYTES = limits.NETBOX_BYTES
MAX_DEPTH = limits.NETBOX_DEPTH
MAX_EVENTS = limits.NETBOX_EVENTS
MAX_ROWS = 2_000
MAX_TEXT = 4_000
ROW_KEYS = {
    *("name", "type", "label", "position", "description", "mgmt_only", "enabled", "maximum_draw", "allocated_draw"),
    *("poe_mode", "poe_type", "rf_role"),
}
TO_KG = {"kg": 1.0, "g": 0.001, "lb": 0.45359237, "oz": 0.028349523}
AIRFLOWS = ("front-to-rear", "rear-to-front")


@dataclass(frozen=True, slots=True)
class Interface:
    """One interface of the record: its name, NetBox's type word, whether it is for management only."""

    name: str
    type: str
    mgmt_only: bool = False
    description: str = ""


@dataclass(frozen=True, slots=True)
class DeviceType:
    """A record as written. Weights in kg, power in W; None where the record says nothing."""

    manufacturer: str
    model: str
    u_height: float
    slug: str = ""
    part_number: str = ""
    is_full_depth: bool = True
    airflow: str = ""
    weight_kg: float | None = None
    interfaces: tuple[Interface, ...] = ()
    psu_max_draw_w: tuple[float | None, ...] = ()
    module_bays: tuple[str, ...] = ()
    device_bays: int = 0
    console_ports: int = 0
    remarks: tuple[Message, ...] = ()

    def summary(self) -> dict[str, Any]:
        """The record in numbers: what ``--json`` shows as understood."""
        return {
            "manufacturer": self.manufacturer,
            "model": self.model,
            "u_height": self.u_height,
            "interfaces": dict(Counter(row.type for row in self.interfaces)),
            "power_ports": len(self.psu_max_draw_w),
            "psu_max_draw_w": list(self.psu_max_draw_w),
            "module_bays": len(self.module_bays),
            "device_bays": self.device_bays,
            "console_ports": self.console_ports,
        }


def read_device_type(path: str | Path) -> DeviceType:
    """The record in a YAML file. Raises ``UserError`` naming file and place."""
    name = Path(path).name
    data = read_file(path, MAX_BYTES)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(msg("{file}: the file is not UTF-8 text.", file=name)) from None
    return _device_type(_parse(text, name), name)


def _parse(text: str, file: str) -> Mapping[str, Any]:
    import yaml

    # The same safe YAML read by libyaml: a hostile megabyte takes half a second instead of fifteen.
    safe: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(safe):  # type: ignore[misc]
        """Safe YAML that refuses a key written twice."""

    def mapping(loader: Loader, node: yaml.MappingNode) -> dict[Any, Any]:
        out: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            key = loader.construct_object(key_node, deep=True)
            if not isinstance(key, (str, int)) or key in out:
                raise yaml.MarkedYAMLError(problem=f"the key {str(key)[:40]} is written twice or is no word")
            out[key] = loader.construct_object(value_node, deep=True)
        return out

    Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, mapping)
    try:
        depth = 0
        for count, event in enumerate(yaml.parse(text, Loader=safe)):
            if isinstance(event, yaml.ScalarEvent) and CONTROL.search(event.value):
                raise UserError(msg("{file}: a text holds control characters.", file=file))
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
                raise UserError(msg("{file}: YAML aliases are not allowed in a device type.", file=file))
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > MAX_DEPTH:
                raise UserError(msg("{file}: is nested deeper than {limit} levels.", file=file, limit=MAX_DEPTH))
            if count > MAX_EVENTS:
                raise UserError(msg("{file}: holds more than {limit} rows.", file=file, limit=MAX_EVENTS))
        documents = list(yaml.load_all(text, Loader=Loader))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise UserError(
            msg(
                "{file}: line {line} is not a device type ({problem}).",
                file=file,
                line=line,
                problem=str(error.problem),
            )
        ) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        problem = " ".join(str(error).split())[:80]
        raise UserError(msg("{file}: is not readable YAML ({problem}).", file=file, problem=problem)) from None
    if len(documents) != 1 or not isinstance(documents[0], dict):
        raise UserError(msg("{file}: expected one NetBox device type.", file=file))
    return documents[0]


def _device_type(row: Mapping[str, Any], file: str) -> DeviceType:
    known = {"manufacturer", "model", "slug", "part_number", "u_height", "is_full_depth", "airflow", "weight"}
    known |= {"weight_unit", "interfaces", "power-ports", "module-bays", "device-bays", "console-ports", "comments"}
    known |= {"front_image", "rear_image"}
    if "slug" not in row and "u_height" not in row:
        raise UserError(msg("{file}: is a module type; expected a device type (with slug or u_height).", file=file))
    remarks: list[Message] = []
    ignored = sorted(str(key) for key in row if key not in known)
    for key in ("interfaces", "power-ports", "module-bays"):
        odd = sorted({str(k) for r in _rows(row, key, file) for k in r} - ROW_KEYS)
        ignored += [f"{key}.{k[:40]}" for k in odd]
    if ignored:
        remarks.append(msg("not used: {names}", names=ignored[:20]))
    interfaces = tuple(
        Interface(
            _text(i.get("name"), file, "interfaces.name"),
            _text(i.get("type"), file, "interfaces.type"),
            i.get("mgmt_only") is True,
            str(i.get("description") or "")[:200],
        )
        for i in _rows(row, "interfaces", file)
    )
    consoles = _rows(row, "console-ports", file)
    bays = _rows(row, "module-bays", file)
    for key, rows in (
        ("interfaces", [i.name for i in interfaces]),
        ("console-ports", [c.get("name") for c in consoles]),
    ):
        twice = sorted({str(name) for name, n in Counter(rows).items() if n > 1})
        if twice:
            remarks.append(msg("{key}: named twice: {names}", key=key, names=twice[:10]))
    airflow = str(row.get("airflow") or "")
    return DeviceType(
        manufacturer=_text(row.get("manufacturer"), file, "manufacturer"),
        model=_text(row.get("model"), file, "model"),
        part_number=str(row.get("part_number") or "")[:100],
        u_height=_number(row.get("u_height", 1), file, "u_height", 60),
        slug=str(row.get("slug") or "")[:100],
        is_full_depth=row.get("is_full_depth") is not False,
        airflow=airflow if airflow in AIRFLOWS else "",
        weight_kg=_weight(row, file),
        interfaces=interfaces,
        psu_max_draw_w=tuple(
            None if p.get("maximum_draw") is None else _number(p["maximum_draw"], file, "power-ports.maximum_draw", 1e6)
            for p in _rows(row, "power-ports", file)
        ),
        module_bays=tuple(_text(b.get("name"), file, "module-bays.name") for b in bays),
        device_bays=len(_rows(row, "device-bays", file)),
        console_ports=len(consoles),
        remarks=tuple(remarks),
    )


def _weight(row: Mapping[str, Any], file: str) -> float | None:
    if row.get("weight") is None:
        return None
    unit = str(row.get("weight_unit") or "kg")
    if unit not in TO_KG:
        raise UserError(
            msg("{file}: weight_unit is one of {known}, not '{found}'.", file=file, known=list(TO_KG), found=unit[:20])
        )
    return round(_number(row["weight"], file, "weight", 1e5) * TO_KG[unit], 2)


def _rows(row: Mapping[str, Any], key: str, file: str) -> Sequence[Mapping[str, Any]]:
    value = row.get(key)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(v, dict) for v in value):
        raise UserError(msg("{file}: '{key}' must be a list of rows.", file=file, key=key))
    if len(value) > MAX_ROWS:
        raise UserError(msg("{file}: '{key}' has more than {limit} rows.", file=file, key=key, limit=MAX_ROWS))
    return value


def _text(value: object, file: str, key: str) -> str:
    """A word of the record; numbers count as words (a model may be 7060), nothing else does."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)) or not str(value).strip():
        raise UserError(msg("{file}: '{key}' is missing or no text.", file=file, key=key))
    text = " ".join(str(value).split())
    if len(text) > MAX_TEXT // 20 or any(ord(c) < 32 for c in text):
        raise UserError(
            msg("{file}: '{key}' is longer than {limit} characters.", file=file, key=key, limit=MAX_TEXT // 20)
        )
    return text


def _number(value: object, file: str, key: str, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= most:
        raise UserError(msg("{file}: '{key}' must be a number from 0 to {most}.", file=file, key=key, most=most))
    return value
