"""Two crowds compared: what the test says, and what is refused."""

import itertools
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import discretion as ds
from discretion.aggregate import Aggregate
from discretion.comparisons.difference import chi_square
from discretion.errors import DiscretionError, EstimateError
from discretion.plan import Plan
from discretion.table import ReportFolder, ReportTable
from tests.builders import answered, author, crowd, disclosed, secret_survey, survey

LOW, HIGH = (0.5, 1.5, 3), (1, 2, 4)
SHARES = np.array([0.5, 0.3, 0.2])
NUMBER = {"name": "km", "kind": "numeric", "range": [0, 50], "step": 1}


def people(n: int, seed: int, shares: Any = SHARES) -> Any:
    return np.random.default_rng(seed).choice(len(shares), n, p=shares)


def arm(
    n: int, seed: int, levels: tuple[float, ...] = LOW, shares: Any = SHARES, mechanism: str = "grr"
) -> ReportTable:
    return answered(disclosed(mechanism, 3, levels), people(n, seed, shares), seed)


def test_the_differences_are_those_of_the_unbiased_estimates() -> None:
    first, second = arm(3000, 1), arm(2000, 2, HIGH, mechanism="oue")
    found = ds.compare(first, second, "x")
    each = [ds.frequencies(side, "x", "weighted") for side in (first, second)]
    np.testing.assert_allclose(found.first, each[0].value)
    np.testing.assert_allclose(found.second, each[1].value)
    np.testing.assert_allclose(found.stderr**2, each[0].stderr ** 2 + each[1].stderr ** 2)
    assert found.reports == (each[0].n, each[1].n)


def test_the_statistic_is_that_of_pearson_where_hardly_anything_is_perturbed() -> None:
    """At level 20 a report is the answer: two samples of a multinomial, compared as books do."""
    plan = disclosed("grr", 3, (20.0,))
    first, second = (answered(plan, people(n, n), n, missing=0) for n in (900, 400))
    counts = [np.bincount(people(n, n), minlength=3) for n in (900, 400)]
    common = sum(counts) / 1300
    pearson = sum(((c - c.sum() * common) ** 2 / (c.sum() * common)).sum() for c in counts)
    found = ds.compare(first, second, "x").test
    assert found.df == 2
    assert found.statistic == pytest.approx(pearson, rel=1e-6)


def test_unequal_budgets_are_no_difference_and_a_real_one_is_found() -> None:
    same = ds.compare(arm(20_000, 3), arm(20_000, 4, HIGH), "x")
    other = ds.compare(arm(20_000, 3), arm(20_000, 5, HIGH, [0.3, 0.4, 0.3]), "x")
    assert same.pvalue > 0.001
    assert other.pvalue < 1e-6
    low, high = other.interval().T
    assert (low < [0.2, -0.1, -0.1]).all()
    assert (high > [0.2, -0.1, -0.1]).all()


def test_values_in_another_order_are_matched_by_name() -> None:
    first = arm(3000, 6)
    values = {"name": "x", "kind": "categorical", "values": ["2", "0", "1"], "mechanism": "grr"}
    plan = Plan.of(author(attributes=[values], budget={"levels": [1, 2]}))
    rows = {"x": [str(code) for code in people(3000, 7)]}
    found = ds.compare(first, ds.simulate(plan, rows, budgets="levels", seed=7), "x")
    assert found.labels == ("0", "1", "2")
    np.testing.assert_allclose(found.second, SHARES, atol=0.12)


def test_counts_folders_and_tables_say_the_same(tmp_path: Any) -> None:
    first, second = arm(500, 8), arm(400, 9, HIGH)
    for name, side in (("a", first), ("b", second)):
        folder = tmp_path / name
        folder.mkdir()
        side.write(folder / "part.parquet")
    whole = ds.compare(first, second, "x").document()
    assert ds.compare(Aggregate.of(first), Aggregate.of(second), "x").document() == whole
    one, other = (ReportFolder.open(str(tmp_path / name)) for name in "ab")
    assert ds.compare(one, other, "x").document() == whole


def test_means_of_a_number_are_compared_in_its_units() -> None:
    plan = Plan.of(author(attributes=[NUMBER], budget={"levels": [0.5, 1, 2]}))
    rng = np.random.default_rng(10)
    first, second = (
        ds.simulate(plan, {"km": rng.integers(0, top, 8000)}, budgets="levels", seed=seed)
        for seed, top in ((11, 41), (12, 31))
    )
    found = ds.compare(first, second, "km")
    ((low, high),) = found.interval()
    assert found.labels == ("mean",)
    assert low < 5 < high
    assert high - low < 3
    assert found.pvalue < 1e-6


