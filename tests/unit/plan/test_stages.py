"""Mechanisms in two stages in a plan: what an author may write, what stays, what is refused."""

from math import log
from typing import Any

import pytest

from discretion.budget import Budget
from discretion.device.promise import promise
from discretion.errors import PlanError
from discretion.mechanism import STAGED, Stages
from discretion.plan import Plan
from tests.cases import for_each
from tests.plans import MODE, author


def plan_of(mechanism: object, **changes: Any) -> Plan:
    return Plan.of(author(attributes=[{**MODE, "mechanism": mechanism}], **changes))


@for_each("name", STAGED)
def test_half_of_the_level_is_for_the_first_report_unless_a_plan_says_otherwise(name: str) -> None:
    stated: list[Any] = [name, {name: {}}, {name: {"first": 0.5}}]
    for mechanism in stated:
        plan = plan_of(mechanism)
        buckets = {"buckets": 2} if name == "loloha" else {}
        assert plan.document["attributes"][0]["mechanism"] == {name: {**buckets, "first": 500}}
        assert Plan.from_bytes(plan.to_bytes()).id == plan.id
    plan = plan_of({name: {"first": 0.125}})
    assert plan.questions["mode"].parameters.first == 125
    law = plan.questions["mode"].law(2000)
    assert law == STAGED[name](5, 2000, Stages(125, 2 if name == "loloha" else None))
    assert log(law.ratio) == pytest.approx(2)
    assert plan.questions["mode"].cost(2000) == 2000


@for_each("first", [0, 1, 1.5, -0.5, 0.0005, "half", None, True])
def test_a_part_that_is_none_is_refused(first: object) -> None:
    with pytest.raises(PlanError, match=r"mechanism\.lgrr\.first"):
        plan_of({"lgrr": {"first": first}})


@for_each("again", ["fresh", {"rotate": [4]}])
def test_two_stages_need_a_memo(again: object) -> None:
    with pytest.raises(PlanError, match="whose permanent answer is to be remembered"):
        plan_of("losue", again=again)


@for_each("buckets", [1, 0, 1025, 2.5, "two"])
def test_buckets_that_are_none_are_refused(buckets: object) -> None:
    with pytest.raises(PlanError, match=r"mechanism\.loloha\.buckets"):
        plan_of({"loloha": {"buckets": buckets}})
    with pytest.raises(PlanError):
        plan_of({"lgrr": {"buckets": 2}})


def test_a_device_keeps_one_function_for_an_attribute() -> None:
    plan = plan_of({"loloha": {"buckets": 4}})
    law = plan.questions["mode"].law(1000)
    assert (plan.cohorts, plan.questions["mode"].cohorts, law.cohorts) == (1, *[32_749**3] * 2)
    assert "linked by up to 45 bits" in promise(plan, Budget.even(plan))


def test_two_stages_are_for_labels_alone_in_a_plan_with_open_levels() -> None:
    with pytest.raises(PlanError):
        plan_of({"lgrr": {"second": 0.5}})
    with pytest.raises(PlanError, match="must be oue"):
        plan_of("lgrr", allocation="secret")
    with pytest.raises(PlanError):
        Plan.of(author(attributes=[{"name": "t", "kind": "text", "mechanism": "lgrr"}]))
