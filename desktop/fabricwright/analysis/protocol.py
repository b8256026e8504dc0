"""Frames between the window and the worker: no pickle, no socket.

A frame is two little-endian uint32 (header bytes, payload bytes), a JSON header with a ``type``, and a raw payload.
Arrays travel in the payload as little-endian bytes; the header then lists them in ``arrays``: [name, dtype, length].

Window -> worker: hello(seq, design, payload = project file), patch(seq, patch), view(...), mend(rule), fit(name, logs),
price_list(path, columns, ...), size(requirement), size_take(alternative), layouts(workload), stop.
Worker -> window: ready, comparison, findings, figures, sheets, bill, price_list, prediction, heat, measured,
resilience, mended, fitted, sized, size_taken, training, layouts_found, status, problem, resync.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fabricwright.units import limits

HEAD = struct.Struct("<II")
MAX_HEADER_BYTES = limits.FRAME_HEADER_BYTES
MAX_PAYLOAD_BYTES = limits.FRAME_PAYLOAD_BYTES


class FrameError(Exception):
    """The byte stream is not a sequence of frames; the peer must be restarted."""


def pack(header: Mapping[str, Any], payload: bytes = b"") -> bytes:
    """One frame."""
    head = json.dumps(header, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8")
    return HEAD.pack(len(head), len(payload)) + head + payload


def pack_arrays(header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """A frame whose payload is some arrays, little-endian, in order."""
    listed = []
    pieces = []
    for name, array in arrays.items():
        plain = np.ascontiguousarray(array)
        little = plain.astype(plain.dtype.newbyteorder("<"), copy=False)
        listed.append([name, little.dtype.str, int(little.size)])
        pieces.append(little.tobytes())
    return pack({**header, "arrays": listed}, b"".join(pieces))


def unpack_arrays(header: Mapping[str, Any], payload: bytes) -> dict[str, NDArray[Any]]:
    """Arrays of a frame made by ``pack_arrays``."""
    out: dict[str, NDArray[Any]] = {}
    offset = 0
    for name, dtype, length in header.get("arrays", []):
        out[name] = np.frombuffer(payload, dtype=dtype, count=length, offset=offset)
        offset += out[name].nbytes
    return out


class Unpacker:
    """Collects bytes as they arrive and yields whole frames."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[tuple[dict[str, Any], bytes]]:
        """Add bytes; yields (header, payload) for every frame that is complete. Raises FrameError on nonsense."""
        self._buffer += data
        while len(self._buffer) >= HEAD.size:
            n_head, n_payload = HEAD.unpack_from(self._buffer)
            if n_head > MAX_HEADER_BYTES or n_payload > MAX_PAYLOAD_BYTES:
                raise FrameError(f"frame of {n_head} + {n_payload} bytes")
            end = HEAD.size + n_head + n_payload
            if len(self._buffer) < end:
                return
            head = bytes(self._buffer[HEAD.size : HEAD.size + n_head])
            payload = bytes(self._buffer[HEAD.size + n_head : end])
            del self._buffer[:end]
            try:
                header = json.loads(head)
            except ValueError as error:
                raise FrameError("frame header is not JSON") from error
            if not isinstance(header, dict) or "type" not in header:
                raise FrameError("frame header has no type")
            yield header, payload
