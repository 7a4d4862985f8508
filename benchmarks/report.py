"""The one report: ``make bench``, or ``python -m benchmarks.report NAME ...`` for some of it.

Every benchmark runs in a process of its own, one after the other, and tells its section; all of
them are kept in results.json, from which docs/benchmarks.md is written. This program imports
nothing large before it has measured, since on Linux the peak of a child begins with that of its
parent.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.machine import machine, versions

RESULTS = Path(__file__).with_name("results.json")
NAMES = (
    "limits",
    "speed",
    "oracles",
    "attributes",
    "joint",
    "numbers",
    "publication",
    "collector",
    "scale",
)


def measured(name: str) -> dict[str, Any]:
    """Run a benchmark, matrix products on one thread, and return its section."""
    print(f"{name} ...", file=sys.stderr, flush=True)
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{name}"],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return {
        **json.loads(done.stdout.splitlines()[-1]),
        "machine": {**machine(), "versions": versions()},
    }


def main() -> None:
    """Measure what is asked for, keep it, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.report")
    parser.add_argument("names", nargs="*", default=NAMES, metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--render", action="store_true", help="measure nothing, write the page")
    given = parser.parse_args()
    found = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    for name in () if given.render else given.names:
        found[name] = measured(name)
        ordered = {name: found[name] for name in NAMES if name in found}
        RESULTS.write_text(json.dumps(ordered, indent=1) + "\n", encoding="utf-8")
    from benchmarks.page import write

    write(json.loads(RESULTS.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
