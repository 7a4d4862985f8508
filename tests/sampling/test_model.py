"""A model of the whole record is nearer to the truth than tables of pairs, each by itself."""

import time

import numpy as np
import pytest

from discretion.joints import joint
from discretion.synthesis.publish import publish
from tests.sampling.forests import Forest

SEED = 20260812
BAR = 0.7
RUNS = 3


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::discretion.errors.DependenceWarning")
def test_pairs_of_the_model_have_less_error_than_pairs_by_themselves() -> None:
    rng, n = np.random.default_rng(SEED), 100_000
    ratios = []
    for run in range(RUNS):
        forest = Forest.drawn(rng.integers(2, 7, 10).tolist(), 1 + run, 1.5, rng)
        reports = forest.reports(n, rng)
        start = time.perf_counter()
        model = publish(reports).model
        spent = time.perf_counter() - start
        off, alone = [], []
        for names, truth in forest.pairs().items():
            off.append(np.abs(model.marginal(names) - truth).sum() / 2)
            alone.append(np.abs(joint(reports, names, method="mle").value - truth).sum() / 2)
        ratios.append(np.mean(off) / np.mean(alone))
        print(
            f"seed {SEED}, {1 + run} trees, n {n}: mean total variation {np.mean(off):.4f} of the "
            f"model ({spent:.0f} s), {np.mean(alone):.4f} of pairs by themselves"
        )
    assert np.mean(ratios) <= BAR
