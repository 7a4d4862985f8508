"""Budgets that depend on the record: levels chosen by the values reveal those values."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import prod

from discretion.auditing.black_box import check_inputs, check_samples
from discretion.auditing.distinguisher import ALPHA
from discretion.auditing.exponential import loss, within
from discretion.auditing.finding import Audit, Finding, Part, joined
from discretion.auditing.record import compared, exact_ratio
from discretion.auditing.reports import Record, histories
from discretion.budget import Budget
from discretion.plan import Family, Plan

REPORTS = 2_000  # of each record

Chooser = Callable[[Record], Budget]


def audit_budgets(
    plan: Plan, choose: Chooser, records: Sequence[Record], reports: int = REPORTS
) -> Audit:
    """Audit how budgets are chosen.

    A contract holds for budgets that are chosen without regard to the values. What is claimed about
    two records is the larger of their totals; if their budgets differ, it does not hold.

    Parameters
    ----------
    plan
        The plan under which budgets are chosen.
    choose
        Maps a record to its budget.
    records
        Records that are tried.
    reports
        How many reports are made of each record.

    Returns
    -------
    What was found, one row per check; ``passes`` says whether all hold.

    Examples
    --------
    >>> import discretion as ds
    >>> pet = {"name": "pet", "kind": "categorical", "values": ["cat", "dog"]}
    >>> plan = ds.Plan.of({"name": "pets", "attributes": [pet], "budget": {"levels": [1, 4]}})
    >>> def choose(record):
    ...     return ds.Budget.of(plan, {"pet": 4 if record["pet"] == "cat" else 1})
    >>> ds.audit_budgets(plan, choose, [{"pet": "cat"}, {"pet": "dog"}], reports=200).passes
    False
    """
    check_inputs(records)
    check_samples(reports)
    budgets = [choose(record) for record in records]
    pairs = list(combinations(range(len(records)), 2))
    own = zip(budgets, records, strict=True)
    sent = [found for b, r in own for found in histories(plan, b, [[r]], reports)]
    findings: list[Finding] = []
    for one, other in pairs:
        level = max(budgets[one].total, budgets[other].total)
        subject = f"records {one} and {other}"
        ratio = _ratio(plan, *((records[i], budgets[i]) for i in (one, other)))
        passes = ratio is not None and within(ratio, level)
        how = "the exact ratio of their reports, each with its own budget"
        findings.append(Finding(Part.RECORD, subject, level / 1000, loss(ratio), passes, how))
        alpha = ALPHA / len(pairs)
        findings.append(compared(Part.RECORD, subject, sent[one], sent[other], level, alpha))
    return joined(f"budgets of plan {plan.name}", findings)


def _ratio(plan: Plan, one: tuple[Record, Budget], other: tuple[Record, Budget]) -> Fraction | None:
    """Return the largest ratio of a report's probabilities; None where it reveals the levels."""
    (first, budget), (last, another) = one, other
    if budget.levels.keys() != another.levels.keys():
        return None
    if budget.strata != another.strata and not plan.secret:
        return None
    ratios = [
        _of_name(plan, name, (first, budget.strata[name]), (last, another.strata[name]))
        for name in budget.strata
    ]
    bounded = [ratio for ratio in ratios if ratio is not None]
    return prod(bounded, start=Fraction(1)) if len(bounded) == len(ratios) else None


def _of_name(
    plan: Plan, name: str, one: tuple[Record, int], other: tuple[Record, int]
) -> Fraction | None:
    if one[1] == other[1]:
        same = all(one[0][part] == other[0][part] for part in plan.questions[name].parts)
        return Fraction(1) if same else exact_ratio(plan, name, one[1])
    coins = [list(_coins(plan, name, *each)) for each in (one, other)]
    return max(_of_bits(*coins), _of_bits(*coins[::-1]))


def _coins(plan: Plan, name: str, record: Record, level: int) -> Iterator[Fraction]:
    """Yield the probability of each bit of a report; plans with secret levels always send bits."""
    question = plan.questions[name]
    law, code = question.law(level, Family.SETS), question.attribute.code(record[name])
    own, other = law.means
    return (own if i == code else other for i in range(law.size))


def _of_bits(one: Sequence[Fraction], other: Sequence[Fraction]) -> Fraction:
    """Return how much more likely a set of bits can be by the ones' coins; none is certain."""
    ratios = (max(a / b, (1 - a) / (1 - b)) for a, b in zip(one, other, strict=True))
    return prod(ratios, start=Fraction(1))
