"""Means: unbiased by enumeration, near the limit by exact variance, honest about little data."""

import itertools
import math
import warnings
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest

import discretion as ds
from discretion.budget.level import stratum_of
from discretion.errors import DependenceWarning, EstimateError
from discretion.estimate.estimate import ROUGH
from discretion.mechanism import Decodable, Window
from discretion.mechanism.hybrid import hm
from discretion.mechanism.law import decode
from discretion.mechanism.twopoint import duchi
from discretion.mechanism.window import window
from discretion.numbers.mean import _average, _combined, unweighted, weighted, weights_of
from discretion.numbers.number_evidence import LawCounts, NumberEvidence
from discretion.plan import Family, Plan
from discretion.randomness import ONE
from tests.builders import table_of
from tests.cases import for_each
from tests.plans import bundled_numbers
from tests.unit.numbers.crowds import (
    FINE,
    GRID,
    PERSONAL,
    RANGES,
    by_hand,
    crowd,
    numbers,
    personal,
    plan_of,
    skewed,
)

ROUNDING = 1e-9
SURE = 4.5  # standard errors: one run in 150,000 is further off
POINTS = 2_001
LEAST_GAIN = 5.0  # of weights, with budgets U(0.1, 4)
NEAR_LIMIT = 1.05


# Unbiased


def small(cells: int, span: int, epsilon: float) -> Window:
    """Return a window on a grid of three points, with few enough cells to list."""
    odds = math.exp(epsilon) * span
    return Window(3, cells, span, round(ONE * odds / (odds + 2 * cells)))


CROWDS: list[tuple[list[Decodable], list[int]]] = [
    ([duchi(4, 100), duchi(4, 1500), duchi(4, 4000)], [0, 3, 1]),
    ([small(1, 1, 0.4), small(2, 1, 1.0), small(1, 2, 3.0)], [2, 0, 1]),
    ([duchi(3, 700), small(2, 2, 2.0), small(1, 1, 0.1)], [1, 2, 2]),
    ([duchi(5, 300), hm(5, 500), duchi(5, 2500)], [4, 4, 0]),
]


def expected(laws: Sequence[Decodable], codes: Sequence[int], fixed: Sequence[float]) -> Any:
    """Return the expectations of the unweighted mean, the one with fixed weights, and each part's.

    Over every outcome, by its probability.
    """
    found: Any = np.zeros(2 + len(laws))
    for outputs in itertools.product(*(range(law.n_outputs) for law in laws)):
        of_each = zip(laws, outputs, codes, strict=True)
        probability = math.prod(float(law.probability(y, x)) for law, y, x in of_each)
        evidence = by_hand(laws, outputs)
        own = [part.mean for part in evidence.parts]
        means = [unweighted(evidence)[0], _average(evidence.parts, np.array(fixed))]
        found += probability * np.array([*means, *own])
    return found


@pytest.mark.parametrize("laws, codes", CROWDS)
def test_means_are_unbiased_by_enumeration(laws: list[Decodable], codes: list[int]) -> None:
    fixed = [1.0, 2.0, 5.0]
    plain, with_weights, *own = expected(laws, codes, fixed)
    assert plain == pytest.approx(np.mean(codes), abs=ROUNDING)
    assert with_weights == pytest.approx(np.average(codes, weights=fixed), abs=ROUNDING)
    np.testing.assert_allclose(own, codes, atol=ROUNDING)


@pytest.mark.parametrize("laws, codes", CROWDS)
def test_decoding_is_exact_and_so_is_the_variance_that_weights_use(
    laws: list[Decodable], codes: list[int]
) -> None:
    for law, code in zip(laws, codes, strict=True):
        probabilities = [(law.probability(y, code), decode(law, y)) for y in range(law.n_outputs)]
        assert sum(p * d for p, d in probabilities) == code
        variance = sum((p * (d - code) ** 2 for p, d in probabilities), Fraction())
        counts = LawCounts(law, np.ones(law.n_outputs, np.int64), 1, 0, whole=True)
        at_code = counts.noise @ [1, code, code**2]
        assert at_code == pytest.approx(float(variance), rel=1e-6)
        assert counts.least_noise <= at_code * (1 + ROUNDING)


