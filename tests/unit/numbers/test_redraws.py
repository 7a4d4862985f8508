"""How far the truth may seem to be: drawn from what is asked about, so that it is held."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from scipy.stats import binom, chi2

from discretion.estimate.noise import Matrix, Vector
from discretion.estimate.quadratic import Start
from discretion.mechanism.geometric import laplace
from discretion.mechanism.law import NumberLaw
from discretion.mechanism.window import sw
from discretion.numbers.density import Channel, Density, fit_density
from discretion.numbers.lens import DRAWS, Closeup
from discretion.numbers.profile import Question
from discretion.numbers.redraws import MOST_STEPS, UNMIXED, Redraws
from discretion.table.outputs import below
from tests.significance import ALPHA

POINTS, HEAPS = 201, 10
LEVELS = (500, 1_000, 4_000)


def probabilities(mechanism: Callable[[int, int], NumberLaw]) -> list[Matrix]:
    laws = [mechanism(POINTS, level) for level in LEVELS]
    return [np.diff(below(law, np.arange(law.n_outputs + 1)), axis=0) for law in laws]


CHANCES = probabilities(sw)
SHARES = np.array([0.5, 0.3, 0.2])
RUNS, SEED = 30, 4


def smooth() -> Vector:
    x = (np.arange(POINTS) + 0.5) / POINTS
    f = x * (1 - x) ** 2
    return f / f.sum()


def round_ones() -> Vector:
    """Return the same numbers, all rounded to tens."""
    places = np.round(np.arange(POINTS) / HEAPS).astype(int) * HEAPS
    return np.bincount(places, smooth(), POINTS).astype(np.float64)


def peaks() -> Vector:
    x = np.arange(POINTS) / POINTS
    f = np.exp(-(((x - 0.3) / 0.08) ** 2)) + np.exp(-(((x - 0.7) / 0.12) ** 2))
    return f / f.sum()


def fitted(
    f: Vector, n: int, rng: np.random.Generator, laws: Sequence[Matrix] = CHANCES
) -> Density:
    sizes = rng.multinomial(n, SHARES)
    asked = zip(laws, sizes, strict=True)
    return fit_density(
        [
            Channel.of(c, rng.multinomial(size, c @ f / (c @ f).sum()).astype(float))
            for c, size in asked
        ],
        POINTS,
    )


def redraws(fit: Density) -> Redraws:
    assert fit.redraws is not None
    return fit.redraws


def drawn(fit: Density, t: int, level: float) -> Vector:
    return np.concatenate(list(redraws(fit).excesses(closeup(fit, t), level)))


def closeup(fit: Density, t: int) -> Closeup:
    return redraws(fit).lens.at(t)


def test_a_level_that_a_heap_just_reaches_is_held_though_chi2_would_not_hold_it() -> None:
    """Reports blur the heap to both sides, so that F(t) always seems to be less than it is."""
    rng, f, t = np.random.default_rng(SEED), round_ones(), 5 * HEAPS
    level = float(np.cumsum(f)[t]) - 1e-6
    held, plain, excess = 0, 0, []
    for _ in range(RUNS):
        fit = fitted(f, 10_000, rng)
        held += fit.may_be_quantile(t, level)
        plain += fit.ask(t).lack(level) <= chi2.ppf(0.95, 1)
        excess.append(fit.ask(t).excess(level))
    assert np.mean(excess) > 0.5
    assert held >= binom.ppf(ALPHA, RUNS, 0.93), f"{held} of {RUNS} held, seed {SEED}"
    assert plain < held


def test_draws_end_when_others_would_hardly_change_what_they_say(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fit = fitted(smooth(), 20_000, np.random.default_rng(SEED))
    points = range(int(fit.quantile(0.3)[0]) - 25, int(fit.quantile(0.3)[0]))
    seen: list[int] = []
    plainly = Question.excesses

    def counted(
        question: Question, at: float, pulls: Matrix, start: Start | None = None
    ) -> tuple[Vector, Start]:
        seen.append(len(pulls))
        return plainly(question, at, pulls, start)

    monkeypatch.setattr(Question, "excesses", counted)
    soon = [fit.may_be_quantile(t, 0.3) for t in points]
    some = sum(seen)
    monkeypatch.setattr("discretion.numbers.redraws.CERTAIN", 1e9)
    seen.clear()
    assert soon == [fit.may_be_quantile(t, 0.3) for t in points]
    assert 0 < some < 0.8 * sum(seen)


def test_draws_from_heaps_are_to_one_side_and_from_smooth_numbers_to_both() -> None:
    rng, t = np.random.default_rng(SEED), 5 * HEAPS
    heaped, flowing = fitted(round_ones(), 40_000, rng), fitted(smooth(), 40_000, rng)
    one = drawn(heaped, t, float(np.cumsum(round_ones())[t]))
    both = drawn(flowing, t, float(np.cumsum(smooth())[t]))
    assert one.mean() > 0.4 > abs(both.mean())
    assert both.std() < 1.0  # F is known to rise
    np.testing.assert_array_equal(both, drawn(flowing, t, float(np.cumsum(smooth())[t])))


def test_a_smooth_distribution_is_believed_where_nothing_speaks_against_it() -> None:
    rng = np.random.default_rng(SEED)
    flowing, heaped = (redraws(fitted(f, 40_000, rng)) for f in (smooth(), round_ones()))
    assert flowing.smooth.part > 0.7
    assert heaped.smooth.part < 0.2
    assert flowing.smooth.value.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("t", [0, 1, 30, 99])
def test_what_is_drawn_from_has_the_level_that_is_asked_about(t: int) -> None:
    fit = fitted(smooth(), 5_000, np.random.default_rng(SEED))
    close = closeup(fit, t)
    truth = redraws(fit).truth(close, 0.4)
    assert truth.min() >= 0
    assert truth.sum() == pytest.approx(1.0)
    assert close.row @ truth == pytest.approx(0.4, abs=1e-4)
    assert len(drawn(fit, t, 0.4)) == DRAWS


def test_a_quantile_that_reports_leave_open_has_an_interval_of_all_that_it_may_be() -> None:
    """Two laws of numbers with the same reports: who holds each in 95 % holds one more often.

    Chances are straight lines between few knots. Numbers between two of them, or at these two in
    the right parts, report alike, and their quantiles are not the same.
    """
    knots = np.linspace(0, POINTS - 1, 5)
    lines = np.array([np.interp(np.arange(POINTS), knots, row) for row in np.eye(5)])
    law = 0.1 + 0.5 * lines
    middle, ends = np.zeros(POINTS), np.zeros(POINTS)
    middle[[12, 38, 62]] = 0.3, 0.4, 0.3
    ends[[12, 25, 62]] = 0.3, 0.4 * 12 / 25, 0.3
    ends[50] = 0.4 * 13 / 25
    np.testing.assert_allclose(law @ middle, law @ ends)
    fit = fit_density([Channel.of(law, 1e6 * law @ middle)], POINTS)
    first, last = fit.quantile_interval([0.45])[0]
    for f in (middle, ends):
        assert first <= np.searchsorted(np.cumsum(f), 0.45) <= last


def test_what_blurs_more_takes_more_steps_to_be_smooth() -> None:
    steps = {}
    for mechanism in (sw, laplace):
        for level, probability in zip(LEVELS, probabilities(mechanism), strict=True):
            fit = fit_density([Channel.of(probability, 1e4 * (probability @ peaks()))], POINTS)
            steps[mechanism.__name__, level] = redraws(fit)._steps()
    assert 1 <= 5 * steps["sw", 4_000] < steps["laplace", 4_000]
    assert max(steps.values()) == MOST_STEPS
    assert steps["sw", 500] > steps["sw", 1_000] > steps["sw", 4_000]


@pytest.mark.parametrize("mechanism", [sw, laplace])
def test_two_smooth_peaks_are_taken_for_smooth(
    mechanism: Callable[[int, int], NumberLaw],
) -> None:
    fit = fitted(peaks(), 100_000, np.random.default_rng(SEED), probabilities(mechanism))
    whole = 1 - UNMIXED / len(fit.value)
    assert redraws(fit).smooth.part > 0.8 * whole
