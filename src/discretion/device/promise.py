"""What an owner is promised, in plain words, before anything is sent.

Bounds are the exact ratios of the laws, rounded up where they are written, so that what is written
holds.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, prod

from discretion.budget import Budget, epsilon
from discretion.device.cost import opened, total_cost, varied
from discretion.mechanism import Variant
from discretion.plan import Plan

LINKED = (
    "Its hash function comes with your token: whoever knows the token can identify your report."
)


def at_most(bound: Fraction) -> str:
    """Write a bound, rounded up to a tenth."""
    return f"{ceil(bound * 10) / 10:,.1f}"


def promise(plan: Plan, budget: Budget) -> str:
    """Say which contract holds, and how far each answer, and all together, can shift the odds."""
    return "\n".join(_lines(plan, budget))


def _lines(plan: Plan, budget: Budget) -> Iterator[str]:
    yield _contract(plan, varied(plan, budget))
    ratios = {name: plan.questions[name].law(level).ratio for name, level in budget.strata.items()}
    for name, level in budget.levels.items():
        if variant := plan.questions[name].variant:
            said = variant.promise(plan.questions[name].attribute.labels)
            yield f"{name}, level {epsilon(level)}, {plan.questions[name].mechanism}: {said}."
            yield f"  {_bounded(variant, at_most(ratios[name]))}"
            charged = plan.questions[name].cost(budget.strata[name])
            yield f"  The ledger charges {epsilon(charged)} for it."
            continue
        parts = plan.questions[name].parts
        what = "values" if len(parts) == 1 else "cells"
        grow = f"the odds between two {what} grow at most {at_most(ratios[name])} times"
        yield f"{name}, level {epsilon(level)}: {grow}."
        if plan.questions[name].assigned:
            yield f"  {LINKED}"
        if index := budget.ranges.get(name):
            low, high = plan.questions[name].ranges[index]
            within = f"between {float(low):.12g} and {float(high):.12g}"
            yield f"  Numbers are reported {within}; those outside look like the nearer end."
        if len(parts) > 1:
            each = f"Each of {_listed(parts)} alone"
            yield f"  {each} is protected by this whole level, not by a part of it."
    whole = prod(ratios.values(), start=Fraction(1))
    grow = f"the odds between two records grow at most {at_most(whole)} times"
    yield f"In all, level {epsilon(total_cost(plan, budget))}: {grow}{_apart(plan, budget)}."


def _contract(plan: Plan, variants: Sequence[str]) -> str:
    """Say which contract holds, and for which questions it does not."""
    if not variants:
        return f"The contract is {plan.contract}: {plan.contract.meaning}."
    what = "variants, each with the bound" if len(variants) > 1 else "a variant, with the bound"
    return f"The contract is {plan.contract}, except for {_listed(variants)}: {what} below."


def _apart(plan: Plan, budget: Budget) -> str:
    """Name the questions whose open answers no bound covers."""
    names = opened(plan, budget)
    return f", apart from open answers to {_listed(names)}, which have no bound" if names else ""


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _bounded(variant: Variant, most: str) -> str:
    """Say how far a report of a variant can shift the odds of the values that it shifts most."""
    if variant.opened:
        return f"Reports that are not open shift the odds between two values at most {most} times."
    return f"The odds between the two values that are told apart best grow at most {most} times."
