"""Between the most likely table and a shrunk one: the weights, by hand and where they must be."""

import numpy as np
import pytest

from discretion.joints import joint
from discretion.joints.averaging import Between, averaged
from discretion.joints.build import likelihood_of
from discretion.joints.table_evidence import Evidence
from tests.unit.joints.crowds import crowd, dependent, plan_of, total_variation

PLAN = plan_of((3, 4), "subset")


def test_the_weights_are_those_of_the_two_losses() -> None:
    likelihood = likelihood_of(Evidence.of(crowd(PLAN, dependent((3, 4)), 400, 1), ("a", "b")))
    even, other = np.full(12, 1 / 12), np.append(np.full(11, 1 / 11), 0.0)
    found = averaged(likelihood, other, Between(even, 8.5), price=3)
    gain = likelihood.slope(other)[0] - likelihood.slope(even)[0]
    seen = (8.5 - 5) / (10 - 5)  # five terms are those of single attributes
    weight = 1 / (1 + np.exp((3 - 2 * seen) * (10 - 8.5) - gain))
    np.testing.assert_allclose(found, weight * other + (1 - weight) * even)


@pytest.mark.parametrize("strength, near", [(0.0, "map"), (6.0, "mle")])
def test_the_default_is_near_the_one_that_fits(strength: float, near: str) -> None:
    """Of independent attributes the shrunk table; of a diagonal one, that with zeros."""
    f = dependent((3, 4), strength=strength)
    if near == "mle":
        f = np.vstack([np.eye(3), np.zeros(3)]).T * np.array([[0.5], [0.3], [0.2]])
    reports = crowd(PLAN, f, 20_000, 2)
    found, wanted = (joint(reports, ("a", "b"), method).value for method in ("auto", near))
    assert total_variation(found, wanted) < 0.01
