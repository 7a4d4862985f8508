"""The PLDP study: which trials there are, the bars, and the page."""

from collections import Counter
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from papers.exhibit import number
from papers.page import summary, write
from papers.pldp.printed import CAR, TABLE2
from papers.pldp.study import (
    BUDGETS,
    DRAWN,
    FIRST_SEED,
    S1,
    S2,
    SETTING1,
    SETTING2,
    SETTING3,
    Pldp,
    times,
)
from papers.pldp.trial import APART, KNOWN, OURS, WAYS, Setting, Way, available
from papers.study import Effort, Findings, Measurement, measure
from tests.papers.crowds import made_up

USED_FOR_TUNING = {1, *range(41, 49), *range(100, 113), *range(500, 521), *range(600, 621)} | {
    *range(700, 713),
    *range(3000, 3025),
}
SMALL = Pldp({"Abalone": 2, "Car": 2}, figures=False)
WHOLE = Pldp(dict.fromkeys(("Adult", "Abalone", "Bank", "Car"), 2))


class Trial(NamedTuple):
    dataset: str
    setting: Setting
    seed: int
    ways: tuple[Way, ...]


def trials(effort: Effort) -> list[Trial]:
    steps = Pldp.of(effort).steps(dict.fromkeys(("Adult", "Abalone", "Bank", "Car")))
    listed = []
    for step in steps:
        assert isinstance(step.run, partial)
        if not step.alone:
            dataset, _, setting, seed, ways = step.run.args
            listed.append(Trial(dataset.name, setting, seed, ways))
    return listed


def findings(study: Pldp = SMALL, factor: float = 0.1) -> Findings:
    """Return findings in which ours is this part of the printed figure."""
    measured: list[Measurement] = []
    for name in study.seeds:
        for setting in (S1, S2):
            for k, printed in enumerate(TABLE2[name, setting.name], 1):
                for off in (0.99, 1.01):
                    ours = factor * off * printed
                    for way, value in ((OURS, ours), (KNOWN, ours / 1.2), (APART, ours)):
                        measured.append(((name, setting.name, way, k), value))
        for setting in (SETTING1, SETTING2, *SETTING3) if study.figures else ():
            for way in DRAWN:
                measured += [((name, setting.name, way, k), 0.1 * k) for k in range(1, 5)]
        measured += [(("seconds", name, budget), 0.1) for budget in BUDGETS]
    measured += [(("seconds", way, k), 0.1**k) for way in DRAWN for k in range(1, 5)]
    return Findings(measured)


def test_every_method_is_tried_and_what_bars_are_about_most_often() -> None:
    listed = [
        trial for trial in trials(Effort()) if (trial.dataset, trial.setting) == ("Adult", S1)
    ]
    times = Counter(way for trial in listed for way in trial.ways)
    assert set(times) == set(available(WAYS))
    assert [times[way] for way in (OURS, KNOWN, APART)] == [10, 10, 10]
    assert min(times.values()) >= 1


def test_no_seed_was_used_for_tuning() -> None:
    seeds = {trial.seed for trial in trials(Effort(50))}
    assert min(seeds) == FIRST_SEED
    assert not seeds & USED_FOR_TUNING


def test_quick_leaves_out_the_large_data_sets_and_the_slow_methods() -> None:
    listed = trials(Effort(quick=True))
    assert {trial.dataset for trial in listed} == {"Abalone", "Car"}
    assert not {way.method for trial in listed for way in trial.ways} & {"lasso", "em-lopub"}
    assert not any(trial.setting == SETTING1 for trial in listed)


def test_the_third_setting_is_only_on_adult() -> None:
    third = [trial for trial in trials(Effort()) if trial.setting.name.startswith("Setting#3")]
    assert {trial.dataset for trial in third} == {"Adult"}
    assert {trial.setting.average for trial in third} == {1.0, 2.0, 3.0, 4.0}


def test_everything_in_scope_is_measured() -> None:
    study = Pldp({"Car": 1}, others=1, papers=0, figures=False)
    steps = study.steps({"Car": made_up(CAR, 100)})
    assert [step.title for step in steps] == ["Car, S#1", "Car, S#2"] * 2
    found = measure(steps, workers=1)
    assert len(found.runs("Car", "S#1", OURS, 5)) == 1
    assert len(found.runs("Car", "S#2", KNOWN, 5)) == 1


def test_times_are_measured_at_every_budget() -> None:
    found = Findings(times(CAR, made_up(CAR, 100)))
    assert all(found.mean("seconds", "Car", budget) > 0 for budget in BUDGETS)


def test_all_bars_are_checked() -> None:
    found = list(SMALL.checks(findings()))
    counts = Counter(one.rule for one in found)
    assert list(counts.values()) == [20, 20, 16]
    assert all(one.met for one in found)
    ratios = {one.rule: one.value for one in found}
    assert list(ratios.values()) == pytest.approx([0.1, 1.0, 1.2])
    bad = summary(list(SMALL.checks(findings(factor=0.5))))
    assert "Ours over the printed figure, Abalone, S#1, k = 1: 0.500 ± 0.005 ≤ 0.12: missed" in bad


def test_the_page_prints_bars_and_the_papers_figures(tmp_path: Path) -> None:
    text = write(SMALL, findings(), tmp_path).read_text(encoding="utf-8")
    assert "56 of 56 bars are met." in text
    assert "missed" not in text
    assert "0.100 ± 0.001 ≤ 0.12: met" in text
    assert "| PLDP, printed | 0.36 | 0.36 | 0.42 | 0.53 | 0.53 |" in text
    assert "Figure 5" not in text
    first = (tmp_path / "pldp-table-2.svg").read_bytes()
    write(SMALL, findings(), tmp_path)
    assert (tmp_path / "pldp-table-2.svg").read_bytes() == first  # the same findings and bytes


def test_distances_that_are_not_known_are_dashes() -> None:
    assert number(float("nan")) == "–"
    assert number(0.12345) == "0.123"


def test_the_page_and_its_figures_are_written(tmp_path: Path) -> None:
    path = write(WHOLE, findings(WHOLE), tmp_path / "results")
    text = path.read_text(encoding="utf-8")
    figures = sorted(file.name for file in path.parent.glob("*.svg"))
    assert figures == [
        f"pldp-{name}.svg" for name in ("figure-5", "figure-6", "figure-7", "table-2")
    ]
    for name in figures:
        assert f"]({name})" in text
    assert "{" not in text
