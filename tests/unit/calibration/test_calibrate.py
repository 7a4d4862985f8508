"""Weighted estimates: exact where reports are, unbiased, the same from any storage, or refused."""

import itertools
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import discretion as ds
from discretion.aggregate import Aggregate
from discretion.calibration.calibrated import Respondents, calibrated, stacked
from discretion.calibration.margins import read_margins
from discretion.calibration.raking import Raked
from discretion.errors import DiscretionError
from discretion.joints.methods import Answer
from discretion.plan import Plan
from discretion.statistics.registry import STATISTICS
from discretion.table import ReportTable
from tests.builders import aggregate_of, table_of

AGE, WORK, TRAVEL = ["young", "old"], ["no", "part", "full"], ["car", "bus"]
NAMES = ("age", "work", "travel")
HOURS = {"name": "hours", "kind": "numeric", "range": [0, 40], "step": 1}


def plan_of(levels: list[float], **more: Any) -> Plan:
    values = zip(NAMES, (AGE, WORK, TRAVEL), strict=True)
    asked = [{"name": n, "kind": "categorical", "values": v, "mechanism": "grr"} for n, v in values]
    return Plan.of(
        {"name": "s", "attributes": [*asked, HOURS], "budget": {"levels": levels}, **more}
    )


PLAN = plan_of([0.5, 1, 2, 4])
POPULATION = np.random.default_rng(20261118).dirichlet(np.full(12, 4.0)).reshape(2, 3, 2)
SELECTED = np.outer([1.0, 0.4], [0.5, 1.0, 0.7])
RESPONDENTS = POPULATION * SELECTED[:, :, None] / (POPULATION * SELECTED[:, :, None]).sum()
MARGINS = {
    "age": dict(zip(AGE, POPULATION.sum(axis=(1, 2)).tolist(), strict=True)),
    "work": dict(zip(WORK, POPULATION.sum(axis=(0, 2)).tolist(), strict=True)),
}
EXACT = 1e-12


def records(n: int, seed: int, missing: float = 0.15) -> pa.Table:
    rng = np.random.default_rng(seed)
    cells = np.unravel_index(rng.choice(12, n, p=RESPONDENTS.ravel()), (2, 3, 2))
    columns = {
        name: np.array(labels)[codes]
        for name, labels, codes in zip(NAMES, (AGE, WORK, TRAVEL), cells, strict=True)
    }
    columns["hours"] = 10 + 20 * cells[0] + rng.integers(0, 11, n)
    return pa.table({k: pa.array(v, mask=rng.random(n) < missing) for k, v in columns.items()})


@pytest.fixture(scope="module")
def reports() -> ReportTable:
    return ds.simulate(PLAN, records(6000, 1), budgets="levels", seed=1)


@pytest.fixture(scope="module")
def weights(reports: ReportTable) -> ds.Calibration:
    return ds.calibrate(reports, MARGINS)


def respondents(table: ReportTable) -> Respondents:
    return Respondents.of(table, NAMES, "tensor")


def raked(pilot: Any) -> Raked:
    known = read_margins(PLAN, MARGINS)
    targets = np.concatenate([margin.shares for margin in known])
    return Raked.of(pilot, stacked(known, NAMES[:2], (2, 3)), targets)


def population(found: Respondents, moments: Any, pilot: Any) -> Any:
    answer = Answer(moments, np.zeros((1, 2, 3, 2)))
    known = read_margins(PLAN, MARGINS)
    return calibrated(replace(found, moments=answer), NAMES[:2], raked(pilot), known).value


def test_the_respondents_own_table_becomes_the_populations(reports: ReportTable) -> None:
    """What is left of an error of the pilot is its square: half the error leaves a quarter."""
    found, cells = respondents(reports), RESPONDENTS.sum(axis=2).ravel()
    value = population(found, RESPONDENTS, cells)
    np.testing.assert_allclose(value, POPULATION, atol=EXACT)
    off = np.random.default_rng(3).normal(size=6)
    off -= off.mean()
    errors = [
        np.abs(population(found, RESPONDENTS, cells + step * off) - POPULATION).max()
        for step in (0.004, 0.002)
    ]
    assert 3.5 < errors[0] / errors[1] < 4.5


