"""Tests of dependence keep their promise: a true null is rejected as often as they say.

Owners have unequal budgets that hang together and lack some attributes; values are rare down to one
in a hundred. The bands hold 400 nulls and more: at five per cent their rate has a standard error of
one per cent.
"""

from itertools import combinations

import numpy as np
import pytest

from discretion.crowd.simulate import simulate_codes
from discretion.plan import Plan
from discretion.synthesis.dependence import RATE, _test, dependence
from discretion.synthesis.dependence import tested as all_tested
from discretion.synthesis.score_statistic import ScoreStatistic
from discretion.synthesis.scores import Scores
from discretion.synthesis.secrecy import centred_bits
from discretion.synthesis.soft_evidence import SoftEvidence
from tests.sampling.forests import Forest
from tests.unit.synthesis.trees import likelihoods_of

SEED = 20260811
NOMINAL = 0.05
BAND = (0.025, 0.08)
FAR_TOO_OFTEN = 0.2
SIZES = (2, 3, 4, 6, 8, 3, 5, 10)
RUNS = 15  # of 28 pairs each
MARGIN = 3  # standard errors of the runs' mean


def naive(scores: Scores, a: int, b: int) -> float:
    """Return the p-value of the test that forgets that secret levels hang together: rho is one."""
    likelihoods = likelihoods_of(scores.evidence)
    indices = [index for axis in (a, b) for index in scores.evidence.about(axis)]
    answered = (likelihoods.strata[indices] >= 0).all(axis=0)
    u, v = (
        centred_bits(likelihoods.bits[index][answered])[0] @ scores.contrasts[axis].functions
        for index, axis in zip(indices, (a, b), strict=True)
    )
    u, v = u - u.mean(axis=0), v - v.mean(axis=0)
    added = (u[:, :, None] * v[:, None]).reshape(len(u), -1)
    score = added.sum(axis=0)
    added -= added.mean(axis=0)
    return _test(ScoreStatistic(score, added.T @ added, len(added), sampled=True))[2]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::discretion.errors.DependenceWarning")  # one run in a thousand
@pytest.mark.parametrize("n", [20_000, 200_000])
@pytest.mark.parametrize("secret", [False, True], ids=["disclosed", "secret"])
def test_a_true_null_is_rejected_as_often_as_promised(n: int, secret: bool) -> None:
    rng = np.random.default_rng((SEED, n, secret))
    p = []
    for _ in range(RUNS):
        forest = Forest.drawn(SIZES, len(SIZES), 0.0, rng)
        p += [pair.p for pair in dependence(forest.reports(n, rng, secret=secret)).pairs]
    rate, rare = np.mean(np.array(p) < NOMINAL), np.mean(np.array(p) < NOMINAL / 10)
    print(f"seed {SEED}, n {n}, secret {secret}: {rate:.3f} and {rare:.4f} of {len(p)} nulls")
    assert len(p) >= 400
    assert BAND[0] <= rate <= BAND[1]
    assert rare <= NOMINAL / 2


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::discretion.errors.DependenceWarning")  # one run in a thousand
def test_secret_levels_that_hang_together_mislead_the_naive_test_but_not_ours() -> None:
    """Who is bold is so throughout: both tests on the same reports."""
    rng, n = np.random.default_rng((SEED, 3)), 200_000
    own, others = [], []
    for _ in range(RUNS):
        forest = Forest.drawn(SIZES, len(SIZES), 0.0, rng)
        scores = Scores(SoftEvidence.of(forest.shy_and_bold(n, rng), forest.names))
        own += [pair.p for pair in all_tested(scores, RATE).pairs]
        others += [naive(scores, a, b) for a, b in combinations(range(len(SIZES)), 2)]
    rate, wrong = (np.mean(np.array(p) < NOMINAL) for p in (own, others))
    print(f"seed {SEED}, n {n}: ours rejects {rate:.3f}, the naive one {wrong:.3f} of {len(own)}")
    assert len(own) >= 400
    assert BAND[0] <= rate <= BAND[1]
    assert wrong >= FAR_TOO_OFTEN


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::discretion.errors.DependenceWarning")  # one run in a thousand
@pytest.mark.parametrize("secret", [False, True], ids=["disclosed", "secret"])
def test_few_edges_are_no_dependence(secret: bool) -> None:
    """Within a tree all pairs depend, so a false edge is one between two trees."""
    rng, n, runs = np.random.default_rng((SEED, 4, secret)), 20_000, 60 if not secret else 30
    false, power = [], []
    for run in range(runs):
        sizes = rng.integers(2, 7, 8 + run % 3).tolist()
        forest = Forest.drawn(sizes, 2 + run % 4, 2.0, rng)
        found = dependence(forest.reports(n, rng, secret=secret))
        wrong = [forest.independent(*pair.names) for pair in found.edges]
        true = [not forest.independent(*pair.names) for pair in found.pairs]
        false.append(sum(wrong) / max(len(wrong), 1))
        power.append((len(wrong) - sum(wrong)) / max(sum(true), 1))
    rate, error = np.mean(false), np.std(false) / np.sqrt(runs)
    print(
        f"seed {SEED}, secret {secret}: false {rate:.4f} +- {error:.4f}, found {np.mean(power):.2f}"
    )
    assert np.mean(power) > 0.2  # or nothing could be false
    assert rate <= RATE + MARGIN * error


@pytest.mark.slow
def test_a_true_null_is_rejected_as_often_as_promised_where_views_are_reported() -> None:
    """Two of five attributes as one cell, some of whose values are rare, at unequal levels."""
    sizes, n, runs = (2, 3, 4, 3, 5), 10_000, 100
    asked = [
        {"name": f"x{i}", "kind": "categorical", "values": [f"v{j}" for j in range(size)]}
        for i, size in enumerate(sizes)
    ]
    budget = {"levels": [0.5, 1, 2, 4]}
    plan = Plan.of({"name": "p", "attributes": asked, "budget": budget, "views": {"size": 2}})
    rng, p = np.random.default_rng((SEED, 4)), []
    laws = [rng.dirichlet(np.full(size, 1.5)) for size in sizes]
    for _ in range(runs):
        codes = np.column_stack([rng.choice(len(f), n, p=f) for f in laws])
        reports = simulate_codes(plan, codes, rng, budgets="levels")
        p += [pair.p for pair in dependence(reports).pairs]
    rate, rare = np.mean(np.array(p) < NOMINAL), np.mean(np.array(p) < NOMINAL / 10)
    print(f"seed {SEED}, views: {rate:.3f} and {rare:.4f} of {len(p)} nulls")
    assert len(p) == 1_000
    assert 0.035 <= rate <= 0.065
    assert rare <= NOMINAL / 5
