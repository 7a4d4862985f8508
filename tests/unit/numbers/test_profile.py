"""What distributions lack: the constrained maxima, against the definitions, and finer bins."""

import numpy as np
import pytest
from scipy.stats import chi2

from discretion.estimate.noise import Matrix, Vector
from discretion.numbers.density import Density, fit_density
from discretion.numbers.lens import replaced
from discretion.numbers.profile import Profile, Question
from discretion.numbers.sieve import Channel

POINTS, OUTPUTS, BINS, REPORTS = 61, 30, 12, 5_000
EPSILONS = (0.5, 1.0, 3.0)  # unequal budgets
HOLDS = 1e-5  # to which equations hold, which are least squares with a large weight
NEAR = 0.02  # of the allowed lack, within which a bound is looked for


def window(epsilon: float) -> Matrix:
    """Return P(y | x) of a window a third of the outputs wide: (outputs, points)."""
    span = OUTPUTS // 3
    starts = np.round(np.linspace(0, OUTPUTS - span, POINTS)).astype(int)
    y = np.arange(OUTPUTS)[:, None]
    heights = np.where((y >= starts) & (y < starts + span), np.exp(epsilon), 1.0)
    return heights / heights.sum(axis=0)


@pytest.fixture(scope="module")
def density() -> Density:
    rng, f = np.random.default_rng(3), np.linspace(2, 0, POINTS) / POINTS
    laws = [window(epsilon) for epsilon in EPSILONS]
    channels = [
        Channel.of(law, rng.multinomial(REPORTS, law @ f / (law @ f).sum()).astype(float))
        for law in laws
    ]
    return fit_density(channels, POINTS, bins=BINS)


def some(bins: int, seed: int) -> Vector:
    return np.random.default_rng(seed).dirichlet(np.ones(bins))


def test_the_best_distribution_fulfils_its_equations_and_none_that_does_lacks_less() -> None:
    """On the simplex of three, those that fulfil one equation are a segment: all are tried."""
    root, target = np.diag([3.0, 2.0, 1.0]), np.array([1.0, 3.0, -1.0])
    profile, row = Profile(root.T @ root, root.T @ target), np.array([0.0, 1.0, 2.0])
    found = profile.best((row, 0.8))
    assert found.min() >= 0
    np.testing.assert_allclose([found.sum(), row @ found], [1.0, 0.8], atol=HOLDS)
    last = np.linspace(0, 0.4, 1_001)
    tried = np.stack([0.2 + last, 0.8 - 2 * last, last], axis=1)
    assert profile.lack(found) == pytest.approx(min(map(profile.lack, tried)), abs=1e-3)


def test_the_most_likely_distribution_is_the_best_one(density: Density) -> None:
    best = density.profile.best()
    assert density.profile.lack(density.value) == pytest.approx(
        density.profile.lack(best), abs=0.01
    )


@pytest.mark.parametrize("t", [-1, 0, 7, 30, 59, 60])
def test_through_the_lens_a_distribution_lacks_what_it_did(density: Density, t: int) -> None:
    """Parts of a bin that are alike report as the bin does; and F(t) is asked for."""
    assert density.redraws is not None
    closeup = density.redraws.lens.at(t)
    question = closeup.question
    for seed in range(3):
        f = some(len(density.value), seed)
        spread = closeup.bins.spread(f)
        assert spread.sum() == pytest.approx(1.0)
        assert question.profile.lack(spread) == pytest.approx(density.profile.lack(f), rel=1e-6)
        assert question.row @ spread == pytest.approx(float(density.below(t)[0] @ f), abs=1e-12)


def test_through_the_lens_no_more_is_known(density: Density) -> None:
    allowed = float(chi2.ppf(0.95, 1))
    for t in (10, 25, 40):
        low, high = density.ask(t).bounds(allowed)
        plain = Question(density.profile, density.below(t)[0]).bounds(allowed)
        assert high - low > plain[1] - plain[0]


def test_at_a_bound_the_lack_is_what_is_allowed(density: Density) -> None:
    question = density.ask(25)
    for bound in question.bounds(2.0):
        assert question.lack(bound) == pytest.approx(2.0, rel=NEAR)


def test_an_excess_is_the_root_of_the_lack_with_a_sign(density: Density) -> None:
    question = density.ask(25)
    here = float(question.row @ question.best)
    for at in (here - 0.05, here + 0.05):
        assert question.excess(at) ** 2 == pytest.approx(question.lack(at))
        assert np.sign(question.excess(at)) == np.sign(at - here)


@pytest.mark.parametrize("t", [0, 25, 60])
def test_the_noise_of_other_reports_has_the_information_as_its_covariance(
    density: Density, t: int
) -> None:
    """Noise is drawn for each output; that of a bin is made of it by the bin's scores."""
    assert density.redraws is not None
    lens = density.redraws.lens
    bins = lens.at(t).bins
    cells = np.stack([bins.edges[:-1], bins.edges[1:]], axis=1)
    finer = lens.sieve.seen(cells) * lens.weight
    scores, information = replaced(lens.scores, bins.near, finer.T), bins.information
    np.testing.assert_allclose(scores.T @ scores, information, atol=1e-9 * information.max())
    noise = lens.normals @ scores
    np.testing.assert_allclose(noise, bins.noise, atol=1e-9 * np.abs(noise).max())


def test_other_reports_pull_towards_what_the_truth_would_say(density: Density) -> None:
    truth = some(len(density.value), 9)
    pulls = density.profile.pulls(truth, np.zeros((1, len(truth))))
    np.testing.assert_allclose(density.profile.best_of(pulls).f[0, 0], truth, atol=HOLDS)


def test_draws_have_the_excess_that_each_of_them_has_alone(density: Density) -> None:
    question, rng = density.ask(25), np.random.default_rng(5)
    bins = len(question.row)
    pulls = question.profile.pull + 20 * rng.standard_normal((6, bins))
    together, end = question.excesses(0.5, pulls)
    alone = [
        Question(Profile(question.profile.information, pull), question.row).excess(0.5)
        for pull in pulls
    ]
    np.testing.assert_allclose(together, alone, atol=1e-6)
    again, _ = question.excesses(0.5, pulls, end)
    np.testing.assert_allclose(again, alone, atol=1e-6)
