"""True records are read strictly, and numbers come to the grid as on a device."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest
from scipy import stats

from discretion.crowd.records import ROWS, batches, code_columns
from discretion.errors import RecordError
from discretion.kernel.numbers import MISSING
from discretion.plan import Plan
from tests.builders import HOURS, MOOD, PET, author, survey
from tests.significance import ALPHA

SEED = 31
RECORD: dict[str, list[Any]] = {
    "mode": ["car", "bike", None],
    "pet": ["none", None, "cat"],
    "hours": [0.3, 0.9, None],
    "mood": [None, -1.0, 1.0],
}


def codes(**changes: Any) -> npt.NDArray[np.int64]:
    records = pa.table({k: v for k, v in (RECORD | changes).items() if v is not None})
    return code_columns(survey(), records, np.random.default_rng(SEED))


def column(question: dict[str, Any], values: Any) -> list[int]:
    """Return the codes of one attribute."""
    plan = Plan.of(author(attributes=[question]))
    name = question["name"]
    return code_columns(plan, pa.table({name: values}), np.random.default_rng(SEED))[:, 0].tolist()


def test_values_become_codes_and_nulls_are_missing() -> None:
    assert codes().tolist() == [[0, 2, 0, MISSING], [3, MISSING, 6, 0], [MISSING, 0, MISSING, 2]]


@pytest.mark.parametrize("nothing", [None, float("nan")])
@pytest.mark.parametrize("question", [HOURS, MOOD], ids=["grid", "bins"])
def test_null_and_nan_are_missing(question: dict[str, Any], nothing: float | None) -> None:
    found = column(question, pa.array([0.5, nothing, 0.5], from_pandas=False))
    assert found[1] == MISSING
    assert MISSING not in (found[0], found[2])


def test_an_unknown_label_is_refused_where_there_is_no_other() -> None:
    with pytest.raises(RecordError, match="pet: must be one of cat, dog, none, got 'cow'"):
        codes(pet=["cat", "cow", None])


def test_an_unknown_label_is_other_where_there_is_one() -> None:
    question = {**PET, "values": ["cat", "other", "dog"]}
    assert column(question, ["cow", "dog", "cat", None]) == [1, 2, 0, MISSING]


def test_a_dictionary_may_name_what_no_record_has() -> None:
    pets = pa.DictionaryArray.from_arrays(
        pa.array([2, None, 0, 3, 2], pa.int8()), ["dog", "cow", "cat", None]
    )
    assert column(PET, pets) == [0, MISSING, 1, MISSING, 0]


def test_every_chunk_may_have_a_dictionary_of_its_own() -> None:
    given = ((["cat", None], [0, 1, None]), (["dog", "cat"], [1, 0]))
    chunks = [
        pa.DictionaryArray.from_arrays(pa.array(places, pa.int8()), values)
        for values, places in given
    ]
    assert column(PET, pa.chunked_array(chunks)) == [0, MISSING, MISSING, 0, 1]


def test_a_full_dictionary_has_room_for_nulls() -> None:
    labels = [str(code) for code in range(128)]  # as many as a signed byte counts
    question = {"name": "x", "kind": "categorical", "values": labels}
    places = pa.array([127, None, 0], pa.int8())
    assert column(question, pa.DictionaryArray.from_arrays(places, labels)) == [127, MISSING, 0]


def test_whole_numbers_are_labels() -> None:
    question = {**PET, "values": [1, 2, 3]}
    assert column(question, [3, 1, None]) == [2, 0, MISSING]
    assert column(question, [3.0, 1.0, None]) == [2, 0, MISSING]


def test_a_list_is_read_as_the_attribute_reads_it() -> None:
    with pytest.raises(RecordError, match="must be one of"):
        column(PET, pa.array([["cat"]]))


def test_a_missing_column_is_refused() -> None:
    with pytest.raises(RecordError, match="mood: the records must have this column"):
        codes(mood=None)


@pytest.mark.parametrize(
    "hours", [[0.3, 0.1], [0.9, 0.91], [0.5, -1e9], [0.5, np.inf], [0.5, -np.inf], [0.3, 0.9, 1.0]]
)
def test_a_number_outside_the_grid_is_refused(hours: list[float]) -> None:
    """Also after 0.3 and 0.9, which in floating point are not where the grid's ends are."""
    with pytest.raises(RecordError, match="hours: must"):
        column(HOURS, hours)


