"""The PENA study: its incomes, budgets, errors to expect, bars and page."""

from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from papers.page import summary, write
from papers.pena.checks import BOUND, COVER, GAIN, STAY
from papers.pena.crowd import Reports, bias, expected, pooled
from papers.pena.incomes import EARNINGS, MADE, Incomes, made
from papers.pena.setting import (
    AXES,
    LDP_PRINTED,
    LIKELY,
    LINES,
    NAIVE,
    OWN_RANGES,
    PENA_MENDED,
    PENA_PRINTED,
    POOLED,
    TWO_POINTS,
    WAYS,
    WINDOW,
    Menu,
    Point,
    Way,
    drawn,
    weighing,
)
from papers.pena.study import Pena
from papers.study import Effort, Findings, Measurement

OWNERS, MANY, RUNS = 4_000, 20_000, 40
NEAR = 0.45  # of a mean square over 40 runs: two standard errors, 2 sqrt(2 / 40)


@pytest.fixture(scope="module")
def incomes() -> Incomes:
    return made(OWNERS, seed=3)


STUDY = Pena(runs=2, extremes=1, pooled=1, rows=MANY)


@pytest.fixture(scope="module")
def measured() -> list[Measurement]:
    earnings = pa.table({EARNINGS.attributes[0]: made(MANY, seed=4).values})
    steps = STUDY.steps({EARNINGS.name: earnings})
    return [each for step in steps for each in step.run()]


@pytest.fixture(scope="module")
def findings(measured: list[Measurement]) -> Findings:
    return Findings(measured)


def test_made_incomes_are_skewed_heaped_and_the_same_again(incomes: Incomes) -> None:
    again = made(OWNERS, seed=3)
    assert (again.values == incomes.values).all()
    assert (made(OWNERS, seed=4).values != incomes.values).any()
    assert incomes.values.min() == 0
    assert 0.003 < np.mean(incomes.values == 0) < 0.02
    assert incomes.mean > 1.3 * np.median(incomes.values)
    assert np.mean(incomes.values % 1000 == 0) > 0.7
    assert incomes.largest <= 1_000_000


def test_a_quantile_is_the_first_number_that_reaches_its_level() -> None:
    column = Incomes("x", np.array([5.0, 1.0, 3.0, 3.0]))
    assert [column.quantile(level) for level in (0.01, 0.25, 0.26, 0.75, 0.76)] == [1, 1, 3, 3, 5]


@pytest.mark.parametrize("epsilon", [*AXES[2].places, 0.5, 2.0])
def test_budgets_are_uniform_and_rounded_down_to_the_menu(epsilon: float) -> None:
    menu = Menu.up_to(epsilon)
    assert menu.levels[0] == 1
    assert menu.levels[-1] == 1000 * epsilon
    assert sum(menu.chances) == pytest.approx(1)
    below = np.cumsum(menu.chances)[:-1] * 1000 * epsilon  # up to a level: less than the next
    np.testing.assert_allclose(below, menu.levels[1:], atol=1e-9)


def test_drawn_budgets_follow_the_menu() -> None:
    menu = Menu((100, 300, 400), (0.5, 0.2, 0.3))
    drawn = Counter(menu.draw(10_000, np.random.default_rng(1)).tolist())
    assert drawn.keys() == {0.1, 0.3, 0.4}
    assert drawn[0.3] == pytest.approx(2_000, abs=200)  # five standard deviations


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_crowds_have_the_error_to_expect(way: Way, incomes: Incomes) -> None:
    """Seeds are fixed, budgets unequal."""
    menu, top = Menu.apart(), 1.2 * incomes.largest
    runs = [Reports(incomes, menu, top, 0.5, seed).answer(way) for seed in range(RUNS)]
    off = bias(incomes, top) if way.method == "pena" else 0.0
    found = np.array([run.error for run in runs]) - off
    known = expected(incomes, menu, top, 0.5, way) ** 2 - off**2
    assert np.mean(found**2) == pytest.approx(known, rel=NEAR)


def test_the_printed_average_is_twice_the_mean_less_the_range(incomes: Incomes) -> None:
    reports = Reports(incomes, Menu.apart(), incomes.largest, 1.0, 5)
    printed, plain = (reports.answer(way).error for way in (PENA_PRINTED, PENA_MENDED))
    assert printed == pytest.approx(2 * plain + bias(incomes, incomes.largest))


