"""Views: pairs or triples of attributes, of which a device reports one as a cell.

A design of views covers every pair of attributes, so that every pair's table can be estimated. All
pairs do; larger views are chosen greedily (Gordon, Kuperberg and Patashnik 1995): each begins with
a pair that is not covered yet and takes in the attributes that cover most of the others. The
smallest of several designs is kept. ``auto`` compares sizes level by level, by the squared error of
all pairs that is to be expected at the uniform distribution. At small levels a cell of many values
says less about each attribute than the attribute would alone, so ``auto`` has single attributes
drawn as well: with that share of all draws at which the forecast error of pairs is smallest, for
100,000 owners and attributes of medium dependence (Cohen's w = .3). Both are conventions, as nobody
knows either when a plan is made. At most a half are single, so that dependence can be learnt
from larger crowds, or where it is strong.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from math import exp, log, prod
from random import Random
from typing import NamedTuple

from discretion.budget import Policy
from discretion.plan.attributes import MOST_CODES
from discretion.plan.auto import AUTO, some
from discretion.plan.field import Field
from discretion.plan.parameters import Asked

Block = tuple[str, ...]
Sizes = Mapping[str, int]

AUTOMATIC = (2, 3, 4)  # attributes of a view that ``auto`` compares
MOST_SIZE = 8
MOST_VIEWS = 1024
MOST_TRIES = 100  # of a greedy design, the smallest of which is kept
WORK = 400_000  # tries times the cube of the attributes
UNIT = 100  # the weight of a view where single attributes are drawn as well
SHARES = 0, 1 / 8, 1 / 4, 3 / 8, 1 / 2  # of the draws that single attributes may have
OWNERS, MEDIUM = 100_000, 0.09  # for whom ``auto`` forecasts; the mean square contingency of pairs


class Views(NamedTuple):
    """What devices draw from."""

    blocks: list[Block]
    by_size: dict[int, int]  # if sizes depend on the level: from which level on each is drawn
    weights: dict[Block, int]  # of views and of single attributes; without these, none


def read_views(field: Field, asked: Sequence[Asked], policy: Policy) -> Views:
    """Return the views that a plan asks for."""
    listed = [a for a, own in asked if a.listed and own.listed and own.variant is None]
    sizes = {attribute.name: attribute.size for attribute in listed}
    _check(field, sizes)
    if field.value == AUTO:
        return _by_level(sizes, policy)
    fields = field.mapping(("size",), ("count",))
    size = fields["size"].whole(2, min(MOST_SIZE, len(sizes)))
    views = cover(sizes, size)
    if "count" in fields:
        count = fields["count"].whole(1, MOST_VIEWS)
        if count < len(views):
            rule = f"must be {len(views)} or more, so that every pair of attributes is in a view"
            fields["count"].fail(rule)
        views = _filled(views, sizes, size, count)
    return Views(views, {}, {})


def _check(field: Field, sizes: Sizes) -> None:
    if len(sizes) < 2:
        field.fail("must be in a plan with two attributes or more that have a list of values")
    for pair in combinations(sizes, 2):
        if (cells := prod(sizes[name] for name in pair)) > MOST_CODES:
            rule = f"must have at most {MOST_CODES} cells (fewer values, or coarser bins)"
            field.fail(f"{rule}, and {'+'.join(pair)} has {cells}")
    if (pairs := len(sizes) * (len(sizes) - 1) // 2) > MOST_VIEWS:
        field.fail(f"must cover at most {MOST_VIEWS} pairs of attributes, and there are {pairs}")


def cover(sizes: Sizes, size: int) -> list[Block]:
    """Return views of so many attributes, or with too many cells of fewer; every pair is in one."""
    if size == 2:
        return list(combinations(sizes, 2))
    tries = range(max(2, min(MOST_TRIES, WORK // len(sizes) ** 3)))
    found = (_greedy(sizes, size, Random(seed) if seed else None) for seed in tries)
    return _ordered(min(found, key=len), list(sizes))


def _greedy(sizes: Sizes, size: int, rng: Random | None) -> list[Block]:
    """Choose view after view: in the order of the attributes, or most uncovered pairs first."""
    uncovered, views = dict.fromkeys(combinations(sizes, 2)), list[Block]()
    while uncovered:
        degree = Counter(name for pair in uncovered for name in pair)
        draw = {name: rng.random() if rng else 0.0 for name in sizes}
        rank = {name: (degree[name] if rng else 0, draw[name]) for name in sizes}
        first = max(uncovered, key=lambda pair: [rank[name] for name in pair])
        view = list(first)
        while len(view) < size and (others := _fitting(view, sizes)):
            view.append(max(others, key=lambda name: (_gain(view, name, uncovered), rank[name])))
        for pair in permutations(view, 2):
            uncovered.pop(pair, None)
        views.append(tuple(view))
    return views


def _gain(view: Sequence[str], name: str, uncovered: Mapping[tuple[str, str], None]) -> int:
    """Return how many pairs an attribute would add to those that are covered."""
    return sum((a, name) in uncovered or (name, a) in uncovered for a in view)


def _fitting(view: Sequence[str], sizes: Sizes) -> list[str]:
    """Return the attributes with which a view does not have too many cells."""
    cells = prod(sizes[name] for name in view)
    return [name for name in sizes if name not in view and cells * sizes[name] <= MOST_CODES]


def _filled(views: Sequence[Block], sizes: Sizes, size: int, count: int) -> list[Block]:
    """Add views until there are so many, those first whose pairs are in the fewest."""
    found, every = list(views), [v for v in combinations(sizes, size) if _fits(v, sizes)]
    times = dict.fromkeys(combinations(sizes, 2), 0)
    for pair in (pair for view in found for pair in combinations(view, 2)):
        times[pair] += 1
    rest = [view for view in every if view not in found]
    while len(found) < count and rest:
        view = min(rest, key=lambda v: sum(times[pair] for pair in combinations(v, 2)))
        rest.remove(view)
        found.append(view)
        for pair in combinations(view, 2):
            times[pair] += 1
    return _ordered(found, list(sizes))


def _fits(view: Block, sizes: Sizes) -> bool:
    return prod(sizes[name] for name in view) <= MOST_CODES


def _ordered(views: Sequence[Block], names: Sequence[str]) -> list[Block]:
    """Return views and their attributes in the order of the plan."""
    at = {name: i for i, name in enumerate(names)}
    return sorted(
        {tuple(sorted(view, key=at.__getitem__)) for view in views},
        key=lambda view: [at[name] for name in view],
    )


def _by_level(sizes: Sizes, policy: Policy) -> Views:
    """Return the views of the best sizes, and the least level at which each size is the best."""
    designs = {size: cover(sizes, size) for size in AUTOMATIC if size <= len(sizes)}
    least: dict[int, int] = {}
    drawn: list[tuple[float, list[Block]]] = []
    for level in some(policy.menu):
        best = min(designs, key=lambda size: pair_error(sizes, designs[size], level / 1000))
        if best > max(least, default=0):  # larger views from higher levels on, and never back
            least[best] = level
        drawn.append((level / 1000, designs[max(least)]))
    views = list(dict.fromkeys(view for size in least for view in designs[size]))
    alone = _alone(sizes, drawn)
    weights = dict.fromkeys(views, UNIT) | {(name,): weight for name, weight in alone.items()}
    return Views(views, least if len(least) > 1 else {}, weights if alone else {})


def _alone(sizes: Sizes, drawn: Sequence[tuple[float, Sequence[Block]]]) -> dict[str, int]:
    """Return the weights of single attributes, given the views that are drawn at each level.

    They have that share of all draws with which the forecast is best, averaged over the levels so
    that none outweighs the rest. Attributes with more values have more, as their noise adds up.
    """
    each = {name: (size - 1) ** 0.5 for name, size in sizes.items()}
    whole = sum(each.values())
    parts = {name: own / whole for name, own in each.items()}
    best = min(SHARES, key=lambda share: sum(_forecast(sizes, *own, share, parts) for own in drawn))
    count = max(len(views) for _, views in drawn)
    total = UNIT * count * best / (1 - best)
    return {name: own for name, part in parts.items() if (own := round(total * part))}


def _forecast(
    sizes: Sizes, epsilon: float, views: Sequence[Block], share: float, parts: Mapping[str, float]
) -> float:
    """Return the logarithm of the squared error of pairs, if a share of all draws one attribute.

    Interactions are taken to be shrunk as is best where the dependence is medium.
    """
    known = information(sizes, views, epsilon)
    for name, size in sizes.items():
        own = share * parts[name] * eigenvalue(size, epsilon)
        known[name,] = (1 - share) * known[name,] + own
    total = 0.0
    for one, other in combinations(sizes, 2):
        alone, together = _errors(sizes, known, (one, other))
        noise = together / (1 - share)
        medium = MEDIUM * OWNERS / (sizes[one] * sizes[other])
        total += alone + medium * noise / (medium + noise)
    return log(total)


def pair_error(sizes: Sizes, views: Sequence[Block], epsilon: float) -> float:
    """Return the squared error of a pair's table from one owner's view, averaged over the pairs.

    The information about the component of a set S of attributes is the mean over all views that
    hold S of Fisher's eigenvalue, of which S has its share of the cells.
    """
    known = information(sizes, views, epsilon)
    errors = [sum(_errors(sizes, known, pair)) for pair in combinations(sizes, 2)]
    return sum(errors) / len(errors)


def information(sizes: Sizes, views: Sequence[Block], epsilon: float) -> dict[Block, float]:
    """Return what one owner's view tells of each attribute and of each pair, on average."""
    known = dict.fromkeys((*combinations(sizes, 1), *combinations(sizes, 2)), 0.0)
    for view in views:
        cells = prod(sizes[name] for name in view)
        each = eigenvalue(cells, epsilon) / cells / len(views)
        for kept in (*combinations(view, 1), *combinations(view, 2)):
            known[kept] += each * prod(sizes[name] for name in kept)
    return known


def _errors(
    sizes: Sizes, known: Mapping[Block, float], pair: tuple[str, str]
) -> tuple[float, float]:
    """Return the squared error of a pair's table: that of its margins, and of interactions."""
    one, other = pair
    a, b = sizes[one], sizes[other]
    alone = (a - 1) / (b * known[one,]) + (b - 1) / (a * known[other,])
    return alone, (a - 1) * (b - 1) / known[pair]


def eigenvalue(size: int, epsilon: float) -> float:
    """Return the Fisher information of the best report about one of so many codes."""
    odds = exp(epsilon)
    best = max(1, min(size - 1, round(size / (odds + 1))))
    around = range(max(1, best - 1), min(size - 1, best + 1) + 1)
    each = (size * w * (size - w) * (odds - 1) ** 2 / (w * odds + size - w) ** 2 for w in around)
    return max(each) / (size - 1)
