"""Answers, means and quantiles by group: near the truth, consistent, and refused by name."""

import json
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import discretion as ds
from discretion.errors import DiscretionError
from discretion.plan import Plan
from discretion.table import ReportTable
from tests.unit.groups.crowds import (
    ANSWERS,
    GROUPS,
    ROWS,
    SHARES,
    crowd,
    named,
    people,
    plan_of,
    true_means,
)

N = 40_000
EDGES = [0, 20, 40, 200]


@cache
def reports() -> ReportTable:
    return crowd(plan_of(), N, seed=1)


@cache
def by_work() -> ds.Crosstab:
    return ds.frequencies(reports(), "travel", by="work")


def test_a_crosstab_is_near_the_truth_in_all_its_per_cents() -> None:
    found, cells = by_work(), SHARES[:, None] * ROWS
    assert (found.groups, found.labels) == (GROUPS, ANSWERS)
    near = [
        (found.rows, ROWS),
        (found.columns, cells / cells.sum(axis=0)),
        (found.total, cells),
        (found.shares, SHARES),
        (found.answers, cells.sum(axis=0)),
    ]
    for shares, truth in near:
        z = (shares.exact.value - truth) / shares.exact.stderr
        assert np.sqrt((z**2).mean()) < 2
        low, high = np.moveaxis(shares.interval(), -1, 0)
        assert ((low >= 0) & (low <= shares.value) & (shares.value <= high) & (high <= 1)).all()
    np.testing.assert_allclose(found.value.sum(axis=1), 1)
    np.testing.assert_allclose(found.columns.value.sum(axis=0), 1)
    assert found.pvalue < 1e-9


def test_owners_who_share_one_of_both_make_the_table_sharper() -> None:
    both = pc.and_(pc.is_valid(reports().data["work.y"]), pc.is_valid(reports().data["travel.y"]))
    alone = ReportTable(reports().plan, reports().data.filter(both), simulated=True)
    few = ds.frequencies(alone, "travel", by="work")
    assert by_work().n > few.n == few.together == by_work().together
    assert (by_work().shares.stderr < few.shares.stderr).all()


def test_differences_and_ratios_are_those_of_the_rows() -> None:
    found = by_work()
    apart, ratio = found.difference("a", "e"), found.ratio("a", "e")
    exact = found.rows.exact.value
    np.testing.assert_allclose(apart.value, exact[0] - exact[4])
    np.testing.assert_allclose(ratio.value, np.maximum(exact[0] / exact[4], 0))
    assert apart.sides == ("work = a", "work = e")
    assert apart.pvalue < 1e-6
    back = found.difference("e", "a")
    np.testing.assert_allclose(back.interval(), -apart.interval()[:, ::-1])
    assert back.pvalue == pytest.approx(apart.pvalue)
    low, high = ratio.interval().T
    assert (low <= ratio.value).all()
    assert (ratio.value <= high).all()


def test_a_ratio_to_what_may_be_zero_has_no_upper_end() -> None:
    few = ds.frequencies(crowd(plan_of(), 4_000, seed=3), "travel", by="work")
    ends = few.ratio("e", "d").interval(0.9999)
    assert np.isinf(ends[-1, 1])
    assert json.dumps(few.ratio("e", "d").document(), allow_nan=False)


def test_means_are_near_the_truth_and_of_the_whole_range() -> None:
    found = ds.mean(reports(), "pay", by="work")
    z = (found.means.value - true_means()) / found.stderr
    assert np.sqrt((z**2).mean()) < 2
    everybody = ds.mean(reports(), "pay")
    over_all = float(found.means.value @ found.mass.value)
    assert over_all == pytest.approx(everybody.value, abs=2 * everybody.stderr)
    assert found.difference("c", "e").value[0] == pytest.approx(
        found.means.value[2] - found.means.value[4]
    )
    assert found.ratio("c", "e").value[0] > 1


