from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from discretion.budget import epsilon, thousandths
from discretion.errors import BudgetError
from tests.cases import for_each


@for_each(
    "value, level",
    [
        (3.5, 3500),
        (2, 2000),
        (0.001, 1),
        (0.1 + 0.15, 250),
        (Decimal("0.3"), 300),
        (Fraction(1, 8), 125),
        (np.float64(0.7), 700),
        (np.float32(0.7), 700),
        (np.int64(4), 4000),
    ],
)
def test_epsilon_is_read_as_the_decimal_that_prints_it(value: object, level: int) -> None:
    assert thousandths(value) == level


@for_each(
    "value, rule",
    [
        (0, "epsilon must be above zero"),
        (-1.5, "epsilon must be above zero"),
        (0.0005, "epsilon must be a whole number of thousandths"),
        (0.1 + 0.2, "epsilon must be a whole number of thousandths"),
        (True, "epsilon must be a number"),
        ("2", "epsilon must be a number"),
        (None, "epsilon must be a number"),
        (float("nan"), "epsilon must be a number"),
        (float("inf"), "epsilon must be a number"),
    ],
)
def test_any_other_epsilon_is_refused_with_rule_and_value(value: object, rule: str) -> None:
    with pytest.raises(BudgetError) as refused:
        thousandths(value)
    assert refused.value.rule.startswith(rule)
    assert str(value) in str(refused.value)


@pytest.mark.parametrize(
    "level, text", [(3500, "3.5"), (20_000, "20"), (1, "0.001"), (12_345, "12.345")]
)
def test_a_level_is_written_as_epsilon(level: int, text: str) -> None:
    assert epsilon(level) == text
