"""Sets and maps in a plan: what is read, what stands in its bytes, and what is refused."""

from typing import Any

import pytest

from discretion.budget import Budget
from discretion.device import Device
from discretion.errors import BudgetError, PlanError, RecordError, ReportRefused
from discretion.estimate.legend import Legend
from discretion.kind import Kind
from discretion.plan import Plan
from discretion.report import longest, read
from discretion.schema.attribute import Misfit

SHOP = {"name": "basket", "kind": "set", "items": ["milk", "rye", "tea", "oil"], "length": [1, 3]}
STARS = {
    "name": "stars",
    "kind": "map",
    "keys": ["a", "b"],
    "range": [1, 5],
    "step": 1,
    "length": 2,
}
LEVELS = {"levels": [0.5, 1, 2, 4]}


def plan_of(*attributes: dict[str, Any], **more: Any) -> Plan:
    return Plan.of({"name": "shop", "attributes": [*attributes], "budget": LEVELS, **more})


def test_a_plan_states_items_and_lengths_and_is_read_back() -> None:
    plan = plan_of(SHOP, STARS)
    assert plan.questions["basket"].document == {
        "name": "basket",
        "kind": "set",
        "items": ["milk", "rye", "tea", "oil"],
        "length": [1, 3],
        "mechanism": "cover",
    }
    assert plan.questions["stars"].document["length"] == [2]  # type: ignore[index]
    assert Plan.from_bytes(plan.to_bytes()).id == plan.id
    assert [plan.questions[name].kind for name in plan.names] == [Kind.SET, Kind.MAP]
    assert plan_of({**SHOP, "mechanism": "auto"}, STARS).id == plan.id


def test_itemsets_are_called_after_what_their_items_are_called() -> None:
    items = [{"code": "m", "label": "Milk"}, {"code": "r", "label": "Rye"}]
    plan = plan_of({**SHOP, "items": items, "sets": [["m", "r"], ["m"]], "length": 1})
    legend = Legend.of(plan)
    assert [legend.label("basket", each) for each in ("m + r", "m", "r")] == [
        "Milk + Rye",
        "Milk",
        "Rye",
    ]


def test_labels_stand_beside_items_and_keys() -> None:
    items = [{"code": "m", "label": "Milk"}, {"code": "r", "label": "Rye"}]
    plan = plan_of({**SHOP, "items": items, "length": 1}, {**STARS, "keys": items})
    assert plan.wording.of("basket").label("m") == plan.wording.of("stars").label("m") == "Milk"
    assert Plan.from_bytes(plan.to_bytes()).id == plan.id
    with pytest.raises(PlanError, match="look like"):
        plan_of({**SHOP, "items": ["milk", "ｍilk"], "length": 1})


@pytest.mark.parametrize(
    "changes, rule",
    [
        ({"length": 5}, "whole number from 1 to 4"),
        ({"length": 0}, "whole number from 1 to 4"),
        ({"length": [2, 2]}, "lengths must differ"),
        ({"length": []}, "at least one"),
        ({"items": ["milk"]}, "must be 2 to 4096"),
        ({"items": ["milk", "milk"]}, "labels must differ"),
        ({"items": [str(i) for i in range(4097)]}, "must be 2 to 4096"),
        ({"mechanism": "oue"}, "must be one of auto, cover"),
        ({"values": ["a"]}, "must be one of the fields"),
    ],
)
def test_other_sets_are_refused(changes: dict[str, Any], rule: str) -> None:
    with pytest.raises(PlanError, match=rule):
        plan_of({**SHOP, **changes})


def test_a_plan_states_itemsets_that_are_reported_in_place_of_items() -> None:
    plan = plan_of({**SHOP, "sets": [["rye", "milk"], ["tea"]], "length": [1, 2]})
    document = plan.questions["basket"].document
    assert document["sets"] == [["milk", "rye"], ["tea"]]  # type: ignore[index]
    assert Plan.from_bytes(plan.to_bytes()).id == plan.id
    assert plan.attributes["basket"].labels == ("milk + rye", "tea")
    assert plan.questions["basket"].n_bytes == 1
    assert plan.questions["basket:milk + rye"].implied