@pytest.mark.parametrize("bundle, partner", [("a+b", "b"), ("a+c", "c")])
def test_numbers_in_bundles_have_unbiased_means_by_enumeration(bundle: str, partner: str) -> None:
    """Two owners with unequal levels; the second's number lies between two of duchi's levels."""
    plan, shape = bundled_numbers(), bundled_numbers().questions[bundle].attribute
    top = 1 if bundle == "a+c" else 2
    levels = (plan.questions[bundle].menu[1], plan.questions[bundle].menu[6])
    cells = [[((top, 0), 1.0)], [((0, top), 0.5), ((top, top), 0.5)]]  # a is 2, then 0 or 2
    truth = {"a": (2 + 1) / 2, partner: (0 + 2) / 2}
    found = dict.fromkeys(truth, 0.0)
    sizes = (top + 1, top + 1)
    laws = [plan.questions[bundle].law(level) for level in levels]
    for outputs in itertools.product(*(range(law.size) for law in laws)):
        probability = 1.0
        for law, y, own in zip(laws, outputs, cells, strict=True):
            codes = [(int(np.ravel_multi_index(cell, sizes)), share) for cell, share in own]
            probability *= sum(share * float(law.probability(y, code)) for code, share in codes)
        rows = [{bundle: (level, y)} for level, y in zip(levels, outputs, strict=True)]
        table = table_of(plan, rows)
        for name in found:
            found[name] += probability * ds.mean(table, name, "unweighted").unclipped
    assert shape.size == (top + 1) ** 2
    for name, value in truth.items():
        assert found[name] == pytest.approx(value, abs=ROUNDING)


@pytest.mark.parametrize("mechanism", ["duchi", "pm", "sw", "window", "hm", "optimal"])
def test_weights_from_the_data_leave_a_large_crowd_unbiased(mechanism: str) -> None:
    x = numbers(100_000, seed=8)
    found = ds.mean(crowd(plan_of(mechanism), x, seed=8, missing=0.0), "x")
    assert found.method == "weighted"
    assert abs(found.value - x.mean()) < SURE * found.stderr
    assert found.stderr < 0.05


# Accurate


