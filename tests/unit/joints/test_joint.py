"""One question, several methods: what is taken, what is refused, and what little data can say."""

import warnings
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import discretion as ds
from discretion.errors import DependenceWarning, EstimateError, UnknownAttribute
from discretion.joints import joint
from discretion.plan import Plan
from discretion.table import ReportTable
from tests.builders import table_of
from tests.cases import for_each
from tests.unit.joints.crowds import (
    Table,
    crowd,
    dependent,
    labels,
    plan_of,
    records,
    total_variation,
)

DISCLOSED = ("mle", "map", "tensor", "independent")
SECRET = ("blind", "tensor")


def reports_of(
    sizes: tuple[int, ...], n: int, seed: int = 1, **options: Any
) -> tuple[ReportTable, Table]:
    """Return the reports of a crowd with gaps and Dirichlet budgets, and its law."""
    secret = options.pop("secret", False)
    share = options.pop("share", "all")
    missing = options.pop("missing", 0.2)
    mechanisms = options.pop("mechanisms", "oue" if secret else "subset")
    plan, f = plan_of(sizes, mechanisms, secret=secret, **options), dependent(sizes)
    return crowd(plan, f, n, seed, share=share, missing=missing), f


@pytest.mark.parametrize(
    "sizes, secret, method, basis",
    [
        ((2, 3), False, "adaptive", "empirical Bayes"),
        ((2, 3, 2), False, "adaptive", "empirical Bayes"),
        ((2, 3), True, "blind", "blind"),
        ((2, 3, 2), True, "blind", "empirical Bayes"),
    ],
)
def test_the_method_by_default(
    sizes: tuple[int, ...], secret: bool, method: str, basis: str
) -> None:
    reports, f = reports_of(sizes, 2_000, secret=secret)
    estimate = joint(reports, list(reports.plan.attributes))
    assert (estimate.method, estimate.basis) == (method, basis)
    assert estimate.value.shape == f.shape
    assert estimate.value.sum() == pytest.approx(1)
    assert estimate.n == len(reports)
    assert total_variation(estimate.value, f) < 0.3
    assert estimate.labels == tuple(tuple(labels(n, s)) for n, s in zip("abc", sizes, strict=False))


@pytest.mark.parametrize("method", DISCLOSED)
def test_the_order_of_attributes_is_the_order_of_axes(method: str) -> None:
    reports, _ = reports_of((2, 4, 3), 3_000)
    one, other = joint(reports, ("a", "b", "c"), method), joint(reports, ("c", "a", "b"), method)
    near = 0.2 * one.stderr.max()  # nats that are left to gain
    np.testing.assert_allclose(other.value, one.value.transpose(2, 0, 1), atol=near)
    assert other.attributes == ("c", "a", "b")


@pytest.mark.parametrize("method", DISCLOSED)
def test_it_is_deterministic(method: str) -> None:
    reports, _ = reports_of((2, 3), 500)
    one, other = (joint(reports, ("a", "b"), method) for _ in range(2))
    np.testing.assert_array_equal(one.value, other.value)
    np.testing.assert_array_equal(one.root, other.root)


def test_blind_needs_no_levels_and_uses_none() -> None:
    """The same reports with their levels taken away give the same table."""
    reports, _ = reports_of((3, 4), 2_000, mechanisms="oue")
    secret = plan_of((3, 4), "oue", secret=True)
    kept = [name for name in reports.data.column_names if not name.endswith(".level")]
    without = ReportTable(secret, reports.data.select(kept))
    one, other = joint(reports, ("a", "b"), "blind"), joint(without, ("a", "b"))
    np.testing.assert_allclose(one.value, other.value)
    np.testing.assert_allclose(one.stderr, other.stderr)


REFUSED: list[tuple[Any, str, type, str]] = [
    (["a"], "auto", EstimateError, r"two attributes or more in a list \(frequencies\(\)"),
    ("ab", "auto", EstimateError, "in a list"),
    ([], "auto", EstimateError, "two attributes or more"),
    (["a", "b", "a"], "auto", EstimateError, "different attributes, got a, b, a"),
    (["a", "shoe"], "auto", UnknownAttribute, "no attribute 'shoe'; it has a, b, c, a\\+b"),
    (["c", "a+b"], "auto", EstimateError, r"'a\+b' is a bundle: name its attributes"),
    (
        ["a", "b"],
        "best",
        EstimateError,
        "method must be one of auto, adaptive, mle, map, .*, got 'best'",
    ),
    (["a", "c"], "blind", EstimateError, "needs oue, and '.*' uses subset"),
]


@for_each("names, method, error, message", REFUSED)
def test_questions_that_make_no_sense_are_refused(
    names: Any, method: str, error: type, message: str
) -> None:
    reports, _ = reports_of((2, 3, 2), 50, bundles=[["a", "b"]])
    with pytest.raises(error, match=message):
        joint(reports, names, method)