@pytest.mark.parametrize(
    "changes, rule",
    [
        ({"sets": [["milk"]]}, "must be 2 to 4096, and are 1"),
        ({"sets": []}, "at least one"),
        ({"sets": ["milk", "rye"]}, "at least one"),
        ({"sets": [["milk"], []]}, "at least one"),
        ({"sets": [["milk"], ["beer"]]}, "must be one of milk, rye, tea, oil"),
        ({"sets": [["milk"], ["rye", "rye"]]}, "must be different items"),
        ({"sets": [["milk", "rye"], ["rye", "milk"]], "length": 2}, "itemsets must differ"),
        ({"sets": [["milk"], ["rye"]]}, "length.*whole number from 1 to 2"),
        (
            {"items": ["a", "b", "a + b"], "sets": [["a", "b"], ["a + b"]], "length": 1},
            "so must their names",
        ),
    ],
)
def test_other_itemsets_are_refused(changes: dict[str, Any], rule: str) -> None:
    with pytest.raises(PlanError, match=rule):
        plan_of({**SHOP, **changes})


def test_a_set_is_in_no_bundle_no_condition_and_no_secret_plan() -> None:
    age = {"name": "age", "kind": "categorical", "values": ["young", "old"]}
    with pytest.raises(PlanError, match="list of values"):
        plan_of(SHOP, age, bundles=[["basket", "age"]])
    with pytest.raises(PlanError, match="must be on labels or bins"):
        plan_of(age, {**SHOP, "applies": {"age": ["old"]}})
    with pytest.raises(PlanError, match="reveals the level"):
        plan_of(SHOP, allocation="secret")
    with pytest.raises(PlanError, match="2048"):
        plan_of({**STARS, "keys": [str(i) for i in range(2049)]})


def test_a_length_is_chosen_from_the_menu_before_the_set_is_known() -> None:
    plan = plan_of(SHOP, STARS)
    budget = Budget.of(plan, {"basket": 2, "stars": 1}, length={"basket": 3})
    report = Device(plan).report({"basket": [], "stars": {}}, budget)
    assert report.answers["basket"].range == 1
    assert report.answers["stars"].range is None
    assert Budget.of(plan, {"basket": 2}).strata["basket"] == 2000
    for length, rule in (
        ({"basket": 2}, "must be on the plan's menu \\(1, 3\\)"),
        ({"basket": "3"}, "must be on the plan's menu"),
        ({"basket": True}, "must be on the plan's menu"),
        ({"stars": 1}, "must be that of a shared attribute"),
    ):
        with pytest.raises(BudgetError, match=rule):
            Budget.of(plan, {"basket": 2}, length=length)
    with pytest.raises(BudgetError, match="which has none"):
        Budget.of(plan, {"basket": 2, "stars": 1}, length={"stars": 2})


def test_reports_have_the_same_bytes_whatever_the_set_and_the_length() -> None:
    plan, sizes = plan_of({**SHOP, "items": [str(i) for i in range(60)], "length": [1, 16]}), set()
    for basket in ([], ["3"], [str(i) for i in range(60)], ["no such thing"] * 1000):
        for length in (1, 16):
            budget = Budget.of(plan, {"basket": 1}, length={"basket": length})
            data = Device(plan).report({"basket": basket}, budget).to_bytes()
            assert read(plan, data).to_bytes() == data
            assert len(data) <= longest(plan)
            sizes.add(len(data))
    assert len(sizes) == 1


def test_what_no_device_sends_is_refused() -> None:
    plan = plan_of(SHOP)
    budget = Budget.of(plan, {"basket": 1})
    report = Device(plan).report({"basket": ["tea"]}, budget)
    for y, reason in (
        (b"\x00", "impossible_output"),
        (b"\x7f", "impossible_output"),
        (b"\x20", "impossible_output"),  # a blank that only the longer length has
        (b"\x01\x00", "wrong_length"),
    ):
        answer = type(report.answers["basket"])(1000, y, 0)
        forged = type(report)(plan.id, 0, report.id, {"basket": answer})
        with pytest.raises(ReportRefused) as refused:
            read(plan, forged.to_bytes())
        assert refused.value.reason == reason


def test_a_promise_says_what_is_cut() -> None:
    plan = plan_of(SHOP)
    said = Device(plan).promise(Budget.of(plan, {"basket": 1}, length={"basket": 3}))
    assert "Of more than 3 items, 3 are drawn at random and reported." in said


NONSENSE: tuple[Any, ...] = (
    [],
    ["milk", "milk", "oil"],
    ["beer"] * 100_000,
    [str(i) for i in range(100_000)],
    17,
    {"milk": None},
    [["milk"], None, float("nan")],
)


