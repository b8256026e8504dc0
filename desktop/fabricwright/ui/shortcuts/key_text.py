"""What a key is called on the screen."""

from __future__ import annotations

from PySide6.QtGui import QKeySequence

#: What keyboards show on these keys, by their portable name; Qt's Chinese spells them out.
SIGNS = {"Left": "←", "Right": "→", "Up": "↑", "Down": "↓", "Return": "Enter"}


def native(key: QKeySequence) -> str:
    """A key as the platform writes it; where that is translated, a key keeps the sign that is printed on it."""
    text = key.toString(QKeySequence.SequenceFormat.NativeText)
    portable = key.toString(QKeySequence.SequenceFormat.PortableText)
    before, plus, last = portable.rpartition("+")
    if text == portable or last not in SIGNS:
        return text
    held = QKeySequence(f"{before}+A").toString(QKeySequence.SequenceFormat.NativeText)[:-1] if plus else ""
    return held + SIGNS[last]
