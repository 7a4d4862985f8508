"""Plans with texts to discover: what they state, and what they must not."""

from typing import Any

import pytest

import discretion as ds
from discretion.errors import PlanError
from discretion.plan import Plan
from discretion.plan.prefixes import groups_of
from discretion.plan.public_text import public_code
from discretion.schema.prefix_code import ByteCode
from tests.cases import for_each

CODE = public_code(["one", "two", "three"] * 20).document
FLAT: dict[str, Any] = {"alphabet": "ab", "contexts": [["", "2222"]]}


def plan_of(**stated: object) -> Plan:
    attribute = {"name": "word", "kind": "text", **stated}
    return Plan.of({"name": "words", "attributes": [attribute], "budget": {"levels": [1, 2]}})


@for_each("code", [CODE, FLAT, "bits"])
def test_a_plan_is_read_back_from_its_bytes(code: object) -> None:
    plan = plan_of(discover={"code": code})
    again = Plan.from_bytes(plan.to_bytes())
    assert again.id == plan.id
    assert again.questions["word"].attribute == plan.questions["word"].attribute
    stated = plan.document["attributes"][0]
    assert stated["discover"] == {"code": code, "bits": 60}
    assert stated["mechanism"] == {"prefixes": {"groups": [22, 34, 47, 60]}}


def test_groups_are_few_and_even() -> None:
    assert groups_of(60) == (22, 34, 47, 60)
    assert groups_of(36) == (22, 36)
    stated = {"prefixes": {"groups": [10, 22, 36]}}
    plan = plan_of(discover={"code": "bits", "bits": 36}, mechanism=stated)
    assert plan.questions["word"].law(1000).groups == (10, 22, 36)  # type: ignore[attr-defined]
    assert plan.questions["word"].attribute.prefix_code == ByteCode()  # type: ignore[attr-defined]


def test_the_last_group_may_have_more_owners_than_the_others() -> None:
    stated = {"prefixes": {"groups": [22, 36, 36, 36]}}
    plan = plan_of(discover={"code": "bits", "bits": 36}, mechanism=stated)
    assert Plan.from_bytes(plan.to_bytes()).id == plan.id
    law: Any = plan.questions["word"].law(1000)
    assert (law.groups, set(law.weights)) == ((22, 36, 36, 36), {1 << 14})
    said, levels = {"word": ["ab", "cd"] * 1500}, {"word": [2] * 3000}
    found = ds.discover(ds.simulate(plan, said, budgets=levels, seed=1), "word")
    assert set(found.texts) == {"ab", "cd"}
    assert found.interval()[:, 0] == pytest.approx(0.5, abs=0.35)


def context(*pairs: list[str]) -> dict[str, object]:
    return {"discover": {"code": {**FLAT, "contexts": [*pairs]}}}


@for_each(
    "stated, where",
    [
        ({"discover": {}}, "discover.code"),
        ({"discover": {"code": "english"}}, "discover.code"),
        ({"discover": {"code": FLAT, "bits": 35}}, "discover.bits"),
        ({"discover": {"code": FLAT, "bits": 61}}, "discover.bits"),
        ({"discover": {"code": {**FLAT, "alphabet": "ba"}}}, "code.alphabet"),
        ({"discover": {"code": {**FLAT, "alphabet": "a\n"}}}, "code.alphabet"),
        ({"discover": {"code": {**FLAT, "alphabet": "a\u0308"}}}, "code.alphabet"),
        (context(["", "222"]), "contexts[0]"),
        (context(["", "2223"]), "contexts[0]"),
        (context(["", "1222"]), "contexts[0]"),
        (context(["", "2222"], ["c", "2222"]), "contexts[1]"),
        (context(["", "2222"], ["aba", "2222"]), "contexts[1]"),
        (context(["", "2222"], ["b", "2222"], ["a", "2222"]), "code.contexts"),
        (context(["", "2222"], ["a", "2222"], ["a", "2222"]), "code.contexts"),
        (context(["a", "2222"]), "code.contexts"),
        ({"discover": {"code": FLAT}, "mechanism": "hcms"}, "mechanism"),
        ({"mechanism": "prefixes"}, "mechanism"),
        *(
            ({"discover": {"code": FLAT}, "mechanism": {"prefixes": {"groups": groups}}}, "groups")
            for groups in (
                *([22, 36, 50], [24, 36, 48, 60], [22, 37, 48, 60], [22, 22, 36, 48, 60]),
                *([22, 36, 48, 60, 36], [22, 36, 48, 48, 60], [22, 36, 48, *[60] * 30]),
            )
        ),
    ],
)
def test_other_codes_and_groups_are_refused(stated: dict[str, object], where: str) -> None:
    with pytest.raises(PlanError) as refused:
        plan_of(**stated)
    assert where in refused.value.field
