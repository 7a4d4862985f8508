"""What an owner is promised, in plain words, before anything is sent; and what it costs.

Bounds are the exact ratios of the laws, rounded up where they are written, so that what is written
holds. Costs are what the ledger charges and what a limit is compared with: open outputs have no
bound, and no cost covers them.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, prod

from discretion.budget import Budget, epsilon
from discretion.mechanism import Variant
from discretion.mechanism.odds import level_above, odds
from discretion.plan import Plan
from discretion.plan.again import Rhythm
from discretion.randomness import ONE

LINKED = (
    "Its hash function comes with your token: whoever knows the token can identify your report."
)


def at_most(bound: Fraction) -> str:
    """Write a bound, rounded up to a tenth."""
    return f"{ceil(bound * 10) / 10:,.1f}"


def promise(plan: Plan, budget: Budget, rhythm: Rhythm | None = None) -> str:
    """Say which contract holds, and how far each answer, and all together, can shift the odds.

    Then what later rounds add, for an owner who answers in a rhythm if the plan rotates.
    """
    return "\n".join([*_lines(plan, budget), *later(plan, budget, rhythm), *_linked(plan, budget)])


def _lines(plan: Plan, budget: Budget) -> Iterator[str]:
    yield _contract(plan, varied(plan, budget))
    ratios = {name: plan.questions[name].law(level).ratio for name, level in budget.strata.items()}
    for name, level in budget.levels.items():
        question = plan.questions[name]
        if variant := question.variant:
            said = variant.promise(question.attribute.labels)
            yield f"{name}, level {epsilon(level)}, {question.mechanism}: {said}."
            yield f"  {_bounded(variant, at_most(ratios[name]))}"
            yield f"  The ledger charges {epsilon(question.cost(budget.strata[name]))} for it."
            continue
        parts = question.parts
        what = "values" if len(parts) == 1 else "cells"
        grow = f"the odds between two {what} grow at most {at_most(ratios[name])} times"
        yield f"{name}, level {epsilon(level)}: {grow}."
        if question.assigned:
            yield f"  {LINKED}"
        index = budget.ranges.get(name, 0)
        if cut := question.within(index).cut:
            yield f"  {cut}"
        elif index:
            low, high = question.written_ranges[index]
            within = f"between {low} and {high}"
            yield f"  Numbers are reported {within}; those outside look like the nearer end."
        if question.kept:
            yield "  It is rounded by a threshold that this device draws once and keeps:"
            yield "  numbers that are rounded alike are one answer."
        if merged := question.parameters.merged:
            yield f"  Values {merged} are one answer."
        if len(parts) > 1:
            each = f"Each of {_listed(parts)} alone"
            yield f"  {each} is protected by this whole level, not by a part of it."
            if question.view:
                yield (
                    "  They are one view, and protected together: the report is about how they go "
                    "together. Which view it is was drawn without looking at your answers."
                )
    for part, names in deciding(plan, budget):
        level = sum(plan.questions[name].cost(budget.strata[name]) for name in names)
        changed = f"the answer{'s' * (len(names) > 1)} to {_listed(names)}"
        most = at_most(prod((ratios[name] for name in names), start=Fraction(1)))
        yield f"A change of {part} can change {changed}, since it decides what applies."
        yield f"  Together, level {epsilon(level)}: the odds grow at most {most} times."
    whole = prod(ratios.values(), start=Fraction(1))
    grow = f"the odds between two records grow at most {at_most(whole)} times"
    if names := opened(plan, budget):
        grow += f", apart from open answers to {_listed(names)}, which have no bound"
    yield f"In all, level {epsilon(total_cost(plan, budget))}: {grow}."


def deciding(plan: Plan, budget: Budget) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each attribute that decides what applies, and the shared answers that it may change."""
    for part in plan.attributes:
        names = tuple(name for name in budget.levels if plan.questions[name].concerns(part))
        if any(part in plan.questions[name].attribute.depends_on for name in names):
            yield part, names


def _contract(plan: Plan, variants: Sequence[str]) -> str:
    """Say which contract holds, and for which questions it does not."""
    if not variants:
        return f"The contract is {plan.contract}: {plan.contract.meaning}."
    what = "variants, each with the bound" if len(variants) > 1 else "a variant, with the bound"
    return f"The contract is {plan.contract}, except for {_listed(variants)}: {what} below."


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _bounded(variant: Variant, most: str) -> str:
    """Say how far a report of a variant can shift the odds of the values that it shifts most."""
    if variant.opened:
        return f"Reports that are not open shift the odds between two values at most {most} times."
    return f"The odds between the two values that are told apart best grow at most {most} times."


