import pytest

from discretion.budget import Average, Levels, Policy, Total
from discretion.errors import BudgetError
from tests.cases import for_each

AVERAGE = Average(average=2000, least_level=300, most=1100 + 5000, step=1000)
TOTAL = Total(total=8000, spread=1500, step=250)
LEVELS = Levels((500, 1000, 2000, 4000))


@pytest.mark.parametrize(
    "policy, menu",
    [
        (Average(1000, 250, 1000, 250), (250, 500, 750, 1000)),
        (AVERAGE, (300, 1000, 2000, 3000, 4000, 5000, 6000, 6100)),
        (Average(500, 500, 500, 250), (500,)),
        (Average(500, 400, 600, 5000), (400, 600)),
        (Total(1000, 1000, 300), (300, 600, 900, 1000)),
        (Total(200, 1000, 300), (200,)),
        (LEVELS, (500, 1000, 2000, 4000)),
    ],
    ids=repr,
)
def test_the_menu_rises_from_the_least_to_the_most_in_steps(
    policy: Policy, menu: tuple[int, ...]
) -> None:
    assert policy.menu == menu


def test_a_total_above_the_highest_level_is_for_sharing_among_several() -> None:
    assert Total(50_000, 4000, 10_000).menu == (10_000, 20_000)


@pytest.mark.parametrize(
    "policy, shared, allowance, least",
    [
        (AVERAGE, 1, 2000, 300),
        (AVERAGE, 3, 6000, 300),
        (TOTAL, 1, 8000, 5334),
        (TOTAL, 3, 8000, 1778),
        (LEVELS, 3, None, 500),
    ],
)
def test_allowance_and_least_level_of_so_many_shared(
    policy: Policy, shared: int, allowance: int | None, least: int
) -> None:
    assert policy.allowance(shared) == allowance
    assert policy.least(shared) == least


@pytest.mark.parametrize(
    "policy, shared, level",
    [(AVERAGE, 1, 2000), (AVERAGE, 5, 2000), (TOTAL, 1, 8000), (TOTAL, 3, 2500), (LEVELS, 3, 1000)],
)
def test_even_is_the_largest_level_that_all_can_have(
    policy: Policy, shared: int, level: int
) -> None:
    assert policy.even(shared) == level
    policy.check({f"a{i}": level for i in range(shared)})


def test_even_refuses_where_no_level_fits() -> None:
    with pytest.raises(BudgetError, match="no level that all shared attributes can have, got 3"):
        Total(1000, 1000, 250).even(3)


@pytest.mark.parametrize(
    "policy, levels",
    [
        (AVERAGE, {"a": 2000}),
        (AVERAGE, {"a": 300, "b": 3000}),
        (AVERAGE, {"a": 300, "b": 300, "c": 5000}),
        (TOTAL, {"a": 8000}),
        (TOTAL, {"a": 5250, "b": 2750}),
        (LEVELS, {"a": 4000, "b": 4000, "c": 500}),
    ],
)
def test_what_the_rule_allows_passes(policy: Policy, levels: dict[str, int]) -> None:
    policy.check(levels)


@for_each(
    "policy, levels, rule, value",
    [
        (AVERAGE, {"a": 300, "b": 700}, "b: level must be on the plan's menu (0.3, 1, ", "0.7"),
        (AVERAGE, {"a": 7000}, "a: level must be on the plan's menu", "7"),
        (AVERAGE, {"a": 3000}, "1 shared attributes may spend at most 2 together", "3"),
        (AVERAGE, {"a": 3000, "b": 2000}, "2 shared attributes may spend at most 4 together", "5"),
        (TOTAL, {"a": 6000, "b": 2500}, "b: each of 2 attributes must get 2.667 or more", "2.5"),
        (TOTAL, {"a": 5000}, "a: each of 1 attributes must get 5.334 or more", "5"),
        (TOTAL, {"a": 4250, "b": 4000}, "2 shared attributes may spend at most 8 together", "8.25"),
        (LEVELS, {"a": 3000}, "a: level must be on the plan's menu (0.5, 1, 2, 4)", "3"),
    ],
)
def test_what_breaks_the_rule_is_refused_with_rule_and_value(
    policy: Policy, levels: dict[str, int], rule: str, value: str
) -> None:
    with pytest.raises(BudgetError) as refused:
        policy.check(levels)
    assert refused.value.rule.startswith(rule)
    assert refused.value.value == value
