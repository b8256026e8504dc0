"""Whether the last edit left the predicted figure as it was, and what to say then."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from fabricwright.design.patch import Patch
from fabricwright.ui.context import UiContext
from fabricwright.ui.panels.performance_chart import row_at
from fabricwright.ui.panels.words import binding_text


class SameFigure:
    """Remembers what was shown before an edit (``edited``), compares when the answer is there (``judge``)."""

    def __init__(self, context: UiContext) -> None:
        self._context = context
        self._edited = False
        self._before: tuple[object, ...] | None = None

    def forget(self) -> None:
        """Something else is asked: there is nothing to compare with."""
        self._before = None

    def edited(self, patch: Patch | None) -> None:
        """The project changed; None: it is another one."""
        if patch is None:
            self._before, self._edited = None, False
            return
        if not self._edited:
            self._before = self._figures()
        self._edited = True

    def judge(self) -> str | None:
        """After an edit that had something to compute: the sentence when nothing changed, "" when something did; None
        without an edit.
        """
        if not self._edited:
            return None
        self._edited = False
        same = self._before is not None and self._before == self._figures()
        return self._why() if same and self._context.analysis.ran else ""

    def _figures(self) -> tuple[object, ...] | None:
        prediction = self._context.analysis.prediction
        row = row_at(prediction, int(self._context.analysis.size_bytes))
        if row is None or prediction.get("error"):
            return None
        return (prediction.get("collective"), row["bytes"], prediction.get("ranks"), row["time_us"])

    def _why(self) -> str:
        row = row_at(self._context.analysis.prediction, int(self._context.analysis.size_bytes))
        what = binding_text(self._context.design_row, row)
        text = QCoreApplication.translate(
            "PerformancePanel", "The last edit changed nothing here: {what} binds as before."
        )
        return text.format(what=what)
