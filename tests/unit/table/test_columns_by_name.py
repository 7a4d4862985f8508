"""What the policy sees of many rows is what it sees of each."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discretion.budget import agreement
from discretion.errors import BudgetError
from discretion.plan import Plan
from discretion.table.columns import attribute_counts, by_attribute, times_shared
from discretion.table.validation import breaks_policy
from tests.builders import BUNDLES, POLICIES, author, survey

WIDE = [["mode", "pet", "mood"], ["mood", "mode"], ["pet", "mood"]]
PLANS = {
    **{next(iter(p)): Plan.of(author(bundles=BUNDLES, budget=p)) for p in POLICIES},
    "wide": Plan.of(author(bundles=WIDE)),
    "without bundles": survey(),
}


@st.composite
def allocations(draw: st.DrawFn, plan: Plan) -> list[dict[str, int]]:
    """Levels that are on the menu of their names; all else may be wrong."""
    names = st.sets(st.sampled_from(plan.names))
    return [
        {
            name: draw(st.sampled_from(plan.questions[name].menu))
            for name in plan.names
            if name in chosen
        }
        for chosen in draw(st.lists(names, min_size=1, max_size=5))
    ]


def refused(plan: Plan, levels: dict[str, int]) -> bool:
    try:
        plan.policy.check(agreement.by_attribute(plan, levels))
    except BudgetError:
        return True
    return False


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
@given(data=st.data())
def test_many_rows_are_expanded_and_checked_as_each(plan: Plan, data: st.DataObject) -> None:
    rows = data.draw(allocations(plan))
    levels = np.array([[row.get(name, 0) for name in plan.names] for row in rows])
    times = times_shared(plan, levels > 0)
    twice = (times > 1).any(axis=1).tolist()
    assert twice == [agreement.repeated(plan, row) is not None for row in rows]
    assert times.sum(axis=1).tolist() == [agreement.count(plan, row) for row in rows]
    assert times.sum(axis=1).tolist() == ((levels > 0) @ attribute_counts(plan)).tolist()
    parts, broken = by_attribute(plan, levels), breaks_policy(plan, levels, levels > 0)
    for row, own, again, bad in zip(rows, parts.tolist(), twice, broken.tolist(), strict=True):
        if not again:
            named = dict(zip(plan.attributes, own, strict=True))
            assert {k: v for k, v in named.items() if v} == agreement.by_attribute(plan, row)
            assert bad == refused(plan, row)
