"""Shares of boxes of two numbers, from trees that divide both and from cells beside them."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pytest

import discretion as ds
from discretion.collector.overview import card
from discretion.crowd.records import codes_of
from discretion.errors import DiscretionError, EstimateError, KindError
from discretion.estimate.legend import Legend
from discretion.estimate.noise import Noise
from discretion.family.sets import Sets
from discretion.mechanism import Tree
from discretion.order.boxes import evidence_of
from discretion.order.cells import CellsEvidence, shrunk_table
from discretion.order.plane import Plane, PlaneEvidence
from discretion.plan import Plan
from discretion.randomness import ByteSource
from discretion.robustness.range_bound import range_margin
from discretion.schema import Coarse, Numeric, Parted, Quadrants
from discretion.statistics import STATISTICS
from discretion.table import ReportTable
from discretion.web.dashboard.ranges import ranges_card
from tests.cases import for_each

N = 12_000
SEED = 26
WIDE = 4.5  # standard errors that a fixed seed may be off by
NUMBERS: tuple[dict[str, Any], ...] = (
    {"name": "age", "kind": "numeric", "range": [18, 97], "step": 1, "mechanism": "hierarchy"},
    {"name": "pay", "kind": "numeric", "range": [0, 1000], "step": 0.5},
)
TREE = {"attributes": ["age", "pay"], "mechanism": "hierarchy"}
CELLS = {"attributes": ["age", "pay"], "bins": [5, 8]}
DRAWN = {"sample": 1, "weights": {"age": 1, "age+pay": 3}}
BOXES = [((18, 40), (0, 300)), ((41, None), None), (None, (250, 500)), ((18, 97), (0, 1000))]


def survey(bundle: dict[str, Any], **fields: Any) -> Plan:
    asked = {"name": "plane", "attributes": list(NUMBERS), "bundles": [bundle]}
    return Plan.of({**asked, "budget": {"levels": [0.5, 1, 2]}, **fields})


def crowd() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(SEED)
    age = np.clip(rng.normal(45, 15, N).round(), 18, 97)
    return age, np.clip((rng.gamma(3, 2, N) * age).round(), 0, 1000)


def reports_of(plan: Plan) -> ReportTable:
    """Unequal levels, and a tenth of the owners lacks a number."""
    age, pay = crowd()
    frame = pa.table({"age": age, "pay": np.where(np.arange(N) % 10 == 0, np.nan, pay)})
    return ds.simulate(plan, frame, budgets="levels", seed=SEED)


@pytest.fixture(scope="module")
def by_tree() -> ReportTable:
    return reports_of(survey(TREE))


@pytest.fixture(scope="module")
def by_cells() -> ReportTable:
    return reports_of(survey(CELLS, share=DRAWN))


def truth() -> np.ndarray:
    age, pay = crowd()
    low = [(18, 0), (41, 0), (18, 250), (18, 0)]
    high = [(40, 300), (97, 1000), (97, 500), (97, 1000)]
    inside = [
        (age >= a) & (age <= b) & (pay >= c) & (pay <= d)
        for (a, c), (b, d) in zip(low, high, strict=True)
    ]
    return np.array(inside).mean(axis=1)


@for_each("name", ["by_tree", "by_cells"])
def test_boxes_hold_who_is_in_them(name: str, request: pytest.FixtureRequest) -> None:
    reports = request.getfixturevalue(name)
    found = ds.ranges(reports, ["age", "pay"], BOXES)
    for estimate in (found, found.linear):
        error = np.maximum(estimate.stderr, 1e-6)
        assert (np.abs(estimate.value - truth()) < WIDE * error).all(), (estimate.value, truth())
        np.testing.assert_allclose(np.diag(estimate.covariance), estimate.stderr**2, atol=1e-15)
        low, high = estimate.interval().T
        kept = np.clip(estimate.value, 0, 1)
        assert ((low <= kept + 1e-12) & (kept <= high + 1e-12)).all()
    assert found.value[-1] == pytest.approx(1)
    assert found.linear.stderr[-1] == pytest.approx(0, abs=1e-6)
    assert found[((18.0, 40.0), (0.0, 300.0))].value == found.value[0]
    assert found.document()["ranges"][0]["to"] == "40, 300"
    assert "18 to 40, 0 to 300" in str(found)


@for_each("name", ["by_tree", "by_cells"])
def test_numbers_may_be_named_the_other_way_and_boxes_as_texts(
    name: str, request: pytest.FixtureRequest
) -> None:
    reports = request.getfixturevalue(name)
    one = ds.ranges(reports, "age+pay", ["18..40 x ..300", "41.. x .."])
    other = ds.ranges(reports, ["pay", "age"], [((0, 300), (18, 40)), "..x41.."])
    np.testing.assert_array_equal(one.value, other.value)
    assert list(one.ranges) == list(other.ranges)
    whole = ds.ranges(reports, ["age", "pay"])
    assert len(whole.ranges) == 16
    assert whole.value.sum() == pytest.approx(1)


@for_each("name", ["by_tree", "by_cells"])
def test_false_reports_about_boxes_are_bounded(name: str, request: pytest.FixtureRequest) -> None:
    reports = request.getfixturevalue(name)
    few, many = (range_margin(reports, "age+pay", share, BOXES[:2]) for share in (0.01, 0.05))
    assert (few.up > 0).all()
    assert (many.up > few.up).all()
    assert (many.down <= few.down).all()
    answer = STATISTICS["ranges"].answered(reports, "age+pay", ranges=["18..40 x ..300"])
    assert len(answer["margins"]) == 2
    assert answer["ranges"][0]["from"] == "18, 0"


def test_false_reports_about_cells_do_what_is_claimed(by_cells: ReportTable) -> None:
    """The claimed part and coefficients are those of an estimate with that many more reports."""
    evidence = evidence_of(by_cells, "age+pay")
    assert isinstance(evidence, CellsEvidence)
    share, law = 0.02, cast("Sets", evidence.labels.family).law(2000)
    bound = range_margin(evidence, "age+pay", share, BOXES[:1])
    goals = evidence.found([[(0, 23), (0, 601)]])[2]
    honest = (1 - share) / evidence.cells.variance
    false = share * evidence.labels.everyone * Noise.of(law).precision(law.size)
    part, counted = false / (honest + false), goals.counted(1 / (honest + false))[0][0]
    assert law.form.ones is not None
    own, other = map(float, law.means)
    moves = [
        part * sum(counted[code] * ((code in chosen) - other) / (own - other) for code in range(40))
        for chosen in (set(np.argsort(counted)[-law.form.ones :].tolist()),)
    ]
    kept = part * float(counted @ evidence.fit.table.ravel())
    assert bound.up[0] >= moves[0] - kept - 1e-9


def test_cells_follow_the_bits_of_both_numbers_in_turns() -> None:
    grid = Numeric("x", 0, 15, 1, 0)
    cells = Quadrants((Parted(grid, 4), Parted(grid, 16)))
    assert cells.turns == (1, 0, 1, 0, 1, 1)
    assert cells.cell([0b10, 0b0110]) == 0b01_10_10
    one, other = (each.ravel() for each in np.indices((4, 16)))
    codes = np.asarray(cells.cell(cast("Sequence[int]", [one, other])))
    assert sorted(codes.tolist()) == list(range(64))
    pairs = zip(one.tolist(), other.tolist(), strict=True)
    assert [cells.cell(pair) for pair in pairs] == codes.tolist()
    places = Plane(Tree(64, 4, 3), cells.turns).places(6)
    np.testing.assert_array_equal([places[0][codes], places[1][codes]], [one, other])


@for_each("sizes", [(4, 4), (2, 8), (8, 4)])
def test_children_of_a_plane_lie_in_it(sizes: tuple[int, int]) -> None:
    """A linear density is kept where parents have neighbours on both sides."""
    grid = Numeric("x", 0, 255, 1, 0)
    turns = Quadrants((Parted(grid, 2 * sizes[0]), Parted(grid, 2 * sizes[1]))).turns
    fine = 2 * sizes[0], 2 * sizes[1]
    shape = Plane(Tree(fine[0] * fine[1], 4, len(turns) + 1 >> 1), turns)
    at = shape.places(len(turns))
    linear = 1 + 0.01 * at[0] + 0.02 * at[1]
    children = linear / linear.sum()
    parents = shape.sums(children)
    found = shape.expected(shape.tree.depths - 1, parents).ravel()
    bits = len(turns) - 2
    rows = shape.places(bits)
    inner = np.ones(len(parents), bool)
    for number in set(turns[bits:]):
        inner &= (rows[number] > 0) & (rows[number] < rows[number].max())
    np.testing.assert_allclose(found.reshape(-1, 4)[inner], children.reshape(-1, 4)[inner])
    np.testing.assert_allclose(found.reshape(-1, 4).sum(axis=1), parents)


def test_devices_and_crowds_have_the_same_parts() -> None:
    plan = survey(TREE)
    question = plan.questions["age+pay"]
    codes = np.column_stack([np.arange(80), np.arange(80) * 25])
    rng = np.random.default_rng(1)
    drawn = codes_of(plan, "age+pay", codes, slice(None), rng)
    source = ByteSource(lambda n: bytes(n))
    for (age, pay), cell in zip(codes.tolist(), drawn.tolist(), strict=True):
        answer = question.attribute.answer([18 + age, pay / 2])
        assert question.attribute.encode(answer, source) == cell
    part = question.attribute.parts[0]
    assert isinstance(part, Parted)
    assert isinstance(part, Coarse)
    assert part.starts[0] == 0
    assert part.starts[-1] == 80
    assert [part.code(v) for v in range(18, 98)] == [
        sum(start <= code for start in part.starts[1:]) for code in range(80)
    ]


def test_a_table_without_dependence_is_drawn_to_the_product_of_its_margins() -> None:
    rng = np.random.default_rng(SEED)
    product = np.outer(rng.dirichlet(np.full(8, 5)), rng.dirichlet(np.full(16, 5)))
    noisy = product + rng.normal(0, 0.01, product.shape)
    noisy -= (noisy.sum() - 1) / noisy.size
    found = shrunk_table(noisy, 1e-4)
    assert (found >= 0).all()
    assert found.sum() == pytest.approx(1)
    assert np.abs(found - product).sum() < 0.5 * np.abs(noisy - product).sum()
    kept = shrunk_table(product, 1e-12)
    np.testing.assert_allclose(kept, product, atol=1e-9)


REFUSED: dict[str, dict[str, Any]] = {
    "one bin": {**CELLS, "bins": [1, 4]},
    "more bins than points": {**CELLS, "bins": [81, 4]},
    "bins of one number": {**CELLS, "bins": [4]},
    "too many cells": {**CELLS, "bins": [80, 80]},
    "bins and levels": {**CELLS, "levels": 2},
    "levels of a tree": {**TREE, "levels": 2},
    "bits of one number": {**TREE, "mechanism": {"hierarchy": {"bits": [3]}}},
    "more bits than points": {**TREE, "mechanism": {"hierarchy": {"bits": [7, 3]}}},
    "depths": {**TREE, "mechanism": {"hierarchy": {"depths": 3}}},
    "another mechanism": {**TREE, "mechanism": "sw"},
}


@for_each("name", REFUSED)
def test_what_says_nothing_about_where_two_numbers_lie_is_refused(name: str) -> None:
    with pytest.raises(DiscretionError, match="bundles"):
        survey(REFUSED[name])


def test_what_boxes_cannot_be_is_refused(by_tree: ReportTable) -> None:
    for wanted in (["18..40"], [((40, 18), None)], []):
        with pytest.raises(EstimateError):
            ds.ranges(by_tree, ["age", "pay"], wanted)
    with pytest.raises(EstimateError, match="must be two numbers of a bundle"):
        ds.ranges(by_tree, ["age", "age"], BOXES)
    with pytest.raises(EstimateError, match="no single number"):
        ds.mean(by_tree, "age+pay")
    with pytest.raises(KindError):
        ds.frequencies(by_tree, "age+pay")
    evidence = PlaneEvidence.of(by_tree, "age+pay")
    assert evidence_of(evidence, "age+pay") is evidence


@for_each("name", ["by_tree", "by_cells"])
def test_the_dashboard_has_boxes_in_a_card_without_ends_to_drag(
    name: str, request: pytest.FixtureRequest
) -> None:
    reports = request.getfixturevalue(name)
    found = card(reports, "age+pay", STATISTICS["ranges"])
    assert found["kind"] == "ranges"
    assert found["reason"] == ""
    page = ranges_card(found, Legend.of(reports.plan), whole=True)
    assert "18, 0 to 37, 249.5" in page
    assert "chosen-range" not in page