def test_permutations_give_every_exchange_the_same_probability() -> None:
    """Of 4 and 3 owners of one level, the p-value counts the 35 divisions."""
    plan = disclosed("grr", 2, (1.0,))
    codes = [0, 0, 0, 1], [1, 1, 1]
    first, second = (answered(plan, own, 13 + i, missing=0) for i, own in enumerate(codes))
    y = [np.concatenate([own for _, own in s.answers("x")]).ravel() for s in (first, second)]
    ones = np.concatenate(y)
    observed = abs(y[0].mean() - y[1].mean())
    divisions = [
        abs(ones[list(own)].mean() - np.delete(ones, list(own)).mean())
        for own in itertools.combinations(range(7), 4)
    ]
    exact = np.mean(np.array(divisions) >= observed - 1e-9)
    found = ds.compare(first, second, "x", permutations=4000, seed=14)
    assert found.test.method == "permutation"
    assert found.pvalue == pytest.approx(exact, abs=0.04)
    assert ds.compare(first, second, "x", permutations=50, seed=1).pvalue >= 1 / 51


def test_secret_levels_are_compared_by_moments() -> None:
    first, second = (crowd(secret_survey(), 3000, seed) for seed in (15, 16))
    assert ds.compare(first, second, "mode").pvalue > 0.001


def test_what_is_not_two_crowds_of_different_people_is_refused() -> None:
    table = crowd(survey(), 60, 17)
    later = ReportTable(
        table.plan, table.data.set_column(1, "round", pa.array([3] * len(table), pa.int32()))
    )
    half = ReportTable(table.plan, table.data.slice(0, 30))
    rest = ReportTable(table.plan, table.data.slice(30))
    with pytest.raises(EstimateError, match="60 reports are in both"):
        ds.compare(table, table, "mode")
    with pytest.raises(EstimateError, match="30 reports are in both"):
        ds.compare(table, half, "mode")
    with pytest.raises(EstimateError, match=r"round 0 and 3 .* different_owners=True"):
        ds.compare(table, later, "mode")
    assert ds.compare(table, later, "mode", different_owners=True).reports[0] > 30
    assert ds.compare(half, rest, "mode").reports[0] < 31


@pytest.mark.parametrize(
    "other, message",
    [
        (lambda: answered(disclosed("grr", 4), people(50, 1), 1), "only one has 3"),
        (lambda: crowd(survey(), 50, 1), "no attribute 'x'"),
    ],
)
def test_what_cannot_be_compared_is_named(other: Any, message: str) -> None:
    with pytest.raises(DiscretionError, match=message):
        ds.compare(arm(50, 18), other(), "x")


def test_permutations_need_tables_of_one_plan() -> None:
    first, second = arm(50, 19), arm(50, 20)
    with pytest.raises(EstimateError, match="whole number from 1"):
        ds.compare(first, second, "x", permutations=-1)
    for other in (arm(50, 21, HIGH), Aggregate.of(second)):
        with pytest.raises(EstimateError, match="two tables of reports of one plan"):
            ds.compare(first, other, "x", permutations=9)


def test_codes_without_a_normal_error_are_left_out_of_the_test() -> None:
    apart, covariance = np.array([0.2, -0.1, -0.1]), np.diag([0.01, 0.01, 0.01])
    assert chi_square(apart, covariance, np.array([True, True, True])).df == 2
    one = chi_square(apart, covariance, np.array([True, False, False]))
    assert one.df == 1
    assert one.statistic == pytest.approx(4.0)
    assert chi_square(apart, covariance, np.zeros(3, np.bool_)).pvalue == 1.0


def test_a_result_is_a_frame_a_table_and_a_document() -> None:
    found = ds.compare(arm(300, 22), arm(300, 23), "x")
    names = ["x", "first", "second", "difference", "stderr", "low", "high"]
    assert found.to_frame().column_names == names
    assert found.to_frame("pandas").shape == (3, 7)
    assert found.document()["test"]["p"] == found.pvalue
    assert "for no difference" in str(found).splitlines()[0]
    assert len(str(found).splitlines()) == 5
