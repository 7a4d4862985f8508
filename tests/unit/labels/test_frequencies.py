"""One question, several methods: which one is taken, and what cannot be asked."""

import numpy as np
import pyarrow as pa
import pytest

from discretion.aggregate import Aggregate
from discretion.errors import EstimateError, UnknownAttribute
from discretion.labels import frequencies
from discretion.labels import frequencies as function
from discretion.labels.frequencies import METHODS
from discretion.table import ReportTable
from tests.builders import answered, crowd, disclosed, owners, secret_survey, survey, table_of

NEEDS_OUE = ("blind", "moment", "pldp")
NEEDS_LEVELS = ("mle", "weighted", "stratified")


@pytest.fixture(scope="module")
def reports() -> ReportTable:
    return crowd(survey(), 500, seed=101)


def test_reports_are_estimated_by_maximum_likelihood(reports: ReportTable) -> None:
    auto = frequencies(reports, "mode")
    assert (auto.method, auto.target) == ("mle", "population")
    np.testing.assert_array_equal(auto.value, frequencies(reports, "mode", "mle").value)


def test_an_aggregate_is_estimated_by_weights(reports: ReportTable) -> None:
    aggregate = Aggregate.of(reports)
    auto = frequencies(aggregate, "mode")
    assert auto.method == "weighted"
    np.testing.assert_array_equal(auto.value, frequencies(reports, "mode", "weighted").value)


def test_very_many_reports_are_estimated_by_weights(
    reports: ReportTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    n = frequencies(reports, "mode").n
    monkeypatch.setitem(function.__globals__, "MLE_CELLS", 5 * n)
    assert frequencies(reports, "mode").method == "mle"
    monkeypatch.setitem(function.__globals__, "MLE_CELLS", 5 * n - 1)
    assert frequencies(reports, "mode").method == "weighted"


@pytest.mark.parametrize("attribute", survey().names)
@pytest.mark.parametrize("method", ["mle", "weighted", "stratified"])
@pytest.mark.parametrize("target", ["population", "owners"])
def test_every_mechanism_answers(
    reports: ReportTable, attribute: str, method: str, target: str
) -> None:
    estimate = frequencies(reports, attribute, method, target)
    size = survey().questions[attribute].attribute.size
    assert estimate.labels == survey().questions[attribute].attribute.labels
    assert estimate.value.shape == (size,)
    assert estimate.covariance.shape == (size, size)
    assert estimate.value.sum() == pytest.approx(1)
    np.testing.assert_allclose(estimate.covariance.sum(axis=0), 0, atol=1e-9)
    assert estimate.n == len(reports) - reports.data[f"{attribute}.y"].null_count
    assert (estimate.method, estimate.target) == (method, target)


def test_the_more_reports_the_nearer_to_the_truth() -> None:
    modes = owners(20_000, seed=102)["mode"].to_pylist()
    reports = crowd(survey(), 20_000, seed=102)
    estimate = frequencies(reports, "mode", target="owners")
    labels = survey().questions["mode"].attribute.labels
    truth = np.array([modes.count(label) for label in labels]) / sum(m is not None for m in modes)
    assert np.abs((estimate.value - truth) / estimate.stderr).max() < 5
    assert estimate.stderr.max() < 0.02


@pytest.mark.parametrize("method", METHODS)
def test_rows_may_come_in_any_order(method: str) -> None:
    reports = crowd(secret_survey() if method in NEEDS_OUE else survey(), 300, seed=103)
    order = np.random.default_rng(103).permutation(len(reports))
    shuffled = ReportTable(reports.plan, reports.data.take(pa.array(order)))
    one, other = frequencies(reports, "pet", method), frequencies(shuffled, "pet", method)
    np.testing.assert_allclose(one.value, other.value, rtol=1e-9)
    np.testing.assert_allclose(one.covariance, other.covariance, rtol=1e-9)


def test_an_unknown_attribute_is_refused(reports: ReportTable) -> None:
    with pytest.raises(UnknownAttribute, match="no attribute 'shoe'; it has mode, pet, hours"):
        frequencies(reports, "shoe")


def test_an_unknown_method_is_refused(reports: ReportTable) -> None:
    message = "one of auto, mle, weighted, stratified, blind, moment, pldp, got 'guess'"
    with pytest.raises(EstimateError, match=message):
        frequencies(reports, "mode", "guess")


def test_an_unknown_target_is_refused(reports: ReportTable) -> None:
    with pytest.raises(EstimateError, match="one of population, owners, got 'everybody'"):
        frequencies(reports, "mode", target="everybody")


@pytest.mark.parametrize("method", ["auto", *METHODS])
def test_an_empty_table_answers_nothing(reports: ReportTable, method: str) -> None:
    empty = reports.of_round(9)
    for data in (empty, Aggregate.of(empty), Aggregate(survey())):
        with pytest.raises(EstimateError, match="nobody shared 'pet' in these reports"):
            frequencies(data, "pet", method)


def test_an_attribute_that_nobody_shared_is_named() -> None:
    table = table_of(survey(), [{"mode": (2000, 1)}, {"pet": (500, 3)}])
    with pytest.raises(EstimateError, match="nobody shared 'mood' in these reports"):
        frequencies(table, "mood")


def test_rounds_are_not_pooled(reports: ReportTable) -> None:
    later = table_of(survey(), [{"mode": (2000, 1)}], round=3)
    both = ReportTable(survey(), pa.concat_tables([reports.data, later.data]))
    with pytest.raises(EstimateError, match=r"of one round, got 0, 3: use of_round\(\)"):
        frequencies(both, "mode")
    assert frequencies(both.of_round(0), "mode").n == frequencies(reports, "mode").n


def test_mle_needs_the_reports_themselves(reports: ReportTable) -> None:
    with pytest.raises(EstimateError, match="needs the reports themselves, not their aggregate"):
        frequencies(Aggregate.of(reports), "mode", "mle")


@pytest.mark.parametrize("method", NEEDS_LEVELS)
def test_secret_levels_cannot_be_weighed(method: str) -> None:
    with pytest.raises(EstimateError, match="needs disclosed levels; the plan keeps them secret"):
        frequencies(crowd(secret_survey(), 50, seed=1), "mode", method)


@pytest.mark.parametrize("method", NEEDS_OUE)
@pytest.mark.parametrize("attribute", ["mode", "hours", "mood"])
def test_what_only_oue_can_answer_is_refused_of_others(
    reports: ReportTable, method: str, attribute: str
) -> None:
    uses = survey().questions[attribute].mechanism
    message = f"this method needs oue, and '{attribute}' uses {uses}"
    with pytest.raises(EstimateError, match=message):
        frequencies(reports, attribute, method)


@pytest.mark.parametrize("method", METHODS)
def test_two_codes_are_enough(method: str) -> None:
    codes = np.random.default_rng(104).choice(2, 600, p=[0.8, 0.2])
    estimate = frequencies(answered(disclosed("oue", 2), codes, seed=104), "x", method)
    assert estimate.covariance.shape == (2, 2)
    if method != "pldp":  # which is biased
        assert abs(estimate.value[1] - 0.2) < 5 * estimate.stderr[1]
