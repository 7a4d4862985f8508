"""What the dashboard asks: all one-way estimates of a round at once, and what takes longer.

There is a card for every attribute and every statistic of the registry that has one. An estimate
that cannot be made has the reason in its place, so that one attribute without reports hides no
other. Levels are grouped where there are many of them: a policy may allow thousands.
"""

import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from discretion.aggregate import Aggregate
from discretion.budget.level import level_of
from discretion.errors import DiscretionError, EvidenceWarning
from discretion.estimate.documents import finite
from discretion.estimate.estimate import Result
from discretion.numbers import histogram
from discretion.numbers.number_evidence import NumberEvidence
from discretion.order import quantiles, ranges
from discretion.order.evidence import OrderEvidence, is_ordered
from discretion.order.steps import steps
from discretion.robustness import screen
from discretion.statistics import STATISTICS, Statistic, cards, kinds_of
from discretion.statistics.answers import frequencies_answer, mean_answer, ranges_answer
from discretion.table import Reports
from discretion.trends import series

FEW = 6  # levels up to which each is shown by itself
BINS = 12  # of a density
QUANTILES = cast("Sequence[float]", STATISTICS["quantiles"].option("at").default)
LABELS, NUMBER, RANGES, OTHER = "labels", "number", "ranges", "other"
KINDS = {
    "frequencies": LABELS,
    "mean": NUMBER,
    "ranges": RANGES,
}  # of cards that are drawn in their own way
Document = dict[str, Any]
Candidates = Mapping[str, list[str]]  # for texts, by attribute


def of_overview(
    data: Aggregate, candidates: Candidates, reports: Callable[[], Reports]
) -> Document:
    """Estimate all that is asked, and count the answers by level.

    The reports are read only where counts do not suffice.
    """
    tried = [
        card(reports() if each.reads_reports(data.plan, name) else data, name, each, candidates)
        for name, each in cards(data.plan)
    ]
    weights = {
        each["name"]: each["found"].pop("weights")
        for each in tried
        if each["found"] is not None and "weights" in each["found"]
    }
    return {"reports": data.reports, "estimates": tried, "levels": _levels(data, weights)}


def of_curves(data: Aggregate) -> Document:
    """Estimate quantiles of every number: their intervals take longer than all the rest."""
    numbers = [n for n in data.plan.names if STATISTICS["quantiles"].applies(data.plan, n)]
    tried = [_tried(n, NUMBER, lambda n: quantiles(data, n, QUANTILES).document()) for n in numbers]
    return {"reports": data.reports, "curves": tried}


def of_screenings(data: Aggregate) -> Document:
    """Test the reports about everything that is asked."""
    names = [name for name in data.plan.names if kinds_of(data.plan, name)]
    tried = [_tried(name, "", lambda name: dict(screen(data, name).document())) for name in names]
    return {"reports": data.reports, "screenings": tried}


def of_trends(rounds: Sequence[Aggregate]) -> Document:
    """Follow over all rounds what can be followed, as soon as two rounds have reports."""
    there = [each for each in rounds if each.reports]
    if len(there) < 2:
        return {"trends": []}
    plan, statistic = there[0].plan, STATISTICS["series"]
    names = [name for name in plan.names if statistic.applies(plan, name)]
    tried = [_tried(name, "", lambda name: dict(series(there, name).document())) for name in names]
    return {"trends": tried}


def card(
    data: Aggregate | Reports, name: str, statistic: Statistic, candidates: Candidates | None = None
) -> Document:
    """Return what a statistic of the registry finds of a name, or why it finds nothing."""
    kind = KINDS.get(statistic.name, OTHER)
    tried = _tried(name, kind, lambda name: _estimate(data, name, statistic, candidates or {}))
    return {**tried, "statistic": statistic.name} if kind == OTHER else tried


def _tried(name: str, kind: str, find: Callable[[str], Document]) -> Document:
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


def _estimate(
    data: Aggregate | Reports, name: str, statistic: Statistic, candidates: Candidates
) -> Document:
    match statistic.name:
        case "frequencies":
            return frequencies_answer(data, name, candidates=candidates.get(name))
        case "mean":
            return _ordered_number(data, name) if is_ordered(data, name) else _number(data, name)
        case "ranges":
            evidence = OrderEvidence.of(data, name)
            return {**ranges_answer(evidence, name), "steps": steps(evidence).document()}
        case _:
            return _table(statistic.function(data, name))


def _number(data: Aggregate | Reports, name: str) -> Document:
    evidence = NumberEvidence.of(data, name)
    found = mean_answer(evidence, name)
    bins = histogram(evidence, name, max(min(BINS, evidence.number.size - 1), 1))
    low, high = bins.interval().T.tolist()
    density = {"edges": bins.edges.tolist(), "value": bins.value.tolist(), "low": low, "high": high}
    return dict(finite({**found, "density": density}))


def _ordered_number(data: Aggregate | Reports, name: str) -> Document:
    """Return what is found of a number that is reported by intervals: its density is of ranges."""
    evidence = OrderEvidence.of(data, name)
    found = ranges(evidence, name)
    low, high = found.interval().T.tolist()
    edges = [*(float(low) for low, _ in found.ranges), float(found.ranges[-1][1])]
    density = {"edges": edges, "value": found.value.tolist(), "low": low, "high": high}
    return dict(finite({**mean_answer(evidence, name), "density": density}))


def _table(result: Result) -> Document:
    """Return what a card shows of any result: its rows under their heads."""
    frame = result.to_frame("pyarrow")
    rows = finite([list(row.values()) for row in frame.to_pylist()])
    return {"heads": frame.column_names, "rows": rows}


def _levels(data: Aggregate, weights: Mapping[str, list[Document]]) -> Document:
    """Count the answers of each name by group of levels, with the share of the weight."""
    counts = {name: _counts(data, name) for name in data.plan.names}
    groups = _groups({level for own in counts.values() for level in own})
    shares = {name: {own["level"]: own["share"] for own in each} for name, each in weights.items()}
    rows = [
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
) -> list[Document]:
    return [
        {
            "reports": sum(n for level, n in counts.items() if a <= level <= b),
            "share": sum(s for level, s in shares.items() if a <= level <= b) if shares else None,
        }
        for a, b in groups
    ]
