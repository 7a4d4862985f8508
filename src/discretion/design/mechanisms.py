"""Which mechanism an attribute with labels should have: what each costs, and what it gives.

All of it follows from the laws: the bytes of a report, the variance of the linear estimate of a
code that nobody has and of one that is as frequent as all others, how far that is from the limit,
how many random bytes a device reads for a report, and how far false reports can move the estimate.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import exp, log, sqrt

import numpy as np

from discretion.budget.level import epsilon, thousandths
from discretion.design.advice import check_owners
from discretion.design.sheet import OnSheet, Sheet
from discretion.errors import EstimateError
from discretion.estimate.noise import Noise
from discretion.family.sets.manipulation import extremes
from discretion.labels.frequencies import largest_eigenvalue
from discretion.mechanism import CODED, MECHANISMS, law
from discretion.mechanism.law import LabelLaw
from discretion.plan import Plan
from discretion.plan.auto import distinct, some
from discretion.plan.encodings import plain_encoding
from discretion.robustness.bound import SHARE, check_share

HEADS = ("mechanism", "bytes", "rare ±", "even ±", "limit ×", "menu ×", "random", "false")
CHOSEN = " *"
OWNERS = 10_000


@dataclass(frozen=True)
class Candidate:
    """One mechanism at one level, and in ``over_menu`` at all of them."""

    mechanism: str
    level: int
    bytes: int  # of a report
    rare: float  # variance from one report of a code that nobody has, the others being even
    even: float  # and of a code where all are equally frequent
    over_limit: float  # that over the least that is possible
    over_menu: float  # the same, in geometric mean over the levels of the menu
    random_bytes: float  # that a device reads for a report, on average
    margin: float  # how far a share of false reports at this level moves a code, all being even

    def record(self) -> dict[str, object]:
        """Return it as plain values, with an epsilon instead of a level."""
        return {**asdict(self), "level": self.level / 1000}


@dataclass(frozen=True, repr=False)
class Comparison(OnSheet):
    """All mechanisms for an attribute, the best over the menu of levels first."""

    attribute: str
    size: int
    level: int  # thousandths of epsilon
    owners: int
    share: float  # of false reports
    chosen: str  # what the plan says
    rows: tuple[Candidate, ...]

    def of(self, mechanism: str) -> Candidate:
        """Return the row of a mechanism."""
        for row in self.rows:
            if row.mechanism == mechanism:
                return row
        known = ", ".join(row.mechanism for row in self.rows)
        raise EstimateError(f"there is a comparison of {known}, not of {mechanism}")

    def best(self, bytes: int | None = None) -> Candidate:
        """Return the best mechanism whose reports have at most so many bytes."""
        for row in self.rows:
            if bytes is None or row.bytes <= bytes:
                return row
        raise EstimateError(f"no report about {self.attribute} has {bytes} bytes or fewer")

    @property
    def sheet(self) -> Sheet:
        """The table, with what is compared above and what the columns mean below."""
        share = f"{100 * self.share:g} %"
        about = f"{self.attribute}: {self.size:,} values, {self.owners:,} owners"
        return Sheet(
            heading=f"{about} at level {epsilon(self.level)}",
            heads=HEADS,
            rows=[self._shown(row) for row in self.rows],
            words=1,
            legend=(
                "±: standard error of a value nobody has (rare), of one as frequent as all (even)",
                "limit ×: variance over the least possible; menu ×: in the mean over all levels",
                f"random: bytes a device reads; false: how far {share} false reports can go",
                f"{CHOSEN.strip()} is what the plan says"
                if self.chosen in {row.mechanism for row in self.rows}
                else f"the plan says {self.chosen}, which is not compared",
            ),
        )

    def document(self) -> dict[str, object]:
        """Return it for machines, with epsilons instead of levels."""
        head = {"attribute": self.attribute, "values": self.size, "level": self.level / 1000}
        about = {"owners": self.owners, "share": self.share, "chosen": self.chosen}
        return {**head, **about, "mechanisms": [row.record() for row in self.rows]}

    def _shown(self, row: Candidate) -> tuple[str, ...]:
        return (
            row.mechanism + (CHOSEN if row.mechanism == self.chosen else ""),
            f"{row.bytes}",
            f"{sqrt(row.rare / self.owners):.4f}",
            f"{sqrt(row.even / self.owners):.4f}",
            f"{row.over_limit:.3g}",
            f"{row.over_menu:.3g}",
            f"{row.random_bytes:,.1f}",
            f"{row.margin:.3g}",
        )


def compare_mechanisms(
    plan: Plan,
    attribute: str,
    n: int = OWNERS,
    level: float | None = None,
    share: float = SHARE,
) -> Comparison:
    """Compare all mechanisms that an attribute with labels, or bins, may have.

    Words of ``bloom`` and ``rappor`` are those of one hash and a bit for each value: with more
    hashes they are worse. Variants of local privacy are not among them, as they promise other
    things of values.

    Parameters
    ----------
    plan
        What is asked.
    attribute
        The attribute.
    n
        How many owners answer.
    level
        The epsilon of each of them. Default: the middle of the plan's menu.
    share
        Of false reports.

    Returns
    -------
    A row per mechanism: error, bytes, and how far false reports move it.

    Examples
    --------
    >>> import discretion as ds
    >>> ds.compare_mechanisms(ds.census_plan(), "travel", level=1).rows[0].mechanism
    'subset'
    """
    size, menu = plan.questions[attribute].attribute.size, plan.questions[attribute].menu
    if not plan.questions[attribute].labels or len(plan.questions[attribute].parts) > 1:
        raise EstimateError(f"{attribute!r} has no labels of its own to compare mechanisms for")
    if plan.secret:
        raise EstimateError("a plan with secret allocation takes oue only")
    check_owners(n)
    check_share(share)
    at = menu[(len(menu) - 1) // 2] if level is None else thousandths(level)
    chosen = plan.questions[attribute].mechanism
    names = [*distinct((*MECHANISMS, chosen) if chosen in MECHANISMS else MECHANISMS), *CODED]
    found = [_candidate(name, size, at, menu, share) for name in names]
    rows = tuple(sorted(found, key=lambda row: (row.over_menu, row.mechanism != chosen)))
    return Comparison(attribute, size, at, n, share, _said(plan, attribute), rows)


def _said(plan: Plan, attribute: str) -> str:
    """Return what the plan says: the name of a mechanism, with its words if these are others."""
    name = plan.questions[attribute].mechanism
    encoding = plan.questions[attribute].parameters.encoding
    if encoding is None:
        return name
    plain = encoding == plain_encoding(name, encoding.size)
    return name if plain else f"{name} of {encoding.hashes} in {encoding.bits} bits"


def _law(name: str, size: int, level: int) -> LabelLaw:
    if name in MECHANISMS:
        return law(name, size, level)
    return CODED[name](plain_encoding(name, size), level)


def _candidate(name: str, size: int, level: int, menu: Sequence[int], share: float) -> Candidate:
    own = _law(name, size, level)
    noise, even = Noise.of(own), np.full(size, 1 / size)
    rare = np.append(0.0, np.full(size - 1, 1 / (size - 1)))
    ratios = [_over_limit(_law(name, size, each), each) for each in some(menu)]
    return Candidate(
        mechanism=name,
        level=level,
        bytes=own.n_bytes,
        rare=float(noise.variance(rare)[0]),
        even=float(noise.variance(even)[0]),
        over_limit=_over_limit(own, level),
        over_menu=exp(sum(map(log, ratios)) / len(ratios)),
        random_bytes=float(own.random_bytes),
        margin=share * max(abs(end - 1 / size) for end in extremes(own)),
    )


def _over_limit(own: LabelLaw, level: int) -> float:
    """Return the variance of a code at even frequencies over the least that is possible."""
    most = largest_eigenvalue(own.size, np.array([level / 1000]))
    return float(most[0]) / Noise.of(own).precision(own.size)
