"""What becomes of a report that was sent: one outcome each, and a reason where it is refused."""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from discretion.errors import Refusal


class Outcome(StrEnum):
    """The names are stable: answers, counters and metrics use them."""

    ACCEPTED = "accepted"
    DUPLICATE = "duplicate"  # the same bytes again: a retry, and a success
    CONFLICT = "conflict"  # other bytes under the same id
    DELETED = "deleted"  # its owner took it back
    REFUSED = "refused"


class Verdict(NamedTuple):
    """An outcome; the reason and the detail belong to what is refused."""

    outcome: Outcome
    reason: Refusal | None = None
    detail: str = ""


ACCEPTED, DUPLICATE = Verdict(Outcome.ACCEPTED), Verdict(Outcome.DUPLICATE)
CONFLICT = Verdict(Outcome.CONFLICT, None, "other bytes were sent under this id before")
DELETED = Verdict(Outcome.DELETED, None, "this report was deleted by its owner")


def refused(reason: Refusal, detail: str) -> Verdict:
    """Return the verdict about a report that is not taken."""
    return Verdict(Outcome.REFUSED, reason, detail)


class Credential(NamedTuple):
    """What a device showed, where it may send one report with it."""

    secret: bytes
    invited: bool  # an invitation, which is good for one report; any other, for one in each round


class Incoming(NamedTuple):
    """A valid report, not kept yet."""

    round: int
    id: bytes
    body: bytes  # as it was sealed
    mark: bytes | None = None  # of the credential that it uses up, where that counts
    invited: bool = False  # the credential is an invitation, which is used up for good


def judge(kept: bytes | None, sent: bytes) -> Verdict:
    """Compare what is sent with what is kept under its id; None: a tombstone."""
    if kept is None:
        return DELETED
    return DUPLICATE if kept == sent else CONFLICT


def tally(verdicts: Sequence[Verdict]) -> Counter[tuple[Outcome, str]]:
    """Count verdicts by outcome and reason; who sends again what was deleted is refused."""
    accepted = verdicts.count(ACCEPTED)  # nearly all, as a rule
    counts = Counter({(Outcome.ACCEPTED, ""): accepted} if accepted else {})
    if accepted < len(verdicts):
        counts.update(_counted(verdict) for verdict in verdicts if verdict != ACCEPTED)
    return counts


def _counted(verdict: Verdict) -> tuple[Outcome, str]:
    if verdict.outcome is Outcome.DELETED:
        return Outcome.REFUSED, str(Outcome.DELETED)
    return verdict.outcome, str(verdict.reason or "")
