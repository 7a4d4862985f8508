"""What the dashboard asks: all one-way estimates of a round at once, and what takes longer.

There is a card for every attribute and every statistic of the registry that has one. An estimate
that cannot be made has the reason in its place, so that one attribute without reports hides no
other. Levels are grouped where there are many of them: a policy may allow thousands.
"""

import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeVar, cast

from discretion.aggregate import Aggregate
from discretion.budget.level import level_of
from discretion.errors import DiscretionError, EvidenceWarning
from discretion.estimate.documents import finite
from discretion.estimate.documents.checks import WeightShape
from discretion.estimate.estimate import Result
from discretion.numbers import HistogramEstimate, histogram
from discretion.numbers.number_evidence import NumberEvidence
from discretion.order import RangesEstimate, quantiles, ranges
from discretion.order.boxes import evidence_of, is_plane
from discretion.order.evidence import OrderEvidence, is_ordered
from discretion.order.steps import steps
from discretion.robustness import screen
from discretion.statistics import STATISTICS, Statistic, cards, kinds_of
from discretion.statistics.answers import (
    frequencies_answer,
    mean_answer,
    ranges_answer,
)
from discretion.table import Reports
from discretion.trends import series
from discretion.web.dashboard.documents import (
    Curves,
    Density,
    Frequencies,
    LevelGroup,
    LevelRow,
    Levels,
    Mean,
    Overview,
    Quantiles,
    Ranges,
    Rows,
    Screenings,
    Trends,
    Tried,
    TriedLabels,
    TriedNumber,
    TriedOther,
    TriedQuantiles,
    TriedRanges,
    TriedScreening,
    TriedSeries,
)

FEW = 6  # levels up to which each is shown by itself
BINS = 12  # of a density
QUANTILES = cast("Sequence[float]", STATISTICS["quantiles"].option("at").default)
Candidates = Mapping[str, list[str]]  # for texts, by attribute
Card = TriedLabels | TriedNumber | TriedRanges | TriedOther
Weights = Mapping[str, Sequence[WeightShape]]  # of levels, by name
K = TypeVar("K", bound=str)
T = TypeVar("T")


def of_overview(
    data: Aggregate, candidates: Candidates, reports: Callable[[], Reports]
) -> Overview:
    """Estimate all that is asked, and count the answers by level.

    The reports are read only where counts do not suffice.
    """
    tried = [
        card(reports() if each.reads_reports(data.plan, name) else data, name, each, candidates)
        for name, each in cards(data.plan)
    ]
    found = ((each["name"], each["found"]) for each in tried)
    weights = {name: own.pop("weights") for name, own in found if own and "weights" in own}
    return {"reports": data.reports, "estimates": tried, "levels": _levels(data, weights)}


def of_curves(data: Aggregate) -> Curves:
    """Estimate quantiles of every number: their intervals take longer than all the rest."""
    names = [n for n in data.plan.names if STATISTICS["quantiles"].applies(data.plan, n)]
    tried: list[TriedQuantiles] = [
        _tried(n, "number", lambda n: _quantiles(data, n)) for n in names
    ]
    return {"reports": data.reports, "curves": tried}


def of_screenings(data: Aggregate) -> Screenings:
    """Test the reports about everything that is asked."""
    names = [name for name in data.plan.names if kinds_of(data.plan, name)]
    tried: list[TriedScreening] = [
        _tried(name, "", lambda name: screen(data, name).document()) for name in names
    ]
    return {"reports": data.reports, "screenings": tried}


def of_trends(rounds: Sequence[Aggregate]) -> Trends:
    """Follow over all rounds what can be followed, as soon as two rounds have reports."""
    there = [each for each in rounds if each.reports]
    if len(there) < 2:
        return {"trends": []}
    plan, statistic = there[0].plan, STATISTICS["series"]
    names = [name for name in plan.names if statistic.applies(plan, name)]
    tried: list[TriedSeries] = [
        _tried(name, "", lambda name: series(there, name).document()) for name in names
    ]
    return {"trends": tried}


def card(
    data: Aggregate | Reports, name: str, statistic: Statistic, candidates: Candidates | None = None
) -> Card:
    """Return what a statistic of the registry finds of a name, or why it finds nothing.

    Of those that have a card with a chart of their own it is more than of all others.
    """
    match statistic.name:
        case "frequencies":
            known = (candidates or {}).get(name)
            labels: TriedLabels = _tried(name, "labels", lambda name: _labels(data, name, known))
            return labels
        case "mean":
            find = _ordered_number if is_ordered(data, name) else _number
            number: TriedNumber = _tried(name, "number", lambda name: find(data, name))
            return number
        case "ranges":
            shares: TriedRanges = _tried(name, "ranges", lambda name: _ranges(data, name))
            return shares
    rows: Tried[Literal["other"], Rows]
    rows = _tried(name, "other", lambda name: _table(statistic.function(data, name)))
    return {**rows, "statistic": statistic.name}


