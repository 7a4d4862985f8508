"""A pilot crowd with the budgets that one expects, and the covariance of what it would show."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from discretion.aggregate import Evidence
from discretion.comparisons.compare import Side
from discretion.crowd.simulate import simulate_codes
from discretion.design.guess import guesses
from discretion.errors import EstimateError
from discretion.estimate.noise import Matrix, Vector, simplex
from discretion.joints import joint
from discretion.numbers import mean
from discretion.plan import Plan
from discretion.table import ReportTable
from discretion.table.columns import Codes, present

OWNERS = 20_000  # expected budgets are then right to a per cent


@dataclass(frozen=True, eq=False)
class Pilot:
    """A pilot crowd, and what one owner of it brings."""

    plan: Plan
    names: tuple[str, ...]
    frequencies: tuple[Vector, ...]  # of each attribute
    reports: ReportTable

    @classmethod
    def of(
        cls, plan: Plan, names: tuple[str, ...], guess: object, budgets: object, share: object
    ) -> "Pilot":
        rng = np.random.default_rng(0)
        supposed = {
            name: frequencies_of(plan, name, guess if len(names) == 1 else None) for name in names
        }
        columns = [
            _codes(supposed.get(name, np.full(a.size, 1 / a.size)), rng)
            for name, a in plan.attributes.items()
        ]
        if budgets is None:
            budgets = "levels" if plan.policy.allowance(1) is None else "dirichlet"
        codes = np.column_stack(columns)
        reports = simulate_codes(plan, codes, rng, budgets=budgets, share=share)
        return cls(plan, names, tuple(supposed.values()), reports)

    @property
    def is_number(self) -> bool:
        return len(self.names) == 1 and bool(self.plan.questions[self.names[0]].numbers)

    @property
    def share(self) -> float:
        """The share of the owners whose reports are about all of the attributes."""
        answered = (present(self.reports.data[f"{name}.y"].combine_chunks()) for name in self.names)
        return float(np.logical_and.reduce(list(answered)).mean())

    def covariance(self, shift: Vector | float = 0.0) -> Matrix:
        """Return the covariance of the estimate from one owner: of shares, cells or a mean.

        That of shares is at the supposed frequencies, shifted.
        """
        if len(self.names) > 1:
            error = joint(self.reports, list(self.names), "mle").stderr.ravel()
            return np.diag(error**2) * OWNERS
        (name,), (f,) = self.names, self.frequencies
        if self.is_number:
            return np.array([[mean(self.reports, name).stderr ** 2 * OWNERS]])
        return Side.of(Evidence.of(self.reports, name)).covariance(simplex(f + shift)) * OWNERS


def frequencies_of(plan: Plan, name: str, guess: object) -> Vector:
    """Return how frequent each code of an attribute is supposed to be."""
    question = plan.questions[name]
    if question.numbers:
        return guesses(plan, [name], None if guess is None else {name: guess})[name].frequencies
    if not question.labels:
        raise question.refused("a label")
    labels = question.labels
    if guess is None:
        return np.full(len(labels), 1 / len(labels))
    if isinstance(guess, Mapping):
        if unlike := set(guess) ^ set(labels):
            raise EstimateError(f"guess must have each value of {name!r}: {sorted(unlike)[0]!r}?")
        guess = [guess[label] for label in labels]
    found = np.asarray(guess, np.float64)
    if found.shape != (len(labels),) or not (found >= 0).all() or not found.sum() > 0:
        raise EstimateError(f"guess must be a frequency for each value of {name!r}, got {guess!r}")
    return found / found.sum()


def _codes(frequencies: Vector, rng: np.random.Generator) -> Codes:
    """Return the codes of the pilot, as frequent as supposed but for rounding, in any order."""
    places = (np.arange(OWNERS) + 0.5) / OWNERS
    codes = np.searchsorted(frequencies.cumsum(), places).clip(max=len(frequencies) - 1)
    return rng.permutation(codes)
