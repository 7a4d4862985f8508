"""Every mechanism for labels is as noisy as its formula says, with unequal budgets.

Many groups of owners are drawn; each gives one weighted estimate over its levels. Its error is
nearly normal with the covariance V of the formula, so the sum of all squared errors, over that of
the formula, is about chi-square: with tr(V)^2 / tr(V^2) degrees of freedom a group
(Satterthwaite 1946). Whole with ``make slow``, small with ``make test``.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np
import pytest
from scipy.stats import chi2

from discretion.crowd.shapes import draw
from discretion.estimate.noise import Matrix, Noise, Vector
from discretion.family.codewords.linear import PooledBits
from discretion.family.counts import BitCounts, Tally
from discretion.family.sets.linear import PooledSets
from discretion.mechanism import MECHANISMS, Histogram, SupportLaw, law
from discretion.mechanism.histogram import quantised_bits, she
from discretion.table.coded import count_codewords
from discretion.table.columns import Bytes, Levels
from discretion.table.support import count_supports
from tests.cases import for_each
from tests.significance import ALPHA

SIZE = 16
TRUTHS = {
    "even": np.full(SIZE, 1 / SIZE),
    "skewed": 0.7 ** np.arange(SIZE) / (0.7 ** np.arange(SIZE)).sum(),
}
LEVELS = (500, 1500, 3000)
SHARES = (0.5, 0.3, 0.2)  # of the owners of a group, at each level
OWNERS = 400  # of a group
GROUPS, MANY = 120, 5_000
CLOSE = 0.03
SEED = 20261116


def laws_at(name: str, more: float = 1.0) -> list[SupportLaw | Histogram]:
    return [_law(name, round(level * more)) for level in LEVELS]


def _law(name: str, level: int) -> SupportLaw | Histogram:
    return law(name, SIZE, level) if name in MECHANISMS else she(quantised_bits(SIZE), level)


def estimates(
    laws: Sequence[SupportLaw | Histogram], truth: Vector, groups: int, seed: int
) -> Matrix:
    """Return the weighted estimate of each group of owners drawn from the truth."""
    rng = np.random.default_rng(seed)
    count = len(laws)
    per = [round(share * OWNERS) for share in SHARES]
    which = np.tile(np.repeat(np.arange(count), per), groups)
    key = (np.repeat(np.arange(groups), sum(per)) * count + which).astype(np.int32)
    y = draw(laws, which, rng.choice(SIZE, len(which), p=truth), rng)
    if isinstance(laws[0], Histogram):
        return _from_digits([each for each in laws if isinstance(each, Histogram)], y, key)
    sets = [each for each in laws if not isinstance(each, Histogram)]
    used, supports, sizes = count_supports(partial(_law_of, sets), y, key)
    tallies = [
        (sets[each % count], Tally(per[each % count], *rows))
        for each, *rows in zip(used.tolist(), supports, sizes, strict=True)
    ]
    parts = (tallies[i : i + count] for i in range(0, len(tallies), count))
    return np.array([PooledSets(part).value for part in parts])


def _from_digits(laws: Sequence[Histogram], y: Bytes, key: Levels) -> Matrix:
    used, n, counts = count_codewords(laws[0].encoding, y, key)
    tallies = [
        (laws[each % len(laws)], BitCounts(*rows))
        for each, *rows in zip(used.tolist(), n, counts, strict=True)
    ]
    groups = (tallies[i : i + len(laws)] for i in range(0, len(tallies), len(laws)))
    return np.array([PooledBits(group).value for group in groups])


def _law_of(laws: Sequence[SupportLaw], key: int) -> SupportLaw:
    return laws[key % len(laws)]


def covariance(laws: Sequence[SupportLaw | Histogram], truth: Vector) -> Matrix:
    """Return that of a group's estimate, by the formulas: inverse variances at even frequencies."""
    n = OWNERS * np.array(SHARES)
    noises = [Noise.of(each) for each in laws]
    weights = n * np.array([noise.precision(SIZE) for noise in noises])
    parts = (weights / weights.sum()) ** 2 / n
    return sum(
        (noise.covariance(truth) * part for noise, part in zip(noises, parts, strict=True)),
        np.zeros((SIZE, SIZE)),
    )


def compared(name: str, truth: Vector, groups: int, stated: Matrix) -> tuple[float, float]:
    """Return the squared error over the stated one, and the degrees of freedom that it has."""
    errors = estimates(laws_at(name), truth, groups, SEED) - truth
    freedom = groups * np.trace(stated) ** 2 / np.trace(stated @ stated)
    return float((errors**2).sum() / groups / np.trace(stated)), float(freedom)


def p_value(ratio: float, freedom: float) -> float:
    tails = chi2.cdf(ratio * freedom, freedom), chi2.sf(ratio * freedom, freedom)
    return 2 * float(min(tails))


@for_each("shape", TRUTHS)
@for_each("name", [*MECHANISMS, "she"])
def test_the_variance_is_what_the_formula_says_and_not_that_of_other_levels(
    name: str, shape: str
) -> None:
    truth = TRUTHS[shape]
    stated = covariance(laws_at(name), truth)
    ratio, freedom = compared(name, truth, GROUPS, stated)
    context = f"{name}, {shape}: {ratio:.3f}, {freedom:.0f} degrees of freedom, seed {SEED}"
    assert p_value(ratio, freedom) > ALPHA, context
    other = covariance(laws_at(name, 1.5), truth)
    wrong = ratio * float(np.trace(stated) / np.trace(other))
    assert p_value(wrong, freedom) < ALPHA, f"it would not notice other levels; {context}"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::discretion.errors.DependenceWarning")  # one run in a thousand
@pytest.mark.parametrize("shape", TRUTHS)
@pytest.mark.parametrize("name", [*MECHANISMS, "she"])
def test_the_variance_is_within_three_percent_of_the_formula(name: str, shape: str) -> None:
    truth = TRUTHS[shape]
    ratio, freedom = compared(name, truth, MANY, covariance(laws_at(name), truth))
    print(f"seed {SEED}, {name}, {shape}: variance over formula {ratio:.4f}, {freedom:.0f} d.f.")
    assert np.sqrt(2 / freedom) < CLOSE / 3, "too few groups to tell"
    assert abs(ratio - 1) <= CLOSE
