"""Owners with real devices: whatever happens, a round's report has the same bytes."""

from pathlib import Path

from discretion.device import Device, State
from discretion.plan import Plan
from tests.collector.serving import PEOPLE, Sealed, sealed, sealed_by


class Owner:
    """One owner, her state on the disk, and what her device has sealed so far."""

    def __init__(self, folder: Path, plan: Plan, who: int) -> None:
        self.who, self._path, self._plan = who, folder / f"owner-{who}.db", plan
        self._state: State | None = None  # on the disk once she takes part
        self._sealed: dict[int, Sealed] = {}
        self._forged: dict[int, Sealed] = {}

    def report(self, round: int) -> Sealed:
        """Return what her device gives for a round now: the first time, it is drawn."""
        found = sealed_by(self._device(), self.who, round)
        assert found == self._sealed.setdefault(round, found), "a fresh perturbation"
        return found

    def forged(self, round: int) -> Sealed:
        """Return another valid report under the id of hers."""
        if round not in self._forged:
            own, other = self.report(round), sealed(self._plan, self.who + PEOPLE // 2, round)
            body = other.body.replace(other.id.hex().encode(), own.id.hex().encode())
            self._forged[round] = Sealed(round, own.id, body, b"")
        return self._forged[round]

    def outbox(self) -> list[Sealed]:
        """Return what was sealed and not acknowledged; it must be what was sealed at first."""
        unsent = self._device().outbox()
        assert [body for _, body in unsent] == [self._sealed[r].body for r, _ in unsent]
        return [self._sealed[r] for r, _ in unsent]

    def acknowledge(self, round: int) -> None:
        self._device().acknowledge(round)

    def restart(self) -> None:
        """Start her device again, on the same file."""
        self.close()

    def close(self) -> None:
        if self._state is not None:
            self._state.close()
        self._state = None

    def _device(self) -> Device:
        self._state = self._state or State(self._path)
        return Device(self._plan, self._state)
