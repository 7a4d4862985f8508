"""The figures of post-processing in docs/results.md and the guide, small: who wins where, and by
how much, with unequal budgets and missing attributes; and that intervals hold the truth.
"""

import numpy as np
import pytest
from scipy.stats import binom

import discretion as ds
from experiments.consistency import POSTS, SEED, coverage, errors
from experiments.crowds import dirichlet
from tests.significance import ALPHA

RUNS, OWNERS, SAMPLES = 12, 4_000, 100


def measured(mechanism: str, kind: str, size: int) -> dict[str, float]:
    found = errors(mechanism, kind, size, RUNS, SEED, owners=OWNERS)
    names = ["+".join(steps) or "none" for steps in POSTS]
    return dict(zip([*names, "mle"], found.tolist(), strict=True))


def test_where_most_values_do_not_occur_all_but_scaling_help() -> None:
    error = measured("subset", "sparse", 64)
    assert error["norm-sub"] < 0.6 * error["none"]
    assert error["base-cut"] < 0.6 * error["none"]
    assert error["power+norm-sub"] < 0.5 * error["none"]
    assert error["base-pos"] < 0.8 * error["none"]
    assert error["norm-mul"] > 1.2 * error["none"]
    assert error["norm-gls"] > error["norm-sub"]


def test_where_all_values_are_alike_a_cut_does_harm_and_the_projection_none() -> None:
    few = measured("subset", "uniform", 8)
    assert few["norm-sub"] == pytest.approx(few["none"])
    many = measured("subset", "uniform", 64)
    assert many["norm-sub"] < many["none"]
    assert many["base-cut"] > 1.2 * many["none"]


def test_words_of_bits_are_projected_best_in_their_own_metric() -> None:
    error = measured("bloom", "sparse", 24)
    assert error["norm-gls"] < 0.7 * error["norm-sub"] < 0.7 * error["none"]


def test_tables_of_moments_are_projected_best_in_their_own_metric() -> None:
    f = np.array([0.6, 0.25, 0.1, 0.05, 0, 0, 0, 0])
    error = {"norm-sub": 0.0, "norm-gls": 0.0}
    for seed in range(RUNS):
        reports = dirichlet("subset", f, OWNERS, seed, share=(2, 4), missing=0.15)
        given = ds.joint(reports, ["a0", "a1"], "tensor")
        for step in error:
            error[step] += ((ds.postprocess(given, step).value - np.outer(f, f)) ** 2).sum()
    assert error["norm-gls"] < 0.85 * error["norm-sub"]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::discretion.errors.DependenceWarning")  # one run in a thousand
@pytest.mark.parametrize("kind, size", [("zipf", 8), ("sparse", 64)])
def test_intervals_hold_the_truth_at_least_as_often_as_they_say(kind: str, size: int) -> None:
    """The cells of a sample are dependent, so all of them together count as one trial a sample."""
    held, moved = coverage("subset", kind, size, SAMPLES, SEED, owners=OWNERS)
    few = binom.ppf(ALPHA, SAMPLES, 0.95) / SAMPLES
    for steps, cells in zip(POSTS, held, strict=True):
        assert cells.mean() >= few, f"{steps}: {cells}, {SAMPLES} samples, seed {SEED}"
        assert (cells >= held[0]).all()
    if kind == "sparse":
        scaled = moved[POSTS.index(("norm-mul",)), :5].mean()
        assert scaled < few, "the test would not notice intervals around a biased value"
