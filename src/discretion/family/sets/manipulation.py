"""What false reports do to sets of codes: those of one level, with the most harmful report.

A share b of the reports of a round is replaced by copies of one report at one level. With W the sum
of all weights, w that of one report at the level, z its debiased score at a code and f the pooled
estimate there, the change to be expected is b N w (z - f) / ((1 - b) W + b N w). Under a cap, the
shares of the weight are worked out anew. Derivation: docs/proofs/frequencies.md, section 13.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from discretion.estimate.noise import Noise, Vector
from discretion.family.family import Displacement
from discretion.family.sets.assigned import ScoreBounds
from discretion.family.sets.linear import PooledSets, capped, debiased, weights_of
from discretion.mechanism import Hashed
from discretion.mechanism.law import Scored


@dataclass(frozen=True)
class Manipulation:
    """False reports beside honest ones, at every level of a menu."""

    pooled: PooledSets
    occurring: Sequence[int]  # the levels of honest reports
    laws: Mapping[int, Scored]  # by level
    share: float  # of all reports that is false
    added: float  # how many false ones there are, all of which hold the attribute
    assigned: bool  # whether hash functions come with the credential

    def displaced(self) -> Displacement:
        """Return how far each level of the menu moves each code up and down."""
        move = self._moved if self.pooled.cap is None else self._capped
        moved = np.array([move(level, law) for level, law in self.laws.items()])
        return Displacement(tuple(self.laws), moved[:, 0], moved[:, 1])

    def _moved(self, level: int, law: Scored) -> list[Vector]:
        f, kept = self.pooled.value, (1 - self.share) * weights_of(self.pooled.levels).sum()
        odds = self.added * Noise.of(law).precision(law.size) / kept
        up, down = (odds / (1 + odds) * (end - f) for end in extremes(law))
        bounds = self._score_bounds(law)
        if bounds is None:
            return [up, down]
        above = f - 1 / law.size
        return [
            np.minimum(up, bounds.up.change(-above, odds)),
            np.maximum(down, -bounds.down.change(above, odds)),
        ]

    def _capped(self, level: int, law: Scored) -> list[Vector]:
        """Return the changes of the capped estimate, at either end."""
        levels, kept = self.pooled.levels, 1 - self.share
        values, n = debiased(levels), kept * np.array([tally.n for _, tally in levels])
        each = kept * weights_of(levels) / n
        index = {own: i for i, own in enumerate(self.occurring)}.get(level, len(n))
        if index == len(n):
            values = np.vstack([values, np.zeros(law.size)])
            n, each = np.append(n, 0.0), np.append(each, Noise.of(law).precision(law.size))
        before = n[index]
        n[index] += self.added
        shares = capped(n * each, self.pooled.cap)
        found = []
        for end in self._ends(law):
            row = (before * values[index] + self.added * end) / n[index]
            moved = shares @ values + shares[index] * (row - values[index])
            found.append(moved - self.pooled.value)
        return found

    def _ends(self, law: Scored) -> tuple[float, float]:
        """Return the extreme scores, or those to be expected of random functions."""
        up, down = extremes(law)
        bounds = self._score_bounds(law)
        if bounds is None:
            return up, down
        return min(up, 1 / law.size + bounds.up.most), max(down, 1 / law.size - bounds.down.most)

    def _score_bounds(self, law: Scored) -> ScoreBounds | None:
        return ScoreBounds.of(cast("Hashed", law)) if self.assigned else None


def extremes(law: Scored) -> tuple[float, float]:
    """Return the largest and the smallest score of a code in a report that the law can make.

    With s codes in the support it is ([code in it] - s / size) / (p - q) + 1 / size. Of hashed
    reports it is a bound: whoever draws the function draws a harmful one, but there may be none
    that puts just the wanted codes together. Of coded ones it is where each code has a place of its
    own.
    """
    (held, lacked), (own, other) = law.extremes, law.means
    size, gap = law.size, float(own - other)
    return (1 - held / size) / gap + 1 / size, -lacked / size / gap + 1 / size