def _tried(name: str, kind: K, find: Callable[[str], T]) -> Tried[K, T]:
    """Return what is found of a name, or why nothing is, and what the library warns of."""
    found, reason = None, ""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = find(name)
        except DiscretionError as error:
            reason = str(error)
    notes = [str(w.message) for w in caught if issubclass(w.category, EvidenceWarning)]
    return {"name": name, "kind": kind, "found": found, "reason": reason, "warnings": notes}


def _labels(data: Aggregate | Reports, name: str, candidates: list[str] | None) -> Frequencies:
    return {**frequencies_answer(data, name, candidates=candidates)}


def _quantiles(data: Aggregate, name: str) -> Quantiles:
    return cast("Quantiles", quantiles(data, name, QUANTILES).document())


def _ranges(data: Aggregate | Reports, name: str) -> Ranges:
    evidence = evidence_of(data, name)
    found: Ranges = {**ranges_answer(evidence, name), "weights": ()}  # type: ignore[typeddict-item]
    if isinstance(evidence, OrderEvidence) and not is_plane(data, name):
        found["steps"] = steps(evidence).document()
    return found


def _number(data: Aggregate | Reports, name: str) -> Mean:
    evidence = NumberEvidence.of(data, name)
    found = mean_answer(evidence, name)
    bins = histogram(evidence, name, max(min(BINS, evidence.number.size - 1), 1))
    whole: Mean = {**found, "density": _density(bins.edges.tolist(), bins)}
    return cast("Mean", finite(whole))


def _ordered_number(data: Aggregate | Reports, name: str) -> Mean:
    """Return what is found of a number that is reported by intervals: its density is of ranges."""
    evidence = OrderEvidence.of(data, name)
    found = ranges(evidence, name)
    edges = [*(float(low) for low, _ in found.ranges), float(found.ranges[-1][1])]
    whole: Mean = {**mean_answer(evidence, name), "density": _density(edges, found)}
    return cast("Mean", finite(whole))


def _density(edges: Sequence[float], bins: HistogramEstimate | RangesEstimate) -> Density:
    low, high = bins.interval().T.tolist()
    return {"edges": edges, "value": bins.value.tolist(), "low": low, "high": high}


def _table(result: Result) -> Rows:
    """Return what a card shows of any result: its rows under their heads."""
    frame = result.to_frame("pyarrow")
    rows = finite([list(row.values()) for row in frame.to_pylist()])
    return {"heads": frame.column_names, "rows": rows}


def _levels(data: Aggregate, weights: Weights) -> Levels:
    """Count the answers of each name by group of levels, with the share of the weight."""
    counts = {name: _counts(data, name) for name in data.plan.names}
    groups = _groups({level for own in counts.values() for level in own})
    shares = {name: {own["level"]: own["share"] for own in each} for name, each in weights.items()}
    rows: list[LevelRow] = [
        {"name": name, "groups": _grouped(own, shares.get(name, {}), groups)}
        for name, own in counts.items()
    ]
    return {"secret": data.plan.secret, "groups": groups, "rows": rows}


def _counts(data: Aggregate, name: str) -> Counter[int]:
    found = Counter[int]()
    for stratum, tally in data.counted(name).items():
        found[level_of(stratum)] += tally.n
    return found


def _groups(levels: set[int]) -> list[list[int]]:
    """Return the first and last level of each group: every one if few, else doubling."""
    if len(levels) <= FEW:
        return [[level, level] for level in sorted(levels)]
    ends, most = [min(levels)], max(levels)
    while ends[-1] < most:
        ends.append(2 * ends[-1])
    starts = [ends[0], *(end + 1 for end in ends[1:-1])]
    return [[a, min(b, most)] for a, b in zip(starts, ends[1:], strict=True)]


def _grouped(
    counts: Mapping[int, int], shares: Mapping[int, float], groups: list[list[int]]
) -> list[LevelGroup]:
    return [
        {
            "reports": sum(n for level, n in counts.items() if a <= level <= b),
            "share": sum(s for level, s in shares.items() if a <= level <= b) if shares else None,
        }
        for a, b in groups
    ]
