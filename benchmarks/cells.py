"""What is measured, as data: who does what, about how many codes, for how many owners.

Standard library only, since the runner and the peers' environment read this too.
"""

from collections.abc import Mapping
from dataclasses import dataclass

OURS, PLAIN, PURE, MULTI = "discretion", "numpy", "pure-ldp", "multi-freq-ldpy"
FAST = "pure-ldp, fast"  # its local hashing with a thousand functions for everybody
OPENDP = "opendp"  # which perturbs, by randomised response, and leaves counting to others
PEERS: Mapping[str, tuple[str, ...]] = {
    PURE: ("grr", "oue", "sue", "the", "blh", "olh", "hrr"),
    MULTI: ("grr", "oue", "sue", "the", "blh", "olh", "subset"),
    FAST: ("olh",),
}

MECHANISMS = ("grr", "oue", "subset")
SIZES = (16, 128, 1024)
MILLION = 1_000_000
MENU = tuple(range(250, 6001, 250))  # thousandths of epsilon: every one of our owners has her own
EPSILON = 1.0  # the one budget of everybody else's owners
ZIPF = 1.1
TIMES = 40  # that what takes milliseconds is done
VALUES, BUDGETS, NOISE = 20261115, 20261116, 20261117  # seeds: one stream each, or they correlate

# Where a peer would take over a minute or many gigabytes for a million owners.
HEAVY: Mapping[tuple[str, str, int], int] = {
    **{(who, mechanism, 1024): 3_000 for who in (PURE, MULTI) for mechanism in ("blh", "olh")},
    **{(who, mechanism, 1024): 10_000 for who in (PURE, MULTI) for mechanism in ("sue", "the")},
    (MULTI, "oue", 1024): 100_000,
    (MULTI, "subset", 1024): 100_000,
    **{(OPENDP, "grr", size): 10_000 for size in (2, 128)},
}


@dataclass(frozen=True, slots=True)
class Cell:
    """One measurement, made in a process of its own.

    Task ``compare``: perturb, count and estimate. ``owners`` and ``codes``: simulate, count,
    maximise the likelihood, and work out its standard errors, as they grow. ``simulate`` and
    ``mle``: that alone, for its memory; the mle with its standard errors. ``decode``: count,
    many times. ``device``: perturb exactly, one owner after the other.
    """

    who: str
    task: str
    mechanism: str
    size: int
    owners: int


Group = tuple[Cell, ...]  # its cells take turns, so that noise hits all of them alike


@dataclass(frozen=True, slots=True)
class Course:
    """One go: every group is measured this many rounds, and the best of each cell is kept."""

    rounds: int
    groups: tuple[Group, ...]


def compare(mechanism: str, size: int, owners: int, peer_owners: int) -> Group:
    """Return ours, plain NumPy and each peer that has the mechanism, on the same task."""
    mine = [Cell(who, "compare", mechanism, size, owners) for who in (OURS, PLAIN)]
    theirs = [
        Cell(who, "compare", mechanism, size, min(peer_owners, HEAVY.get(key, MILLION)))
        for who, known in PEERS.items()
        if mechanism in known and (key := (who, mechanism, size))
    ]
    return (*mine, *theirs)


def grow_owners(*owners: int) -> Group:
    """Return our crowds of these many owners, with 128 codes."""
    return tuple(Cell(OURS, "owners", "oue", 128, n) for n in owners)


def grow_codes(owners: int, *sizes: int) -> Group:
    """Return our crowds with these many codes; the mle is offered up to 2e8 codes times owners."""
    return tuple(Cell(OURS, "codes", "oue", k, owners) for k in sizes)


FULL = Course(
    rounds=3,
    groups=(
        *(compare(m, k, MILLION, MILLION) for m in MECHANISMS for k in SIZES),
        (Cell(OURS, "simulate", "oue", 1024, MILLION), Cell(OURS, "mle", "oue", 128, MILLION)),
        grow_owners(10_000, 30_000, 100_000, 300_000, MILLION),
        grow_codes(100_000, 16, 32, 64, 128, 256, 512, 1024),
    ),
)
