"""Upkeep: what a server does by itself, so that nobody who asks or deletes has to wait for it."""

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic

from discretion.collector.analysts import Analysts
from discretion.collector.log import log
from discretion.collector.store import Store, settle
from discretion.errors import DiscretionError

COUNT_SECONDS = 0.2  # between looks for reports that are not in a snapshot yet,
TIMES = 4.0  # or so many times what counting took: analysts are there to be asked
AGAIN_SECONDS = 5.0  # after a failure
SETTLE_SECONDS = 20.0  # between settlements: bytes of deleted reports stay for a minute at most
Sleep = Callable[[float], Awaitable[None]]


async def count_ahead(store: Store, analysts: Analysts, sleep: Sleep = asyncio.sleep) -> None:
    """Have snapshots extended ahead of questions, so that none has to count a burst of reports.

    An analyst does it, one round after the other; while all are busy, it waits.
    """
    while True:
        start = monotonic()
        try:
            for round in await asyncio.to_thread(store.behind):
                await analysts.ask("count", round=round)
            pause = max(COUNT_SECONDS, TIMES * (monotonic() - start))
        except DiscretionError as error:
            log.warning("count_failed", detail=str(error))
            pause = AGAIN_SECONDS
        await sleep(pause)


async def settle_regularly(store: Store, sleep: Sleep = asyncio.sleep) -> None:
    """Settle deletions now and at regular times, whatever the analysts do."""
    while True:
        try:
            await asyncio.to_thread(settle, store.database)
        except DiscretionError as error:
            log.warning("settle_failed", detail=str(error))
        await sleep(SETTLE_SECONDS)
