"""Later rounds: what is repeated or drawn anew, whose turn it is, and limits over rounds in a row.

Whole histories, in any order of rounds, are golden vectors: tests/golden/later.py.
"""

import re
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

import pytest

from discretion.auditing.enumeration import distribution
from discretion.budget import Budget
from discretion.device import Device, State
from discretion.device.promise import over_rounds
from discretion.errors import BudgetError, BudgetSpent, NotDue
from discretion.mechanism.odds import level_above
from discretion.plan import Plan
from discretion.plan.again import Rhythm
from discretion.randomness import ONE, Threshold
from tests.cases import for_each
from tests.golden.later import plan_of
from tests.plans import INCOME, MODE, author

RECORD = {"mode": "bike", "income": 31_257}
RAPPOR = {
    **MODE,
    "values": ["car", "bus"],
    "mechanism": {"rappor": {"ones": 0.75, "zeros": 0.5, "bits": 4}},
}


def even(plan: Plan) -> Budget:
    return Budget.of(plan, {"mode": 1})


def test_a_fresh_plan_draws_and_charges_in_every_round_and_the_same_round_once() -> None:
    plan = plan_of("fresh")
    device = Device(plan)
    sent = [device.report(RECORD, even(plan), round) for round in (0, 1, 1, 2)]
    assert sent[1] == sent[2]
    assert device.spent == device.state.granted() == 3000
    assert device.state.run("SELECT COUNT(*) FROM memo") == [(0,)]


@for_each("every", [4, 13])
def test_any_rounds_in_a_row_have_one_that_is_hers_whatever_she_misses(every: int) -> None:
    plan = plan_of({"rotate": [4, 13]})
    device = Device(plan)
    rhythm = device.rotate(every)
    assert device.rotate(every) == rhythm == device.rhythm
    answered = []
    for round in (*range(60, 90), *range(59)):
        if rhythm.due(round) == round:
            device.report(RECORD, even(plan), round)
            answered.append(round)
            continue
        with pytest.raises(NotDue) as refused:
            device.report(RECORD, even(plan), round)
        assert refused.value.due == rhythm.due(round) > round
    gaps = {later - first for first, later in pairwise(sorted(answered))}
    assert gaps <= {every, 2 * every}  # 59 was not asked: it is not made up for
    assert {round % every for round in answered} == {rhythm.phase}


def test_how_often_she_answers_is_chosen_once_and_from_the_menu() -> None:
    plan = plan_of({"rotate": [4, 13]})
    device = Device(plan)
    with pytest.raises(NotDue, match="choose first to answer in one of every 4, 13 rounds"):
        device.report(RECORD, even(plan))
    with pytest.raises(BudgetError, match=re.escape("must be on the plan's menu (4, 13)")):
        device.rotate(5)
    device.rotate(13)
    with pytest.raises(BudgetError, match="answers every 13 rounds, which is chosen once"):
        device.rotate(4)
    with pytest.raises(BudgetError, match="which has none"):
        Device(plan_of("fresh")).rotate(4)


def test_a_lost_state_draws_another_phase_and_so_does_a_plan_that_changes_how() -> None:
    plan, other = plan_of({"rotate": [13]}), plan_of({"rotate": [4, 13]})
    phases = {Device(plan).rotate(13).phase for _ in range(40)}
    assert 1 < len(phases) <= 13 > max(phases)
    with State() as state:
        Device(plan, state).rotate(13)
        changed = Plan.of({**_author(other), "replaces": plan.id})
        assert Device(changed, state).predecessor is None  # another law: nothing is gone on with
        assert Device(changed, state).rhythm is None


def _author(plan: Plan) -> dict[str, Any]:
    again = {"rotate": list(plan.again.menu)}
    return {"name": "n", "attributes": [MODE], "budget": {"levels": [1]}, "again": again}


