"""``mechanism: auto``: what it comes to, and that subset selection is best wherever it fits."""

from typing import Any

import pytest

from discretion.errors import PlanError
from discretion.mechanism import MECHANISMS
from discretion.plan import Plan
from discretion.plan.auto import MOST_LEVELS, fitting, least_variance, mean_variance, some
from tests.cases import for_each
from tests.plans import AGE_GROUP, AVERAGE, INCOME, author

LEVELS = tuple(range(250, 6001, 250))
ROUNDING = 1e-12  # of logarithms of variances


def asked(size: int, mechanism: Any = None, **changes: Any) -> Plan:
    question = {"name": "x", "kind": "categorical", "values": list(range(size))}
    stated = {} if mechanism is None else {"mechanism": mechanism}
    return Plan.of(author(attributes=[{**question, **stated}], **changes))


@pytest.mark.parametrize("size", [2, 3, 5, 16, 100, 1000, 4096])
def test_subset_has_the_least_variance_at_every_level(size: int) -> None:
    """Which is why it is taken without looking at the others."""
    for level in (*LEVELS, 10, 20_000):
        least = mean_variance("subset", size, [level])
        assert all(least <= mean_variance(m, size, [level]) + ROUNDING for m in MECHANISMS)


@for_each("size", [2, 16, 4096])
@for_each("mechanism", [None, "auto", {"auto": {"bytes": 512}}])
def test_subset_is_taken_wherever_it_fits(size: int, mechanism: Any) -> None:
    plan = asked(size, mechanism)
    assert plan.questions["x"].mechanism == "subset"
    assert plan.id == asked(size, "subset").id


@pytest.mark.parametrize(
    "size, most, expected",
    [(16, 1, "grr"), (100, 3, "grr"), (100, 4, "hadamard"), (100, 8, "olh"), (1000, 2, "hrr")],
)
def test_a_short_report_gets_the_best_mechanism_that_fits(
    size: int, most: int, expected: str
) -> None:
    plan = asked(size, {"auto": {"bytes": most}})
    assert plan.questions["x"].mechanism == expected
    assert plan.questions["x"].n_bytes <= most
    others = fitting(size, most)
    assert all(
        mean_variance(expected, size, LEVELS) <= mean_variance(other, size, LEVELS)
        for other in others
    )
    assert Plan.from_bytes(plan.to_bytes()).id == plan.id == asked(size, expected).id


def test_the_choice_follows_the_menu() -> None:
    wish = {"auto": {"bytes": 2}}
    chosen = [
        asked(256, wish, budget={"levels": levels}).questions["x"].mechanism
        for levels in ([0.5], [6])
    ]
    assert chosen == ["hrr", "grr"]


def test_bins_are_labels() -> None:
    plan = Plan.of(author(attributes=[{**AGE_GROUP, "mechanism": {"auto": {"bytes": 1}}}]))
    assert plan.questions["age"].mechanism == "subset"


def test_a_secret_plan_takes_oue() -> None:
    plan = asked(16, {"auto": {"bytes": 2}}, allocation="secret")
    assert plan.questions["x"].mechanism == "oue"


@for_each(
    "mechanism, changes, path, rule",
    [
        ({"auto": {"bytes": 1}}, {}, "", "must allow 2 bytes or more"),
        ({"auto": {"bytes": 8}}, {"allocation": "secret"}, "", "must allow 125 bytes or more"),
        ({"auto": {"bytes": 0}}, {}, ".auto.bytes", "must be a whole number from 1 to 512"),
        ({"auto": {"bytes": 1.5}}, {}, ".auto.bytes", "must be a whole number from 1 to 512"),
        ({"auto": {}}, {}, ".auto.bytes", "must be there"),
        ({"auto": 8}, {}, ".auto", "must be a mapping"),
        ({"auto": {"bytes": 8}, "bloom": {}}, {}, ".bloom", "must be one of the fields auto"),
        ({"auto": {"bits": 8}}, {}, ".auto.bits", "must be one of the fields bytes"),
    ],
)
def test_what_cannot_be_is_refused(
    mechanism: Any, changes: dict[str, Any], path: str, rule: str
) -> None:
    with pytest.raises(PlanError) as refused:
        asked(1000, mechanism, **changes)
    assert refused.value.field == f"attributes[0].mechanism{path}"
    assert rule in str(refused.value)


def test_numbers_are_refused() -> None:
    with pytest.raises(PlanError, match="must be on labels or bins"):
        Plan.of(author(attributes=[{**INCOME, "mechanism": {"auto": {"bytes": 8}}}]))


def test_a_wrong_budget_is_refused_where_it_is_needed() -> None:
    with pytest.raises(PlanError) as refused:
        asked(1000, {"auto": {"bytes": 8}}, budget={**AVERAGE, "average": 9})
    assert refused.value.field == "budget.average"


def test_of_a_long_menu_some_levels_are_looked_at() -> None:
    menu = range(10, 6001)
    found = some(menu)
    assert (len(found), found[0], found[-1]) == (MOST_LEVELS, 10, 6000)
    assert some([500]) == [500]
    assert least_variance(["grr", "olh"], 1000, menu) == "olh"
