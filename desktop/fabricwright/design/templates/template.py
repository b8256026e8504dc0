"""What a template is: an id, a title, the keys that may be set, and a function that draws the project."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fabricwright.design.templates.wording import in_language
from fabricwright.design.values import Project
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg


@dataclass(frozen=True, slots=True)
class Setting:
    """One settable key. ``default`` fixes the type: whole number (then ``low``..``high``) or text."""

    key: str
    default: int | str
    note: Message
    low: int = 0
    high: int = 0

    def read(self, value: int | str) -> int | str:
        """The value in the key's type. Raises UserError when it does not fit."""
        if isinstance(self.default, str):
            text = str(value).strip()
            if not text or len(text) > 200:
                raise UserError(msg("Setting '{key}': expected a text of 1 to 200 characters.", key=self.key))
            return text
        try:
            number = int(str(value).strip())
        except ValueError:
            number = self.low - 1
        if not self.low <= number <= self.high:
            raise UserError(
                msg(
                    "Setting '{key}': expected a whole number from {low} to {high}, found '{value}'.",
                    key=self.key,
                    low=self.low,
                    high=self.high,
                    value=str(value)[:60],
                )
            )
        return number


@dataclass(frozen=True, slots=True)
class Template:
    """A project to start from. ``draw`` takes exactly the keys of ``settings``."""

    id: str
    title: Message
    settings: tuple[Setting, ...]
    draw: Callable[..., Project]

    def build(self, lang: str = "en", /, **settings: int | str) -> Project:
        """The project, every used part embedded, its names in ``lang``. Raises UserError on an unknown key or a value
        out of range.
        """
        known = {setting.key: setting for setting in self.settings}
        for key in settings:
            if key not in known:
                raise UserError(
                    msg(
                        "Template '{template}' has no setting '{key}'; it has {keys}.",
                        template=self.id,
                        key=key[:60],
                        keys=list(known),
                    )
                )
        values = {key: row.read(settings[key]) if key in settings else row.default for key, row in known.items()}
        return in_language(self.draw(**values), lang)
