"""Several rounds in one table, and the answers about one attribute."""

import numpy as np
import pyarrow as pa
import pytest

from discretion.errors import UnknownAttribute
from discretion.table import ReportTable
from tests.builders import crowd, drawn, secret_survey, survey, table_of

LEVELS_AND_CODES = (
    {"mode": (3500, 1), "pet": (500, 2)},
    {"hours": (2000, 6)},
    {"mode": (1000, 4), "pet": (250, 0), "mood": (2250, 1)},
)


def two_rounds() -> ReportTable:
    first = drawn(survey(), LEVELS_AND_CODES, seed=1).data
    second = table_of(survey(), [{"mode": (2000, 1)}], round=4).data
    return ReportTable(survey(), pa.concat_tables([second, first]), simulated=True)


def test_rounds_are_listed_from_the_first() -> None:
    assert two_rounds().rounds == [0, 4]


@pytest.mark.parametrize("round, rows", [(0, 3), (4, 1), (2, 0)])
def test_one_round_holds_its_reports_only(round: int, rows: int) -> None:
    table = two_rounds().of_round(round)
    assert table.data["round"].to_pylist() == [round] * rows
    assert table.simulated
    assert table.plan == survey()


def test_answers_are_those_who_shared_with_level_and_bytes() -> None:
    table = two_rounds()
    levels = np.concatenate([levels for levels, _ in table.answers("mode")])
    ys = np.concatenate([y for _, y in table.answers("mode")])
    assert levels.tolist() == [2000, 3500, 1000]
    expected = [y for y in table.data["mode.y"].to_pylist() if y is not None]
    assert [y.tobytes() for y in ys] == expected


def test_answers_of_a_slice_are_its_own() -> None:
    """Arrow keeps the bytes of the whole column behind a slice."""
    table = crowd(survey(), 40, seed=2)
    part = ReportTable(survey(), table.data.slice(17, 11))
    for name in survey().names:
        ys = [y.tobytes() for _, rows in part.answers(name) for y in rows]
        assert ys == [y for y in part.data[f"{name}.y"].to_pylist() if y is not None]


def test_secret_answers_have_level_zero() -> None:
    table = crowd(secret_survey(), 40, seed=2)
    levels = np.concatenate([levels for levels, _ in table.answers("pet")])
    assert levels.tolist() == [0] * table.data["pet.y"].is_valid().to_numpy().sum()


def test_answers_to_a_question_that_was_not_asked_are_refused() -> None:
    with pytest.raises(UnknownAttribute, match="no attribute 'shoe'"):
        list(two_rounds().answers("shoe"))