def test_quantiles_rise_and_hold_the_truth() -> None:
    found = ds.quantiles(reports(), "pay", [0.25, 0.5, 0.75], by="work")
    assert (np.diff(found.value, axis=1) >= 0).all()
    low, high = np.moveaxis(found.interval(), -1, 0)
    assert ((low <= found.value) & (found.value <= high)).all()
    assert low[4, 1] <= 28 <= high[4, 1]  # the median of the largest group


def test_quantiles_of_heaps_are_heaps() -> None:
    rng = np.random.default_rng(31)
    side, heaped = rng.random(N) < 0.3, rng.random(N) < 0.6
    pay = np.clip(rng.normal(np.where(side, 90, 60), 25), 0, 200)
    pay = np.where(heaped, np.rint(pay / 50) * 50, np.rint(pay))
    work = np.array(GROUPS)[side.astype(np.int64)]
    records = people(N, 31) | {"work": work, "pay": pay}
    drawn = ds.simulate(plan_of(), named(records), budgets="levels", seed=31)
    found = ds.quantiles(drawn, "pay", [0.5], given={"work": "b"})
    low, high = found.interval()[0, 0]
    assert low <= 100 <= high < low + 50


def test_conditions_leave_one_group_or_those_of_others() -> None:
    alone = ds.frequencies(reports(), "travel", given={"work": "e"})
    np.testing.assert_allclose(alone.value[0], by_work().value[4], atol=1e-6)
    np.testing.assert_allclose(alone.shares.value[0], by_work().shares.value[4], atol=1e-6)
    old = ds.frequencies(reports(), "travel", by="work", given={"age": "old"})
    assert old.groups == GROUPS
    truth = SHARES * [0.2, 0.4, 0.5, 0.9, 0.5]
    z = (old.shares.exact.value - truth / truth.sum()) / old.shares.exact.stderr
    assert np.abs(z).max() < 4
    pay = ds.mean(reports(), "pay", given={"work": "e"})
    by = ds.mean(reports(), "pay", by="work")
    assert pay.value[0] == pytest.approx(by.value[4], abs=by.stderr[4])
    assert ds.mean(reports(), "pay", by="work", given={"age": "old"}).groups == GROUPS


def test_numbers_are_groups_and_answers_in_bins() -> None:
    bins = {"pay": EDGES}
    groups = ds.frequencies(reports(), "travel", by="pay", bins=bins)
    answers = ds.frequencies(reports(), "pay", by="travel", bins=bins)
    assert groups.groups == answers.labels == ("[0, 20)", "[20, 40)", "[40, 200]")
    np.testing.assert_allclose(groups.total.value, answers.total.value.T, atol=0.02)
    assert ds.mean(reports(), "pay", by="travel").groups == ANSWERS


def test_a_group_that_is_not_clearly_above_zero_is_not_learnt() -> None:
    found = ds.frequencies(crowd(plan_of(), 200, seed=2), "travel", by="work")
    assert np.isnan(found.value[0]).all()
    assert "not learnt" in str(found)
    assert found.document()["cells"][0]["row"] is None
    with pytest.raises(DiscretionError, match="work = a is not clearly above zero"):
        found.difference("a", "e")
    assert json.dumps(found.document("e"), allow_nan=False)


def test_bundles_of_group_and_answer_count() -> None:
    plan = plan_of("subset", "subset", bundled=True)
    drawn = crowd(plan, N, seed=4)
    found = ds.frequencies(drawn, "travel", by="work")
    z = (found.rows.exact.value - ROWS) / found.rows.exact.stderr
    assert np.sqrt((z**2).mean()) < 2
    means = ds.mean(drawn, "pay", by="work")
    assert np.abs((means.means.value - true_means()) / means.stderr).max() < 4


def test_secret_levels_have_groups_by_one_attribute_and_no_means() -> None:
    names = {"work": GROUPS, "travel": ANSWERS, "age": ("young", "old")}
    kind = {"kind": "categorical", "mechanism": "oue"}
    author = [{"name": name, "values": own, **kind} for name, own in names.items()]
    budget = {"average": 2.0, "least": 0.5, "most": 4.0}
    plan = Plan.of({"name": "s", "attributes": author, "budget": budget, "allocation": "secret"})
    drawn_from = people(N, 6)
    columns = {name: np.array(own)[drawn_from[name]] for name, own in names.items()}
    drawn = ds.simulate(plan, pa.table(columns), budgets="dirichlet", seed=6)
    found = ds.frequencies(drawn, "travel", by="work")
    z = (found.rows.exact.value - ROWS) / found.rows.exact.stderr
    assert np.sqrt((z**2).mean()) < 2
    with pytest.raises(DiscretionError, match="under secret levels groups are by one attribute"):
        ds.frequencies(drawn, "travel", by="work", given={"age": "old"})


