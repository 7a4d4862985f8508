"""The gate: ``make bench-quick`` fails where a kernel has become slower than it was.

It measures the small lines of ``benchmarks.limits``, each the median of five turns, and compares
their ratios with those in recorded.json. Ratios hardly depend on the machine; seconds do.
``python -m benchmarks.gate --record`` writes the file anew, after a change that is meant: of three
goes the lowest ratio of each line, so that noise alone does not fail.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.limits import QUICK, measured
from discretion.kernel.cache import warm

RECORD = Path(__file__).with_name("recorded.json")
WORSE = 0.5  # of the time that a line took: more than that is a failure
GOES = 3  # of which a record is made

Ratios = Mapping[str, float]  # by line: how many times as fast as the limit


def failures(recorded: Ratios, found: Ratios) -> Iterator[str]:
    """Yield what is wrong: a line that has become slower, was not measured, or is not recorded."""
    for what, before in recorded.items():
        now = found.get(what)
        if now is None:
            yield f"{what}: recorded, but not measured"
        elif before / now > 1 + WORSE:
            yield f"{what}: takes {before / now - 1:.0%} longer ({now:.3g}, was {before:.3g})"
    for what in found.keys() - recorded.keys():
        yield f"{what}: measured, but not recorded"


def worst(goes: Sequence[Ratios]) -> dict[str, float]:
    """Return the lowest ratio of each line."""
    return {what: round(min(go[what] for go in goes), 3) for what in goes[0]}


def ratios() -> dict[str, float]:
    """Measure all lines, and tell whoever waits."""
    found = {}
    for claim in measured(QUICK):
        assert claim.ratio is not None
        found[claim.what] = claim.ratio
        print(f"{claim.ratio:8.3f} of {claim.beside}: {claim.what}", flush=True)
    return found


def main() -> None:
    """Compare with the record, or write it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gate")
    parser.add_argument("--record", action="store_true", help="take what is found as the record")
    record = parser.parse_args().record
    warm()
    if record:
        lowest = worst([ratios() for _ in range(GOES)])
        RECORD.write_text(json.dumps(lowest, indent=1) + "\n", encoding="utf-8")
        return
    wrong = list(failures(json.loads(RECORD.read_text(encoding="utf-8")), ratios()))
    if wrong:
        sys.exit("Slower than recorded:\n" + "\n".join(f"- {line}" for line in wrong))
    print("No ratio is more than half worse than recorded.")


if __name__ == "__main__":
    main()
