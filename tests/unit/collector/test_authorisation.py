"""Authorisation for a plan: tokens and roles, and how long they are cached."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from starlette.requests import HTTPConnection

from discretion.collector import authorisation
from discretion.collector.authorisation import COOKIE, Authoriser, bearer
from discretion.collector.errors import AccessDenied, SettingError
from discretion.collector.store import open_database
from discretion.collector.store.database import Database
from discretion.collector.tokens import Role, Token, Tokens
from tests.cases import for_each

PLAN, OTHER = "a" * 64, "b" * 64  # ids of plans


def coming(authorization: str | None = None, host: str | None = "10.0.0.1") -> HTTPConnection:
    headers = [] if authorization is None else [(b"authorization", authorization.encode("latin-1"))]
    client = None if host is None else (host, 5)
    return HTTPConnection({"type": "http", "headers": headers, "client": client})


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(open_database(f"sqlite:///{tmp_path}/tokens.db")) as found:
        yield found


@pytest.fixture
def tokens(database: Database) -> Tokens:
    return Tokens(database)


def admitted(own: Authoriser, secret: str | None, role: Role) -> str:
    shown = None if secret is None else f"Bearer {secret}"
    return asyncio.run(own.authorise(coming(shown), role)).name


def test_tokens_are_listed_found_and_revoked(tokens: Tokens) -> None:
    secret = tokens.make("ana", frozenset({Role.ANALYSE, Role.UPLOAD}))
    assert len(secret) >= 43
    ana = Token("ana", frozenset({Role.ANALYSE, Role.UPLOAD}))
    assert tokens.listed() == [ana]
    assert tokens.find(secret, PLAN) == ana
    assert tokens.find(secret + "x", PLAN) is None
    with pytest.raises(SettingError, match="another token's"):
        tokens.make("ana", frozenset({Role.UPLOAD}))
    assert tokens.revoke("ana")
    assert not tokens.revoke("ana")
    assert tokens.find(secret, PLAN) is None


def test_only_who_has_the_role_passes(database: Database, tokens: Tokens) -> None:
    own = Authoriser(database, PLAN, frozenset({Role.UPLOAD}))
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
    database: Database, tokens: Tokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Authoriser(database, PLAN, frozenset())
    secret = tokens.make("ana", frozenset({Role.ANALYSE}))
    now = [1000.0]
    monkeypatch.setattr(authorisation, "monotonic", lambda: now[0])
    assert admitted(own, secret, Role.ANALYSE) == "ana"
    tokens.revoke("ana")
    assert admitted(own, secret, Role.ANALYSE) == "ana"
    now[0] += authorisation.FRESH + 0.1
    with pytest.raises(AccessDenied):
        admitted(own, secret, Role.ANALYSE)


def test_secrets_that_are_tried_do_not_fill_the_memory(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(authorisation, "REMEMBERED", 10)
    own = Authoriser(database, PLAN, frozenset())
    for i in range(25):
        with pytest.raises(AccessDenied):
            admitted(own, f"guess {i}", Role.OPERATE)
        assert len(own._known) <= 10


@for_each(
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


def test_a_token_of_any_length_is_not_remembered(database: Database) -> None:
    own = Authoriser(database, PLAN, frozenset())
    with pytest.raises(AccessDenied):
        admitted(own, "x" * 300, Role.UPLOAD)
    with pytest.raises(AccessDenied):
        admitted(own, "x" * 200, Role.UPLOAD)
    assert [len(key) for key in own._known] == [32]


def test_a_token_for_a_plan_is_not_known_to_another(database: Database, tokens: Tokens) -> None:
    own, other = (Authoriser(database, plan, frozenset({Role.UPLOAD})) for plan in (PLAN, OTHER))
    secret = tokens.make("ana", frozenset(Role), PLAN)
    whole = tokens.make("eve", frozenset(Role))
    for role in Role:
        assert admitted(own, secret, role) == "ana"
        assert admitted(own, whole, role) == admitted(other, whole, role) == "eve"
        with pytest.raises(AccessDenied) as denied:
            admitted(other, secret, role)
        assert not denied.value.known
    assert {token.name: token.plan for token in tokens.listed()} == {"ana": PLAN, "eve": None}
    assert tokens.revoke("ana")
    assert tokens.find(secret, PLAN) is None


def test_each_plan_has_a_cookie_of_its_own(database: Database, tokens: Tokens) -> None:
    secret = tokens.make("ana", frozenset(Role))
    headers = [(b"cookie", f"{COOKIE}_travel={secret}".encode())]
    scope = {"type": "http", "method": "GET", "headers": headers}
    travel = Authoriser(database, PLAN, frozenset(), f"{COOKIE}_travel")
    assert asyncio.run(travel.authorise(HTTPConnection(scope), Role.ANALYSE)).name == "ana"
    for name in (COOKIE, f"{COOKIE}_work"):
        with pytest.raises(AccessDenied):
            asyncio.run(
                Authoriser(database, OTHER, frozenset(), name).authorise(
                    HTTPConnection(scope), Role.ANALYSE
                )
            )
    with pytest.raises(AccessDenied):
        asyncio.run(travel.authorise(HTTPConnection({**scope, "method": "POST"}), Role.ANALYSE))
