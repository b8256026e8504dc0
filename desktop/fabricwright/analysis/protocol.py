"""Frames between the window and the worker: no pickle, no socket.

A frame is two little-endian uint32 (header bytes, payload bytes), a JSON header with a ``type``, and a raw payload.

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