def test_any_pilot_gives_a_noisy_table_the_margins(reports: ReportTable) -> None:
    noisy = RESPONDENTS + np.random.default_rng(4).normal(size=(2, 3, 2)) * 0.02
    value = population(respondents(reports), noisy / noisy.sum(), np.full(6, 1 / 6))
    np.testing.assert_allclose(value.sum(axis=(1, 2)), list(MARGINS["age"].values()), atol=EXACT)
    np.testing.assert_allclose(value.sum(axis=(0, 2)), list(MARGINS["work"].values()), atol=EXACT)


def test_the_moments_are_unbiased_by_enumeration() -> None:
    """Every outcome of two owners in one cell at unequal levels, weighted by its probability."""
    cell, levels, expected = (0, 1, 0), (4000, 1000), np.zeros((2, 3, 2))
    laws = [[PLAN.questions[name].law(level) for name in NAMES] for level in levels]
    for outcome in itertools.product(range(2), range(3), range(2), repeat=2):
        each = outcome[:3], outcome[3:]
        pairs = zip([law for own in laws for law in own], (*cell, *cell), outcome, strict=True)
        likelihood = np.prod([float(law.probability(y, x)) for law, x, y in pairs])
        rows = [
            {name: (level, y) for name, y in zip(NAMES, ys, strict=True)}
            for level, ys in zip(levels, each, strict=True)
        ]
        expected += likelihood * respondents(table_of(PLAN, rows)).moments.value
    truth = np.zeros((2, 3, 2))
    truth[cell] = 1
    np.testing.assert_allclose(expected, truth, atol=1e-10)


def test_weights_repair_the_selection_that_biases_the_raw_shares() -> None:
    """At level 20 reports are nearly the answers: what is left is the sample's own error."""
    plan = plan_of([20.0])
    table = ds.simulate(plan, records(40_000, 5, missing=0), budgets="levels", seed=5)
    weights = ds.calibrate(table, MARGINS)
    np.testing.assert_allclose(
        weights.value * weights.shares, POPULATION.sum(axis=2).ravel(), atol=0.01
    )
    truth, found = POPULATION.sum(axis=(0, 1)), ds.frequencies(table, "travel", weights=weights)
    assert (np.abs(found.value - truth) < 4 * found.stderr).all()
    mean = ds.mean(table, "hours", weights=weights)
    assert abs(mean.value - (15 + 20 * POPULATION[1].sum())) < 4 * mean.stderr
    assert abs(ds.mean(table, "hours").value - mean.value) > 4  # the raw one
    by_cell = {
        a: dict(zip(WORK, row, strict=True))
        for a, row in zip(AGE, POPULATION.sum(axis=2).tolist(), strict=True)
    }
    post = ds.frequencies(table, "travel", weights=ds.calibrate(table, {"age+work": by_cell}))
    assert (np.abs(post.value - truth) < 4 * post.stderr).all()


def test_margins_are_met_and_known_exactly_or_with_their_own_errors(
    reports: ReportTable, weights: ds.Calibration
) -> None:
    found = ds.frequencies(reports, "age", weights=weights)
    np.testing.assert_allclose(found.value, list(MARGINS["age"].values()), atol=EXACT)
    assert found.stderr.max() < EXACT
    errors = {"shares": MARGINS["age"], "stderr": dict.fromkeys(AGE, 0.03)}
    loose = ds.calibrate(reports, {**MARGINS, "age": errors})
    np.testing.assert_allclose(ds.frequencies(reports, "age", weights=loose).stderr, 0.03)
    fixed, own = (ds.mean(reports, "hours", weights=each).stderr for each in (weights, loose))
    assert own**2 == pytest.approx(fixed**2 + (20 * 0.03) ** 2, rel=0.2)  # old people: 20 more


