"""Variants in a plan: what an author may write, what is written out, and what is refused."""

from typing import Any

import pytest

from discretion.errors import KindError, PlanError
from discretion.mechanism import Matrix, Places, Sensitive, Shares, Variant
from discretion.plan import Family, Plan
from tests.cases import for_each
from tests.plans import AGE_GROUP, HOME, MODE, author, commuters

VALUES = ["car", "bus", "train", "bike", "walk"]
IDLDP = {"idldp": {"shares": {"bike": 0.5}}}


def mode(mechanism: object, *others: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return author(attributes=[{**MODE, "mechanism": mechanism}, *others], **changes)


@pytest.mark.parametrize(
    "mechanism, expected",
    [
        (IDLDP, Shares((1000, 1000, 1000, 500, 1000))),
        ({"idldp": {"shares": [1, 0.25, 0.125, 0.001, 1]}}, Shares((1000, 250, 125, 1, 1000))),
        ({"uldp": {"sensitive": ["walk", "bus"]}}, Sensitive(5, (1, 4))),
        ("metric", Places(((0,), (1000,), (2000,), (3000,), (4000,)))),
        ({"metric": {"scale": 3}}, Places(((0,), (333,), (667,), (1000,), (1333,)))),
        (
            {"metric": {"places": [5, 4, 0, -1, 2.5]}},
            Places(((5000,), (4000,), (0,), (-1000,), (2500,))),
        ),
        (
            {"metric": {"places": {v: [i, 2 * i] for i, v in enumerate(VALUES)}, "scale": 2}},
            Places(tuple((500 * i, 1000 * i) for i in range(5))),
        ),
    ],
)
def test_what_an_author_writes_is_resolved_and_read_again(
    mechanism: object, expected: Variant
) -> None:
    plan = Plan.of(mode(mechanism))
    assert plan.questions["mode"].variant == expected
    assert plan.questions["mode"].labels
    assert plan.questions["mode"].family is Family.COLUMNS
    assert isinstance(plan.questions["mode"].law(1000), Matrix)
    again = Plan.from_bytes(plan.to_bytes())
    assert again == plan
    assert again.id == plan.id
    assert plan.contract == "attribute"


def test_the_document_has_integers_and_text() -> None:
    questions = [
        {**MODE, "mechanism": IDLDP},
        {**HOME, "mechanism": {"uldp": {"sensitive": ["country"]}}},
        {**AGE_GROUP, "mechanism": {"metric": {"scale": 2}}},
    ]
    written = Plan.of(author(attributes=questions)).document["attributes"]
    assert [each["mechanism"] for each in written] == [
        {"idldp": {"shares": [1000, 1000, 1000, 500, 1000]}},
        {"uldp": {"sensitive": ["country"]}},
        {"metric": {"places": [[0], [500], [1000]]}},
    ]


def test_labels_that_are_numbers_are_named_as_they_are_written() -> None:
    mechanism = {"idldp": {"shares": {1: 0.5}}}
    question = {"name": "x", "kind": "categorical", "values": [1, 2, 3], "mechanism": mechanism}
    assert Plan.of(author(attributes=[question])).questions["x"].variant == Shares(
        (500, 1000, 1000)
    )


REFUSED: list[tuple[object, str, str]] = [
    ("idldp", "", "must state shares of the level"),
    ({"idldp": {}}, "", "must state shares of the level"),
    ({"idldp": {"shares": {"tram": 1}}}, ".idldp.shares.tram", "must be one of the values (car"),
    ({"idldp": {"shares": [1, 1]}}, ".idldp.shares", "must be one for each of the 5 values"),
    ({"idldp": {"shares": {"car": 2}}}, ".idldp.shares.car", "must be a part of the level"),
    ({"idldp": {"shares": {"car": 0}}}, ".idldp.shares.car", "must be a part of the level"),
    ({"idldp": {"shares": {"car": "x"}}}, ".idldp.shares.car", "must be a number"),
    ({"idldp": 3}, ".idldp", "must be a mapping"),
    ("uldp", "", "must state the values to protect"),
    ({"uldp": {"sensitive": "car"}}, ".uldp.sensitive", "must be a list"),
    ({"uldp": {"sensitive": ["tram"]}}, ".uldp.sensitive[0]", "must be one of the values"),
    ({"uldp": {"sensitive": VALUES}}, ".uldp.sensitive", "must be different values, and not all"),
    ({"uldp": {"sensitive": ["car", "car"]}}, ".uldp.sensitive", "must be different values"),
    ({"uldp": {"shares": [1]}}, ".uldp.shares", "must be one of the fields sensitive"),
    ({"metric": {"scale": 0}}, ".metric.scale", "must be above zero"),
    ({"metric": {"scale": 5000}}, ".metric.scale", "must be a thousandth of the scale apart"),
    ({"metric": {"places": {"car": 1}}}, ".metric.places", "every value, and bus has none"),
    ({"metric": {"places": [0, 1, 2, 3, 3]}}, ".metric.places", "must be a thousandth"),
    ({"metric": {"places": [0, 1, 2, 3, [4, 5]]}}, ".metric.places", "equally many coordinates"),
    ({"metric": {"places": [0, 1, 2, 3, "x"]}}, ".metric.places[4]", "must be a number"),
    ({"metric": {"places": [[0, 1, 2], 1, 2, 3, 4]}}, ".metric.places[0]", "one number, or two"),
    ({"metric": {"places": [0, 1, 2, 3, 2000]}}, ".metric.places", "at most 1000 scales"),
    ({"metric": {}, "uldp": {}}, "", "must name one mechanism"),
]


@for_each("mechanism, place, rule", REFUSED)
def test_what_breaks_a_rule_is_refused(mechanism: object, place: str, rule: str) -> None:
    with pytest.raises(PlanError) as refused:
        Plan.of(mode(mechanism))
    assert str(refused.value).startswith(f"plan: attributes[0].mechanism{place}: ")
    assert rule in str(refused.value)


@pytest.mark.parametrize(
    "changes, rule",
    [
        ({"bundles": [["mode", "home"]]}, "must not be idldp in a bundle"),
        ({"allocation": "secret"}, "must be oue in a plan with secret allocation"),
        (
            {"budget": {"total": 4, "spread": 1.5}, "share": {"sample": "auto"}},
            "must be a number in a plan with idldp",
        ),
    ],
)
def test_what_a_variant_does_not_go_with_is_refused(changes: dict[str, Any], rule: str) -> None:
    with pytest.raises(PlanError, match=rule):
        Plan.of(mode(IDLDP, HOME, **changes))


def test_too_many_values_or_shares_are_refused() -> None:
    many = {"name": "x", "kind": "categorical", "values": list(range(257)), "mechanism": "metric"}
    with pytest.raises(PlanError, match="metric is for at most 256 values, and there are 257"):
        Plan.of(author(attributes=[many]))
    shares = [i / 1000 for i in range(1, 18)]
    some = {**many, "values": list(range(17)), "mechanism": {"idldp": {"shares": shares}}}
    with pytest.raises(PlanError, match="must be at most 16 different parts of the level"):
        Plan.of(author(attributes=[some]))


def test_only_variants_have_a_matrix_and_they_have_no_sets_of_codes() -> None:
    with pytest.raises(KindError, match="a column of a matrix"):
        commuters().questions["mode"].law(1000, Family.COLUMNS)
    plan = Plan.of(mode(IDLDP))
    with pytest.raises(KindError, match="a set of codes"):
        plan.questions["mode"].law(1000, Family.SETS)
    assert commuters().questions["mode"].variant is None


def test_a_plan_without_variants_has_the_bytes_that_it_had() -> None:
    assert "variants" not in commuters().document
