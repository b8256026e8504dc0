"""Words of the statements table: kinds, quantities, values as they are typed and shown, subjects."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QCoreApplication

from fabricwright.catalog.store import catalogue
from fabricwright.design.address import parse_address
from fabricwright.design.effective import effective
from fabricwright.design.quantities import QUANTITIES, fits
from fabricwright.design.values import Design, Project, Statement
from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import current_language, text_of
from fabricwright.ui.panels.words import unit_word
from fabricwright.ui.widgets import Named
from fabricwright.units.errors import UserError
from fabricwright.units.natural import natural_key
from fabricwright.units.text import Message

STATEMENT_KINDS = ("claim", "requirement", "target")
_SCOPES = ("part", "workload", "document", "design")


def kind_word(kind: str) -> str:
    """Claim, requirement or target."""
    return {
        "claim": QCoreApplication.translate("Statements", "Claim"),
        "requirement": QCoreApplication.translate("Statements", "Requirement"),
        "target": QCoreApplication.translate("Statements", "Target"),
    }.get(kind, kind)


def quantity_name(quantity: str) -> str:
    """Label of a quantity; one that is not declared keeps its key."""
    row = QUANTITIES.get(quantity)
    return text_of(Message(row.label)) if row is not None else quantity


def quantity_choices() -> list[Named]:
    """All quantities by label, with their unit."""
    found = []
    for key, row in QUANTITIES.items():
        label = quantity_name(key)
        text = f"{label} ({unit_word(row.unit)})" if row.unit else label
        found.append(Named(key, text, text_of(Message(row.help))))
    return sorted(found, key=lambda named: natural_key(named.text))


def flag_word(value: bool) -> str:
    """Yes or no."""
    yes, no = QCoreApplication.translate("Statements", "yes"), QCoreApplication.translate("Statements", "no")
    return yes if value else no


def value_text(row: Statement) -> str:
    """A value with its unit, as it is shown."""
    value = row.value
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return flag_word(value)
    unit = row.unit or (QUANTITIES[row.quantity].unit if row.quantity in QUANTITIES else "")
    shown = typed_value(value)
    if isinstance(value, (int, float)) and abs(value) >= 1000:
        shown = f"{value:,.10g}"
    return f"{shown} {unit_word(unit)}".strip()


def typed_value(value: object) -> str:
    """A value as it is typed."""
    if isinstance(value, bool):
        return flag_word(value)
    if isinstance(value, float):
        return f"{value:.10g}"
    return "" if value is None else str(value)


def parse_value(quantity: str, typed: object) -> object:
    """The value that a typed text means: numbers become numbers, words of yes and no flags; the rest stays text."""
    row = QUANTITIES.get(quantity)
    if not isinstance(typed, str) or row is None:
        return typed
    text = typed.strip()
    if row.kind == "flag":
        known = {flag_word(True): True, "yes": True, "true": True, flag_word(False): False, "no": False, "false": False}
        return known.get(text.casefold(), text)
    if row.kind == "word":
        return text
    unit = unit_word(row.unit)
    for ending in (unit, row.unit):
        if ending and text.endswith(ending):
            text = text.removesuffix(ending).strip()
    text = text.replace("，", ", ").replace("\u2212", "-").replace("…", "..")
    if row.kind == "list" and "," in text:
        return ", ".join(part.strip() for part in text.split(","))
    try:
        number = float(text.replace(",", ""))
    except ValueError:
        return text
    return int(number) if number.is_integer() and abs(number) < 1e15 else number


def value_hint(quantity: str) -> str:
    """What a value must look like."""
    row = QUANTITIES.get(quantity)
    if row is None:
        return ""
    form = {
        "number": QCoreApplication.translate("Statements", "a number"),
        "list": QCoreApplication.translate("Statements", "numbers, such as 30, 21"),
        "range": QCoreApplication.translate("Statements", "a range, such as 96..128"),
        "flag": QCoreApplication.translate("Statements", "yes or no"),
        "word": QCoreApplication.translate("Statements", "a word"),
    }[row.kind]
    if not row.unit:
        return form
    return QCoreApplication.translate("Statements", "{form}, in {unit}").format(form=form, unit=unit_word(row.unit))


def value_trouble(quantity: str, value: object) -> str:
    """Why a value does not fit its quantity; "" when it does, or when there is no quantity yet."""
    if quantity not in QUANTITIES or fits(quantity, value):
        return ""
    text = QCoreApplication.translate("Statements", "Expected here: {form}.")
    return text.format(form=value_hint(quantity))


# -- subjects -----------------------------------------------------------------------------------------------------


def subject_text(project: Project, subject: str) -> str:
    """A subject as people read it: names of parts, designs, workloads; an address behind the name of its design."""
    scope, colon, name = subject.partition(":")
    if not colon or scope not in _SCOPES:
        design, mark, place = subject.partition("!")
        known = project.designs.get(design) if mark else None
        if known is None:
            return subject
        text = QCoreApplication.translate("Statements", "{design}: {place}")
        return text.format(design=known.title or design, place=place)
    if scope == "part":
        own = project.parts.get(name)
        return own.name(current_language()) if own is not None else catalogue().name_of(name, current_language())
    if scope == "design":
        row = project.designs.get(name)
        text = QCoreApplication.translate("Statements", "Design {name}")
        return text.format(name=(row.title if row else "") or name)
    if scope == "workload":
        work = project.workloads.get(name)
        return QCoreApplication.translate("Statements", "Workload {name}").format(
            name=(work.title if work else "") or name
        )
    return QCoreApplication.translate("Statements", "Document {name}").format(name=name)


def subject_design(subject: str) -> str:
    """The design that a subject names, "" when it names none."""
    scope, colon, name = subject.partition(":")
    if colon and scope == "design":
        return name
    design, mark, _ = subject.partition("!")
    return design if mark else ""


def subject_choices(context: UiContext) -> list[Named]:
    """What a statement can be about, nearest first: the selection, designs, groups of the fabric, parts, workloads."""
    project, design = context.project, context.design_row
    found = [Named("", QCoreApplication.translate("Statements", "Whole project"))]
    for address in context.addresses[:8]:
        text = QCoreApplication.translate("Statements", "Selected: {address}").format(address=address)
        found.append(Named(str(address), text))
    found += [Named(f"design:{name}", subject_text(project, f"design:{name}")) for name in project.designs.ordered()]
    root = design.sheets.get(design.root)
    if root is not None:
        found += [Named(item, item) for item in root.items.ordered()]
    parts = [Named(f"part:{part}", subject_text(project, f"part:{part}"), part) for part in project.parts]
    found += sorted(parts, key=lambda named: natural_key(named.text))
    for name in project.workloads.ordered():
        found.append(Named(f"workload:{name}", subject_text(project, f"workload:{name}")))
    documents = {s.subject for s in project.statements.values() if s.subject.startswith("document:")}
    found += [Named(subject, subject_text(project, subject)) for subject in sorted(documents)]
    return list({named.value: named for named in reversed(found)}.values())[::-1]


def subject_trouble(context: UiContext, subject: str) -> str:
    """Why a subject names nothing; "" when it names something."""
    text = subject.strip()
    if not text:
        return ""
    scope, colon, name = text.partition(":")
    project = context.project
    if colon and scope in _SCOPES:
        tables: dict[str, Collection[str]] = {
            "part": project.parts,
            "design": project.designs,
            "workload": project.workloads,
        }
        known = tables.get(scope)
        if not name.strip() or (known is not None and name.strip() not in known):
            return QCoreApplication.translate("Statements", "There is no {subject} in this project.").format(
                subject=text
            )
        return ""
    try:
        where = parse_address(text)
    except UserError as error:
        return text_of(error.message)
    if where.design and where.design not in project.designs:
        return QCoreApplication.translate("Statements", "There is no design {design}.").format(design=where.design)
    designs = [where.design] if where.design else list(project.designs)
    if not where.steps or any(_is_there(project, name, [s.item for s in where.steps]) for name in designs):
        return ""
    return QCoreApplication.translate("Statements", "'{subject}' is in no design.").format(subject=text)


def _is_there(project: Project, design_id: str, path: list[str]) -> bool:
    design = project.designs[design_id]
    root = design.sheets.get(design.root)
    if root is None:
        return False
    if root.kind == "server":
        return "/".join(path) in effective(project, design, design.root).items
    item = root.items.get(path[0])
    if item is None:
        return len(path) == 1 and path[0] in root.links
    if len(path) == 1:
        return True
    inside = "/".join(path[1:])
    return any(inside in effective(project, design, sheet).items for sheet in _sheets(design, path[0]))


def _sheets(design: Design, item_id: str) -> list[str]:
    item = design.sheets[design.root].items[item_id]
    found = [item.of[6:]] if item.of and item.of.startswith("sheet:") else []
    found += [other.sheet for other in item.except_.values() if other.sheet]
    return [sheet for sheet in found if sheet in design.sheets]
