"""Frequency oracles: who is measured, ratios, and bars met and missed."""

import pytest

from benchmarks.cells import FAST, MULTI, OPENDP, OURS, PEERS, PLAIN, PURE, Cell
from benchmarks.claim import Claim
from benchmarks.oracles import COURSE, SIZE, section
from benchmarks.results import Result, Results
from discretion.mechanism import MECHANISMS

N = 1_000


def result(who: str, mechanism: str, task: str = "compare", **microseconds: float) -> Result:
    seconds = {step: each * N / 1e6 for step, each in microseconds.items()}
    return Result(Cell(who, task, mechanism, SIZE, N), seconds, 100.0, 200.0, None)


@pytest.fixture
def claims() -> list[Claim]:
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
    found = section(Results(every), "pure-ldp 1")
    assert found.about.endswith(
        "Peers: pure-ldp 1. Not measured: multi-freq-ldpy, the: MemoryError."
    )
    return list(found.claims)


def about(claims: list[Claim], what: str) -> dict[str, tuple[float | None, bool | None]]:
    return {
        c.beside: (None if c.ratio is None else round(c.ratio, 3), c.met)
        for c in claims
        if c.what == what
    }


def test_local_hashing_is_held_against_three_bars(claims: list[Claim]) -> None:
    assert about(claims, "count, olh") == {
        "NumPy": (5, False),
        "pure-ldp": (700, True),
        "multi-freq-ldpy": (800, None),  # the faster of both has the bar
        "pure-ldp, fast": (1.5, True),
    }


def test_decoding_is_held_against_the_same_work(claims: list[Claim]) -> None:
    assert about(claims, "count, hrr") == {
        "NumPy, by level": (1.5, True),
        "NumPy, one budget for all": (0.5, None),
        "pure-ldp": (100, None),
    }


def test_clients_are_held_against_the_fastest_peer(claims: list[Claim]) -> None:
    assert about(claims, "perturb, olh") == {"NumPy": (2, None), "multi-freq-ldpy": (9, False)}
    assert about(claims, "perturb, hrr") == {"NumPy": (2, None), "pure-ldp": (120, True)}


def test_randomised_response_is_held_against_our_device(claims: list[Claim]) -> None:
    assert about(claims, "perturb, grr, 2 values") == {"pure-ldp": (100, True)}
    for size, times in ((2, 101), (128, 164)):
        found = about(claims, f"perturb, a device, grr, {size} values")
        assert found == {"pure-ldp": (0.25, None), "opendp": (times, None)}


def test_every_mechanism_and_every_peer_that_has_it_is_measured() -> None:
    cells = {(cell.who, cell.mechanism) for group in COURSE.groups for cell in group}
    names = [name for name in MECHANISMS if name != "shist"]  # which is hrr
    assert {name for who, name in cells if who == OURS} == set(names)
    assert {(who, name) for who, known in PEERS.items() for name in known} <= cells
