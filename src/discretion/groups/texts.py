"""Texts by group: the candidates that the analyst names, and all others together.

A report about a text is decoded for each candidate to a number that is one on average if it is the
text, and zero if it is another one: its bucket's, less what unrelated texts add. So the frequencies
in the groups are a regression like that of a number's mean. Other texts may share a bucket with a
candidate in more cohorts than the average; the deviations count that, once for all groups.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from discretion.aggregate import check_round, counts_of
from discretion.engine import single_threaded
from discretion.errors import EstimateError
from discretion.estimate.noise import simplex
from discretion.estimate.quotient import Estimated
from discretion.family import of
from discretion.family.sketches import Sketch, Sketches
from discretion.groups.cells import Cells
from discretion.groups.grouping import Grouping
from discretion.groups.regression import group_means
from discretion.groups.table import GroupTable
from discretion.joints.axes import Bins
from discretion.table import Reports, ReportTable
from discretion.table.columns import Codes, present
from discretion.texts import read_candidates

OTHERS = "other texts"
MOST = 512  # candidates in all groups

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Candidates:
    """What reports say of each candidate."""

    family: Sketches
    texts: Codes  # their fingerprints
    base: float  # how often an unrelated text shares a bucket
    weights: dict[int, float]  # of a report, by level

    @property
    def name(self) -> str:
        """The attribute."""
        return self.family.name

    def read(self, reports: ReportTable) -> tuple[Array, Array]:
        """Return one number for each report and candidate, and the weights of the reports."""
        there = present(reports.data[f"{self.name}.y"])
        strata, y = reports.columns(self.name)
        t, w = np.zeros((len(there), len(self.texts))), np.zeros(len(there))
        for level, weight in self.weights.items():
            mine = np.flatnonzero(there & (strata == level))
            held = self.family.debiased(level, np.ascontiguousarray(y[mine]), self.texts)
            t[mine], w[mine] = (held - self.base) / (1 - self.base), weight
        return t, w


@single_threaded
def texts_by(
    reports: Reports,
    attribute: str,
    candidates: Sequence[str] | None,
    grouping: Grouping,
    bins: Bins | None,
) -> GroupTable:
    """Estimate the table of groups and candidates, with the share of other texts at its end."""
    if reports.plan.secret:
        raise EstimateError("texts by group need disclosed levels; the plan keeps them secret")
    check_round(reports)
    asked = of(reports.plan.questions[attribute])
    if asked.several:
        raise EstimateError(f"{attribute!r} is a set of texts: its shares are not known by group")
    family = asked.sketched()
    labels, texts = read_candidates(attribute, candidates)
    counts = counts_of(reports, family)
    sketch = family.sketch(counts)
    cells = Cells.of(reports, attribute, grouping, bins)
    if len(texts) * len(cells.groups) > MOST:
        rule = f"{len(texts)} candidates in {len(cells.groups)} groups are too many"
        raise EstimateError(f"{rule} (at most {MOST} in all): name fewer candidates")
    weights = dict(zip(counts, (sketch.weights / sketch.weights.max()).tolist(), strict=True))
    found, mass = group_means(reports, Candidates(family, texts, sketch.base, weights), cells)
    own = np.arange(len(cells.groups))
    table = _table(_with_collisions(found[own], sketch), mass[own])
    value = simplex(table.value.ravel() / mass.value[own].sum()) * mass.value[own].sum()
    labels = (*labels, OTHERS)
    shape = value.reshape(table.value.shape)
    return GroupTable(cells.groups, labels, shape, table, sketch.n, cells.together)


def _with_collisions(found: Estimated, sketch: Sketch) -> Estimated:
    """Add a deviation for each candidate: other texts in its buckets, alike in all groups."""
    share = np.clip(found.value.mean(axis=0), 0, 1)
    others = np.maximum(sketch.concentration - share**2, 0)
    encoding, base = sketch.encoding, sketch.base
    error = np.sqrt(others * base / (1 - base) / (encoding.cohorts * encoding.hashes))
    more = np.broadcast_to(np.diag(error)[:, None], (len(error), *found.value.shape))
    return Estimated(found.value, np.concatenate([found.root, more]))


def _table(means: Estimated, mass: Estimated) -> Estimated:
    """Return the cells, which are shares of groups times frequencies in them."""
    groups = mass.value[:, None]
    of_mass = np.zeros((len(means.root), len(mass.value)))
    of_mass[: len(mass.root)] = mass.root
    root = groups * means.root + of_mass[:, :, None] * means.value
    value = groups * means.value
    rest = Estimated(mass.value - value.sum(axis=1), of_mass - root.sum(axis=2))
    both = np.column_stack([value, rest.value])
    return Estimated(both, np.concatenate([root, rest.root[:, :, None]], axis=2))
