"""Runs of minutes: a yes/no attribute by earnings, in bins that nobody named."""

import numpy as np
import pytest

from experiments.bins import made, measure

RUNS, SEED = 100, 31_000
LOW, HIGH = 0.93, 0.97  # coverage: docs/results.md has more runs
NOISE = 0.02  # two standard errors of it in so many runs


@pytest.mark.slow
def test_bins_that_nobody_named_are_as_good_as_those_named_by_hand() -> None:
    found, chosen = measure(made(), RUNS, SEED)
    print(f"\nseed {SEED}, {RUNS} runs, bins {chosen.most_common(3)}")
    for what, own in found.items():
        print(f"{what:15}{own}")
    for part in ("cells", "rows"):
        unnamed, named = found[f"{part} unnamed"], found[f"{part} by hand"]
        assert unnamed.widest < 1
        assert np.mean(unnamed.widths) <= np.mean(named.widths)
        assert LOW - NOISE <= np.concatenate(unnamed.covered).mean() <= HIGH + NOISE
