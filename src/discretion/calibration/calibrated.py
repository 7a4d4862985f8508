"""A calibrated table: the respondents' table, weighted so that it has known margins.

If who responds depends on the margins' attributes a alone, the population's table is

    P(a, y) = w(a) Q(a, y)

with Q the table of the respondents and w the weights of raking. Nobody's a is seen, so no report
has a weight: all reports together give Q^, unbiased moments of Q. With w and p from raking a pilot
of Q(a), the estimate is a Newton step of raking that starts there, a regression on the margins,

    P^ = w Q^ + T (A' x),    [A diag(p) A'] x = t - A w Q^(a),    T = w Q^ + B (p - w Q^(a)),

with B = A' [A diag(p) A']^-1 A w Q^, so that T has the sums p.

It has the known margins exactly, and an error of the pilot enters by its square alone. Deviations
of Q^ go through the derivative, with the weights after the step, w (1 + A' x), as regression
estimates of surveys have them (Sarndal, Swensson and Wretman 1989). Proof:
docs/proofs/calibration.md.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from discretion.aggregate import Aggregate, check_round
from discretion.calibration.margins import Margin
from discretion.calibration.raking import Raked
from discretion.engine import single_threaded
from discretion.errors import CalibrationWarning, EstimateError, warn
from discretion.estimate.homogeneity import Homogeneity, warn_if_dependent
from discretion.estimate.noise import Matrix, Vector, simplex
from discretion.joints.axes import Bins, axes_of, coin_axis
from discretion.joints.joint import check_cells, levels_tested, remedy, with_bins_open
from discretion.joints.likelihood import Table
from discretion.joints.methods import METHODS, Answer
from discretion.joints.shards import about
from discretion.joints.table_evidence import TableEvidence
from discretion.render.formats import listed
from discretion.table import Reports

MOST_NAMED = 5  # cells, in a warning
SURE = 3.0  # standard errors that the share of a margin's cell must be from zero
STRATIFIED = "stratified"


@dataclass(frozen=True, eq=False)
class Respondents:
    """The table of the respondents: unbiased moments of all reports about its attributes."""

    evidence: TableEvidence
    moments: Answer
    method: str  # "tensor", or "stratified"
    tests: Mapping[str, Homogeneity]

    @classmethod
    def of(
        cls,
        reports: Reports,
        names: Sequence[str],
        method: str,
        coins: Collection[str] = (),
        bins: Bins | None = None,
    ) -> "Respondents":
        """Estimate it; ``coins``: numbers of which only the mean is asked; ``bins``: of others."""
        every = tuple(names)
        check_round(reports)
        counts = Aggregate.about(reports, every)
        with single_threaded:
            labels = axes_of(counts, [name for name in every if name not in coins], bins)
            axes = {axis.name: axis for axis in (*labels, *(coin_axis(counts, c) for c in coins))}
            evidence = about(reports, tuple(axes[name] for name in every))
            evidence.check()
            check_cells(evidence.shape)
            if not evidence.holding(range(len(names))):
                rule = f"no report is about {listed(names)} together, as weights need"
                raise EstimateError(f"{rule}: take margins of fewer attributes")
            moments = with_bins_open(evidence, METHODS[method](evidence))
            tests = levels_tested(counts, evidence.axes)
        if method != STRATIFIED:
            warn_if_dependent(tests, remedy(evidence))
        return cls(evidence, moments, method, tests)

    @property
    def n(self) -> int:
        return self.evidence.n

    def pilot(self, names: Sequence[str]) -> Vector:
        """Return shares of some attributes' cells, none negative, nearer to Q than moments are."""
        if self.method == STRATIFIED:  # the others take levels to say nothing about values
            flat = simplex(self.moments.value.ravel())
        else:
            plain = "adaptive" if len(self.evidence.shape) > 1 else "mle"
            with single_threaded:
                own = METHODS["blind" if self.evidence.plan.secret else plain](self.evidence)
            flat = own.value.ravel()
        shares: Vector = self.folded(flat.reshape(self.evidence.shape), names).sum(axis=-1)
        return shares / shares.sum()

    def shape(self, names: Sequence[str]) -> tuple[int, ...]:
        """Return the sizes of some attributes."""
        return tuple(self.evidence.shape[self.evidence.names.index(name)] for name in names)

    def folded(self, table: Table, names: Sequence[str]) -> Matrix:
        """Bring some attributes to the front of the last axes: (..., their cells, other cells)."""
        before, axes = self._axes(table, names)
        moved = np.moveaxis(table, axes, range(before, before + len(axes)))
        return moved.reshape(*table.shape[:before], int(np.prod(self.shape(names))), -1)

    def unfolded(self, table: Matrix, names: Sequence[str]) -> Table:
        """Bring them back where they were."""
        own = self.shape(names)
        rest = [
            s
            for s, n in zip(self.evidence.shape, self.evidence.names, strict=True)
            if n not in names
        ]
        whole = table.reshape(*table.shape[:-2], *own, *rest)
        before, axes = self._axes(whole, names)
        return np.moveaxis(whole, range(before, before + len(axes)), axes)

    def _axes(self, table: Table, names: Sequence[str]) -> tuple[int, list[int]]:
        before = table.ndim - len(self.evidence.shape)
        return before, [before + self.evidence.names.index(name) for name in names]


