"""``discretion send`` as a shell calls it."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from discretion.device import Device, Fate, Outcome, RetryPolicy, State
from discretion.plan import Plan
from tests.plans import (
    bundled_commuters,
    conditional_commuters,
    sampled_commuters,
    secret_commuters,
)
from tests.scripted import DELETIONS, REPORTS, Collector, collecting, hang_up, refuse, say

Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]
ANSWERS = ("mode=bike", "income=31257")
BUDGETS = ("--budget", "mode=3.5", "--budget", "income=0.5")


ANEW = (
    "  Two histories that change in different rounds: no bound, "
    "since equal reports show that an answer is the same."
)


@pytest.fixture
def collector(plan: Plan) -> Iterator[Collector]:
    with collecting(plan) as running:
        yield running


@pytest.fixture(autouse=True)
def _settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A user whose settings lie in the test's own folder, and who does not wait."""
    monkeypatch.delenv("DISCRETION_TOKEN", raising=False)
    monkeypatch.delenv("DISCRETION_STATE", raising=False)
    monkeypatch.setattr("typer.get_app_dir", lambda name: str(tmp_path / "settings" / name))
    monkeypatch.setattr(
        "discretion.device.upload.RetryPolicy", lambda: RetryPolicy(tries=2, sleep=lambda _: None)
    )


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "settings" / "discretion" / "device.sqlite"


def test_answers_are_perturbed_and_sent(
    run: Run, capsys: Capture, collector: Collector, plan: Plan, home: Path
) -> None:
    assert run("send", collector.url, "--yes", *ANSWERS, *BUDGETS) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed == [
        f"{collector.url} asks by plan 'commuters', {plan.id}",
        "The contract is attribute: what differs is told apart by at most its budgets.",
        "mode, level 3.5: the odds between two values grow at most 33.2 times.",
        "income, level 0.5: the odds between two values grow at most 1.7 times.",
        "In all, level 4: the odds between two records grow at most 54.6 times.",
        "Later rounds repeat what was drawn for the same answer, at no cost.",
        "  Two histories that change in the same rounds: at most what is charged for them.",
        ANEW,
        "Spent on this device so far: 0 in all, 0 under plans of this collector.",
        "The limit is 20 by default, of which 20 is left; this report counts 4.",
        "This plan is new to this device.",
        "  A question with another name and other values cannot be recognised.",
        "round 0: accepted",
        f"  discretion send {collector.url} --withdraw --round 0 deletes it",
    ]
    (report,) = collector.posted()
    levels = {name: answer["level"] for name, answer in json.loads(report)["answers"].items()}
    assert levels == {"mode": 3500, "income": 500}
    with State(home) as state:
        assert Device(plan, state).fate() == Fate(Outcome.ACCEPTED)
        assert state.spent() == 4000
    if os.name == "posix":
        assert home.stat().st_mode & 0o777 == 0o600
        assert home.parent.stat().st_mode & 0o777 == 0o700


def test_without_a_budget_what_the_plan_allows_is_spread_evenly(
    run: Run, capsys: Capture, collector: Collector
) -> None:
    assert run("send", collector.url, "--yes", *ANSWERS) == 0
    assert "mode, level 2:" in capsys.readouterr().out
    (report,) = collector.posted()
    assert {a["level"] for a in json.loads(report)["answers"].values()} == {2000}


def test_a_bundle_is_reported_as_one_where_all_of_it_is_answered(run: Run) -> None:
    with collecting(bundled_commuters()) as collector:
        assert run("send", collector.url, "--yes", "mode=bus", "age=50", "home=town") == 0
        assert list(json.loads(collector.posted()[0])["answers"]) == ["home", "mode+age"]


def test_where_the_device_draws_the_questions_it_draws_them_once(run: Run) -> None:
    with collecting(sampled_commuters()) as collector:
        for round in ("0", "1"):
            assert run("send", collector.url, "--yes", *ANSWERS, "age=50", "--round", round) == 0
        first, second = (set(json.loads(report)["answers"]) for report in collector.posted())
        assert first == second
        assert len(first) == 2


def test_show_prints_the_bytes_and_sends_nothing(
    run: Run, capsys: Capture, collector: Collector
) -> None:
    assert run("send", collector.url, "--yes", *ANSWERS, *BUDGETS, "--show") == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[-1] == "nothing was sent"
    assert printed[-3] == f"round 0 would send {len(printed[-2])} bytes:"
    assert "The contract is attribute" in printed[1]
    assert collector.posted() == []
    assert run("send", collector.url) == 0
    assert collector.posted() == [printed[-2].encode()]


