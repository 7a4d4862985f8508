"""What a device was charged, and the most that it may be: over its life, and over some rounds.

Limits are compared with what reports could have cost if every answer had been new. They stay with
the state, and each further one can only add to them: none is ever raised.
"""

from abc import ABC, abstractmethod
from typing import Any

_SPOKEN_OF = """
WHERE attribute = ?
   OR (plan, attribute) IN (SELECT plan, name FROM bundled WHERE bundled.attribute = ?)
"""
# rounds of a plan, and of those whose answers it shares
_NEAR = """
SELECT round, granted FROM outbox LEFT JOIN roots USING (plan)
 WHERE COALESCE(root, plan) = ? AND round BETWEEN ? AND ?
"""


class Ledger(ABC):
    """Charges and limits, kept in a database."""

    @abstractmethod
    def run(self, query: str, *values: object) -> list[Any]:
        """Run a statement, and return the rows that it finds."""

    def spent(self, attribute: str | None = None) -> int:
        """Return the thousandths of epsilon charged so far, in all or for one attribute.

        What a bundle was charged counts whole for each of its attributes, and once in all.
        """
        where, values = ("", ()) if attribute is None else (_SPOKEN_OF, (attribute, attribute))
        ((total,),) = self.run(f"SELECT COALESCE(SUM(level), 0) FROM ledger {where}", *values)
        return int(total)

    def limit(self) -> int | None:
        """Return the smallest lifetime limit that was ever set, in thousandths of epsilon."""
        ((level,),) = self.run("SELECT MIN(level) FROM limits")
        return level

    def set_limit(self, level: int) -> None:
        """Set a lifetime limit; it stays with the state, and no later one can raise it."""
        self.run("INSERT INTO limits VALUES (?)", level)

    def spent_with(self, collector: str, plan: str) -> int:
        """Return the thousandths charged under a plan, and under all that a collector ever had."""
        query = (
            "SELECT COALESCE(SUM(level), 0) FROM ledger"
            " WHERE plan = ? OR plan IN (SELECT plan FROM contacts WHERE collector = ?)"
        )
        ((total,),) = self.run(query, plan, collector)
        return int(total)

    def granted(self) -> int:
        """Return what all sealed rounds would have cost if every answer had been new."""
        ((total,),) = self.run("SELECT COALESCE(SUM(granted), 0) FROM outbox")
        return int(total)

    def charge(
        self, plan: str, round: int, name: str, level: int, parts: tuple[str, ...] = ()
    ) -> None:
        """Charge a level to an attribute, or to a bundle of these parts."""
        self.run("INSERT INTO ledger VALUES (?, ?, ?, ?)", plan, round, name, level)
        for part in parts:
            if part != name:
                self.run("INSERT OR IGNORE INTO bundled VALUES (?, ?, ?)", plan, name, part)

    def windows(self) -> dict[int, int]:
        """Return the limits over so many consecutive rounds of a plan, each the smallest set."""
        return dict(self.run("SELECT rounds, MIN(level) FROM windows GROUP BY rounds"))

    def set_window(self, rounds: int, level: int) -> None:
        """Set a limit over any so many consecutive rounds of one plan."""
        self.run("INSERT INTO windows VALUES (?, ?)", rounds, level)

    def granted_near(self, root: str, round: int, rounds: int) -> int:
        """Return the most that so many consecutive rounds, this one among them, could have cost.

        They are those of the plans that share what is remembered under ``root``. Rounds may come in
        any order: later numbers count as well.
        """
        found = dict[int, int]()
        for number, granted in self.run(_NEAR, root, round - rounds + 1, round + rounds - 1):
            found[number] = found.get(number, 0) + granted
        starts = {round, *(number for number in found if number < round)}
        return max(
            sum(level for number, level in found.items() if start <= number < start + rounds)
            for start in starts
            if start > round - rounds
        )
