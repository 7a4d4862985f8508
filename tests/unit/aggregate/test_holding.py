"""Items of a set as yes or no: exact laws, and the same answers from tables, folders and counts."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import discretion as ds
from discretion.aggregate import Aggregate, Evidence, including
from discretion.errors import EstimateError, UnknownAttribute
from discretion.mechanism.cover import cover
from discretion.mechanism.holding import holding_law
from discretion.mechanism.matrix import WHOLE
from discretion.plan import Plan
from discretion.plan.document import as_author
from discretion.table import ReportFolder, ReportTable
from tests.cases import for_each

N = 60_000
SEED = 20261119
ITEMS = ["milk", "bread", "tea", "oil"]
SURE = 5.0  # standard errors
SETTLED = 0.05  # standard errors: what a search for the maximum leaves
ROUNDED = Fraction(1, 1 << 60)


@for_each("shape", [(3, 2, 1, 1), (3, 2, 2, 1), (4, 3, 3, 1), (4, 2, 1, 2), (6, 2, 2, 2)])
def test_the_law_of_items_is_what_their_report_says_about_them(
    shape: tuple[int, int, int, int],
) -> None:
    """Every set that has no more codes than are reported, and every report of it."""
    symbols, length, items, sides = shape
    law = cover(symbols, length, 1000)
    rows = holding_law(law, items, sides).weights
    outputs = {each: i for i, each in enumerate(product(range(sides + 1), repeat=items))}
    for code in range(law.size):
        keys = [code >> sides * i & (1 << sides) - 1 for i in range(symbols // sides)]
        if code.bit_count() > length or any(key.bit_count() > 1 for key in keys):
            continue
        row = rows[sum(bool(key) << items - 1 - i for i, key in enumerate(keys[:items]))]
        seen: Counter[int] = Counter()
        for y in law.outputs():
            own = (y >> sides * i & (1 << sides) - 1 for i in range(items))
            seen[outputs[tuple(each.bit_count() for each in own)]] += law.probability(y, code)  # type: ignore[assignment]
        for output, weight in enumerate(row):
            assert abs(Fraction(weight, WHOLE) - seen[output]) < ROUNDED, (code, output)


@cache
def shop() -> Plan:
    basket = {"name": "basket", "kind": "set", "items": ITEMS, "length": [3, 1]}
    stars = {"name": "stars", "kind": "map", "keys": ["a", "b"], "range": [1, 5], "length": 2}
    age = {"name": "age", "kind": "categorical", "values": ["young", "old"]}
    levels = {"levels": [0.5, 1, 2, 4]}
    asked = [basket, {**stars, "step": 1}, age]
    return Plan.of({"name": "shop", "attributes": asked, "budget": levels})


@cache
def crowd() -> tuple[ReportTable, dict[str, np.ndarray]]:
    """Reports of owners with at most three items, who lack some of what is asked, and the truth."""
    rng = np.random.default_rng(SEED)
    old = rng.random(N) < 0.4
    milk = rng.random(N) < np.where(old, 0.6, 0.2)
    bread = rng.random(N) < np.where(milk, 0.5, 0.1)
    tea = (rng.random(N) < 0.1) & ~(milk & bread)
    rated = rng.random((N, 2)) < [0.5, 0.2]
    has = {"milk": milk, "bread": bread, "tea": tea}
    baskets = [[item for item, own in has.items() if own[i]] for i in range(N)]
    stars = [[(k, 4) for k, own in zip("ab", row, strict=True) if own] for row in rated]
    frame = pa.table(
        {
            "basket": pa.array([None if i % 10 == 0 else own for i, own in enumerate(baskets)]),
            "stars": pa.array(stars, pa.map_(pa.string(), pa.int64())),
            "age": np.where(old, "old", "young"),
        }
    )
    reports = ds.simulate(shop(), frame, budgets="levels", seed=SEED)
    return reports, {**has, "old": old, "a": rated[:, 0]}


def near(value: float, truth: float, stderr: float) -> bool:
    return abs(value - truth) < SURE * stderr


def test_an_item_is_an_attribute_of_tables_groups_tests_and_comparisons() -> None:
    reports, truth = crowd()
    alone = ds.frequencies(reports, "basket:milk")
    assert alone.labels == ("no", "yes")
    assert near(alone.value[1], truth["milk"].mean(), alone.stderr[1])
    table = ds.joint(reports, ["basket:milk", "age"], method="mle")
    assert near(table.value[1, 1], (truth["milk"] & truth["old"]).mean(), table.stderr[1, 1])
    groups = ds.frequencies(reports, "age", by="basket:milk")
    assert near(
        groups.rows.value[1, 1], truth["old"][truth["milk"]].mean(), groups.rows.stderr[1, 1]
    )
    assert ds.frequencies(reports, "basket:tea", given={"stars:a": "yes"}).n == len(reports)
    assert ds.fits(reports, "basket:milk", {"no": 0.9, "yes": 0.1}).pvalue < 1e-9
    assert ds.dependence(reports, ["basket:milk", "age"]).pairs[0].p < 1e-9
    rated = ds.frequencies(reports, "stars:a")
    assert near(rated.value[1], truth["a"].mean(), rated.stderr[1])


def test_two_items_of_a_set_come_from_one_report_with_a_larger_error() -> None:
    reports, truth = crowd()
    both = ds.joint(reports, ["basket:milk", "basket:bread"], method="mle")
    apart = ds.joint(reports, ["basket:milk", "age"], method="mle")
    assert near(both.value[1, 1], (truth["milk"] & truth["bread"]).mean(), both.stderr[1, 1])
    assert both.stderr[1, 1] > 3 * apart.stderr[1, 1]
    three = ds.joint(reports, ["basket:milk", "age", "basket:bread"], method="mle")
    assert three.value.shape == (2, 2, 2)
    assert np.allclose(three.marginal(["age"]).value[1], truth["old"].mean(), atol=0.02)


def test_reports_of_one_entry_say_nothing_about_two() -> None:
    frame = pa.table({"basket": [["milk"]] * 500 + [["bread", "tea"]] * 500})
    plan = Plan.of(as_author(shop().document) | {"attributes": shop().document["attributes"][:1]})
    reports = ds.simulate(plan, frame, ranges="menu", seed=SEED)
    lengths = reports.data["basket.range"].to_numpy()
    both = including(reports, ["basket:milk", "basket:bread"])
    name = "basket:milk+basket:bread"
    assert both.data[f"{name}.y"].null_count == (lengths == 1).sum() > 0
    assert both.data["basket:milk.y"].null_count == len(reports)
    assert including(reports, ["basket:milk"]).data["basket:milk.y"].null_count == 0


def test_folders_and_counts_say_the_same_as_the_table(tmp_path: Path) -> None:
    reports, _ = crowd()
    folder = ReportFolder.write(tmp_path, [reports])
    names = ["basket:milk", "basket:bread", "age"]
    one, other = (ds.joint(each, names, method="mle") for each in (reports, folder))
    assert (np.abs(one.value - other.value) < SETTLED * one.stderr).all()
    own = [Evidence.of(data, "basket:milk").counts for data in (reports, Aggregate.of(reports))]
    assert own[0] == own[1]
    again = including(including(reports, ["basket:milk"]), names)
    assert again.plan == including(reports, names).plan != reports.plan


def test_what_cutting_hides_of_an_item_stands_beside_its_frequency() -> None:
    """It is that of the set's own estimate; of who lacks the item the share is not too low."""
    reports, _ = crowd()
    whole, milk = ds.frequencies(reports, "basket"), ds.frequencies(reports, "basket:milk")
    assert whole.cut is not None
    own = float(whole.cut[whole.labels.index("milk")])
    assert milk.cut is not None
    np.testing.assert_allclose(milk.cut, [0.0, own])
    assert [row["cut"] for row in milk.document()["frequencies"]] == pytest.approx([0.0, own])
    assert ds.frequencies(reports, "age").cut is None


