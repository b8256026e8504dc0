"""Whole windows, too, say nothing that no test expects."""

from __future__ import annotations

from tests.ui.conftest import nothing_unexpected_is_said

__all__ = ["nothing_unexpected_is_said"]
