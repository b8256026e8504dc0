"""What a predicate says about the cards of a server, as findings: the walk that rules about one card share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from fabricwright.design.address import Address
from fabricwright.design.calls import EditCall
from fabricwright.design.effective import EffItem
from fabricwright.rules.context import RuleContext, Variant, own_items
from fabricwright.rules.finding import Finding
from fabricwright.rules.moves import move_to_better_slot
from fabricwright.rules.pcie_path import ServerView, server_view
from fabricwright.rules.reason import Reason

Question = Callable[[ServerView, EffItem], Reason | None]
"""What is wrong with a card where it is; None when nothing is, or when the question does not arise."""

Fix = Callable[[RuleContext, Variant, ServerView, EffItem], Iterable[EditCall]]
"""Edits that mend what was found at a card; empty when none does."""


def finding_of(
    context: RuleContext, variant: Variant, at: Iterable[Address], reason: Reason, fix: Iterable[EditCall] = ()
) -> Finding:
    """A reason as a finding of the running rule, with its figures."""
    return context.finding(
        at,
        reason.message,
        variant=variant,
        measured=reason.measured,
        allowed=reason.allowed,
        unit=reason.unit,
        values=reason.values,
        fix=fix,
        estimate=reason.estimate,
    )


def moved(context: RuleContext, variant: Variant, view: ServerView, item: EffItem) -> tuple[EditCall, ...]:
    """The fix "move the card to a legal slot", where there is one."""
    return move_to_better_slot(context, variant, view, item.id)


def unmended(_context: RuleContext, _variant: Variant, _view: ServerView, _item: EffItem) -> tuple[EditCall, ...]:
    """No fix: nothing on the drawing mends it by itself."""
    return ()


def ask_cards(context: RuleContext, variant: Variant, question: Question, fix: Fix = moved) -> Iterator[Finding]:
    """Put a question to every item of the sheet itself; one finding for each item that it is answered for."""
    view = server_view(variant.eff, context.project.parts)
    for item in own_items(variant.eff):
        reason = question(view, item)
        if reason is not None:
            yield finding_of(context, variant, (variant.at(item.id),), reason, fix(context, variant, view, item))
