"""The parts of a running collector, made when it starts and closed when it ends."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial

from discretion.collector.access import Tokens
from discretion.collector.analysts import Analysts
from discretion.collector.deletions import Deletions
from discretion.collector.gate import Gate
from discretion.collector.intake import Intake
from discretion.collector.log import log
from discretion.collector.metrics import Metrics
from discretion.collector.room import Room
from discretion.collector.settings import Settings
from discretion.collector.standing import measure
from discretion.collector.store import Store, open_store
from discretion.collector.store.address import shown
from discretion.collector.store.clock import today
from discretion.collector.store.store import CLOSED
from discretion.collector.upkeep import count_ahead, settle_regularly
from discretion.collector.writer import Writer
from discretion.errors import DiscretionError, StoreFull
from discretion.plan import Plan
from discretion.report.length import longest

AT_ONCE, EACH, HELD = 1000, 250, 64 << 20  # uploads under way, of one address, and their bytes
NOTES, NOTES_EACH, NOTES_HELD = 200, 50, 8 << 20  # deletions and all else that has a short body
NOTE = 4096  # bytes of a short body
SWEEP_SECONDS = 3600.0
WENT_BACK = "the store had got this far: its log is damaged, or an older copy was restored"
NOT_DATED = "closed by a wrong clock, so it is kept: close it again, with ?on=DAY"


@dataclass(frozen=True)
class Collector:
    """What the routes work with."""

    plan: Plan
    settings: Settings
    store: Store
    gate: Gate
    uploads: Intake
    notes: Intake  # short bodies, for which uploads leave room
    writer: Writer
    deletions: Deletions
    analysts: Analysts

    def check(self) -> None:
        """Raise what keeps it from keeping the largest request: in the log, then in the store."""
        self.store.rounds()
        self.writer.check()
        free = self.store.database.room().free
        if free is not None and free < 2 * self.settings.decompressed:
            raise StoreFull(shown(self.settings.store))


@asynccontextmanager
async def running(plan: Plan, settings: Settings, metrics: Metrics) -> AsyncIterator[Collector]:
    """Open the store and start what works beside the server; at the end keep what waits."""
    async with AsyncExitStack() as ending:
        store = open_store(settings.store, plan)
        ending.callback(store.close)
        _resume(store)
        analysts = Analysts(settings.store, plan, settings.analysts, settings.patience, metrics)
        ending.callback(analysts.close)
        writer = Writer(store, settings.queue, metrics)
        ending.push_async_callback(asyncio.to_thread, writer.close)
        metrics.watch(lambda: writer.waiting, lambda: analysts.waiting, partial(measure, store))
        for work in (
            _sweeping(store, settings.retention),
            settle_regularly(store),
            count_ahead(store, analysts),
        ):
            ending.callback(asyncio.create_task(work).cancel)
        held = max(HELD, settings.body + settings.decompressed)  # at least one body is read
        room = Room(AT_ONCE, EACH, held)
        uploads = Intake(settings.body, settings.decompressed, room, longest(plan))
        notes = Intake(NOTE, NOTE, Room(NOTES, NOTES_EACH, NOTES_HELD))
        gate = Gate(Tokens(store.database), settings.open_roles, settings.rate)
        deletions = Deletions(store)
        yield Collector(plan, settings, store, gate, uploads, notes, writer, deletions, analysts)


def _resume(store: Store) -> None:
    """Log how far the store has got, and warn if it had got further before."""
    reached, before = store.database.resume()
    kept = {str(outcome): sum(own.values()) for outcome, own in store.counters().items()}
    log.info("opened", **reached._asdict(), counters=kept)
    if reached.joined(before) != reached:
        log.error("store_went_back", **before._asdict(), detail=WENT_BACK)


async def _sweeping(store: Store, retention: int) -> None:
    """Clear rounds whose time is up, now and every hour."""
    while retention:
        try:
            await asyncio.to_thread(_sweep, store, today() - timedelta(days=retention))
        except DiscretionError as error:
            log.warning("sweep_failed", detail=str(error))
        await asyncio.sleep(SWEEP_SECONDS)


def _sweep(store: Store, before: date) -> None:
    """Clear rounds that were closed before a day; warn of those whose day is not known."""
    store.clear(before)
    for round in store.rounds():
        if round.state == CLOSED and round.closed_on is None:
            log.warning("round_not_dated", round=round.round, detail=NOT_DATED)
