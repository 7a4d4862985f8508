"""Which attributes each simulated owner shares, alone or in bundles: whatever their values."""

from numbers import Integral, Real

import numpy as np
import numpy.typing as npt

from discretion.errors import BudgetError
from discretion.plan import Plan
from discretion.table.columns import Mask, bundle_columns

REDRAWS = 10_000
RULE = "share must be 'all', a whole number, a pair (low, high) or a probability"


def shared(present: Mask, share: object, least: int, rng: np.random.Generator) -> Mask:
    """Return who shares what of what each owner has; an owner with too little shares nothing.

    ``share``: "all"; m attributes at random; a pair (low, high) for a uniform m; or the probability
    of each attribute, given that at least ``least`` are shared.
    """
    able = present & (present.sum(axis=1) >= least)[:, None] if least > 1 else present
    if isinstance(share, str) and share == "all":
        return able
    match share:
        case bool():
            raise BudgetError(RULE, share)
        case Integral():
            return _at_random(able, _counts(int(share), int(share), able, least, rng), rng)
        case (Integral() as low, Integral() as high):
            return _at_random(able, _counts(int(low), int(high), able, least, rng), rng)
        case Real() if 0 < float(share) <= 1:
            return _by_coin(able, float(share), least, rng)
    raise BudgetError(RULE, share)


def sampled(plan: Plan, present: Mask, share: object, rng: np.random.Generator) -> Mask:
    """Return who shares what: as ``share`` says, or what each owner's device draws."""
    if plan.sample is None:
        return shared(present, share, plan.share_least, rng)
    if plan.share.weights:  # of a frame of budgets, which says who reports which view
        return shared(present, share, plan.share_least, rng)
    if share != "all":
        raise BudgetError("share must be 'all' under a plan whose devices draw", share)
    everything = np.ones((len(present), len(plan.share.questions)), np.bool_)
    drawn = _at_random(everything, np.full(len(present), plan.sample), rng)
    names, chosen = list(plan.attributes), np.zeros_like(present)
    for column, (name, _) in enumerate(plan.share.questions):
        parts = [names.index(part) for part in plan.questions[name].parts]
        whole = present[:, parts].all(axis=1) & drawn[:, column]
        chosen[:, parts] |= whole[:, None]
    return chosen


def reportable(plan: Plan, shared: Mask) -> Mask:
    """Return which names (n, names) the shared attributes (n, attributes) would allow each owner.

    A bundle of which an attribute is missing is left out.
    """
    bundles = [shared[:, parts].all(axis=1) for _, parts in bundle_columns(plan)]
    return np.column_stack([shared, *bundles])


def bundled(plan: Plan, shared: Mask) -> Mask:
    """Return the names (n, names) under which owners report all attributes that they share.

    It is ``discretion.budget.agreement.bundled``: bundles in the plan's order, what is left alone.
    """
    left, bundles = shared.copy(), []
    for _, parts in bundle_columns(plan):
        whole: Mask = np.all(left[:, parts], axis=1)
        left[:, parts] &= ~whole[:, None]
        bundles.append(whole)
    return np.column_stack([left, *bundles])


def _counts(
    low: int, high: int, able: Mask, least: int, rng: np.random.Generator
) -> npt.NDArray[np.int64]:
    if not least <= low <= high <= able.shape[1]:
        rule = (
            f"share must lie between the plan's least, {least}, and its {able.shape[1]} attributes"
        )
        raise BudgetError(rule, (low, high))
    return rng.integers(low, high + 1, len(able))


def _at_random(able: Mask, counts: npt.NDArray[np.int64], rng: np.random.Generator) -> Mask:
    """Share the first ``counts`` of what an owner has, in a random order (all, if she has less)."""
    keys = np.where(able, rng.random(able.shape), np.inf)
    ranks = keys.argsort(axis=1).argsort(axis=1)
    return able & (ranks < counts[:, None])


def _by_coin(able: Mask, probability: float, least: int, rng: np.random.Generator) -> Mask:
    chosen = able & (rng.random(able.shape) < probability)
    for _ in range(REDRAWS):
        again = able.any(axis=1) & (chosen.sum(axis=1) < least)
        if not again.any():
            return chosen
        chosen[again] = able[again] & (rng.random((again.sum(), able.shape[1])) < probability)
    raise BudgetError(
        f"share must be a probability at which {least} are shared at times", probability
    )
