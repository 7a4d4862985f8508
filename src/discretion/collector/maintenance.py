"""Maintenance: what a server does in the background, so that no request has to wait for it."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import date, timedelta
from time import monotonic

from discretion.collector.log import log
from discretion.collector.store import Store, settle
from discretion.collector.store.audit_log import today
from discretion.collector.store.database import Database
from discretion.collector.store.insertion import CLOSED, OPEN
from discretion.collector.store.results import Results
from discretion.collector.worker_pool import PoolClient
from discretion.errors import DiscretionError

AHEAD = 100  # new reports that are counted before anybody asks
POLL_SECONDS = 0.1  # between polls for them,
BURST_SECONDS = 0.02  # and where there were some; or as long as counting took, if that is longer
AGAIN_SECONDS = 5.0  # after a failure
SETTLE_SECONDS = 20.0  # between settlements: bytes of deleted reports stay for a minute at most
SWEEP_SECONDS = 3600.0
PUBLISH_SECONDS = 2.0  # between looks whether a round is due: a day has begun, or it was closed
NOT_DATED = "closed by a wrong clock, so it is kept: close it again, with ?on=DAY"
Sleep = Callable[[float], Awaitable[None]]


async def count_ahead(
    plans: Sequence[tuple[Store, PoolClient]], sleep: Sleep = asyncio.sleep
) -> None:
    """Have new reports of open rounds counted ahead of questions, in bursts: few wait for one.

    A worker does it, one round after the other; while all are busy, it waits.
    """
    counted = [0] * len(plans)
    while True:
        start, pause = monotonic(), POLL_SECONDS
        before = list(counted)
        for which, (store, workers) in enumerate(plans):
            try:
                newest = await asyncio.to_thread(store.newest)
                if newest - counted[which] >= AHEAD:
                    for round in await asyncio.to_thread(store.rounds):
                        if round.state == OPEN:
                            await workers.ask("count", round=round.round)
                    counted[which] = newest
            except DiscretionError as error:
                log.warning("count_failed", plan=store.plan.id, detail=str(error))
                pause = AGAIN_SECONDS
        if pause < AGAIN_SECONDS and counted != before:
            pause = max(BURST_SECONDS, monotonic() - start)
        await sleep(pause)


async def settle_regularly(database: Database, sleep: Sleep = asyncio.sleep) -> None:
    """Settle deletions of all plans now and at regular times, whatever the workers do."""
    while True:
        try:
            await asyncio.to_thread(settle, database)
        except DiscretionError as error:
            log.warning("settle_failed", detail=str(error))
        await sleep(SETTLE_SECONDS)


async def sweep_regularly(stores: Iterable[Store], retention: int) -> None:
    """Clear rounds whose time is up, now and every hour."""
    while retention:
        for store in stores:
            try:
                await asyncio.to_thread(sweep, store, today() - timedelta(days=retention))
            except DiscretionError as error:
                log.warning("sweep_failed", plan=store.plan.id, detail=str(error))
        await asyncio.sleep(SWEEP_SECONDS)


async def publish_regularly(
    plans: Sequence[tuple[Store, PoolClient]], sleep: Sleep = asyncio.sleep
) -> None:
    """Have results published of rounds that are due: each day, and when they open or close.

    No report and no deletion makes a round due, so the time of a version says nothing about any.
    """
    while True:
        for store, workers in plans:
            try:
                day = today()
                for round in await asyncio.to_thread(Results(store).due, day):
                    await workers.ask("publish", round=round, day=day.isoformat())
            except DiscretionError as error:
                log.warning("publish_failed", plan=store.plan.id, detail=str(error))
                await sleep(AGAIN_SECONDS)
        await sleep(PUBLISH_SECONDS)


def sweep(store: Store, before: date) -> None:
    """Clear rounds that were closed before a day; warn of those whose day is not known."""
    store.clear(before)
    for round in store.rounds():
        if round.state == CLOSED and round.closed_on is None:
            log.warning("round_not_dated", plan=store.plan.id, round=round.round, detail=NOT_DATED)
