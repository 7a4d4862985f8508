"""The quality report in plain words: a verdict that can be quoted, and the limits of it."""

from collections.abc import Iterator
from statistics import median
from typing import TYPE_CHECKING

from discretion.estimate.homogeneity import dependent
from discretion.render.formats import counted, listed, number, p_value, percent
from discretion.synthesis.spending import Spending
from discretion.synthesis.unlearnt import Unlearnt
from discretion.synthesis.utility import Classified

if TYPE_CHECKING:
    from discretion.synthesis.quality import Quality

NAMED = 3  # of a list, where it is longer
BOUNDS = (
    "Reports of a number in bins only say how many people are in each bin. Its mean and median are "
    "therefore known only within bounds, however many people report. Their intervals cover the "
    "true figure wherever in its bin each number is; the estimates, and the model, take the "
    "numbers of a bin as spread evenly. The share above an edge needs no such assumption."
)
ORDERS = {1: "one attribute", 2: "two", 3: "three", 4: "four"}


def verdict(quality: "Quality") -> list[str]:
    """Say what the publication rests on, how far it can be trusted, and what it leaves open."""
    return [
        spent(quality.spending, len(quality.attributes)),
        agreed(quality),
        *levels(quality),
        *together(quality),
        learnt(quality),
    ]


def spent(spending: Spending, attributes: int) -> str:
    """Say what was spent, and by whom: on all that was asked, published or not."""
    who, what = counted(spending.reports, "owner"), counted(attributes, "attribute")
    mean, largest = number(spending.mean, 3), number(spending.largest, 3)
    if not spending.disclosed:
        return (
            f"{who} reported, and kept all levels secret; under the plan's policy none of them "
            f"spent more than an epsilon of {largest} in all, or {mean} on average. The model of "
            f"{what} and all rows drawn from it cost nothing beyond that."
        )
    return (
        f"{who} reported, and spent an epsilon of {mean} on average, {largest} at most, and no "
        f"more than {number(spending.largest_level, 3)} on one answer. The model of {what} and all "
        "rows drawn from it cost nothing beyond that."
    )


def agreed(quality: "Quality") -> str:
    """Say whether the model agrees with estimates that take no model."""
    one, two, misses = quality.one_way, quality.two_way, quality.misses
    compared = f"{counted(len(one), 'attribute')} and {counted(len(two), 'pair')}"
    if not one and not two:
        return (
            "The model could not be compared with unbiased estimates: there are too few reports "
            "for these, or too little information in them."
        )
    if not misses:
        return (
            f"Wherever the two could be compared ({compared}), the model "
            f"{'is near to' if quality.left_out else 'agrees with'} unbiased estimates as closely "
            "as their noise allows one to see."
        )
    found = listed([" and ".join(each.attributes) for each in misses], NAMED)
    return (
        f"Of the {compared} that could be compared, the model is off from unbiased estimates by "
        f"more than noise explains in {len(misses)}: {found}. Do not quote it there."
    )


def levels(quality: "Quality") -> Iterator[str]:
    """Name the attributes whose levels depend on values: the model is biased, and no test says so.

    Its comparison with unbiased estimates rests on the same assumption.
    """
    if found := dependent(quality.dependence.homogeneity):
        yield (
            f"Owners' budgets depend on their values of {listed([*found], NAMED)} (adjusted p "
            f"{p_value(min(found.values()))}), and all estimates here assume that they do not. Do "
            "not quote what involves these: compare method='stratified' of frequencies() and "
            "joint()."
        )


def together(quality: "Quality") -> Iterator[str]:
    """Name three attributes each that depend in a way that the model does not express."""
    if left := sorted(quality.left_out, key=lambda each: -each.errors):
        found = [
            f"{', '.join(each.attributes)} ({each.errors:.1f} standard errors)" for each in left
        ]
        yield (
            f"The reports show {counted(len(left), 'interaction')} of three attributes that the "
            f"model does not express: {listed(found, 2 * NAMED)}. Do not quote the model on these "
            "three together; joint() estimates their table."
        )


def learnt(quality: "Quality") -> str:
    """Say how much dependence was found, and how much may have been overlooked."""
    found, pairs = quality.dependence.edges, quality.dependence.pairs
    if not pairs:
        return "One attribute depends on no other."
    were = "was" if len(pairs) == 1 else "were"
    said = f"{len(found)} of {counted(len(pairs), 'pair')} {were} found to depend on each other."
    return " ".join([said, *_overlooked(quality.unlearnt)])


