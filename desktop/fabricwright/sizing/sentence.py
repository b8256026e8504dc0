"""A requirement said in one sentence, English or Chinese: "512 H100, RoCE 400G, 1:1, 20 kW racks".

``read_sentence`` understands counts of GPUs, servers and NICs, models of GPUs, part ids and models of servers, NICs and
switches, protocol, rate of a NIC port, oversubscription, tiers, planes, rails, redundancy, the other networks, rack
power and height, where leafs stand, longest cable and growth. What it does not understand it gives back as written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from fabricwright.catalog.store import catalogue
from fabricwright.design.values import Sheet
from fabricwright.sizing.offer import CABLED_CHASSIS, nic_slots

SERVER_OF = {
    "a100": "dgx-a100",
    "h100": "dgx-h100",
    "h200": "dgx-h200",
    "b200": "dgx-b200",
    "b300": "dgx-b300",
    "mi300x": "as-8125gs-tnmr2",
    "mi325x": "as-8125gs-tnmr2",
    "l40s": "sys-421ge-tnrt",
    "gb200": "gb200-compute-tray",
}
"""The server that is meant by a GPU alone: the reference design, or the one of the catalogue with these GPUs."""
BUILT_IN_GBPS = {
    "dgx-a100": 200.0,
    "dgx-h100": 400.0,
    "dgx-h200": 400.0,
    "dgx-b200": 400.0,
    "dgx-b300": 800.0,
}
"""Rate of the built-in NICs: asking for it changes nothing (catalogue, ``compute`` export of each server)."""
NIC_OF = {
    100.0: "mcx623106an-cdat",
    200.0: "lres1260pf-2qsfp112",
    400.0: "mcx75310aas-neat",
    800.0: "c8180",
}
"""A NIC of this port rate for servers whose own NICs have another."""

OPEN_SERVER = "generic-2s-4u8g"
"""A server with free slots for NICs and eight PCIe GPUs, for a NIC that the reference design has no slot for."""
CARD_OF = {"a100": "a100-pcie-80gb", "h100": "h100-pcie-80gb", "h200": "h200-nvl-141gb", "l40s": "l40s"}
"""The same GPU as a card."""

_NUMBER = r"(\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?)"
_GPU_WORD = r"(?:gpus?|cards?|accelerators?|卡|张卡|块卡|张|块|颗|个)"
_MODEL = r"(h100|h200|b200|b300|gb200|a100|mi300x|mi325x|l40s)s?"
_ENDS = r"(?![a-z0-9])"


@dataclass(frozen=True, slots=True)
class Reading:
    """``values`` fields of ``Requirement`` that the sentence sets; ``rest`` pieces that were not understood."""

    values: dict[str, Any] = field(default_factory=dict)
    rest: tuple[str, ...] = ()


def read_sentence(text: str) -> Reading:
    """What a sentence asks for. Never raises: numbers out of range are left to ``requirement.checked``."""
    left = text.strip()[:2000].replace("×", "x").replace("：", ":").replace("，", ", ").replace("、", ", ")
    values: dict[str, Any] = {}
    for pattern, take in _rules():
        while (found := pattern.search(left)) is not None:
            values.update({k: v for k, v in take(found, values).items() if k not in values or k == "networks"})
            left = left[: found.start()] + " ; " + left[found.end() :]
    left = _each(_parts(left, values), values)
    values = _settled(values)
    rest = [p.strip(" .。!?") for p in re.split(r"[;,；\n]", left)]
    return Reading(values, tuple(p for piece in rest if (p := _without_filler(piece))))


def _whole(text: str) -> int:
    return int(float(text.replace(",", "")))


def _add(name: str) -> Callable[[re.Match[str], dict[str, Any]], dict[str, Any]]:
    return lambda _m, so_far: {"networks": tuple(dict.fromkeys((*so_far.get("networks", ("compute",)), name)))}


def _is(**values: Any) -> Callable[[re.Match[str], dict[str, Any]], dict[str, Any]]:
    return lambda _m, _so_far: values


def _count(name: str) -> Callable[[re.Match[str], dict[str, Any]], dict[str, Any]]:
    return lambda m, _so_far: {name: _whole(m[1])}


def _number(name: str) -> Callable[[re.Match[str], dict[str, Any]], dict[str, Any]]:
    return lambda m, _so_far: {name: float(m[1].replace(",", ""))}


def _ratio(m: re.Match[str], _so_far: dict[str, Any]) -> dict[str, Any]:
    low = float(m[2])
    return {"oversubscription": (float(m[1]) / low,)} if low > 0 else {}


def _gpus(m: re.Match[str], _so_far: dict[str, Any]) -> dict[str, Any]:
    factor = 1024 if (m[2] or "").casefold() == "k" else 1
    count = int(float(m[1].replace(",", "")) * factor)
    model = (m[3] or "").casefold()
    return {"gpus": count, **({"model": model} if model else {})}


_WORDS = {"two": "2", "three": "3", "one": "1", "single": "1", "dual": "2", "双": "2", "两": "2", "二": "2",
          "三": "3", "一": "1", "单": "1", "四": "4"}  # fmt: skip
_FEW = r"([1-4]|one|single|two|dual|three|双|两|二|三|一|单|四)"


def _few(name: str) -> Callable[[re.Match[str], dict[str, Any]], dict[str, Any]]:
    return lambda m, _so_far: {name: int(_WORDS.get(m[1].casefold(), m[1]))}


_Take = Callable[[re.Match[str], dict[str, Any]], dict[str, Any]]


def _rule(pattern: str, take: _Take) -> tuple[str, _Take]:
    return pattern, take


_START = r"(?<![a-z0-9.\-])"
_RULES = (
    _rule(
        r"(?:grow(?:ing|s)?\s*to|later|以后|将来|扩展到|扩容到|增长到)\s*"
        rf"{_START}{_NUMBER}\s*(?:{_GPU_WORD}(?:\s*gpus?)?)?",
        _count("grow_to"),
    ),
    _rule(rf"{_START}{_NUMBER}\s*{_GPU_WORD}?\s*(?:later|以后)", _count("grow_to")),
    _rule(
        rf"{_START}{_NUMBER}\s*kw(?:\s*(?:per\s*rack|racks?|a\s*rack|/\s*rack|机柜|每柜|每机柜))?",
        _number("rack_kw"),
    ),
    _rule(rf"(?:每柜|每机柜|机柜)\s*{_NUMBER}\s*(?:kw|千瓦)", _number("rack_kw")),
    _rule(rf"{_START}{_NUMBER}\s*千瓦(?:\s*(?:机柜|每柜))?", _number("rack_kw")),
    _rule(rf"{_START}(\d\d)\s*u{_ENDS}(?:\s*(?:racks?|机柜|高))?", _count("rack_u")),
    _rule(
        r"(?:cables?\s*(?:up\s*to|<=?)?|reach|longest|线缆(?:最长|不超过)?|最长)\s*"
        rf"{_NUMBER}\s*(?:m|米){_ENDS}",
        _number("max_cable_m"),
    ),
    _rule(rf"{_START}{_NUMBER}\s*(?:m|米)(?:\s*(?:cables?|reach|线缆|距离))?{_ENDS}", _number("max_cable_m")),
    _rule(
        r"(?:oversubscription|over-?subscribed|收敛比?)?\s*(?<![\d.])(\d+(?:\.\d+)?)\s*:\s*(1)(?!\d)\s*"
        r"(?:oversubscription|over-?subscribed|收敛)?",
        _ratio,
    ),
    _rule(r"non-?\s*blocking|无阻塞|无收敛|非阻塞", _is(oversubscription=(1.0,))),
    _rule(
        rf"{_FEW}\s*[- ]?\s*(?:tiers?{_ENDS}|[层级])\s*(?:网络|胖树|spine\s*[-–/]?\s*leaf|leaf\s*[-–/]?\s*spine)?",
        _few("tiers"),
    ),
    _rule(rf"{_FEW}\s*[- ]?\s*(?:planes?|平面)", _few("planes")),
    _rule(r"(?:no|without)\s*rails?|不分轨(?:道)?|无轨道?", _is(rails="no")),
    _rule(r"rail[- ]?(?:optimi[sz]ed|aligned|only)?s?\b|轨道(?:优化|对齐)?|多轨|分轨", _is(rails="yes")),
    _rule(
        r"(?:no\s*single\s*points?\s*of\s*failure|survives?\s*(?:a|one)\s*(?:leaf|switch)(?:\s*failure)?|"
        r"redundan(?:t|cy)|n\s*\+\s*1|冗余|无单点(?:故障)?)",
        _is(redundancy=1),
    ),
    _rule(
        rf"{_START}{_NUMBER}\s*(?:servers?|nodes?|machines?|台服务器|台|个?节点)\s*(?:x|of|with|,?\s*每(?:台|个?节点))\s*"
        rf"([48])\s*(?:x\s*)?{_GPU_WORD}?\s*(?:{_MODEL})?{_ENDS}(?:\s*{_GPU_WORD})?",
        lambda m, _s: {"servers": _whole(m[1]), **({"model": m[3].casefold()} if m[3] else {})},
    ),
    _rule(
        rf"{_START}{_NUMBER}\s*x\s*([48])\s*(?:x\s*)?(?:{_MODEL})?{_ENDS}(?!\s*(?:x\s*)?\d*\s*(?:g|gbe|gb/s|gbit/s)\b)",
        lambda m, _s: {"servers": _whole(m[1]), **({"model": m[3].casefold()} if m[3] else {})},
    ),
    _rule(rf"{_START}{_NUMBER}\s*(?:servers?|nodes?|machines?|台服务器|台|节点|个节点)", _count("servers")),
    _rule(
        rf"{_START}([1-9]\d?)\s*(?:x\s*)?(?:(?:\d+\s*g\s*)?(?:nics?|hcas?|网卡|张网卡|块网卡|个网卡))"
        r"(?:\s*(?:per|/|a)\s*(?:server|node))?",
        _count("nics_per_server"),
    ),
    _rule(
        rf"{_START}([1-9]\d?)\s*x\s*(25|40|50|100|200|400|800)\s*g(?:be|b/s|bps|bit/s)?{_ENDS}",
        lambda m, _s: {"nics_per_server": _whole(m[1]), "gbps": float(m[2])},
    ),
    _rule(rf"{_START}{_NUMBER}\s*(k)?\s*(?:x\s*)?{_MODEL}{_ENDS}(?:\s*{_GPU_WORD})?", _gpus),
    _rule(rf"{_START}{_NUMBER}\s*(k)?\s*(?:x\s*)?(?:个|张|块)?\s*{_GPU_WORD}(?:\s*gpus?)?()", _gpus),
    _rule(rf"(?:ndr)\s*(?:400)?{_ENDS}", _is(medium="ib", gbps=400.0)),
    _rule(rf"(?:xdr)\s*(?:800)?{_ENDS}", _is(medium="ib", gbps=800.0)),
    _rule(rf"(?:hdr)\s*(?:200)?{_ENDS}", _is(medium="ib", gbps=200.0)),
    _rule(rf"roce(?:\s*v?2)?|ethernet|spectrum-?x|以太网|{_START}eth{_ENDS}", _is(medium="eth")),
    _rule(rf"infini\s?band|{_START}ib{_ENDS}", _is(medium="ib")),
    _rule(
        rf"{_START}(25|40|50|100|200|400|800)\s*(?:gbe|gb/s|gbps|gbit/s|g){_ENDS}",
        lambda m, _s: {"gbps": float(m[1])},
    ),
    _rule(r"out-?of-?band|oob|带外(?:管理)?(?:网络?)?|management\s*network", _add("oob")),
    _rule(r"in-?band|带内(?:管理)?(?:网络?)?", _add("inband")),
    _rule(r"storage(?:\s*network)?|存储(?:网络?)?", _add("storage")),
    _rule(r"top[- ]of[- ]rack|\btor\b|柜顶", _is(leaf_place="top")),
    _rule(r"middle[- ]of[- ]row|\bmor\b|列中", _is(leaf_place="middle")),
    _rule(r"end[- ]of[- ]row|\beor\b|列头|列尾", _is(leaf_place="end")),
)
"""Longer phrases before what they contain; a piece that one rule took is gone for those after it."""


@cache
def _rules() -> tuple[tuple[re.Pattern[str], _Take], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), take) for pattern, take in _RULES)


def warm_up() -> Iterator[None]:
    """What the first sentence waits for, in pieces of some milliseconds each: for a window that has time before it."""
    for n, (pattern, _take) in enumerate(_RULES):
        re.compile(pattern, re.IGNORECASE)  # kept by ``re``
        if n % 8 == 7:
            yield
    _rules()
    yield
    store = catalogue()
    names = [part for kind in _NAMED for part in store.kinds().get(kind, ())]
    for n, part in enumerate(names):
        store.raw(part)
        if n % 40 == 39:
            yield
    _known()


_NAMED = ("server", "nic", "switch", "rack")


@cache
def _known() -> tuple[tuple[str, str, str], ...]:
    """(how it is written, kind, id) of servers, NICs, switches and GPUs, the longest first."""
    store = catalogue()
    out = set()
    for kind in _NAMED:
        for part in store.kinds().get(kind, ()):
            model = str(store.raw(part).get("model", "")).casefold()
            out |= {(w, kind, part) for w in {part, part.replace("-", " "), model} if len(w) > 3}
    stems: dict[str, set[str]] = {}
    for part in store.kinds().get("nic", ()):
        stems.setdefault(part.partition("-")[0], set()).add(part)
    # "LRES1260PF" for LRES1260PF-2QSFP112, where only one NIC begins so.
    out |= {(stem, "nic", next(iter(of))) for stem, of in stems.items() if len(of) == 1 and len(stem) > 6}
    return tuple(sorted(out, key=lambda row: (-len(row[0]), row)))


def _parts(left: str, values: dict[str, Any]) -> str:
    """Parts of the catalogue named in what is left, then GPU models."""
    plain = left.casefold()
    for word, kind, part in _known():
        if word not in plain:  # an expression for each of the catalogue's names would cost 0.1 s the first time
            continue
        found = re.search(rf"{_START}{re.escape(word)}s?{_ENDS}", left, re.IGNORECASE)
        if found is None:
            continue
        left = left[: found.start()] + " ; " + left[found.end() :]
        if kind == "switch":
            values["switches"] = (*values.get("switches", ()), part)
        else:
            values.setdefault(kind, part)
    found = re.search(rf"{_START}{_MODEL}{_ENDS}", left, re.IGNORECASE)
    if found is not None:
        values.setdefault("model", found[1].casefold())
        left = left[: found.start()] + " ; " + left[found.end() :]
    return left


_EACH = re.compile(
    r"(?:每台(?:服务器)?|每(?:个)?节点)\s*([1-9一两二三四])\s*[张块个]|([1-9]|one|two|three)\s*(?:nics?\s*)?(?:each|per\s*(?:server|node))\b",
    re.IGNORECASE,
)
"""So many of the NIC that was named, in each server: read once the name of the NIC is gone from between the words."""


def _each(left: str, values: dict[str, Any]) -> str:
    """Count of the named NIC: "one <NIC> each", "每台一张<NIC>"."""
    found = _EACH.search(re.sub(r" ; ", "   ", left)) if "nic" in values else None
    if found is None:
        return left
    word = (found[1] or found[2]).casefold()
    values.setdefault("nics_per_server", int(_WORDS.get(word, word)))
    return left[: found.start()] + " ; " + left[found.end() :]


def _settled(values: dict[str, Any]) -> dict[str, Any]:
    """Model and rate become a server and a NIC; servers win over GPUs."""
    model, gbps = str(values.pop("model", "")), float(values.pop("gbps", 0.0))
    if model and "server" not in values and SERVER_OF[model] in catalogue():
        values["server"] = SERVER_OF[model]
        if model == "l40s":
            values["gpu"] = "l40s"
    named = "server" in values and SERVER_OF.get(model) != values["server"]
    server = str(values.get("server", "dgx-h100"))
    if gbps and "nic" not in values and BUILT_IN_GBPS.get(server, 0.0) != gbps:
        nic = NIC_OF.get(gbps, "")
        if nic in catalogue():
            values["nic"] = nic
    if "nic" in values and not named and not _takes_nic(server, str(values["nic"])):
        values["server"] = CABLED_CHASSIS if values.get("nics_per_server", 1) == 1 else OPEN_SERVER
        if model in CARD_OF and CARD_OF[model] in catalogue():
            values["gpu"] = CARD_OF[model]
    if "servers" in values:
        values.pop("gpus", None)
    if len(values.get("switches", ())) == 1:
        values["leaf"] = values.pop("switches")[0]
    return values


def _takes_nic(server: str, nic: str) -> bool:
    """Whether a server has the NIC built in, or a slot for it."""
    part = catalogue().get(server)
    built = {i.of for i in part.interior.items.values()} if part.interior is not None else set()
    return nic in built or bool(nic_slots(part, catalogue().get(nic), Sheet("server", "", server)))


_FILLER = re.compile(
    r"\b(?:with|and|in|on|of|the|a|an|for|at|we|i|need|want|now|today|please|each|per|server|servers|nic|nics|network|"
    r"networks|fabric|racks?|x|now|from|to|gpus?|hgx|dgx|cluster|using|use|leafs?|spines?|compute)\b|"
    r"每台|每柜|每机柜|每|服务器|网卡|网络|机柜|机架|集群|使用|采用|需要|我们|现在|目前|今天|的|和|与|及|用|张|块|台|个|带|有|计算",
    re.IGNORECASE,
)


def _without_filler(piece: str) -> str:
    """The piece as written, "" when nothing but little words is in it."""
    return "" if not re.sub(r"[\s\-()/+]", "", _FILLER.sub("", piece)) else " ".join(piece.split())
