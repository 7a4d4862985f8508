"""A table's rows are refused by the rules, and for the reasons, of ``report.read``."""

import json
from base64 import urlsafe_b64encode
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discretion.errors import Refusal, ReportRefused
from discretion.plan import Plan
from discretion.report import read
from discretion.table import ReportTable
from tests.builders import (
    BUNDLES,
    HOURS,
    LEVELS,
    PET,
    TOTAL,
    author,
    bundled_survey,
    crowd,
    drawn,
    secret_survey,
    survey,
)
from tests.cases import for_each
from tests.plans import bundled_numbers, ranged_commuters, sampled_commuters

Row = dict[str, Any]
Fault = Callable[[Row], None]

OWNERS = (
    {"mode": (3500, 1), "pet": (500, 2)},
    {"hours": (2000, 6)},
    {"mode": (1000, 4), "pet": (250, 0), "hours": (1250, 3), "mood": (2250, 1)},
    {"pet": (4000, 1), "hours": (250, 0), "mood": (1500, 2)},
)
SPOILT = 2  # the row that the faults below are made in; it shares everything


def rows_of(plan: Plan) -> list[Row]:
    """Return unequal budgets and partial records, as far as the plan asks for them."""
    mine = [{k: v for k, v in owner.items() if k in plan.attributes} for owner in OWNERS]
    rows: list[Row] = drawn(plan, filter(None, mine), seed=3).data.to_pylist()
    return rows


def frame_of(plan: Plan, rows: list[Row]) -> pa.Table:
    """Return the rows as columns that could hold bytes of any length."""
    kinds = {"id": pa.binary(), "round": pa.int32()}
    for name in plan.names:
        kinds |= {f"{name}.level": pa.int32(), f"{name}.range": pa.int32()}
        kinds[f"{name}.y"] = pa.binary()
    return pa.table({k: pa.array([row[k] for row in rows], kinds[k]) for k in rows[0]})


def setting(column: str, value: object) -> Fault:
    return lambda row: row.update({column: value})


def flipping(column: str, mask: int) -> Fault:
    return lambda row: row.update({column: bytes([row[column][0] ^ mask])})


FAULTS: dict[str, tuple[Fault, Refusal]] = {
    "no id": (setting("id", None), Refusal.BAD_ID),
    "a short id": (setting("id", b"short"), Refusal.BAD_ID),
    "a negative round": (setting("round", -1), Refusal.BAD_ROUND),
    "no round": (setting("round", None), Refusal.BAD_ROUND),
    "no bytes": (setting("pet.y", b""), Refusal.WRONG_LENGTH),
    "too many bytes": (setting("mode.y", b"\0\0"), Refusal.WRONG_LENGTH),
    "a code too large": (setting("hours.y", b"\7"), Refusal.IMPOSSIBLE_OUTPUT),
    "a set of another size": (setting("mode.y", b"\x1f"), Refusal.IMPOSSIBLE_OUTPUT),
    "a set in the padding": (setting("mode.y", b"\x60"), Refusal.IMPOSSIBLE_OUTPUT),
    "a bit in oue's padding": (flipping("pet.y", 0x08), Refusal.IMPOSSIBLE_OUTPUT),
    "a bit in sue's padding": (flipping("mood.y", 0x80), Refusal.IMPOSSIBLE_OUTPUT),
    "a level off the menu": (setting("pet.level", 260), Refusal.LEVEL_OFF_MENU),
    "level zero": (setting("mood.level", 0), Refusal.LEVEL_OFF_MENU),
    "over budget": (setting("pet.level", 6000), Refusal.OVER_BUDGET),
    "a lone level": (setting("mood.y", None), Refusal.MISSING_FIELD),
    "a lone y": (setting("mood.level", None), Refusal.MISSING_FIELD),
}


@for_each("fault, reason", FAULTS.values())
def test_a_fault_is_refused_by_name_and_the_other_rows_are_kept(
    fault: Fault, reason: Refusal
) -> None:
    plan = survey()
    rows = rows_of(plan)
    fault(rows[SPOILT])
    table = ReportTable.from_frame(plan, frame_of(plan, rows))
    assert [(refused.row, refused.reason) for refused in table.refused] == [(SPOILT, reason)]
    del rows[SPOILT]
    assert table.data.to_pylist() == rows


