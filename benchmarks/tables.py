"""The tables of the page: rows from results, with every bar that was set, met or missed."""

from collections.abc import Iterable, Iterator, Sequence

from benchmarks.bars import MOST_MB, MOST_MLE_SECONDS, NUMPY, PEER, judged, straight, verdict
from benchmarks.cells import MULTI, OURS, PEERS, PLAIN, PURE
from benchmarks.results import Result, Results, slope

EVERYBODY = {OURS: "ours", PLAIN: "NumPy", PURE: PURE, MULTI: MULTI}
NOTHING = "–"
LARGE = {"simulate": "simulate", "mle": "mle, with standard errors"}


def markdown(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """Write a table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def number(value: float) -> str:
    """Write three digits, and no exponent."""
    return f"{value:,.0f}" if value >= 100 else f"{float(f'{value:.3g}'):.6g}"


def step(results: Results, name: str) -> str:
    """Return the time of a step for each report, and how many times as long the rivals take."""
    head = ["mechanism", "codes", *EVERYBODY.values(), "NumPy / ours", "peer / ours", "bar"]
    rows = []
    for (mechanism, size), row in results.compared().items():
        took = {who: result.microseconds(name) for who, result in row.items()}
        times = {}
        if PLAIN in took:
            times[NUMPY] = took[PLAIN] / took[OURS]
        if theirs := [took[who] for who in PEERS if who in took]:
            times[PEER] = min(theirs) / took[OURS]
        shown = [
            _marked(number(took[who]), row, who) if who in row else NOTHING for who in EVERYBODY
        ]
        ratios = [number(times[rival]) if rival in times else NOTHING for rival in (NUMPY, PEER)]
        rows.append([mechanism, size, *shown, *ratios, verdict(name, mechanism, size, times)])
    return markdown(head, rows)


def simulation(results: Results) -> str:
    """Return the time from records to a table of reports, for each report, by size."""
    compared = results.compared()
    sizes = sorted({size for _, size in compared})
    rows = []
    for mechanism in dict.fromkeys(mechanism for mechanism, _ in compared):
        ours = [compared.get((mechanism, size), {}).get(OURS) for size in sizes]
        rows.append(
            [mechanism, *(number(r.microseconds("simulate")) if r else NOTHING for r in ours)]
        )
    return markdown(["mechanism", *(f"{size} codes" for size in sizes)], rows)


def memory(results: Results) -> str:
    """Return the peak of each process, and in brackets what it held before it began."""
    rows = []
    for (mechanism, size), row in results.compared().items():
        shown = [
            _marked(f"{row[who].peak_mb:,.0f} ({row[who].base_mb:,.0f})", row, who)
            if who in row
            else NOTHING
            for who in EVERYBODY
        ]
        rows.append([mechanism, size, *shown])
    return markdown(["mechanism", "codes", *EVERYBODY.values()], rows)


def large(results: Results) -> str:
    """Return the seconds and the peak of a simulation and of the mle, on their own."""
    rows = []
    for task in LARGE:
        for result in results.done(task):
            cell, seconds = result.cell, result.seconds[task]
            bars = [judged(f"< {MOST_MB:,} MB", result.peak_mb < MOST_MB)]
            if task == "mle":
                bars.append(judged(f"< {MOST_MLE_SECONDS} s", seconds < MOST_MLE_SECONDS))
            peak = f"{result.peak_mb:,.0f}"
            rows.append(
                [LARGE[task], f"{cell.owners:,}", cell.size, number(seconds), peak, "; ".join(bars)]
            )
    return markdown(["what", "owners", "codes", "seconds", "peak MB", "bar"], rows)


def slopes(results: Results) -> str:
    """Return how fast the time of each step grows."""
    rows = []
    for along in ("owners", "codes"):
        for name, points in results.lines(along).items():
            ends = f"{along}, {points[0][0]:,} to {points[-1][0]:,}"
            value = slope(points)
            rows.append([name, ends, f"{value:.2f}", straight(name, value)])
    return markdown(["step", "as these grow", "slope", "bar"], rows)


def smaller_crowds(results: Results) -> Iterator[int]:
    """Yield the numbers of owners that get a mark, from the smallest up."""
    rows = results.compared().values()
    yield from sorted({r.cell.owners for row in rows for r in row.values() if _is_smaller(r, row)})


def _marked(text: str, row: dict[str, Result], who: str) -> str:
    return f"{text}*" if _is_smaller(row[who], row) else text


def _is_smaller(result: Result, row: dict[str, Result]) -> bool:
    return result.cell.owners < row[OURS].cell.owners
