"""The generated census: its columns, its values, and that it repeats itself."""

import pyarrow as pa
import pytest

from discretion.crowd import census, census_plan, simulate
from discretion.crowd.census import AGES, EDUCATION, TRAVEL, WORK

DOMAINS = {"age": AGES, "education": EDUCATION, "work": WORK, "travel": TRAVEL}


@pytest.mark.parametrize("owners", [0, 1, 700])
def test_it_has_so_many_records_of_five_attributes(owners: int) -> None:
    table = census(owners, seed=1)
    assert table.num_rows == owners
    assert table.column_names == ["age", "education", "work", "travel", "income"]


def test_every_value_of_each_attribute_occurs_and_no_other() -> None:
    table = census(5_000, seed=1)
    for name, labels in DOMAINS.items():
        assert set(table[name].to_pylist()) == set(labels)
        assert table[name].null_count == 0


def test_incomes_are_whole_hundreds_below_150_000() -> None:
    incomes = census(5_000, seed=1)["income"].to_pylist()
    assert 0 <= min(incomes) < max(incomes) <= 150_000
    assert all(income % 100 == 0 for income in incomes)


def test_a_seed_repeats_it() -> None:
    assert census(100, seed=3) == census(100, seed=3)
    assert census(100, seed=3) != census(100, seed=4)


def test_attributes_are_correlated() -> None:
    """Nearly all owners of 65 or more are retired, and nobody below 45 is."""
    table = census(5_000, seed=1)
    old = pa.compute.equal(table["age"], "65+")
    retired = pa.compute.equal(table["work"], "retired")
    share = pa.compute.mean(retired.filter(old).cast(pa.float64())).as_py()
    assert 0.8 < share < 0.94
    young = pa.compute.is_in(table["age"], pa.array(AGES[:2]))
    assert not pa.compute.any(retired.filter(young)).as_py()


def test_its_plan_asks_for_all_of_it() -> None:
    table = census(300, seed=5)
    reports = simulate(census_plan(), table, budgets="dirichlet", share=(1, 5), seed=5)
    assert census_plan().names == tuple(table.column_names)
    assert len(reports) == 300
    assert all(reports.data[f"{name}.y"].null_count for name in table.column_names)
