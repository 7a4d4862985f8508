"""What is estimated of a folder is what is estimated of the table that was written to it."""

from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from discretion.aggregate import Aggregate
from discretion.crowd import simulate
from discretion.errors import EstimateError, TableError
from discretion.estimate.shards import SummedLikelihood, likelihood_of
from discretion.family.sets.likelihood import set_likelihood
from discretion.labels import frequencies
from discretion.numbers import mean, quantiles, variance
from discretion.plan import Plan
from discretion.robustness.bound import margin
from discretion.robustness.screening import screen
from discretion.table import ReportTable
from discretion.table.distinct import distinct_reports
from tests.builders import answered, bundled_survey, crowd, disclosed, secret_survey, survey
from tests.folders import in_folder
from tests.plans import AVERAGE, INCOME, RANGES
from tests.unit.table.test_folder import of_rounds

alike = partial(np.testing.assert_allclose, rtol=1e-9, atol=1e-12)  # sums in another order
METHODS = ("mle", "weighted", "stratified")
WIDE = 72  # codes: reports of so many bytes that they are no integers


def rappor(size: int, **words: int) -> Plan:
    x = {"name": "x", "kind": "categorical", "values": list(range(size))}
    z = {"name": "z", "kind": "categorical", "values": ["yes", "no"]}
    attributes = [{**x, "mechanism": {"rappor": words}}, z]
    budget = {"levels": [0.5, 1.5, 3]}
    return Plan.of({"name": "coded", "attributes": attributes, "budget": budget})


