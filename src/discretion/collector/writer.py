"""The writer: reads what waits strictly, and keeps it in groups.

While one group is on its way to the disk the next one gathers, so under load a commit carries many
reports and alone it carries one, without any delay that was chosen by somebody. Nobody is answered
before the commits that hold her reports. Requests with few reports have a lane of their own, which
goes first: requests with thousands take up neither its queue nor its time. Why a report is refused
is worked out afterwards, and not by this thread.
"""

import asyncio
import hashlib
import hmac
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from itertools import islice
from threading import Condition, Thread
from time import perf_counter
from typing import NamedTuple

from discretion.collector.commits import Commits, Kept
from discretion.collector.errors import Overloaded
from discretion.collector.log import log
from discretion.collector.metrics import Metrics
from discretion.collector.outcome import (
    ACCEPTED,
    Credential,
    Incoming,
    Outcome,
    Verdict,
    tally,
)
from discretion.collector.refusals import NOT_EXAMINED, Assignment, Explainer
from discretion.collector.store import Store
from discretion.collector.tokens import hashed
from discretion.errors import DiscretionError
from discretion.table.reader import reader_of

GROUP = 8192  # reports in one commit, as a rule
FEW = 10  # reports of a request that goes first
FLUSH_SECONDS = 1.0  # seconds until refusals are counted though nothing was kept


Answer = list[Verdict] | Exception


class Job(NamedTuple):
    """The reports of one request, and who waits for the answer."""

    bodies: Sequence[bytes]
    credential: Credential | None
    answer: "asyncio.Future[list[Verdict]]"


class Lane:
    """Requests that wait for each other, and how many reports they have, also of those at work."""

    def __init__(self) -> None:
        self.jobs: deque[Job] = deque()
        self.reports = 0

    def add(self, job: Job) -> None:
        self.jobs.append(job)
        self.reports += len(job.bodies)

    def take(self, room: int) -> list[Job]:
        """Return at least one request if there is one, and others while they fit."""
        taken: list[Job] = []
        while self.jobs and (not taken or len(self.jobs[0].bodies) <= room):
            taken.append(self.jobs.popleft())
            room -= len(taken[-1].bodies)
        return taken


