"""The largest ratio of a law's probabilities: over all inputs and outputs, or by its structure.

Where the outputs are too many to list, two inputs are compared at the few outputs that can matter
by the shape of the law: those inside and outside a set, or the bits in which two inputs differ. The
probabilities are the law's own, and no use is made of the ratio that it states.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce, singledispatch
from itertools import combinations, count, islice
from math import comb

from discretion.mechanism import (
    BitFlip,
    Bloom,
    Choice,
    Cover,
    Geometric,
    HalfSpace,
    Hashed,
    HashedCover,
    Histogram,
    Hybrid,
    Law,
    Subset,
    Table,
    TwoPoint,
    Unary,
    Window,
)
from discretion.mechanism.encoding import Encoding, codeword, codewords
from discretion.mechanism.layered import WHOLE as LAYERS
from discretion.mechanism.layered import Layered
from discretion.mechanism.matrix import WHOLE

MOST = 20_000  # probabilities that are worked out one by one
TRIED = 64  # texts, among which two are found whose codewords have nothing in common


@dataclass(frozen=True, slots=True)
class Measure:
    """The largest ratio of the probabilities of an output, and whether they sum to one."""

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
    """Return the largest ratio within a column of probabilities; None where only some are zero."""
    largest = Fraction(1)
    for column in columns:
        low, high = min(column), max(column)
        if high > 0 and low <= 0:
            return None
        if high > 0:
            largest = max(largest, high / low)
    return largest


@singledispatch
def structured(_: Law) -> Measure | None:
    """Measure a law by its shape; None if the shape is not known."""
    return None


@structured.register
def _(law: Choice) -> Measure | None:
    return _sides(law, (0, 1), (1, law.size - 1))


@structured.register
def _(law: Subset) -> Measure | None:
    held = (1 << law.count) - 1
    counts = comb(law.size - 1, law.count - 1), comb(law.size - 1, law.count)
    return _sides(law, (held, held << 1), counts)


@structured.register
def _(law: Cover) -> Measure | None:
    """Measure the empty set, which is all blanks: reports of these meet it, others miss it."""
    items = (1 << law.count) - 1
    misses = comb(law.items, law.count)
    counts = comb(law.n_codes, law.count) - misses, misses
    return _sides(law, (items << law.n_codes - law.count, items), counts)


@structured.register
def _(law: HashedCover) -> Measure | None:
    """Measure the law of one cohort; the draw of the cohort ignores the input."""
    return structured(law.cover)


@structured.register
def _(law: HalfSpace) -> Measure | None:
    near = law.agreeing
    return _sides(law, (0, law.size - 1), (near, law.size - near))


@structured.register
def _(law: Window) -> Measure | None:
    return _sides(law, (0, law.span), (law.span, law.line))


@structured.register
def _(law: Unary) -> Measure | None:
    return Measure(_compared(law, range(4), (0, 1)), True)


@structured.register
def _(law: Histogram) -> Measure | None:
    ends = (law.encoding.top, law.encoding.top << law.encoding.depth)
    return Measure(_compared(law, ends, (0, 1)), sum(law.weights) == WHOLE)


@structured.register(TwoPoint)
@structured.register(Geometric)
def _(law: TwoPoint | Geometric) -> Measure | None:
    ends = (0, law.size - 1)
    return Measure(_compared(law, (0, law.n_outputs - 1), ends), True)


@structured.register
def _(law: Table) -> Measure | None:
    """Measure the codes next to a knot: probabilities are linear between two knots."""
    last = len(law.weights) - 1
    steps = (divmod(knot * (law.size - 1), last) for knot in range(last + 1))
    return _over(law, sorted({code for step, rest in steps for code in (step, step + (rest > 0))}))


@structured.register
def _(law: Hashed) -> Measure | None:
    """Measure the buckets of one function that separates two codes; its draw ignores them.

    In all others the probabilities are the same two, of the bucket of a code and of another one.
    """
    family = law.hashing
    function = next(f for f in count() if family.bucket(f, 0) != family.bucket(f, 1))
    outputs = range(function * family.n_buckets, (function + 1) * family.n_buckets)
    probabilities = [law.probability(y, 0) for y in outputs]
    inside = probabilities.pop(family.bucket(function, 0))
    whole = (inside + sum(probabilities)) * family.functions == 1 and len(set(probabilities)) == 1
    return Measure(_compared(law, outputs, (0, 1)), whole)


@structured.register
def _(law: Bloom) -> Measure | None:
    cohort, one, other = farthest(law.encoding)
    own = (codeword(law.encoding, cohort, code) for code in (one, other))
    outputs = [cohort << law.encoding.bits | bits for bits in own]
    return Measure(_compared(law, outputs, (one, other)), True)


@structured.register
def _(law: BitFlip) -> Measure | None:
    """Measure the first codes of all; the draw of the codes ignores the input."""
    few = min(law.reported, 2)
    outputs = [(1 << law.reported) - 1 | bits << law.size for bits in range(1 << few)]
    return Measure(_compared(law, outputs, (0, 1)), True)


@structured.register
def _(law: Hybrid) -> Measure | None:
    """Measure the two points and the window; the coin between them ignores the input."""
    points, window = structured(law.points), structured(law.window)
    if not law.mix or points is None or window is None:
        return points
    return points.join(window)


@structured.register
def _(law: Layered) -> Measure | None:
    """Measure the law of each layer; the draw of the layer ignores the input."""
    layers = [structured(own) for own in law.laws]
    known = [each for each in layers if each is not None]
    if len(known) < len(layers):
        return None
    drawn = Measure(Fraction(1), sum(law.weights) == LAYERS)
    return reduce(Measure.join, known, drawn)


def farthest(encoding: Encoding) -> tuple[int, int, int]:
    """Return a cohort and two codes whose codewords there have the fewest bits in common."""
    most = min(encoding.hashes, encoding.bits - encoding.hashes)
    found, best = (0, 0, 1), -1
    for cohort, own in enumerate(_some_words(encoding)):
        for one, other in combinations(range(len(own)), 2):
            lacking = (own[one] & ~own[other]).bit_count()
            if lacking > best:
                found, best = (cohort, one, other), lacking
            if best == most:
                return found
    return found


def _some_words(encoding: Encoding) -> Sequence[Sequence[int]]:
    """Return the codewords of each cohort; of texts, those of a few in the first one."""
    if not encoding.open:
        return codewords(encoding)
    return [[codeword(encoding, 0, code) for code in range(TRIED)]]


def _sides(law: Law, outputs: tuple[int, int], counts: tuple[int, int]) -> Measure:
    """Measure a law with one probability inside a set that the input moves, and one outside.

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
