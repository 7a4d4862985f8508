"""Publishing: the same seed gives the same rows, plans of all kinds work, bad inputs do not."""

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import discretion as ds
from discretion.crowd import simulate
from discretion.errors import DiscretionError, EstimateError
from discretion.synthesis.publish import Publication, publish
from discretion.table import ReportTable
from tests.builders import table_of
from tests.cases import for_each
from tests.folders import in_folder
from tests.plans import bundled_numbers
from tests.unit.joints.crowds import (
    Table,
    crowd,
    dependent,
    labels,
    plan_of,
    records,
    total_variation,
)
from tests.unit.synthesis.trees import EDGES, reports_of, summed

SIZES = (3, 4, 2)
PLAN = plan_of(SIZES)
TRUTH = dependent(SIZES, strength=1.5)
HIGH = {"levels": [3, 4, 6]}


def published(n: int = 3_000, **changes: Any) -> Publication:
    return publish(crowd(PLAN, TRUTH, n, seed=1), **changes)


def model_error(publication: Publication, truth: Table = TRUTH) -> float:
    """Return the mean total variation of all pairs of the model."""
    names = publication.model.names
    return float(
        np.mean(
            [
                total_variation(
                    publication.model.marginal([names[a], names[b]]), summed(truth, (a, b))
                )
                for a, b in combinations(range(len(names)), 2)
            ]
        )
    )


def test_the_same_seed_gives_the_same_rows() -> None:
    one, again, other = published(seed=3), published(seed=3), published(seed=4)
    assert one.rows == again.rows
    assert one.rows != other.rows
    assert one.rows.column_names == ["a", "b", "c"]
    assert one.rows.num_rows == len(one.reports)


def test_rows_are_drawn_from_the_model() -> None:
    publication = published(rows=50_000, seed=1)
    counts = np.zeros(SIZES)
    codes = [
        np.array([labels(name, size).index(v) for v in publication.rows[name].to_pylist()])
        for name, size in zip("abc", SIZES, strict=True)
    ]
    np.add.at(counts, tuple(codes), 1 / 50_000)
    assert total_variation(counts, publication.model.marginal(["a", "b", "c"])) < 0.02


def test_the_model_is_near_the_truth_and_nearer_with_more_reports() -> None:
    plan = plan_of(SIZES, budget=HIGH)
    errors = [
        model_error(publish(crowd(plan, TRUTH, n, seed=2, budgets="levels"))) for n in (500, 50_000)
    ]
    assert errors[1] < 0.015 < errors[0]


def test_written_rows_are_those_in_memory(tmp_path: Path) -> None:
    publication = published(rows=1_000, seed=5)
    assert publication.write(tmp_path / "rows.parquet") == 1_000
    assert pq.read_table(tmp_path / "rows.parquet") == publication.rows


def test_attributes_may_be_chosen() -> None:
    publication = published(attributes=["c", "a"], seed=1)
    assert publication.model.names == ("c", "a")
    assert publication.rows.column_names == ["c", "a"]
    assert publication.dependence.attributes == ("c", "a")


def test_the_package_offers_it() -> None:
    offered: object = ds.publish
    assert offered is publish
    assert isinstance(published(100), ds.Publication)


# Plans of all kinds


@pytest.mark.parametrize("kind", ["mixed", "bundled", "secret", "number"])
def test_every_kind_of_plan_can_be_published(kind: str) -> None:
    reports = reports_of(kind, 3_000)
    bins = {"x": EDGES} if kind == "number" else None
    publication = publish(reports, 500, bins=bins, seed=1)
    assert publication.rows.num_rows == 500
    assert publication.rows.column_names == list(reports.plan.attributes)
    whole = publication.model.marginal(publication.model.names)
    assert whole.sum() == pytest.approx(1)
    assert (whole >= 0).all()
    if kind == "number":
        values = publication.rows["x"].to_pylist()
        assert {2 * v % 1 for v in values} == {0.0}
        assert 0 <= min(values) <= max(values) <= 10


