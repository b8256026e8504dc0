"""What Qt asks a style for in numbers and names: sizes, hints, standard icons, and what is not drawn at all."""

from __future__ import annotations

from PySide6.QtWidgets import QStyle

from fabricwright.ui import style_paint as paint

PE = QStyle.PrimitiveElement
PM = QStyle.PixelMetric
SH = QStyle.StyleHint
SP = QStyle.StandardPixmap

#: Heights in logical px.
CONTROL_HEIGHT = 28
LIST_ROW, TREE_ROW, TABLE_ROW = 34, 26, 30
DOCK_HEAD = 34

METRICS = {
    PM.PM_SmallIconSize: 16,
    PM.PM_ToolBarIconSize: 18,
    PM.PM_ButtonIconSize: 16,
    PM.PM_ListViewIconSize: 20,
    PM.PM_TabBarIconSize: 16,
    PM.PM_TabBarTabHSpace: 24,
    PM.PM_TabBarTabVSpace: 16,
    PM.PM_TabBarTabShiftVertical: 0,
    PM.PM_TabBarTabShiftHorizontal: 0,
    PM.PM_TabBarTabOverlap: 0,
    PM.PM_TabBarBaseOverlap: 0,
    PM.PM_ButtonShiftHorizontal: 0,
    PM.PM_ButtonShiftVertical: 0,
    PM.PM_ButtonDefaultIndicator: 0,
    PM.PM_ScrollBarExtent: 12,
    PM.PM_ScrollBarSliderMin: 32,
    PM.PM_SplitterWidth: 5,
    PM.PM_DockWidgetSeparatorExtent: 5,
    PM.PM_DockWidgetFrameWidth: 0,
    PM.PM_DockWidgetTitleMargin: 8,
    PM.PM_DockWidgetTitleBarButtonMargin: 4,
    PM.PM_IndicatorWidth: paint.CHECK_BOX,
    PM.PM_IndicatorHeight: paint.CHECK_BOX,
    PM.PM_ExclusiveIndicatorWidth: paint.CHECK_BOX,
    PM.PM_ExclusiveIndicatorHeight: paint.CHECK_BOX,
    PM.PM_CheckBoxLabelSpacing: 8,
    PM.PM_RadioButtonLabelSpacing: 8,
    PM.PM_MenuBarItemSpacing: 0,
    PM.PM_MenuBarHMargin: 4,
    PM.PM_MenuBarVMargin: 0,
    PM.PM_MenuBarPanelWidth: 0,
    PM.PM_MenuPanelWidth: 1,
    PM.PM_MenuHMargin: 4,
    PM.PM_MenuVMargin: 4,
    PM.PM_ToolBarItemSpacing: 4,
    PM.PM_ToolBarItemMargin: 6,
    PM.PM_ToolBarFrameWidth: 1,
    PM.PM_ToolBarHandleExtent: 0,
    PM.PM_ToolBarSeparatorExtent: 9,
    PM.PM_HeaderMargin: 8,
    PM.PM_LayoutHorizontalSpacing: 8,
    PM.PM_LayoutVerticalSpacing: 8,
    PM.PM_LayoutLeftMargin: 12,
    PM.PM_LayoutTopMargin: 12,
    PM.PM_LayoutRightMargin: 12,
    PM.PM_LayoutBottomMargin: 12,
    PM.PM_TreeViewIndentation: 16,
    PM.PM_LineEditIconSize: 16,
    PM.PM_FocusFrameHMargin: 7,
    PM.PM_FocusFrameVMargin: 0,
}

HINTS = {
    SH.SH_EtchDisabledText: 0,
    SH.SH_UnderlineShortcut: 0,
    SH.SH_ComboBox_Popup: 0,
    SH.SH_DialogButtonBox_ButtonsHaveIcons: 0,
    SH.SH_DialogButtonLayout: 3,  # QDialogButtonBox.GnomeLayout: what the dialog is for stands last, as in the others
    SH.SH_ToolTip_WakeUpDelay: 500,
    SH.SH_ItemView_ShowDecorationSelected: 1,
    SH.SH_TabBar_PreferNoArrows: 0,
    SH.SH_TabBar_ElideMode: 0x3,  # Qt.ElideNone
    SH.SH_DockWidget_ButtonsHaveFrame: 0,
    SH.SH_ScrollView_FrameOnlyAroundContents: 0,
    SH.SH_Menu_SloppySubMenus: 1,
    SH.SH_Table_GridLineColor: 0,
    SH.SH_Widget_Animation_Duration: 120,
}

STANDARD_ICONS = {
    SP.SP_TitleBarCloseButton: ("x", "text.3"),
    SP.SP_TitleBarNormalButton: ("window", "text.3"),
    SP.SP_LineEditClearButton: ("x", "text.3"),
    SP.SP_MessageBoxInformation: ("info-circle", "info"),
    SP.SP_MessageBoxWarning: ("warning-triangle", "warn"),
    SP.SP_MessageBoxCritical: ("error-octagon", "error"),
    SP.SP_MessageBoxQuestion: ("help", "info"),
    SP.SP_ToolBarHorizontalExtensionButton: ("more", "text.2"),
    SP.SP_ToolBarVerticalExtensionButton: ("more", "text.2"),
    SP.SP_ArrowBack: ("arrow-left", "text.2"),
    SP.SP_ArrowForward: ("arrow-right", "text.2"),
    SP.SP_FileDialogBack: ("arrow-left", "text.2"),
    SP.SP_FileDialogToParent: ("up", "text.2"),
    SP.SP_FileDialogNewFolder: ("folder", "text.2"),
    SP.SP_FileDialogListView: ("grid", "text.2"),
    SP.SP_FileDialogDetailedView: ("bom", "text.2"),
    SP.SP_DirIcon: ("folder", "text.2"),
    SP.SP_DirHomeIcon: ("home", "text.2"),
    SP.SP_FileIcon: ("file", "text.2"),
    SP.SP_ComputerIcon: ("monitor", "text.2"),
    SP.SP_DriveHDIcon: ("storage", "text.2"),
}

#: Primitives that surfaces of our own stand for.
INVISIBLE = frozenset(
    {
        PE.PE_FrameTabBarBase,
        PE.PE_FrameStatusBarItem,
        PE.PE_FrameDockWidget,
        PE.PE_IndicatorToolBarHandle,
        PE.PE_FrameMenu,
        PE.PE_PanelItemViewRow,
        PE.PE_FrameButtonTool,
        PE.PE_FrameTabWidget,
        PE.PE_FrameButtonBevel,
    }
)
