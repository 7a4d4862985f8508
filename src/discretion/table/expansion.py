"""Levels by attribute, for many reports at once: what the policy sees of a bundle.

Columns by name stand in the order of ``Plan.names``: the attributes first, then the bundles.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from discretion.plan import Plan
from discretion.table.columns import Mask

Levels = npt.NDArray[np.int64]
Counts = npt.NDArray[np.int64]


def bundle_columns(plan: Plan) -> Iterator[tuple[int, list[int]]]:
    """Yield the column of each bundle and the columns of its attributes."""
    index = {name: column for column, name in enumerate(plan.attributes)}
    for column, bundle in enumerate(plan.bundles, len(index)):
        yield column, [index[part.name] for part in bundle.parts]


def attribute_counts(plan: Plan) -> Counts:
    """Return how many attributes (names,) the policy counts for each name."""
    return np.array([len(plan.questions[name].counted) for name in plan.names])


def times_shared(plan: Plan, shared: Mask) -> Counts:
    """Return how often each attribute (n, attributes) stands among the names (n, names)."""
    times = shared[:, : len(plan.attributes)].astype(np.int64)
    for column, parts in bundle_columns(plan):
        times[:, parts] += shared[:, [column]]
    return times


def by_attribute(plan: Plan, levels: Levels) -> Levels:
    """Return levels (n, attributes) from levels by name (n, names): equal parts of a bundle's.

    It is ``discretion.budget.agreement.by_attribute`` for rows in which no attribute is repeated.
    """
    found = levels[:, : len(plan.attributes)].copy()
    for column, parts in bundle_columns(plan):
        found[:, parts] += levels[:, [column]] // len(parts)
    return found
