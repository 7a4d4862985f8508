"""The model of a record: any table, condition or score is what the whole joint says."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from discretion.errors import EstimateError
from discretion.synthesis import model as module
from discretion.synthesis.model import Model
from tests.cases import for_each
from tests.unit.synthesis.models import AGES, joint, town
from tests.unit.synthesis.trees import Table, summed

MODEL = town()
WHOLE = joint(MODEL)
ROUNDING = 1e-12


def chosen(where: dict[str, Any]) -> Table:
    """Return the joint with what is given multiplied in: a value's probability in each category."""
    law = WHOLE
    for name, value in where.items():
        axis = MODEL.names.index(name)
        column = MODEL.columns[axis]
        if column.spread is None:
            own = np.array([float(v == value) for v in column.values])
        else:
            own = column.spread[:, column.values.index(value)]
        law = law * own.reshape([-1 if i == axis else 1 for i in range(WHOLE.ndim)])
    return law


def test_the_joint_is_one() -> None:
    assert WHOLE.sum() == pytest.approx(1)


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_every_marginal_in_every_order_is_that_of_the_joint(size: int) -> None:
    for names in permutations(MODEL.names, size):
        axes = [MODEL.names.index(name) for name in names]
        np.testing.assert_allclose(MODEL.marginal(names), summed(WHOLE, axes), atol=ROUNDING)


def test_the_whole_is_a_marginal_too() -> None:
    order = [4, 0, 5, 3, 2, 1]
    names = [MODEL.names[axis] for axis in order]
    np.testing.assert_allclose(MODEL.marginal(names), WHOLE.transpose(order), atol=ROUNDING)


GIVEN: list[dict[str, Any]] = [
    {},
    {"sex": "f"},
    {"pet": "dog", "rate": 0.5},
    {"age": 27},
    {"age": 22, "area": "north", "pet": "cat"},
]


@pytest.mark.parametrize("given", GIVEN, ids=str)
def test_conditions_are_those_of_the_joint(given: dict[str, Any]) -> None:
    law = chosen(given)
    others = [name for name in MODEL.names if name not in given]
    for names in permutations(others, 2):
        table = summed(law, [MODEL.names.index(name) for name in names]) / law.sum()
        np.testing.assert_allclose(MODEL.conditional(names, given), table, atol=ROUNDING)


@pytest.mark.parametrize("given", GIVEN, ids=str)
def test_a_score_is_the_log_of_the_probability(given: dict[str, Any]) -> None:
    assert MODEL.score(given) == pytest.approx(np.log(chosen(given).sum()))


def test_scores_of_all_records_add_up_to_one() -> None:
    """Numbers in bins included: a record names a year, not a decade."""
    columns = ("sex", "area", "age")
    total = sum(
        np.exp(MODEL.score({"sex": sex, "area": area, "age": age}))
        for sex in ("f", "m")
        for area in ("north", "mid", "south")
        for age in AGES
    )
    assert total == pytest.approx(1)
    assert set(columns) < set(MODEL.names)


def test_what_never_occurs_has_no_score_and_no_condition() -> None:
    assert MODEL.score({"age": 20}) == -np.inf  # no such year in its decade
    with pytest.raises(EstimateError, match=r"no record with \{'age': 20\}"):
        MODEL.conditional(["sex"], {"age": 20})


def test_edges_are_pairs_in_cliques() -> None:
    assert MODEL.edges == {(0, 1), (1, 2), (0, 3), (1, 3), (1, 4), (2, 4)}
    assert MODEL.shape == WHOLE.shape


@for_each(
    "ask, message",
    [
        (lambda m: m.marginal("sex"), "name attributes in a list"),
        (lambda m: m.marginal(["sex", "sex"]), "different attributes"),
        (lambda m: m.marginal(["height"]), "no attribute 'height'"),
        (lambda m: m.conditional(["sex"], {"sex": "f"}), "'sex' is given"),
        (lambda m: m.conditional(["sex"], {"pet": "fish"}), "'pet' has no value 'fish'"),
        (lambda m: m.conditional(["sex"], {"pet": ["cat"]}), "'pet' has no value"),
        (lambda m: m.score({"height": 1}), "no attribute 'height'"),
        (lambda m: m.score({"age": 27.5}), "'age' has no value 27.5"),
    ],
)
def test_what_is_refused(ask: Any, message: str) -> None:
    with pytest.raises(EstimateError, match=message):
        ask(MODEL)


def test_a_table_that_would_be_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_CELLS", 8)
    model: Model = town()
    assert model.marginal(["sex", "work"]).shape == (2, 4)
    with pytest.raises(EstimateError, match="9 cells is too large"):
        model.marginal(["area", "rate"])
