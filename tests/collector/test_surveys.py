"""Several surveys in one process: each under its path, and none opens anything of another."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urljoin

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings

from discretion.aggregate import Aggregate
from discretion.collector.authorisation import COOKIE
from discretion.collector.tokens import Role
from discretion.device import Device, Outcome, State, UploadClient
from discretion.table import ReportTable
from tests.collector.crowds import assert_problem, counters, eventually, metric, token_of
from tests.collector.serving import FIRST, Server, ask, owner_of, people, sealed
from tests.collector.test_description import CHECKS
from tests.unit.web.dashboards import read

TRAVEL, WORK = people("travel", 16), people("<work>", 8)
NAMES = {FIRST: TRAVEL, "work": WORK}
FORM = "application/x-www-form-urlencoded"
OPEN = {"/v1/plan", "/v1/survey", "/v1/results"}  # for everybody
PAGES = ("/dashboard", "/dashboard/estimates.csv")


@dataclass(frozen=True)
class Site:
    """A server with two surveys, where every role needs a token; and the tokens there are."""

    server: Server
    tokens: dict[str, str]  # by survey
    whole: str  # for all

    def under(self, name: str) -> Server:
        return self.server.under(name)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("surveys")
    named: dict[str, Any] = {"asker": "A town", "open": "", "log": "info"}
    with Server(folder, TRAVEL, beside={"work": WORK}, **named) as running:
        tokens = {
            name: token_of(running, f"of {name}", *Role, plan=plan.id)
            for name, plan in NAMES.items()
        }
        yield Site(running, tokens, token_of(running, "of all", *Role))


def other(name: str) -> str:
    return next(each for each in NAMES if each != name)


@pytest.mark.parametrize("name", NAMES)
def test_a_survey_keeps_counts_and_deletes_its_own_reports(
    site: Site, name: str, tmp_path: Path
) -> None:
    own, token = site.under(name), site.tokens[name]
    before, beside = counters(own, token), counters(site.under(other(name)), site.whole)
    assert own.get("/v1/plan").body == NAMES[name].to_bytes()
    reports = [sealed(NAMES[name], who) for who in range(6)]
    assert own.upload(reports[0].body, token=token).status == 201
    lines = own.upload(*(report.body for report in reports), token=token)
    assert lines.json()["outcomes"] == ["duplicate", *["accepted"] * 5]
    foreign = own.upload(sealed(NAMES[other(name)], 1).body, token=token)
    assert assert_problem(foreign, 422, "refused")["reason"] == "other_plan"
    assert own.withdraw(reports[0].receipt, token).json() == {"outcome": "deleted"}
    after = counters(own, token)
    assert after["kept"] == before["kept"] + 5
    assert eventually(lambda: "other_plan" in counters(own, token)["refused"])
    assert counters(site.under(other(name)), site.whole) == beside

    shown = own.get("/v1/frequencies?attribute=pet", token).json()
    assert shown["reports"] <= after["kept"]
    path = tmp_path / "export.parquet"
    path.write_bytes(own.get("/v1/export", token).body)
    table = ReportTable.read(path, NAMES[name])
    assert {report.id for report in reports[1:]} <= set(table.data["id"].to_pylist())
    recount = Aggregate(NAMES[name], 0)
    recount.add(table)
    assert own.get("/v1/aggregates", token).body.decode() == recount.to_json()


def operations(own: Server) -> list[tuple[str, str]]:
    """Return the methods and paths of a survey, as it describes them, and its pages."""
    described = own.get("/openapi.json").json()["paths"]
    found = [(method.upper(), path) for path, methods in described.items() for method in methods]
    return found + [("GET", path) for path in PAGES]


@pytest.mark.parametrize("name", NAMES)
def test_a_token_of_one_survey_opens_nothing_of_another(site: Site, name: str) -> None:
    own, before = site.under(name), counters(site.under(name), site.whole)
    rounds = own.get("/v1/rounds", site.whole).json()
    asked = operations(own)
    assert len(asked) > 15
    for method, path in asked:
        place, body = path.replace("{round}", "0"), b"" if method == "POST" else None
        for secret, denied in ((site.tokens[other(name)], True), (site.whole, False)):
            headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
            if not denied and path.endswith("/close"):
                continue  # which it would do
            reply = ask(own.port, method, f"/{name}{place}", body, headers)
            assert (reply.status == 401) == (denied and path not in OPEN), (method, path)
            assert reply.status != 403
    report = sealed(NAMES[name], 9)
    assert_problem(own.upload(report.body, token=site.tokens[other(name)]), 401, "unauthorised")
    after = counters(own, site.whole)
    assert [after[name] for name in ("accepted", "deleted")] == [
        before["accepted"],
        before["deleted"],
    ]
    assert own.get("/v1/rounds", site.whole).json() == rounds


@pytest.mark.parametrize("name", NAMES)
def test_who_signs_in_to_one_dashboard_has_not_signed_in_to_another(site: Site, name: str) -> None:
    for secret in (site.tokens[name], site.whole):
        own = site.under(name)
        form = urlencode({"token": secret}).encode()
        answer = own.post("/dashboard/session", form, FORM)
        assert answer.status == 303
        place = urljoin(f"/{name}/dashboard/session", answer.headers["location"])
        assert place == f"/{name}/dashboard"
        cookie = answer.headers["set-cookie"].partition(";")[0]
        assert cookie == f"{COOKIE}_{name}={secret}"
        page = own.get("/dashboard", cookie=cookie)
        assert page.status == 200
        assert NAMES[name].name in read(page.body.decode()).said
        for path in PAGES:
            assert site.under(other(name)).get(path, cookie=cookie).status == 401
        left = own.post("/dashboard/session/end", b"", FORM, cookie=cookie)
        assert f'{COOKIE}_{name}="";' in left.headers["set-cookie"]
    form = urlencode({"token": site.tokens[other(name)]}).encode()
    refused = site.under(name).post("/dashboard/session", form, FORM)
    assert (refused.status, "set-cookie" in refused.headers) == (401, False)


def test_acts_are_those_of_the_survey_and_of_the_store(site: Site) -> None:
    for name in NAMES:
        own = site.under(name)
        assert own.post("/v1/rounds", b'{"round":7}', token=site.tokens[name]).status == 200
    for name, plan in NAMES.items():
        acts = site.under(name).get("/v1/acts", site.tokens[name]).json()
        assert {act["plan"] for act in acts} == {plan.id, None}
        shown = [(act["actor"], act["detail"], act["plan"]) for act in acts]
        assert ("command", f"new of {name}: analyse,operate,upload", plan.id) in shown
        assert ("command", "new of all: analyse,operate,upload", None) in shown
        assert (f"of {name}", "round 7", plan.id) in shown
        assert other(name) not in str(shown)


def test_the_first_page_lists_the_surveys(site: Site) -> None:
    reply, page = site.server.get("/"), site.under("work").get("/")
    for header in ("content-security-policy", "x-content-type-options", "referrer-policy"):
        assert reply.headers[header] == page.headers[header]
    listing = read(reply.body.decode())
    assert "travel" in listing.said
    assert "<work>" in listing.said
    links = [a.get("href") or "" for _, a in listing.elements if a.get("href")]
    assert {f"{FIRST}/", "work/", f"{FIRST}/dashboard", "work/dashboard"} <= set(links)
    for link in links:
        assert not link.startswith(("/", "http"))
        assert site.server.get(f"/{link}").status == (401 if "dashboard" in link else 200), link
    assert site.server.get("/static/page.css").status == 200
    assert site.server.post("/", b"").status == 405


def test_a_survey_without_its_slash_leads_to_the_page(site: Site) -> None:
    for path, place in (("/work", "work/"), ("/work?a=1", "work/?a=1")):
        reply = site.server.get(path)
        assert (reply.status, reply.headers["location"]) == (308, place)


@pytest.mark.parametrize("path", ["/v1/plan", "/docs", "/openapi.json", "/dashboard", "/nothing"])
def test_paths_of_one_survey_alone_are_not_there(site: Site, path: str) -> None:
    assert_problem(site.server.get(path, site.whole), 404, "not_found")
    assert_problem(site.server.upload(sealed(TRAVEL, 1).body, token=site.whole), 404, "not_found")


def test_health_and_metrics_are_of_the_whole_process(site: Site) -> None:
    ids = {name: plan.id for name, plan in NAMES.items()}
    assert site.server.get("/health").json() == {"status": "ok", "plans": ids}
    for name in NAMES:
        own = site.under(name)
        assert own.get("/health").status == own.get("/metrics").status == 404
        before = metric(site.server, "discretion_reports_total", plan=name, outcome="accepted")
        assert own.upload(sealed(NAMES[name], 3).body, token=site.tokens[name]).status == 201
        after = metric(site.server, "discretion_reports_total", plan=name, outcome="accepted")
        assert after == before + 1
        kept = metric(site.server, "discretion_kept_reports", plan=name)
        assert kept == counters(own, site.whole)["kept"]
        assert metric(site.server, "discretion_waiting_reports", plan=name) == 0
    assert metric(site.server, "discretion_store_bytes") > 0


@pytest.mark.parametrize("name", NAMES)
def test_a_device_reports_to_a_survey_and_withdraws(site: Site, name: str) -> None:
    own, plan = site.under(name), NAMES[name]
    with State() as state:
        client = UploadClient(own.url, state, accept=plan.id, token=site.tokens[name])
        device = Device(client.plan(), state)
        device.report(*owner_of(plan, 2))
        (delivery,) = client.deliver()
        assert delivery.outcome is Outcome.ACCEPTED
        assert client.withdraw(0).outcome is Outcome.DELETED


@pytest.mark.parametrize("name", NAMES)
def test_the_description_of_a_survey_is_its_own(site: Site, name: str) -> None:
    own = site.under(name)
    page = own.get("/openapi.json").json()
    assert page["components"]["schemas"]["Report"]["properties"]["plan"] == {
        "const": NAMES[name].id
    }
    described: Any = schemathesis.openapi.from_url(f"{own.url}/openapi.json")
    found = {each.ok().label: each.ok() for each in described.get_all_operations()}
    assert len(found) > 15
    for label in ("GET /v1/plan", "GET /v1/survey", "GET /v1/rounds", "POST /v1/deletions"):

        @settings(
            max_examples=3,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(found[label].as_strategy())
        def answers(case: Any) -> None:
            headers = {"Authorization": f"Bearer {site.tokens[name]}"}
            case.call_and_validate(own.url, checks=CHECKS, headers=headers, timeout=600)

        answers()


def test_what_is_logged_names_the_survey_and_nobody(site: Site) -> None:
    logged = [json.loads(line) for line in site.server.stderr.splitlines()]
    started = {line["plan"] for line in logged if line["event"] == "started"}
    opened = {line["plan"] for line in logged if line["event"] == "opened"}
    assert started == opened == {TRAVEL.id, WORK.id}
    routes = {line["route"] for line in logged if line["event"] == "answered"}
    assert {"/work/v1/counters", f"/{FIRST}/v1/counters"} <= routes
    assert not [route for route in routes if route.endswith(("/v1/reports", "/v1/deletions"))]
    for secret in (*site.tokens.values(), site.whole):
        assert secret not in site.server.stderr


def test_a_plan_file_that_changes_changes_nothing(site: Site) -> None:
    (site.server.plan_file / "work.json").write_bytes(people("another").to_bytes())
    (site.server.plan_file / "more.json").write_bytes(people("more").to_bytes())
    assert site.under("work").get("/v1/plan").body == WORK.to_bytes()
    shown = site.under("work").get("/v1/means?attribute=hours", site.tokens["work"])
    assert shown.status in (200, 422)
    assert site.server.get("/more/v1/plan").status == 404


def test_it_is_well_afterwards(site: Site) -> None:
    assert site.server.get("/health").status == 200
    assert "Traceback" not in site.server.stderr
