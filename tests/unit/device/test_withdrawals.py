"""Withdrawals: kept until they are answered, and the report never leaves again."""

import json
from pathlib import Path

import pytest

from discretion.budget import Budget
from discretion.device import Delivery, Device, Outcome, State, UploadClient
from discretion.errors import CollectorError, RecordError, TokenNeeded
from discretion.plan import Plan
from tests.plans import secret_commuters
from tests.scripted import (
    DELETIONS,
    REPORTS,
    Collector,
    Handler,
    Step,
    Time,
    content,
    hang_up,
    honest,
    lose_the_answer,
    refuse,
    say,
)

PROBLEM = "application/problem+json"
RECORD = {"mode": "bike", "income": 31_257}


def test_a_report_is_withdrawn_with_its_receipt(
    collector: Collector, client: UploadClient, sealed: Device
) -> None:
    client.deliver()
    assert client.withdraw() == Delivery(0, Outcome.DELETED, withdrawal=True)
    receipt = sealed.receipt()
    assert receipt is not None
    assert [json.loads(body) for body in collector.posted(DELETIONS)] == [
        {"receipt": receipt.hex()}
    ]
    assert collector.kept == {}
    assert client.withdraw() == Delivery(0, Outcome.DELETED, withdrawal=True)
    assert len(collector.posted(DELETIONS)) == 1
    assert client.deliver() == []


def test_a_withdrawal_is_kept_until_it_is_answered_and_the_report_never_leaves(
    collector: Collector, plan: Plan, sealed: Device, path: Path, time: Time
) -> None:
    collector.script[DELETIONS] = [say(503), hang_up, refuse(400), say(404), lose_the_answer]
    reasons = []
    with State(path) as state:
        UploadClient(collector.url, state).plan()
        once = time.retry_policy(tries=1)
        reasons.append(UploadClient(collector.url, state, retry=once).withdraw().reason)
    for _ in range(4):
        assert sealed.outbox() == []
        with State(path) as state:
            (delivery,) = UploadClient(collector.url, state, retry=once).deliver()
            assert (delivery.outcome, delivery.withdrawal) == (Outcome.KEPT, True)
            reasons.append(delivery.reason)
    assert [reason[:10] for reason in reasons] == [
        "status 503", "no answer ", "status 400", "status 404", "no answer ",
    ]  # fmt: skip
    with State(path) as state:
        (delivery,) = UploadClient(collector.url, state).deliver()
        assert (delivery.outcome, delivery.settled) == (Outcome.UNKNOWN, True)
        assert state.withdrawn(plan.id, 0) is Outcome.UNKNOWN
        assert UploadClient(collector.url, state).deliver() == []
    assert collector.posted() == []
    assert len(set(collector.posted(DELETIONS))) == 1


@pytest.mark.parametrize(
    "step",
    [
        content(200, b"<h1>We are back soon</h1>", "text/html"),
        content(200, {"outcome": "deleted"}, "text/html"),
        content(200, {"outcome": "deleted"}, PROBLEM),
        content(200, {"outcome": "accepted"}),
        content(200, {"deleted": True}),
        content(200, {"outcome": True}),
        content(200, ["deleted"]),
        content(200, b'"deleted"'),
        content(200, b'{"outcome": "deleted"'),
        say(200),
        say(204),
        say(404),
        say(410),
        content(404, {"outcome": "deleted"}),
        content(404, b"<h1>not here</h1>", "text/html"),
        content(410, b"<h1>gone</h1>", "text/html"),
        content(404, {"type": "about:blank", "status": 404}, PROBLEM),
        content(404, {"type": "https://gateway.example/no-route", "status": 404}, PROBLEM),
        content(404, {"title": "No route", "status": 404}, PROBLEM),
        content(404, {"type": "urn:discretion:problem:unknown_receipt", "status": 404}),
        content(410, {"type": "urn:discretion:problem:unknown_receipt", "status": 404}, PROBLEM),
        content(404, b"[]", PROBLEM),
    ],
)
def test_only_the_collectors_own_answer_settles_a_withdrawal(
    collector: Collector, client: UploadClient, plan: Plan, state: State, step: Step
) -> None:
    client.deliver()
    collector.script[DELETIONS] = [step]
    delivery = client.withdraw()
    assert (delivery.outcome, delivery.settled) == (Outcome.KEPT, False)
    assert delivery.reason.endswith("not a collector's answer")
    assert len(state.withdrawals(plan.id)) == len(collector.kept) == 1
    assert [d.outcome for d in client.deliver()] == [Outcome.DELETED]
    assert collector.kept == {}


