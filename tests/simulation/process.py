"""A collector without its HTTP: the real store, reader and writer, in this process."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from functools import cache
from threading import Thread
from typing import NamedTuple

from discretion.collector.metrics import Metrics
from discretion.collector.outcome import Credential, Incoming, Verdict
from discretion.collector.store import Store, open_database
from discretion.collector.store.database import Database
from discretion.collector.store.insertion import Counts
from discretion.collector.writer import Writer
from discretion.plan import Plan
from tests.simulation.faults import Crash, Fragile

SECONDS = 60.0


class Job(NamedTuple):
    """The bodies of one request, and the credential that it came with."""

    bodies: list[bytes]
    credential: bytes | None

    @property
    def shown(self) -> Credential | None:
        return None if self.credential is None else Credential(self.credential, invited=False)


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """Start one event loop for all processes."""
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="loop", daemon=True).start()
    return loop


class Noted(Store):
    """A store that notes which reports its transactions decided about, in their order."""

    def __init__(self, database: Database, plan: Plan) -> None:
        super().__init__(database, plan)
        self.fates: dict[bytes, list[bool]] = defaultdict(list)  # by body

    def put(
        self, reports: Sequence[Incoming], more: Counts | None = None, day: date | None = None
    ) -> list[Verdict]:
        kept = False
        try:
            verdicts = super().put(reports, more, day)
            kept = True
        except Crash as crash:
            kept = crash.kept
            raise
        finally:
            for report in reports:
                self.fates[report.body].append(kept)
        return verdicts


class Process:
    """One process at a store."""

    def __init__(self, address: str, plan: Plan) -> None:
        self.database = Fragile(open_database(address))
        self.store = Noted(self.database, plan)
        self._writer = asyncio.run_coroutine_threadsafe(self._start(), _loop()).result(SECONDS)

    def keep(self, jobs: Sequence[Job]) -> list[list[Verdict] | Crash]:
        """Send requests at the same moment; return the answers, in the order of the requests."""
        self.store.fates.clear()
        sent = asyncio.run_coroutine_threadsafe(self._sent(jobs), _loop())
        answers: list[list[Verdict] | Crash] = []
        for answer in sent.result(SECONDS):
            if isinstance(answer, BaseException) and not isinstance(answer, Crash):
                raise answer
            answers.append(answer)
        return answers

    def kept(self, reports: Sequence[Incoming]) -> list[Incoming]:
        """Return which reports of the next request a commit decided about.

        A request that was not answered may have been kept in some shards, and not in others.
        """
        return [report for report in reports if self.store.fates[report.body].pop(0)]

    def end(self) -> None:
        """End as one that was told to; a dead one writes nothing more."""
        self._writer.close()
        self.store.close()

    async def _start(self) -> Writer:
        return Writer(self.store, 1000, Metrics())

    async def _sent(self, jobs: Sequence[Job]) -> list[list[Verdict] | BaseException]:
        tasks = [self._writer.keep(job.bodies, job.shown) for job in jobs]
        return await asyncio.gather(*tasks, return_exceptions=True)
