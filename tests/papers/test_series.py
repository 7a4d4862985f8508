"""The study of series: its protocols are unbiased and keep to their windows, its page is whole."""

from math import exp, inf
from pathlib import Path

import numpy as np
import pytest

from papers.page import summary, write
from papers.series.dyadic import dyadic, rotation, truth_of
from papers.series.longitudinal import loloha, protocols, staged
from papers.series.streams import STREAMS, Array, Oracle
from papers.series.study import EVOLVING, KINDS, LABELS, SETTINGS, Series, shares_of, stream
from papers.series.thresh import Thresh, unbiased
from papers.study import Findings, measure
from tests.cases import for_each

RUNS, WIDE = 400, 5.5  # standard errors
SHARES = np.array([0.4, 0.25, 0.2, 0.1, 0.05])


class Counting(Oracle):
    """An oracle that notes what it is asked, and says what it always says."""

    asked: list[tuple[int, float]]

    def ask(self, shares: Array, owners: int, epsilon: float) -> Array:
        self.asked.append((owners, epsilon))
        return super().ask(shares, owners, epsilon)


def test_the_oracle_is_unbiased_with_the_variance_that_it_states() -> None:
    oracle = Oracle(5, np.random.default_rng(1))
    for epsilon in (0.1, 1.0, 2.0):
        found = np.array([oracle.ask(np.full(5, 0.2), 500, epsilon) for _ in range(RUNS)])
        error = np.sqrt(oracle.variance(500, epsilon) / RUNS)
        assert (np.abs(found.mean(axis=0) - 0.2) < WIDE * error).all()
        assert found.var(axis=0).mean() == pytest.approx(oracle.variance(500, epsilon), rel=0.2)


@for_each("name", STREAMS)
def test_no_window_of_rounds_costs_an_owner_more_than_epsilon(name: str) -> None:
    """Budgets in a window sum to epsilon at most, or its groups to all owners."""
    window, owners, epsilon = 6, 600, 1.0
    for kind in KINDS:
        rng = np.random.default_rng(2)
        truth = shares_of(kind, 60, rng)
        oracle = Counting(5, rng)
        spent = []
        for t in range(1, len(truth) + 1):  # what round t adds is what a longer stream asks more
            object.__setattr__(oracle, "asked", [])
            object.__setattr__(oracle, "rng", np.random.default_rng(3))
            STREAMS[name](truth[:t], owners, epsilon, window, oracle)
            spent.append(sum(n * e for n, e in oracle.asked))
        each = np.diff([0.0, *spent])
        most = np.convolve(each, np.ones(window), "valid").max()
        assert most <= owners * epsilon * (1 + 1e-9)
        assert most > 0.4 * owners * epsilon


@for_each("way", [dyadic, rotation])
def test_a_yes_or_no_that_changes_once_is_estimated_without_bias(way: object) -> None:
    assert callable(way)
    rng = np.random.default_rng(4)
    changes = np.minimum(rng.integers(0, 32, 4000), 16)
    found = np.array([way(changes, 16, 2.0, rng) for _ in range(RUNS)])
    error = found.std(axis=0) / np.sqrt(RUNS)
    assert (np.abs(found.mean(axis=0) - truth_of(changes, 16)) < WIDE * error).all()


def test_votes_start_an_update_where_the_share_moved_and_only_there() -> None:
    truth = np.repeat([0.3, 0.3, 0.6, 0.6], 64)
    found = [
        Thresh(64, 2, 8.0).estimate(truth, 20_000, np.random.default_rng(s)) for s in range(20)
    ]
    epochs = np.array(found)[:, ::64]
    assert (epochs[:, 0] == epochs[:, 1]).all()
    assert (epochs[:, 2] == epochs[:, 3]).all()
    error = epochs.std(axis=0) / np.sqrt(len(found))
    assert (np.abs(epochs.mean(axis=0) - truth[::64]) < WIDE * error).all()


def test_thresh_tells_at_most_epsilon_over_all_rounds() -> None:
    """Two histories differ in two updates' votes each, and in their reports at updates."""
    own = Thresh(64, 3, 1.5)
    assert 2 * own.updates * own.vote + own.updates * own.report == pytest.approx(own.epsilon)
    assert unbiased((1 + 0.3 * (exp(0.7) - 1)) / (exp(0.7) + 1), 0.7) == pytest.approx(0.3)
    never = Thresh(64, 1, 8.0).estimate(np.repeat([0.3, 0.9], 64), 500, np.random.default_rng(1))
    assert never[0] == never[-1]


def test_every_stream_is_measured_with_ours_beside_it() -> None:
    found = Findings(stream(SETTINGS[-1], 12, 1))
    for name in (*STREAMS, "ours, online", "ours, smoothed"):
        assert 0 < found.mean("error", SETTINGS[-1], name) < 1
    assert shares_of("sine", 10, np.random.default_rng(1)).shape == (10, len(LABELS))


def test_the_study_writes_a_page() -> None:
    study = Series(runs=1, rounds=8)
    steps = [each for each in study.steps({}) if "w = 50" in each.title or "128" in each.title]
    found: Findings = measure(steps, workers=1)
    assert found.mean("changing", 128, 1.0, "dyadic") > 0


def test_the_page_has_all_its_parts(tmp_path: Path) -> None:
    study, found = Series(runs=1), Findings(invented())
    page = write(study, found, tmp_path).read_text(encoding="utf-8")
    assert "| step, w = 10, ε = 1 |" in page
    assert "{" not in page.replace("{rotate: [w]}", "").replace("rotate: [w]", "")
    assert "32 of 66 bars are met" in summary(list(study.checks(found)))


def invented() -> list[tuple[tuple[object, ...], float]]:
    """Return findings without a measurement: every error is one, and all bands hold."""
    names = (*STREAMS, "ours, by round", "ours, online", "ours, smoothed")
    found: list[tuple[tuple[object, ...], float]] = []
    for each in SETTINGS:
        found += [(("error", each, name), 1.0) for name in names]
        found += [(("covered", each, name), 1.0) for name in names[-3:]]
    curves = ("THRESH, epochs of 64", "THRESH, epochs of 128", "ours, online", "ours, smoothed")
    found += [(("evolving", *each, name), 1.0) for each in EVOLVING for name in curves]
    return found


@for_each("name", protocols(4, 2.0, 1.0))
def test_second_stages_keep_the_levels_that_are_stated(name: str) -> None:
    own = protocols(4, 2.0, 1.0)[name]
    assert own.for_ever == pytest.approx(2)
    assert own.first == pytest.approx(1 if own.one < 1 else 2)
    assert (own.any_histories == inf) == (own.one == 1)


def test_published_totals_are_passed_by_histories_that_change_when_they_like() -> None:
    for own in (loloha(2, 2.0, 1.0), staged("lgrr", 2, 1.5, 0.75)):
        assert own.any_histories > own.answers * own.for_ever
