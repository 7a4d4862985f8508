"""The upload client: the same bytes on every attempt, and what each answer of a collector means."""

from pathlib import Path

import pytest

from discretion.budget import Budget
from discretion.collector import problems
from discretion.device import Delivery, Device, Fate, Outcome, RetryPolicy, State, UploadClient
from discretion.device.upload import ABSENT, FINAL, GONE, OWN
from discretion.errors import CollectorError, CollectorUnreachable, TokenNeeded
from discretion.plan import Plan
from tests.scripted import (
    PLAN,
    REPORTS,
    Collector,
    Step,
    Time,
    content,
    drip,
    half_the_answer,
    hang_up,
    honest,
    lose_the_answer,
    nonsense,
    read_and_hang_up,
    refuse,
    say,
    stall,
)

RECORD = {"mode": "bike", "income": 31_257}
UNDONE = 0.3  # seconds: a timeout for answers that never come whole


def test_a_report_is_sent_as_it_was_sealed_and_acknowledged(
    collector: Collector, client: UploadClient, sealed: Device
) -> None:
    ((_, message),) = sealed.outbox()
    assert client.deliver() == [Delivery(0, Outcome.ACCEPTED)]
    assert collector.posted() == [message] == list(collector.kept.values())
    assert sealed.outbox() == []
    assert sealed.fate() == Fate(Outcome.ACCEPTED)
    assert client.deliver() == []
    assert len(collector.posted()) == 1


def test_a_request_reveals_only_what_it_must(collector: Collector, client: UploadClient) -> None:
    client.deliver()
    host = collector.url.removeprefix("http://")
    common = {"host", "user-agent", "accept", "accept-encoding", "connection"}
    fetched, posted = collector.got
    assert set(fetched.headers) == common
    assert set(posted.headers) == common | {"content-type", "content-length"}
    for got in collector.got:
        assert got.headers["host"] == host
        assert got.headers["user-agent"] == "discretion"
        assert got.headers["accept-encoding"] == "identity"
    assert posted.headers["content-type"] == "application/json"


@pytest.mark.usefixtures("sealed")
def test_a_token_is_shown(collector: Collector, state: State) -> None:
    UploadClient(collector.url, state, token="s3cret").deliver()
    assert {got.headers["authorization"] for got in collector.got} == {"Bearer s3cret"}


@pytest.mark.parametrize("token", ["", "two words", "new\nline", "schlüssel"])
def test_a_token_that_is_none_is_refused_and_not_repeated(state: State, token: str) -> None:
    with pytest.raises(CollectorError, match=r"a token must be ASCII without blanks$"):
        UploadClient("https://collector.example", state, token=token)


@pytest.mark.parametrize(
    "step, stored",
    [
        (hang_up, False),
        (read_and_hang_up, False),
        (lose_the_answer, True),
        (half_the_answer, True),
        (nonsense, False),
        (say(500), False),
        (say(503), False),
        (say(507), False),
        (say(429, Retry_After="3"), False),
        (say(408), False),
    ],
)
def test_after_a_failure_the_same_bytes_are_sent_again_and_acknowledged_once(
    collector: Collector, client: UploadClient, sealed: Device, time: Time, step: Step, stored: bool
) -> None:
    ((_, message),) = sealed.outbox()
    collector.script[REPORTS] = [step, step]
    expected = Outcome.DUPLICATE if stored else Outcome.ACCEPTED
    assert client.deliver() == [Delivery(0, expected)]
    assert set(collector.posted()) == {message}
    assert len(collector.posted()) == (1 if step is hang_up else 3)
    assert len(time.slept) == 2
    assert list(collector.kept.values()) == [message]
    assert sealed.outbox() == []
    assert sealed.spent == 4000


PROBLEM = "application/problem+json"
FOREIGN: list[Step] = [
    say(200),
    say(204),
    say(404),
    say(410),
    say(413),
    content(200, b"<h1>Welcome</h1>", "text/html"),
    content(200, {"outcome": "accepted"}, "text/html"),
    content(200, {"outcome": "accepted"}, PROBLEM),
    content(200, {"outcome": "deleted"}),
    content(200, {"outcome": ["accepted"]}),
    content(200, {"status": "ok"}),
    content(200, ["accepted"]),
    content(200, b"{"),
    content(422, b"<h1>no</h1>", "text/html"),
    content(410, {"type": "about:blank", "status": 410}, PROBLEM),
    content(422, {"type": "https://gateway.example/refused", "status": 422}, PROBLEM),
    content(422, {"title": "no type", "status": 422}, PROBLEM),
    content(422, {"type": ["urn:discretion:problem:refused"], "status": 422}, PROBLEM),
    content(400, {"type": "urn:discretion:problem:refused", "status": 422}, PROBLEM),
    content(422, {"type": "urn:discretion:problem:refused", "status": 422}),
]


def test_the_collector_and_the_device_agree_on_the_names_of_problems() -> None:
    assert problems.PREFIX == OWN
    assert {*FINAL, GONE, ABSENT} <= problems.PROBLEMS.keys()


