"""What the dashboard asks: all one-way estimates of a round at once, and what takes longer.

An estimate that cannot be made has the reason in its place, so that one attribute without reports
hides no other. Levels are grouped where there are many of them: a policy may allow thousands.
"""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from functools import partial

from discretion.aggregate import Aggregate
from discretion.budget.grade import level_of
from discretion.collector.estimates import Document, of_frequencies, of_mean
from discretion.errors import DependenceWarning, DiscretionError
from discretion.estimate.document import finite
from discretion.numbers import histogram, quantiles
from discretion.numbers.document import curve_document
from discretion.numbers.readings import Readings, is_told
from discretion.plan import Plan
from discretion.robustness.number_screening import screen
from discretion.synthesis.dependence import Dependence

FEW = 6  # levels up to which each is told by itself
BINS = 12  # of a density
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
LABELS, NUMBER = "labels", "number"


def of_overview(data: Aggregate) -> Document:
    """Estimate all that is asked, and count the answers by level."""
    tried = [
        _tried(name, kind, partial(_estimate, data, name, kind)) for name, kind in asked(data.plan)
    ]
    weights = {each["name"]: each["found"].pop("weights") for each in tried if each["found"]}
    return {"reports": data.reports, "estimates": tried, "levels": _levels(data, weights)}


def of_curves(data: Aggregate) -> Document:
    """Estimate quantiles of every number: their intervals take longer than all the rest."""
    numbers = [name for name, kind in asked(data.plan) if kind == NUMBER]
    tried = [_tried(name, NUMBER, partial(_quantiles, data, name)) for name in numbers]
    return {"reports": data.reports, "curves": tried}


def of_screenings(data: Aggregate) -> Document:
    """Test the reports about everything that is asked."""
    names = dict.fromkeys(name for name, _ in asked(data.plan))
    tried = [_tried(name, "", partial(_screening, data, name)) for name in names]
    return {"reports": data.reports, "screenings": tried}


def of_dependence(found: Dependence) -> Document:
    """Return a dependence for machines."""
    pairs = [asdict(pair) for pair in found.pairs]
    return finite({"attributes": list(found.attributes), "rate": found.rate, "pairs": pairs})


def asked(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield each name and whether labels or a number are estimated of it; a few tell both."""
    for name in plan.names:
        if plan.questions[name].labels:
            yield name, LABELS
        if plan.questions[name].family is not Family.BLOCKS and is_told(plan, name):
            yield name, NUMBER


def _tried(name: str, kind: str, work: Callable[[], Document]) -> Document:
    """Return what is found of a name, or why nothing is, and what the library warns of."""
    found, reason = None, ""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = work()
        except DiscretionError as error:
            reason = str(error)
    notes = [str(w.message) for w in caught if issubclass(w.category, DependenceWarning)]
    return {"name": name, "kind": kind, "found": found, "reason": reason, "warnings": notes}


def _estimate(data: Aggregate, name: str, kind: str) -> Document:
    if kind == LABELS:
        return of_frequencies(data, name, "auto", "population", None)
    readings = Readings.of(data, name)
    found = of_mean(readings, name, "auto", "population")
    bins = histogram(readings, name, max(min(BINS, readings.number.size - 1), 1))
    low, high = bins.interval().T.tolist()
    density = {"edges": bins.edges.tolist(), "value": bins.value.tolist(), "low": low, "high": high}
    return finite({**found, "density": density})


def _quantiles(data: Aggregate, name: str) -> Document:
    return curve_document(quantiles(data, name, QUANTILES))


def _screening(data: Aggregate, name: str) -> Document:
    return screen(data, name).document()


def _levels(data: Aggregate, weights: Mapping[str, list[Document]]) -> Document:
    """Count the answers of each name by group of levels, with the share of the weight."""
    counts = {name: _counts(data, name) for name in data.plan.names}
    groups = _groups({level for own in counts.values() for level in own})
    rows = [
        {"name": name, "groups": _grouped(own, _shares(weights.get(name, ())), groups)}
        for name, own in counts.items()
    ]
    return {"secret": data.plan.secret, "groups": groups, "rows": rows}


def _counts(data: Aggregate, name: str) -> dict[int, int]:
    found: dict[int, int] = {}
    for grade, tally in data.counted(name).items():
        level = level_of(grade)
        found[level] = found.get(level, 0) + tally.n
    return found


def _shares(weights: Iterable[Document]) -> dict[int, float]:
    """Return each level's share of the weight; nothing where there is none to be had."""
    return {each["level"]: each["share"] for each in weights}


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
    counts: dict[int, int], shares: dict[int, float], groups: list[list[int]]
) -> list[Document]:
    return [
        {
            "reports": sum(n for level, n in counts.items() if a <= level <= b),
            "share": sum(s for level, s in shares.items() if a <= level <= b) if shares else None,
        }
        for a, b in groups
    ]
