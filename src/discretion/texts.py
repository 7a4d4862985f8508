"""How frequent texts are that nobody listed before: candidates, brought when the question is asked.

``weighted`` reads the buckets of each candidate: the count-mean sketch. Other texts in them are
noise, which more cohorts make smaller; the standard errors include it. Of very many candidates the
most frequent ones are taken out of the buckets of the others. ``regression`` explains all
buckets by the candidates together, none of them negative, and by texts that are not among them.

Of sets of texts it is the share of owners who have each candidate among theirs. What an owner's
other items add to a bucket is on average what they add to any.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy

from discretion.aggregate import Aggregate, counts_of
from discretion.discovery import shares_of
from discretion.errors import EstimateError
from discretion.estimate.estimate import check_choice
from discretion.estimate.homogeneity import warn_if_dependent
from discretion.estimate.legend import Legend
from discretion.estimate.noise import Matrix, Vector
from discretion.estimate.result import FrequencyEstimate
from discretion.estimate.spread import Known, Spread
from discretion.estimate.votes import Round
from discretion.family import of
from discretion.family.part import Indices
from discretion.family.sketches import Sketch
from discretion.kernel.sketch import sum_buckets
from discretion.schema import Text
from discretion.sets import SetEstimate
from discretion.sets.shares import hidden, size_estimate
from discretion.sets.strata import agreement, groups
from discretion.table import Reports
from discretion.table.columns import Codes
from discretion.table.sketch import codeword_buckets, fingerprints, lines_of

WEIGHTED = "weighted"
METHODS = (WEIGHTED, "regression")
CUT = "see .cut, as short lengths cut sets"
REGRESSED = 1024  # candidates up to which ``auto`` regresses: the time grows with their square
FREQUENT, CLEAR = 256, 4.0  # candidates that disturb many others; standard errors above zero


@dataclass(frozen=True, eq=False)
class Apart:
    """Variances of estimates that have little in common but the owners, of whom each has one."""

    variance: Vector
    f: Vector
    n: int
    shift: float = 0.0

    @property
    def covariance(self) -> Matrix:
        off = -np.outer(self.f, self.f) / self.n
        np.fill_diagonal(off, self.variance)
        return off


def text_frequencies(
    data: Reports | Aggregate,
    attribute: str,
    candidates: Sequence[str] | None,
    method: str = "auto",
) -> FrequencyEstimate:
    """Estimate how frequent each candidate is; what is left to one are other texts."""
    family, legend = of(data.plan.questions[attribute]), Legend.of(data.plan)
    check_choice("method of a text", method, ("auto", *METHODS))
    if family.discovered:
        return _of_prefixes(data, attribute, candidates, method)
    labels, codes = read_candidates(attribute, candidates)
    if family.several:
        return _of_sets(data, attribute, labels, codes, method)
    sketch = family.sketched().sketch(counts_of(data, family))
    found = decoded(sketch, codes, method)
    made = attribute, labels, found.value, found.spread, sketch.n, found.method, "population", None
    return FrequencyEstimate(*made, unprocessed=found.unbounded, legend=legend)


class Decoded(NamedTuple):
    """The shares of candidates, by whichever method was chosen."""

    value: Vector
    spread: Spread
    method: str
    unbounded: Vector | None  # before negative shares were excluded


def decoded(sketch: Sketch, codes: Codes, method: str) -> Decoded:
    """Return the shares of candidates."""
    if method == "auto":
        method = "regression" if len(codes) <= REGRESSED else WEIGHTED
    if method == WEIGHTED:
        value, variance = weighted(sketch, codes)
        apart = Apart(variance, np.clip(value, 0, 1), sketch.n)
        return Decoded(value, apart, method, None)
    value, unbounded, spread = regression(sketch, candidate_buckets(sketch, codes))
    return Decoded(value, spread, method, unbounded)


@dataclass(frozen=True, eq=False)
class Looked:
    """What some strata say of candidates, by their own cells; what collides is common to all."""

    sketch: Sketch
    codes: Codes

    @cached_property
    def value(self) -> Vector:
        return weighted(self.sketch, self.codes)[0]

    @property
    def weight(self) -> float:
        return float(self.sketch.weight.sum())

    def variance(self, f: Vector) -> Vector:
        """Return the variances of what was drawn, at frequencies f."""
        base = self.sketch.base
        return self.sketch.noise(base + (1 - base) * f) / (1 - base) ** 2


def _of_sets(
    data: Reports | Aggregate, attribute: str, labels: tuple[str, ...], codes: Codes, method: str
) -> SetEstimate:
    """Estimate the share of owners with each candidate, how large sets are and what is cut."""
    family = of(data.plan.questions[attribute]).cells()
    counts, legend = counts_of(data, family), Legend.of(data.plan)
    test = agreement([Looked(family.sketch(own), codes) for own in groups(counts)])
    warn_if_dependent({attribute: test}, CUT)
    found, pooled = decoded(family.sketch(counts), codes, method), family.pooled(counts)
    own = size_estimate(attribute, pooled, "population", legend)
    cut = hidden(pooled, family.encoding.bits, found.value)
    made = attribute, labels, found.value, found.spread, pooled.n, found.method, "population", test
    round = Round.of(data.plan, pooled, pooled.n)
    return SetEstimate(
        *made,
        unprocessed=found.unbounded,
        legend=legend,
        sizes=own,
        cut=cut,
        round=round,
    )


def _of_prefixes(
    data: Reports | Aggregate, attribute: str, candidates: Sequence[str] | None, method: str
) -> FrequencyEstimate:
    """Estimate from the supports of whole codewords, which are unbiased by themselves."""
    check_choice("method of a text to discover", method, ("auto", WEIGHTED))
    labels = candidate_labels(attribute, candidates)
    value, variance, n = shares_of(data, attribute, labels)
    apart = Apart(variance, np.clip(value, 0, 1), n)
    made = attribute, labels, value, apart, n, WEIGHTED, "population", None
    return FrequencyEstimate(*made, legend=Legend.of(data.plan))


class Explained(NamedTuple):
    """Candidates that are known by a regression: taken out of the buckets of the others."""

    places: Codes  # among all candidates
    shares: Vector
    variance: Vector
    buckets: Matrix  # (cohorts, buckets): what they add to each

    @property
    def squares(self) -> float:
        return float((self.shares**2).sum())


def weighted(sketch: Sketch, codes: Codes) -> tuple[Vector, Vector]:
    """Return the estimates from each candidate's own buckets, and their variances.

    Of very many candidates the most frequent ones are what disturbs the others: these are explained
    first, and taken out of the buckets.
    """
    value, variance = _read(sketch, codes, None)
    if len(codes) <= REGRESSED:
        return value, variance
    clear = np.flatnonzero(value > CLEAR * np.sqrt(variance))
    room = sketch.totals.size // 4
    most = clear[np.argsort(-value[clear])][: min(FREQUENT, room)]
    if not len(most):
        return value, variance
    try:
        known = _explained(sketch, codes, most)
    except EstimateError:  # too few buckets to distinguish even these
        return value, variance
    value, variance = _read(sketch, codes, known)
    value[most], variance[most] = known.shares, known.variance
    return value, variance


def _explained(sketch: Sketch, codes: Codes, places: Codes) -> Explained:
    buckets = candidate_buckets(sketch, codes[places])
    shares, _, spread = regression(sketch, buckets)
    added = _filled(sketch, buckets, shares * sketch.alone, 0.0)
    return Explained(places, shares, spread.variance, added)


def _read(sketch: Sketch, codes: Codes, known: Explained | None) -> tuple[Vector, Vector]:
    """Return what the buckets of each candidate say, less those that are known."""
    encoding, base, unit = sketch.encoding, sketch.base, sketch.unit
    totals, rest, squares = sketch.totals, base, 0.0
    if known is not None:
        totals = totals - sketch.weight[:, None] * known.buckets
        rest, squares = base - float(known.shares.sum()) * sketch.alone * unit, known.squares
    if encoding.hashes == 1:
        sums = sum_buckets(lines_of(encoding.cohorts), codes, totals)
    else:
        buckets = candidate_buckets(sketch, codes)
        sums = sum(totals[cohort, own].mean(axis=1) for cohort, own in enumerate(buckets))
    value = (sums / sketch.weight.sum() - rest) / (1 - base)
    f = np.clip(value, 0, 1)
    drawn = sketch.noise(base + (1 - base) * f) / (1 - base) ** 2
    others = np.maximum(sketch.concentration - squares - f**2, 0)
    fallen = others * unit * (1 - unit) / (1 - base) ** 2
    return value, drawn + fallen / (encoding.cohorts * encoding.hashes)


def candidate_buckets(sketch: Sketch, codes: Codes) -> Codes:
    """Return the buckets of each candidate in each cohort: (cohorts, candidates, hashes)."""
    encoding, n = sketch.encoding, len(codes)
    cohorts = np.repeat(np.arange(encoding.cohorts), n)
    found = codeword_buckets(encoding, cohorts, np.tile(codes, encoding.cohorts))
    return found.reshape(encoding.cohorts, n, encoding.hashes)


def check_no_candidates(attribute: str, candidates: Sequence[str] | None) -> None:
    """Refuse candidates for an attribute that has a list of values."""
    if candidates is not None:
        raise EstimateError(f"candidates are for a text, and {attribute!r} has values of its own")


def read_candidates(
    attribute: str, candidates: Sequence[str] | None
) -> tuple[tuple[str, ...], Codes]:
    """Return the candidates as they are compared, and their fingerprints; all must differ."""
    labels = candidate_labels(attribute, candidates)
    return labels, fingerprints(labels)


def candidate_labels(attribute: str, candidates: Sequence[str] | None) -> tuple[str, ...]:
    """Return the candidates as they are compared; all must differ."""
    if candidates is None or isinstance(candidates, str) or not len(candidates):
        raise EstimateError(f"{attribute!r} is a text: name the candidates to look for")
    labels = tuple(map(Text(attribute).answer, candidates))
    if len(set(labels)) < len(labels):
        again = next(label for i, label in enumerate(labels) if label in labels[:i])
        raise EstimateError(f"candidates must differ, and {again!r} stands there twice")
    return labels


def regression(sketch: Sketch, buckets: Indices) -> tuple[Vector, Vector, Spread]:
    """Return frequencies of the candidates, those that may be negative, and the spread of these.

    A cell's share is the sum of the frequencies of the candidates in it, and of what other texts
    there are, which are in all buckets alike. Where owners have several texts, those with a
    candidate have fewer others in its bucket than in any, which is undone at the end. RAPPOR
    (Erlingsson, Pihur and Korolova 2014) is decoded like this; here every cell weighs as its
    cohort's reports do, and the covariance comes from the laws.

    ``buckets`` (cohorts, candidates, hashes) are the buckets of the candidates.
    """
    gram = _products(sketch, buckets, sketch.weight[:, None] * np.ones(sketch.encoding.bits))
    own = sum(own[at].sum(axis=1) for own, at in zip(sketch.totals, buckets, strict=True))
    target = np.append(own, sketch.unit * sketch.totals.sum())
    try:
        factor, low = scipy.linalg.cho_factor(gram, lower=True)
    except scipy.linalg.LinAlgError:
        raise EstimateError(
            "buckets do not distinguish all candidates: fewer candidates, or method='weighted'"
        ) from None
    unbounded = scipy.linalg.cho_solve((factor, low), target)
    root = np.tril(factor)
    bounded, _ = scipy.optimize.nnls(root.T, np.linalg.solve(root, target))
    unknown = max(sketch.concentration - float((bounded[:-1] ** 2).sum()), 0.0)  # of others
    lumps = sketch.weight[:, None] ** 2 * unknown * sketch.unit * (1 - sketch.unit)
    filled = _filled(sketch, buckets, bounded[:-1], bounded[-1] * sketch.unit)
    meat = _products(sketch, buckets, sketch.spread(np.minimum(filled, 1.0)) + lumps)
    covariance = scipy.linalg.cho_solve(
        (factor, low), scipy.linalg.cho_solve((factor, low), meat).T
    )
    k, alone = buckets.shape[1], sketch.alone
    return bounded[:k] / alone, unbounded[:k] / alone, Known(covariance[:k, :k] / alone**2)


def _filled(sketch: Sketch, buckets: Indices, shares: Vector, others: float) -> Matrix:
    """Return the share of each bucket by the candidates in it, and by what others there are."""
    filled = np.full(sketch.totals.shape, others)
    for own, at in zip(filled, buckets, strict=True):
        np.add.at(own, at, shares[:, None])
    return filled


def _products(sketch: Sketch, buckets: Indices, weights: Matrix) -> Matrix:
    """Return sums over buckets of weight times what any two candidates, or the rest, have there."""
    _, k, hashes = buckets.shape
    total, base = np.zeros((k + 1, k + 1)), sketch.unit
    for own, weight in zip(buckets, weights, strict=True):
        for i in range(hashes):
            mine = weight[own[:, i]]
            total[:k, k] += base * mine
            for j in range(hashes):
                same = own[:, i, None] == own[None, :, j]
                total[:k, :k] += same * mine[:, None]
        total[k, k] += base**2 * weight.sum()
    total[k, :k] = total[:k, k]
    return total
