"""Liars with assigned functions: no choice of cells or silence does more than the bound."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pytest

from discretion.aggregate import Aggregate
from discretion.family.counts import Tally
from discretion.family.sets.assigned import ScoreBounds
from discretion.family.sets.manipulation import extremes
from discretion.labels import frequencies
from discretion.mechanism import HASHED, Hashed, law
from discretion.plan import Plan
from discretion.robustness.bound import margin
from discretion.robustness.joint_bound import joint_margin
from tests.builders import Vector, aggregate_of, answered, tally_of
from tests.cases import for_each
from tests.mechanisms import SMALL
from tests.tallies import counted_as
from tests.unit.robustness.test_bound import OTHERS, SHARES, times

SIZE = 5
CLOSE = 0.5  # of the bound is what liars can do at least: up, and down with two cells
pytestmark = pytest.mark.filterwarnings("ignore:.*look dependent")  # as they should, of liars


def plan_of(mechanism: str, function: str, levels: Sequence[float] = (0.5, 1.5, 3)) -> Plan:
    attribute = {
        "name": "x",
        "kind": "categorical",
        "values": list("01234"),
        "mechanism": {mechanism: {"function": function}},
    }
    other = {"name": "z", "kind": "categorical", "values": ["no", "yes"], "mechanism": "grr"}
    budget = {"levels": list(levels)}
    return Plan.of({"name": "p", "attributes": [attribute, other], "budget": budget})


def scores_at(own: Hashed, code: int) -> tuple[Vector, Vector]:
    """Return the largest and the smallest score of a code that each function allows."""
    gap = float(own.inclusion.own - own.inclusion.other)
    most, least = [], []
    for function in range(own.hashing.functions):
        cells = [own.hashing.bucket(function, v) for v in range(own.size)]
        found = [
            ((cells[code] == c) - cells.count(c) / own.size) / gap + 1 / own.size
            for c in range(own.hashing.n_buckets)
        ]
        most.append(max(found))
        least.append(min(found))
    return np.array(most), np.array(least)


def best(gains: Vector, odds: float) -> float:
    """Return the most that liars reach who have each function equally often.

    Those whose function gains least leave the attribute out: all numbers of them are tried.
    """
    sums, shares = np.cumsum(-np.sort(-gains)) / len(gains), np.arange(1, len(gains) + 1)
    return max(0.0, float((odds * sums / (1 + odds * shares / len(gains))).max()))


@for_each("level", [500, 1500, 3500])
@for_each("size", [2, 3, 5, 8])
@for_each("mechanism", [name for name in HASHED if name != "shist"])
def test_no_choice_does_more_by_all_functions_there_are(
    mechanism: str, size: int, level: int
) -> None:
    own = cast(Hashed, SMALL[mechanism](size, level))
    bounds = ScoreBounds.of(own)
    for code in (0, size - 1):
        most, least = scores_at(own, code)
        for f in (0.0, 0.05, 0.5, 0.9):
            for odds in (0.05, 0.3, 1.0, 5.0):
                above = np.array(f - 1 / size)
                up = float(bounds.up.change(-above, odds))
                down = float(bounds.down.change(above, odds))
                assert best(most - f, odds) <= up * (1 + 1e-12)
                assert best(f - least, odds) <= down * (1 + 1e-12)
                assert best(most - f, odds) >= CLOSE * up
                if own.hashing.n_buckets == 2:
                    assert best(f - least, odds) >= CLOSE * down


@for_each("level", [500, 1500, 3500])
@for_each("mechanism", ["blh", "olh", "hadamard"])
def test_the_score_bound_of_those_who_share_is_the_mean_over_functions(
    mechanism: str, level: int
) -> None:
    """Exactly upwards, and downwards with two cells; else no less."""
    own = cast(Hashed, SMALL[mechanism](SIZE, level))
    bounds = ScoreBounds.of(own)
    most, least = scores_at(own, 2)
    assert most.mean() == pytest.approx(1 / SIZE + bounds.up.most)
    assert most.std() == pytest.approx(bounds.up.spread)
    assert 1 / SIZE - least.mean() <= bounds.down.most * (1 + 1e-12)
    if own.hashing.n_buckets == 2:
        assert least.mean() == pytest.approx(1 / SIZE - bounds.down.most)
        assert bounds.down.slack == 0


def honest(plan: Plan, others: int = 0) -> Aggregate:
    codes = np.random.default_rng(3).choice(SIZE, 90, p=[0.4, 0.3, 0.15, 0.1, 0.05])
    whole = Aggregate.of(answered(plan, codes, 3))
    tallies = {level: tally for level, tally in whole.tallies["x"].items() if level != 1500}
    return aggregate_of(plan, tallies, others)


@pytest.mark.parametrize("others", OTHERS)
@pytest.mark.parametrize("share", SHARES)
def test_false_reports_in_a_crowd_with_every_function_equally_often(
    share: float, others: int
) -> None:
    """An exact share of a crowd is replaced; false reports are the bucket of the code, by hrr."""
    plan = plan_of("hrr", "assigned")
    data = honest(plan, others)
    found, (kept, of) = margin(data, "x", share), SHARES[share]
    before = frequencies(data, "x", "weighted").value
    assert (found.functions, found.basis) == ("assigned", "one level")
    reached = []
    for level in plan.questions["x"].menu:
        own = cast(Hashed, plan.questions["x"].law(level))
        for code in range(SIZE):
            for side in (0, 1):  # the code's own cell, or the other
                ys = [2 * f + (own.hashing.bucket(f, code) ^ side) for f in range(8)]
                tallies = {v: times(t, 8 * kept) for v, t in counted_as(data, "x", Tally).items()}
                lies = times(tally_of(own, ys), data.reports * (of - kept))
                tallies[level] = tallies[level] + lies if level in tallies else lies
                after = frequencies(aggregate_of(plan, tallies), "x", "weighted").value
                change = after - before
                assert (change <= found.up + 1e-12).all()
                assert (change >= found.down - 1e-12).all()
                reached.append(change)
    assert (np.max(reached, axis=0) >= CLOSE * found.up).all()
    assert (np.min(reached, axis=0) <= CLOSE * found.down).all()


@for_each("cap", [None, 0.6])
@for_each("mechanism", HASHED)
def test_who_cannot_choose_a_function_gets_less_far(mechanism: str, cap: float | None) -> None:
    drawn, given = (
        margin(honest(plan_of(mechanism, function)), "x", 0.05, cap)
        for function in ("drawn", "assigned")
    )
    assert (drawn.functions, given.functions) == ("drawn", "assigned")
    assert drawn.basis == ("worst" if cap is None else "one level")
    assert given.basis == "one level"
    assert (given.up <= drawn.up).all()
    assert (given.down >= drawn.down).all()
    assert given.value.max() < drawn.value.max()
    assert given.document()["functions"] == "assigned"


def test_with_two_cells_it_is_half_and_with_many_values() -> None:
    own = cast(Hashed, law("blh", 1000, 1000))
    odds, f = 0.05 / 0.95, np.array(0.001)
    (up, down), bounds = extremes(own), ScoreBounds.of(own)
    assert bounds.up.change(1 / 1000 - f, odds) == pytest.approx(0.05 * (up - f) / 2, rel=0.01)
    assert bounds.down.change(f - 1 / 1000, odds) == pytest.approx(0.05 * (f - down) / 2, rel=0.01)


def test_what_is_not_hashed_has_no_functions_and_cells_count_as_drawn() -> None:
    plan: Any = plan_of("olh", "assigned")
    reports = answered(plan, np.arange(200) % SIZE, 3)
    assert margin(reports, "z", 0.05).functions == ""
    assert joint_margin(reports, ["x", "z"], 0.05).functions == "drawn"
