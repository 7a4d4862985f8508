"""The means of the keys of a map: of all owners who have them, or of those with one of them.

Among the owners with one key, a report is about both keys. Whether the first is there, and nothing
or which end of the second, are six states, whose exact law gives twelve outputs: least squares over
the strata, as for columns of a matrix. The share of the second is a quotient of two of their sums,
and its mean of two others. Derivation: docs/proofs/sets.md, section 7.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from discretion.aggregate import Data, Evidence
from discretion.errors import EstimateError, meant
from discretion.estimate.estimate import check_choice
from discretion.estimate.homogeneity import warn_if_dependent
from discretion.estimate.legend import Legend
from discretion.estimate.noise import Matrix
from discretion.estimate.quotient import Estimated, quotient
from discretion.family import Covers
from discretion.family.columns import PooledColumns
from discretion.family.counts import Outputs
from discretion.mechanism.holding import given_law
from discretion.sets.key_means import MapMeans
from discretion.sets.keys import Halves
from discretion.sets.shares import METHODS, REMEDY
from discretion.sets.strata import agreement, counted, groups_of, longest
from discretion.table import ReportTable


def means(data: Data, attribute: str, method: str = "auto", given: str | None = None) -> MapMeans:
    """Estimate the mean of each key of a map, among the owners who have the key.

    Beside each mean stand the share of owners with the key and the mean over all owners, zero for
    those without it, which are unbiased.

    Parameters
    ----------
    data
        Reports, an aggregate of them, or evidence.
    attribute
        A map.
    method
        ``weighted`` (``auto``) weighs every level and length by its precision. ``stratified`` takes
        the reports of the longest length only, each level by its owners.
    given
        A key: the same among the owners who have that one, from the reports that are about two
        entries or more. Both keys come from one report, so the error is much larger.

    Returns
    -------
    A mean for each key.

    Examples
    --------
    >>> import discretion as ds
    >>> hours = {"name": "hours", "kind": "map", "keys": ["read", "swim"], "length": 2}
    >>> hours |= {"range": [0, 10], "step": 1}
    >>> plan = ds.Plan.of({"name": "week", "attributes": [hours], "budget": {"levels": [2, 4]}})
    >>> people = {"hours": [{"read": 8}] * 3000 + [{"read": 4, "swim": 2}] * 1000}
    >>> reports = ds.simulate(plan, people, budgets="levels", seed=1)
    >>> ds.means(reports, "hours")["read"]
    read: 6.97 (stderr 0.1374, 95 % interval 6.7 to 7.239)
    """
    evidence = Evidence.of(data, attribute)
    family, counts = counted(evidence)
    if family.ends is None:
        raise EstimateError(f"{attribute!r} is {family.question.kind.noun}: means are of maps")
    check_choice("method", method, ("auto", *METHODS))
    if given is not None:
        check_choice("method with given", method, ("auto", "weighted"))
        return means_given(evidence, given)
    test = agreement(groups_of(family, counts))
    if method == "stratified":
        counts = longest(family, counts)
    else:
        method = "weighted"
        warn_if_dependent({attribute: test}, REMEDY)
    pooled = family.pooled(counts, by_owners=method == "stratified")
    products, shares = Halves.of(pooled).both(*family.ends)
    made = attribute, family.estimated, products, shares, family.ends, pooled.n, method, test
    return MapMeans(*made, legend=Legend.of(evidence.plan))


Counts = npt.NDArray[np.int64]  # (keys, outputs)
STATES = 6
UNDECIDED = (
    "reports of one code say nothing about two keys of an owner, and those about {!r} have "
    "no more: lower levels, a shorter length or more keys have several"
)


@dataclass(frozen=True, eq=False, repr=False)
class GivenMeans(MapMeans):
    """The same among the owners who have a key, ``given``; ``among`` is their share."""

    given: str
    among: Estimated

    @property
    def estimated(self) -> tuple[Estimated, Estimated]:
        return quotient(self.products, self.among), quotient(self.shares, self.among)

    @property
    def title(self) -> str:
        legend = self.legend
        key = legend.label(self.attribute, self.given)
        return f"{legend.title(self.attribute)}, among those with {key}"


def means_given(evidence: Evidence, given: str) -> GivenMeans:
    """Estimate shares and means of all other keys among the owners with a key."""
    family = evidence.family.covered()
    labels, ends = family.estimated, family.ends
    assert ends is not None
    if given not in labels:
        rule = f"{evidence.attribute!r} has no {given!r} among its keys"
        raise EstimateError(f"{rule}{meant(given, labels)}")
    place = labels.index(given)
    found = evidence.reports.fold([evidence.attribute], partial(_counted, family, place))
    if not found:
        raise EstimateError("two keys of an owner need reports of two entries or more")
    laws = {stratum: given_law(family.law(stratum)) for stratum in found}
    others = [key for key in range(len(labels)) if key != place]
    n = sum(int(counts[0].sum()) for counts in found.values())
    rows = []
    for key in others:
        levels = [
            (laws[stratum], Outputs(int(counts[key].sum()), counts[key]))
            for stratum, counts in sorted(found.items())
        ]
        pooled = PooledColumns(levels)
        if not pooled.identifiable:
            raise EstimateError(UNDECIDED.format(evidence.attribute))
        rows.append(_sums(pooled, ends))
    value, root = (np.stack(each, axis=-1) for each in zip(*rows, strict=True))
    products, shares, among = (Estimated(value[i], root[:, i]) for i in range(3))
    named = tuple(labels[key] for key in others)
    made = evidence.attribute, named, products, shares, ends, n, "weighted", None
    return GivenMeans(*made, given, among, legend=Legend.of(evidence.plan))


def _sums(pooled: PooledColumns, ends: tuple[float, float]) -> tuple[Matrix, Matrix]:
    """Return the mean over all of who has both, their share and that of the first; deviations."""
    sums = np.zeros((3, STATES))
    sums[0, 4:], sums[1, 4:], sums[2, 3:] = ends, 1.0, 1.0
    covariance = sums @ pooled.covariance(pooled.start) @ sums.T
    values, vectors = np.linalg.eigh(covariance)
    return sums @ pooled.value, (vectors * np.sqrt(np.maximum(values, 0.0))).T


def _counted(family: Covers, place: int, reports: ReportTable) -> dict[int, Counts]:
    """Count for each key the outputs about it and the given one, by stratum of two entries."""
    found: dict[int, Counts] = {}
    symbols = len(family.entries.symbols)
    for strata, y in reports.answers(family.name):
        for stratum in np.unique(strata).tolist():
            if family.law(stratum).length < 2:
                continue
            own = y[strata == stratum]
            bits = np.unpackbits(own, axis=1, count=symbols, bitorder="little")
            counts = _outputs(bits.reshape(len(own), -1, 2).astype(np.int64), place)
            found[stratum] = found.get(stratum, np.zeros_like(counts)) + counts
    return found


def _outputs(bits: Counts, place: int) -> Counts:
    """Return how often each key has each of the outputs: (keys, 12)."""
    given = bits[:, place].sum(axis=1)
    parts = []
    for count in range(3):
        rows = bits[given == count]
        low, high = rows.sum(axis=0).T
        both = (rows[..., 0] & rows[..., 1]).sum(axis=0)
        parts += [len(rows) - low - high + both, low - both, high - both, both]
    return np.stack(parts, axis=1)
