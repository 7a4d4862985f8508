"""The audit of a plan, or of all mechanisms: every part, with one probability of a false alarm."""

from collections.abc import Iterator, Sequence

from discretion.auditing.black_box import FEWEST, check_samples
from discretion.auditing.distinguisher import ALPHA, SAMPLES, lower_bound
from discretion.auditing.exact import examine
from discretion.auditing.finding import Audit, Finding, Part, joined
from discretion.auditing.histories import histories as of_histories
from discretion.auditing.program import Program
from discretion.auditing.record import contracts, sampled_contracts
from discretion.auditing.reports import Record, Sender, far_records, histories, uneven_budget
from discretion.auditing.rounds import rounds, sampled_rounds
from discretion.auditing.subjects import FEW, Subject, registered, subject_of, subjects_of
from discretion.budget import Budget, epsilon
from discretion.errors import DiscretionError
from discretion.plan import Plan
from discretion.report import Report

SLOWER = 20  # samples of an answer that take as long as a report


def audit(
    plan: Plan | None = None, samples: int = SAMPLES, device: str | Sequence[str] | None = None
) -> Audit:
    """Audit a plan, or without one all mechanisms for a few sizes and levels.

    Exactly: the law of every attribute and bundle, at every level of a short menu, against its
    level; what the sampler draws against the law; the contract. From ``samples`` of each of two
    inputs of the running device: the lower bound on epsilon that they prove. A sound device is
    accused with a probability of at most one in a million over all comparisons of an audit.

    Parameters
    ----------
    plan
        The plan whose promise is audited.
    samples
        How many reports the device makes of each input.
    device
        The command of another device for the plan, a line or its words: then only its reports are
        audited.

    Returns
    -------
    What was found, one row per check; ``passes`` says whether all hold.

    Examples
    --------
    >>> import discretion as ds
    >>> ds.audit(ds.census_plan(), samples=500).passes
    True
    """
    check_samples(samples)
    if device is not None:
        return _audit_device(plan, Program.of(device), samples)
    if plan is None:
        return joined("all mechanisms", _subjects(list(registered()), samples, ALPHA))
    budget = uneven_budget(plan)
    findings = [
        *_subjects(list(subjects_of(plan)), samples, ALPHA / 2),
        *_records(plan, budget, max(samples // SLOWER, FEWEST), ALPHA / 2),
    ]
    return joined(f"plan {plan.name}", findings, [*_notes(plan, budget), *_menus(plan)])


def _audit_device(plan: Plan | None, program: Program, samples: int) -> Audit:
    if plan is None:
        raise DiscretionError(f"device {program}: must have a plan to be audited with")
    budget = uneven_budget(plan)

    def send(asked: Sequence[Sequence[Record]]) -> Iterator[list[list[Report]]]:
        return program.send(plan, budget, asked, samples)

    findings = [
        *_answers(plan, budget, send, ALPHA / 3),
        *sampled_contracts(plan, budget, send, ALPHA / 3),
        *sampled_rounds(plan, budget, send, ALPHA / 3),
    ]
    return joined(f"plan {plan.name}, device {program}", findings, _notes(plan, budget))


def _subjects(subjects: list[Subject], samples: int, alpha: float) -> Iterator[Finding]:
    for subject in subjects:
        yield from examine(*subject.claimed)
        answers = [subject.ask(which) for which in range(2) for _ in range(samples)]
        yield _sampled(subject, answers, alpha / len(subjects))


def _answers(plan: Plan, budget: Budget, send: Sender, alpha: float) -> Iterator[Finding]:
    """Try to distinguish two values by each answer of their reports."""
    asked = [[record] for record in far_records(plan)]
    sent = [report for each in send(asked) for (report,) in each]
    for name, level in budget.levels.items():
        found = [report.answers.get(name) for report in sent]
        answers = [answer.y if answer else b"" for answer in found]
        yield _sampled(subject_of(plan.questions[name], level), answers, alpha / len(budget.levels))


def _sampled(subject: Subject, answers: list[bytes], alpha: float) -> Finding:
    bound = lower_bound(subject.views(answers), alpha)
    claim = subject.claim
    passes = bound.epsilon <= claim
    return Finding(Part.SAMPLES, subject.name, claim, bound.epsilon, passes, str(bound))


def _records(plan: Plan, budget: Budget, count: int, alpha: float) -> Iterator[Finding]:
    def send(asked: Sequence[Sequence[Record]]) -> Iterator[list[list[Report]]]:
        return histories(plan, budget, asked, count)

    yield from contracts(plan, budget)
    yield from sampled_contracts(plan, budget, send, alpha / 2)
    yield from rounds(plan, budget)
    yield from of_histories(plan, budget)
    yield from sampled_rounds(plan, budget, send, alpha / 2)


def _notes(plan: Plan, budget: Budget) -> Iterator[str]:
    yield f"The contract is {plan.contract}: {plan.contract.meaning}."
    for question in plan.questions.values():
        if question.variant:
            promised = question.variant.promise(question.labels)
            yield f"{question.name} is {question.mechanism}: {promised}."
    levels = ", ".join(f"{n} {epsilon(v)}" for n, v in budget.levels.items())
    yield f"Whole reports are those of a budget with unequal levels: {levels}."


def _menus(plan: Plan) -> Iterator[str]:
    if any(len(plan.questions[name].menu) > FEW for name in plan.names):
        yield f"Of menus with more than {FEW} levels the first, the last and three between count."
