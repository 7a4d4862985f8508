"""An estimate, how far liars move it, and the weights: all from reports that are counted once."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from discretion.aggregate import Aggregate, Evidence
from discretion.collector.overview import of_overview
from discretion.errors import EstimateError
from discretion.joints import joint
from discretion.labels.frequencies import frequencies
from discretion.numbers import density, distribution
from discretion.numbers.number_evidence import NumberEvidence
from discretion.plan import Plan
from discretion.robustness import margin
from discretion.robustness.weights import weights
from discretion.statistics.answers import frequencies_answer, mean_answer, quantiles_answer
from discretion.table import ReportTable
from tests.builders import bundled_survey
from tests.collector.crowds import crowd
from tests.plans import HOME, MODE, author

Counted = Counter[str]


def laplace() -> Plan:
    """A number whose mean comes from its density, as its reports cannot be decoded."""
    age = {"name": "age", "kind": "numeric", "range": [0, 20], "step": 1, "mechanism": "laplace"}
    return Plan.of(author(attributes=[MODE, HOME, age]))


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Counted:
    """How often the answers of a name were read to be counted."""
    seen, answers = Counter[str](), ReportTable.answers

    def noted(self: ReportTable, name: str) -> Iterator[Any]:
        seen[name] += 1
        return answers(self, name)

    monkeypatch.setattr(ReportTable, "answers", noted)
    return seen


@pytest.fixture
def fitted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the grids on which densities were fitted."""
    seen, fit = list[int](), density.fit_density

    def noted(channels: Any, size: int, **named: Any) -> Any:
        seen.append(size)
        return fit(channels, size, **named)

    monkeypatch.setattr(distribution, "fit_density", noted)
    return seen


@pytest.mark.parametrize("method", ["mle", "weighted", "stratified"])
def test_frequencies_with_bounds_and_weights_count_the_reports_once(
    method: str, read: Counted
) -> None:
    """The likelihood reads them as well, but bounds and weights read nothing more."""
    table = crowd(bundled_survey(), 400, 1)
    frequencies(table, "mode", method)
    alone = read.pop("mode")
    found = frequencies_answer(table, "mode", method)
    assert len(found["margins"]) == 2
    assert found["weights"]
    assert read == {"mode": alone}


def test_a_mean_with_bounds_and_weights_counts_the_reports_once(read: Counted) -> None:
    table = crowd(laplace(), 400, 1)
    assert len(mean_answer(table, "age")["margins"]) == 2
    assert read == {"age": 1}


def test_a_density_is_fitted_once_and_once_for_each_attack(fitted: list[int]) -> None:
    table = crowd(laplace(), 400, 1)
    quantiles_answer(table, "age", [0.5], margins=True)
    assert fitted == [21] * (1 + 2 * 2)  # two shares of liars, to both sides


def test_a_joint_table_fits_the_density_of_a_number_once(fitted: list[int]) -> None:
    plan = Plan.of(
        author(
            attributes=[MODE, HOME, {"name": "age", "kind": "numeric", "range": [0, 20], "step": 1}]
        )
    )
    joint(crowd(plan, 2000, 1), ["mode", "age"], "tensor")
    assert fitted == [21]


def test_an_overview_fits_the_density_of_a_number_once(fitted: list[int]) -> None:
    table = crowd(laplace(), 400, 1)
    found = of_overview(Aggregate.of(table), {}, lambda: table)
    assert [each["reason"] for each in found["estimates"]] == ["", "", ""]
    assert fitted == [21] * (1 + 2 * 2)


def test_what_was_counted_gives_the_same_bounds_and_weights() -> None:
    table = crowd(laplace(), 400, 1)
    for name, evidence in (
        ("mode", Evidence.of(table, "mode")),
        ("age", NumberEvidence.of(table, "age")),
    ):
        assert margin(evidence, name).document() == margin(table, name).document()
    evidence = Evidence.of(table, "mode")
    assert weights(evidence, "mode") == weights(table, "mode")


def test_evidence_about_another_attribute_is_refused() -> None:
    table = crowd(laplace(), 400, 1)
    with pytest.raises(EstimateError, match="about 'mode', not 'home'"):
        margin(Evidence.of(table, "mode"), "home")
    with pytest.raises(EstimateError, match="about 'age', not 'mode'"):
        NumberEvidence.of(NumberEvidence.of(table, "age"), "mode")
