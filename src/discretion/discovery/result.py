"""What an analyst gets about texts that nobody listed."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from discretion.discovery.null import Null, interval_after
from discretion.errors import EstimateError
from discretion.estimate.documents import finite
from discretion.estimate.documents.shares import Discovery
from discretion.estimate.entry import Indexed
from discretion.estimate.estimate import Tabular, check_confidence
from discretion.estimate.legend import Legend
from discretion.estimate.noise import Matrix, Vector
from discretion.estimate.votes import RoundShare
from discretion.plan import Plan
from discretion.plan.field import LONGEST_TEXT
from discretion.plan.legibility import visible
from discretion.render.tables import MOST_ROWS, Table
from discretion.schema.categorical import OTHER
from discretion.table.frame import Frame

EMPTY = "(empty)"


class Discovered(NamedTuple):
    """A text that somebody said."""

    text: str
    share: float
    stderr: float
    least: float  # the smallest share with which a text of so many bits passes
    bits: int  # of its codeword
    tail: float  # the probability of so much support, were it nobody's
    planted: int  # false reports that would make such a text pass in half of all cases
    null: Null  # the law of its support, were it nobody's


@dataclass(frozen=True, eq=False, repr=False)
class DiscoveryEstimate(Indexed, Tabular):
    """Texts that were said, the most frequent one first.

    The probability that any of them is nobody's is at most ``error``. The intervals allow for a
    text being here only because its support was large enough.
    """

    attribute: str
    found: tuple[Discovered, ...]
    error: float
    n: int
    longer: float  # the share of texts that have more bits than the plan's code allows
    longer_stderr: float
    plan: Plan = field(kw_only=True)  # that was answered
    legend: Legend = field(default_factory=Legend, kw_only=True)  # what people read of it

    @property
    def keys(self) -> Sequence[Sequence[Hashable]]:
        """The texts, which are the names of the values."""
        return (self.texts,)

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(each.text for each in self.found)

    @property
    def value(self) -> Vector:
        """The share of the owners who said each text, (texts,)."""
        return np.array([each.share for each in self.found])

    @property
    def stderr(self) -> Vector:
        return np.array([each.stderr for each in self.found])

    def share_of(self, label: str) -> RoundShare:
        """Return what a later round is to be pooled with, of one text."""
        own = self.found[self.texts.index(label)]
        votes = own.null.votes(self.n)
        return RoundShare(own.share, own.stderr, own.null.stderr(0.0), votes, own.least)

    def question(self, count: int, sets: int) -> dict[str, object]:
        """Return what to ask about the most frequent texts: which of these it is, or another one.

        A text that cannot be told from an earlier one, or cannot be read, is another one.
        """
        if sets != 1:
            raise EstimateError(f"{self.attribute!r} is a text: only sets have itemsets")
        seen, listed = {visible(OTHER), ""}, []
        for text in self.texts:
            shown = visible(text)
            if shown not in seen and text.isprintable() and len(text) <= LONGEST_TEXT:
                seen.add(shown)
                listed.append(text)
        if not listed:
            raise EstimateError(f"no text of {self.attribute!r} that could be listed was found")
        return {"kind": "categorical", "values": [*listed[:count], OTHER], "fallback": OTHER}

    def interval(self, confidence: float = 0.95) -> Matrix:
        """Return low and high (texts, 2) of each share, given that it was found."""
        check_confidence(confidence)
        ends = [interval_after(e.share, e.least, e.stderr, confidence) for e in self.found]
        return np.array(ends).reshape(-1, 2)

    def to_frame(self, backend: str | None = None, confidence: float = 0.95) -> Frame:
        """Return a row for each text: share, stderr, low, high, bits, tail and planted."""
        return self.framed(self._table(confidence), backend)

    def _table(self, confidence: float = 0.95) -> pa.Table:
        low, high = self.interval(confidence).T
        return pa.table(
            {
                "text": pa.array(self.texts, pa.string()),
                "share": self.value,
                "stderr": self.stderr,
                "low": low,
                "high": high,
                "bits": pa.array([each.bits for each in self.found], pa.int64()),
                "tail": pa.array([each.tail for each in self.found], pa.float64()),
                "planted": pa.array([each.planted for each in self.found], pa.int64()),
            }
        )

    def document(self) -> Discovery:
        """Return it for machines."""
        found: Discovery = finite(
            {
                "attribute": self.attribute,
                "error": self.error,
                "reports": self.n,
                "longer": {"share": self.longer, "stderr": self.longer_stderr},
                "texts": self._table().to_pylist(),
            }
        )
        return found

    def table(self) -> Table:
        """Return the first texts with shares and intervals."""
        ends = self.interval()
        rows = [
            (
                each.text or EMPTY,
                f"{each.share:.4f}",
                f"{low:.4f} to {high:.4f}",
                str(each.bits),
                f"{each.tail:.1e}",
            )
            for each, (low, high) in zip(self.found[:MOST_ROWS], ends, strict=False)
        ]
        hidden = len(self.found) - len(rows)
        more = f"and {hidden:,} more; " if hidden else ""
        longer = f"{max(self.longer, 0):.1%} of texts are too long for the code"
        title = f"{self.legend.title(self.attribute)}: {len(self.found)} texts, {self.n:,} reports"
        note = f"{more}anything that nobody said: probability at most {self.error:g}; {longer}"
        return Table(("text", "share", "95 % interval", "bits", "tail"), rows, title, note)
