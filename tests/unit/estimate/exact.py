"""Exact expectations over everything that owners may have and report, for very small crowds."""

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from discretion.aggregate import Aggregate
from discretion.estimate.spread import Known
from discretion.mechanism import SupportLaw
from discretion.plan import Family, Plan
from discretion.table import ReportTable
from tests.builders import Vector, aggregate_of, bits, tally_of

Matrix = npt.NDArray[np.float64]


def outcomes(
    laws: Sequence[SupportLaw], truth: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], float]]:
    """Yield everything that owners with these laws and codes may report, with its probability."""
    for ys in itertools.product(*(list(law.outputs()) for law in laws)):
        probabilities = (law.probability(y, x) for law, y, x in zip(laws, ys, truth, strict=True))
        yield ys, float(math.prod(probabilities, start=Fraction(1)))


def gathered(plan: Plan, levels: Sequence[int], ys: Sequence[int]) -> Aggregate:
    """Return the aggregate of owners who report ys about ``x`` at these levels."""
    mine = {v: [y for level, y in zip(levels, ys, strict=True) if level == v] for v in levels}
    tallies = {
        v: tally_of(plan.questions["x"].law(v, Family.SETS), each) for v, each in mine.items()
    }
    return aggregate_of(plan, tallies)


def score(law: SupportLaw, y: int) -> list[Fraction]:
    """Return the debiased score of one report, brought to sum one."""
    p, q = law.inclusion.own, law.inclusion.other
    z = [((law.support(y) >> code & 1) - q) / (p - q) for code in range(law.size)]
    return [each - (sum(z, Fraction()) - 1) / law.size for each in z]


def score_covariance(law: SupportLaw, f: Sequence[Fraction]) -> Matrix:
    """Return the covariance of that score over a population with frequencies f."""
    second = np.zeros((law.size, law.size), object)
    first = np.zeros(law.size, object)
    for y in law.outputs():
        probability = sum(fx * law.probability(y, x) for x, fx in enumerate(f))
        z = np.array(score(law, y), object)
        first, second = first + probability * z, second + probability * np.outer(z, z)
    assert list(first) == list(f)  # unbiased, exactly
    return (second - np.outer(first, first)).astype(np.float64)


def random_frequencies(size: int, seed: int) -> list[Fraction]:
    """Return unequal frequencies that are exact fractions."""
    parts = np.random.default_rng(seed).integers(1, 20, size).tolist()
    return [Fraction(part, sum(parts)) for part in parts]


def likelihoods(reports: ReportTable, name: str) -> Matrix:
    """Return P(y | code) of all who shared an attribute (n, size), one at a time."""
    plan, rows = reports.plan, []
    for levels, ys in reports.answers(name):
        for level, y in zip(levels.tolist(), ys, strict=True):
            law, value = (
                plan.questions[name].law(level, Family.SETS),
                int.from_bytes(y.tobytes(), "little"),
            )
            rows.append([float(law.probability(value, x)) for x in range(law.size)])
    return np.array(rows)


def packed_bits(packed: npt.NDArray[np.uint8], size: int) -> Matrix:
    """Return rows of bytes as rows of zeros and ones, one at a time."""
    return np.array([bits(int.from_bytes(row.tobytes(), "little"), size) for row in packed])


def on_simplex(values: Vector) -> Vector:
    """Return the nearest point of the simplex, by bisection on what is taken from each value."""
    low, high = values.min() - 1, values.max()
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if np.maximum(values - middle, 0).sum() > 1 else (low, middle)
    return np.maximum(values - low, 0)


def unbounded(f: Vector) -> Known:
    """Return a spread that bounds nothing."""
    return Known(np.eye(len(f)) * 1e6)
