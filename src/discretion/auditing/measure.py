"""How far a law lets two inputs be told apart: over all inputs and outputs, or over its structure.

Where the outputs are too many to list, two inputs are compared at the few outputs that can matter
by the shape of the law: those inside and outside a set, or the bits in which two inputs differ. The
probabilities are the law's own, and no use is made of the ratio that it states.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, count, islice
from math import comb

from discretion.mechanism import (
    Bloom,
    Buckets,
    Choice,
    Geometric,
    HalfSpace,
    Hashed,
    Hashing,
    Histogram,
    Hybrid,
    Law,
    Parities,
    Polynomials,
    Signs,
    Subset,
    Table,
    TwoPoint,
    Unary,
    Window,
)
from discretion.mechanism.coding import Coding, word, words
from discretion.mechanism.matrix import WHOLE
from discretion.randomness import ONE

MOST = 20_000  # probabilities that are worked out one by one
TRIED = 64  # texts, among which two are found whose words have nothing in common


@dataclass(frozen=True, slots=True)
class Measure:
    """The largest ratio of the chances of an output, and whether all chances sum to one."""

    ratio: Fraction | None  # None: an output is possible for one input and not for another
    whole: bool

    def join(self, other: "Measure") -> "Measure":
        """Return the measure of a law of which both are parts."""
        unbounded = self.ratio is None or other.ratio is None
        ratios = [each.ratio for each in (self, other) if each.ratio is not None]
        return Measure(None if unbounded else max(ratios), self.whole and other.whole)


def is_small(law: Law) -> bool:
    """Whether all inputs and outputs can be listed."""
    most = MOST // law.size
    return len(list(islice(law.outputs(), most + 1))) <= most


def enumerated(law: Law) -> Measure:
    """Measure a law over all of its inputs and outputs."""
    return _over(law, range(law.size))


def largest_ratio(columns: Iterable[Sequence[Fraction]]) -> Fraction | None:
    """Return the largest ratio within a column of chances; None where only some are zero."""
    largest = Fraction(1)
    for column in columns:
        low, high = min(column), max(column)
        if high > 0 and low <= 0:
            return None
        if high > 0:
            largest = max(largest, high / low)
    return largest


def structured(law: Law) -> Measure | None:
    """Measure a law by its shape; None if the shape is not known."""
    match law:
        case Choice():
            return _sides(law, (0, 1), (1, law.size - 1))
        case Subset():
            held = (1 << law.count) - 1
            counts = comb(law.size - 1, law.count - 1), comb(law.size - 1, law.count)
            return _sides(law, (held, held << 1), counts)
        case Hashed():
            return _hashed(law)
        case HalfSpace():
            near = law.agreeing
            return _sides(law, (0, law.size - 1), (near, law.size - near))
        case Window():
            return _sides(law, (0, law.span), (law.span, law.line))
        case Hybrid():
            return _hybrid(law)
        case Unary():
            return Measure(_compared(law, range(4), (0, 1)), True)
        case Bloom():
            return _bloom(law)
        case Histogram():
            ends = (law.coding.top, law.coding.top << law.coding.depth)
            return Measure(_compared(law, ends, (0, 1)), sum(law.weights) == WHOLE)
        case TwoPoint() | Geometric():
            ends = (0, law.size - 1)
            return Measure(_compared(law, (0, law.reach - 1), ends), True)
        case Table():
            return _over(law, _beside_knots(law))
    return None


def kept(law: Law) -> Law:
    """Return the law of all that is ever sent about one answer: it is made of what is kept."""
    if isinstance(law, Bloom) and law.instant is not None:
        return replace(law, coding=replace(law.coding, instant=None))
    return law


def farthest(coding: Coding) -> tuple[int, int, int]:
    """Return a cohort and two codes whose words there have the fewest bits in common."""
    most = min(coding.hashes, coding.bits - coding.hashes)
    found, best = (0, 0, 1), -1
    for cohort, own in enumerate(_some_words(coding)):
        for one, other in combinations(range(len(own)), 2):
            lacking = (own[one] & ~own[other]).bit_count()
            if lacking > best:
                found, best = (cohort, one, other), lacking
            if best == most:
                return found
    return found


def _some_words(coding: Coding) -> Sequence[Sequence[int]]:
    """Return the words of each cohort; of texts, those of a few in the first one."""
    if not coding.open:
        return words(coding)
    return [[word(coding, 0, code) for code in range(TRIED)]]


def twin(law: Law) -> Law:
    """Return a law with the same coins and so few inputs and outputs that all can be listed."""
    match law:
        case Choice():
            return replace(law, size=min(law.size, 5))
        case Unary():
            return replace(law, size=min(law.size, 4))
        case Subset():
            return replace(law, size=min(law.size, 6), count=min(law.count, law.size - 1, 3))
        case Hashed():
            return replace(law, size=min(law.size, 3), hashing=_few_functions(law.hashing))
        case HalfSpace():
            return replace(law, numbers=min(law.numbers, 3))
        case Window():
            return replace(law, size=3, cells=4, span=min(law.span, 5))
        case Hybrid():
            slope = (ONE - 2 * law.points.base) // 2
            points, window = replace(law.points, size=3, slope=slope), twin(law.window)
            assert isinstance(window, Window)
            return replace(law, points=points, window=window)
        case TwoPoint():
            return replace(law, size=3, slope=(ONE - 2 * law.base) // 2)
        case Geometric():
            return replace(law, size=min(law.size, 4))
        case Table():
            return replace(law, size=len(law.weights))
        case Bloom():
            few = law.coding
            hashes, bits = min(few.hashes, 2), min(few.bits, 4)
            few = replace(few, size=min(few.size, 4), hashes=hashes, bits=bits)
            return replace(law, coding=replace(few, cohorts=min(few.cohorts, 2)))
        case Histogram():
            size = min(law.size, 3)
            return replace(law, coding=replace(law.coding, size=size, bits=size))
    return law


def _sides(law: Law, outputs: tuple[int, int], counts: tuple[int, int]) -> Measure:
    """Measure a law with one chance inside a set that the input moves, and one outside of it.

    ``outputs`` are one inside and one outside of the set of code 0, ``counts`` how many there are.
    """
    inside, outside = (law.probability(y, 0) for y in outputs)
    whole = inside * counts[0] + outside * counts[1] == 1
    return Measure(largest_ratio([(inside, outside)]), whole)


def _compared(law: Law, outputs: Iterable[int], codes: Sequence[int]) -> Fraction | None:
    return largest_ratio([[law.probability(y, code) for code in codes] for y in outputs])


def _over(law: Law, codes: Sequence[int]) -> Measure:
    rows = [[law.probability(y, code) for y in law.outputs()] for code in codes]
    whole = all(sum(row) == 1 for row in rows)
    return Measure(largest_ratio(zip(*rows, strict=True)), whole)


def _hashed(law: Hashed) -> Measure:
    """Measure the cells of one function that tells codes apart; it is drawn without a look at them.

    In all others the chances are the same two, of the cell of a code and of another one.
    """
    family = law.hashing
    function = next(f for f in count() if family.cell(f, 0) != family.cell(f, 1))
    outputs = range(function * family.cells, (function + 1) * family.cells)
    chances = [law.probability(y, 0) for y in outputs]
    inside = chances.pop(family.cell(function, 0))
    whole = (inside + sum(chances)) * family.functions == 1 and len(set(chances)) == 1
    return Measure(_compared(law, outputs, (0, 1)), whole)


def _few_functions(family: Hashing) -> Hashing:
    """Return a family of the same kind with so few functions that all are seen."""
    if isinstance(family, Polynomials):
        return replace(family, prime=5, cells=min(family.cells, 5))
    if isinstance(family, Parities):
        return replace(family, bits=min(family.bits, 2), rows=min(family.rows, 2))
    if isinstance(family, Buckets):
        return replace(family, cohorts=min(family.cohorts, 2), cells=min(family.cells, 5))
    if isinstance(family, Signs):
        return replace(family, cohorts=min(family.cohorts, 2), bits=min(family.bits, 2))
    return family


def _bloom(law: Bloom) -> Measure:
    cohort, one, other = farthest(law.coding)
    own = (word(law.coding, cohort, code) for code in (one, other))
    outputs = [cohort << law.coding.bits | bits for bits in own]
    return Measure(_compared(law, outputs, (one, other)), True)


def _hybrid(law: Hybrid) -> Measure | None:
    """Measure the two points and the window, which a coin chooses that does not look."""
    points, window = structured(law.points), structured(law.window)
    if not law.mix or points is None or window is None:
        return points
    return points.join(window)


def _beside_knots(law: Table) -> list[int]:
    """Return the codes next to a knot: between two knots chances lie on straight lines."""
    last = len(law.weights) - 1
    steps = (divmod(knot * (law.size - 1), last) for knot in range(last + 1))
    return sorted({code for step, rest in steps for code in (step, step + (rest > 0))})
