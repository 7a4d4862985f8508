"""The two contracts, by enumeration: every report of every record, with its exact probability."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from discretion.budget import Budget
from discretion.plan import Plan
from tests.contract.exponential import exp_lower
from tests.law.reporting import WASTE, Reports, reports_of, worst

A, B = ({"name": name, "kind": "categorical", "values": ["no", "yes"]} for name in "ab")
C = {"name": "c", "kind": "categorical", "values": ["x", "y", "z"], "mechanism": "grr"}
PLAN = Plan.of(
    {
        "name": "small",
        "attributes": [A, B, C],
        "bundles": [["a", "b"]],
        "budget": {"levels": [0.25, 0.5, 1, 2]},
    }
)
VALUES = product(["no", "yes"], ["no", "yes"], "xyz")
RECORDS = [dict(zip("abc", values, strict=True)) for values in VALUES]
BUDGETS: list[dict[str, float]] = [
    {"a+b": 2, "c": 0.5},
    {"a+b": 0.5, "c": 2},
    {"a+b": 4},
    {"a": 0.5, "b": 1, "c": 2},
]


@cache
def reports(which: int) -> list[Reports]:
    """Return the distribution of the report of each record."""
    budget = Budget.of(PLAN, BUDGETS[which])
    return [reports_of(PLAN, record, budget) for record in RECORDS]


def differing(which: int, one: Mapping[str, str], other: Mapping[str, str]) -> Fraction:
    """Return the sum of the levels of what differs; a bundle differs if one of its parts does."""
    levels = Budget.of(PLAN, BUDGETS[which]).levels
    shown = (
        v
        for name, v in levels.items()
        if any(one[p] != other[p] for p in PLAN.questions[name].parts)
    )
    return Fraction(sum(shown), 1000)


@pytest.mark.parametrize("which", range(len(BUDGETS)), ids=lambda i: str(BUDGETS[i]))
def test_any_two_records_are_told_apart_by_the_total_and_no_more(which: int) -> None:
    laws = reports(which)
    largest = max(worst(one, other) for one, other in product(laws, laws))
    bound = exp_lower(Fraction(Budget.of(PLAN, BUDGETS[which]).total, 1000))
    assert bound * (1 - WASTE) < largest <= bound


@pytest.mark.parametrize("which", range(len(BUDGETS)), ids=lambda i: str(BUDGETS[i]))
def test_two_records_are_told_apart_by_the_levels_of_what_differs(which: int) -> None:
    """For attributes reported alone this is the attribute contract."""
    rows = list(zip(RECORDS, reports(which), strict=True))
    for (one, law), (other, another) in product(rows, rows):
        bound = exp_lower(differing(which, one, other))
        assert bound * (1 - WASTE) < worst(law, another) <= bound


@pytest.mark.parametrize("name", ["a", "b"])
def test_an_attribute_alone_is_reported_at_the_whole_level_of_its_bundle(name: str) -> None:
    """The limitation: its part of the level, which the policy counts, protects nothing."""
    laws = dict(zip((tuple(r.values()) for r in RECORDS), reports(0), strict=True))
    no = {"a": "no", "b": "no", "c": "x"}
    yes = {**no, name: "yes"}
    found = worst(laws[tuple(yes.values())], laws[tuple(no.values())])
    assert found > exp_lower(Fraction(2)) * (1 - WASTE)
    assert found > exp_lower(Fraction(1)) * 2


def test_the_laws_are_those_of_all_records() -> None:
    assert all(sum(law.values()) == 1 for law in reports(0))
    assert len({tuple(sorted(law.items())) for law in reports(0)}) == len(RECORDS) == 12
