"""Several rounds: an answer that stays the same is drawn once, one that changes adds up."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from discretion.auditing.finding import Finding, Part
from discretion.auditing.record import claim, compared, exact_ratio, product
from discretion.auditing.reports import Record, Sender, far_records, history
from discretion.budget import Budget
from discretion.budget.level import range_of
from discretion.device.promise import total_cost
from discretion.plan import Plan
from discretion.report import Report

ROUNDS = 3
STEPS = 12  # of a number that drifts
AGAIN = "the answer was drawn anew"


def rounds(plan: Plan, budget: Budget) -> Iterator[Finding]:
    """Compare what a running device charges over several rounds with what it reveals."""
    first, last = far_records(plan)
    same, spent = history(plan, budget, [first] * ROUNDS)
    yield _repeated(plan, budget, same, spent)
    _, spent = history(plan, budget, [first, last, first])
    again = [n for n in budget.levels if any(first[p] != last[p] for p in plan.questions[n].parts)]
    more = sum(plan.questions[n].cost(budget.strata[n]) for n in again)
    if not plan.again.repeats:
        more = (ROUNDS - 1) * total_cost(plan, budget)
    yield _changed(plan, budget, spent, more)
    for name in budget.levels:
        if plan.questions[name].kept is not None:
            yield _drifting(plan, budget, first, name)


def sampled_rounds(plan: Plan, budget: Budget, send: Sender, alpha: float) -> Iterator[Finding]:
    """Try to distinguish histories by the bytes of all their reports.

    What stays the same must also be reported by the same answers.
    """
    (first, last), level = far_records(plan), claim(plan, budget)
    repeats = plan.again.repeats
    histories = send([[first, first], [last, last], [first, last], [last, first]])
    sent, others = next(histories), next(histories)
    subject = "the same record in two rounds"
    once = level if repeats else 2 * level
    same = compared(Part.ROUNDS, subject, sent, others, once, alpha / 2)
    again = repeats and any(_drawn_again(plan, budget, each) for each in (*sent, *others))
    yield replace(same, passes=False, how=f"{AGAIN}; {same.how}") if again else same
    sent, others = histories
    yield compared(Part.ROUNDS, "a record that changes", sent, others, 2 * level, alpha / 2)


def _repeated(plan: Plan, budget: Budget, sent: Sequence[Report], spent: int) -> Finding:
    """All reports about an unchanged answer derive from one draw, or each has its own."""
    subject = f"the same record in {ROUNDS} rounds"
    draws = 1 if plan.again.repeats else ROUNDS
    ratios = [exact_ratio(plan, name, stratum) for name, stratum in budget.strata.items()]
    found = product(Part.ROUNDS, subject, ratios * draws, draws * claim(plan, budget))
    wrong = AGAIN if plan.again.repeats and _drawn_again(plan, budget, sent) else ""
    return _charged(found, spent, draws * total_cost(plan, budget), wrong)


def _changed(plan: Plan, budget: Budget, spent: int, again: int) -> Finding:
    """There and back again: two answers to each question, hence two draws where they repeat.

    ``again`` is the second charge: there is none where only one value is never reported openly.
    """
    ratios: list[Fraction | None] = []
    draws = 2 if plan.again.repeats else ROUNDS
    for name, stratum in budget.strata.items():
        ratios += [exact_ratio(plan, name, stratum)] * draws
    subject, level = "a record that changes and returns", draws * claim(plan, budget)
    found = product(Part.ROUNDS, subject, ratios, level)
    return _charged(found, spent, total_cost(plan, budget) + again)


def _drifting(plan: Plan, budget: Budget, record: Record, name: str) -> Finding:
    """Raise a number from one grid point to the next: kept rounding gives at most two answers."""
    question, stratum = plan.questions[name], budget.strata[name]
    number = question.within(range_of(stratum)).number
    assert number is not None
    low, stride = number.points()[0], number.stride * number.unit
    drift = [{**record, name: low + stride * i / STEPS} for i in range(STEPS + 1)]
    sent, spent = history(plan, budget, drift)
    rest = total_cost(plan, budget) - question.cost(stratum)
    answers = len(dict.fromkeys(report.answers[name].y for report in sent))
    turns = sum(a.answers[name] != b.answers[name] for a, b in pairwise(sent))
    most = 2 * question.cost(stratum) + rest
    wrong = "" if answers <= 2 and turns <= 1 else "the threshold was drawn anew"
    found = product(
        Part.ROUNDS,
        f"{name} in {STEPS + 1} rounds within a step",
        [exact_ratio(plan, name, stratum)] * 2,
        2 * question.cost(stratum),
    )
    return _charged(found, spent, most, wrong)


def _charged(found: Finding, spent: int, expected: int, wrong: str = "") -> Finding:
    """Return a finding that also compares the ledger with the expected charge."""
    how = f"{found.how}; the device charged {spent / 1000:g}"
    if wrong:
        how = f"{wrong}; {how}"
    passes = found.passes and spent == expected and not wrong
    return Finding(found.part, found.subject, found.claim, found.loss, passes, how)


def _drawn_again(plan: Plan, budget: Budget, sent: Sequence[Report]) -> bool:
    """Whether reports about the same record differ in what one draw decides for all rounds."""
    laws = {name: plan.questions[name].law(stratum) for name, stratum in budget.strata.items()}
    fixed = [name for name, law in laws.items() if law.permanent == law]
    return any(len({report.answers[name].y for report in sent}) > 1 for name in fixed)
