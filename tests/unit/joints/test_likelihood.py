"""The likelihood and its curvature, against dense rows from the laws' exact probabilities."""

import itertools
from dataclasses import replace
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discretion.joints import likelihood as module
from discretion.joints.allocation import BudgetMixture
from discretion.joints.build import likelihood_of
from discretion.joints.likelihood import GroupLikelihood, JointLikelihood
from discretion.joints.rows import DisclosedRows, SecretRows
from discretion.joints.table_evidence import Evidence
from discretion.table import ReportTable
from tests.builders import AVERAGE, LEVELS
from tests.unit.joints.crowds import Matrix, Vector, crowd, dependent, exact_rows, plan_of
from tests.unit.joints.test_rows import sides_of

SINGLE = 2e-5  # sums of a few hundred rows in single precision
MECHANISMS = ("grr", "oue", "sue", "subset")


def inside(cells: int, seed: int) -> Vector:
    return np.random.default_rng(seed).dirichlet(np.ones(cells))


def with_sides(whole: JointLikelihood, turn: int) -> JointLikelihood:
    """Return the same likelihood with other sides: the so-manieth split of each group."""
    groups = []
    for group in whole.groups:
        every = sides_of(len(group.sizes))
        rows = group.rows
        assert isinstance(rows, DisclosedRows | SecretRows)
        groups.append(replace(group, rows=replace(rows, sides=every[turn % len(every)])))
    return JointLikelihood(whole.shape, tuple(groups))


def check(found: JointLikelihood, L: Matrix, seed: int) -> None:
    """Compare with dense rows; the value is known up to a factor for each report."""
    f, g = inside(L.shape[1], seed), inside(L.shape[1], seed + 1)
    assert found.n == len(L)
    value, slope = found.slope(f)
    np.testing.assert_allclose(slope, (L / (L @ f)[:, None]).mean(axis=0), rtol=SINGLE)
    gain = np.log(L @ f).sum() - np.log(L @ g).sum()
    assert value - found.slope(g)[0] == pytest.approx(gain, abs=SINGLE * len(L))
    scores = L / (L @ f)[:, None]
    np.testing.assert_allclose(found.information(f), scores.T @ scores, rtol=SINGLE)
    slopes = np.random.default_rng(seed).standard_normal((L.shape[1], 3))
    along = (scores @ slopes).T @ (scores @ slopes)
    room = SINGLE * np.abs(along).max()
    np.testing.assert_allclose(found.information_along(f, slopes), along, rtol=SINGLE, atol=room)


@settings(max_examples=12)
@given(
    sizes=st.lists(st.integers(2, 4), min_size=2, max_size=4),
    first=st.integers(0, 3),
    bundle=st.booleans(),
    seed=st.integers(0, 100),
)
def test_disclosed_likelihood_is_that_of_the_laws_whatever_the_sides(
    sizes: list[int], first: int, bundle: bool, seed: int
) -> None:
    """All mechanisms, unequal levels, every pattern of gaps, attributes in another order."""
    kinds = [MECHANISMS[(first + i) % 4] for i in range(len(sizes))]
    plan = plan_of(sizes, kinds, bundles=[["b", "a"]] if bundle else ())
    reports = crowd(plan, dependent(sizes), 60, seed, missing=0.4)
    names = tuple(np.random.default_rng(seed).permutation(list(plan.attributes)).tolist())
    if not all(reports_hold(reports, name) for name in names):
        return
    whole, L = likelihood_of(Evidence.of(reports, names)), exact_rows(reports, names)
    check(whole, L, seed)
    for turn in range(2 ** len(sizes)):
        check(with_sides(whole, turn), L, seed)


def reports_hold(reports: ReportTable, name: str) -> bool:
    return any(name in reports.plan.questions[shared].parts for shared in reports.shared)


def secret_rows(law: BudgetMixture, evidence: Evidence) -> Matrix:
    """Sum over the types, one report and one cell at a time."""
    found = []
    for group in evidence.groups:
        for i in range(len(group)):
            shared = int(group.shared[i])
            (seen,) = [each for each in law.strata if each.sharing[::2] == (group.axes, shared)]
            q = 1 / (1 + np.exp(seen.types.levels(group.axes, shared)))
            row = np.empty(evidence.shape)
            for codes in np.ndindex(*evidence.shape):
                probability = law.shares[seen.sharing].copy()
                for place, part in enumerate(group.sets):
                    s, b = int(part.ones[i]), int(part.bits[i, codes[part.axes[0]]])
                    own = q[:, place]
                    probability = (
                        probability * own ** (s - b) * (1 - own) ** (part.size - 1 - s + b)
                    )
                row[codes] = probability.sum()
            found.append(row.ravel())
    return np.array(found)


def law_of(evidence: Evidence, seed: int) -> BudgetMixture:
    """Return a law with other shares than the reports', which differ by what is shared."""
    law, rng = BudgetMixture.learnt(evidence), np.random.default_rng(seed)
    types = len(law.pooled)
    shares = {own.sharing: rng.dirichlet(np.full(types, 0.05)) for own in law.strata}
    return replace(law, shares=shares)


