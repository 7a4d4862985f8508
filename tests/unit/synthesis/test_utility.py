"""How useful rows are: distances by order and classifiers, against counting by hand."""

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from discretion.errors import EstimateError, RecordError, TableError
from discretion.synthesis.model import Column
from discretion.synthesis.rows import synthetic
from discretion.synthesis.utility import MISSING, by_order, classifiers, codes_of
from tests.unit.synthesis.models import labelled, town
from tests.unit.synthesis.published import all_apart

COLUMNS = (labelled("a", "x", "y"), labelled("b", "u", "v", "w"), labelled("c", "0", "1"))


def rows_of(n: int, seed: int, tie: float = 0.8) -> pa.Table:
    rng = np.random.default_rng(seed)
    a = rng.choice(2, n)
    b = np.where(rng.random(n) < tie, a, rng.choice(3, n))
    c = np.where(rng.random(n) < tie, a ^ (b == 2), rng.choice(2, n))
    return pa.table(
        {"a": np.array(["x", "y"])[a], "b": np.array(["u", "v", "w"])[b], "c": c.astype(str)}
    )


def by_hand(one: pa.Table, other: pa.Table, names: tuple[str, ...]) -> float:
    tables = [
        Counter(zip(*(t[name].to_pylist() for name in names), strict=True)) for t in (one, other)
    ]
    cells = set(tables[0]) | set(tables[1])
    return sum(abs(tables[0][c] / len(one) - tables[1][c] / len(other)) for c in cells) / 2


def test_distances_of_rows_are_those_counted_by_hand() -> None:
    own, truth = rows_of(500, 1, 0.5), rows_of(700, 2)
    for found in by_order(own, truth, COLUMNS):
        sets = list(combinations("abc", found.order))
        distances = [by_hand(own, truth, names) for names in sets]
        assert found.sets == len(sets)
        assert found.mean == pytest.approx(np.mean(distances))
        assert found.largest == pytest.approx(max(distances))
    assert [found.order for found in by_order(own, truth, COLUMNS, orders=(2, 4))] == [2]


def test_a_model_is_nearer_to_its_own_rows_than_one_without_dependence() -> None:
    model = town()
    rows = synthetic(model, 50_000, 3)
    own, apart = by_order(model, rows), by_order(all_apart(model), rows)
    for near, far in zip(own, apart, strict=True):
        assert near.mean < 0.02
        if near.order > 1:
            assert far.mean > 5 * near.mean
            assert far.mean == pytest.approx(far.unrelated, abs=0.01)
    assert own[0].unrelated == pytest.approx(0, abs=1e-12)


def test_of_many_sets_a_seeded_sample_is_taken() -> None:
    model = town()
    rows = synthetic(model, 2000, 3)
    some = by_order(model, rows, orders=(3,), sets=4, seed=1)[0]
    assert some.sets == 4
    assert some == by_order(model, rows, orders=(3,), sets=4, seed=1)[0]
    assert some != by_order(model, rows, orders=(3,), sets=4, seed=2)[0]


def test_rows_that_lack_a_value_do_not_count_where_it_is_asked_for() -> None:
    truth = pa.table({"a": ["x", "y", None, "x"], "b": ["u", None, "v", "u"]})
    own = pa.table({"a": ["x"], "b": ["u"]})
    one, two = by_order(own, truth, COLUMNS[:2], orders=(1, 2))
    assert one.mean == pytest.approx((1 / 3 + 1 / 3) / 2)
    assert two.mean == 0
    nobody = pa.table({"a": ["x", None], "b": [None, "u"]})
    with pytest.raises(EstimateError, match="no record has a, b"):
        by_order(own, nobody, COLUMNS[:2], orders=(2,))


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_frames_of_any_library_are_read(frame: Any) -> None:
    values = {"a": ["x", "y", None], "b": ["w", "u", "v"], "c": [0, 1, 1]}
    codes = codes_of(frame(values), COLUMNS)
    np.testing.assert_array_equal(codes, [[0, 2, 0], [1, 0, 1], [MISSING, 1, 1]])


