"""Budgets for many owners at once: levels (n, names), 0 where a name of the plan is not shared."""

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discretion.budget import Policy, epsilon
from discretion.crowd.records import batches
from discretion.crowd.sharing import bundled, reportable
from discretion.errors import BudgetError, RecordError
from discretion.plan import Plan
from discretion.table.columns import (
    Counts,
    LevelsByName,
    Mask,
    attribute_counts,
    bundle_columns,
    times_shared,
)
from discretion.table.frame import to_arrow
from discretion.table.validation import breaks_policy

REDRAWS = 1000
KNOWN = "budgets must be even, dirichlet, levels or a frame"
OFF_MENU = 1e-6  # thousandths by which a float may miss the level it is meant to be


def generator(seed: int | np.random.SeedSequence | None) -> np.random.Generator:
    """Return what a crowd is drawn with; a seed repeats it."""
    try:
        return np.random.default_rng(seed)
    except (TypeError, ValueError):
        raise RecordError("seed", "must be a whole number from 0 up, or None", seed) from None


def allocate(plan: Plan, shared: Mask, budgets: object, rng: np.random.Generator) -> LevelsByName:
    """Return the levels (n, names) of owners who share these attributes (n, attributes).

    ``budgets``: "even", "dirichlet", "levels", or a frame of epsilons.
    """
    if isinstance(budgets, int | float):
        raise BudgetError(KNOWN, budgets)
    if not isinstance(budgets, str):
        return _given(plan, to_arrow(budgets), reportable(plan, shared))
    names = bundled(plan, shared)
    match budgets:
        case "even":
            return _even(plan, names)
        case "dirichlet":
            return _dirichlet(plan, names, rng)
        case "levels":
            return _uniform(plan, names, rng)
    raise BudgetError(KNOWN, budgets)


def apportion_many(
    policy: Policy, shared: Mask, weights: npt.NDArray[np.float64], counts: Counts
) -> LevelsByName:
    """Do what ``discretion.budget.policy`` does, for rows that share equally many attributes.

    ``counts`` (names,) are the attributes of each name, ``weights`` those of whole names; what is
    returned are levels of whole names.
    """
    m = int(shared[0] @ counts)
    menu = np.array(policy.menu)
    allowance = policy.allowance(m)
    if allowance is None:
        raise BudgetError("shares of an allowance need a plan whose budget has one", policy)
    floor = policy.floor(m)
    top = np.array([len(policy.menu_of(int(count))) - 1 for count in counts])
    share = np.where(shared, weights, 0.0)
    targets = floor + (allowance - m * floor) * share / share.sum(axis=1, keepdims=True) / counts
    targets = np.minimum(targets, menu[top]).round(6)  # equal shares stay equal
    index = np.searchsorted(menu, targets, side="right") - 1
    remainder = np.where(shared, targets - menu[index], 0.0)
    left = allowance - np.where(shared, menu[index] * counts, 0).sum(axis=1)
    rows = np.arange(len(index))
    for j in np.argsort(-remainder, axis=1, kind="stable").T[:m]:
        above = np.minimum(index[rows, j] + 1, top[j])
        up = (menu[above] - menu[index[rows, j]]) * counts[j]
        take = (remainder[rows, j] > 0) & (up <= left)
        index[rows[take], j[take]] = above[take]
        left = left - np.where(take, up, 0)
    return np.where(shared, menu[index] * counts, 0)


def _even(plan: Plan, shared: Mask) -> LevelsByName:
    """Give every attribute of an owner one level, which her largest bundle must allow."""
    counts = attribute_counts(plan)
    count, largest = shared @ counts, (shared * counts).max(axis=1)
    base = int(counts.max()) + 1
    case = count * base + largest
    level = np.zeros(int(case.max()) + 1, np.int64)
    for each in np.unique(case[count > 0]).tolist():
        level[each] = plan.policy.even(*divmod(each, base))
    return np.where(shared, level[case][:, None] * counts, 0)


