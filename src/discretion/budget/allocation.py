"""One owner's budget: a level for each attribute she shares, or for a bundle of them.

A budget is made from a plan and preferences, never from a record: levels and the choice of shared
attributes must not depend on the values, or they would reveal them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Self

from discretion.budget.agreement import Agreement, bundled, check, check_names
from discretion.budget.level import epsilon, stratum_of, thousandths
from discretion.budget.policy import apportion
from discretion.errors import BudgetError
from discretion.render.formats import some
from discretion.schema.numeric import exact


@dataclass(frozen=True)
class Budget:
    """Levels in thousandths of epsilon by name (attribute or bundle), in the plan's order."""

    plan: str  # the id of the plan it was checked against
    levels: Mapping[str, int]
    ranges: Mapping[str, int] = field(default_factory=dict)  # or lengths: indices, if not 0
    shared: frozenset[str] | None = None  # the attributes among which a view is; None: all of them

    @classmethod
    def of(
        cls,
        plan: Agreement,
        epsilons: Mapping[str, object],
        ranges: Mapping[str, object] = MappingProxyType({}),
        length: Mapping[str, object] = MappingProxyType({}),
    ) -> Self:
        """Return the budget with these epsilons, if the policy allows it.

        ``ranges`` are pairs (low, high) from the plan's menu, of dates as dates: numbers outside
        are moved to the nearer end. ``length`` is how many items of a set, or keys of a map, are
        reported at most, from the plan's menu. Like the epsilons they are chosen without regard to
        the values.
        """
        if not isinstance(epsilons, Mapping):
            raise BudgetError("a budget must map attributes to epsilons, {name: 2}", repr(epsilons))
        check_names(plan, epsilons)
        budget = cls._checked(plan, {name: thousandths(epsilons[name]) for name in epsilons})
        return budget.within(plan, ranges, length)

    @classmethod
    def even(cls, plan: Agreement, attributes: Iterable[str] | None = None) -> Self:
        """Give every shared attribute the same level: ``Policy.even``. A bundle gets their sum.

        Default: all attributes, in the plan's bundles as far as these do not overlap.
        """
        if attributes is None:
            attributes = bundled(
                plan, (n for n in plan.questions if len(plan.questions[n].parts) == 1)
            )
        names = list(dict.fromkeys([attributes] if isinstance(attributes, str) else attributes))
        check_names(plan, names)
        counts = [len(plan.questions[name].counted) for name in names]
        level = plan.policy.even(sum(counts), max(counts))
        whole = (level * count for count in counts)
        return cls._checked(plan, dict(zip(names, whole, strict=True)))

    @classmethod
    def by_sensitivity(cls, plan: Agreement, sensitivities: Mapping[str, object]) -> Self:
        """Give what is more sensitive less: shares in proportion to one over the sensitivity.

        That of a bundle is the sensitivity of each of its attributes.
        """
        check_names(plan, sensitivities)
        counts = [len(plan.questions[name].counted) for name in sensitivities]
        weights = [
            count / _sensitivity(name, sensitivities[name])
            for name, count in zip(sensitivities, counts, strict=True)
        ]
        levels = apportion(plan.policy, weights, counts)
        whole = [level * count for level, count in zip(levels, counts, strict=True)]
        return cls._checked(plan, dict(zip(sensitivities, whole, strict=True)))

    def within(
        self,
        plan: Agreement,
        ranges: Mapping[str, object],
        length: Mapping[str, object] = MappingProxyType({}),
    ) -> Self:
        """Return the budget with ranges and lengths from the plan's menu."""
        for what, stated in (("range", ranges), ("length", length)):
            for name in stated:
                if name not in self.levels:
                    raise BudgetError(f"a {what} must be that of a shared attribute", name)
        indices = {name: plan.questions[name].range_index(ends) for name, ends in ranges.items()}
        indices |= {name: plan.questions[name].length_index(most) for name, most in length.items()}
        chosen = {name: indices[name] for name in self.levels if indices.get(name)}
        return replace(self, ranges=MappingProxyType(chosen))

    def __repr__(self) -> str:
        return f"<Budget {some(f'{name}: {epsilon(own)}' for name, own in self.levels.items())}>"

    @property
    def strata(self) -> Mapping[str, int]:
        """The level and the range of each name, as one integer."""
        return {n: stratum_of(level, self.ranges.get(n, 0)) for n, level in self.levels.items()}

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
        check(plan, levels)
        ordered = {name: levels[name] for name in plan.questions if name in levels}
        return cls(plan.id, MappingProxyType(ordered))


def _sensitivity(name: str, value: object) -> Fraction:
    try:
        sensitivity = exact(value)
    except (TypeError, ValueError, OverflowError):
        raise BudgetError(f"{name}: sensitivity must be a number", repr(value)) from None
    if sensitivity <= 0:
        raise BudgetError(f"{name}: sensitivity must be above zero", value)
    return sensitivity
