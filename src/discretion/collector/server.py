"""The server process: uvicorn with our settings, drained when it is asked to stop."""

import asyncio
import gc
import logging
import resource
import signal
import socket
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from typing import cast

import uvicorn

from discretion.collector.app import make_app
from discretion.collector.connections import CONNECTIONS, ConnectionLimits, LimitedConnection
from discretion.collector.log import configure, log
from discretion.collector.metrics import Metrics
from discretion.collector.settings import Settings
from discretion.errors import DiscretionError
from discretion.kernel.cache import is_warm, warm
from discretion.plan import Plan

DRAIN_SECONDS = 6  # for what is under way; then the writer keeps what it has
BACKLOG = 2048
GARBAGE = 50_000  # objects after which Python looks for cycles: a batch is thousands
SWITCH = 0.0005  # seconds that the writer's thread may hold up the others


class Announced(uvicorn.Server):
    """A server that says where it listens once it does."""

    def __init__(self, config: uvicorn.Config, announce: Callable[..., None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        gc.collect()
        gc.freeze()  # what is there now stays: to look through it again and again costs a third
        gc.set_threshold(GARBAGE)
        if self.started and sockets:
            for own in sockets:
                host, port, *_ = own.getsockname()
                log.info("listening", host=host, port=port)
            self._announce(*(own.getsockname()[1] for own in sockets))


def serve(plans: Mapping[str, Plan], settings: Settings, announce: Callable[..., None]) -> None:
    """Serve until SIGTERM or SIGINT; what was acknowledged is kept, whatever happens.

    ``plans`` go by the names that they are served under; that of a plan that is served alone is
    empty. ``announce`` is called with the port, and with that of ``watch`` where it is set, as soon
    as reports are taken.
    """
    configure(settings.log)
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # what it refuses is counted
    files = _raise_limit()
    for stop in (signal.SIGTERM, signal.SIGINT):
        signal.signal(stop, lambda *_: None)  # uvicorn drains, then raises it again: all is done
    sys.setswitchinterval(SWITCH)
    if not is_warm():
        warm()
    with ExitStack() as opened:
        sockets = [opened.enter_context(_listening(*where)) for where in settings.addresses]
        server = Announced(_config(plans, settings, sockets, files), announce)
        server.run(sockets=sockets)
    if not server.started:
        raise DiscretionError("the server did not start; the log says why")


def _config(
    plans: Mapping[str, Plan], settings: Settings, sockets: list[socket.socket], files: int
) -> uvicorn.Config:
    watch = sockets[1].getsockname()[1] if len(sockets) > 1 else None
    metrics = Metrics()
    limits = ConnectionLimits(min(CONNECTIONS, files // 2), metrics)
    return uvicorn.Config(
        make_app(plans, settings, metrics, watch),
        http=cast("type[asyncio.Protocol]", partial(LimitedConnection, limits=limits)),
        ws="none",
        proxy_headers=bool(settings.proxies),  # else anybody could name any address
        forwarded_allow_ips=settings.proxies,
        access_log=False,  # nobody's address is written down
        log_config=None,
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=DRAIN_SECONDS,
        timeout_keep_alive=30,
    )


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise DiscretionError(f"cannot listen at {host}:{port}: {error.strerror}") from None


def _raise_limit() -> int:
    """Let the process have as many files open as the system lets it; return how many that are."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return most if most != resource.RLIM_INFINITY else 2 * CONNECTIONS
