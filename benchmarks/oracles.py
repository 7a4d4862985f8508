"""Frequency oracles: ``python -m benchmarks.oracles`` writes a section of docs/results.md.

Local hashing counted for a million owners and 1,024 values, Hadamard reports decoded, and every
client, beside the peers and plain NumPy, as in ``benchmarks.run``.
"""

import json
import sys
import time
from pathlib import Path

from benchmarks.bars import judged
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
from benchmarks.machine import machine
from benchmarks.results import Result, Results
from benchmarks.run import PEERS_PYTHON, ROOT, measure, python
from benchmarks.tables import NOTHING, markdown, number

SIZE = 1024
FEWER = 100_000  # owners, where a report is long
NAMES = {OURS: "ours", PLAIN: "NumPy", PURE: PURE, FAST: FAST, MULTI: MULTI}
RESPONSES = (2, 128)  # values of plain randomised response
LONG = ("sue", "the", "oue", "subset")  # a bit for each value
SHORT = ("blh", "hadamard", "grr")
UNPLAIN = ("the", "blh", "hadamard")  # which NumPy does not do here
EXACT, VECTORS, VARIANT, DECODING, CLIENT = 300.0, 6.0, 1.0, 1.0, 10.0  # the bars
RESULTS = Path(__file__).with_name("oracles.json")


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


def local_hashing(row: dict[str, Result]) -> str:
    """Return who counts local hashing how fast, and the bars."""
    took = {who: result.microseconds("count") for who, result in row.items()}
    exact = min(took[who] for who in (PURE, MULTI) if who in took)
    bars = {
        PLAIN: (took.get(PLAIN), VECTORS),
        FAST: (took.get(FAST), VARIANT),
        PURE if took.get(PURE) == exact else MULTI: (exact, EXACT),
    }
    rows = []
    for who, result in row.items():
        times, bar = took[who] / took[OURS], bars.get(who)
        met = judged(f"≥ {bar[1]:g}", times >= bar[1]) if bar else ""
        rows.append([NAMES[who], f"{result.cell.owners:,}", number(took[who]), number(times), met])
    return markdown(["OLH", "owners", "µs a report", "times ours", "bar"], rows)


def decoding(row: dict[str, Result], own: Result) -> str:
    """Return who counts Hadamard reports how fast."""
    row = {**row, OURS: own}
    ours = own.microseconds("count")
    steps = [("ours, by level", OURS, "count"), ("NumPy, by level", PLAIN, "count")]
    steps += [("NumPy, one budget for all", PLAIN, "pooled"), (PURE, PURE, "count")]
    rows = []
    for name, who, step in steps:
        if who in row:
            took = row[who].microseconds(step)
            barred = (who, step) == (PLAIN, "count")
            met = judged(f"≥ {DECODING:g}", took >= DECODING * ours) if barred else ""
            rows.append([name, number(took), number(took / ours), met])
    return markdown(["Hadamard", "µs a report", "times ours", "bar"], rows)


def clients(rows: dict[tuple[str, int], dict[str, Result]]) -> str:
    """Return who perturbs how fast, by mechanism."""
    shown = []
    for (mechanism, size), row in rows.items():
        if size != SIZE:
            continue
        took = {who: result.microseconds("client") for who, result in row.items()}
        theirs = [took[who] for who in PEERS if who in took]
        times = min(theirs) / took[OURS] if theirs else None
        cells = [number(took[who]) if who in took else NOTHING for who in NAMES]
        met = judged(f"≥ {CLIENT:g}", times >= CLIENT) if times is not None else ""
        shown.append([mechanism, *cells, NOTHING if times is None else number(times), met])
    return markdown(["µs a report", *NAMES.values(), "peer / ours", "bar"], shown)


def response(results: Results) -> str:
    """Return who draws one randomised response how fast, and how many times our device that is."""
    rows = results.compared()
    exact = {result.cell.size: result.microseconds("client") for result in results.done("device")}
    took = {"ours, a device": exact}
    names = {
        OURS: "ours, a crowd",
        **{who: NAMES[who] for who in (PLAIN, PURE, MULTI)},
        OPENDP: OPENDP,
    }
    for who, name in names.items():
        known = {size: rows["grr", size] for size in RESPONSES}
        took[name] = {
            size: row[who].microseconds("client") for size, row in known.items() if who in row
        }
    shown = [
        [name, *(number(each[k]) if k in each else NOTHING for k in RESPONSES)]
        + [number(each[k] / exact[k]) if k in each else NOTHING for k in RESPONSES]
        for name, each in took.items()
    ]
    heads = [f"µs, {size} values" for size in RESPONSES]
    heads += [f"times our device, {size}" for size in RESPONSES]
    return markdown(["`grr`, a report", *heads], shown)


def section(results: Results) -> str:
    """Return the section of the page."""
    rows = results.compared()
    on, how = results.machine, results.settings
    text = (
        f"Made by `python -m benchmarks.oracles` on {on['date']}: {on['cpu']}, {on['cores']} cores,"
        f" Python {on['python']}; load {how['load']:.1f} when it began. {SIZE:,} values by Zipf's"
        " law; ours with 24 levels from 0.25 to 6 and counted by level, everybody else with epsilon"
        f" 1. One thread; the best of {how['rounds']} rounds in which all take turns. Slow ones"
        " have fewer owners, and are scaled by report. The peers count and estimate in one call."
        " pure-ldp's fast variant has 1,000 functions for everybody, whose table is not timed, and"
        " an error that does not vanish. Its Hadamard response stands beside our `hrr`. Of `the`"
        " the peers' clients send the noise itself."
    )
    hadamard = decoding(rows["hrr", SIZE], *results.done("decode"))
    alone = (
        "One randomised response at a time, but for the crowd and NumPy, which draw many at once."
        " OpenDP draws exactly and from the system's generator, as our device does; the others use"
        " seeded ones. OpenDP counts no categories, so there is nothing else to compare."
    )
    clients_of = [clients(rows), alone, response(results)]
    parts = [text, local_hashing(rows["olh", SIZE]), hadamard, *clients_of]
    failed = [f"- {r.cell.who}, {r.cell.mechanism}: {r.failed}" for r in results.failures]
    return "\n\n".join([*parts, *(["Not measured:\n\n" + "\n".join(failed)] if failed else [])])


def main() -> None:
    """Measure, write the JSON, and write the section."""
    from os import getloadavg

    from experiments.page import write_section

    if not (ROOT / PEERS_PYTHON).exists():
        sys.exit("The peers have no environment yet; make bench-quick sets it up.")
    load, start = getloadavg()[0], time.perf_counter()
    versions = {who: json.loads(python(who, "benchmarks.machine")) for who in (OURS, "peers")}
    cells = measure(COURSE)
    minutes = round((time.perf_counter() - start) / 60, 1)
    settings = {"threads": 1, "rounds": COURSE.rounds, "minutes": minutes, "load": load}
    document = {"machine": machine(), "versions": versions, "settings": settings, "cells": cells}
    RESULTS.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    write_section("Frequency oracles: speed", section(Results.read(RESULTS)))


if __name__ == "__main__":
    main()
