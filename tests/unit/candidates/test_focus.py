"""The plan of a next round: what it lists, what it keeps, and what is refused."""

from typing import Any

import pytest

import discretion as ds
from discretion.device import Device, State
from discretion.errors import BudgetSpent, EstimateError
from discretion.sets.itemsets import Measured

ITEMS = ["milk", "rye", "tea", "oil", "other"]
BASKET: dict[str, Any] = {
    "name": "basket",
    "kind": "set",
    "question": "What did you buy?",
    "items": [{"code": item, "label": item.title()} for item in ITEMS],
    "length": [5, 2],
}
AGE = {"name": "age", "kind": "categorical", "values": ["young", "old"]}
PEOPLE = {
    "basket": [["milk", "rye"], ["milk", "rye", "tea"], ["milk"], ["beer"]] * 800,
    "age": ["old", "young"] * 1600,
}


@pytest.fixture(scope="module")
def plan() -> ds.Plan:
    budget = {"levels": [1, 4]}
    said = {"title": "Shop", "sections": [{"title": "All", "attributes": ["age"]}]}
    return ds.Plan.of({"name": "shop", **said, "attributes": [BASKET, AGE], "budget": budget})


@pytest.fixture(scope="module")
def found(plan: ds.Plan) -> ds.FrequencyEstimate:
    return ds.frequencies(ds.simulate(plan, PEOPLE, budgets="levels", seed=1), "basket")


def test_the_most_frequent_items_are_asked_again_with_their_words(
    plan: ds.Plan, found: ds.FrequencyEstimate
) -> None:
    closer = ds.focus(found, 2)
    assert closer.names == ("basket",)
    assert closer.attributes["basket"].labels == ("milk", "rye")
    assert closer.wording.of("basket").question == "What did you buy?"
    assert closer.wording.of("basket").labels == {"milk": "Milk", "rye": "Rye"}
    assert closer.wording.title == "Shop"
    assert closer.policy.menu == plan.policy.menu
    assert closer.name == "shop: focus on basket"
    best = ds.top(ds.simulate(plan, PEOPLE, budgets="levels", seed=1), "basket", count=2)
    assert ds.focus(best, 64).id == closer.id


def test_itemsets_are_ranked_by_the_product_of_shares_and_other_is_none(
    found: ds.FrequencyEstimate,
) -> None:
    closer = ds.focus(found, 6, sets=3)
    labels = closer.attributes["basket"].labels
    assert {"milk", "rye", "milk + rye"} <= set(labels)
    assert not any("other" in label for label in labels)
    assert len(labels) == 6
    again = ds.frequencies(ds.simulate(closer, PEOPLE, budgets="levels", seed=2), "basket")
    assert again["milk + rye"].value == pytest.approx(0.5, abs=0.1)
    nearer = ds.focus(again, 3, sets=2)  # of itemsets that were estimated themselves
    assert nearer.attributes["basket"].labels[0] == "milk"
    assert nearer.name == "shop: focus on basket"
    assert ds.Plan.from_bytes(nearer.to_bytes()).id == nearer.id


def test_what_was_not_estimated_is_guessed_and_what_was_is_not(plan: ds.Plan) -> None:
    shares = {"milk": 0.5, "rye": 0.4, "tea": 0.1, "oil": -0.1, "other": 0.3}
    ranked = Measured(plan, "basket", shares, 1000).ranked(9, 3)
    assert ranked == pytest.approx(
        {(0,): 0.5, (1,): 0.4, (0, 1): 0.4, (0, 2): 0.1, (2,): 0.1, (1, 2): 0.08, (0, 1, 2): 0.08}
    )
    assert [*ranked][:3] == [(0,), (0, 1), (1,)]


def test_a_length_cuts_next_to_nothing_and_is_no_longer(plan: ds.Plan) -> None:
    shares = {"milk": 0.5, "rye": 0.4, "tea": 0.3, "oil": 0.1}
    lengths = [
        measured.length([(0,), (1,), (2,), (3,)], measured.estimated)
        for measured in (Measured(plan, "basket", shares, n) for n in (30, 300, 1_000_000))
    ]
    assert lengths == sorted(lengths)
    assert lengths[0] < lengths[-1] == 4


def test_discovered_texts_become_a_list_with_other_for_the_rest() -> None:
    groups = {"mechanism": {"prefixes": {"groups": [12, 24, 36, 48]}}}
    word = {"name": "word", "kind": "text", "discover": {"code": "bits", "bits": 48}, **groups}
    plan = ds.Plan.of({"name": "words", "attributes": [word], "budget": {"levels": [4]}})
    said = {"word": ["ale", "pale", "other", "ale", "", "dale", "other"] * 400}
    reports = ds.simulate(plan, said, seed=1)
    texts = ds.discover(reports, "word")
    assert {"other", "", "ale"} <= set(texts.texts)
    closer = ds.focus(texts, 3)
    asked = closer.attributes["word"]
    assert set(asked.labels) == {"ale", "pale", "dale", "other"}  # a blank is no label
    assert (asked.answer("ale"), asked.answer("zzz"), asked.otherwise) == (
        "ale",
        "other",
        '"other"',
    )
    with pytest.raises(EstimateError, match="only sets have itemsets"):
        ds.focus(texts, 3, sets=2)
    nobody = ds.simulate(plan, {"word": ["zq"] * 3}, seed=1)
    with pytest.raises(EstimateError, match="no text of 'word' that could be listed"):
        ds.focus(ds.discover(nobody, "word", error=1e-6))


def test_both_rounds_count_on_one_ledger(plan: ds.Plan, found: ds.FrequencyEstimate) -> None:
    closer, state = ds.focus(found, 4, sets=2), State()
    record = {"basket": ["milk", "rye"], "age": "old"}
    first = Device(plan, state, limit=7)
    first.report(record, ds.Budget.of(plan, {"basket": 4, "age": 1}))
    second = Device(closer, state)
    assert second.left == 2000
    with pytest.raises(BudgetSpent):
        second.report(record, ds.Budget.of(closer, {"basket": 4}))
    second.report(record, ds.Budget.of(closer, {"basket": 1}))
    assert (second.left, state.spent("basket")) == (1000, 5000)


@pytest.mark.parametrize(
    "changes, rule",
    [
        ({"count": 1}, "count must be a whole number from 2 to 4095, got 1"),
        ({"count": 2.0}, "count must be"),
        ({"sets": 4}, "sets must be a whole number from 1 to 3, got 4"),
        ({"sets": True}, "sets must be"),
        ({"estimate": 7}, "result of discover, or of frequencies of a set, got int"),
    ],
)
def test_wrong_calls_are_refused(
    found: ds.FrequencyEstimate, changes: dict[str, Any], rule: str
) -> None:
    with pytest.raises(EstimateError, match=rule):
        ds.focus(**{"estimate": found, **changes})


def test_labels_and_maps_have_nothing_to_focus_on(plan: ds.Plan) -> None:
    reports = ds.simulate(plan, PEOPLE, budgets="levels", seed=1)
    with pytest.raises(EstimateError, match="got FrequencyEstimate"):
        ds.focus(ds.frequencies(reports, "age"))
    stars = {"name": "stars", "kind": "map", "keys": ["a", "b"], "range": [0, 1], "step": 1}
    rated = ds.Plan.of(
        {"name": "s", "attributes": [{**stars, "length": 2}], "budget": {"levels": [4]}}
    )
    told = ds.simulate(rated, {"stars": [{"a": 1}, {"b": 0}] * 100}, seed=1)
    with pytest.raises(EstimateError, match="'stars' is neither"):
        ds.focus(ds.frequencies(told, "stars"))
