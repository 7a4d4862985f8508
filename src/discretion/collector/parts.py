"""The parts of a running collector, made when it starts and closed when it ends."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from discretion.collector.access import Tokens
from discretion.collector.analysts import Analysts
from discretion.collector.gate import Gate
from discretion.collector.intake import Intake
from discretion.collector.log import log
from discretion.collector.metrics import Metrics
from discretion.collector.room import Room
from discretion.collector.settings import Settings
from discretion.collector.store import Store, open_store
from discretion.collector.store.counting import today
from discretion.collector.writer import Writer
from discretion.errors import DiscretionError
from discretion.plan import Plan
from discretion.report.length import longest

AT_ONCE, EACH, HELD = 1000, 250, 64 << 20  # uploads under way, of one address, and their bytes
NOTES, NOTES_EACH, NOTES_HELD = 200, 50, 8 << 20  # deletions and all else that has a short body
NOTE = 4096  # bytes of a short body
SWEEP_SECONDS = 3600.0


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
    analysts: Analysts


@asynccontextmanager
async def running(plan: Plan, settings: Settings, metrics: Metrics) -> AsyncIterator[Collector]:
    """Open the store and start what works beside the server; at the end keep what waits."""
    async with AsyncExitStack() as ending:
        store = open_store(settings.store, plan)
        ending.callback(store.close)
        analysts = Analysts(settings.store, plan, settings.analysts, settings.patience)
        ending.callback(analysts.close)
        writer = Writer(store, settings.queue, metrics)
        ending.push_async_callback(asyncio.to_thread, writer.close)
        metrics.watch(lambda: writer.waiting)
        sweep = asyncio.create_task(_sweeping(store, settings.retention))
        ending.callback(sweep.cancel)
        held = max(HELD, settings.body + settings.decompressed)  # at least one body is read
        room = Room(AT_ONCE, EACH, held)
        uploads = Intake(settings.body, settings.decompressed, room, longest(plan))
        notes = Intake(NOTE, NOTE, Room(NOTES, NOTES_EACH, NOTES_HELD))
        gate = Gate(Tokens(store.database), settings.open_roles, settings.rate)
        yield Collector(plan, settings, store, gate, uploads, notes, writer, analysts)


async def _sweeping(store: Store, retention: int) -> None:
    """Clear rounds whose time is up, now and every hour."""
    while retention:
        try:
            await asyncio.to_thread(store.clear, today() - timedelta(days=retention))
        except DiscretionError as error:
            log.warning("sweep_failed", detail=str(error))
        await asyncio.sleep(SWEEP_SECONDS)
