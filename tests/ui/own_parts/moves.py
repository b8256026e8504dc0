"""What people do in the form of a part."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QLineEdit, QMenu

from fabricwright.ui.own_parts.form import PartForm
from fabricwright.ui.own_parts.rows_model import RowsModel
from fabricwright.ui.panels.palette import PalettePanel


def form_of(palette: PalettePanel, part: str) -> PartForm:
    form = palette.own.make_from(part)
    assert form is not None
    return form


def type_into(edit: QLineEdit, text: str) -> None:
    """As a person does: the whole text is exchanged."""
    edit.setText(text)
    edit.textEdited.emit(text)


def texts(menu: QMenu) -> list[str]:
    return [a.text() for a in menu.actions() if a.text()]


def rows(form: PartForm, table: str) -> RowsModel:
    model = form.tables[table].model
    assert isinstance(model, RowsModel)
    return model


def cell(model: RowsModel, row: int, key: str) -> Any:
    return model.index(row, [c.key for c in model.columns].index(key))
