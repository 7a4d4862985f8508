"""Reports as devices sent them become rows; what is malformed is refused by itself."""

import dataclasses

from discretion.budget import Budget
from discretion.device import Device
from discretion.errors import Refusal
from discretion.plan import Plan
from discretion.report import Report, read
from discretion.table import ReportTable
from tests.builders import author, secret_survey, survey

RECORD = {"mode": "bike", "pet": "dog", "hours": 0.55, "mood": 0.2}
BUDGETS: tuple[dict[str, object], ...] = (
    {"mode": 3.5, "pet": 0.5},
    {"hours": 2.0},
    {"mode": 1.0, "pet": 0.25, "mood": 2.25},
)


def sent(plan: Plan) -> list[Report]:
    """Three owners with unequal budgets, each of whom leaves something out."""
    budgets = [Budget.of(plan, epsilons) for epsilons in BUDGETS]
    return [Device(plan).report(RECORD, budget, round=2) for budget in budgets]


def reasons(table: ReportTable) -> list[tuple[int, Refusal]]:
    return [(refused.row, refused.reason) for refused in table.refused]


def test_a_row_holds_what_the_report_says_and_null_where_it_says_nothing() -> None:
    plan = survey()
    reports = sent(plan)
    table = ReportTable.from_reports(plan, [report.to_bytes() for report in reports])
    assert table.refused == ()
    assert not table.simulated
    for report, row in zip(reports, table.data.to_pylist(), strict=True):
        assert (row.pop("id").hex(), row.pop("round")) == (report.id, 2)
        expected: dict[str, object] = {}
        for name in plan.names:
            answer = report.answers.get(name)
            expected[f"{name}.level"] = answer.level if answer else None
            expected[f"{name}.y"] = answer.y if answer else None
        assert row == expected


def test_rows_of_a_secret_plan_have_no_level() -> None:
    plan = secret_survey()
    budget = Budget.of(plan, {"mode": 3.5, "pet": 0.5})
    table = ReportTable.from_reports(plan, [Device(plan).report(RECORD, budget).to_bytes()])
    assert table.data.column_names == ["id", "round", "mode.y", "pet.y", "mood.y"]
    assert table.data["mood.y"].null_count == 1


def test_malformed_reports_are_refused_with_row_and_reason_and_the_others_kept() -> None:
    plan = survey()
    first, second, third = sent(plan)
    messages = [
        first.to_bytes(),
        b"{",
        dataclasses.replace(second, plan="0" * 64).to_bytes(),
        second.to_bytes(),
        second.to_bytes()[:-1] + b" }",
        first.to_bytes(),
        third.to_bytes(),
    ]
    table = ReportTable.from_reports(plan, messages)
    assert reasons(table) == [
        (1, Refusal.NOT_JSON),
        (2, Refusal.OTHER_PLAN),
        (4, Refusal.NOT_CANONICAL),
        (5, Refusal.DUPLICATE_ID),
    ]
    assert table.refused[3].detail == f"id {first.id} stands here twice"
    assert table.data["id"].to_pylist() == [bytes.fromhex(r.id) for r in (first, second, third)]


def test_the_same_id_in_another_round_is_no_duplicate() -> None:
    plan = survey()
    report = sent(plan)[0]
    messages = [report.to_bytes(), dataclasses.replace(report, round=3).to_bytes()]
    table = ReportTable.from_reports(plan, messages)
    assert table.refused == ()
    assert table.rounds == [2, 3]


def test_a_refused_report_does_not_use_up_its_id() -> None:
    plan = survey()
    report = sent(plan)[0]
    table = ReportTable.from_reports(plan, [report.to_bytes() + b" ", report.to_bytes()])
    assert reasons(table) == [(0, Refusal.NOT_CANONICAL)]
    assert len(table) == 1


def test_every_row_can_be_sent_again_as_the_same_bytes() -> None:
    plan = survey()
    messages = [report.to_bytes() for report in sent(plan)]
    table = ReportTable.from_reports(plan, messages)
    again = ReportTable.from_frame(plan, table.to_frame())
    assert again == table
    assert [read(plan, message).id for message in messages] == [
        i.hex() for i in again.data["id"].to_pylist()
    ]


def test_no_reports_make_an_empty_table() -> None:
    table = ReportTable.from_reports(survey(), [])
    assert (len(table), table.rounds, table.refused) == (0, [], ())
    assert list(table.answers("mode")) == []


def test_a_table_says_what_it_is() -> None:
    plan = Plan.of(author(name="who's here"))
    table = ReportTable.from_reports(plan, [report.to_bytes() for report in sent(plan)])
    assert repr(table) == """<3 reports of plan "who's here": mode, pet, hours, mood>"""
