"""Counts by law as channels of a density: few enough, and with few enough outputs, for any menu.

Neighbouring outputs are joined, which loses little: a window is much wider. Neighbouring levels are
joined where there are very many; their reports are then of a mixture of the laws. What depends on
the law alone is kept for other questions.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby

import numpy as np

from discretion.estimate.noise import Matrix
from discretion.family.numbers import joined
from discretion.mechanism.law import Decodable
from discretion.numbers.number_evidence import LawCounts, NumberEvidence
from discretion.numbers.sieve import Channel, summed
from discretion.table.outputs import below

CHANNELS = 64
KNOWN, SMALL = 64, 1 << 17  # channels that are kept for other questions, and how large they may be


def channels_of(evidence: NumberEvidence) -> list[Channel]:
    """Return the channels: one per law, or one for some neighbours of the same shape and range."""
    size = evidence.number.size
    return [_channel(group, size) for group in _groups(evidence.parts)]


def _groups(parts: Sequence[LawCounts]) -> Iterator[list[LawCounts]]:
    """Yield groups of neighbours, about as many reports in each, that can be one channel."""
    enough = sum(part.n for part in parts) / CHANNELS if len(parts) > CHANNELS else 0
    for _, alike in groupby(parts, key=_kind):
        group: list[LawCounts] = []
        for part in alike:
            group.append(part)
            if sum(each.n for each in group) >= enough:
                yield group
                group = []
        if group:
            yield group


def _kind(part: LawCounts) -> tuple[object, ...]:
    """What parts of one channel have in common: their shape, range and number of outputs."""
    return type(part.law), part.first, part.law.size, len(joined(part.law))


def _channel(group: Sequence[LawCounts], size: int) -> Channel:
    counts = sum(np.add.reduceat(part.counts, joined(part.law)[:-1]) for part in group)
    return Channel(_cumulative(group, size), np.asarray(counts, np.float64))


def _cumulative(group: Sequence[LawCounts], size: int) -> Matrix:
    """Return sums of what the group's mixture of laws reports, (grid points + 1, outputs)."""
    law, first = group[0].law, group[0].first
    if len(group) > 1:
        n = sum(part.n for part in group)
        mixture = sum(part.n / n * _probabilities(part.law) for part in group)
        return _summed(np.asarray(mixture), first, size)
    small = size * len(joined(law)) <= SMALL
    return _known(law, first, size) if small else _summed(_probabilities(law), first, size)


@lru_cache(KNOWN)
def _known(law: Decodable, first: int, size: int) -> Matrix:
    return _summed(_probabilities(law), first, size)


def _probabilities(law: Decodable) -> Matrix:
    """Return P(y | x) for joined outputs and each number of the law: (outputs, size of the law)."""
    probabilities: Matrix = np.diff(below(law, joined(law)), axis=0)
    return probabilities


def _summed(probabilities: Matrix, first: int, size: int) -> Matrix:
    """Return the sums over a grid that is no shorter than the owners' range, which begins at first.

    Numbers outside a range are reported as an end of it.
    """
    inside = np.clip(np.arange(size) - first, 0, probabilities.shape[1] - 1)
    return summed(probabilities[:, inside])
