"""Which survey a request is for: the first part of its path, which is taken away.

A survey answers as it would alone behind a proxy that takes a prefix away: its links are relative.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any

from starlette.routing import Router
from starlette.types import ASGIApp, Receive, Scope, Send


class Dispatch:
    """One application for all surveys, by name; what is for none of them is for ``root``."""

    def __init__(
        self,
        root: ASGIApp,
        surveys: Mapping[str, ASGIApp],
        lifespan: Callable[[Any], AbstractAsyncContextManager[None]],
    ) -> None:
        self._root, self._surveys = root, surveys
        self._lifespan = Router(lifespan=lifespan)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(scope, receive, send)
            return
        name, slash, rest = scope["path"].removeprefix("/").partition("/")
        if slash and name in self._surveys:
            await self._surveys[name]({**scope, "path": f"/{rest}"}, receive, send)
        else:
            await self._root(scope, receive, send)
