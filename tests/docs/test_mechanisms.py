"""The pages about mechanisms are what the laws say, and their formulas are right."""

from itertools import product
from math import log

import pytest

from discretion.mechanism import VARIANTS, NumberLaw
from tests.cases import for_each
from tests.docs.mechanism_figure import LINES
from tests.docs.mechanism_notes import NOTES
from tests.docs.mechanism_variants import FORMS, variances, worst
from tests.docs.mechanisms import (
    FIGURE,
    INDEX,
    LABELS,
    NAMES,
    PLACE,
    index,
    law_of,
    noise_of,
    page,
)

EPSILONS = (0.5, 1.0, 2.0, 4.0)
MIXED = 1e-5  # relative: outputs are mixed with a few uniform ones
ROUNDING = 1e-6  # relative: cells of hash functions are not quite alike
FINE, COARSE = 401, 4e-3  # points of a grid, and how far it is from a line


@for_each("name", NAMES)
def test_a_page_is_what_its_law_says(name: str) -> None:
    """To write them anew: python -m tests.docs.mechanisms."""
    assert (PLACE / f"{name}.md").read_text(encoding="utf-8") == page(name)


def test_the_index_lists_every_page_and_there_are_no_others() -> None:
    assert (PLACE / INDEX).read_text(encoding="utf-8") == index()
    written = {path.stem for path in PLACE.glob("*.md")} - {"README"}
    assert written == set(NAMES) == set(NOTES)


def test_the_figure_names_its_lines() -> None:
    drawn = (PLACE / FIGURE).read_text(encoding="utf-8")
    assert all(f">{label}<" in drawn for label, _, _ in LINES.values())
    assert ">limit<" in drawn


@for_each("name", LABELS)
def test_the_formula_of_a_mechanism_for_labels_is_that_of_its_law(name: str) -> None:
    formula = NOTES[name].formula
    assert formula is not None
    for size, epsilon in product((3, 16, 300), EPSILONS):
        exact = noise_of(name, size, round(1000 * epsilon))
        assert formula(size, epsilon) == pytest.approx(exact, rel=ROUNDING, abs=ROUNDING)


@pytest.mark.parametrize("name", VARIANTS)
def test_the_formula_of_a_variant_is_that_of_its_law(name: str) -> None:
    for size, epsilon in product((4, 16, 64), EPSILONS):
        exact = variances(name, size, round(1000 * epsilon)).sum()
        assert FORMS[name].summed(size, epsilon) == pytest.approx(exact, rel=MIXED)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_keeps_its_bounds_and_reaches_them(name: str) -> None:
    for size, level in product((4, 16), (500, 4000)):
        found = worst(name, size, level)
        assert found.passes
        assert found.ratio is not None
        assert log(found.ratio) == pytest.approx(found.claim, rel=MIXED)


@pytest.mark.parametrize("name", [n for n in NAMES if n not in LABELS and NOTES[n].formula])
def test_the_formula_of_a_mechanism_for_numbers_is_that_of_its_law(name: str) -> None:
    formula = NOTES[name].formula
    assert formula is not None
    for epsilon in EPSILONS:
        own: NumberLaw = law_of(name, FINE, round(1000 * epsilon))  # type: ignore[assignment]
        a, b = formula(FINE, epsilon)
        for z, code in ((-1, 0), (0, FINE // 2), (0.5, 3 * (FINE - 1) // 4)):
            exact = float(own.variance(code)) * 4 / (FINE - 1) ** 2
            assert a + b * z**2 == pytest.approx(exact, rel=COARSE)
