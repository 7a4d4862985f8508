"""The share of people in ranges of an ordered attribute."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import floor, isinf

import numpy as np

from discretion.errors import EstimateError
from discretion.estimate.legend import Legend
from discretion.order.evidence import Data, OrderEvidence
from discretion.order.result import Ends, LinearRanges, RangesEstimate
from discretion.schema import Attribute, Numeric
from discretion.table.frame import as_its_caller

PARTS = 10  # ranges of equal width where none are named
TO = ".."  # between the ends of a range that is written as a text

Range = str | Sequence[object]


@as_its_caller
def ranges(data: Data, attribute: str, ranges: Sequence[Range] | None = None) -> RangesEstimate:
    """Estimate which share of people lies in each range; both ends belong to it.

    Parameters
    ----------
    data
        Reports by the mechanism ``hierarchy``, an aggregate of them, or evidence.
    attribute
        A number, or labels in order.
    ranges
        Pairs of numbers, or of labels in order; None for an end that is open. A range may also be a
        text such as ``0..20000`` or ``..fair``. Without ranges, the whole is divided into ten.

    Returns
    -------
    A share for each range. It is drawn together where reports are too few to tell neighbours apart.
    ``linear`` is unbiased without that, and its intervals hold whatever the distribution.

    Examples
    --------
    >>> import discretion as ds
    >>> pay = {"name": "pay", "kind": "numeric", "range": [0, 2047], "step": 1}
    >>> plan = ds.Plan.of({"name": "pay", "attributes": [{**pay, "mechanism": "hierarchy"}],
    ...                    "budget": {"levels": [1, 2, 4]}})
    >>> people = {"pay": [(i * i) % 1500 for i in range(5000)]}
    >>> reports = ds.simulate(plan, people, budgets="levels", seed=1)
    >>> ds.ranges(reports, "pay", ["0..999", "1500.."]).value.round(1)
    array([0.7, 0. ])
    """
    evidence = OrderEvidence.of(data, attribute)
    wanted = _equal(evidence) if ranges is None else [_pair(each) for each in ranges]
    if not wanted:
        raise EstimateError("ranges must be one or more pairs, got none")
    domain = evidence.attribute
    cuts = np.array([_cuts(domain, low, high) for low, high in wanted], np.int64)
    ends = [_named(domain, pair, own) for pair, own in zip(wanted, cuts.tolist(), strict=True)]
    low, high = cuts.T
    both, where = np.unique(cuts, return_inverse=True)
    deviations = evidence.deviations(both)[:, where.reshape(cuts.shape)]
    return RangesEstimate(
        attribute,
        ends,
        evidence.below(high) - evidence.below(low),
        deviations[:, :, 1] - deviations[:, :, 0],
        LinearRanges(
            evidence.linear.below(high) - evidence.linear.below(low), low, high, evidence.variance
        ),
        evidence.n,
        legend=Legend.of(evidence.plan),
    )


def _pair(stated: Range) -> tuple[object, object]:
    """Return the two ends of a range as they are stated."""
    if isinstance(stated, str):
        low, to, high = stated.partition(TO)
        if to:
            return low.strip() or None, high.strip() or None
    elif len(stated) == 2:
        return stated[0], stated[1]
    raise EstimateError(f"a range must be two ends, such as 0{TO}20000, got {stated!r}")


def _cuts(domain: Attribute, low: object, high: object) -> tuple[int, int]:
    """Return the codes below a range, and those up to its end."""
    number = domain.number
    if number is None:
        first = 0 if low is None else domain.code(low)
        last = domain.size - 1 if high is None else domain.code(high)
    else:
        if low is not None and high is not None and _number(number, low) > _number(number, high):
            raise EstimateError(f"a range must have its smaller end first, got {low!r} to {high!r}")
        below = 0 if low is None else max(-floor(-_position(number, low)), 0)
        return below, max(domain.size if high is None else cut_above(number, high), below)
    if first > last:
        raise EstimateError(f"a range must have its smaller end first, got {low!r} to {high!r}")
    return first, last + 1


def cut_above(number: Numeric, end: object) -> int:
    """Return how many codes of a number's grid are at most this number."""
    return min(max(floor(_position(number, end)) + 1, 0), number.size)


def _position(number: Numeric, end: object) -> Fraction:
    """Return where a number lies on the grid of codes; one outside lies beyond its ends."""
    found = _number(number, end)
    if isinstance(found, float):
        return Fraction(number.size if found > 0 else -1)
    steps = (found / number.unit - number.low) / number.stride
    return max(min(steps, Fraction(number.size)), Fraction(-1))


def _named(
    domain: Attribute, pair: tuple[object, object], cuts: Sequence[int]
) -> tuple[Ends, Ends]:
    """Return the ends as results have them: numbers, or labels."""
    number = domain.number
    if number is None:
        first, stop = cuts
        return domain.labels[first], domain.labels[stop - 1]
    written = (number.low, number.high)
    low, high = (
        whole * number.unit if end is None else _number(number, end)
        for end, whole in zip(pair, written, strict=True)
    )
    return float(low), float(high)


def _number(number: Numeric, end: object) -> Fraction | float:
    """Return an end of a range, which may be infinite; of a date the number of its day."""
    if isinstance(end, float) and isinf(end):
        return end
    try:
        return number.point(Decimal(end) if isinstance(end, str) and not number.calendar else end)
    except (TypeError, ArithmeticError, ValueError):
        raise EstimateError(f"an end of a range of {number.name} cannot be {end!r}") from None


def _equal(evidence: OrderEvidence) -> list[tuple[object, object]]:
    """Return ranges that divide all codes into equal parts."""
    domain = evidence.attribute
    edges = [
        domain.size * part // min(PARTS, domain.size) for part in range(min(PARTS, domain.size) + 1)
    ]
    if domain.number is None:
        return [(domain.labels[low], domain.labels[high - 1]) for low, high in pairwise(edges)]
    number = domain.number

    def at(code: int) -> object:
        return (number.low + code * number.stride) * number.unit

    return [(at(low), at(high - 1)) for low, high in pairwise(edges)]
