"""The division by entropy: right on true tables, blind on those that a Lasso makes of marginals."""

import numpy as np
import numpy.typing as npt
import pytest

from discretion.crowd import simulate
from discretion.errors import EstimateError
from discretion.joints import joint
from discretion.joints.entropy_split import Axes, least_dependent, possible
from discretion.labels import frequencies
from discretion.plan import Plan
from tests.builders import (
    AVERAGE,
    LEVELS,
    author,
    crowd,
    disclosed,
    secret_survey,
    survey,
    table_of,
)

ROUNDING = 1e-6
PENALISED = 0.01  # what the Lasso's penalty takes from a value, at most, in the crowds here
ALIKE = np.array([[0.45, 0.05], [0.05, 0.45]])  # A and B agree in nine of ten
TRUTH = np.multiply.outer(ALIKE, [0.7, 0.3])  # C is independent of both


def true_part(axes: Axes) -> npt.NDArray[np.float64]:
    return TRUTH.sum(axis=tuple(axis for axis in range(3) if axis not in axes))


def test_with_true_parts_the_smallest_sum_of_entropies_keeps_what_depends_together() -> None:
    division = least_dependent(possible(3, lambda _: True), true_part)
    assert division == ((0, 1), (2,))
    product = np.multiply.outer(true_part((0, 1)), true_part((2,)))
    np.testing.assert_allclose(product, TRUTH)


def test_the_largest_sum_that_the_prose_asks_for_would_separate_them() -> None:
    """The figures of the example: 1.629 against 1.997, and the latter is off by 0.40."""
    sums = {}
    for division in possible(3, lambda _: True):
        entropies = [-(p * np.log(p)).sum() for p in map(true_part, division)]
        sums[division] = sum(entropies)
    assert min(sums.values()) == pytest.approx(1.629, abs=5e-4)
    assert max(sums.values()) == pytest.approx(1.997, abs=5e-4)
    largest = np.einsum("ac,b->abc", true_part((0, 2)), true_part((1,)))
    assert np.abs(largest - TRUTH).sum() / 2 == pytest.approx(0.4)


def test_with_a_lassos_parts_dependence_is_lost_whatever_the_division() -> None:
    """A limitation: nine of ten agree, and the answer says that half do."""
    names = ("a", "b", "c")
    coin = {"kind": "categorical", "values": ["0", "1"]}
    plan = Plan.of(author(attributes=[{"name": n, **coin} for n in names], budget=LEVELS))
    codes = np.random.default_rng(21).choice(8, 20_000, p=TRUTH.ravel())
    bits = (codes >> np.array([[2], [1], [0]]) & 1).astype(str)
    records = dict(zip(names, bits, strict=True))
    reports = simulate(plan, records, budgets="levels", share=0.8, seed=21)

    def agreeing(method: str) -> float:
        return float(np.trace(joint(reports, names, method).marginal(["a", "b"]).value))

    assert agreeing("entropy-split") == pytest.approx(0.5, abs=0.05)
    assert agreeing("map") == pytest.approx(0.9, abs=0.05)


def test_the_smallest_second_part_that_reports_allow_goes_first() -> None:
    assert possible(2, lambda _: True) == [((1,), (0,)), ((0,), (1,))]
    assert {second for _, second in possible(4, lambda _: True)} == {(0,), (1,), (2,), (3,)}
    pairs = possible(4, lambda axes: len(axes) <= 2)
    assert {frozenset(division) for division in pairs} == {
        frozenset([(0, 1), (2, 3)]),
        frozenset([(0, 2), (1, 3)]),
        frozenset([(0, 3), (1, 2)]),
    }
    assert possible(3, lambda axes: axes != (0, 1)) == [((1, 2), (0,)), ((0, 2), (1,))]


@pytest.mark.parametrize("plan", [survey(), secret_survey()], ids=["disclosed", "secret"])
def test_every_axis_has_its_own_marginal(plan: Plan) -> None:
    reports = crowd(plan, 4_000, seed=22)
    table = joint(reports, ["pet", "mode", "mood"], "entropy-split")
    assert table.value.shape == (3, 5, 3)
    assert table.value.sum() == pytest.approx(1)
    for name in table.attributes:
        found = table.marginal([name]).value
        np.testing.assert_allclose(found, frequencies(reports, name).value, atol=PENALISED)


def test_two_attributes_are_independent() -> None:
    reports = crowd(survey(), 1_000, seed=23)
    split, product = (
        joint(reports, ["mode", "pet"], method).value for method in ("entropy-split", "independent")
    )
    np.testing.assert_allclose(split, product, atol=ROUNDING)


def test_a_set_of_which_no_report_holds_two_has_no_division() -> None:
    plan = Plan.of(author(budget=AVERAGE))
    alone = [{"mode": (500, 1)}, {"pet": (2000, 1)}, {"mood": (750, 1)}]
    with pytest.raises(EstimateError, match=r"two parts .*: mode, pet, mood have none"):
        joint(table_of(plan, alone), ["mode", "pet", "mood"], "entropy-split")
    apart = table_of(disclosed("oue", 3), [{"x": (500, 1)}, {"z": (3000, 1)}] * 20)
    assert joint(apart, ["x", "z"], "entropy-split").value.sum() == pytest.approx(1)
