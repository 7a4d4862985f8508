"""The device: the only place where a true value and the collector's format meet.

It draws from the operating system's generator and takes no seed. What it sends depends on the
values through the laws alone; the budget, and with it the set of shared attributes, comes first.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from discretion.budget import Budget, epsilon, thousandths
from discretion.budget.agreement import check
from discretion.budget.level import range_of
from discretion.device.changes import Change, changes
from discretion.device.drawing import Drawing, rhythm_of
from discretion.device.draws import check_drawn, drawn_questions, first_view
from discretion.device.promise import opened, promise, total_cost
from discretion.device.state import Fate, Outcome, Sealed, State
from discretion.errors import (
    AlreadyAnswered,
    BudgetError,
    BudgetSpent,
    NotDue,
    OpenAnswer,
    RecordError,
)
from discretion.plan import Plan
from discretion.plan.again import Rhythm
from discretion.randomness import system
from discretion.report import LAST_ROUND, Report, id_of, read
from discretion.schema.attribute import is_missing

LACKING = "the budget shares it, so the record must have it (or leave it out of both)"
DECIDING = "{} depends on it, which the budget shares, so the record must have it"


class Device:
    """One owner's side of a plan."""

    def __init__(
        self,
        plan: Plan,
        state: State | None = None,
        limit: object = None,
        token: str | None = None,
        *,
        allow_open: Iterable[str] = (),
        default_limit: object = None,
    ) -> None:
        """Use ``state`` (default: memory); ``limit`` epsilon is the most it will ever spend.

        A limit of ``{"epsilon": 4, "rounds": 13}`` is one over any 13 consecutive rounds of a plan.
        Limits stay with the state, for every device that uses it; they can be lowered, not raised.
        ``default_limit`` holds as long as the state has no limit, and is not kept in it. Under any
        limit a question with open answers is refused, unless ``allow_open`` names it.

        ``token`` is what the collector knows the owner by: hash functions that a plan assigns come
        with it, and with another one answers are drawn, and charged, anew.
        """
        self.plan = plan
        self._token = token
        self._allowed = frozenset([allow_open] if isinstance(allow_open, str) else allow_open)
        plan.questions.check(self._allowed)
        self._default_limit = None if default_limit is None else thousandths(default_limit)
        self.state = state or State()
        if isinstance(limit, Mapping):
            self.state.set_window(*_window(limit))
        elif limit is not None:
            self.state.set_limit(thousandths(limit))

    def __repr__(self) -> str:
        return f"<Device of plan {self.plan.name!r}: {epsilon(self.spent)} spent>"

    def report(self, record: Mapping[str, object], budget: Budget, round: int = 0) -> Report:
        """Return the sealed report of a round, drawing it the first time it is asked for.

        The same record and budget give the same bytes again, at no cost; another record or budget
        in a sealed round is refused. An answer given before at the same level is repeated from the
        memo and costs nothing; whether the limit allows a report is decided as if all answers ever
        given had been new, so that it does not depend on the values. A new answer is charged its
        level; one by a variant, the largest ratio of its law.
        """
        self._check(budget)
        if type(round) is not int or not 0 <= round <= LAST_ROUND:
            raise RecordError("round", f"must be a whole number from 0 to {LAST_ROUND}", round)
        answers = self._answers(record, budget)
        asked = json.dumps([list(answers.items()), list(budget.strata.items())])
        request = hashlib.sha256(asked.encode()).digest()  # values are not kept a second time
        with self.state.transaction():
            sealed = self.state.sealed(self.plan.id, round)
            if sealed is None and round in self.state.rounds_before(self.plan.id):
                raise AlreadyAnswered(round)
            if sealed is None:
                return self._seal(answers, budget, round, request)
            if sealed.request != request:
                raise AlreadyAnswered(round)
            return read(self.plan, sealed.report)

    def sample(self, sensitivities: Mapping[str, object]) -> Budget:
        """Return a budget for the questions that the device draws, once and for all of the plan.

        ``sensitivities`` has all questions of the plan: its bundles, and the attributes in none.
        What is drawn is spread over by ``Budget.by_sensitivity``.
        """
        if self.plan.sample is None or self.plan.share.weights:
            raise BudgetError("sampling needs a plan with share: sample", self.plan.name)
        offered = [name for name, _ in self.plan.share.questions]
        if missing := [name for name in offered if name not in sensitivities]:
            raise BudgetError("sensitivities must be given for all questions", missing)
        drawn = drawn_questions(self.plan, self.state)
        return Budget.by_sensitivity(self.plan, {name: sensitivities[name] for name in drawn})

    def view(self, attributes: Iterable[str] | None = None, epsilon: object = None) -> Budget:
        """Return a budget for the first view of this device that lies inside what is shared.

        The device draws one order of all views, once and for all of the plan; another choice of
        attributes (default: all) or of epsilon (default: ``Budget.even``) draws nothing anew.
        """
        plan, offer = self.plan, self.plan.share
        if not offer.weights:
            raise BudgetError("a view needs a plan with views", plan.name)
        named = [attributes] if isinstance(attributes, str) else attributes
        shared = frozenset(plan.attributes if named is None else named)
        plan.questions.check(shared)
        level = plan.policy.even(1) if epsilon is None else thousandths(epsilon)
        name = first_view(plan, drawn_questions(plan, self.state), shared, level)
        return replace(Budget.of(plan, {name: Fraction(level, 1000)}), shared=shared)

    @property
    def predecessor(self) -> Plan | None:
        """The plan that this one words anew, if it was answered here and this one was not."""
        document = self.state.plans().get(self.plan.replaces or "")
        if document is None or not self.state.is_new(self.plan.id):
            return None
        before = Plan.from_bytes(document)
        return before if before.law_id == self.plan.law_id else None

    def adopt(self) -> None:
        """Go on with what was answered under the predecessor: its memo, its draws, its rounds.

        Only for an owner who says that it still is the same question. A response that is repeated
        reveals that two answers are equal, so the memo of another question would leak without a
        bound. Without this, everything is drawn, and charged, anew.
        """
        with self.state.transaction():
            before = self.predecessor
            if before is None:
                raise BudgetError(
                    "the plan must word one anew that was answered here", self.plan.id
                )
            self.state.adopt(self.plan.id, before.id)

    def rotate(self, every: int) -> Rhythm:
        """Choose how often to answer, from the plan's menu and without regard to any value.

        The device draws the phase, and keeps both for all of the plan: choosing the same again
        changes nothing, and another one is refused. A round that is missed is not made up for.
        """
        with self.state.transaction():
            return self._drawing().rhythm(every)

    @property
    def rhythm(self) -> Rhythm | None:
        """When this device answers, if the plan rotates and its owner has chosen."""
        return rhythm_of(self.state, self.state.root(self.plan.id))

    def admit(self, budget: Budget, round: int = 0) -> None:
        """Refuse what the plan, a limit, the rhythm or open answers do not allow; draw nothing."""
        self._check(budget)
        self._in_time(round)
        self._afford(budget, round)

    def changes(self, record: Mapping[str, object], budget: Budget) -> tuple[Change, ...]:
        """Return the values of a record that do not fit the plan, and what a report makes of them.

        For the owner to see before anything is sealed: nothing is drawn, charged or kept for it.
        """
        self._check(budget)
        return changes(self.plan, record, budget)

    def promise(self, budget: Budget) -> str:
        """Say in plain words what a report with this budget can reveal, and what later ones add."""
        self._check(budget)
        return promise(self.plan, budget, self.rhythm)

    def receipt(self, round: int = 0) -> bytes | None:
        """Return the secret that can delete a round's report; it never leaves by itself."""
        sealed = self.state.sealed(self.plan.id, round)
        return sealed.receipt if sealed else None

    def outbox(self) -> list[tuple[int, bytes]]:
        """Return the rounds whose report is not acknowledged yet, with the bytes to send again."""
        return self.state.unsent(self.plan.id)

    def acknowledge(self, round: int = 0) -> None:
        """Note that the collector has a round's report; its seal and receipt are kept."""
        self.state.settle(self.plan.id, round, Outcome.ACCEPTED)

    def fate(self, round: int = 0) -> Fate | None:
        """Return what became of a round's report, and why; None as long as nothing did."""
        return self.state.fate(self.plan.id, round)

    @property
    def spent(self) -> int:
        """Thousandths of epsilon charged so far, over all plans and rounds of this state."""
        return self.state.spent()

    @property
    def limit(self) -> int | None:
        """Thousandths that all reports of this state may cost: its own limit, or the default."""
        kept = self.state.limit()
        return self._default_limit if kept is None else kept

    @property
    def left(self) -> int | None:
        """What is left of the limit if every answer so far had been new; None: no limit."""
        limit = self.limit
        return None if limit is None else max(0, limit - self.state.granted())

    def _check(self, budget: Budget) -> None:
        if not isinstance(budget, Budget):
            raise BudgetError("the budget must be a Budget: use Budget.of", repr(budget))
        if budget.plan != self.plan.id:
            raise BudgetError(f"the budget must be made for plan {self.plan.id}", budget.plan)
        check(self.plan, budget.levels)
        for name, index in budget.ranges.items():
            if name in budget.levels and index not in range(len(self.plan.questions[name].ranges)):
                raise BudgetError(f"{name}: range must be on the plan's menu", index)
        check_drawn(self.plan, self.state, budget)

    def _answers(self, record: Mapping[str, object], budget: Budget) -> dict[str, str]:
        questions = self.plan.questions
        if not isinstance(record, Mapping):
            raise RecordError("record", "must map attributes to values", record)
        for name in budget.levels:
            for needed in questions[name].attribute.needs(record):
                if is_missing(record.get(needed)):
                    rule = LACKING if needed in questions[name].parts else DECIDING.format(name)
                    raise RecordError(needed, rule, record.get(needed))
        return {
            name: questions[name].answer(record, range_of(stratum))
            for name, stratum in budget.strata.items()
        }

    def _drawing(self) -> Drawing:
        return Drawing(self.plan, self.state, self._token, system())

    def _in_time(self, round: int) -> None:
        """Refuse a round in which this owner does not answer."""
        if not self.plan.again.menu:
            return
        rhythm = self.rhythm
        if rhythm is None:
            raise NotDue(round, self.plan.again.menu)
        if (due := rhythm.due(round)) != round:
            raise NotDue(round, (rhythm.every,), due)

    def _afford(self, budget: Budget, round: int) -> int:
        """Return what a report may cost; refuse one that a limit does not cover."""
        granted, limit, needed = self.state.granted(), self.limit, total_cost(self.plan, budget)
        windows = self.state.windows()
        if limit is None and not windows:
            return needed
        for name in opened(self.plan, budget):
            if name not in self._allowed:
                raise OpenAnswer(name)
        if limit is not None and granted + needed > limit:
            raise BudgetSpent(granted, needed, limit)
        for rounds, most in windows.items():
            near = self.state.granted_near(self.state.root(self.plan.id), round, rounds)
            if near + needed > most:
                raise BudgetSpent(near, needed, most, rounds)
        return needed

    def _seal(self, answers: dict[str, str], budget: Budget, round: int, request: bytes) -> Report:
        self._in_time(round)
        granted = self._afford(budget, round)
        drawing = self._drawing()
        receipt, questions, strata = drawing.receipt(), self.plan.questions, budget.strata
        settled = {
            name: drawing.settled(questions[name], answers[name], stratum)
            for name, stratum in strata.items()
        }
        drawn = {
            name: drawing.answered(questions[name], settled[name], stratum, round)
            for name, stratum in strata.items()
        }
        report = Report(self.plan.id, round, id_of(receipt), drawn)
        self.state.seal(self.plan.id, round, Sealed(receipt, request, report.to_bytes(), granted))
        self.state.keep_plan(self.plan.id, self.plan.to_bytes)
        return report


def _window(limit: Mapping[str, object]) -> tuple[int, int]:
    """Return the rounds and the level of a limit over some rounds."""
    rounds = limit.get("rounds")
    if limit.keys() != {"epsilon", "rounds"} or type(rounds) is not int or rounds < 1:
        raise BudgetError('a limit over rounds must be {"epsilon": 4, "rounds": 13}', limit)
    return rounds, thousandths(limit["epsilon"])
