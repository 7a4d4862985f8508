"""Publication: from reports to a model of the whole record, and synthetic rows drawn from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from numbers import Integral
from pathlib import Path
from secrets import randbits
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from discretion.engine import single_threaded
from discretion.errors import EstimateError
from discretion.estimate.homogeneity import warn_if_dependent
from discretion.joints.allocation import warn_if_unexplained
from discretion.joints.axes import Axis, Bins
from discretion.joints.interactions import Interaction, controlled, interaction, testable
from discretion.joints.shards import about
from discretion.plan import Plan
from discretion.synthesis.dependence import (
    RATE,
    REMEDY,
    Dependence,
    Pair,
    attributes_of,
    check,
    tested,
)
from discretion.synthesis.file import whole_file
from discretion.synthesis.fit import fitted
from discretion.synthesis.model import Clique, Column, Model, Value
from discretion.synthesis.rows import batches, described, synthetic, write
from discretion.synthesis.scores import Scores
from discretion.synthesis.soft_evidence import SoftEvidence
from discretion.synthesis.tree import grown
from discretion.synthesis.unlearnt import apart
from discretion.table import Reports
from discretion.table.folder import sampled
from discretion.table.labelled import SUFFIXES as LABELLED
from discretion.table.labelled_writer import write_labelled

if TYPE_CHECKING:
    from discretion.synthesis.quality import Quality

WORK = 1 << 24  # reports times triples: beyond, each triple is tested on a part of the reports
FEWEST = 4096  # reports that each is tested on at least
ORDER = 3


@dataclass(frozen=True, eq=False, repr=False)
class Publication:
    """What was learnt from the reports, and so many rows that look like the records."""

    reports: Reports
    dependence: Dependence
    model: Model
    count: int
    seed: int
    axes: tuple[Axis, ...] = ()  # of the model, as the reports are about them

    def __repr__(self) -> str:
        return f"<Publication of {self.count:,} rows: {self.model!r}; {self.dependence}>"

    @cached_property
    def interactions(self) -> tuple[Interaction, ...]:
        """All triples of attributes, tested: do they depend beyond what the model's pairs imply?"""
        return triples(self.reports, self.axes, self.model)

    @property
    def apart(self) -> tuple[Pair, ...]:
        """The pairs that depend, but whose tables did not fit into the model."""
        return apart(self.model, self.dependence)

    @property
    def left_out(self) -> tuple[Interaction, ...]:
        """Those of them that were found, and that the model has no terms for."""
        return tuple(each for each in self.interactions if each.found)

    @cached_property
    def rows(self) -> pa.Table:
        """The synthetic rows, in memory."""
        return synthetic(self.model, self.count, self.seed)

    def write(self, path: str | Path) -> int:
        """Write the rows to a Parquet, CSV or Arrow file, in bounded memory.

        A file of SPSS or Stata (.sav, .zsav, .dta) also has the questions and labels of the plan;
        its rows are made in memory.
        """
        if Path(path).suffix not in LABELLED:
            return write(batches(self.model, self.count, self.seed), path)
        with whole_file(Path(path)) as part:
            write_labelled(described(self.rows, self.reports.plan), part, Path(path).suffix)
        return self.count

    def quality(self, truth: object = None) -> "Quality":
        """Return a report on what was spent, how well the model agrees, and what it lacks.

        ``truth``: the records behind simulated reports, to compare with.
        """
        from discretion.synthesis.quality import quality

        return quality(self, truth)


