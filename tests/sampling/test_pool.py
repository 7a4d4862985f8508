"""Pooled estimates of two rounds hold the truth as often as they say, whoever answered both.

Reports are drawn item by item from the exact channel of the law of sets, levels .5, 1, 2 and 4 at
random. The first round chooses the eight items that look most frequent of twelve, the second asks
about these alone; intervals are looked at for the eight, which is where selection would show.
"""

from typing import cast

import numpy as np
import numpy.typing as npt
import pytest

from discretion.candidates.pool import _pooled
from discretion.estimate.votes import Round, RoundShare
from discretion.family.counts import BitCounts
from discretion.family.covers.linear import PooledCovers, channel
from discretion.mechanism import set_law
from discretion.plan import Plan

SEED, RUNS, OWNERS = 20261122, 400, 6000
LEVELS = (500, 1000, 2000, 4000)
CHANCES = 0.4 / np.arange(1, 13) ** 0.6
KEPT = 8
EITHER_SIDE = 0.025
Held = npt.NDArray[np.bool_]
Levels = npt.NDArray[np.int64]


def asked(held: Held, levels: Levels, rng: np.random.Generator) -> list[RoundShare]:
    """Return what a round says of each item."""
    found = []
    for level in LEVELS:
        law = set_law("cover", held.shape[1], held.shape[1], level)
        own, mine = channel(law), held[levels == level]
        seen = rng.random(mine.shape) < np.where(mine, own.own, own.other)
        counts = np.concatenate([seen.sum(axis=0), np.zeros(law.length, np.int64)])
        found.append((law, BitCounts(np.array([len(mine)]), counts[None])))
    pooled = PooledCovers(found, held.shape[1])
    made = Round.of(cast("Plan", None), pooled, len(held))
    errors = np.sqrt(pooled.variance(np.clip(pooled.value, 0, 1)))
    return [made.share(*each) for each in zip(pooled.value.tolist(), errors.tolist(), strict=True)]


@pytest.mark.slow
@pytest.mark.parametrize("how", ["same", "other levels", "half", "others"])
def test_pooled_intervals_hold_the_truth_whoever_answered_both(how: str) -> None:
    common = {"same": OWNERS, "other levels": OWNERS, "half": OWNERS // 2, "others": 0}[how]
    covered, naive = [], []
    for run in range(RUNS):
        rng = np.random.default_rng((SEED, run))
        crowd = rng.random((2 * OWNERS, len(CHANCES))) < CHANCES
        levels = rng.choice(LEVELS, 2 * OWNERS)
        again = slice(OWNERS - common, 2 * OWNERS - common)
        first = asked(crowd[:OWNERS], levels[:OWNERS], rng)
        if how == "other levels":
            levels = rng.choice(LEVELS, 2 * OWNERS)
        order = np.argsort([-each.share for each in first])
        kept, least = order[:KEPT], first[order[KEPT]].share
        second = asked(crowd[again][:, kept], levels[again], rng)
        for place, own in zip(kept.tolist(), second, strict=True):
            before = first[place]
            chosen = RoundShare(before.share, before.stderr, before.rare, before.votes, least)
            carved, _ = _pooled(chosen, own, common)
            share = float(CHANCES[place])
            covered.append(EITHER_SIDE <= carved._above(share) <= 1 - EITHER_SIDE)
            naive.append(abs(carved.value - share) <= 1.96 * carved.stderr)
    found = f"{np.mean(covered):.4f}, without selection {np.mean(naive):.4f}, seed {SEED}"
    print(f"\n{how}: {found}")
    most = 0.99 if how == "other levels" else 0.97  # levels that were kept are assumed
    assert 0.93 <= np.mean(covered) <= most, found
