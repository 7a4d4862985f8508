"""What the server answers is what the library says of the exported reports."""

import json
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from discretion.aggregate import Aggregate
from discretion.budget import Budget
from discretion.comparisons import fits
from discretion.device import Device, State
from discretion.errors import DiscretionError
from discretion.estimate.documents.checks import MarginShape
from discretion.joints import joint
from discretion.labels.frequencies import METHODS, frequencies
from discretion.numbers import mean, quantiles
from discretion.numbers.moments import METHODS as MEAN_METHODS
from discretion.plan import Plan
from discretion.robustness.joint_bound import joint_margin
from discretion.robustness.number_bound import margin, quantile_margin
from discretion.robustness.number_screening import screen
from discretion.statistics.answers import SHARES
from discretion.table import ReportTable
from tests.builders import bundled_survey, secret_survey
from tests.collector.crowds import crowd, exported, reports_of, send_all
from tests.collector.serving import Reply, Server
from tests.plans import HOME, INCOME, MODE, RANGES, author


def coded_and_ranged() -> Plan:
    """Words of bits in cohorts, and numbers, of which one may be told in parts of its range."""
    mechanism = {"rappor": {"hashes": 2, "bits": 14, "cohorts": 3}}
    age = {"name": "age", "kind": "numeric", "range": [16, 100], "step": 1}
    asked = [{**MODE, "mechanism": mechanism}, HOME, {**INCOME, "ranges": RANGES}, age]
    return Plan.of(author(attributes=asked))


LEVELS = [0.1, 0.5, 0.9]
OWNERS = 1500
PLANS: Mapping[str, Callable[[], Plan]] = {
    "bundled": bundled_survey,
    "secret": secret_survey,
    "coded": coded_and_ranged,
}
NUMBERS = ("coded",)
PAIRS = {"secret": "mode,pet", "bundled": "mode,pet", "coded": "mode,home"}


@pytest.fixture(
    scope="module",
    params=["bundled", pytest.param("secret", marks=pytest.mark.slow), "coded"],
)
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    plan = PLANS[request.param]()
    with Server(tmp_path_factory.mktemp("estimates"), plan) as running:
        running.key = request.param  # type: ignore[attr-defined]
        outcomes = send_all(running, reports_of(crowd(plan, OWNERS, 11)))
        assert set(outcomes) == {"accepted"}
        yield running


def key_of(server: Server) -> str:
    key: str = server.key  # type: ignore[attr-defined]
    return key


@pytest.fixture
def table(server: Server, tmp_path: Path) -> ReportTable:
    return exported(server, tmp_path)


