"""Values along a number: its quantiles, its distribution function, its histogram."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discretion.estimate.documents import finite
from discretion.estimate.entry import Indexed
from discretion.estimate.estimate import check_confidence, rough
from discretion.estimate.legend import Legend
from discretion.estimate.noise import Matrix, Vector
from discretion.estimate.weighting import Weighting, weighted_to
from discretion.numbers.result import OfNumber
from discretion.render.formats import number
from discretion.table.frame import Frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Bounds = Callable[[float], Matrix]  # from a confidence to low and high, (k, 2)


@dataclass(frozen=True, eq=False, repr=False)
class CurveEstimate(Indexed, OfNumber):
    """Several values along a number: quantiles by level, or the cdf by number."""

    attribute: str
    what: str  # "quantile" or "cdf"
    at: Vector  # (k,) levels, or numbers
    value: Vector  # (k,) numbers, or probabilities
    n: int
    bounds: Bounds
    _found: dict[float, Matrix] = field(default_factory=dict, init=False)
    legend: Legend = field(default_factory=Legend, kw_only=True)  # what people read of it
    method: str = field(default="likelihood", kw_only=True)
    weighted: Weighting | None = field(default=None, kw_only=True)  # to known margins

    @property
    def heading(self) -> str:
        """What its picture is called."""
        return f"{self.legend.question(self.attribute)}: {self.what}"

    @property
    def keys(self) -> Sequence[Sequence[Hashable]]:
        """The names along each axis of the value."""
        return (tuple(self.at.tolist()),)

    def interval(self, confidence: float = 0.95) -> Matrix:
        """Return low and high (k, 2) of each value, one at a time; worked out once."""
        check_confidence(confidence)
        if confidence not in self._found:  # those of quantiles take about a second
            self._found[confidence] = self.bounds(confidence)
        return self._found[confidence].copy()

    def tick(self, value: float) -> str:
        """Write a value on an axis."""
        return self.write(value) if self.what == "quantile" else number(value)

    def to_frame(self, backend: str | None = None, confidence: float = 0.95) -> Frame:
        """Return level (or the number), value, low and high, a row each."""
        dated = ("value", "low", "high") if self.what == "quantile" else (self.attribute,)
        return self.framed(self.dated(self._table(confidence), *dated), backend)

    def _table(self, confidence: float = 0.95) -> pa.Table:
        low, high = self.interval(confidence).T
        name = "level" if self.what == "quantile" else self.attribute
        return pa.table({name: self.at, "value": self.value, "low": low, "high": high})

    def document(self) -> dict[str, Any]:
        """Return it for machines; rows of a cdf have the number under ``at``."""
        frame, quantiles = self._table(), self.what == "quantile"
        rows = frame if quantiles else frame.rename_columns(["at", *frame.column_names[1:]])
        found: dict[str, Any] = finite(
            {
                "attribute": self.attribute,
                "method": self.method,
                "reports": self.n,
                **rough(self.n),
                "quantiles" if quantiles else "cdf": rows.to_pylist(),
                **weighted_to(self.weighted),
            }
        )
        return found

    def __str__(self) -> str:
        from discretion.numbers.show import curve

        return str(curve(self).fitted())


@dataclass(frozen=True, eq=False, repr=False)
class HistogramEstimate(OfNumber):
    """How frequent a number is in bins [edges[i], edges[i + 1]), the last one closed."""

    attribute: str
    edges: Vector  # (bins + 1,)
    value: Vector  # (bins,) probabilities
    n: int
    bounds: Bounds
    legend: Legend = field(default_factory=Legend, kw_only=True)  # what people read of it
    method: str = field(default="likelihood", kw_only=True)
    weighted: Weighting | None = field(default=None, kw_only=True)  # to known margins

    @property
    def density(self) -> Vector:
        """The probability for each unit of the number."""
        return self.value / np.diff(self.edges)

    def interval(self, confidence: float = 0.95) -> Matrix:
        """Return low and high (bins, 2) of each probability, one at a time."""
        check_confidence(confidence)
        return self.bounds(confidence)

    def to_frame(self, backend: str | None = None, confidence: float = 0.95) -> Frame:
        """Return from, to, value, low and high, a row a bin."""
        return self.framed(self.dated(self._table(confidence), "from", "to"), backend)

    def _table(self, confidence: float = 0.95) -> pa.Table:
        low, high = self.interval(confidence).T
        ends = {"from": self.edges[:-1], "to": self.edges[1:]}
        return pa.table({**ends, "value": self.value, "low": low, "high": high})

    def document(self) -> dict[str, Any]:
        """Return it for machines: a row a bin."""
        rows = self._table().to_pylist()
        found: dict[str, Any] = finite(
            {
                "attribute": self.attribute,
                "method": self.method,
                "reports": self.n,
                **rough(self.n),
                "histogram": rows,
                **weighted_to(self.weighted),
            }
        )
        return found

    def plot(
        self,
        ax: "Axes | None" = None,
        confidence: float = 0.95,
        truth: npt.ArrayLike | None = None,
    ) -> "Axes":
        """Draw the density with a band, on ``ax`` or a new figure; return the axes.

        ``truth``, where it is known: the true numbers themselves, drawn as their density.
        """
        from discretion.numbers.show import plot

        return plot(self, ax, confidence, truth)

    def __str__(self) -> str:
        from discretion.numbers.show import histogram

        return str(histogram(self).fitted())
