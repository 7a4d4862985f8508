"""Refusals: reports that are not by the assigned hash function, and why reports are refused.

The compiled reader refuses at the speed of reading, but gives no reason. To find one, a report is
parsed in Python, which takes a thousand times as long: so it is done in a thread of its own, for
the first refusals of a request.
"""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate

from discretion.collector.outcome import Credential, Verdict, refused
from discretion.errors import Refusal
from discretion.plan import Plan
from discretion.table.reader import ParsedReports, refusal

EXPLAINED = 100  # refusals of a request
WAITING = 1000  # refusals whose reasons are worked out, or wait for that
LONGEST = 200  # characters of a detail, which may repeat what was sent
NOT_EXAMINED = refused(
    Refusal.NOT_EXAMINED, f"only the first {EXPLAINED} refusals of a request are explained"
)

DETAIL = "the hash function is not the one that comes with the token"


class Assignment:
    """Checks what the plan assigns; nothing of a credential is kept."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        ends = [0, *accumulate(plan.questions[name].n_bytes for name in plan.names)]
        self._columns = [
            (column, name, slice(ends[column], ends[column + 1]))
            for column, name in enumerate(plan.names)
            if plan.questions[name].assigned
        ]

    def refusals(
        self, reading: ParsedReports, credentials: Sequence[Credential | None]
    ) -> dict[int, Verdict]:
        """Return what is refused of the valid reports, by their indices."""
        found = {}
        for column, name, bytes_of in self._columns:
            answered = reading.accepted & reading.columns.shared[:, column]
            for row in answered.nonzero()[0].tolist():
                level = int(reading.columns.levels[row, column])
                y = int.from_bytes(reading.columns.ys[row, bytes_of].tobytes(), "little")
                if not self._is_own(name, level, y, credentials[row]):
                    found[row] = refused(Refusal.OTHER_FUNCTION, f"{name}: {DETAIL}")
        return found

    def _is_own(self, name: str, level: int, y: int, credential: Credential | None) -> bool:
        if credential is None:
            return False
        law = self._plan.questions[name].law(level)
        return law.for_credential(credential.secret.decode(), self._plan.law_id, name).form.admits(
            y
        )


class Explainer:
    """Gives reasons for what the compiled reader of a plan refused."""

    def __init__(self, plan: Plan) -> None:
        self._plan, self._waiting = plan, 0
        self._thread = ThreadPoolExecutor(1, "reasons")

    async def of(self, bodies: Sequence[bytes]) -> list[Verdict]:
        """Return a verdict about each refused report; beyond the limits, one without a reason."""
        first = bodies[: max(min(EXPLAINED, WAITING - self._waiting), 0)]
        self._waiting += len(first)
        try:
            loop = asyncio.get_running_loop()
            found = await loop.run_in_executor(self._thread, self._explained, first)
        finally:
            self._waiting -= len(first)
        return found + [NOT_EXAMINED] * (len(bodies) - len(first))

    def close(self) -> None:
        self._thread.shutdown()

    def _explained(self, bodies: Sequence[bytes]) -> list[Verdict]:
        errors = (refusal(self._plan, body) for body in bodies)
        return [refused(error.reason, error.detail[:LONGEST]) for error in errors]
