"""The share of people in boxes: both of two numbers lie in a range of their own."""

from collections.abc import Sequence
from itertools import product
from typing import cast

from discretion.errors import EstimateError
from discretion.estimate.legend import Legend
from discretion.order.cells import CellsEvidence
from discretion.order.evidence import Data as OrderData
from discretion.order.evidence import OrderEvidence
from discretion.order.plane import PlaneEvidence
from discretion.order.result import BoxesEstimate, corners
from discretion.order.runs import TO, Range, cuts_of, equal, named, pair_of
from discretion.plan import Plan
from discretion.schema import Numeric

PARTS = 4  # ranges of each number where none are named
TIMES = "x"  # between the ranges of a box that is written as a text

Data = OrderData | CellsEvidence
Pair = tuple[object, object]
Written = str | Sequence[object]  # a box


def is_plane(data: Data, name: str) -> bool:
    """Whether a question is about where two numbers lie."""
    return data.plan.questions[name].parameters.plane


def plane_evidence(data: Data, name: str) -> PlaneEvidence | CellsEvidence:
    """Count the reports about where two numbers lie."""
    if isinstance(data, CellsEvidence) or data.plan.questions[name].parameters.own_bins:
        return CellsEvidence.of(data, name)
    return PlaneEvidence.of(data, name)


def evidence_of(data: Data, name: str) -> OrderEvidence | CellsEvidence:
    """Count the reports about an ordered attribute, or about where two numbers lie."""
    if is_plane(data, name):
        return plane_evidence(data, name)
    return OrderEvidence.of(data, name)


def boxes(
    data: Data, names: str | Sequence[str], wanted: Sequence[Written] | None
) -> BoxesEstimate:
    """Estimate which share of people lies in each box; the ends of both ranges belong to it."""
    name, turned = _question(data.plan, names)
    evidence = plane_evidence(data, name)
    grids = evidence.grids
    pairs = _equal(grids) if wanted is None else [_pairs(each, turned=turned) for each in wanted]
    if not pairs:
        raise EstimateError("ranges must be one or more, got none")
    cuts = [[cuts_of(grid, *own) for grid, own in zip(grids, pair, strict=True)] for pair in pairs]
    ends = [
        tuple(_ends(*own) for own in zip(grids, pair, cut, strict=True))
        for pair, cut in zip(pairs, cuts, strict=True)
    ]
    value, deviations, linear = evidence.found(cuts)
    return BoxesEstimate(
        evidence.name,
        [corners(box) for box in ends],
        value,
        deviations,
        linear,
        evidence.n,
        boxes=ends,
        legend=Legend.of(evidence.plan),
    )


def _question(plan: Plan, names: str | Sequence[str]) -> tuple[str, bool]:
    """Return the question about where two numbers lie, and whether it has them the other way."""
    if isinstance(names, str):
        return names, False
    wanted = tuple(names)
    plan.questions.check(wanted)
    for question in plan.questions.values():
        if question.parameters.plane and sorted(question.parts) == sorted(wanted):
            return question.name, question.parts != wanted
    rule = "must be two numbers of a bundle with mechanism hierarchy, or with bins"
    raise EstimateError(f"{' and '.join(wanted)} {rule}")


def _pairs(stated: Written, *, turned: bool) -> list[Pair]:
    """Return the range of each number as it is stated; one that is left out is the whole."""
    parts = stated.split(TIMES) if isinstance(stated, str) else [*stated]
    if len(parts) != 2:
        example = f"18{TO}30 {TIMES} 0{TO}20000"
        raise EstimateError(f"a range of two numbers must be two, such as {example}: {stated!r}")
    found = [pair_of((None, None) if own is None else cast("Range", own)) for own in parts]
    return found[::-1] if turned else found


def _ends(grid: Numeric, pair: Pair, cuts: tuple[int, int]) -> tuple[float, float]:
    low, high = named(grid, pair, cuts)
    return float(low), float(high)


def _equal(grids: Sequence[Numeric]) -> list[list[Pair]]:
    """Return boxes that divide both numbers into equal parts."""
    return [list(pair) for pair in product(*(equal(grid, PARTS) for grid in grids))]
