"""How many people must answer: for intervals that are narrow enough, or to find a difference.

A pilot crowd is simulated with the budgets that one expects. The covariance of its estimate, by the
laws at the supposed frequencies, falls as one over the number of owners, so one pilot gives it for
any number. A difference delta between n owners on each side has the noncentrality n delta' V^-1
delta, with V the sum of both covariances for one owner, half-way between the sides. The test
rejects with the probability of a noncentral chi-square above its critical value.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, nan
from typing import Any, SupportsFloat

import numpy as np
import pyarrow as pa
from scipy.special import chdtri, chndtr, chndtrinc, ndtri

from discretion.design.pilot import Pilot
from discretion.errors import EstimateError
from discretion.estimate.estimate import Tabular, check_confidence
from discretion.estimate.legend import Legend
from discretion.estimate.noise import Vector
from discretion.plan import Plan
from discretion.table.frame import Frame

AROUND = (0.25, 0.5, 1, 2, 4)  # times the owners needed, for which the table shows what they give
ROUNDING = 1e-9


@dataclass(frozen=True, eq=False, repr=False)
class Needed(Tabular):
    """How many owners are needed, and what other numbers of owners would give."""

    attributes: tuple[str, ...]
    owners: int  # on each side
    sides: int
    share: float  # of the owners, whose reports are about the attributes
    goal: str  # in words
    measure: str  # "half-width" or "power"
    forecast: Callable[[float], float]  # of the measure, from the owners on each side
    legend: Legend = field(default_factory=Legend, kw_only=True)  # what people read of it

    @property
    def summary(self) -> str:
        """How many owners are needed for what."""
        where = " on each side" if self.sides > 1 else ""
        who = f"{self.owners:,} owners{where}"
        if self.share < 1 - ROUNDING:
            who += f", {round(self.owners * self.share):,} of whom report"
        title = " x ".join(map(self.legend.title, self.attributes))
        return f"{title}: {who}, {self.goal}"

    def to_frame(self, backend: str | None = None) -> Frame:
        """Return owners and the measure, for the number that is needed and for others around it."""
        owners = [ceil(self.owners * times) for times in AROUND]
        values = [self.forecast(n) for n in owners]
        return self.framed(pa.table({"owners": owners, self.measure: values}), backend)

    def document(self) -> dict[str, Any]:
        """Return it for machines."""
        return {
            "attributes": list(self.attributes),
            "owners": self.owners,
            "sides": self.sides,
            "reporting": self.share,
            "goal": self.goal,
            "forecasts": self.to_frame("pyarrow").to_pylist(),
        }


def needed(
    plan: Plan,
    attribute: str | Sequence[str],
    *,
    halfwidth: float | None = None,
    effect: float | Mapping[str, float] | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    confidence: float = 0.95,
    sides: int = 2,
    guess: object = None,
    budgets: object = None,
    share: object = "all",
) -> Needed:
    """Return how many owners must answer, with the budgets and shares that one expects.

    Parameters
    ----------
    plan
        What is asked.
    attribute
        One attribute, or the attributes of a table.
    halfwidth
        Of the interval of every share, of a mean, or (two attributes or more) of every cell of a
        table.
    effect
        A difference that the test of ``compare`` is to find: between two means, of any one share
        (the others change in proportion), or by label.
    power, alpha
        Of that test.
    confidence
        Of that interval.
    sides
        1 is for the test of ``fits``, against stated shares.
    guess
        The frequencies of labels, by label or in the plan's order; (mean, standard deviation) of a
        number. Without one, all values are equally frequent.
    budgets, share
        Those of ``simulate``; by default owners divide their allowances at random, or choose any
        level of the menu, and share all.

    Returns
    -------
    The number of owners, and a forecast around it.

    Examples
    --------
    >>> import discretion as ds
    >>> ds.needed(ds.census_plan(), "travel", halfwidth=0.02).owners
    4606
    """
    if not isinstance(plan, Plan):
        raise EstimateError(f"needed is asked of a plan, before collecting: got {plan!r}")
    names = (attribute,) if isinstance(attribute, str) else tuple(attribute)
    plan.questions.check(names)
    check_confidence(confidence)
    _check_test(effect, power, alpha, sides, names)
    if (halfwidth is None) == (effect is None):
        raise EstimateError("name either a halfwidth or an effect")
    halfwidth = None if halfwidth is None else _positive("halfwidth", halfwidth)
    crowd = Pilot.of(plan, names, guess, budgets, share)
    if halfwidth is not None:
        return _wide_enough(crowd, halfwidth, confidence)
    return _powerful_enough(crowd, effect, power, alpha, sides)


def _wide_enough(crowd: Pilot, halfwidth: float, confidence: float) -> Needed:
    """Return how many owners make the widest interval narrow enough."""
    if not crowd.is_number and halfwidth >= 1:
        raise EstimateError(f"halfwidth: a share is within {halfwidth:g} of any other")
    deviations = float(ndtri((1 + confidence) / 2))
    widest = deviations * float(np.sqrt(np.diag(crowd.covariance()).max()))
    owners = max(ceil((widest / halfwidth) ** 2 - ROUNDING), 1)
    what = (
        "the mean" if crowd.is_number else "every share" if len(crowd.names) == 1 else "every cell"
    )
    width = _size(crowd, halfwidth)
    goal = f"to know {what} to within ±{width} with {100 * confidence:g} % confidence"
    return Needed(
        crowd.names,
        owners,
        1,
        crowd.share,
        goal,
        "half-width",
        lambda n: widest / n**0.5,
        legend=Legend.of(crowd.plan),
    )


def _powerful_enough(
    crowd: Pilot,
    effect: float | Mapping[str, float] | None,
    power: float,
    alpha: float,
    sides: int,
) -> Needed:
    """Return how many owners on each side make the test find the effect often enough."""
    shifts = _shifts(crowd, effect)
    df = max(len(shifts[0]) - 1, 1)
    each = min(_noncentrality(crowd, shift, sides) for shift in shifts)
    critical = float(chdtri(df, alpha))
    owners = max(ceil(float(chndtrinc(critical, df, 1 - power)) / each - ROUNDING), 1)
    much = _size(crowd, effect) if isinstance(effect, int | float) else "the stated size"
    against = "between both" if sides > 1 else "from stated shares"
    certainty = f"{100 * power:g} % power at {100 * alpha:g} %"
    goal = f"to find a difference of {much} {against} with {certainty}"
    return Needed(
        crowd.names,
        owners,
        sides,
        crowd.share,
        goal,
        "power",
        lambda n: 1 - float(chndtr(critical, df, n * each)),
        legend=Legend.of(crowd.plan),
    )


def _size(crowd: Pilot, size: float) -> str:
    """Write a half-width or a difference: of means in the unit of the number."""
    name = crowd.names[0] if crowd.is_number else ""
    return Legend.of(crowd.plan).difference(name, "{:g}".format)(size)


def _noncentrality(crowd: Pilot, shift: Vector, sides: int) -> float:
    """Return what one owner on each side adds to it; two sides share what lies between them."""
    covariance = sides * crowd.covariance(shift / 2 if sides > 1 else 0.0)
    return float(shift @ np.linalg.pinv(covariance, hermitian=True) @ shift)


def _shifts(crowd: Pilot, effect: object) -> list[Vector]:
    """Return the differences that are meant: one by label, or one share up and the others down."""
    if crowd.is_number:
        return [np.array([_positive("effect", effect)])]
    (name,), (f,) = crowd.names, crowd.frequencies
    labels = crowd.plan.questions[name].labels
    if isinstance(effect, Mapping):
        if stray := set(effect) - set(labels):
            raise EstimateError(f"effect: {name!r} has no value {sorted(stray, key=str)[0]!r}")
        shift = np.array([float(effect.get(label, 0.0)) for label in labels])
        if abs(shift.sum()) > ROUNDING or not shift.any():
            raise EstimateError(
                f"effect: differences of shares must sum to zero, got {shift.sum():.4g}"
            )
        return [shift]
    size = _positive("effect", effect)
    if size >= 1:
        raise EstimateError(f"effect: a share cannot differ by {size:g}")
    rest = np.where(f < 1, 1 - f, 1.0)
    return [np.where(np.arange(len(f)) == v, size, -size * f / rest[v]) for v in range(len(f))]


def _check_test(
    effect: object,
    power: float,
    alpha: float,
    sides: int,
    names: Sequence[str],
) -> None:
    if effect is not None and len(names) > 1:
        raise EstimateError("an effect is about one attribute: name a halfwidth for a table")
    if sides not in (1, 2):
        raise EstimateError(f"sides must be 1 or 2, got {sides!r}")
    for what, value in (("power", power), ("alpha", alpha)):
        if not _positive(what, value) < 1:
            raise EstimateError(f"{what} must lie between 0 and 1, got {value!r}")


def _positive(what: str, value: object) -> float:
    try:
        found = float(value) if isinstance(value, SupportsFloat) else nan
    except TypeError:  # of several numbers
        found = nan
    if not 0 < found < float("inf"):
        raise EstimateError(f"{what} must be a number above 0, got {value!r}")
    return found
