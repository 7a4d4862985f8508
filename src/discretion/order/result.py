"""What an analyst gets about ranges: the share of each, by empirical Bayes and linearly."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pyarrow as pa
from scipy.special import ndtri

from discretion.estimate.documents import finite
from discretion.estimate.documents.numbers import Ranges
from discretion.estimate.entry import Indexed
from discretion.estimate.estimate import Tabular, between, check_confidence
from discretion.estimate.legend import Legend
from discretion.estimate.noise import Matrix, Vector
from discretion.order.tree import Cuts, Variance
from discretion.render.formats import Write, interval, number
from discretion.render.tables import Table
from discretion.schema.bundle import JOINT
from discretion.table.frame import Frame

Ends = float | str  # a number, or a label
Box = tuple[tuple[float, float], ...]  # of each number both ends


@dataclass(frozen=True, eq=False)
class LinearRanges(ABC):
    """Shares that are linear in the reports: unbiased whatever the distribution, and less precise.

    Its intervals assume nothing but that the laws are as the plan says. Shares of narrow ranges
    may be negative.
    """

    value: Vector  # (ranges,)

    @property
    @abstractmethod
    def stderr(self) -> Vector:
        """The standard error of each range."""

    @property
    @abstractmethod
    def covariance(self) -> Matrix:
        """The covariance of every pair of ranges, (ranges, ranges)."""

    def interval(self, confidence: float = 0.95) -> Matrix:
        """Return low and high (ranges, 2) of each share, kept to what it can be."""
        return np.column_stack(
            between(np.clip(self.value, 0, 1), self.value, self.stderr, confidence)
        )


@dataclass(frozen=True, eq=False)
class LinearRuns(LinearRanges):
    """The same of runs of codes, whose variance is the sum of a few terms for each depth."""

    variance: Variance
    first: Cuts  # codes below each range
    last: Cuts  # codes up to its end

    @property
    def goals(self) -> Iterator[Vector]:
        """What each leaf of the tree counts in each range."""
        cuts = zip(self.first.tolist(), self.last.tolist(), strict=True)
        return (self.variance.shape.inside(low, high) for low, high in cuts)

    @cached_property
    def stderr(self) -> Vector:
        return np.sqrt(self._covariance(self.first, self.last, self.first, self.last))

    @cached_property
    def covariance(self) -> Matrix:
        whole = np.ones(len(self.value), np.int64)
        pairs = zip(self.first.tolist(), self.last.tolist(), strict=True)
        rows = [self._covariance(a * whole, b * whole, self.first, self.last) for a, b in pairs]
        return np.stack(rows)

    def _covariance(self, low: Cuts, high: Cuts, other_low: Cuts, other_high: Cuts) -> Vector:
        signed = (
            (high, other_high, 1),
            (high, other_low, -1),
            (low, other_high, -1),
            (low, other_low, 1),
        )
        return np.asarray(sum(s * self.variance.covariance(a, b) for a, b, s in signed))


@dataclass(frozen=True, eq=False, repr=False)
class RangesEstimate(Indexed, Tabular):
    """The share of people in each range, both ends included, by empirical Bayes.

    ``interval`` is from reports that are drawn anew from the estimate: it covers on average over
    ranges, not for every single one of each distribution. ``linear`` assumes nothing.
    """

    attribute: str
    ranges: Sequence[tuple[Ends, Ends]]
    value: Vector  # (ranges,)
    deviations: Matrix  # (redraws, ranges): how far shares of crowds drawn anew are off
    linear: LinearRanges
    n: int
    legend: Legend = field(default_factory=Legend, kw_only=True)  # what people read of it

    @property
    def keys(self) -> Sequence[Sequence[Hashable]]:
        """The names along each axis of the value."""
        return (tuple(self.ranges),)

    @property
    def covariance(self) -> Matrix:
        """The mean squared deviations of what is drawn anew, (ranges, ranges)."""
        return np.asarray(self.deviations.T @ self.deviations / len(self.deviations))

    @property
    def stderr(self) -> Vector:
        return np.sqrt((self.deviations**2).mean(axis=0))

    def interval(self, confidence: float = 0.95) -> Matrix:
        """Return low and high (ranges, 2) of each share, one at a time."""
        check_confidence(confidence)
        half = ndtri((1 + confidence) / 2) * self.stderr
        return np.column_stack(
            [np.maximum(self.value - half, 0.0), np.minimum(self.value + half, 1.0)]
        )

    def to_frame(self, backend: str | None = None, confidence: float = 0.95) -> Frame:
        """Return from, to, value, stderr, low and high, and the linear share, a row a range."""
        return self.framed(self._table(confidence), backend)

    def _table(self, confidence: float = 0.95) -> pa.Table:
        low, high = self.interval(confidence).T
        ends = {"from": [low for low, _ in self.ranges], "to": [high for _, high in self.ranges]}
        own = {"value": self.value, "stderr": self.stderr, "low": low, "high": high}
        linear = {"linear": self.linear.value, "linear_stderr": self.linear.stderr}
        return pa.table({**ends, **own, **linear})

    def document(self) -> Ranges:
        """Return it for machines: a row a range."""
        linear_ends = self.linear.interval()
        rows = []
        for row, (low, high) in zip(self._table().to_pylist(), linear_ends, strict=True):
            value, stderr = row.pop("linear"), row.pop("linear_stderr")
            ends = {"from": str(row.pop("from")), "to": str(row.pop("to"))}
            linear = {"value": value, "stderr": stderr, "low": float(low), "high": float(high)}
            rows.append({**ends, **row, "linear": linear})
        found: Ranges = finite(
            {
                "attribute": self.attribute,
                "method": "empirical bayes",
                "reports": self.n,
                "ranges": rows,
            }
        )
        return found

    def table(self) -> Table:
        """Return the share of each range with both intervals."""
        both = zip(self._named, self.value, self.interval(), self.linear.interval(), strict=True)
        rows = [
            (name, f"{value:.4f}", _percent(*own), _percent(*linear))
            for name, value, own, linear in both
        ]
        title = f"{self.legend.title(self.attribute)}: {self.n:,} reports"
        head = (self.attribute, "share", "95 % interval", "95 % without assumptions")
        return Table(head, rows, title, left=frozenset())

    @property
    def _named(self) -> Iterator[str]:
        """The ranges as people read them."""
        write: Write = self.legend.write(self.attribute, number)
        for low, high in self.ranges:
            if isinstance(low, str) or isinstance(high, str):
                labels = (self.legend.label(self.attribute, str(end)) for end in (low, high))
                yield " to ".join(dict.fromkeys(labels))
            else:
                yield interval(low, high, write)


@dataclass(frozen=True, eq=False, repr=False)
class BoxesEstimate(RangesEstimate):
    """The share of people both of whose numbers lie in a range of their own.

    As ``ranges`` boxes have two corners: ``18, 0`` and ``30, 20000``.
    """

    boxes: Sequence[Box] = field(kw_only=True)  # both ends of both numbers

    @property
    def keys(self) -> Sequence[Sequence[Hashable]]:
        """The boxes, by both ends of both numbers."""
        return (tuple(self.boxes),)

    @property
    def _named(self) -> Iterator[str]:
        names = self.attribute.split(JOINT)
        writes = [self.legend.write(name, number) for name in names]
        for box in self.boxes:
            parts = zip(box, writes, strict=True)
            yield ", ".join(interval(low, high, write) for (low, high), write in parts)


def corners(box: Box) -> tuple[str, str]:
    """Return the two corners of a box as texts."""
    low, high = (", ".join(f"{number:.15g}" for number in ends) for ends in zip(*box, strict=True))
    return low, high


def _percent(low: float, high: float) -> str:
    return f"{low:.4f} to {high:.4f}"
