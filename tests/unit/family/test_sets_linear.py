"""Linear estimates are unbiased and their covariance is right: by enumeration of small crowds."""

import itertools
import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from discretion.estimate import FrequencyEstimate
from discretion.estimate.linear import stratified
from discretion.estimate.spread import AroundOwners, Known
from discretion.family.sets.linear import PooledSets
from discretion.labels import frequencies
from discretion.plan import Family
from tests.builders import Vector, answered, disclosed, table_of, tally_of
from tests.cases import for_each
from tests.mechanisms import LISTED
from tests.unit.estimate.exact import (
    Matrix,
    gathered,
    on_simplex,
    outcomes,
    random_frequencies,
    score,
    score_covariance,
)

SIZE = 3
LOW, HIGH = 500, 3000
EXACT = 1e-12


def one_hot(code: int) -> Vector:
    return np.eye(SIZE)[code]


def contrast_variance(mechanism: str, level: int) -> float:
    """Return the variance of one report's contrast at the uniform distribution."""
    law = disclosed(mechanism, SIZE).questions["x"].law(level, Family.SETS)
    uniform = [Fraction(1, SIZE)] * SIZE
    return float(np.trace(score_covariance(law, uniform)) / (SIZE - 1))


@pytest.mark.parametrize("mechanism", LISTED)
def test_weighted_is_unbiased_by_enumeration(mechanism: str) -> None:
    """Every outcome of three owners with unequal budgets, weighted by its probability."""
    plan, truth, levels = disclosed(mechanism, SIZE), [0, 2, 2], [LOW, LOW, HIGH]
    expected = np.zeros(SIZE)
    for ys, probability in outcomes(
        [plan.questions["x"].law(v, Family.SETS) for v in levels], truth
    ):
        expected += probability * frequencies(gathered(plan, levels, ys), "x", "weighted").value
    low, high = 2 / contrast_variance(mechanism, LOW), 1 / contrast_variance(mechanism, HIGH)
    w = low / (low + high)  # the weight of the cautious level, by its information alone
    truth_of_level = w * np.array([0.5, 0, 0.5]) + (1 - w) * np.array([0, 0, 1])
    np.testing.assert_allclose(expected, truth_of_level, atol=EXACT)


@pytest.mark.parametrize("mechanism", LISTED)
def test_stratified_is_unbiased_by_enumeration(mechanism: str) -> None:
    """Each level counts as much as it has owners, so the truth is that of all owners."""
    plan, truth, levels = disclosed(mechanism, SIZE), [0, 2, 2], [LOW, LOW, HIGH]
    laws = {v: plan.questions["x"].law(v, Family.SETS) for v in levels}
    expected = np.zeros(SIZE)
    for ys, probability in outcomes([laws[v] for v in levels], truth):
        parts = ((laws[LOW], ys[:2]), (laws[HIGH], ys[2:]))
        strata = [PooledSets([(law, tally_of(law, part))]) for law, part in parts]
        expected += probability * stratified(strata)[0]
    np.testing.assert_allclose(expected, [1 / 3, 0, 2 / 3], atol=EXACT)


def spread(
    mechanism: str, levels: tuple[int, int], centre: Callable[[tuple[int, ...]], Vector]
) -> tuple[Matrix, Vector]:
    """Return the second moment of the estimate around ``centre(truth)``, over owners drawn from f.

    Both what the two owners have and what they report is enumerated.
    """
    plan, f = disclosed(mechanism, SIZE), np.array(random_frequencies(SIZE, seed=1), np.float64)
    laws, total = [plan.questions["x"].law(v, Family.SETS) for v in levels], np.zeros((SIZE, SIZE))
    for truth in itertools.product(range(SIZE), repeat=2):
        drawn = math.prod(f[code] for code in truth)
        for ys, probability in outcomes(laws, truth):
            value = frequencies(gathered(plan, levels, ys), "x", "weighted").value
            error = value - centre(truth)
            total += drawn * probability * np.outer(error, error)
    return total, f


