"""From the JSON of a go to the page: ``python -m benchmarks.render [--print FILE]``.

It writes the sections "Speed" and "Scaling" of docs/results.md, or prints the tables of a file.
"""

import argparse
from pathlib import Path

from benchmarks import tables
from benchmarks.cells import EPSILON, MENU, ZIPF
from benchmarks.figures import growth
from benchmarks.results import Results
from experiments.page import PAGE, write_section

RESULTS = Path(__file__).with_name("results.json")
FIGURES = {"owners": "scaling-n.svg", "codes": "scaling-k.svg"}


def speed(results: Results) -> str:
    """Return the section about time and memory."""
    parts = {
        "Perturbing, µs per report": tables.step(results, "client"),
        "Counting, µs per report": tables.step(results, "count"),
        "Counting and estimating, µs per report": tables.step(results, "server"),
        "From records to a table of reports, µs per report": tables.simulation(results),
        "A large simulation, and the mle (OUE)": tables.large(results),
        "Peak memory, MB": tables.memory(results),
    }
    titled = [f"### {title}\n\n{table}" for title, table in parts.items()]
    return "\n\n".join([machine(results), terms(results), *titled, *failures(results)])


def scaling(results: Results) -> str:
    """Return the section about growth."""
    text = (
        "Made by `make bench`: OUE, every owner with a budget of her own, on logarithmic axes. A"
        " slope of 1 means that twice as many take twice as long. `mle` is the estimate of the"
        " frequencies with the test whether levels agree; `mle errors` is what its standard errors"
        " cost whoever asks for them: a dense covariance from all reports, which has no bar."
    )
    figures = [f"![Seconds as the {x} grow](figures/{name})" for x, name in FIGURES.items()]
    return "\n\n".join([text, *figures, tables.slopes(results)])


def machine(results: Results) -> str:
    """Say on what and how it was measured."""
    on, how = results.machine, results.settings
    found = {n: v for environment in results.versions.values() for n, v in environment.items()}
    packages = ", ".join(f"{name} {version}" for name, version in sorted(found.items()))
    return (
        f"Made by `make bench` on {on['date']}: {on['cpu']}, {on['cores']} cores, {on['system']},"
        f" Python {on['python']}; {packages}. Everybody runs on {how['threads']} thread, in a"
        f" process for each cell; those who are compared take turns, and the best of"
        f" {how['rounds']} rounds counts. Times depend on the machine, ratios less so."
    )


def terms(results: Results) -> str:
    """Say who is compared on what terms."""
    levels = f"{len(MENU)} levels from {MENU[0] / 1000:g} to {MENU[-1] / 1000:g}"
    text = (
        f"Values follow Zipf's law with exponent {ZIPF}. Each of our owners has a budget of her"
        f" own ({levels}), and we count by level and code, from the table of reports to the"
        f" aggregate. Everybody else's owners have epsilon {EPSILON:g}; plain NumPy holds it in an"
        " array with an entry for each owner, and works in blocks. The peers take one owner a call,"
        " since they have no other call, and count and estimate in one. Our estimate comes with"
        " intervals and a test whether the levels agree; no other comes with an error."
        " `peer / ours` says how many times as long the peer takes that is faster at the step."
    )
    crowds = [f"{owners:,}" for owners in tables.smaller_crowds(results)]
    mark = f" A star marks times of {' or '.join(crowds)} owners, scaled by report."
    return text + (mark if crowds else "")


def failures(results: Results) -> list[str]:
    """Say what could not be measured."""
    lines = [
        f"- {r.cell.who}, {r.cell.task}, {r.cell.mechanism}, {r.cell.size} codes: {r.failed}"
        for r in results.failures
    ]
    return ["### Not measured", "\n".join(lines)] if lines else []


def write(results: Results, page: Path = PAGE) -> None:
    """Write the two sections of the page, and the figures beside it."""
    for along, name in FIGURES.items():
        growth(results.lines(along), along, page.parent / "figures" / name)
    write_section("Speed", speed(results), page)
    write_section("Scaling", scaling(results), page)


def main() -> None:
    """Write the page from the full course, or print the tables of another file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.render")
    parser.add_argument("--print", dest="other", type=Path, help="print this file's tables")
    other: Path | None = parser.parse_args().other
    if other is None:
        write(Results.read(RESULTS))
    else:
        results = Results.read(other)
        print(f"{speed(results)}\n\n### Growth\n\n{tables.slopes(results)}")


if __name__ == "__main__":
    main()
