"""Shares among those to whom a question applies: values, covariance, and how often they cover."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import discretion as ds
from discretion.errors import EstimateError
from discretion.estimate import FrequencyEstimate
from discretion.joints import postprocess
from discretion.plan import Plan
from tests.plans import MODE, WORK, author

PLAN = Plan.of(author(attributes=[WORK, {**MODE, "applies": {"work": ["employed", "own shop"]}}]))
SHARES = np.array([0.4, 0.25, 0.2, 0.1, 0.05])  # of those to whom it applies
SEED = 24


def estimated(n: int, share: float, method: str, seed: int) -> FrequencyEstimate:
    """Estimate from unequal budgets; a tenth of the owners shares only one of both."""
    rng = np.random.default_rng(seed)
    applies, lacks = rng.random(n) < share, rng.random(n) < 0.1
    work = np.where(applies, rng.choice(["employed", "own shop"], n, p=(0.7, 0.3)), "retired")
    mode = pa.array(rng.choice(MODE["values"], n, p=SHARES), mask=lacks)
    records = pa.table({"work": work, "mode": mode})
    reports = ds.simulate(PLAN, records, budgets="dirichlet", seed=seed)
    return ds.frequencies(reports, "mode", method)


def test_shares_are_ratios_and_their_covariance_follows_the_derivative() -> None:
    whole = estimated(2000, 0.6, "weighted", SEED)
    among = whole.applicable()
    assert among.labels == tuple(MODE["values"]) == whole.labels[:-1]
    assert among.value == pytest.approx(whole.value[:-1] / whole.value[:-1].sum())
    assert among.value.sum() == pytest.approx(1)
    step, f = 1e-6, whole.value[:-1]
    moved = [f + step * row for row in np.eye(5)]
    slope = np.array([(m / m.sum() - f / f.sum()) / step for m in moved]).T
    expected = slope @ whole.covariance[:-1, :-1] @ slope.T
    assert among.covariance == pytest.approx(expected, abs=1e-8)
    assert "among the 5" in str(among)
    assert " % to whom it applies" in str(among)
    assert among.effective_n < whole.effective_n


def test_the_document_has_both_and_steps_keep_their_centre() -> None:
    whole = estimated(2000, 0.3, "weighted", SEED)
    document, among = whole.document(), whole.applicable().document()
    assert document["applicable"] == among["frequencies"]
    assert among["applies"] == pytest.approx(1 - whole.value[-1] + (whole.value.sum() - 1))
    assert "applies" not in document
    assert "applicable" not in among
    positive = postprocess(whole, "norm-sub").applicable()
    assert positive.value.sum() == pytest.approx(1)
    assert positive.covariance == pytest.approx(whole.applicable().covariance)
    assert positive.centre == pytest.approx(whole.applicable().value)


def test_what_applies_to_everybody_has_no_such_shares() -> None:
    reports = ds.simulate(PLAN, {"work": ["retired"] * 50, "mode": [None] * 50}, seed=SEED)
    with pytest.raises(EstimateError, match="'work' applies to everybody"):
        ds.frequencies(reports, "work", applicable=True)
    whole = estimated(300, 0.1, "weighted", SEED)
    nobody = replace(whole, value=np.array([0.1, -0.1, 0.05, -0.05, -0.02, 1.02]))
    with pytest.raises(EstimateError, match="seems to apply to nobody"):
        nobody.applicable()
    assert "applicable" not in nobody.document()


@pytest.mark.slow
@pytest.mark.parametrize("method", ["weighted", "mle"])
@pytest.mark.parametrize("share", [0.6, 0.15])
def test_intervals_among_those_to_whom_it_applies_cover(method: str, share: float) -> None:
    runs, covered = 300, np.zeros(5)
    for seed in range(runs):
        low, high = estimated(3000, share, method, seed).applicable().interval().T
        covered += (low <= SHARES) & (high >= SHARES)
    print(f"seeds 0 to {runs - 1}, {method}, {share}: covered {covered / runs}")
    assert (covered / runs > 0.95 - 4 * np.sqrt(0.95 * 0.05 / runs)).all()
