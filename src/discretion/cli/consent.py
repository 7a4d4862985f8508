"""What an owner sees, and is asked, before ``discretion send`` seals a report."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import typer

from discretion.budget import Budget, epsilon
from discretion.device import Device
from discretion.device.changes import Change
from discretion.device.history import Before, asked_before
from discretion.device.promise import exceeding, opened, total_cost
from discretion.errors import BudgetError, ConsentNeeded, RecordError
from discretion.plan import Plan
from discretion.plan.wording import changes
from discretion.render.terminal import console
from discretion.schema.attribute import Misfit

DEFAULT_LIMIT = 20  # epsilon, of all that a device ever spends, where its owner set no limit
MOST_BY_DEFAULT = 4000  # thousandths: no law of a budget that nobody named has a larger ratio
NOT_RECOGNISED = "A question with another name and other values cannot be recognised."
SAME = "Does it still ask the same? Then your earlier answers are repeated, at no cost."
ANEW = (
    "It is taken as another question: answers are drawn, and charged, anew (--same repeats them)."
)
SHOWN = "--show seals the report, which cannot be drawn again"
NOTHING = "nothing was sealed, charged or sent"


def by_default(plan: Plan, budget: Budget) -> Budget:
    """Return a default budget; refuse one that reveals too much to be a default."""
    much = exceeding(plan, budget, MOST_BY_DEFAULT)
    refused = [name for name in budget.levels if name in (*much, *opened(plan, budget))]
    if not refused:
        return budget
    most = epsilon(MOST_BY_DEFAULT)
    rule = f"a default budget must have no open answers and no ratio above e^{most} (name --budget)"
    raise BudgetError(rule, ", ".join(f"{n} at {epsilon(budget.levels[n])}" for n in refused))


@dataclass(frozen=True)
class Request:
    """What is about to be sealed; ``budget`` is None where there are no answers."""

    device: Device
    collector: str  # its address
    answers: Mapping[str, str]
    budget: Budget | None
    round: int

    @property
    def sealed(self) -> bool:
        """Whether nothing is going to be drawn: no answers, or the round has its report."""
        state, plan = self.device.state, self.device.plan
        return self.budget is None or state.sealed(plan.id, self.round) is not None

    def lines(self) -> Iterator[str]:
        """Yield the promise, what was spent, the limit, and what the owner should know."""
        device = self.device
        if self.budget is not None:
            yield device.promise(self.budget)
        here = epsilon(device.state.spent_with(self.collector, device.plan.id))
        spent = f"{epsilon(device.spent)} in all, {here} under plans of this collector"
        yield f"Spent on this device so far: {spent}."
        yield self._limit()
        yield from self._windows()
        if self.sealed or self.budget is None:
            return
        device.admit(self.budget, self.round)
        if self._is_new:
            yield "This plan is new to this device."
            for before in asked_before(device.state, device.plan):
                yield f"  {before}."
                yield from self._added(before, self.budget)
            yield f"  {NOT_RECOGNISED}"
        for each in self._changes:
            if each.misfit is Misfit.NO_NUMBER:
                raise RecordError(each.attribute, "must be a number", each.value)
            yield str(each)

    def _added(self, before: Before, budget: Budget) -> Iterator[str]:
        """Yield what reports about it were charged, and what this one adds, if it adds anything."""
        shared = ((self.device.plan.questions[n], own) for n, own in budget.strata.items())
        adds = sum(asked.cost(own) for asked, own in shared if asked.concerns(before.name))
        if adds:
            spent = self.device.state.spent(before.answered)
            line = f"Reports about it were charged {epsilon(spent)} so far"
            yield f"    {line}; this one adds {epsilon(adds)}: {epsilon(spent + adds)} in all."

    def is_same(self, *, same: bool) -> bool:
        """Show how a plan words anew what was answered here; return if it still is the same.

        The owner says so. Otherwise everything is drawn, and charged, anew.
        """
        before = self.device.predecessor
        if before is None or self.budget is None:
            return False
        out = console(stderr=True)
        out.print("This plan words anew what you have answered here before:", soft_wrap=True)
        for place, old, new in changes(before.wording, self.device.plan.wording):
            out.print(f"  {place}: {old!r} is now {new!r}", soft_wrap=True, markup=False)
        if same or (sys.stdin.isatty() and _confirmed(SAME)):
            return True
        out.print(ANEW, soft_wrap=True)
        return False

    def agree(self, *, yes: bool, show: bool) -> None:
        """Ask about a new plan, changed values or ``--show``; return only if the owner agrees."""
        if self.sealed or yes:
            return
        new = [f"plan {self.device.plan.name!r} is new to this device"] if self._is_new else []
        changed = [
            f"{each.attribute}: {each.value!r} {each.misfit.meaning}" for each in self._changes
        ]
        reasons = [*new, *changed, *([SHOWN] if show else [])]
        if not reasons:
            return
        if not sys.stdin.isatty():
            raise ConsentNeeded(" and ".join(reasons))
        if not _confirmed(f"Agree and seal the report ({' and '.join(reasons)})?"):
            console(stderr=True).print(f"discretion: {NOTHING}", soft_wrap=True)
            raise typer.Exit(1)

    def _windows(self) -> Iterator[str]:
        """Yield each limit over some rounds, and what the rounds around this one count."""
        state, root = self.device.state, self.device.state.root(self.device.plan.id)
        for rounds, most in state.windows().items():
            near = epsilon(state.granted_near(root, self.round, rounds))
            line = f"The limit over any {rounds} rounds is {epsilon(most)}"
            yield f"{line}; the rounds around this one count {near}."

    def _limit(self) -> str:
        limit, left = self.device.limit, self.device.left
        if limit is None or left is None:
            return "There is no limit."
        which = "" if self.device.state.limit() is not None else " by default"
        line = f"The limit is {epsilon(limit)}{which}, of which {epsilon(left)} is left"
        if self.sealed or self.budget is None:
            return f"{line}."
        return f"{line}; this report counts {epsilon(total_cost(self.device.plan, self.budget))}."

    @property
    def _is_new(self) -> bool:
        return self.device.state.is_new(self.device.plan.id)

    @property
    def _changes(self) -> tuple[Change, ...]:
        """The answers that do not fit, and what they count as."""
        return () if self.budget is None else self.device.changes(self.answers, self.budget)


def _confirmed(question: str) -> bool:
    """Ask on the terminal, not among what may be piped elsewhere; the default is no."""
    try:
        return typer.confirm(question, default=False, err=True)
    except typer.Abort:
        return False