def test_too_many_cells_are_counted_and_pairs_offered() -> None:
    plan = plan_of((60, 60, 60), "subset")
    rows = [{"a": (250, 1), "b": (250, 2), "c": (250, 4)}]
    with pytest.raises(EstimateError, match=r"216,000 cells is too large \(at most 65,536\)") as e:
        joint(table_of(plan, rows), ("a", "b", "c"))
    assert "joint(reports, pair, method='map')" in str(e.value)


@pytest.mark.parametrize("method", ["mle", "map"])
def test_methods_that_need_levels_say_so(method: str) -> None:
    reports, _ = reports_of((2, 3), 50, secret=True)
    with pytest.raises(EstimateError, match="needs disclosed levels; the plan keeps them secret"):
        joint(reports, ("a", "b"), method)


def test_rounds_and_attributes_without_reports_are_refused() -> None:
    plan = plan_of((2, 3), "grr")
    one, other = (table_of(plan, [{"a": (250, 0), "b": (250, 1)}], round=r) for r in (0, 1))
    both = ReportTable(plan, pa.concat_tables([one.data, other.data]))
    with pytest.raises(EstimateError, match=r"one round, got 0, 1: use of_round\(\)"):
        joint(both, ("a", "b"))
    assert joint(both.of_round(1), ("a", "b")).n == 1
    with pytest.raises(EstimateError, match="nobody shared 'b'"):
        joint(table_of(plan, [{"a": (250, 0)}]), ("a", "b"))
    with pytest.raises(EstimateError, match="nobody shared 'a'"):
        joint(table_of(plan, []), ("a", "b"))


@for_each("n", [1, 2, 5])
@for_each("sizes", [(3, 4), (3, 2, 2)])
@for_each("method", [*DISCLOSED, "blind", "secret tensor"])
def test_a_handful_of_reports_says_that_nothing_is_known(
    method: str, sizes: tuple[int, ...], n: int
) -> None:
    secret = method in ("blind", "secret tensor")
    for seed in range(2):
        reports, _ = reports_of(sizes, n, seed, secret=secret, missing=0.0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DependenceWarning)
            estimate = joint(reports, tuple(reports.plan.attributes), method.split()[-1])
        assert np.isfinite(estimate.value).all()
        assert np.isfinite(estimate.stderr).all()
        if method != "independent":  # it takes for granted what would have to be known
            interval = estimate.interval()
            assert (interval[..., 1] - interval[..., 0]).min() > 0.9
        assert estimate.mutual_information("a", "b").value >= 0
        assert str(estimate)


@for_each("n", [50, 500, 5_000])
@for_each("sizes", [(3, 4), (3, 2, 2)])
@for_each("method", [*DISCLOSED, "blind"])
def test_intervals_hold_the_value_and_keep_to_what_a_probability_can_be(
    method: str, sizes: tuple[int, ...], n: int
) -> None:
    reports, _ = reports_of(sizes, n, secret=method == "blind")
    estimate = joint(reports, tuple(reports.plan.attributes), method)
    for table in (estimate, estimate.condition({"a": "a0"})):
        for confidence in (0.5, 0.95):
            low, high = np.moveaxis(table.interval(confidence), -1, 0)
            assert 0 <= low.min() <= high.max() <= 1
            assert (low < high).all()
            value = np.clip(table.value, 0, 1)
            assert ((low <= value) & (value <= high)).all()


@pytest.mark.parametrize("secret", [False, True], ids=["disclosed", "secret"])
def test_interactions_that_nobody_reports_are_named(secret: bool) -> None:
    """Two of four attributes each: all pairs are in the data, no triple is."""
    sizes = (2, 3, 2, 2)
    reports, f = reports_of(sizes, 4_000, share=2, missing=0.0, secret=secret)
    estimate = joint(reports, ("a", "b", "c", "d"))
    triples = (("a", "b", "c"), ("a", "b", "d"), ("a", "c", "d"), ("b", "c", "d"))
    assert estimate.unidentified == triples
    assert "interactions of a x b x c, a x b x d, a x c x d, b x c x d" in str(estimate)
    np.testing.assert_allclose(estimate.interval(), np.broadcast_to([0, 1], (*sizes, 2)))
    pair = estimate.marginal(["b", "a"])
    assert pair.unidentified == ()
    truth = f.sum(axis=(2, 3)).T
    assert pair.stderr.max() < 0.1
    assert (np.abs(pair.centre - truth) < 4 * pair.stderr).all()


@pytest.mark.parametrize(
    "sizes, secret, n, untested",
    [
        ((2, 3, 2), False, 2_000, ()),
        ((2, 3, 2), True, 2_000, (("a", "b", "c"),)),
        ((9, 9, 9), False, 2_000, (("a", "b", "c"),)),
    ],
)
def test_interactions_that_were_not_tested_are_named(
    sizes: tuple[int, ...], secret: bool, n: int, untested: tuple[tuple[str, ...], ...]
) -> None:
    reports, _ = reports_of(sizes, n, secret=secret)
    estimate = joint(reports, ("a", "b", "c"))
    assert estimate.untested == untested
    assert ("not tested: interactions of a x b x c" in str(estimate)) is bool(untested)
    assert estimate.marginal(["a", "c"]).untested == ()
    if not secret:
        assert joint(reports, ("a", "b", "c"), "tensor").untested == ()


