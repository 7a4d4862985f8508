"""Policies: which levels may be chosen, and how much m shared attributes may spend together.

Average  PLDP (Shen, Xia and Yu 2021): at most m times the average.
Total    PMPM (Zeng et al. 2022): at most the total, each at least total / (spread * m).
Levels   any level of a short list for each attribute, without a common allowance.
"""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from discretion.budget.level import MOST, epsilon
from discretion.errors import BudgetError


class Policy(ABC):
    """The public rule that every owner's budget keeps."""

    @property
    @abstractmethod
    def menu(self) -> tuple[int, ...]:
        """The levels one attribute may have, from the smallest to the largest."""

    @property
    @abstractmethod
    def document(self) -> dict[str, object]:
        """The rule as it stands in the document of a plan."""

    @abstractmethod
    def allowance(self, shared: int) -> int | None:
        """Return the most that so many shared attributes may spend together; None: no rule."""

    @abstractmethod
    def least(self, shared: int) -> int:
        """Return the least level one of so many shared attributes may have."""

    def floor(self, shared: int) -> int:
        """Return the smallest level of the menu that one of so many shared attributes may have."""
        return next(level for level in self.menu if level >= self.least(shared))

    def menu_of(self, together: int) -> tuple[int, ...]:
        """Return the levels that each of so many attributes may have when they are one answer."""
        return self.menu[: bisect_right(self.menu, MOST // together)]

    def even(self, shared: int, together: int = 1) -> int:
        """Return the largest level all of so many can have (no allowance: at most the middle one).

        ``together``: how many of them, at most, are one answer.
        """
        allowance = self.allowance(shared)
        middle = self.menu[(len(self.menu) - 1) // 2]
        top = middle if allowance is None else allowance // shared
        least = self.least(shared)
        fitting = [v for v in self.menu_of(together) if least <= v <= top]
        if not fitting:
            raise BudgetError("the policy has no level that all shared attributes can have", shared)
        return fitting[-1]

    def check(self, levels: Mapping[str, int]) -> None:
        """Refuse an allocation that breaks the policy, with the rule and the value."""
        shared = len(levels)
        for name, level in levels.items():
            if level not in self.menu:
                raise BudgetError(f"{name}: level must be on {describe(self.menu)}", epsilon(level))
            if level < self.least(shared):
                rule = f"{name}: each of {shared} attributes must get {epsilon(self.least(shared))}"
                raise BudgetError(f"{rule} or more", epsilon(level))
        allowance, total = self.allowance(shared), sum(levels.values())
        if allowance is not None and total > allowance:
            rule = f"{shared} shared attributes may spend at most {epsilon(allowance)} together"
            raise BudgetError(rule, epsilon(total))


@dataclass(frozen=True)
class Average(Policy):
    """The m shared attributes spend at most m times ``average``."""

    average: int
    least_level: int
    most: int
    step: int

    @cached_property
    def menu(self) -> tuple[int, ...]:
        inner = range(self.least_level - self.least_level % self.step, self.most, self.step)
        return tuple(
            sorted({self.least_level, self.most, *(v for v in inner if v > self.least_level)})
        )

    @property
    def document(self) -> dict[str, object]:
        ends = {"least": self.least_level, "most": self.most}
        return {"average": self.average, **ends, "step": self.step}

    def allowance(self, shared: int) -> int:
        return shared * self.average

    def least(self, shared: int) -> int:
        return self.least_level


@dataclass(frozen=True)
class Total(Policy):
    """The shared attributes spend at most ``total``; ``spread`` (thousandths) keeps them near."""

    total: int
    spread: int
    step: int

    @cached_property
    def menu(self) -> tuple[int, ...]:
        top = min(self.total, MOST)
        return tuple(sorted({*range(self.step, top + 1, self.step), top}))

    @property
    def document(self) -> dict[str, object]:
        return {"total": self.total, "spread": self.spread, "step": self.step}

    def allowance(self, shared: int) -> int:
        return self.total

    def least(self, shared: int) -> int:
        return -(-self.total * 1000 // (self.spread * shared))  # rounded up


@dataclass(frozen=True)
class Levels(Policy):
    """Any of a few levels for each shared attribute."""

    choices: tuple[int, ...]

    @property
    def menu(self) -> tuple[int, ...]:
        return self.choices

    @property
    def document(self) -> dict[str, object]:
        return {"levels": list(self.choices)}

    def allowance(self, shared: int) -> None:
        return None

    def least(self, shared: int) -> int:
        return self.menu[0]


def describe(menu: tuple[int, ...]) -> str:
    """Write a menu in a few words."""
    return f"the plan's menu ({listed(menu)})"


def listed(menu: tuple[int, ...]) -> str:
    """Write the levels of a menu, or the first two and the last."""
    shown = [epsilon(v) for v in menu]
    return ", ".join(shown if len(shown) <= 6 else [*shown[:2], "...", shown[-1]])


def apportion(policy: Policy, weights: Sequence[Fraction], counts: Sequence[int]) -> list[int]:
    """Give everyone the least level and a weighted share of the rest, on the menu.

    Each target is rounded down to the menu; then, from the largest remainder to the smallest (ties:
    the first), one step up is given where what is left of the allowance pays for it.

    Some shares are those of several attributes (``counts``) that are one answer: all
    of them get the level that is returned, a step up is paid for all, and together they stay at or
    below the largest level there is.
    """
    shared, menus = sum(counts), [policy.menu_of(count) for count in counts]
    each = [w / count for w, count in zip(weights, counts, strict=True)]
    if (allowance := policy.allowance(shared)) is None:
        targets = [policy.menu[-1] * w / max(each) for w in each]
        return [m[max(bisect_right(m, t) - 1, 0)] for m, t in zip(menus, targets, strict=True)]
    floor = policy.floor(shared)
    rest, total = allowance - shared * floor, sum(weights)
    targets = [
        min(floor + rest * w / total, Fraction(m[-1])) for m, w in zip(menus, each, strict=True)
    ]
    indices = [bisect_right(m, t) - 1 for m, t in zip(menus, targets, strict=True)]
    remainders = [t - m[i] for m, t, i in zip(menus, targets, indices, strict=True)]
    left = allowance - sum(c * m[i] for c, m, i in zip(counts, menus, indices, strict=True))
    for j in sorted(range(len(weights)), key=lambda j: -remainders[j]):
        menu, i = menus[j], indices[j]
        step = counts[j] * (menu[min(i + 1, len(menu) - 1)] - menu[i])
        if remainders[j] > 0 and step <= left:
            indices[j], left = i + 1, left - step
    return [m[i] for m, i in zip(menus, indices, strict=True)]
