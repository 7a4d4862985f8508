"""Ways to ask for several tables with one total: who reports what, at which levels."""

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import NamedTuple

from discretion.budget.level import MOST, epsilon
from discretion.design.design import Block, Design, Levels, Names
from discretion.design.information import Answer, Owners
from discretion.mechanism import law
from discretion.plan import Plan
from discretion.plan.attributes import MOST_CODES
from discretion.plan.bundles import CELLS
from discretion.plan.views import cover
from discretion.schema.bundle import JOINT

Groups = Sequence[Sequence[Names]]
DRAWN = "one table, drawn beforehand,"
VIEW = 3  # attributes of a view; views of two are the bundles of all pairs


class Way(NamedTuple):
    """How tables can be asked for: in words, and the groups of questions that it makes of them."""

    doing: str
    does: str
    groups: Callable[[Plan, Sequence[Names]], Groups]


def _attributes(tables: Sequence[Names]) -> list[Names]:
    return list(dict.fromkeys((name,) for table in tables for name in table))


def _views(plan: Plan, tables: Sequence[Names]) -> Groups:
    """Return views of three of all that the tables have, every pair of which is in one."""
    sizes = {name: plan.questions[name].attribute.size for (name,) in _attributes(tables)}
    return [[view] for view in cover(sizes, VIEW)] if len(sizes) > VIEW else ()


WAYS = {
    "split": Way(
        "splitting",
        "everyone reports every attribute, each with an even part of the total",
        lambda _, tables: [_attributes(tables)],
    ),
    "sample": Way(
        "sampling tables",
        f"everyone reports the attributes of {DRAWN} one by one",
        lambda _, tables: [_attributes([table]) for table in tables],
    ),
    "one attribute": Way(
        "sampling attributes",
        "everyone reports one attribute, drawn beforehand",
        lambda _, tables: [[name] for name in _attributes(tables)],
    ),
    "bundle": Way(
        "bundling",
        f"everyone reports {DRAWN} as one cell",
        lambda _, tables: [[table] for table in tables],
    ),
    "views": Way(
        "views of three",
        "everyone reports three attributes, drawn beforehand, as one cell",
        _views,
    ),
    "bundle all": Way(
        "bundling all",
        "everyone reports each table as one cell, with a part of the total",
        lambda _, tables: [tables],
    ),
}


def designs(plan: Plan, tables: Sequence[Names], total: int) -> tuple[list[Design], dict[str, str]]:
    """Return the designs that are possible and differ, and why others are not."""
    found: list[Design] = []
    refused = {}
    for name, way in WAYS.items():
        blocks = [tuple(_block(plan, a) for a in group) for group in way.groups(plan, tables)]
        if not blocks:
            continue
        design = Design(name, tuple(blocks), doing=way.doing)
        if reason := _obstacle(plan, tables, design, total):
            refused[design.name] = reason
        elif design.groups not in [other.groups for other in found]:
            found.append(design)
    return found, refused


def covers(levels: Levels, table: Names) -> bool:
    """Whether an owner with these levels reports the whole table."""
    return {name for names in levels for name in names}.issuperset(table)


def crowd(plan: Plan, design: Design, n: int, total: int) -> list[Owners]:
    """Return who answers what, of n owners: each group is drawn by as many."""
    return [
        Owners(n / len(design.groups), tuple(_answers(plan, group, levels)))
        for group, levels in zip(design.groups, design.levels(total), strict=True)
    ]


def needs(plan: Plan, design: Design, total: int) -> tuple[str, ...]:
    """Return what the plan would have to allow for this design."""
    whole = design.name == "views" or (bool(plan.share.weights) and design.name == "bundle")
    lacking = _lacking_view if whole else _lacking
    found = (lacking(plan, levels) for levels in design.levels(total))
    return tuple(dict.fromkeys(lack for lacks in found for lack in lacks))


def _block(plan: Plan, names: Names) -> Block:
    return Block(names, plan.questions[names[0]].mechanism if len(names) == 1 else CELLS)


def _answers(plan: Plan, group: Sequence[Block], levels: Levels) -> Iterator[Answer]:
    for block in group:
        size = prod(plan.questions[name].attribute.size for name in block.names)
        yield Answer(block.names, law(block.mechanism, size, levels[block.names]))


def _obstacle(plan: Plan, tables: Sequence[Names], design: Design, total: int) -> str | None:
    """Return why no plan with these attributes could let its owners do so."""
    groups = design.levels(total)
    for table in tables:
        if not any(covers(levels, table) for levels in groups):
            return f"nobody would report {' and '.join(table)} together"
    for own in [[name for names in levels for name in names] for levels in groups]:
        if twice := [name for name in own if own.count(name) > 1]:
            return f"{twice[0]} is in two tables, and an owner reports it once"
    bundles = dict.fromkeys(block.names for block in design.blocks if len(block.names) > 1)
    if bundles and plan.secret:
        return "a plan with secret allocation has no bundles"
    reasons = (_unfit(plan, names) for names in bundles)
    return next((reason for reason in reasons if reason), None) or _extreme(groups)


def _unfit(plan: Plan, bundle: Names) -> str | None:
    parts = [plan.questions[name].attribute for name in bundle]
    for part in parts:
        if not part.listed:
            lacking = "bins" if part.number else "a list of values"
            return f"{part.name} needs {lacking} to be in a bundle"
    cells = prod(part.size for part in parts)
    if cells > MOST_CODES:
        return f"{JOINT.join(bundle)} has {cells:,} cells, above {MOST_CODES:,}"
    return None


def _extreme(groups: Sequence[Levels]) -> str | None:
    levels = [level for group in groups for level in group.values()]
    if min(levels) < 1:
        return "the total leaves less than a thousandth for an attribute"
    if max(levels) > MOST:
        return f"a level of {epsilon(max(levels))} is above {epsilon(MOST)}, the most there is"
    return None


def _lacking_view(plan: Plan, levels: Levels) -> Iterator[str]:
    """Yield what a plan would have to allow for a device to report one view at its level."""
    for names, level in levels.items():
        declared = {frozenset(plan.questions[name].parts): name for name in plan.names}
        if not plan.share.weights or frozenset(names) not in declared:
            yield f"views: {{size: {len(names)}}}"
        elif level not in plan.questions[declared[frozenset(names)]].menu:
            yield f"the level {epsilon(level)}"


def _lacking(plan: Plan, levels: Levels) -> Iterator[str]:
    """Yield what the plan would have to allow for an owner to have these levels."""
    declared = [set(plan.questions[bundle.name].parts) for bundle in plan.bundles]
    shared, policy = sum(map(len, levels)), plan.policy
    menu = [v for v in policy.menu if v >= policy.least(shared)]
    for names, level in levels.items():
        if len(names) > 1 and set(names) not in declared:
            yield f"the bundle {JOINT.join(names)}"
        if level % len(names) or level // len(names) not in menu:
            where = "" if len(names) == 1 else f" for {JOINT.join(names)}"
            yield f"the level {epsilon(level)}{where}"
    allowance, spent = policy.allowance(shared), sum(levels.values())
    if allowance is not None and spent > allowance:
        noun = "attribute" if shared == 1 else "attributes"
        now = f"now {epsilon(allowance)}"
        yield f"an allowance of {epsilon(spent)} for {shared} {noun} ({now})"
    if shared < plan.share_least:
        yield f"a least share of {shared} (now {plan.share_least})"
