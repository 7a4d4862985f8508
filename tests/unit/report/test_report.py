import hashlib
import json
from collections import Counter
from contextlib import suppress

import hypothesis.strategies as st
import pytest
from hypothesis import given

from discretion.errors import Refusal, ReportRefused
from discretion.plan import Plan
from discretion.report import Answer, Report, check_levels, id_of, read
from tests.cases import for_each
from tests.plans import author, commuters
from tests.unit.report.malformed import (
    ID,
    MALFORMED,
    PLANS,
    VALID,
    VALID_RANGED,
    VALID_SECRET,
    VALIDS,
    Malformed,
)


def test_a_report_is_written_in_one_way_only(plan: Plan) -> None:
    report = Report(plan.id, 7, ID, {"mode": Answer(3500, b"\x04"), "age": Answer(500, b"\x1e")})
    assert report.to_bytes() == (
        b'{"format":1,"plan":"' + plan.id.encode() + b'","round":7,"id":"' + ID.encode() + b'",'
        b'"answers":{"mode":{"level":3500,"y":"BA"},"age":{"level":500,"y":"Hg"}}}'
    )


@for_each("plan, data", [(plan, data) for plan in VALIDS for data in VALIDS[plan]])
def test_a_report_round_trips(plan: str, data: bytes) -> None:
    assert read(PLANS[plan], data).to_bytes() == data


def test_a_report_is_read_into_its_fields(plan: Plan) -> None:
    report = read(plan, VALID)
    answers = {"mode": Answer(3500, b"\x04"), "age": Answer(500, b"\x1e")}
    assert report == Report(plan.id, 0, ID, answers)


def test_a_secret_report_has_no_levels(secret_plan: Plan) -> None:
    assert b"level" not in VALID_SECRET
    answers = read(secret_plan, VALID_SECRET).answers
    assert {answer.level for answer in answers.values()} == {None}


def test_a_range_stands_in_the_report_only_where_there_is_a_menu() -> None:
    answers = read(PLANS["ranged"], VALID_RANGED).answers
    assert {name: answer.range for name, answer in answers.items()} == {"mode": None, "income": 1}
    assert answers["income"].stratum == (1 << 15) + 3500
    assert (b'"range"' in VALID, b'"range"' in VALID_RANGED) == (False, True)


@pytest.mark.parametrize("round", [0, 1, (1 << 31) - 1])
def test_rounds_of_31_bits_are_welcome(plan: Plan, round: int) -> None:
    data = VALID.replace(b'"round":0', b'"round":%d' % round)
    assert read(plan, data).round == round


@for_each("case", MALFORMED)
def test_a_malformed_report_is_refused_by_name(case: Malformed) -> None:
    with pytest.raises(ReportRefused) as refused:
        read(PLANS[case.plan], case.report)
    assert refused.value.reason is case.reason
    assert str(refused.value).startswith(f"{case.reason}: ")


def test_every_refusal_of_a_single_report_has_a_case() -> None:
    """A table sees duplicates and lengths; the others are reasons of a collector."""
    reasons = Counter(case.reason for case in MALFORMED)
    collectors = {Refusal.ROUND_NOT_OPEN, Refusal.ROUND_CLOSED, Refusal.CREDENTIAL_USED}
    collectors |= {Refusal.OTHER_FUNCTION, Refusal.NOT_EXAMINED}
    tables = {Refusal.DUPLICATE_ID, Refusal.TOO_LONG}
    assert set(Refusal) - set(reasons) == tables | collectors


def test_fewer_attributes_than_the_plan_asks_for_are_refused() -> None:
    plan = Plan.of(author(share={"least": 3}))
    with pytest.raises(ReportRefused) as refused:
        read(plan, VALID.replace(commuters().id.encode(), plan.id.encode()))
    assert refused.value.reason is Refusal.TOO_FEW_ATTRIBUTES


def test_a_level_below_its_share_of_the_total_is_refused() -> None:
    plan = Plan.of(author(budget={"total": 8, "spread": 1.5}))
    with pytest.raises(ReportRefused) as refused:
        check_levels(plan, {"mode": 6000, "age": 2000})
    assert refused.value.reason is Refusal.OVER_BUDGET


@given(st.integers(0, len(VALID) - 1), st.integers(0, 255))
def test_a_changed_byte_is_refused_or_is_the_report_it_reads_as(at: int, byte: int) -> None:
    data = VALID[:at] + bytes([byte]) + VALID[at + 1 :]
    try:
        report = read(commuters(), data)
    except ReportRefused:
        assert data != VALID
    else:
        assert report.to_bytes() == data


@pytest.mark.parametrize("plan", ["ranged", "sampled", "numbers"])
@given(at=st.integers(0, 1 << 20), byte=st.integers(0, 255))
def test_so_is_a_changed_byte_of_a_report_about_numbers(plan: str, at: int, byte: int) -> None:
    (valid, *_) = VALIDS[plan]
    at %= len(valid)
    data = valid[:at] + bytes([byte]) + valid[at + 1 :]
    try:
        report = read(PLANS[plan], data)
    except ReportRefused:
        assert data != valid
    else:
        assert report.to_bytes() == data


@given(st.binary(max_size=60))
def test_no_bytes_crash_the_reader(data: bytes) -> None:
    with pytest.raises(ReportRefused):
        read(commuters(), data)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["mode", "level", "y", "x"]), inner, max_size=3)
        ),
        max_leaves=8,
    ),
    st.sampled_from(
        [b'"BA"', b"3500", b'{"level":3500,"y":"BA"}', b"0", b'"' + ID.encode() + b'"']
    ),
)
def test_no_document_crashes_the_reader(value: object, old: bytes) -> None:
    data = VALID.replace(old, json.dumps(value).encode(), 1)
    with suppress(ReportRefused):
        assert read(commuters(), data).to_bytes() == data


def test_an_id_is_the_start_of_the_hash_of_its_receipt() -> None:
    receipt = bytes(range(32))
    assert id_of(receipt) == hashlib.sha256(receipt).hexdigest()[:32]
