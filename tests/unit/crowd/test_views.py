"""A crowd reports views as devices do: each owner one, inside what she shares, drawn by weight."""

import numpy as np
import pytest
from scipy.stats import chisquare

from discretion.crowd.views import view_levels
from discretion.errors import BudgetError
from tests.plans import viewed_commuters

SEED = 2029
LEAST_P = 1e-6


def test_each_owner_reports_one_view_by_weight_inside_what_she_has_at_its_own_levels() -> None:
    plan, rng = viewed_commuters(), np.random.default_rng(SEED)
    n = 20_000
    present = rng.random((n, 4)) < np.array([1, 1, 0.7, 0.9])
    levels = view_levels(plan, present, "all", "levels", rng)
    assert ((levels > 0).sum(axis=1) <= 1).all()
    for j, name in enumerate(plan.names):
        parts = [list(plan.attributes).index(part) for part in plan.questions[name].parts]
        own = levels[:, j] > 0
        assert present[own][:, parts].all()
        assert set(np.unique(levels[own, j])) <= set(plan.questions[name].menu)
    silent = levels.sum(axis=1) == 0  # at the levels of triples, owners of two attributes
    assert (present[silent].sum(axis=1) == 2).all()
    whole = present.all(axis=1) & (levels.max(axis=1) < 2000)
    drawn = np.count_nonzero(levels[whole], axis=0)
    weights = dict(zip((name for name, _ in plan.share.questions), plan.share.weights, strict=True))
    pairs = [j for j, name in enumerate(plan.names) if len(plan.questions[name].parts) == 2]
    shares = np.array([weights[plan.names[j]] for j in pairs]) / 8
    assert chisquare(drawn[pairs], shares * drawn.sum()).pvalue > LEAST_P, SEED


def test_budgets_of_views_are_whole() -> None:
    plan, rng = viewed_commuters(), np.random.default_rng(SEED)
    present = np.ones((10, 4), np.bool_)
    assert (view_levels(plan, present, "all", "even", rng).max(axis=1) == 1000).all()
    assert (view_levels(plan, present, 2, "even", rng) > 0).sum() == 10
    assert (view_levels(plan, present, "all", "dirichlet", rng).max(axis=1) == 4000).all()
    with pytest.raises(BudgetError, match="budgets of views must be"):
        view_levels(plan, present, "all", "uneven", rng)
