"""Weights remove the bias of respondents who selected themselves, and intervals cover."""

import numpy as np
import pytest

from experiments.calibration import RUNS, SEED, made, measure

COVERED, COVERED_MOST = 0.93, 0.97
BINOMIAL = 4 * np.sqrt(0.95 * 0.05 / RUNS)  # of a single share


@pytest.mark.slow
def test_the_bias_is_removed_and_intervals_cover() -> None:
    """A made survey with a known population; respondents select themselves by age and work."""
    measured = measure(made(), RUNS, SEED)
    shares = measured["shares"]
    before = np.abs(shares.raw.mean(0) - shares.truth) / shares.stderr.mean(0)
    assert before.min() > 1
    for what, found in measured.items():
        print(f"seed {SEED}, {RUNS} runs, {what}\n{found}")
        assert np.abs(found.bias).max() < 1, what
        alone = BINOMIAL if found.truth.size == 1 else 0.0
        assert COVERED - alone <= found.covered.mean() <= COVERED_MOST + alone, what
        assert found.covered.mean(axis=0).min() > COVERED - BINOMIAL, what
