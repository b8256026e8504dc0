"""Small painted widgets that panels are put together from. They look up theme and font when painting.

Each is loaded when it is first asked for: the first frame of the window needs a third of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabricwright.ui.widgets.answer_buttons import answer_buttons
    from fabricwright.ui.widgets.breadcrumb import Breadcrumb
    from fabricwright.ui.widgets.budget_bar import BudgetBar, paint_budget_bar
    from fabricwright.ui.widgets.cell_combo import CellCombo, Named
    from fabricwright.ui.widgets.chip import Chip, chip_size, paint_chip
    from fabricwright.ui.widgets.dock_head import DockHead
    from fabricwright.ui.widgets.editable_table import EditableTable, complain
    from fabricwright.ui.widgets.empty_state import EmptyState
    from fabricwright.ui.widgets.flow import FlowLayout
    from fabricwright.ui.widgets.kpi import KpiLabel
    from fabricwright.ui.widgets.notice_box import NoticeBox
    from fabricwright.ui.widgets.search_field import SearchField
    from fabricwright.ui.widgets.section_header import SectionHeader
    from fabricwright.ui.widgets.segmented import SegmentedSwitch
    from fabricwright.ui.widgets.severity_counts import SeverityCounts
    from fabricwright.ui.widgets.surface import Divider, ElidedLabel, TextLabel, set_surface
    from fabricwright.ui.widgets.text_button import TextButton

#: Name -> module of this package.
_MODULES = {
    "Breadcrumb": "breadcrumb",
    "BudgetBar": "budget_bar",
    "CellCombo": "cell_combo",
    "Chip": "chip",
    "Divider": "surface",
    "DockHead": "dock_head",
    "EditableTable": "editable_table",
    "ElidedLabel": "surface",
    "EmptyState": "empty_state",
    "FlowLayout": "flow",
    "KpiLabel": "kpi",
    "Named": "cell_combo",
    "NoticeBox": "notice_box",
    "SearchField": "search_field",
    "SectionHeader": "section_header",
    "SegmentedSwitch": "segmented",
    "SeverityCounts": "severity_counts",
    "TextButton": "text_button",
    "TextLabel": "surface",
    "answer_buttons": "answer_buttons",
    "chip_size": "chip",
    "complain": "editable_table",
    "paint_budget_bar": "budget_bar",
    "paint_chip": "chip",
    "set_surface": "surface",
}

__all__ = [
    "Breadcrumb",
    "BudgetBar",
    "CellCombo",
    "Chip",
    "Divider",
    "DockHead",
    "EditableTable",
    "ElidedLabel",
    "EmptyState",
    "FlowLayout",
    "KpiLabel",
    "Named",
    "NoticeBox",
    "SearchField",
    "SectionHeader",
    "SegmentedSwitch",
    "SeverityCounts",
    "TextButton",
    "TextLabel",
    "answer_buttons",
    "chip_size",
    "complain",
    "paint_budget_bar",
    "paint_chip",
    "set_surface",
]


def __getattr__(name: str) -> object:
    """A widget by its name, loaded now."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = found
    return found
