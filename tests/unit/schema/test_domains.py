"""What every attribute says about its domain, so that nobody asks which kind it has."""

from dataclasses import replace

import pytest

from discretion.schema import Attribute, Bundle, Categorical, Coarse, Numeric, Text

MODE = Categorical("mode", ("car", "bus", "walk"), "walk")
AGE = Numeric("age", 0, 100, 1, 0)
BINS = replace(AGE, edges=(0, 18, 100))
TEXT = Text("said")
COARSE = Coarse(AGE, 3)
CELLS = Bundle((MODE, BINS))
NUMBERS = Bundle((COARSE, Coarse(AGE, 3)))


@pytest.mark.parametrize(
    "attribute, listed, number",
    [
        (MODE, True, None),
        (AGE, False, AGE),
        (BINS, True, BINS),
        (TEXT, False, None),
        (COARSE, False, AGE),
        (CELLS, True, None),
        (NUMBERS, False, None),
    ],
)
def test_values_are_of_a_list_or_numbers_or_neither(
    attribute: Attribute, listed: bool, number: Numeric | None
) -> None:
    assert (attribute.listed, attribute.number) == (listed, number)


@pytest.mark.parametrize(
    "attribute, domain, otherwise",
    [
        (MODE, "3: car ... walk", '"walk"'),
        (AGE, "101: 0 ... 100", "the nearer end"),
        (BINS, "2: [0, 18) ... [18, 100]", "the nearer end"),
        (TEXT, "any text", "(everything fits)"),
        (COARSE, "3: 0 ... 100", "the nearer end"),
        (CELLS, "6: car, [0, 18) ... walk, [18, 100]", "as its parts"),
    ],
)
def test_the_domain_and_what_is_outside_have_words(
    attribute: Attribute, domain: str, otherwise: str
) -> None:
    assert (attribute.domain, attribute.otherwise) == (domain, otherwise)
