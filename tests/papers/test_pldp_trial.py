"""A trial compares every method with the truth, on the same reports."""

from math import isnan

import numpy as np
import pytest

from papers.pldp.printed import ABALONE, CAR
from papers.pldp.study import S1, S2
from papers.pldp.trial import (
    OURS,
    SINGLE,
    WAYS,
    Way,
    available,
    crowd,
    margin,
    on_simplex,
    run,
    true_table,
)
from papers.study import Findings, distance
from tests.papers.crowds import made_up


def test_distance_is_half_the_sum_of_absolute_differences() -> None:
    one, other = np.array([[0.5, 0.5], [0.0, 0.0]]), np.array([[0.25, 0.25], [0.25, 0.25]])
    assert distance(one, other) == pytest.approx(0.5)
    assert distance(one, one) == 0.0


def test_margins_keep_the_named_axes() -> None:
    table = np.arange(24.0).reshape(2, 3, 4)
    np.testing.assert_array_equal(margin(table, (0, 2)), table.sum(axis=1))
    np.testing.assert_array_equal(margin(table, (0, 1, 2)), table)


def test_only_tables_with_negative_cells_are_moved() -> None:
    table = np.array([[0.7, 0.4], [-0.1, 0.0]])
    np.testing.assert_allclose(on_simplex(table), [[0.65, 0.35], [0.0, 0.0]])
    kept = np.array([[0.5, 0.6]])
    assert on_simplex(kept) is kept


def test_secret_reports_are_the_disclosed_ones_without_levels() -> None:
    records = made_up(ABALONE, 300)
    known, secret = (crowd(ABALONE, records, S1, 3, secret=secret) for secret in (False, True))
    for name in ABALONE.attributes:
        assert known.data[f"{name}.y"].equals(secret.data[f"{name}.y"])
        assert f"{name}.level" not in secret.data.column_names


def test_the_truth_is_the_share_of_the_records_in_each_cell() -> None:
    records = made_up(CAR, 40)
    table = true_table(S1.plan(CAR, secret=True), records)
    assert table.shape == (4, 4, 3, 3, 4)
    assert table.sum() == pytest.approx(1.0)
    buying = records["buying"].to_pylist()
    assert table.sum(axis=(1, 2, 3, 4))[3] == pytest.approx(buying.count("vhigh") / 40)


def test_a_trial_has_a_distance_for_every_number_of_attributes() -> None:
    ways = (OURS, Way("tensor", True), Way(SINGLE, True))
    found = Findings(run(CAR, made_up(CAR, 400), S2, 11, ways))
    for way in ways[:2]:
        ours = [found.mean("Car", "S#2", way, k) for k in range(1, 6)]
        assert list(ours) == sorted(ours)  # of one table and its marginals
        assert 0 < ours[0] <= ours[-1] <= 1
    first, *rest = (found.mean("Car", "S#2", ways[2], k) for k in range(1, 6))
    assert first > 0
    assert all(map(isnan, rest))  # it knows no joints


def test_trials_repeat() -> None:
    records, ways = made_up(CAR, 200), (Way("independent", True),)
    one, other = (list(run(CAR, records, S1, 2, ways)) for _ in range(2))
    assert one == other


def test_methods_that_are_not_there_are_left_out() -> None:
    assert Way("magic", True) not in available((*WAYS, Way("magic", True)))
    assert OURS in available(WAYS)