@pytest.mark.parametrize("mechanism", ["subset", "oue", "grr"])
def test_two_values_are_enough(mechanism: str) -> None:
    plan, truth = plan_of((2, 2), mechanism, budget=HIGH), np.array([[0.4, 0.1], [0.1, 0.4]])
    publication = publish(crowd(plan, truth, 20_000, seed=1, budgets="levels"))
    assert model_error(publication, truth) < 0.03
    assert len(publication.dependence.edges) == 1


def test_attributes_of_a_bundle_stand_in_one_clique() -> None:
    """Even where they are independent: the bundle's answers are about their cells."""
    plan = plan_of((3, 4, 2), "subset", bundles=[["b", "a"]])
    truth = np.multiply.outer(np.outer([0.5, 0.3, 0.2], [0.4, 0.3, 0.2, 0.1]), [0.4, 0.6])
    publication = publish(crowd(plan, truth, 2_000, seed=3, missing=0.0))
    assert (0, 1) in publication.model.edges
    assert model_error(publication, truth) < 0.1


def test_bundles_are_worth_more_than_attributes_alone() -> None:
    """The same owners and budgets: what was told of a pair in one answer must not be lost."""
    bundled = plan_of((3, 4), "subset", bundles=[["b", "a"]])
    truth = dependent((3, 4), strength=2.0)
    errors = [
        np.mean(
            [
                model_error(publish(crowd(plan, truth, 1_500, seed, missing=0.0)), truth)
                for seed in range(6)
            ]
        )
        for plan in (bundled, plan_of((3, 4)))
    ]
    assert errors[0] < 0.8 * errors[1]


def test_numbers_that_are_reported_for_their_means_alone_are_left_out() -> None:
    plan = bundled_numbers()
    rng = np.random.default_rng(1)
    reports = simulate(plan, {name: rng.integers(0, 3, 300) for name in "abc"}, seed=1)
    assert publish(reports, seed=1).rows.column_names == ["c"]
    with pytest.raises(EstimateError, match="bundles of numbers alone"):
        publish(reports, attributes=["a", "c"])


def test_a_plan_whose_devices_draw_two_of_the_questions() -> None:
    document = {
        "name": "sampled",
        "attributes": [
            {"name": name, "kind": "categorical", "values": labels(name, size)}
            for name, size in zip("abc", SIZES, strict=True)
        ],
        "budget": {"total": 8.0, "spread": 1.5},
        "share": {"sample": 2},
    }
    plan = ds.Plan.of(document)
    reports = simulate(plan, records(plan, TRUTH, 20_000, seed=1), budgets="dirichlet", seed=1)
    assert all(0.5 < reports.data[f"{name}.y"].null_count / 20_000 * 2 < 0.8 for name in "abc")
    publication = publish(reports, seed=1)
    assert model_error(publication) < 0.04
    assert {pair.n for pair in publication.dependence.pairs} < set(range(6_000, 7_500))


def test_a_pair_that_nobody_reports_together_stays_independent() -> None:
    rows: list[dict[str, tuple[int, int]]] = [{"a": (2000, 1)}, {"b": (2000, 2)}] * 30
    plan = plan_of((3, 4), "grr")
    model = publish(table_of(plan, rows)).model
    apart = np.outer(model.marginal(["a"]), model.marginal(["b"]))
    np.testing.assert_allclose(model.marginal(["a", "b"]), apart, atol=1e-9)


@pytest.mark.parametrize("secret", [False, True], ids=["disclosed", "secret"])
@pytest.mark.parametrize("n", [1, 2])
def test_one_or_two_reports_are_enough_for_rows(n: int, secret: bool) -> None:
    plan = plan_of(SIZES, "oue", secret=secret)
    publication = publish(crowd(plan, TRUTH, n, seed=1, missing=0.0), 50, seed=1)
    assert publication.rows.num_rows == 50
    assert publication.dependence.edges == ()


def test_a_single_attribute_that_somebody_shared_is_published() -> None:
    publication = publish(table_of(PLAN, [{"a": (3000, 1)}] * 20), 10, seed=1)
    assert publication.rows.column_names == ["a"]


