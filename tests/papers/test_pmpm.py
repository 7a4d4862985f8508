"""The PMPM study: its surveys, every way's errors, the bars, and the page."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from papers.page import summary, write
from papers.pmpm.county import COUNTIES, Survey, surveys
from papers.pmpm.means import Setting, Way, expected, plan_of, simulated
from papers.pmpm.study import (
    BARRED,
    BUDGETS,
    DESIGNED,
    DIMENSIONS,
    RATIOS,
    TAUS,
    Pmpm,
    Point,
    average_error,
    most_personal,
)
from papers.study import Findings, Measurement, measure
from tests.cases import for_each

OWNERS, CROWDS = 400, 40


def counties(seed: int, count: int = 5) -> pa.Table:
    rng = np.random.default_rng(seed)
    return pa.table({f"c{j}": rng.beta(1, 1 + 2 * j, OWNERS) for j in range(count)})


def survey() -> Survey:
    return surveys({"one": counties(1), "other": counties(2)})[0]


def test_surveys_are_the_complete_columns_on_their_own_range() -> None:
    table = pa.table({"a": [2.0, 4.0, 3.0], "b": [1.0, None, 2.0]})
    later = pa.table({"a2": [0.0, 1.0, 4.0], "b2": [5.0, 7.0, 6.0]})
    one, other = surveys({"one": table, "other": later})
    assert one.records.to_pydict() == {"a": [-1, 1, 0]}
    assert one.pilot.to_pydict() == {"a": [-1, -0.5, 1]}
    assert other.attributes == ("a2", "b2")
    assert other.pilot["b2"].to_numpy() == pytest.approx([-1, np.nan, 1], nan_ok=True)
    assert other.first(1).attributes == ("a2",)


def test_both_files_have_the_same_columns_in_the_same_order() -> None:
    one, other = (dataset.attributes for dataset in COUNTIES)
    assert len(one) == 34
    assert [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]] == [
        ("Citizen", "VotingAgeCitizen")
    ]


@for_each("way", Way)
def test_every_way_is_a_plan_with_its_contract(way: Way) -> None:
    plan = plan_of(Setting(survey(), 10.0), way, 1.5)
    assert plan.contract is way.contract
    assert plan.policy.allowance(1) == 10_000
    drawn = {Way.PMPM: 2, Way.ALIKE: 2, Way.MPM: 4, Way.HARMONY: 1, Way.DUCHI: 1}
    assert plan.sample == drawn.get(way, plan.sample)


@pytest.mark.slow
@pytest.mark.parametrize("way", [way for way in Way if way is not Way.PRINTED])
def test_crowds_have_the_error_to_expect(way: Way) -> None:
    """Seeds are fixed; 40 runs of five means have a relative standard error of about 0.1."""
    setting = Setting(survey(), 8.0)
    found = list(simulated(setting, way, 1.5, range(CROWDS)))
    for each in found[0]:
        errors = [errors[each] for errors in found]
        assert np.mean(errors) == pytest.approx(expected(setting, each, 1.5), rel=0.4), each


def test_what_is_printed_is_too_large_by_the_numbers_over_those_drawn() -> None:
    setting = Setting(survey(), 8.0)
    (errors,) = simulated(setting, Way.PMPM, 1.125, [3])
    assert errors[Way.PRINTED] == pytest.approx((2.5 - 1) ** 2 * np.mean(setting.truth**2), rel=0.1)


def test_weights_and_the_better_window_gain_more_the_more_personal_budgets_are() -> None:
    setting = Setting(survey(), 8.0)
    ratios = [expected(setting, Way.ALIKE, t) / expected(setting, Way.PMPM, t) for t in TAUS]
    assert ratios == sorted(ratios, reverse=True)
    assert max(ratios) < 1


def test_figure_3_has_its_least_error_at_0_28() -> None:
    assert RATIOS[average_error(RATIOS, 1 / 3, 1 / 3).argmin()] == pytest.approx(0.28, abs=0.005)


def test_levels_are_as_personal_as_tau_lets_them_be() -> None:
    low, high = most_personal(8, 1.5, 2)
    assert (low, high) == pytest.approx((8 / 3, 16 / 3))


@pytest.fixture(autouse=True)
def two_files(monkeypatch: pytest.MonkeyPatch) -> None:
    files = tuple(replace(COUNTIES[0], name=name) for name in ("one", "other"))
    monkeypatch.setattr("papers.pmpm.study.COUNTIES", files)


def test_everything_in_scope_is_measured() -> None:
    study = Pmpm(2, (8.0,), TAUS[:1], figures=False)
    steps = study.steps({"one": counties(1), "other": counties(2)})
    found = measure(steps, workers=1)
    for name in ("one", "other"):
        for way in Way:
            point = Point(name, 5, 8.0, way, TAUS[0] if way.personal else 0.0)
            assert ("expected", point) in found
            assert (("error", point) in found) == (way not in (Way.ALIKE, Way.EVENLY))
        assert all(found.text("design", name, 8.0, way) for way in DESIGNED)
    assert len(list(study.checks(found))) == 12
    again = measure(steps, workers=1)
    point = Point("one", 5, 8.0, Way.RECORD, 0.0)
    assert again.runs("error", point).tolist() == found.runs("error", point).tolist()


STUDY = Pmpm(2)


def findings(ours: float = 1e-4, theirs: float = 4e-4, simulated: float = 1.0) -> Findings:
    """Return findings in which all of ours err so much, and all others so much.

    Simulated errors of ours are so many times those to expect.
    """
    measured: list[Measurement] = [(("square",), 0.6), (("spread",), 0.04)]
    for name, own in (("one", 3), ("other", 4)):
        measured.append((("numbers", name), own))
        measured += [(("design", name, b, way), "draw 1: pm") for b in BUDGETS for way in DESIGNED]
        for count, budgets in [(own, BUDGETS), *((d, (10.0,)) for d in DIMENSIONS)]:
            for budget in budgets:
                for way in Way:
                    for tau in TAUS if way.personal else (0.0,):
                        point = Point(name, count, budget, way, tau)
                        value = ours if way.ours else theirs
                        measured.append((("expected", point), value))
                        if budget in BARRED and count == own:
                            seen = value * (simulated if way.ours else 1.0)
                            measured += [(("error", point), off * seen) for off in (0.9, 1.1)]
    return Findings(measured)


def test_bars_are_about_both_contracts_and_every_budget() -> None:
    found = list(STUDY.checks(findings()))
    assert len(found) == 2 * 2 * 4 * (1 + 1 + 2)
    assert {(one.about.split(" over ")[0], one.high) for one in found} == {
        ("ours, record contract", 0.5),
        ("ours, attribute contract", 1.0),
    }
    assert all(one.met for one in found)
    assert found[0].value == pytest.approx(0.25)
    assert found[0].stderr == pytest.approx(0.25 * 0.1 * np.sqrt(2))
    assert summary(found) == "64 of 64 bars are met."


def test_a_bar_must_be_met_by_what_is_expected_and_by_what_is_simulated() -> None:
    off, near = findings(simulated=2.1), findings(2.1e-4, simulated=0.5)
    for found, kind in ((off, "simulated"), (near, "expected")):
        missed = {one.rule for one in STUDY.checks(found) if not one.met}
        assert missed == {f"Squared errors, {kind}"}


def test_the_page_and_its_figures_are_written(tmp_path: Path) -> None:
    path = write(STUDY, findings(), tmp_path / "results")
    text = path.read_text(encoding="utf-8")
    figures = sorted(file.name for file in path.parent.glob("*.svg"))
    assert len(figures) == 5
    for name in figures:
        assert f"]({name})" in text
    assert "0.250 ± 0.035 ≤ 0.5: met" in text
    assert "| ours, record contract | record | 1 (1 ± 0.1) |" in text
    assert "missed" not in text
    assert "{" not in text