def stacked(margins: Sequence[Margin], names: Sequence[str], shape: Sequence[int]) -> Matrix:
    """Return which cells of a table are in which cell of each margin: (margins, cells)."""
    return np.concatenate([margin.indicator(names, shape) for margin in margins])


def calibrated(
    respondents: Respondents, names: Sequence[str], raked: Raked, margins: Sequence[Margin]
) -> Answer:
    """Return the population's table; a most likely one keeps a centre of its own."""
    moments = respondents.moments
    away = respondents.folded(moments.root, names)
    centre = moments.value if moments.centre is None else moments.centre
    found = _Step.of(respondents.folded(centre, names), raked, margins)
    root = np.concatenate(
        [
            raked.moved(found.table, (raked.weights * found.factor)[:, None] * away),
            raked.followed(found.table, known_errors(margins)),
        ]
    )
    own = _Step.of(respondents.folded(moments.value, names), raked, margins)
    value, middle, deviations = (
        respondents.unfolded(each, names) for each in (own.value, found.value, root)
    )
    return Answer(value, deviations, None if moments.centre is None else middle)


@dataclass(frozen=True, eq=False)
class _Step:
    """One Newton step of raking, from weighted moments (cells, more)."""

    table: Matrix  # T: has the sums p of the cells
    value: Matrix  # P^: has the margins
    factor: Vector  # (cells,): by which weights change

    @classmethod
    def of(cls, moments: Matrix, raked: Raked, margins: Sequence[Margin]) -> "_Step":
        targets = np.concatenate([margin.shares for margin in margins])
        weighted = raked.weights[:, None] * moments
        slopes = raked.margins.T @ (raked.solved @ (raked.margins @ weighted))
        slopes += ((1 - slopes.sum(axis=1)) / slopes.shape[1])[:, None]
        table = weighted + slopes * (raked.p - weighted.sum(axis=1))[:, None]
        gap = targets - raked.margins @ weighted.sum(axis=1)
        value = weighted + raked.followed(table, gap[None])[0]
        return cls(table, value, 1 + raked.margins.T @ (raked.solved @ gap))


def known_errors(margins: Sequence[Margin]) -> Matrix:
    """Return deviations (r, margins) of margins that were found independently of each other."""
    sizes = np.cumsum([0, *(len(margin.shares) for margin in margins)])
    whole = np.zeros((sum(len(margin.root) for margin in margins), int(sizes[-1])))
    row = 0
    for margin, column in zip(margins, sizes, strict=False):
        rows = slice(row, row + len(margin.root))
        whole[rows, column : column + len(margin.shares)] = margin.root
        row = rows.stop
    return whole


def warn_if_few(
    margins: Sequence[Margin], names: Sequence[str], shape: Sequence[int], found: Answer
) -> None:
    """Say where hardly any respondent can stand for people whose share is known.

    ``found``: the shares of respondents (cells,), and their deviations.
    """
    few = []
    for margin in margins:
        indicator = margin.indicator(names, shape)
        own = indicator @ found.value
        errors = np.sqrt(((found.root @ indicator.T) ** 2).sum(axis=0))
        for i in np.flatnonzero((own < SURE * errors) & (margin.shares > 0)).tolist():
            shares = f"{margin.shares[i]:.1%} of the population, {own[i]:.1%} of the respondents"
            few.append(f"{margin.label(i)} ({shares}, standard error {errors[i]:.1%})")
    if few:
        warn(
            f"too few respondents to be weighted well: {listed(few, MOST_NAMED)}; "
            "join such labels with others, or leave their margin out",
            CalibrationWarning,
        )
