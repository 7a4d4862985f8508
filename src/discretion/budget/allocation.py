"""One owner's budget: a level for each attribute she shares.

A budget is made from a plan and preferences, never from a record: levels and the choice of shared
attributes must not depend on the values, or they would tell them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Protocol, Self

from discretion.budget.apportion import apportion
from discretion.budget.level import epsilon, thousandths
from discretion.budget.policy import Policy
from discretion.errors import BudgetError, UnknownAttribute
from discretion.schema.numeric import exact


class Agreement(Protocol):
    """The part of a plan that a budget is checked against."""

    @property
    def id(self) -> str: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def policy(self) -> Policy: ...
    @property
    def share_least(self) -> int: ...


@dataclass(frozen=True)
class Budget:
    """Levels in thousandths of epsilon by attribute, in the plan's order."""

    plan: str  # the id of the plan it was checked against
    levels: Mapping[str, int]

    @classmethod
    def of(cls, plan: Agreement, epsilons: Mapping[str, object]) -> Self:
        """Return the budget with these epsilons, if the policy allows it."""
        _known(plan, epsilons)
        return cls._checked(plan, {name: thousandths(epsilons[name]) for name in epsilons})

    @classmethod
    def even(cls, plan: Agreement, attributes: Iterable[str] | None = None) -> Self:
        """Give every shared attribute (default: all) the same level: ``Policy.even``."""
        if isinstance(attributes, str):
            attributes = [attributes]
        names = list(dict.fromkeys(plan.names if attributes is None else attributes))
        _known(plan, names)
        return cls._checked(plan, dict.fromkeys(names, plan.policy.even(max(len(names), 1))))

    @classmethod
    def by_sensitivity(cls, plan: Agreement, sensitivities: Mapping[str, object]) -> Self:
        """Give what is more sensitive less: shares in proportion to one over the sensitivity."""
        _known(plan, sensitivities)
        weights = {name: 1 / _sensitivity(name, sensitivities[name]) for name in sensitivities}
        levels = apportion(plan.policy, list(weights.values())) if weights else []
        return cls._checked(plan, dict(zip(weights, levels, strict=True)))

    def __repr__(self) -> str:
        levels = ", ".join(f"{name}: {epsilon(level)}" for name, level in self.levels.items())
        return f"<Budget {levels}>"

    @property
    def total(self) -> int:
        """What all attributes together may reveal: the record's privacy loss at most."""
        return sum(self.levels.values())

    @property
    def pldp_weighted(self) -> Fraction:
        """PLDP's weighted budget (Shen, Xia and Yu 2021, Definition 4), in thousandths.

        The sum of w_j e_j with w_j = 1 - (e_j - min e) / sum e: for comparison, it bounds nothing.
        """
        least = min(self.levels.values())
        return sum(
            (v * (1 - Fraction(v - least, self.total)) for v in self.levels.values()), Fraction()
        )

    @classmethod
    def _checked(cls, plan: Agreement, levels: Mapping[str, int]) -> Self:
        if len(levels) < plan.share_least:
            raise BudgetError(f"at least {plan.share_least} attributes must be shared", len(levels))
        plan.policy.check(levels)
        ordered = {name: levels[name] for name in plan.names if name in levels}
        return cls(plan.id, MappingProxyType(ordered))


def _known(plan: Agreement, names: Iterable[str]) -> None:
    for name in names:
        if name not in plan.names:
            raise UnknownAttribute(name, plan.names)


def _sensitivity(name: str, value: object) -> Fraction:
    try:
        sensitivity = exact(value)
    except (TypeError, ValueError, OverflowError):
        raise BudgetError(f"{name}: sensitivity must be a number", repr(value)) from None
    if sensitivity <= 0:
        raise BudgetError(f"{name}: sensitivity must be above zero", value)
    return sensitivity
