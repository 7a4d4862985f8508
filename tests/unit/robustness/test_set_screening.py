"""Screening of sets and maps: honest reports pass, and codes that no sets explain do not."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import binom

import discretion as ds
from discretion.aggregate import Aggregate
from discretion.errors import EstimateError
from discretion.plan import Family, Plan
from discretion.robustness.set_screening import LENGTHS
from discretion.robustness.testing import ALPHA
from discretion.table import ReportTable
from tests.significance import ALPHA as SURE

SEED, CROWDS = 20261131, 40
BASKET = {"name": "basket", "kind": "set", "items": list("abcdefgh"), "length": [2, 3]}
STARS = {"name": "stars", "kind": "map", "keys": ["x", "y"], "range": [1, 5], "length": 1}
APPS = {"name": "apps", "kind": "set", "items": "text", "length": 2}
PLAN = Plan.of(
    {
        "name": "shop",
        "attributes": [BASKET, {**STARS, "step": 1}, APPS],
        "budget": {"levels": [0.5, 1, 2]},
    }
)


def crowd(n: int, seed: int, *, alike: bool = False) -> ReportTable:
    """Return honest reports, all of which are about one set if they are alike."""
    has = np.random.default_rng([seed, 1]).random((n, 2)) < (1 if alike else [0.6, 0.3])
    records = {
        "basket": [["a"] * a + ["b"] * b for a, b in has.tolist()],
        "stars": [{"x": 1 + 4 * a} for a, _ in has.tolist()],
        "apps": [["mail"]] * n,
    }
    return ds.simulate(PLAN, records, budgets="levels", ranges="menu", seed=seed)


def test_honest_reports_are_seldom_suspicious() -> None:
    found = 0
    for seed in range(SEED, SEED + CROWDS):
        reports = crowd(300, seed, alike=seed % 2 == 0)
        found += sum(bool(ds.screen(reports, name).suspicious) for name in ("basket", "stars"))
    assert found <= binom.isf(SURE, 2 * CROWDS, ALPHA), (found, CROWDS, SEED)


def test_a_group_without_the_code_of_an_item_is_suspicious_and_left_out_of_an_estimate() -> None:
    """No set makes a code as rare: an honest report has it with q at least."""
    honest = crowd(4000, SEED)
    law = PLAN.questions["basket"].law(500, Family.COVERS)
    y = sum(1 << code for code in range(4, 4 + law.count))
    some = {name: [0.5] * 400 for name in PLAN.names}
    lies = ds.simulate(PLAN, {name: [[]] * 400 for name in PLAN.names}, budgets=some, seed=1)
    column = lies.data["basket.y"]
    sent = pa.array([y.to_bytes(column.type.byte_width, "little")] * 400, column.type)
    at = lies.data.column_names.index("basket.y")
    lies = replace(lies, data=lies.data.set_column(at, "basket.y", sent))
    whole = Aggregate.of(honest).merge(Aggregate.of(lies))
    found = ds.screen(whole, "basket")
    (bad,) = found.suspicious
    assert (bad.level, bad.part) == (500, "length 2")
    assert bad.outputs is not None
    assert bad.outputs < 1e-9
    assert found.without is not None
    assert found.what == tuple("abcdefgh")
    truth = ds.frequencies(honest, "basket", "weighted")
    assert abs(found.without[4] - truth.value[4]) < abs(found.value[4] - truth.value[4])
    assert found.note == LENGTHS


def test_a_group_that_claims_other_sets_disagrees_with_the_others() -> None:
    """Reports that an honest owner of other items would send pass every test of their own."""
    everybody = {"basket": [["h"]] * 3000, "stars": [{"y": 1}] * 3000, "apps": [[]] * 3000}
    others = ds.simulate(
        PLAN, everybody, budgets={name: [2.0] * 3000 for name in everybody}, seed=SEED + 1
    )
    whole = Aggregate.of(crowd(6000, SEED)).merge(Aggregate.of(others))
    for name in ("basket", "stars"):
        found = ds.screen(whole, name)
        assert {group.level for group in found.suspicious} == {2000}
        assert all(group.outputs is None or group.outputs > ALPHA for group in found.suspicious)


def test_texts_of_sets_are_not_screened_and_the_document_has_the_groups() -> None:
    with pytest.raises(EstimateError, match="is a set of texts: frequencies"):
        ds.screen(crowd(50, SEED), "apps")
    document = ds.screen(crowd(200, SEED), "stars").document()
    assert [row["what"] for row in document["estimates"]] == ["x", "y"]
    assert [row["level"] for row in document["groups"]] == [500, 1000, 2000]
