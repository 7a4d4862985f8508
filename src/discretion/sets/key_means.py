"""The mean of each key of a map, among the owners who have it.

It is a quotient of two estimates, so its interval is Fieller's; where the share of owners with the
key is not clearly above zero nothing is learnt. What is printed as the value is drawn towards the
mean of all numbers by the ratio of variances (empirical Bayes): the key's own against that between
keys. Intervals are around what is not shrunk.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pyarrow as pa

from discretion.estimate.documents import finite
from discretion.estimate.documents.numbers import KeyMeans as Document
from discretion.estimate.entry import Indexed
from discretion.estimate.estimate import FEW, ROUGH, Tabular
from discretion.estimate.homogeneity import Homogeneity
from discretion.estimate.legend import Legend
from discretion.estimate.noise import Matrix, Vector
from discretion.estimate.quotient import Estimated, fieller, quotient
from discretion.render.formats import number, p_stated
from discretion.render.tables import Table
from discretion.table.columns import Mask
from discretion.table.frame import Frame

UNLEARNT = "not learnt"
FEWEST = 3  # keys that are learnt, from which on they say how much keys differ


@dataclass(frozen=True, eq=False, repr=False)
class MapMeans(Indexed, Tabular):
    """The mean of each key, nan where it is not learnt, with the share of owners who have it.

    ``products`` are means over all owners, zero for those without the key. ``centre`` is the mean
    of all numbers, and ``kept`` how much of its distance from there each value keeps.
    """

    attribute: str
    labels: tuple[str, ...]
    products: Estimated
    shares: Estimated
    ends: tuple[float, float]
    n: int
    method: str
    homogeneity: Homogeneity | None
    legend: Legend = field(default_factory=Legend, kw_only=True)

    @property
    def keys(self) -> Sequence[Sequence[Hashable]]:
        return (self.labels,)

    @property
    def estimated(self) -> tuple[Estimated, Estimated]:
        """Means over all owners that it is about, 0 for those without the key, and shares."""
        return self.products, self.shares

    @property
    def title(self) -> str:
        return self.legend.title(self.attribute)

    @property
    def learnt(self) -> Mask:
        """Which keys are clearly there, so that something is said about their mean."""
        return self.shares.clear

    @cached_property
    def exact(self) -> Estimated:
        """The means as they are estimated, perhaps out of range."""
        return quotient(self.products, self.shares)

    @property
    def stderr(self) -> Vector:
        return np.where(self.learnt, self.exact.stderr, np.nan)

    @cached_property
    def centre(self) -> float:
        """The mean of all numbers, whatever their key, within the range."""
        total = float(self.shares.value.sum())
        if total <= 0:
            return sum(self.ends) / 2
        return float(np.clip(self.products.value.sum() / total, *self.ends))

    @cached_property
    def kept(self) -> Vector:
        """The ratio of the variance between keys to that and the key's own; 1 of too few keys."""
        own = self.exact.stderr[self.learnt] ** 2
        if len(own) < FEWEST:
            return np.ones(len(self.labels))
        apart = (self.exact.value[self.learnt] - self.centre) ** 2
        between = max(float(((apart - own) / own).sum() / (1 / own).sum()), 0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(between / (between + self.exact.stderr**2))

    @property
    def value(self) -> Vector:
        """The means, drawn towards the mean of all, within the range."""
        with np.errstate(invalid="ignore"):
            shrunk = self.centre + self.kept * (self.exact.value - self.centre)
        return np.where(self.learnt, np.clip(shrunk, *self.ends), np.nan)

    def interval(self, confidence: float = 0.95) -> Matrix:
        """Return low and high (keys, 2), within the range; all of it where nothing is learnt."""
        low, high = fieller(self.products, self.shares, confidence)
        known = np.where(self.learnt, self.value, sum(self.ends) / 2)
        found = np.stack([np.minimum(low, known), np.maximum(high, known)], axis=-1)
        return np.where(self.learnt[:, None], np.clip(found, *self.ends), self.ends)

    def to_frame(self, backend: str | None = None, confidence: float = 0.95) -> Frame:
        """Return share, mean over all owners, mean, stderr, low and high, a row for each key."""
        low, high = self.interval(confidence).T
        products, shares = self.estimated
        columns = {
            "key": pa.array(self.labels),
            "share": shares.value,
            "share_stderr": shares.stderr,
            "product": products.value,
            "product_stderr": products.stderr,
            "value": pa.array(self.value, from_pandas=True),
            "stderr": pa.array(self.stderr, from_pandas=True),
            "low": low,
            "high": high,
        }
        return self.framed(pa.table(columns), backend)

    def document(self) -> Document:
        """Return it for machines; what is not learnt is null."""
        rows = self.to_frame("pyarrow").to_pylist()
        test = None if self.homogeneity is None else self.homogeneity.pvalue
        found: Document = finite(
            {
                "attribute": self.attribute,
                "method": self.method,
                "reports": self.n,
                "homogeneity_p": test,
                "centre": self.centre,
                "keys": rows,
            }
        )
        return found

    @property
    def summary(self) -> str:
        said = "values are drawn towards the mean of all, {} (empirical Bayes)"
        parts = [
            f"{self.title}: mean of each key, and the share of owners who have it",
            f"{self.n:,} reports",
        ]
        if self.homogeneity is not None:
            parts.append(f"levels agree with {p_stated(self.homogeneity.pvalue)}")
        parts.append(said.format(self._write(self.centre)))
        return "; ".join([*parts, ROUGH] if self.n < FEW else parts)

    def table(self) -> Table:
        """Return key, share, mean, standard error and 95 % interval."""
        ends = self.interval()
        rows = [
            (self.legend.label(self.attribute, key), f"{share:.4f}", *self._mean(i, ends[i]))
            for i, (key, share) in enumerate(zip(self.labels, self.estimated[1].value, strict=True))
        ]
        heads = self.attribute, "share", "mean", "stderr", "95 % interval"
        return Table(heads, rows, self.summary, elastic=frozenset({0}))

    def _mean(self, at: int, ends: Vector) -> tuple[str, str, str]:
        if not self.learnt[at]:
            return UNLEARNT, "", ""
        low, high = map(self._write, ends.tolist())
        return self._write(self.value[at]), number(self.stderr[at]), f"{low} to {high}"

    def _write(self, value: float) -> str:
        return self.legend.write(self.attribute, number)(value)