def test_a_table_has_the_shares_of_its_attributes(
    reports: ReportTable, weights: ds.Calibration
) -> None:
    table = ds.joint(reports, ["travel", "age"], weights=weights)
    np.testing.assert_allclose(table.value.sum(axis=0), list(MARGINS["age"].values()), atol=EXACT)
    own = ds.frequencies(reports, "travel", weights=weights)
    np.testing.assert_allclose(table.value.sum(axis=1), own.value, atol=EXACT)
    assert "weighted to the margins of age and work" in str(table)


def test_owners_who_lack_a_margin_count(reports: ReportTable, weights: ds.Calibration) -> None:
    assert weights.n == sum(
        1 for row in reports.data.select(["age.y", "work.y"]).to_pylist() if any(row.values())
    )


def test_groups_of_a_population_add_up_to_it(reports: ReportTable, weights: ds.Calibration) -> None:
    by_age = ds.frequencies(reports, "travel", by="age", weights=weights)
    table = ds.joint(reports, ["age", "travel"], weights=weights)
    for age, row, errors in zip(AGE, by_age.value, by_age.stderr, strict=True):
        one = table.condition({"age": age})
        np.testing.assert_allclose(row, one.value, atol=EXACT)
        np.testing.assert_allclose(errors, one.stderr, rtol=1e-6)
    whole = ds.frequencies(reports, "travel", weights=weights)
    np.testing.assert_allclose(by_age.answers.value, whole.value, atol=EXACT)
    np.testing.assert_allclose(by_age.shares.value, list(MARGINS["age"].values()), atol=EXACT)
    hours = ds.mean(reports, "hours", by="age", weights=weights)
    known = np.array(list(MARGINS["age"].values()))
    mean = ds.mean(reports, "hours", weights=weights)
    assert known @ hours.means.value == pytest.approx(mean.value)
    together = np.linalg.norm(hours.means.root @ known)  # the shares are known
    assert together == pytest.approx(mean.stderr, rel=0.01)
    alone = ds.mean(reports, "hours", given={"age": AGE[0]}, weights=weights)
    assert alone.value[0] == pytest.approx(hours.value[0])
    for found in (by_age, hours):
        assert "weighted to the margins of age and work" in str(found)
        assert found.document()["weighted"]["attributes"] == ["age", "work"]


def test_bins_of_numbers_are_weighted_and_meet_the_margins(
    reports: ReportTable, weights: ds.Calibration
) -> None:
    bins = {"hours": [0, 15, 30, 40]}
    table = ds.joint(reports, ["age", "hours"], bins=bins, weights=weights)
    assert table.method == "mle"
    known = np.array(list(MARGINS["age"].values()))
    np.testing.assert_allclose(table.centre.sum(axis=1), known, atol=1e-9)
    assert table.stderr.max() < 0.2
    by_hours = ds.frequencies(reports, "age", by="hours", bins=bins, weights=weights)
    np.testing.assert_allclose(by_hours.total.value, table.value.T, atol=1e-9)


def test_curves_of_a_population_are_those_of_its_table(
    reports: ReportTable, weights: ds.Calibration
) -> None:
    """Young people work 10 to 20 hours, old ones 30 to 40, and old people answer less."""
    old = MARGINS["age"]["old"]
    up_to = ds.cdf(reports, "hours", [5, 25, 40], weights=weights)
    low, high = up_to.interval().T
    assert low[1] < 1 - old < high[1]
    assert up_to.value[2] == 1
    assert up_to.value[0] < 0.2
    raw = ds.cdf(reports, "hours", [25]).value[0]
    assert raw - up_to.value[1] > 0.1  # the selection
    table = ds.joint(reports, ["hours", "age"], bins={"hours": [0, 26, 40]}, weights=weights)
    assert up_to.value[1] == pytest.approx(table.centre.sum(axis=1)[0])
    shares = ds.histogram(reports, "hours", [0, 26, 40], weights=weights)
    assert shares.value[0] == pytest.approx(up_to.value[1])
    quartiles = ds.quantiles(reports, "hours", [1 - old], weights=weights)
    assert 15 < quartiles.value[0] < 35
    for found in (up_to, shares, quartiles):
        assert "weighted to the margins of age and work" in str(found)
        assert found.document()["weighted"]["attributes"] == ["age", "work"]
    by_age = ds.quantiles(reports, "hours", [0.5], by="age", weights=weights)
    assert by_age["young", 0.5].value < 25 < by_age["old", 0.5].value
    assert by_age.document()["weighted"]["attributes"] == ["age", "work"]


