"""Answers that are kept and sent anew: what is drawn, charged, shared and refused."""

from typing import Any

import pytest

from discretion.budget import Budget
from discretion.device import Device, State
from discretion.errors import AlreadyAnswered, BudgetSpent, PlanError
from discretion.mechanism import STAGED
from discretion.plan import Plan
from tests.cases import for_each

VALUES = [str(i) for i in range(12)]
LOLOHA = {"loloha": {"buckets": 3, "first": 0.9}}


def plan_of(mechanism: Any, **more: Any) -> Plan:
    mode = {"name": "mode", "kind": "categorical", "values": VALUES, "mechanism": mechanism}
    return Plan.of({"name": "kept", "attributes": [mode], "budget": {"levels": [1, 4]}, **more})


def answered(plan: Plan, state: State, values: list[str], first: int = 0) -> list[int]:
    """Return what one device sends in rounds with these values."""
    budget, device = Budget.of(plan, {"mode": 4}), Device(plan, state)
    reports = [device.report({"mode": value}, budget, first + i) for i, value in enumerate(values)]
    return [int.from_bytes(report.answers["mode"].y, "little") for report in reports]


def cohort_of(plan: Plan, state: State) -> int | None:
    """Return the cohort that a device drew for the attribute alone."""
    known = state.once(state.root(plan.id), "cohort of mode")
    return None if known is None else int(known)


@for_each("name", STAGED)
def test_an_answer_is_drawn_and_charged_once_and_sent_anew(name: str) -> None:
    plan = plan_of({name: {"first": 0.2}})
    with State() as state:
        sent = answered(plan, state, ["3"] * 40)
        assert state.spent() == 4000
        assert len(set(sent)) > 1
        answered(plan, state, ["4", "3"], 40)
        assert state.spent() in ({4000, 8000} if name == "loloha" else {8000})


