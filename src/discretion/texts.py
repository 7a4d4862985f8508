"""How frequent texts are that nobody listed before: candidates, brought when the question is asked.

``weighted`` reads the buckets of each candidate: the count-mean sketch. Other texts in them are
noise, which more cohorts make smaller; the standard errors include it. ``regression`` explains all
buckets by the candidates together, none of them negative, and by texts that are not among them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from discretion.aggregate import Aggregate, counts_of
from discretion.discovery import shares_of
from discretion.errors import EstimateError
from discretion.estimate.estimate import check_choice
from discretion.estimate.legend import Legend
from discretion.estimate.noise import Matrix, Vector
from discretion.estimate.result import FrequencyEstimate
from discretion.estimate.spread import Known, Spread
from discretion.family import of
from discretion.family.part import Indices
from discretion.family.sketches import Sketch
from discretion.kernel.sketch import sum_buckets
from discretion.table import Reports
from discretion.table.columns import Codes
from discretion.table.sketch import codeword_buckets, fingerprints, lines_of

WEIGHTED = "weighted"
METHODS = (WEIGHTED, "regression")
REGRESSED = 1024  # candidates up to which ``auto`` regresses: the time grows with their square


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
    labels, codes = read_candidates(data, attribute, candidates)
    sketch = family.sketched().sketch(counts_of(data, family))
    if method == "auto":
        method = "regression" if len(codes) <= REGRESSED else "weighted"
    if method == "weighted":
        value, variance = weighted(sketch, codes)
        apart = Apart(variance, np.clip(value, 0, 1), sketch.n)
        return FrequencyEstimate(
            attribute, labels, value, apart, sketch.n, method, "population", None, legend=legend
        )
    value, unbounded, spread = regression(sketch, candidate_buckets(sketch, codes))
    found = attribute, labels, value, spread, sketch.n, method, "population", None
    return FrequencyEstimate(*found, unprocessed=unbounded, legend=legend)


def _of_prefixes(
    data: Reports | Aggregate, attribute: str, candidates: Sequence[str] | None, method: str
) -> FrequencyEstimate:
    """Estimate from the supports of whole codewords, which are unbiased by themselves."""
    check_choice("method of a text to discover", method, ("auto", WEIGHTED))
    labels = candidate_labels(data, attribute, candidates)
    value, variance, n = shares_of(data, attribute, labels)
    apart = Apart(variance, np.clip(value, 0, 1), n)
    made = attribute, labels, value, apart, n, WEIGHTED, "population", None
    return FrequencyEstimate(*made, legend=Legend.of(data.plan))


def weighted(sketch: Sketch, codes: Codes) -> tuple[Vector, Vector]:
    """Return the estimates from each candidate's own buckets, and their variances."""
    encoding, base = sketch.encoding, sketch.base
    if encoding.hashes == 1:
        sums = sum_buckets(lines_of(encoding.cohorts), codes, sketch.totals)
    else:
        buckets = candidate_buckets(sketch, codes)
        sums = sum(sketch.totals[cohort, own].mean(axis=1) for cohort, own in enumerate(buckets))
    value = (sums / sketch.weight.sum() - base) / (1 - base)
    f = np.clip(value, 0, 1)
    drawn = sketch.noise(base + (1 - base) * f) / (1 - base) ** 2
    others = np.maximum(sketch.concentration - f**2, 0)
    colliding = others * base / (1 - base) / (encoding.cohorts * encoding.hashes)
    return value, drawn + colliding


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
    data: Reports | Aggregate, attribute: str, candidates: Sequence[str] | None
) -> tuple[tuple[str, ...], Codes]:
    """Return the candidates as they are compared, and their fingerprints; all must differ."""
    labels = candidate_labels(data, attribute, candidates)
    return labels, fingerprints(labels)


def candidate_labels(
    data: Reports | Aggregate, attribute: str, candidates: Sequence[str] | None
) -> tuple[str, ...]:
    """Return the candidates as they are compared; all must differ."""
    if candidates is None or isinstance(candidates, str) or not len(candidates):
        raise EstimateError(f"{attribute!r} is a text: name the candidates to look for")
    text = data.plan.questions[attribute].attribute
    labels = tuple(text.answer(candidate) for candidate in candidates)
    if len(set(labels)) < len(labels):
        again = next(label for i, label in enumerate(labels) if label in labels[:i])
        raise EstimateError(f"candidates must differ, and {again!r} stands there twice")
    return labels


def regression(sketch: Sketch, buckets: Indices) -> tuple[Vector, Vector, Spread]:
    """Return frequencies of the candidates, those that may be negative, and the spread of these.

    A cell's share is the sum of the frequencies of the candidates in it, and of what other texts
    there are, which are in all buckets alike. RAPPOR (Erlingsson, Pihur and Korolova 2014) is
    decoded like this; here every cell weighs as its cohort's reports do, and the covariance comes
    from the laws.

    ``buckets`` (cohorts, candidates, hashes) are the buckets of the candidates.
    """
    gram = _products(sketch, buckets, sketch.weight[:, None] * np.ones(sketch.encoding.bits))
    own = sum(own[at].sum(axis=1) for own, at in zip(sketch.totals, buckets, strict=True))
    target = np.append(own, sketch.base * sketch.totals.sum())
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
    lumps = sketch.weight[:, None] ** 2 * unknown * sketch.base * (1 - sketch.base)
    meat = _products(sketch, buckets, sketch.spread() + lumps)
    covariance = scipy.linalg.cho_solve(
        (factor, low), scipy.linalg.cho_solve((factor, low), meat).T
    )
    k = buckets.shape[1]
    return bounded[:k], unbounded[:k], Known(covariance[:k, :k])


def _products(sketch: Sketch, buckets: Indices, weights: Matrix) -> Matrix:
    """Return sums over buckets of weight times what any two candidates, or the rest, have there."""
    _, k, hashes = buckets.shape
    total, base = np.zeros((k + 1, k + 1)), sketch.base
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
