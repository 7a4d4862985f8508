"""P-values adjusted for the number of tests."""

from dataclasses import dataclass
from typing import Any

import pytest

import discretion as ds
from discretion.errors import EstimateError

P = {"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005}


@dataclass(frozen=True)
class Result:
    pvalue: float


def test_holm_and_benjamini_hochberg_by_hand() -> None:
    holm = ds.adjust(P)
    assert holm.adjusted == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm.rejected == ("a", "d")
    assert "2 of 4 tests reject" in str(holm)
    bh = ds.adjust(P, "bh")
    assert bh.adjusted == pytest.approx((0.02, 0.04, 0.04, 0.02))
    assert bh.rejected == ("a", "b", "c", "d")


def test_results_with_a_p_value_count_as_one() -> None:
    found = ds.adjust({"one": Result(0.02), "other": 0.6}, rate=0.1)
    assert found.to_frame().to_pylist() == [
        {"test": "one", "p": 0.02, "adjusted": 0.04, "rejects": True},
        {"test": "other", "p": 0.6, "adjusted": 0.6, "rejects": False},
    ]
    assert found.document()["tests"][0]["adjusted"] == 0.04


@pytest.mark.parametrize(
    "tests, options, message",
    [
        ({}, {}, "not empty"),
        ([0.1], {}, "a mapping"),
        ({"a": 1.5}, {}, "'a' must have a p-value"),
        ({"a": "x"}, {}, "'a' must have a p-value"),
        (P, {"method": "bonferroni"}, "method must be one of holm, bh"),
        (P, {"rate": 1}, "between 0 and 1"),
    ],
)
def test_anything_else_is_refused(tests: Any, options: Any, message: str) -> None:
    with pytest.raises(EstimateError, match=message):
        ds.adjust(tests, **options)
