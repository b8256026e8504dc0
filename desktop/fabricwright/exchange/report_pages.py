"""A report put together: cover, contents with page numbers, the body, head and foot of every page."""

from __future__ import annotations

from collections.abc import Sequence

from fabricwright import __version__
from fabricwright.exchange.font_metrics import text_width, wrap
from fabricwright.exchange.ink import Ink
from fabricwright.exchange.page_size import MM, PageSize
from fabricwright.exchange.report_blocks import Block, Cover, Heading
from fabricwright.exchange.report_flow import BODY, CAPTION, SMALL, SMALL_LINE, Flow, Leaf
from fabricwright.exchange.report_template import ReportTemplate
from fabricwright.units.text import msg


def report_pages(
    cover: Cover, blocks: Sequence[Block], paper: PageSize, lang: str, template: ReportTemplate, running: str
) -> list[Ink]:
    """Cover, contents, body: every page as ink, head and foot with numbers where the page is the report's own."""
    body = Flow(paper, lang, template, running)
    for n, block in enumerate(blocks):
        if isinstance(block, Heading):
            body.room(80 + body.least(blocks[n + 1]) if n + 1 < len(blocks) else 130)
        body.add(block)
    listed = _contents(body, lang, 0)
    before = 1 + len(listed)
    listed = _contents(body, lang, before)
    pages = [Leaf(_cover(body, cover)), *listed, *body.leaves]
    labels = {entry.page: entry.title.split("  ")[0] for entry in body.entries if entry.level == 3}
    for number, leaf in enumerate(pages, 1):
        if leaf.own:
            label = labels.get(number - before, "")
            _drawing_label(leaf, label, number, len(pages), lang)
        elif number > 1:
            _head_and_foot(body, leaf.ink, number, len(pages))
    return [leaf.ink for leaf in pages]


def _drawing_label(leaf: Leaf, label: str, number: int, of: int, lang: str) -> None:
    ink = leaf.ink
    text = msg("{figure} · page {n} of {m}", figure=label, n=number, m=of).text(lang)
    y = ink.height - 12 * MM if leaf.low else 10 * MM + 38
    ink.text(ink.width - 10 * MM - 20, y, text, SMALL, fill="text.2", anchor="end")


def _head_and_foot(flow: Flow, ink: Ink, number: int, of: int) -> None:
    template = flow.template
    ink.text(flow.left, 15 * MM, flow.running, CAPTION, fill="text.2", room=flow.width * 0.66)
    if template.name:
        name = template.name
        ink.text(flow.right, 15 * MM, name, CAPTION, fill="text.2", anchor="end", room=flow.width * 0.3)
    ink.line([(flow.left, 18 * MM), (flow.right, 18 * MM)], stroke=template.accent, width=1)
    low = flow.paper.height - 12 * MM
    ink.line([(flow.left, low - 14), (flow.right, low - 14)], stroke="border", width=0.8)
    ink.text(flow.left, low, template.footer, CAPTION, fill="text.2", room=flow.width * 0.7)
    text = msg("Page {n} of {m}", n=number, m=of).text(flow.lang)
    ink.text(flow.right, low, text, CAPTION, fill="text.2", anchor="end")


def _cover(flow: Flow, cover: Cover) -> Ink:
    ink, template = flow.blank(), flow.template
    height = flow.paper.height
    ink.rect(0, 0, 10 * MM, height, fill=template.accent, width=0, radius=0)
    y = 30 * MM
    if template.logo is not None:
        wide, high = template.logo_px
        scale = min(60 * MM / wide, 20 * MM / high)
        ink.picture(flow.left, y, wide * scale, high * scale, template.logo.media, template.logo.data)
    else:
        ink.icon("app-icon", flow.left, y, 48)
    if template.name:
        ink.text(flow.right, y + 20, template.name, 16, weight=600, anchor="end", room=flow.width * 0.6)
    y = height * 0.3
    for line in wrap(cover.title, flow.width, 34, 600, most=4):
        ink.text(flow.left, y, line, 34, weight=600, fill=template.accent)
        y += 44
    y -= 6
    for line in wrap(cover.subtitle, flow.width, 18, most=3):
        ink.text(flow.left, y, line, 18, fill="text.2")
        y += 26
    y = max(y + 40, height * 0.56)
    ink.line([(flow.left, y), (flow.right, y)], stroke=template.accent, width=1.6)
    for name, value in cover.rows:
        lines = wrap(value, flow.width - 150, 14, 600, most=2) or [""]
        ink.text(flow.left, y + 26, name, 14, fill="text.2", room=140)
        for k, line in enumerate(lines):
            ink.text(flow.left + 150, y + 26 + 20 * k, line, 14, weight=600)
        y += 38 + 20 * (len(lines) - 1)
        ink.line([(flow.left, y), (flow.right, y)], stroke="border", width=0.8)
    y = height - 34 * MM
    for line in wrap(cover.note, flow.width, SMALL, most=3):
        ink.text(flow.left, y, line, SMALL, fill="text.2")
        y += SMALL_LINE
    ink.text(flow.left, height - 14 * MM, f"Fabricwright {__version__}", CAPTION, fill="text.2")
    if template.footer:
        ink.text(flow.right, height - 14 * MM, template.footer, CAPTION, fill="text.2", anchor="end", room=400)
    return ink


def _contents(body: Flow, lang: str, before: int) -> list[Leaf]:
    """Chapters with their headings, then figures and tables; ``before`` pages stand in front of the body."""
    flow = Flow(body.paper, lang, body.template, body.running)
    flow.new_page()
    flow.y += 22
    flow.ink.text(flow.left, flow.y, msg("Contents").text(lang), 22, weight=600, fill=body.template.accent)
    flow.y += 22
    groups = ((1, 2), (3,), (4,))
    titles = (None, msg("List of figures"), msg("List of tables"))
    chapters = sum(23.0 if entry.level == 1 else 17.0 for entry in body.entries if entry.level < 3)
    others = 17.0 * sum(entry.level > 2 for entry in body.entries) + 80.0
    apart = flow.y + chapters + others > flow.bottom
    for levels, title in zip(groups, titles, strict=True):
        rows = [entry for entry in body.entries if entry.level in levels]
        if title is not None and rows:
            if apart:
                flow.new_page()
                apart = False
            flow.room(70)
            flow.y += 28
            flow.ink.text(flow.left, flow.y, title.text(lang), 15, weight=600)
            flow.y += 6
        for entry in rows:
            top = entry.level == 1
            size, line = (BODY, 23.0) if top else (SMALL, 17.0)
            flow.room(line)
            flow.y += line
            x = flow.left + (18 if entry.level == 2 else 0)
            page = str(entry.page + before)
            weight = 600 if top else 400
            wide = flow.ink.text(x, flow.y, entry.title, size, weight=weight, room=flow.right - x - 60)
            flow.ink.text(flow.right, flow.y, page, size, weight=weight, anchor="end")
            start, end = x + wide + 8, flow.right - text_width(page, size, weight) - 8
            if end - start > 12:
                dots = [(start, flow.y - 2), (end, flow.y - 2)]
                flow.ink.line(dots, stroke="border.strong", width=0.9, dash="1 4")
    return flow.leaves
