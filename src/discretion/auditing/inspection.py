"""The audit of a plan, or of all mechanisms: every part, with one chance of a false alarm."""

from collections.abc import Iterable, Iterator

from discretion.auditing.bound import ALPHA, SAMPLES, lower_bound
from discretion.auditing.exact import examine
from discretion.auditing.finding import Audit, Finding, Part, joined
from discretion.auditing.record import contracts, sampled_contracts
from discretion.auditing.reports import uneven_budget
from discretion.auditing.rounds import rounds, sampled_rounds
from discretion.auditing.strangers import FEWEST, check_samples
from discretion.auditing.subjects import FEW, Subject, registered, subjects_of
from discretion.budget import epsilon
from discretion.plan import Plan

SLOWER = 20  # samples of an answer that take as long as a report


def audit(plan: Plan | None = None, samples: int = SAMPLES) -> Audit:
    """Audit a plan, or without one all mechanisms for a few sizes and levels.

    Exactly: the law of every attribute and bundle, at every level of a short menu, against its
    level; what the sampler draws against the law; the contract. From ``samples`` of each of two
    inputs of the running device: what they prove about epsilon at least. A sound device is accused
    with a chance of at most one in a million, all comparisons of an audit together.
    """
    check_samples(samples)
    if plan is None:
        return joined("all mechanisms", _subjects(list(registered()), samples, ALPHA))
    findings = [
        *_subjects(list(subjects_of(plan)), samples, ALPHA / 2),
        *_records(plan, max(samples // SLOWER, FEWEST), ALPHA / 2),
    ]
    return joined(f"plan {plan.name}", findings, _notes(plan))


def _subjects(subjects: list[Subject], samples: int, alpha: float) -> Iterator[Finding]:
    for subject in subjects:
        yield from examine(subject.name, subject.law, subject.level, subject.variant)
        yield _sampled(subject, samples, alpha / len(subjects))


def _sampled(subject: Subject, samples: int, alpha: float) -> Finding:
    answers = [subject.ask(which) for which in range(2) for _ in range(samples)]
    bound = lower_bound(subject.views(answers), alpha)
    claim = subject.claim
    passes = bound.epsilon <= claim
    return Finding(Part.SAMPLES, subject.name, claim, bound.epsilon, passes, str(bound))


def _records(plan: Plan, count: int, alpha: float) -> Iterable[Finding]:
    budget = uneven_budget(plan)
    yield from contracts(plan, budget)
    yield from sampled_contracts(plan, budget, count, alpha / 2)
    yield from rounds(plan, budget)
    yield from sampled_rounds(plan, budget, count, alpha / 2)


def _notes(plan: Plan) -> Iterator[str]:
    yield f"The contract is {plan.contract}: {plan.contract.meaning}."
    for name, variant in plan.variants:
        yield f"{name} is {plan.mechanisms[name]}: {variant.promise(plan.attribute(name).labels)}."
    if any(len(plan.menu(name)) > FEW for name in plan.names):
        yield f"Of menus with more than {FEW} levels the first, the last and three between count."
    levels = ", ".join(f"{n} {epsilon(v)}" for n, v in uneven_budget(plan).levels.items())
    yield f"Records and rounds are those of a budget with unequal levels: {levels}."
