"""Many tests together: p-values adjusted for their number."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import pyarrow as pa
import scipy

from discretion.errors import EstimateError
from discretion.estimate.estimate import Tabular, check_choice
from discretion.estimate.homogeneity import holm
from discretion.table.frame import Frame

METHODS: dict[str, Callable[[Sequence[float]], Sequence[float]]] = {
    "holm": holm,
    "bh": lambda pvalues: scipy.stats.false_discovery_control(pvalues).tolist(),
}


class Tested(Protocol):
    """A result with a test."""

    @property
    def pvalue(self) -> float: ...


@dataclass(frozen=True, eq=False, repr=False)
class Adjusted(Tabular):
    """Tests with adjusted p-values: a test rejects where that is at most ``rate``."""

    names: tuple[str, ...]
    pvalues: tuple[float, ...]
    adjusted: tuple[float, ...]
    method: str
    rate: float

    @property
    def rejected(self) -> tuple[str, ...]:
        """The tests that reject after the adjustment."""
        return tuple(n for n, p in zip(self.names, self.adjusted, strict=True) if p <= self.rate)

    @property
    def summary(self) -> str:
        """How many of the tests reject, and what is controlled."""
        said = {"holm": "some wrong rejection", "bh": "of the rejections being wrong"}[self.method]
        count = f"{len(self.rejected)} of {len(self.names)} tests reject"
        part = "a probability" if self.method == "holm" else "an expected share"
        return f"{count}, with {part} of {said} of at most {self.rate:g} ({self.method})"

    def to_frame(self, backend: str | None = None) -> Frame:
        """Return test, p, adjusted and whether it rejects, a row per test."""
        rejects = [p <= self.rate for p in self.adjusted]
        columns = {"test": self.names, "p": self.pvalues, "adjusted": self.adjusted}
        return self.framed(pa.table({**columns, "rejects": rejects}), backend)

    def document(self) -> dict[str, Any]:
        """Return it for machines."""
        rows = self.to_frame("pyarrow").to_pylist()
        return {"method": self.method, "rate": self.rate, "tests": rows}


def adjust(
    tests: Mapping[str, float | Tested], method: str = "holm", rate: float = 0.05
) -> Adjusted:
    """Adjust the p-values of several tests for their number.

    Parameters
    ----------
    tests
        By name, p-values, or results that have one, such as those of ``compare``.
    method
        ``holm`` bounds the probability that any test rejects wrongly (Holm 1979); ``bh`` the
        expected share of wrong rejections, for independent tests and many dependent ones (Benjamini
        and Hochberg 1995).
    rate
        That probability, or that share.

    Returns
    -------
    The adjusted p-values, and which tests reject.

    Examples
    --------
    >>> import discretion as ds
    >>> ds.adjust({"travel": 0.004, "work": 0.03, "age": 0.4}).adjusted
    (0.012, 0.06, 0.4)
    """
    check_choice("method", method, METHODS)
    if not (isinstance(tests, Mapping) and tests):  # type: ignore[redundant-expr]
        raise EstimateError("tests must be a mapping of names to p-values or results, not empty")
    if not 0 < rate < 1:
        raise EstimateError(f"rate must lie between 0 and 1, got {rate}")
    pvalues = [_pvalue(name, test) for name, test in tests.items()]
    adjusted = tuple(METHODS[method](pvalues))
    return Adjusted(tuple(map(str, tests)), tuple(pvalues), adjusted, method, rate)


def _pvalue(name: str, test: float | Tested) -> float:
    found: Any = getattr(test, "pvalue", test)
    try:
        p = float(found)
    except (TypeError, ValueError):
        p = float("nan")
    if not 0 <= p <= 1:
        given = repr(found) if isinstance(found, str | int | float) else type(found).__name__
        raise EstimateError(f"{name!r} must have a p-value from 0 to 1, got {given}")
    return p
