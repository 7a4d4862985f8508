"""``discretion send`` asks before it seals under a new plan, and bounds what nobody named."""

import io
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from discretion.device import Device, RetryPolicy, State
from discretion.plan import Plan
from tests.plans import author, secret_commuters
from tests.scripted import Collector, collecting

Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]
Typed = Callable[[str], None]
HIV = {"name": "hiv", "kind": "categorical", "values": ["positive", "negative"]}
PARTY = {"name": "party", "kind": "categorical", "values": ["red", "blue", "none"]}
OPEN = {**PARTY, "mechanism": {"uldp": {"sensitive": ["none"]}}}


class Terminal(io.StringIO):
    """What somebody types."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Typed:
    return lambda text: monkeypatch.setattr("sys.stdin", Terminal(text))


@pytest.fixture(autouse=True)
def _settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """A device whose state lies in the test's own folder; nobody is at its terminal."""
    monkeypatch.delenv("DISCRETION_TOKEN", raising=False)
    monkeypatch.setenv("DISCRETION_STATE", "own.db")
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    monkeypatch.setattr(
        "discretion.device.upload.RetryPolicy", lambda: RetryPolicy(tries=1, sleep=lambda _: None)
    )


@pytest.fixture
def collector(plan: Plan) -> Iterator[Collector]:
    with collecting(plan) as running:
        yield running


def plan_of(*attributes: dict[str, Any], level: float = 1, name: str = "t") -> Plan:
    return Plan.of({"name": name, "attributes": list(attributes), "budget": {"levels": [level]}})


def untouched(collector: Collector, plan: Plan) -> bool:
    """Whether nothing was sealed, charged, sent or accepted."""
    with State("own.db") as state:
        nothing = (state.spent(), state.granted(), state.pinned(collector.url)) == (0, 0, None)
        return nothing and state.is_new(plan.id) and collector.posted() == []


@pytest.mark.parametrize("more", [(), ("--show",), ("--budget", "mode=1"), ("--limit", "5")])
def test_without_a_terminal_a_new_plan_needs_yes(
    run: Run, capsys: Capture, collector: Collector, plan: Plan, more: tuple[str, ...]
) -> None:
    for _ in range(2):
        assert run("send", collector.url, "mode=bike", *more) == 1
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert "plan 'commuters' is new to this device" in error
        assert "agree on a terminal, or with --yes" in error
        assert untouched(collector, plan)
    assert run("send", collector.url, "mode=bike", *more, "--yes") == 0
    sent = [word for word in more if word != "--show"]  # which always asks
    assert run("send", collector.url, "mode=bike", *sent, "--round", "1") == 0


@pytest.mark.parametrize("answer", ["n\n", "\n", "", "maybe\nno\n"])
def test_on_a_terminal_the_default_is_no(
    run: Run, capsys: Capture, collector: Collector, plan: Plan, typed: Typed, answer: str
) -> None:
    for _ in range(2):
        typed(answer)
        assert run("send", collector.url, "mode=bike") == 1
        printed = capsys.readouterr()
        assert "Agree and seal the report (plan 'commuters' is new to this device)?" in printed.err
        assert printed.err.endswith("discretion: nothing was sealed, charged or sent\n")
        assert "mode, level 2: the odds between two values grow" in printed.out
        assert untouched(collector, plan)


def test_on_a_terminal_yes_seals_and_the_plan_is_new_no_more(
    run: Run, capsys: Capture, collector: Collector, typed: Typed
) -> None:
    typed("y\n")
    assert run("send", collector.url, "mode=bike") == 0
    assert "This plan is new to this device." in capsys.readouterr().out
    typed("")
    assert run("send", collector.url, "mode=bike", "--round", "1") == 0
    printed = capsys.readouterr()
    assert (printed.err, "new to this device" in printed.out) == ("", False)
    assert len(collector.posted()) == 2


def test_a_plan_that_was_declined_does_not_replace_the_pinned_one(
    run: Run, collector: Collector, plan: Plan
) -> None:
    assert run("send", collector.url, "mode=bike", "--yes") == 0
    other = secret_commuters()
    collector.document = other.to_bytes()
    assert run("send", collector.url, "mode=bike", "--plan", other.id) == 1
    with State("own.db") as state:
        assert state.pinned(collector.url) == (plan.id, plan.to_bytes())
    assert run("send", collector.url, "mode=bike", "--plan", other.id, "--yes") == 0


