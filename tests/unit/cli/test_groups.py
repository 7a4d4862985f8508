"""``discretion estimate --by``: crosstabs, CSV, JSON, comparisons, and what is refused."""

import csv
import io
import json
from collections.abc import Callable

import pytest

from tests.unit.groups.crowds import ANSWERS, GROUPS, crowd, plan_of

Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def asked(run: Run, capsys: Capture) -> Callable[..., str]:
    """Have reports in the folder that ``run`` made; return what a command about them prints."""
    crowd(plan_of(), 12_000, seed=9).write("r.parquet")

    def ask(*arguments: str, status: int = 0) -> str:
        assert run("estimate", "r.parquet", *arguments) == status
        printed = capsys.readouterr()
        return printed.err if status else printed.out

    return ask


def test_groups_are_printed_for_people_and_for_machines(asked: Callable[..., str]) -> None:
    shown = asked("travel", "--by", "work")
    assert "travel by work: row per cent with 95 % intervals" in shown
    assert all(name in shown for name in (*GROUPS, *ANSWERS))
    assert "column per cent" in asked("travel", "--by", "work", "--percent", "column")
    rows = list(csv.DictReader(io.StringIO(asked("travel", "--by", "work", "--csv"))))
    assert [(row["group"], row["label"]) for row in rows[:2]] == [("a", "w"), ("a", "x")]
    assert float(rows[0]["row_low"]) <= float(rows[0]["row"]) <= float(rows[0]["row_high"])
    (found,) = json.loads(asked("travel", "--by", "work", "--against", "e", "--json"))
    assert len(found["comparisons"]) == len(GROUPS) - 1
    both = asked("travel", "--by", "work", "--against", "e")
    assert "work = a over work = e" in both


def test_numbers_have_means_and_quantiles_by_group(asked: Callable[..., str]) -> None:
    shown = asked("pay", "--given", "age=old")
    assert "mean of pay given age = old" in shown
    assert "quantiles of pay given age = old" in shown
    by_pay = asked("travel", "--by", "pay", "--bins", "pay=0,20,40")
    assert "[20, 40)" in by_pay
    assert "[40, 200]" in asked("--joint", "travel,pay", "--bins", "pay=0,20,40")


def test_what_makes_no_sense_is_refused(asked: Callable[..., str]) -> None:
    wrong = {
        ("--by", "work"): "name the attributes that are estimated by group",
        ("travel", "--against", "e"): "--against is for groups: name --by or --given",
        ("travel", "--by", "work", "--joint", "work,age"): "leave --joint and --statistic",
        (
            "travel",
            "--by",
            "work",
            "--percent",
            "rows",
        ): "percent must be one of row, column, total",
        ("travel", "--by", "work", "--bins", "pay"): "bins cannot be 'pay'",
        ("travel", "--by", "wrok"): "the plan has no attribute 'wrok'",
    }
    for arguments, message in wrong.items():
        assert message in asked(*arguments, status=1)
