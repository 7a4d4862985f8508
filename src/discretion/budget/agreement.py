"""The part of a plan that a budget is checked against.

A level is given to a name of the plan: an attribute, or a bundle of attributes that are reported as
one value. The policy sees attributes only: a bundle is its attributes, each with an equal part of
its level. Where a device draws one view of several attributes, that is one answer, with all of it.
"""

from collections.abc import Iterable, Mapping
from typing import Protocol

from discretion.budget.level import epsilon
from discretion.budget.policy import Policy, describe
from discretion.errors import BudgetError


class Offer(Protocol):
    """What a budget has to know about a question."""

    @property
    def parts(self) -> tuple[str, ...]:
        """The attributes that an answer is about: one, or those of the bundle."""

    @property
    def counted(self) -> tuple[str, ...]:
        """What the policy counts, each with an equal part of the level."""

    @property
    def menu(self) -> tuple[int, ...]:
        """The levels that it may have."""

    def range_index(self, ends: object) -> int:
        """Return where a range stands on the menu of an attribute."""

    def length_index(self, length: object) -> int:
        """Return where a length stands on the menu of a set or a map."""


class Agreement(Protocol):
    """What is asked, and what may be spent on it."""

    @property
    def id(self) -> str: ...
    @property
    def questions(self) -> Mapping[str, Offer]:
        """Return all that can be reported, by name: attributes, then bundles."""

    @property
    def policy(self) -> Policy: ...
    @property
    def share_least(self) -> int: ...
    @property
    def sample(self) -> int | None:
        """Return how many names a device draws and reports; None: the owner chooses."""


def check(plan: Agreement, levels: Mapping[str, int]) -> None:
    """Refuse an allocation that no owner of the plan may choose, with the rule and the value."""
    check_names(plan, levels)
    for name, level in levels.items():
        if level not in plan.questions[name].menu:
            rule = f"{name}: level must be on {describe(plan.questions[name].menu)}"
            raise BudgetError(rule, epsilon(level))
    plan.policy.check(by_attribute(plan, levels))


def check_names(plan: Agreement, names: Iterable[str]) -> None:
    """Refuse names that the plan lacks, one attribute under two names, and too few attributes."""
    names = list(names)
    if (twice := repeated(plan, names)) is not None:
        rule = f"{twice}: must be reported alone or in one bundle"
        raise BudgetError(rule, " and ".join(n for n in names if twice in plan.questions[n].parts))
    if (shared := count(plan, names)) < plan.share_least:
        raise BudgetError(f"at least {plan.share_least} attributes must be shared", shared)
    if plan.sample is not None and len(names) > plan.sample:
        raise BudgetError(f"at most {plan.sample} are reported under this plan", len(names))


def repeated(plan: Agreement, names: Iterable[str]) -> str | None:
    """Return the first attribute that two of the names speak of."""
    seen: set[str] = set()
    for name in names:
        for part in plan.questions[name].parts:
            if part in seen:
                return part
            seen.add(part)
    return None


def count(plan: Agreement, names: Iterable[str]) -> int:
    """Return how many attributes the policy counts for the names."""
    return sum(len(plan.questions[name].counted) for name in names)


def by_attribute(plan: Agreement, levels: Mapping[str, int]) -> dict[str, int]:
    """Return what the policy sees: each attribute with its part of the level, which is whole."""
    return {
        part: level // len(plan.questions[name].counted)
        for name, level in levels.items()
        for part in plan.questions[name].counted
    }


def bundled(plan: Agreement, attributes: Iterable[str]) -> list[str]:
    """Return names for all of the attributes: bundles in the plan's order, what is left alone."""
    left, bundles = set(attributes), set()
    for name in plan.questions:
        parts = plan.questions[name].parts
        if len(parts) > 1 and left.issuperset(parts):
            left.difference_update(parts)
            bundles.add(name)
    return [name for name in plan.questions if name in left or name in bundles]
