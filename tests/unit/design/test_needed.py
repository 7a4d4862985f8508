"""How many people must answer: against formulas where there are some, and what is refused."""

from math import ceil
from typing import Any

import numpy as np
import pytest
from scipy import stats

import discretion as ds
from discretion.errors import DiscretionError
from discretion.plan import Plan
from tests.cases import for_each

LABELS = {"name": "v", "kind": "categorical", "values": list("abcd"), "mechanism": "grr"}
OTHER = {"name": "w", "kind": "categorical", "values": ["x", "y"]}
NUMBER = {"name": "km", "kind": "numeric", "range": [0, 50], "step": 1}


def plan(*attributes: Any, **budget: Any) -> Plan:
    return Plan.of({"name": "p", "attributes": [*attributes], "budget": budget or {"levels": [1]}})


def test_one_level_agrees_with_the_variance_of_a_share() -> None:
    """Of grr with l values, a share f has the variance q (1 - q) / (p - q)^2 and what f adds."""
    e, f, z = np.exp(1.0), 0.25, stats.norm.ppf(0.975)
    p, q = e / (e + 3), 1 / (e + 3)
    own = q + (p - q) * f
    variance = own * (1 - own) / (p - q) ** 2
    found = ds.needed(plan(LABELS), "v", halfwidth=0.02)
    assert found.owners == pytest.approx(z**2 * variance / 0.02**2, rel=0.001)
    assert found.sides == 1


def test_hardly_perturbed_answers_need_what_books_say() -> None:
    """At level 20 the test is Pearson's; its power follows from Cohen's w."""
    effect, guess = 0.1, [0.4, 0.3, 0.2, 0.1]
    found = ds.needed(plan(LABELS, levels=[20]), "v", effect={"a": 0.1, "b": -0.1}, guess=guess)
    between = [guess[0] + effect / 2, guess[1] - effect / 2]
    w2 = sum(effect**2 / f for f in between) / 2
    critical = stats.chi2.ppf(0.95, 3)
    power = 1 - stats.ncx2.cdf(critical, 3, found.owners * w2)
    assert power == pytest.approx(0.8, abs=0.002)


def test_sharing_less_often_needs_more_owners_and_as_many_reports() -> None:
    both = plan(LABELS, OTHER)
    all_, half = (ds.needed(both, "v", halfwidth=0.02, share=share) for share in ("all", 1))
    assert half.share == pytest.approx(0.5, abs=0.01)
    assert half.owners * half.share == pytest.approx(all_.owners, rel=0.01)
    assert "of whom report" in str(half)


def test_means_tables_and_budgets() -> None:
    mixed = plan(NUMBER, LABELS, OTHER, average=2, least=0.25, most=6)
    mean = ds.needed(mixed, "km", halfwidth=0.5, guess=(12, 8))
    wide = ds.needed(mixed, "km", halfwidth=1.0, guess=(12, 8))
    assert mean.owners == pytest.approx(4 * wide.owners, rel=0.001)
    table = ds.needed(mixed, ["v", "w"], halfwidth=0.02)
    assert table.attributes == ("v", "w")
    assert ds.needed(mixed, "km", effect=1, guess=(12, 8)).owners > 100


def test_sizes_of_means_have_their_unit() -> None:
    rise = {"name": "rise", "kind": "time", "range": ["04:00", "12:00"], "step": 15}
    dated = plan(rise, NUMBER, LABELS)
    assert "within ±10\N{NO-BREAK SPACE}minutes with" in ds.needed(dated, "rise", halfwidth=10).goal
    assert "of 5\N{NO-BREAK SPACE}minutes between" in ds.needed(dated, "rise", effect=5).goal
    assert "within ±0.1 with" in ds.needed(dated, "v", halfwidth=0.1).goal


def test_the_forecast_is_that_of_the_owners_needed() -> None:
    found = ds.needed(plan(LABELS), "v", effect=0.05, power=0.9, sides=1)
    rows = found.to_frame().to_pylist()
    assert [row["owners"] for row in rows] == [ceil(found.owners * t) for t in (0.25, 0.5, 1, 2, 4)]
    assert rows[2]["power"] == pytest.approx(0.9, abs=0.001)
    assert found.document()["forecasts"] == rows
    assert "90 % power" in str(found)


@for_each(
    "options, message",
    [
        ({}, "either a halfwidth or an effect"),
        ({"halfwidth": 0.1, "effect": 0.1}, "either a halfwidth or an effect"),
        ({"halfwidth": 0}, "halfwidth must be a number above 0"),
        ({"halfwidth": 2}, "within 2 of any other"),
        ({"halfwidth": "wide"}, "halfwidth must be a number above 0"),
        ({"effect": 1}, "cannot differ by 1"),
        ({"effect": {"a": 0.1}}, "must sum to zero"),
        ({"effect": {"z": 0.1}}, "has no value 'z'"),
        ({"effect": 0.1, "power": 80}, "power must lie between 0 and 1"),
        ({"effect": 0.1, "sides": 3}, "sides must be 1 or 2"),
        ({"halfwidth": 0.1, "guess": [1, 2]}, "a frequency for each value"),
        ({"halfwidth": 0.1, "guess": {"a": 1}}, "each value of 'v'"),
        ({"halfwidth": 0.1, "confidence": 95}, "confidence must lie between 0 and 1"),
        ({"halfwidth": 0.1, "budgets": "dirichlet"}, "allowance"),
    ],
)
def test_other_goals_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(DiscretionError, match=message):
        ds.needed(plan(LABELS), "v", **options)


def test_unknown_attributes_and_effects_on_tables_are_refused() -> None:
    with pytest.raises(DiscretionError, match="no attribute 'nope'"):
        ds.needed(plan(LABELS), "nope", halfwidth=0.1)
    with pytest.raises(DiscretionError, match="one attribute"):
        ds.needed(plan(LABELS, OTHER), ["v", "w"], effect=0.1)
