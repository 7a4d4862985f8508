"""Goodness of fit: p-values of reports under the law that honest devices follow.

Each test is valid whatever the owners' values are. A small p-value speaks against honest reports.
"""

from math import exp, sqrt

import numpy as np
import numpy.typing as npt
import scipy
from scipy.special import betainc, chdtrc, xlogy

from discretion.estimate.noise import Vector
from discretion.family.counts import BitCounts, Outputs, Tally
from discretion.mechanism import CodedLaw, Matrix, SupportLaw
from discretion.table.outputs import probabilities

Numbers = npt.NDArray[np.float64] | npt.NDArray[np.int64] | float  # that go along with each other

FEW = 10  # reports that a cell is expected to have, to be relied on
FAR = 40  # standard deviations: nothing is beyond


def ones_pvalue(law: SupportLaw, tally: Tally) -> float | None:
    """Test how many bits reports have set: Bern(p) + Bin(size - 1, q), whatever the values.

    A chi-square over numbers of ones, neighbours joined until 10 reports are expected. None where
    the law fixes the size of supports, or too few reports came.
    """
    if not law.form.n_bits or law.form.ones is not None:
        return None
    p, q = float(law.inclusion.own), float(law.inclusion.other)
    others = np.pad(scipy.stats.binom.pmf(np.arange(law.size), law.size - 1, q), (0, 1))
    expected = tally.n * ((1 - p) * others + p * np.roll(others, 1))
    starts = _cells(expected)
    if len(starts) < 2:
        return None
    wanted, seen = (np.add.reduceat(each, starts) for each in (expected, tally.sizes))
    return float(chdtrc(len(starts) - 1, float(((seen - wanted) ** 2 / wanted).sum())))


def _cells(expected: Vector) -> list[int]:
    """Return where cells of enough expected reports start."""
    before = np.concatenate([[0.0], np.cumsum(expected)])  # of each, and of all
    last = int(np.searchsorted(before, before[-1] - FEW, side="right")) - 1
    starts = [0]
    while True:
        enough = int(np.searchsorted(before, before[starts[-1]] + FEW))
        if enough > last:
            return starts
        starts.append(enough)


def codeword_pvalue(law: CodedLaw, tally: BitCounts) -> float:
    """Test how many bits all reports together have set: codewords have equally many.

    It is Bin(n h, own) + Bin(n (bits - h), other), h the bits of a codeword: exact tails, two
    sides. For quantised bits it is Hoeffding's bound of them.
    """
    (own, other), encoding, n = map(float, law.means), law.encoding, tally.n
    inside, outside, seen = (
        n * encoding.hashes,
        n * (encoding.bits - encoding.hashes),
        tally.counts.sum(),
    )
    if encoding.top > 1:
        all_, mean = inside + outside, (inside * own + outside * other) / (inside + outside)
        return _sums_pvalue(seen / encoding.top, all_, mean, mean)
    half_width = FAR * sqrt(inside * own * (1 - own)) + FAR
    at = np.arange(
        max(0, int(inside * own - half_width)), min(inside, int(inside * own + half_width)) + 1
    )
    probability = scipy.stats.binom.pmf(at, inside, own)
    upper = probability @ scipy.stats.binom.sf(seen - at - 1, outside, other)
    lower = probability @ scipy.stats.binom.cdf(seen - at, outside, other)
    return float(min(1.0, 2 * min(upper, lower)))


def bounds_pvalue(counts: Numbers, n: Numbers, low: Numbers, high: Numbers) -> float:
    """Test whether outputs are as frequent as some values could make them, each at a time.

    A count of n reports whose probabilities lie between low and high lies between binomials with
    these. The smallest of all tails, times their number. P(Bin(n, p) >= k) is I_p(k, n - k + 1).
    """
    seen = np.asarray(counts, np.float64)
    above = np.where(seen > 0, betainc(np.maximum(seen, 1), n - np.maximum(seen, 1) + 1, high), 1.0)
    lacking = n - seen
    below = np.where(lacking > 0, betainc(np.maximum(lacking, 1), seen + 1, 1 - low), 1.0)
    return float(min(1.0, 2 * seen.size * min(above.min(), below.min())))


def support_pvalue(law: SupportLaw, tally: Tally) -> float:
    """Test whether every code is in between q and p of the supports."""
    low, high = float(law.inclusion.other), float(law.inclusion.own)
    return bounds_pvalue(tally.supports, tally.n, low, high)


def bits_pvalue(law: CodedLaw, tally: BitCounts) -> float:
    """Test the same of every bit in the reports of every cohort."""
    own, other = map(float, law.means)
    seen = tally.reports > 0
    if law.encoding.top > 1:
        return _sums_pvalue(tally.counts[seen] / law.encoding.top, tally.n, other, own)
    return bounds_pvalue(tally.counts[seen], tally.reports[seen, None], other, own)


def _sums_pvalue(sums: Numbers, n: int, low: float, high: float) -> float:
    """Bound how probable sums of n numbers from 0 to 1 are, the mean of which is low to high.

    A mean of p is x or further away at most with probability exp(-n KL(x, p)): Hoeffding (1963).
    """
    x = np.asarray(sums, np.float64) / n
    p = np.clip(x, low, high)
    apart = float((xlogy(x, x / p) + xlogy(1 - x, (1 - x) / (1 - p))).max())
    return float(min(1.0, 2 * x.size * exp(-n * apart)))


def columns_pvalue(law: Matrix, tally: Outputs) -> float:
    """Test whether every output is as frequent as some code makes it."""
    table = probabilities(law)
    return bounds_pvalue(tally.counts, tally.n, table.min(axis=1), table.max(axis=1))
