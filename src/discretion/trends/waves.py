"""The unbiased estimates of one question, round by round.

Rounds are not independent where answers are repeated: an owner who does not change sends the same
report again, or through a second stage the same response, so the noise of two rounds is common to
an unknown part.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, Self

import numpy as np

from discretion.aggregate import Aggregate, Evidence, including
from discretion.comparisons.compare import Side
from discretion.comparisons.difference import MEAN
from discretion.errors import EstimateError
from discretion.estimate.legend import Legend
from discretion.estimate.noise import Matrix, Vector, simplex
from discretion.numbers import mean
from discretion.numbers.number_evidence import is_reported_as_number
from discretion.plan import Plan
from discretion.sets import set_frequencies
from discretion.table import ReportFolder, ReportTable

Part = ReportTable | Aggregate  # the reports of a round, or their counts
Rounds = ReportTable | ReportFolder | Sequence[Part]


@dataclass(frozen=True)
class Waves:
    """What each round says by itself, with the covariance of its noise and of its sample."""

    plan: Plan
    attribute: str
    labels: tuple[str, ...]  # or MEAN
    rounds: tuple[int, ...]
    reports: tuple[int, ...]
    value: Matrix  # (T, k)
    covariance: Matrix  # (T, k, k)
    free: int  # how many of the k are not implied by the others: shares of labels sum to one

    @classmethod
    def of(cls, parts: Mapping[int, Part], attribute: str) -> Self:
        """Estimate rounds one by one."""
        plan = next(iter(parts.values())).plan
        found = [estimated(part, attribute) for part in parts.values()]
        labels, counts, values, covariances, free = zip(*found, strict=True)
        stacked = np.array(values), np.array([covariance() for covariance in covariances])
        return cls(plan, attribute, labels[0], tuple(parts), counts, *stacked, free[0])

    @property
    def stderr(self) -> Matrix:
        """Standard errors of the rounds (T, k), each by itself."""
        variances = np.diagonal(self.covariance, axis1=1, axis2=2)
        return np.asarray(np.sqrt(np.maximum(variances, 0.0)))

    @property
    def legend(self) -> Legend:
        return Legend.of(self.plan)

    @property
    def repeated(self) -> bool:
        """Whether owners repeat answers, so that the noise of rounds does not average."""
        return self.plan.again.repeats


def parts_of(data: Rounds, only: Sequence[int] | None = None) -> dict[int, Part]:
    """Return the reports of each round, or of those that are named; one is refused that is not."""
    if isinstance(data, ReportTable | ReportFolder):
        there = data.rounds
        parts: dict[int, Part] = {
            round: data.of_round(round)  # type: ignore[misc]
            for round in (there if only is None else [r for r in only if r in there])
        }
    else:
        numbered = [(round, part) for part in data for round in _rounds_of(part)]
        known = dict(numbered)
        there = sorted(known)
        if len(known) < len(numbered):
            raise EstimateError("each round must be there once")
        parts = {round: known[round] for round in there if only is None or round in only}
        if len({part.plan.id for part in data}) > 1:
            raise EstimateError("all rounds must be of one plan")
    for round in only or ():
        if round not in parts:
            listed = ", ".join(map(str, there)) or "none"
            raise EstimateError(f"there are no reports of round {round!r}: rounds are {listed}")
    if not parts:
        raise EstimateError("there are no reports")
    return dict(sorted(parts.items()))


def _rounds_of(part: Part) -> list[int]:
    """Return the round of a part that has reports; counts of none are of no round."""
    if isinstance(part, Aggregate):
        return [part.round] if part.reports else []
    if len(part.rounds) > 1:
        raise EstimateError(f"each table must be of one round, got {part.rounds}")
    return part.rounds


class Wave(NamedTuple):
    """One round by itself."""

    labels: tuple[str, ...]
    n: int
    value: Vector
    covariance: Callable[[], Matrix]  # worked out when it is wanted
    free: int


def estimated(part: Part, attribute: str) -> Wave:
    """Return the unbiased estimate of one round with its covariance."""
    data = including(part, [attribute])
    if is_reported_as_number(data.plan, data.plan.questions[attribute].name):
        number = mean(data, attribute)
        spread = np.array([[number.stderr**2]])
        return Wave(MEAN, number.n, np.array([number.unclipped]), lambda: spread, 1)
    evidence = Evidence.of(data, attribute)
    if evidence.family.several:
        items = set_frequencies(evidence, attribute)
        labels = items.labels
        return Wave(labels, items.n, items.value, lambda: items.spread.covariance, len(labels))
    side = Side.of(evidence)
    near = partial(side.covariance, simplex(side.value))
    return Wave(side.labels, side.n, side.value, near, len(side.labels) - 1)
