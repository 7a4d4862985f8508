"""Frequencies: perturbing, counting and estimating beside NumPy and the peers, and how ours grows.

Imports nothing large, since on Linux the peak of a child begins with that of its parent.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.cells import EPSILON, FULL, MENU, OURS, PEERS, PLAIN, SIZES, ZIPF
from benchmarks.claim import Claim, Curve, Section, tell
from benchmarks.results import Result, Results
from benchmarks.run import measure, peers

NUMPY, PEER = "NumPy", "peer"  # the peer that is faster at the step
STEPS = {"client": "perturb", "count": "count", "server": "count and estimate"}
WIDE = (128, 1024)
MOST_MB, MOST_MLE_SECONDS = 1000, 10
SLOPES = (0.9, 1.1)
CURVED = ("mle errors",)  # a dense covariance: the square of the values, by its nature
UNIT = "µs a report"


@dataclass(frozen=True, slots=True)
class Bar:
    """At a step of these mechanisms and sizes, the rival takes at least so many times as long."""

    step: str
    mechanisms: tuple[str, ...]
    sizes: tuple[int, ...]
    rival: str
    least: float


BARS = (
    Bar("client", ("oue",), WIDE, NUMPY, 3),
    Bar("client", ("oue",), WIDE, PEER, 20),
    Bar("count", ("oue",), WIDE, NUMPY, 5),
    Bar("count", ("oue",), WIDE, PEER, 10),
    Bar("client", ("grr",), SIZES, NUMPY, 1),
    Bar("client", ("grr", "subset"), SIZES, PEER, 10),
    Bar("count", ("grr", "subset"), SIZES, PEER, 10),
    Bar("server", ("grr", "subset"), SIZES, PEER, 10),
)


def least(step: str, mechanism: str, size: int, rival: str) -> float | None:
    """Return the bar of a comparison, if there is one."""
    for bar in BARS:
        meant = mechanism in bar.mechanisms and size in bar.sizes
        if meant and (bar.step, bar.rival) == (step, rival):
            return bar.least
    return None


def claims(results: Results) -> Iterator[Claim]:
    """Yield each step beside NumPy and beside the fastest peer, then memory."""
    for step, what in STEPS.items():
        for (mechanism, size), row in results.compared().items():
            ours, title = row[OURS].microseconds(step), f"{what}, {mechanism}, {size} values"
            if PLAIN in row:
                theirs, bar = row[PLAIN].microseconds(step), least(step, mechanism, size, NUMPY)
                yield Claim(title, ours, NUMPY, theirs, bar, UNIT)
            bar, peers = least(step, mechanism, size, PEER), [row[p] for p in PEERS if p in row]
            if peers:
                peer = min(peers, key=lambda each: each.microseconds(step))
                yield Claim(title, ours, named(peer, row), peer.microseconds(step), bar, UNIT)
            elif bar:
                yield Claim(title, ours, PEER, None, bar, UNIT)
    yield from _alone(results)


def _alone(results: Results) -> Iterator[Claim]:
    """Yield what stands beside an allowance, or beside nothing."""
    for (mechanism, size), row in results.compared().items():
        title = f"{mechanism}, {size} values"
        yield Claim(f"simulate, {title}", row[OURS].microseconds("simulate"), unit=UNIT)
        peers = [row[peer] for peer in PEERS if peer in row]
        if peers:
            peer = min(peers, key=lambda each: each.peak_mb)
            what, name = f"peak memory, {title}", named(peer, row)
            yield Claim(what, row[OURS].peak_mb, name, peer.peak_mb, unit="MB")
    for task in ("simulate", "mle"):
        for found in results.done(task):
            title = f"{task}, OUE, {found.cell.size} values, {found.cell.owners:,} owners"
            if task == "mle":
                what = f"{title}, with standard errors"
                yield Claim.up_to(MOST_MLE_SECONDS, what, found.seconds[task])
            yield Claim.up_to(MOST_MB, f"peak memory, {title}", found.peak_mb, "MB")


def named(peer: Result, row: dict[str, Result]) -> str:
    """Return who it is, and of how many owners, if fewer than ours, the time is scaled."""
    fewer = peer.cell.owners < row[OURS].cell.owners
    return f"{peer.cell.who}, {peer.cell.owners:,} owners" if fewer else peer.cell.who


def curves(results: Results) -> Iterator[Curve]:
    """Yield how each step grows with owners and with values."""
    for task, along in {"owners": "owners", "codes": "values"}.items():
        for step, points in results.lines(task).items():
            yield Curve(step, along, points, None if step in CURVED else SLOPES)


def failures(results: Results) -> str:
    """Say what could not be measured."""
    lines = [f"{r.cell.who}, {r.cell.mechanism}: {r.failed}" for r in results.failures]
    return f" Not measured: {'; '.join(lines)}." if lines else ""


def section(results: Results, versions: str) -> Section:
    """Return the section about time and memory, beside peers of these versions."""
    levels = f"{len(MENU)} levels from {MENU[0] / 1000:g} to {MENU[-1] / 1000:g}"
    about = (
        f"A million owners, each process on one thread; those who are compared take turns, and the"
        f" best of {FULL.rounds} rounds counts. Values follow Zipf's law with exponent {ZIPF}. Each"
        f" of our owners has a budget of her own ({levels}), and we count by level and value, from"
        " the table of reports to the aggregate. Everybody else's owners have epsilon"
        f" {EPSILON:g}; NumPy holds it in an array with an entry for each owner, and works in"
        " blocks. The peers take one owner a call, since they have no other call, and count and"
        " estimate in one. Our estimate comes with intervals and a test whether the levels agree;"
        " no other comes with an error. Of the peers the faster one stands here. `mle errors` is"
        " what standard errors cost whoever asks for them: a dense covariance from all reports."
        f" Peers: {versions}."
    )
    whole = [*claims(results)]
    return Section("Frequencies", about + failures(results), whole, [*curves(results)])


if __name__ == "__main__":
    tell(section(Results.of(measure(FULL)), peers()))
