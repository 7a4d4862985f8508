"""Outputs of many reports about numbers at once, against the law's own word for each of them."""

import itertools

import numpy as np
import pytest

from discretion.mechanism import NUMBERS, Choice, NumberLaw, Table, number_law
from discretion.mechanism.halfspace import signs
from discretion.plan.optimal import optimal_weights
from discretion.table.columns import Bytes
from discretion.table.outputs import below, count_outputs, count_part_levels, probabilities
from discretion.table.validation import admitted
from tests.cases import for_each

SIZES = (2, 3, 21, 101)
LEVELS = (1, 500, 2000, 8000)
FLOATS = 1e-12


def law_of(name: str, size: int, level: int) -> NumberLaw:
    if name == "optimal":
        return Table(size, optimal_weights(level))
    return number_law(name, size, level)


def rows_of(ys: list[int], width: int) -> Bytes:
    data = b"".join(y.to_bytes(width, "little") for y in ys)
    return np.frombuffer(data, np.uint8).reshape(len(ys), width)


@for_each("name", [*NUMBERS, "optimal"])
def test_probabilities_are_those_of_the_law(name: str) -> None:
    for size, level in itertools.product(SIZES, LEVELS):
        law = law_of(name, size, level)
        found = probabilities(law)
        assert found.shape == (law.n_outputs, size), law
        assert found.sum(axis=0) == pytest.approx(np.ones(size), abs=1e-9), law
        some = {0, 1, 2, law.n_outputs // 2, law.n_outputs - 1} & set(range(law.n_outputs))
        for y, code in itertools.product(some, (0, size // 2, size - 1)):
            stated = float(law.probability(y, code))
            assert found[y, code] == pytest.approx(stated, abs=FLOATS), (law, y, code)


@for_each("name", [*NUMBERS, "optimal"])
def test_joined_outputs_have_the_probabilities_of_their_parts(name: str) -> None:
    law = law_of(name, 21, 2000)
    edges = np.unique([0, 1, 2, law.n_outputs // 3, law.n_outputs - 1, law.n_outputs])
    joined = np.diff(below(law, edges), axis=0)
    whole = np.add.reduceat(probabilities(law), edges[:-1], axis=0)
    np.testing.assert_allclose(joined, whole, rtol=0, atol=1e-11)
    assert below(law, np.array([0])).tolist() == [[0.0] * 21]
    np.testing.assert_allclose(below(law, np.array([law.n_outputs])), 1, rtol=0, atol=1e-9)


def test_what_has_no_outputs_to_list_is_refused() -> None:
    with pytest.raises(TypeError, match="no shape to tabulate Choice"):
        below(Choice(3, 1), np.arange(2))  # type: ignore[arg-type]


@for_each("name", [*NUMBERS, "optimal"])
def test_possible_is_what_the_laws_call_possible(name: str) -> None:
    laws = [law_of(name, size, level) for size in (5, 21) for level in (500, 8000)]
    width = max(law.n_bytes for law in laws)
    ys = list(range(0, 256**width, 1 if width == 1 else 7))
    for which, law in enumerate(laws):
        forms = [law.form for law in laws]
        found = admitted(forms, np.full(len(ys), which), rows_of(ys, width))
        assert found.tolist() == [law.form.admits(y) for y in ys]


@pytest.mark.parametrize("numbers", [2, 3, 7, 8, 12])
def test_possible_signs_are_those_of_the_law(numbers: int) -> None:
    law = signs(1 << numbers, 1000)
    ys = list(range(256**law.n_bytes))
    found = admitted([law.form], np.zeros(len(ys), np.int64), rows_of(ys, law.n_bytes))
    assert found.tolist() == [law.form.admits(y) for y in ys]


def test_outputs_are_counted_by_stratum() -> None:
    ys, grades = [0, 4, 4, 300, 2, 300], [500, 500, 40_000, 40_000, 500, 40_000]
    reaches = {500: 5, 40_000: 301}
    found = list(count_outputs(rows_of(ys, 2), np.array(grades, np.int32), reaches.__getitem__))
    assert [(grade, n, len(counts)) for grade, n, counts in found] == [
        (500, 3, 5),
        (40_000, 3, 301),
    ]
    assert found[0][2].tolist() == [1, 0, 1, 0, 1]
    assert {y: c for y, c in enumerate(found[1][2].tolist()) if c} == {4: 1, 300: 2}


def test_no_reports_count_nothing() -> None:
    none = np.zeros((0, 2), np.uint8)
    assert list(count_outputs(none, np.zeros(0, np.int32), lambda _: 5)) == []
    assert list(count_part_levels(none, np.zeros(0, np.int32), (3, 3))) == []


def test_levels_of_a_bundle_are_counted_part_by_part() -> None:
    """Cells of 3 x 3, the last part fastest: 5 is (1, 2)."""
    grades = np.array([2000, 500, 2000, 2000], np.int32)
    found = list(count_part_levels(rows_of([5, 0, 8, 3], 1), grades, (3, 3)))
    assert [(grade, n, counts.tolist()) for grade, n, counts in found] == [
        (500, 1, [[1, 0, 0], [1, 0, 0]]),
        (2000, 3, [[0, 2, 1], [1, 0, 2]]),
    ]
