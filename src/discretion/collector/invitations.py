"""Invitations: codes that send one report each, of which only hashes are kept.

A code is used up in the transaction that keeps its report. Which report that was is not kept.
"""

import secrets
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from discretion.collector.errors import SettingError
from discretion.collector.store.audit_log import COMMAND, note
from discretion.collector.store.database import Database
from discretion.collector.tokens import hashed

SYMBOLS = "0123456789abcdefghjkmnpqrstvwxyz"  # without i, l, o, u: some codes are typed
LENGTH = 26  # 130 bits
MOST = 100_000  # invitations of one list


class State(StrEnum):
    """What an invitation can still be used for."""

    OPEN = "open"  # one report may be sent with it
    USED = "used"  # its report was kept; that may be sent again, or deleted
    REVOKED = "revoked"  # taken back before it was used


@dataclass(frozen=True, slots=True)
class InvitationList:
    """Invitations that were made together, and how many are in each state."""

    name: str
    plan: str  # its id
    counts: Counter[State]


class Invitations:
    """The invitations of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def make(self, count: int, name: str, plan: str) -> list[str]:
        """Make a list of codes for a plan, by its id; they are returned once and kept nowhere."""
        if not 1 <= count <= MOST:
            raise SettingError("count", f"must be a whole number from 1 to {MOST:,}", count)
        codes = ["".join(secrets.choice(SYMBOLS) for _ in range(LENGTH)) for _ in range(count)]
        insert = "INSERT INTO invitations (hash, plan, list, state) VALUES (?, ?, ?, ?)"
        with self._database.writing() as session:
            if session.rows("SELECT 1 FROM invitations WHERE list = ? LIMIT 1", name):
                raise SettingError("name", "must not be another list's", name)
            for code in codes:
                session.run(insert, hashed(code), plan, name, State.OPEN)
            note(session, COMMAND, "invite", f"{count} in list {name}", plan)
        return codes

    def lists(self) -> list[InvitationList]:
        query = (
            "SELECT list, plan, state, count(*) FROM invitations "
            "GROUP BY list, plan, state ORDER BY list"
        )
        found = dict[str, InvitationList]()
        with self._database.reading() as session:
            for name, plan, state, count in session.rows(query):
                own = found.setdefault(name, InvitationList(name, plan, Counter()))
                own.counts[State(state)] = int(count)
        return [*found.values()]

    def state(self, code: str, plans: Iterable[str]) -> State | None:
        """Return the state of a code; None where there is none of these plans."""
        query = "SELECT plan, state FROM invitations WHERE hash = ?"
        with self._database.reading() as session:
            rows = session.rows(query, hashed(code))
        return next((State(state) for plan, state in rows if plan in plans), None)

    def revoke(self, codes: Iterable[str]) -> int:
        """Revoke codes that are not used yet; return how many that were."""
        own = {hashed(code) for code in codes}
        return self._revoke("hash = ?", sorted(own), f"{len(own)} by code")

    def revoke_list(self, name: str) -> int:
        """Revoke those of a list that are not used yet; return how many that were."""
        return self._revoke("list = ?", [name], f"list {name}")

    def _revoke(self, which: str, values: Iterable[object], detail: str) -> int:
        revoke = f"UPDATE invitations SET state = ? WHERE state = ? AND {which}"
        with self._database.writing() as session:
            done = sum(session.run(revoke, State.REVOKED, State.OPEN, value) for value in values)
            if done:
                note(session, COMMAND, "invite", f"revoke {detail}: {done} revoked")
        return done
