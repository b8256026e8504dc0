"""What stands in place of the list of problems when it has no row."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from fabricwright.ui.analysis_state import AnalysisState

#: After so many seconds it is no longer said when the checks ran.
_LONG_AGO_S = 90


def quiet_words(analysis: AnalysisState, *, filtered: bool, since_s: float) -> tuple[list[str], str, str, str]:
    """(lines, verb, picture, its colour): the filter hides everything, the checks do not run, or all is well.

    ``filtered`` there are problems that are not shown; ``since_s`` seconds since the last check.
    """
    if filtered:
        said = QCoreApplication.translate("ProblemsPanel", "No problem matches the filter.")
        return [said], QCoreApplication.translate("ProblemsPanel", "Show all"), "", "text.3"
    if analysis.status in ("lost", "failed"):
        said = QCoreApplication.translate("ProblemsPanel", "The checks are not running.")
        return [said], "", "warning-triangle", "warn"
    if analysis.status == "starting" or not analysis.checked:
        return [QCoreApplication.translate("ProblemsPanel", "Checking…")], "", "", "text.3"
    return [_all_clear(analysis, since_s)], "", "ok-circle", "ok"


def _all_clear(analysis: AnalysisState, since_s: float) -> str:
    seconds = f"{since_s:.1f}" if since_s < 1 else f"{since_s:.0f}"
    rules = analysis.figures.get("rules")
    if since_s >= _LONG_AGO_S:
        return QCoreApplication.translate("ProblemsPanel", "No problems.")
    if rules:
        text = QCoreApplication.translate("ProblemsPanel", "No problems. {rules} rules, {seconds} s ago.")
        return text.format(rules=rules, seconds=seconds)
    text = QCoreApplication.translate("ProblemsPanel", "No problems. Checked {seconds} s ago.")
    return text.format(seconds=seconds)