def test_a_limit_that_was_passed_refuses_all_rounds_within_reach_and_no_others() -> None:
    plan = plan_of("memo")
    with State() as state:
        for round in (10, 11, 12):
            Device(plan, state).report(RECORD, even(plan), round)
        device = Device(plan, state, {"epsilon": 2, "rounds": 3})
        for round in (9, 13):
            with pytest.raises(BudgetSpent) as refused:
                device.report({**RECORD, "mode": "car"}, even(plan), round)
            assert refused.value.rounds == 3
        device.report(RECORD, even(plan), 11)  # sealed before
        for round in (8, 14, 16):
            device.report(RECORD, even(plan), round)
        assert device.spent == 1000


def test_a_limit_over_rounds_stays_with_the_state_and_is_never_raised() -> None:
    plan = plan_of("memo")
    with State() as state:
        for epsilon in (3, 2, 5):
            Device(plan, state, {"epsilon": epsilon, "rounds": 4})
        Device(plan, state, {"epsilon": 9, "rounds": 2})
        assert state.windows() == {4: 2000, 2: 9000}
        assert Device(plan, state).limit is None
        for wrong in ({"epsilon": 3}, {"epsilon": 3, "rounds": 0}, {"rounds": True, "epsilon": 1}):
            with pytest.raises(BudgetError, match="a limit over rounds must be"):
                Device(plan, state, wrong)


def test_each_way_to_answer_again_has_its_bound_for_any_two_histories() -> None:
    budgets = {name: plan_of(name) for name in ("memo", "fresh")}
    rotating = plan_of({"rotate": [4, 13]})
    assert over_rounds(budgets["memo"], even(budgets["memo"]), 1) is None
    assert over_rounds(budgets["fresh"], even(budgets["fresh"]), 8) == 8000
    assert over_rounds(rotating, even(rotating), 13) == 4000  # of who answers most often
    assert over_rounds(rotating, even(rotating), 14, Rhythm(13, 5)) == 2000
    twice = Plan.of({"name": "t", "attributes": [RAPPOR], "budget": {"levels": [1]}})
    assert over_rounds(twice, even(twice), 3) == level_above(Fraction(2**12))
    assert "at most level 2.773 for each round" in Device(twice).promise(even(twice))
    law = twice.questions["mode"].law(1000)
    sent = [distribution(partial(law.send, kept)) for kept in range(16)]
    ratios = (one[y] / other[y] for one in sent for other in sent for y in range(16))
    assert law.instant_ratio == max(ratios) == 16


def test_the_promise_says_which_bound_holds() -> None:
    plan = plan_of({"rotate": [4, 13]})
    device = Device(plan)
    assert "You answer in one of every 4 or 13 rounds" in device.promise(even(plan))
    device.rotate(13)
    assert "You answer in one of every 13 rounds" in device.promise(even(plan))
    fresh = plan_of("fresh")
    assert "at most T times level 1." in Device(fresh).promise(even(fresh))


def test_a_group_is_drawn_once_and_stands_in_all_ids() -> None:
    plan = plan_of("memo", groups=16, owners=1600)
    groups = plan.groups
    assert groups is not None
    told = list[int]()
    for _ in range(40):
        device = Device(plan)
        ids = [bytes.fromhex(device.report(RECORD, even(plan), round).id) for round in (0, 3)]
        assert ids[0] != ids[1]
        own = {groups.of(each) for each in ids}
        assert own == {int(device.state.once(plan.id, "group") or -1)}
        told += own
    assert len(set(told)) > 8  # of 16: fewer in one of 10^11 runs
    said = Device(plan).promise(even(plan))
    assert "name one of 16 groups" in said
    assert "About 100 owners share it: reports of several rounds are linked by 4 bits." in said
    assert "groups" not in Device(plan_of("memo")).promise(even(plan_of("memo")))


