"""Who chooses a hash function: what a plan may say of it, and how it stands in the bytes."""

import json
from typing import Any

import pytest

from discretion.errors import PlanError
from discretion.mechanism import HASHED
from discretion.plan import Plan
from tests.plans import HOME, MODE, author

ASSIGNED = {"function": "assigned"}


def plan_of(mechanism: Any, **changes: Any) -> Plan:
    return Plan.of(author(attributes=[{**MODE, "mechanism": mechanism}, HOME], **changes))


@pytest.mark.parametrize("mechanism", HASHED)
def test_an_assigned_function_stands_in_the_bytes_and_is_read_again(mechanism: str) -> None:
    plan = plan_of({mechanism: ASSIGNED})
    assert [name for name in plan.names if plan.questions[name].assigned] == ["mode"]
    stated = json.loads(plan.to_bytes())["attributes"][0]["mechanism"]
    assert stated == {mechanism: ASSIGNED}
    assert Plan.from_bytes(plan.to_bytes()) == plan
    assert plan.questions["mode"].law(1000) == plan_of(mechanism).questions["mode"].law(1000)


@pytest.mark.parametrize("mechanism", HASHED)
def test_a_drawn_one_is_the_name_alone(mechanism: str) -> None:
    plan = plan_of({mechanism: {"function": "drawn"}})
    assert plan == plan_of(mechanism)
    assert not any(question.assigned for question in plan.questions.values())
    assert plan.id != plan_of({mechanism: ASSIGNED}).id


def test_plans_without_one_keep_their_id() -> None:
    assert plan_of("olh").id == "fa3a9704732a48ecc1db72f8b0de22b877a0ad7ba159d890f61fe45d56e0156e"


@pytest.mark.parametrize(
    "mechanism, field, rule",
    [
        ({"olh": {}}, "attributes[0].mechanism.olh.function", "must be there"),
        ({"olh": {"function": "mine"}}, "attributes[0].mechanism.olh.function", "must be one of"),
        ({"olh": {**ASSIGNED, "seed": 1}}, "attributes[0].mechanism.olh.seed", "one of the fields"),
        ({"olh": "assigned"}, "attributes[0].mechanism.olh", "must be a mapping"),
        ({"grr": ASSIGNED}, "attributes[0].mechanism.grr", "must be one of the fields"),
        ({"olh": ASSIGNED, "blh": ASSIGNED}, "attributes[0].mechanism", "must name one mechanism"),
    ],
)
def test_what_cannot_be_assigned_is_refused(mechanism: Any, field: str, rule: str) -> None:
    with pytest.raises(PlanError, match=rule) as refused:
        plan_of(mechanism)
    assert refused.value.field == field


def test_neither_secret_plans_nor_texts_assign_functions() -> None:
    with pytest.raises(PlanError, match="must be oue in a plan with secret allocation"):
        plan_of({"olh": ASSIGNED}, allocation="secret")
    text = {"name": "page", "kind": "text", "mechanism": {"orr": ASSIGNED}}
    with pytest.raises(PlanError, match="must be one of the fields cells, cohorts"):
        Plan.of(author(attributes=[text]))
