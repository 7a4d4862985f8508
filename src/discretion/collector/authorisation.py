"""Authorisation for a plan: which token has which role, and who is invited.

Nothing about who asks is kept.
"""

import asyncio
import hashlib
from time import monotonic

from starlette.requests import HTTPConnection

from discretion.collector.errors import AccessDenied
from discretion.collector.invitations import Invitations, State
from discretion.collector.store.database import Database
from discretion.collector.tokens import Role, Token, Tokens

FRESH = 5.0  # seconds that a token is known without asking the store again
REMEMBERED = 10_000
LONGEST = 256  # characters of a token
COOKIE = "discretion_token"
READING = ("GET", "HEAD")  # methods for which a cookie is as good as a header
ANYBODY = Token("anybody", frozenset())
INVITED = Token("invited", frozenset({Role.UPLOAD}))


class Authoriser:
    """Checks tokens: those for this plan, and those for all plans of the store.

    ``earlier`` is the id of the plan that this one words anew: who was invited to it may answer.
    ``cookie`` is the name of the cookie in which a browser keeps the token for this plan's pages.
    """

    def __init__(
        self,
        database: Database,
        plan: str,
        open_roles: frozenset[Role],
        cookie: str = COOKIE,
        earlier: str | None = None,
    ) -> None:
        self._tokens, self._invitations = Tokens(database), Invitations(database)
        self._plan, self._open = plan, open_roles
        self._inviting = frozenset(filter(None, (plan, earlier)))
        self.cookie = cookie
        self._known: dict[bytes, tuple[float, Token | None]] = {}

    async def authorise(self, request: HTTPConnection, role: Role) -> Token:
        """Return the token of who comes with this role; whoever lacks it is refused."""
        secret = bearer(request)
        if secret is None and role in self._open:
            return ANYBODY
        return await self.check(secret or self.kept(request), role)

    async def check(self, secret: str | None, role: Role) -> Token:
        """Return the token with this secret; whoever lacks the role is refused."""
        token = await self._token(secret) if secret and len(secret) <= LONGEST else None
        if token is None:
            raise AccessDenied(role, known=False)
        if role not in token.roles and role not in self._open:
            raise AccessDenied(role, known=True)
        return token

    async def invitation(self, code: str | None) -> State | None:
        """Return the state of an invitation to this plan, or to the one that it words anew."""
        if not code or len(code) > LONGEST:
            return None
        return await asyncio.to_thread(self._invitations.state, code, self._inviting)

    def kept(self, request: HTTPConnection) -> str | None:
        """Return the token of who signed in on a page; it opens what is read, changes nothing."""
        if request.scope.get("method") not in READING:
            return None
        return request.cookies.get(self.cookie) or None

    async def _token(self, secret: str) -> Token | None:
        key = hashlib.sha256(secret.encode()).digest()
        until, token = self._known.get(key, (0.0, None))
        if monotonic() > until:
            token = await asyncio.to_thread(self._tokens.find, secret, self._plan)
            if token is None and await self.invitation(secret) in (State.OPEN, State.USED):
                token = INVITED
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[key] = monotonic() + FRESH, token
        return token


def bearer(request: HTTPConnection) -> str | None:
    """Return the secret in the Authorization header."""
    for name, value in request.scope["headers"]:
        if name == b"authorization":
            scheme, _, secret = value.decode("latin-1").partition(" ")
            return secret.strip() or None if scheme.lower() == "bearer" else None
    return None
