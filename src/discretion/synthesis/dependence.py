"""Which attributes depend on each other: a calibrated test for each pair, from the reports alone.

Reports of independent attributes have a score of mean zero, so its square in units of its own
covariance has a known law: chi-square, with the variance that products of rare values give it; or
Hotelling's, where the covariance was sampled together with the score. Over all pairs the false
discovery rate is controlled (Benjamini and Hochberg 1995). The strength is half the chi-square
distance from independence, which is the mutual information as long as it is small, without what
noise alone would give; the plug-in value of the literature is mostly noise.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import scipy

from discretion.engine import single_threaded
from discretion.errors import EstimateError
from discretion.estimate.documents import finite
from discretion.estimate.homogeneity import Homogeneity, warn_if_dependent
from discretion.extras import needed
from discretion.family import of
from discretion.joints.axes import Bins, checked_names
from discretion.plan import Plan
from discretion.render.graph import Graph
from discretion.synthesis.score_statistic import ScoreStatistic
from discretion.synthesis.scores import Scores
from discretion.synthesis.soft_evidence import SoftEvidence
from discretion.table import Reports
from discretion.table.frame import Frame, Framed, as_its_caller

if TYPE_CHECKING:
    import networkx as nx

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RESOLVED = 1e-6  # of the largest variance: what single precision cannot distinguish from zero
MOST_TERMS = 1 << 13  # interactions of a pair: their covariance has the square of that
UNLISTED = "and a model is of attributes that have a list of values"
REMEDY = "compare joint(..., method='stratified')"
RATE = 0.05  # of edges that are no dependence, among all edges: at most, on average

Vector = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two attributes, and what the reports say about their dependence."""

    one: str
    other: str
    statistic: float  # about df if they are independent
    df: int
    p: float
    adjusted: float  # the smallest false discovery rate at which the pair is an edge
    strength: float  # half the chi-square distance in nats, without what noise would give
    n: int  # reports that answer about both

    @property
    def names(self) -> tuple[str, str]:
        return self.one, self.other


@dataclass(frozen=True, repr=False)
class Dependence(Framed):
    """All pairs of the attributes, in their order; the edges are the pairs that depend."""

    attributes: tuple[str, ...]
    pairs: tuple[Pair, ...]
    rate: float
    homogeneity: Mapping[str, Homogeneity] = field(default_factory=dict)  # by question, if tested

    @property
    def edges(self) -> tuple[Pair, ...]:
        """The pairs taken to depend on each other, strongest first."""
        found = (pair for pair in self.pairs if pair.adjusted <= self.rate)
        return tuple(sorted(found, key=lambda pair: -pair.strength))

    @property
    def graph(self) -> "nx.Graph":
        """The attributes, with an edge for each pair that depends, weighted by its strength."""
        import networkx as nx  # slow to import, and seldom needed

        graph = nx.Graph()
        graph.add_nodes_from(self.attributes)
        for pair in self.edges:
            graph.add_edge(*pair.names, strength=pair.strength, p=pair.p)
        return graph

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        edges, pairs, n = (
            len(self.edges),
            len(self.pairs),
            max((p.n for p in self.pairs), default=0),
        )
        rule = f"false discovery rate {self.rate:g}, up to {n:,} reports of a pair"
        return f"{edges} of {pairs} pairs depend on each other ({rule})"

    def to_frame(self, backend: str | None = None) -> Frame:
        """Return a row for each pair: ``pyarrow``, ``pandas`` or ``polars``."""
        fields = ("one", "other", "statistic", "df", "p", "adjusted", "strength", "n")
        columns = {field: [getattr(pair, field) for pair in self.pairs] for field in fields}
        edges = [pair.adjusted <= self.rate for pair in self.pairs]
        return self.framed(pa.table({**columns, "edge": edges}), backend)

    def document(self) -> dict[str, Any]:
        """Return it for machines."""
        pairs = [asdict(pair) for pair in self.pairs]
        whole = {"attributes": list(self.attributes), "rate": self.rate, "pairs": pairs}
        found: dict[str, Any] = finite(whole)
        return found

    def plot(self) -> "Figure":
        """Draw the graph: a line for each edge, the wider the stronger."""
        with needed("plot()"):
            from discretion.render.figures import plot_graph

        summary = f"{len(self.edges)} of {len(self.pairs)} pairs depend"
        alt = f"Dependence of {len(self.attributes)} attributes: {summary}"
        return plot_graph(self.drawing(), summary, alt)

    def drawing(self, dashed: Collection[tuple[str, str]] = ()) -> Graph:
        """Return what is drawn: the attributes, and a link for each edge."""
        links = {pair.names: pair.strength for pair in self.edges}
        return Graph(self.attributes, links, dashed)

    def _repr_html_(self) -> str:
        from discretion.synthesis.page import edges

        return edges(self).html()