def variances(laws: Sequence[Decodable], mean: float, square: float) -> Any:
    """Return the exact variance of one decoded report by each law, in steps of the grid.

    The numbers are at the two ends of the grid, or in thirds at the ends and the middle.
    """
    size = laws[0].size
    at = {1.0: [0, size - 1], 2 / 3: [0, (size - 1) // 2, size - 1]}[square]
    spread = np.var(at)
    assert np.mean(at) == mean
    return np.array([np.mean([float(law.variance(x)) for x in at]) + spread for law in laws])


def laws_of(mechanism: Any, step: int) -> tuple[list[Decodable], Any]:
    levels = np.arange(100, 4_000 + step, step)
    levels = levels[levels <= 4_000]
    return [mechanism(POINTS, int(level)) for level in levels], levels / 1000


@pytest.mark.parametrize("step", [1, 50])
def test_duchi_with_the_best_weights_is_at_the_limit(step: int) -> None:
    """Numbers at the two ends of [-1, 1], as many owners at each budget from 0.1 to 4."""
    laws, epsilons = laws_of(duchi, step)
    unit = 2 / (POINTS - 1)
    best = unit**2 / (1 / variances(laws, (POINTS - 1) / 2, 1.0)).sum()
    limit = ds.mean_limit(epsilons)
    assert limit <= best * (1 + ROUNDING)
    assert best <= NEAR_LIMIT * limit


@pytest.mark.parametrize("step", [0.05, 0.001])
def test_the_weights_that_a_crowd_gets_are_nearly_the_best(step: float) -> None:
    """By the exact variance at the weights that the reports led to, which is not an estimate."""
    n, rng = 3_000, np.random.default_rng(3)
    plan = plan_of("duchi", grid=FINE, budget={**PERSONAL, "step": step})
    epsilons = np.rint(rng.uniform(0.1, 4, n) / step) * step
    x = rng.choice([-1.0, 1.0], n)
    budgets = {"x": epsilons, "z": np.full(n, 0.1)}
    evidence = NumberEvidence.of(crowd(plan, x, seed=3, missing=0.0, budgets=budgets), "x")
    mean, _, spread = weighted(evidence)
    weights = weights_of(evidence.parts, mean, spread)
    shares, ns = weights / weights.sum(), np.array([part.n for part in evidence.parts])
    size = evidence.number.size
    own = variances([part.law for part in evidence.parts], (size - 1) / 2, 1.0)
    exact = evidence.step**2 * float(shares**2 / ns @ own)
    limit = ds.mean_limit(np.repeat([part.level / 1000 for part in evidence.parts], ns))
    assert limit <= exact * (1 + ROUNDING) <= NEAR_LIMIT * limit


@pytest.mark.parametrize("mechanism", [duchi, window])
@pytest.mark.parametrize("square", [1.0, 2 / 3])
def test_weights_make_the_squared_error_five_times_smaller(mechanism: Any, square: float) -> None:
    laws, _ = laws_of(mechanism, 50)
    own = variances(laws, (POINTS - 1) / 2, square)
    plain, best = own.mean() / len(own), 1 / (1 / own).sum()
    assert plain / best >= LEAST_GAIN


@pytest.mark.parametrize("mechanism", ["duchi", "window"])
def test_stated_errors_show_what_weights_gain(mechanism: str) -> None:
    plan = plan_of(mechanism, grid=FINE, budget=PERSONAL)
    x = np.random.default_rng(4).choice([-1.0, 1.0], 20_000)
    budgets = {"x": personal(len(x), seed=4), "z": np.full(len(x), 0.1)}
    reports = crowd(plan, x, seed=4, budgets=budgets)
    plain, best = (ds.mean(reports, "x", method) for method in ("unweighted", "weighted"))
    assert (plain.stderr / best.stderr) ** 2 > LEAST_GAIN
    for found in (plain, best):
        assert abs(found.value - x.mean()) < SURE * found.stderr


def test_the_limit_adds_over_owners_and_scales_with_the_range() -> None:
    assert ds.mean_limit([2.0, 0.0]) == pytest.approx(1 / math.tanh(1) ** 2)
    both = 1 / ds.mean_limit([0.5]) + 1 / ds.mean_limit([3.0])
    assert 1 / ds.mean_limit([0.5, 3.0]) == pytest.approx(both)
    assert ds.mean_limit([1.0], low=0, high=10) == pytest.approx(25 * ds.mean_limit([1.0]))
    assert ds.mean_limit([0.0, 0.0]) == ds.mean_limit([]) == math.inf


# Sums, targets, who counts


def test_a_sum_is_the_mean_times_the_owners() -> None:
    reports = skewed("window")
    mean, total = ds.mean(reports, "x"), ds.sum(reports, "x")
    assert total.n == mean.n < len(reports)  # a tenth lacks the number
    assert total.what == "sum"
    assert total.value == pytest.approx(mean.n * mean.value)
    assert total.stderr == pytest.approx(mean.n * mean.stderr)
    more = ds.sum(reports, "x", owners=1_000_000, method="unweighted")
    assert more.value == pytest.approx(1e6 * ds.mean(reports, "x", "unweighted").value)
    assert more.n == mean.n
    counted: Any = np.int64(7)
    assert ds.sum(reports, "x", owners=counted).value == pytest.approx(7 * mean.value)


@pytest.mark.parametrize("owners", [0, -3, 2.5, "many", True])
def test_a_sum_is_over_a_whole_number_of_owners(owners: Any) -> None:
    with pytest.raises(EstimateError, match="owners must be a whole number above zero, got"):
        ds.sum(skewed("duchi"), "x", owners=owners)


@pytest.mark.parametrize("method", ["weighted", "unweighted"])
def test_the_owners_own_mean_is_known_better_by_the_spread_of_their_numbers(method: str) -> None:
    reports = skewed("window", 40_000)
    people, owners = (ds.mean(reports, "x", method, target=t) for t in ("population", "owners"))
    spread = numbers(40_000, seed=5).var()
    assert owners.target == "owners"
    assert owners.value == people.value
    gained = (people.stderr**2 - owners.stderr**2) * people.n
    assert gained == pytest.approx(spread, rel=0.2)


@pytest.mark.parametrize("method", ["weighted", "likelihood"])
def test_two_points_show_no_spread_so_the_owners_own_mean_is_no_better_known(method: str) -> None:
    """All numbers may be in the middle, where duchi is as noisy as for numbers at the ends."""
    reports = crowd(plan_of("duchi", (3, 4)), np.full(2_000, 5.0), seed=2)
    people, owners = (ds.mean(reports, "x", method, target=t) for t in ("population", "owners"))
    assert owners.stderr == people.stderr


def test_who_lacks_the_number_does_not_count() -> None:
    x = numbers(3_000, seed=6)
    whole, some = (crowd(plan_of("window"), x, seed=6, missing=m) for m in (0.0, 0.5))
    found = [ds.mean(each, "x") for each in (whole, some)]
    assert found[0].n == 3_000
    assert found[1].n == sum(y is not None for y in some.data["x.y"].to_pylist())
    assert found[1].stderr ** 2 == pytest.approx(2 * found[0].stderr ** 2, rel=0.15)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"method": "mle"}, "method must be one of auto, weighted, unweighted, likelihood, pena"),
        ({"target": "me"}, "target must be one of population, owners, got 'me'"),
        ({"method": "pena"}, "method='pena' needs reports by duchi, which is its LRR"),
    ],
)
def test_what_is_not_offered_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(EstimateError, match=message):
        ds.mean(skewed("window"), "x", **arguments)


