"""Known margins: what may be stated, what it means, and what is refused by name."""

from typing import Any

import numpy as np
import pytest

import discretion as ds
from discretion.calibration.margins import Margin, read_margins
from discretion.errors import DiscretionError
from tests.builders import survey

PETS = {"cat": 0.2, "dog": 0.3, "none": 0.5}
MODES = {"car": 0.4, "bus": 0.3, "train": 0.1, "bike": 0.1, "walk": 0.1}


def read(given: Any) -> tuple[Margin, ...]:
    return read_margins(survey(), given)


def covariance(margin: Margin) -> Any:
    return margin.root.T @ margin.root


def test_shares_totals_and_per_cent_mean_the_same() -> None:
    for size in (1, 100, 51_234):
        (margin,) = read({"pet": {label: share * size for label, share in PETS.items()}})
        np.testing.assert_allclose(margin.shares, list(PETS.values()))
        assert margin.root.shape == (0, 3)


def test_shares_may_be_rounded_and_come_in_any_order() -> None:
    (margin,) = read({"pet": {"none": 0.333, "dog": 0.333, "cat": 0.333}})
    np.testing.assert_allclose(margin.shares, [1 / 3] * 3)
    assert margin.cells == (("cat",), ("dog",), ("none",))


def test_a_margin_of_two_attributes_is_nested() -> None:
    stated = {pet: {mode: p * m for mode, m in MODES.items()} for pet, p in PETS.items()}
    for key in ("pet+mode", ("pet", "mode")):
        (margin,) = read({key: stated})
        assert margin.attributes == ("pet", "mode")
        assert margin.cells[1] == ("cat", "bus")
        expected = np.outer(list(PETS.values()), list(MODES.values())).ravel()
        np.testing.assert_allclose(margin.shares, expected)


@pytest.mark.parametrize("shares", [[0.2, 0.3, 0.5], [0.05, 0.05, 0.9], [1 / 3] * 3])
def test_standard_errors_of_a_sample_have_the_multinomial_covariance(shares: Any) -> None:
    f, n = np.array(shares), 400
    errors = np.sqrt(f * (1 - f) / n)
    stated = dict(zip(PETS, shares, strict=True)), dict(zip(PETS, errors.tolist(), strict=True))
    (margin,) = read({"pet": {"shares": stated[0], "stderr": stated[1]}})
    np.testing.assert_allclose(covariance(margin), (np.diag(f) - np.outer(f, f)) / n, atol=1e-9)


def test_two_labels_have_opposite_errors() -> None:
    plan = ds.Plan.of(
        {
            "name": "two",
            "attributes": [{"name": "a", "kind": "categorical", "values": ["x", "y"]}],
            "budget": {"levels": [1]},
        }
    )
    stated = {"shares": {"x": 30, "y": 70}, "stderr": {"x": 2, "y": 2}}
    (margin,) = read_margins(plan, {"a": stated})
    np.testing.assert_allclose(covariance(margin), 0.02**2 * np.array([[1, -1], [-1, 1]]))


def test_a_covariance_of_totals_becomes_one_of_shares() -> None:
    totals, matrix = np.array([200.0, 300.0, 500.0]), np.diag([25.0, 16.0, 100.0])
    stated = dict(zip(PETS, totals.tolist(), strict=True))
    (margin,) = read({"pet": {"shares": stated, "covariance": matrix.tolist()}})
    slope = (np.eye(3) - totals[:, None] / 1000) / 1000
    np.testing.assert_allclose(covariance(margin), slope @ matrix @ slope.T, atol=1e-15)


PET = {"pet": PETS}
WRONG: list[tuple[Any, str]] = [
    ({}, "margins must be a mapping"),
    ([0.2], "margins must be a mapping"),
    ({"pett": PETS}, "did you mean 'pet'"),
    ({"pet": 0.5}, "must be a mapping from its labels"),
    ({"pet": [0.2, 0.3, 0.5]}, "must be a mapping from its labels"),
    ({"pet": {"cat": 0.2, "dogs": 0.3, "none": 0.5}}, "no label 'dogs' .did you mean 'dog'"),
    ({"pet": {"cat": 0.2, "dog": 0.8}}, "none is missing .0 where"),
    ({"pet": {"cat": 0.2, "dog": 0.3, True: 0.5}}, "must stand in quotes"),
    ({"pet": {**PETS, "cat": "a lot"}}, "must be a number, got 'a lot'"),
    ({"pet": {**PETS, "cat": -0.2}}, "from 0 up, got -0.2"),
    ({"pet": {**PETS, "cat": float("nan")}}, "from 0 up, got nan"),
    ({"pet": {**PETS, "cat": 0.5}}, "those of pet sum to 1.3"),
    ({"pet": PETS, "mode": {m: 100 * s for m, s in MODES.items()}}, "pet and mode have 1 and 100"),
    ({"pet": PETS, "pet+mode": dict.fromkeys(PETS, MODES)}, "sum to 3|twice"),
    ({"pet+pet": PETS}, "different attributes"),
    ({"pet": {"shares": PETS, "error": PETS}}, "beside shares a margin has stderr or covariance"),
    ({"pet": {"shares": PETS, "covariance": [[1]]}}, "3 rows of 3 numbers"),
    ({"pet": {"shares": PETS, "covariance": -np.eye(3)}}, "no variance may be negative"),
    (
        {"pet": {"shares": PETS, "stderr": {"cat": 0.5, "dog": 0.01, "none": 0.01}}},
        "cannot be those of shares of pet that sum to 1",
    ),
]


@pytest.mark.parametrize("given, message", WRONG)
def test_anything_else_is_refused_by_name(given: Any, message: str) -> None:
    with pytest.raises(DiscretionError, match=message):
        read(given)


def test_a_margin_within_another_is_refused() -> None:
    stated = {pet: {mode: p * m for mode, m in MODES.items()} for pet, p in PETS.items()}
    with pytest.raises(DiscretionError, match="the margin of pet is stated twice"):
        read({"pet": PETS, "pet+mode": stated})


def test_numbers_need_bins() -> None:
    number = {"name": "km", "kind": "numeric", "range": [0, 50], "step": 1}
    plan = ds.Plan.of({"name": "n", "attributes": [number], "budget": {"levels": [1]}})
    with pytest.raises(DiscretionError, match="'km' is a number: the plan would need bins"):
        read_margins(plan, {"km": {"0": 1}})
