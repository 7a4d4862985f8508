"""The result cache: an answer is worked out once for everybody, and not again too soon.

A cached result is valid while no report is added or deleted. After that, the next request has it
worked out again, but not before it is a few times as old as the computation took: a page that many
people watch while thousands of reports arrive costs little, and is a moment behind. Until the new
result is there, the last one is returned, but never one of reports that were deleted or cleared
since: that one is void, and whoever asks sees how the new one comes along. As many questions are
worked out at once as there are workers; others wait.
"""

import asyncio
import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from time import monotonic
from typing import Any

from discretion.collector.log import log
from discretion.collector.outcome import Outcome
from discretion.collector.problems import CANNOT, NOT_FOUND, ROUND, problem_of
from discretion.collector.store import Store
from discretion.collector.store.insertion import CLEARED
from discretion.collector.worker_pool import PoolClient
from discretion.errors import DiscretionError
from discretion.web.dashboard import Collected, Found

FRESH = 1.0  # seconds that counters are good for
YOUNG = 2.0  # seconds before which no answer is worked out again,
TIMES = 4.0  # nor before it is so many times as old as it took
GLANCE = 1.0  # seconds that are waited for a newer answer where there is an older one
REMEMBERED = 64  # answers
WAITING = 16  # questions under way; one more is begun when it is asked again
FINAL = (CANNOT.name, NOT_FOUND.name, ROUND.name)  # what the same reports would give again

Key = tuple[str, str]
State = tuple[int, int, str]  # of a store: it changes with every report that comes or goes


@dataclass(frozen=True, slots=True)
class CachedResult:
    """An answer, the state of the store it is of, and when and how fast it was found."""

    found: Found[Mapping[str, object]]
    state: State | None  # None: to be tried again, whatever the state
    at: float
    seconds: float

    def void(self, state: State) -> bool:
        """Whether reports that it is of may be gone."""
        return self.state is not None and _gone(self.state) != _gone(state)

    def good(self, state: State) -> bool:
        """Whether it need not, or may not yet, be worked out again."""
        young = monotonic() - self.at < max(YOUNG, TIMES * self.seconds)
        return self.state == state or young


class ResultCache:
    """Results by question; and the counters, which are read a little more often."""

    def __init__(self, store: Store, workers: PoolClient, at_once: int = 1) -> None:
        self._store, self._workers = store, workers
        self._known: OrderedDict[Key, CachedResult] = OrderedDict()
        self._work: dict[Key, tuple[asyncio.Task[None], float]] = {}  # and since when
        self._usual: dict[str, float] = {}  # seconds that questions took last, by what they ask
        self._collected: dict[int | None, tuple[float, Collected]] = {}
        self._changes = 0  # that were made here
        self._numbers, self._closed = count(1), False
        self._process = secrets.token_hex(8)
        self._turn, self._at_once = asyncio.Semaphore(at_once), at_once

    async def collected(self, round: int | None = None) -> Collected:
        """Return how many reports there are, and in one round, the newest one if none is named."""
        at, found = self._collected.get(round, (-FRESH, None))
        if found is None or monotonic() - at > FRESH:
            changes = self._changes
            found = await asyncio.to_thread(_counted, self._store, round)
            if len(self._collected) >= REMEMBERED:
                self._collected.clear()
            if changes == self._changes:
                self._collected[round] = monotonic(), found
        return found

    def count_anew(self) -> None:
        """Have the next reader see what has just changed here."""
        self._changes += 1
        self._collected.clear()

    async def ask(
        self, collected: Collected, timeout: float, question: str, **values: Any
    ) -> Found[Any]:
        """Return what is known of a question; nobody waits for what has taken long already."""
        key, state = (question, repr(sorted(values.items()))), _state(collected)
        known = self._kept(key, state)
        if known is None or not known.good(state):
            if key not in self._work and len(self._work) < WAITING and not self._closed:
                task = asyncio.create_task(self._worked_out(key, state, values))
                self._work[key] = task, monotonic()
            if key in self._work:
                task, since = self._work[key]
                left = (timeout if known is None else GLANCE) - (monotonic() - since)
                await asyncio.wait([task], timeout=max(left, 0.0))
            known = self._kept(key, state)
        if known is None:
            return self._awaited(key, values)
        self._known.move_to_end(key)
        return known.found

    def _kept(self, key: Key, state: State) -> CachedResult | None:
        """Return what is known of a question, unless it is void."""
        known = self._known.get(key)
        return None if known is None or known.void(state) else known

    def _awaited(self, key: Key, values: Mapping[str, Any]) -> Found[Any]:
        """Say how far something is that is being worked out."""
        usual = self._usual.get(_kind(key[0], values))
        if key not in self._work:
            return Found(ahead=len(self._work), usual=usual)
        ahead = max([*self._work].index(key) + 1 - self._at_once, 0)
        return Found(seconds=monotonic() - self._work[key][1], ahead=ahead, usual=usual)

    async def tag(self, question: str, **values: Any) -> str:
        """Return the tag of a question's answer: it changes with every report that comes or goes.

        The state is read before the answer is worked out: an answer may be newer than its tag says,
        never older. Other processes, which may be of another version, have other tags.
        """
        collected = await asyncio.to_thread(_counted, self._store, values.get("round"))
        state = _state(collected)
        whole = repr((self._process, question, sorted(values.items()), state)).encode()
        return f'W/"{hashlib.sha256(whole).hexdigest()[:32]}"'

    def close(self) -> None:
        """Give up what is being worked out, and begin nothing more."""
        self._closed = True
        for task, _ in self._work.values():
            task.cancel()
        self._work.clear()  # also of those that had not begun

    async def _worked_out(self, key: Key, state: State, values: Mapping[str, Any]) -> None:
        start, again = monotonic(), False
        try:
            async with self._turn:
                start = monotonic()
                document = await self._workers.ask(key[0], **values)
            self._usual[_kind(key[0], values)] = monotonic() - start
            found = Found(document, number=next(self._numbers))
        except DiscretionError as error:
            problem = problem_of(error)
            again = problem.name not in FINAL
            found = Found(None, problem.detail, next(self._numbers))
        except Exception:
            log.exception("failed", question=key[0])
            again, found = True, Found(None, "the server failed", next(self._numbers))
        finally:
            self._work.pop(key, None)
        now = monotonic()
        took = now - start if key in self._known else 0.0  # the first takes long: it is all new
        self._known[key] = CachedResult(found, None if again else state, now, took)
        self._known.move_to_end(key)
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)


def _gone(state: State) -> tuple[int, int]:
    """Return how many reports were deleted, and how many rounds are cleared."""
    return state[1], state[2].count(CLEARED)


def _kind(question: str, values: Mapping[str, Any]) -> str:
    """Return what questions have in common that take about as long as each other."""
    return f"{question} {values.get('statistic', '')}"


def _counted(store: Store, round: int | None) -> Collected:
    listed = store.rounds()
    rounds = {each.round: each.state for each in listed}
    closed_on = {each.round: each.closed_on for each in listed if each.closed_on}
    found = store.counters()
    plain = {str(o): sum(own.values()) for o, own in found.items() if o is not Outcome.REFUSED}
    asked = Collected(rounds, plain, found[Outcome.REFUSED], {})
    days = store.arrivals(asked.newest if round is None else round)
    return Collected(rounds, plain, found[Outcome.REFUSED], days, closed_on)


def _state(collected: Collected) -> State:
    outcomes = collected.outcomes
    return outcomes["accepted"], outcomes["deleted"], str(sorted(collected.rounds.items()))
