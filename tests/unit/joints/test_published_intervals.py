"""The papers give no uncertainty: their tables have the intervals of the moments, by name."""

import numpy as np

from discretion.joints import joint
from discretion.plan import Plan
from tests.builders import crowd, secret_survey, survey
from tests.cases import for_each


@for_each("method", ["lasso", "entropy-split", "em-lopub", "hybrid"])
@for_each("plan", [survey(), secret_survey()])
def test_intervals_are_those_of_the_moments_and_say_so(plan: Plan, method: str) -> None:
    reports = crowd(plan, 1_000, seed=51)
    table, moments = (joint(reports, ["mode", "pet"], m) for m in (method, "tensor"))
    assert (table.method, table.basis) == (method, "tensor")
    np.testing.assert_array_equal(table.interval(), moments.interval())
    assert not np.allclose(table.value, moments.value)
    found, own = (estimate.event({"pet": "cat"}) for estimate in (moments, table))
    assert own.interval() == found.interval()
