"""What is promised about numbers, by enumeration: in bundles, and in parts of their range."""

from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import inf
from typing import Any

import pytest

from discretion.budget import Budget
from discretion.budget.level import stratum_of
from discretion.mechanism import NUMBERS, Law
from discretion.plan import Plan
from tests.cases import for_each
from tests.contract.enumeration import distribution
from tests.contract.exponential import exp_lower
from tests.contract.numbers import attempt
from tests.law.reporting import WASTE, Reports, reports_of, worst

BUNDLES: dict[str, dict[str, Any]] = {
    "grr at two levels": {"levels": 2},
    "grr at three levels": {"levels": 3},
    "duchi": {"mechanism": "duchi"},
}
EPSILONS = {"a+b": 2, "c": 0.5}
VALUES = {"a": (0, 1.5, 4, inf), "b": (-1, 2, 3.75, 4), "c": ("x", "y")}


def number(name: str, high: int, **fields: object) -> dict[str, object]:
    return {"name": name, "kind": "numeric", "range": [0, high], "step": 1, **fields}


@cache
def bundled(kind: str) -> Plan:
    c = {"name": "c", "kind": "categorical", "values": ["x", "y"], "mechanism": "grr"}
    return Plan.of(
        {
            "name": "numbers",
            "attributes": [number("a", 4), number("b", 4), c],
            "bundles": [{"attributes": ["a", "b"], **BUNDLES[kind]}],
            "budget": {"levels": [0.25, 0.5, 1, 2]},
        }
    )


@cache
def reports(kind: str) -> dict[tuple[object, ...], Reports]:
    plan = bundled(kind)
    budget = Budget.of(plan, EPSILONS)
    records = product(*VALUES.values())
    return {
        values: reports_of(plan, dict(zip("abc", values, strict=True)), budget)
        for values in records
    }


@pytest.mark.parametrize("kind", BUNDLES)
def test_any_two_records_are_told_apart_by_the_total_and_no_more(kind: str) -> None:
    laws = reports(kind).values()
    assert all(sum(law.values()) == 1 for law in laws)
    largest = max(worst(one, other) for one, other in product(laws, laws))
    bound = exp_lower(Fraction(5, 2))
    assert bound * (1 - WASTE) < largest <= bound


@pytest.mark.parametrize("kind", BUNDLES)
def test_two_records_are_told_apart_by_the_levels_of_what_differs(kind: str) -> None:
    """Of a bundle the level counts whole, whether one of its numbers differs or both do."""
    rows = reports(kind).items()
    for (one, law), (other, another) in product(rows, rows):
        level = 2 * (one[:2] != other[:2]) + Fraction(1, 2) * (one[2] != other[2])
        assert worst(law, another) <= exp_lower(level)


@pytest.mark.parametrize("kind", BUNDLES)
def test_a_number_outside_the_range_is_reported_like_the_nearer_end(kind: str) -> None:
    plan, laws = bundled(kind), reports(kind)
    budget = Budget.of(plan, EPSILONS)
    assert laws[inf, 2, "x"] == laws[4, 2, "x"]
    assert laws[0, -1, "x"] == reports_of(plan, {"a": -inf, "b": 0, "c": "x"}, budget)


@pytest.mark.parametrize("kind", BUNDLES)
def test_a_number_between_levels_is_a_mixture_of_them(kind: str) -> None:
    """1.5 of 4 is 3/8 of the way at two levels; at three it is 3/4 of the way to the middle one."""
    plan, laws = bundled(kind), reports(kind)
    top = 4 if len(plan.questions["a+b"].attribute.labels) == 4 else 2
    high = reports_of(plan, {"a": top, "b": 4, "c": "x"}, Budget.of(plan, EPSILONS))
    share = Fraction(3, 2) / top
    for data, probability in laws[1.5, 4, "x"].items():
        assert probability == (1 - share) * laws[0, 4, "x"][data] + share * high[data]


# A part of the range

RANGES = {0: (0, 6), 1: (2, 4), 2: (0, 1)}
NUMBERS_TOLD = (-inf, -5, 0, 0.5, 1, 1.5, 2, 2.5, 3, 3.75, 4, 5, 6, 1e300, inf)


@cache
def ranged(mechanism: str) -> Plan:
    ranges = [list(RANGES[place]) for place in (1, 2)]
    attributes = [number("n", 6, ranges=ranges, mechanism=mechanism), number("m", 1)]
    return Plan.of({"name": "r", "attributes": attributes, "budget": {"levels": [0.5, 1]}})


@pytest.mark.parametrize("place", RANGES)
def test_a_device_s_report_distinguishes_numbers_by_at_most_the_level_in_every_range(
    place: int,
) -> None:
    plan = ranged("duchi")
    budget = Budget.of(plan, {"n": 1}, {"n": RANGES[place]})
    laws = {value: reports_of(plan, {"n": value}, budget) for value in NUMBERS_TOLD}
    largest = max(worst(one, other) for one, other in product(laws.values(), repeat=2))
    assert exp_lower(Fraction(1)) * (1 - WASTE) < largest <= exp_lower(Fraction(1))
    low, high = RANGES[place]
    for value, law in laws.items():
        assert law == laws[min(max(value, low), high)]
    assert len({tuple(sorted(law.items())) for law in laws.values()}) == len(
        {min(max(value, low), high) for value in NUMBERS_TOLD}
    )


def test_the_range_stands_in_the_report_whatever_the_number() -> None:
    plan = ranged("duchi")
    for place, ends in RANGES.items():
        budget = Budget.of(plan, {"n": 1}, {"n": ends})
        for value in NUMBERS_TOLD:
            for data in reports_of(plan, {"n": value}, budget):
                assert b'"n":{"level":1000,"range":%d,"y":' % place in data


@cache
def shown(mechanism: str, value: float, place: int) -> dict[int | None, Fraction]:
    """Return the law of what a device sends about a number: rounding, then the mechanism."""
    plan, stratum = ranged(mechanism), stratum_of(1000, place)
    answer, law = plan.questions["n"].within(place).answer(value), plan.questions["n"].law(stratum)
    codes = distribution(partial(plan.questions["n"].within(place).encode, answer))
    mixed: dict[int | None, Fraction] = {}
    for code, share in codes.items():
        for y, probability in drawn(law, code).items():
            mixed[y] = mixed.get(y, Fraction()) + share * probability
    return mixed


@cache
def drawn(law: Law, code: int) -> dict[int | None, Fraction]:
    """Return what the sampler gives for a code, given that it did not start over."""
    own = distribution(partial(attempt, law, code))
    again = own.pop(None, Fraction())
    return {y: probability / (1 - again) for y, probability in own.items()} if again else own


@for_each("place", RANGES)
@for_each("mechanism", NUMBERS)
def test_every_mechanism_keeps_the_level_in_every_range(mechanism: str, place: int) -> None:
    values, (low, high) = (0, 1.5, 2, 3.75, 4, 7), RANGES[place]
    laws = {value: shown(mechanism, value, place) for value in values}
    for one, other in product(laws.values(), repeat=2):
        assert worst(one, other) <= exp_lower(Fraction(1))
    for value in values:
        assert laws[value] == shown(mechanism, min(max(value, low), high), place)


def test_what_a_device_draws_is_the_rounding_and_then_the_law() -> None:
    plan = ranged("onebit")
    for place, value in product(RANGES, (0.5, 2.5, 7)):
        answer, stratum = plan.questions["n"].within(place).answer(value), stratum_of(1000, place)
        sent = distribution(partial(plan.questions["n"].perturb, answer, stratum))
        assert sent == shown("onebit", value, place)
