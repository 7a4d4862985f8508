"""Weights remove the bias of respondents who selected themselves, and intervals cover."""

import numpy as np
import pytest

from experiments.calibration import RUNS, SEED, made, measure

COVERED, COVERED_MOST = 0.93, 0.97
BINOMIAL = 4 * np.sqrt(0.95 * 0.05 / RUNS)  # of a single share


@pytest.mark.slow
def test_the_bias_is_removed_and_intervals_cover() -> None:
    """A made survey with a known population; respondents select themselves by age and work."""
    found = measure(made(), RUNS, SEED)
    print(f"seed {SEED}, {RUNS} runs\n{found}")
    coverage = found.covered.mean(axis=0)
    before = np.abs(found.raw.mean(0) - found.truth) / found.stderr.mean(0)
    assert before[:-1].min() > 1
    assert np.abs(found.bias).max() < 1
    assert COVERED <= found.covered[:, :-1].mean() <= COVERED_MOST
    assert coverage.min() > COVERED - BINOMIAL
