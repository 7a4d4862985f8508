"""The likelihood's view of reports: counted supports, in blocks, against one report at a time."""

from collections import Counter

import numpy as np
import pytest

from discretion.family.sets import likelihood as module
from discretion.family.sets.likelihood import ReportLikelihood, Supports, counted
from discretion.mechanism import MECHANISMS
from discretion.plan import Family
from discretion.table import ReportTable
from tests.builders import Vector, answered, bits, disclosed, secret
from tests.cases import for_each
from tests.unit.estimate.exact import Matrix, packed_bits

SIZES = (2, 3, 20, 32, 33, 70)  # with a class of four bytes: below, at and above eight bytes


def reports_of(mechanism: str, size: int) -> ReportTable:
    """Few codes and many owners, so that reports repeat; levels 0.5, 1.5 and 3."""
    codes = np.random.default_rng(size).choice(min(size, 3), 250)
    return answered(disclosed(mechanism, size), codes, seed=61)


def each(reports: ReportTable) -> list[tuple[tuple[float, ...], int]]:
    """Return the support and the level of each report about x."""
    found = []
    for levels, ys in reports.answers("x"):
        for level, y in zip(levels.tolist(), ys, strict=True):
            law = reports.plan.questions["x"].law(level or reports.plan.policy.menu[0], Family.SETS)
            support = law.support(int.from_bytes(y.tobytes(), "little"))
            found.append((tuple(bits(support, law.size)), level))
    return found


@for_each("mechanism", MECHANISMS)
@for_each("size", SIZES)
def test_every_report_is_there_as_often_as_it_came(mechanism: str, size: int) -> None:
    reports = reports_of(mechanism, size)
    supports = Supports.by_level(reports, "x")
    menu, found = sorted({level for _, level in each(reports)}), Counter[object]()
    rows = packed_bits(supports.packed, size)
    for row, cls, count in zip(rows, supports.classes, supports.counts, strict=True):
        found[tuple(row), menu[cls]] += int(count)
    assert found == Counter(each(reports))
    assert supports.n == found.total() < 250


@for_each("mechanism", MECHANISMS)
@for_each("size", [2, 3])
def test_equal_short_reports_are_counted_and_not_repeated(mechanism: str, size: int) -> None:
    reports = reports_of(mechanism, size)
    assert len(Supports.by_level(reports, "x").counts) == len(set(each(reports))) < 30


def test_by_size_the_class_is_the_number_of_ones() -> None:
    codes = np.random.default_rng(1).choice(5, 200)
    reports = answered(secret(5), codes, seed=62)
    supports = Supports.by_size(reports, "x")
    rows = packed_bits(supports.packed, 5)
    assert supports.classes.tolist() == rows.sum(axis=1).tolist()
    assert len(supports.counts) == len(set(each(reports)))


@pytest.fixture
def both() -> tuple[Supports, Supports]:
    """Reports as they are, and the same ones counted."""
    rng = np.random.default_rng(63)
    packed = rng.integers(0, 8, (90, 1), np.uint8)
    classes = rng.integers(0, 3, 90)
    return Supports(3, packed, classes, np.ones(90)), Supports(3, *counted(packed, classes))


RATIOS = np.array([1.5, 4.0, 20.0])
F = np.array([0.5, 0.2, 0.3])


def one_by_one(supports: Supports) -> tuple[float, Vector, Matrix, Matrix]:
    """Return the log-likelihood, the EM multiplier, the curvature and the sensitivity at F."""
    value, multiplier = 0.0, np.zeros(3)
    curvature, sensitivity = np.zeros((3, 3)), np.zeros((3, 3))
    rows = packed_bits(supports.packed, 3)
    for y, cls, count in zip(rows, supports.classes, supports.counts, strict=True):
        L = 1 + (RATIOS[cls] - 1) * y
        density = L @ F
        value += count * float(np.log(density))
        multiplier += count * L / density
        curvature += count * np.outer(L, L) / density**2
        sensitivity[cls] += count * (y * density - L * (y @ F)) / density**2
    return value, multiplier / supports.n, curvature / supports.n, sensitivity


@pytest.mark.parametrize("block", [1, 7, 10**6])
def test_sums_over_blocks_are_sums_over_reports(
    both: tuple[Supports, Supports], block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BLOCK", block)
    for supports in both:
        likelihood = ReportLikelihood(supports, RATIOS)
        value, multiplier, curvature, sensitivity = one_by_one(supports)
        here = likelihood.at(F)
        assert here.value == pytest.approx(value)
        np.testing.assert_allclose(here.multiplier, multiplier)
        squares = np.diag(curvature) - 2 * multiplier + 1
        np.testing.assert_allclose(here.curvature, squares)
        np.testing.assert_allclose(likelihood.curvature(F), curvature)
        H = np.eye(3) - 1 / 3  # a score counts on contrasts only
        np.testing.assert_allclose(likelihood.sensitivity(F) @ H, sensitivity @ H, atol=1e-9)
        assert likelihood.n == 90


def test_counting_changes_nothing(both: tuple[Supports, Supports]) -> None:
    plain, counted = (ReportLikelihood(supports, RATIOS) for supports in both)
    assert len(counted.supports.counts) < len(plain.supports.counts)
    one, other = counted.at(F), plain.at(F)
    assert one.value == pytest.approx(other.value)
    np.testing.assert_allclose(one.multiplier, other.multiplier)
    np.testing.assert_allclose(one.curvature, other.curvature)
    np.testing.assert_allclose(counted.curvature(F), plain.curvature(F))
    np.testing.assert_allclose(counted.sensitivity(F), plain.sensitivity(F))
