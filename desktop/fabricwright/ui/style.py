"""The widget style: Fusion underneath, our own flat surfaces on top.

Only what the palette cannot say is overridden here. Colours come from ``theme()`` at paint time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QMargins, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QIcon, QPainter, QPalette
from PySide6.QtWidgets import (
    QLabel,
    QListView,
    QProxyStyle,
    QStyle,
    QStyleHintReturn,
    QStyleOptionButton,
    QStyleOptionComboBox,
    QStyleOptionMenuItem,
    QStyleOptionSlider,
    QStyleOptionSpinBox,
    QStyleOptionToolButton,
    QStyleOptionViewItem,
    QTableView,
    QTreeView,
    QWidget,
)

from fabricwright.ui import style_paint as paint
from fabricwright.ui import style_parts as parts
from fabricwright.ui.icons import icon
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.style_paint import Option, State, on
from fabricwright.ui.style_tables import (
    CONTROL_HEIGHT,
    DOCK_HEAD,
    HINTS,
    INVISIBLE,
    LIST_ROW,
    METRICS,
    STANDARD_ICONS,
    TABLE_ROW,
    TREE_ROW,
)
from fabricwright.ui.theme import theme, ui_font

PE = QStyle.PrimitiveElement
CE = QStyle.ControlElement
CC = QStyle.ComplexControl
SC = QStyle.SubControl
PM = QStyle.PixelMetric
CT = QStyle.ContentsType
SH = QStyle.StyleHint


class FabricwrightStyle(QProxyStyle):
    """Flat tool buttons, 28 px controls with radius 6, thin lines, slim scroll bars, accent-soft selection."""

    def __init__(self) -> None:
        super().__init__("Fusion")
        self.setObjectName("fabricwright")
        self._primitives: dict[QStyle.PrimitiveElement, Callable[..., None]] = {
            PE.PE_PanelButtonCommand: lambda o, p, w: paint.push_button(o, p),
            PE.PE_PanelButtonTool: lambda o, p, w: paint.tool_button(o, p),
            PE.PE_PanelLineEdit: parts.line_edit,
            PE.PE_FrameLineEdit: lambda o, p, w: paint.field(o, p, w),
            PE.PE_IndicatorCheckBox: lambda o, p, w: paint.check_mark(o, p),
            PE.PE_IndicatorItemViewItemCheck: lambda o, p, w: paint.check_mark(o, p),
            PE.PE_IndicatorRadioButton: lambda o, p, w: paint.check_mark(o, p, radio=True),
            PE.PE_PanelItemViewItem: lambda o, p, w: paint.item_row(o, p),
            PE.PE_FrameFocusRect: parts.focus,
            PE.PE_IndicatorBranch: parts.branch,
            PE.PE_IndicatorToolBarSeparator: parts.tool_bar_separator,
            PE.PE_IndicatorDockWidgetResizeHandle: lambda o, p, w: parts.separator(o, p),
            PE.PE_PanelStatusBar: lambda o, p, w: parts.bar(o, p, "window", "top"),
            PE.PE_PanelMenu: parts.menu_panel,
            PE.PE_PanelTipLabel: lambda o, p, w: paint.rounded(p, o.rect, theme()["raised"], theme()["border"], 4),
            PE.PE_Frame: parts.frame,
            PE.PE_FrameWindow: parts.frame,
            PE.PE_IndicatorTabClose: parts.tab_close,
            PE.PE_IndicatorArrowDown: lambda o, p, w: paint.chevron(p, QRectF(o.rect), "down"),
            PE.PE_IndicatorArrowUp: lambda o, p, w: paint.chevron(p, QRectF(o.rect), "up"),
            PE.PE_IndicatorArrowLeft: lambda o, p, w: paint.chevron(p, QRectF(o.rect), "left"),
            PE.PE_IndicatorArrowRight: lambda o, p, w: paint.chevron(p, QRectF(o.rect), "right"),
            PE.PE_IndicatorHeaderArrow: parts.header_arrow,
        }
        self._controls: dict[QStyle.ControlElement, Callable[..., None]] = {
            CE.CE_TabBarTabShape: lambda o, p, w: paint.tab_shape(o, p),
            CE.CE_TabBarTabLabel: lambda o, p, w: paint.tab_label(o, p),
            CE.CE_DockWidgetTitle: parts.dock_title,
            CE.CE_Splitter: lambda o, p, w: parts.separator(o, p),
            CE.CE_ToolBar: lambda o, p, w: parts.bar(o, p, "panel", "bottom"),
            CE.CE_MenuBarItem: parts.menu_bar_item,
            CE.CE_MenuBarEmptyArea: lambda o, p, w: p.fillRect(o.rect, theme()["window"]),
            CE.CE_MenuItem: parts.menu_item,
            CE.CE_MenuEmptyArea: lambda o, p, w: None,
            CE.CE_HeaderSection: parts.header_section,
            CE.CE_HeaderEmptyArea: parts.header_section,
            CE.CE_HeaderLabel: parts.header_label,
            CE.CE_ItemViewItem: self._item,
            CE.CE_ToolButtonLabel: parts.tool_button_label,
            CE.CE_PushButtonLabel: self._push_button_label,
            CE.CE_ComboBoxLabel: self._combo_label,
            CE.CE_ProgressBarGroove: lambda o, p, w: None,
            CE.CE_ProgressBarContents: parts.progress,
            CE.CE_ShapedFrame: self._shaped_frame,
        }

    def polish(self, what):  # type: ignore[no-untyped-def]
        """Names from files of strangers are shown as they stand: no label, message or hint takes one for a page, whose
        pictures it would then fetch, from a share too."""
        super().polish(what)
        if isinstance(what, QLabel) and what.textFormat() == Qt.TextFormat.AutoText:
            what.setTextFormat(Qt.TextFormat.PlainText)

    # ---- dispatch ------------------------------------------------------------------------------------------------

    @safe_paint
    def drawPrimitive(self, element, option, painter, widget=None):  # type: ignore[no-untyped-def]
        if element in INVISIBLE:
            return
        handler = self._primitives.get(element)
        if handler is None:
            super().drawPrimitive(element, option, painter, widget)
        else:
            handler(option, painter, widget)

    @safe_paint
    def drawControl(self, element, option, painter, widget=None):  # type: ignore[no-untyped-def]
        handler = self._controls.get(element)
        if handler is None:
            super().drawControl(element, option, painter, widget)
        else:
            handler(option, painter, widget)

    @safe_paint
    def drawComplexControl(
        self, control: QStyle.ComplexControl, option: Option, painter: QPainter, widget: Any = None
    ) -> None:
        if control == CC.CC_ComboBox and isinstance(option, QStyleOptionComboBox):
            parts.combo(option, painter, widget)
        elif control == CC.CC_SpinBox and isinstance(option, QStyleOptionSpinBox):
            parts.spin(option, painter, widget)
        elif control == CC.CC_ScrollBar and isinstance(option, QStyleOptionSlider):
            self._scroll_bar(option, painter, widget)
        else:
            super().drawComplexControl(control, option, painter, widget)

    # ---- sizes ---------------------------------------------------------------------------------------------------

    def pixelMetric(self, metric, option=None, widget=None):  # type: ignore[no-untyped-def]
        value = METRICS.get(metric)
        return super().pixelMetric(metric, option, widget) if value is None else value

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: Option = None,
        widget: QWidget | None = None,
        returnData: QStyleHintReturn | None = None,
    ) -> int:
        if hint == SH.SH_Table_GridLineColor:
            return int(theme()["border"].rgba() & 0xFFFFFF)
        value = HINTS.get(hint)
        return super().styleHint(hint, option, widget, returnData) if value is None else value

    def sizeFromContents(self, kind: QStyle.ContentsType, option: Option, size: QSize, widget: Any = None) -> QSize:
        result = super().sizeFromContents(kind, option, size, widget)
        width, height = result.width(), result.height()
        if kind == CT.CT_PushButton:
            return QSize(max(size.width() + 24, 64), CONTROL_HEIGHT)
        if kind in (CT.CT_LineEdit, CT.CT_ComboBox, CT.CT_SpinBox):
            compact = bool(widget is not None and widget.property("compact"))
            return QSize(width, CONTROL_HEIGHT - 2 if compact else CONTROL_HEIGHT)
        if kind == CT.CT_ToolButton and isinstance(option, QStyleOptionToolButton):
            return self._tool_button_size(option)
        if kind == CT.CT_MenuItem:
            if option.menuItemType == QStyleOptionMenuItem.MenuItemType.Separator:
                return QSize(width, 9)
            extra = 60 + (24 if "\t" in option.text else 0)  # 32 before the text and 24 after it, as painted
            return QSize(size.width() + extra, CONTROL_HEIGHT)
        if kind == CT.CT_MenuBarItem:
            shown = option.fontMetrics.horizontalAdvance(parts.menu_bar_text(option.text).replace("&", ""))
            return QSize(shown + 20, CONTROL_HEIGHT)
        if kind == CT.CT_ItemViewItem:
            return QSize(width + 8, max(height, self._row_height(widget)))
        if kind == CT.CT_HeaderSection:
            return QSize(width + 8, max(height, CONTROL_HEIGHT))
        if kind == CT.CT_TabBarTab:
            return QSize(width + 12, max(height, DOCK_HEAD - 1))
        return result

    @staticmethod
    def _tool_button_size(option: Option) -> QSize:
        style = option.toolButtonStyle
        with_icon = not option.icon.isNull() and style != Qt.ToolButtonStyle.ToolButtonTextOnly
        with_text = bool(option.text) and (style != Qt.ToolButtonStyle.ToolButtonIconOnly or option.icon.isNull())
        width = option.iconSize.width() if with_icon else 0
        if with_text:
            metrics = QFontMetrics(ui_font(12.5, 500))
            width += metrics.horizontalAdvance(option.text.replace("&", "")) + (5 if with_icon else 0) + 18
        else:
            width += 10
        return QSize(max(width, CONTROL_HEIGHT), max(option.iconSize.height() + 6, CONTROL_HEIGHT))

    @staticmethod
    def _row_height(widget: QWidget | None) -> int:
        if widget is None:
            return 0
        own = widget.property("rowHeight")
        if own:
            return int(own)
        if isinstance(widget, QListView):
            return (
                CONTROL_HEIGHT
                if widget.parent() and widget.parent().inherits("QComboBoxPrivateContainer")
                else LIST_ROW
            )
        if isinstance(widget, QTreeView):
            return TREE_ROW
        return TABLE_ROW if isinstance(widget, QTableView) else 0

    def subControlRect(
        self, control: QStyle.ComplexControl, option: Option, part: QStyle.SubControl, widget: Any = None
    ) -> QRect:
        rect = QRect(option.rect)
        if control == CC.CC_ComboBox:
            if part == SC.SC_ComboBoxArrow:
                return QRect(rect.right() - 23, rect.top(), 24, rect.height())
            if part == SC.SC_ComboBoxEditField:
                return rect.adjusted(2 if getattr(option, "editable", False) else 8, 1, -24, -1)
        if control == CC.CC_SpinBox:
            half = rect.height() // 2
            if part == SC.SC_SpinBoxEditField:
                return rect.adjusted(6, 1, -20, -1)
            if part == SC.SC_SpinBoxUp:
                return QRect(rect.right() - 19, rect.top() + 1, 18, half - 1)
            if part == SC.SC_SpinBoxDown:
                return QRect(rect.right() - 19, rect.top() + half, 18, half - 1)
        if control == CC.CC_ScrollBar and isinstance(option, QStyleOptionSlider):
            return self._scroll_part(option, part)
        return super().subControlRect(control, option, part, widget)

    def subElementRect(self, element: QStyle.SubElement, option: Option, widget: Any = None) -> QRect:
        if element == QStyle.SubElement.SE_LineEditContents:
            parent = widget.parent() if widget is not None else None
            inset = 2 if parent is not None and parent.inherits("QAbstractSpinBox") else 6
            return option.rect.marginsRemoved(QMargins(inset, 1, inset, 1))
        if element == QStyle.SubElement.SE_DockWidgetTitleBarText:
            return option.rect.adjusted(14, 0, -60, 0)
        return super().subElementRect(element, option, widget)

    def standardIcon(self, kind: QStyle.StandardPixmap, option: Option = None, widget: QWidget | None = None) -> QIcon:
        named = STANDARD_ICONS.get(kind)
        return super().standardIcon(kind, option, widget) if named is None else icon(*named)

    # ---- fields --------------------------------------------------------------------------------------------------

    def _combo_label(self, option: Option, painter: QPainter, widget: QWidget | None) -> None:
        if option.editable:
            super().drawControl(CE.CE_ComboBoxLabel, option, painter, widget)
            return
        now = theme()
        painter.save()
        rect = QRect(option.rect).adjusted(9, 0, -24, 0)
        if not option.currentIcon.isNull():
            size = option.iconSize
            option.currentIcon.paint(
                painter, QRect(rect.left(), rect.center().y() - size.height() // 2, size.width(), size.height())
            )
            rect.setLeft(rect.left() + size.width() + 6)
        quiet = widget is not None and bool(widget.property("quiet"))
        painter.setPen(now["text.disabled" if not on(option, State.State_Enabled) else "text.3" if quiet else "text"])
        # Names of designs differ at their end: such a box keeps both ends of a long one.
        middle = widget is not None and bool(widget.property("elide_middle"))
        mode = Qt.TextElideMode.ElideMiddle if middle else Qt.TextElideMode.ElideRight
        shown = painter.fontMetrics().elidedText(option.currentText, mode, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
        painter.restore()

    def _scroll_part(self, option: Option, part: QStyle.SubControl) -> QRect:
        rect = QRect(option.rect)
        vertical = option.orientation == Qt.Orientation.Vertical
        length = rect.height() if vertical else rect.width()
        span = option.maximum - option.minimum
        if part in (SC.SC_ScrollBarAddLine, SC.SC_ScrollBarSubLine):
            return QRect()
        if span <= 0 or part == SC.SC_ScrollBarGroove:
            return rect if part in (SC.SC_ScrollBarGroove, SC.SC_ScrollBarSlider) else QRect()
        handle = max(METRICS[PM.PM_ScrollBarSliderMin], length * option.pageStep // max(1, span + option.pageStep))
        handle = min(handle, length)
        start = QStyle.sliderPositionFromValue(
            option.minimum, option.maximum, option.sliderPosition, length - handle, option.upsideDown
        )
        bounds = {
            SC.SC_ScrollBarSlider: (start, handle),
            SC.SC_ScrollBarSubPage: (0, start),
            SC.SC_ScrollBarAddPage: (start + handle, length - start - handle),
        }.get(part)
        if bounds is None:
            return QRect()
        offset, size = bounds
        if vertical:
            return QRect(rect.x(), rect.y() + offset, rect.width(), size)
        return QRect(rect.x() + offset, rect.y(), size, rect.height())

    def _scroll_bar(self, option: Option, painter: QPainter, widget: QWidget | None) -> None:
        painter.fillRect(option.rect, option.palette.color(QPalette.ColorRole.Base))
        if option.maximum <= option.minimum:
            return
        active = on(option, State.State_MouseOver) or bool(option.activeSubControls & SC.SC_ScrollBarSlider)
        paint.scroll_handle(
            painter,
            self._scroll_part(option, SC.SC_ScrollBarSlider),
            vertical=option.orientation == Qt.Orientation.Vertical,
            active=active,
        )

    # ---- labels --------------------------------------------------------------------------------------------------

    def _push_button_label(self, option: Option, painter: QPainter, widget: QWidget | None) -> None:
        now = theme()
        if widget is not None and widget.property("choice"):  # opens a menu of values, and reads like a combo box
            rect = QRect(option.rect).adjusted(9, 0, -24, 0)
            painter.setPen(now["text" if on(option, State.State_Enabled) else "text.disabled"])
            font = QFont(painter.font())
            font.setWeight(QFont.Weight.Normal)
            painter.setFont(font)
            said = painter.fontMetrics().elidedText(option.text, Qt.TextElideMode.ElideRight, rect.width())
            painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, said)
            return
        shown: Option = QStyleOptionButton(option)
        palette = QPalette(option.palette)
        if option.features & QStyleOptionButton.ButtonFeature.DefaultButton and on(option, State.State_Enabled):
            palette.setColor(QPalette.ColorRole.ButtonText, now["text.on-accent"])
        elif on(option, State.State_On):
            palette.setColor(QPalette.ColorRole.ButtonText, now["accent"])
        shown.palette = palette
        super().drawControl(CE.CE_PushButtonLabel, shown, painter, widget)

    def _item(self, option: Option, painter: QPainter, widget: QWidget | None) -> None:
        shown: Option = QStyleOptionViewItem(option)
        palette = QPalette(option.palette)
        palette.setColor(QPalette.ColorRole.HighlightedText, option.palette.color(QPalette.ColorRole.Text))
        shown.palette = palette
        super().drawControl(CE.CE_ItemViewItem, shown, painter, widget)

    def _shaped_frame(self, option: Any, painter: QPainter, widget: QWidget | None) -> None:
        from PySide6.QtWidgets import QFrame

        if option.frameShape == QFrame.Shape.HLine:
            paint.line_at(painter, option.rect, "hmiddle")
        elif option.frameShape == QFrame.Shape.VLine:
            paint.line_at(painter, option.rect, "vmiddle")
        elif option.frameShape != QFrame.Shape.NoFrame:
            if widget is not None and widget.inherits("QComboBoxPrivateContainer"):
                painter.fillRect(option.rect, theme()["raised"])
                paint.rounded(painter, option.rect, None, theme()["border"], 0)
            else:
                parts.frame(option, painter, widget)
