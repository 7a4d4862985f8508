"""The rate: how many reports one address may send, and what is kept of addresses."""

import pytest
from starlette.requests import HTTPConnection

from discretion.collector import rate_limiter
from discretion.collector.errors import BodyRefused, Overloaded
from discretion.collector.rate_limiter import RateLimiter


def coming(host: str | None = "10.0.0.1") -> HTTPConnection:
    client = None if host is None else (host, 5)
    return HTTPConnection({"type": "http", "headers": [], "client": client})


def test_an_address_is_slowed_down_and_others_are_not() -> None:
    own = RateLimiter("2/minute")
    own.check(coming())
    own.check(coming())
    with pytest.raises(Overloaded) as refused:
        own.check(coming())
    assert refused.value.retry is not None
    assert 1 <= refused.value.retry <= 60
    own.check(coming(host="10.0.0.2"))
    own.check(coming(host=None))


def test_a_rate_counts_reports() -> None:
    own = RateLimiter("10/minute")
    own.check(coming(), 0)
    own.check(coming(), 7)
    with pytest.raises(Overloaded):
        own.check(coming(), 4)
    own.check(coming(), 3)
    with pytest.raises(Overloaded):
        own.check(coming(), 0)  # so nothing more is read
    own.check(coming(host="10.0.0.2"), 10)


def test_more_reports_than_the_rate_ever_allows_are_not_to_be_sent_again() -> None:
    own = RateLimiter("10/minute")
    with pytest.raises(BodyRefused, match="at most 10 reports"):
        own.check(coming(), 11)
    own.check(coming(), 10)


def test_an_address_of_ipv4_is_the_same_however_it_is_written() -> None:
    own = RateLimiter("1/minute")
    own.check(coming(host="10.0.0.1"))
    with pytest.raises(Overloaded):
        own.check(coming(host="::ffff:10.0.0.1"))
    own.check(coming(host="::ffff:10.0.0.2"))


def test_without_a_rate_nobody_is_slowed_down() -> None:
    own = RateLimiter("")
    for _ in range(1000):
        own.check(coming())


def test_addresses_are_kept_as_hashes_whose_key_is_forgotten_daily(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    monkeypatch.setattr(rate_limiter, "monotonic", lambda: now[0])
    own = RateLimiter("1/day")
    first = own._hashed("10.0.0.1")
    assert first == own._hashed("10.0.0.1") != own._hashed("10.0.0.2")
    own.check(coming())
    assert "10.0.0.1" not in repr(vars(own._limiter.storage))
    now[0] += rate_limiter.DAY + 1
    assert own._hashed("10.0.0.1") != first


def test_neighbours_of_one_network_share_a_rate() -> None:
    own = RateLimiter("1/minute")
    own.check(coming(host="2001:db8::1"))
    with pytest.raises(Overloaded):
        own.check(coming(host="2001:db8::ffff:1"))
    own.check(coming(host="2001:db8:0:1::1"))
    own.check(coming(host="testclient"))
