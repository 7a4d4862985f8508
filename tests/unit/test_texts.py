"""Frequencies of texts: exact on small sketches, and their intervals on crowds."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import discretion as ds
from discretion.aggregate import Aggregate, counts_of
from discretion.errors import EstimateError
from discretion.family import Sketches
from discretion.family.sketches import Sketch
from discretion.mechanism.sketch import bucket
from discretion.plan import Plan
from discretion.schema.text import fingerprint
from discretion.table import ReportTable
from discretion.texts import text_frequencies, weighted
from tests.builders import table_of
from tests.cases import for_each

MECHANISMS: list[Any] = [
    "orr",
    "hcms",
    "cms",
    {"orappor": {"hashes": 2, "bits": 64, "cohorts": 16}},
    {"orappor": {"hashes": 2, "bits": 64, "cohorts": 16, "ones": 0.75, "zeros": 0.25}},
]
WORDS = [f"word {i}" for i in range(60)]
SHARES = np.arange(1, 61) ** -1.2 / (np.arange(1, 61) ** -1.2).sum()


def plan_of(mechanism: Any) -> Plan:
    return Plan.of(
        {
            "name": "texts",
            "attributes": [
                {"name": "said", "kind": "text", "mechanism": mechanism},
                {"name": "sex", "kind": "categorical", "values": ["f", "m"]},
            ],
            "budget": {"average": 2, "least": 0.5, "most": 4},
        }
    )


def crowd(plan: Plan, n: int, seed: int) -> ReportTable:
    """Unequal budgets, and some who leave the text or the other attribute out."""
    rng = np.random.default_rng(seed)
    said = np.array(WORDS)[rng.choice(60, n, p=SHARES)]
    sex = np.array(["f", "m"])[rng.integers(0, 2, n)]
    frame = pa.table({"said": said, "sex": sex})
    return ds.simulate(plan, frame, budgets="dirichlet", share=(1, 2), seed=seed)


@for_each("mechanism", MECHANISMS)
@for_each("method", ["weighted", "regression"])
def test_intervals_hold_the_frequencies_of_candidates(mechanism: Any, method: str) -> None:
    """Twenty of sixty texts are asked for; the others are noise that nobody names."""
    plan, held, errors = plan_of(mechanism), [], []
    for seed in range(10):
        found = text_frequencies(crowd(plan, 6_000, seed), "said", WORDS[:20], method)
        scores = (found.centre - SHARES[:20]) / found.stderr
        errors.append((scores**2).mean())
        low, high = found.interval().T
        held.append(((low <= SHARES[:20]) & (SHARES[:20] <= high)).mean())
    assert 0.90 <= np.mean(held) <= 0.99  # 200 intervals of 95 %
    assert 0.6 <= np.mean(errors) <= 1.4  # which texts share cells is drawn once


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=str)
def test_an_aggregate_gives_the_same_estimate_as_its_reports(mechanism: Any) -> None:
    plan = plan_of(mechanism)
    reports = crowd(plan, 500, 1)
    kept = Aggregate.from_json(plan, Aggregate.of(reports).to_json())
    for method in ("weighted", "regression"):
        one, other = (text_frequencies(d, "said", WORDS[:5], method) for d in (reports, kept))
        np.testing.assert_array_equal(one.value, other.value)
        np.testing.assert_array_equal(one.covariance, other.covariance)


@pytest.mark.parametrize("mechanism", ["orr", "hcms", "cms"])
def test_the_total_of_a_bucket_is_unbiased(mechanism: str) -> None:
    """By enumeration: the mean over all reports about a text is one in its cell, else zero."""
    plan = Plan.of(
        {
            "name": "few",
            "attributes": [
                {
                    "name": "said",
                    "kind": "text",
                    "mechanism": {mechanism: {"cells": 4, "cohorts": 2}},
                }
            ],
            "budget": {"levels": [0.5, 1.5]},
        }
    )
    code = fingerprint("so")
    for level in plan.questions["said"].menu:
        law = plan.questions["said"].law(level)
        mean = np.zeros((2, 4))
        for y in law.outputs():
            sketch = sketch_of(table_of(plan, [{"said": (level, y)}]))
            mean += float(law.probability(y, code)) * sketch.totals / sketch.weights[0]
        expected = [[bucket(cohort, code, 4) == c for c in range(4)] for cohort in (0, 1)]
        np.testing.assert_allclose(mean, np.array(expected) / 2, atol=1e-12)


def sketch_of(reports: ReportTable) -> Sketch:
    family = Sketches(reports.plan.questions["said"])
    return family.sketch(counts_of(reports, family))


def test_top_finds_the_most_frequent_of_many() -> None:
    reports = crowd(plan_of("cms"), 20_000, 3)
    many = [*(f"nobody says {i}" for i in range(5_000)), *WORDS]
    found = ds.top(reports, "said", many, 4)
    assert found.labels[:2] == ("word 0", "word 1")
    assert (np.diff(found.value) <= 0).all()
    assert len(found.stderr) == 4
    whole = text_frequencies(reports, "said", many, "weighted")
    np.testing.assert_allclose(found.stderr[0], whole.stderr[5_000])


def test_texts_that_share_a_cell_are_part_of_the_error() -> None:
    """Almost without noise of privacy, one cohort with two buckets cannot distinguish texts."""
    plan = Plan.of(
        {
            "name": "loud",
            "attributes": [
                {"name": "said", "kind": "text", "mechanism": {"cms": {"cells": 8, "cohorts": 4}}}
            ],
            "budget": {"levels": [12]},
        }
    )
    reports = ds.simulate(plan, pa.table({"said": ["always"] * 5_000}), seed=1)
    sketch = sketch_of(reports)
    assert sketch.concentration == pytest.approx(1, abs=0.02)
    codes = np.array([fingerprint(f"never {i}") for i in range(400)])
    value, variance = weighted(sketch, codes)
    assert (value**2 / variance).mean() == pytest.approx(1, abs=0.4)


def test_regression_parts_texts_that_share_cells() -> None:
    """Candidates that are asked for together explain each other's cells."""
    reports, bits = crowd(plan_of({"cms": {"cells": 16, "cohorts": 8}}), 20_000, 7), []
    for method in ("weighted", "regression"):
        found = text_frequencies(reports, "said", WORDS, method)
        bits.append(((found.centre - SHARES) ** 2).sum())
        assert method == "weighted" or found.value.min() >= 0
    assert bits[1] < bits[0]


