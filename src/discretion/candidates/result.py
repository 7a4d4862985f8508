"""The pooled shares of two rounds, with both kinds of intervals."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from discretion.candidates.carving import Carved
from discretion.estimate import FrequencyEstimate
from discretion.estimate.documents import finite
from discretion.estimate.documents.shares import PooledShares
from discretion.estimate.entry import Indexed
from discretion.estimate.estimate import Tabular, check_confidence
from discretion.estimate.legend import Legend
from discretion.estimate.noise import Matrix, Vector
from discretion.render.tables import MOST_ROWS, Table
from discretion.table.frame import Frame

NOTE = (
    "intervals allow for selection by the first round; to_frame() also has those of the second "
    "round alone, second_low and second_high"
)


@dataclass(frozen=True, eq=False, repr=False)
class PooledEstimate(Indexed, Tabular):
    """The shares of the candidates of the second round, from both rounds.

    Where the first round has no estimate of a candidate, ``first`` is nan and the share is the
    second round's. ``second`` is the estimate of the second round alone.
    """

    attribute: str
    labels: tuple[str, ...]
    carved: tuple[Carved, ...]
    first: Vector
    second: FrequencyEstimate
    weight: Vector  # of the first round
    n: tuple[int, int]
    common: int  # owners who answered both
    legend: Legend = field(default_factory=Legend, kw_only=True)

    @property
    def keys(self) -> Sequence[Sequence[Hashable]]:
        return (self.labels,)

    @property
    def value(self) -> Vector:
        """The pooled shares."""
        return np.array([each.value for each in self.carved])

    @property
    def stderr(self) -> Vector:
        """Their standard errors; selection is not counted."""
        return np.array([each.stderr for each in self.carved])

    def interval(self, confidence: float = 0.95) -> Matrix:
        """Return low and high (labels, 2), given that the first round chose these candidates."""
        check_confidence(confidence)
        return np.array([each.interval(confidence) for each in self.carved])

    def to_frame(self, backend: str | None = None, confidence: float = 0.95) -> Frame:
        """Return a row for each label: pooled, in each round, and the second round's interval."""
        low, high = self.interval(confidence).T
        alone = self.second.interval(confidence).T
        columns = {
            "label": pa.array(self.labels, pa.string()),
            "share": self.value,
            "stderr": self.stderr,
            "low": low,
            "high": high,
            "first": pa.array(self.first, from_pandas=True),
            "second": self.second.value,
            "second_low": alone[0],
            "second_high": alone[1],
            "weight": self.weight,
        }
        return self.framed(pa.table(columns), backend)

    def document(self) -> PooledShares:
        """Return it for machines."""
        found: PooledShares = finite(
            {
                "attribute": self.attribute,
                "reports": list(self.n),
                "common": self.common,
                "shares": self.to_frame("pyarrow").to_pylist(),
            }
        )
        return found

    @property
    def summary(self) -> str:
        first, second = self.n
        title = self.legend.title(self.attribute)
        reports = f"{title}: {first:,} and {second:,} reports of two rounds"
        return f"{reports}, with {self.common:,} owners counted in both"

    def table(self) -> Table:
        """Return the first rows with pooled shares and intervals."""
        rows = [
            (
                self.legend.label(self.attribute, label),
                f"{each.value:.4f}",
                f"{each.stderr:.4f}",
                "{:.4f} to {:.4f}".format(*each.interval(0.95)),
                f"{first:.4f}" if first == first else "",
                f"{second:.4f}",
            )
            for label, each, first, second in zip(
                self.labels[:MOST_ROWS], self.carved, self.first, self.second.value, strict=False
            )
        ]
        hidden = len(self.labels) - len(rows)
        heads = (self.attribute, "share", "stderr", "95 % interval", "first", "second")
        return Table(heads, rows, self.summary, f"and {hidden:,} more; {NOTE}" if hidden else NOTE)
