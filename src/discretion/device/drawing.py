"""Drawing a report: what is repeated, what is drawn anew and charged, and what a round sends.

A permanent response to an answer is remembered where the plan repeats answers. What is drawn once
for all of a plan (the cohort, the rhythm, the group) is kept, and is the same for each plan that
shares what is remembered.
"""

import secrets
from dataclasses import dataclass
from functools import cached_property

from discretion.budget.level import level_of, range_of
from discretion.device.state import State
from discretion.errors import BudgetError, CredentialNeeded
from discretion.mechanism import Law
from discretion.plan import Plan, Question
from discretion.plan.again import Groups, Rhythm
from discretion.randomness import ONE, Source, Threshold
from discretion.report import Answer, id_of

EVERY, PHASE, GROUP = "every", "phase", "group"
RECEIPT_BYTES = 32
ALIKE = "\n"  # before what several answers share, in the memo: no answer begins with it


@dataclass(frozen=True)
class Drawing:
    """What one device draws under a plan, inside a transaction of its state."""

    plan: Plan
    state: State
    token: str | None
    source: Source

    @cached_property
    def root(self) -> str:
        """The plan under which answers are remembered."""
        return self.state.root(self.plan.id)

    def settled(self, question: Question, answer: str, stratum: int) -> str:
        """Return the point that an answer is rounded to where rounding is kept; else the answer.

        What is remembered then is the response to the point, so an answer that moves a little is
        the same one. The threshold is drawn once for each range, and never leaves the device.
        """
        if question.kept is None:
            return answer
        index = range_of(stratum)
        key = f"threshold of {question.name} in range {index}"
        known = self.state.once(self.root, key)
        if known is None:
            known = str(self.source.below(ONE))
            self.state.keep_once(self.root, key, known)
        return question.kept.within(index).settled(answer, Threshold(int(known)))

    def answered(self, question: Question, answer: str, stratum: int, round: int) -> Answer:
        """Return what a round sends, with what the plan lets everybody see of its stratum."""
        law = self._law(question, stratum)
        y = law.send(self._response(question, law, answer, stratum, round), self.source)
        level = None if self.plan.secret else level_of(stratum)
        chosen = range_of(stratum) if question.ranges else None
        return Answer(level, y.to_bytes(question.n_bytes, "little"), chosen)

    def _response(self, question: Question, law: Law, answer: str, stratum: int, round: int) -> int:
        """Repeat the permanent response to an answer, or draw it, remember it and charge it.

        Where a law gives several answers one response, it is drawn for the first of them.
        """
        known = self._known(question, law, answer, stratum)
        if known is not None:
            return known
        code = question.encode(answer, range_of(stratum), self.source)
        cohort = self._cohort(question) if law.cohorts > 1 else 0
        alike = law.alike(code, cohort)
        shared = f"{ALIKE}{alike}"
        response = None if alike is None else self._known(question, law, shared, stratum)
        if response is None:
            response = law.respond(code, self.source, cohort)
            cost = question.cost(stratum)
            self.state.charge(self.plan.id, round, question.name, cost, question.parts)
            if alike is not None:
                self._remember(question, shared, stratum, response)
        self._remember(question, answer, stratum, response)
        return response

    def _known(self, question: Question, law: Law, answer: str, stratum: int) -> int | None:
        """Return the permanent response to an answer, if the plan repeats and this law made it."""
        if not self.plan.again.repeats:
            return None
        known = self.state.recall(self.root, question.name, answer, stratum)
        if known is None or len(known) != question.n_bytes:
            return None
        response = int.from_bytes(known, "little")
        return response if law.form.admits(response) else None

    def _remember(self, question: Question, answer: str, stratum: int, response: int) -> None:
        if self.plan.again.repeats:
            y = response.to_bytes(question.n_bytes, "little")
            self.state.remember(self.root, question.name, answer, stratum, y)

    def _law(self, question: Question, stratum: int) -> Law:
        """Return the law of this device: where functions are assigned, that of its own."""
        law = question.law(stratum)
        if not question.assigned:
            return law
        if self.token is None:
            raise CredentialNeeded(question.name)
        return law.for_credential(self.token, self.plan.law_id, question.name)

    def _cohort(self, question: Question) -> int:
        """Return the cohort of this device, drawn once for all of the plan, or for a question."""
        if question.parameters.apart:
            key = f"cohort of {question.name}"
            known = self.state.once(self.root, key)
            if known is None:
                known = str(self.source.below(question.cohorts))
                self.state.keep_once(self.root, key, known)
            return int(known)
        cohort = self.state.cohort(self.root)
        if cohort is None:
            cohort = self.source.below(question.cohorts)
            self.state.keep_cohort(self.root, cohort)
        return cohort

    def receipt(self) -> bytes:
        """Return a random receipt; where the plan has groups, one whose id tells this device's."""
        groups = self.plan.groups
        group = None if groups is None else self._group(groups)
        while True:
            receipt = secrets.token_bytes(RECEIPT_BYTES)
            if groups is None or groups.of(bytes.fromhex(id_of(receipt))) == group:
                return receipt

    def _group(self, groups: Groups) -> int:
        """Return the group of this device, drawn once and for all of the plan."""
        known = self.state.once(self.root, GROUP)
        if known is None:
            known = str(self.source.below(groups.count))
            self.state.keep_once(self.root, GROUP, known)
        return int(known)

    def rhythm(self, every: int) -> Rhythm:
        """Return the rhythm of this device, its phase drawn once and for all of the plan."""
        if every not in self.plan.again.menu:
            listed = ", ".join(map(str, self.plan.again.menu)) or "which has none"
            raise BudgetError(f"every must be on the plan's menu ({listed})", every)
        known = rhythm_of(self.state, self.root)
        if known is None:
            known = Rhythm(every, self.source.below(every))
            self.state.keep_once(self.root, EVERY, str(known.every))
            self.state.keep_once(self.root, PHASE, str(known.phase))
        if known.every != every:
            rule = f"this device answers every {known.every} rounds, which is chosen once"
            raise BudgetError(rule, every)
        return known


def rhythm_of(state: State, root: str) -> Rhythm | None:
    """Return when a device answers a plan, if that was chosen."""
    every, phase = (state.once(root, what) for what in (EVERY, PHASE))
    return Rhythm(int(every), int(phase)) if every and phase else None
