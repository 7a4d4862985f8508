"""The experiment: which trials there are, and that they can run side by side."""

from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from papers.dataset import CAR
from papers.pldp import (
    FIRST_SEED,
    S1,
    SETTING1,
    Findings,
    Scope,
    Task,
    measure,
    seconds_by_budget,
    tasks,
    trials,
)
from papers.trial import APART, KNOWN, OURS, WAYS, available
from tests.papers.crowds import made_up

USED_FOR_TUNING = {1, *range(41, 49), *range(100, 113), *range(500, 521), *range(600, 621)} | {
    *range(700, 713),
    *range(3000, 3025),
}


def test_every_method_is_tried_and_what_bars_are_about_most_often() -> None:
    listed = tasks(Scope.of(None, quick=False))
    times = Counter(
        way
        for task in listed
        for way in task.ways
        if (task.dataset.name, task.setting) == ("Adult", S1)
    )
    assert set(times) == set(available(WAYS))
    assert [times[way] for way in (OURS, KNOWN, APART)] == [10, 10, 10]
    assert min(times.values()) >= 1


def test_no_seed_was_used_for_tuning() -> None:
    seeds = {task.seed for task in tasks(Scope.of(50, quick=False))}
    assert min(seeds) == FIRST_SEED
    assert not seeds & USED_FOR_TUNING


def test_quick_leaves_out_the_large_data_sets_and_the_slow_methods() -> None:
    listed = tasks(Scope.of(None, quick=True))
    assert {task.dataset.name for task in listed} == {"Abalone", "Car"}
    assert not {way.method for task in listed for way in task.ways} & {"lasso", "em-lopub"}
    assert not any(task.setting == SETTING1 for task in listed)


def test_the_third_setting_is_only_on_adult() -> None:
    listed = tasks(Scope.of(None, quick=False))
    third = [task for task in listed if task.setting.name.startswith("Setting#3")]
    assert {task.dataset.name for task in third} == {"Adult"}
    assert {task.setting.average for task in third} == {1.0, 2.0, 3.0, 4.0}


def test_everything_in_scope_is_measured_and_watched() -> None:
    seen: list[str] = []

    def watch(steps: Sequence[str]) -> Iterator[str]:
        for step in steps:
            seen.append(step)
            yield step

    scope = Scope({"Car": 1}, others=1, papers=0, figures=False)
    found = measure(scope, {"Car": made_up(CAR, 300)}, watch, workers=1)
    assert seen == ["Car, S#1", "Car, S#2"] * 2
    assert found.of("Car", "S#1", OURS).shape == (1, 5)
    assert found.of("Car", "S#2", KNOWN).shape == (1, 5)


@pytest.mark.slow
def test_processes_find_what_one_finds() -> None:
    records = {"Car": made_up(CAR, 200)}
    listed = [Task(CAR, S1, seed, (APART,)) for seed in (1, 2)]
    scope = Scope({"Car": 2})
    alone, together = (Findings(scope, tuple(trials(listed, records, w))) for w in (1, 2))
    assert (alone.of("Car", "S#1", APART) == together.of("Car", "S#1", APART)).all()


def test_times_are_measured_at_every_budget() -> None:
    times = seconds_by_budget(CAR, made_up(CAR, 100))
    assert len(times) == 6
    assert min(times) > 0
