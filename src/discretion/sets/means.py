"""The means of the keys of a map: of all owners who have them, or of those with one of them."""

from discretion.aggregate import Data, Evidence
from discretion.errors import EstimateError
from discretion.estimate.estimate import check_choice
from discretion.estimate.homogeneity import warn_if_dependent
from discretion.estimate.legend import Legend
from discretion.sets.given import means_given
from discretion.sets.key_means import MapMeans
from discretion.sets.keys import Halves
from discretion.sets.shares import METHODS, REMEDY
from discretion.sets.strata import agreement, counted, groups_of, longest


def means(data: Data, attribute: str, method: str = "auto", given: str | None = None) -> MapMeans:
    """Estimate the mean of each key of a map, among the owners who have the key.

    ``weighted`` (``auto``) weighs every level and length by its precision; ``stratified`` takes the
    reports of the longest length only. Beside each mean stand the share of owners with the key and
    the mean over all owners, zero for those without it, which are unbiased.

    ``given`` a key: the same among the owners who have that one, from the reports that are about
    two entries or more. Both keys come from one report, so the error is much larger.
    """
    evidence = Evidence.of(data, attribute)
    family, counts = counted(evidence)
    if family.ends is None:
        raise EstimateError(f"{attribute!r} is {family.question.kind.noun}: means are of maps")
    check_choice("method", method, ("auto", *METHODS))
    if given is not None:
        return means_given(evidence, given, method)
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