def later(plan: Plan, budget: Budget, rhythm: Rhythm | None = None) -> Iterator[str]:
    """Say which bounds hold over several rounds: docs/guarantee.md, "Over several rounds"."""
    again, total = plan.again, epsilon(total_cost(plan, budget))
    if again.repeats:
        yield "Later rounds repeat what was drawn for the same answer, at no cost."
        yield "  Two histories that change in the same rounds: at most what is charged for them."
        if any(plan.questions[name].parameters.merged for name in budget.levels):
            yield "  A change between values that are one answer does not count as one."
        level = over_rounds(plan, budget, 1)
        none = "no bound, since equal reports show that an answer is the same"
        bound = none if level is None else f"at most level {epsilon(level)} for each round"
        yield f"  Two histories that change in different rounds: {bound}."
        return
    every = (rhythm.every,) if rhythm else again.menu
    if every:
        listed = " or ".join(map(str, every))
        yield f"You answer in one of every {listed} rounds, and each answer is drawn anew."
        yield f"  Any two histories over as many rounds: at most level {total}, as long as"
        yield "  this device keeps its state; a lost one draws another rhythm."
        return
    yield "Every round draws anew, and is charged."
    yield f"  Any two histories over T rounds: at most T times level {total}."


def _linked(plan: Plan, budget: Budget) -> Iterator[str]:
    """Say what links the reports of several rounds besides their content: a group, cohorts."""
    asked, groups = [plan.questions[name] for name in budget.levels], plan.groups
    together = max((each.cohorts for each in asked if not each.parameters.apart), default=1)
    more = "" if groups is None else " more"
    if groups is not None:
        yield _named("groups", groups.count)
        shared = f"About {groups.each:,} owners share it"
        yield f"  {shared}: reports of several rounds are linked by {groups.bits} bits."
    for cohorts in (together, *(each.cohorts for each in asked if each.parameters.apart)):
        if cohorts > 1:
            yield _named("cohorts", cohorts)
            bits = (cohorts - 1).bit_length()
            yield f"  Reports of several rounds are linked by up to {bits}{more} bits."
            more = " more"


def _named(noun: str, count: int) -> str:
    drawn = f"one of {count} {noun}, drawn once without looking at your answers"
    return f"Your reports of all rounds name {drawn}."


def over_rounds(
    plan: Plan, budget: Budget, rounds: int, rhythm: Rhythm | None = None
) -> int | None:
    """Return the level that bounds any two histories over consecutive rounds; None: nothing does.

    They may change whenever they like. Where answers are repeated only a second stage of
    randomness, drawn in each round, bounds what shows that an answer is the same.
    """
    if not plan.again.repeats:
        answers = plan.again.answers(rounds, rhythm.every if rhythm else None)
        return answers * total_cost(plan, budget)
    asked = (plan.questions[name].law(stratum) for name, stratum in budget.strata.items())
    ratios = [law.instant_ratio for law in asked]
    known = [ratio for ratio in ratios if ratio is not None]
    return None if len(known) < len(ratios) else level_above(prod(known) ** rounds)


def total_cost(plan: Plan, budget: Budget) -> int:
    """Return what a report costs if every answer is new."""
    return sum(plan.questions[name].cost(stratum) for name, stratum in budget.strata.items())


def varied(plan: Plan, budget: Budget) -> tuple[str, ...]:
    """Return the shared names whose law is a variant."""
    return tuple(name for name in budget.levels if plan.questions[name].variant is not None)


def opened(plan: Plan, budget: Budget) -> tuple[str, ...]:
    """Return the shared names some of whose values are reported openly."""
    variants = {name: plan.questions[name].variant for name in budget.levels}
    return tuple(name for name, variant in variants.items() if variant and variant.opened)


def exceeding(plan: Plan, budget: Budget, level: int) -> tuple[str, ...]:
    """Return the shared names whose law has a ratio above e to a level."""
    ratios = {
        name: plan.questions[name].law(stratum).ratio for name, stratum in budget.strata.items()
    }
    return tuple(name for name, ratio in ratios.items() if ratio * ONE >= odds(level) + 1)
