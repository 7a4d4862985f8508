"""Questions for some people only: what is reported of the others, and that nothing shows it."""

import json
import random
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from discretion.budget import Budget
from discretion.crowd.records import code_columns
from discretion.device import Device
from discretion.errors import PlanError, RecordError
from discretion.kernel.numbers import MISSING
from discretion.mechanism.odds import odds
from discretion.plan import Plan, Question
from discretion.randomness import ONE, ByteSource
from tests.contract.enumeration import distribution
from tests.plans import AGE, HOURS, MODE, REST, SHIFT, WORK, author, conditional_commuters

PLAN = conditional_commuters()
SEED = 24
BUSY = {"age": 40, "work": "employed", "hours": 35, "shift": "late"}
TIRED = {**BUSY, "shift": "night", "rest": "no"}
RETIRED = {"age": 40, "work": "retired", "rest": "yes"}
OLD = {**BUSY, "age": 66.5, "rest": "yes"}
RECORDS = [BUSY, TIRED, RETIRED, OLD]


def law(question: Question, record: dict[str, Any], level: int) -> dict[int, Fraction]:
    """Return the exact distribution of what a device sends about a record."""
    answer = question.answer(record)
    return distribution(lambda source: question.perturb(answer, level, source))


def test_answers_follow_the_conditions_one_after_the_other() -> None:
    answers = {
        name: [PLAN.questions[name].answer(record) for record in RECORDS]
        for name in ("hours", "shift", "rest", "work+hours")
    }
    away = "not applicable"
    assert answers == {
        "hours": ["20", "20", away, away],
        "shift": ["late", "night", away, away],
        "rest": [away, "no", "yes", "yes"],
        "work+hours": [
            *['["employed", "20"]'] * 2,
            '["retired", "not applicable"]',
            '["employed", "not applicable"]',
        ],
    }


def test_numbers_count_as_they_are_and_not_by_their_bins() -> None:
    shift = PLAN.questions["shift"]
    for hours, asked in ((10.25, False), (10.5, True), ("10.49", False), (500, True), (-3, False)):
        answer = shift.answer({**BUSY, "hours": hours})
        assert answer == ("late" if asked else "not applicable")


def test_the_wire_has_one_length_and_one_law_whether_a_question_applies_or_not() -> None:
    """All pairs of records, at all levels of a menu: exact distributions of the bytes."""
    plan = Plan.of(author(attributes=[WORK, {**HOURS, "applies": {"work": ["employed"]}}, MODE],
                          budget={"levels": [0.5, 1, 2]}))  # fmt: skip
    records: list[dict[str, Any]] = [
        {"work": "retired"},
        {"work": "employed", "hours": 3},
        {"work": "employed", "hours": 70},
    ]
    names = ("work", "hours")
    for own, other in product((500, 1000, 2000), repeat=2):
        budget = Budget.of(plan, {"work": own / 1000, "hours": other / 1000})
        lengths = {len(Device(plan).report(record, budget).to_bytes()) for record in records}
        assert len(lengths) == 1
        laws = [
            [law(plan.questions[n], record, level) for n, level in budget.levels.items()]
            for record in records
        ]
        assert all(set(one) == set(laws[0][i]) for each in laws for i, one in enumerate(each))
        for one, two in product(laws, repeat=2):
            ratios = [max(a[y] / b[y] for y in a) for a, b in zip(one, two, strict=True)]
            for ratio, name in zip(ratios, names, strict=True):
                assert ratio * ONE < odds(budget.levels[name]) + 1
        together = [max(a[y] / b[y] for y in a) for a, b in zip(laws[0], laws[1], strict=True)]
        assert min(together) > 1  # one change of work shows in both answers
        assert together[0] * together[1] * ONE < odds(own + other) + 1
        alike = [max(a[y] / b[y] for y in a) for a, b in zip(laws[1], laws[2], strict=True)]
        assert alike[0] == 1  # hours do not show in work


def test_the_promise_says_that_answers_change_together() -> None:
    budget = Budget.of(PLAN, {"hours": 1, "rest": 2})
    said = Device(PLAN).promise(budget).splitlines()
    i = said.index(
        "A change of work can change the answers to hours and rest, since it decides what applies."
    )
    assert said[i + 1] == "  Together, level 3: the odds grow at most 20.1 times."
    assert not any(line.startswith("A change of rest") for line in said)
    alone = Device(PLAN).promise(Budget.of(PLAN, {"rest": 2}))
    assert "A change of age can change the answer to rest," in alone


