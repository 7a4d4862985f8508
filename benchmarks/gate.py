"""The gate: ``make bench-quick`` fails where a kernel has become slower than it was.

It measures the small lines of ``benchmarks.limits``, each the median of five turns, and compares
their ratios with those in recorded.json. Ratios hardly depend on the machine; seconds do.
``python -m benchmarks.gate --record`` writes the file anew, after a change that is meant.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.limits import QUICK, measured
from discretion.kernel.cache import warm

RECORD = Path(__file__).with_name("recorded.json")
WORSE = 0.5  # of the time that a line took: more than that is a failure

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
    found = ratios()
    if record:
        rounded = {what: round(ratio, 3) for what, ratio in found.items()}
        RECORD.write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")
        return
    wrong = list(failures(json.loads(RECORD.read_text(encoding="utf-8")), found))
    if wrong:
        sys.exit("Slower than recorded:\n" + "\n".join(f"- {line}" for line in wrong))
    print("No ratio is more than half worse than recorded.")


if __name__ == "__main__":
    main()