def test_numbers_stand_in_the_bins_of_the_model() -> None:
    ages = next(column for column in town().columns if column.name == "age")
    spread = np.repeat(np.eye(3), 10, axis=1) / 10
    whole = Column("age", ages.labels, ages.values, spread)
    numbers = [20, 29, 29.9, 30.0, 49, None, float("nan")]
    found = codes_of({"age": numbers}, [whole])[:, 0]
    np.testing.assert_array_equal(found, [0, 0, 0, 1, 2, MISSING, MISSING])
    rate = next(column for column in town().columns if column.name == "rate")
    np.testing.assert_array_equal(codes_of({"rate": [0.5, 1.25, 2.0]}, [rate])[:, 0], [0, 1, 2])


def test_a_grid_of_tenths_holds_its_own_points() -> None:
    grid = tuple(i / 10 for i in range(11))
    tenths = Column("t", tuple(map(str, grid)), grid)
    found = codes_of({"t": [i * 0.1 for i in range(11)]}, [tenths])[:, 0]
    np.testing.assert_array_equal(found, range(11))


def test_unknown_labels_go_to_other_where_the_model_has_it() -> None:
    column = labelled("a", "x", "other")
    np.testing.assert_array_equal(codes_of({"a": ["x", "q"]}, [column])[:, 0], [0, 1])


def test_what_the_model_does_not_have_is_refused() -> None:
    ages = next(column for column in town().columns if column.name == "age")
    with pytest.raises(RecordError, match="must be a value that the model has"):
        codes_of({"a": ["x", "z"]}, COLUMNS[:1])
    with pytest.raises(RecordError, match="must have this column"):
        codes_of({"b": ["u"]}, COLUMNS[:1])
    with pytest.raises(RecordError, match="must lie between 20 and 49"):
        codes_of({"age": [19]}, [ages])
    with pytest.raises(RecordError, match="must be a number"):
        codes_of({"age": ["20"]}, [ages])
    with pytest.raises(TableError):
        codes_of(3, COLUMNS)
    with pytest.raises(EstimateError, match="rows need the columns"):
        by_order(rows_of(5, 1), rows_of(5, 1))


def test_classifiers_learn_as_much_from_rows_of_the_same_law_and_less_from_others() -> None:
    truth = rows_of(4000, 3)
    good = classifiers(rows_of(4000, 4), truth, COLUMNS)
    bad = classifiers(rows_of(4000, 4, tie=0.0), truth, COLUMNS)
    assert [kind.kind for kind in good] == ["random forest", "linear SVM"]
    assert [t.attribute for t in good[0].targets] == ["a", "b", "c"]
    assert [t.attribute for t in good[1].targets] == ["a", "c"]
    assert good[0].rows == 2000
    for own, other in zip(good, bad, strict=True):
        assert own.mean.synthetic == pytest.approx(own.mean.real, abs=0.02)
        assert own.mean.synthetic > own.mean.majority + 0.2
        assert other.mean.synthetic < own.mean.synthetic - 0.1
        assert other.mean.real == own.mean.real  # of the same halves


def test_classifiers_are_repeated_by_their_seed() -> None:
    truth, own = rows_of(600, 3), rows_of(600, 4)
    assert classifiers(own, truth, COLUMNS, 1) == classifiers(own, truth, COLUMNS, 1)
    assert classifiers(own, truth, COLUMNS, 1) != classifiers(own, truth, COLUMNS, 2)


def test_a_target_with_one_value_only_is_guessed() -> None:
    own = rows_of(200, 1).set_column(0, "a", pa.array(["x"] * 200))
    truth = rows_of(200, 2)
    forest, linear = classifiers(own, truth, COLUMNS)
    for kind in (forest, linear):
        target = kind.targets[0]
        assert 0.3 < target.synthetic < 0.7


def test_without_two_values_there_is_no_linear_classifier() -> None:
    columns = (labelled("a", "x", "y", "z"), COLUMNS[1])
    assert len(classifiers(rows_of(50, 1), rows_of(50, 2), columns)) == 1


def test_classifiers_need_rows_and_attributes() -> None:
    rows = rows_of(50, 1)
    with pytest.raises(EstimateError, match="two attributes or more"):
        classifiers(rows, rows, COLUMNS[:1])
    with pytest.raises(EstimateError, match="at least four real"):
        classifiers(rows, rows.slice(0, 3), COLUMNS)
