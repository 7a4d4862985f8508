"""What an analyst gets: frequencies with their covariance, and ways to look at them."""

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from scipy.special import ndtri

from discretion.errors import EstimateError
from discretion.estimate.homogeneity import Homogeneity
from discretion.estimate.noise import ANSWER, Matrix, Vector, simplex, smoothed
from discretion.estimate.spread import Spread
from discretion.table.frame import from_arrow

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class FrequencyEstimate:
    """The frequencies of one attribute.

    The linear methods are unbiased, hence a value may be negative; nothing is clipped but the
    intervals, which keep to what a frequency can be.
    """

    attribute: str
    labels: tuple[str, ...]
    value: Vector  # (size,)
    spread: Spread  # around the target
    n: int  # owners who shared the attribute
    method: str
    target: str  # "population", or "owners": these very people
    homogeneity: Homogeneity | None  # None where levels are secret or too few to compare

    @property
    def covariance(self) -> Matrix:
        """The covariance around the target (size, size), worked out when it is first asked for."""
        return self.spread.covariance

    @property
    def stderr(self) -> Vector:
        """Standard errors (size,); those of ``mle`` and ``blind`` take the whole covariance."""
        return np.sqrt(np.maximum(self.spread.variance, 0.0))

    def interval(self, confidence: float = 0.95) -> Matrix:
        """Return low and high (size, 2) of each frequency, one at a time.

        They keep to [0, 1], and reach into it by a standard error at least: an estimate far outside
        is a matter of luck, not of certainty.
        """
        if not 0 < confidence < 1:
            raise EstimateError(f"confidence must lie between 0 and 1, got {confidence}")
        reach = ndtri((1 + confidence) / 2) * self.stderr
        low = np.minimum(self.value - reach, 1 - self.stderr)
        high = np.maximum(self.value + reach, self.stderr)
        return np.clip(np.column_stack([low, high]), 0.0, 1.0)

    @property
    def effective_n(self) -> float:
        """How many unperturbed answers would have the same squared error."""
        f = simplex(self.value)
        one_answer = ANSWER.variance(f if f.max() < 1 else smoothed(f, self.n)).sum()
        error = self.spread.variance.sum()
        if self.target == "owners":
            error += one_answer / self.n
        return float(one_answer / error) if error > 0 else inf

    def to_frame(self, backend: str = "pyarrow", confidence: float = 0.95) -> Any:
        """Return labels, value, stderr, low and high: ``pyarrow``, ``pandas`` or ``polars``."""
        low, high = self.interval(confidence).T
        columns = {"value": self.value, "stderr": self.stderr, "low": low, "high": high}
        name = f"{self.attribute}_label" if self.attribute in columns else self.attribute
        return from_arrow(pa.table({name: pa.array(self.labels), **columns}), backend)

    def plot(
        self,
        ax: "Axes | None" = None,
        confidence: float = 0.95,
        truth: npt.ArrayLike | None = None,
    ) -> "Axes":
        """Draw bars with intervals, on ``ax`` or a new figure; return the axes.

        ``truth``, where it is known: the true frequencies in the order of the labels.
        """
        from discretion.estimate.plot import plot

        return plot(self, ax, confidence, truth)

    def __str__(self) -> str:
        from discretion.estimate.show import text

        return text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from discretion.estimate.show import html

        return html(self)
