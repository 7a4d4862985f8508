"""What privacy the owners of these reports spent, as far as it is public."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from discretion.budget import Policy, epsilon
from discretion.budget.policy import Average, Levels, Total, listed
from discretion.plan import Plan
from discretion.table import ReportTable
from discretion.table.columns import integers, present
from discretion.table.expansion import times_shared

BARS = 12  # of the histogram of totals

Vector = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


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


def spending(reports: ReportTable) -> Spending:
    """Add up the levels of each report; of a secret plan, take what its policy allows at most."""
    plan, answered = reports.plan, _answered(reports)
    if plan.secret:
        levels, totals = {}, _allowed(plan, answered)
        largest = max(plan.menu(name)[-1] for name in answered if answered[name].any())
    else:
        levels = {name: _levels(reports, name, told) for name, told in answered.items()}
        totals = np.sum(list(levels.values()), axis=0)
        largest = max(int(own.max(initial=0)) for own in levels.values())
    totals = totals / 1000
    shares, edges = _histogram(totals)
    return Spending(
        contract=str(plan.contract),
        meaning=plan.contract.meaning,
        policy=policy_words(plan.policy),
        disclosed=not plan.secret,
        reports=len(reports),
        mean=float(totals.mean()),
        median=float(np.median(totals)),
        largest=float(totals.max()),
        largest_level=largest / 1000,
        edges=edges,
        shares=shares,
        questions=tuple(_question(name, told, levels) for name, told in answered.items()),
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


def _answered(reports: ReportTable) -> dict[str, Mask]:
    return {name: present(reports.data[f"{name}.y"]) for name in reports.plan.names}


def _levels(reports: ReportTable, name: str, told: Mask) -> Vector:
    stated = integers(reports.data[f"{name}.level"].combine_chunks())
    return np.where(told, stated, 0).astype(np.float64)


def _allowed(plan: Plan, answered: Mapping[str, Mask]) -> Vector:
    """Return the most that each owner may have spent, by how many attributes she shared."""
    counts = times_shared(plan, np.column_stack(list(answered.values()))).sum(axis=1)
    most = np.zeros(int(counts.max(initial=0)) + 1)
    for shared in range(1, len(most)):
        allowance = plan.policy.allowance(shared)
        most[shared] = shared * plan.policy.menu[-1] if allowance is None else allowance
    return most[counts]


def _histogram(totals: Vector) -> tuple[tuple[float, ...], tuple[float, ...]]:
    low, high = float(totals.min()), float(totals.max())
    if high - low < 1e-9:
        return (1.0,), (low, high)
    counts, edges = np.histogram(totals, BARS, (low, high))
    return tuple((counts / len(totals)).tolist()), tuple(edges.tolist())


def _question(name: str, told: Mask, levels: Mapping[str, Vector]) -> Question:
    n = int(told.sum())
    if name not in levels:
        return Question(name, n, float(told.mean()), None, None, None)
    own, spent = levels[name], sum(float(each.sum()) for each in levels.values())
    mean = float(own[told].mean()) / 1000 if n else 0.0
    return Question(
        name,
        n,
        float(told.mean()),
        mean,
        float(own.max(initial=0)) / 1000,
        float(own.sum()) / spent,
    )
