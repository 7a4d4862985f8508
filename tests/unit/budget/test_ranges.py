"""Ranges are part of a budget: from the plan's menu, and only for what is shared."""

from datetime import time
from typing import cast

import pytest

from discretion.budget import Budget
from discretion.budget.level import MOST, RANGE, level_of, range_of, stratum_of
from discretion.errors import BudgetError, UnknownAttribute
from discretion.plan import Plan
from discretion.schema.attribute import Ends
from tests.plans import AGE, INCOME, MODE, RANGES, author, dated_commuters, ranged_commuters

EPSILONS: dict[str, object] = {"mode": 1, "income": 2.5}


def test_a_grade_is_the_level_and_the_place_and_the_level_alone_without_one() -> None:
    assert stratum_of(3500, 0) == 3500
    for level in (1, 250, MOST):
        for place in (0, 1, 7, 1000):
            stratum = stratum_of(level, place)
            assert (level_of(stratum), range_of(stratum)) == (level, place)
    assert stratum_of(MOST, 0) < stratum_of(1, 1) == RANGE + 1


def test_a_budget_has_the_places_of_its_ranges() -> None:
    plan = ranged_commuters()
    budget = Budget.of(plan, EPSILONS, {"income": (20000, 60000)})
    assert budget.ranges == {"income": 2}
    assert budget.strata == {"mode": 1000, "income": 2 * RANGE + 2500}
    assert budget.levels == Budget.of(plan, EPSILONS).levels
    assert budget.total == 3500


@pytest.mark.parametrize("ends", [("06:00", "09:00"), (time(6), time(9)), (360, 540)])
def test_a_range_of_dates_or_times_is_written_as_such(ends: object) -> None:
    assert Budget.of(dated_commuters(), {"rise": 1}, {"rise": ends}).ranges == {"rise": 1}
    wrong = r"rise: range must be on the plan's menu \(\[04:00, 24:00\], \[06:00, 09:00\]\)"
    with pytest.raises(BudgetError, match=wrong):
        Budget.of(dated_commuters(), {"rise": 1}, {"rise": ("06:00", "08:45")})


@pytest.mark.parametrize("ends", [[0, 200000], (0.0, 2e5)])
def test_the_whole_range_is_no_choice(ends: object) -> None:
    plan = ranged_commuters()
    assert Budget.of(plan, EPSILONS, {"income": ends}) == Budget.of(plan, EPSILONS)


def test_every_range_of_the_menu_can_be_chosen_for_any_budget() -> None:
    plan = ranged_commuters()
    menu = cast("tuple[Ends, ...]", plan.questions["income"].ranges)
    assert [list(map(int, ends)) for ends in menu] == [
        [0, 200000],
        *RANGES,
    ]
    for place, ends in enumerate(plan.questions["income"].ranges):
        for made in (Budget.even(plan), Budget.by_sensitivity(plan, {"mode": 1, "income": 3})):
            budget = made.within(plan, {"income": ends})
            assert range_of(budget.strata["income"]) == place
            assert budget.levels == made.levels


def test_choosing_again_forgets_the_choice_before() -> None:
    plan = ranged_commuters()
    budget = Budget.of(plan, EPSILONS, {"income": (0, 100000)})
    assert budget.within(plan, {}) == Budget.of(plan, EPSILONS)
    assert budget.ranges == {"income": 1}


def test_a_range_of_what_is_not_shared_is_refused() -> None:
    with pytest.raises(BudgetError, match="a range must be that of a shared attribute, got income"):
        Budget.of(ranged_commuters(), {"mode": 1}, {"income": (0, 100000)})
    with pytest.raises(BudgetError, match="a range must be that of a shared attribute, got shoes"):
        Budget.of(ranged_commuters(), {"mode": 1}, {"shoes": (0, 1)})


@pytest.mark.parametrize("name", ["mode", "age"])
def test_a_range_of_what_has_no_menu_is_refused(name: str) -> None:
    plan = Plan.of(author(attributes=[MODE, AGE]))
    with pytest.raises(BudgetError, match=rf"{name}: range must be .* \(which has none\), got"):
        Budget.of(plan, {name: 1}, {name: (16, 50)})


def test_the_menu_of_an_unknown_attribute_is_refused() -> None:
    with pytest.raises(UnknownAttribute):
        _ = ranged_commuters().questions["shoes"].ranges


def test_laws_widths_and_questions_are_those_of_the_range() -> None:
    plan = Plan.of(author(attributes=[{**INCOME, "mechanism": "laplace", "ranges": RANGES}]))
    sizes = [401, 201, 81]
    for place, size in enumerate(sizes):
        law = plan.questions["income"].law(stratum_of(500, place))
        assert law.size == plan.questions["income"].within(place).size == size
        assert law.n_bytes <= plan.questions["income"].n_bytes == 2
    assert plan.questions["income"].attribute.size == 401


def test_two_budgets_that_differ_in_a_range_are_two() -> None:
    plan = ranged_commuters()
    one = Budget.of(plan, EPSILONS, {"income": (0, 100000)})
    assert one != Budget.of(plan, EPSILONS)
    assert one == Budget.of(plan, EPSILONS, {"income": (0.0, 100000.0)})
