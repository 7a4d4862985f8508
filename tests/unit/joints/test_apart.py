"""One value stands apart: what the models of two attributes are, and what the default makes."""

import numpy as np
import pytest

from discretion.joints import joint
from discretion.joints.averaging import apart, independent, structured
from discretion.joints.loglinear import LogLinear, shrunk
from discretion.joints.penalised import Fitted
from tests.unit.joints.crowds import Table, crowd, dependent, plan_of, total_variation
from tests.unit.joints.test_directions import near_the_top, of_reports

NAMES = ("a", "b")


def refused(rows: int, columns: int, seed: int) -> Table:
    """Return a table of which the first row has one column only, and the others are alike."""
    shares = np.sort(np.random.default_rng(seed).dirichlet(np.full(columns, 1.5)))[::-1]
    f = np.vstack([np.eye(columns)[0], np.tile(shares, (rows - 1, 1))])
    return f / rows


def fits(f: Table, n: int, seed: int) -> tuple[Fitted, list[Fitted]]:
    parabola = near_the_top(of_reports(f, n, seed), f.size)
    model = LogLinear.of(f.shape, (False, False))
    start = model.independent([f.sum(axis=1), f.sum(axis=0)])
    none = independent(model, parabola, start)
    return none, apart(model, parabola, none)


def odds(f: Table) -> Table:
    """Return the logarithms of all odds ratios with the last row and the last column."""
    logs = np.log(f)
    return logs[:-1, :-1] - logs[-1:, :-1] - logs[:-1, -1:] + logs[-1, -1]


def test_one_model_for_each_value_and_one_without() -> None:
    """Rows that do not stand apart are alike; so are columns."""
    none, found = fits(dependent((3, 4)), 4_000, 1)
    assert len(none.theta) == 5
    np.testing.assert_allclose(odds(none.table.reshape(3, 4)), 0, atol=1e-9)
    assert [len(each.theta) for each in found] == [5 + 3] * 3 + [5 + 2] * 4
    for value, each in enumerate(found[:3]):
        rest = np.delete(each.table.reshape(3, 4), value, axis=0)
        np.testing.assert_allclose(odds(rest), 0, atol=1e-9)
        assert np.ptp(odds(each.table.reshape(3, 4))) > 0.01
    for value, each in enumerate(found[3:]):
        rest = np.delete(each.table.reshape(3, 4), value, axis=1)
        np.testing.assert_allclose(odds(rest), 0, atol=1e-9)
    assert all(each.value >= none.value for each in found)  # they can be as if nothing were


def test_of_two_values_one_model_is_enough() -> None:
    _, found = fits(dependent((2, 5)), 4_000, 2)
    assert [len(each.theta) for each in found] == [5 + 4] + [5 + 1] * 5


@pytest.mark.parametrize("axis", [0, 1])
def test_the_evidence_names_the_value_that_stands_apart(axis: int) -> None:
    f = np.swapaxes(refused(4, 3, 1), 0, axis)
    none, found = fits(f, 20_000, 3)
    evidence = [each.evidence for each in found]
    assert np.argmax(evidence) == (0, f.shape[0])[axis]
    assert max(evidence) > none.evidence + 10


def test_where_nothing_depends_independence_is_likeliest() -> None:
    none, found = fits(np.outer([0.5, 0.3, 0.2], [0.4, 0.3, 0.2, 0.1]), 4_000, 4)
    assert none.evidence > max(each.evidence for each in found)
    assert none.determined == pytest.approx(5, abs=0.2)


def test_the_average_is_that_of_the_likeliest_where_it_is_plain() -> None:
    f = refused(4, 3, 2)
    parabola = near_the_top(of_reports(f, 30_000, 5), f.size)
    model = LogLinear.of(f.shape, (False, False))
    fit = shrunk(model, parabola, model.independent([f.sum(axis=1), f.sum(axis=0)]))
    found = structured(model, parabola, fit)
    wanted = apart(model, parabola, independent(model, parabola, fit.theta))[0]
    assert total_variation(found.value.reshape(f.shape), wanted.table.reshape(f.shape)) < 0.005
    assert found.determined == pytest.approx(wanted.determined, abs=0.5)


def test_the_default_is_nearer_than_either_where_one_row_stands_apart() -> None:
    error = dict.fromkeys(("auto", "map", "mle"), 0.0)
    for seed in range(8):
        f = refused(4, 4, seed)
        reports = crowd(plan_of(f.shape), f, 4_000, seed, missing=0.1)
        for method in error:
            error[method] += total_variation(joint(reports, NAMES, method).value, f)
    assert error["auto"] < 0.95 * min(error["map"], error["mle"])
