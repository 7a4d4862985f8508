"""The score test of interactions, against a likelihood ratio, and what an estimate makes of it."""

import warnings

import numpy as np
import pytest
import scipy

from discretion.errors import InteractionWarning
from discretion.joints import joint
from discretion.joints.build import likelihood_of
from discretion.joints.interactions import Interaction, controlled, expressible
from discretion.joints.interactions import tested as all_tested
from discretion.joints.mle import most_likely
from discretion.joints.table_evidence import Evidence
from discretion.synthesis import publish
from discretion.table import ReportTable
from tests.unit.joints.crowds import Table, Vector, crowd, plan_of, total_variation

NAMES = ("a", "b", "c")
PLAN = plan_of((2, 2, 2), "subset")


def exclusive(share: float) -> Table:
    """Return the table of c = a xor b, in so many of all records."""
    a, b, c = np.indices((2, 2, 2))
    return np.where(c == (a + b) % 2, share, 1 - share) / 4


def pairwise() -> Table:
    """Return a table in which two depend on each other at a time."""
    a, b, c = 2 * np.indices((2, 2, 2)) - 1
    weights = np.exp(0.4 * a * b + 0.3 * b * c - 0.2 * a * c + 0.2 * a)
    return np.asarray(weights / weights.sum())


def reports_of(f: Table, n: int, seed: int) -> ReportTable:
    return crowd(PLAN, f, n, seed)


def best_pairwise(evidence: Evidence) -> tuple[Vector, float]:
    """Return the most likely table without an interaction of all three, and its likelihood."""
    likelihood = likelihood_of(evidence)
    signs = 2 * np.indices((2, 2, 2)).reshape(3, -1) - 1
    features = np.column_stack(
        [*signs, *(signs[i] * signs[j] for i, j in ((0, 1), (0, 2), (1, 2)))]
    )

    def table(theta: Vector) -> Vector:
        return np.asarray(scipy.special.softmax(features @ theta))

    def loss(theta: Vector) -> tuple[float, Vector]:
        f = table(theta)
        value, slope = likelihood.slope(f)
        return -value, -likelihood.n * ((f * slope) @ features - f @ features)

    found = scipy.optimize.minimize(loss, np.zeros(6), jac=True, method="BFGS")
    return table(found.x), -float(found.fun)


@pytest.mark.parametrize("seed", range(3))
def test_the_statistic_is_nearly_twice_the_gain_of_the_likelihood(seed: int) -> None:
    """Of one term that may be zero, score and likelihood ratio differ in the third order."""
    evidence = Evidence.of(reports_of(exclusive(0.55), 8_000, seed), NAMES)
    table, value = best_pairwise(evidence)
    (found,) = all_tested(evidence, table.reshape(2, 2, 2))
    likelihood = likelihood_of(evidence)
    most = likelihood.slope(most_likely(likelihood, np.full(8, 1 / 8)).f)[0]
    assert (found.attributes, found.df) == (NAMES, 1)
    assert found.statistic == pytest.approx(2 * (most - value), rel=0.1, abs=0.05)


def test_a_shrunk_table_does_not_pass_its_bias_on_to_the_statistic() -> None:
    """What errors of the pairs explain is taken off."""
    evidence = Evidence.of(reports_of(pairwise(), 8_000, 4), NAMES)
    table, _ = best_pairwise(evidence)
    plain = all_tested(evidence, table.reshape(2, 2, 2))[0].statistic
    mixed = 0.97 * table + 0.03 / 8
    assert all_tested(evidence, mixed.reshape(2, 2, 2))[0].statistic == pytest.approx(
        plain, abs=0.3
    )


def test_exclusive_or_is_let_in_by_default() -> None:
    f, reports = exclusive(0.8), reports_of(exclusive(0.8), 10_000, 5)
    found = joint(reports, NAMES)
    assert [each.attributes for each in found.let_in] == [NAMES]
    assert not found.left_out
    assert total_variation(found.value, f) < 0.1
    assert "interactions let in: a x b x c" in str(found)
    (document,) = found.document()["interactions"]
    assert (document["attributes"], document["expressed"]) == (list(NAMES), True)
    assert not found.marginal(("a", "b")).interactions


def test_a_model_of_pairs_warns_of_what_it_leaves_out() -> None:
    reports = reports_of(exclusive(0.8), 10_000, 5)
    with pytest.warns(InteractionWarning, match=r"a x b x c \(.* standard errors\)"):
        found = joint(reports, NAMES, "map")
    assert [each.attributes for each in found.left_out] == [NAMES]
    assert "interactions left out: a x b x c" in str(found)


def test_where_pairs_are_all_there_is_nothing_is_said() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", InteractionWarning)
        found = joint(reports_of(pairwise(), 10_000, 6), NAMES, "map")
    assert not found.left_out
    assert "interactions" not in found.document()


def test_a_set_that_nobody_answers_together_is_not_tested() -> None:
    reports = crowd(PLAN, exclusive(0.9), 2_000, 7, share=2)
    assert all_tested(Evidence.of(reports, NAMES), np.full((2, 2, 2), 1 / 8)) == ()


def test_the_false_discovery_rate_is_controlled() -> None:
    found = controlled([Interaction(NAMES, 1.0, 1, p, p) for p in (0.01, 0.04, 0.5)])
    np.testing.assert_allclose([each.adjusted for each in found], [0.03, 0.06, 0.5])
    assert [each.found for each in found] == [True, False, False]


def test_terms_are_for_what_gains_more_than_its_noise_and_fits() -> None:
    evidence = Evidence.of(reports_of(pairwise(), 200, 8), NAMES)
    clear, slight, none = (
        Interaction(NAMES, t, 1, 0.2, q) for t, q in ((9, 0.01), (3, 0.2), (1, 0.5))
    )
    marked = expressible(evidence, (clear, slight, none))
    assert [each.expressed for each in marked] == [True, True, False]


def test_a_publication_names_the_triple_that_its_model_does_not_express() -> None:
    found = publish(reports_of(exclusive(0.85), 10_000, 9), rows=10, seed=1)
    assert [each.attributes for each in found.left_out] == [NAMES]
    quality = found.quality()
    assert "does not express: a, b, c" in str(quality)
    assert "agrees" not in str(quality)
    assert "not expressed" in quality.to_html()
