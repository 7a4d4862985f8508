"""What the pages of variants say: one form of each at several sizes, its bounds and its variance.

``e`` is e^epsilon, ``k`` the number of values. The formulas are sums over all values of the
variance of the linear estimate from one report, where all values are equally frequent. A test
compares them with the laws.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from math import exp

import numpy as np

from discretion.auditing.variants import Apart, rows_of, worst_pair
from discretion.estimate.noise import Matrix, Noise, Vector
from discretion.family.columns import PooledColumns
from discretion.family.counts import Outputs
from discretion.mechanism import Places, Sensitive, Shares, Variant, law, matrix_law
from tests.docs.mechanism_notes import NOTES
from tests.docs.mechanism_text import bounds, epsilon, markdown, paragraph, short

SIZES = (4, 16, 64, 256)
LEVELS = (500, 1000, 2000, 4000)
CUTS = 16  # at which larger levels are cut off
ABOUT_PAIRS = """
Every pair of values has a bound of its own. Of the pair with the least room, among 16 values where
{what}: what is allowed of it, and the largest P(y | x) / P(y | x') as an exact fraction."""
ABOUT_OPEN = """
Open outputs have no bound: no other value gives them."""
ABOUT_SUMS = """
Of the linear estimate, from one report and summed over all values, where these are equally
frequent, and {what}. Here e is e^epsilon, and k the number of values."""


@dataclass(frozen=True, slots=True)
class Form:
    """A variant as the pages show it."""

    what: str
    of: Callable[[int], Variant]
    summed: Callable[[int, float], float]


def variances(name: str, size: int, level: int) -> Vector:
    """Return the variance of each value's frequency from one report, all being equally frequent."""
    own = matrix_law(FORMS[name].of(size), level)
    nobody = PooledColumns([(own, Outputs(1, np.zeros(size, np.int64)))])
    return np.diag(nobody.covariance(np.full(size, 1 / size)))


def over_grr(name: str, size: int, level: int) -> float:
    """Return their sum over that of the grr that keeps the same promise of all pairs."""
    variant = FORMS[name].of(size)
    least = min(variant.allowed(*pair) for pair in permutations(range(size), 2))
    plain = Noise.of(law("grr", size, level * least // 1000)).variance(np.full(size, 1 / size))
    return float(variances(name, size, level).sum() / plain.sum())


def worst(name: str, size: int, level: int) -> Apart:
    """Return the two values that are told apart most, for what is allowed of them."""
    variant = FORMS[name].of(size)
    return worst_pair(rows_of(matrix_law(variant, level)), variant, level)


def pairs(name: str) -> Iterator[str]:
    """Return what is said of the bounds."""
    yield "## Guarantee"
    yield paragraph(ABOUT_PAIRS.format(what=FORMS[name].what))
    rows = []
    for level in LEVELS:
        found = worst(name, 16, level)
        assert found.ratio is not None
        rows.append([epsilon(level), f"{found.claim:g}", *bounds(found.ratio, found.claim * 1000)])
    heads = ["epsilon", "allowed", "e^allowed", "largest ratio", "part of allowed not used"]
    yield markdown(heads, rows)
    if FORMS[name].of(16).opened:
        yield paragraph(ABOUT_OPEN)


def sums(name: str) -> Iterator[str]:
    """Return what is said of the variance and the bytes."""
    yield "## Variance"
    yield paragraph(ABOUT_SUMS.format(what=FORMS[name].what))
    yield f"```text\n{NOTES[name].variance}\n```"
    heads = ["epsilon", *(f"{size:,} values" for size in SIZES)]
    sums = ([epsilon(v), *(short(variances(name, k, v).sum()) for k in SIZES)] for v in LEVELS)
    yield markdown(heads, sums)
    yield "The variance of the first and of the last value:"
    ends = ([epsilon(v), *(_ends(name, k, v) for k in SIZES)] for v in LEVELS)
    yield markdown(heads, ends)
    yield "The sum over that of the `grr` that promises as much of every pair:"
    over = ([epsilon(v), *(_over_grr(name, k, v) for k in SIZES)] for v in LEVELS)
    yield markdown(heads, over)
    yield "## Bytes"
    yield paragraph("One, for up to 256 values. A device reads eight random bytes.")


def _ends(name: str, size: int, level: int) -> str:
    each = variances(name, size, level)
    return f"{short(each[0])}, {short(each[-1])}"


def _over_grr(name: str, size: int, level: int) -> str:
    return short(over_grr(name, size, level))


def _idldp(k: int, epsilon: float) -> float:
    shares = np.array([0.5] * (k // 4) + [1.0] * (k - k // 4))
    levels = epsilon * shares
    tops = (np.minimum(levels, levels.min() * (1 + cut / CUTS)) for cut in range(CUTS + 1))
    return min(filter(None, (_tight(np.minimum.outer(top, top)) for top in tops)))


def _metric(k: int, epsilon: float) -> float:
    order = np.arange(k) / 2
    return _tight(epsilon * np.abs(np.subtract.outer(order, order))) or 0.0


def _tight(apart: Matrix) -> float | None:
    """Return the sum for the law with tight constraints; None where there is none."""
    g = np.exp(-apart)
    np.fill_diagonal(g, 1.0)
    back = np.linalg.inv(g)
    c, k = back.sum(axis=1), len(g)
    return None if c.min() <= 0 else float((g.sum(axis=1) / c / k) @ (back**2).sum(axis=0)) - 1 / k


def _uldp(k: int, epsilon: float) -> float:
    e, s = exp(epsilon), k // 4
    held = (e + s - 2) / (e - 1) ** 2 + (e + s - 3) / (e - 1) / k
    return s * held + (k - s) * (e + s - 1) / (e - 1) / k - 1 / k


FORMS: Mapping[str, Form] = {
    "idldp": Form(
        "a quarter of the values has half of the level, the others have all of it",
        lambda k: Shares((500,) * (k // 4) + (1000,) * (k - k // 4)),
        _idldp,
    ),
    "uldp": Form(
        "a quarter of the values is sensitive",
        lambda k: Sensitive(k, tuple(range(k // 4))),
        _uldp,
    ),
    "metric": Form(
        "the values have an order, and two steps are told apart by the level (`scale: 2`)",
        lambda k: Places(tuple((500 * code,) for code in range(k))),
        _metric,
    ),
}