def test_attributes_that_nobody_shared_are_left_out() -> None:
    rows: list[dict[str, tuple[int, int]]] = [{"a": (1000, 1), "c": (1000, 1)}] * 5
    assert publish(table_of(PLAN, rows)).model.names == ("a", "c")


# What is refused


@for_each(
    "changes, message",
    [
        ({"rate": 0}, "between 0 and 1, got 0"),
        ({"rate": 1}, "between 0 and 1, got 1"),
        ({"rate": float("nan")}, "between 0 and 1, got nan"),
        ({"rows": 0}, "rows must be a whole number, 1 or more, got 0"),
        ({"rows": -5}, "rows must be a whole number, 1 or more, got -5"),
        ({"rows": 2.5}, r"rows must be a whole number, 1 or more, got 2\.5"),
        ({"seed": -1}, "seed must be a whole number, 0 or more, got -1"),
        ({"attributes": ["a"]}, "two attributes or more"),
        ({"attributes": "abc"}, "two attributes or more"),
        ({"attributes": ["a", "a"]}, "different attributes"),
        ({"attributes": ["a", "height"]}, "height"),
        ({"bins": {"a": 3}}, "bins are for numbers"),
    ],
)
def test_settings_that_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(DiscretionError, match=message):
        published(20, **changes)


def test_without_a_seed_the_rows_are_those_that_are_written(tmp_path: Path) -> None:
    one, other = published(200), published(200)
    one.write(tmp_path / "rows.parquet")
    assert pq.read_table(tmp_path / "rows.parquet") == one.rows
    assert one.rows != other.rows


def test_reports_that_are_refused() -> None:
    reports = crowd(PLAN, TRUTH, 20, seed=1)
    for wrong in (reports.data, None, [1, 2]):
        with pytest.raises(EstimateError, match="needs reports, got"):
            publish(wrong)  # type: ignore[arg-type]
    later = reports.data.set_column(1, "round", pa.array([1] * len(reports), pa.int32()))
    both = ReportTable(PLAN, pa.concat_tables([reports.data, later]))
    with pytest.raises(EstimateError, match="of one round, got 0, 1"):
        publish(both)
    assert publish(both.of_round(1), seed=1).rows == publish(reports, seed=1).rows
    with pytest.raises(EstimateError, match="no reports about labels"):
        publish(ReportTable(PLAN, reports.data.slice(0, 0)))
    collected = table_of(PLAN, [{"a": (1000, 1), "b": (1000, 1)}])
    with pytest.raises(EstimateError, match="nobody shared 'c'"):
        publish(collected, attributes=["a", "c"])


def test_a_folder_is_published_as_its_table(tmp_path: Path) -> None:
    table = crowd(PLAN, TRUTH, 1_000, seed=1)
    folder = in_folder(table, tmp_path, shard=300)
    one, other = ds.dependence(table), ds.dependence(folder)
    assert [pair.names for pair in other.edges] == [pair.names for pair in one.edges]
    for here, there in zip(one.pairs, other.pairs, strict=True):
        assert there.statistic == pytest.approx(here.statistic, rel=1e-3)
        assert there.n == here.n
    in_memory, on_disk = publish(table, 100, seed=2), publish(folder, 100, seed=2)
    found, expected = (each.model.marginal(PLAN.names) for each in (on_disk, in_memory))
    np.testing.assert_allclose(found, expected, atol=2e-3)
    assert on_disk.rows.schema == in_memory.rows.schema
    assert on_disk.quality().spending == in_memory.quality().spending


@pytest.mark.parametrize("secret", [False, True], ids=["disclosed", "secret"])
def test_a_triple_that_pairs_do_not_imply_is_named(secret: bool) -> None:
    budget = {"levels": [1, 2, 4]}
    plan = plan_of((2,) * 4, "oue", secret=secret, budget=budget)
    a, b, c, _ = np.indices((2,) * 4)
    f = np.where(c == a ^ b, 0.9, 0.1) / 8
    found = publish(crowd(plan, f, 20_000, 5, budgets="levels"), 10, seed=1)
    assert [each.attributes for each in found.left_out] == [("a", "b", "c")]
    assert "agrees with" not in str(found.quality())
