"""A question over all rounds: raw estimates, online ones, and smoothed ones, with bands.

Where answers are repeated, noise is common to rounds and does not average: bands of curves then
have the whole error of a round beside that of the curve.
"""

from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from scipy.special import chdtrc, erfc, ndtri

from discretion.comparisons.difference import MEAN
from discretion.errors import EstimateError
from discretion.estimate.documents import finite
from discretion.estimate.documents.shares import Series
from discretion.estimate.estimate import Tabular, check_confidence
from discretion.estimate.homogeneity import holm
from discretion.estimate.legend import Legend
from discretion.estimate.noise import Matrix, Vector
from discretion.render.formats import number
from discretion.render.tables import MOST_ROWS, Table
from discretion.table.frame import Frame
from discretion.trends.filters import Track, online, smoothed
from discretion.trends.waves import Rounds, Waves, parts_of

NEAR = 8  # rounds before and after a change that are compared
LEVEL = 0.05  # of all tests of changes together


@dataclass(frozen=True, slots=True)
class Shift:
    """Something changed here: the rounds from this one on differ from those before it."""

    round: int
    label: str
    difference: float
    pvalue: float  # adjusted for all that were tested (Holm)


@dataclass(frozen=True, eq=False, repr=False)
class SeriesEstimate(Tabular):
    """A curve for each label, or of the mean: raw, online and smooth, all (t, k)."""

    attribute: str
    labels: tuple[str, ...]
    rounds: tuple[int, ...]
    reports: tuple[int, ...]
    raw: Track
    online: Track
    smooth: Track
    pvalue: Vector  # (k,) that nothing changed at all
    shifts: tuple[Shift, ...]
    repeated: bool  # whether answers are: then tests and bands are bounds
    legend: Legend = field(default_factory=Legend, kw_only=True)

    @property
    def value(self) -> Matrix:
        """The smoothed curves (t, k)."""
        return self.smooth.value

    def interval(self, confidence: float = 0.95) -> Matrix:
        """Return low and high of the smoothed curves (t, k, 2), one round and label at a time."""
        return self._ends(self.smooth, confidence)

    def _ends(self, track: Track, confidence: float) -> Matrix:
        check_confidence(confidence)
        half = float(ndtri((1 + confidence) / 2)) * track.stderr
        ends = np.stack([track.value - half, track.value + half], axis=-1)
        return ends if self.labels == MEAN else np.clip(ends, 0.0, 1.0)

    @property
    def summary(self) -> str:
        """What was estimated, and what changed."""
        title, rounds = self.legend.title(self.attribute), len(self.rounds)
        head = f"{title}: {rounds} rounds, {sum(self.reports):,} reports"
        if not self.shifts:
            return f"{head}; no change is found at 5 %"
        named = (f"{s.label} from round {s.round} on" for s in self.shifts[:5])
        return f"{head}; something changed: {', '.join(named)}"

    def to_frame(self, backend: str | None = None, confidence: float = 0.95) -> Frame:
        """Return a row per round and label: raw, online and smooth, with their bands."""
        t, k = self.raw.value.shape
        columns: dict[str, object] = {
            "round": np.repeat(self.rounds, k),
            "label": list(self.labels) * t,
            "reports": np.repeat(self.reports, k),
        }
        for name, track in (("raw", self.raw), ("online", self.online), ("smooth", self.smooth)):
            ends = self._ends(track, confidence)
            columns[name] = track.value.ravel()
            columns[f"{name}_low"] = ends[..., 0].ravel()
            columns[f"{name}_high"] = ends[..., 1].ravel()
        return self.framed(pa.table(columns), backend)

    def document(self) -> Series:
        """Return it for machines."""
        found: Series = finite(
            {
                "attribute": self.attribute,
                "labels": list(self.labels),
                "repeated": self.repeated,
                "pvalues": self.pvalue.tolist(),
                "shifts": [
                    {"round": s.round, "label": s.label, "difference": s.difference, "p": s.pvalue}
                    for s in self.shifts
                ],
                "points": self.to_frame("pyarrow").to_pylist(),
            }
        )
        return found

    def table(self) -> Table:
        """Return the smoothed curves with 95 % bands, a row per round; the first five labels."""
        write = number if self.labels == MEAN else "{:.4f}".format
        shown = min(len(self.labels), 5)
        ends = self.interval()
        rows = [
            (
                str(round),
                *(
                    f"{write(self.value[i, j])} ({write(ends[i, j, 0])} to {write(ends[i, j, 1])})"
                    for j in range(shown)
                ),
            )
            for i, round in list(enumerate(self.rounds))[-MOST_ROWS:]
        ]
        names = [self.legend.label(self.attribute, label) for label in self.labels[:shown]]
        hidden = len(self.labels) - shown
        before = max(0, len(self.rounds) - MOST_ROWS)
        notes = [f"{before:,} earlier rounds"] * bool(before)
        notes += [f"{hidden:,} more labels"] * bool(hidden)
        note = f"and {' and '.join(notes)} in the frame" if notes else ""
        return Table(("round", *names), rows, self.summary, note)