BUNDLED_OWNERS = (
    {"hours": (500, 4), "mode+pet": (5500, 14)},
    {"pet": (250, 1), "mood": (3750, 2)},
    {"mode": (1000, 3), "pet+mood": (5000, 8)},
)
BUNDLED_FAULTS: dict[str, tuple[dict[str, object], Refusal]] = {
    "an attribute alone and in a bundle": (
        {"pet.level": 250, "pet.y": b"\1"},
        Refusal.REPEATED_ATTRIBUTE,
    ),
    "an attribute in two bundles": (
        {"pet+mood.level": 500, "pet+mood.y": b"\1\0"},
        Refusal.REPEATED_ATTRIBUTE,
    ),
    "a lone level of another bundle": ({"pet+mood.level": 500}, Refusal.REPEATED_ATTRIBUTE),
    "half a level off the menu": ({"mode+pet.level": 5250}, Refusal.LEVEL_OFF_MENU),
    "over budget": ({"mode+pet.level": 6000}, Refusal.OVER_BUDGET),
    "a set of another size": ({"mode+pet.y": b"\3\0"}, Refusal.IMPOSSIBLE_OUTPUT),
    "a byte too few": ({"mode+pet.y": b"\1"}, Refusal.WRONG_LENGTH),
}


@pytest.mark.parametrize("fault, reason", BUNDLED_FAULTS.values(), ids=BUNDLED_FAULTS)
def test_a_fault_of_a_bundle_is_refused_as_reading_refuses_it(
    fault: dict[str, object], reason: Refusal
) -> None:
    plan = bundled_survey()
    rows: list[Row] = drawn(plan, BUNDLED_OWNERS, seed=3).data.to_pylist()
    assert reasons_of_table(plan, rows) == [None] * len(rows)
    rows[0] |= fault
    assert reasons_of_table(plan, rows) == [reason, None, None]
    assert reason_read(plan, rows[0]) == reason


RANGED: Row = {"mode.level": None, "mode.y": None, "income.level": 2000, "income.range": 1}
RANGED |= {"id": bytes(16), "round": 0, "income.y": b"\0\1"}
RANGED_FAULTS: dict[str, tuple[dict[str, object], Refusal | None]] = {
    "none": ({}, None),
    "all of the range": ({"income.range": 0}, None),
    "a range beyond the last": ({"income.range": 3}, Refusal.RANGE_OFF_MENU),
    "no range": ({"income.range": None}, Refusal.MISSING_FIELD),
    "a lone range": ({"income.level": None, "income.y": None}, Refusal.MISSING_FIELD),
    "a cell that no window reaches": ({"income.y": b"\xff\xff"}, Refusal.IMPOSSIBLE_OUTPUT),
    "a cell of another range": (
        {"income.range": 2, "income.y": (1800).to_bytes(2, "little")},
        Refusal.IMPOSSIBLE_OUTPUT,
    ),
    "that cell in its own range": ({"income.y": (1800).to_bytes(2, "little")}, None),
    "a byte too few, in no range": (
        {"income.range": 9, "income.y": b"\0"},
        Refusal.RANGE_OFF_MENU,
    ),
}


@for_each("fault, reason", RANGED_FAULTS.values())
def test_a_fault_of_a_range_is_refused_as_reading_refuses_it(
    fault: dict[str, object], reason: Refusal | None
) -> None:
    plan, row = PLANS["ranges"], {**RANGED, **fault}
    assert reasons_of_table(plan, [RANGED, {**row, "id": bytes(15) + b"1"}]) == [None, reason]
    assert reason_read(plan, row) == reason


@pytest.mark.parametrize("place", [0.5, 2.0**40])
def test_a_range_that_fits_no_column_costs_its_own_row_only(place: float) -> None:
    rows = [RANGED, {**RANGED, "id": bytes(15) + b"1"}]
    frame = frame_of(PLANS["ranges"], rows)
    places = pa.array([place, 1.0])
    frame = frame.set_column(frame.column_names.index("income.range"), "income.range", places)
    table = ReportTable.from_frame(PLANS["ranges"], frame)
    assert [(bad.row, bad.reason) for bad in table.refused] == [(0, Refusal.RANGE_OFF_MENU)]


def test_more_answers_than_are_drawn_are_refused() -> None:
    plan = PLANS["sample"]
    two = {"mode": (3000, 1), "age": (3000, 5)}
    rows: list[Row] = drawn(plan, [two, {**two, "income": (3000, 5)}], seed=1).data.to_pylist()
    lone = {**rows[0], "id": bytes(15) + b"9", "income.level": 3000}
    expected = [None, Refusal.TOO_MANY_ANSWERS, Refusal.TOO_MANY_ANSWERS]
    assert reasons_of_table(plan, [*rows, lone]) == expected
    assert [reason_read(plan, row) for row in [*rows, lone]] == expected


