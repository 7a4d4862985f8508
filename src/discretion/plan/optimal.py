"""The tables of ``optimal``: the smallest worst-case variance at a level, by a linear programme.

A device cannot work them out itself, so they stand in the plan.

A number on [-1, 1] is rounded at random to one of the knots x_k, and an output y stands for the
number B c_y, with c_y equally spaced on [-1, 1]. Of all laws on these outputs that are unbiased and
private the programme finds the one whose variance, at the number where it is largest, is smallest.
With e = e^epsilon and t = (e - 1) / (e + 1), every private law can be written as

    P(y | k) = s_y / (e + 1) + t d_ky    with    0 <= d_ky <= s_y

so the unknowns are the shares s, the gains d, the second moments M_k and the worst variance V, the
last two in units of B^2:

    minimise    V
    such that   sum_y P(y | k) = 1,   sum_y c_y P(y | k) = x_k / B,   sum_y c_y^2 P(y | k) = M_k
                V >= (1 - u) M_k + u M_(k+1) - x^2 / B^2   at x = (1 - u) x_k + u x_(k+1)

Reading everything from the other end changes nothing, so half of the knots are enough.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from discretion.budget import Policy, epsilon
from discretion.errors import BudgetError
from discretion.extras import needed
from discretion.mechanism.table import TOTAL, Weights, check_weights
from discretion.plan.field import Field
from discretion.plan.parameters import Asked, Tables

LEAST_LEVEL = 1
MOST_LEVELS = 64  # each takes a while to work out, and a few thousand bytes of the plan
MOST_LEVEL = 10_000  # above, what rounding to 61 knots adds is what the best law gains on a window

SHAPES = ((1000, 11, 21), (2000, 21, 21), (4000, 21, 41), (8000, 41, 41), (MOST_LEVEL, 61, 61))
"""Up to a level: knots and outputs, both odd. Up to 4000, more would gain one per cent at most."""

BOUNDS = (0.55, 0.6, 0.65, 0.7, 0.8, 0.9)
"""Where B is looked for: parts of the way from the numbers' end to the piecewise mechanism's."""

PARTS = 16  # the variance is bounded at so many places from knot to knot
AVERAGE = 1e-4  # weight of the variance averaged over knots: it decides between equals
SLACK = (1 << 8, 1 << 12, 1 << 16, 1 << 20)  # units of TOTAL by which rounding may move a weight

Row = dict[int, float]  # of a constraint: from unknown to coefficient


def check_level(level: int) -> None:
    """Refuse a level at which no table of this size is worth having."""
    if not LEAST_LEVEL <= level <= MOST_LEVEL:
        low, high = epsilon(LEAST_LEVEL), epsilon(MOST_LEVEL)
        rule = f"an optimal table needs an epsilon of {low} to {high}"
        raise BudgetError(f"{rule} (above, a window is as good)", epsilon(level))


@cache
def optimal_weights(level: int) -> Weights:
    """Return the weights of the best table whose privacy loss does not exceed a level."""
    check_level(level)
    knots, outputs = next((m, n) for most, m, n in SHAPES if level <= most)
    programmes = [Programme(level / 1000, knots, outputs, b) for b in _bounds(level, outputs)]
    best = min((programme.solve() for programme in programmes), key=lambda found: found.worst)
    rounded = (round_probabilities(best.probabilities, slack, level) for slack in SLACK)
    return next(weights for weights in rounded if check_weights(level, weights) is None)


def _bounds(level: int, outputs: int) -> list[float]:
    """Return where B is looked for; with the first, Duchi's two points are among the outputs."""
    duchi = 1 / math.tanh(level / 2000)
    piecewise = 2 / math.expm1(level / 2000)  # by which its outputs exceed the numbers
    return [duchi * (outputs - 1) / (outputs - 3), *(1 + piecewise * part for part in BOUNDS)]


@dataclass(frozen=True, slots=True)
class Solution:
    """The worst variance of a law, and P(y | k) for the first half of its knots."""

    worst: float
    probabilities: list[list[float]]


@dataclass(frozen=True, slots=True)
class Programme:
    """The linear programme for one range of outputs; knots and outputs are odd in number."""

    epsilon: float
    knots: int
    outputs: int
    bound: float  # B

    def solve(self) -> Solution:
        cost = {self._worst: 1.0} | {self._moment(k): AVERAGE / self._half for k in self._rows}
        found = _minimum(cost, self._at_most(), self._equal())
        columns = self._columns
        law = [[self._probability(found, k, y) for y in columns] for k in self._rows]
        return Solution(found[self._worst] * self.bound**2, law)

    def _probability(self, found: list[float], k: int, y: int) -> float:
        return self._base * found[self._share(y)] + self._gain * found[self._more(k, y)]

    def _equal(self) -> Iterator[tuple[Row, float]]:
        """Yield the constraints of each knot: its row sums to 1, its mean, its second moment."""
        places = [2 * y / (self.outputs - 1) - 1 for y in self._columns]
        for k in self._rows:
            yield self._mean(k, [1.0] * self.outputs), 1.0
            yield self._mean(k, places), self._number(k)
            yield self._mean(k, [c * c for c in places]) | {self._moment(k): -1.0}, 0.0

    def _at_most(self) -> Iterator[tuple[Row, float]]:
        """Yield the bounds of the gains, and those of the variance at and between the knots."""
        for k in self._rows:
            for y in self._columns:
                yield {self._more(k, y): 1.0, self._share(y): -1.0}, 0.0
        for k in self._rows[:-1]:
            for u in (part / PARTS for part in range(PARTS + 1)):
                x = (1 - u) * self._number(k) + u * self._number(k + 1)
                yield {self._moment(k): 1 - u, self._moment(k + 1): u, self._worst: -1.0}, x * x

    def _mean(self, k: int, values: list[float]) -> Row:
        """Return the mean of a function of y given a knot, as a row of coefficients."""
        row = {self._more(k, y): self._gain * values[y] for y in self._columns}
        for y in self._columns:
            row[self._share(y)] = row.get(self._share(y), 0.0) + self._base * values[y]
        return row

    def _number(self, k: int) -> float:
        return (2 * k / (self.knots - 1) - 1) / self.bound

    @property
    def _base(self) -> float:
        return 1 / (math.exp(self.epsilon) + 1)

    @property
    def _gain(self) -> float:
        return math.tanh(self.epsilon / 2)

    @property
    def _half(self) -> int:
        return (self.knots + 1) // 2

    @property
    def _rows(self) -> range:
        return range(self._half)

    @property
    def _columns(self) -> range:
        return range(self.outputs)

    # The unknowns, numbered: the gains d, the shares s (the same from either end), M and V.

    def _more(self, k: int, y: int) -> int:
        return k * self.outputs + y

    def _share(self, y: int) -> int:
        return self._half * self.outputs + min(y, self.outputs - 1 - y)

    def _moment(self, k: int) -> int:
        return self._half * self.outputs + (self.outputs + 1) // 2 + k

    @property
    def _worst(self) -> int:
        return self._moment(self._half)