def codes(size: int, n: int = 500) -> np.ndarray:
    return np.random.default_rng(5).integers(0, size, n) % max(size // 2, 2)


@pytest.mark.parametrize("plan", [survey(), secret_survey(), bundled_survey()])
def test_an_aggregate_is_the_same_to_the_byte(plan: Plan, tmp_path: Path) -> None:
    table = crowd(plan, 400, seed=2)
    assert Aggregate.of(in_folder(table, tmp_path)).to_json() == Aggregate.of(table).to_json()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("mechanism", ["grr", "oue", "subset"])
@pytest.mark.parametrize("size", [5, WIDE])
def test_frequencies_are_those_of_the_table(
    method: str, mechanism: str, size: int, tmp_path: Path
) -> None:
    table = answered(disclosed(mechanism, size), codes(size), seed=3)
    expected, found = (frequencies(r, "x", method) for r in (table, in_folder(table, tmp_path)))
    alike(found.value, expected.value)
    alike(found.covariance, expected.covariance)
    assert (found.n, found.method, found.homogeneity) == (
        expected.n,
        expected.method,
        expected.homogeneity,
    )


@pytest.mark.parametrize("words", [{"hashes": 2, "bits": 14}, {"hashes": 2, "bits": 70}])
def test_frequencies_from_words_are_those_of_the_table(
    words: dict[str, int], tmp_path: Path
) -> None:
    table = answered(rappor(6, cohorts=3, **words), codes(6), seed=3)
    expected, found = (frequencies(r, "x", "mle") for r in (table, in_folder(table, tmp_path)))
    alike(found.value, expected.value)
    alike(found.covariance, expected.covariance)


@pytest.mark.parametrize("method", ["blind", "moment"])
def test_secret_levels_are_estimated_as_of_the_table(method: str, tmp_path: Path) -> None:
    table = crowd(secret_survey(), 600, seed=4)
    folder = in_folder(table, tmp_path)
    for name in ("mode", "pet"):
        expected, found = (frequencies(r, name, method) for r in (table, folder))
        alike(found.value, expected.value)
        alike(found.covariance, expected.covariance)


def test_wide_reports_stay_in_their_shards_and_small_ones_are_counted(tmp_path: Path) -> None:
    table = answered(disclosed("oue", WIDE), codes(WIDE), seed=3)
    folder = in_folder(table, tmp_path)
    assert distinct_reports(folder, ["x"]) is None
    few = distinct_reports(folder, ["z"])
    assert few is not None
    shown = zip(few.table.data.to_pylist(), few.times.tolist(), strict=True)
    counted = {(row["z.level"], row["z.y"]): times for row, times in shown}
    rows = table.data.select(["z.level", "z.y"]).to_pylist()
    reported = [(row["z.level"], row["z.y"]) for row in rows if row["z.y"] is not None]
    assert counted == {each: reported.count(each) for each in set(reported)}


def test_many_different_reports_are_not_gathered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = answered(disclosed("grr", 5), codes(5), seed=3)
    folder = in_folder(table, tmp_path)
    expected = frequencies(folder, "x", "mle")
    monkeypatch.setattr("discretion.table.distinct.MOST", 3)
    assert distinct_reports(folder, ["x"]) is None
    found = frequencies(folder, "x", "mle")
    alike(found.value, expected.value)


def test_shards_in_which_nobody_shares_the_attribute_count_nothing(tmp_path: Path) -> None:
    plan = disclosed("oue", WIDE)
    table = answered(plan, codes(WIDE, 100), seed=3)
    silent = table.data.drop_columns(["x.level", "x.y"])
    for column in ("x.level", "x.y"):
        place = table.data.column_names.index(column)
        kind = table.data[column].type
        nulls = [None] * 70 + table.data[column].to_pylist()[70:]
        silent = silent.add_column(place, column, pa.array(nulls, kind))
    some = ReportTable(plan, silent.select(table.data.column_names))
    expected, found = (frequencies(r, "x", "mle") for r in (some, in_folder(some, tmp_path)))
    alike(found.value, expected.value)


def test_numbers_are_those_of_the_table(tmp_path: Path) -> None:
    attributes = [INCOME | {"step": 5000}, {**INCOME, "name": "rent", "ranges": RANGES}]
    plan = Plan.of({"name": "n", "attributes": attributes, "budget": AVERAGE})
    rng = np.random.default_rng(1)
    records = {"income": rng.integers(0, 200000, 500), "rent": rng.integers(0, 90000, 500)}
    table = simulate(plan, records, budgets="dirichlet", ranges="menu", seed=1)
    folder = in_folder(table, tmp_path)
    for name in plan.names:
        assert mean(folder, name).value == mean(table, name).value
        assert variance(folder, name).value == variance(table, name).value
        found, expected = (quantiles(r, name).value for r in (folder, table))
        np.testing.assert_array_equal(found, expected)
    assert distinct_reports(folder, ["rent"]) is not None


def test_margins_and_screenings_are_those_of_the_table(tmp_path: Path) -> None:
    table = crowd(survey(), 400, seed=2)
    folder = in_folder(table, tmp_path)
    assert margin(folder, "mode").document() == margin(table, "mode").document()
    assert screen(folder, "mode").document() == screen(table, "mode").document()


def test_rounds_are_not_mixed(tmp_path: Path) -> None:
    folder = in_folder(of_rounds(crowd(survey(), 200, seed=1), 0, 2), tmp_path)
    with pytest.raises(EstimateError, match=r"one round, got 0, 2: use of_round\(\)"):
        frequencies(folder, "mode")
    with pytest.raises(TableError, match="one round"):
        Aggregate.of(folder)
    assert frequencies(folder.of_round(2), "mode").n > 0


def test_a_sum_over_shards_is_a_likelihood(tmp_path: Path) -> None:
    table = answered(disclosed("oue", WIDE), codes(WIDE), seed=3)
    build = partial(set_likelihood, "x")
    whole = likelihood_of(table, "x", build)
    summed = likelihood_of(in_folder(table, tmp_path), "x", build)
    assert isinstance(summed, SummedLikelihood)
    f = np.random.default_rng(1).dirichlet(np.ones(WIDE))
    one, other = whole.at(f), summed.at(f)
    assert summed.n == whole.n
    assert other.value == pytest.approx(one.value, rel=1e-12)
    alike(other.multiplier, one.multiplier)
    alike(other.curvature, one.curvature)
    alike(summed.curvature(f), whole.curvature(f))
