"""What is registered can be asked everywhere: Python, command, HTTP, dashboard, reference."""

import asyncio
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

import pytest

import discretion as ds
from discretion.aggregate import Aggregate
from discretion.cli.main import main
from discretion.collector.app import survey_app
from discretion.collector.metrics import Metrics
from discretion.collector.outcome import Incoming
from discretion.collector.public_results import published
from discretion.collector.questions import answer
from discretion.collector.store import Store, open_store
from discretion.errors import EstimateError
from discretion.estimate.legend import Legend
from discretion.plan import Plan
from discretion.statistics import STATISTICS, Kind, Option, first_of, kinds_of, register
from discretion.statistics.statistic import ALL_ROUNDS, CHANGE
from discretion.table import ReportTable
from discretion.web.dashboard import (
    Answers,
    Choice,
    Found,
    Frame,
    collection_page,
    dashboard_page,
)
from discretion.web.dashboard.sheet import estimates_sheet
from tests.docs.statistics import page as reference
from tests.plans import STARS
from tests.unit.statistics.toy import TENFOLD
from tests.unit.web.dashboards import collected, read

ROUNDS = {"attribute": "pet", "round": 0, "other_round": 1}
WORDS = ["alpha", "beta", "gamma"]
PLAN = Plan.of(
    {
        "name": "said",
        "attributes": [
            {"name": "said", "kind": "text", "mechanism": {"cms": {"cells": 64, "cohorts": 4}}},
            {"name": "pet", "kind": "categorical", "values": ["cat", "dog"]},
            {"name": "age", "kind": "numeric", "range": [0, 10], "step": 1},
        ],
        "budget": {"levels": [2, 4]},
    }
)
ORDERED = Plan.of(
    {
        "name": "ordered",
        "attributes": [
            {"name": "age", "kind": "numeric", "range": [0, 10], "step": 1}
            | {"mechanism": "hierarchy"},
        ],
        "budget": {"levels": [2, 4]},
    }
)
RATED = Plan.of(
    {
        "name": "rated",
        "attributes": [{"name": "age", **{k: v for k, v in STARS.items() if k != "name"}}],
        "budget": {"levels": [4]},
    }
)
FOUND = Plan.of(
    {
        "name": "found",
        "attributes": [
            {"name": "age", "kind": "text", "discover": {"code": "bits", "bits": 36}}
            | {"mechanism": {"prefixes": {"groups": [12, 24, 36]}}}
        ],
        "budget": {"levels": [4]},
    }
)
BINNED = Plan.of(
    {
        "name": "binned",
        "attributes": [
            {"name": "age", "kind": "numeric", "range": [0, 10], "step": 1, "bins": [0, 4, 10]}
        ],
        "budget": {"levels": [2, 4]},
    }
)
N = 300


@pytest.fixture(scope="module")
def reports() -> ReportTable:
    records = {
        "said": [WORDS[i % 2] for i in range(N)],
        "pet": ["cat", "dog", "dog"] * (N // 3),
        "age": [i % 11 for i in range(N)],
    }
    return ds.simulate(PLAN, records, budgets="levels", seed=3)


@pytest.fixture
def store(tmp_path: Path, reports: ReportTable) -> Iterator[Store]:
    found = open_store(f"sqlite:///{tmp_path}/reports.db", PLAN)
    sent = reports.to_reports()
    found.put([Incoming(r.round, bytes.fromhex(r.id), r.to_bytes()) for r in sent])
    yield found
    found.close()


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """One registration, and nothing else."""
    monkeypatch.setattr("discretion.statistics.registry.STATISTICS", STATISTICS)
    monkeypatch.setitem(STATISTICS, "tenfold", TENFOLD)
    register(TENFOLD)


def found_of(store: Store, question: str, **values: Any) -> Found[Any]:
    found: Any = answer(store, question, values)
    return Found(found)


def screened(store: Store) -> Found[Any]:
    return found_of(store, "screenings", round=0)


def get(app: Any, store: Store, path: str, query: str) -> tuple[int, Any]:
    """Ask an application whose analysts answer in this process."""

    async def ask(question: str, **values: Any) -> Any:
        return answer(store, question, values)

    async def tag(*_: Any, **__: Any) -> str:
        return '"tag"'

    async def admit(*_: Any) -> SimpleNamespace:
        return SimpleNamespace(name="somebody")

    app.state.collector = SimpleNamespace(
        authoriser=SimpleNamespace(authorise=admit),
        results=SimpleNamespace(tag=tag),
        workers=SimpleNamespace(ask=ask),
    )
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "query_string": query.encode()}
    scope |= {"headers": [], "root_path": "", "scheme": "http", "server": ("here", 80)}
    asyncio.run(app(scope, receive, send))
    body = b"".join(each.get("body", b"") for each in sent[1:])
    return sent[0]["status"], json.loads(body)