def test_the_printed_minimum_depends_on_budgets_alone(incomes: Incomes) -> None:
    other = Incomes("other", incomes.values / 2)
    found = {
        Reports(each, Menu.apart(), incomes.largest, 1.0, 5).printed_minimum(LDP_PRINTED)
        for each in (incomes, other)
    }
    assert len(found) == 1


def test_reports_are_shared_by_ways_of_one_mechanism(incomes: Incomes) -> None:
    reports = Reports(incomes, Menu.apart(), incomes.largest, 0.5, 5)
    assert reports.of(PENA_PRINTED) is reports.of(TWO_POINTS)
    assert reports.of(LDP_PRINTED) is not reports.of(TWO_POINTS)
    assert reports.of(WINDOW) is not reports.of(TWO_POINTS)


def test_pooling_over_ranges_misses_what_was_cut_off() -> None:
    """Everybody is at the top; a third of them may say so, the others half or a quarter of it."""
    top = Incomes("top", np.full(20_000, 1000.0))
    found = pooled(top, Menu.apart(), 1000.0, 5)
    assert found[NAIVE].error == pytest.approx((1 + 1 / 2 + 1 / 4) / 3 - 1, abs=0.06)
    assert abs(found[LIKELY[1]].error) < 0.02
    assert found[LIKELY[1]].covered


def test_everything_is_measured_with_seeds_of_its_own(measured: list[Measurement]) -> None:
    found = Findings(measured)
    for name in (EARNINGS.name, MADE):
        points = drawn(name)
        assert len(set(points)) == 5 + 6 + 5
        assert all(("level", point) in found for point in (*points, weighing(name, MANY)))
        assert all(len(found.runs("error", p, way)) == 2 for p in points for way in LINES)
        assert all(
            ("error", name, epsilon, way) in found for epsilon in OWN_RANGES for way in POOLED
        )
    errors = [value for (kind, *_), value in measured if kind == "error"]
    assert len(set(errors)) == len(errors)


def test_a_large_table_has_few_runs_and_a_part_of_it_shows_weights() -> None:
    study = Pena.of(Effort())
    assert (study.times(50_000), study.times(3_000_000)) == (100, 5)
    assert weighing("x", 50_000).share == 1
    assert weighing("x", 3_000_000).share == pytest.approx(0.1)
    quick = Pena.of(Effort(quick=True))
    assert (quick.runs, quick.rows) == (5, 100_000)


def test_weights_gain_at_least_five_and_both_ways_are_checked(findings: Findings) -> None:
    found = [one for one in STUDY.checks(findings) if (one.rule, one.at) == (GAIN, MADE)]
    exact = [one for one in found if one.about.endswith("exact")]
    assert (len(found), len(exact)) == (4, 2)
    assert all(one.value > 10 and one.met for one in exact)


def test_bars_notice_intervals_that_miss_and_bounds_that_do_not_hold(
    measured: list[Measurement],
) -> None:
    wrong = {"covered": 0.0, "holds": 0.0, "above": 1.0}
    bad = list(STUDY.checks(Findings((key, wrong.get(str(key[0]), v)) for key, v in measured)))
    found = [one for one in bad if one.at == MADE and one.rule in (COVER, BOUND)]
    assert len(found) == 2 + 2 * 2  # two ways, two kinds of budgets, all bounds and those above 0
    assert not any(one.met for one in found)
    assert f"- {COVER}, ours, two points, made incomes: 0.000 in" in summary(bad)


def test_bars_notice_a_bias_that_goes_away(measured: list[Measurement]) -> None:
    gone = ("error", Point(MADE, share=1.0), LDP_PRINTED)
    found = Findings((key, 0.0 if key == gone else value) for key, value in measured)
    bad = [one for one in STUDY.checks(found) if one.rule == STAY and not one.met]
    assert [one.about for one in bad] == ["LDP, as printed, 100 % take part"]


def test_the_page_and_its_figures_are_written(findings: Findings, tmp_path: Path) -> None:
    path = write(STUDY, findings, tmp_path / "results")
    text = path.read_text(encoding="utf-8")
    figures = sorted(file.name for file in path.parent.glob("*.svg"))
    assert figures == [*(f"pena-figure-{i}.svg" for i in (2, 3, 4)), "pena-own-ranges.svg"]
    for name in figures:
        assert f"]({name})" in text
    assert "nan" not in text
    assert "{" not in text