def test_a_population_is_compared_with_another_and_with_stated_shares(
    reports: ReportTable, weights: ds.Calibration
) -> None:
    other = ds.simulate(PLAN, records(6000, 2), budgets="levels", seed=2)
    both = [weights, ds.calibrate(other, MARGINS)]
    found = ds.compare(reports, other, "travel", weights=both)
    sides = [
        ds.frequencies(data, "travel", weights=own)
        for data, own in zip((reports, other), both, strict=True)
    ]
    np.testing.assert_allclose(found.value, sides[0].value - sides[1].value)
    np.testing.assert_allclose(found.stderr, np.hypot(sides[0].stderr, sides[1].stderr))
    assert found.test.method == "Wald"
    assert found.test.df == 1
    assert found.test.statistic == pytest.approx((found.value[0] / found.stderr[0]) ** 2)
    means = ds.compare(reports, other, "hours", weights=both)
    assert means.first[0] == ds.mean(reports, "hours", weights=weights).unclipped
    truth = POPULATION.sum(axis=(0, 1))
    fit = ds.fits(reports, "travel", truth.tolist(), weights=weights)
    assert fit.pvalue > 1e-3
    np.testing.assert_allclose(fit.value, sides[0].value - truth)
    far = ds.fits(reports, "travel", [0.99, 0.01], weights=weights)
    assert far.pvalue < 1e-3
    for each in (found, means, fit):
        assert "weighted to the margins of age and work" in str(each)
        assert each.document()["weighted"]["attributes"] == ["age", "work"]
    with pytest.raises(DiscretionError, match="leave permutations or weights out"):
        ds.compare(reports, other, "travel", permutations=9, weights=both)


def test_results_say_what_they_were_weighted_to(
    reports: ReportTable, weights: ds.Calibration
) -> None:
    document = ds.frequencies(reports, "travel", weights=weights).document()
    assert document["weighted"]["attributes"] == ["age", "work"]
    assert document["weighted"]["design_effect"] == pytest.approx(weights.design_effect)
    assert weights.effective_n == pytest.approx(weights.n / weights.design_effect)
    kish = weights.shares @ weights.value**2 / (weights.shares @ weights.value) ** 2
    assert weights.design_effect == pytest.approx(kish)
    assert "nor levels that were chosen by value" in str(weights)
    assert weights.to_frame().column_names[:4] == ["age", "work", "respondents", "population"]
    low, high = weights.interval().T
    assert (low < weights.value).all()
    assert (weights.value < high).all()
    assert "design effect" in str(ds.mean(reports, "hours", weights=weights))
    json.dumps(weights.document())


def test_secret_levels_and_levels_by_value_have_methods_of_their_own() -> None:
    asked = [
        {"name": n, "kind": "categorical", "values": v, "mechanism": "oue"}
        for n, v in zip(NAMES, (AGE, WORK, TRAVEL), strict=True)
    ]
    whole = {"name": "s", "attributes": asked, "budget": {"levels": [1, 2, 4]}}
    rows, truth = records(8000, 6).drop(["hours"]), POPULATION.sum(axis=(0, 1))
    for more, method in (({"allocation": "secret"}, "auto"), ({}, "stratified")):
        table = ds.simulate(Plan.of({**whole, **more}), rows, budgets="levels", seed=6)
        found = ds.frequencies(table, "travel", weights=ds.calibrate(table, MARGINS, method))
        assert (np.abs(found.value - truth) < 4 * found.stderr).all()
        assert found.method == ("weighted" if method == "auto" else method)


