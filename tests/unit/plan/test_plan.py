import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from discretion.budget import Average, Levels, Total
from discretion.errors import PlanError, UnknownAttribute
from discretion.mechanism import law
from discretion.plan import Plan
from discretion.schema import Categorical, Numeric
from tests.cases import for_each
from tests.plans import AGE, AGE_GROUP, HOME, INCOME, MODE, NUMBERS, TEMPERATURE, author

ID = "45a5b0db85a66120437b206330cccbfb83c1170599692b9406738016887be0d1"
BYTES = (
    b'{"allocation":"disclosed","attributes":[{"fallback":"walk","kind":"categorical",'
    b'"mechanism":"subset","name":"mode","values":["car","bus","train","bike","walk"]},'
    b'{"exponent":0,"kind":"numeric","mechanism":"grr","name":"age","range":[16,100],"step":1},'
    b'{"exponent":0,"kind":"numeric","mechanism":"window","name":"income","range":[0,200000],'
    b'"step":500}],"budget":{"average":2000,"least":250,"most":6000,"step":250},'
    b'"contract":"attribute","format":1,"name":"commuters","share":{"least":1}}'
)
YAML = """
name: commuters
attributes:
  - {name: mode, kind: categorical, values: [car, bus, train, bike, walk], mechanism: auto}
  - {name: age, kind: numeric, range: [16, 100], step: 1, mechanism: grr}
  - {name: income, kind: numeric, range: [0, 2.0e+5], step: 500}
budget: {average: 2.0, least: 0.25, most: 6.0, step: 0.25}
share: {least: 1}
allocation: disclosed
"""
PLANS: dict[str, dict[str, Any]] = {
    "disclosed": author(),
    "secret": author(attributes=[MODE, TEMPERATURE], allocation="secret"),
    "total": author(budget={"total": 8, "spread": 1.5}, share={"least": 2}),
    "bundled": author(attributes=[MODE, AGE_GROUP, HOME], bundles=[["home", "mode"]]),
    "levels": author(budget={"levels": [0.5, 1, 2.125]}, attributes=[TEMPERATURE]),
    "ranges": author(attributes=[{**INCOME, "range": [0.5, 1000.5], "ranges": [[0.5, 500.5]]}]),
    "sample": author(share={"sample": 2}),
    "auto": author(budget={"total": 6, "spread": 1.5}, share={"sample": "auto"}),
    "numbers": author(attributes=NUMBERS, bundles=[{"attributes": ["a", "b"], "levels": 3}]),
    "signs": author(attributes=NUMBERS, bundles=[{"attributes": ["c", "a"], "mechanism": "duchi"}]),
    "optimal": author(attributes=[{**INCOME, "mechanism": "optimal"}], budget={"levels": [0.5, 2]}),
    "unicode": author(name='Ä "\\" 🚲', attributes=[{**MODE, "values": ["ä", "ß", "漢字"]}]),
}


def test_the_bytes_and_the_id_never_change(plan: Plan) -> None:
    assert plan.to_bytes() == BYTES
    assert plan.id == ID == hashlib.sha256(BYTES).hexdigest()


@for_each("name", PLANS)
def test_canonical_bytes_round_trip(name: str) -> None:
    plan = Plan.of(PLANS[name])
    again = Plan.from_bytes(plan.to_bytes())
    assert again == plan
    assert again.id == plan.id


@for_each("name", PLANS)
def test_canonical_bytes_hold_integers_and_text_only(name: str) -> None:
    def refuse(number: str) -> float:
        raise AssertionError(number)

    text = Plan.of(PLANS[name]).to_bytes().decode()
    document = json.loads(text, parse_float=refuse, parse_constant=refuse)
    assert json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False) == text


def test_an_author_writes_yaml_or_json_and_a_device_reads_canonical_json(
    plan: Plan, tmp_path: Path
) -> None:
    files = {"a.yaml": YAML, "a.yml": YAML, "a.json": json.dumps(author(), indent=2)}
    for name, text in {**files, "canonical.json": BYTES.decode()}.items():
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        assert Plan.load(path) == plan
        assert Plan.load(str(path)).id == ID


def test_everything_left_out_is_written_out() -> None:
    plan = Plan.of({"name": "n", "attributes": [MODE], "budget": {"total": 4, "spread": 1}})
    assert plan.document == {
        "format": 1,
        "name": "n",
        "contract": "attribute",
        "attributes": [{**MODE, "fallback": "walk", "mechanism": "subset"}],
        "budget": {"total": 4000, "spread": 1000, "step": 250},
        "share": {"least": 1},
        "allocation": "disclosed",
    }


