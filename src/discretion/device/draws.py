"""What a device draws of a plan, once and for all: some of its questions, or an order of its views.

A draw comes before the record is looked at, is kept in the state, and is never made again: not in
another round, not for another budget. Of an order the first view counts that is about shared
attributes alone and has the level; so the view is a function of the draw and of public choices.
"""

from collections.abc import Sequence

from discretion.budget import Budget
from discretion.device.state import State
from discretion.errors import BudgetError
from discretion.mechanism.subset import sample
from discretion.plan import Plan
from discretion.randomness import Source, system


def drawn_questions(plan: Plan, state: State) -> list[str]:
    """Return what this device drew of a plan, drawing it the first time: questions, or an order."""
    with state.transaction():
        root = state.root(plan.id)
        drawn = state.drawn(root)
        if drawn is None:
            drawn = _draw(plan, system())
            state.keep_draw(root, drawn)
    return drawn


def first_view(plan: Plan, order: Sequence[str], shared: frozenset[str], level: int) -> str:
    """Return the first question of an order that is about shared attributes alone, at a level."""
    for name in order:
        question = plan.questions[name]
        if shared.issuperset(question.parts) and level in question.menu:
            return name
    raise BudgetError("a view must lie inside what is shared, at its level", sorted(shared))


def check_drawn(plan: Plan, state: State, budget: Budget) -> None:
    """Refuse a budget for what this device did not draw."""
    if plan.sample is None:
        return
    drawn = state.drawn(state.root(plan.id)) or []
    if not plan.share.weights:
        if not budget.levels.keys() <= set(drawn):
            raise BudgetError("the budget must be for what was drawn: use sample()", budget)
        return
    shared = frozenset(plan.attributes) if budget.shared is None else budget.shared
    ((name, level),) = budget.levels.items()
    if not drawn or first_view(plan, drawn, shared, level) != name:
        raise BudgetError("the budget must be for the view that was drawn: use view()", budget)


def _draw(plan: Plan, source: Source) -> list[str]:
    names = [name for name, _ in plan.share.questions]
    if plan.share.weights:
        return draw_order(names, plan.share.weights, source)
    return draw(names, plan.sample or 0, source)


def draw(names: Sequence[str], count: int, source: Source) -> list[str]:
    """Draw so many of the names, all choices being equally likely; the order stays."""
    chosen = sample(len(names), count, source)
    return [name for i, name in enumerate(names) if i in chosen]


def draw_order(names: Sequence[str], weights: Sequence[int], source: Source) -> list[str]:
    """Draw an order: each name comes before those that remain with a probability by its weight."""
    left, order = dict(zip(names, weights, strict=True)), list[str]()
    while left:
        rest = source.below(sum(left.values()))
        for name, weight in left.items():
            if rest < weight:
                order.append(name)
                break
            rest -= weight
        del left[order[-1]]
    return order
