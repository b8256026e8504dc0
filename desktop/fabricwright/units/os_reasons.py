"""Why the operating system refused, in the reader's language."""

from __future__ import annotations

from fabricwright.units.text import N_, Message, msg

KNOWN = (
    N_("Device or resource busy"),
    N_("File exists"),
    N_("File name too long"),
    N_("Input/output error"),
    N_("Is a directory"),
    N_("No space left on device"),
    N_("No such file or directory"),
    N_("Not a directory"),
    N_("Operation not permitted"),
    N_("Permission denied"),
    N_("Read-only file system"),
    N_("Too many levels of symbolic links"),
    N_("Too many open files"),
    N_("not an ordinary file"),
    N_("read-only"),
    N_("what was written reads back differently"),
)
"""Texts of the C library, and our own in their place, that are translated; the others stay as the system says them."""


def reason_of(error: Exception) -> Message:
    """The system's sentence about an error of a file, else the error's name."""
    if isinstance(error, ValueError):  # a NUL or half a character in it
        return msg("no file can have this name")
    return Message(str(getattr(error, "strerror", None) or type(error).__name__).replace("{", "(").replace("}", ")"))