def test_the_most_frequent_items_come_first() -> None:
    reports, truth = crowd()
    found, whole = ds.top(reports, "basket", count=2), ds.frequencies(reports, "basket")
    assert found.labels == ("milk", "bread")
    np.testing.assert_allclose(found.stderr, [whole["milk"].stderr, whole["bread"].stderr])
    assert near(found.value[0], truth["milk"].mean(), found.stderr[0])


def test_what_counts_cannot_say_and_what_nobody_asks_is_refused() -> None:
    reports, _ = crowd()
    counts = Aggregate.of(reports)
    with pytest.raises(EstimateError, match="needs the reports about 'stars', not counts"):
        ds.frequencies(counts, "stars:a")
    with pytest.raises(EstimateError, match=r"no 'bred' among its items \(did you mean 'bread'"):
        ds.frequencies(reports, "basket:bred")
    with pytest.raises(UnknownAttribute):
        ds.joint(reports, ["age:old", "basket:milk"])
    with pytest.raises(EstimateError, match="at most 6 items"):
        including(many(), [f"basket:{i}" for i in range(7)])


def many() -> ReportTable:
    basket = {"name": "basket", "kind": "set", "items": list("0123456789"), "length": 8}
    plan = Plan.of({"name": "many", "attributes": [basket], "budget": {"levels": [1]}})
    return ds.simulate(plan, pa.table({"basket": [["1"]] * 9}), seed=SEED)
