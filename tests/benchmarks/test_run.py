"""The go: what takes turns, what is kept of the rounds, and that the runner stays small."""

import subprocess
import sys

import pytest

from benchmarks.cells import FULL, OURS, PEERS, PLAIN, Cell
from benchmarks.measure import ENOUGH, MOST_REPEATS, Seconds, repeated, zipf
from benchmarks.run import better, in_turns

CELL = Cell(PLAIN, "compare", "grr", 4, 100)


def test_every_comparison_has_ours_numpy_and_the_peers_that_know_the_mechanism() -> None:
    groups = [group for group in FULL.groups if group[0].task == "compare"]
    assert groups
    for group in groups:
        mechanism = group[0].mechanism
        known = [peer for peer, mechanisms in PEERS.items() if mechanism in mechanisms]
        assert [cell.who for cell in group] == [OURS, PLAIN, *known]
        assert len({(cell.mechanism, cell.size) for cell in group}) == 1


def test_no_cell_stands_in_a_course_twice() -> None:
    cells = [cell for group in FULL.groups for cell in group]
    assert len(set(cells)) == len(cells)


def test_cells_take_turns() -> None:
    other = Cell(OURS, "compare", "grr", 4, 100)
    assert list(in_turns((CELL, other), 2)) == [CELL, other, CELL, other]


def test_the_best_of_each_step_and_the_larger_peak_are_kept() -> None:
    one = {"seconds": {"client": 1.0, "server": 4.0}, "peak_mb": 10.0, "rmse": 0.1}
    other = {"seconds": {"client": 2.0, "server": 3.0}, "peak_mb": 12.0, "rmse": 0.1}
    best = {"seconds": {"client": 1.0, "server": 3.0}, "peak_mb": 12.0, "rmse": 0.1}
    assert better(one, other) == better(other, one) == best


def test_a_failure_in_any_round_is_a_failure() -> None:
    one = {"seconds": {"client": 1.0}, "peak_mb": 10.0}
    assert better(one, {"failed": "no"}) == better({"failed": "no"}, one) == {"failed": "no"}


@pytest.mark.parametrize("seconds, times", [(ENOUGH / 100, MOST_REPEATS), (ENOUGH, 1)])
def test_what_is_cheap_is_repeated_and_the_best_is_kept(seconds: float, times: int) -> None:
    spent: list[float] = []

    def once() -> tuple[Seconds, None]:
        spent.append(seconds / (1 + len(spent)))
        return {"client": spent[-1]}, None

    measured = repeated(once, zipf(CELL), CELL.size)
    assert len(spent) == times
    assert measured.seconds == {"client": min(spent)}
    assert 0 < measured.base_mb <= measured.peak_mb


@pytest.mark.parametrize("parent", ["report", "speed", "oracles"])
def test_who_starts_others_imports_nothing_large(parent: str, pytestconfig: pytest.Config) -> None:
    """On Linux the peak of a process begins with that of its parent."""
    large = "{'numpy', 'pyarrow', 'matplotlib', 'discretion'}"
    command = f"import sys, benchmarks.{parent}; sys.exit(bool({large} & sys.modules.keys()))"
    subprocess.run([sys.executable, "-c", command], check=True, cwd=pytestconfig.rootpath)
