"""Fitting a model of the whole record: expectation maximisation along a junction tree.

A pass over the reports gives the posterior means of the terms; the terms that have these means,
shrunk, are found without the reports. Steps are extrapolated (Anderson 1965), because each report
has so little information that plain steps would be many. How strongly a pair is shrunk is first
taken from the strength of its dependence, then learnt from the terms themselves (MacKay 1992).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import scipy

from discretion.estimate.noise import Vector
from discretion.synthesis.scores import Scores
from discretion.synthesis.terms import Calibrated, Terms
from discretion.synthesis.tree import Pair, Tree
from discretion.synthesis.wiring import TreeEvidence

ROUNDS = 3  # of fitting and learning the strengths anew
PASSES = (12, 24)  # over the reports in each, at most: the fewer, the more work a pass is
WORK = 6e9  # cells times reports of all passes of a round, as far as more than the fewest go
MEMORY = 8  # steps that an extrapolation looks back
KEPT = 3  # of them, after an extrapolation that lost
GAIN = 0.1  # nats in all: the last two passes gained less
MAIN = 0.05  # the penalty of an attribute's own terms: next to nothing
WEAKEST, STRONGEST = 0.1, 1e5
LENT = 4.0  # terms that a pair takes over from the others
FAINT = 1e-4  # the least mutual information that a strength is taken from

Step = Callable[[Vector], tuple[float, Vector]]


@dataclass(frozen=True, eq=False)
class Fit:
    """The tables of the cliques, and how the terms were found."""

    terms: Terms
    theta: Vector
    tables: Calibrated
    strengths: Mapping[Pair, float]


def fitted(scores: Scores, tree: Tree, dependence: Mapping[Pair, float]) -> Fit:
    """Fit the terms of a tree to the reports, given how strongly pairs depend."""
    own = scores.evidence.folded(lambda question, turn: tree.largest(question.axes, turn))
    terms, evidence = Terms(tree, scores.contrasts), TreeEvidence(tree, own)
    information = _information(scores, terms)
    strengths = {pair: _first(terms, pair, dependence.get(pair, 0.0)) for pair in tree.pairs}
    theta = np.zeros(terms.count)
    passes = int(np.clip(WORK / (evidence.n * tree.first[-1]), *PASSES))
    for _ in range(ROUNDS):
        ridge = _ridge(terms, strengths)
        weight = np.sqrt(evidence.n * information + ridge)
        step = partial(_step, terms, evidence, ridge)
        theta = _climbed(step, theta, weight, passes)
        strengths = _learnt(terms, theta, ridge, evidence.n * information)
    return Fit(terms, theta, terms.calibrated(theta), strengths)


def _information(scores: Scores, terms: Terms) -> Vector:
    """Return the information of a report on each term, in units of an open record's."""
    information = np.empty(terms.count)
    for axes, span in terms.slices.items():
        own = scores.own(axes[0]) if len(axes) == 1 else scores.information(*axes)
        information[span] = own.ravel()
    return information


def _first(terms: Terms, pair: Pair, dependence: float) -> float:
    """Return the strength under which terms that make up this mutual information are expected."""
    penalties = terms.penalties[terms.slices[pair]]
    strength = len(penalties) / penalties.mean() / (2 * max(dependence, FAINT))
    return float(np.clip(strength, WEAKEST, STRONGEST))


def _ridge(terms: Terms, strengths: Mapping[Pair, float]) -> Vector:
    ridge = np.full(terms.count, MAIN)
    for pair, strength in strengths.items():
        span = terms.slices[pair]
        ridge[span] = strength * terms.penalties[span]
    return ridge


def _learnt(terms: Terms, theta: Vector, ridge: Vector, information: Vector) -> dict[Pair, float]:
    """Return the strengths under which terms of about this size were to be expected."""
    pairs = terms.tree.pairs
    slices = [terms.slices[pair] for pair in pairs]
    known = np.array([(information[p] / (information[p] + ridge[p])).sum() for p in slices])
    squares = np.array([(terms.penalties[p] * theta[p] ** 2).sum() for p in slices])
    alone = np.clip(known / np.maximum(squares, 1e-12), WEAKEST, STRONGEST)
    common = np.exp(np.log(alone).mean()) if len(pairs) else 1.0
    strengths = np.clip((known + LENT) / (squares + LENT / common), WEAKEST, STRONGEST)
    return dict(zip(pairs, strengths.tolist(), strict=True))


def _step(
    terms: Terms, evidence: TreeEvidence, ridge: Vector, theta: Vector
) -> tuple[float, Vector]:
    """Return the penalised likelihood of terms, and the terms that their posterior asks for."""
    value, posterior = evidence.expected(terms.calibrated(theta).conditionals)
    found = _maximised(terms, terms.moments(posterior), ridge / evidence.n, theta)
    return value - float(ridge @ theta**2) / 2, found


def _maximised(terms: Terms, means: Vector, ridge: Vector, start: Vector) -> Vector:
    """Return the terms whose functions have these means, but for the penalty (per record)."""
    scale = 1 / np.sqrt(1 + ridge)

    def loss(scaled: Vector) -> tuple[float, Vector]:
        theta = scaled * scale
        tables = terms.calibrated(theta)
        value = tables.log_sum - float(means @ theta) + float(ridge @ theta**2) / 2
        return value, (terms.moments(tables.marginals) - means + ridge * theta) * scale

    options = {"maxiter": 40, "maxcor": 15, "ftol": 1e-10}
    found = scipy.optimize.minimize(
        loss, start / scale, jac=True, method="L-BFGS-B", options=options
    )
    return np.asarray(found.x * scale)


def _climbed(step: Step, start: Vector, weight: Vector, passes: int) -> Vector:
    """Repeat a step that never loses, extrapolating; one that lost is taken back.

    What was learnt about the steps before is kept then, or reports with little information would
    need many more. A single pass may gain little by chance, so two in a row end the climb.
    """
    here, best, safe, gain = start, -np.inf, start, np.inf
    points: list[Vector] = []
    moves: list[Vector] = []
    for _ in range(passes):
        value, there = step(here)
        if value < best:
            if here is safe:  # a plain step loses by rounding alone
                return safe
            here, points, moves = safe, points[-KEPT:], moves[-KEPT:]
            continue
        if value - best + gain < GAIN:
            return there
        best, safe, gain = value, there, value - best
        points, moves = [*points, here][-MEMORY:], [*moves, there - here][-MEMORY:]
        here = _extrapolated(points, moves, weight)
    return safe


def _extrapolated(points: list[Vector], moves: list[Vector], weight: Vector) -> Vector:
    """Return where the moves would vanish, were they linear along the points seen so far."""
    if len(points) == 1:
        return points[0] + moves[0]
    steps, bends = np.diff(points, axis=0).T, np.diff(moves, axis=0).T
    mix = np.linalg.lstsq(bends * weight[:, None], moves[-1] * weight, rcond=1e-6)[0]
    return np.asarray(points[-1] + moves[-1] - (steps + bends) @ mix)
