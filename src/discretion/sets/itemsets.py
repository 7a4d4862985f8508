"""Which items, and itemsets, a next round asks about, and up to how many of them it reports.

An itemset that was not asked about is ranked by the product of the shares of its items, over the
largest of all shares for each item but one: as if the most frequent item were in every set. That is
the rule of SVSM (T. Wang, Li and Jha 2018) but for a factor. Items seldom go together as little as
by accident, and one item in all sets would make them go together just so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import cast

import numpy as np

from discretion.errors import EstimateError
from discretion.mechanism import set_law
from discretion.plan import Plan
from discretion.schema import ItemSet
from discretion.schema.categorical import OTHER

MOST_LENGTH = 64
LOST = 0.25  # standard errors of a rare item's share that may be cut of any
OWNERS, SEED = 2000, 0  # made-up owners, whose items are independent; the seed is no secret

Places = tuple[int, ...]  # of the items of an itemset, rising


@dataclass(frozen=True)
class Measured:
    """The shares of itemsets that were estimated, items among them, in a round of a plan."""

    plan: Plan
    name: str
    shares: Mapping[str, float]
    n: int

    @property
    def attribute(self) -> ItemSet:
        found = self.plan.questions[self.name].attribute
        if not found.several or cast("ItemSet", found).values is not None:
            rule = "focus needs a set or texts to discover"
            raise EstimateError(f"{rule}, and {self.name!r} is neither")
        asked = cast("ItemSet", found)
        if not asked.labels:  # texts, of which the candidates are the list from now on
            return ItemSet(self.name, tuple(self.shares), asked.lengths)
        return asked

    @property
    def estimated(self) -> dict[Places, float]:
        """The shares of what may be asked about again."""
        asked = self.attribute
        members = asked.members or tuple((place,) for place in range(len(asked.labels)))
        own = {label: members[asked.codes[label]] for label in self.shares}
        return {
            own[label]: share
            for label, share in self.shares.items()
            if share > 0 and not any(asked.items[place] == OTHER for place in own[label])
        }

    def ranked(self, count: int, together: int) -> dict[Places, float]:
        """Return the most frequent itemsets, estimated or guessed, with their shares."""
        found = dict(self.estimated)
        single = {own[0]: share for own, share in found.items() if len(own) == 1}
        top = sorted(sorted(single, key=lambda place: -single[place])[:count])
        most = max(single.values(), default=1.0)
        for size in range(2, together + 1):
            for own in combinations(top, size):
                guess = prod(single[place] for place in own) / most ** (size - 1)
                found.setdefault(own, guess)
        best = sorted(found, key=lambda own: (-found[own], own))[:count]
        return {own: found[own] for own in best}

    def length(self, sets: Sequence[Places], shares: Mapping[Places, float]) -> int:
        """Return the shortest length at which next to nothing is forecast to be cut.

        A longer report is noisier, and a shorter one cuts the larger sets, which no interval shows.
        Owners are guessed to have items independently, and as many of them to answer as did, at the
        highest level: those count most.
        """
        places = sorted({place for own in sets for place in own})
        chances = [min(max(shares.get((place,), 0.0), 0.0), 1.0) for place in places]
        rng = np.random.default_rng(SEED)
        have = dict(zip(places, (rng.random((OWNERS, len(places))) < chances).T, strict=True))
        held = np.array([np.logical_and.reduce([have[place] for place in own]) for own in sets])
        sizes, level = held.sum(axis=0), self.plan.policy.menu[-1]
        most = min(len(sets), MOST_LENGTH)
        for length in range(1, most):
            law = set_law(self.plan.questions[self.name].mechanism, len(sets), length, level)
            own, other = float(law.own), float(law.other)
            error = (other * (1 - other) / self.n) ** 0.5 / (own - other)
            lost = (held * np.maximum(1 - length / np.maximum(sizes, 1), 0)).mean(axis=1)
            if lost.max() <= LOST * error:
                return length
        return most


def closer(measured: Measured, count: int, together: int) -> dict[str, object]:
    """Return what to ask about the most frequent items, and itemsets of them, as authors write."""
    found = measured.ranked(count, together)
    if len(found) < 2:
        raise EstimateError(f"fewer than two items of {measured.name!r} have a share above zero")
    sets, items = [*found], measured.attribute.items
    length = measured.length(sets, measured.estimated)
    if all(len(own) == 1 for own in sets):
        return {"kind": "set", "items": [items[place] for (place,) in sets], "length": length}
    places = sorted({place for own in sets for place in own})
    return {
        "kind": "set",
        "items": [items[place] for place in places],
        "sets": [[items[place] for place in own] for own in sets],
        "length": length,
    }
