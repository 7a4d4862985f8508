"""The figures of docs/results.md, as bars: whole with ``make slow``, small with ``make test``.

A small twin has few runs, so it holds a bar against the measurement less ``SLACK`` standard errors:
it fails when an estimator is clearly worse than promised, and the biased one must fail it.
"""

import numpy as np
import pytest

from discretion.design.information import eigenvalue
from discretion.mechanism import MECHANISMS, law
from experiments.accuracy import (
    COVERAGE_CASES,
    SEED,
    Ratio,
    bias,
    coverage,
    over_bound,
    over_disclosed,
    over_limit,
)
from experiments.bound import own_bound
from experiments.crowds import TIERS

SLACK = 5
LIMIT_BARS = {"subset": 1.1, "oue": 1.9}
OWN_BAR = 1.1
BLIND_BAR = 1.25


def clearly_above(ratio: Ratio, bar: float) -> bool:
    return ratio.value - SLACK * ratio.stderr > bar


@pytest.mark.parametrize("mechanism", LIMIT_BARS)
def test_a_small_crowd_is_not_clearly_above_its_bar_over_the_limit(mechanism: str) -> None:
    assert not clearly_above(over_limit(mechanism, 40, SEED, owners=5_000), LIMIT_BARS[mechanism])


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", LIMIT_BARS)
def test_the_error_stays_below_its_bar_over_the_limit(mechanism: str) -> None:
    ratio = over_limit(mechanism, 2_500, SEED)
    print(f"seed {SEED}, {mechanism}: squared error / limit {ratio}")
    assert ratio.stderr < 0.02 * ratio.value
    assert ratio.value <= LIMIT_BARS[mechanism]


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", [*MECHANISMS, "she"])
def test_a_small_crowd_is_not_clearly_above_what_its_mechanism_allows(mechanism: str) -> None:
    assert not clearly_above(over_bound(mechanism, 40, SEED, owners=5_000), OWN_BAR)


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", [*MECHANISMS, "she"])
def test_the_error_is_near_what_the_mechanism_allows(mechanism: str) -> None:
    ratio = over_bound(mechanism, 1_500, SEED)
    print(f"seed {SEED}, {mechanism}: squared error / the mechanism's own bound {ratio}")
    assert ratio.stderr < 0.02 * ratio.value
    assert ratio.value <= OWN_BAR


@pytest.mark.parametrize("mechanism", ["grr", "sue", "oue", "subset"])
def test_the_bound_of_a_mechanism_is_one_over_its_eigenvalue(mechanism: str) -> None:
    known = np.mean([eigenvalue(law(mechanism, 6, round(1000 * tier))) for tier in TIERS])
    assert own_bound(mechanism, 6, TIERS, 1_000) == pytest.approx(5 / 1_000 / known, rel=0.01)


def test_a_small_blind_crowd_is_not_clearly_above_its_bar_and_pldp_is() -> None:
    blind, pldp = over_disclosed(("blind", "pldp"), 5, 40, SEED, owners=5_000)
    assert not clearly_above(blind, BLIND_BAR)
    assert clearly_above(pldp, BLIND_BAR)


@pytest.mark.slow
@pytest.mark.parametrize("size", [2, 3, 5, 8, 16])
def test_secrecy_costs_at_most_a_quarter(size: int) -> None:
    (ratio,) = over_disclosed(("blind",), size, 2_000, SEED)
    print(f"seed {SEED}, {size} values: blind / disclosed total variation {ratio}")
    assert ratio.stderr < 0.02 * ratio.value
    assert ratio.value <= BLIND_BAR


def test_the_blind_methods_have_no_bias_and_pldp_has() -> None:
    mean, stderr = bias(("blind", "moment", "pldp"), 12, SEED, owners=20_000)
    off = np.abs(mean) > SLACK * stderr
    assert not off[:2].any()
    assert off[2].all()


@pytest.mark.slow
def test_no_bias_survives_a_million_owners() -> None:
    mean, stderr = bias(("blind", "moment", "pldp"), 24, SEED)
    print(f"seed {SEED}: mean errors in thousandths\n{1000 * mean}\n± {1000 * stderr}")
    assert (np.abs(mean[:2]) <= SLACK * stderr[:2]).all()
    assert (mean[2] > 0.05).all()


@pytest.mark.slow
@pytest.mark.parametrize("mechanism, methods", COVERAGE_CASES)
def test_intervals_cover_as_often_as_they_say(mechanism: str, methods: tuple[str, ...]) -> None:
    covered = coverage(mechanism, methods, 1_000, SEED)
    for method, cells in zip(methods, covered, strict=True):
        print(f"seed {SEED}, {mechanism} {method}: {cells.mean():.3f}, cells {cells}")
        assert 0.93 <= cells.mean() <= 0.97
