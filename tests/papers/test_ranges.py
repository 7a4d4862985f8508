"""The study of ranges: its methods know what is easily known, and its bars and page are whole."""

from pathlib import Path

import numpy as np

from papers.page import summary, write
from papers.ranges.densities import DENSITIES, Crowd
from papers.ranges.study import PEERS, TIERS, Ranges, error, reports
from papers.ranges.trees import ahead, haar_hrr, hh
from papers.ranges.windows import half_width, reported
from papers.study import Effort, Findings, measure
from tests.cases import for_each

CERTAIN = 12  # an epsilon at which hardly anything is random


def crowd(size: int = 64, n: int = 20_000) -> Crowd:
    return Crowd.of("income", size, n, 200, np.random.default_rng(3))


def test_shares_of_ranges_are_those_of_the_people_in_them() -> None:
    people = crowd(64, 500)
    pairs = zip(people.low.tolist(), people.high.tolist(), strict=True)
    truth = [((people.codes >= low) & (people.codes < high)).mean() for low, high in pairs]
    np.testing.assert_allclose(people.truth, truth)
    halves = np.array([0.25, 0.75])
    low, high = people.low, people.high
    np.testing.assert_allclose(
        people.shares(halves),
        [sum(halves[c // 32] / 32 for c in range(a, b)) for a, b in zip(low, high, strict=True)],
    )
    for density in DENSITIES:
        assert len(Crowd.of(density, 256, 10, 5, np.random.default_rng(1)).codes) == 10


@for_each("name", PEERS)
def test_with_hardly_any_noise_every_method_finds_the_shares(name: str) -> None:
    people, rng = crowd(), np.random.default_rng(4)
    assert error(people, people.shares(PEERS[name](people, CERTAIN, rng))) < 1e-3


def test_linear_trees_are_unbiased_and_consistent() -> None:
    """Over many crowds of few people the mean comes near; a table with a code less would not."""
    people, rng = crowd(16, 400), np.random.default_rng(5)
    truth = people.counts / len(people.codes)
    for method in (hh, haar_hrr):
        found = np.array([method(people, 2, rng) for _ in range(400)])
        np.testing.assert_allclose(found.sum(axis=1), 1)
        error = found.std(axis=0) / np.sqrt(len(found))
        assert (np.abs(found.mean(axis=0) - truth) < 5 * error).all()
        assert (np.abs(found.mean(axis=0) - np.roll(truth, 1)) > 5 * error).any()
    whole = ahead(people, 2, rng)
    assert abs(whole.sum() - 1) < 1e-9


def test_the_square_wave_keeps_its_ratio() -> None:
    """Of reports about one value, those near are e^epsilon times as dense."""
    rng, half = np.random.default_rng(6), half_width(1)
    found = reported(np.full(200_000, 0.3), 1, rng)
    near = np.abs(found - 0.3) <= half
    assert abs(near.mean() / (1 - near.mean()) / (2 * half) - np.e) < 0.05
    assert found.min() >= -half
    assert found.max() <= 1 + half


def test_the_study_measures_checks_and_writes_a_page(tmp_path: Path) -> None:
    study = Ranges(runs=1, sizes=(64,), epsilons=(2,), owners=2_000)
    found: Findings = measure(study.steps({}), workers=1)
    assert ("mse", 64, "spikes", TIERS, "hierarchy") in found
    assert 0.5 < found.mean("covered", 64, "smooth", (2,)) <= 1
    page = write(study, found, tmp_path).read_text(encoding="utf-8")
    assert "| HaarHRR |" in page
    assert "bars" in summary(list(study.checks(found)))
    assert Ranges.of(Effort(quick=True)).runs == 1
    assert set(reports(crowd(64, 50), "hierarchy", [1, 2], 1).plan.policy.menu) == {1000, 2000}