def test_what_is_left_out_about_numbers_is_written_out() -> None:
    numbers, signs = (Plan.of(PLANS[name]).document["bundles"] for name in ("numbers", "signs"))
    assert numbers == [{"attributes": ["a", "b"], "levels": 3, "mechanism": "grr"}]
    assert signs == [{"attributes": ["c", "a"], "levels": 2, "mechanism": "duchi"}]
    assert Plan.of(PLANS["sample"]).document["share"] == {"sample": 2}
    assert Plan.of(PLANS["auto"]).document["share"] == {"sample": 1}
    (income,) = Plan.of(PLANS["ranges"]).document["attributes"]
    assert (income["range"], income["ranges"]) == ([5, 10005], [[5, 5005]])
    assert list(Plan.of(PLANS["optimal"]).document["tables"]) == ["500", "2000"]


@pytest.mark.parametrize("mechanism", [{}, {"mechanism": "auto"}], ids=["left out", "auto"])
@pytest.mark.parametrize("allocation, best", [("disclosed", "subset"), ("secret", "oue")])
def test_auto_is_the_best_mechanism_that_the_allocation_allows(
    mechanism: dict[str, str], allocation: str, best: str
) -> None:
    plan = Plan.of(author(attributes=[{**MODE, **mechanism}], allocation=allocation))
    assert plan.questions["mode"].mechanism == best
    assert b"auto" not in plan.to_bytes()


@pytest.mark.parametrize("mechanism", [{}, {"mechanism": "auto"}], ids=["left out", "auto"])
def test_auto_is_a_window_for_numbers_and_a_subset_for_bins(mechanism: dict[str, str]) -> None:
    binned = {**INCOME, "name": "class", "bins": [0, 50000, 200000]}
    plan = Plan.of(author(attributes=[{**INCOME, **mechanism}, {**binned, **mechanism}]))
    mechanisms = {name: question.mechanism for name, question in plan.questions.items()}
    assert mechanisms == {"income": "window", "class": "subset"}


@pytest.mark.parametrize(
    "values, stated, fallback",
    [
        (["a", "b"], None, "b"),
        (["a", "b"], "a", "a"),
        (["a", "other", "b"], None, "other"),
        (["a", "other"], "other", "other"),
        ([1, 2], 1, "1"),
    ],
)
def test_the_fallback_is_other_or_stated_or_the_last(
    values: list[object], stated: object, fallback: str
) -> None:
    attribute: dict[str, object] = {"name": "a", "kind": "categorical", "values": values}
    if stated is not None:
        attribute["fallback"] = stated
    (read,) = Plan.of(author(attributes=[attribute])).attributes.values()
    assert isinstance(read, Categorical)
    assert read.fallback == fallback


def test_grid_numbers_become_integers_and_a_power_of_ten() -> None:
    plan = Plan.of(author(attributes=[TEMPERATURE, {**INCOME, "range": [0.25, 1000.25]}]))
    assert plan.attributes["temperature"] == Numeric("temperature", -5, 15, 1, -1, (-5, 0, 3, 15))
    assert plan.attributes["income"] == Numeric("income", 25, 100025, 50000, -2)


@pytest.mark.parametrize(
    "budget, policy",
    [
        ({"average": 2, "least": 0.5, "most": 3}, Average(2000, 500, 3000, 250)),
        ({"total": 8, "spread": 1.5, "step": 0.1}, Total(8000, 1500, 100)),
        ({"levels": [0.5, 1, 2, 4]}, Levels((500, 1000, 2000, 4000))),
        ({"average": 20, "least": 0.001, "most": 20, "step": 20}, Average(20000, 1, 20000, 20000)),
    ],
)
def test_the_three_policies_are_read(budget: dict[str, Any], policy: object) -> None:
    assert Plan.of(author(budget=budget)).policy == policy


def test_an_attribute_has_its_law_and_its_width(plan: Plan) -> None:
    assert plan.questions["mode"].law(3500) == law("subset", 5, 3500)
    assert plan.questions["age"].law(250) == law("grr", 85, 250)
    assert [plan.questions[name].n_bytes for name in plan.names] == [1, 1, 2]


def test_bundles_stand_in_the_bytes_only_where_there_are_some(plan: Plan) -> None:
    bundled = Plan.of(PLANS["bundled"])
    assert bundled.document["bundles"] == [["home", "mode"]]
    assert "bundles" not in plan.document
    assert (plan.contract, bundled.contract) == ("attribute", "record")
    assert bundled.document["contract"] == "record"
    assert Plan.of({**PLANS["bundled"], "contract": "record"}).id == bundled.id


