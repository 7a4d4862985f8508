"""A lower bound of epsilon from samples: what they prove, whatever made them.

If an event has probability p for one input and q for another, then epsilon is at least log(p / q).
Intervals bound p from below and q from above. The event was chosen on other samples, so only one is
judged, and the confidence is what it says.
"""

from dataclasses import dataclass

import numpy as np

from discretion.auditing.events import best_event
from discretion.auditing.interval import log_ratios
from discretion.auditing.outputs import Views, features

ALPHA = 1e-6  # the chance, at most, that an audit accuses a sound device
SAMPLES = 20_000  # of each input


@dataclass(frozen=True, slots=True)
class Bound:
    """What samples of two inputs prove."""

    epsilon: float  # at least so much, but for the chance alpha; 0 if nothing was proved
    event: str  # by which the inputs are told apart
    counts: tuple[int, int]  # how often it was seen, for the input that it speaks for and the other
    draws: int  # of which so many were judged, of each

    def __str__(self) -> str:
        if self.epsilon == 0:
            return f"nothing told them apart in {self.draws:,} of each"
        one, other = self.counts
        return f"{self.event}: {one:,} against {other:,} of {self.draws:,}"


def lower_bound(views: Views, alpha: float) -> Bound:
    """Return what is proved by samples, the first half of one input and the second of another.

    Of each input the even samples find an event and the odd ones judge it.
    """
    n = len(next(iter(views.values())))
    place = np.arange(n)
    one, finding = place < n // 2, place % 2 == 0
    found = features(views)
    draws = int((one & ~finding).sum())
    if not found:
        return Bound(0.0, "all outputs are the same", (draws, draws), draws)
    event = best_event(found, one & finding, ~one & finding, alpha)
    holds = event.holds() & ~finding
    counts = int((holds & one).sum()), int((holds & ~one).sum())
    if event.swapped:
        counts = counts[::-1]
    proved = float(log_ratios(*counts, draws, draws, alpha))
    return Bound(max(proved, 0.0), str(event), counts, draws)