def in_bundle_and_alone(n: int, seed: int, alone: float) -> tuple[ReportTable, Table]:
    """Return a crowd some of whom report a and b alone, the others in the bundle; all report c."""
    sizes = (3, 4, 2)
    plan, f = plan_of(sizes, "subset", bundles=[["a", "b"]]), dependent(sizes, strength=2.0)
    single = np.random.default_rng((seed, 2)).random(n) < alone
    budgets = pa.table(
        {
            "a": pa.array(np.full(n, 2.5), mask=~single),
            "b": pa.array(np.full(n, 1.5), mask=~single),
            "c": pa.array(np.full(n, 2.0)),
            "a+b": pa.array(np.full(n, 4.0), mask=single),
        }
    )
    return crowd(plan, f, n, seed, missing=0.0, budgets=budgets), f


@pytest.mark.parametrize("method", ["mle", "map", "tensor"])
def test_bundles_and_single_reports_are_pooled(method: str) -> None:
    reports, f = in_bundle_and_alone(12_000, 2, alone=0.4)
    estimate = joint(reports, ("b", "a"), method)
    assert estimate.holding["b", "a"] == 12_000
    z = (estimate.centre - f.sum(axis=2).T) / estimate.stderr
    assert np.sqrt((z**2).mean()) < 1.6
    for chosen in ("a+b.y", "a.y"):
        part = ReportTable(reports.plan, reports.data.filter(reports.data[chosen].is_valid()))
        fewer = joint(part, ("b", "a"), method)
        assert np.sqrt((estimate.stderr**2).sum()) < np.sqrt((fewer.stderr**2).sum())


@pytest.mark.parametrize("method", ["mle", "map", "tensor", "independent"])
def test_an_attribute_that_is_only_in_a_bundle_has_joints_with_others(method: str) -> None:
    reports, f = in_bundle_and_alone(12_000, 3, alone=0.0)
    assert "a" not in reports.shared
    estimate = joint(reports, ("c", "a"), method)
    truth = f.sum(axis=1).T
    assert estimate.attributes == ("c", "a")
    assert estimate.value.shape == truth.shape == (2, 3)
    if method == "independent":
        truth = np.outer(truth.sum(axis=1), truth.sum(axis=0))
    z = (estimate.centre - truth) / estimate.stderr
    assert np.sqrt((z**2).mean()) < 2
    assert estimate.unidentified == ()


def test_a_bundle_counts_for_its_attributes_however_many_cells_the_others_add() -> None:
    plan = plan_of((50, 50, 50), "subset", bundles=[["a", "b"]])
    everyone = {"a+b": (500, 1), "c": (250, 1)}
    some: dict[str, tuple[int, int]] = {"a": (250, 1), "c": (250, 1)}
    assert joint(table_of(plan, [everyone, some]), ("a", "c"), "tensor").holding["a", "c"] == 2


def test_large_tables_take_their_deviations_from_the_moments() -> None:
    sizes = (40, 30)
    reports, _ = reports_of(sizes, 2_000)
    estimate = joint(reports, ("a", "b"))
    assert (estimate.method, estimate.basis) == ("adaptive", "tensor")
    assert "intervals: tensor" in str(estimate)
    assert estimate.value.min() >= 0
    assert np.isfinite(estimate.stderr).all()


def test_numeric_attributes_have_their_bins_as_labels() -> None:
    income = {"name": "income", "kind": "numeric", "range": [0, 4], "step": 1, "bins": [0, 1, 2, 4]}
    home = {"name": "home", "kind": "categorical", "values": ["town", "country"]}
    budget = {"average": 2.0, "least": 0.25, "most": 6.0}
    plan = Plan.of({"name": "n", "attributes": [income, home], "budget": budget})
    rng = np.random.default_rng(4)
    frame = {"income": rng.integers(0, 5, 800), "home": rng.choice(["town", "country"], 800)}
    reports = ds.simulate(plan, pa.table(frame), budgets="dirichlet", share=(1, 2), seed=5)
    estimate = joint(reports, ("home", "income"), "map")
    assert estimate.labels == (("town", "country"), plan.questions["income"].attribute.labels)


def test_values_that_everybody_shares_at_the_largest_level_are_estimated() -> None:
    plan = plan_of((3, 4), "grr", budget={"levels": [0.5, 20.0]})
    f = dependent((3, 4))
    frame = records(plan, f, 500, 5)
    budgets = pa.table({"a": np.full(500, 20.0), "b": np.full(500, 20.0)})
    reports = ds.simulate(plan, frame, budgets=budgets, seed=5)
    table = np.zeros((3, 4))
    for a, b in zip(frame["a"].to_pylist(), frame["b"].to_pylist(), strict=True):
        table[int(a[1:]), int(b[1:])] += 1 / 500
    for method in ("mle", "tensor"):
        estimate = joint(reports, ("a", "b"), method)
        np.testing.assert_allclose(estimate.value, table, atol=3e-3)
        expected = np.sqrt(table * (1 - table) / 500)
        np.testing.assert_allclose(estimate.stderr, expected, atol=0.003)