def test_a_bundle_is_asked_for_like_an_attribute(bundled_plan: Plan) -> None:
    assert tuple(bundled_plan.attributes) == ("mode", "age", "home")
    assert bundled_plan.names == ("mode", "age", "home", "mode+age", "age+home")
    assert bundled_plan.questions["mode+age"].attribute.size == 15
    assert bundled_plan.questions["mode+age"].law(5500) == law("subset", 15, 5500)
    assert bundled_plan.questions["age+home"].mechanism == "subset"
    assert [bundled_plan.questions[name].n_bytes for name in bundled_plan.names] == [1, 1, 1, 2, 1]
    assert bundled_plan.questions["mode+age"].parts == ("mode", "age")
    assert bundled_plan.questions["home"].parts == ("home",)


@pytest.mark.parametrize(
    "budget, menu",
    [
        ({"average": 1, "least": 0.5, "most": 1.25, "step": 0.5}, [1000, 2000, 2500]),
        ({"levels": [1.5, 10, 10.001]}, [3000, 20_000]),
        ({"total": 30, "spread": 2, "step": 6}, [12_000]),
    ],
)
def test_a_bundles_menu_has_each_level_once_for_each_attribute_up_to_the_largest_level(
    budget: dict[str, Any], menu: list[int]
) -> None:
    plan = Plan.of({**PLANS["bundled"], "budget": budget, "share": {"least": 3}})
    assert list(plan.questions["home+mode"].menu) == menu
    assert plan.questions["mode"].menu == plan.policy.menu


def test_an_unknown_attribute_is_refused_by_name(plan: Plan) -> None:
    with pytest.raises(UnknownAttribute, match="the plan has no attribute 'shoes'"):
        plan.questions["shoes"]
    assert "shoes" not in plan.questions


@for_each(
    "data, rule",
    [
        (BYTES.replace(b":", b": ", 1), "must be the canonical bytes"),
        (BYTES + b"\n", "must be the canonical bytes"),
        (BYTES.replace(b'"format":1', b'"format":1.0'), "must be the canonical bytes"),
        (BYTES.replace(b'"format":1', b'"format":true'), "must be the canonical bytes"),
        (BYTES.replace(b'"range":[16,100]', b'"range":[16.0,100]'), "must be the canonical bytes"),
        (BYTES.replace(b'"subset"', b'"auto"'), "must be the canonical bytes"),
        (BYTES.replace(b'"fallback":"walk",', b""), "must be the canonical bytes"),
        (BYTES.replace(b'"car"', b'"c\\u0061r"'), "must be the canonical bytes"),
        (BYTES.replace(b'"name":', b'"name":"twice","name":'), "must be the canonical bytes"),
        (
            BYTES.replace(b'0,"kind":"numeric","mechanism":"grr"', b'1,"kind":"numeric"'),
            "must be the canonical bytes",
        ),
        (BYTES.decode().encode("utf-16"), "must be the canonical bytes"),
        (BYTES[:-1], "must be canonical JSON"),
        (b"\xff", "must be canonical JSON"),
        (b"[" * 100_000, "must be canonical JSON"),
        (b"[1]", "must be 1"),
        (BYTES.replace(b'"format":1', b'"format":2'), "must be 1"),
        (BYTES.replace(b'"format":1,', b""), "must be 1"),
        (BYTES.replace(b'"average":2000', b'"average":"2"'), "epsilon must be a number"),
        (BYTES.replace(b'"budget":{', b'"budget":7,"b":{'), "must be one of the fields"),
        (BYTES.replace(b'"attributes":[', b'"attributes":[7,'), "must be a mapping"),
    ],
)
def test_bytes_that_are_not_canonical_are_refused_whatever_they_mean(
    data: bytes, rule: str
) -> None:
    assert data != BYTES
    with pytest.raises(PlanError, match=rule):
        Plan.from_bytes(data)


def test_a_canonical_file_with_a_newline_is_refused_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_bytes(BYTES + b"\n")
    with pytest.raises(PlanError, match=r"plan\.json: plan: must be the canonical bytes"):
        Plan.load(path)


def test_plans_that_differ_have_other_ids() -> None:
    ids = {Plan.of(each).id for each in PLANS.values()}
    assert len(ids) == len(PLANS)
    assert Plan.of(author(attributes=[MODE, INCOME, AGE])).id != ID
    assert Plan.of({**PLANS["bundled"], "bundles": [["mode", "home"]]}).id not in ids


def test_laws_are_remembered_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan.of(author())
    monkeypatch.setattr("discretion.plan.question.REMEMBERED", 2)
    laws = [plan.questions["mode"].law(level) for level in (1000, 2000, 3000)]
    assert laws == [law("subset", 5, level) for level in (1000, 2000, 3000)]
    assert [plan.questions["mode"].law(level) for level in (1000, 2000, 3000)] == laws
    assert plan.questions["mode"]._laws == {1000: laws[0], 2000: laws[1]}
    assert plan == Plan.of(author())