def test_an_answer_that_is_not_a_collectors_keeps_the_report(
    collector: Collector, client: UploadClient, sealed: Device
) -> None:
    """A hotel's portal answers 200 to everything, and gateways have problem documents too."""
    collector.script[REPORTS] = list(FOREIGN)
    for _ in FOREIGN:
        ((_, message),) = sealed.outbox()
        (delivery,) = client.deliver()
        assert delivery.outcome is Outcome.KEPT
        assert delivery.reason.endswith("not a collector's answer")
        assert sealed.outbox() == [(0, message)]
    assert client.deliver() == [Delivery(0, Outcome.ACCEPTED)]


@pytest.mark.parametrize("step", [stall, drip])
@pytest.mark.usefixtures("sealed")
def test_an_answer_that_does_not_come_in_time_is_none(
    collector: Collector, state: State, time: Time, step: Step
) -> None:
    collector.script[REPORTS] = [step]
    client = UploadClient(collector.url, state, timeout=UNDONE, retry=time.retry_policy())
    assert client.deliver() == [Delivery(0, Outcome.ACCEPTED)]
    assert len(set(collector.posted())) == 1
    assert len(time.slept) == 1


def test_patience_has_an_end_and_the_report_is_kept(
    collector: Collector, client: UploadClient, sealed: Device, time: Time
) -> None:
    outbox = sealed.outbox()
    collector.script[REPORTS] = [say(500)] * 5
    assert client.deliver() == [Delivery(0, Outcome.KEPT, "status 500; tried 5 times")]
    assert time.slept == [1.0, 2.0, 4.0, 8.0]
    assert sealed.outbox() == outbox
    assert sealed.fate() is None
    assert client.deliver() == [Delivery(0, Outcome.ACCEPTED)]
    assert set(collector.posted()) == {outbox[0][1]}


def test_when_patience_ends_the_other_rounds_are_kept_untried(
    collector: Collector, state: State, sealed: Device, budget: Budget, time: Time
) -> None:
    sealed.report(RECORD, budget, 1)
    collector.script[REPORTS] = [say(503)]
    client = UploadClient(collector.url, state, retry=time.retry_policy(tries=1))
    assert client.deliver() == [
        Delivery(0, Outcome.KEPT, "status 503"),
        Delivery(1, Outcome.KEPT, "status 503"),
    ]
    assert len(collector.posted()) == 1


@pytest.mark.parametrize(
    "asked, waited",
    [
        ("7", 8.0),
        ("Sun, 09 Sep 2001 01:46:47 GMT", 8.0),
        ("Sun, 09 Sep 2001 01:46:47 -0000", 8.0),
        ("Sun, 09 Sep 2001 01:46:33 GMT", 1.0),
        ("soon", 1.0),
        ("-5", 1.0),
        ("Sun, 99 Sep 2001 01:46:47 GMT", 1.0),
    ],
)
def test_a_collector_can_ask_to_come_later(
    collector: Collector, client: UploadClient, time: Time, asked: str, waited: float
) -> None:
    """The clock of dates stands at 1e9 seconds: 2001-09-09, 01:46:40."""
    collector.script[REPORTS] = [say(429, Retry_After=asked)]
    client.deliver()
    assert time.slept == [waited]


def test_a_wait_that_is_too_long_is_not_begun(
    collector: Collector, client: UploadClient, time: Time
) -> None:
    collector.script[REPORTS] = [say(503, Retry_After="86400")]
    assert client.deliver() == [Delivery(0, Outcome.KEPT, "status 503")]
    assert time.slept == []


def test_waits_are_jittered_in_full_and_have_a_ceiling() -> None:
    retry = RetryPolicy(first=1, ceiling=60, dice=lambda: 0.25)
    assert [retry.wait(n) for n in (1, 2, 3, 6, 7, 500)] == [0.25, 0.5, 1, 8, 15, 15]
    assert retry.wait(2, asked=10) == 10.5
    assert {0 <= RetryPolicy().wait(1) < 1 for _ in range(100)} == {True}


@pytest.mark.parametrize(
    "step, reason",
    [
        (refuse(400, title="Bad"), "status 400: Bad"),
        (refuse(409, detail="other bytes"), "status 409: A problem: other bytes"),
        (refuse(413), "status 413: A problem"),
        (refuse(415), "status 415: A problem"),
        (
            refuse(422, reason="over_budget", detail="level 7 is above 6"),
            "status 422: over_budget: level 7 is above 6",
        ),
        (refuse(422, reason="\x1b[2Jclear\n\x07"), "status 422: [2Jclear"),
    ],
)
def test_a_report_that_is_refused_is_dropped_with_its_reason_and_its_round_stays_sealed(
    collector: Collector,
    client: UploadClient,
    sealed: Device,
    budget: Budget,
    step: Step,
    reason: str,
) -> None:
    ((_, message),) = sealed.outbox()
    collector.script[REPORTS] = [step]
    (delivery,) = client.deliver()
    assert delivery == Delivery(0, Outcome.DROPPED, reason)
    assert not delivery.settled
    assert sealed.fate() == Fate(Outcome.DROPPED, reason)
    assert client.deliver() == []
    assert collector.posted() == [message]
    assert sealed.report(RECORD, budget).to_bytes() == message
    assert client.deliver() == []
    assert sealed.spent == 4000


