"""A calibrated table: the respondents' table, weighted so that it has known margins.

If who responds depends on the margins' attributes a alone, the population's table is

    P(a, y) = w(a) Q(a, y)

with Q the table of the respondents and w the weights of raking (``raking.py``). Nobody's a is seen:
reports estimate Q. The estimate is the raked table's first Taylor polynomial around a pilot F, the
shrunk table, at the unbiased moments Q^ of all reports (a one-step estimate):

    P^ = w Q^ + p (A' x),    [A diag(p) A'] x = t - A (w Q^),    w and p by raking F.

It is linear in Q^, has the known margins exactly, and errs by the square of the pilot's error.
Deviations of Q^ and of the margins go through the same derivative (docs/proofs/calibration.md).
"""

import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from discretion.aggregate import Aggregate, check_round
from discretion.calibration.margins import Margin
from discretion.calibration.raking import Raked
from discretion.engine import single_threaded
from discretion.errors import CalibrationWarning, EstimateError
from discretion.estimate.homogeneity import Homogeneity, warn_if_dependent
from discretion.estimate.noise import Matrix, Vector, simplex
from discretion.estimate.weighting import Weighting
from discretion.joints.axes import Bins, axes_of, coin_axis
from discretion.joints.joint import check_cells, levels_tested, remedy, with_partners
from discretion.joints.likelihood import Table
from discretion.joints.methods import METHODS, Answer
from discretion.joints.shards import about
from discretion.joints.table_evidence import TableEvidence
from discretion.render.formats import listed
from discretion.table import Reports

MOST_NAMED = 5  # cells, in a warning
SURE = 3.0  # standard errors that the share of a margin's cell must be from zero


@dataclass(frozen=True, eq=False)
class Respondents:
    """The table of the respondents as reports show it: unbiased moments, and a pilot above zero."""

    evidence: TableEvidence
    moments: Answer
    pilot: Table
    method: str  # "tensor", or "stratified"
    tests: Mapping[str, Homogeneity]

    @classmethod
    def of(
        cls,
        reports: Reports,
        names: Sequence[str],
        method: str,
        bins: Bins | None = None,
        coins: Collection[str] = (),
    ) -> "Respondents":
        """Estimate both from all reports that answer about any of the attributes.

        ``coins``: numbers of which only the mean is asked.
        """
        every = with_partners(reports, tuple(names))
        check_round(reports)
        counts = Aggregate.about(reports, every)
        with single_threaded:
            others = axes_of(
                counts, [name for name in every if name not in coins], bins, finer=False
            )
            axes = {axis.name: axis for axis in (*others, *(coin_axis(counts, c) for c in coins))}
            evidence = about(reports, tuple(axes[name] for name in every))
            evidence.check()
            check_cells(evidence.shape)
            if not evidence.holding(range(len(names))):
                rule = f"no report is about {listed(names)} together, as weights need"
                raise EstimateError(f"{rule}: take margins of fewer attributes")
            moments, pilot = TABLES[method](evidence)
            tests = levels_tested(counts, evidence.axes)
        if method != "stratified":
            warn_if_dependent(tests, remedy(evidence))
        return cls(evidence, moments, pilot, method, tests)


def _tensor(evidence: TableEvidence) -> tuple[Answer, Table]:
    """Return unbiased moments, and the shrunk table, which is nearer to the truth than they are."""
    name = "adaptive" if len(evidence.shape) > 1 else "mle"
    pilot = METHODS["blind" if evidence.plan.secret else name](evidence)
    return METHODS["tensor"](evidence), pilot.value


def _stratified(evidence: TableEvidence) -> tuple[Answer, Table]:
    """Return moments and a pilot that do not take levels to say nothing about values."""
    moments = METHODS["stratified"](evidence)
    return moments, simplex(moments.value.ravel()).reshape(evidence.shape)


def _mle(evidence: TableEvidence) -> tuple[Answer, Table]:
    """Return the peak of the likelihood off the simplex, and the most likely table on it."""
    found = METHODS["mle"](evidence)
    centre = found.value if found.centre is None else found.centre
    return Answer(centre, found.root), found.value


TABLES: dict[str, Callable[[TableEvidence], tuple[Answer, Table]]] = {
    "tensor": _tensor,  # of numbers in bins it has far more noise than the likelihood
    "stratified": _stratified,
    "mle": _mle,
}


