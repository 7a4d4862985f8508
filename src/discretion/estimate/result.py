"""Estimated frequencies with their covariance: intervals, frames, documents and plots."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discretion.estimate.applicable import among_applicable, share_of
from discretion.estimate.documents import finite
from discretion.estimate.documents.shares import Frequencies
from discretion.estimate.entry import Indexed
from discretion.estimate.estimate import between, rough
from discretion.estimate.homogeneity import Homogeneity
from discretion.estimate.legend import Legend
from discretion.estimate.noise import ANSWER, Matrix, Vector, simplex
from discretion.estimate.spread import Spread
from discretion.estimate.weighting import Weighting, weighted_to
from discretion.table.frame import Frame, Framed

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class FrequencyEstimate(Framed, Indexed):
    """The frequencies of one attribute.

    The linear methods are unbiased, hence a value may be negative; nothing is clipped but the
    intervals, which keep to what a frequency can be. ``postprocess`` makes frequencies of it by
    steps with names. All of them but ``norm`` bias the value, so the spread and the intervals
    remain those of what it was before, which is kept.
    """

    attribute: str
    labels: tuple[str, ...]
    value: Vector  # (size,)
    spread: Spread  # around the target, of the centre
    n: int  # owners who shared the attribute
    method: str
    target: str  # "population", or "owners": these very people
    homogeneity: Homogeneity | None  # None where levels are secret or too few to compare
    steps: tuple[str, ...] = ()  # of post-processing, in their order
    unprocessed: Vector | None = None  # the value before steps that bias it
    legend: Legend = field(default_factory=Legend, kw_only=True)  # what people read of it
    conditional: bool = field(default=False, kw_only=True)  # whether the last: not applicable
    applies: float = field(default=1.0, kw_only=True)  # the share of people whom it is about
    weighted: Weighting | None = field(default=None, kw_only=True)  # to known margins
    cut: Vector | None = field(default=None, kw_only=True)  # of items: how far too low at most
    summing: ClassVar[bool] = True  # whether the frequencies of all labels sum to one

    def chosen(self, order: npt.NDArray[np.intp], spread: Spread) -> Self:
        """Return some of the labels in this order, with their spread."""
        labels = tuple(self.labels[i] for i in order)
        cut = None if self.cut is None else self.cut[order]
        return replace(self, labels=labels, value=self.value[order], spread=spread, cut=cut)

    @property
    def keys(self) -> Sequence[Sequence[Hashable]]:
        """The names along each axis of the value."""
        return (self.labels,)

    @property
    def given(self) -> Vector:
        """The value, unprocessed."""
        return self.value if self.unprocessed is None else self.unprocessed

    @property
    def centre(self) -> Vector:
        """What the intervals are around: the unprocessed value, or the peak off the simplex."""
        return self.given + self.spread.shift

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

        They keep to [0, 1], reach into it by a standard error at least, and hold the value.
        """
        return np.column_stack(between(self.value, self.centre, self.stderr, confidence))

    @property
    def effective_n(self) -> float:
        """How many unperturbed answers would have the same squared error, were values even.

        To what these owners' own answers leave open the reports add noise. Where all have the same
        value the former is nothing, and no number of answers would be as far off as the noise: so
        the noise is compared with the answers of owners of whom each value has as many.
        """
        owners = self.n * self.applies
        drawn = ANSWER.variance(simplex(self.given)).sum() / owners
        noise = self.spread.variance.sum() - (drawn if self.target == "population" else 0.0)
        even = 1 - 1 / len(self.labels)
        return even / (even / owners + max(float(noise), 0.0))

    def applicable(self) -> Self:
        """Return the shares among those to whom the question applies, where that is not everybody.

        The value "not applicable" is left out, and the others sum to one.
        """
        return among_applicable(self)

    def to_frame(self, backend: str | None = None, confidence: float = 0.95) -> Frame:
        """Return labels, value, stderr, low and high: ``pyarrow``, ``pandas`` or ``polars``.

        After steps that bias the value, also what it was before: ``unprocessed``.
        """
        low, high = self.interval(confidence).T
        columns = {"value": self.value, "stderr": self.stderr, "low": low, "high": high}
        if self.unprocessed is not None:
            columns["unprocessed"] = self.unprocessed
        if self.cut is not None:
            columns["cut"] = self.cut
        name = f"{self.attribute}_label" if self.attribute in columns else self.attribute
        return self.framed(pa.table({name: pa.array(self.labels), **columns}), backend)

    def document(self) -> Frequencies:
        test, frame = self.homogeneity, self.to_frame("pyarrow")
        found: Frequencies = finite(
            {
                "attribute": self.attribute,
                "method": self.method,
                **({"post": list(self.steps)} if self.steps else {}),
                "target": self.target,
                "reports": self.n,
                **rough(self.n),
                "effective_n": self.effective_n,
                "homogeneity_p": None if test is None else test.pvalue,
                "frequencies": frame.rename_columns(["label", *frame.column_names[1:]]).to_pylist(),
                **weighted_to(self.weighted),
                **({} if self.applies == 1 else {"applies": self.applies}),
                **({"applicable": among["frequencies"]} if (among := self._among()) else {}),
            }
        )
        return found

    def _among(self) -> Frequencies | None:
        """Return the document about those to whom it applies, if there seem to be any."""
        if not self.conditional or min(map(share_of, (self.value, self.given))) <= 0:
            return None
        return self.applicable().document()

    def plot(
        self,
        ax: "Axes | None" = None,
        confidence: float = 0.95,
        truth: npt.ArrayLike | None = None,
    ) -> "Axes":
        """Draw bars with intervals, on ``ax`` or a new figure; return the axes.

        ``truth``, where it is known: the true frequencies in the order of the labels.
        """
        from discretion.estimate.show import plot

        return plot(self, ax, confidence, truth)

    def __str__(self) -> str:
        from discretion.estimate.show import short

        return str(short(self))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from discretion.estimate.show import short

        return short(self).html()