TEXTS = [
    {"cms": {"cells": 64, "cohorts": 32}},
    {"hcms": {"cells": 64, "cohorts": 32}},
    {"orr": {"cells": 16, "cohorts": 32}},
    {"orappor": {"bits": 32, "hashes": 2, "cohorts": 32}},
]


@pytest.mark.parametrize("mechanism", TEXTS, ids=[next(iter(each)) for each in TEXTS])
def test_texts_have_groups_for_candidates(mechanism: dict[str, Any]) -> None:
    said = {"name": "said", "kind": "text", "mechanism": mechanism}
    work = {"name": "work", "kind": "categorical", "values": GROUPS}
    document = {"name": "texts", "attributes": [said, work], "budget": {"levels": [1, 2, 4]}}
    drawn, rng = people(N, 8), np.random.default_rng(8)
    answer = drawn["travel"].astype(np.int64)
    words = np.where(answer < 3, np.array(ANSWERS)[answer], "other")
    words = np.where(words == "other", rng.integers(0, 500, N).astype(str), words)
    records = {"said": words, "work": np.array(GROUPS)[drawn["work"]]}
    masked = {n: pa.array(own, mask=rng.random(N) < 0.1) for n, own in records.items()}
    reports = ds.simulate(Plan.of(document), pa.table(masked), budgets="levels", seed=8)
    found = ds.frequencies(reports, "said", by="work", candidates=ANSWERS[:3])
    assert found.labels == (*ANSWERS[:3], "other texts")
    z = (found.rows.exact.value - ROWS) / found.rows.exact.stderr
    assert np.sqrt((z**2).mean()) < 1.8
    np.testing.assert_allclose(found.value.sum(axis=1), 1)
    assert found.pvalue < 1e-6


@pytest.mark.parametrize(
    "options, message",
    [
        ({"by": ["work"]}, "by must name one attribute"),
        ({"by": "wrok"}, "the plan has no attribute .wrok.; it has work"),
        ({"by": "travel"}, "'travel' stands in two places"),
        ({"given": ["age"]}, "given must map attributes to a label each"),
        ({"given": {"age": 3}}, "given must have one label of 'age'"),
        ({"given": {"age": "odl"}}, "age has young, old, not 'odl'"),
        ({"by": "work", "method": "mle"}, "method is not for groups"),
        ({"by": "work", "candidates": ["x"]}, "candidates are for a text"),
        ({"bins": {"pay": 3}}, "bins are for groups"),
        ({"by": "work", "bins": {"pay": 3}}, "bins are for numbers that the table has"),
    ],
)
def test_wrong_calls_are_refused_by_name(options: dict[str, Any], message: str) -> None:
    with pytest.raises(DiscretionError, match=message):
        ds.frequencies(reports(), "travel", **options)


def test_counts_alone_have_no_groups() -> None:
    with pytest.raises(DiscretionError, match="groups need the reports themselves"):
        ds.frequencies(ds.Aggregate.of(reports()), "travel", by="work")


def test_results_are_frames_documents_and_tables() -> None:
    quantiles = ds.quantiles(reports(), "pay", by="work")
    for found in (by_work(), ds.mean(reports(), "pay", by="work"), quantiles):
        assert json.dumps(found.document(), allow_nan=False)
        assert found.to_frame("pandas").shape[0] >= len(GROUPS)
        assert "<table" in found._repr_html_()
        assert all(group in str(found) for group in GROUPS)
    frame = by_work().to_frame()
    assert frame.num_rows == len(GROUPS) * len(ANSWERS)
    assert by_work().table("column").rows != by_work().table().rows