@as_its_caller
def dependence(
    reports: Reports,
    attributes: Sequence[str] | None = None,
    rate: float = RATE,
    bins: Bins | None = None,
) -> Dependence:
    """Test each pair of attributes for independence, and control the false discovery rate.

    Every report that answers both counts, with the weight its levels deserve. Secret plans are
    tested without knowing the levels. Assumes that what an owner shares, and her budget, does not
    depend on her values; a ``DependenceWarning`` says where levels contradict that.

    Parameters
    ----------
    reports
        The reports.
    attributes
        Which ones; by default all that were shared.
    rate
        The false discovery rate.
    bins
        Of numbers, as in ``joint``.

    Returns
    -------
    The pairs with their tests; the edges are those that depend.

    Examples
    --------
    >>> import discretion as ds
    >>> reports = ds.simulate(ds.census_plan(), ds.census(10_000, seed=1), seed=1)
    >>> ds.dependence(reports, ["age", "work", "travel"]).edges[0].names
    ('age', 'work')
    """
    check(reports, rate)
    names = attributes_of(reports, attributes)
    with single_threaded:
        found = tested(Scores(SoftEvidence.of(reports, names, bins)), rate)
    warn_if_dependent(found.homogeneity, REMEDY)
    return found


def check(reports: Reports, rate: float) -> None:
    """Refuse what are no reports, and what is no rate."""
    if not isinstance(reports, Reports):
        raise EstimateError(f"publication needs reports, got {type(reports).__name__}")
    if not 0 < rate < 1:
        raise EstimateError(f"the false discovery rate must lie between 0 and 1, got {rate}")


def attributes_of(reports: Reports, attributes: Sequence[str] | None) -> tuple[str, ...]:
    """Return the attributes asked for, by default all that somebody shared."""
    plan = reports.plan
    if attributes is None:
        asked = [
            n for n in reports.shared if n in plan.attributes or of(plan.questions[n]).tabulated
        ]
        shared = {part for name in asked for part in plan.questions[name].parts}
        return _tabulated(plan, [name for name in plan.attributes if name in shared])
    return _tabulated(plan, checked_names(plan, attributes))


def _tabulated(plan: Plan, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names; refuse what is in no table, and a number of which only a mean is known."""
    for name in names:
        question = plan.questions[name]
        if not of(question).tabulated:
            raise EstimateError(
                f"{name!r} is {question.kind.noun}, {UNLISTED}: name the other attributes"
            )
        if of(question).mean_only:
            rule = "not what it depends on: name the other attributes"
            raise EstimateError(f"{question.mechanism} estimates the mean of {name!r} only, {rule}")
    return tuple(names)


def tested(scores: Scores, rate: float) -> Dependence:
    """Test every pair."""
    names = scores.evidence.names
    for (one, k), (other, m) in combinations(zip(names, scores.evidence.shape, strict=True), 2):
        if (k - 1) * (m - 1) > MOST_TERMS:
            pair = f"{one!r} with {k:,} values and {other!r} with {m:,}"
            rule = f"(k - 1) (m - 1) may be {MOST_TERMS:,}: leave one out, or give it fewer values"
            raise EstimateError(f"{pair} are too large to be tested; {rule}")
    tests = [_test(scores.pair(a, b)) for a, b in combinations(range(len(names)), 2)]
    adjusted = scipy.stats.false_discovery_control([test[2] for test in tests]) if tests else []
    pairs = tuple(
        Pair(one, other, statistic, df, p, float(q), strength, n)
        for (one, other), (statistic, df, p, strength, n), q in zip(
            combinations(names, 2), tests, adjusted, strict=True
        )
    )
    return Dependence(names, pairs, rate, scores.evidence.homogeneity)


def _test(score: ScoreStatistic) -> tuple[float, int, float, float, int]:
    """Return the statistic, its degrees of freedom, p, the strength and the reports."""
    values, vectors = np.linalg.eigh(score.covariance)
    kept = values > values.max(initial=0.0) * RESOLVED
    df, n = int(kept.sum()), score.n
    if df == 0 or (score.sampled and n <= df + 1):
        return 0.0, max(df, 1), 1.0, 0.0, n
    along = vectors[:, kept].T @ score.value
    statistic = float((along**2 / values[kept]).sum())
    if score.sampled:  # Hotelling 1931
        p = float(scipy.stats.f.sf(statistic * (n - df) / (df * (n - 1)), df, n - df))
    else:  # a chi-square of the same mean and variance (Satterthwaite 1946)
        scale = 1 + score.excess(vectors[:, kept] / np.sqrt(values[kept])) / (2 * df)
        p = float(scipy.stats.chi2.sf(statistic / scale, df / scale))
    return statistic, df, p, _strength(along, values[kept]), n


def _strength(along: Vector, information: Vector) -> float:
    """Return half the squared interactions, without their noise, shrunk by their reliability.

    Interactions of variance v, as the statistic has them on average, are known to the part
    v information / (1 + v information): those of rare values hardly, and their noise is large.
    """
    excess = float((along**2 / information).sum()) - len(along)
    variance = max(excess, 0.0) / float(information.sum())
    shrinkage = variance * information / (1 + variance * information)
    squares = (along / information) ** 2 - 1 / information
    return max(float(shrinkage @ squares), 0.0) / 2