def test_a_label_that_the_plan_does_not_know_is_asked_about_before_it_is_sealed(
    run: Run, capsys: Capture, collector: Collector, plan: Plan, typed: Typed
) -> None:
    assert run("send", collector.url, "mode=bike", "--yes") == 0
    again = ("send", collector.url, "mode=bikes", "--round", "1")
    capsys.readouterr()
    assert run(*again) == 1
    printed = capsys.readouterr()
    assert "mode: 'bikes' is not listed; it counts as \"walk\"" in printed.out
    assert "mode: 'bikes' is not listed: agree on a terminal" in printed.err
    typed("n\n")
    assert run(*again) == 1
    with State("own.db") as state:
        assert Device(plan, state).receipt(1) is None
    typed("y\n")
    assert run(*again) == 0
    typed("")
    assert run(*again) == 0  # it is sealed: there is nothing left to ask
    assert len(collector.posted()) == 2


@pytest.mark.parametrize(
    "asked, level, named",
    [
        ([HIV, OPEN], 20, "hiv at 20, party at 20"),
        ([{**HIV, "mechanism": "grr"}], 4.001, "hiv at 4.001"),
        ([OPEN], 0.5, "party at 0.5"),
        ([{**PARTY, "mechanism": {"metric": {"scale": 0.1}}}], 1, "party at 1"),
    ],
)
def test_a_default_budget_that_reveals_too_much_is_refused(
    run: Run, capsys: Capture, asked: list[dict[str, Any]], level: float, named: str
) -> None:
    plan = plan_of(*asked, level=level)
    answers = [f"{a['name']}={a['values'][0]}" for a in asked]
    with collecting(plan) as collector:
        assert run("send", collector.url, "--yes", *answers) == 1
        assert f"no ratio above e^4 (name --budget), got {named}\n" in capsys.readouterr().err
        assert untouched(collector, plan)


@pytest.mark.parametrize("mechanism", ["grr", "oue", "olh", "bloom", "rappor", "she"])
def test_a_default_budget_of_four_is_within_the_bound(run: Run, mechanism: str) -> None:
    with collecting(plan_of({**PARTY, "mechanism": mechanism}, level=4)) as collector:
        assert run("send", collector.url, "--yes", "party=red") == 0


def test_open_answers_need_a_budget_and_leave_by_name(run: Run, capsys: Capture) -> None:
    with collecting(plan_of(OPEN)) as collector:
        budget = ("send", collector.url, "--yes", "party=red", "--budget", "party=1")
        assert run(*budget) == 1
        assert "allow it by name (allow_open=['party'], --allow-open party)" in (
            capsys.readouterr().err
        )
        assert run(*budget, "--allow-open", "party") == 0
        assert ", apart from open answers to party, which have no bound." in capsys.readouterr().out


def test_a_default_limit_holds_over_all_plans_until_one_is_named(run: Run, capsys: Capture) -> None:
    plans = [plan_of({**HIV, "mechanism": "grr"}, level=4, name=f"survey {i}") for i in range(7)]
    for i, plan in enumerate(plans[:6]):
        with collecting(plan) as collector:
            assert run("send", collector.url, "--yes", "hiv=positive") == (0 if i < 5 else 1)
    printed = capsys.readouterr()
    assert "The limit is 20 by default, of which 0 is left; this report counts 4." in printed.out
    assert "the lifetime limit is 20, the reports so far may have cost 20" in printed.err
    with collecting(plans[5]) as collector:
        assert run("send", collector.url, "--yes", "hiv=positive", "--limit", "24") == 0
        assert "The limit is 24, of which 4 is left; this" in capsys.readouterr().out
    with collecting(plans[6]) as collector:
        assert run("send", collector.url, "--yes", "hiv=positive", "--limit", "50") == 1
        assert "the lifetime limit is 24" in capsys.readouterr().err


def test_what_was_asked_before_is_pointed_out(run: Run, capsys: Capture) -> None:
    renamed = {**HIV, "name": "status", "values": ["negative", "positive"]}
    grid = {"name": "age", "kind": "numeric", "range": [0, 100], "step": 10}
    first = plan_of(HIV, grid, name="first")
    second = plan_of(renamed, {**grid, "name": "years"}, {**PARTY, "name": "age"}, name="second")
    with collecting(first) as collector:
        assert run("send", collector.url, "--yes", "hiv=positive", "age=30") == 0
        assert "answered before" not in capsys.readouterr().out
    with collecting(second) as collector:
        assert run("send", collector.url, "status=positive") == 1
    lines = capsys.readouterr().out.splitlines()
    at = lines.index("This plan is new to this device.")
    assert (
        lines[at - 2] == "Spent on this device so far: 2 in all, 0 under plans of this collector."
    )
    assert lines[at + 1 :] == [
        "  status has the same values as hiv, which was answered before, under plan 'first'.",
        "    Reports about it were charged 1 so far; this one adds 1: 2 in all.",
        "  years has the same values as age, which was answered before, under plan 'first'.",
        "  age was answered before, under plan 'first'.",
        "  A question with another name and other values cannot be recognised.",
    ]


