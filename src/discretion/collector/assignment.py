"""Whether reports are by the hash functions that come with their credentials."""

from collections.abc import Sequence
from itertools import accumulate

from discretion.collector.outcome import Verdict, refused
from discretion.errors import Refusal
from discretion.plan import Plan
from discretion.table.reader import Reading

DETAIL = "the hash function is not the one that comes with the token"


class Assignment:
    """Checks what the plan assigns; nothing of a credential is kept."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        ends = [0, *accumulate(plan.questions[name].n_bytes for name in plan.names)]
        self._places = [
            (column, name, slice(ends[column], ends[column + 1]))
            for column, name in enumerate(plan.names)
            if plan.questions[name].assigned
        ]

    def refusals(self, reading: Reading, credentials: Sequence[bytes | None]) -> dict[int, Verdict]:
        """Return what is refused of the valid reports, by their places."""
        found = {}
        for column, name, bytes_of in self._places:
            told = reading.accepted & reading.columns.shared[:, column]
            for row in told.nonzero()[0].tolist():
                level = int(reading.columns.levels[row, column])
                y = int.from_bytes(reading.columns.ys[row, bytes_of].tobytes(), "little")
                if not self._is_own(name, level, y, credentials[row]):
                    found[row] = refused(Refusal.OTHER_FUNCTION, f"{name}: {DETAIL}")
        return found

    def _is_own(self, name: str, level: int, y: int, credential: bytes | None) -> bool:
        if credential is None:
            return False
        law = self._plan.questions[name].law(level)
        return law.for_credential(credential.decode(), self._plan.id, name).form.admits(y)
