"""Answers for machines: an estimate, how far false reports move it, and the weight of each level.

Reports are counted once for all of that: the evidence is passed on.
"""

from collections.abc import Sequence
from itertools import product
from typing import cast

from discretion import order
from discretion.aggregate import Aggregate, Evidence
from discretion.errors import EstimateError, KindError
from discretion.estimate.documents import numbers, shares
from discretion.estimate.documents.checks import Bounded, MarginShape, Weighed, WeightShape
from discretion.family import of
from discretion.joints import joint
from discretion.joints.axes import Bins
from discretion.labels import frequencies
from discretion.numbers import CurveEstimate, NumberEstimate, mean, quantiles
from discretion.numbers.number_evidence import Data, NumberEvidence, evidence_of
from discretion.order.boxes import Data as OrderData
from discretion.order.boxes import evidence_of as order_evidence
from discretion.order.evidence import OrderEvidence, is_ordered
from discretion.order.runs import Range
from discretion.robustness.bound import ManipulationBound
from discretion.robustness.joint_bound import joint_margin
from discretion.robustness.number_bound import margin, quantile_margin
from discretion.robustness.range_bound import mean_margin, range_margin
from discretion.robustness.weights import weights
from discretion.sets import means
from discretion.table import Reports

SHARES = (0.01, 0.05)  # of false reports, beside each interval


class FrequenciesAnswer(shares.Frequencies, Weighed):
    """The frequencies of an attribute."""


class KeyMeansAnswer(numbers.KeyMeans, Weighed):
    """The means of the keys of a map."""


class MeanAnswer(numbers.Mean, Weighed):
    """The mean of a number."""


class RangesAnswer(numbers.Ranges, Bounded):
    """The shares of ranges."""


class QuantilesAnswer(numbers.Quantiles, Bounded):
    """Quantiles of a number."""


class JointAnswer(shares.Joint, Bounded):
    """A joint table."""


def frequencies_answer(
    data: Reports | Aggregate,
    attribute: str,
    method: str = "auto",
    target: str = "population",
    cap: float | None = None,
    candidates: Sequence[str] | None = None,
    *,
    applicable: bool = False,
) -> FrequenciesAnswer:
    """Estimate the frequencies of labels, or of candidates for a text, whose margins none knows.

    Of sets of texts they are known. There are none of the shares among those to whom a question
    applies.
    """
    family = of(data.plan.questions[attribute])
    if candidates is not None or family.open:
        found = frequencies(data, attribute, method, target, cap, candidates)
        if not family.several:
            return {**found.document(), "margins": [], "weights": []}
        cells = Evidence.of(data, attribute)
        bounds = [_of_each(margin(cells, attribute, share), found.labels) for share in SHARES]
        return {**found.document(), "margins": bounds, "weights": weights_of(cells)}
    evidence = Evidence.of(data, attribute)
    estimate = frequencies(evidence, attribute, method, target, cap, applicable=applicable)
    shares = () if applicable else SHARES
    margins = [margin(evidence, attribute, share, cap).document() for share in shares]
    return {**estimate.document(), "margins": margins, "weights": weights_of(evidence, cap)}


def _of_each(bound: ManipulationBound, labels: Sequence[str]) -> MarginShape:
    """Return a bound that is that of any item, for each of these."""
    document = bound.document()
    (any_item,) = document["margins"]
    return {**document, "margins": [{**any_item, "what": label} for label in labels]}


def means_answer(
    data: Reports | Aggregate, attribute: str, method: str = "auto", given: str | None = None
) -> KeyMeansAnswer:
    """Estimate the means of a map's keys, with what false reports do to them and to shares.

    Nobody knows that of the means among the owners with one key.
    """
    if given is not None:
        return {**means(data, attribute, method, given).document(), "margins": [], "weights": []}
    evidence = Evidence.of(data, attribute)
    margins = [margin(evidence, attribute, share).document() for share in SHARES]
    found = means(evidence, attribute, method).document()
    return {**found, "margins": margins, "weights": weights_of(evidence)}


def mean_answer(
    data: Data | OrderEvidence, attribute: str, method: str = "auto", target: str = "population"
) -> MeanAnswer:
    """Estimate the mean of a number; reports by intervals have no weight of a level."""
    if is_ordered(data, attribute):
        ordered = OrderEvidence.of(data, attribute)
        found = order.mean(ordered, attribute, method, target)
        bounds = [mean_margin(ordered, attribute, share).document() for share in SHARES]
        return {**_mean(found), "margins": bounds, "weights": []}
    assert not isinstance(data, OrderEvidence)
    evidence = NumberEvidence.of(data, attribute)
    estimate = mean(evidence, attribute, method, target)
    margins = [margin(evidence, attribute, share).document() for share in SHARES]
    return {**_mean(estimate), "margins": margins, "weights": weights_of(evidence)}


def ranges_answer(
    data: OrderData, attribute: str, ranges: Sequence[Range] | None = None
) -> RangesAnswer:
    """Estimate the shares of ranges."""
    evidence = order_evidence(data, attribute)
    estimate = order.ranges(evidence, attribute, ranges)
    margins = [range_margin(evidence, attribute, share, ranges).document() for share in SHARES]
    return {**estimate.document(), "margins": margins}


def quantiles_answer(
    data: Data, attribute: str, at: Sequence[float], margins: bool = False
) -> QuantilesAnswer:
    """Estimate quantiles of a number; margins, which take longer than all else, on request."""
    if is_ordered(data, attribute):
        return {**_quantiles(order.quantiles(data, attribute, at)), "margins": []}
    evidence = NumberEvidence.of(data, attribute)
    estimate = quantiles(evidence, attribute, at)
    shares = SHARES if margins else ()
    bounds = [quantile_margin(evidence, attribute, share, at).document() for share in shares]
    return {**_quantiles(estimate), "margins": bounds}


def joint_answer(
    reports: Reports, attributes: Sequence[str], method: str = "auto", bins: Bins | None = None
) -> JointAnswer:
    """Estimate a joint table; the margins are those of its cells where that can be said.

    Else they are those of its attributes, one by one.
    """
    estimate = joint(reports, attributes, method, bins)
    return {**estimate.document(), "margins": _joint_margins(reports, attributes)}


def _joint_margins(reports: Reports, attributes: Sequence[str]) -> list[MarginShape]:
    try:
        return [joint_margin(reports, attributes, share).document() for share in SHARES]
    except (EstimateError, KindError):
        evidence = [evidence_of(reports, name) for name in attributes]
        return [
            margin(each, each.attribute, share).document()
            for each, share in product(evidence, SHARES)
        ]


def weights_of(evidence: Evidence | NumberEvidence, cap: float | None = None) -> list[WeightShape]:
    """Return the reports of each level and their share of the weight; none where it is secret."""
    if evidence.plan.secret:
        return []
    try:
        found = weights(evidence, evidence.attribute, cap)
    except EstimateError:  # reports that are not decoded have no weights
        return []
    return [{"level": w.level, "reports": w.reports, "share": w.share} for w in found]


def _mean(estimate: NumberEstimate) -> numbers.Mean:
    return cast("numbers.Mean", estimate.document())  # whose key is what is estimated


def _quantiles(estimate: CurveEstimate) -> numbers.Quantiles:
    return cast("numbers.Quantiles", estimate.document())