@pytest.mark.parametrize("sizes, names", [((2, 3), "ba"), ((4, 2), "ab"), ((3, 2, 2), "cab")])
@pytest.mark.parametrize("budget", [AVERAGE, LEVELS], ids=["average", "levels"])
def test_secret_likelihood_is_the_sum_over_types_whatever_the_sides(
    sizes: tuple[int, ...], names: str, budget: dict[str, object]
) -> None:
    plan = plan_of(sizes, "oue", secret=True, budget=budget)
    budgets = "levels" if "levels" in budget else "dirichlet"
    reports = crowd(plan, dependent(sizes), 40, 6, missing=0.3, budgets=budgets)
    evidence = Evidence.of(reports, tuple(names))
    law = law_of(evidence, 7)
    whole, L = likelihood_of(evidence, law), secret_rows(law, evidence)
    check(whole, L, 8)
    for turn in range(2 ** len(sizes)):
        check(with_sides(whole, turn), L, 8)


def dense_case(n: int = 300) -> tuple[JointLikelihood, Matrix]:
    plan = plan_of((3, 4, 2), ("grr", "oue", "subset"))
    reports = crowd(plan, dependent((3, 4, 2)), n, 9, missing=0.3)
    names = ("a", "b", "c")
    return likelihood_of(Evidence.of(reports, names)), exact_rows(reports, names)


def test_rows_that_are_not_kept_in_memory_are_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT_BYTES", 0)
    whole, L = dense_case()
    check(whole, L, 1)
    assert not any("_memory" in vars(group) for group in whole.groups)


def test_blocks_and_batches_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discretion.joints.rows.BLOCK", 1)
    monkeypatch.setattr(module, "INFORMATION_ROWS", 7)
    check(*dense_case(), 2)


def test_of_many_reports_some_count_for_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, _ = dense_case(6_000)
    f, slopes = inside(24, 3), np.random.default_rng(4).standard_normal((24, 3))
    exact = whole.information_along(f, slopes)
    monkeypatch.setattr(module, "MOST_PRODUCTS", whole.rows * slopes.size / 4)
    sampled = whole.information_along(f, slopes)
    assert not np.allclose(sampled, exact, rtol=1e-6)
    np.testing.assert_allclose(np.diag(sampled), np.diag(exact), rtol=0.15)


def share_of(whole: JointLikelihood, wanted: tuple[int, ...]) -> float:
    """Return which part of a record's information about some axes the reports have: eigenvalues."""
    total = 0.0
    for group in whole.groups:
        if set(wanted) <= set(group.order):
            asked = [q for q, about in enumerate(group.axes) if set(about) & set(wanted)]
            times = np.ones(group.count) if group.times is None else group.times
            total += float(times @ group.rows.eigenvalues[:, asked].prod(axis=1))
    return total / whole.n


def test_eigenvalues_are_the_trace_of_the_information_at_the_uniform_law() -> None:
    """An unperturbed record has as much information about each contrast as there are cells."""
    whole, L = dense_case()
    shape = whole.shape
    information = whole.information(np.full(24, 1 / 24))
    for axes in [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]:
        projection = np.ones((1, 1))
        for axis, size in enumerate(shape):
            mean = np.full((size, size), 1 / size)
            projection = np.kron(projection, np.eye(size) - mean if axis in axes else mean)
        dimensions = prod(shape[axis] - 1 for axis in axes)
        in_a_record = len(L) * prod(shape)
        expected = np.trace(projection @ information) / dimensions / in_a_record
        assert share_of(whole, axes) == pytest.approx(expected, rel=1e-4)


def test_a_bundle_informs_about_its_parts_as_much_as_about_its_cells() -> None:
    plan = plan_of((2, 3), "subset", bundles=[["a", "b"]])
    reports = crowd(plan, dependent((2, 3)), 200, 3, missing=0.0)
    whole = likelihood_of(Evidence.of(reports, ("a", "b")))
    assert len({round(share_of(whole, axes), 12) for axes in [(0,), (1,), (0, 1)]}) == 1
    assert 0 < share_of(whole, (0, 1)) < 1


def test_reports_at_the_largest_levels_stay_finite() -> None:
    plan = plan_of((2,) * 6, "grr", budget={"levels": [0.05, 20.0]})
    reports = crowd(plan, dependent((2,) * 6), 200, 4, budgets="levels")
    whole = likelihood_of(Evidence.of(reports, tuple(plan.attributes)))
    value, slope = whole.slope(np.full(64, 1 / 64))
    assert np.isfinite(value)
    assert slope @ np.full(64, 1 / 64) == pytest.approx(1, abs=1e-4)


def test_the_order_of_attributes_is_only_an_order() -> None:
    plan = plan_of((3, 4, 2), ("grr", "oue", "subset"), bundles=[["c", "a"]])
    reports = crowd(plan, dependent((3, 4, 2)), 150, 5, missing=0.3)
    f = inside(24, 6).reshape(3, 4, 2)
    value, slope = likelihood_of(Evidence.of(reports, ("a", "b", "c"))).slope(f.ravel())
    for order in itertools.permutations(range(3)):
        names = tuple("abc"[axis] for axis in order)
        turned = likelihood_of(Evidence.of(reports, names))
        again, other = turned.slope(f.transpose(order).ravel())
        assert again == pytest.approx(value, rel=1e-5)
        expected = slope.reshape(3, 4, 2).transpose(order)
        np.testing.assert_allclose(other, expected.ravel(), rtol=SINGLE)


def test_entries_of_a_row_are_counted() -> None:
    whole, _ = dense_case()
    for group in whole.groups:
        assert isinstance(group, GroupLikelihood)
        (terms,) = group.blocks()
        assert group.width == sum(a.shape[1] + b.shape[1] for a, b in terms)