@pytest.mark.parametrize("mood", [[0.0, -1.01], [0.0, 1.5], [0.0, np.inf]])
def test_a_number_outside_the_bins_is_refused(mood: list[float]) -> None:
    with pytest.raises(RecordError, match="mood: must"):
        column(MOOD, mood)


@pytest.mark.parametrize("question", [HOURS, MOOD], ids=["grid", "bins"])
@pytest.mark.parametrize("value", ["much", "0.5", True])
def test_text_and_truth_are_no_numbers(question: dict[str, Any], value: object) -> None:
    with pytest.raises(RecordError, match=f"{question['name']}: must be a number"):
        column(question, [value, None])


def test_bins_are_closed_below_and_the_last_one_on_both_sides() -> None:
    moods = [-1, -0.001, 0, 0.25, 0.4999, 0.5, 0.75, 1]
    assert column(MOOD, moods) == [0, 0, 1, 1, 1, 2, 2, 2]


def test_a_point_of_the_grid_has_its_code_for_certain() -> None:
    """0.3 + 0.1 + ... does not land on the decimals, but is meant to."""
    points = [0.3 + 0.1 * i for i in range(7)] * 50
    assert column(HOURS, points) == list(range(7)) * 50
    assert column(HOURS, [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]) == list(range(7))


def test_between_two_points_the_coin_keeps_the_mean() -> None:
    n = 40_000
    found = np.array(column(HOURS, np.full(n, 0.537)))
    assert set(found.tolist()) == {2, 3}
    ups = int((found == 3).sum())
    p = stats.binomtest(ups, n, 0.37).pvalue
    assert p > ALPHA, f"{ups} of {n} up, p = {p}, seed {SEED}"


def test_each_owner_has_a_coin_of_her_own() -> None:
    n = 40_000
    values = np.random.default_rng(SEED).uniform(0.3, 0.9, n)
    found = np.array(column(HOURS, values)) * 0.1 + 0.3
    error = found - values
    assert np.abs(error).max() < 0.1
    z = error.mean() / (error.std() / np.sqrt(n))
    assert abs(z) < stats.norm.isf(ALPHA / 2), f"z = {z}, n = {n}, seed {SEED}"


def test_whole_numbers_lie_on_a_grid_of_whole_numbers() -> None:
    question = {"name": "age", "kind": "numeric", "range": [16, 100], "step": 2}
    assert column(question, pa.array([16, None, 100])) == [0, MISSING, 42]


@pytest.mark.parametrize("n", [0, 1, ROWS - 1, ROWS, ROWS + 1, 3 * ROWS + 7])
def test_batches_are_all_rows_in_order(n: int) -> None:
    rows = np.arange(n)
    assert np.concatenate([rows[:0], *(rows[own] for own in batches(n))]).tolist() == rows.tolist()


def test_batches_change_no_coin() -> None:
    n = ROWS + 9
    places = np.random.default_rng(SEED).uniform(0, 100, n)
    coins = np.random.default_rng(SEED).random(n)
    expected = np.floor(places) + (coins < places % 1)
    question = {"name": "age", "kind": "numeric", "range": [0, 100], "step": 1}
    assert column(question, places) == expected.tolist()


def test_the_first_number_outside_is_named_wherever_it_stands() -> None:
    hours = [*[0.5] * (ROWS + 2), 0.1, 1.7]
    with pytest.raises(RecordError, match=r"hours: must lie between 0\.3 and 0\.9, got 0\.1"):
        column(HOURS, hours)


def test_a_column_in_pieces_is_the_same_column() -> None:
    numbers = pa.array([0.3, None, 0.55, 0.9, 0.61])
    pieces = pa.chunked_array([numbers[:2], numbers[2:]])
    assert column(HOURS, pieces) == column(HOURS, numbers)
    assert column(HOURS, pa.table({"hours": pieces})["hours"][1:]) == column(HOURS, numbers[1:])
