"""What is compared does the same work: plain NumPy and ours find the same truth.

The truth is that of a population from which values are drawn, budgets are unequal, and an estimate
may be off by ``MOST`` of its standard errors.
"""

import numpy as np
import pytest

from benchmarks.cells import EPSILON, MECHANISMS
from benchmarks.hashing import ORACLES
from benchmarks.plain import Laws, count, estimate, perturb
from discretion.crowd import simulate
from discretion.estimate.noise import Noise
from discretion.labels import frequencies
from discretion.mechanism import MECHANISMS as MECHANISMS_OF_LABELS
from discretion.plan import Plan
from tests.builders import Vector

SEED, NOISE = 20261115, 20261116  # two streams: one would make noise of the values
OWNERS = 40_000
MOST = 5
TRUTH = np.array([0.35, 0.25, 0.15, 0.1, 0.05, 0.04, 0.03, 0.02, 0.01])  # more than one byte
LEVELS = (0.5, 1.5, 4.0)


def codes_and_budgets() -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], Vector]:
    rng = np.random.default_rng(SEED)
    return rng.choice(len(TRUTH), OWNERS, p=TRUTH), rng.choice(LEVELS, OWNERS)


def stderr(laws: Laws) -> Vector:
    """Return the standard errors of the pooled estimate: a sum of independent coins."""
    probability = laws.q[:, None] + (laws.p - laws.q)[:, None] * TRUTH
    spread = (probability * (1 - probability)).sum(axis=0)
    result: Vector = np.sqrt(spread) / (laws.p - laws.q).sum()
    return result


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_plain_numpy_finds_the_truth_and_a_wrong_law_would_not(mechanism: str) -> None:
    codes, budgets = codes_and_budgets()
    laws = Laws.of(mechanism, len(TRUTH), budgets)
    counts = count(laws, perturb(laws, codes, np.random.default_rng(NOISE)))
    off = np.abs(estimate(laws, counts) - TRUTH) / stderr(laws)
    assert off.max() < MOST, f"{mechanism}, n {OWNERS}, seed {SEED}: {off.max():.1f} errors off"
    wrong = Laws.of(mechanism, len(TRUTH), 1.5 * budgets)
    off = np.abs(estimate(wrong, counts) - TRUTH) / stderr(laws)
    assert off.max() > MOST


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_ours_finds_the_same_truth(mechanism: str) -> None:
    codes, budgets = codes_and_budgets()
    x = {"name": "x", "kind": "categorical", "values": list(range(len(TRUTH)))}
    question = {**x, "mechanism": mechanism}
    plan = Plan.of({"name": "x", "attributes": [question], "budget": {"levels": list(LEVELS)}})
    reports = simulate(plan, {"x": codes}, budgets={"x": budgets}, seed=NOISE)
    ours = frequencies(reports, "x", "weighted")
    off = np.abs(ours.value - TRUTH) / ours.stderr
    assert off.max() < MOST, f"{mechanism}, n {OWNERS}, seed {SEED}: {off.max():.1f} errors off"
    laws = Laws.of(mechanism, len(TRUTH), budgets)
    assert (ours.stderr < 1.01 * stderr(laws)).all()  # weights do not make it worse


def test_an_unknown_mechanism_is_refused() -> None:
    with pytest.raises(ValueError, match="mechanism must be grr, oue, sue or subset"):
        Laws.of("the", 4, np.ones(3))


@pytest.mark.parametrize("mechanism", ORACLES)
def test_plain_hashing_finds_the_truth(mechanism: str) -> None:
    size = 16
    truth = np.append(TRUTH, np.zeros(size - len(TRUTH)))
    codes = np.random.default_rng(SEED).choice(size, OWNERS, p=truth)
    seconds, found = ORACLES[mechanism](codes, size, np.random.default_rng(NOISE))
    law = MECHANISMS_OF_LABELS[mechanism](size, round(1000 * EPSILON))
    stated = np.sqrt(Noise.of(law).variance(truth) / OWNERS)
    assert (np.abs(found - truth) < MOST * 1.1 * stated).all()  # theirs is not brought to sum one
    assert min(seconds.values()) > 0
