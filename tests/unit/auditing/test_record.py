"""Whole records: the contracts, several rounds, and budgets that look at the values."""

import random
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache, partial
from math import inf, log

import pytest

from discretion.auditing import Part, audit, audit_budgets
from discretion.auditing import inspection as inspections
from discretion.auditing.record import contracts, sampled_contracts
from discretion.auditing.reports import Sender, far_records, histories, uneven_budget
from discretion.auditing.rounds import rounds, sampled_rounds
from discretion.auditing.subjects import levels, registered, subjects_of
from discretion.budget import Budget
from discretion.budget.level import level_of, range_of, stratum_of
from discretion.device import State
from discretion.mechanism import (
    CODED,
    DISCOVERED,
    MECHANISMS,
    NUMBERS,
    OPEN,
    OPTIMAL,
    ORDERED,
    SAMPLED,
    SETS,
    STAGED,
    VARIANTS,
)
from discretion.plan import Plan, Question
from discretion.randomness import Source
from tests import plans
from tests.unit.auditing.planted import SEED

ALPHA = 1e-9  # these devices draw from the system: no test may fail by chance
REPORTS = 800

A = {"name": "a", "kind": "categorical", "values": ["no", "yes"], "mechanism": "grr"}
B = {"name": "b", "kind": "categorical", "values": ["x", "y", "z"], "mechanism": "oue"}


@cache
def plan(allocation: str = "disclosed") -> Plan:
    attributes = [A, B] if allocation == "disclosed" else [{**A, "mechanism": "oue"}, B]
    whole = {"name": "two", "attributes": attributes, "budget": {"levels": [0.5, 1, 2, 4]}}
    return Plan.of({**whole, "allocation": allocation})


def few(budget: Budget) -> Sender:
    return lambda asked: histories(plan(), budget, asked, 100)


def sender(budget: Budget) -> Sender:
    return lambda asked: histories(plan(), budget, asked, REPORTS)


ALL = {
    "plain": plans.commuters,
    "secret": plans.secret_commuters,
    "bundled": plans.bundled_commuters,
    "ranged": plans.ranged_commuters,
    "sampled": plans.sampled_commuters,
    "views": plans.viewed_commuters,
    "bundled numbers": plans.bundled_numbers,
    "coded": plans.coded_commuters,
}


def kinds(of: Iterable[str], *quick: str) -> list[object]:
    """Return the kinds of plans as parameters; all but the quick ones are slow."""
    return [k if k in quick else pytest.param(k, marks=pytest.mark.slow) for k in of]


@pytest.mark.parametrize("kind", kinds(ALL, "secret", "coded"))
def test_a_sound_plan_passes(kind: str) -> None:
    found = audit(ALL[kind](), samples=200)
    assert found.passes, found
    assert {finding.part for finding in found.findings} == set(Part)
    assert any("contract" in note for note in found.notes)


@pytest.mark.parametrize("kind", ALL)
def test_the_contracts_of_every_kind_of_plan_hold_exactly(kind: str) -> None:
    own = ALL[kind]()
    budget = uneven_budget(own)
    found = [*contracts(own, budget), *rounds(own, budget)]
    assert all(finding.passes for finding in found), found


def test_one_differing_attribute_is_bounded_by_its_level_and_all_by_the_total() -> None:
    budget = Budget.of(plan(), {"a": 0.5, "b": 2})
    found = list(contracts(plan(), budget))
    assert [finding.subject for finding in found] == [
        "records that differ in a alone",
        "records that differ in b alone",
        "records that differ in everything",
    ]
    assert [finding.claim for finding in found] == [0.5, 2, 2.5]
    assert [finding.loss for finding in found] == pytest.approx([0.5, 2, 2.5])
    assert all(finding.passes for finding in found)


def test_an_attribute_of_a_bundle_has_the_level_of_the_bundle() -> None:
    bundled = plans.bundled_commuters()
    budget = Budget.of(bundled, {"mode+age": 4, "home": 1})
    found = {finding.subject: finding.claim for finding in contracts(bundled, budget)}
    assert found["records that differ in mode alone"] == 4
    assert found["records that differ in age alone"] == 4


