"""The rate at which one address may send reports, over all plans of the process.

Addresses are used for it alone: in memory, under a keyed hash whose key is forgotten daily.
"""

import hashlib
import secrets
from time import monotonic, time

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from starlette.requests import HTTPConnection

from discretion.collector.address import source
from discretion.errors import BodyRefused, Overloaded

DAY = 86_400.0


class Rate:
    """A rate such as ``60/minute``; any number of reports if it is empty."""

    def __init__(self, rate: str) -> None:
        self._rate: RateLimitItem | None = parse(rate) if rate else None
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._key, self._key_until = secrets.token_bytes(32), monotonic() + DAY

    def slow_down(self, request: HTTPConnection, reports: int = 1) -> None:
        """Refuse an address whose reports are more than the rate allows.

        None are counted where ``reports`` is 0: then the rate must only leave room for one.
        """
        if self._rate is None:
            return
        if reports > self._rate.amount:
            detail = f"at a rate of {self._rate} a request must have at most {self._rate.amount:,}"
            raise BodyRefused("too_large", f"{detail} reports")
        key = self._hashed(source(request))
        allowed = self._limiter.hit if reports else self._limiter.test
        if not allowed(self._rate, key, cost=reports or 1):
            again = self._limiter.get_window_stats(self._rate, key).reset_time
            wait = max(1, round(again - time()))
            raise Overloaded(f"reports are taken at a rate of {self._rate}", retry=wait)

    def _hashed(self, host: str) -> str:
        if monotonic() > self._key_until:
            self._key, self._key_until = secrets.token_bytes(32), monotonic() + DAY
        return hashlib.blake2b(host.encode(), key=self._key, digest_size=16).hexdigest()
