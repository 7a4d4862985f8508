"""Upkeep: what a server does by itself, so that nobody who asks or deletes has to wait for it."""

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic

from discretion.collector.analysts import Analysts
from discretion.collector.log import log
from discretion.collector.store import Store, settle
from discretion.collector.store.keeping import OPEN
from discretion.errors import DiscretionError

AHEAD = 100  # new reports that are counted before anybody asks
LOOK_SECONDS = 0.1  # between looks for them,
BURST_SECONDS = 0.02  # and where there were some; or as long as counting took, if that is longer
AGAIN_SECONDS = 5.0  # after a failure
SETTLE_SECONDS = 20.0  # between settlements: bytes of deleted reports stay for a minute at most
Sleep = Callable[[float], Awaitable[None]]


async def count_ahead(store: Store, analysts: Analysts, sleep: Sleep = asyncio.sleep) -> None:
    """Have new reports of open rounds counted ahead of questions, at the start and in bursts.

    An analyst does it, one round after the other; while all are busy, it waits.
    """
    counted = -AHEAD
    while True:
        start, pause = monotonic(), LOOK_SECONDS
        try:
            newest = await asyncio.to_thread(store.newest)
            if newest - counted >= AHEAD:
                for round in await asyncio.to_thread(store.rounds):
                    if round.state == OPEN:
                        await analysts.ask("count", round=round.round)
                counted, pause = newest, max(BURST_SECONDS, monotonic() - start)
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