def test_reports_prove_less_than_is_promised_and_not_nothing() -> None:
    budget = Budget.of(plan(), {"a": 2, "b": 4})
    found = list(sampled_contracts(plan(), budget, sender(budget), ALPHA))
    assert all(finding.passes and finding.loss > 0 for finding in found), found
    assert min(found[0].loss, found[-1].loss) > 0.2


def test_an_answer_that_stays_is_drawn_once_and_one_that_changes_adds_up() -> None:
    budget = Budget.of(plan(), {"a": 1, "b": 2})
    same, changed = rounds(plan(), budget)
    assert (same.claim, changed.claim) == (3, 6)
    assert same.loss == pytest.approx(3)
    assert changed.loss == pytest.approx(6)
    assert same.passes
    assert changed.passes
    assert all(finding.passes for finding in sampled_rounds(plan(), budget, few(budget), ALPHA))


def test_a_device_that_forgets_what_it_said_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(State, "recall", lambda *_: None)
    same, changed = rounds(plan(), Budget.of(plan(), {"a": 1, "b": 2}))
    assert not same.passes
    assert "charged 9" in same.how
    assert not changed.passes
    budget = Budget.of(plan(), {"a": 1, "b": 2})
    finding, _ = sampled_rounds(plan(), budget, few(budget), ALPHA)
    assert not finding.passes
    assert "the answer was drawn anew" in finding.how


def test_what_each_round_draws_anew_is_not_taken_for_a_second_response() -> None:
    stated = {"orappor": {"bits": 16, "cohorts": 2, "ones": 0.75}}
    text = {"name": "x", "kind": "text", "mechanism": stated}
    plan = Plan.of({"name": "texts", "attributes": [text], "budget": {"levels": [1]}})
    assert all(finding.passes for finding in rounds(plan, Budget.even(plan)))


