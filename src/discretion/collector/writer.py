"""The writer: reads what waits strictly, and keeps it in groups, one commit each.

While one group is on its way to the disk the next one gathers, so under load a commit carries many
reports and alone it carries one, without any delay that was chosen by somebody. Nobody is answered
before the commit that holds the report.
"""

import asyncio
import hashlib
import hmac
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from threading import Condition, Thread
from time import perf_counter
from typing import NamedTuple

from discretion.collector.assignment import Assignment
from discretion.collector.log import log
from discretion.collector.metrics import Metrics
from discretion.collector.outcome import ACCEPTED, Incoming, Outcome, Verdict, refused, tally
from discretion.collector.store import Store
from discretion.errors import DiscretionError, Overloaded
from discretion.table.reader import reader_of, refusal

GROUP = 8192  # reports in one commit, as a rule
LONGEST = 200  # characters of a detail, which may repeat what was sent
PATIENCE = 1.0  # seconds until refusals are counted though nothing was kept


class Job(NamedTuple):
    """The reports of one request, and who waits for the answer."""

    bodies: Sequence[bytes]
    credential: bytes | None  # where one report per credential and round is taken
    answer: "asyncio.Future[list[Verdict]]"


class Writer:
    """One thread that writes; any number of coroutines that wait."""

    def __init__(self, store: Store, most: int, metrics: Metrics) -> None:
        self._store, self._most, self._metrics = store, most, metrics
        self._reader, self._assignment = reader_of(store.plan), Assignment(store.plan)
        self._jobs: deque[Job] = deque()
        self._waiting = 0  # reports
        self._ready, self._closing = Condition(), False
        self._failed = 0  # bytes of a group that was not kept, until one as large can be
        self._uncounted: Counter[tuple[Outcome, str]] = Counter()
        self._loop = asyncio.get_running_loop()
        self._thread = Thread(target=self._work, name="writer")
        self._thread.start()

    async def keep(self, bodies: Sequence[bytes], credential: bytes | None) -> list[Verdict]:
        """Return what became of each report; what is accepted outlives a crash."""
        job = Job(bodies, credential, self._loop.create_future())
        with self._ready:
            if self._closing or (self._jobs and self._waiting + len(bodies) > self._most):
                raise Overloaded(f"{self._waiting:,} reports wait to be kept")
            self._jobs.append(job)
            self._waiting += len(bodies)
            self._ready.notify()
        return await job.answer

    @property
    def waiting(self) -> int:
        """How many reports are not kept yet."""
        return self._waiting

    @property
    def closing(self) -> bool:
        """Whether it keeps what waits and takes no more."""
        return self._closing

    def check(self) -> None:
        """Raise what keeps out a group as large as the one that could not be kept, if any."""
        if failed := self._failed:
            self._store.database.rehearse(failed)
            self._note_kept(failed)

    def close(self) -> None:
        """Keep what waits, and stop."""
        with self._ready:
            self._closing = True
            self._ready.notify()
        self._thread.join()

    def _work(self) -> None:
        while (jobs := self._gathered()) or not self._closing:
            try:
                kept = self._kept(jobs)
                answers: list[list[Verdict] | Exception] = [*kept]
                self._note_kept(_bytes_accepted(jobs, kept) if self._failed else 0)
            except Exception as error:
                size = sum(len(body) for job in jobs for body in job.bodies)
                self._failed = max(self._failed, size, 1)
                if isinstance(error, DiscretionError):
                    log.warning("store_failed", detail=str(error))
                else:
                    log.exception("writer_failed")
                answers = [error] * len(jobs)
            with self._ready:
                self._waiting -= sum(len(job.bodies) for job in jobs)
            if jobs:
                self._loop.call_soon_threadsafe(_deliver, jobs, answers)
        self._count_the_last()

    def _note_kept(self, size: int) -> None:
        """Forget a failure once as much was kept, or could be: a small report proves nothing."""
        if size >= self._failed:
            self._failed = 0

    def _count_the_last(self) -> None:
        """Count the refusals that nothing kept has carried to the store."""
        try:
            self._kept([])
        except DiscretionError as error:
            log.warning("refusals_not_counted", count=self._uncounted.total(), detail=str(error))

    def _gathered(self) -> list[Job]:
        """Wait for jobs, and take as many as make a group; none after a while, or at the end."""
        with self._ready:
            if not self._jobs and not self._closing:
                self._ready.wait(PATIENCE if self._uncounted else None)
            jobs: list[Job] = []
            size = 0
            while self._jobs and (not jobs or size + len(self._jobs[0].bodies) <= GROUP):
                jobs.append(self._jobs.popleft())
                size += len(jobs[-1].bodies)
            return jobs

    def _kept(self, jobs: Sequence[Job]) -> list[list[Verdict]]:
        start = perf_counter()
        bodies = [body for job in jobs for body in job.bodies]
        credentials = [job.credential for job in jobs for _ in job.bodies]
        verdicts = self._judged(bodies, credentials)
        self._metrics.group(verdicts, perf_counter() - start)
        ends, found = 0, []
        for job in jobs:
            found.append(verdicts[ends : ends + len(job.bodies)])
            ends += len(job.bodies)
        return found

    def _judged(
        self, bodies: Sequence[bytes], credentials: Sequence[bytes | None]
    ) -> list[Verdict]:
        reading = self._reader.read(bodies)
        valid, rounds = reading.accepted.tolist(), reading.columns.rounds.tolist()
        refusals = {i: self._refused(bodies[i]) for i, ok in enumerate(valid) if not ok}
        refusals |= self._assignment.refusals(reading, credentials)
        rows = zip(rounds, reading.ids(), bodies, credentials, strict=True)
        incoming = [
            Incoming(round, id, body, credential and self._mark(credential, round))
            for i, (round, id, body, credential) in enumerate(rows)
            if i not in refusals
        ]
        counts = self._uncounted + tally(list(refusals.values()))
        kept: Iterator[Verdict] = iter(())
        if incoming or (counts and not bodies):
            kept = iter(self._store.put(incoming, counts))
            counts = Counter()
        self._uncounted = counts  # after the store: who is told of its failure sends all again
        return [refusals[i] if i in refusals else next(kept) for i in range(len(bodies))]

    def _refused(self, body: bytes) -> Verdict:
        error = refusal(self._store.plan, body)
        return refused(error.reason, error.detail[:LONGEST])

    def _mark(self, credential: bytes, round: int) -> bytes:
        """Return what is kept of a credential: that it was used, not which report it sent."""
        message = f"{self._store.plan.id}:{round}".encode()
        return hmac.digest(credential, message, hashlib.sha256)


def _bytes_accepted(jobs: Sequence[Job], answers: Sequence[Sequence[Verdict]]) -> int:
    return sum(
        len(body)
        for job, verdicts in zip(jobs, answers, strict=True)
        for body, verdict in zip(job.bodies, verdicts, strict=True)
        if verdict == ACCEPTED
    )


def _deliver(jobs: Sequence[Job], answers: Sequence[list[Verdict] | Exception]) -> None:
    for job, answer in zip(jobs, answers, strict=True):
        if job.answer.done():  # whoever asked has gone
            continue
        if isinstance(answer, Exception):
            job.answer.set_exception(answer)
        else:
            job.answer.set_result(answer)