# Few reports


@for_each("mechanism", ["duchi", "window", "hm", "optimal"])
@for_each("n", [1, 2, 5])
@for_each("method", ["weighted", "unweighted"])
def test_a_few_reports_state_an_error_and_raise_no_alarm(
    mechanism: str, n: int, method: str
) -> None:
    """Equal reports have no scatter, and yet their noise is known."""
    plan = plan_of(mechanism)
    for seed in range(5):
        reports = crowd(plan, np.full(n, 10.0), seed=seed, missing=0.0)
        for target in ("population", "owners"):
            found = ds.mean(reports, "x", method, target)
            assert found.stderr > 0.1
            assert math.isfinite(found.value)


def test_reports_that_are_all_equal_have_the_noise_of_their_law() -> None:
    law = duchi(21, 6000)
    part = LawCounts(law, np.array([0, 100]), 6000, 0, whole=True)
    (_, variance) = _combined([part], np.array([1.0]))
    assert variance == pytest.approx(float(law.variance(20)) / 100)


def test_weights_stay_sane_where_decoded_reports_lie_outside() -> None:
    """All bits are heads: the decoded mean is beyond the end, where a law has no noise at all."""
    evidence = by_hand([duchi(21, 500), duchi(21, 4000)], [1, 1], [500, 4000])
    mean, _, _ = weighted(evidence)
    weights = weights_of(evidence.parts, 20.0, 0.0)
    assert mean == pytest.approx(_average(evidence.parts, weights))
    assert weights[1] / weights.sum() < 0.9999


# Dependence


def dependent(mechanism: str, n: int = 20_000) -> tuple[ds.ReportTable, Any]:
    """Return reports of owners who share less the larger their number is."""
    x = numbers(n, seed=9)
    budgets = {"x": np.where(x > 3, 0.5, 3.0), "z": np.full(n, 1.0)}
    return crowd(plan_of(mechanism), x, seed=9, missing=0.0, budgets=budgets), x


@pytest.mark.parametrize("mechanism", ["duchi", "window", "hm"])
def test_budgets_that_depend_on_numbers_are_noticed_and_unweighted_stays_right(
    mechanism: str,
) -> None:
    reports, x = dependent(mechanism)
    with pytest.warns(DependenceWarning, match="x: owners' budgets .* method='unweighted'") as seen:
        biased = ds.mean(reports, "x")
    assert seen[0].filename == __file__
    assert biased.homogeneity is not None
    assert biased.homogeneity.pvalue < 1e-6
    assert abs(biased.value - x.mean()) > 2 * SURE * biased.stderr
    plain = ds.mean(reports, "x", "unweighted")
    assert plain.homogeneity is None
    assert abs(plain.value - x.mean()) < SURE * plain.stderr


@pytest.mark.parametrize("what", [ds.variance, ds.minimum, ds.maximum, ds.quantiles, ds.histogram])
def test_other_estimates_of_a_number_notice_it_and_offer_no_method(what: Any) -> None:
    reports, _ = dependent("window")
    with pytest.warns(DependenceWarning, match="x: owners' budgets .* no method corrects") as seen:
        what(reports, "x")
    assert {each.filename for each in seen} == {__file__}