def test_a_path_that_the_collector_does_not_know_settles_nothing(
    collector: Collector, client: UploadClient, plan: Plan, state: State
) -> None:
    """As where a proxy rewrites paths: it is the collector's own 404, but not of the receipt."""
    client.deliver()
    unknown = {"type": "urn:discretion:problem:not_found", "status": 404, "title": "Not there."}
    collector.script[DELETIONS] = [content(404, unknown, PROBLEM)]
    assert client.withdraw().outcome is Outcome.KEPT
    assert len(state.withdrawals(plan.id)) == 1
    assert [d.outcome for d in client.deliver()] == [Outcome.DELETED]


def test_a_redirected_withdrawal_is_kept(
    collector: Collector, client: UploadClient, plan: Plan, state: State
) -> None:
    client.deliver()
    collector.script[DELETIONS] = [say(302, Location="https://portal.example/")]
    with pytest.raises(CollectorError, match="redirects to"):
        client.withdraw()
    assert len(state.withdrawals(plan.id)) == 1
    assert client.withdraw().outcome is Outcome.DELETED


def test_a_withdrawal_is_retried_like_a_report(
    collector: Collector, client: UploadClient, time: Time
) -> None:
    client.deliver()
    collector.script[DELETIONS] = [say(500), lose_the_answer]
    assert client.withdraw().outcome is Outcome.DELETED
    assert time.slept == [1.0, 2.0]


def test_a_withdrawal_that_wants_a_token_is_kept(
    collector: Collector, client: UploadClient
) -> None:
    client.deliver()
    collector.script[DELETIONS] = [say(401)]
    with pytest.raises(TokenNeeded):
        client.withdraw()
    assert [d.outcome for d in client.deliver()] == [Outcome.DELETED]


def test_only_a_report_that_there_is_can_be_withdrawn(
    client: UploadClient, collector: Collector
) -> None:
    with pytest.raises(RecordError, match="round: must be one that has a report, got 7"):
        client.withdraw(7)
    assert collector.posted(DELETIONS) == []


def test_a_report_can_be_withdrawn_whatever_plan_the_collector_has_now(
    collector: Collector, state: State, client: UploadClient, sealed: Device, plan: Plan
) -> None:
    client.deliver()
    other = secret_commuters()
    collector.document = other.to_bytes()
    assert UploadClient(collector.url, state).withdraw().outcome is Outcome.DELETED
    sealed.report(RECORD, Budget.of(plan, {"mode": 1}), 1)
    UploadClient(collector.url, state, accept=other).plan()
    with pytest.raises(RecordError):
        UploadClient(collector.url, state).withdraw(1)
    assert UploadClient(collector.url, state, accept=plan.id).withdraw(1).outcome is Outcome.UNKNOWN


def test_a_report_that_is_withdrawn_between_two_tries_is_not_tried_again(
    collector: Collector, client: UploadClient, plan: Plan, path: Path
) -> None:
    def withdrawn(handler: Handler) -> None:
        with State(path) as other:
            other.withdraw(plan.id, 0)
        say(503)(handler)

    collector.script[REPORTS] = [withdrawn]
    (delivery,) = client.deliver()
    assert (delivery.outcome, delivery.withdrawal) == (Outcome.UNKNOWN, True)
    assert len(collector.posted()) == 1


def test_a_report_that_arrives_after_it_was_withdrawn_is_deleted_all_the_same(
    collector: Collector, client: UploadClient, path: Path
) -> None:
    """Another process withdraws while this one's request is on its way."""

    def withdrawn(handler: Handler) -> None:
        with State(path) as other:
            assert UploadClient(collector.url, other).withdraw().outcome is Outcome.UNKNOWN
        honest(handler)

    collector.script[REPORTS] = [withdrawn]
    assert client.deliver() == [
        Delivery(0, Outcome.ACCEPTED),
        Delivery(0, Outcome.DELETED, withdrawal=True),
    ]
    assert collector.kept == {}
