"""How a course is run: what takes turns, in which environment, and what is kept of the rounds.

Each cell runs in a process of its own, one after the other, on one thread. The cells of a group
take turns, round by round, and the best of each step is kept. This program imports nothing large,
since on Linux the peak of a child begins with that of its parent.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.cells import MULTI, OURS, PLAIN, PURE, Cell, Course, Group

ROOT = Path(__file__).parents[1]
PEERS_PYTHON = Path(".venv-peers/bin/python")
MODULES: Mapping[str, str] = {OURS: "benchmarks.ours", PLAIN: "benchmarks.plain"}
THREADS = ("OMP", "OPENBLAS", "MKL", "NUMBA")
PATIENCE = 600  # seconds after which a cell is given up

Answer = dict[str, Any]  # the fields of measure.Measured, or what failed


def measure(course: Course) -> list[Answer]:
    """Return every cell of the course with what was measured."""
    if not (ROOT / PEERS_PYTHON).exists():
        sys.exit("The peers have no environment yet; make bench sets it up.")
    results: list[Answer] = []
    for group in course.groups:
        best: dict[Cell, Answer] = {}
        for cell in in_turns(group, course.rounds):
            answer = ask(cell)
            best[cell] = better(best[cell], answer) if cell in best else answer
            progress(cell, answer)
        results += [{**asdict(cell), **answer} for cell, answer in best.items()]
    return results


def in_turns(group: Group, rounds: int) -> Iterator[Cell]:
    """Yield the cells of a group, each once a round."""
    for _ in range(rounds):
        yield from group


def better(one: Answer, other: Answer) -> Answer:
    """Return the best of each step and the larger peak; a failure in any round is a failure."""
    if "failed" in one or "failed" in other:
        return one if "failed" in one else other
    seconds = {step: min(s, other["seconds"][step]) for step, s in one["seconds"].items()}
    return {**one, "seconds": seconds, "peak_mb": max(one["peak_mb"], other["peak_mb"])}


def ask(cell: Cell) -> Answer:
    """Measure one cell in a fresh process; what goes wrong there is an answer too."""
    try:
        answer: Answer = json.loads(
            python(cell.who, MODULES.get(cell.who, "benchmarks.peers"), cell)
        )
    except subprocess.TimeoutExpired:
        return {"failed": f"not done after {PATIENCE} seconds"}
    except subprocess.CalledProcessError as error:
        said = str(error.stderr).strip().splitlines()
        return {"failed": said[-1] if said else f"ended with status {error.returncode}"}
    return answer


def python(who: str, module: str, cell: Cell | None = None) -> str:
    """Return the last line that a module prints in the environment of whoever is measured."""
    program = sys.executable if who in MODULES else str(PEERS_PYTHON)
    single = {f"{library}_NUM_THREADS": "1" for library in THREADS}
    done = subprocess.run(
        [program, "-m", module],
        input=json.dumps(asdict(cell)) if cell else "",
        env={**os.environ, **single},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    return done.stdout.splitlines()[-1]


def peers() -> str:
    """Return the versions of the peers."""
    found = json.loads(python("peers", "benchmarks.machine"))
    return ", ".join(f"{name} {found[name]}" for name in (PURE, MULTI))


def progress(cell: Cell, answer: Answer) -> None:
    """Tell whoever waits what has just been done."""
    what = answer.get("failed") or ", ".join(
        f"{step} {seconds / cell.owners * 1e6:.3g} µs"
        for step, seconds in answer["seconds"].items()
    )
    where = f"{cell.who} {cell.task} {cell.mechanism} k={cell.size} n={cell.owners:,}"
    print(f"{where}: {what}", file=sys.stderr, flush=True)
