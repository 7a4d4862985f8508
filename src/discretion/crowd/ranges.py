"""The ranges in which simulated owners answer: chosen whatever their values."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discretion.crowd.records import Codes
from discretion.errors import BudgetError
from discretion.plan import Plan
from discretion.schema import Numeric
from discretion.table.frame import to_arrow


def places_of(plan: Plan, n: int, ranges: object, rng: np.random.Generator) -> Mapping[str, Codes]:
    """Return each owner's place on the menu, for the attributes that have one.

    ``ranges``: "whole", "menu" (any, at random), or a frame of places.
    """
    menus = {
        name: len(plan.questions[name].ranges) for name in plan.names if plan.questions[name].ranges
    }
    if isinstance(ranges, str):
        if ranges not in ("whole", "menu"):
            raise BudgetError("ranges must be whole, menu or a frame of places", ranges)
        most = {name: size if ranges == "menu" else 1 for name, size in menus.items()}
        return {name: rng.integers(0, size, n) for name, size in most.items()}
    frame = to_arrow(ranges)
    for name in frame.column_names:
        if name not in menus:
            raise BudgetError("ranges must be those of attributes with a menu", name)
    return {name: _given(name, frame, n, size) for name, size in menus.items()}


def within_ranges(
    plan: Plan, name: str, codes: Codes, places: npt.NDArray[np.integer]
) -> tuple[Codes, int]:
    """Return codes as they are in each owner's range, and how many lay outside.

    Those are at the nearer end: their owner's report does not tell.
    """
    attribute = plan.questions[name].attribute
    assert isinstance(attribute, Numeric)
    parts = [attribute.within(place) for place in range(1 + len(attribute.ranges))]
    first = np.array([(part.low - attribute.low) // attribute.step for part in parts])[places]
    last = np.array([part.size - 1 for part in parts])[places]
    inside = np.clip(codes - first, 0, last)
    return inside, int((inside != codes - first).sum())


def _given(name: str, frame: pa.Table, n: int, size: int) -> Codes:
    if name not in frame.column_names:
        return np.zeros(n, np.int64)
    places = np.asarray(frame[name].fill_null(0))
    if places.shape != (n,) or places.dtype.kind not in "iu":
        raise BudgetError(f"{name}: ranges must be {n} places on the menu", places.dtype)
    if len(stray := places[(places < 0) | (places >= size)]):
        raise BudgetError(f"{name}: range must be on the plan's menu, 0 to {size - 1}", stray[0])
    return places.astype(np.int64)
