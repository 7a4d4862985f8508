"""Views of a simulated crowd: each owner reports the first of her order that she can."""

import numpy as np
import numpy.typing as npt

from discretion.crowd.records import batches
from discretion.crowd.sharing import shared
from discretion.errors import BudgetError
from discretion.plan import Plan
from discretion.table.columns import LevelsByName, Mask

KNOWN = "budgets of views must be even, dirichlet, levels or a frame"


def view_levels(
    plan: Plan, present: Mask, share: object, budgets: object, rng: np.random.Generator
) -> LevelsByName:
    """Return the levels (n, names) of owners who have these attributes: each one view, or none.

    ``share`` says which attributes are shared of those. A view that comes first in an order drawn
    by weight is one whose exponential over its weight is the smallest.
    """
    sharing = shared(present, share, plan.share_least, rng)
    own = _own_levels(plan, len(present), budgets, rng)
    names, offered = list(plan.names), plan.share.questions
    attributes = names[: len(plan.attributes)]
    columns = np.array([names.index(name) for name, _ in offered])
    parts = [[attributes.index(p) for p in plan.questions[name].parts] for name, _ in offered]
    menus = [plan.questions[name].menu for name, _ in offered]
    levels = np.zeros((len(present), len(names)), np.int64)
    for rows in batches(len(present)):
        can = np.column_stack(
            [
                sharing[rows][:, part].all(axis=1) & np.isin(own[rows], menu)
                for part, menu in zip(parts, menus, strict=True)
            ]
        )
        keys = rng.standard_exponential(can.shape) / np.array(plan.share.weights)
        first = np.where(can, keys, np.inf).argmin(axis=1)
        some = np.flatnonzero(can.any(axis=1))
        levels[rows.start + some, columns[first[some]]] = own[rows][some]
    return levels


def _own_levels(
    plan: Plan, n: int, budgets: object, rng: np.random.Generator
) -> npt.NDArray[np.int64]:
    """Return a level for each owner: even, all that the policy allows, or any of the menu."""
    policy, allowance = plan.policy, plan.policy.allowance(1)
    match budgets:
        case "even":
            return np.full(n, policy.even(1))
        case "dirichlet":
            most = policy.menu[-1] if allowance is None else allowance
            return np.full(n, max(level for level in policy.menu if level <= most))
        case "levels":
            if allowance is not None:
                raise BudgetError("budgets='levels' needs a plan whose budget is levels", plan.name)
            return np.asarray(rng.choice(policy.menu, n))
    raise BudgetError(KNOWN, budgets)
