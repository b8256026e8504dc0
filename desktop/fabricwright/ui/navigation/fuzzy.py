"""How well a few typed letters fit a text. No Qt."""

from __future__ import annotations

_BREAKS = " -_/.:,()[]×"
EXACT, START, WORD, INSIDE = 100.0, 80.0, 60.0, 40.0


def word_score(word: str, text: str) -> float | None:
    """Score of one word against a text, both in lower case; higher is better, None = does not fit.

    The whole text, its start, the start of a word, anywhere; else the letters in their order, the tighter the better
    ("dgxh1" fits "dgx h100", "tm" does not fit everything that holds a t and an m far apart).
    """
    place = text.find(word)
    if place >= 0:
        if word == text:
            return EXACT
        if place == 0:
            return START
        while place >= 0:
            if text[place - 1] in _BREAKS:
                return WORD
            place = text.find(word, place + 1)
        return INSIDE
    if len(word) < 2:
        return None
    at, first, breaks = -1, -1, 0
    for letter in word:
        found = text.find(letter, at + 1)
        if found < 0:
            return None
        if first < 0:
            first = found
        if found == 0 or text[found - 1] in _BREAKS:
            breaks += 1
        at = found
    spread = at - first + 1 - len(word)
    if spread > 2 * len(word) and breaks < len(word):
        return None
    return max(1.0, 18.0 + 4.0 * breaks - spread)


def score(query: str, texts: tuple[str, ...]) -> float | None:
    """Score of a query: every word must fit one of the texts (lower case, the most telling first); None = no."""
    words = query.casefold().split()
    total = 0.0
    for word in words:
        best: float | None = None
        for rank, text in enumerate(texts):
            fit = word_score(word, text)
            if fit is not None and (best is None or fit - 12.0 * rank > best):
                best = fit - 12.0 * rank
        if best is None:
            return None
        total += best
    if not words:
        return 0.0
    return total / len(words) - min(len(texts[0]) if texts else 0, 60) * 0.05
