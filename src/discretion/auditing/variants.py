"""Variants of local privacy: every pair of inputs against what the plan allows of that pair.

Open outputs have no bound: they must belong to one input alone, which they reveal.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import lcm

from discretion.auditing.exponential import loss, within
from discretion.auditing.measure import largest_ratio
from discretion.mechanism import Law, Variant

MILLIONTHS = 1_000_000

Rows = Mapping[int, Mapping[int, Fraction]]  # by input: the probability of each output
Weights = Mapping[int, Mapping[int, int]]  # the same in units of a common part


@dataclass(frozen=True, slots=True)
class Apart:
    """The two inputs that are distinguished most, relative to what is allowed for them."""

    codes: tuple[int, int]
    allowed: int  # in millionths of epsilon
    ratio: Fraction | None  # None: without a bound
    wrong: str  # what is not as the variant says; empty if all is

    @property
    def passes(self) -> bool:
        return not self.wrong

    @property
    def claim(self) -> float:
        return self.allowed / MILLIONTHS


def worst_pair(rows: Rows, variant: Variant, level: int) -> Apart:
    """Compare all pairs of inputs at all outputs; the worst is what has the least room."""
    whole = lcm(*(probability.denominator for row in rows.values() for probability in row.values()))
    weights = {x: {y: int(p * whole) for y, p in row.items()} for x, row in rows.items()}
    pairs = [_pair(weights, variant, level, pair) for pair in permutations(rows, 2)]
    worst = max(pairs, key=lambda apart: (not apart.passes, loss(apart.ratio) / apart.claim))
    if worst.passes and (stray := _stray(rows, variant)):
        return Apart(worst.codes, worst.allowed, None, stray)
    return worst


def rows_of(law: Law) -> Rows:
    """Return the probabilities that a law states, for all inputs and outputs."""
    outputs = list(law.outputs())
    return {x: {y: law.probability(y, x) for y in outputs} for x in range(law.size)}


def largest_bounded_ratio(rows: Rows, variant: Variant) -> Fraction | None:
    """Return the largest ratio of any pair by what is not open; None: without a bound."""
    closed = set(rows[0]) - variant.opened
    return largest_ratio([[row[y] for row in rows.values()] for y in closed])


def largest(variant: Variant) -> int:
    """Return what is allowed for the two inputs that are protected least, in thousandths."""
    return max(variant.allowed(one, other) for one, other in permutations(range(variant.size), 2))


def _pair(rows: Weights, variant: Variant, level: int, pair: tuple[int, int]) -> Apart:
    one, other = (rows[code] for code in pair)
    allowed = level * variant.allowed(*pair)
    ratio = _ratio(one, other, set(one) - variant.opened)
    if ratio is None:
        return Apart(pair, allowed, None, "an output is possible for one input and not for another")
    fits = within(ratio, allowed, MILLIONTHS)
    return Apart(pair, allowed, ratio, "" if fits else "a ratio is above what the variant allows")


def _ratio(
    one: Mapping[int, int], other: Mapping[int, int], outputs: Iterable[int]
) -> Fraction | None:
    """Return how much more likely the one input makes an output; None: the other never gives it."""
    over, under = 1, 1
    for y in outputs:
        mine, its = one[y], other.get(y, 0)
        if mine and not its:
            return None
        if mine * under > over * its:
            over, under = mine, its
    return Fraction(over, under)


def _stray(rows: Rows, variant: Variant) -> str:
    for y in variant.opened:
        if givers := [x for x, row in rows.items() if x != y and row.get(y)]:
            return f"output {y} is open, and input {givers[0]} gives it"
    return ""