def same(reply: Reply, work: Callable[[], Mapping[str, Any]]) -> bool:
    """Whether an answer is what the library works out, or a refusal where it refuses.

    Numbers are equal to the last bit: both do the same sums in the same order.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            wanted: Any = json.loads(json.dumps(work()))
        except DiscretionError as error:
            wanted = str(error)
    if isinstance(wanted, str):
        assert reply.status in (404, 422), reply
        assert reply.json()["detail"] == wanted
        return False
    assert reply.status == 200, reply
    found = reply.json()
    assert found.pop("round") == 0
    assert isinstance(found.pop("warnings"), list)
    found.pop("weights", None)
    assert found == wanted
    return True


def margins(data: ReportTable | Aggregate, name: str) -> list[MarginShape]:
    return [margin(data, name, share).document() for share in SHARES]


def test_counts_are_those_of_the_library_to_the_last_byte(
    server: Server, table: ReportTable
) -> None:
    reply = server.get("/v1/aggregates")
    assert reply.body.decode() == Aggregate.of(table).to_json()
    assert reply.headers["content-type"] == "application/json"


def test_frequencies_are_those_of_the_library_by_every_method(
    server: Server, table: ReportTable
) -> None:
    counted, answered = Aggregate.of(table), 0
    for name in server.plan.names:
        for method in ("auto", *METHODS):
            data = table if method in ("mle", "blind") else counted

            def work(
                name: str = name, method: str = method, data: ReportTable | Aggregate = data
            ) -> dict[str, Any]:
                found = frequencies(data, name, method).document()
                return {**found, "margins": margins(data, name)}

            answered += same(server.get(f"/v1/frequencies?{query(name, method)}"), work)
    assert answered >= 2


def query(attribute: str, method: str | None = None) -> str:
    named = f"attribute={attribute.replace('+', '%2B')}"
    return named if method is None else f"{named}&method={method}"


def test_targets_and_caps_are_passed_on(server: Server, table: ReportTable) -> None:
    name, data = server.plan.names[0], Aggregate.of(table)

    def work(target: str, cap: float | None) -> dict[str, Any]:
        found = frequencies(data, name, "auto", target, cap).document()
        return {**found, "margins": [margin(data, name, s, cap).document() for s in SHARES]}

    path = f"/v1/frequencies?attribute={name}"
    same(server.get(f"{path}&target=owners"), partial(work, "owners", None))
    same(server.get(f"{path}&cap=0.4"), partial(work, "population", 0.4))


def test_means_and_quantiles_are_those_of_the_library(server: Server, table: ReportTable) -> None:
    data, answered = Aggregate.of(table), 0
    for name in server.plan.names:
        for method in ("auto", *MEAN_METHODS):

            def work(name: str = name, method: str = method) -> dict[str, Any]:
                found = mean(data, name, method).document()
                return {**found, "margins": margins(data, name)}

            answered += same(server.get(f"/v1/means?{query(name, method)}"), work)

        def curve(name: str = name, shares: tuple[float, ...] = ()) -> dict[str, Any]:
            bounds = [quantile_margin(data, name, s, LEVELS).document() for s in shares]
            return {**quantiles(data, name, LEVELS).document(), "margins": bounds}

        path = f"/v1/quantiles?{query(name)}&{'&'.join(f'at={level}' for level in LEVELS)}"
        answered += same(server.get(path), curve)
        same(server.get(f"{path}&margins=true"), partial(curve, shares=SHARES))
    assert answered >= 4 or key_of(server) not in NUMBERS


def test_joint_tables_are_those_of_the_library(server: Server, table: ReportTable) -> None:
    if key_of(server) not in PAIRS:
        return
    pair = PAIRS[key_of(server)].split(",")

    def work() -> dict[str, Any]:
        try:
            shown = [joint_margin(table, pair, share).document() for share in SHARES]
        except DiscretionError:
            shown = [m for name in pair for m in margins(Aggregate.of(table), name)]
        return {**joint(table, pair).document(), "margins": shown}

    named = "&".join(f"attributes={name}" for name in pair)
    assert same(server.get(f"/v1/joints?{named}"), work)


def test_screenings_are_those_of_the_library(server: Server, table: ReportTable) -> None:
    data = Aggregate.of(table)
    answered = [
        same(
            server.get(f"/v1/screenings?{query(name)}"),
            lambda name=name: screen(data, name).document(),  # type: ignore[misc]
        )
        for name in server.plan.names
    ]
    assert any(answered)


def test_fits_are_those_of_the_library(server: Server, table: ReportTable) -> None:
    name = server.plan.names[0]
    shares = [1 / size for size in [len(server.plan.questions[name].labels)] for _ in range(size)]
    listed = "&".join(f"shares={share}" for share in shares)
    path = f"/v1/fits?{query(name)}"
    same(server.get(f"{path}&{listed}"), lambda: fits(Aggregate.of(table), name, shares).document())
    assert server.get(path).status == 422


def test_rows_are_synthetic_ones_of_this_plan(server: Server) -> None:
    if key_of(server) != "bundled":
        return
    reply = server.get("/v1/rows?count=50")
    assert reply.status == 200, reply
    head, *rows = reply.body.decode().splitlines()
    assert head.replace('"', "").split(",") == list(server.plan.attributes)
    assert len(rows) == 50


def test_answers_agree_while_uploads_go_on(server: Server, tmp_path: Path) -> None:
    """Each is of one moment; when all is sent, counts and the file agree again."""
    more = reports_of(crowd(server.plan, 1500, 12))
    before = json.loads(server.get("/v1/aggregates").body)
    sending = threading.Thread(target=send_all, args=(server, more, 50))
    sending.start()
    asked = 0
    while sending.is_alive():
        assert server.get("/v1/aggregates").status == 200
        assert server.get(f"/v1/frequencies?{query(server.plan.names[0])}").status == 200
        asked += 1
    sending.join()
    assert asked > 0
    after = exported(server, tmp_path)
    assert len(after) > len(more)
    reply = server.get("/v1/aggregates")
    assert reply.body.decode() == Aggregate.of(after).to_json()
    assert json.loads(reply.body) != before


def test_answers_agree_after_deletions(server: Server, tmp_path: Path) -> None:
    if key_of(server) != "bundled":
        return
    receipts = []
    for level in (0.25, 1.0, 2.0) * 3:
        with State() as state:
            device = Device(server.plan, state)
            body = device.report({"pet": "dog"}, Budget.of(server.plan, {"pet": level})).to_bytes()
            assert server.upload(body).status == 201
            receipts.append(device.receipt(0))
    with_all = server.get("/v1/aggregates").body
    for receipt in receipts[::2]:
        assert receipt is not None
        assert server.withdraw(receipt).status == 200
    table = exported(server, tmp_path)
    counted = server.get("/v1/aggregates").body
    assert counted.decode() == Aggregate.of(table).to_json()
    assert counted != with_all

    def work() -> dict[str, Any]:
        data = Aggregate.of(table)
        return {**frequencies(data, "pet").document(), "margins": margins(data, "pet")}

    assert same(server.get("/v1/frequencies?attribute=pet"), work)


def test_an_empty_round_has_no_estimates_but_counts(server: Server, tmp_path: Path) -> None:
    server.post("/v1/rounds", b'{"round":3}')
    name = server.plan.names[0]
    assert server.get(f"/v1/frequencies?{query(name)}&round=3").status == 422
    table = exported(server, tmp_path, round=3)
    assert len(table) == 0
    assert server.get("/v1/aggregates?round=3").body.decode() == (
        Aggregate(server.plan, 3).to_json()
    )