def test_what_is_kept_goes_with_the_next_call_byte_for_byte(
    run: Run, capsys: Capture, collector: Collector
) -> None:
    collector.script[REPORTS] = [say(503), say(503)]
    where = ("--state", "my device.db")
    assert run("send", collector.url, "--yes", *ANSWERS, *where) == 1
    kept = capsys.readouterr().out.splitlines()[-2:]
    hint = f"  discretion send {collector.url} --state 'my device.db' sends the same bytes again"
    assert kept == ["round 0: kept (status 503; tried 2 times)", hint]
    assert run("send", collector.url, *where) == 0
    assert capsys.readouterr().out.splitlines()[1:4] == [
        "Spent on this device so far: 4 in all, 4 under plans of this collector.",
        "The limit is 20 by default, of which 16 is left.",
        "round 0: accepted",
    ]
    assert len(collector.posted()) == 3
    assert len(set(collector.posted())) == 1
    assert run("send", collector.url, *where) == 0
    assert capsys.readouterr().out.splitlines()[3:] == ["nothing to send"]
    assert len(collector.posted()) == 3


def test_what_is_refused_is_dropped_and_said_so_again(
    run: Run, capsys: Capture, collector: Collector
) -> None:
    collector.script[REPORTS] = [refuse(422, reason="round_closed", detail="round 0 is over")]
    for before in ("", "before; "):
        assert run("send", collector.url, "--yes", *ANSWERS) == 1
        assert capsys.readouterr().out.splitlines()[-2:] == [
            f"round 0: dropped ({before}status 422: round_closed: round 0 is over)",
            "  it is never sent again, and its round never drawn again",
        ]
    assert len(collector.posted()) == 1


def test_the_same_answers_again_send_nothing_and_others_are_refused(
    run: Run, capsys: Capture, collector: Collector
) -> None:
    assert run("send", collector.url, "--yes", *ANSWERS) == 0
    capsys.readouterr()
    assert run("send", collector.url, "--yes", *ANSWERS) == 0
    assert "round 0: accepted (before)" in capsys.readouterr().out
    assert run("send", collector.url, "--yes", "mode=car", "income=0") == 1
    assert "round 0 is sealed with another record or budget" in capsys.readouterr().err
    assert len(collector.posted()) == 1


def test_a_report_is_withdrawn(run: Run, capsys: Capture, collector: Collector) -> None:
    run("send", collector.url, "--yes", *ANSWERS)
    capsys.readouterr()
    collector.script[DELETIONS] = [hang_up, hang_up]
    assert run("send", collector.url, "--withdraw") == 1
    assert "withdrawal of round 0: kept (no answer" in capsys.readouterr().out
    assert len(collector.kept) == 1
    assert run("send", collector.url, "--show") == 0
    assert "round 0 would be withdrawn with the receipt" in capsys.readouterr().out
    assert run("send", collector.url) == 0
    assert "withdrawal of round 0: deleted" in capsys.readouterr().out
    assert collector.kept == {}
    assert run("send", collector.url, "--yes", *ANSWERS) == 0
    assert "withdrawal of round 0: deleted (before)" in capsys.readouterr().out
    assert len(collector.posted()) == 1


