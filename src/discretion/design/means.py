"""Which way to ask for means: what each costs in error, what it promises, and the plan for it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from discretion.budget import Total
from discretion.budget.level import MOST, epsilon, thousandths
from discretion.design.advice import Advice, Forecast, allowance, check_owners
from discretion.design.design import Design, Names
from discretion.design.guess import guesses
from discretion.design.mean_designs import BEST, DECODED, blocks, draws, reported, squared_error
from discretion.design.sheet import Sheet
from discretion.errors import BudgetError, EstimateError
from discretion.plan import Plan
from discretion.plan.document import as_author
from discretion.plan.parameters import Numbers
from discretion.plan.plan import Contract

SPREAD = 2  # where the plan at hand has none: an owner may spend half of the total
SHOWN = 3  # designs of each contract
HEADS = ("design", "contract", "reported", "alone", "rmse", "error")
LEGEND = (
    "draw k: each owner reports k of the numbers, drawn beforehand, one by one",
    "m blocks: each reports one of m blocks of numbers, drawn beforehand, as one cell",
    "alone: the level that protects one number; rmse: of a mean, over its range",
    "error: squared, over the least",
)


@dataclass(frozen=True)
class MeanForecast(Forecast):
    """What one design gives, in the mean over the numbers, with ranges scaled to [-1, 1]."""

    @property
    def rmse(self) -> float:
        """The root of the squared error, as a part of the range."""
        return sqrt(self.squared_error) / 2

    def record(self) -> dict[str, Any]:
        return {
            "design": self.design.name,
            "contract": str(self.contract),
            "reported": reported(self.design),
            "alone": self.alone / 1000,
            "squared_error": self.squared_error,
            "rmse": self.rmse,
        }

    def shown(self, least: float) -> tuple[str, ...]:
        """Return the cells of its row; the error is in units of the least."""
        return (
            self.design.name,
            str(self.contract),
            reported(self.design),
            epsilon(self.alone),
            f"{100 * self.rmse:.2g} %",
            f"{self.squared_error / least:.3g}",
        )


@dataclass(frozen=True, repr=False)
class MeanAdvice(Advice[MeanForecast]):
    """Forecasts for every design, that with the smallest error first."""

    NOUN = "number"

    names: Names
    supposed: str  # how the numbers are supposed to be distributed

    def best(self, contract: str | None = None) -> MeanForecast:
        """Return the forecast with the smallest error, of designs with this contract or any."""
        for row in self.rows:
            if contract in (None, row.contract):
                return row
        raise EstimateError(f"there is no design with the contract {contract}")

    def proposal(self, contract: str | None = None) -> dict[str, Any]:
        """Return the plan of the recommended design, or of the best one with a contract.

        It is as an author writes it, for ``Plan.of`` or YAML.
        """
        design = self.best(contract).design if contract else self.recommended
        return author_of(self.plan, design, self.total)

    def document(self) -> dict[str, Any]:
        """Return it for machines, with the plans that it proposes."""
        contracts = dict.fromkeys(str(row.contract) for row in self.rows)
        return {**super().document(), "proposals": {c: self.proposal(c) for c in contracts}}

    @property
    def sheet(self) -> Sheet:
        """The best forecasts of each contract, with words around them."""
        kept = {c: [row for row in self.rows if row.contract is c][:SHOWN] for c in Contract}
        rows = [row for row in self.rows if any(row is each for each in kept[row.contract])]
        count = len(self.names)
        what = f"the mean of {self.names[0]}" if count == 1 else f"the means of {count} numbers"
        return Sheet(
            heading=f"{self.spending}: {what}, {self.supposed}",
            heads=HEADS,
            rows=[row.shown(self.rows[0].squared_error) for row in rows],
            words=3,
            legend=LEGEND,
            recommendation=self.recommendation,
        )


def advise_means(
    plan: Plan,
    n: int,
    total: float | None = None,
    names: Sequence[str] | None = None,
    guess: object = None,
) -> MeanAdvice:
    """Forecast the error of the means of numbers, for each way to ask n owners.

    Parameters
    ----------
    plan
        What is asked.
    n
        How many owners answer.
    total
        The epsilon that an owner spends in all. Default: what the policy allows for all of the
        numbers, or even levels where it has no common rule.
    names
        Which numbers; by default all of the plan.
    guess
        How the numbers are distributed: a frame of records like those, or a mapping from names to
        pairs (mean, standard deviation). What is not guessed lies anywhere in its range.

    Returns
    -------
    A row for each way to ask, the best one first.

    Examples
    --------
    >>> import discretion as ds
    >>> pay = {"name": "income", "kind": "numeric", "range": [0, 150_000], "step": 100}
    >>> plan = ds.Plan.of({"name": "pay", "attributes": [pay], "budget": {"levels": [1, 2, 4]}})
    >>> advice = ds.advise_means(plan, 10_000, guess={"income": (40_000, 20_000)})
    >>> advice.rows[0].design.name
    'draw 1'
    """
    check_owners(n)
    mechanisms = _mechanisms(plan, names)
    asked = tuple(mechanisms)
    supposed = guesses(plan, asked, guess)
    spent = allowance(plan, len(asked)) if total is None else thousandths(total)
    window = dict.fromkeys(asked, BEST)
    designs = [*draws(mechanisms, spent), *blocks(supposed, spent)]
    if window != mechanisms:
        designs += draws(window, spent)
    if not designs:
        rule = f"the total must leave a level up to {epsilon(MOST)} for each number drawn"
        raise BudgetError(rule, epsilon(spent))
    found = [MeanForecast(asked, d, spent, squared_error(d, supposed, n, spent)) for d in designs]
    rows = tuple(sorted(found, key=lambda row: row.squared_error))
    where = "somewhere in their ranges" if guess is None else "as guessed"
    return MeanAdvice(plan, rows, n, spent, asked, where)


def _mechanisms(plan: Plan, names: Sequence[str] | None) -> dict[str, str]:
    """Return by which mechanism each of the numbers is reported alone."""
    numbers = [name for name in plan.attributes if plan.questions[name].numbers]
    chosen = numbers if names is None else list(dict.fromkeys(names))
    for name in chosen:
        if name not in plan.questions[name].numbers:
            raise plan.questions[name].refused("a number")
    if not chosen:
        raise EstimateError("the plan asks for no numbers: advise() is about tables")
    own = {name: plan.questions[name].mechanism for name in chosen}
    return {name: mechanism if mechanism in DECODED else BEST for name, mechanism in own.items()}


def author_of(plan: Plan, design: Design, total: int) -> dict[str, Any]:
    """Return a plan that asks by a design, with the grids and the spread of one at hand."""
    mechanisms = {
        name: block.mechanism if len(block.names) == 1 else BEST
        for block in design.blocks
        for name in block.names
    }
    asked = [attribute for name, attribute in plan.attributes.items() if name in mechanisms]
    questions = [Numbers(mechanism=mechanisms[a.name]).document(a) for a in asked]
    written = as_author({"attributes": questions})["attributes"]
    policy = plan.policy
    spread = Fraction(policy.spread, 1000) if isinstance(policy, Total) else SPREAD
    bundles = [
        {"attributes": list(block.names), "levels": block.rounded}
        for block in design.blocks
        if len(block.names) > 1
    ]
    author = {
        "name": plan.name,
        "attributes": [{"name": question["name"], **question} for question in written],
        **({"bundles": bundles} if bundles else {}),
        "budget": {"total": Fraction(total, 1000), "spread": spread, "step": 0.001},
        "share": {"sample": design.sample},
    }
    plain: dict[str, Any] = json.loads(json.dumps(author, default=_plain))
    return plain


def _plain(value: Fraction) -> float:
    """Return a fraction as the decimal that it is, for YAML and JSON."""
    return int(value) if value.denominator == 1 else float(value)