@dataclass(frozen=True, eq=False)
class Calibrated:
    """A calibrated table with the weights that made it; axes are those of the evidence."""

    axes: tuple[str, ...]  # of the table
    names: tuple[str, ...]  # of the margins' attributes
    shape: tuple[int, ...]  # of their table
    value: Table
    root: Table  # (r, *shape)
    shares: Vector  # of the respondents in the cells of the margins' attributes, by the pilot
    raked: Raked
    weighting: Weighting
    weight_root: Matrix  # (r, cells): deviations of the logarithms of the weights

    def marginal(self, names: Sequence[str]) -> tuple[Table, Table]:
        """Return the table of some of its attributes, and deviations."""
        others = tuple(i for i, name in enumerate(self.axes) if name not in names)
        return self.value.sum(axis=others), self.root.sum(axis=tuple(1 + i for i in others))

    @classmethod
    def of(cls, respondents: Respondents, margins: Sequence[Margin]) -> "Calibrated":
        """Rake the pilot, and go from there to the moments along the derivative."""
        evidence = respondents.evidence
        names = tuple(dict.fromkeys(name for margin in margins for name in margin.attributes))
        first = [evidence.names.index(name) for name in names]
        shape = tuple(evidence.shape[axis] for axis in first)
        cells = int(np.prod(shape))

        def folded(table: Table, before: int = 0) -> Matrix:
            """Bring the margins' attributes to the front: (..., cells, others)."""
            axes = [before + axis for axis in first]
            moved = np.moveaxis(table, axes, range(before, before + len(axes)))
            return moved.reshape(*table.shape[:before], cells, -1)

        def unfolded(table: Matrix, before: int = 0) -> Table:
            rest = [size for axis, size in enumerate(evidence.shape) if axis not in first]
            whole = table.reshape(*table.shape[:before], *shape, *rest)
            axes = [before + axis for axis in first]
            return np.moveaxis(whole, range(before, before + len(axes)), axes)

        indicators = np.concatenate([margin.indicator(names, shape) for margin in margins])
        targets = np.concatenate([margin.shares for margin in margins])
        pilot, moments = folded(respondents.pilot), folded(respondents.moments.value)
        away = folded(respondents.moments.root, 1)
        _warn_if_few(margins, names, shape, moments.sum(axis=1), away.sum(axis=2))
        shares = pilot.sum(axis=1)
        raked = Raked.of(shares, indicators, targets)
        weighted = raked.table(pilot)
        value = weighted + raked.moved(weighted, (moments - pilot)[None])[0]
        known = _stacked([margin.root for margin in margins])
        root = [raked.moved(weighted, away), raked.retargeted(weighted, known)]
        own = -away.sum(axis=2) * raked.weights @ raked.margins.T, known
        weight_root = np.concatenate(own) @ raked.solved @ raked.margins
        return cls(
            evidence.names,
            names,
            shape,
            unfolded(value),
            unfolded(np.concatenate(root), 1),
            shares,
            raked,
            _weighting(names, raked, shares, evidence),
            weight_root,
        )


def _stacked(roots: Sequence[Matrix]) -> Matrix:
    """Return deviations of margins that were found independently of each other."""
    sizes = np.cumsum([0, *(root.shape[1] for root in roots)])
    whole = np.zeros((sum(map(len, roots)), int(sizes[-1])))
    row = 0
    for root, column in zip(roots, sizes, strict=False):
        whole[row : row + len(root), column : column + root.shape[1]] = root
        row += len(root)
    return whole


def _weighting(
    names: tuple[str, ...], raked: Raked, shares: Vector, evidence: TableEvidence
) -> Weighting:
    """Return Kish's design effect: mean square of the weights, over the square of their mean."""
    effect = float(raked.weights @ raked.p) * float(shares.sum()) / float(raked.p.sum()) ** 2
    own = raked.weights[shares > 0]
    n = evidence.answering([evidence.names.index(name) for name in names])
    return Weighting(names, effect, n / effect, float(own.min()), float(own.max()))


def _warn_if_few(
    margins: Sequence[Margin],
    names: Sequence[str],
    shape: Sequence[int],
    shares: Vector,
    away: Matrix,
) -> None:
    """Say where hardly any respondent can stand for people whose share is known."""
    few = []
    for margin in margins:
        indicator = margin.indicator(names, shape)
        own, errors = indicator @ shares, np.sqrt(((away @ indicator.T) ** 2).sum(axis=0))
        for i in np.flatnonzero((own < SURE * errors) & (margin.shares > 0)).tolist():
            found = f"{margin.shares[i]:.1%} of the population, {own[i]:.1%} of the respondents"
            few.append(f"{margin.label(i)} ({found}, standard error {errors[i]:.1%})")
    if few:
        warnings.warn(
            f"too few respondents to be weighted well: {listed(few, MOST_NAMED)}; "
            "join such labels with others, or leave their margin out",
            CalibrationWarning,
            stacklevel=5,
        )
