"""A page as a ``QTextDocument`` in the type and colours of the design language."""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import (
    QFont,
    QPixmap,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrame,
    QTextFrameFormat,
    QTextImageFormat,
    QTextLength,
    QTextListFormat,
    QTextTable,
)

from fabricwright.ui.guide.pages import guide_root
from fabricwright.ui.theme import MEDIUM, SEMIBOLD, theme, ui_font

BODY_PX = 14
HEADING_PX = {1: 24, 2: 18, 3: 15, 4: 14}
CODE_FAMILIES = ("Cascadia Mono", "Consolas", "DejaVu Sans Mono", "Liberation Mono", "Noto Sans SC", "monospace")
Property = QTextFormat.Property
_IMAGE = QTextDocument.ResourceType.ImageResource
#: Behind the address of a picture: the same file, never the scaled one that was put in its place.
_ORIGINAL = "#original"
_DISTANCE = QTextBlockFormat.LineHeightTypes.LineDistanceHeight.value


def show_page(document: QTextDocument, markdown: str, language: str, width_px: float, ratio: float = 1.0) -> None:
    """Replace what ``document`` holds; pictures become at most ``width_px`` wide, see ``fit_pictures``."""
    document.setDefaultFont(ui_font(BODY_PX))
    document.setBaseUrl(QUrl.fromLocalFile(f"{guide_root() / language}/"))
    document.setMarkdown(markdown, QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
    _frames(document.rootFrame())
    block = document.begin()
    while block.isValid():
        _block(block)
        block = block.next()
    _boxes(document)
    fit_pictures(document, width_px, ratio)


def heading_top(document: QTextDocument, number: int) -> float:
    """Where the ``number``-th heading begins, px from the top; 0 when there is none."""
    block = document.begin()
    while block.isValid():
        if block.blockFormat().headingLevel():
            if number == 0:
                return document.documentLayout().blockBoundingRect(block).top()
            number -= 1
        block = block.next()
    return 0.0


def fit_pictures(document: QTextDocument, width_px: float, ratio: float = 1.0) -> None:
    """Give every picture its own width, or the one that there is; smaller ones are scaled smoothly for a screen of
    ``ratio`` device pixels a pixel.
    """
    for cursor, form in _pictures(document):
        url = document.baseUrl().resolved(QUrl(form.name()))  # resources are looked up by whole addresses
        original = document.resource(_IMAGE, QUrl(f"{form.name()}{_ORIGINAL}"))
        if not isinstance(original, QPixmap) or original.isNull():  # the document keeps what is on the screen
            continue
        width = float(int(min(original.width(), max(120.0, width_px))))
        if form.width() == width:
            continue
        pixels = min(original.width(), round(width * ratio))
        scaled = original.scaledToWidth(pixels, Qt.TransformationMode.SmoothTransformation)
        document.addResource(_IMAGE, url, scaled)
        form.setWidth(width)
        form.setHeight(scaled.height() * width / pixels)  # of the scaled one, or it would be scaled a second time
        cursor.setCharFormat(form)


def _boxes(document: QTextDocument) -> None:
    """A box around each run of lines of code."""
    runs: list[tuple[int, int]] = []
    block = document.begin()
    while block.isValid():
        if block.blockFormat().hasProperty(Property.BlockCodeFence):
            before = block.previous()
            if runs and before.isValid() and before.blockFormat().hasProperty(Property.BlockCodeFence):
                runs[-1] = (runs[-1][0], block.position() + block.length() - 1)
            else:
                runs.append((block.position(), block.position() + block.length() - 1))
        block = block.next()
    form = QTextFrameFormat()
    form.setBackground(theme()["sunken"])
    form.setBorder(0)
    form.setPadding(10)
    form.setTopMargin(4)
    form.setBottomMargin(12)
    for start, end in reversed(runs):
        cursor = QTextCursor(document)
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        frame = cursor.insertFrame(form)
        for position in (frame.firstPosition() - 1, frame.lastPosition() + 1):
            _flatten(document.findBlock(position))


def _flatten(block: QTextBlock) -> None:
    """A frame leaves an empty paragraph before and behind; it takes no room."""
    if block.isValid() and block.length() == 1:
        flat = QTextBlockFormat()
        flat.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        QTextCursor(block).setBlockFormat(flat)


def _pictures(document: QTextDocument) -> list[tuple[QTextCursor, QTextImageFormat]]:
    found = []
    block = document.begin()
    while block.isValid():
        fragments = block.begin()
        while not fragments.atEnd():
            fragment = fragments.fragment()
            form = fragment.charFormat()
            if form.isImageFormat():
                cursor = QTextCursor(document)
                cursor.setPosition(fragment.position())
                cursor.setPosition(fragment.position() + fragment.length(), QTextCursor.MoveMode.KeepAnchor)
                found.append((cursor, form.toImageFormat()))
            fragments += 1  # type: ignore[operator]  # the iterator's own way to go on
        block = block.next()
    return found


def _block(block: QTextBlock) -> None:
    cursor = QTextCursor(block)
    shape = QTextBlockFormat(block.blockFormat())
    level = shape.headingLevel()
    code = shape.hasProperty(Property.BlockCodeFence)
    table = cursor.currentTable() is not None
    if level:
        shape.setTopMargin(0 if level == 1 else 22)
        shape.setBottomMargin(10 if level == 1 else 6)
    elif code:
        shape.setTopMargin(0)
        shape.setBottomMargin(0)
        shape.setNonBreakableLines(False)
    elif table:
        shape.setTopMargin(4)
        shape.setBottomMargin(4)
    else:
        after_list = block.previous().textList() is not None and block.textList() is None
        shape.setTopMargin(6 if after_list else 0)
        shape.setBottomMargin(4 if block.textList() else 10)
    # Space below each line, not a share of it: bullets would stand at the top of a taller line.
    shape.setLineHeight(2 if level or table else 4 if code else 6, _DISTANCE)
    bullets = block.textList()
    if bullets is not None and bullets.format().style() == QTextListFormat.Style.ListCircle:
        form = bullets.format()
        form.setStyle(QTextListFormat.Style.ListDisc)
        bullets.setFormat(form)
    cursor.setBlockFormat(shape)
    _text(block, level, code=code)


def _text(block: QTextBlock, level: int, *, code: bool) -> None:
    """Size, weight and colour of every piece of a block."""
    now = theme()
    pieces = []
    fragments = block.begin()
    while not fragments.atEnd():
        fragment = fragments.fragment()
        pieces.append((fragment.position(), fragment.length(), fragment.charFormat()))
        fragments += 1  # type: ignore[operator]
    for position, length, form in pieces:
        if form.isImageFormat():
            continue
        cursor = QTextCursor(block)
        cursor.setPosition(position)
        cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
        new = QTextCharFormat(form)
        if form.isAnchor():
            new.setForeground(now["accent"])
            new.setFontUnderline(False)
            new.setFontWeight(QFont.Weight(MEDIUM))
        elif level:
            new.setFont(ui_font(HEADING_PX.get(level, BODY_PX), SEMIBOLD), _ALL)
            new.setForeground(now["text"])
            new.clearProperty(Property.FontSizeAdjustment)
        elif code or form.fontFixedPitch():
            new.setFontFamilies(list(CODE_FAMILIES))
            new.setProperty(Property.FontPixelSize, 13 if code else 12.5)
            new.setForeground(now["text"])
            if not code:
                new.setBackground(now["sunken"])
        else:
            new.setForeground(now["text"])
            if form.fontWeight() > QFont.Weight.Normal:
                new.setFontWeight(QFont.Weight(SEMIBOLD))
        cursor.setCharFormat(new)


_ALL = QTextCharFormat.FontPropertiesInheritanceBehavior.FontPropertiesAll


def _frames(frame: QTextFrame) -> None:
    """Tables with thin lines, as wide as the page."""
    now = theme()
    for child in frame.childFrames():
        if isinstance(child, QTextTable):
            form = child.format()
            form.setBorder(1)
            form.setBorderBrush(now["border"])
            form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
            form.setBorderCollapse(True)
            form.setCellPadding(6)
            form.setCellSpacing(0)
            form.setBottomMargin(12)
            form.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
            child.setFormat(form)
            for column in range(child.columns()):
                cell = child.cellAt(0, column)
                head = QTextCharFormat(cell.format())
                head.setBackground(now["sunken"])
                cell.setFormat(head)
        _frames(child)
