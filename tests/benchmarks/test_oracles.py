"""The section about frequency oracles: who is measured, ratios, and bars met and missed."""

import pytest

from benchmarks.cells import FAST, MULTI, OPENDP, OURS, PEERS, PLAIN, PURE, Cell
from benchmarks.oracles import COURSE, SIZE, section
from benchmarks.results import Result, Results
from discretion.mechanism import MECHANISMS

N = 1_000


def result(who: str, mechanism: str, task: str = "compare", **microseconds: float) -> Result:
    seconds = {step: each * N / 1e6 for step, each in microseconds.items()}
    return Result(Cell(who, task, mechanism, SIZE, N), seconds, 100.0, 200.0, None)


@pytest.fixture
def results() -> Results:
    every = [
        result(OURS, "olh", client=0.1, count=1.0, server=1.1),
        result(PLAIN, "olh", client=0.2, count=5.0),
        result(PURE, "olh", client=4.0, server=700.0),
        result(MULTI, "olh", client=0.9, server=800.0),
        result(FAST, "olh", client=5.0, server=1.5),
        result(OURS, "hrr", client=0.1, count=0.009, server=0.01),
        result(OURS, "hrr", "decode", count=0.003),
        result(PLAIN, "hrr", client=0.2, count=0.0045, pooled=0.0015),
        result(PURE, "hrr", client=12.0, server=0.3),
        *(
            Result(Cell(who, task, "grr", size, N), {"client": each * N / 1e6}, 0, 0, None)
            for size in (2, 128)
            for who, task, each in (
                (OURS, "compare", 0.005),
                (OURS, "device", 2.0),
                (PURE, "compare", 0.5),
                (OPENDP, "compare", 200.0 + size),
            )
        ),
        Result(Cell(MULTI, "compare", "the", SIZE, N), {}, 0, 0, "MemoryError"),
    ]
    on = {"date": "2026-11-16", "cpu": "Abacus 2000", "cores": 2, "python": "3.11.7"}
    return Results(on, {}, {"rounds": 2, "load": 0.5}, every)


def test_local_hashing_is_held_against_three_bars(results: Results) -> None:
    text = section(results)
    assert "| ours | 1,000 | 1 | 1 |  |" in text
    assert "| NumPy | 1,000 | 5 | 5 | **≥ 6: missed** |" in text
    assert "| pure-ldp | 1,000 | 700 | 700 | ≥ 300: met |" in text
    assert "| multi-freq-ldpy | 1,000 | 800 | 800 |  |" in text  # the faster of both is the bar
    assert "| pure-ldp, fast | 1,000 | 1.5 | 1.5 | ≥ 1: met |" in text


def test_decoding_is_held_against_the_same_work(results: Results) -> None:
    text = section(results)
    assert "| ours, by level | 0.003 | 1 |  |" in text
    assert "| NumPy, by level | 0.0045 | 1.5 | ≥ 1: met |" in text
    assert "| NumPy, one budget for all | 0.0015 | 0.5 |  |" in text


def test_clients_are_held_against_the_fastest_peer(results: Results) -> None:
    text = section(results)
    assert "| olh | 0.1 | 0.2 | 4 | 5 | 0.9 | 9 | **≥ 10: missed** |" in text
    assert "| hrr | 0.1 | 0.2 | 12 | – | – | 120 | ≥ 10: met |" in text
    assert "- multi-freq-ldpy, the: MemoryError" in text


def test_randomised_response_is_held_against_our_device(results: Results) -> None:
    text = section(results)
    assert "| ours, a device | 2 | 2 | 1 | 1 |" in text
    assert "| ours, a crowd | 0.005 | 0.005 | 0.0025 | 0.0025 |" in text
    assert "| opendp | 202 | 328 | 101 | 164 |" in text
    assert "| multi-freq-ldpy | – | – | – | – |" in text
    assert "| grr | " not in text  # of 1,024 values there is none here


def test_every_mechanism_and_every_peer_that_has_it_is_measured() -> None:
    cells = {(cell.who, cell.mechanism) for group in COURSE.groups for cell in group}
    names = [name for name in MECHANISMS if name != "shist"]  # which is hrr
    assert {name for who, name in cells if who == OURS} == set(names)
    assert {(who, name) for who, known in PEERS.items() for name in known} <= cells
