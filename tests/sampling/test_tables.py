"""Tables of several attributes, as bars: whole with ``make slow``, small with ``make test``.

What is forecast before anybody is asked comes true, unequal budgets and partial records reach their
bound, and a bundle is worth its weaker contract. A small twin has few runs, so it holds a bar
against the measurement less ``SLACK`` standard errors.
"""

import pytest

from experiments.accuracy import SEED
from experiments.tables import bundle_gain, over_bound, over_forecast

SLACK = 5
BOUND_BAR = 1.15
FORECAST_BAND = (0.85, 1.15)
GAIN_BAR = 5.0
DESIGNS = [("subset", False), ("oue", False), ("subset", True)]


@pytest.mark.slow
@pytest.mark.parametrize("mechanism, bundled", DESIGNS)
def test_the_error_is_as_forecast(mechanism: str, bundled: bool) -> None:
    ratio = over_forecast(mechanism, 100, SEED, bundled=bundled)
    print(f"seed {SEED}, {mechanism}, bundled {bundled}: squared error / forecast {ratio}")
    assert ratio.stderr < 0.05
    assert FORECAST_BAND[0] <= ratio.value <= FORECAST_BAND[1]


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", ["subset", "oue"])
def test_unequal_and_partial_reports_reach_their_bound(mechanism: str) -> None:
    ratio = over_bound(mechanism, 100, SEED)
    print(f"seed {SEED}, {mechanism}: squared error / bound {ratio}")
    assert ratio.stderr < 0.05
    assert ratio.value <= BOUND_BAR


@pytest.mark.slow
def test_a_bundle_of_two_has_a_fifth_of_the_error_at_most() -> None:
    gain = bundle_gain(100, SEED)
    print(f"seed {SEED}: squared error, split OUE / bundle {gain}")
    assert gain.value >= GAIN_BAR


@pytest.mark.slow
@pytest.mark.parametrize("mechanism, bundled", DESIGNS)
def test_a_small_crowd_is_not_clearly_off_its_forecast(mechanism: str, bundled: bool) -> None:
    ratio = over_forecast(mechanism, 24, SEED, owners=10_000, bundled=bundled)
    assert FORECAST_BAND[0] - SLACK * ratio.stderr < ratio.value
    assert ratio.value < FORECAST_BAND[1] + SLACK * ratio.stderr
    assert ratio.stderr < 0.15  # or it could not tell a factor of two
