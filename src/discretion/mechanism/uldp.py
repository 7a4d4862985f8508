"""Utility-optimised local privacy: some values are sensitive, the others may be reported openly.

With s sensitive codes, and o the weight of a sensitive output for any other code,

Law      P(y | x) = o / WHOLE                  if y is sensitive and not x,
                    1 - the rest of its row    if y is x: s - 1 of them if it is sensitive, else s,
                    0                          if y is not sensitive and not x
Report   y is a code, one byte
Privacy  a sensitive output is at most e^epsilon times as likely for one code as for another; any
         other output reveals its code, and so that it is no sensitive one
Source   Murakami and Kawamoto (2019), USENIX Security: utility-optimised randomised response.
Proof    docs/proofs/variants.md
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from discretion.mechanism.matrix import WHOLE, Matrix
from discretion.mechanism.odds import odds
from discretion.randomness import ONE

WHOLLY = 1000  # thousandths of a level: as much as local differential privacy allows any two


@dataclass(frozen=True, slots=True)
class Sensitive:
    """The sensitive codes among ``size``, rising; some are not."""

    size: int
    codes: tuple[int, ...]

    @property
    def opened(self) -> frozenset[int]:
        return frozenset(range(self.size)) - frozenset(self.codes)

    def allowed(self, one: int, other: int) -> int:
        """Return the whole level for all pairs: of outputs that are not open."""
        return 0 if one == other else WHOLLY

    def farthest(self) -> tuple[int, int]:
        return self.codes[0], self.codes[-1]

    def law(self, level: int) -> Matrix:
        held = set(self.codes)
        other = even(len(held), level)
        rows = []
        for code in range(self.size):
            row = [other if y in held else 0 for y in range(self.size)]
            row[code] = 0
            row[code] = WHOLE - sum(row)
            rows.append(tuple(row))
        return Matrix(tuple(rows))

    def document(self, labels: Sequence[str]) -> dict[str, Any]:
        return {"sensitive": [labels[code] for code in self.codes]}

    def promise(self, labels: Sequence[str]) -> str:
        held = ", ".join(labels[code] for code in self.codes)
        return (
            f"a report of {held} tells any two values apart by at most the level; other reports "
            "are open, and true"
        )


def even(size: int, level: int, per: int = 1000) -> int:
    """Return the least weight of another one of so many outputs: its own has e^epsilon times it."""
    return -(-WHOLE * ONE // (odds(level, per) + (size - 1) * ONE))  # up: towards more privacy
