"""What becomes of an owner's values that do not fit a plan, for her to see before a report is made.

Nothing is drawn, charged or kept for it. A simulation of the same records counts the same.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from discretion.budget import Budget
from discretion.budget.level import range_of
from discretion.plan import Plan
from discretion.schema import Attribute
from discretion.schema.attribute import Misfit, is_missing


@dataclass(frozen=True)
class Change:
    """A value that does not fit, and what it counts as, in words."""

    attribute: str
    value: object
    misfit: Misfit
    instead: str

    def __str__(self) -> str:
        counts = self.misfit.shown(self.instead)
        return f"{self.attribute}: {self.value!r} {self.misfit.meaning}; it counts as {counts}"


def changes(plan: Plan, record: Mapping[str, object], budget: Budget) -> tuple[Change, ...]:
    """Return what changes in a record, by attribute, as far as its report depends on it."""
    needed = dict(_needed(plan, record, budget))
    shared = {part.name: part for name, part in _shared(plan, budget)}
    found = []
    for name in plan.attributes:
        if name in needed:
            attribute = shared.get(name, plan.attributes[name])
            misfit = attribute.misfit(record[name])
            if misfit:
                found.append(Change(name, record[name], misfit, attribute.instead(misfit)))
    return tuple(found)


def _shared(plan: Plan, budget: Budget) -> Iterator[tuple[str, Attribute]]:
    """Yield the attributes that are reported, in the ranges that the owner chose."""
    for name, stratum in budget.strata.items():
        for part in plan.questions[name].within(range_of(stratum)).parts:
            yield part.name, part


def _needed(
    plan: Plan, record: Mapping[str, object], budget: Budget
) -> Iterator[tuple[str, object]]:
    """Yield the values that a report depends on, up to one that is missing or no number."""
    for name in budget.levels:
        for part in plan.questions[name].parts:
            for needed in plan.attributes[part].needs(record):
                value = record.get(needed)
                if is_missing(value):
                    break
                yield needed, value
                if plan.attributes[needed].misfit(value) is Misfit.NO_NUMBER:
                    break