def _minimum(
    cost: Row, at_most: Iterable[tuple[Row, float]], equal: Iterable[tuple[Row, float]]
) -> list[float]:
    """Return the unknowns, none below zero, of least cost; the highest is in the cost."""
    with needed("a plan that names the mechanism optimal"):  # a device reads its table without
        from scipy.optimize import linprog
        from scipy.sparse import csr_array

    def system(constraints: Iterable[tuple[Row, float]]) -> tuple[object, list[float]]:
        rows, limits = zip(*constraints, strict=True)
        cells = [(value, i, j) for i, row in enumerate(rows) for j, value in row.items()]
        values, *places = zip(*cells, strict=True)
        return csr_array((values, tuple(places)), shape=(len(rows), unknowns)), list(limits)

    unknowns = max(cost) + 1
    a, b = system(at_most)
    c, d = system(equal)
    costs = [cost.get(j, 0.0) for j in range(unknowns)]
    return linprog(costs, A_ub=a, b_ub=b, A_eq=c, b_eq=d, method="highs-ds").x.tolist()


def round_probabilities(probabilities: list[list[float]], slack: int, level: int) -> Weights:
    """Round a law, given for the first half of its knots, towards one that reveals nothing.

    The same is added to every weight, so much that max + slack <= e^epsilon (min - slack) after.
    """
    outputs, middle = len(probabilities[0]), len(probabilities) - 1
    room = math.ceil(slack / math.tanh(level / 2000))
    rows = [[room + round((TOTAL - outputs * room) * p) for p in row] for row in probabilities]
    slope = -_mean(rows[0]) // middle
    below = [_mended(row, slope * (k - middle)) for k, row in enumerate(rows[:-1])]
    centre = [(a + b) // 2 for a, b in zip(rows[-1], reversed(rows[-1]), strict=True)]
    return (*below, _mended(centre, 0), *(row[::-1] for row in reversed(below)))


def _mended(row: list[int], mean: int) -> tuple[int, ...]:
    """Change the middle weight and the next so that the row has its sum and its mean."""
    centre, mended = len(row) // 2, [*row]
    mended[centre + 1] += mean - _mean(row)
    mended[centre] += TOTAL - sum(mended)
    return tuple(mended)


def _mean(row: list[int]) -> int:
    """Return the sum of weights times the distance from the middle output."""
    return sum(weight * (y - len(row) // 2) for y, weight in enumerate(row))


def with_tables(
    asked: Sequence[Asked], fields: Mapping[str, Field], policy: Policy
) -> tuple[Asked, ...]:
    """Return what is asked, with a table for each level where the mechanism needs them."""
    if not any(parameters.tabled for _, parameters in asked):
        if "tables" in fields:
            fields["tables"].fail("must be in plans with an optimal mechanism only")
        return tuple(asked)
    tables = _tables(fields, policy)
    return tuple(
        (attribute, replace(own, tables=tables) if own.tabled else own) for attribute, own in asked
    )


def _tables(fields: Mapping[str, Field], policy: Policy) -> Tables:
    """Return a table for each level, worked out where the author gives none."""
    if len(policy.menu) > MOST_LEVELS:
        fields["budget"].fail(
            f"must have at most {MOST_LEVELS} levels with an optimal mechanism (a coarser step)"
        )
    if "tables" in fields:
        given = fields["tables"].mapping([str(level) for level in policy.menu])
        return tuple((level, _table(given[str(level)], level)) for level in policy.menu)
    return tuple((level, _solved(fields["budget"], level)) for level in policy.menu)


def write_tables(tables: Tables) -> dict[str, list[list[int]]]:
    """Return the tables as they stand in the document."""
    return {str(level): [list(row) for row in weights] for level, weights in tables}


def _table(field: Field, level: int) -> Weights:
    rows = tuple(tuple(item.whole(0, 1 << 53) for item in row.items()) for row in field.items())
    if wrong := check_weights(level, rows):
        field.fail(f"must be a table of this level: {wrong}")
    return rows


def _solved(field: Field, level: int) -> Weights:
    try:
        return optimal_weights(level)
    except BudgetError as error:
        field.fail(f"{error.rule}, not {error.value}")