def stated(mechanism: str, levels: tuple[int, int], f: Vector) -> Matrix:
    plan = disclosed(mechanism, SIZE)
    laws = [plan.questions["x"].law(v, Family.SETS) for v in dict.fromkeys(levels)]
    tallies = [tally_of(law, [next(law.outputs())] * (2 // len(laws))) for law in laws]
    return PooledSets(list(zip(laws, tallies, strict=True))).covariance(f)


@for_each("mechanism", LISTED)
@for_each("levels", [(LOW, HIGH), (LOW, LOW)])
def test_the_covariance_is_that_around_the_population(
    mechanism: str, levels: tuple[int, int]
) -> None:
    f = np.array(random_frequencies(SIZE, seed=1), np.float64)
    found, _ = spread(mechanism, levels, lambda _: f)
    np.testing.assert_allclose(stated(mechanism, levels, f), found, atol=EXACT * found.max())


@for_each("mechanism", LISTED)
@for_each("levels", [(LOW, HIGH), (LOW, LOW)])
def test_the_covariance_for_owners_is_that_around_what_they_have(
    mechanism: str, levels: tuple[int, int]
) -> None:
    found, f = spread(
        mechanism, levels, lambda truth: np.mean([one_hot(code) for code in truth], axis=0)
    )
    around_owners = AroundOwners(Known(stated(mechanism, levels, f)), f, 2)
    np.testing.assert_allclose(around_owners.covariance, found, atol=EXACT * found.max())


@pytest.mark.parametrize("mechanism", LISTED)
def test_with_the_data_fixed_only_the_noise_of_the_reports_is_left(mechanism: str) -> None:
    plan, truth = disclosed(mechanism, SIZE), (0, 2, 2)
    law, own = plan.questions["x"].law(LOW, Family.SETS), np.array([1 / 3, 0, 2 / 3])
    found = np.zeros((SIZE, SIZE))
    for ys, probability in outcomes([law] * 3, truth):
        error = frequencies(gathered(plan, [LOW] * 3, ys), "x", "weighted").value - own
        found += probability * np.outer(error, error)
    spread = Known(PooledSets([(law, tally_of(law, [1, 1, 1]))]).covariance(own))
    around_owners = AroundOwners(spread, own, 3)
    np.testing.assert_allclose(around_owners.covariance, found, atol=EXACT * found.max())


@pytest.fixture(scope="module", params=LISTED)
def estimates(request: pytest.FixtureRequest) -> dict[str, FrequencyEstimate]:
    """The same reports about both targets; levels 0.5, 1.5 and 3, some owners without x."""
    codes = np.random.default_rng(51).choice(SIZE, 400, p=[0.55, 0.3, 0.15])
    reports = answered(disclosed(request.param, SIZE), codes, seed=51)
    return {t: frequencies(reports, "x", "weighted", t) for t in ("population", "owners")}


def test_the_owners_estimate_differs_by_the_multinomial_part_alone(
    estimates: dict[str, FrequencyEstimate],
) -> None:
    population, owners = estimates["population"], estimates["owners"]
    assert population.n == owners.n < 400
    np.testing.assert_array_equal(population.value, owners.value)
    f = on_simplex(population.value)
    expected = (np.diag(f) - np.outer(f, f)) / population.n
    np.testing.assert_allclose(population.covariance - owners.covariance, expected, atol=1e-9)


@pytest.mark.parametrize("mechanism", LISTED)
def test_weighted_by_hand(mechanism: str) -> None:
    """Score every report by itself, weigh by the information of its level, and average."""
    plan = disclosed(mechanism, SIZE)
    codes = np.random.default_rng(52).choice(SIZE, 300, p=[0.55, 0.3, 0.15])
    reports = answered(plan, codes, seed=52)
    estimate = frequencies(reports, "x", "weighted")
    f = [Fraction(float(share)) for share in on_simplex(estimate.value)]
    f[0] += 1 - sum(f)
    weights = {v: 1 / contrast_variance(mechanism, v) for v in plan.policy.menu}
    noises = {
        v: score_covariance(plan.questions["x"].law(v, Family.SETS), f) for v in plan.policy.menu
    }
    value, covariance, total = np.zeros(SIZE), np.zeros((SIZE, SIZE)), 0.0
    for levels, ys in reports.answers("x"):
        for level, y in zip(levels.tolist(), ys, strict=True):
            scores = score(
                plan.questions["x"].law(level, Family.SETS), int.from_bytes(y.tobytes(), "little")
            )
            value += weights[level] * np.array(scores, np.float64)
            covariance += weights[level] ** 2 * noises[level]
            total += weights[level]
    np.testing.assert_allclose(estimate.value, value / total)
    np.testing.assert_allclose(estimate.covariance, covariance / total**2)


def test_stratified_by_hand() -> None:
    """Two levels with unequal numbers of reports, both large enough to be strata."""
    plan = disclosed("grr", SIZE)
    rows = [{"x": (LOW, y)} for y in [0] * 70 + [1] * 50 + [2] * 30]
    rows += [{"x": (HIGH, y)} for y in [0] * 30 + [1] * 60 + [2] * 110]
    estimate = frequencies(table_of(plan, [*rows, {"z": (HIGH, 1)}]), "x", "stratified")
    value, covariance, parts = np.zeros(SIZE), np.zeros((SIZE, SIZE)), []
    for level, counts in ((LOW, np.array([70, 50, 30])), (HIGH, np.array([30, 60, 110]))):
        n, law = counts.sum(), plan.questions["x"].law(level, Family.SETS)
        p, q = float(law.inclusion.own), float(law.inclusion.other)
        f = (counts / n - q) / (p - q)
        inside = on_simplex(f)
        noise = np.diag(q * np.ones(SIZE) + inside * (p - q))
        mean = q + inside * (p - q)
        covariance += (n / 350) ** 2 * (noise - np.outer(mean, mean)) / (p - q) ** 2 / n
        value += n / 350 * f
        parts.append((n / 350, f))
    covariance += sum(s * np.outer(f - value, f - value) for s, f in parts) / 350
    np.testing.assert_allclose(estimate.value, value)
    np.testing.assert_allclose(estimate.covariance, covariance)
    assert estimate.n == 350
