"""The collector's documents and its description are those that clients were written for."""

import json
from typing import Any

import pytest

from tests.golden.answers import ANSWERS, DESCRIPTION, description, documents

NEAR, NIL = 1e-6, 1e-9  # optimisers end where the processor's algebra leads them
# maxima over tables are found to a hundredth of a standard error; processors differ by up to 7e-4
TABLES, NEAR_TABLES, NIL_TABLES = ("joint", "dependence"), 2e-3, 1e-5
KEPT: dict[str, Any] = json.loads(ANSWERS.read_text("utf-8"))


@pytest.fixture(scope="module")
def answered() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(documents(), allow_nan=False))
    return found


@pytest.mark.parametrize("asked", KEPT)
def test_an_answer_has_the_same_fields_in_the_same_order_and_the_same_values(
    asked: str, answered: dict[str, Any]
) -> None:
    found, kept = [*leaves(answered[asked])], [*leaves(KEPT[asked])]
    assert [(where, type(value)) for where, value in found] == [
        (where, type(value)) for where, value in kept
    ]
    tabulated = json.loads(asked)["question"] in TABLES
    near = (NEAR_TABLES, NIL_TABLES) if tabulated else (NEAR, NIL)
    for (where, value), (_, wanted) in zip(found, kept, strict=True):
        same = pytest.approx(wanted, *near) if isinstance(wanted, float) else wanted
        assert value == same, where


def test_every_question_of_the_dashboard_and_the_routes_is_kept(answered: dict[str, Any]) -> None:
    assert [*answered] == [*KEPT]


def test_the_description_is_the_same() -> None:
    kept = json.loads(DESCRIPTION.read_text("utf-8"))
    assert json.loads(json.dumps(description())) == kept


def leaves(value: Any, *where: Any) -> Any:
    """Yield whatever has no parts, and where it is, in the order of the document."""
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in parts:
        if isinstance(part, dict | list) and part:
            yield from leaves(part, *where, key)
        else:
            yield (*where, key), part