def _uniform(plan: Plan, shared: Mask, rng: np.random.Generator) -> LevelsByName:
    if plan.policy.allowance(1) is not None:
        raise BudgetError("budgets='levels' needs a plan whose budget is levels", plan.name)
    levels, alone = np.empty(shared.shape, np.int64), len(plan.attributes)
    for rows in batches(len(shared)):
        levels[rows, :alone] = rng.choice(plan.policy.menu, (rows.stop - rows.start, alone))
    for column, bundle in enumerate(plan.bundles, alone):
        levels[:, column] = rng.choice(plan.questions[bundle.name].menu, len(shared))
    levels[~shared] = 0
    return levels


def _dirichlet(plan: Plan, shared: Mask, rng: np.random.Generator) -> LevelsByName:
    """Give everyone the least level and Dirichlet(1, ..., 1) shares of the rest.

    A bundle has the shares of its attributes. An owner with a share that would come out above the
    largest level draws again.
    """
    policy, counts = plan.policy, attribute_counts(plan)
    levels = np.zeros(shared.shape, np.int64)
    count = shared @ counts
    for m in np.unique(count[count > 0]):
        floor = policy.floor(int(m))
        rest = (policy.allowance(int(m)) or 0) - m * floor
        room = np.array([plan.questions[name].menu[-1] for name in plan.names]) - floor * counts
        rows = np.flatnonzero(count == m)
        for _ in range(REDRAWS):
            weights = np.where(shared[rows], _exponentials(plan, len(rows), rng), 0)
            fits = rest * weights <= room * weights.sum(axis=1, keepdims=True)
            fits = (fits | ~shared[rows]).all(axis=1)
            if fits.any():
                levels[rows[fits]] = apportion_many(
                    policy, shared[rows[fits]], weights[fits], counts
                )
            rows = rows[~fits]
            if not len(rows):
                break
        else:
            rule = (
                f"dirichlet budgets of {m} attributes need a largest level well above the average"
            )
            raise BudgetError(rule, epsilon(policy.menu[-1]))
    return levels


def _exponentials(plan: Plan, n: int, rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """Return an exponential for each attribute, and for each bundle the sum of its attributes'."""
    alone = rng.standard_exponential((n, len(plan.attributes)))
    bundles = [alone[:, parts].sum(axis=1) for _, parts in bundle_columns(plan)]
    return np.column_stack([alone, *bundles])


def _epsilons(name: str, column: pa.ChunkedArray) -> npt.NDArray[np.float64]:
    try:
        return np.asarray(column.cast(pa.float64()).fill_null(np.nan), np.float64)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise BudgetError(f"{name}: epsilon must be a number", error) from None


def _given(plan: Plan, frame: pa.Table, shared: Mask) -> LevelsByName:
    """Take epsilons as they are written; null means not shared."""
    if frame.num_rows != len(shared):
        raise BudgetError(f"the frame of budgets must have {len(shared)} rows", frame.num_rows)
    levels = np.zeros(shared.shape, np.int64)
    plan.questions.check(frame.column_names)
    for j, name in enumerate(plan.names):
        if name not in frame.column_names:
            continue
        epsilons = _epsilons(name, frame[name])
        given = shared[:, j] & ~np.isnan(epsilons)
        exact = np.nan_to_num(epsilons[given] * 1000, posinf=0.0, neginf=0.0)
        levels[given, j] = np.rint(exact)
        stray = given & ~np.isin(levels[:, j], plan.questions[name].menu)
        stray[given] |= np.abs(exact - levels[given, j]) > OFF_MENU
        if stray.any():
            row = int(np.flatnonzero(stray)[0])
            raise BudgetError(
                f"{name}: level must be on the plan's menu (row {row})", epsilons[row]
            )
    _check_given(plan, levels)
    return levels


def _check_given(plan: Plan, levels: LevelsByName) -> None:
    times = times_shared(plan, levels > 0)
    twice = (times > 1).any(axis=1)
    few = (times.sum(axis=1) < plan.share_least) & times.any(axis=1)
    for bad, rule in (
        (twice, "an attribute must be reported alone or in one bundle"),
        (few | breaks_policy(plan, levels, levels > 0), "budgets must keep the plan's policy"),
    ):
        if bad.any():
            row = int(np.flatnonzero(bad)[0])
            raise BudgetError(f"{rule} (row {row})", (levels[row] / 1000).tolist())
