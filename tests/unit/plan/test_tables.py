"""The tables of an optimal mechanism: solved once, written into the plan, checked by readers."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from discretion.errors import PlanError
from discretion.mechanism import Table
from discretion.mechanism.table import TOTAL
from discretion.plan import Plan, optimal
from discretion.plan.document import canonical
from discretion.plan.optimal import optimal_weights
from tests.cases import for_each
from tests.plans import AGE, INCOME, author

LEVELS = (500, 2000)
PLAN = Plan.of(
    author(
        attributes=[{**AGE, "mechanism": "optimal"}, {**INCOME, "mechanism": "optimal"}],
        budget={"levels": [level / 1000 for level in LEVELS]},
    )
)
Rows = list[list[int]]


def test_there_is_one_table_for_each_level_whatever_the_number_of_attributes() -> None:
    tables = tuple((level, optimal_weights(level)) for level in LEVELS)
    for name in PLAN.names:
        assert PLAN.questions[name].parameters.tables == tables
        for level in LEVELS:
            size = PLAN.questions[name].attribute.size
            assert PLAN.questions[name].law(level) == Table(size, optimal_weights(level))
        assert PLAN.questions[name].n_bytes == 1


def test_who_reads_the_plan_solves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def solve(level: int) -> None:
        raise AssertionError(level)

    monkeypatch.setattr(optimal, "optimal_weights", solve)
    assert Plan.from_bytes(PLAN.to_bytes()) == PLAN
    assert Plan.of({**author(), **PLAN_WITH_TABLES}).id == PLAN.id


def document() -> dict[str, Any]:
    return json.loads(PLAN.to_bytes())


PLAN_WITH_TABLES: dict[str, Any] = {
    "attributes": [{**AGE, "mechanism": "optimal"}, {**INCOME, "mechanism": "optimal"}],
    "budget": {"levels": [level / 1000 for level in LEVELS]},
    "tables": document()["tables"],
}


def swapped(rows: Rows) -> None:
    rows.reverse()


def without(rows: Rows) -> None:
    rows.pop()


def one_more(rows: Rows) -> None:
    rows[0][0] += 1


def lopsided(rows: Rows) -> None:
    rows[0][0] += 1
    rows[0][1] -= 1


def biased(rows: Rows) -> None:
    for row, step in ((rows[1], 1), (rows[-2], -1)):
        row[len(row) // 2] -= 1
        row[len(row) // 2 + step] += 1


def with_nothing(rows: Rows) -> None:
    for row in (rows[0], rows[-1]):
        row[row.index(max(row))] += min(row)
        row[row.index(min(row))] = 0


def no_rows(rows: Rows) -> None:
    rows.clear()


TAMPERED: dict[Callable[[Rows], None], str] = {
    swapped: "the mean output must rise by the same amount from row to row",
    without: "weights must be the same read from either end",
    one_more: f"every row of weights must sum to {TOTAL}",
    lopsided: "weights must be the same read from either end",
    biased: "the mean output must rise by the same amount from row to row",
    with_nothing: "weights must be whole numbers above zero",
    no_rows: "must be a list with at least one item",
}


@for_each("change", TAMPERED)
@for_each("level", LEVELS)
def test_a_tampered_table_is_refused_by_its_level(
    level: int, change: Callable[[Rows], None]
) -> None:
    tampered = document()
    change(tampered["tables"][str(level)])
    with pytest.raises(PlanError, match=TAMPERED[change]) as refused:
        Plan.from_bytes(canonical(tampered))
    assert refused.value.field == f"tables.{level}"


def test_the_table_of_a_larger_level_is_refused() -> None:
    """What a plan promises at a level is checked, not believed."""
    tampered = document()
    tampered["tables"]["500"] = tampered["tables"]["2000"]
    with pytest.raises(PlanError, match="may be further apart than e to the epsilon"):
        Plan.from_bytes(canonical(tampered))


def test_a_table_more_private_than_its_level_is_welcome() -> None:
    changed = document()
    changed["tables"]["2000"] = changed["tables"]["500"]
    assert Plan.from_bytes(canonical(changed)).questions["age"].law(2000) == PLAN.questions[
        "age"
    ].law(500)


@pytest.mark.parametrize(
    "change, rule",
    [
        (lambda tables: tables.pop("500"), "tables.500: must be there"),
        (lambda tables: tables.update({"750": tables["500"]}), "tables.750: must be one of"),
        (lambda tables: tables["500"][0].append(0.5), "must be a whole number from 0"),
        (lambda tables: tables["500"][0].__setitem__(0, True), "must be a number"),
        (lambda tables: tables["500"][0].__setitem__(0, 1 << 60), "must be a whole number from 0"),
        (lambda tables: tables["500"][0].__setitem__(0, "1"), "must be a number"),
    ],
)
def test_tables_of_another_form_are_refused(
    change: Callable[[dict[str, Rows]], object], rule: str
) -> None:
    tampered = document()
    change(tampered["tables"])
    with pytest.raises(PlanError, match=rule):
        Plan.from_bytes(canonical(tampered))


def test_tables_in_a_plan_that_needs_none_are_refused() -> None:
    tampered = json.loads(Plan.of(author()).to_bytes()) | {"tables": document()["tables"]}
    with pytest.raises(PlanError, match="must be in plans with an optimal mechanism only"):
        Plan.from_bytes(canonical(tampered))


def test_weights_written_with_a_fraction_are_not_canonical() -> None:
    """JSON reads 5.0 and 5 as the same number; the bytes that devices hash are those of one."""
    first = str(document()["tables"]["500"][0][0]).encode()
    data = PLAN.to_bytes().replace(first, first + b".0", 1)
    assert data != PLAN.to_bytes()
    with pytest.raises(PlanError, match="must be the canonical bytes"):
        Plan.from_bytes(data)