def test_few_respondents_are_named() -> None:
    table = ds.simulate(PLAN, records(150, 7), budgets="levels", seed=7)
    with pytest.warns(ds.CalibrationWarning, match="weighted well: work = no"):
        ds.calibrate(table, MARGINS)


def test_what_weights_cannot_do_is_refused(reports: ReportTable, weights: ds.Calibration) -> None:
    def refused(message: str, function: Any, *arguments: Any, **options: Any) -> None:
        with pytest.raises(DiscretionError, match=message):
            function(*arguments, **options)

    counts = aggregate_of(PLAN, {})
    refused("not their counts alone", ds.calibrate, counts, MARGINS)
    refused("not their counts alone", ds.frequencies, counts, "travel", weights=weights)
    refused("must come from calibrate", ds.frequencies, reports, "travel", weights=MARGINS)
    refused("must come from calibrate", ds.mean, reports, "hours", weights=[1.0])
    refused("must come from calibrate", ds.joint, reports, NAMES, weights=1)
    refused("leave target out", ds.frequencies, reports, "travel", target="owners", weights=weights)
    refused("leave cap out", ds.frequencies, reports, "travel", cap=0.5, weights=weights)
    refused("leave bins out", ds.mean, reports, "hours", by="age", bins={}, weights=weights)
    refused("must come from calibrate", ds.mean, reports, "hours", by="age", weights=[1.0])
    refused("leave method out", ds.mean, reports, "hours", "pena", weights=weights)
    refused("method with weights", ds.frequencies, reports, "travel", "mle", weights=weights)
    refused("shares are of labels", weights.frequencies, reports, "hours", "auto")
    refused("not their counts", ds.quantiles, Aggregate.of(reports), "hours", weights=weights)
    refused("leave smoothing out", ds.histogram, reports, "hours", None, 1.0, weights=weights)
    refused("edges in the range", ds.histogram, reports, "hours", [0, 20, 60], weights=weights)
    refused("must come from calibrate", ds.cdf, reports, "hours", [20], weights="age")
    refused("must come from calibrate", ds.quantiles, reports, "hours", by="age", weights=MARGINS)
    refused("nothing is left to test", ds.fits, reports, "age", [0.5, 0.5], weights=weights)
    refused("must be a pair", ds.compare, reports, reports, "travel", weights=weights)
    other = ds.simulate(plan_of([1.0]), records(300, 8), budgets="levels", seed=8)
    refused("reports of the same plan", ds.frequencies, other, "travel", weights=weights)
    refused("method must be one of auto, weighted", ds.calibrate, reports, MARGINS, "mle")


def test_a_margin_that_nobody_reports_together_is_refused() -> None:
    rows = records(400, 9, missing=0).to_pylist()
    for i, row in enumerate(rows):
        row["age" if i % 2 else "work"] = None
    table = ds.simulate(PLAN, pa.Table.from_pylist(rows), budgets="levels", seed=9)
    with pytest.raises(DiscretionError, match="no report is about age and work together"):
        ds.calibrate(table, MARGINS)


def test_the_registry_takes_margins_as_json(reports: ReportTable, weights: ds.Calibration) -> None:
    text = json.dumps(MARGINS)
    asked = ("frequencies", "travel"), ("mean", "hours"), ("joint", [*NAMES])
    for name, about in asked:
        statistic = STATISTICS[name]
        values: dict[str, Any] = {"calibrate": text}
        assert statistic.needs_reports(values)
        assert not statistic.needs_reports({"calibrate": None}) or name == "joint"
        found = statistic.answered(reports, about, **values)
        own = statistic.function(reports, about, weights=weights).document()
        assert found == {**own, "margins": [], **({} if name == "joint" else {"weights": []})}
        plain = statistic.answered(reports, about, calibrate=None)
        assert "weighted" not in plain
    for text, message in (
        ("{", "margins must be JSON"),
        ('{"age":1,"age":2}', "not repeat a name"),
    ):
        with pytest.raises(DiscretionError, match=message):
            STATISTICS["mean"].answered(reports, "hours", calibrate=text)