@pytest.mark.parametrize("name, status", [("not_found", 404), ("method_not_allowed", 405)])
def test_a_collectors_problem_with_the_address_keeps_the_report(
    collector: Collector, client: UploadClient, sealed: Device, name: str, status: int
) -> None:
    """A proxy that changes the path makes a collector say so; the report may be good."""
    document = {"type": OWN + name, "title": "Elsewhere", "status": status}
    collector.script[REPORTS] = [content(status, document, PROBLEM)]
    assert client.deliver() == [Delivery(0, Outcome.KEPT, f"status {status}: Elsewhere")]
    assert client.deliver() == [Delivery(0, Outcome.ACCEPTED)]
    assert sealed.outbox() == []


def test_what_a_collector_says_at_length_is_cut(collector: Collector, client: UploadClient) -> None:
    collector.script[REPORTS] = [refuse(422, reason="x" * 10_000)]
    (delivery,) = client.deliver()
    assert len(delivery.reason) == 200


def test_a_report_that_was_deleted_is_settled(collector: Collector, client: UploadClient) -> None:
    collector.script[REPORTS] = [refuse(410)]
    (delivery,) = client.deliver()
    assert (delivery.outcome, delivery.settled) == (Outcome.DELETED, True)
    assert client.deliver() == []


def test_a_round_that_is_not_open_yet_is_kept_and_others_are_sent(
    collector: Collector, client: UploadClient, sealed: Device, budget: Budget, time: Time
) -> None:
    sealed.report(RECORD, budget, 1)
    collector.script[REPORTS] = [refuse(425, detail="round 0 opens later"), honest]
    assert client.deliver() == [
        Delivery(0, Outcome.KEPT, "status 425: A problem: round 0 opens later"),
        Delivery(1, Outcome.ACCEPTED),
    ]
    assert time.slept == []
    assert [round for round, _ in sealed.outbox()] == [0]
    assert client.deliver() == [Delivery(0, Outcome.ACCEPTED)]


@pytest.mark.parametrize("status", [401, 403])
def test_a_token_that_is_needed_is_an_error_and_the_report_is_kept(
    collector: Collector,
    client: UploadClient,
    state: State,
    sealed: Device,
    time: Time,
    status: int,
) -> None:
    outbox = sealed.outbox()
    collector.script[REPORTS] = [say(status)] * 2
    with pytest.raises(TokenNeeded, match=f"a token is needed .status {status}.; nothing is lost"):
        client.deliver()
    with pytest.raises(TokenNeeded, match="another token is needed"):
        UploadClient(collector.url, state, token="old").deliver()
    assert sealed.outbox() == outbox
    assert time.slept == []


@pytest.mark.parametrize("asked", [PLAN, REPORTS])
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_refused(
    collector: Collector, client: UploadClient, sealed: Device, asked: str, status: int
) -> None:
    outbox = sealed.outbox()
    collector.script[asked] = [say(status, Location="http://127.0.0.1:1/elsewhere")]
    with pytest.raises(CollectorError, match=r"redirects to http://127.0.0.1:1/elsewhere, wh"):
        client.deliver()
    assert sealed.outbox() == outbox


def test_an_unasked_304_is_no_answer_to_a_report(
    collector: Collector, client: UploadClient, sealed: Device
) -> None:
    collector.script[REPORTS] = [say(304)]
    with pytest.raises(CollectorError, match="redirects to nowhere"):
        client.deliver()
    assert len(sealed.outbox()) == 1


def test_a_collector_that_is_not_there_is_named(state: State, sealed: Device, time: Time) -> None:
    client = UploadClient("http://127.0.0.1:9", state, retry=time.retry_policy(tries=2))
    with pytest.raises(CollectorUnreachable, match=r"^http://127.0.0.1:9: no answer .* 2 times"):
        client.deliver()
    assert len(sealed.outbox()) == 1


def test_a_device_that_starts_anew_sends_the_same_bytes(
    plan: Plan, budget: Budget, collector: Collector, path: Path, time: Time
) -> None:
    collector.script[REPORTS] = [lose_the_answer, say(500), honest]
    for expected in (Outcome.KEPT, Outcome.KEPT, Outcome.DUPLICATE):
        with State(path) as state:
            Device(plan, state).report(RECORD, budget)
            client = UploadClient(collector.url, state, retry=time.retry_policy(tries=1))
            (delivery,) = client.deliver()
            assert delivery.outcome is expected
    assert len(collector.posted()) == 3
    assert len(set(collector.posted())) == 1
    with State(path) as state:
        assert UploadClient(collector.url, state).deliver() == []
        assert state.spent() == budget.total
