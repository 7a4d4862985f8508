"""Budgets for many owners at once: levels (n, attributes), 0 where an attribute is not shared."""

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discretion.budget import Policy, epsilon
from discretion.errors import BudgetError
from discretion.plan import Plan
from discretion.table.frame import to_arrow
from discretion.table.validation import breaks_policy

Mask = npt.NDArray[np.bool_]
Levels = npt.NDArray[np.int64]
REDRAWS = 1000
OFF_MENU = 1e-6  # thousandths by which a float may miss the level it is meant to be


def allocate(plan: Plan, shared: Mask, budgets: object, rng: np.random.Generator) -> Levels:
    """Return the levels of all owners: "even", "dirichlet", "levels", or a frame of epsilons."""
    if not isinstance(budgets, str):
        return _given(plan, to_arrow(budgets), shared)
    match budgets:
        case "even":
            return _even(plan.policy, shared)
        case "dirichlet":
            return _dirichlet(plan.policy, shared, rng)
        case "levels":
            if plan.policy.allowance(1) is not None:
                raise BudgetError("budgets='levels' needs a plan whose budget is levels", plan.name)
            return np.where(shared, rng.choice(plan.policy.menu, shared.shape), 0)
    raise BudgetError("budgets must be even, dirichlet, levels or a frame", budgets)


def apportion_many(policy: Policy, shared: Mask, weights: npt.NDArray[np.float64]) -> Levels:
    """Do what ``discretion.budget.apportion`` does, for rows that share equally many attributes."""
    m = int(shared[0].sum())
    menu = np.array(policy.menu)
    allowance = policy.allowance(m)
    if allowance is None:
        raise BudgetError("shares of an allowance need a plan whose budget has one", policy)
    floor = policy.floor(m)
    share = np.where(shared, weights, 0.0)
    targets = floor + (allowance - m * floor) * share / share.sum(axis=1, keepdims=True)
    targets = np.minimum(targets, menu[-1]).round(6)  # equal shares stay equal
    index = np.searchsorted(menu, targets, side="right") - 1
    remainder = np.where(shared, targets - menu[index], 0.0)
    left = allowance - np.where(shared, menu[index], 0).sum(axis=1)
    rows = np.arange(len(index))
    for j in np.argsort(-remainder, axis=1, kind="stable").T[:m]:
        above = np.minimum(index[rows, j] + 1, len(menu) - 1)
        up = menu[above] - menu[index[rows, j]]
        take = (remainder[rows, j] > 0) & (up <= left)
        index[rows[take], j[take]] = above[take]
        left = left - np.where(take, up, 0)
    return np.where(shared, menu[index], 0)


def _even(policy: Policy, shared: Mask) -> Levels:
    count = shared.sum(axis=1)
    level = np.zeros(shared.shape[1] + 1, np.int64)
    for m in np.unique(count[count > 0]):
        level[m] = policy.even(int(m))
    return np.where(shared, level[count][:, None], 0)


def _dirichlet(policy: Policy, shared: Mask, rng: np.random.Generator) -> Levels:
    """Give everyone the least level and Dirichlet(1, ..., 1) shares of the rest.

    An owner whose largest share would come out above the largest level draws again.
    """
    levels = np.zeros(shared.shape, np.int64)
    count = shared.sum(axis=1)
    for m in np.unique(count[count > 0]):
        rest = (policy.allowance(int(m)) or 0) - m * policy.floor(int(m))
        room = policy.menu[-1] - policy.floor(int(m))
        rows = np.flatnonzero(count == m)
        for _ in range(REDRAWS):
            weights = np.where(shared[rows], rng.standard_exponential(shared[rows].shape), 0)
            fits = rest * weights.max(axis=1) <= room * weights.sum(axis=1)
            if fits.any():
                levels[rows[fits]] = apportion_many(policy, shared[rows[fits]], weights[fits])
            rows = rows[~fits]
            if not len(rows):
                break
        else:
            rule = (
                f"dirichlet budgets of {m} attributes need a largest level well above the average"
            )
            raise BudgetError(rule, epsilon(policy.menu[-1]))
    return levels


def _epsilons(name: str, column: pa.ChunkedArray) -> npt.NDArray[np.float64]:
    try:
        return np.asarray(column.cast(pa.float64()).fill_null(np.nan), np.float64)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise BudgetError(f"{name}: epsilon must be a number", error) from None


def _given(plan: Plan, frame: pa.Table, shared: Mask) -> Levels:
    """Take epsilons as they are written; null means not shared."""
    if frame.num_rows != len(shared):
        raise BudgetError(f"the frame of budgets must have {len(shared)} rows", frame.num_rows)
    levels = np.zeros(shared.shape, np.int64)
    for name in frame.column_names:
        plan.attribute(name)
    for j, name in enumerate(plan.names):
        if name not in frame.column_names:
            continue
        epsilons = _epsilons(name, frame[name])
        given = shared[:, j] & ~np.isnan(epsilons)
        exact = np.nan_to_num(epsilons[given] * 1000, posinf=0.0, neginf=0.0)
        levels[given, j] = np.rint(exact)
        stray = given & ~np.isin(levels[:, j], plan.policy.menu)
        stray[given] |= np.abs(exact - levels[given, j]) > OFF_MENU
        if stray.any():
            row = int(np.flatnonzero(stray)[0])
            raise BudgetError(
                f"{name}: level must be on the plan's menu (row {row})", epsilons[row]
            )
    bad = breaks_policy(plan.policy, levels, levels > 0)
    bad |= ((levels > 0).sum(axis=1) < plan.share_least) & (levels > 0).any(axis=1)
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        rule = f"budgets must keep the plan's policy (row {row})"
        raise BudgetError(rule, (levels[row] / 1000).tolist())
    return levels
