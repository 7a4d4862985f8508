"""The services of a running collector, started and stopped with the application.

What bounds the work of a process is shared by its plans; what keeps and answers is a plan's own.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from discretion.collector.admission import AdmissionControl
from discretion.collector.authorisation import COOKIE, Authoriser
from discretion.collector.bodies import BodyReader
from discretion.collector.commits import Deletions
from discretion.collector.errors import StoreFull
from discretion.collector.log import log
from discretion.collector.maintenance import (
    count_ahead,
    publish_regularly,
    settle_regularly,
    sweep_regularly,
)
from discretion.collector.metrics import Metrics
from discretion.collector.rate_limiter import RateLimiter
from discretion.collector.result_cache import ResultCache
from discretion.collector.settings import Settings
from discretion.collector.store import Store, open_database, shown
from discretion.collector.store.database import Database
from discretion.collector.store.results import went_back
from discretion.collector.worker_pool import PoolClient, WorkerPool
from discretion.collector.writer import Writer
from discretion.plan import Plan
from discretion.report import longest

AT_ONCE, EACH, HELD = 1000, 250, 64 << 20  # uploads under way, of one address, and their bytes
SHORT_AT_ONCE, SHORT_EACH, SHORT_HELD = 200, 50, 8 << 20  # the same of short bodies: deletions, ...
SHORT = 4096  # bytes of a short body
WENT_BACK = "the store had got this far: its log is damaged, or an older copy was restored"


@dataclass(frozen=True)
class Collector:
    """What the routes work with."""

    plan: Plan
    settings: Settings
    store: Store
    authoriser: Authoriser
    rate_limiter: RateLimiter
    uploads: BodyReader
    short_bodies: BodyReader  # for which uploads leave room
    writer: Writer
    deletions: Deletions
    workers: PoolClient
    results: ResultCache

    def check(self) -> None:
        """Raise what keeps it from keeping the largest request: in the log, then in the store."""
        self.store.rounds()
        self.writer.check()
        free = self.store.database.disk_usage().free
        if free is not None and free < 2 * self.settings.decompressed:
            raise StoreFull(shown(self.settings.store))


class SharedServices:
    """What bounds the work of a process, whichever of its plans the work is for."""

    def __init__(self, settings: Settings, pool: WorkerPool, store: Store) -> None:
        """Make it; ``store`` is that of any plan, which deletes reports of all."""
        self.settings, self.pool = settings, pool
        held = max(HELD, settings.body + settings.decompressed)  # at least one body is read
        self.admission = AdmissionControl(AT_ONCE, EACH, held)
        self.short_bodies = BodyReader(
            SHORT, SHORT, AdmissionControl(SHORT_AT_ONCE, SHORT_EACH, SHORT_HELD)
        )
        self.rate_limiter, self.deletions = RateLimiter(settings.rate), Deletions(store)


@asynccontextmanager
async def running(
    plans: Mapping[str, Plan], settings: Settings, metrics: Metrics
) -> AsyncIterator[Mapping[str, Collector]]:
    """Open the store and start what works beside the server; at the end keep what waits.

    Plans and their collectors go by the names that they are served under.
    """
    async with AsyncExitStack() as ending:
        database = open_database(settings.store)
        ending.callback(database.close)
        stores = {name: Store(database, plan) for name, plan in plans.items()}
        _resume(database, stores.values())
        pool = WorkerPool(
            settings.store, plans.values(), settings.analysts, settings.patience, metrics
        )
        ending.callback(pool.close)
        shared = SharedServices(settings, pool, next(iter(stores.values())))
        metrics.watch_store(database)
        found = dict[str, Collector]()
        for name, store in stores.items():
            found[name] = _started(name, store, shared, metrics.of(name))
            ending.push_async_callback(asyncio.to_thread, found[name].writer.close)
            ending.callback(found[name].results.close)
        served = [(own.store, own.workers) for own in found.values()]
        for work in (
            sweep_regularly([*stores.values()], settings.retention),
            settle_regularly(database),
            count_ahead(served),
            *([publish_regularly(served)] if settings.publish_results else []),
        ):
            ending.callback(asyncio.create_task(work).cancel)
        yield found


def _started(name: str, store: Store, shared: SharedServices, metrics: Metrics) -> Collector:
    plan, settings = store.plan, shared.settings
    workers = PoolClient(shared.pool, plan, metrics)
    writer = Writer(store, settings.queue, metrics)
    metrics.watch_plan(store, lambda: writer.waiting, lambda: workers.waiting)
    cookie = f"{COOKIE}_{name}" if name else COOKIE
    return Collector(
        plan,
        settings,
        store,
        Authoriser(store.database, plan.id, settings.open_roles, cookie, plan.replaces),
        shared.rate_limiter,
        BodyReader(settings.body, settings.decompressed, shared.admission, longest(plan)),
        shared.short_bodies,
        writer,
        shared.deletions,
        workers,
        ResultCache(store, workers, settings.analysts),
    )


def _resume(database: Database, stores: Iterable[Store]) -> None:
    """Log how far the store has got, and warn if it had got further before."""
    reached, before = database.resume()
    for store in stores:
        kept = {str(outcome): sum(own.values()) for outcome, own in store.counters().items()}
        log.info("opened", plan=store.plan.id, **reached._asdict(), counters=kept)
    if reached.joined(before) != reached:
        log.error("store_went_back", **before._asdict(), detail=WENT_BACK)
        went_back(database)
