"""Commits of a group: where a database has several shards, several side by side.

Each part of a group is kept or not by itself. A process begins with another shard than its
neighbours, so that they meet seldom.
"""

import os
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple

from discretion.collector.outcome import Incoming, Verdict
from discretion.collector.store import Store
from discretion.collector.store.insertion import Counts
from discretion.collector.store.shards import parts_of

AT_ONCE = 4  # commits of one process, each with a connection


class Kept(NamedTuple):
    """What became of each report, and whether the counts that were given are counted."""

    verdicts: list[Verdict | Exception]
    counted: bool

    @property
    def errors(self) -> list[Exception]:
        """The errors, each of them once."""
        return list({id(v): v for v in self.verdicts if isinstance(v, Exception)}.values())


class Commits:
    """What keeps groups; threads are started when there is something for them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="commit")

    def put(self, reports: Sequence[Incoming], more: Counts) -> Kept:
        """Keep reports; where the parts of a group are one, what keeps it out is raised."""
        parts = parts_of(reports, self._store.database.shards)
        if len(parts) == 1:
            return Kept([*self._store.put(reports, more)], True)
        first = os.getpid() % len(parts)
        done = [
            (part, self._pool.submit(self._store.put, [reports[i] for i in part], also))
            for part, also in zip(
                parts[first:] + parts[:first], [more] + [{}] * (len(parts) - 1), strict=True
            )
        ]
        verdicts: dict[int, Verdict | Exception] = {}
        for part, future in done:
            verdicts |= zip(part, _answers(future, len(part)), strict=True)
        counted = done[0][1].exception() is None
        return Kept([verdicts[i] for i in range(len(reports))], counted)

    def close(self) -> None:
        self._pool.shutdown()


def _answers(done: Future[list[Verdict]], count: int) -> Sequence[Verdict | Exception]:
    try:
        return done.result()
    except Exception as error:
        return [error] * count
