"""A collector's plan: checked and pinned at the first contact; another one is refused."""

import hashlib
from pathlib import Path

import pytest

from discretion.budget import Budget
from discretion.device import Device, State, UploadClient
from discretion.errors import CollectorError, CollectorUnreachable, PlanChanged, PlanError
from discretion.plan import Plan
from tests.plans import author, secret_commuters
from tests.scripted import (
    PLAN,
    Collector,
    Handler,
    honest,
    refuse,
    serve_document,
)

RECORD = {"mode": "bike", "income": 31_257}


def test_a_plan_is_pinned_at_the_first_contact_and_then_only_asked_after(
    collector: Collector, plan: Plan, path: Path
) -> None:
    for _ in range(2):
        with State(path) as state:
            assert UploadClient(collector.url + "/", state).plan() == plan
            assert state.pinned(collector.url) == (plan.id, plan.to_bytes())
    first, second = collector.got
    assert "if-none-match" not in first.headers
    assert second.headers["if-none-match"] == f'"{plan.id}"'


def test_another_plan_is_refused_and_nothing_is_sent_unless_it_is_named(
    collector: Collector, client: UploadClient, state: State, plan: Plan
) -> None:
    client.plan()
    other = secret_commuters()
    collector.document = other.to_bytes()
    for accept in (None, plan, plan.id):
        with pytest.raises(PlanChanged, match=f"{plan.id}, got {other.id}") as refused:
            UploadClient(collector.url, state, accept=accept).deliver()
        assert (refused.value.known, refused.value.offered) == (plan.id, other.id)
    assert collector.posted() == []
    assert UploadClient(collector.url, state, accept=other.id).plan() == other
    assert UploadClient(collector.url, state).plan() == other


@pytest.mark.usefixtures("sealed")
def test_a_plan_can_be_named_from_the_start(collector: Collector, state: State, plan: Plan) -> None:
    with pytest.raises(PlanChanged):
        UploadClient(collector.url, state, accept=secret_commuters()).deliver()
    assert state.pinned(collector.url) is None
    assert collector.posted() == []
    assert UploadClient(collector.url, state, accept=plan).plan() == plan


@pytest.mark.parametrize("accept", ["", "abc", "A" * 64])
def test_what_is_no_id_is_refused(state: State, accept: str) -> None:
    with pytest.raises(CollectorError, match="64 hexadecimal digits"):
        UploadClient("https://collector.example", state, accept=accept)


def test_of_two_first_contacts_the_first_one_counts(
    collector: Collector, state: State, path: Path, plan: Plan
) -> None:
    other = secret_commuters()

    def meanwhile(handler: Handler) -> None:
        with State(path) as quicker:
            quicker.pin(collector.url, other.id, other.to_bytes())
        honest(handler)

    collector.script[PLAN] = [meanwhile]
    with pytest.raises(PlanChanged) as refused:
        UploadClient(collector.url, state).plan()
    assert (refused.value.known, refused.value.offered) == (other.id, plan.id)


@pytest.mark.parametrize("tag", ["", '"abc"', "unquoted", '"{other}"'])
def test_a_plan_that_is_not_what_its_tag_says_is_refused(
    collector: Collector, client: UploadClient, plan: Plan, state: State, tag: str
) -> None:
    tag = tag.replace("{other}", secret_commuters().id)
    collector.script[PLAN] = [serve_document(plan.to_bytes(), tag)]
    with pytest.raises(CollectorError, match="must have its own SHA-256 as ETag"):
        client.plan()
    assert state.pinned(collector.url) is None


@pytest.mark.parametrize("change", [b" ", b"{}", b"[1]", b"\xff"])
def test_bytes_that_are_no_plan_are_refused_whatever_their_tag(
    collector: Collector, client: UploadClient, plan: Plan, state: State, change: bytes
) -> None:
    document = plan.to_bytes() + change if change == b" " else change
    tag = f'"{hashlib.sha256(document).hexdigest()}"'
    collector.script[PLAN] = [serve_document(document, tag)]
    with pytest.raises(PlanError):
        client.plan()
    assert state.pinned(collector.url) is None


def test_what_has_no_plan_is_no_collector(collector: Collector, client: UploadClient) -> None:
    collector.script[PLAN] = [refuse(404)]
    with pytest.raises(CollectorError, match=r"has no plan .status 404.*is it a collector's"):
        client.plan()


def test_an_answer_without_end_is_refused(
    client: UploadClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discretion.device.transport.LONGEST", 100)
    with pytest.raises(CollectorUnreachable, match="the answer is too long"):
        client.plan()


def test_reports_of_another_plan_stay_where_they_are(
    collector: Collector, client: UploadClient, state: State
) -> None:
    other = Plan.of(author(name="another"))
    Device(other, state).report(RECORD, Budget.of(other, {"mode": 1}))
    assert len(client.deliver()) == len(collector.kept) == 1
    assert len(Device(other, state).outbox()) == 1
