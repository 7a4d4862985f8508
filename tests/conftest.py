"""What every test shares: a crowd's plan, its secret twin, and hypothesis with fixed seeds."""

import hypothesis
import pytest

from discretion.budget import Budget
from discretion.plan import Plan
from tests.plans import bundled_commuters, commuters, secret_commuters

pytest.register_assert_rewrite("tests.contract.conformance", "tests.contract.numbers")
hypothesis.settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
hypothesis.settings.load_profile("fixed")


@pytest.fixture(scope="session")
def plan() -> Plan:
    return commuters()


@pytest.fixture(scope="session")
def secret_plan() -> Plan:
    return secret_commuters()


@pytest.fixture(scope="session")
def bundled_plan() -> Plan:
    return bundled_commuters()


@pytest.fixture(scope="session")
def budget(plan: Plan) -> Budget:
    """Unequal levels, and ``age`` not shared."""
    return Budget.of(plan, {"mode": 3.5, "income": 0.5})
