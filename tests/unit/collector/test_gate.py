"""The gate: tokens and roles, how long they are believed, and how often one may come."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.requests import HTTPConnection

from discretion.collector import gate
from discretion.collector.access import Role, Token, Tokens
from discretion.collector.gate import Gate, bearer
from discretion.collector.store import open_database
from discretion.errors import AccessDenied, BodyRefused, Overloaded, SettingError


def coming(authorization: str | None = None, host: str | None = "10.0.0.1") -> HTTPConnection:
    headers = [] if authorization is None else [(b"authorization", authorization.encode("latin-1"))]
    client = None if host is None else (host, 5)
    return HTTPConnection({"type": "http", "headers": headers, "client": client})


@pytest.fixture
def tokens(tmp_path: Path) -> Iterator[Tokens]:
    database = open_database(f"sqlite:///{tmp_path}/tokens.db")
    yield Tokens(database)
    database.close()


def admitted(own: Gate, secret: str | None, role: Role) -> str:
    return asyncio.run(own.admit(coming(None if secret is None else f"Bearer {secret}"), role))


def test_tokens_are_listed_found_and_revoked(tokens: Tokens) -> None:
    secret = tokens.make("ana", frozenset({Role.ANALYSE, Role.UPLOAD}))
    assert len(secret) >= 43
    ana = Token("ana", frozenset({Role.ANALYSE, Role.UPLOAD}))
    assert tokens.listed() == [ana]
    assert tokens.find(secret) == ana
    assert tokens.find(secret + "x") is None
    with pytest.raises(SettingError, match="another token's"):
        tokens.make("ana", frozenset({Role.UPLOAD}))
    assert tokens.revoke("ana")
    assert not tokens.revoke("ana")
    assert tokens.find(secret) is None


def test_only_who_has_the_role_passes(tokens: Tokens) -> None:
    own = Gate(tokens, frozenset({Role.UPLOAD}), "")
    secret = tokens.make("ana", frozenset({Role.ANALYSE}))
    assert admitted(own, None, Role.UPLOAD) == "anybody"
    assert admitted(own, secret, Role.UPLOAD) == "ana"
    assert admitted(own, secret, Role.ANALYSE) == "ana"
    cases = ((secret, Role.OPERATE, True), (None, Role.ANALYSE, False), ("x", Role.ANALYSE, False))
    for shown, role, known in (*cases, ("x", Role.UPLOAD, False)):
        with pytest.raises(AccessDenied) as denied:
            admitted(own, shown, role)
        assert (denied.value.known, denied.value.role) == (known, role)


def test_a_revoked_token_is_forgotten_after_a_while(
    tokens: Tokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Gate(tokens, frozenset(), "")
    secret = tokens.make("ana", frozenset({Role.ANALYSE}))
    now = [1000.0]
    monkeypatch.setattr(gate, "monotonic", lambda: now[0])
    assert admitted(own, secret, Role.ANALYSE) == "ana"
    tokens.revoke("ana")
    assert admitted(own, secret, Role.ANALYSE) == "ana"
    now[0] += gate.FRESH + 0.1
    with pytest.raises(AccessDenied):
        admitted(own, secret, Role.ANALYSE)


def test_secrets_that_are_tried_do_not_fill_the_memory(
    tokens: Tokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "REMEMBERED", 10)
    own = Gate(tokens, frozenset(), "")
    for i in range(25):
        with pytest.raises(AccessDenied):
            admitted(own, f"guess {i}", Role.OPERATE)
        assert len(own._known) <= 10


@pytest.mark.parametrize(
    "header, secret",
    [
        (None, None),
        ("", None),
        ("Bearer", None),
        ("Bearer ", None),
        ("Basic abc", None),
        ("Bearer abc", "abc"),
        ("bearer  abc ", "abc"),
        ("Bearer é", "é"),
    ],
)
def test_a_secret_stands_behind_bearer(header: str | None, secret: str | None) -> None:
    assert bearer(coming(header)) == secret


def test_an_address_is_slowed_down_and_others_are_not(tokens: Tokens) -> None:
    own = Gate(tokens, frozenset(), "2/minute")
    own.slow_down(coming())
    own.slow_down(coming())
    with pytest.raises(Overloaded) as refused:
        own.slow_down(coming())
    assert refused.value.retry is not None
    assert 1 <= refused.value.retry <= 60
    own.slow_down(coming(host="10.0.0.2"))
    own.slow_down(coming(host=None))


def test_a_rate_counts_reports(tokens: Tokens) -> None:
    own = Gate(tokens, frozenset(), "10/minute")
    own.slow_down(coming(), 0)
    own.slow_down(coming(), 7)
    with pytest.raises(Overloaded):
        own.slow_down(coming(), 4)
    own.slow_down(coming(), 3)
    with pytest.raises(Overloaded):
        own.slow_down(coming(), 0)  # so nothing more is read
    own.slow_down(coming(host="10.0.0.2"), 10)


def test_more_reports_than_the_rate_ever_allows_are_not_to_be_sent_again(tokens: Tokens) -> None:
    own = Gate(tokens, frozenset(), "10/minute")
    with pytest.raises(BodyRefused, match="at most 10 reports"):
        own.slow_down(coming(), 11)
    own.slow_down(coming(), 10)


def test_an_address_of_ipv4_is_the_same_however_it_is_written(tokens: Tokens) -> None:
    own = Gate(tokens, frozenset(), "1/minute")
    own.slow_down(coming(host="10.0.0.1"))
    with pytest.raises(Overloaded):
        own.slow_down(coming(host="::ffff:10.0.0.1"))
    own.slow_down(coming(host="::ffff:10.0.0.2"))


def test_without_a_rate_nobody_is_slowed_down(tokens: Tokens) -> None:
    own = Gate(tokens, frozenset(), "")
    for _ in range(1000):
        own.slow_down(coming())


def test_addresses_are_kept_as_hashes_whose_key_is_forgotten_daily(
    tokens: Tokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(gate, "monotonic", lambda: now[0])
    own = Gate(tokens, frozenset(), "1/day")
    first = own._hashed("10.0.0.1")
    assert first == own._hashed("10.0.0.1") != own._hashed("10.0.0.2")
    own.slow_down(coming())
    assert "10.0.0.1" not in repr(vars(own._limiter.storage))
    now[0] += gate.DAY + 1
    assert own._hashed("10.0.0.1") != first


def test_a_token_of_any_length_is_not_remembered(tokens: Tokens) -> None:
    own = Gate(tokens, frozenset(), "")
    with pytest.raises(AccessDenied):
        admitted(own, "x" * 300, Role.UPLOAD)
    with pytest.raises(AccessDenied):
        admitted(own, "x" * 200, Role.UPLOAD)
    assert [len(key) for key in own._known] == [32]


def test_neighbours_of_one_network_share_a_rate(tokens: Tokens) -> None:
    own = Gate(tokens, frozenset(), "1/minute")
    own.slow_down(coming(host="2001:db8::1"))
    with pytest.raises(Overloaded):
        own.slow_down(coming(host="2001:db8::ffff:1"))
    own.slow_down(coming(host="2001:db8:0:1::1"))
    own.slow_down(coming(host="testclient"))
