"""Small painted widgets that panels are put together from. They look up theme and font when painting."""

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
