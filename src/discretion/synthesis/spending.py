"""What privacy the owners of these reports spent, as far as it is public."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from discretion.budget import Policy, epsilon
from discretion.budget.policy import Average, Levels, Total, listed
from discretion.estimate.noise import Vector
from discretion.plan import Plan
from discretion.table import Reports, ReportTable
from discretion.table.columns import Mask, integers, present, times_shared
from discretion.table.support import Counts

BARS = 12  # of the histogram of totals


@dataclass(frozen=True)
class Question:
    """One attribute or bundle: who answered, and what that took; None where levels are secret."""

    name: str
    n: int
    share: float  # of the reports
    mean_level: float | None
    largest_level: float | None
    of_all_spent: float | None


@dataclass(frozen=True)
class Spending:
    """Epsilons of whole records: as stated by the reports, or of secret plans what they may be."""

    contract: str
    meaning: str
    policy: str
    disclosed: bool
    reports: int
    mean: float
    median: float
    largest: float
    largest_level: float
    edges: tuple[float, ...]  # of a histogram of the records' totals
    shares: tuple[float, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, eq=False)
class _Spent:
    """What some reports spent, in thousandths."""

    totals: dict[int, int]  # of whole records: how many have each
    answered: Counts  # (questions,): who answered
    levels: Counts  # (questions,): of all who did together; none where they are secret
    largest: Counts  # (questions,): of any of them

    def __add__(self, other: "_Spent") -> "_Spent":
        totals = {
            total: self.totals.get(total, 0) + other.totals.get(total, 0)
            for total in sorted({*self.totals, *other.totals})
        }
        return _Spent(
            totals,
            self.answered + other.answered,
            self.levels + other.levels,
            np.maximum(self.largest, other.largest),
        )


def spending(reports: Reports) -> Spending:
    """Add up the levels of each report; of a secret plan, take what its policy allows at most."""
    plan = reports.plan
    spent = reports.fold(plan.names, _spent)
    totals = np.array(list(spent.totals)) / 1000
    counts = np.array(list(spent.totals.values()))
    n, ranks = counts.sum(), np.cumsum(counts)
    middle = totals[np.searchsorted(ranks, [(n - 1) // 2, n // 2], side="right")]
    shares, edges = _histogram(totals, counts)
    menus = [
        plan.questions[name].menu[-1]
        for name, count in zip(plan.names, spent.answered, strict=True)
        if count
    ]
    return Spending(
        contract=str(plan.contract),
        meaning=plan.contract.meaning,
        policy=policy_words(plan.policy),
        disclosed=not plan.secret,
        reports=len(reports),
        mean=float(totals @ counts) / float(n),
        median=float(middle.mean()),
        largest=float(totals[-1]),
        largest_level=(max(menus) if plan.secret else int(spent.largest.max())) / 1000,
        edges=edges,
        shares=shares,
        questions=tuple(_questions(plan, spent, len(reports))),
    )


def policy_words(policy: Policy) -> str:
    """Say in a sentence which budgets may be chosen."""
    match policy:
        case Average(average, least, most, _):
            each = f"each at a level from {epsilon(least)} to {epsilon(most)}"
            return f"m shared attributes spend at most m times {epsilon(average)}, {each}"
        case Total(total, spread, _):
            each = f"each of m at least {epsilon(total)} / ({epsilon(spread)} m)"
            return f"the shared attributes together spend at most {epsilon(total)}, {each}"
        case Levels(choices):
            rule = "without a common allowance"
            return f"each shared attribute has one of the levels {listed(choices)}, {rule}"
    return f"each shared attribute has a level from {listed(policy.menu)}"


def _spent(reports: ReportTable) -> _Spent:
    plan = reports.plan
    answered = np.column_stack([present(reports.data[f"{name}.y"]) for name in plan.names])
    levels = np.zeros(answered.shape, np.int64)
    if plan.secret:
        totals = _allowed(plan, answered)
    else:
        for index, name in enumerate(plan.names):
            stated = integers(reports.data[f"{name}.level"].combine_chunks())
            levels[:, index] = np.where(answered[:, index], stated, 0)
        totals = levels.sum(axis=1)
    found, counts = np.unique(totals, return_counts=True)
    return _Spent(
        dict(zip(found.tolist(), counts.tolist(), strict=True)),
        answered.sum(axis=0),
        levels.sum(axis=0),
        levels.max(axis=0, initial=0),
    )


def _allowed(plan: Plan, answered: Mask) -> Counts:
    """Return the most that each owner may have spent, by how many attributes she shared."""
    shared = times_shared(plan, answered).sum(axis=1)
    most = np.zeros(int(shared.max(initial=0)) + 1, np.int64)
    for count in range(1, len(most)):
        allowance = plan.policy.allowance(count)
        most[count] = count * plan.policy.menu[-1] if allowance is None else allowance
    return most[shared]


def _histogram(totals: Vector, counts: Counts) -> tuple[tuple[float, ...], tuple[float, ...]]:
    low, high = float(totals[0]), float(totals[-1])
    if high - low < 1e-9:
        return (1.0,), (low, high)
    shares, edges = np.histogram(totals, BARS, (low, high), weights=counts / counts.sum())
    return tuple(shares.tolist()), tuple(edges.tolist())


def _questions(plan: Plan, spent: _Spent, reports: int) -> Iterator[Question]:
    own = zip(spent.answered.tolist(), spent.levels.tolist(), spent.largest.tolist(), strict=True)
    for name, (n, levels, largest) in zip(plan.names, own, strict=True):
        if plan.secret:
            yield Question(name, n, n / reports, None, None, None)
        else:
            mean, part = levels / max(n, 1) / 1000, levels / int(spent.levels.sum())
            yield Question(name, n, n / reports, mean, largest / 1000, part)
