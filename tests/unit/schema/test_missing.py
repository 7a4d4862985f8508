from decimal import Decimal

import numpy as np
import pytest

from discretion.schema.attribute import is_missing


@pytest.mark.parametrize(
    "value", [None, float("nan"), np.float64("nan"), np.float32("nan"), Decimal("nan")], ids=repr
)
def test_null_and_not_a_number_mean_that_the_owner_lacks_it(value: object) -> None:
    assert is_missing(value)


@pytest.mark.parametrize("value", [0, 0.0, "", "nan", False, float("inf"), np.int64(0)], ids=repr)
def test_everything_else_is_a_value(value: object) -> None:
    assert not is_missing(value)
