"""Designs of views: every pair is covered, and the size follows from level and domains."""

from itertools import combinations
from math import exp
from typing import Any

import pytest

from discretion.budget import Budget
from discretion.design.information import Answer, Owners, squared_error
from discretion.errors import BudgetError, PlanError
from discretion.mechanism import law
from discretion.plan import Plan
from discretion.plan.views import SHARES, cover, eigenvalue, pair_error
from tests.plans import AGE_GROUP, AVERAGE, HOME, MODE, TEMPERATURE

TOTAL = {"total": 4, "spread": 1}


def views(sizes: dict[str, int], stated: object, **changes: Any) -> Plan:
    attributes = [
        {"name": name, "kind": "categorical", "values": [f"v{i}" for i in range(size)]}
        for name, size in sizes.items()
    ]
    author = {"name": "views", "attributes": attributes, "budget": TOTAL, "views": stated}
    return Plan.of(author | changes)


def even(count: int, size: int) -> dict[str, int]:
    return {f"x{i}": size for i in range(count)}


@pytest.mark.parametrize(
    "count, size, most", [(6, 3, 7), (7, 3, 7), (9, 3, 12), (15, 3, 35), (16, 3, 43), (13, 4, 16)]
)
def test_every_pair_is_in_a_view_and_views_are_few(count: int, size: int, most: int) -> None:
    sizes = even(count, 3)
    found = cover(sizes, size)
    covered = {pair for view in found for pair in combinations(view, 2)}
    assert covered == set(combinations(sizes, 2))
    assert len(found) <= most
    assert {len(view) for view in found} == {size}


def test_views_with_too_many_cells_are_smaller_and_pairs_with_too_many_refused() -> None:
    sizes = even(4, 4) | {"wide": 300}
    found = cover(sizes, 3)
    assert {pair for view in found for pair in combinations(view, 2)} == set(combinations(sizes, 2))
    assert {len(view) for view in found if "wide" in view} == {2}
    with pytest.raises(PlanError, match=r"views: must have at most 4096 cells .* a\+b has 4900"):
        views({"a": 70, "b": 70, "c": 2}, {"size": 2})


def test_views_are_bundles_of_the_canonical_plan_of_which_one_is_drawn() -> None:
    plan = views(even(4, 3), {"size": 2})
    assert plan.document["bundles"] == [list(pair) for pair in combinations(even(4, 3), 2)]
    names = ["+".join(pair) for pair in combinations(even(4, 3), 2)]
    assert plan.document["share"] == {"sample": 1, "weights": dict.fromkeys(names, 1)}
    assert Plan.from_bytes(plan.to_bytes()) == plan
    assert str(plan.contract) == "record"
    more = views(even(8, 3), {"size": 3, "count": 20})
    assert len(more.bundles) == 20
    assert len({bundle.name for bundle in more.bundles}) == 20


@pytest.mark.parametrize(
    "budget, menu",
    [
        (TOTAL, [250 * i for i in range(1, 17)]),
        (AVERAGE, [250 * i for i in range(1, 25)]),
        ({"levels": [0.5, 3]}, [500, 3000]),
    ],
)
def test_a_view_counts_once_in_every_policy(budget: dict[str, Any], menu: list[int]) -> None:
    plan = views(even(3, 3), {"size": 2}, budget=budget)
    assert list(plan.questions["x0+x1"].menu) == menu
    most = plan.policy.allowance(1) or menu[-1]
    assert Budget.of(plan, {"x0+x1": most / 1000}).total == most
    if most < menu[-1]:
        with pytest.raises(BudgetError, match="1 shared attributes may spend at most"):
            Budget.of(plan, {"x0+x1": menu[-1] / 1000})


@pytest.mark.parametrize("epsilon", [0.5, 1, 2, 4, 6])
def test_the_error_that_sizes_are_chosen_by_is_that_of_the_forecast(epsilon: float) -> None:
    sizes = {"a": 2, "b": 3, "c": 5, "d": 4}
    for size in (2, 3):
        designs = cover(sizes, size)
        made = {v: law("subset", _cells(sizes, v), int(epsilon * 1000)) for v in designs}
        crowd = [Owners(1 / len(designs), (Answer(v, made[v]),)) for v in designs]
        pairs = list(combinations(sizes, 2))
        errors = [squared_error({n: sizes[n] for n in pair}, crowd) for pair in pairs]
        assert pair_error(sizes, designs, epsilon) == pytest.approx(sum(errors) / len(pairs))


def _cells(sizes: dict[str, int], view: tuple[str, ...]) -> int:
    cells = 1
    for name in view:
        cells *= sizes[name]
    return cells


def test_the_information_of_two_codes_is_that_of_a_coin() -> None:
    assert eigenvalue(2, 1.0) == pytest.approx(2 * ((exp(1) - 1) / (exp(1) + 1)) ** 2)


