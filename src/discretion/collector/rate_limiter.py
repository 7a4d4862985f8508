"""The rate limiter: how many reports one address may send, over all plans of the process.

The address of a request is used for limits alone, in memory, and never written down; here it is
under a keyed hash whose key is forgotten daily.
"""

import hashlib
import secrets
from ipaddress import IPv6Address, ip_address, ip_network
from time import monotonic, time

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from starlette.requests import HTTPConnection

from discretion.collector.errors import BodyRefused, Overloaded

DAY = 86_400.0
NEIGHBOURS = 64  # bits of an IPv6 address that one household or machine has in common


class RateLimiter:
    """A rate such as ``60/minute``; any number of reports if it is empty."""

    def __init__(self, rate: str) -> None:
        self._rate: RateLimitItem | None = parse(rate) if rate else None
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._key, self._key_until = secrets.token_bytes(32), monotonic() + DAY

    def check(self, request: HTTPConnection, reports: int = 1) -> None:
        """Refuse an address whose reports are more than the rate allows.

        None are counted where ``reports`` is 0: then the rate must only leave room for one.
        """
        if self._rate is None:
            return
        if reports > self._rate.amount:
            detail = f"at a rate of {self._rate} a request must have at most {self._rate.amount:,}"
            raise BodyRefused("too_large", f"{detail} reports")
        key = self._hashed(client_address(request))
        allowed = self._limiter.hit if reports else self._limiter.test
        if not allowed(self._rate, key, cost=reports or 1):
            again = self._limiter.get_window_stats(self._rate, key).reset_time
            wait = max(1, round(again - time()))
            raise Overloaded(f"reports are taken at a rate of {self._rate}", retry=wait)

    def _hashed(self, host: str) -> str:
        if monotonic() > self._key_until:
            self._key, self._key_until = secrets.token_bytes(32), monotonic() + DAY
        return hashlib.blake2b(host.encode(), key=self._key, digest_size=16).hexdigest()


def client_address(request: HTTPConnection) -> str:
    """Return an address, or the part of it that all addresses of one sender share."""
    client = request.scope.get("client")
    host: str = client[0] if client else ""
    if ":" not in host:
        return host
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ip_network((address, NEIGHBOURS), strict=False))