def series(data: Rounds, attribute: str) -> SeriesEstimate:
    """Return how labels, items of sets, or the mean of a number went over all rounds.

    Parameters
    ----------
    data
        Reports of several rounds, or a list with the reports or counts of each.
    attribute
        Labels, a set, or a number, of which it is the mean.

    Returns
    -------
    ``raw`` estimates of each round by itself, ``online`` ones that use no later round, and
    ``smooth`` ones that use all, with standard errors; ``shifts``: where something changed.

    Examples
    --------
    >>> import discretion as ds
    >>> plan = ds.census_plan()
    >>> weeks = [ds.simulate(plan, ds.census(5000, seed=week), seed=week) for week in (1, 2)]
    >>> weeks = [ds.Aggregate.of(week) for week in weeks]
    >>> weeks[1].round = 1
    >>> ds.series(weeks, "travel").smooth.value.shape
    (2, 5)
    """
    waves = Waves.of(parts_of(data), attribute)
    if len(waves.rounds) < 2:
        raise EstimateError(f"a series must have two rounds or more, got {len(waves.rounds)}")
    gaps = np.diff(np.array(waves.rounds, np.float64))
    variance = waves.stderr**2
    ahead, both = (make(waves.value, variance, gaps) for make in (online, smoothed))
    if waves.repeated:
        ahead, both = (Track(c.value, np.sqrt(c.stderr**2 + variance)) for c in (ahead, both))
    return SeriesEstimate(
        attribute,
        waves.labels,
        waves.rounds,
        waves.reports,
        Track(waves.value, waves.stderr),
        ahead,
        both,
        _constant(waves),
        _shifts(waves),
        waves.repeated,
        legend=waves.legend,
    )


def _constant(waves: Waves) -> Vector:
    """Test for each label whether all rounds are alike; cautious where answers are repeated.

    A difference of two rounds has at most twice the sum of their variances then.
    """
    variance = waves.stderr**2 * (2.0 if waves.repeated else 1.0)
    mean = (waves.value / variance).sum(axis=0) / (1 / variance).sum(axis=0)
    statistic = ((waves.value - mean) ** 2 / variance).sum(axis=0)
    return np.asarray(chdtrc(len(waves.rounds) - 1, statistic))


def _shifts(waves: Waves) -> tuple[Shift, ...]:
    """Compare a few rounds before and after each; of neighbours the clearest stands."""
    t, k = waves.value.shape
    apart, pvalues = np.zeros((t - 1, k)), np.ones((t - 1, k))
    for at in range(1, t):
        before, after = slice(max(0, at - NEAR), at), slice(at, at + NEAR)
        apart[at - 1] = waves.value[after].mean(axis=0) - waves.value[before].mean(axis=0)
        error = _error(waves, before, after)
        pvalues[at - 1] = erfc(np.abs(apart[at - 1]) / error / np.sqrt(2))
    adjusted = np.array(holm(pvalues.ravel().tolist())).reshape(pvalues.shape)
    found = []
    for j, label in enumerate(waves.labels):
        for at in range(t - 1):
            near = adjusted[max(0, at - NEAR) : at + NEAR, j]
            score = pvalues[max(0, at - NEAR) : at + NEAR, j]
            if adjusted[at, j] <= LEVEL and near.size and pvalues[at, j] <= score.min():
                own = float(apart[at, j]), float(adjusted[at, j])
                found.append(Shift(waves.rounds[at + 1], label, *own))
    return tuple(sorted(found, key=lambda shift: shift.pvalue))


def _error(waves: Waves, before: slice, after: slice) -> Vector:
    """Return the standard error of a difference of means; of repeated answers its bound."""
    if waves.repeated:
        bound: Vector = waves.stderr[before].mean(axis=0) + waves.stderr[after].mean(axis=0)
        return bound
    variance = waves.stderr**2
    parts = [variance[part].sum(axis=0) / len(variance[part]) ** 2 for part in (before, after)]
    return np.asarray(np.sqrt(parts[0] + parts[1]))
