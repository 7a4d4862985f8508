"""Columns of matrices on their way in: the compiled reader and the checks of a table."""

from typing import Any

import numpy as np
import pytest

from discretion.budget import Budget
from discretion.crowd import simulate
from discretion.device import Device, State
from discretion.errors import Refusal, ReportRefused
from discretion.plan import Plan
from discretion.report import Answer, Report
from discretion.table.reader import reader_of, refusal
from discretion.table.reports import ReportTable
from discretion.table.validation import admitted
from tests.builders import table_of
from tests.plans import HOME, MODE, author

MECHANISMS: list[Any] = [
    {"idldp": {"shares": {"bike": 0.5}}},
    {"uldp": {"sensitive": ["bike", "walk"]}},
    "metric",
]
RECORD = {"mode": "bike", "home": "town"}


def plan_of(mechanism: Any) -> Plan:
    return Plan.of(
        author(attributes=[{**MODE, "mechanism": mechanism}, HOME], budget={"levels": [1, 2]})
    )


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=str)
def test_what_devices_send_is_read_and_nothing_beyond_the_columns(mechanism: Any) -> None:
    plan = plan_of(mechanism)
    sent = []
    for level in (1, 2):
        with State() as state:
            budget = Budget.of(plan, {"mode": level, "home": 1})
            sent.append(Device(plan, state).report(RECORD, budget).to_bytes())
    forged = Report(plan.id, 0, "00" * 16, {"mode": Answer(1000, b"\x05", None)}).to_bytes()
    reading = reader_of(plan).read([*sent, forged])
    assert reading.accepted.tolist() == [True, True, False]
    why = refusal(plan, forged)
    assert isinstance(why, ReportRefused)
    assert why.reason is Refusal.IMPOSSIBLE_OUTPUT


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=str)
def test_a_table_with_a_column_that_is_not_there_is_refused(mechanism: Any) -> None:
    plan = plan_of(mechanism)
    good = table_of(plan, [{"mode": (1000, 4)}, {"mode": (2000, 0), "home": (1000, 1)}])
    assert not ReportTable.from_frame(plan, good.data).refused
    bad = table_of(plan, [{"mode": (1000, 4)}, {"mode": (2000, 5)}])
    read = ReportTable.from_frame(plan, bad.data)
    assert [(r.row, r.reason) for r in read.refused] == [(1, Refusal.IMPOSSIBLE_OUTPUT)]
    y = np.array([[0], [4], [5], [255]], np.uint8)
    form = plan.questions["mode"].law(1000).form
    assert admitted([form], np.zeros(4, np.int64), y).tolist() == [True, True, False, False]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=str)
def test_a_simulated_table_is_written_and_read_again(mechanism: Any, tmp_path: Any) -> None:
    plan = plan_of(mechanism)
    records = {"mode": ["bike", "car", None] * 50, "home": ["town", None, "country"] * 50}
    reports = simulate(plan, records, budgets="levels", seed=1)
    reports.write(tmp_path / "reports.parquet")
    assert ReportTable.read(tmp_path / "reports.parquet").data.equals(reports.data)
