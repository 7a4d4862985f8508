"""What results have in common, whatever they are about.

Every result is a frame, a document for machines, a text that fits a screen, and a table in a
notebook. An estimate has values with intervals besides, and most can be plotted.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from discretion.errors import EstimateError, meant
from discretion.estimate.documents import Rough
from discretion.estimate.noise import Vector
from discretion.render.formats import number
from discretion.render.tables import MOST_ROWS, Table
from discretion.table.frame import Frame, Framed

FEW = 50  # reports, from which on they show themselves how they scatter
ROUGH = f"fewer than {FEW} reports: the intervals of these may miss"


def rough(reports: int) -> Rough:
    """Return what a document of so few reports says of its intervals, if anything."""
    return {"rough": ROUGH} if reports < FEW else {}


class Result(Protocol):
    """What every result of a statistic has."""

    def to_frame(self, backend: str | None = None) -> Frame:
        """Return its rows: ``pyarrow``, ``pandas``, ``polars``; by default as the reports came."""

    def document(self) -> Mapping[str, object]:
        """Return it for machines, as JSON can write it."""

    def _repr_html_(self) -> str: ...


class Estimate(Result, Protocol):
    """A result that has values with intervals."""

    @property
    def value(self) -> object:
        """The estimate: a number, or an array of them."""

    def interval(self, confidence: float = 0.95) -> object:
        """Return the low and the high end for each value."""


@dataclass(frozen=True, eq=False, repr=False)
class Tabular(Framed):
    """A result that is shown as the rows of its frame, unless it has a way of its own."""

    def to_frame(self, backend: str | None = None) -> Frame:
        """Return its rows as a frame."""
        raise NotImplementedError

    @property
    def summary(self) -> str:
        """What was estimated, in a line."""
        return type(self).__name__

    def table(self) -> Table:
        """Return the first rows of the frame as text."""
        frame = self.to_frame("pyarrow")
        rows = [tuple(map(_cell, row.values())) for row in frame.slice(0, MOST_ROWS).to_pylist()]
        hidden = frame.num_rows - len(rows)
        note = f"and {hidden:,} more" if hidden else ""
        return Table(frame.column_names, rows, self.summary, note)

    def __str__(self) -> str:
        return str(self.table().fitted())

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return self.table().fitted().html()


def check_choice(what: str, given: str, choices: Collection[str]) -> None:
    """Refuse what is none of the choices."""
    if given not in choices:
        rule = f"{what} must be one of {', '.join(choices)}"
        raise EstimateError(f"{rule}, got {given!r}{meant(given, choices)}")


def check_confidence(confidence: float | str) -> None:
    """Refuse what is no probability."""
    if isinstance(confidence, str) or not 0 < confidence < 1:
        hint = " (write 95 % as 0.95)" if confidence == 95 else ""
        raise EstimateError(f"confidence must lie between 0 and 1, got {confidence!r}{hint}")


def between(
    value: npt.ArrayLike,
    centre: npt.ArrayLike,
    stderr: npt.ArrayLike,
    confidence: float,
    least: float = 0.0,
    most: float = 1.0,
) -> tuple[Vector, Vector]:
    """Return low and high around a centre, within [least, most]: what cannot leave that range.

    They reach into it by a standard error at least, and as far as the value: an estimate far
    outside is a matter of luck, not of certainty.
    """
    check_confidence(confidence)
    middle, error = np.asarray(centre, np.float64), np.asarray(stderr, np.float64)
    half_width = ndtri((1 + confidence) / 2) * error
    low = np.minimum(np.minimum(middle - half_width, most - error), value)
    high = np.maximum(np.maximum(middle + half_width, least + error), value)
    return np.clip(low, least, most), np.clip(high, least, most)


def _cell(value: object) -> str:
    if value is None:
        return ""
    return number(value) if isinstance(value, float) else str(value)
