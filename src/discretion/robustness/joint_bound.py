"""How far false reports can move the cells of a joint table of two labels.

The unbiased table (``tensor``) has at the cell (u, v), of k and m values, the value

    1 / (k m) + A_u / m + B_v / k + C_uv,   A = sum(w x) / sum(w),   C = sum(w w' x x') / sum(w w'),

over the reports that hold the attribute, or both, with the weights w and w' of their levels and
their centred scores x and x'. Let a share b of the N reports of the round be replaced by copies of
one that holds both, or one of them. At given levels the change is linear in x and in x', so the
worst of it is at their ends. Levels that no budget of the plan allows together count as well: then
it is an upper bound.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import NamedTuple

import numpy as np

from discretion.aggregate import check_round
from discretion.errors import EstimateError
from discretion.estimate.noise import Noise
from discretion.family import Sets, of
from discretion.family.sets.manipulation import extremes
from discretion.joints.axes import Axis, axes_of
from discretion.joints.likelihood import Table
from discretion.joints.table_evidence import groups_of
from discretion.plan import Family, Plan
from discretion.plan.parameters import DRAWN
from discretion.robustness.bound import ONE_LEVEL, SHARE, ManipulationBound, check_share
from discretion.table import Reports, ReportTable

MOST_LEVELS = 32  # of each attribute that are evaluated, of a menu that has more

Sums = tuple[tuple[Table, ...], tuple[float, ...]]  # of weighted scores, and of weights


class FalseReport(NamedTuple):
    """What a report at one level can be."""

    level: int
    weight: float
    ends: tuple[float, float]  # of its centred score, at the code asked about


UNSHARED = FalseReport(0, 0.0, (0.0, 0.0))  # the attribute is left out


@dataclass(frozen=True)
class Component:
    """One part of the table: a weighted mean of scores, or of their products."""

    total: Table
    weight: float

    def change(self, share: float, added: float, score: float) -> Table:
        """Return how far it moves with such a weight of false reports that have this score."""
        before, kept = self.total / self.weight, 1 - share
        return (kept * self.total + added * score) / (kept * self.weight + added) - before


def joint_margin(
    reports: Reports, attributes: Sequence[str], share: float = SHARE
) -> ManipulationBound:
    """Return how far a share of equal false reports moves each cell of a table of two.

    The share is of all reports of the round, whatever they are about. Of labels that are reported
    by sets of codes at disclosed levels. The cells come in the order of the table, named by their
    labels; ``level`` is the sum of both. Hash functions count as drawn, also where they are
    assigned: then it is a bound.
    """
    check_share(share)
    names = _checked(reports, attributes)
    axes = axes_of(reports, names, None)
    parts, added = _components(reports, axes), share * len(reports)
    menus = [_menu(reports.plan, name) for name in names]
    up, down = np.full(parts[2].total.shape, -np.inf), np.full(parts[2].total.shape, np.inf)
    most, level = 0.0, 0
    for one, other in product(*menus):
        for x, y in product(one.ends, other.ends):
            moved = _moved(parts, share, added, (one.weight, x), (other.weight, y))
            up, down = np.maximum(up, moved), np.minimum(down, moved)
            if (largest := float(np.abs(moved).max())) > most:
                most, level = largest, one.level + other.level
    what = tuple(", ".join(labels) for labels in product(*(axis.labels for axis in axes)))
    hashed = any(Sets(reports.plan.questions[name]).functions for name in names)
    functions, ends = DRAWN if hashed else "", (up.ravel(), down.ravel())
    return ManipulationBound(", ".join(names), what, share, *ends, level, ONE_LEVEL, functions)


def _moved(
    parts: tuple[Component, Component, Component],
    share: float,
    added: float,
    one: tuple[float, float],
    other: tuple[float, float],
) -> Table:
    """Return how far each cell moves by false reports of these weights and scores at it."""
    first, second, both = parts
    (w, x), (v, y), (k, m) = one, other, both.total.shape
    rows, columns = first.change(share, added * w, x), second.change(share, added * v, y)
    return rows[:, None] / m + columns / k + both.change(share, added * w * v, x * y)


def _checked(reports: Reports, attributes: Sequence[str]) -> tuple[str, ...]:
    plan, names = reports.plan, tuple(attributes)
    if isinstance(attributes, str) or len(set(names)) != 2 or len(names) != 2:
        raise EstimateError(f"name two different attributes in a list, got {attributes!r}")
    shared = [bundle.name for bundle in plan.bundles if bundle.name in reports.shared]
    bundled = {part for name in shared for part in plan.questions[name].parts}
    asked = [plan.questions[name] for name in names]
    sets = all(of(each).cell_bounds and len(each.parts) == 1 for each in asked)
    if plan.secret or bundled & set(names) or not sets:
        rule = "a margin of cells needs two labels, reported by sets of codes at disclosed levels"
        raise EstimateError(f"{rule}, and in no bundle")
    check_round(reports)
    return names


def _components(reports: Reports, axes: tuple[Axis, ...]) -> tuple[Component, Component, Component]:
    """Return the sums of weighted scores, in one fold: of each attribute, and of both."""
    one, other = names = [axis.name for axis in axes]
    shared = [name for name in names if name in reports.shared]
    sums, weights = reports.fold(shared, partial(_summed, axes))
    whose = (repr(one), repr(other), f"both {one!r} and {other!r}")
    for who, weight in zip(whose, weights, strict=True):
        if not weight:
            raise EstimateError(f"nobody shared {who} in these reports")
    first, second, both = map(Component, sums, weights)
    return first, second, both


def _summed(axes: tuple[Axis, ...], reports: ReportTable) -> Sums:
    k, m = (axis.size for axis in axes)
    sums: list[Table] = [np.zeros(k), np.zeros(m), np.zeros((k, m))]
    weights = [0.0, 0.0, 0.0]
    for group in groups_of(reports, axes):
        ones = np.ones(len(group))
        scores = {part.axes[0]: part.scores(secret=False) for part in group.sets}
        for axis, (u, w) in scores.items():
            sums[axis] += ones @ u
            weights[axis] += float(ones @ w)
        if len(scores) == 2:
            sums[2] += scores[0][0].T @ scores[1][0]
            weights[2] += float(scores[0][1] @ scores[1][1])
    return tuple(sums), tuple(weights)


def _menu(plan: Plan, name: str) -> list[FalseReport]:
    """Return the possible false reports at some levels of the menu, its ends among them."""
    menu, size = plan.questions[name].menu, plan.questions[name].attribute.size
    found = [UNSHARED]
    for i in np.unique(np.linspace(0, len(menu) - 1, MOST_LEVELS).astype(np.int64)):
        law = plan.questions[name].law(menu[i], Family.SETS)
        high, low = extremes(law)
        weight = Noise.of(law).precision(size)
        found.append(FalseReport(menu[i], weight, (high - 1 / size, low - 1 / size)))
    return found