def test_attributes_are_counted_where_the_plan_asks_for_some() -> None:
    plan = PLANS["bundles, total"]
    owners = ({"mode+pet": (8000, 1)}, {"mode": (8000, 1)}, {"mode+pet": (5000, 1)})
    rows: list[Row] = drawn(plan, owners, seed=3).data.to_pylist()
    expected = [None, Refusal.TOO_FEW_ATTRIBUTES, Refusal.OVER_BUDGET]
    assert reasons_of_table(plan, rows) == [reason_read(plan, row) for row in rows] == expected


def test_every_owner_may_send_what_she_sent() -> None:
    for plan in (survey(), secret_survey()):
        assert ReportTable.from_frame(plan, frame_of(plan, rows_of(plan))).refused == ()


def test_a_negative_level_is_off_the_menu() -> None:
    rows = rows_of(survey())
    rows[SPOILT]["hours.level"] = -250
    assert reasons_of_table(survey(), rows)[SPOILT] is Refusal.LEVEL_OFF_MENU


def test_too_few_attributes_are_refused() -> None:
    plan = Plan.of(author(share={"least": 2}))
    table = ReportTable.from_frame(plan, frame_of(plan, rows_of(plan)))
    refused = [(refused.row, refused.reason, refused.detail) for refused in table.refused]
    detail = "at least 2 attributes must be shared"
    assert refused == [(1, Refusal.TOO_FEW_ATTRIBUTES, detail)]


def test_a_level_too_small_for_so_many_attributes_is_refused() -> None:
    """Total 8 with spread 1.5: each of two attributes gets 2.75 at least, each of one 5.5."""
    plan = Plan.of(author(budget=TOTAL))
    owners = (
        {"mode": (5250, 1), "pet": (2750, 0)},
        {"mode": (5500, 1), "pet": (2500, 0)},
        {"mood": (5500, 2)},
        {"mood": (5250, 2)},
    )
    table = ReportTable.from_frame(plan, drawn(plan, owners, seed=3).data)
    assert [(refused.row, refused.reason) for refused in table.refused] == [
        (1, Refusal.OVER_BUDGET),
        (3, Refusal.OVER_BUDGET),
    ]


def test_the_later_of_two_rows_with_one_id_is_refused() -> None:
    rows = rows_of(survey())
    rows[3]["id"] = rows[1]["id"]
    table = ReportTable.from_frame(survey(), frame_of(survey(), rows))
    assert [(refused.row, refused.reason) for refused in table.refused] == [
        (3, Refusal.DUPLICATE_ID)
    ]


def test_one_id_in_two_rounds_is_no_duplicate() -> None:
    rows = rows_of(survey())
    rows[3] |= {"id": rows[1]["id"], "round": 1}
    assert ReportTable.from_frame(survey(), frame_of(survey(), rows)).refused == ()


def test_a_refused_row_does_not_use_up_its_id() -> None:
    rows = rows_of(survey())
    rows[1]["hours.y"] = b"\7"
    rows[3]["id"] = rows[1]["id"]
    table = ReportTable.from_frame(survey(), frame_of(survey(), rows))
    assert [(refused.row, refused.reason) for refused in table.refused] == [
        (1, Refusal.IMPOSSIBLE_OUTPUT)
    ]


def test_refused_rows_are_listed_in_their_order() -> None:
    rows = rows_of(survey())
    rows[3]["id"] = None
    rows[1]["hours.y"] = b"\7"
    rows[0]["pet.level"] = 6000
    table = ReportTable.from_frame(survey(), frame_of(survey(), rows))
    assert [refused.row for refused in table.refused] == [0, 1, 3]


def message(plan: Plan, row: Row) -> bytes:
    """Write a row as the report it claims to be."""
    answers: dict[str, dict[str, object]] = {}
    for name in plan.names:
        answer: dict[str, object] = {}
        for field in ("level", "range"):
            if row.get(f"{name}.{field}") is not None:
                answer[field] = row[f"{name}.{field}"]
        if row[f"{name}.y"] is not None:
            answer["y"] = urlsafe_b64encode(row[f"{name}.y"]).rstrip(b"=").decode()
        if answer:
            answers[name] = answer
    identity = row["id"].hex() if row["id"] is not None else None
    document = {"format": 1, "plan": plan.id, "round": row["round"], "id": identity}
    return json.dumps({**document, "answers": answers}, separators=(",", ":")).encode()