def test_the_test_of_dependence_is_uniform_under_independence() -> None:
    found = []
    for seed in range(200):
        x = numbers(1_000, seed=1_000 + seed)
        mechanism = ("duchi", "window", "hm", "optimal")[seed % 4]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DependenceWarning)
            test = ds.mean(crowd(plan_of(mechanism), x, seed=seed), "x").homogeneity
        assert test is not None
        assert test.df == 2
        found.append(test.pvalue)
    for level in (0.05, 0.5):
        far = 4 * math.sqrt(level * (1 - level) / len(found))
        assert abs(np.mean(np.array(found) < level) - level) < far, f"at {level}, 200 runs"


@pytest.mark.parametrize("n, groups", [(150, None), (1_000, 8), (20_000, 8)])
def test_many_levels_are_compared_in_a_few_groups(n: int, groups: int | None) -> None:
    plan = plan_of("window", budget=PERSONAL)
    budgets = {"x": personal(n, seed=2), "z": np.full(n, 0.1)}
    test = ds.mean(crowd(plan, numbers(n, 2), seed=2, budgets=budgets), "x").homogeneity
    if groups is None:
        assert test is None
    else:
        assert test is not None
        assert 4 <= test.df < groups


# Reports and aggregates


@pytest.mark.parametrize("mechanism", ["duchi", "window", "hm", "optimal", "laplace"])
def test_an_aggregate_gives_the_same_estimate_as_its_reports(mechanism: str) -> None:
    reports = skewed(mechanism)
    aggregate = ds.Aggregate.of(reports)
    again = ds.Aggregate.from_json(reports.plan, aggregate.to_json())
    for question in (ds.mean, ds.sum, ds.variance):
        want = question(reports, "x")
        for data in (aggregate, again):
            assert str(question(data, "x")) == str(want)
            assert question(data, "x").stderr == want.stderr


@pytest.mark.parametrize("name", ["a", "b", "c"])
def test_an_aggregate_of_bundles_gives_the_same_estimate_as_its_reports(name: str) -> None:
    plan, rng = bundled_numbers(), np.random.default_rng(3)
    frame = {each: rng.integers(0, 3, 900).astype(float) for each in "abc"}
    frame["b"][:300] = np.nan  # they report a and c together
    reports = ds.simulate(plan, frame, budgets="dirichlet", seed=3)
    found = ds.mean(reports, name)
    again = ds.Aggregate.from_json(plan, ds.Aggregate.of(reports).to_json())
    assert ds.mean(again, name).value == found.value
    assert found.n == (600 if name == "b" else 900)
    assert abs(found.value - np.nanmean(frame[name])) < SURE * found.stderr


# Narrower ranges, and what PENA prints


@pytest.mark.parametrize("mechanism", ["duchi", "window", "hm", "optimal"])
def test_in_narrower_ranges_likelihood_is_right_and_decoding_refused(mechanism: str) -> None:
    x = numbers(30_000, seed=12)
    plan = plan_of(mechanism, grid={**GRID, "ranges": RANGES})
    reports = crowd(plan, x, seed=12, ranges="menu")
    found = ds.mean(reports, "x")
    assert (found.method, found.homogeneity) == ("likelihood", None)
    assert abs(found.value - x.mean()) < SURE * found.stderr
    for method in ("weighted", "unweighted"):
        with pytest.raises(EstimateError, match="use method='likelihood'"):
            ds.mean(reports, "x", method)


def test_naive_pooling_over_ranges_is_off_where_likelihood_is_right() -> None:
    """Clamped numbers pull the mean: the part in [0, 5] of large numbers is their range's end."""
    x = 10 - numbers(30_000, seed=13)
    plan = plan_of("duchi", grid={**GRID, "ranges": [[0, 5]]})
    places = np.random.default_rng(13).integers(0, 2, len(x))
    reports = crowd(plan, x, seed=13, ranges={"x": places})
    right, off = ds.mean(reports, "x"), ds.mean(reports, "x", "pena")
    assert abs(right.value - x.mean()) < SURE * right.stderr
    naive = (off.value + 0.5 * (10 + 5)) / 2  # what the printed average means, its range undone
    assert abs(naive - x.mean()) > SURE * off.stderr / 2
    assert (right.homogeneity, off.homogeneity) == (None, None)