def test_a_token_comes_from_the_environment(
    run: Run, capsys: Capture, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    collector.script[REPORTS] = [say(401)]
    assert run("send", collector.url, "--yes", *ANSWERS) == 1
    assert "a token is needed (status 401); nothing is lost" in capsys.readouterr().err
    monkeypatch.setenv("DISCRETION_TOKEN", "s3cret")
    assert run("send", collector.url) == 0
    assert collector.got[-1].headers["authorization"] == "Bearer s3cret"
    assert len(set(collector.posted())) == 1


def test_a_limit_stays(run: Run, capsys: Capture, collector: Collector) -> None:
    assert run("send", collector.url, "--yes", *ANSWERS, *BUDGETS, "--limit", "5") == 0
    assert (
        run("send", collector.url, "--yes", *ANSWERS, *BUDGETS, "--round", "1", "--limit", "50")
        == 1
    )
    assert "the lifetime limit is 5" in capsys.readouterr().err
    assert len(collector.posted()) == 1


def test_another_plan_is_refused_until_it_is_named(
    run: Run, capsys: Capture, collector: Collector, plan: Plan
) -> None:
    assert run("send", collector.url) == 0
    other = secret_commuters()
    collector.document = other.to_bytes()
    assert run("send", collector.url, "--yes", "mode=bike") == 1
    assert f"its plan must be {plan.id}, got {other.id}; nothing was" in capsys.readouterr().err
    Path("other.json").write_bytes(other.to_bytes())
    Path("first.json").write_bytes(plan.to_bytes())
    assert run("send", collector.url, "--yes", "mode=bike", "--plan", "first.json") == 1
    assert collector.posted() == []
    assert run("send", collector.url, "--yes", "mode=bike", "--plan", "other.json") == 0
    assert run("send", collector.url, "--yes", "mode=bike", "--plan", other.id) == 0
    assert len(collector.posted()) == 1


def test_a_label_that_the_plan_does_not_know_is_named(
    run: Run, capsys: Capture, collector: Collector
) -> None:
    assert run("send", collector.url, "--yes", "mode=tram") == 0
    assert "mode: 'tram' is not listed; it counts as \"walk\"" in capsys.readouterr().out


def test_the_budget_is_settled_before_a_value_is_looked_at(
    run: Run, capsys: Capture, collector: Collector
) -> None:
    assert run("send", collector.url, "--yes", "income=much", "--budget", "income=0.3") == 1
    assert "level must be on the plan's menu" in capsys.readouterr().err
    assert run("send", collector.url, "--yes", "income=much", "--budget", "income=0.5") == 1
    assert "income: must be a number, got 'much'" in capsys.readouterr().err
    assert collector.posted() == []


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("bike",), "answers: must be written NAME=VALUE, got 'bike'"),
        (("mode=bike", "mode=car"), "answers: must name everything once, got 'mode'"),
        (("shoes=red",), "the plan has no attribute 'shoes'; it has mode, age, income"),
        (("mode=bike", "--budget", "mode"), "budget: must be written NAME=EPSILON, got 'mode'"),
        (("mode=bike", "--budget", "mode=x"), "mode: budget must be a number, got 'x'"),
        ((*ANSWERS, "--budget", "mode=1"), "every answer must have a --budget, or none of them"),
        (("mode=bike", *BUDGETS), "income: the budget shares it, so the record must have it"),
        (("--budget", "mode=1"), "a budget must be for answers, got mode"),
        (("mode=bike", "--withdraw"), "answers: must be none where a report is withdrawn"),
        (("--withdraw", "--round", "4"), "round: must be one that has a report, got 4"),
        (("mode=bike", "--round", "-1"), "round: must be a whole number from 0"),
        (("--plan", "none.json"), "none.json: no such file"),
        (("--token", "two words"), "a token must be ASCII without blanks"),
    ],
)
def test_a_mistake_is_one_line(
    run: Run, capsys: Capture, collector: Collector, arguments: tuple[str, ...], message: str
) -> None:
    assert run("send", collector.url, "--yes", *arguments) == 1
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert collector.posted() == collector.posted(DELETIONS) == []


def test_a_collector_in_the_clear_is_refused(run: Run, capsys: Capture) -> None:
    assert run("send", "http://collector.example", "mode=bike") == 1
    assert "must be https://" in capsys.readouterr().err


def test_what_is_shared_does_not_depend_on_what_applies(
    run: Run, capsys: Capture, tmp_path: Path
) -> None:
    """Who gives the answers that decide shares what they decide about in any case."""
    shared, lengths = set(), set()
    with collecting(conditional_commuters()) as collector:
        for i, answers in enumerate(
            (
                ("age=40", "work=employed", "hours=35", "shift=late"),
                ("age=40", "work=employed", "hours=35", "shift=night", "rest=no"),
                ("age=40", "work=retired", "rest=yes"),
                ("age=80", "work=employed", "rest=yes"),
            )
        ):
            state = ("--state", f"{tmp_path}/{i}.sqlite")
            assert run("send", collector.url, "--yes", "--show", *state, *answers) == 0
            (report,) = [line for line in capsys.readouterr().out.splitlines() if line[:1] == "{"]
            shared.add(tuple(json.loads(report)["answers"]))
            lengths.add(len(report))
        assert len(shared) == len(lengths) == 1
        budget = ("--budget", "rest=1", "--show", "--state", f"{tmp_path}/apart.sqlite")
        assert (
            run("send", collector.url, "--yes", *budget, "age=40", "work=retired", "rest=yes") == 0
        )
        assert '"answers":{"rest":' in capsys.readouterr().out
