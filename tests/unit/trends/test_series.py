"""Curves over rounds: nothing looks ahead online, bands cover, and a step is found."""

import json
from typing import Any

import numpy as np
import pytest

import discretion as ds
from discretion.crowd.rounds import simulate_rounds
from discretion.errors import EstimateError
from discretion.plan import Plan
from discretion.table import ReportTable
from discretion.trends.filters import online, smoothed
from tests.unit.trends.conftest import ROUNDS, STEP, shares

T, SEED = 60, 4


def curves(kind: str, rng: np.random.Generator) -> Any:
    steps = {
        "constant": np.zeros(T),
        "step": np.where(np.arange(T) == T // 2, 0.08, 0.0),
        "walk": rng.normal(0, 0.01, T),
    }
    level = np.cumsum(steps[kind])
    return np.column_stack([0.3 + level, 0.7 - level])


@pytest.mark.parametrize("kind", ["constant", "step", "walk"])
def test_curves_are_nearer_than_rounds_by_themselves_and_bands_cover(kind: str) -> None:
    rng, covered, errors = np.random.default_rng(SEED), [], []
    variance = np.full((T, 2), 0.02**2) * rng.uniform(0.5, 2, (T, 1))
    for _ in range(100):
        truth = curves(kind, rng)
        noise = rng.normal(size=T) * np.sqrt(variance[:, 0])
        x = truth + np.column_stack([noise, -noise])
        tracks = [make(x, variance, np.ones(T - 1)) for make in (online, smoothed)]
        apart = [np.abs(track.value - truth) for track in tracks]
        covered.append([(a < 1.96 * t.stderr).mean() for a, t in zip(apart, tracks, strict=True)])
        errors.append([((x - truth) ** 2).mean(), *((a**2).mean() for a in apart)])
    raw, early, late = np.mean(errors, axis=0)
    print(f"seed {SEED}, {kind}: mse {raw:.2e} {early:.2e} {late:.2e}, cover {np.mean(covered, 0)}")
    assert late < early < 0.6 * raw
    assert (np.mean(covered, axis=0) > 0.9).all()


def test_online_curves_do_not_look_ahead() -> None:
    rng = np.random.default_rng(1)
    x, variance = rng.normal(size=(20, 3)), rng.uniform(1, 2, (20, 3))
    whole = online(x, variance, np.ones(19))
    part = online(x[:12], np.array(variance[:12]), np.ones(11))
    scale = np.median(variance, axis=0) / np.median(variance[:12], axis=0)
    assert np.abs(whole.value[:12] - part.value).max() < 0.1 * scale.max()


def test_a_gap_between_rounds_is_time_in_which_more_may_change() -> None:
    x, variance = np.array([[0.0], [0.0], [1.0]]), np.full((3, 1), 0.01)
    near = online(x, variance, np.array([1.0, 1.0])).value[-1, 0]
    far = online(x, variance, np.array([1.0, 50.0])).value[-1, 0]
    assert near < far <= 1


def test_a_step_is_found_where_it_is(fresh: ReportTable, truth: list[Any]) -> None:
    found = ds.series(fresh, "travel")
    assert found.value.shape == (ROUNDS, 4)
    assert found.pvalue[0] < 1e-3 < found.pvalue[1]
    assert {shift.label for shift in found.shifts[:2]} == {"a", "d"}
    assert all(abs(shift.round - STEP) <= 2 for shift in found.shifts[:2])
    apart = found.value - np.array([shares(record) for record in truth])
    assert (np.abs(apart) < 4 * found.smooth.stderr).all()
    assert "something changed: " in str(found)
    json.dumps(found.document(), allow_nan=False)
    frame = found.to_frame("pyarrow")
    assert frame.num_rows == ROUNDS * 4
    constant = ds.series(fresh, "hours")
    assert not constant.shifts
    assert "no change is found" in str(constant)


def test_noise_that_is_repeated_does_not_average(fresh: ReportTable, memo: ReportTable) -> None:
    free, bound = ds.series(fresh, "hours"), ds.series(memo, "hours")
    assert bound.repeated
    assert (bound.smooth.stderr >= bound.raw.stderr).all()
    assert free.smooth.stderr.mean() < 0.6 * free.raw.stderr.mean()


def test_one_round_is_no_series(fresh: ReportTable) -> None:
    with pytest.raises(EstimateError, match="two rounds or more, got 1"):
        ds.series(fresh.of_round(3), "travel")


def test_bands_hold_where_a_second_stage_repeats_a_part_of_the_noise() -> None:
    """Owners of unequal levels, a tenth of whom draw anew in each round what they answer."""
    asked = {"name": "v", "kind": "categorical", "values": [*"abcd"], "mechanism": "lgrr"}
    plan = Plan.of({"name": "s", "attributes": [asked], "budget": {"levels": [1, 2, 4]}})
    truth, held = np.array([0.4, 0.3, 0.2, 0.1]), []
    for seed in range(10):
        rng, rounds = np.random.default_rng(seed), []
        codes = rng.choice(4, 2000, p=truth)
        for _ in range(6):
            rounds.append({"v": np.array([*"abcd"])[codes]})
            codes = np.where(rng.random(2000) < 0.1, rng.choice(4, 2000, p=truth), codes)
        found = ds.series(simulate_rounds(plan, rounds, budgets="levels", seed=seed), "v")
        low, high = np.moveaxis(found.interval(), -1, 0)
        held.append(((low <= truth) & (truth <= high)).mean())
        assert found.repeated
        assert found.shifts == ()
    print(f"seeds 0 to 9: {np.mean(held):.3f} of the smooth bands hold")
    assert np.mean(held) > 0.95