def publish(
    reports: Reports,
    rows: int | None = None,
    *,
    attributes: Sequence[str] | None = None,
    rate: float = RATE,
    bins: Bins | None = None,
    seed: int | None = None,
) -> Publication:
    """Find what depends on what, fit a model of the whole record, and draw rows from it.

    Everything is computed from the reports, so rows cost no privacy beyond what the reports have
    spent. A ``DependenceWarning`` says where levels depend on values: the model would be biased. So
    does an ``AllocationWarning`` where secret levels are not spread in any way that the plan
    allows.

    Parameters
    ----------
    reports
        The reports.
    rows
        How many rows; by default as many as reports.
    attributes
        Which ones; by default all that were shared.
    rate
        The false discovery rate of what depends on what.
    bins
        Of numbers, as in ``joint``.
    seed
        That of the rows: the same reports and the same seed give the same rows. Without one it is
        drawn, and kept in the publication, so that ``rows`` are those that ``write`` writes.

    Returns
    -------
    The dependences, the model, and its rows; ``quality`` compares it with the reports.

    Examples
    --------
    >>> import discretion as ds
    >>> reports = ds.simulate(ds.census_plan(), ds.census(10_000, seed=1), seed=1)
    >>> made = ds.publish(reports, 100, attributes=["age", "work", "travel"], seed=1)
    >>> made.rows.num_rows
    100
    """
    check(reports, rate)
    for name, number, least in (("rows", rows, 1), ("seed", seed, 0)):  # before any work is done
        if number is not None and not (isinstance(number, Integral) and number >= least):
            raise EstimateError(f"{name} must be a whole number, {least} or more, got {number!r}")
    names = attributes_of(reports, attributes)
    with single_threaded:
        scores = Scores(SoftEvidence.of(reports, names, bins))
        found = tested(scores, rate)
        model = fitted_model(scores, found)
    warn_if_dependent(found.homogeneity, REMEDY)
    for question in scores.evidence.questions:
        if question.law is not None:
            warn_if_unexplained(question.law.fit)
    count = len(reports) if rows is None else rows
    own = randbits(64) if seed is None else seed
    return Publication(reports, found, model, count, own, scores.evidence.axes)


def fitted_model(scores: Scores, found: Dependence) -> Model:
    """Return the model along a junction tree of the edges: the root first, then its children.

    Parts of a bundle stand together, as long as all of these fit: of overlapping bundles that do
    not, the strongest pairs do, and a report says of the others what it says of the rest.
    """
    evidence, names = scores.evidence, scores.evidence.names
    strengths = {
        (names.index(pair.one), names.index(pair.other)): pair.strength for pair in found.edges
    }
    bundled = {tuple(sorted(pair)) for q in evidence.questions for pair in combinations(q.axes, 2)}
    forced = sorted((a, b) for a, b in bundled)
    tree = grown(evidence.shape, strengths, forced, evidence.n)
    tables, last = fitted(scores, tree, strengths).tables.marginals, len(tree.cliques) - 1
    cliques = []
    for i, own in reversed(list(enumerate(tree.slices()))):
        parent = tree.parents[i]
        table = tables[own].reshape(tree.sizes(tree.cliques[i]))
        index = None if parent is None else last - parent
        cliques.append(Clique(tree.cliques[i], table, index, tree.separators[i]))
    columns = tuple(column_of(evidence.plan, axis) for axis in evidence.axes)
    return Model(columns, tuple(cliques))


def column_of(plan: Plan, axis: Axis) -> Column:
    """Return what rows hold: labels, or the points of a number's grid."""
    number = plan.questions[axis.name].attribute.number
    if number is None:
        return Column(axis.name, axis.labels, axis.labels)
    steps = range(number.low, number.high + 1, number.step)
    grid = [step * number.unit for step in steps] if number.edges else number.points()
    values: tuple[Value, ...] = tuple(
        int(point) if point.denominator == 1 else float(point) for point in grid
    )
    if number.edges:
        inside = np.zeros((number.size, len(values)))
        for index, point in enumerate(grid):
            inside[number.code(point), index] = 1
        return Column(axis.name, axis.labels, values, inside / inside.sum(axis=1, keepdims=True))
    spread = None if axis.mixing is None else axis.mixing.T
    return Column(axis.name, axis.labels, values, spread)


@single_threaded
def triples(reports: Reports, axes: tuple[Axis, ...], model: Model) -> tuple[Interaction, ...]:
    """Test all triples of which there are enough reports.

    Whatever errors of the pairs in the model's table explain is taken off, so that what remains is
    what a model of pairs cannot express.
    """
    if len(axes) < ORDER:
        return ()
    sample = sampled(reports, max(WORK // comb(len(axes), ORDER), FEWEST))
    found = []
    for own in combinations(axes, ORDER):
        names = tuple(axis.name for axis in own)
        evidence = about(sample, own, sharing=reports.plan.secret)
        if testable(evidence.shape, evidence.holding(range(ORDER))):
            found.append(interaction(evidence, model.marginal(names)))
    return controlled(found)
