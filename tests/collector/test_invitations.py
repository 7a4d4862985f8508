"""Invitations: a link works once, on any device, however many there are and whatever is tried."""

import csv
import json
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from discretion.cli.main import main
from discretion.collector.store.backup import backup
from discretion.crowd import simulate
from discretion.plan import Plan
from tests.collector.crowds import assert_problem, reports_of
from tests.collector.serving import HOURS, LEVELS, PEOPLE, PET, WHO, Reply, Server, people, sealed

PLAN = people()
MANY, RETRIES = 500, 20


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(
        tmp_path_factory.mktemp("invited"), PLAN, open="analyse,operate", once=True, log="debug"
    ) as running:
        yield running


@pytest.fixture
def invite(server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., int]:
    """Call ``discretion invite`` in an empty folder; return its exit status."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCRETION_STORE", server.store)

    def call(*words: str) -> int:
        monkeypatch.setattr(sys, "argv", ["discretion", "invite", *words])
        with pytest.raises(SystemExit) as end:
            main()
        return int(end.value.code or 0)

    return call


def codes(path: str) -> list[str]:
    with open(path, encoding="utf-8") as file:
        return [row["code"] for row in csv.DictReader(file)]


def state(server: Server, code: str) -> str:
    return str(server.get("/v1/invitation", code).json()["state"])


def is_refused(reply: Reply) -> bool:
    problem = assert_problem(reply, 422, "refused")
    return (problem["reason"], problem["detail"]) == ("credential_used", "this invitation was used")


def test_five_hundred_are_made_and_each_sends_one_report(
    server: Server, invite: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        invite("--count", str(MANY), "--address", "https://town.example/s", "-o", "town.csv") == 0
    )
    found = codes("town.csv")
    assert len(set(found)) == MANY
    for name in ("town.csv", "town.html"):
        assert stat.S_IMODE(Path(name).stat().st_mode) == 0o600
    page = Path("town.html").read_text("utf-8")
    assert page.count("<svg") == MANY
    assert all(f"https://town.example/s/<wbr>#token={code}" in page for code in found)
    n = MANY + RETRIES
    records = {"who": [7] * n, "pet": [None] * n, "hours": [0.5] * n}
    bodies = reports_of(simulate(PLAN, records, budgets="levels", seed=1))
    used = [server.upload(body, token=code) for body, code in zip(bodies, found, strict=False)]
    assert {reply.status for reply in used} == {201}
    for code, own, other in zip(found, bodies[:RETRIES], bodies[MANY:], strict=False):
        assert server.upload(own, token=code).json()["outcome"] == "duplicate"  # a retry
        assert is_refused(server.upload(other, token=code))
    assert server.get("/v1/counters").json()["accepted"] == MANY
    capsys.readouterr()
    assert invite("list") == 0
    assert " ".join(capsys.readouterr().out.split()).count(f"people {PLAN.id[:12]} 0 {MANY} 0") == 1


def test_no_code_is_in_what_is_kept_written_or_sent_back(
    server: Server, invite: Callable[..., int], tmp_path: Path
) -> None:
    """Not in the store and its log, a back-up, an export, what the server prints, or a report."""
    invite("--count", "3", "-o", "quiet.csv")
    found = codes("quiet.csv")
    reports = [sealed(PLAN, who) for who in range(5001, 5004)]
    replies = [server.upload(r.body, token=code) for r, code in zip(reports, found, strict=True)]
    replies += [server.upload(reports[0].body, token=f"{code}x") for code in found]
    replies += [server.get(path, code) for path in ("/v1/invitation", "/") for code in found]
    replies += [server.withdraw(reports[0].receipt, found[0]), server.get("/v1/acts")]
    replies += [server.get("/v1/export"), server.get("/metrics"), server.get("/v1/counters")]
    place = Path(server.store.removeprefix("sqlite:///"))
    backup(server.store, tmp_path / "copy.db")
    kept = [path.read_bytes() for path in (*place.parent.glob(f"{place.name}*"), Path("copy.db"))]
    assert len(kept) >= 3
    for code in found:
        assert not any(code.encode() in part for part in kept)
        assert code not in server.stderr
        assert not any(code in repr(reply) for reply in replies)


def test_it_stays_used_in_later_rounds_and_after_a_deletion(
    server: Server, invite: Callable[..., int]
) -> None:
    invite("--count", "1", "-o", "one.csv")
    [code] = codes("one.csv")
    first, second = sealed(PLAN, 1001), sealed(PLAN, 1002)
    assert state(server, code) == "open"
    assert server.upload(first.body, token=code).status == 201
    assert state(server, code) == "used"
    assert server.withdraw(first.receipt, code).status == 200
    assert is_refused(server.upload(second.body, token=code))


def test_forged_revoked_and_foreign_invitations_send_nothing(
    server: Server, invite: Callable[..., int], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    other = Plan.from_bytes(PLAN.to_bytes().replace(b'"people"', b'"others"'))
    (tmp_path / "other.json").write_bytes(other.to_bytes())
    invite("--count", "3", "-o", "three.csv")
    invite("--count", "1", "-o", "other.csv", "--plan", "other.json")
    gone, linked, listed = codes("three.csv")
    [foreign] = codes("other.csv")
    body = sealed(PLAN, 2001).body
    capsys.readouterr()
    invite("revoke", gone, f"https://town.example/#token={linked}")
    invite("revoke", "--list", "three")
    assert capsys.readouterr().out.split("\n")[:2] == ["2 revoked", "1 revoked"]
    for code in (gone, linked, listed):
        assert state(server, code) == "revoked"
    for code in (gone, foreign, "forged", gone + "A", "x" * 300):
        assert_problem(server.upload(body, token=code), 401, "unauthorised")
    for code in (foreign, "forged", "x" * 300):
        assert_problem(server.get("/v1/invitation", code), 401, "unauthorised")
    assert_problem(server.get("/v1/invitation"), 401, "unauthorised")
    used = [act["detail"] for act in server.get("/v1/acts").json() if act["act"] == "invite"]
    assert not any(code in json.dumps(used) for code in (gone, linked, listed))


def test_a_used_one_is_not_revoked(
    server: Server, invite: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    invite("--count", "1", "-o", "late.csv")
    [code] = codes("late.csv")
    report = sealed(PLAN, 3001)
    assert server.upload(report.body, token=code).status == 201
    capsys.readouterr()
    invite("revoke", code)
    assert capsys.readouterr().out == "0 revoked\n"
    assert server.withdraw(report.receipt, code).status == 200  # it deletes its report still


BAD: Mapping[str, tuple[str, ...]] = {
    "count must be a whole number": ("--count", "0", "-o", "x.csv"),
    "address must be such as": ("--count", "1", "--address", "town.example", "-o", "x.csv"),
    "must not end in .html": ("--count", "1", "-o", "x.html"),
    "File exists": ("--count", "1", "-o", "there.csv"),
    "name codes, or a list": ("revoke",),
}


def test_what_cannot_be_made_leaves_no_file(
    invite: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("there.csv").write_text("mine")
    for message, words in BAD.items():
        assert invite(*words) == 1, words
        assert message in " ".join(capsys.readouterr().err.split())
    assert [path.name for path in Path().iterdir()] == ["there.csv"]
    assert Path("there.csv").read_text() == "mine"


def test_a_plan_that_words_it_anew_takes_the_invitations_that_are_out(
    server: Server, invite: Callable[..., int], tmp_path: Path
) -> None:
    invite("--count", "1", "-o", "early.csv")
    [code] = codes("early.csv")
    asked = [{**WHO, "values": list(range(PEOPLE))}, PET, HOURS]
    stated = {"name": "people", "attributes": asked, "budget": LEVELS}
    newer = Plan.of({**stated, "title": "People", "replaces": PLAN.id})
    assert newer.law_id == PLAN.law_id
    with Server(tmp_path, newer, store=server.store, once=True, open="analyse") as later:
        assert state(later, code) == "open"
        assert later.upload(sealed(newer, 4001).body, token=code).status == 201
    assert state(server, code) == "used"
