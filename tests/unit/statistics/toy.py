"""A statistic as somebody else might add it: a function, and a result that keeps the protocol."""

from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from discretion.aggregate import Aggregate
from discretion.statistics import Kind, Option, Statistic
from discretion.table import Reports


@dataclass(frozen=True)
class Tenfold:
    """So many times the reports about an attribute."""

    attribute: str
    value: float

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        return self.value, self.value

    def to_frame(self, backend: str = "pyarrow") -> Any:
        return pa.table({"what": ["tenfold"], "value": [self.value]})

    def document(self) -> dict[str, Any]:
        return {"attribute": self.attribute, "tenfold": self.value}

    def __str__(self) -> str:
        return f"tenfold of {self.attribute}: {self.value:g}"

    def _repr_html_(self) -> str:
        return f"<p>{self}</p>"


def tenfold(data: Reports | Aggregate, attribute: str, times: float = 10.0) -> Tenfold:
    """Count the reports about an attribute, and multiply."""
    counts = data if isinstance(data, Aggregate) else Aggregate.of(data)
    return Tenfold(attribute, times * sum(t.n for t in counts.counted(attribute).values()))


TENFOLD = Statistic(
    "tenfold",
    "tests.unit.statistics.toy:tenfold",
    (Kind.LABELS, Kind.NUMBER, Kind.TEXT),
    "Ten times as many as there are.",
    "tenfolds",
    (Option("times", float, 10.0, "So many times.", limits={"ge": 1}),),
    card=True,
)
