"""Inspector of several things: what they have in common can be changed for all of them at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication

from fabricwright.catalog.pictograms import pictogram
from fabricwright.catalog.ports import mode_of
from fabricwright.catalog.store import catalogue
from fabricwright.design.calls import EditCall
from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import current_language, text_of
from fabricwright.ui.panels.fields import Choice, ChoiceField
from fabricwright.ui.panels.inspector_link import NETWORKS
from fabricwright.ui.panels.inspector_options import many_options
from fabricwright.ui.panels.inspector_page import Page
from fabricwright.ui.panels.inspector_texts import kind_name, network_name
from fabricwright.ui.panels.words import listed
from fabricwright.units.errors import UserError
from fabricwright.units.natural import natural_key
from fabricwright.units.text import N_


class _Mixed:
    """The value of a field whose things differ."""

    def __str__(self) -> str:
        return QCoreApplication.translate("Inspector", "different")


MIXED = _Mixed()


def many_page(context: UiContext, ids: Sequence[str]) -> Page:
    """The page of several rows of the open sheet."""
    page = Page(context)
    eff = context.eff
    items = [i for i in ids if i in eff.items]
    links = [i for i in ids if i in eff.links]
    kinds = Counter(kind_name(eff.items[i].kind) for i in items)
    if links:
        kinds[QCoreApplication.translate("Inspector", "Link")] = len(links)
    title = QCoreApplication.translate("Inspector", "{count} selected").format(count=len(ids))
    line = listed(f"{count} × {kind}" for kind, count in kinds.most_common())
    kind = eff.items[items[0]].kind if items and len(kinds) == 1 else "group"
    page.add_head(pictogram(kind) if kind != "group" else "select-all", lambda: (title, line))
    stored = [i for i in items if i in context.sheet_row.items and context.sheet_row.items[i].of is not None]
    if stored and len(stored) == len(items) and not links:
        _parts(page, stored)
    if items and not links:
        _modes(page, items)
    if links and not items and context.sheet_row.kind == "fabric":
        _networks(page, links)
    page.add_findings(ids)
    if items and not links:
        _stated(page, items)
    page.add_facts(ids)
    page.finish()
    return page


def common(values: Sequence[object]) -> object:
    """The value that all have, else ``MIXED``."""
    return values[0] if values and all(v == values[0] for v in values) else MIXED


def _post(page: Page, label: str, name: str, calls: Sequence[dict[str, object]]) -> str:
    from fabricwright.design.edits import run

    context = page.context
    full = [EditCall(name, {"design": context.design, "sheet": context.sheet, **args}) for args in calls]
    try:
        for call in full:
            run(context.project, call)
    except UserError as error:
        return text_of(error.message)
    if not page.trying:
        context.edit_all(label, full)
    return ""


def _choice(
    page: Page,
    label: str,
    options: Callable[[], list[Choice]],
    read: Callable[[], list[object]],
    write: Callable[[object], str],
) -> None:
    def with_mixed() -> list[Choice]:
        rows = options()
        return [Choice(MIXED, str(MIXED)), *rows] if common(read()) is MIXED else rows

    page.add_field(ChoiceField(label, with_mixed, lambda: common(read()), lambda v: "" if v is MIXED else write(v)))


def _parts(page: Page, ids: Sequence[str]) -> None:
    context = page.context
    kinds = {context.eff.items[i].kind for i in ids}
    if len(kinds) != 1 or any(context.eff.items[i].of.startswith("sheet:") for i in ids):
        return
    kind = next(iter(kinds))

    def options() -> list[Choice]:
        store, lang = catalogue(), current_language()
        return sorted(
            (Choice(p, store.name_of(p, lang), p) for p in store.kinds().get(kind, ())),
            key=lambda c: natural_key(c.text),
        )

    _choice(
        page,
        QCoreApplication.translate("Inspector", "Type"),
        options,
        lambda: [context.eff.items[i].of for i in ids if i in context.eff.items],
        lambda value: _post(page, N_("Replace part"), "replace_part", [{"item": i, "part": value} for i in ids]),
    )


def _modes(page: Page, ids: Sequence[str]) -> None:
    context = page.context
    parts = {context.eff.items[i].of for i in ids}
    part = context.eff.items[ids[0]].part
    if len(parts) != 1 or part is None or len(part.modes) < 2:
        return
    _choice(
        page,
        QCoreApplication.translate("Inspector", "Mode"),
        lambda: [Choice(m, m.replace("x", "×"), part.modes[m].note) for m in part.modes.ordered()],
        lambda: [mode_of(part, context.eff.items[i].config) for i in ids if i in context.eff.items],
        lambda value: _post(
            page, N_("Change setting"), "set_config", [{"item": i, "key": "mode", "value": value} for i in ids]
        ),
    )


def _stated(page: Page, ids: Sequence[str]) -> None:
    def write(key: str, value: object) -> str:
        calls = [{"item": i, "key": key, "value": value} for i in ids]
        return _post(page, N_("Change setting"), "set_config", calls)

    many_options(page, ids, write)


def _networks(page: Page, ids: Sequence[str]) -> None:
    context = page.context
    _choice(
        page,
        QCoreApplication.translate("Inspector", "Network"),
        lambda: [Choice(n, network_name(n)) for n in NETWORKS],
        lambda: [context.eff.links[i].network for i in ids if i in context.eff.links],
        lambda value: _post(page, N_("Change link"), "set_link", [{"link": i, "network": value} for i in ids]),
    )
