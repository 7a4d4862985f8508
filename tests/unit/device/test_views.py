"""Views on a device: one order, drawn once, whose first view inside what is shared is reported."""

from fractions import Fraction
from functools import partial
from itertools import permutations
from math import prod

import pytest

from discretion.budget import Budget
from discretion.device import Device, State
from discretion.device.draws import draw_order, first_view
from discretion.errors import BudgetError
from discretion.randomness import Source
from tests.contract.enumeration import distribution
from tests.plans import commuters, sampled_commuters, viewed_commuters

RECORD = {"mode": "bike", "home": "town", "age": 41.5, "temperature": 0.29}


def ordered(weights: tuple[int, ...], source: Source) -> tuple[str, ...]:
    return tuple(draw_order("abcd"[: len(weights)], weights, source))


@pytest.mark.parametrize("weights", [(1,), (1, 1, 1), (3, 1, 2), (1, 5)])
def test_an_order_is_drawn_by_weight_without_replacement(weights: tuple[int, ...]) -> None:
    by_name = dict(zip("abcd", weights, strict=False))

    def probability(order: tuple[str, ...]) -> Fraction:
        left = [sum(by_name[name] for name in order[i:]) for i in range(len(order))]
        return prod(
            (Fraction(by_name[n], w) for n, w in zip(order, left, strict=True)), start=Fraction(1)
        )

    found = distribution(partial(ordered, weights))
    assert found == {order: probability(order) for order in permutations(by_name)}


def test_the_order_is_kept_and_another_choice_draws_nothing_anew() -> None:
    plan = viewed_commuters()
    with State() as state:
        device = Device(plan, state)
        first = device.view(epsilon=1)
        order = state.drawn(plan.id)
        assert order is not None
        assert sorted(order) == sorted(name for name, _ in plan.share.questions)
        for shared in (None, ["mode", "home"], ["home", "age", "temperature"]):
            for level in (0.5, 1, 2, 4):
                try:
                    ((name, own),) = device.view(shared, level).levels.items()
                except BudgetError:
                    assert (level >= 2, shared) == (True, ["mode", "home"])
                    continue
                among = set(plan.attributes if shared is None else shared)
                inside = [n for n in order if among.issuperset(plan.questions[n].parts)]
                assert name == next(n for n in inside if own in plan.questions[n].menu)
                assert len(plan.questions[name].parts) == (2 if level < 2 else 3)
        assert state.drawn(plan.id) == order
        assert Device(plan, state).view(epsilon=1) == first


def test_a_device_reports_its_view_in_every_round_and_no_other() -> None:
    plan = viewed_commuters()
    with State() as state:
        device = Device(plan, state)
        budget = device.view(epsilon=1)
        for round in range(3):
            assert device.report(RECORD, budget, round).answers.keys() == budget.levels.keys()
        assert device.spent == 1000  # a view is one answer, and repeated from the memo
        shared = frozenset(("mode", "home"))
        inside = device.view(shared, 1)
        assert inside.shared == shared
        device.report(RECORD, inside, 4)
        others = [
            n for n in plan.names if 1000 in plan.questions[n].menu and n not in budget.levels
        ]
        for name in others:
            with pytest.raises(BudgetError, match="for the view that was drawn"):
                device.report(RECORD, Budget.of(plan, {name: 1}), 5)


def test_nothing_is_reported_where_no_view_lies_inside_what_is_shared() -> None:
    with pytest.raises(BudgetError, match="a view must lie inside what is shared"):
        Device(viewed_commuters()).view(["mode"])
    with pytest.raises(BudgetError, match="needs a plan with views"):
        Device(sampled_commuters()).view()
    with pytest.raises(BudgetError, match="sampling needs a plan"):
        Device(viewed_commuters()).sample({"mode": 1})
    assert first_view(commuters(), ["age", "mode"], frozenset({"mode"}), 250) == "mode"


def test_an_owner_is_told_that_a_view_protects_its_attributes_together() -> None:
    device = Device(viewed_commuters())
    said = device.promise(device.view())
    assert "one view, and protected together" in said
    assert "drawn without looking at your answers" in said
    assert "any two records are told apart by at most the total" in said