def test_a_device_with_too_large_a_budget_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The law is sound, and the device does not follow it."""

    perturb = Question.perturb

    def bold(own: Question, answer: str, stratum: int, source: Source) -> int:
        doubled = stratum_of(2 * level_of(stratum), range_of(stratum))
        return perturb(own, answer, doubled, source)

    monkeypatch.setattr(Question, "perturb", bold)
    small = Plan.of({"name": "one", "attributes": [A], "budget": {"levels": [2]}})
    found = audit(small, samples=4000)
    assert [finding.part for finding in found.failures] == [Part.SAMPLES]
    assert 2 < found.failures[0].loss < 4
    assert "1 of 12 claims is broken" in str(found)


def test_a_reused_word_of_a_device_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """One word for all coins: that only the bit of z is set tells that it is z."""

    rng = random.Random(SEED)

    class Stuck:
        def __init__(self) -> None:
            self.word = rng.getrandbits(64)

        def below(self, n: int) -> int:
            return self.word % n

        def coin(self, heads: int) -> bool:
            return self.word < heads

    monkeypatch.setattr("discretion.device.device.system", Stuck)
    budget = Budget.of(plan(), {"a": 1, "b": 2})
    found = list(sampled_contracts(plan(), budget, sender(budget), 1e-3))
    assert not found[1].passes, found


# Budgets


def constant(own: Plan, _: Mapping[str, object]) -> Budget:
    return Budget.of(own, {"a": 1, "b": 1})


def shy(own: Plan, record: Mapping[str, object]) -> Budget:
    """Whoever says yes gives less away, and thereby everything."""
    return Budget.of(own, {"a": 0.5 if record["a"] == "yes" else 4, "b": 1})


RECORDS = [{"a": "no", "b": "x"}, {"a": "yes", "b": "x"}]


def test_a_budget_that_looks_at_the_record_is_found() -> None:
    found = audit_budgets(plan(), partial(shy, plan()), RECORDS, 100)
    assert not found.passes
    assert found.findings[0].loss == inf
    sound = audit_budgets(plan(), partial(constant, plan()), RECORDS, 100)
    assert sound.passes
    assert sound.findings[0].loss == pytest.approx(1)


def test_the_level_is_read_off_the_bytes() -> None:
    found = audit_budgets(plan(), partial(mild, plan()), RECORDS, 1000)
    exact, sampled = found.findings
    assert not exact.passes
    assert not sampled.passes
    assert "report" in sampled.how


def mild(own: Plan, record: Mapping[str, object]) -> Budget:
    return Budget.of(own, {"a": 0.5 if record["a"] == "yes" else 1, "b": 0.5})


def test_leaving_an_attribute_out_because_of_its_value_is_found() -> None:
    def silent(record: Mapping[str, object]) -> Budget:
        return Budget.of(plan(), {"b": 1} if record["a"] == "yes" else {"a": 1, "b": 1})

    assert audit_budgets(plan(), silent, RECORDS, 100).findings[0].loss == inf


def test_a_secret_level_that_looks_at_the_record_is_found() -> None:
    """The ratio of sets of bits with coins of two levels, against listing all of them."""
    own = plan("secret")
    budgets = [Budget.of(own, {"b": 0.5}), Budget.of(own, {"b": 4})]
    records = [{"b": "x"}, {"b": "x"}, {"b": "z"}]
    chosen = iter([budgets[0], budgets[1], budgets[1]])
    found = audit_budgets(own, lambda _: next(chosen), records, 100)
    exact = [finding for finding in found.findings if "exact" in finding.how]
    laws = [own.questions["b"].law(budget.levels["b"]) for budget in budgets]

    def listed(code: int) -> Fraction:
        probabilities = [
            (laws[0].probability(y, 0), laws[1].probability(y, code)) for y in range(8)
        ]
        return max(max(a / b, b / a) for a, b in probabilities)

    assert exact[0].loss == pytest.approx(log(listed(0)))
    assert exact[1].loss == pytest.approx(log(listed(2)))
    assert [finding.passes for finding in exact] == [False, False, True]


# What is looked at


def test_all_levels_of_a_short_menu_and_some_of_a_long_one() -> None:
    assert levels([1, 2, 3]) == [1, 2, 3]
    assert levels(list(range(100))) == [0, 24, 49, 74, 99]
    names = [subject.name for subject in subjects_of(plans.ranged_commuters())]
    assert "income (window), level 6, range 2" in names
    assert len(names) == 5 + 15


def test_every_mechanism_is_registered_for_an_audit() -> None:
    names = {subject.name.partition(",")[0] for subject in registered()}
    assert names == {
        *(
            *MECHANISMS,
            *NUMBERS,
            *CODED,
            *OPEN,
            *VARIANTS,
            *ORDERED,
            *SETS,
            *DISCOVERED,
            *STAGED,
            *SAMPLED,
        ),
        OPTIMAL,
    }


def test_records_are_as_far_apart_as_they_can_be() -> None:
    first, last = far_records(plans.bundled_commuters())
    assert all(first[name] != last[name] for name in first)
    assert len(set(uneven_budget(plans.commuters()).levels.values())) == 3


@pytest.mark.slow
def test_all_mechanisms_pass() -> None:
    found = inspections.audit()
    assert found.passes, found
    subjects = list(registered())
    assert len(found.findings) == 3 * len(subjects) + sum(
        each.first is not None for each in subjects
    )


def test_what_decides_about_others_is_claimed_with_them() -> None:
    plan = plans.conditional_commuters()
    budget = Budget.of(plan, {"hours": 1, "rest": 2})
    found = {each.subject: each for each in contracts(plan, budget)}
    claims = {part: found[f"records that differ in {part} alone"].claim for part in plan.attributes}
    assert claims == {"age": 3, "work": 3, "hours": 3, "shift": 2, "rest": 2}
    assert all(each.passes for each in found.values())
    sent = partial(histories, plan, budget, count=40)
    assert all(each.passes for each in sampled_contracts(plan, budget, sent, ALPHA))