@pytest.mark.parametrize("value", NONSENSE, ids=range(len(NONSENSE)))
def test_whatever_a_set_or_a_map_is_its_report_is_as_long(value: object) -> None:
    """No value is an error, and none can be seen in what is stated beside y or in its length."""
    plan = plan_of(SHOP, STARS)
    budget = Budget.of(plan, {"basket": 1, "stars": 2}, length={"basket": 3})
    report = Device(plan).report({"basket": value, "stars": value}, budget)
    plain = Device(plan).report({"basket": ["milk"], "stars": {"a": 9}}, budget)
    assert len(report.to_bytes()) == len(plain.to_bytes())
    for name, answer in report.answers.items():
        other = plain.answers[name]
        assert (answer.level, answer.range, len(answer.y)) == (
            other.level,
            other.range,
            len(other.y),
        )


APPS = {"name": "apps", "kind": "set", "items": "text", "length": [4, 16]}


def test_a_plan_states_cells_and_cohorts_of_a_set_of_texts_and_is_read_back() -> None:
    plan = plan_of(APPS, {"name": "word", "kind": "text"})
    question = plan.questions["apps"]
    assert question.document == {
        "name": "apps",
        "kind": "set",
        "items": "text",
        "length": [4, 16],
        "mechanism": {"cover": {"cells": 1024, "cohorts": 64}},
    }
    assert Plan.from_bytes(plan.to_bytes()).id == plan.id
    assert (question.kind, question.cohorts, plan.cohorts) == (Kind.TEXTS, 64, 64)
    assert question.n_bytes == 131
    ways: tuple[Any, ...] = ("auto", "cover", {"cover": {}}, {"cover": {"cells": 1024}})
    for mechanism in ways:
        assert plan_of({**APPS, "mechanism": mechanism}).id == plan_of(APPS).id
    worded = plan_of({**APPS, "question": "Which apps do you use?"})
    assert worded.wording.of("apps").question == "Which apps do you use?"
    assert Plan.from_bytes(worded.to_bytes()).id == worded.id


@pytest.mark.parametrize(
    "changes, rule",
    [
        ({"items": "texts"}, "at least one|must be a list"),
        ({"length": 0}, "whole number from 1 to 64"),
        ({"length": 65}, "whole number from 1 to 64"),
        ({"mechanism": {"cover": {"cells": 32}}, "length": 9}, "whole number from 1 to 8"),
        ({"mechanism": {"cover": {"cells": 15}}}, "whole number from 16 to 4096"),
        ({"mechanism": {"cover": {"cells": 4097}}}, "whole number from 16 to 4096"),
        ({"mechanism": {"cover": {"cohorts": 1025}}}, "whole number from 1 to 1024"),
        ({"mechanism": {"cover": {"bits": 64}}}, "must be one of the fields"),
        ({"mechanism": {"cms": {"cells": 64}}}, "must be one of the fields"),
        ({"mechanism": "cms"}, "must be one of auto, cover"),
        ({"sets": [["a", "b"], ["c"]]}, "must be of listed items"),
        (
            {"items": ["a", "b", "c", "d"], "length": 1, "mechanism": {"cover": {}}},
            "must be one of",
        ),
    ],
)
def test_other_sets_of_texts_are_refused(changes: dict[str, Any], rule: str) -> None:
    with pytest.raises(PlanError, match=rule):
        plan_of({**APPS, **changes})


def test_cohorts_are_those_of_all_texts_and_sets_of_a_plan() -> None:
    word = {"name": "word", "kind": "text", "mechanism": {"hcms": {"cohorts": 8}}}
    with pytest.raises(PlanError, match="cohorts must be equally many"):
        plan_of(APPS, word)
    with pytest.raises(PlanError, match="reveals the level"):
        plan_of(APPS, allocation="secret")


@pytest.mark.parametrize("value", NONSENSE, ids=range(len(NONSENSE)))
def test_whatever_a_set_of_texts_is_its_report_is_as_long(value: object) -> None:
    plan = plan_of(APPS)
    budget = Budget.of(plan, {"apps": 1}, length={"apps": 16})
    report = Device(plan).report({"apps": value}, budget)
    plain = Device(plan).report({"apps": ["milk"]}, budget)
    assert len(report.to_bytes()) == len(plain.to_bytes())
    assert read(plan, report.to_bytes()).to_bytes() == report.to_bytes()


def test_what_is_no_text_is_left_out_of_a_set_of_texts() -> None:
    apps = plan_of(APPS).attributes["apps"]
    values = [None, float("nan"), "", ["milk"], {"a": 1}, b"x", "milk", 7.0, "7", "a\u0308", "ä"]
    assert apps.answer(values) == '["7","milk","ä"]'
    assert apps.misfit(values) is Misfit.ENTRIES
    assert apps.misfit(["milk", 7]) is None
    assert apps.answer([]) == "[]"
    with pytest.raises(RecordError, match="must be texts or numbers"):
        apps.code(["milk", None])
