"""Which way to ask for means: what each costs in error, what it promises, and the plan for it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from typing import Any

import pyarrow as pa

from discretion.budget import Total
from discretion.budget.level import MOST, epsilon, thousandths
from discretion.design.guess import guesses
from discretion.design.mean_designs import BEST, DECODED, Asked, Design, blocks, draws
from discretion.errors import BudgetError, EstimateError, KindError
from discretion.plan import Family, Plan
from discretion.plan.contract import Contract
from discretion.plan.document import as_author
from discretion.plan.parameters import Numbers
from discretion.table.frame import from_arrow

WORTH = 1.1  # times less error that the weaker contract must give to be recommended
SPREAD = 2  # where the plan at hand has none: an owner may spend half of the total


@dataclass(frozen=True)
class MeanForecast:
    """What one design gives, in the mean over the numbers, with ranges scaled to [-1, 1]."""

    design: Design
    alone: int  # the level that protects one number
    squared_error: float

    @property
    def rmse(self) -> float:
        """The root of the squared error, as a part of the range."""
        return sqrt(self.squared_error) / 2


@dataclass(frozen=True)
class MeanAdvice:
    """Forecasts for every design, that with the smallest error first."""

    plan: Plan
    rows: tuple[MeanForecast, ...]
    n: int
    total: int  # thousandths of epsilon that each owner spends
    names: tuple[str, ...]
    supposed: str  # how the numbers are supposed to lie

    def best(self, contract: str | None = None) -> MeanForecast:
        """Return the forecast with the smallest error, of designs with this contract or any."""
        for row in self.rows:
            if contract in (None, row.design.contract):
                return row
        raise EstimateError(f"there is no design with the contract {contract}")

    @property
    def recommended(self) -> MeanForecast:
        """The best design, unless one with the stronger contract is about as good."""
        keeping = [row for row in self.rows if row.design.contract is Contract.ATTRIBUTE]
        best = self.rows[0]
        close = bool(keeping) and keeping[0].squared_error < WORTH * best.squared_error
        return keeping[0] if close else best

    def proposal(self, contract: str | None = None) -> dict[str, Any]:
        """Return the plan of the recommended design, or of the best one with a contract.

        It is as an author writes it, for ``Plan.of`` or YAML.
        """
        row = self.best(contract) if contract else self.recommended
        return author_of(self.plan, row.design, self.total)

    @property
    def recommendation(self) -> str:
        """What to do, at which price, in a few sentences."""
        from discretion.design.mean_text import recommendation

        return recommendation(self)

    def to_frame(self, backend: str = "pyarrow") -> Any:
        """Return a row for each design."""
        return from_arrow(pa.Table.from_pylist([as_record(row) for row in self.rows]), backend)

    def __str__(self) -> str:
        from discretion.design.mean_text import text

        return text(self)

    __repr__ = __str__


def advise_means(
    plan: Plan,
    n: int,
    total: float | None = None,
    names: Sequence[str] | None = None,
    guess: object = None,
) -> MeanAdvice:
    """Forecast the error of the means of numbers, for each way to ask n owners.

    ``total``: the epsilon that an owner spends in all (default: what the policy allows for all of
    the numbers, or even levels where it has no common rule). ``names``: default, all numbers of the
    plan. ``guess``: how the numbers lie; a frame of records like those, or a mapping from names to
    pairs (mean, standard deviation). What is not guessed lies anywhere in its range.
    """
    if n < 1 or n % 1:
        raise EstimateError(f"n must be a whole number of owners, got {n!r}")
    asked = _asked(plan, names, guess)
    spent = _allowance(plan, len(asked)) if total is None else thousandths(total)
    window = [replace(number, mechanism=BEST) for number in asked]
    found = [*draws(asked, spent), *blocks(window, spent)]
    if window != asked:
        found += draws(window, spent)
    if not found:
        rule = f"the total must leave a level up to {epsilon(MOST)} for each number drawn"
        raise BudgetError(rule, epsilon(spent))
    rows = [MeanForecast(d, d.alone(spent), d.squared_error(n, spent)) for d in found]
    told = "somewhere in their ranges" if guess is None else "as guessed"
    ranked = sorted(rows, key=lambda row: row.squared_error)
    return MeanAdvice(plan, tuple(ranked), n, spent, tuple(a.name for a in asked), told)


def as_record(row: MeanForecast) -> dict[str, Any]:
    """Return a forecast as plain values, with epsilons instead of levels."""
    return {
        "design": row.design.name,
        "contract": str(row.design.contract),
        "told": row.design.mechanism,
        "alone": row.alone / 1000,
        "squared_error": row.squared_error,
        "rmse": row.rmse,
    }


def _asked(plan: Plan, names: Sequence[str] | None, guess: object) -> list[Asked]:
    numbers = [name for name in plan.attributes if plan.questions[name].family is Family.NUMBERS]
    chosen = numbers if names is None else list(dict.fromkeys(names))
    for name in chosen:
        if plan.questions[name].family is not Family.NUMBERS:
            raise KindError(name, plan.questions[name].mechanism, "a number")
    if not chosen:
        raise EstimateError("the plan asks for no numbers: advise() is about tables")
    mechanisms = [plan.questions[name].mechanism for name in chosen]
    known = [mechanism if mechanism in DECODED else BEST for mechanism in mechanisms]
    return [Asked(*item) for item in zip(chosen, known, guesses(plan, chosen, guess), strict=True)]


def _allowance(plan: Plan, count: int) -> int:
    allowance = plan.policy.allowance(count)
    return plan.policy.even(count) * count if allowance is None else allowance


def author_of(plan: Plan, design: Design, total: int) -> dict[str, Any]:
    """Return a plan that asks by a design, with the grids and the spread of one at hand."""
    chosen = {number.name: number for block in design.blocks for number in block.numbers}
    asked = [a for name, a in plan.attributes.items() if name in chosen]
    questions = [Numbers(mechanism=chosen[a.name].mechanism).document(a) for a in asked]
    written = as_author({"attributes": questions})["attributes"]
    policy = plan.policy
    spread = Fraction(policy.spread, 1000) if isinstance(policy, Total) else SPREAD
    bundles = [
        {"attributes": [number.name for number in block.numbers], "levels": block.levels}
        for block in design.blocks
        if len(block.numbers) > 1
    ]
    author = {
        "name": plan.name,
        "attributes": [{"name": question["name"], **question} for question in written],
        **({"bundles": bundles} if bundles else {}),
        "budget": {"total": Fraction(total, 1000), "spread": spread, "step": 0.001},
        "share": {"sample": design.sample},
    }
    return _plain(author)


def _plain(value: Any) -> Any:
    """Return what YAML and JSON can hold: a fraction as the decimal that it is."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    return value
