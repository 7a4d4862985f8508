"""The share of people in ranges of an ordered attribute."""

from collections.abc import Sequence

import numpy as np

from discretion.errors import EstimateError
from discretion.estimate.legend import Legend
from discretion.order.boxes import Data, boxes, is_plane
from discretion.order.evidence import OrderEvidence
from discretion.order.result import LinearRuns, RangesEstimate
from discretion.order.runs import Range, cuts_of, equal, named, pair_of
from discretion.table.frame import as_its_caller

PARTS = 10  # ranges of equal width where none are named


@as_its_caller
def ranges(
    data: Data, attribute: str | Sequence[str], ranges: Sequence[Range] | None = None
) -> RangesEstimate:
    """Estimate which share of people lies in each range; both ends belong to it.

    Parameters
    ----------
    data
        Reports by the mechanism ``hierarchy``, an aggregate of them, or evidence.
    attribute
        A number, or labels in order; or a list of two numbers that are reported together.
    ranges
        Pairs of numbers, or of labels in order; None for an end that is open. A range may also be a
        text such as ``0..20000`` or ``..fair``. Without ranges, the whole is divided into ten. Of
        two numbers a pair of such ranges, one for each, or a text such as ``18..30 x 0..20000``.

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
    if not isinstance(attribute, str) or is_plane(data, attribute):
        return boxes(data, attribute, ranges)
    evidence = OrderEvidence.of(data, attribute)
    wanted = (
        equal(evidence.attribute, PARTS) if ranges is None else [pair_of(each) for each in ranges]
    )
    if not wanted:
        raise EstimateError("ranges must be one or more pairs, got none")
    domain = evidence.attribute
    cuts = np.array([cuts_of(domain, low, high) for low, high in wanted], np.int64)
    ends = [named(domain, pair, own) for pair, own in zip(wanted, cuts.tolist(), strict=True)]
    low, high = cuts.T
    both, where = np.unique(cuts, return_inverse=True)
    deviations = evidence.deviations(both)[:, where.reshape(cuts.shape)]
    return RangesEstimate(
        attribute,
        ends,
        evidence.below(high) - evidence.below(low),
        deviations[:, :, 1] - deviations[:, :, 0],
        LinearRuns(
            evidence.linear.below(high) - evidence.linear.below(low), evidence.variance, low, high
        ),
        evidence.n,
        legend=Legend.of(evidence.plan),
    )
