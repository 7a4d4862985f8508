"""Differences between two crowds, or between a crowd and stated shares, with one test of all."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from scipy.special import chdtrc, ndtri

from discretion.estimate.documents import finite
from discretion.estimate.documents.shares import Differences
from discretion.estimate.documents.shares import SameTest as SameTestShape
from discretion.estimate.entry import Indexed
from discretion.estimate.estimate import Tabular, check_confidence
from discretion.estimate.legend import Legend
from discretion.estimate.noise import Matrix, Vector
from discretion.estimate.weighting import Weighting, weighted_to
from discretion.render.formats import Write, number, p_stated
from discretion.render.tables import MOST_ROWS, Table
from discretion.table.columns import Mask
from discretion.table.frame import Frame

RESOLVED = 1e-10  # of the largest variance
MEAN = ("mean",)  # what stands in the place of labels for a number


@dataclass(frozen=True, slots=True)
class SameTest:
    """A test of whether both sides are alike; a small ``pvalue`` speaks against it."""

    statistic: float
    df: int
    pvalue: float
    method: str = "score"  # or "permutation", or between groups and of weighted estimates "Wald"

    def document(self) -> SameTestShape:
        """Return it for machines."""
        found = {"method": self.method, "statistic": self.statistic, "df": self.df}
        shape: SameTestShape = finite({**found, "p": self.pvalue})
        return shape


def chi_square(apart: Vector, covariance: Matrix, reliable: Mask) -> SameTest:
    """Test whether differences with this covariance, if there are none, are all zero.

    Codes at which the error is not normal are left out. If none is, one of them follows from the
    others, because frequencies sum to one, and is left out too.
    """
    kept = np.flatnonzero(reliable)
    kept = kept[:-1] if len(kept) == len(apart) > 1 else kept
    inner = covariance[np.ix_(kept, kept)]
    statistic = float(apart[kept] @ np.linalg.solve(inner, apart[kept]))
    return SameTest(statistic, len(kept), float(chdtrc(len(kept), statistic)) if len(kept) else 1.0)


def wald(apart: Vector, covariance: Matrix) -> SameTest:
    """Test whether differences with this covariance, whatever they are, are all zero.

    What follows from the others, so that it does not vary by itself, counts once.
    """
    variances, vectors = np.linalg.eigh(covariance)
    known = variances > RESOLVED * variances.max(initial=0.0)
    along = apart @ vectors[:, known]
    statistic, df = float((along**2 / variances[known]).sum()), int(known.sum())
    return SameTest(statistic, df, float(chdtrc(df, statistic)) if df else 1.0, "Wald")


@dataclass(frozen=True, eq=False, repr=False)
class DifferenceEstimate(Indexed, Tabular):
    """The first side less the second, by label or of the mean, with one test of all of them.

    The estimates are unbiased, so the value of a rare label may be negative. Intervals are of one
    difference at a time; the test takes all of them together.
    """

    attribute: str
    labels: tuple[str, ...]  # or MEAN
    first: Vector  # (k,)
    second: Vector  # (k,)
    stderr: Vector  # (k,) of the difference
    reports: tuple[int, ...]  # of each side that is estimated
    test: SameTest
    sides: tuple[str, str] = ("first", "second")
    legend: Legend = field(default_factory=Legend, kw_only=True)  # what people read of it
    weighted: Weighting | None = field(default=None, kw_only=True)  # to known margins

    @property
    def heading(self) -> str:
        """What its picture is called."""
        return f"{self.legend.question(self.attribute)}: {self.sides[0]} less {self.sides[1]}"

    @property
    def keys(self) -> Sequence[Sequence[Hashable]]:
        """The names along each axis of the value."""
        return (self.labels,)

    @property
    def value(self) -> Vector:
        """The differences (k,): the first side less the second."""
        return self.first - self.second

    @property
    def pvalue(self) -> float:
        """How likely differences as large as these are if both sides are alike."""
        return self.test.pvalue

    def interval(self, confidence: float = 0.95) -> Matrix:
        """Return low and high (k, 2) of each difference, one at a time."""
        check_confidence(confidence)
        half_width = float(ndtri((1 + confidence) / 2)) * self.stderr
        ends = np.column_stack([self.value - half_width, self.value + half_width])
        return ends if self.of_mean else np.clip(ends, -1.0, 1.0)

    @property
    def of_mean(self) -> bool:
        """Whether it is about the mean of a number, and not about shares."""
        return self.labels == MEAN

    @property
    def summary(self) -> str:
        """What was compared, from how much, and what the test says."""
        test, counts = self.test, " and ".join(f"{n:,}" for n in self.reports)
        how = f"chi-square {test.statistic:.3g}, df {test.df}"
        if test.method != "score":
            how = f"{test.method}, {how}"
        title = self.legend.title(self.attribute)
        weights = "" if self.weighted is None else f"; {self.weighted.note}"
        found = f"{p_stated(test.pvalue)} for no difference ({how})"
        return f"{title}: {counts} reports; {found}{weights}"

    def to_frame(self, backend: str | None = None, confidence: float = 0.95) -> Frame:
        """Return label, both sides, difference, stderr, low and high, a row per label."""
        low, high = self.interval(confidence).T
        columns = {
            self.sides[0]: self.first,
            self.sides[1]: self.second,
            "difference": self.value,
            "stderr": self.stderr,
            "low": low,
            "high": high,
        }
        name = f"{self.attribute}_label" if self.attribute in columns else self.attribute
        return self.framed(pa.table({name: pa.array(self.labels), **columns}), backend)

    def document(self) -> Differences:
        """Return it for machines."""
        names = ("label", "first", "second", "difference", "stderr", "low", "high")
        found: Differences = finite(
            {
                "attribute": self.attribute,
                "reports": list(self.reports),
                "sides": list(self.sides),
                "test": self.test.document(),
                "differences": self.to_frame("pyarrow").rename_columns(names).to_pylist(),
                **weighted_to(self.weighted),
            }
        )
        return found

    def table(self) -> Table:
        """Return both sides and their difference with a 95 % interval; the largest if many."""
        order = np.arange(len(self.labels))
        if len(order) > MOST_ROWS:
            order = np.argsort(-np.abs(self.value) / self.stderr, kind="stable")[:MOST_ROWS]
        write: Write = "{:.4f}".format
        far = write
        if self.of_mean:
            write = self.legend.write(self.attribute, number)
            far = self.legend.difference(self.attribute, number)
        cells = np.column_stack([self.first, self.second, self.value, self.interval()])
        rows = []
        for i in order.tolist():
            first, second = map(write, cells[i, :2])
            value, low, high = map(far, cells[i, 2:])
            label = self.legend.label(self.attribute, self.labels[i])
            rows.append((label, first, second, value, f"{low} to {high}"))
        hidden = len(self.labels) - len(rows)
        note = f"and {hidden:,} more, whose differences are smaller" if hidden else ""
        heads = (self.attribute, *self.sides, "difference", "95 % interval")
        return Table(heads, rows, self.summary, note, elastic=frozenset({0}))
