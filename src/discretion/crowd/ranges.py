"""The ranges in which simulated owners answer: chosen whatever their values."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discretion.crowd.records import Codes
from discretion.errors import BudgetError
from discretion.plan import Plan
from discretion.table.frame import to_arrow


def range_indices(
    plan: Plan, n: int, ranges: object, rng: np.random.Generator
) -> Mapping[str, Codes]:
    """Return the index of each owner's range on the menu, for the attributes that have one.

    ``ranges``: "whole", "menu" (any, at random), or a frame of indices.
    """
    menus = {
        name: len(plan.questions[name].ranges) for name in plan.names if plan.questions[name].ranges
    }
    if isinstance(ranges, str):
        if ranges not in ("whole", "menu"):
            raise BudgetError("ranges must be whole, menu or a frame of indices", ranges)
        most = {name: size if ranges == "menu" else 1 for name, size in menus.items()}
        return {name: rng.integers(0, size, n) for name, size in most.items()}
    frame = to_arrow(ranges)
    for name in frame.column_names:
        if name not in menus:
            raise BudgetError("ranges must be those of attributes with a menu", name)
    return {name: _given(name, frame, n, size) for name, size in menus.items()}


def within_ranges(
    plan: Plan,
    name: str,
    codes: Codes,
    indices: npt.NDArray[np.integer],
    numbers: npt.NDArray[np.float64] | None = None,
) -> tuple[Codes, int]:
    """Return codes as they are in each owner's range, and how many lay outside.

    Those are at the nearer end: their owner's report does not show it. ``numbers`` are what codes
    were before they were rounded, by coins that know no ranges; else codes are counted. Who is
    outside the whole range is not counted here.
    """
    number = plan.questions[name].attribute.number
    assert number is not None  # nothing else has ranges
    parts = [number.within(index) for index in range(1 + len(number.ranges))]
    first = np.array([(part.low - number.low) // number.step for part in parts])[indices]
    last = np.array([part.size - 1 for part in parts])[indices]
    inside = np.clip(codes - first, 0, last)
    if numbers is None:
        return inside, int((inside != codes - first).sum())
    ends = np.array([[float(end * number.unit) for end in (p.low, p.high)] for p in parts])
    low, high = ends[indices].T
    own, whole = (numbers < low) | (numbers > high), (numbers < ends[0, 0]) | (numbers > ends[0, 1])
    return inside, int((own & ~whole).sum())


def _given(name: str, frame: pa.Table, n: int, size: int) -> Codes:
    if name not in frame.column_names:
        return np.zeros(n, np.int64)
    indices = np.asarray(frame[name].fill_null(0))
    if indices.shape != (n,) or indices.dtype.kind not in "iu":
        raise BudgetError(f"{name}: ranges must be {n} indices on the menu", indices.dtype)
    if len(stray := indices[(indices < 0) | (indices >= size)]):
        raise BudgetError(f"{name}: range must be on the plan's menu, 0 to {size - 1}", stray[0])
    return indices.astype(np.int64)
