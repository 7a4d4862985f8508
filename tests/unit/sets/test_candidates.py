"""Sets of texts: shares of candidates, exactly on few reports, and their intervals on crowds."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import discretion as ds
from discretion.aggregate import Aggregate, counts_of
from discretion.errors import DependenceWarning, EstimateError, KindError
from discretion.family import Cells
from discretion.mechanism.sketch import bucket
from discretion.plan import Plan
from discretion.schema.item_set import packed
from discretion.schema.text import fingerprint
from discretion.sets import SetEstimate
from discretion.statistics import STATISTICS
from discretion.table import ReportTable
from tests.builders import table_of
from tests.cases import for_each

ITEMS = [f"item {i}" for i in range(50)]
SHARES = np.append([0.5, 0.3, 0.2, 0.1, 0.05], np.full(45, 0.03))
SEED = 20_261_119


def plan_of(cells: int = 1024, cohorts: int = 64, lengths: tuple[int, ...] = (4, 8)) -> Plan:
    apps: dict[str, Any] = {"name": "apps", "kind": "set", "items": "text", "length": [*lengths]}
    apps["mechanism"] = {"cover": {"cells": cells, "cohorts": cohorts}}
    sex = {"name": "sex", "kind": "categorical", "values": ["f", "m"]}
    budget = {"levels": [0.5, 1, 2, 4]}
    return Plan.of({"name": "apps", "attributes": [apps, sex], "budget": budget})


def crowd(plan: Plan, n: int, seed: int) -> ReportTable:
    """Unequal budgets and lengths, some without the attribute, names of their own in every run."""
    rng = np.random.default_rng([seed, SEED])
    rows, items = np.nonzero(rng.random((n, len(ITEMS))) < SHARES)
    ends = np.append(0, np.bincount(rows, minlength=n).cumsum()).astype(np.int32)
    names = pa.array(named(seed)).take(pa.array(items))
    sets = pa.ListArray.from_arrays(ends, names, mask=pa.array(rng.random(n) < 0.1))
    sex = np.array(["f", "m"])[rng.integers(0, 2, n)]
    frame = pa.table({"apps": sets, "sex": sex})
    return ds.simulate(plan, frame, budgets="levels", ranges="menu", share=(1, 2), seed=seed)


def named(seed: int) -> list[str]:
    return [f"{seed} {item}" for item in ITEMS]


def test_cells_are_unbiased_by_enumeration() -> None:
    """Every report of one owner, weighted by its probability: a share of each of her cells."""
    plan = plan_of(16, 2, (2,))
    family = Cells(plan.questions["apps"])
    texts = [fingerprint("a"), fingerprint("b")]
    for level in (500, 4000):
        law = plan.questions["apps"].law(level)
        mean = np.zeros((2, 16))
        for y in law.outputs():
            sketch = family.sketch(counts_of(table_of(plan, [{"apps": (level, y)}]), family))
            mean += float(law.probability(y, packed(texts))) * sketch.totals / sketch.weights[0]
        cells = product((0, 1), range(16))
        own = [any(bucket(j, text, 16) == c for text in texts) for j, c in cells]
        np.testing.assert_allclose(mean.ravel(), np.array(own) / 2, atol=1e-9)


@for_each("method", ["weighted", "regression"])
def test_intervals_cover_the_shares_of_candidates(method: str) -> None:
    """With levels, lengths and sets that differ, and items that collide with each other."""
    plan, held, scores = plan_of(256, 16), [], []
    for seed in range(6):
        wanted = [*named(seed), "nobody's", "nobody's either"]
        found = ds.frequencies(crowd(plan, 10_000, seed), "apps", method, candidates=wanted)
        truth = np.append(SHARES, [0, 0])
        scores.append((found.centre - truth) / found.stderr)
        low, high = found.interval().T
        held.append((low <= truth) & (truth <= high))
    assert 0.91 <= np.mean(held) <= 0.985, np.mean(held)  # 312 intervals of 95 %
    assert abs(np.mean(scores)) < 0.4, np.mean(scores)
    assert 0.7 <= np.std(scores) <= 1.25, np.std(scores)


def test_frequent_items_are_taken_out_of_the_cells_of_very_many_others() -> None:
    """Else they would be seen in every candidate that shares a cell with them in some cohort."""
    plan, wanted = plan_of(64, 8, (8,)), [*named(1), *(f"other {i}" for i in range(3_000))]
    reports = crowd(plan, 20_000, 1)
    found = ds.top(reports, "apps", wanted, 6)
    assert found.labels[:4] == tuple(named(1)[:4])
    assert (np.diff(found.value) <= 0).all()
    whole = ds.frequencies(reports, "apps", candidates=wanted)
    assert whole.method == "weighted"
    closer = ds.focus(found, count=4).attributes["apps"]
    assert set(closer.labels) == set(named(1)[:4])
    few = ds.frequencies(reports, "apps", "weighted", candidates=wanted[50:1050])
    alone, error = whole.value[50:], whole.stderr[50:]
    assert alone.std() < 0.75 * few.value.std()
    assert (alone / error).std() == pytest.approx(1, abs=0.15)


def test_sizes_cuts_and_levels_stand_beside_the_shares() -> None:
    reports = crowd(plan_of(), 20_000, 2)
    found = ds.frequencies(reports, "apps", candidates=named(2)[:5])
    assert isinstance(found, SetEstimate)
    assert found.sizes.labels[-1] == "8 or more"
    mean = (SHARES.sum() - found.sizes.value @ np.arange(9)) / SHARES.sum()
    assert abs(mean) < 0.5
    assert (found.cut >= 0).all()
    assert found.homogeneity is not None
    assert found.homogeneity.pvalue > 1e-6
    assert {"label", "cut"} <= found.document()["frequencies"][0].keys()
    kept = Aggregate.from_json(reports.plan, Aggregate.of(reports).to_json())
    again = ds.frequencies(kept, "apps", candidates=named(2)[:5])
    np.testing.assert_array_equal(found.value, again.value)


def test_false_reports_move_any_item_by_as_much_as_the_bound_says() -> None:
    plan = plan_of(256, 16, (4,))
    honest = crowd(plan, 5_000, 3)
    family, item = Cells(plan.questions["apps"]), "3 item 0"
    bound = ds.margin(honest, "apps", share=0.02)
    assert bound.what == ("any item",)
    level, n = bound.level, len(honest)
    law = family.law(level)
    cell = bucket(0, fingerprint(item), 256)
    rest = [c for c in range(256) if c != cell][: law.cover.count - 1]
    y = 1 << cell | sum(1 << c for c in rest)
    lies = table_of(plan, [{"apps": (level, y)} for _ in range(n // 50)])
    mixed = ReportTable(plan, pa.concat_tables([honest.data.slice(n // 50), lies.data]))
    with pytest.warns(DependenceWarning, match="short lengths cut sets"):
        both = ds.frequencies(mixed, "apps", "weighted", candidates=[item])
    before = ds.frequencies(honest, "apps", "weighted", candidates=[item])
    moved = both.value[0] - before.value[0]
    assert 0 < moved <= bound.up[0] + 0.05
    assert bound.down[0] < 0


@pytest.mark.parametrize(
    "asked, rule",
    [
        (lambda r: ds.frequencies(r, "apps"), "name the candidates"),
        (lambda r: ds.frequencies(r, "apps", "mle", candidates=["a"]), "method of a text must be"),
        (lambda r: ds.frequencies(r, "apps", candidates=["a", "a"]), "must differ"),
        (lambda r: ds.frequencies(r, "apps", cap=0.5, candidates=["a"]), "without a cap"),
        (lambda r: ds.frequencies(r, "sex", by="apps:"), "has no '' among its items"),
        (lambda r: ds.frequencies(r, "apps", candidates=["a"], by="sex"), "not known by group"),
        (lambda r: ds.screen(r, "apps"), "is a set of texts: frequencies"),
        (lambda r: ds.joint(r, ["apps", "sex"]), "candidates"),
    ],
)
def test_what_cannot_be_asked_of_sets_of_texts_is_refused_with_a_reason(
    asked: Callable[[ReportTable], object], rule: str
) -> None:
    with pytest.raises((EstimateError, KindError), match=rule):
        asked(crowd(plan_of(64, 4), 200, 4))


def test_each_candidate_has_its_margins_in_an_answer() -> None:
    reports = crowd(plan_of(64, 4), 2_000, 5)
    asked = {"method": "auto", "target": "population", "cap": None, "candidates": named(5)[:3]}
    found = STATISTICS["frequencies"].answered(reports, "apps", **asked)
    assert [row["what"] for row in found["margins"][0]["margins"]] == named(5)[:3]
    assert sum(each["share"] for each in found["weights"]) == pytest.approx(1)
    assert found["sizes"][-1]["label"] == "8 or more"
