"""Minima of quadratic functions with f >= 0 and equations, beside SciPy's least squares."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discretion.estimate.noise import Matrix, Vector
from discretion.estimate.quadratic import Equation, Start, least_squares, minima
from discretion.kernel.pivoting import minimise

CLOSE = 1e-5  # what equations leave open that are rows with a large weight
HOLDS = 1e-9


def problem(
    seed: int, rows: int, columns: int, *, alike: float = 0.0
) -> tuple[Matrix, Vector, tuple[Equation, ...]]:
    """Return a problem of which neighbouring columns are alike, up to all but equal."""
    rng = np.random.default_rng(seed)
    root = rng.standard_normal((rows, columns)) * rng.gamma(1.0, 2.0, columns)
    for j in range(1, columns):
        root[:, j] = alike * root[:, j - 1] + (1 - alike) * root[:, j]
    truth = rng.dirichlet(np.full(columns, 0.5))
    pull = root.T @ (root @ truth + rng.standard_normal(rows))
    row = (np.arange(columns) < max(1, columns // 3)).astype(float)
    whole = (np.ones(columns), 1.0)
    return root.T @ root, pull, (whole, (row, float(rng.uniform(0.05, 0.95))))


def height(information: Matrix, pull: Vector, f: Vector) -> float:
    return float(f @ information @ f - 2 * pull @ f)


def gap(information: Matrix, pull: Vector, equations: tuple[Equation, ...], f: Vector) -> float:
    """Return by how much f may be above the minimum: how steep a way to another f is, at most.

    On the simplex, and on two of them side by side, the best way is to one corner of each.
    """
    slope = information @ f - pull
    if len(equations) == 1:
        return float(slope @ f - slope.min())
    (row, at), rest = equations[1], 1 - equations[1][0]
    corners = at * slope[row > 0].min() + (1 - at) * slope[rest > 0].min()
    return float(slope @ f - corners)


@settings(max_examples=60)
@given(
    seed=st.integers(0, 10_000),
    rows=st.integers(1, 40),
    columns=st.integers(2, 30),
    alike=st.sampled_from([0.0, 0.5, 0.99, 1 - 1e-9, 1.0]),
)
def test_minima_fulfil_equations_and_nothing_is_lower(
    seed: int, rows: int, columns: int, alike: float
) -> None:
    """Few rows, and columns that are the same, leave minima open: each of them is one."""
    information, pull, equations = problem(seed, rows, columns, alike=alike)
    found, heights, _ = minima(information, pull[None], equations)
    for stage, f in enumerate(found[0]):
        used, scale = equations[: 1 + stage], np.abs(pull).max() + np.abs(information).max()
        slow = least_squares(information, pull, used)
        assert f.min() >= 0
        for row, at in used:
            assert row @ f == pytest.approx(at, abs=CLOSE)
        assert gap(information, pull, used, f) <= CLOSE * scale
        own = height(information, pull, f)
        assert own <= height(information, pull, slow) + CLOSE * scale
        assert heights[0, stage] == pytest.approx(own, abs=HOLDS * scale)


@pytest.mark.parametrize("begin", [0.0, 0.2, 1.0])
def test_it_does_not_matter_where_one_begins(begin: float) -> None:
    information, pull, equations = problem(3, 60, 40, alike=0.9)
    pulls = pull + np.random.default_rng(4).standard_normal((5, 40))
    plain = minima(information, pulls, equations).f
    support: npt.NDArray[np.bool_] = np.random.default_rng(5).random(40) < begin
    for start in (Start.on(information, support), Start.on(information, plain[0, 1] > 0)):
        found = minima(information, pulls, equations, start).f
        np.testing.assert_allclose(found, plain, atol=HOLDS)
    last = minima(information, pulls, equations, None, 2).f
    np.testing.assert_allclose(last[:, 0], plain[:, 1], atol=HOLDS)


def test_problems_begin_with_a_root_on_a_support() -> None:
    information, _, _ = problem(3, 60, 40, alike=0.9)
    support = np.random.default_rng(5).random(40) < 0.5
    root, rows = Start.on(information, support)
    assert sorted(rows) == np.flatnonzero(support).tolist()
    upper = np.triu(root)
    np.testing.assert_allclose(upper.T @ upper, information[np.ix_(rows, rows)], rtol=1e-6)


@pytest.mark.parametrize("at", [0.0, 1.0, 1.5])
def test_where_the_kernel_finds_no_minimum_scipy_does(at: float) -> None:
    """Only entries of one side can fulfil the equation, or none can: the nearest is returned."""
    information, pull, equations = problem(7, 20, 12)
    row = equations[1][0]
    asked = (equations[0], (row, at))
    f = minima(information, pull[None], asked, None, 2).f[0, 0]
    slow = least_squares(information, pull, asked)
    np.testing.assert_allclose(f, slow, atol=1e-4)
    assert f.min() >= 0
    if at <= 1:
        assert row @ f == pytest.approx(at, abs=1e-4)


def test_a_problem_that_was_not_solved_is_said_to_be_so() -> None:
    information, pull, _ = problem(7, 20, 12)
    rows, values = np.ones((1, 12)), np.ones(1)
    empty = Start.on(information, np.zeros(12, np.bool_))
    _, _, solved, *_ = minimise(information, pull[None], rows, values, 1, *empty)
    assert not solved.any()
    everywhere = Start.on(information, np.ones(12, np.bool_))
    found, _, solved, *_ = minimise(information, pull[None], rows, values, 1, *everywhere)
    assert solved.all()
    assert found.sum() == pytest.approx(1.0, abs=HOLDS)


def test_columns_that_blur_into_each_other_are_hardly_any_work_for_scipy() -> None:
    """The information has a rank of about 25 in all its digits, as that of fine bins has."""
    y, x = np.linspace(0, 1, 200)[:, None], np.linspace(0, 1, 60)
    scores = 1e3 * np.exp(-(((y - x) / 0.1) ** 2))
    information, row = scores.T @ scores, (x < 0.4).astype(float)
    truth = np.bincount([12, 13, 30, 45], [0.2, 0.1, 0.5, 0.2], 60)
    noise = np.random.default_rng(8).standard_normal((30, 200)) @ scores
    equations, values = np.array([np.ones(60), row]), np.array([1.0, 0.31])
    start = Start.on(information, truth > 0)
    found, _, solved, *_ = minimise(
        information, information @ truth + noise, equations, values, 1, *start
    )
    assert solved.mean() > 0.9  # by bordered inverses, which lose their digits: 0.87
    np.testing.assert_allclose(found[solved].sum(axis=-1), 1.0, atol=HOLDS)
    np.testing.assert_allclose(found[:, 1][solved[:, 1]] @ row, 0.31, atol=HOLDS)