def test_what_was_spent_with_a_collector_is_shown_over_all_its_plans(
    run: Run, capsys: Capture, collector: Collector
) -> None:
    assert run("send", collector.url, "mode=bike", "--yes") == 0
    other = Plan.of(author(name="another"))
    collector.document = other.to_bytes()
    assert run("send", collector.url, "mode=bike", "--yes", "--plan", other.id) == 0
    capsys.readouterr()
    assert run("send", collector.url) == 0
    assert "Spent on this device so far: 4 in all, 4 under plans of this" in capsys.readouterr().out
    with collecting(other) as elsewhere:
        assert run("send", elsewhere.url) == 0
        assert "so far: 4 in all, 2 under plans of" in capsys.readouterr().out


def test_a_plan_that_was_declined_causes_no_request_but_the_one_for_it(
    run: Run, collector: Collector
) -> None:
    assert run("send", collector.url, "mode=bike") == 1
    assert [got.method for got in collector.got] == ["GET"]


@pytest.mark.parametrize(
    "more, answer, again", [(("--same",), "", 1), ((), "y\ny\n", 1), ((), "n\ny\n", 2)]
)
def test_answers_go_on_under_other_words_only_if_the_owner_says_that_it_asks_the_same(
    run: Run, capsys: Capture, typed: Typed, more: tuple[str, ...], answer: str, again: int
) -> None:
    first = Plan.of({**author(), "title": "Ways"})
    second = Plan.of({**author(), "title": "Means [bold]", "replaces": first.id})
    with collecting(first) as collector:
        assert run("send", collector.url, "mode=bike", "--yes") == 0
        with State("own.db") as state:
            cost = state.spent()
        collector.document = second.to_bytes()
        capsys.readouterr()
        typed(answer)
        more = (*more, "--plan", second.id, "--round", "1", *(() if answer else ("--yes",)))
        assert run("send", collector.url, "mode=bike", *more) == 0
        assert "  title: 'Ways' is now 'Means [bold]'\n" in capsys.readouterr().err
        with State("own.db") as state:
            assert state.spent() == again * cost


def test_a_plan_that_is_declined_repeats_nothing(run: Run, typed: Typed) -> None:
    first = Plan.of({**author(), "title": "Ways"})
    second = Plan.of({**author(), "title": "Means", "replaces": first.id})
    with collecting(first) as collector:
        assert run("send", collector.url, "mode=bike", "--yes") == 0
        collector.document = second.to_bytes()
        for said, status in (("y\nn\n", 1), ("n\ny\n", 0)):
            typed(said)
            command = ("send", collector.url, "mode=bike", "--plan", second.id, "--round", "1")
            assert run(*command) == status
        with State("own.db") as state:
            assert state.root(second.id) == second.id


def test_a_number_outside_the_range_is_asked_about_as_well(
    run: Run, capsys: Capture, collector: Collector, plan: Plan
) -> None:
    given = ("age=1e9", "mode=bike")
    assert run("send", collector.url, *given) == 1
    printed = capsys.readouterr()
    assert "age: '1e9' is above the range; it counts as 100" in printed.out
    assert "age: '1e9' is above the range: agree on a terminal" in printed.err
    assert untouched(collector, plan)
    assert run("send", collector.url, "age=many", "mode=bike", "--yes") == 1
    assert "age: must be a number, got 'many'" in capsys.readouterr().err
    assert untouched(collector, plan)
    assert run("send", collector.url, *given, "--yes") == 0


def test_show_asks_before_it_seals(
    run: Run, capsys: Capture, collector: Collector, plan: Plan, typed: Typed
) -> None:
    assert run("send", collector.url, "mode=bike", "--yes") == 0
    again = ("send", collector.url, "mode=bus", "--round", "1", "--show")
    assert run(*again) == 1
    assert "--show seals the report, which cannot be drawn again: agree" in capsys.readouterr().err
    typed("n\n")
    assert run(*again) == 1
    with State("own.db") as state:
        assert Device(plan, state).receipt(1) is None
    typed("y\n")
    assert run(*again) == 0
    assert run(*again) == 0  # it is sealed: there is nothing to ask
    assert len(collector.posted()) == 1
