"""The rule book's table: every rule registers itself with what it needs, how its value gets worse, and its page of
documentation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from fabricwright.rules.finding import SEVERITIES
from fabricwright.units.record import record

STAGES = (
    "effective",
    "root",
    "interior",
    "wiring",
    "fabric",
    "seating",
    "cables",
    "statements",
    "settings",
    "workload",
    "designs",
)
"""Names of the stages that a rule can read, as ``needs`` lists them.

``root`` is the root sheet alone. ``effective`` is every sheet for a rule about the design, and the server's own sheet
for a rule about servers. ``designs``: the project's other designs, too.
"""

RuleFunction = Callable[..., Iterable[Any]]


@record
class Rule:
    """One rule of the book.

    ``scope`` "server": called once per (group, variant) as ``run(context, variant)``; "design": called once as
    ``run(context)``. ``direction`` "up" when a larger measured value is worse, "down" when a smaller one is, "" when
    there is no order; an approval lapses when the value got worse by more than ``tolerance`` (relative). ``subject``
    what the finding points at.
    ``title``/``checks``/``reason`` are English literals marked for translation; ``source`` names where the limit is
    from.
    """

    id: str
    severity: str
    scope: str
    needs: frozenset[str]
    group: str
    subject: str
    title: str
    checks: str
    reason: str
    source: str
    direction: str
    tolerance: float
    run: RuleFunction

    @property
    def page(self) -> tuple[str, str, str]:
        """Title, what is checked, and why: the rule's page in the explanation pane."""
        return self.title, self.checks, self.reason


RULES: dict[str, Rule] = {}


def rule(
    rule_id: str,
    severity: str,
    *,
    needs: Iterable[str],
    group: str,
    subject: str,
    title: str,
    checks: str,
    reason: str,
    source: str,
    scope: str = "server",
    direction: str = "",
    tolerance: float = 0.01,
) -> Callable[[RuleFunction], RuleFunction]:
    """Register a rule. Texts must be literals wrapped in ``N_`` so that the message extractor finds them."""
    wanted = frozenset(needs)
    assert severity in SEVERITIES, f"{rule_id}: severity {severity!r} is none of {SEVERITIES}"
    assert wanted <= set(STAGES), f"{rule_id}: {sorted(wanted - set(STAGES))} are none of the stages {STAGES}"
    assert scope in ("server", "design"), f"{rule_id}: scope {scope!r} is neither server nor design"
    assert direction in ("up", "down", ""), f"{rule_id}: direction {direction!r} is neither up nor down nor empty"
    assert rule_id not in RULES, f"two rules are called {rule_id}"

    def register(function: RuleFunction) -> RuleFunction:
        RULES[rule_id] = Rule(
            rule_id,
            severity,
            scope,
            wanted,
            group,
            subject,
            title,
            checks,
            reason,
            source,
            direction,
            tolerance,
            function,
        )
        return function

    return register


def all_rules() -> dict[str, Rule]:
    """The whole book, in registration order. Importing the modules is what fills it, so it is done here and not at
    start-up.
    """
    from fabricwright.rules import book  # noqa: F401  (registers)

    return RULES
