"""What an owner is promised, in plain words, before anything is sent.

Bounds are the exact ratios of the laws, rounded up where they are written, so that what is written
holds.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, prod

from discretion.budget import Budget, epsilon
from discretion.mechanism import Variant
from discretion.plan import Plan

LINKED = "Its hash function comes with your token: who knows that can tell which report is yours."


def at_most(bound: Fraction) -> str:
    """Write a bound, rounded up to a tenth."""
    return f"{ceil(bound * 10) / 10:,.1f}"


def promise(plan: Plan, budget: Budget) -> str:
    """Say which contract holds, and how far each answer, and all together, can shift the odds."""
    return "\n".join(_lines(plan, budget))


def _lines(plan: Plan, budget: Budget) -> Iterator[str]:
    yield f"The contract is {plan.contract}: {plan.contract.meaning}."
    ratios = {name: plan.law(name, level).ratio for name, level in budget.grades.items()}
    for name, level in budget.levels.items():
        if variant := plan.variant(name):
            said = variant.promise(plan.attribute(name).labels)
            yield f"{name}, level {epsilon(level)}, {plan.mechanisms[name]}: {said}."
            yield f"  {_bounded(variant, at_most(ratios[name]))}"
            continue
        parts = plan.parts(name)
        what = "values" if len(parts) == 1 else "cells"
        grow = f"the odds between two {what} grow at most {at_most(ratios[name])} times"
        yield f"{name}, level {epsilon(level)}: {grow}."
        if name in plan.assigned:
            yield f"  {LINKED}"
        if place := budget.ranges.get(name):
            low, high = plan.ranges(name)[place]
            within = f"between {float(low):.12g} and {float(high):.12g}"
            yield f"  Numbers are told {within}; those outside look like the nearer end."
        if len(parts) > 1:
            listed = f"{', '.join(parts[:-1])} and {parts[-1]}"
            yield f"  Each of {listed} alone is protected by this whole level, not by a part of it."
    whole = prod(ratios.values(), start=Fraction(1))
    grow = f"the odds between two records grow at most {at_most(whole)} times"
    told = " by what is not open" if any(_opens(plan, name) for name in budget.levels) else ""
    yield f"In all, level {epsilon(budget.total)}: {grow}{told}."


def _opens(plan: Plan, name: str) -> bool:
    variant = plan.variant(name)
    return variant is not None and bool(variant.opened)


def _bounded(variant: Variant, most: str) -> str:
    """Say how far a report of a variant can shift the odds of the values that it shifts most."""
    if variant.opened:
        return f"Reports that are not open shift the odds between two values at most {most} times."
    return f"The odds between the two values that are told apart best grow at most {most} times."