def reason_read(plan: Plan, row: Row) -> Refusal | None:
    try:
        read(plan, message(plan, row))
    except ReportRefused as refused:
        return refused.reason
    return None


def reasons_of_table(plan: Plan, rows: list[Row]) -> list[Refusal | None]:
    table = ReportTable.from_frame(plan, frame_of(plan, rows))
    found = {refused.row: refused.reason for refused in table.refused}
    return [found.get(row) for row in range(len(rows))]


@for_each("fault, reason", FAULTS.values())
def test_a_report_with_the_fault_is_refused_for_the_same_reason(
    fault: Fault, reason: Refusal
) -> None:
    row = rows_of(survey())[SPOILT]
    fault(row)
    assert reason_read(survey(), row) == reason


PLANS = {
    "average": survey(),
    "total": Plan.of(author(budget=TOTAL, share={"least": 2})),
    "levels": Plan.of(author(budget=LEVELS)),
    "secret": secret_survey(),
    "bundles": bundled_survey(),
    "bundles, total": Plan.of(author(bundles=BUNDLES, budget=TOTAL, share={"least": 2})),
    "bundles, levels": Plan.of(author(bundles=BUNDLES, budget=LEVELS)),
    "ranges": ranged_commuters(),
    "sample": sampled_commuters(),
    "numbers": bundled_numbers(),
    "optimal": Plan.of(
        author(attributes=[{**HOURS, "mechanism": "optimal"}, PET], budget={"levels": [1, 4]})
    ),
}
IDS = st.sampled_from([None, b"", b"short", bytes(16)])
ROUNDS = st.sampled_from([None, -1, 0, 7])
PLACES = st.sampled_from([None, 0, 0, 1, 2, 3, 1 << 20])
BYTES = st.none() | st.binary(min_size=0, max_size=2) | st.binary(min_size=1, max_size=1)


@st.composite
def strange_rows(draw: st.DrawFn, plan: Plan) -> list[Row]:
    """Rows of which each part may be wrong in its own way, several at once."""
    rows = []
    levels = {
        n: st.sampled_from([None, 0, 260, 10**6, *plan.questions[n].menu]) for n in plan.names
    }
    names = st.sets(st.sampled_from(plan.names))
    for number in range(draw(st.integers(1, 6))):
        row: Row = {"id": draw(IDS), "round": draw(ROUNDS)}
        if row["id"] == bytes(16):
            row["id"] = number.to_bytes(16, "big")  # duplicates have tests of their own
        gaps = draw(names)
        for name in plan.names:
            if not plan.secret:
                row[f"{name}.level"] = None if name in gaps else draw(levels[name])
            if plan.questions[name].ranges:
                row[f"{name}.range"] = None if name in gaps else draw(PLACES)
            row[f"{name}.y"] = None if name in gaps else draw(BYTES)
        rows.append(row)
    return rows


@pytest.mark.parametrize("name", PLANS)
@given(data=st.data())
def test_a_table_refuses_the_rows_that_reading_refuses_and_for_the_same_reason(
    name: str, data: st.DataObject
) -> None:
    plan = PLANS[name]
    rows = data.draw(strange_rows(plan))
    assert reasons_of_table(plan, rows) == [reason_read(plan, row) for row in rows]


@pytest.mark.parametrize(
    "column, value, reason",
    [
        ("pet.level", 3_000_000_000.0, Refusal.LEVEL_OFF_MENU),
        ("pet.level", 1000.5, Refusal.LEVEL_OFF_MENU),
        ("round", 2.0**40, Refusal.BAD_ROUND),
        ("round", 0.5, Refusal.BAD_ROUND),
    ],
)
def test_a_number_that_fits_no_column_costs_its_own_row_only(
    column: str, value: float, reason: Refusal
) -> None:
    data = crowd(survey(), 30, seed=5).data
    row = next(i for i, y in enumerate(data["pet.y"].to_pylist()) if y is not None)
    numbers = data[column].cast(pa.float64()).to_pylist()
    numbers[row] = value
    frame = data.set_column(data.column_names.index(column), column, pa.array(numbers))
    table = ReportTable.from_frame(survey(), frame)
    assert [(bad.row, bad.reason) for bad in table.refused] == [(row, reason)]
    assert len(table) == len(data) - 1
