"""Variants of local privacy keep every check, are the laws of the papers, and waste little."""

import itertools
from fractions import Fraction
from math import ceil, exp, hypot, log

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discretion.mechanism import Geometric, Places, Sensitive, Shares, Variant, law
from discretion.mechanism.geometric import laplace
from discretion.mechanism.idldp import CUTS, MOST_SHARES, Classes
from discretion.mechanism.matrix import LEAST, MOST, WHOLE, Matrix
from discretion.table.outputs import probabilities
from tests.cases import for_each
from tests.contract import variants
from tests.contract.conformance import LEVELS
from tests.contract.exponential import exp_lower, exp_upper
from tests.contract.variants import EXACT, SAMPLED, Check

STATED: dict[str, Variant] = {
    "idldp of one sensitive value": Shares((500, 1000, 1000)),
    "idldp of many shares": Shares((1000, 700, 400, 900, 1000)),
    "idldp of next to nothing": Shares((1, 1000, 1000)),
    "idldp of equal shares": Shares((1000, 1000, 1000, 1000)),
    "uldp of one of two": Sensitive(2, (0,)),
    "uldp of two of five": Sensitive(5, (1, 3)),
    "metric by order": Places(((0,), (500,), (1000,), (1500,), (2000,))),
    "metric of uneven gaps": Places(((3000,), (0,), (1,), (1500,))),
    "metric far apart": Places(((0,), (40_000,), (40_100,))),
    "metric in a plane": Places(((0, 0), (1000, 0), (0, 1500), (300, 400), (-700, 7))),
}
WASTE = 1e-4  # the part of what is allowed that is lost: to the hair, and to the mixture far away
ALIKE = ("metric far apart", "idldp of next to nothing")  # at twice the level hardly another law
LARGEST = (
    Sensitive(MOST, tuple(range(100))),
    Shares(tuple(1000 - 40 * (i % MOST_SHARES) for i in range(MOST))),
    Places(tuple((i,) for i in range(MOST))),
    Places(tuple(divmod(i, 16) for i in range(MOST))),
)
SPENT = ("idldp", "uldp", "metric by order", "metric of uneven gaps")


@for_each("level", LEVELS)
@for_each("name", STATED)
def test_a_variant_passes(name: str, level: int) -> None:
    for check in EXACT:
        check(STATED[name], level)


@for_each("check", SAMPLED)
@for_each("name", [name for name in STATED if name not in ALIKE])
def test_a_variant_samples(check: Check, name: str) -> None:
    check(STATED[name], 2000)


@for_each("level", LEVELS)
@for_each("name", [name for name in STATED if name.startswith(SPENT)])
def test_some_pair_has_all_that_is_allowed(name: str, level: int) -> None:
    """But for a hair; of next to nothing the hair is a hundredth."""
    variant = STATED[name]
    law, waste = variant.law(level), 0.011 if "nothing" in name else WASTE
    spent = []
    for one, other in itertools.permutations(range(law.size), 2):
        ratios = [
            law.probability(y, one) / law.probability(y, other)
            for y in law.outputs()
            if y not in variant.opened
        ]
        spent.append(log(max(ratios)) / (level * variant.allowed(one, other) / 10**6))
    assert max(spent) > 1 - waste


@st.composite
def stated(draw: st.DrawFn) -> Variant:
    """Draw any variant of a few codes."""
    size = draw(st.integers(2, 6))
    kind = draw(st.sampled_from(("shares", "sensitive", "line", "plane")))
    if kind == "shares":
        return Shares(tuple(draw(st.lists(st.integers(1, 1000), min_size=size, max_size=size))))
    if kind == "sensitive":
        codes = draw(st.sets(st.integers(0, size - 1), min_size=1, max_size=size - 1))
        return Sensitive(size, tuple(sorted(codes)))
    axes = 1 if kind == "line" else 2
    place = st.tuples(*[st.integers(-3000, 3000)] * axes)
    return Places(tuple(draw(st.lists(place, min_size=size, max_size=size, unique=True))))


@settings(max_examples=75, deadline=None)
@given(stated(), st.integers(1, 20_000))
def test_any_variant_at_any_level_keeps_to_what_it_allows(variant: Variant, level: int) -> None:
    variants.law_is_normalised(variant, level)
    variants.every_pair_is_told_apart_by_what_is_allowed(variant, level)
    variants.open_outputs_are_of_their_own_code_alone(variant, level)


@pytest.mark.parametrize("variant", LARGEST, ids=lambda variant: type(variant).__name__)
def test_the_largest_matrix_is_made_in_a_moment(variant: Variant) -> None:
    variants.law_is_normalised(variant, 1000)
    variants.analysts_have_its_probabilities(variant, 1000)


@for_each("level", [250, 1000, 4000, 8000])
@for_each(
    "shares", [(500, 1000, 1000), (1000, 700, 400, 900), (500, *(1000,) * 9), (400, 400, 800)]
)
def test_shares_are_never_worse_than_randomised_response_at_the_smallest(
    shares: tuple[int, ...], level: int
) -> None:
    """The variance of unbiased frequencies at the uniform law, summed over the codes."""
    even = Shares((min(shares),) * len(shares)).law(level)
    assert variance(Shares(shares).law(level)) <= variance(even) * (1 + 1e-9)


