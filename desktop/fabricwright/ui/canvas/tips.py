"""Boxes of text that go with the pointer: what dropping a card or a link here would do."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from fabricwright.ui.canvas.state import Ghost
from fabricwright.ui.icons import paint_state
from fabricwright.ui.paint import text
from fabricwright.ui.paint.primitives import NEAR, Ink, shell
from fabricwright.ui.theme import MEDIUM, SEMIBOLD


def paint_tip(p: QPainter, ghost: Ghost, seen: QRectF, ink: Ink) -> None:
    """Box beside the ghost: verdict, lanes, power and memory before and after."""
    z = 1 / ink.scale
    flat = Ink(ink.theme, 1.0, NEAR)
    width = max(336.0, min(420.0, text.width(ghost.tip_title, 13, SEMIBOLD) + 60))
    notes = wrapped(ghost.tip_note, width - 30, 12) if ghost.tip_note else []
    height = 38 + 26 * len(ghost.tip_rows) + 17 * len(notes) + (8 if notes or ghost.tip_rows else 0)
    box = QRectF(0, 0, width, height)
    x, y = ghost.x + ghost.w / 2 + 16 * z, ghost.y - 12 * z
    if x + width * z > seen.right():
        x = max(seen.left() + 6 * z, ghost.x - ghost.w / 2 - (width + 16) * z)
    y = min(y, seen.bottom() - (height + 8) * z)
    p.save()
    p.translate(x, y)
    p.scale(z, z)
    shell(p, box, flat, outline="border", radius=8)
    sign = {"ok": "ok", "warn": "warning", "error": "error"}.get(ghost.tip_state, "info")
    paint_state(p, sign, QRectF(14, 11, 16, 16))
    text.draw_in(p, QRectF(38, 6, width - 50, 26), (ghost.tip_title,), 13, flat["text"], weight=SEMIBOLD)
    y = 36.0
    for label, figure, tail, before, after in ghost.tip_rows:
        text.draw_in(p, QRectF(14, y, 88, 22), (label,), 12, flat["text.2"])
        track = QRectF(104, y + 8, 70, 6)
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(flat["hover"])
        p.drawRoundedRect(track, 3, 3)
        p.setBrush(flat.theme.alpha("ok" if after <= 1 else "error", 0.5))
        p.drawRoundedRect(QRectF(track.left(), track.top(), 70 * min(max(after, 0.04), 1), 6), 3, 3)
        p.setBrush(flat["pcie"])
        p.drawRoundedRect(QRectF(track.left(), track.top(), 70 * min(max(before, 0.03), 1), 6), 3, 3)
        used = text.draw_in(p, QRectF(184, y, width - 194, 22), (figure,), 12, flat["text"], weight=SEMIBOLD)
        text.draw_in(p, QRectF(190 + used, y, width - 200 - used, 22), (tail,), 12, flat["text.2"])
        y += 26
    for line in notes:
        text.draw_in(p, QRectF(14, y, width - 24, 17), (line,), 12, flat["text.2"])
        y += 17
    p.restore()


def paint_note(
    p: QPainter, at: tuple[float, float], lines: tuple[str, ...], token: str, seen: QRectF, ink: Ink
) -> None:
    """What a link would be, beside its loose end; on the other side where the view ends."""
    z = 1 / ink.scale
    flat = Ink(ink.theme, 1.0, NEAR)
    shown = [piece for line in lines[:4] for piece in wrapped(line, 300, 12)]
    width = max(text.width(line, 12, MEDIUM) for line in shown) + 26
    height = 14.0 + 18 * len(shown)
    x, y = at[0] + 16 * z, at[1] + 14 * z
    if x + (width + 6) * z > seen.right():
        x = max(seen.left() + 6 * z, at[0] - (16 + width) * z)
    if y + (height + 6) * z > seen.bottom():
        y = max(seen.top() + 6 * z, at[1] - (14 + height) * z)
    p.save()
    p.translate(x, y)
    p.scale(z, z)
    shell(p, QRectF(0, 0, width, height), flat, outline=token, radius=6)
    for n, line in enumerate(shown):
        text.draw_in(
            p,
            QRectF(12, 7 + 18 * n, width - 16, 18),
            (line,),
            12,
            flat["text" if n == 0 else "text.2"],
            weight=MEDIUM if n == 0 else 400,
        )
    p.restore()


def wrapped(line: str, room: float, px: int) -> list[str]:
    """Break a sentence to a width: at spaces, and between Han characters."""
    out: list[str] = []
    current = ""
    word = ""
    for char in [*line, ""]:
        word += char
        if char == "" or char == " " or ord(char) > 0x2E7F:
            if current and text.width((current + word).rstrip(), px, MEDIUM) > room:
                out.append(current.rstrip())
                current = word
            else:
                current += word
            word = ""
    if current.strip():
        out.append(current.rstrip())
    return out
