"""Keeping: what a transaction does that others run beside."""

from collections.abc import Sequence
from typing import cast

from discretion.collector.outcome import ACCEPTED, Incoming
from discretion.collector.store.database import Key, Session
from discretion.collector.store.insertion import OPEN, keep


class Noting:
    """A session of an empty store that notes which credentials are used."""

    def __init__(self) -> None:
        self.marks: list[object] = []

    def run(self, _: str, *values: object) -> int:
        self.marks.append(values[-1])
        return 1

    def insert(self, _: int, reports: Sequence[Incoming]) -> set[Key]:
        return set()

    def bodies(self, *_: object) -> dict[bytes, bytes | None]:
        return {}


def test_credentials_are_used_in_one_order_whatever_the_order_of_reports() -> None:
    """Otherwise two transactions could wait for each other, each with what the other wants."""
    reports = [
        Incoming(0, bytes([i]) * 16, b"%d" % i, mark) for i, mark in enumerate(b"c a b".split())
    ]
    session = Noting()
    assert keep(cast("Session", session), 1, {0: OPEN}, reports) == [ACCEPTED] * 3
    assert session.marks == [b"a", b"b", b"c"]
