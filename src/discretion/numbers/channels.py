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
    n = sum(part.n for part in group)
    counts = sum(np.add.reduceat(part.counts, joined(part.law)[:-1]) for part in group)
    small = size * len(joined(group[0].law)) <= SMALL
    known = _known if small else _cumulative
    shares = [(part.n / n, known(part.law, part.first, size)) for part in group]
    cumulative = shares[0][1] if len(group) == 1 else sum(share * own for share, own in shares)
    return Channel(np.asarray(cumulative), np.asarray(counts, np.float64))


def _cumulative(law: Decodable, first: int, size: int) -> Matrix:
    """Return what a channel of this law is, whose owners' range begins at a grid point.

    Numbers outside a range are reported as an end of it.
    """
    inside = np.clip(np.arange(size) - first, 0, law.size - 1)
    return summed(np.diff(below(law, joined(law)), axis=0)[:, inside])


_known = lru_cache(KNOWN)(_cumulative)