@pytest.mark.parametrize(
    "candidates, rule",
    [
        (None, "name the candidates"),
        ([], "name the candidates"),
        ("word 1", "name the candidates"),
        (["a", "b", "a"], "must differ, and 'a'"),
        (["a\u0308", "ä"], "must differ"),
    ],
)
def test_bad_candidates_are_refused(candidates: Sequence[str] | None, rule: str) -> None:
    with pytest.raises(EstimateError, match=rule):
        ds.frequencies(crowd(plan_of("orr"), 50, 1), "said", candidates=candidates)


def test_bad_questions_are_refused() -> None:
    reports = crowd(plan_of("orr"), 50, 1)
    with pytest.raises(EstimateError, match="method of a text must be one of"):
        ds.frequencies(reports, "said", "mle", candidates=["a"])
    with pytest.raises(EstimateError, match="candidates are for a text"):
        ds.frequencies(reports, "sex", candidates=["a"])
    with pytest.raises(EstimateError, match="target is the population"):
        ds.frequencies(reports, "said", target="owners", candidates=["a"])
    with pytest.raises(EstimateError, match="count must be"):
        ds.top(reports, "said", ["a"], 0)
    with pytest.raises(EstimateError, match="candidates are for a text"):
        ds.top(reports, "sex", ["a"])
    with pytest.raises(EstimateError, match="is a text"):
        ds.joint(reports, ["said", "sex"])
    with pytest.raises(EstimateError, match="is a text"):
        ds.dependence(reports, ["said", "sex"])
    with pytest.raises(EstimateError, match="is a text"):
        ds.margin(reports, "said")
    many = [f"candidate {i}" for i in range(600)]
    with pytest.raises(EstimateError, match="do not distinguish all candidates"):
        ds.frequencies(reports, "said", "regression", candidates=many)