def test_shares_are_much_better_where_most_values_are_not_sensitive() -> None:
    best, even = (variance(Shares(s).law(2000)) for s in ((500, *(1000,) * 4), (500,) * 5))
    assert best < 0.85 * even


@pytest.mark.parametrize("level", [250, 2000])
def test_equal_shares_are_randomised_response(level: int) -> None:
    known = law("grr", 4, level)
    found = Shares((1000,) * 4).law(level)
    for y, x in itertools.product(range(4), repeat=2):
        assert abs(found.probability(y, x) - known.probability(y, x)) < Fraction(4, WHOLE)


def test_the_variance_by_classes_is_that_of_the_matrix() -> None:
    tops = Shares((500, 700, 1000, 1000))._tops(1500, CUTS)
    classes = Classes.of(tops)
    falls = np.array(
        [
            [1 if i == j else 2**64 / min(a, b) for j, b in enumerate(tops)]
            for i, a in enumerate(tops)
        ]
    )
    own = np.linalg.solve(falls, np.ones(4))
    np.testing.assert_allclose([float(c) for c in classes.own], own[[0, 1, 2]], rtol=1e-12)
    assert float(classes.variance) - 1 / 4 == pytest.approx(total(falls * own), rel=1e-12)


def test_values_that_are_not_sensitive_are_told_apart_better() -> None:
    found = Shares((500, 1000, 1000)).law(2000)
    insensitive = found.probability(1, 1) / found.probability(1, 2)
    assert exp_upper(Fraction(1)) < insensitive <= exp_lower(Fraction(2))


@pytest.mark.parametrize("level", [250, 2000])
def test_the_sensitive_have_the_law_of_the_paper(level: int) -> None:
    """Murakami and Kawamoto's uRR, with c = 1 / (s + e^epsilon - 1)."""
    found, e = probabilities(Sensitive(4, (0, 2)).law(level)), exp(level / 1000)
    c = 1 / (2 + e - 1)
    expected = np.array(
        [[c * e, c, c, c], [0, c * (e - 1), 0, 0], [c, c, c * e, c], [0, 0, 0, c * (e - 1)]]
    )
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_even_gaps_on_a_line_are_the_geometric_law() -> None:
    known = laplace(6, 5000)
    assert isinstance(known, Geometric)
    found = Places(tuple((1000 * i,) for i in range(6))).law(1000)
    for y, x in itertools.product(range(6), repeat=2):
        assert float(found.probability(y, x)) == pytest.approx(
            float(known.probability(y, x)), rel=1e-5
        )


@pytest.mark.parametrize("level", [100, 3000])
def test_a_plane_has_tight_constraints_where_it_can_and_else_the_exponential_law(
    level: int,
) -> None:
    places = [(0, 0), (300, 400), (600, 800), (0, 1000), (500, 300)]
    away = np.array([[ceil(hypot(a - c, b - d)) for c, d in places] for a, b in places])
    tight = np.exp(-level * away / 10**6)
    own = np.linalg.solve(tight, np.ones(5))
    halves = np.exp(-level * away / (2 * 10**6))
    expected = tight * own if own.min() > 0 else halves / halves.sum(axis=1, keepdims=True)
    assert (own.min() > 0) == (level == 3000)
    np.testing.assert_allclose(
        probabilities(Places(tuple(places)).law(level)).T, expected, rtol=1e-5
    )


def test_distances_are_rounded_up_and_a_metric() -> None:
    places = Places(((0, 0), (1, 1), (2, 3), (500, 0), (-7, 90)))
    assert places.allowed(0, 1) == 2
    assert places.allowed(0, 3) == 500
    for a, b, c in itertools.permutations(range(5), 3):
        assert places.allowed(a, c) <= places.allowed(a, b) + places.allowed(b, c)


def test_every_output_has_some_weight_however_far() -> None:
    found = Places(((0,), (900_000,))).law(20_000)
    assert min(min(row) for row in found.weights) >= LEAST


def test_tight_constraints_beat_the_exponential_law() -> None:
    """The same places with one more far away, so many that c is not worked out."""
    grid = [(1000 * i, 1000 * j) for i in range(8) for j in range(8)]
    tight = Places(tuple(grid)).law(2000)
    loose = Places((*grid, (100_000, 0))).law(2000)
    assert variance(tight) < 0.1 * variance(loose)


def variance(law: Matrix) -> float:
    return total(probabilities(law).T)


def total(rows: npt.NDArray[np.float64]) -> float:
    """Return the variance, summed over codes, of f = A^-1 (outputs) at the uniform law."""
    size, shown = len(rows), rows.mean(axis=0)
    back = np.linalg.inv(rows.T)
    return float((shown * (back**2).sum(axis=0)).sum() - 1 / size)
