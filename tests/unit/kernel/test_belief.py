"""Belief propagation on wiring by hand, against the sum over all cells of the joint."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from discretion.kernel.belief import LANES, beliefs

Single = npt.NDArray[np.float32]
Table = npt.NDArray[np.float64]
SINGLE = 2e-5  # sums of single precision over the reports
A, B, C = 2, 3, 4
FIRST = np.array([0, C * B, C * B + B * A])  # the cliques (c, b), then (b, a), which is the root
ROWS_A, ROWS_B, ROWS_C = slice(0, A), slice(A, A + B), slice(A + B, A + B + C)


def wiring() -> tuple[Any, ...]:
    """The child (c, b) takes evidence on c and tells b; the root takes that, b and a."""
    c, b = np.indices((C, B), np.int32).reshape(2, -1)
    own_b, a = np.indices((B, A), np.int32).reshape(2, -1)
    maps = np.zeros((4, C * B), np.int32)
    maps[0] = c
    maps[1, : B * A], maps[2, : B * A], maps[3, : B * A] = own_b, own_b, a
    out_maps = np.zeros((2, C * B), np.int32)
    out_maps[0] = b
    known = A + B + C
    inputs, rows = np.array([0, 1, 4]), np.array([A + B, known, A, 0])
    return FIRST, inputs, rows, maps, np.array([0, B, 0, 0]), np.array([known, known + B]), out_maps


def passed(evidence: Single, tables: Single, expected: Table) -> float:
    arguments: tuple[Any, ...] = (evidence, tables, *wiring(), expected)
    return float(beliefs(*arguments))


def model(rng: np.random.Generator) -> tuple[Table, Table]:
    """Return the chances of c given b, and of b and a."""
    return rng.dirichlet(np.ones(C), B).T, rng.dirichlet(np.ones(B * A)).reshape(B, A)


def brute(evidence: Single, given: Table, root: Table) -> tuple[float, Table, Table]:
    """Return the log-likelihood and the sums of the posteriors, a report at a time."""
    value, child, top = 0.0, np.zeros((C, B)), np.zeros((B, A))
    for report in evidence.T.astype(np.float64):
        law = given[:, :, None] * root * report[ROWS_C, None, None]
        law = law * report[ROWS_B, None] * report[ROWS_A]
        value += float(np.log(law.sum()))
        child += law.sum(axis=2) / law.sum()
        top += law.sum(axis=0) / law.sum()
    return value, child, top


@pytest.mark.parametrize("n", [1, LANES - 1, LANES, LANES + 1, 3 * LANES + 5])
def test_likelihood_and_posteriors_are_those_of_all_cells(n: int) -> None:
    rng = np.random.default_rng(n)
    given, root = model(rng)
    evidence = rng.gamma(0.5, size=(A + B + C, n)).astype(np.float32) + np.float32(0.01)
    tables = np.concatenate([given.ravel(), root.ravel()]).astype(np.float32)
    expected = np.full(FIRST[-1], 7.0)
    value = passed(evidence, tables, expected)
    exact, child, top = brute(evidence, given, root)
    assert value == pytest.approx(exact, rel=SINGLE)
    found = expected - 7  # posteriors are added to what was there
    np.testing.assert_allclose(found[: FIRST[1]], child.ravel(), rtol=SINGLE, atol=SINGLE * n)
    np.testing.assert_allclose(found[FIRST[1] :], top.ravel(), rtol=SINGLE, atol=SINGLE * n)
    assert found.sum() == pytest.approx(2 * n, rel=SINGLE)


def test_who_says_nothing_leaves_the_model_as_it_is() -> None:
    given, root = model(np.random.default_rng(1))
    tables = np.concatenate([given.ravel(), root.ravel()]).astype(np.float32)
    expected = np.zeros(FIRST[-1])
    value = passed(np.ones((A + B + C, 5), np.float32), tables, expected)
    assert value == pytest.approx(0, abs=SINGLE)
    np.testing.assert_allclose(expected[FIRST[1] :], 5 * root.ravel(), rtol=SINGLE)
    np.testing.assert_allclose(
        expected[: FIRST[1]], 5 * (given * root.sum(axis=1)).ravel(), rtol=SINGLE
    )


def test_evidence_of_very_different_size_is_no_trouble() -> None:
    """Likelihoods of a report are in units of its own, and may tell next to everything."""
    rng = np.random.default_rng(3)
    given, root = model(rng)
    evidence = np.exp(rng.uniform(-18, 18, (A + B + C, 200))).astype(np.float32)
    tables = np.concatenate([given.ravel(), root.ravel()]).astype(np.float32)
    expected = np.zeros(FIRST[-1])
    value = passed(evidence, tables, expected)
    exact, child, top = brute(evidence, given, root)
    assert value == pytest.approx(exact, rel=SINGLE)
    np.testing.assert_allclose(expected[: FIRST[1]], child.ravel(), rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(expected[FIRST[1] :], top.ravel(), rtol=1e-3, atol=1e-3)
