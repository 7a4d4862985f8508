"""A device draws its questions once for a plan, keeps the draw, and answers nothing else."""

import math
from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import combinations
from pathlib import Path
from unittest import mock

import pytest

from discretion.budget import Budget
from discretion.device import Device, State
from discretion.device.draws import draw
from discretion.errors import BudgetError
from discretion.plan import Plan
from discretion.randomness import Source
from tests.contract.enumeration import distribution
from tests.plans import AGE_GROUP, HOME, MODE, author, commuters, sampled_commuters

RECORD = {"mode": "bike", "age": 41, "income": 31_257}
EQUAL = {"mode": 1, "age": 1, "income": 1}
DRAWN = ["mode", "income"]


def drawing(names: list[str]) -> State:
    state = State()
    state.keep_draw(sampled_commuters().id, names)
    return state


def chosen(names: list[str], count: int, source: Source) -> tuple[str, ...]:
    return tuple(draw(names, count, source))


@pytest.mark.parametrize("n", range(1, 6))
def test_every_choice_of_so_many_names_is_equally_likely_and_in_order(n: int) -> None:
    names = list("abcde")[:n]
    for count in range(1, n + 1):
        drawn = distribution(partial(chosen, names, count))
        assert drawn == dict.fromkeys(combinations(names, count), Fraction(1, math.comb(n, count)))


def drawn_by_device(source: Source) -> tuple[str, ...]:
    with State() as state, mock.patch("discretion.device.draws.system", return_value=source):
        return tuple(Device(sampled_commuters(), state).sample(EQUAL).levels)


def test_a_device_draws_each_pair_of_questions_with_a_third() -> None:
    probabilities = distribution(drawn_by_device)
    assert list(probabilities.values()) == [probabilities["mode", "age"]] * 3
    assert sum(probabilities.values()) == 1


def test_it_draws_once_whatever_the_sensitivities_and_however_often_it_is_asked() -> None:
    with State() as state:
        first = Device(sampled_commuters(), state).sample(EQUAL)
        for sensitivities in (EQUAL, {"mode": 5, "age": 1, "income": 0.25}):
            again = Device(sampled_commuters(), state).sample(sensitivities)
            assert again.levels.keys() == first.levels.keys()
        assert state.drawn(sampled_commuters().id) == list(first.levels)


def test_the_draw_is_kept_across_restarts(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    seen = set()
    for _ in range(20):
        with State(path) as state:
            seen.add(tuple(Device(sampled_commuters(), state).sample(EQUAL).levels))
    assert len(seen) == 1


def test_other_devices_draw_for_themselves() -> None:
    seen = Counter(drawn_by_themselves() for _ in range(60))
    assert len(seen) == 3  # but once in 10^10 runs


def drawn_by_themselves() -> tuple[str, ...]:
    with State() as state:
        return tuple(Device(sampled_commuters(), state).sample(EQUAL).levels)


def test_another_plan_is_another_draw() -> None:
    other = Plan.of(author(name="other", budget={"total": 6, "spread": 1.5}, share={"sample": 1}))
    with State() as state:
        Device(sampled_commuters(), state).sample(EQUAL)
        assert state.drawn(other.id) is None
        assert len(Device(other, state).sample(EQUAL).levels) == 1
        assert len(state.drawn(sampled_commuters().id) or []) == 2


def test_the_total_is_spread_over_what_was_drawn() -> None:
    with drawing(DRAWN) as state:
        budget = Device(sampled_commuters(), state).sample({"mode": 1, "age": 9, "income": 2})
    assert budget == Budget.by_sensitivity(sampled_commuters(), {"mode": 1, "income": 2})
    assert budget.levels["mode"] > budget.levels["income"]
    assert 5750 <= budget.total <= 6000


def test_what_was_drawn_is_reported() -> None:
    with drawing(DRAWN) as state:
        device = Device(sampled_commuters(), state)
        report = device.report(RECORD, device.sample(EQUAL))
        assert list(report.answers) == DRAWN
        assert device.spent == 6000


def test_less_than_was_drawn_may_be_reported() -> None:
    """An owner who lacks one of her questions; she has no other in its place."""
    with drawing(DRAWN) as state:
        budget = Budget.of(sampled_commuters(), {"income": 6})
        report = Device(sampled_commuters(), state).report({"income": 31_257}, budget)
        assert list(report.answers) == ["income"]


@pytest.mark.parametrize("epsilons", [{"age": 6}, {"mode": 3, "age": 3}])
def test_a_budget_for_what_was_not_drawn_is_refused(epsilons: dict[str, object]) -> None:
    with drawing(DRAWN) as state:
        device, budget = (
            Device(sampled_commuters(), state),
            Budget.of(sampled_commuters(), epsilons),
        )
        for ask in (partial(device.report, RECORD), device.promise):
            with pytest.raises(BudgetError, match=r"must be for what was drawn: use sample\(\)"):
                ask(budget)
        assert device.spent == 0


def test_before_the_draw_every_budget_is_refused() -> None:
    with State() as state:
        device = Device(sampled_commuters(), state)
        with pytest.raises(BudgetError, match="must be for what was drawn"):
            device.report(RECORD, Budget.of(sampled_commuters(), {"mode": 6}))


def test_a_budget_for_more_than_is_drawn_is_refused() -> None:
    with pytest.raises(BudgetError, match="at most 2 are reported under this plan, got 3"):
        Budget.of(sampled_commuters(), {"mode": 2, "age": 2, "income": 2})
    with pytest.raises(BudgetError, match="at most 2 are reported under this plan, got 3"):
        Budget.even(sampled_commuters())


def test_levels_are_asked_for_all_questions_so_that_they_do_not_reveal_the_draw() -> None:
    with State() as state:
        device = Device(sampled_commuters(), state)
        with pytest.raises(BudgetError, match=r"must be given for all questions, got \['income'\]"):
            device.sample({"mode": 1, "age": 1})
        assert state.drawn(sampled_commuters().id) is None


def test_a_plan_whose_owners_choose_has_nothing_to_draw() -> None:
    with State() as state, pytest.raises(BudgetError, match="needs a plan with share: sample, got"):
        Device(commuters(), state).sample(EQUAL)


def test_a_bundle_is_drawn_whole() -> None:
    plan = Plan.of(
        author(attributes=[MODE, AGE_GROUP, HOME], bundles=[["home", "mode"]], share={"sample": 1})
    )
    with State() as state:
        state.keep_draw(plan.id, ["home+mode"])
        device = Device(plan, state)
        budget = device.sample({"age": 1, "home+mode": 3})
        assert budget.levels == {"home+mode": 4000}
        report = device.report({"home": "town", "mode": "car"}, budget)
        assert list(report.answers) == ["home+mode"]
        with pytest.raises(BudgetError, match="must be for what was drawn"):
            device.report({"mode": "car"}, Budget.of(plan, {"mode": 2}))
