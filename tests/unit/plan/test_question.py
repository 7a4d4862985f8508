"""A question of a plan: its family, what it can be asked, and its law in every stratum."""

import pickle
import random
from typing import Any

import pytest

from discretion.budget.level import stratum_of
from discretion.errors import KindError, UnknownAttribute
from discretion.mechanism import CODED, MECHANISMS, NUMBERS, OPEN, OPTIMAL
from discretion.plan import Family, Plan, Question
from discretion.randomness import ByteSource
from tests.cases import for_each
from tests.plans import AVERAGE, HOME, INCOME, MODE, author, bundled_commuters, bundled_numbers

TEXT = {"name": "x", "kind": "text"}
VARIANT = {"metric": {"scale": 2}}
CASES: list[tuple[dict[str, Any], Any, Family]] = [
    *((MODE, name, Family.SETS) for name in MECHANISMS),
    *((MODE, name, Family.CODEWORDS) for name in CODED),
    *((TEXT, name, Family.SKETCHES) for name in OPEN),
    (MODE, VARIANT, Family.COLUMNS),
    *((INCOME, name, Family.NUMBERS) for name in (*NUMBERS, OPTIMAL)),
    (INCOME, "grr", Family.SETS),
]


def asked(attribute: dict[str, Any], mechanism: Any) -> Question:
    question = {**attribute, "name": "q", "mechanism": mechanism}
    return Plan.of(author(attributes=[question], budget={"levels": [0.5, 1]})).questions["q"]


@for_each("attribute, mechanism, family", CASES)
def test_the_family_follows_from_the_mechanism(
    attribute: dict[str, Any], mechanism: Any, family: Family
) -> None:
    question = asked(attribute, mechanism)
    assert question.family is family
    listed = family in (Family.SETS, Family.CODEWORDS, Family.COLUMNS)
    assert question.labels == (question.attribute.labels if listed else ())
    laws = [question.law(level) for level in question.menu]
    assert {law.n_bytes for law in laws} == {question.n_bytes}


def test_bundles_are_sets_of_cells_or_blocks_of_numbers() -> None:
    (cells,) = (q for q in bundled_commuters().questions.values() if q.parts == ("mode", "age"))
    assert (cells.family, len(cells.labels)) == (Family.SETS, cells.attribute.size)
    blocks = [q for q in bundled_numbers().questions.values() if len(q.parts) > 1]
    assert {q.family for q in blocks} == {Family.BLOCKS}
    assert not any(q.labels for q in blocks)


@pytest.mark.parametrize(
    "mechanism, wanted, rule",
    [
        ("bloom", Family.SETS, "a set of codes"),
        (VARIANT, Family.SETS, "a set of codes"),
        ("subset", Family.CODEWORDS, "bits of codewords"),
        ("subset", Family.COLUMNS, "a column of a matrix"),
        ("subset", Family.NUMBERS, "a number"),
    ],
)
def test_a_law_of_another_family_is_refused(mechanism: Any, wanted: Any, rule: str) -> None:
    with pytest.raises(KindError, match=f"must be reported as {rule}"):
        asked(MODE, mechanism).law(1000, wanted)


def test_a_number_is_not_a_label() -> None:
    with pytest.raises(KindError, match="must be reported as a label"):
        asked(INCOME, "window").law(1000, Family.SETS)


def test_answers_codes_and_laws_are_those_of_the_range() -> None:
    ranges = [[0, 100_000], [50_000, 90_000]]
    question = asked({**INCOME, "ranges": ranges}, "laplace")
    source = ByteSource(random.Random(1).randbytes)
    record = {"q": 95_000}
    for index, (answer, code, size) in enumerate(
        [("95000", 190, 401), ("95000", 190, 201), ("90000", 80, 81)]
    ):
        assert question.answer(record, index) == answer
        assert question.encode(answer, index, source) == code
        assert question.law(stratum_of(1000, index)).size == size
        assert question.cost(stratum_of(1000, index)) == 1000
    assert question.range_index((50_000, 90_000)) == 2


def test_questions_are_in_the_order_of_the_plan_and_know_no_other_name() -> None:
    plan = bundled_commuters()
    assert list(plan.questions) == list(plan.names)
    assert [q.name for q in plan.questions.values()] == list(plan.names)
    with pytest.raises(UnknownAttribute, match="it has mode, age, home"):
        plan.questions.check(["mode", "shoes"])


def test_plans_with_the_same_bytes_are_equal_and_travel() -> None:
    plan = Plan.of({"name": "p", "attributes": [MODE, HOME], "budget": AVERAGE})
    plan.questions["mode"].law(1000)
    again = pickle.loads(pickle.dumps(plan))
    assert again == plan
    assert len({plan, again, Plan.from_bytes(plan.to_bytes())}) == 1
    assert again.questions["mode"].law(1000) == plan.questions["mode"].law(1000)
    with pytest.raises(UnknownAttribute):
        again.questions["shoes"]
    assert plan != "p"
