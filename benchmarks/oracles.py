"""Frequency oracles: local hashing and Hadamard reports counted, and every client.

A million owners and 1,024 values, beside the peers and plain NumPy, as in ``benchmarks.speed``.
"""

from collections.abc import Iterator

from benchmarks.cells import (
    FAST,
    HEAVY,
    MILLION,
    MULTI,
    OPENDP,
    OURS,
    PEERS,
    PLAIN,
    PURE,
    Cell,
    Course,
    Group,
)
from benchmarks.claim import Claim, Section, tell
from benchmarks.results import Result, Results
from benchmarks.run import measure, peers
from benchmarks.speed import NUMPY, UNIT, failures, named

SIZE = 1024
FEWER = 100_000  # owners, where a report is long
RESPONSES = (2, 128)  # values of plain randomised response
LONG = ("sue", "the", "oue", "subset")  # a bit for each value
SHORT = ("blh", "hadamard", "grr")
UNPLAIN = ("the", "blh", "hadamard")  # which NumPy does not do here
EXACT, VECTORS, VARIANT, DECODING, CLIENT = 300.0, 6.0, 1.0, 1.0, 10.0  # the bars


def group(mechanism: str, owners: int, plain: int) -> Group:
    """Return ours, plain NumPy and the peers on one mechanism; who is slow has fewer owners."""
    cells = [Cell(OURS, "compare", mechanism, SIZE, owners)]
    if mechanism not in UNPLAIN:
        cells.append(Cell(PLAIN, "compare", mechanism, SIZE, plain))
    for who, known in PEERS.items():
        if mechanism in known:
            most = HEAVY.get((who, mechanism, SIZE), owners)
            cells.append(Cell(who, "compare", mechanism, SIZE, min(owners, most)))
    return tuple(cells)


def responses(size: int) -> Group:
    """Return all who have randomised response, OpenDP too; ours also as a device draws it."""
    who = [OURS, PLAIN, *(who for who, known in PEERS.items() if "grr" in known), OPENDP]
    owners = {each: HEAVY.get((each, "grr", size), FEWER) for each in who}
    cells = (Cell(each, "compare", "grr", size, n) for each, n in owners.items())
    return (*cells, Cell(OURS, "device", "grr", size, FEWER))


COURSE = Course(
    rounds=2,
    groups=(
        group("olh", MILLION, 100_000),
        (*group("hrr", MILLION, MILLION), Cell(OURS, "decode", "hrr", SIZE, MILLION)),
        *(group(mechanism, FEWER, FEWER) for mechanism in (*SHORT, *LONG)),
        *map(responses, RESPONSES),
    ),
)


def local_hashing(row: dict[str, Result]) -> Iterator[Claim]:
    """Yield who counts local hashing how fast; of the exact peers the faster one has the bar."""
    took = {who: result.microseconds("count") for who, result in row.items()}
    exact = min((who for who in (PURE, MULTI) if who in took), key=lambda who: took[who])
    bars = {PLAIN: VECTORS, FAST: VARIANT, exact: EXACT}
    for who, result in row.items():
        if who != OURS:
            name = NUMPY if who == PLAIN else named(result, row)
            yield Claim("count, olh", took[OURS], name, took[who], bars.get(who), UNIT)


def decoding(row: dict[str, Result], own: Result) -> Iterator[Claim]:
    """Yield who counts Hadamard reports how fast."""
    ours = own.microseconds("count")
    plain, pooled = (row[PLAIN].microseconds(step) for step in ("count", "pooled"))
    yield Claim("count, hrr", ours, "NumPy, by level", plain, DECODING, UNIT)
    yield Claim("count, hrr", ours, "NumPy, one budget for all", pooled, None, UNIT)
    if PURE in row:
        yield Claim("count, hrr", ours, PURE, row[PURE].microseconds("count"), None, UNIT)


def clients(rows: dict[tuple[str, int], dict[str, Result]]) -> Iterator[Claim]:
    """Yield who perturbs how fast, by mechanism: NumPy, and the fastest peer."""
    for (mechanism, size), row in rows.items():
        what = f"perturb, {mechanism}" + ("" if size == SIZE else f", {size} values")
        ours = row[OURS].microseconds("client")
        if PLAIN in row:
            yield Claim(what, ours, NUMPY, row[PLAIN].microseconds("client"), None, UNIT)
        peers = [row[who] for who in PEERS if who in row]
        if peers:
            peer = min(peers, key=lambda each: each.microseconds("client"))
            theirs = peer.microseconds("client")
            yield Claim(what, ours, named(peer, row), theirs, CLIENT, UNIT)


def one_by_one(results: Results) -> Iterator[Claim]:
    """Yield who draws one randomised response how fast, beside our device."""
    rows = results.compared()
    for own in results.done("device"):
        size, ours = own.cell.size, own.microseconds("client")
        for who, result in rows["grr", size].items():
            if who not in (OURS, PLAIN):
                what = f"perturb, a device, grr, {size} values"
                yield Claim(what, ours, who, result.microseconds("client"), None, UNIT)


def section(results: Results, versions: str) -> Section:
    """Return the section, beside peers of these versions."""
    about = (
        f"{SIZE:,} values by Zipf's law; ours with 24 levels from 0.25 to 6 and counted by level,"
        f" everybody else with epsilon 1. One thread; the best of {COURSE.rounds} rounds in which"
        " all take turns. Slow ones have fewer owners, and are scaled by report. The peers count"
        " and estimate in one call. pure-ldp's fast variant has 1,000 functions for everybody,"
        " whose table is not timed, and an error that does not vanish. Its Hadamard response stands"
        " beside our `hrr`. Of `the` the peers' clients send the noise itself. OpenDP draws exactly"
        " and from the system's generator, as our device does, and counts no categories; the others"
        f" use seeded ones. Peers: {versions}."
    )
    rows = results.compared()
    hadamard = decoding(rows["hrr", SIZE], *results.done("decode"))
    hashed = local_hashing(rows["olh", SIZE])
    whole = [*hashed, *hadamard, *clients(rows), *one_by_one(results)]
    return Section("Frequency oracles", about + failures(results), whole)


if __name__ == "__main__":
    tell(section(Results.of(measure(COURSE)), peers()))