def test_answers_that_share_a_bucket_are_one_answer() -> None:
    """Of twelve values in three buckets at most three are charged, and which, the function says."""
    plan = plan_of(LOLOHA)
    with State() as state:
        sent = answered(plan, state, VALUES * 3)
        law: Any = plan.questions["mode"].law(4000)
        functions = {y // 3 for y in sent}
        (function,) = functions
        assert function == cohort_of(plan, state)
        buckets = {law.hashing.bucket(function, code) for code in range(len(VALUES))}
        assert state.spent() == 4000 * len(buckets) <= 12_000


def test_what_is_kept_of_a_bucket_is_one_draw() -> None:
    """Answers of one bucket have one response, at a level; another level is a new draw."""
    plan = plan_of(LOLOHA)
    for _ in range(5):
        with State() as state:
            device = Device(plan, state)
            for round, value in enumerate(VALUES):
                device.report({"mode": value}, Budget.of(plan, {"mode": 4}), round)
            root, law = state.root(plan.id), plan.questions["mode"].law(4000)
            cohort = cohort_of(plan, state)
            assert cohort is not None
            kept: dict[int | None, set[bytes | None]] = {}
            for code, value in enumerate(VALUES):
                answer = plan.questions["mode"].answer({"mode": value})
                own = state.recall(root, "mode", answer, 4000)
                kept.setdefault(law.alike(code, cohort), set()).add(own)
            assert all(len(each) == 1 and None not in each for each in kept.values())
            device.report({"mode": "0"}, Budget.of(plan, {"mode": 1}), 20)
            assert state.spent() == 4000 * len(kept) + 1000


@for_each("name", STAGED)
def test_a_round_may_be_skipped_or_come_late_and_nothing_is_charged_twice(name: str) -> None:
    plan = plan_of({name: {}})
    budget = Budget.of(plan, {"mode": 4})
    with State() as state:
        device = Device(plan, state)
        first = device.report({"mode": "3"}, budget, 9)
        assert device.report({"mode": "3"}, budget, 9).to_bytes() == first.to_bytes()
        device.report({"mode": "3"}, budget, 4)
        device.report({"mode": "3"}, budget, 1000)
        with pytest.raises(AlreadyAnswered):
            device.report({"mode": "4"}, budget, 9)
        assert state.spent() == 4000


@for_each("name", STAGED)
def test_a_lost_state_draws_anew(name: str) -> None:
    """Another function too, as a rule: the bounds hold for each state by itself."""
    plan = plan_of({name: {}})
    sent = []
    for _ in range(2):
        with State() as state:
            sent.append(answered(plan, state, ["3"]))
            assert state.spent() == 4000
            if name == "loloha":
                assert sent[-1][0] // 2 == cohort_of(plan, state)
    if name == "loloha":
        assert sent[0][0] // 2 != sent[1][0] // 2


@for_each("name", STAGED)
def test_limits_count_every_answer_as_new(name: str) -> None:
    plan = plan_of({name: {}})
    budget = Budget.of(plan, {"mode": 4})
    with State() as state:
        device = Device(plan, state, limit=8)
        for round in (1, 0):
            device.report({"mode": "3"}, budget, round)
        with pytest.raises(BudgetSpent):
            device.report({"mode": "3"}, budget, 2)
        assert state.spent() == 4000
    with State() as state:
        answered(plan, state, ["3", "3"])
        device = Device(plan, state, limit={"epsilon": 4, "rounds": 3})
        with pytest.raises(BudgetSpent, match="over 3 rounds"):
            device.report({"mode": "3"}, budget, 2)
        device.report({"mode": "3"}, budget, 7)
        assert state.spent() == 4000


@for_each("name", STAGED)
def test_a_plan_that_answers_again_otherwise_is_refused_or_another_plan(name: str) -> None:
    with pytest.raises(PlanError, match="must be memo"):
        plan_of({name: {}}, again="fresh")
    bare, kept = plan_of("grr", again="fresh"), plan_of({name: {}})
    with State() as state:
        answered(bare, state, ["3"])
        answered(kept, state, ["3"])
        assert state.spent() == 8000


def test_codes_that_a_device_does_not_report_are_one_answer() -> None:
    plan = plan_of({"dbitflip": {"bits": 2}})
    law = plan.questions["mode"].law(4000)
    with State() as state:
        sent = answered(plan, state, VALUES * 2)
        assert sent[: len(VALUES)] == sent[len(VALUES) :]
        (codes,) = {y & (1 << len(VALUES)) - 1 for y in sent}
        cohort = cohort_of(plan, state)
        assert cohort is not None
        own = [code for code in range(len(VALUES)) if codes >> code & 1]
        outside = [code for code in range(len(VALUES)) if code not in own]
        assert {law.alike(code, cohort) for code in own} == {0, 1}
        assert len({sent[code] for code in outside}) == 1
        assert state.spent() == 3 * 4000


def test_bits_of_a_few_codes_are_drawn_anew_where_a_plan_says_so() -> None:
    """dBitFlip: the codes stay, their bits do not, and every round is charged."""
    plan = plan_of({"dbitflip": {"bits": 6}}, again="fresh")
    with State() as state:
        sent = answered(plan, state, ["3"] * 30)
        assert len({y & (1 << len(VALUES)) - 1 for y in sent}) == 1
        assert len(set(sent)) > 1
        assert state.spent() == 30 * 4000


@for_each("bits, values", [(0, 12), (13, 12), (2, 3), (16, 200), (33, 40), (2.5, 12)])
def test_bits_that_cannot_be_drawn_are_refused(bits: object, values: int) -> None:
    mode = {"name": "mode", "kind": "categorical", "values": [str(i) for i in range(values)]}
    attributes = [{**mode, "mechanism": {"dbitflip": {"bits": bits}}}]
    with pytest.raises(PlanError, match=r"mechanism\.dbitflip\.bits"):
        Plan.of({"name": "few", "attributes": attributes, "budget": {"levels": [1]}})


@for_each("mechanism", [{"loloha": {}}, {"dbitflip": {"bits": 2}}])
def test_each_attribute_has_a_function_of_its_own(mechanism: Any) -> None:
    """By one function, values of two attributes would collide together: products were biased."""
    one = {"kind": "categorical", "values": VALUES, "mechanism": mechanism}
    attributes = [{"name": name, **one} for name in ("mode", "purpose")]
    bits = {"kind": "categorical", "values": VALUES, "mechanism": {"dbitflip": {"bits": 3}}}
    attributes.append({"name": "place", **bits})
    plan = Plan.of({"name": "two", "attributes": attributes, "budget": {"levels": [1]}})
    record, found = dict.fromkeys(plan.attributes, "3"), set()
    budget = Budget.of(plan, dict.fromkeys(plan.attributes, 1))
    assert plan.cohorts == 1
    for _ in range(20):
        with State() as state:
            device, root = Device(plan, state), state.root(plan.id)
            device.report(record, budget)
            own = [state.once(root, f"cohort of {name}") for name in ("mode", "purpose")]
            assert None not in own
            assert state.cohort(root) is None
            device.report(record, budget, 1)
            assert own == [state.once(root, f"cohort of {name}") for name in ("mode", "purpose")]
            found.add(own[0] == own[1])
    assert False in found
    assert "name one of 220 cohorts" in Device(plan).promise(budget)


def test_a_promise_says_which_values_are_one_answer() -> None:
    """A bucket that stays while values change says less than is charged for one that changes."""
    for mechanism, merged in (
        ({"loloha": {}}, "Values that the function of this device puts into one bucket are one"),
        ({"dbitflip": {"bits": 2}}, "Values other than the 2 that this device draws are one"),
        ({"dbitflip": {"bits": 12}}, ""),
        ({"lgrr": {}}, ""),
    ):
        plan = plan_of(mechanism)
        said = Device(plan).promise(Budget.of(plan, {"mode": 1}))
        assert (f"  {merged} answer.\n" in said) == bool(merged)
        assert ("does not count as one" in said) == bool(merged)
