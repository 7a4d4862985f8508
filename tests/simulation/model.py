"""What the collector ought to do, in plain dictionaries."""

from collections import Counter
from collections.abc import Iterable
from datetime import date

from discretion.collector.outcome import Incoming, Outcome

Expected = tuple[Outcome, str]  # an outcome, and the reason where a report is refused
Key = tuple[int, bytes]
OPEN, CLOSED, CLEARED = "open", "closed", "cleared"


class Model:
    """The reports of a plan as they ought to be."""

    def __init__(self) -> None:
        self.today, self._latest = (
            date(2026, 11, 15),
            date.min,
        )  # the clock, and the last day seen
        self.states: dict[int, str] = {}
        self.closed_on: dict[int, date | None] = {}  # None: the clock was wrong
        self.rows: dict[Key, bytes | None] = {}  # None: a tombstone
        self.counted: dict[int, dict[bytes, bytes]] = {}  # by round and id; outlives the rows
        self.deleted: set[Key] = set()
        self.marks: set[tuple[int, bytes]] = set()
        self.counters: Counter[Expected] = Counter()
        self.states[0], self.counted[0] = OPEN, {}  # a new store has it; nobody opened it

    def put(self, report: Incoming) -> Expected:
        judged = self._judged(report)
        counted = (Outcome.REFUSED, "deleted") if judged[0] is Outcome.DELETED else judged
        self.counters[counted] += 1
        return judged

    def _judged(self, report: Incoming) -> Expected:
        key, state = (report.round, report.id), self.states.get(report.round)
        if key in self.rows:
            if self.rows[key] is None:
                return Outcome.DELETED, ""
            same = self.rows[key] == report.body
            return (Outcome.DUPLICATE if same else Outcome.CONFLICT), ""
        if state is None:
            return Outcome.REFUSED, "round_not_open"
        if state != OPEN:
            return Outcome.REFUSED, "round_closed"
        if report.mark is not None:
            if (report.round, report.mark) in self.marks:
                return Outcome.REFUSED, "credential_used"
            self.marks.add((report.round, report.mark))
        self._see()
        self.rows[key] = report.body
        self.counted[report.round][report.id] = report.body
        return Outcome.ACCEPTED, ""

    def delete(self, id: bytes) -> bool:
        found = False
        for round, own in self.rows:
            if own == id:
                found = True
                if self.rows[round, own] is not None:
                    self.rows[round, own] = None
                    del self.counted[round][id]
                    self.deleted.add((round, id))
                    self.counters[Outcome.DELETED, ""] += 1
        return found

    def open_round(self, round: int) -> bool:
        if round not in self.states:
            self._see()
        if self.states.setdefault(round, OPEN) != OPEN:
            return False
        self.counted.setdefault(round, {})
        return True

    def close_round(self, round: int, *, confirmed: bool = False) -> bool:
        """Close a round on this day, which is not believed if the clock went back."""
        state, believed = self.states.get(round), confirmed or self.today >= self._latest
        again = state == CLOSED and believed and (confirmed or self.closed_on[round] is None)
        if state == OPEN or again:
            self.states[round] = CLOSED
            self.closed_on[round] = self.today if believed else None
            self._see()
            self.marks = {(r, mark) for r, mark in self.marks if r != round}
        return round in self.states

    def due(self, before: date) -> list[int]:
        days = {r: day for r, day in sorted(self.closed_on.items()) if self.states[r] == CLOSED}
        return [r for r, day in days.items() if day is not None and day < before]

    def clear(self, rounds: Iterable[int]) -> None:
        """Clear these rounds, and sweep all that are cleared."""
        for round in rounds:
            self.states[round] = CLEARED
            self._see()
        self.rows = {key: b for key, b in self.rows.items() if self.states[key[0]] != CLEARED}

    def begin_clearing(self, round: int, left: set[bytes]) -> None:
        """A process died while it cleared a round: rows with these ids are left."""
        own = {id for r, id in self.rows if r == round}
        assert left <= own, "a row came back"
        if self.states[round] != CLEARED:
            self.states[round] = CLEARED
            self._see()
        for id in own - left:
            del self.rows[round, id]

    def kept(self, round: int) -> list[bytes]:
        """The bodies that are there, in any order."""
        return [body for (r, _), body in self.rows.items() if r == round and body is not None]

    def _see(self) -> None:
        """A report or an act has this day in the store."""
        self._latest = max(self._latest, self.today)
