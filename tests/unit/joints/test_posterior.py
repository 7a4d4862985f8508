"""The law of a shrunk table: what is borrowed counts, and what assumes nothing stays at hand."""

import numpy as np
import pytest

from discretion.joints import JointEstimate, joint
from discretion.joints.posterior import BASIS
from discretion.table import ReportTable
from tests.unit.joints.crowds import Table, crowd, dependent, plan_of

NAMES = ("a", "b", "c")
SEED = 71


def reports_of(f: Table, n: int, seed: int = SEED) -> ReportTable:
    return crowd(plan_of(f.shape), f, n, seed, missing=0.15)


def width(estimate: JointEstimate | None) -> float:
    assert estimate is not None
    return float(np.diff(estimate.interval()).mean())


@pytest.mark.parametrize("method", ["adaptive", "map"])
def test_it_is_narrower_than_what_assumes_nothing(method: str) -> None:
    reports = reports_of(np.full((3, 4), 1 / 12), 5_000)
    found, plain = joint(reports, NAMES[:2], method), joint(reports, NAMES[:2], "mle")
    assert found.basis == BASIS
    assert "intervals: empirical Bayes, for the average cell" in str(found)
    assert width(found) < 0.8 * width(plain)
    assert plain.unshrunk is None
    assert found.unshrunk is not None
    assert found.unshrunk.method == "mle"
    np.testing.assert_array_equal(found.unshrunk.value, plain.value)
    np.testing.assert_array_equal(found.unshrunk.interval(), plain.interval())


def test_where_the_reports_say_all_nothing_is_borrowed() -> None:
    """A million owners: shrinkage takes nothing, and both laws are those of the reports."""
    f = dependent((2, 3), strength=1.5)
    found = joint(reports_of(f, 1_000_000), NAMES[:2], "map")
    assert found.unshrunk is not None
    np.testing.assert_allclose(found.stderr, found.unshrunk.stderr, rtol=0.02)
    np.testing.assert_allclose(found.centre, found.unshrunk.centre, atol=0.2 * found.stderr.min())


def test_interactions_that_the_table_has_no_terms_for_count() -> None:
    """An exclusive or in part of the records: pairs show nothing of it."""
    a, b, c = np.indices((2, 2, 2))
    f = np.where((a ^ b) == c, 0.16, 0.09)
    reports = reports_of(f, 20_000)
    with pytest.warns(UserWarning, match="depend on each other"):
        found = joint(reports, NAMES, "map")
    low, high = np.moveaxis(found.interval(0.99), 3, 0)
    assert np.abs(found.value - f).min() > 0.02
    assert ((low <= f) & (f <= high)).all()
    assert (high - low).mean() < 0.08


def test_parts_of_a_table_have_parts_of_both_laws() -> None:
    found = joint(reports_of(dependent((2, 3, 2)), 5_000), NAMES)
    assert found.unshrunk is not None
    pair, given = found.marginal(["c", "a"]).unshrunk, found.condition({"b": "b1"}).unshrunk
    assert pair is not None
    assert given is not None
    np.testing.assert_array_equal(pair.value, found.unshrunk.marginal(["c", "a"]).value)
    np.testing.assert_array_equal(given.root, found.unshrunk.condition({"b": "b1"}).root)
    one = found.mutual_information("a", "b")
    assert one.interval() == found.unshrunk.mutual_information("a", "b").interval()


def test_few_reports_do_not_say_how_large_interactions_are() -> None:
    found = joint(reports_of(dependent((3, 4)), 60), NAMES[:2], "map")
    assert found.basis == "mle"
    assert found.unshrunk is not None
    np.testing.assert_array_equal(found.stderr, found.unshrunk.stderr)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::discretion.DependenceWarning")  # one in a thousand by design
def test_the_average_cell_is_covered() -> None:
    """Other tables, more runs and the worst cells: ``experiments.intervals``."""
    runs, hits, widths, errors = 200, [], [], []
    for size in (3, 6):
        f = np.random.default_rng(size).dirichlet(np.full(size * 3, 1.5)).reshape(size, 3)
        for seed in range(runs):
            found = joint(reports_of(f, 8_000, seed), NAMES[:2])
            low, high = np.moveaxis(found.interval(), 2, 0)
            hits.append(((low <= f) & (f <= high)).mean())
            widths.append((high - low).mean())
            errors.append(((found.value - f) ** 2).mean())
    print(f"covered {np.mean(hits):.3f}")
    assert 0.93 < np.mean(hits) < 0.97
    assert np.mean(widths) < 1.25 * 3.92 * np.sqrt(np.mean(errors))
