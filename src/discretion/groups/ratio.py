"""Ratios between two groups, with intervals that may have no upper end."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discretion.estimate.documents import finite
from discretion.estimate.documents.groups import Ratio
from discretion.estimate.entry import Indexed
from discretion.estimate.estimate import Tabular
from discretion.estimate.legend import Legend
from discretion.estimate.quotient import Estimated, fieller, quotient
from discretion.render.formats import number
from discretion.render.tables import Table
from discretion.table.frame import Frame

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class RatioEstimate(Indexed, Tabular):
    """The first group's share or mean over the second's, by label.

    An interval has no upper end where the second one's may be zero.
    """

    attribute: str
    labels: tuple[str, ...]
    first: Estimated  # (k,)
    second: Estimated  # (k,)
    n: int
    sides: tuple[str, str]
    legend: Legend = field(default_factory=Legend, kw_only=True)

    @property
    def heading(self) -> str:
        """What its picture is called."""
        return f"{self.legend.question(self.attribute)}: {self.sides[0]} over {self.sides[1]}"

    @property
    def keys(self) -> Sequence[Sequence[Hashable]]:
        """The names along each axis of the value."""
        return (self.labels,)

    @property
    def value(self) -> Array:
        """The ratios (k,); nan where the second group's value is not above zero."""
        found = quotient(self.first, self.second).value
        return np.where(self.second.value > 0, np.maximum(found, 0.0), np.nan)

    def interval(self, confidence: float = 0.95) -> Array:
        """Return low and high (k, 2) of each ratio, one at a time."""
        low, high = fieller(self.first, self.second, confidence)
        return np.stack([np.maximum(low, 0.0), np.maximum(high, 0.0)], axis=-1)

    @property
    def summary(self) -> str:
        """What is compared."""
        one, other = self.sides
        return f"{self.legend.title(self.attribute)}: {one} over {other}, {self.n:,} reports"

    def to_frame(self, backend: str | None = None, confidence: float = 0.95) -> Frame:
        """Return label, both sides, ratio, low and high, a row per label."""
        low, high = self.interval(confidence).T
        columns = {self.sides[0]: self.first.value, self.sides[1]: self.second.value}
        columns |= {"ratio": self.value, "low": low, "high": high}
        return self.framed(pa.table({self.attribute: pa.array(self.labels), **columns}), backend)

    def document(self) -> list[Ratio]:
        """Return it for machines; an end that is missing is null."""
        low, high = self.interval().T
        rows = pa.table(
            {"label": pa.array(self.labels), "ratio": self.value, "low": low, "high": high}
        )
        found: list[Ratio] = finite(rows.to_pylist())
        return found

    def table(self) -> Table:
        """Return the ratios with 95 % intervals."""
        columns = zip(self.labels, self.value.tolist(), *self.interval().T.tolist(), strict=True)
        rows = [
            (self.legend.label(self.attribute, label), *written(value, low, high))
            for label, value, low, high in columns
        ]
        return Table((self.attribute, "ratio", "95 % interval"), rows, self.summary)


def written(value: float, low: float, high: float) -> tuple[str, str]:
    """Write a ratio and its interval."""
    if np.isnan(value):
        return "not learnt", ""
    above = f"{number(low)} or more" if np.isinf(high) else f"{number(low)} to {number(high)}"
    return number(value), above