class Writer:
    """One thread that writes; any number of coroutines that wait."""

    def __init__(self, store: Store, most: int, metrics: Metrics) -> None:
        self._store, self._most, self._metrics = store, most, metrics
        self._reader, self._assignment = reader_of(store.plan), Assignment(store.plan)
        self._reasons, self._commits = Explainer(store.plan), Commits(store)
        self._few, self._many = Lane(), Lane()
        self._ready, self._closing = Condition(), False
        self._failed = 0  # bytes of a group that was not kept, until one as large can be
        self._uncounted: Counter[tuple[Outcome, str]] = Counter()  # of the thread
        self._explained: Counter[tuple[Outcome, str]] = Counter()  # refusals on their way to it
        self._loop = asyncio.get_running_loop()
        self._thread = Thread(target=self._work, name="writer")
        self._thread.start()

    async def keep(self, bodies: Sequence[bytes], credential: Credential | None) -> list[Verdict]:
        """Return what became of each report; what is accepted outlives a crash."""
        job = Job(bodies, credential, self._loop.create_future())
        with self._ready:
            lane = self._lane(job)
            ahead = lane.reports if lane is self._few else self.waiting
            if self._closing or (lane.jobs and ahead + len(bodies) > self._most):
                raise Overloaded(f"{ahead:,} reports wait to be kept")
            lane.add(job)
            self._ready.notify()
        verdicts = await job.answer
        return await self._with_reasons(bodies, verdicts) if NOT_EXAMINED in verdicts else verdicts

    def count(self, refusals: Sequence[Verdict]) -> None:
        """Count reports that were refused without being read."""
        counts = tally(refusals)
        self._metrics.outcomes(counts)
        with self._ready:
            self._explained += counts
            self._ready.notify()

    @property
    def waiting(self) -> int:
        """How many reports are not kept yet."""
        return self._few.reports + self._many.reports

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
        self._commits.close()
        self._reasons.close()

    async def _with_reasons(
        self, bodies: Sequence[bytes], verdicts: Sequence[Verdict]
    ) -> list[Verdict]:
        """Say why reports were refused, as far as that is worked out, and have it counted."""
        both = zip(bodies, verdicts, strict=True)
        reasons = await self._reasons.of([b for b, v in both if v is NOT_EXAMINED])
        self.count(reasons)
        explained = iter(reasons)
        return [next(explained) if v is NOT_EXAMINED else v for v in verdicts]

    def _work(self) -> None:
        while (jobs := self._gathered()) or not self._closing:
            try:
                answers = self._kept(jobs)
            except Exception as error:
                _log_failure(error)
                self._note_failed(jobs)
                answers = [error] * len(jobs)
            with self._ready:
                for job in jobs:
                    self._lane(job).reports -= len(job.bodies)
            if jobs:
                self._loop.call_soon_threadsafe(_deliver, jobs, answers)
        try:
            self._kept([])  # counts the refusals that nothing kept has carried to the store
        except DiscretionError as error:
            log.warning("refusals_not_counted", count=self._uncounted.total(), detail=str(error))

    def _note_failed(self, jobs: Sequence[Job]) -> None:
        size = sum(len(body) for job in jobs for body in job.bodies)
        self._failed = max(self._failed, size, 1)

    def _note_kept(self, size: int) -> None:
        """Forget a failure once as much was kept, or could be: a small report proves nothing."""
        if size >= self._failed:
            self._failed = 0

    def _gathered(self) -> list[Job]:
        """Wait for jobs, and take as many as make a group; none after a while, or at the end."""
        with self._ready:
            self._ready.wait_for(lambda: self._wanted or self._uncounted or self._explained)
            self._ready.wait_for(lambda: self._wanted, FLUSH_SECONDS)
            self._uncounted += self._explained
            self._explained.clear()
            few = self._few.take(GROUP)
            return few + self._many.take(GROUP - sum(len(job.bodies) for job in few))

    @property
    def _wanted(self) -> bool:
        return bool(self._few.jobs or self._many.jobs) or self._closing

    def _lane(self, job: Job) -> Lane:
        return self._few if len(job.bodies) <= FEW else self._many

    def _kept(self, jobs: Sequence[Job]) -> list[Answer]:
        """Keep a group; a request of which something could not be kept is answered by an error."""
        start = perf_counter()
        bodies = [body for job in jobs for body in job.bodies]
        credentials = [job.credential for job in jobs for _ in job.bodies]
        verdicts, refusals = self._judged(bodies, credentials)
        self._metrics.group(len(verdicts), perf_counter() - start)
        own = iter(verdicts)
        answers = [_answer(list(islice(own, len(job.bodies)))) for job in jobs]
        self._count_refusals(jobs, answers, refusals)
        both = zip(jobs, answers, strict=True)
        if failed := [job for job, answer in both if isinstance(answer, Exception)]:
            self._note_failed(failed)
        elif self._failed:
            judged = zip(bodies, verdicts, strict=True)
            self._note_kept(sum(len(body) for body, verdict in judged if verdict == ACCEPTED))
        return answers

    def _count_refusals(
        self, jobs: Sequence[Job], answers: Sequence[Answer], refusals: Mapping[int, Verdict]
    ) -> None:
        """Have refusals counted by the next commit, unless their request is sent again whole."""
        own = [answer for job, answer in zip(jobs, answers, strict=True) for _ in job.bodies]
        final = tally([v for i, v in refusals.items() if not isinstance(own[i], Exception)])
        self._metrics.outcomes(final)
        self._uncounted += final

    def _judged(
        self, bodies: Sequence[bytes], credentials: Sequence[Credential | None]
    ) -> tuple[list[Verdict | Exception], Mapping[int, Verdict]]:
        """Return what became of each report, and which were refused for their hash function."""
        reading = self._reader.read(bodies)
        valid, rounds = reading.accepted.tolist(), reading.columns.rounds.tolist()
        others = self._assignment.refusals(reading, credentials)
        refusals = {i: NOT_EXAMINED for i, ok in enumerate(valid) if not ok} | others
        rows = zip(rounds, reading.ids(), bodies, credentials, strict=True)
        incoming = [
            Incoming(round, id, body, *self._mark(credential, round))
            for i, (round, id, body, credential) in enumerate(rows)
            if i not in refusals
        ]
        kept = Kept([], counted=False)
        if incoming or (self._uncounted and not bodies):
            kept = self._commits.put(incoming, self._uncounted)
        for error in kept.errors:
            _log_failure(error)
        if kept.counted:
            self._uncounted = Counter()
        self._metrics.outcomes(tally([v for v in kept.verdicts if not isinstance(v, Exception)]))
        verdicts = iter(kept.verdicts)
        judged = [refusals[i] if i in refusals else next(verdicts) for i in range(len(bodies))]
        return judged, others

    def _mark(self, credential: Credential | None, round: int) -> tuple[bytes | None, bool]:
        """Return what is kept of a credential: that it was used, not which report it sent."""
        if credential is None:
            return None, False
        secret, invited = credential
        if invited:
            return hashed(secret.decode()), True
        message = f"{self._store.plan.id}:{round}".encode()
        return hmac.digest(secret, message, hashlib.sha256), False


def _answer(verdicts: list[Verdict | Exception]) -> Answer:
    """Return what a request is answered: what was not kept of it makes it an error."""
    decided = [verdict for verdict in verdicts if not isinstance(verdict, Exception)]
    errors = (verdict for verdict in verdicts if isinstance(verdict, Exception))
    return next(errors, decided)


def _log_failure(error: Exception) -> None:
    if isinstance(error, DiscretionError):
        log.warning("store_failed", detail=str(error))
    else:
        log.error("writer_failed", exc_info=error)


def _deliver(jobs: Sequence[Job], answers: Sequence[Answer]) -> None:
    for job, answer in zip(jobs, answers, strict=True):
        if job.answer.done():  # whoever asked has gone
            continue
        if isinstance(answer, Exception):
            job.answer.set_exception(answer)
        else:
            job.answer.set_result(answer)
