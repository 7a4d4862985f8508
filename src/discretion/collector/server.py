"""The server process: uvicorn with our settings, drained when it is told to stop."""

import gc
import resource
import signal
import socket
import sys
from collections.abc import Callable

import uvicorn
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from discretion.collector.app import make_app
from discretion.collector.log import configure, log
from discretion.collector.settings import Settings
from discretion.errors import DiscretionError
from discretion.kernel.cache import is_warm, warm
from discretion.plan import Plan

DRAIN_SECONDS = 6  # for what is under way; then the writer keeps what it has
BACKLOG = 2048
DEVICES = ("/v1/plan", "/v1/survey", "/v1/reports", "/v1/deletions")  # what devices ask for
GARBAGE = 50_000  # objects after which Python looks for cycles: a batch is thousands
SWITCH = 0.0005  # seconds that the writer's thread may hold up the others


class Announced(uvicorn.Server):
    """A server that says where it listens once it does."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[int], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        gc.collect()
        gc.freeze()  # what is there now stays: to look through it again and again costs a third
        gc.set_threshold(GARBAGE)
        if self.started and sockets:
            host, port, *_ = sockets[0].getsockname()
            log.info("listening", host=host, port=port)
            self._announce(port)


def serve(plan: Plan, settings: Settings, announce: Callable[[int], None]) -> None:
    """Serve until SIGTERM or SIGINT; what was acknowledged is kept, whatever happens.

    ``announce`` is called with the port as soon as reports are taken.
    """
    configure(settings.log)
    _raise_limit()
    for stop in (signal.SIGTERM, signal.SIGINT):
        signal.signal(stop, lambda *_: None)  # uvicorn drains, then raises it again: all is done
    sys.setswitchinterval(SWITCH)
    if not is_warm():
        warm()
    config = uvicorn.Config(
        _with_other_sites(make_app(plan, settings), settings.other_sites),
        access_log=False,  # nobody's address is written down
        log_config=None,
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=DRAIN_SECONDS,
        timeout_keep_alive=30,
    )
    with _listening(settings.host, settings.port) as listening:
        server = Announced(config, announce)
        server.run(sockets=[listening])
    if not server.started:
        raise DiscretionError("the server did not start; the log tells why")


def _with_other_sites(app: ASGIApp, origins: list[str]) -> ASGIApp:
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


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise DiscretionError(f"cannot listen at {host}:{port}: {error.strerror}") from None


def _raise_limit() -> None:
    """Let the process have as many connections open as the system lets it."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