@for_each("again", ["memo", "fresh"])
def test_a_cohort_is_said_to_link_rounds(again: str) -> None:
    words = {"name": "word", "kind": "text", "mechanism": {"cms": {"cells": 16, "cohorts": 33}}}
    shared = {"groups": 16, "owners": 1600} if again == "memo" else {}
    levels = {"levels": [0.5, 1]}
    plan = Plan.of(author(attributes=[MODE, words], budget=levels, again=again, **shared))
    said = Device(plan).promise(Budget.of(plan, {"mode": 0.5, "word": 0.5}))
    more = " more" if shared else ""
    assert "name one of 33 cohorts, drawn once without looking at your answers." in said
    assert f"Reports of several rounds are linked by up to 6{more} bits." in said
    assert "cohort" not in Device(plan).promise(Budget.of(plan, {"mode": 0.5}))


def test_a_lost_state_draws_another_group_as_a_rule() -> None:
    plan = plan_of("memo", groups=256, owners=25_600)
    first = [Device(plan).report(RECORD, even(plan)).id[:2] for _ in range(8)]
    assert len(set(first)) > 1


def test_a_number_that_moves_a_little_is_charged_once_where_rounding_is_kept() -> None:
    """Within one step no threshold is passed twice: two points are all that it is rounded to."""
    plan = plan_of("memo", rounding="kept")
    numbers = [31_000 + 25 * i for i in range(20)]
    for _ in range(5):
        device = Device(plan)
        budget = Budget.of(plan, {"income": 1})
        sent = [
            device.report({"income": x}, budget, i).answers["income"].y
            for i, x in enumerate(numbers)
        ]
        told = [i for i in range(1, 20) if sent[i] != sent[i - 1]]
        assert len(told) <= 1
        assert 1000 <= device.spent <= 2000
        remembered = {row[0] for row in device.state.run("SELECT answer FROM memo")}
        assert remembered <= {"31000", "31500"}
    coins = Device(plan_of("memo"))
    own = Budget.of(plan_of("memo"), {"income": 1})
    for i, x in enumerate(numbers):
        coins.report({"income": x}, own, i)
    assert coins.spent == 20_000


def test_a_threshold_rounds_with_the_probability_of_a_coin_and_keeps_the_order() -> None:
    """Of all thresholds, by their count: up if below the rest, hence as often as it says."""
    grid = plan_of("memo", rounding="kept").questions["income"].kept
    assert grid is not None
    for number in (Fraction(31_257), Fraction(1, 3), Fraction(149_999)):
        below = int(number // 500 * 500)
        rest = (number - below) / 500
        first = rest.numerator * ONE // rest.denominator  # thresholds that round up: about the rest
        up = [grid.settled(str(number), Threshold(t)) for t in (0, first - 1)]
        down = [grid.settled(str(number), Threshold(t)) for t in (first + 1, ONE - 1)]
        assert set(up) == {str(below + 500)}
        assert set(down) == {str(below)}
    for value in (Threshold(ONE // 3), Threshold(ONE - 1), Threshold(0)):
        points = [int(grid.settled(str(x), value)) for x in range(0, 3000, 7)]
        assert points == sorted(points)
    assert grid.settled("150000", Threshold(0)) == "150000"


def test_a_threshold_is_drawn_for_each_range_and_is_never_sent() -> None:
    income = {**INCOME, "rounding": "kept", "ranges": [[0, 50_000]]}
    plan = Plan.of({"name": "r", "attributes": [income], "budget": {"levels": [1]}})
    device = Device(plan)
    for i, low in enumerate([None, (0, 50_000), None]):
        ranges = {} if low is None else {"income": low}
        device.report({"income": 31_257}, Budget.of(plan, {"income": 1}, ranges), i)
    drawn = device.state.run("SELECT what, value FROM once ORDER BY what")
    assert [what for what, _ in drawn] == [
        "threshold of income in range 0",
        "threshold of income in range 1",
    ]
    assert drawn[0][1] != drawn[1][1]
    assert device.spent == 2000
    assert "numbers that are rounded alike are one answer" in device.promise(
        Budget.of(plan, {"income": 1})
    )
