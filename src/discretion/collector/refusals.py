"""Why reports are refused: worked out beside the writer, for the first refusals of a request.

The compiled reader refuses at the speed of reading, but gives no reason. To find one, a report is
parsed in Python, which takes a thousand times as long: so it is done in a thread of its own.
"""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from discretion.collector.outcome import Verdict, refused
from discretion.errors import Refusal
from discretion.plan import Plan
from discretion.table.reader import refusal

EXPLAINED = 100  # refusals of a request
WAITING = 1000  # refusals whose reasons are worked out, or wait for that
LONGEST = 200  # characters of a detail, which may repeat what was sent
NOT_EXAMINED = refused(
    Refusal.NOT_EXAMINED, f"only the first {EXPLAINED} refusals of a request are explained"
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