def _overlooked(unlearnt: Unlearnt) -> Iterator[str]:
    unseen = [each.visible for each in unlearnt.pairs if each.visible is not None]
    if len(unseen) == 1:
        yield (
            "One was not distinguishable from independence: a dependence of less than "
            f"{_nats(unseen[0])} may have gone undetected."
        )
    elif unseen:
        yield (
            f"{len(unseen)} were not distinguishable from independence: a dependence of less than "
            f"{_nats(median(unseen))} in the median pair, or {_nats(max(unseen))} in the "
            "pair with the least information, may have gone undetected."
        )
    if blind := len(unlearnt.pairs) - len(unseen):
        yield (
            f"For {counted(blind, 'pair')} the reports carry so little information that even the "
            "strongest dependence may have gone undetected."
        )


def known(quality: "Quality") -> Iterator[str]:
    """Say how far from the truth it is, where that is given."""
    if (utility := quality.utility) is None:
        return
    off = [f"{percent(d.mean)} for {ORDERS[d.order]}" for d in utility.distances]
    yield (
        f"Against the {utility.records:,} true records of this simulation, its tables are off by "
        f"{listed(off)}: that share of people would have to change cells, on average over "
        "the tables."
    )
    yield from map(classified, utility.classifiers)
    if not utility.classifiers and len(quality.attributes) > 1:
        yield (
            "No classifiers were trained on the synthetic rows: this needs scikit-learn "
            "(pip install 'discretion[utility]')."
        )


def classified(kind: Classified) -> str:
    """Say how a kind of classifier does."""
    mean = kind.mean
    return (
        f"A {kind.kind} that learnt from the synthetic rows is right about "
        f"{percent(mean.synthetic)} of real ones; one that learnt from real rows about "
        f"{percent(mean.real)}, and the most frequent value is right for {percent(mean.majority)} "
        f"(average over {counted(len(kind.targets), 'target')}, {kind.rows:,} real rows)."
    )


def limits(unlearnt: Unlearnt) -> Iterator[str]:
    """Say what no reader should take from this publication."""
    yield (
        "What three attributes or more do together is not learnt: it is implied by the pairs. If "
        "levels are disclosed, each three are tested for more than that, and named if they show "
        "it. A tie that shows only among four at once goes unnoticed."
    )
    if unlearnt.dropped:
        names = listed([f"{each.one} and {each.other}" for each in unlearnt.dropped], 6)
        yield (
            f"Found to depend, but in no common table of the model, as these would be too large: "
            f"{names}. The model carries it through other attributes only, if at all."
        )
    if blind := [each for each in unlearnt.pairs if each.visible is None]:
        names = listed([f"{each.one} and {each.other}" for each in blind], 6)
        yield (
            f"The reports carry too little information to say whether these pairs depend: {names}. "
            "The model takes them as independent but for what other attributes imply."
        )
    if unlearnt.binned:
        yield (
            f"Where in its bin a number lies was not asked: {listed(unlearnt.binned, 6)}. Rows "
            "fill each bin evenly, so do not quote their means or quantiles without these bounds: "
            "see the headline figures."
        )
    for few in unlearnt.attributes:
        yield (
            f"Only {few.n:,} reports ({percent(few.share)}) are about {few.attribute}; their "
            "estimate is taken to hold for all."
        )
    yield (
        "All estimates assume that what an owner shares, and her budget, does not depend on her "
        "values, and that devices are honest."
    )
    yield (
        "The comparison uses the reports that the model was fitted to, so that ratios below one "
        "are the rule; it finds what the model cannot express, not every error."
    )


def privacy_notes(spending: Spending) -> Iterator[str]:
    """Say under which rules privacy was spent."""
    yield f"The contract is {spending.contract}: {spending.meaning}."
    yield f"The policy: {spending.policy}."
    if spending.disclosed:
        yield (
            "Reports state the level of each answer, so what an owner shared and at which level "
            "is known to whoever collects them. Other rounds, if any, are spent in addition."
        )
    else:
        yield (
            "Levels are secret: nobody but the owner knows what she spent, and the numbers here "
            "are what the policy allows for as many attributes as she shared."
        )


def _nats(strength: float) -> str:
    return f"{strength:.2g} nats"
