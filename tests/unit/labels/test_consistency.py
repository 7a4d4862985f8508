"""Steps of post-processing on small cases, by brute force, and what each of them promises."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize
from scipy.stats import norm as normal

from discretion.errors import EstimateError
from discretion.estimate.spread import Known
from discretion.labels.consistency import STEPS, base_cut, centred, check_steps
from tests.builders import Vector

ROUNDING = 1e-12  # of frequencies: sums of at most a few thousand terms near one
SUMMING = ("norm", "norm-sub", "norm-mul", "norm-gls")
POSITIVE = ("norm-sub", "norm-mul", "norm-gls", "base-pos", "base-cut", "power")
ORDERED = ("norm", "norm-sub", "norm-mul", "base-pos")  # the others also look at the spread
CASES = (
    [0.7, 0.5, -0.2],
    [1.4, -0.4],
    [0.5, 0.5],
    [0.3, 0.3, 0.3, 0.3, -0.2],
    [0.9, 0.4, 0.4, -0.1, -0.6],
    [2.0, 0.1, 0.0, -0.3, -0.3, -0.5],
)

vectors = arrays(np.float64, st.integers(2, 12), elements=st.floats(-3, 3).map(lambda x: x + 0.01))


def done(step: str, value: Vector, stderr: float = 0.05, n: int = 1_000) -> Vector:
    """Take a step with standard errors that are alike, of an estimate that norm would not move."""
    return STEPS[step](value, Known(stderr**2 * np.eye(len(value))), n)


def enumerated(value: Vector) -> Vector:
    """Return the nearest point of the simplex, by trying all sets of cells that may be zero."""
    best, least = value, np.inf
    for kept in product([False, True], repeat=len(value)):
        inside = np.array(kept)
        if not inside.any():
            continue
        x = np.where(inside, value + (1 - value[inside].sum()) / inside.sum(), 0.0)
        away = ((x - value) ** 2).sum()
        if (x >= 0).all() and away < least:
            best, least = x, away
    return best


@pytest.mark.parametrize("value", CASES)
def test_norm_sub_is_the_least_squares_solution_by_enumeration(value: list[float]) -> None:
    given = np.array(value)
    np.testing.assert_allclose(done("norm-sub", given), enumerated(given), atol=ROUNDING)


def test_norm_sub_is_the_least_squares_solution_of_an_optimiser() -> None:
    value = np.random.default_rng(1).normal(0.1, 0.2, 10)
    found = minimize(
        lambda x: ((x - value) ** 2).sum(),
        np.full(10, 0.1),
        bounds=[(0, 1)] * 10,
        constraints={"type": "eq", "fun": lambda x: x.sum() - 1},
        options={"ftol": 1e-14},
    )
    np.testing.assert_allclose(done("norm-sub", value), found.x, atol=1e-6)


@given(vectors)
def test_norm_sub_by_enumeration_of_whatever_comes(value: Vector) -> None:
    if len(value) <= 6:
        np.testing.assert_allclose(done("norm-sub", value), enumerated(value), atol=1e-10)


def test_norm_by_hand() -> None:
    np.testing.assert_allclose(done("norm", np.array([0.7, 0.4, -0.4])), [0.8, 0.5, -0.3])


def test_norm_mul_and_base_pos_by_hand() -> None:
    value = np.array([0.9, 0.3, -0.2])
    np.testing.assert_allclose(done("norm-mul", value), [0.75, 0.25, 0])
    np.testing.assert_allclose(done("base-pos", value), [0.9, 0.3, 0])


def test_base_cut_keeps_what_stands_out_of_its_own_noise() -> None:
    """Of 8 values the threshold is the quantile of 3/4, 0.674 standard errors."""
    edge = normal.ppf(0.75)
    stderr = np.array([0.1, 0.1, 0.2, 0.2, 0.1, 0.1, 0.1, 0.1])
    value = np.array([1.01, 0.99, 1.01, 0.99, -3, -1, 0, 5]) * edge * stderr
    assert base_cut(value, stderr).tolist() == [value[0], 0, value[2], 0, 0, 0, 0, value[7]]


@pytest.mark.parametrize("size", [2, 3, 4])
def test_base_cut_of_few_values_cuts_what_is_negative(size: int) -> None:
    value = np.array([0.01, -0.01, 0.5, 0.5][:size])
    np.testing.assert_array_equal(base_cut(value, np.full(size, 0.3)), np.maximum(value, 0))


def test_base_cut_lets_two_of_the_values_that_nobody_has_pass() -> None:
    noise = np.random.default_rng(2).normal(0, 0.01, (2_000, 100))
    passed = np.mean([(base_cut(row, np.full(100, 0.01)) > 0).sum() for row in noise])
    assert abs(passed - 2) < 5 * np.sqrt(2 / 2_000)


@given(vectors, st.sampled_from(sorted(STEPS)))
def test_every_step_keeps_its_promises(value: Vector, step: str) -> None:
    if step == "norm-mul" and not (value > 0).any():
        return
    found = done(step, value)
    assert found.shape == value.shape
    if step in SUMMING:
        assert found.sum() == pytest.approx(1, abs=1e-9)
    if step in POSITIVE:
        assert (found >= 0).all()
    if step in ORDERED:
        order = np.argsort(value, kind="stable")
        assert (np.diff(found[order]) >= -ROUNDING).all()


@given(vectors, st.sampled_from(sorted(set(STEPS) - {"power"})))
def test_a_step_done_twice_is_done_once(value: Vector, step: str) -> None:
    if step == "norm-mul" and not (value > 0).any():
        return
    once = done(step, value)
    np.testing.assert_allclose(done(step, once), once, atol=1e-9)


@pytest.mark.parametrize("step", sorted(STEPS))
def test_frequencies_known_exactly_are_left_alone(step: str) -> None:
    f = np.array([0.5, 0.3, 0.15, 0.05])
    np.testing.assert_allclose(done(step, f, stderr=1e-7), f, atol=1e-6)


@pytest.mark.parametrize("step", ["norm", "norm-sub", "norm-gls"])
def test_equal_values_stay_equal(step: str) -> None:
    found = done(step, np.array([0.8, 0.2, 0.2, 0.2, -0.3, -0.3]))
    assert len(set(found[1:4].round(12))) == len(set(found[4:].round(12))) == 1


def test_all_negative_values_still_make_frequencies() -> None:
    value = np.array([-0.5, -0.1, -0.3])
    np.testing.assert_allclose(done("norm-sub", value), [0.133333, 0.533333, 0.333333], atol=1e-6)
    assert done("base-pos", value).tolist() == [0, 0, 0]
    with pytest.raises(EstimateError, match="norm-mul needs a value above zero"):
        done("norm-mul", value)


@pytest.mark.parametrize("step", ["norm-sub", "norm-gls"])
def test_hundreds_of_values_make_frequencies(step: str) -> None:
    value = np.random.default_rng(3).normal(1 / 300, 0.05, 300)
    found = done(step, value)
    assert found.sum() == pytest.approx(1)
    assert found.min() == 0
    np.testing.assert_allclose(found, done("norm-sub", value), atol=1e-9)


def test_the_covariance_after_norm_is_that_of_the_map() -> None:
    root = np.random.default_rng(4).normal(size=(5, 5))
    centre = np.eye(5) - 1 / 5
    np.testing.assert_allclose(centred(root @ root.T), centre @ root @ root.T @ centre, atol=1e-12)


def test_norm_gls_refuses_a_covariance_beyond_measure() -> None:
    with pytest.raises(EstimateError, match="at most 4,096 values, got 5,000"):
        STEPS["norm-gls"](np.zeros(5_000), Known(np.zeros((0, 0))), 1)


def test_steps_that_there_are_not_are_refused() -> None:
    with pytest.raises(EstimateError, match=r"step must be one of norm, .*, got 'clip'"):
        check_steps(["norm-sub", "clip"])


@pytest.mark.parametrize("late", ["norm-gls", "base-cut", "power"])
def test_steps_that_need_standard_errors_come_first(late: str) -> None:
    check_steps(["norm", late, "norm-sub", "norm"])
    with pytest.raises(EstimateError, match=f"nobody knows those of base-pos: {late} must come"):
        check_steps(["base-pos", "norm", late])
