"""The levels that an owner's page shows, and how many people each asks for."""

from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
import pytest

from discretion.crowd import simulate
from discretion.family.columns import PooledColumns
from discretion.family.counts import Outputs
from discretion.labels import frequencies
from discretion.plan import Family, Plan
from discretion.table.outputs import probabilities
from discretion.web.survey import SHOWN, people, shown, stops
from tests.plans import texts


def plan(mechanism: Any = "subset", **budget: object) -> Plan:
    asked = {"name": "mode", "kind": "categorical", "values": ["car", "bus", "bike", "walk"]}
    earned = {"name": "income", "kind": "numeric", "range": [0, 100], "step": 1}
    return Plan.of(
        {
            "name": "commuters",
            "attributes": [{**asked, "mechanism": mechanism}, earned],
            "budget": budget or {"levels": [0.5, 1, 2]},
        }
    )


def test_a_short_menu_is_shown_whole() -> None:
    assert shown((300, 700, 20_000)) == [300, 700, 20_000]


def test_a_long_menu_is_shown_at_ratios_that_are_alike() -> None:
    assert shown(tuple(range(1, 20_001))) == [250, 500, 1000, 2000, 4000]
    assert shown(tuple(range(250, 6001, 250))) == [250, 500, 1000, 2000, 4000]


@pytest.mark.parametrize(
    "menu", [range(1, 200), range(5000, 20_001, 100), range(240, 260), range(1000, 1050, 7)]
)
def test_stops_are_levels_of_the_menu_from_end_to_end(menu: range) -> None:
    found = shown(tuple(menu))
    assert set(found) <= set(menu)
    assert found == sorted(found)
    assert 2 <= len(found) <= SHOWN


def test_more_people_are_needed_where_less_is_revealed() -> None:
    for name in ("mode", "income"):
        needed = [stop.people for stop in stops(plan(), name)]
        assert needed == sorted(needed, key=lambda n: -(n or 0))


@pytest.mark.parametrize("mechanism", ["subset", "grr", "oue", "sue", "she"])
def test_so_many_people_estimate_a_share_of_a_half_to_two_points(mechanism: str) -> None:
    asked = plan(mechanism)
    n = people(asked, "mode", 1000)
    assert n is not None
    half = np.where(np.arange(n) % 2, "car", "bus")
    people_at_hand = {"mode": half, "income": np.zeros(n)}
    crowd = simulate(asked, people_at_hand, budgets={"mode": np.ones(n)}, seed=1)
    stderr = frequencies(crowd, "mode", method="weighted").stderr[0]
    assert 0.85 * 0.02 < 1.96 * stderr < 1.02 * 0.02  # bits of other answers tell a little too


def test_without_noise_it_would_be_as_many_as_in_any_survey() -> None:
    n = people(plan(levels=[20]), "mode", 20_000)
    assert n == pytest.approx(ceil(Fraction(1, 4) * 98**2), abs=2)


def test_a_bundle_of_numbers_makes_no_statement() -> None:
    asked = Plan.of(
        {
            "name": "incomes",
            "attributes": [
                {"name": "mine", "kind": "numeric", "range": [0, 100], "step": 1},
                {"name": "yours", "kind": "numeric", "range": [0, 100], "step": 1},
            ],
            "bundles": [{"attributes": ["mine", "yours"], "levels": 2}],
            "budget": {"levels": [1, 2]},
        }
    )
    assert {stop.people for stop in stops(asked, "mine+yours")} == {None}


@pytest.mark.parametrize(
    "mechanism",
    [{"idldp": {"shares": {"bike": 0.5}}}, {"uldp": {"sensitive": ["bike"]}}, {"metric": {}}],
    ids=str,
)
def test_of_a_variant_it_is_what_the_worst_estimated_value_needs(mechanism: Any) -> None:
    """With a half of the people in any one value its share is told to two points, or better."""
    asked, level = plan(mechanism), 2000
    needed = people(asked, "mode", level)
    assert needed is not None
    law, worst = asked.questions["mode"].law(level, Family.COLUMNS), 0.0
    for value in range(4):
        f = np.where(np.arange(4) == value, 0.5, 1 / 6)
        counts = np.rint(10**6 * probabilities(law) @ f).astype(np.int64)
        pool = PooledColumns([(law, Outputs(int(counts.sum()), counts))])
        worst = max(worst, float(pool.covariance(f)[value, value] * pool.n))
    assert needed == pytest.approx(worst * (1.96 / 0.02) ** 2, rel=1e-3)


@pytest.mark.parametrize("name", texts().names)
def test_texts_ask_for_people_too_and_for_fewer_the_more_they_reveal(name: str) -> None:
    found = [stop.people for stop in stops(texts(), name)]
    needed = [people for people in found if people is not None]
    assert len(needed) == len(found)
    assert needed == sorted(set(needed), reverse=True)
