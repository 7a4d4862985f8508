"""Ways to ask for several tables with one total: who reports what, at which levels.

``split``          every attribute, with an even part of the total each
``sample``         the attributes of one table, drawn beforehand, with an even part each
``one attribute``  one attribute, drawn beforehand, with the whole total
``bundle``         one table, drawn beforehand, as one cell with the whole total
``bundle all``     every table as one cell, with the total in proportion to their attributes
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from discretion.budget.level import MOST, epsilon
from discretion.design.table_forecast import Answer, Owners
from discretion.mechanism import law
from discretion.plan import Plan
from discretion.plan.attributes import MOST_CODES
from discretion.plan.bundles import CELLS
from discretion.plan.contract import Contract
from discretion.schema import Numeric
from discretion.schema.bundle import JOINT

Names = tuple[str, ...]
Levels = dict[Names, int]  # of one owner: for an attribute, or for several as one cell

SPLIT, SAMPLE, ONE = "split", "sample", "one attribute"
BUNDLE, BUNDLE_ALL = "bundle", "bundle all"


@dataclass(frozen=True)
class Design:
    """One way to ask: the same number of owners has each of the budgets, drawn at random."""

    name: str
    contract: Contract
    budgets: tuple[Levels, ...]

    def crowd(self, plan: Plan, n: int) -> list[Owners]:
        """Return who answers what, of n owners."""
        return [
            Owners(n / len(self.budgets), tuple(_answer(plan, *item) for item in levels.items()))
            for levels in self.budgets
        ]

    def alone(self, table: Names) -> int:
        """Return the level that bounds what is told about an attribute of the table alone."""
        levels = [item for budget in self.budgets for item in budget.items()]
        return max(level for names, level in levels if not set(names).isdisjoint(table))

    def reporting(self, table: Names) -> Levels:
        """Return the levels of those who report the whole table, for what is in it."""
        whole = next(levels for levels in self.budgets if _covers(levels, table))
        return {names: level for names, level in whole.items() if set(names) & set(table)}

    def share(self, table: Names) -> float:
        """Return which part of the owners reports the whole table."""
        return sum(_covers(levels, table) for levels in self.budgets) / len(self.budgets)

    def needs(self, plan: Plan) -> list[str]:
        """Return what the plan lacks for this design."""
        found: dict[str, None] = {}
        for levels in self.budgets:
            found.update(dict.fromkeys(_lacking(plan, levels)))
        return list(found)


def designs(plan: Plan, tables: Sequence[Names], total: int) -> tuple[list[Design], dict[str, str]]:
    """Return the designs that are possible and differ, and why others are not."""
    found: list[Design] = []
    refused = {}
    for name, budgets in _ways(tables, total).items():
        if reason := _obstacle(plan, tables, budgets):
            refused[name] = reason
        elif budgets not in [other.budgets for other in found]:
            bundled = any(len(names) > 1 for levels in budgets for names in levels)
            contract = Contract.RECORD if bundled else Contract.ATTRIBUTE
            found.append(Design(name, contract, budgets))
    return found, refused


def _ways(tables: Sequence[Names], total: int) -> dict[str, tuple[Levels, ...]]:
    attributes = list(dict.fromkeys((name,) for table in tables for name in table))
    return {
        SPLIT: (_evenly(attributes, total),),
        SAMPLE: tuple(_evenly([(name,) for name in table], total) for table in tables),
        ONE: tuple(_evenly([name], total) for name in attributes),
        BUNDLE: tuple(_evenly([table], total) for table in tables),
        BUNDLE_ALL: (_evenly(tables, total),),
    }


def _covers(levels: Levels, table: Names) -> bool:
    return {name for names in levels for name in names}.issuperset(table)


def _evenly(questions: Sequence[Names], total: int) -> Levels:
    """Give each question its attributes' part of the total, in whole thousandths."""
    count = sum(map(len, questions))
    return {names: total * len(names) // count for names in questions}


def _obstacle(plan: Plan, tables: Sequence[Names], budgets: tuple[Levels, ...]) -> str | None:
    """Return why no plan with these attributes could let its owners do so."""
    for table in tables:
        if not any(_covers(levels, table) for levels in budgets):
            return f"nobody would tell {' and '.join(table)} together"
    for own in [[name for names in levels for name in names] for levels in budgets]:
        if twice := [name for name in own if own.count(name) > 1]:
            return f"{twice[0]} is in two tables, and an owner reports it once"
    bundles = dict.fromkeys(names for levels in budgets for names in levels if len(names) > 1)
    if bundles and plan.secret:
        return "a plan with secret allocation has no bundles"
    reasons = (_unfit(plan, names) for names in bundles)
    return next((reason for reason in reasons if reason), None) or _extreme(budgets)


def _unfit(plan: Plan, bundle: Names) -> str | None:
    parts = [plan.questions[name].attribute for name in bundle]
    for part in parts:
        if isinstance(part, Numeric) and part.edges is None:
            return f"{part.name} needs bins to be in a bundle"
    cells = prod(part.size for part in parts)
    if cells > MOST_CODES:
        return f"{JOINT.join(bundle)} has {cells:,} cells, above {MOST_CODES:,}"
    return None


def _extreme(budgets: tuple[Levels, ...]) -> str | None:
    levels = [level for budget in budgets for level in budget.values()]
    if min(levels) < 1:
        return "the total leaves less than a thousandth for an attribute"
    if max(levels) > MOST:
        return f"a level of {epsilon(max(levels))} is above {epsilon(MOST)}, the most there is"
    return None


def _answer(plan: Plan, names: Names, level: int) -> Answer:
    size = prod(plan.questions[name].attribute.size for name in names)
    mechanism = plan.questions[names[0]].mechanism if len(names) == 1 else CELLS
    return Answer(names, law(mechanism, size, level))


def _lacking(plan: Plan, levels: Levels) -> list[str]:
    """Return what the plan would have to allow for an owner to have these levels."""
    declared = [set(plan.questions[bundle.name].parts) for bundle in plan.bundles]
    shared, policy = sum(map(len, levels)), plan.policy
    menu = [v for v in policy.menu if v >= policy.least(shared)]
    lacking = []
    for names, level in levels.items():
        if len(names) > 1 and set(names) not in declared:
            lacking.append(f"the bundle {JOINT.join(names)}")
        if level % len(names) or level // len(names) not in menu:
            where = "" if len(names) == 1 else f" for {JOINT.join(names)}"
            lacking.append(f"the level {epsilon(level)}{where}")
    allowance, spent = policy.allowance(shared), sum(levels.values())
    if allowance is not None and spent > allowance:
        noun = "attribute" if shared == 1 else "attributes"
        now = f"now {epsilon(allowance)}"
        lacking.append(f"an allowance of {epsilon(spent)} for {shared} {noun} ({now})")
    if shared < plan.share_least:
        lacking.append(f"a least share of {shared} (now {plan.share_least})")
    return lacking