def test_auto_takes_larger_views_at_larger_levels_and_each_at_its_own() -> None:
    plan = views(even(6, 3), "auto", budget={"levels": [0.5, 1, 2, 4, 6, 8]})
    assert list(plan.share.sizes) == sorted(plan.share.sizes)
    assert len(plan.share.sizes) > 1
    for bundle in plan.bundles:
        menu = plan.questions[bundle.name].menu
        best = min(
            (2, 3, 4), key=lambda k: pair_error(even(6, 3), cover(even(6, 3), k), menu[0] / 1000)
        )
        assert len(bundle.parts) == best
    every = {level for b in plan.bundles for level in plan.questions[b.name].menu}
    assert every == set(plan.policy.menu)


@pytest.mark.parametrize("levels", [[0.25], [0.5], [0.25, 0.5]])
def test_auto_draws_single_attributes_where_dependence_cannot_be_learnt(
    levels: list[float],
) -> None:
    """Half of all draws then, and those with more values are drawn more often."""
    sizes = {"a": 12, "b": 8, "c": 8, "d": 2, "e": 5}
    plan = views(sizes, "auto", budget={"levels": levels})
    weights = plan.document["share"]["weights"]
    assert Plan.from_bytes(plan.to_bytes()) == plan
    alone = {name: weights[name] for name in sizes}
    assert alone["a"] > alone["b"] == alone["c"] > alone["e"] > alone["d"]
    assert alone["a"] / alone["d"] == pytest.approx(11**0.5, rel=0.02)
    assert sum(alone.values()) == pytest.approx(sum(weights.values()) / 2, rel=0.02)


def test_auto_draws_the_share_of_single_attributes_with_the_best_forecast() -> None:
    """Worked out here for pairs of equal attributes: margins, and interactions that are shrunk."""
    values, count = 6, 10
    pairs, chosen = count * (count - 1) / 2, set()
    for level in (0.5, 1, 1.5, 2, 3, 4):
        cells, alone = (eigenvalue(own, level) / own for own in (values**2, values))
        errors = []
        for share in SHARES:
            margin = (1 - share) * 2 / count * cells + share * alone / count
            noise = (values - 1) ** 2 / (values**2 * (1 - share) * cells / pairs)
            most = 0.09 * 100_000 / values**2
            errors.append(2 * (values - 1) / values**2 / margin + most * noise / (most + noise))
        best = SHARES[errors.index(min(errors))]
        plan = views(even(count, values), "auto", budget={"levels": [level]})
        weights = plan.document["share"]["weights"]
        single = sum(weight for name, weight in weights.items() if "+" not in name)
        if set(map(len, (bundle.parts for bundle in plan.bundles))) == {2}:
            assert single / sum(weights.values()) == pytest.approx(best, abs=0.01)
            chosen.add(best)
    assert len(chosen) > 1


def test_auto_draws_no_single_attributes_where_views_say_more_of_them() -> None:
    plan = views(even(5, 3), "auto", budget={"levels": [4]})
    assert set(plan.document["share"]["weights"]) == {bundle.name for bundle in plan.bundles}


def test_an_author_may_have_an_attribute_of_views_drawn_by_itself() -> None:
    share = {"sample": 1, "weights": {"x1": 7, "x0+x1": 2}}
    plan = views(even(3, 3), {"size": 2}, share=share)
    drawn = dict(zip(dict(plan.share.questions), plan.share.weights, strict=True))
    assert drawn == {"x1": 7, "x0+x1": 2, "x0+x2": 1, "x1+x2": 1}
    assert Plan.from_bytes(plan.to_bytes()) == plan


PAIRS = [["mode", "home"], ["mode", "age"]]


@pytest.mark.parametrize(
    "changes, field, rule",
    [
        ({"views": {"size": 2}, "bundles": PAIRS}, "views", "must not be beside bundles"),
        ({"views": {"size": 1}}, "views.size", "must be a whole number from 2 to 4"),
        ({"views": {"size": 3, "count": 1}}, "views.count", "must be 3 or more"),
        ({"views": {"size": 2}, "contract": "attribute"}, "contract", "must be record"),
        ({"views": {"size": 2}, "share": {"least": 2}}, "share", "must be {sample: 1}"),
        ({"bundles": PAIRS, "share": {"sample": 2}}, "share", "must be {sample: 1}"),
        (
            {"bundles": PAIRS, "share": {"sample": 1, "weights": {"mode+home": 0}}},
            "share.weights.mode+home",
            "must be a whole number from 1",
        ),
        (
            {"bundles": PAIRS, "share": {"sample": 1, "weights": {"mode+work": 2}}},
            "share.weights.mode+work",
            "must be one of the fields",
        ),
        (
            {"bundles": PAIRS, "share": {"sample": 1, "weights": {}, "sizes": {2: 2, 3: 1}}},
            "share.sizes",
            "must rise",
        ),
        (
            {"bundles": PAIRS, "share": {"sample": 1, "weights": {}, "sizes": {2: 9, 3: 10}}},
            "bundles[0]",
            "must be drawn at a level of the menu",
        ),
    ],
)
def test_a_plan_that_breaks_a_rule_of_views_is_refused(
    changes: dict[str, Any], field: str, rule: str
) -> None:
    attributes = [MODE, HOME, AGE_GROUP, TEMPERATURE]
    author = {"name": "commuters", "attributes": attributes, "budget": TOTAL} | changes
    with pytest.raises(PlanError) as refused:
        Plan.of(author)
    assert refused.value.field == field
    assert rule in refused.value.rule
