"""Pages of other sites: they may do what devices do, if the operator names their origins."""

from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

DEVICES = ("/v1/plan", "/v1/survey", "/v1/reports", "/v1/deletions")  # what devices ask for


def with_other_sites(app: ASGIApp, origins: list[str]) -> ASGIApp:
    """Let pages of other sites do what devices do; no cookie comes with it."""
    if not origins:
        return app
    shared = CORSMiddleware(
        app,
        allow_origins=origins,
        allow_methods=["GET", "POST"],
        allow_headers=["Authorization", "Content-Type"],
        expose_headers=["ETag"],
    )

    async def chosen(scope: Scope, receive: Receive, send: Send) -> None:
        await (shared if scope.get("path") in DEVICES else app)(scope, receive, send)

    return chosen
