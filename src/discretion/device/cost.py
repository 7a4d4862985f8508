"""What a report costs: what the ledger charges, and what a limit is compared with.

Open outputs have no bound, and no cost covers them.
"""

from discretion.budget import Budget
from discretion.mechanism.odds import odds
from discretion.plan import Plan
from discretion.randomness import ONE


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
