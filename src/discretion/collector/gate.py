"""The gate: who may pass with which role, and how often. Nothing about who comes is kept.

Addresses are used for the rate alone: in memory, under a keyed hash whose key is forgotten daily.
"""

import asyncio
import hashlib
import secrets
from time import monotonic, time

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from starlette.requests import HTTPConnection

from discretion.collector.access import Role, Token, Tokens
from discretion.collector.address import source
from discretion.errors import AccessDenied, BodyRefused, Overloaded

FRESH = 5.0  # seconds that a token is known without asking the store again
REMEMBERED = 10_000
LONGEST = 256  # characters of a token
DAY = 86_400.0
COOKIE = "discretion_token"
READING = ("GET", "HEAD")  # methods for which a cookie is as good as a header


class Gate:
    """Checks tokens and rates."""

    def __init__(self, tokens: Tokens, open_roles: frozenset[Role], rate: str) -> None:
        self._tokens, self._open = tokens, open_roles
        self._known: dict[bytes, tuple[float, Token | None]] = {}
        self._rate: RateLimitItem | None = parse(rate) if rate else None
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._key, self._key_until = secrets.token_bytes(32), monotonic() + DAY

    async def admit(self, request: HTTPConnection, role: Role) -> str:
        """Return the name of who comes with this role; whoever lacks it is refused."""
        secret = bearer(request)
        if secret is None and role in self._open:
            return "anybody"
        return await self.check(secret or cookie(request), role)

    async def check(self, secret: str | None, role: Role) -> str:
        """Return the name of who has this secret; whoever lacks the role is refused."""
        token = await self._token(secret) if secret and len(secret) <= LONGEST else None
        if token is None:
            raise AccessDenied(role, known=False)
        if role not in token.roles and role not in self._open:
            raise AccessDenied(role, known=True)
        return token.name

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

    async def _token(self, secret: str) -> Token | None:
        key = hashlib.sha256(secret.encode()).digest()
        until, token = self._known.get(key, (0.0, None))
        if monotonic() > until:
            token = await asyncio.to_thread(self._tokens.find, secret)
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[key] = monotonic() + FRESH, token
        return token

    def _hashed(self, host: str) -> str:
        if monotonic() > self._key_until:
            self._key, self._key_until = secrets.token_bytes(32), monotonic() + DAY
        return hashlib.blake2b(host.encode(), key=self._key, digest_size=16).hexdigest()


def bearer(request: HTTPConnection) -> str | None:
    """Return the secret in the Authorization header."""
    for name, value in request.scope["headers"]:
        if name == b"authorization":
            scheme, _, secret = value.decode("latin-1").partition(" ")
            return secret.strip() or None if scheme.lower() == "bearer" else None
    return None


def cookie(request: HTTPConnection) -> str | None:
    """Return the secret of who signed in on a page; it opens what is read, and changes nothing."""
    if request.scope.get("method") not in READING:
        return None
    return request.cookies.get(COOKIE) or None
