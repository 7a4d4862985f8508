"""Runs of minutes: whether intervals by group hold what they promise, and tests their size."""

from itertools import combinations

import numpy as np
import pytest

import discretion as ds
from tests.unit.groups.crowds import GROUPS, ROWS, SHARES, crowd, plan_of, true_means

RUNS, OWNERS, SEED = 400, 20_000, 7_000
LOW, HIGH = 0.93, 0.97
SIZE = (0.03, 0.08)  # of the tests at 5 %, on average


def held(intervals: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Return which intervals hold the truth, but for those of what is not learnt."""
    low, high = np.moveaxis(intervals, -1, 0)
    return ((low <= truth) & (truth <= high))[~np.isnan(low)]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::discretion.errors.DependenceWarning")  # one run in a thousand
def test_intervals_by_group_hold_the_truth_as_often_as_they_say() -> None:
    plan, means = plan_of(), true_means()
    cells = SHARES[:, None] * ROWS
    columns = cells / cells.sum(axis=0)
    pairs = list(combinations(range(len(GROUPS)), 2))
    found: dict[str, list[np.ndarray]] = {}

    def add(what: str, intervals: np.ndarray, truth: np.ndarray) -> None:
        found.setdefault(what, []).append(held(intervals, truth))

    for seed in range(SEED, SEED + RUNS):
        reports = crowd(plan, OWNERS, seed)
        table = ds.frequencies(reports, "travel", by="work")
        add("shares of groups", table.shares.interval(), SHARES)
        add("row per cents", table.interval(), ROWS)
        add("column per cents", table.columns.interval(), columns)
        add("total per cents", table.total.interval(), cells)
        pay = ds.mean(reports, "pay", by="work")
        add("means", pay.interval(), means)
        for i, j in pairs:
            names = GROUPS[i], GROUPS[j]
            add("differences", table.difference(*names).interval(), ROWS[i] - ROWS[j])
            add("ratios", table.ratio(*names).interval(), ROWS[i] / ROWS[j])
            add("of means", pay.difference(*names).interval(), means[i : i + 1] - means[j])
            add("ratios of means", pay.ratio(*names).interval(), means[i : i + 1] / means[j])
    coverage = {what: float(np.concatenate(own).mean()) for what, own in found.items()}
    print(f"\nseeds {SEED} to {SEED + RUNS - 1}:", {k: round(v, 4) for k, v in coverage.items()})
    assert all(LOW <= share <= HIGH for share in coverage.values()), coverage


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::discretion.errors.DependenceWarning")  # one run in a thousand
def test_groups_that_answer_alike_are_rarely_found_to_differ() -> None:
    plan, same = plan_of("subset", "subset"), np.tile(ROWS[0], (len(GROUPS), 1))
    rejected = []
    for seed in range(SEED + RUNS, SEED + 2 * RUNS):
        table = ds.frequencies(crowd(plan, OWNERS, seed, same), "travel", by="work")
        own = [table.pvalue, table.difference("a", "e").pvalue, table.difference("d", "e").pvalue]
        rejected.append(np.array(own) < 0.05)
    shares = np.mean(rejected, axis=0)
    print(f"\nseeds {SEED + RUNS} to {SEED + 2 * RUNS - 1}: all, a and e, d and e: {shares}")
    assert SIZE[0] <= shares.mean() <= SIZE[1]
