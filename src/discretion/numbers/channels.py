"""Counts by law as channels of a density: few enough, and with few enough outputs, for any menu.

Neighbouring outputs are joined, which loses little: a window is much wider. Neighbouring levels are
joined where there are very many; their reports are then of a mixture of the laws.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from discretion.estimate.noise import Matrix
from discretion.family.numbers import joined
from discretion.numbers.density import Channel
from discretion.numbers.evidence import LawCounts, NumberEvidence
from discretion.table.columns import Codes
from discretion.table.outputs import below

CHANNELS = 64


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
    probabilities, counts = np.zeros(()), np.zeros(())
    for part in group:
        edges = joined(part.law)
        rows: Matrix = np.diff(below(part.law, edges), axis=0)
        probabilities = probabilities + rows * (part.n / n)
        counts = counts + np.add.reduceat(part.counts, edges[:-1])
    return Channel(probabilities[:, _inside(group[0], size)], np.asarray(counts, np.float64))


def _inside(part: LawCounts, size: int) -> Codes:
    """Return for each grid point the code of an owner with this range: outside, an end of it."""
    return np.clip(np.arange(size) - part.first, 0, part.law.size - 1)