@pytest.mark.usefixtures("toy")
def test_python_has_a_statistic_that_is_registered(reports: ReportTable) -> None:
    assert ds.tenfold(reports, "pet").value > N
    assert "tenfold" in dir(ds)


@pytest.mark.usefixtures("toy")
def test_the_command_has_it(
    reports: ReportTable,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = str(tmp_path / "reports.parquet")
    reports.write(path)

    def run(*arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", ["discretion", "estimate", path, *arguments])
        with pytest.raises(SystemExit):
            main()
        said = capsys.readouterr()
        return said.out + said.err

    assert "tenfold of pet: " in run("--statistic", "tenfold")
    (found,) = json.loads(run("pet", "--statistic", "tenfold", "--set", "times=1", "--json"))
    assert found == TENFOLD.function(reports, "pet", 1.0).document()
    assert "times cannot be 'x'" in run("pet", "--statistic", "tenfold", "--set", "times=x")
    assert "tenfold has times, not 'y'" in run("--statistic", "tenfold", "--set", "y=1")
    assert "--statistic must be one of" in run("--statistic", "twofold")
    assert "--set is for options of --statistic" in run("--set", "times=1")
    assert "quantile" in run("age", "--statistic", "quantiles", "--set", "at=0.25,0.5")
    assert "x pet" in run("age", "pet", "--statistic", "joint")


@pytest.mark.usefixtures("toy")
def test_a_collector_has_its_route_and_describes_it(store: Store) -> None:
    app = survey_app(PLAN, Metrics())
    described = app.openapi()["paths"]["/v1/tenfolds"]["get"]
    assert [each["name"] for each in described["parameters"]] == ["attribute", "round", "times"]
    status, found = get(app, store, "/v1/tenfolds", "attribute=pet&times=2")
    expected = 2 * sum(tally.n for tally in store.aggregate(0).counted("pet").values())
    assert (status, found["tenfold"], found["round"]) == (200, expected, 0)
    assert get(app, store, "/v1/tenfolds", "attribute=pet&times=0")[0] == 422


@pytest.mark.filterwarnings("ignore::discretion.CalibrationWarning")
def test_a_collector_weights_to_margins_in_the_address(store: Store) -> None:
    app = survey_app(PLAN, Metrics())
    margins = {"pet": dict.fromkeys(PLAN.questions["pet"].labels, 0.5)}
    query = f"attribute=pet&calibrate={quote(json.dumps(margins))}"
    status, found = get(app, store, "/v1/frequencies", query)
    assert status == 200, found
    assert [row["value"] for row in found["frequencies"]] == pytest.approx([0.5] * 2)
    assert (found["margins"], found["weights"]) == ([], [])
    assert found["weighted"]["attributes"] == ["pet"]
    status, found = get(app, store, "/v1/frequencies", "attribute=pet&calibrate=pet")
    assert (status, found["detail"][:20]) == (422, "margins must be JSON")


def csv_of(overview: Any) -> str:
    return estimates_sheet(overview, None, Legend()).csv().decode()


@pytest.mark.usefixtures("toy")
def test_the_dashboard_has_its_cards_and_the_sheet_its_rows(store: Store) -> None:
    overview: Any = answer(store, "overview", {"round": 0})
    shown = Answers(Found(overview), screened(store))
    page = read(dashboard_page(PLAN, collected(N), Choice(0), shown, signed=False))
    for name in PLAN.attributes:
        assert f"{name}: tenfold" in page.said
    rows = csv_of(overview).splitlines()
    assert len([row for row in rows if ",tenfold," in row]) == 3


@pytest.mark.usefixtures("toy")
def test_the_reference_has_its_section() -> None:
    assert "## tenfold" in reference()
    assert "| `times` | `10.0` | So many times. |" in reference()


@pytest.mark.parametrize("name", STATISTICS)
def test_every_registered_result_keeps_the_protocol(name: str, reports: ReportTable) -> None:
    statistic = STATISTICS[name]
    other = BINNED if statistic.binned else ORDERED if name == "ranges" else None
    data: Any = ds.simulate(other, {"age": [*range(10)] * 9}, seed=3) if other else reports
    data = ds.simulate(RATED, {"age": [{"a": 1}] * 90}, seed=3) if name == "means" else data
    data = ds.simulate(FOUND, {"age": ["ten"] * 900}, seed=3) if name == "discover" else data
    about: Any = next(a for a in ("age", "pet") if statistic.applies(data.plan, a))
    if statistic.span.apart:
        data = [ReportTable(PLAN, reports.data.slice(at, N // 2)) for at in (0, N // 2)]
    if statistic.span in (CHANGE, ALL_ROUNDS):
        data = [Aggregate.of(reports), replace(Aggregate.of(reports), round=1)]
    needed: dict[str, dict[str, Any]] = {
        "fits": {"shares": [0.4, 0.6]},
        "cdf": {"points": [4.0]},
        "change": {"earlier": 0, "later": 1},
    }
    given = needed.get(name, {})
    result = statistic.result(data, ["pet", "age"] if statistic.several else about, **given)
    json.dumps(result.document(), allow_nan=False)
    assert result.to_frame().num_rows > 0
    assert max(map(len, str(result).splitlines())) < 400
    assert result._repr_html_().startswith("<")


def test_the_first_statistic_of_a_kind_is_what_is_estimated_by_default() -> None:
    assert [first_of(kind).name for kind in Kind] == [
        *("frequencies", "mean"),
        *("ranges", "ranges", "frequencies", "discover"),
        *("frequencies", "frequencies", "means"),
    ]


def test_candidates_are_needed_of_a_text_alone() -> None:
    frequencies = STATISTICS["frequencies"]
    needed = {name: [o.name for o in frequencies.needed(PLAN, name)] for name in PLAN.names}
    assert needed == {"said": ["candidates"], "pet": [], "age": []}


def test_every_attribute_is_estimated_as_what_it_is() -> None:
    assert [kinds_of(PLAN, name) for name in PLAN.names] == [
        (Kind.TEXT,),
        (Kind.LABELS,),
        (Kind.NUMBER,),
    ]


@pytest.mark.parametrize(
    "kind, text, value",
    [
        (float | None, "0.5", 0.5),
        (list[float], "0.1,1", [0.1, 1.0]),
        (list[str] | None, "a,b", ["a", "b"]),
        (bool, "yes", True),
        (int | None, "3", 3),
        (str, "auto", "auto"),
    ],
)
def test_options_are_read_from_a_command(kind: Any, text: str, value: Any) -> None:
    assert Option("x", kind, None, "").read(text) == value


def test_an_option_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(EstimateError, match="x cannot be 'maybe'"):
        Option("x", bool, None, "yes or no").read("maybe")


def test_candidates_of_a_text_are_estimated_over_http(store: Store, reports: ReportTable) -> None:
    app = survey_app(PLAN, Metrics())
    asked = "attribute=said&candidates=alpha&candidates=gamma"
    status, found = get(app, store, "/v1/frequencies", asked)
    expected = ds.frequencies(Aggregate.of(reports), "said", candidates=["alpha", "gamma"])
    assert status == 200, found
    assert found["frequencies"] == expected.document()["frequencies"]
    assert (found["margins"], found["weights"]) == ([], [])
    status, refused = get(app, store, "/v1/frequencies", "attribute=said")
    assert (status, refused["detail"]) == (422, "'said' is a text: name the candidates to look for")
    many = "&".join(f"candidates={i}" for i in range(1001))
    assert get(app, store, "/v1/frequencies", f"attribute=said&{many}")[0] == 422
    assert get(app, store, "/v1/frequencies", f"attribute=said&candidates={'a' * 201}")[0] == 422


def test_groups_are_estimated_over_http(store: Store, reports: ReportTable) -> None:
    app, edges = survey_app(PLAN, Metrics()), "bins=age=0,6"
    status, found = get(app, store, "/v1/frequencies", f"attribute=pet&by=age&{edges}")
    expected = ds.frequencies(reports, "pet", by="age", bins={"age": [0, 6, 10]})
    assert (status, found["groups"]) == (200, expected.document()["groups"])
    assert [each["label"] for each in found["groups"]] == ["[0, 6)", "[6, 10]"]
    query = "attribute=age&by=pet&against=cat"
    status, found = get(app, store, "/v1/means", query)
    assert (status, found["comparisons"][0]["first"]) == (200, "dog")
    status, found = get(app, store, "/v1/means", "attribute=age&given=pet=cat")
    assert (status, found["given"]) == (200, {"pet": "cat"})
    status, found = get(app, store, "/v1/quantiles", "attribute=age&at=0.5&by=pet")
    assert (status, len(found["quantiles"])) == (200, 2)
    joint = f"attributes=pet&attributes=age&{edges}"
    assert len(get(app, store, "/v1/joints", joint)[1]["cells"]) == 4
    wrong = {
        "attribute=pet&against=cat": "against is for groups: name by or given",
        "attribute=pet&given=age": "given cannot be 'age'",
        "attribute=pet&by=age&bins=age=0,x": "bins cannot be 'age=0,x'",
    }
    for query, detail in wrong.items():
        status, refused = get(app, store, "/v1/frequencies", query)
        assert status == 422
        assert refused["detail"].startswith(detail)


def test_the_dashboard_names_a_text_and_takes_candidates(store: Store) -> None:
    screenings = screened(store)
    bare: Any = answer(store, "overview", {"round": 0})
    page = read(
        dashboard_page(
            PLAN, collected(N), Choice(0), Answers(Found(bare), screenings), signed=False
        )
    )
    assert "'said' is a text: name the candidates to look for" in page.said
    assert "no estimate: 'said' is a text" in csv_of(bare)
    choice = Choice.of(PLAN, [0], 0, {"candidates": " alpha \n\nbeta\nalpha"})
    assert choice.candidates == ("alpha", "beta")
    candidates = {"said": list(choice.candidates)}
    overview: Any = answer(store, "overview", {"round": 0, "candidates": candidates})
    page = read(
        dashboard_page(
            PLAN, collected(N), choice, Answers(Found(overview), screenings), signed=False
        )
    )
    assert page.table("said: frequencies").body.keys() == {"alpha", "beta"}
    assert [area["name"] for area in page.all("textarea")] == ["candidates"]
    assert "candidates=alpha%0Abeta" in choice.address()
    assert {"alpha", "beta"} <= {row.split(",")[1] for row in csv_of(overview).splitlines()}


def test_tables_and_rows_refuse_a_text_by_its_name(reports: ReportTable) -> None:
    with pytest.raises(EstimateError, match=r"'said' is a text.*ask for it alone"):
        ds.joint(reports, ["said", "pet"])
    with pytest.raises(EstimateError, match=r"'said' is a text.*name the other attributes"):
        ds.publish(reports)
    assert ds.publish(reports, attributes=["pet", "age"], seed=1).count == N


def test_the_graph_of_a_plan_with_a_text_is_about_the_others(store: Store) -> None:
    assert answer(store, "dependence", {"round": 0})["attributes"] == ["pet", "age"]


def test_two_rounds_are_compared_where_it_is_certain_that_their_owners_differ(
    store: Store,
) -> None:
    records = {"said": WORDS * 30, "pet": ["cat"] * 90, "age": [5] * 90}
    later = ds.simulate(PLAN, records, budgets="levels", seed=4).to_reports()
    store.open_round(1)
    store.put([Incoming(1, bytes.fromhex(r.id), replace(r, round=1).to_bytes()) for r in later])
    found = answer(store, "compare", {**ROUNDS, "different_owners": True})
    first, second = store.aggregate(0), store.aggregate(1)
    wanted = ds.compare(first, second, "pet", different_owners=True).document()
    assert {key: found[key] for key in wanted} == wanted
    with pytest.raises(EstimateError, match="different_owners=True"):
        answer(store, "compare", ROUNDS)
    with pytest.raises(EstimateError, match="300 reports are in both"):
        answer(store, "compare", {**ROUNDS, "other_round": 0, "different_owners": True})


def test_rounds_are_followed_over_http_and_on_the_dashboard(store: Store) -> None:
    """A round without reports is left out; a change names the rounds that it is between."""
    app = survey_app(PLAN, Metrics())
    status, refused = get(app, store, "/v1/series", "attribute=pet")
    assert (status, refused["detail"]) == (422, "a series must have two rounds or more, got 1")
    records = {"said": WORDS * 30, "pet": ["cat"] * 90, "age": [5] * 90}
    later = ds.simulate(PLAN, records, budgets="levels", seed=4).to_reports()
    for round in (3, 4):
        store.open_round(round)
    store.put([Incoming(3, bytes.fromhex(r.id), replace(r, round=3).to_bytes()) for r in later])
    rounds = [store.aggregate(0), store.aggregate(3)]
    status, found = get(app, store, "/v1/series", "attribute=pet")
    wanted: Any = ds.series(rounds, "pet").document()
    assert (status, found["round"]) == (200, 4)
    assert {key: found[key] for key in wanted} == json.loads(json.dumps(wanted))
    status, found = get(app, store, "/v1/changes", "attribute=age&earlier=0&later=3")
    assert (status, found["sides"]) == (200, ["round 3", "round 0"])
    wanted = ds.change(rounds, "age", 0, 3).document()
    assert {key: found[key] for key in wanted} == json.loads(json.dumps(wanted))
    status, refused = get(app, store, "/v1/changes", "attribute=pet&earlier=0&later=4")
    assert (status, refused["detail"][:30]) == (422, "there are no reports of round ")
    frame = Frame(PLAN, "/collection", signed=False)
    trends = found_of(store, "trends")
    page = read(collection_page(frame, collected(N), trends, operator=False))
    assert "Over rounds" in page.said
    assert all(f"{name} by round" in page.said for name in ("pet", "age"))
    page = read(collection_page(frame, collected(N), None, operator=False))
    assert "Over rounds" not in page.said


def test_a_server_reads_the_reports_where_texts_are_discovered(tmp_path: Path) -> None:
    reports = ds.simulate(FOUND, {"age": ["ten", "ten", "two"] * 400}, seed=3)
    store = open_store(f"sqlite:///{tmp_path}/reports.db", FOUND)
    store.put([Incoming(0, bytes.fromhex(r.id), r.to_bytes()) for r in reports.to_reports()])
    values: dict[str, Any] = {"attribute": "age", "round": 0}
    found: Any = answer(store, "discover", {**values, "error": 0.05})
    assert [each["text"] for each in found["texts"]] == ["ten", "two"]
    asked = {**values, "candidates": ["two", "six"]}
    shares: Any = answer(store, "frequencies", asked)
    assert shares["frequencies"][0]["value"] == pytest.approx(found["texts"][1]["share"])
    overview: Any = answer(store, "overview", {"round": 0})
    (card,) = overview["estimates"]
    assert (card["statistic"], card["reason"]) == ("discover", "")
    shown = Answers(Found(overview), screened(store))
    page = read(dashboard_page(FOUND, collected(1200), Choice(0), shown, signed=False))
    assert "ten" in page.said
    assert published(FOUND) == {}
    asked = {"round": 0, "attribute": "age", "count": 2, "sets": 1}
    plan = ds.Plan.from_bytes(answer(store, "focus", asked)["plan"].encode())
    assert plan == ds.focus(ds.discover(reports, "age"), 2)
    assert plan.attributes["age"].labels == ("ten", "two", "other")
    with pytest.raises(EstimateError, match="only sets"):
        answer(store, "focus", {**asked, "sets": 2})
    store.close()


def test_a_next_round_of_a_set_is_planned_from_its_counts(tmp_path: Path) -> None:
    asked = {"name": "x", "kind": "set", "items": ["milk", "rye", "tea"], "length": 2}
    pet = {"name": "pet", "kind": "categorical", "values": ["cat", "dog"]}
    plan = ds.Plan.of({"name": "s", "attributes": [asked, pet], "budget": {"levels": [2]}})
    said = {"x": [["milk", "rye"], ["milk"]] * 300, "pet": ["cat"] * 600}
    reports = ds.simulate(plan, said, budgets="levels", seed=4)
    store = open_store(f"sqlite:///{tmp_path}/reports.db", plan)
    store.put([Incoming(0, bytes.fromhex(r.id), r.to_bytes()) for r in reports.to_reports()])
    app = survey_app(plan, Metrics())
    status, made = get(app, store, "/v1/focus", "attribute=x&count=3&sets=2")
    assert (status, made) == (200, ds.focus(ds.frequencies(reports, "x"), 3, 2).document)
    assert get(app, store, "/v1/focus", "attribute=x&count=1")[0] == 422
    assert get(app, store, "/v1/focus", "attribute=pet")[0] == 422
    assert get(app, store, "/v1/focus", "attribute=shoe")[0] == 404
    assert get(app, store, "/v1/focus", "attribute=x&round=9")[0] == 404
    store.close()
