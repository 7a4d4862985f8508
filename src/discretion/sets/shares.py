"""The share of owners who have each item of a set, and how large sets are, from counts alone.

Sizes come from the blanks: blank i is held by those whose set has fewer than i items. The shares
F_i = P(size < i), each pooled over the strata whose length is i or more, are debiased like those of
items. Two blanks go together where the smaller is held, so their covariance is known.
"""

from collections.abc import Mapping
from typing import cast

import numpy as np

from discretion.aggregate import Data, Evidence
from discretion.estimate import FrequencyEstimate
from discretion.estimate.estimate import check_choice
from discretion.estimate.homogeneity import warn_if_dependent
from discretion.estimate.legend import Legend
from discretion.estimate.noise import Matrix, Vector
from discretion.estimate.spread import Known, Spread
from discretion.estimate.votes import Round
from discretion.family import Covers
from discretion.family.counts import BitCounts
from discretion.family.covers.linear import CoverLevels, PooledCovers, channel, debiased
from discretion.sets.keys import Halves, KeySpread
from discretion.sets.result import SetEstimate, ShareSpread
from discretion.sets.strata import agreement, counted, groups_of, longest

METHODS = ("weighted", "stratified")
REMEDY = "compare method='stratified', which takes the longest sets only"
MANY = 1 << 20  # entries of which there is no list
UPPER = 1.96  # standard errors above an estimate: what may be cut is not said to be less


def set_frequencies(
    data: Data, attribute: str, method: str = "auto", target: str = "population"
) -> SetEstimate:
    """Estimate which share of owners has each item.

    ``weighted`` (``auto``) weighs every level and length by its precision. ``stratified`` takes the
    reports of the longest length only, each level by its owners: it holds also where budgets depend
    on sets, and cuts the fewest of them.
    """
    evidence = Evidence.of(data, attribute)
    family, counts = counted(evidence)
    check_choice("method", method, ("auto", *METHODS))
    whole = family.pooled(counts)
    test = agreement(groups_of(family, counts))
    if method == "stratified":
        counts = longest(family, counts)
    else:
        method = "weighted"
        warn_if_dependent({attribute: test}, REMEDY)
    pooled = family.pooled(counts, by_owners=method == "stratified")
    value, spread = pooled_shares(family, pooled, 1 / pooled.n if target == "owners" else 0.0)
    legend = Legend.of(evidence.plan)
    made = attribute, family.estimated, value, spread, pooled.n, method, target, test
    own = size_estimate(attribute, whole, target, legend)
    cut = hidden(family.pooled(counts), len(family.estimated), value)
    made_in = Round.of(evidence.plan, pooled, evidence.n)
    return SetEstimate(*made, legend=legend, sizes=own, cut=cut, round=made_in)


def cut_of(data: Data, attribute: str, label: str) -> float:
    """Return how much the share of an item, or a key, is too low at most."""
    evidence = Evidence.of(data, attribute)
    if evidence.family.open:  # of texts, of which there is no list: at most the sets that are cut
        texts = cast("Mapping[int, BitCounts]", evidence.disclosed)
        return float(hidden(evidence.family.cells().pooled(texts), MANY, np.ones(1))[0])
    family, counts = counted(evidence)
    pooled = family.pooled(counts)
    value, _ = pooled_shares(family, pooled, 0.0)
    return float(hidden(pooled, len(family.estimated), value)[family.estimated.index(label)])


def pooled_shares(family: Covers, pooled: PooledCovers, drawn: float) -> tuple[Vector, Spread]:
    """Return the shares of items, or of keys with either end of their range."""
    if family.grid is None:
        return pooled.value, ShareSpread(pooled, np.clip(pooled.value, 0, 1), drawn)
    halves = Halves.of(pooled)
    return halves.share, KeySpread(pooled, halves, drawn)


def size_estimate(
    attribute: str, pooled: PooledCovers, target: str, legend: Legend
) -> FrequencyEstimate:
    """Estimate how many items sets have."""
    labels, shares, covariance = sizes(pooled.levels)
    if target == "owners":
        f = np.clip(shares, 0, 1)
        covariance = covariance - (np.diag(f) - np.outer(f, f)) / pooled.n
    name = f"size of {attribute}"
    made = name, labels, shares, Known(covariance), pooled.n, "weighted", target, None
    return FrequencyEstimate(*made, legend=legend)


def hidden(pooled: PooledCovers, entries: int, value: Vector) -> Vector:
    """Return how much of each share cutting can hide at most, over the strata by their weight.

    At length l a share is f less E[held (1 - l / size)+], which is at most P(size >= l), and at
    most f (1 - l / d), with d items in all: hence at most (d / l - 1) of what is left of it.
    """
    below, covariance = sizes_below(pooled.levels)
    error = np.sqrt(np.maximum(np.diag(covariance), 0))
    above = np.clip(1 - below + UPPER * error, 0, 1)
    total = np.zeros(len(value))
    for share, (law, _) in zip(pooled.shares.tolist(), pooled.levels, strict=True):
        rest = np.clip(value, 0, 1) * (entries / law.length - 1)
        total += share * np.minimum(above[law.length - 1], rest)
    return total


def sizes_below(levels: CoverLevels) -> tuple[Vector, Matrix]:
    """Return P(size < i) for i = 1, 2, ... up to the longest length, and its covariance."""
    most = max(law.length for law, _ in levels)
    each, weights = np.zeros((2, len(levels), most))
    for row, (law, tally) in enumerate(levels):
        own = slice(0, law.length)
        each[row, own] = debiased(law, tally)[law.items :]
        weights[row, own] = tally.n / channel(law).variance(np.array([0.0]))
    weights /= weights.sum(axis=0)
    value = (weights * each).sum(axis=0)
    held = np.clip(value, 0, 1)
    total = np.zeros((most, most))
    for row, (law, tally) in enumerate(levels):
        covariance = channel(law).covariance(held, np.minimum.outer(held, held))
        total += np.outer(weights[row], weights[row]) * covariance / tally.n
    return value, total


def sizes(levels: CoverLevels) -> tuple[tuple[str, ...], Vector, Matrix]:
    """Return the sizes, from 0 to the longest length or more, their shares and the covariance."""
    below, covariance = sizes_below(levels)
    most = len(below)
    steps = np.vstack([np.eye(most), np.zeros(most)]) - np.vstack([np.zeros(most), np.eye(most)])
    shares = steps @ below
    shares[-1] += 1
    return (*map(str, range(most)), f"{most} or more"), shares, steps @ covariance @ steps.T
