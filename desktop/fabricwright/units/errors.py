"""The one exception that means "the person can mend this".

It carries a translatable message (what, where, what was expected). The command line prints it on one line and exits
with 2; the window shows it in a dialog. Anything else that escapes is a defect of the program.
"""

from __future__ import annotations

from fabricwright.units.text import Message


class UserError(Exception):
    """Bad input: unreadable file, unknown part, malformed size, unknown address.

    ``message`` is translatable; ``str(error)`` is its English form.
    """

    def __init__(self, message: Message) -> None:
        super().__init__(message.english())
        self.message = message
