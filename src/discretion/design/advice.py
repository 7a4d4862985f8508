"""Forecasts of the error of each design, and the recommendation that follows from them."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from math import exp, log
from typing import ClassVar, Generic, TypeVar

from discretion.budget.level import epsilon
from discretion.design.design import Design, Names
from discretion.design.sheet import OnSheet
from discretion.errors import EstimateError
from discretion.plan import Plan
from discretion.plan.plan import Contract

WORTH = 1.1  # times less error that the weaker contract must give to be recommended


@dataclass(frozen=True)
class Forecast(ABC):
    """What one design gives for one table, or for the means of numbers."""

    names: Names
    design: Design
    total: int  # thousandths of epsilon that each owner spends
    squared_error: float

    @property
    def contract(self) -> Contract:
        return self.design.contract

    @property
    def alone(self) -> int:
        """The level that protects one of the attributes alone."""
        return self.design.alone(self.total, self.names)

    @property
    @abstractmethod
    def rmse(self) -> float:
        """The root mean squared error."""

    @property
    def at_most(self) -> bool:
        """Whether the error is a bound that the estimate stays below."""
        return False

    @abstractmethod
    def record(self) -> dict[str, object]: ...

    def document(self) -> dict[str, object]:
        """Return the same with lists and mappings where they say more."""
        return self.record()


Row = TypeVar("Row", bound=Forecast)


@dataclass(frozen=True, repr=False)
class Advice(OnSheet, Generic[Row]):
    """Forecasts for every design, and which one to take."""

    NOUN: ClassVar[str]  # what a question is about

    plan: Plan
    rows: tuple[Row, ...]
    n: int
    total: int  # thousandths of epsilon that each owner spends

    @cached_property
    def designs(self) -> tuple[Design, ...]:
        """The designs, that with the smallest error first."""
        return tuple(sorted(dict.fromkeys(row.design for row in self.rows), key=self.typical))

    def forecasts(self, design: Design) -> tuple[Row, ...]:
        """Return the forecasts of one design."""
        return tuple(row for row in self.rows if row.design == design)

    def typical(self, design: Design) -> float:
        """Return the geometric mean of the squared errors of a design."""
        errors = [row.squared_error for row in self.forecasts(design)]
        return exp(sum(map(log, errors)) / len(errors))

    @property
    def recommended(self) -> Design:
        """The design with the smallest error, unless one that promises more is about as good."""
        best, rival = self.designs[0], self._rival
        if rival is None or self._gain(rival) >= WORTH or rival.contract is Contract.RECORD:
            return best
        stronger = best.contract is Contract.RECORD or self._alone(rival) < self._alone(best)
        return rival if stronger else best

    @property
    def recommendation(self) -> str:
        """What to do, at which price, in a few sentences."""
        best, rival, chosen = self.designs[0], self._rival, self.recommended
        if rival is None:
            words = "is the one way" if len(self.designs) == 1 else "errs least"
            words = f"{_called(best)} {words}"
        elif self._gain(rival) >= WORTH:
            words = self._trade(best, rival)
        else:
            other = rival if chosen is best else best
            words = f"{_called(chosen)} is about as good as {_called(other)}"
        return " ".join([f"{words[0].upper()}{words[1:]}.", *self._remarks(chosen)])

    @property
    def spending(self) -> str:
        """For whom the forecasts are."""
        return f"{self.n:,} owners who spend {epsilon(self.total)} each"

    def document(self) -> dict[str, object]:
        """Return it for machines, with epsilons instead of levels."""
        return {
            "owners": self.n,
            "total": self.total / 1000,
            "recommendation": self.recommendation,
            "forecasts": [row.document() for row in self.rows],
        }

    @property
    def _rival(self) -> Design | None:
        """What the best design is compared with: if it promises less, the best that does not."""
        if self.designs[0].contract is Contract.ATTRIBUTE:
            return None
        return next((d for d in self.designs if d.contract is Contract.ATTRIBUTE), None)

    def _gain(self, rival: Design) -> float:
        return self.typical(rival) / self.typical(self.designs[0])

    def _alone(self, design: Design) -> int:
        """Return the level that protects an attribute, of joint tables if there are any."""
        rows = self.forecasts(design)
        return max(row.alone for row in [row for row in rows if len(row.names) > 1] or rows)

    def _trade(self, best: Design, rival: Design) -> str:
        over = ", in the geometric mean of the tables" if len(self.forecasts(best)) > 1 else ""
        most = any(row.at_most for row in self.forecasts(rival))
        much = f"{'an up to' if most else 'a'} {self._gain(rival):.2g}"
        alone, before = (epsilon(self._alone(design)) for design in (best, rival))
        protected = f"; each {self.NOUN} alone is then protected by {alone} instead of {before}"
        return (
            f"{_called(best)} gives {much} times smaller squared error than "
            f"{_called(rival)}{over}{protected if alone != before else ''}"
        )

    def _remarks(self, chosen: Design) -> list[str]:
        """Return what else is to be said of the recommended design."""
        return []


def check_owners(n: float) -> None:
    """Refuse what is no number of owners."""
    if n < 1 or n % 1:
        raise EstimateError(f"n must be a whole number of owners, got {n!r}")


def allowance(plan: Plan, attributes: int) -> int:
    """Return what an owner spends on so many attributes: all that the policy allows, or evenly."""
    most = plan.policy.allowance(attributes)
    return plan.policy.even(attributes) * attributes if most is None else most


def _called(design: Design) -> str:
    return f"{design.doing} ({design.contract} contract)"
