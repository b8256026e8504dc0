"""How many alternatives are looked for; read by the window, which does not load the rest of the analysis."""

from __future__ import annotations

MOST = 8
