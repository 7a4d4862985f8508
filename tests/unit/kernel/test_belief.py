"""Belief propagation on wiring by hand, against the sum over all cells of the joint."""

import numpy as np
import numpy.typing as npt
import pytest

from discretion.kernel.belief import LANES, Wiring, beliefs
from tests.cases import for_each

Single = npt.NDArray[np.float32]
Table = npt.NDArray[np.float64]
SINGLE = 2e-5  # sums of single precision over the reports
A, B, C = 2, 3, 4
FIRST = np.array([0, B * C, B * C + B * A])  # the cliques (b, c), then (b, a), which is the root
ROWS_A, ROWS_B, ROWS_C = slice(0, A), slice(A, A + B), slice(A + B, A + B + C)
PARTS = {"halves": (1, B), "gone through": (B, 1)}  # values of b gone through, and on the left


def wiring(parts: str) -> Wiring:
    """The child (b, c) takes evidence on c and sends b a message; the root takes that, b and a."""
    values, left = PARTS[parts]
    own = np.arange(B)
    inputs = {  # the rows that the cells of a half take: in their order, for each value of b
        "c": np.tile(np.arange(C), values),
        "message": own,
        "b": own,
        "a": np.tile(np.arange(A), values),
    }
    maps = np.zeros((4, C * B), np.int32)
    for row, taken in zip(maps, inputs.values(), strict=True):
        row[: len(taken)] = taken
    known = A + B + C
    return Wiring(
        FIRST,
        np.array([[values, left, C], [values, left, A]]),
        np.array([0, 0, 1, 3, 4]),
        np.array([A + B, known, A, 0]),
        np.array([0, B, 0, 0]),
        maps,
        np.array([known, known + B]),
        np.array([own, np.zeros(B)], np.int32),
    )


def passed(evidence: Single, tables: Single, expected: Table, parts: str = "halves") -> float:
    return beliefs(evidence, tables, wiring(parts), expected)


def model(rng: np.random.Generator) -> tuple[Table, Table]:
    """Return the probabilities of c given b, and of b and a."""
    return rng.dirichlet(np.ones(C), B), rng.dirichlet(np.ones(B * A)).reshape(B, A)


def brute(evidence: Single, given: Table, root: Table) -> tuple[float, Table, Table]:
    """Return the log-likelihood and the sums of the posteriors, a report at a time."""
    value, child, top = 0.0, np.zeros((B, C)), np.zeros((B, A))
    for report in evidence.T.astype(np.float64):
        law = given[:, :, None] * root[:, None] * report[ROWS_B, None, None]
        law = law * report[ROWS_C, None] * report[ROWS_A]
        value += float(np.log(law.sum()))
        child += law.sum(axis=2) / law.sum()
        top += law.sum(axis=1) / law.sum()
    return value, child, top


@for_each("parts", PARTS)
@for_each("n", [1, LANES - 1, LANES, LANES + 1, 3 * LANES + 5])
def test_likelihood_and_posteriors_are_those_of_all_cells(n: int, parts: str) -> None:
    rng = np.random.default_rng(n)
    given, root = model(rng)
    evidence = rng.gamma(0.5, size=(A + B + C, n)).astype(np.float32) + np.float32(0.01)
    tables = np.concatenate([given.ravel(), root.ravel()]).astype(np.float32)
    expected = np.full(FIRST[-1], 7.0)
    value = passed(evidence, tables, expected, parts)
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
        expected[: FIRST[1]], 5 * (given * root.sum(axis=1)[:, None]).ravel(), rtol=SINGLE
    )


def test_evidence_of_very_different_size_is_no_trouble() -> None:
    """Likelihoods of a report are in units of its own, and may determine the value nearly."""
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