def test_the_printed_average_is_twice_the_mean_less_the_range() -> None:
    """Exactly, against decoded reports: on [0, T] PENA prints 2 mean - T."""
    reports = skewed("duchi")
    printed, plain = (ds.mean(reports, "x", method) for method in ("pena", "unweighted"))
    assert printed.value == pytest.approx(2 * plain.value - 10)
    assert printed.stderr == pytest.approx(2 * plain.stderr, rel=1e-3)


def test_a_number_of_laplace_has_a_mean_by_likelihood() -> None:
    x = numbers(30_000, seed=14)
    found = ds.mean(crowd(plan_of("laplace"), x, seed=14), "x")
    assert found.method == "likelihood"
    assert abs(found.value - x.mean()) < SURE * found.stderr
    assert found.homogeneity is None


def test_a_variance_is_that_of_the_numbers() -> None:
    found, x = ds.variance(skewed("sw", 40_000), "x"), numbers(40_000, seed=5)
    assert (found.what, found.method) == ("variance", "likelihood")
    assert abs(found.value - x.var()) < SURE * found.stderr
    assert found.stderr < 0.2
    low, high = ds.variance(crowd(plan_of("sw"), np.full(50, 5.0), seed=1), "x").interval()
    assert 0 <= low <= high


def test_strata_are_distinguished_by_range_and_level() -> None:
    plan = plan_of("window", grid={**GRID, "ranges": RANGES})
    reports = crowd(plan, numbers(500, 1), seed=1, ranges="menu")
    evidence = NumberEvidence.of(reports, "x")
    grades = [(p, level) for p in range(3) for level in (500, 1000, 3000)]
    assert [(part.first, part.level, part.whole) for part in evidence.parts] == [
        ({0: 0, 1: 0, 2: 4}[place], level, place == 0) for place, level in grades
    ]
    law = plan.questions["x"].law(stratum_of(500, 2), Family.NUMBERS)
    assert evidence.parts[6].law == law
    assert law.size == 13


def test_a_plan_whose_levels_are_few_says_where_budgets_agree() -> None:
    test = ds.mean(skewed("window"), "x").homogeneity
    assert test is not None
    assert test.pvalue > 1e-3
    only = crowd(plan_of("window", (1,)), numbers(500, 1), seed=1)
    assert ds.mean(only, "x").homogeneity is None


@for_each("n", [1, 2, 5, 10])
@for_each("mechanism", ["duchi", "window"])
def test_intervals_of_few_reports_hold_the_mean(mechanism: str, n: int) -> None:
    """Levels are unequal and some reveal nearly all, so few reports hardly scatter."""
    x = {"name": "x", "kind": "numeric", "range": [0, 10], "step": 1, "mechanism": mechanism}
    plan = Plan.of({"name": "c", "attributes": [x], "budget": {"levels": [0.5, 2, 8]}})
    hits = 0
    for seed in range(60):
        numbers = np.random.default_rng((84, n, seed)).choice([0, 5, 10], n, p=[0.5, 0.2, 0.3])
        reports = ds.simulate(plan, {"x": numbers}, budgets="levels", seed=seed)
        low, high = ds.mean(reports, "x").interval()
        hits += low <= 4 <= high
    assert hits >= 57


def test_what_few_reports_cannot_do_is_said() -> None:
    x = {"name": "x", "kind": "numeric", "range": [0, 10], "step": 1}
    plan = Plan.of({"name": "c", "attributes": [x], "budget": {"levels": [0.5, 2, 8]}})
    few, enough = (ds.simulate(plan, {"x": np.arange(n) % 11}, seed=1) for n in (49, 50))
    for ask in (ds.quantiles, ds.histogram, partial(ds.cdf, points=[5])):
        assert ROUGH in str(ask(few, "x"))
        assert ROUGH not in str(ask(enough, "x"))
        assert ask(few, "x").document()["rough"] == ROUGH
        assert "rough" not in ask(enough, "x").document()
    assert ROUGH not in str(ds.mean(few, "x"))
    assert "rough" not in ds.mean(few, "x").document()


def test_it_is_said_of_frequencies_and_tables_too() -> None:
    few, enough = (ds.simulate(ds.census_plan(), ds.census(n, seed=1), seed=1) for n in (49, 50))
    asks = (
        partial(ds.frequencies, attribute="travel"),
        partial(ds.joint, attributes=["travel", "work"]),
    )
    for ask in asks:
        assert ROUGH in str(ask(few))
        assert ask(few).document()["rough"] == ROUGH
        assert "rough" not in ask(enough).document()