def test_what_decides_is_needed_and_stays_on_the_device() -> None:
    budget = Budget.of(PLAN, {"shift": 1})
    report = Device(PLAN).report(BUSY, budget)
    assert list(json.loads(report.to_bytes())["answers"]) == ["shift"]
    Device(PLAN).report({"age": 40, "work": "retired"}, budget)  # neither hours nor a shift
    for lacking in ("age", "work", "hours", "shift"):
        record = {name: value for name, value in BUSY.items() if name != lacking}
        rule = "shift depends on it" if lacking != "shift" else "the budget shares it"
        with pytest.raises(RecordError, match=f"{lacking}: {rule}"):
            Device(PLAN).report(record, budget)


def test_frames_are_coded_as_devices_encode_and_what_does_not_apply_is_not_read() -> None:
    rng = random.Random(SEED)
    choices: dict[str, list[Any]] = {
        "age": [17.0, 18.0, 66.0, 70.0],
        "work": ["employed", "own shop", "retired"],
        "hours": [0.0, 10.0, 10.5, 80.0, None],
        "shift": ["early", "night", None],
        "rest": ["yes", "no", None],
    }
    rows = [{name: rng.choice(values) for name, values in choices.items()} for _ in range(400)]
    columns = {name: [row[name] for row in rows] for name in choices}
    codes = code_columns(PLAN, pa.table(columns), np.random.default_rng(SEED))
    named = {n: pa.array(columns[n]).dictionary_encode() for n in ("work", "shift", "rest")}
    encoded = pa.table({**columns, **named})
    assert (code_columns(PLAN, encoded, np.random.default_rng(SEED)) == codes).all()
    assert (codes == MISSING).any()
    source = ByteSource(random.Random(SEED).randbytes)
    for row, own in zip(rows, codes, strict=True):
        for j, name in enumerate(PLAN.attributes):
            question = PLAN.questions[name]
            if complete(question, row):
                assert own[j] == question.encode(question.answer(row), 0, source), (row, name)
            else:
                assert own[j] == MISSING, (row, name)
    strange = {"age": [70.0], "work": ["retired"], "hours": [-1e9], "shift": ["?"], "rest": ["yes"]}
    assert code_columns(PLAN, pa.table(strange), np.random.default_rng(0))[0, 2:].tolist() == [
        3,
        3,
        0,
    ]


def complete(question: Question, row: dict[str, Any]) -> bool:
    return all(row[name] is not None for name in question.attribute.needs(row))


RETIRED_ONLY = {"applies": {"work": ["retired"]}}
REFUSED: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    (
        HOURS,
        {"applies": {"work": ["asleep"]}},
        "applies.work[0]: must be one of employed, own shop",
    ),
    (HOURS, {"applies": {"rest": ["yes"]}}, "applies.rest: must be about an attribute that stands"),
    (HOURS, {"applies": {"hours": [0, 20]}}, "must be about an attribute that stands above"),
    (HOURS, {"applies": {"works": ["employed"]}}, "(age, work) (did you mean 'work'?)"),
    (HOURS, {"applies": {}}, "must name an attribute"),
    (HOURS, {"applies": {"work": list(WORK["values"])}}, "must leave a value out"),
    (HOURS, {"applies": {"age": [16, 100]}}, "must leave a number out"),
    (HOURS, {"applies": {"age": [30, 101]}}, "must be the least and the most number"),
    (HOURS, {"applies": {"age": [30.5, 31]}}, "must be points of the grid"),
    (HOURS, {"bins": None}, "applies: must be on labels or bins: add bins"),
    ({"name": "why", "kind": "text"}, RETIRED_ONLY, "must be on labels or bins"),
    (REST, {**RETIRED_ONLY, "values": ["yes", "not applicable"]}, "label 'not applicable'"),
    (
        REST,
        {**RETIRED_ONLY, "mechanism": {"uldp": {"sensitive": ["yes"]}}},
        "mechanism: must not be uldp with applies",
    ),
]


def test_conditions_that_cannot_be_are_refused_by_name() -> None:
    for stated, change, rule in REFUSED:
        asked = {name: value for name, value in (stated | change).items() if value is not None}
        with pytest.raises(PlanError) as refused:
            Plan.of(author(attributes=[AGE, WORK, asked]))
        assert rule in str(refused.value), change


def test_conditions_are_part_of_the_law_and_come_back_from_the_bytes() -> None:
    assert Plan.from_bytes(PLAN.to_bytes()) == PLAN
    document = PLAN.document["attributes"]
    assert document[2]["applies"] == [
        {"attribute": "age", "range": [18, 66]},
        {"attribute": "work", "values": ["employed", "own shop"]},
    ]
    assert document[3]["applies"] == [{"attribute": "hours", "range": [105, 800]}]
    other = {**SHIFT, "applies": {"hours": [11, 80]}}
    asked = [
        dict(a) for a in ({"name": "age", "kind": "numeric", "range": [16, 100], "step": 1}, WORK)
    ]
    laws = {Plan.of(author(attributes=[*asked, HOURS, own])).law_id for own in (SHIFT, other)}
    assert len(laws) == 2
