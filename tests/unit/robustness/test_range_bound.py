"""False reports about intervals: what is claimed of them is what they do, at any depth."""

import numpy as np
import pyarrow as pa
import pytest

import discretion as ds
from discretion.aggregate import Aggregate
from discretion.errors import EstimateError
from discretion.family import of
from discretion.family.counts import NodeCounts
from discretion.order.curves import points_of
from discretion.order.evidence import OrderEvidence
from discretion.plan import Plan
from discretion.robustness.range_bound import Attack, mean_margin, worst
from discretion.statistics import STATISTICS
from discretion.table import ReportTable
from tests.builders import aggregate_of
from tests.tallies import counted_as

SHARE, KEPT, OF = 0.05, 19, 20
SEED = 4
RANGES = [(0, 30), (7, 20), (40, None)]


@pytest.fixture(scope="module")
def reports() -> ReportTable:
    """Two levels of three, and a third of the owners leave it out."""
    number = {"name": "x", "kind": "numeric", "range": [0, 63], "step": 1}
    other = {"name": "y", "kind": "categorical", "values": ["a", "b"]}
    asked = [{**number, "mechanism": "hierarchy"}, other]
    plan = Plan.of({"name": "p", "attributes": asked, "budget": {"levels": [1, 2, 3]}})
    rng = np.random.default_rng(SEED)
    x = np.where(rng.random(6000) < 1 / 3, np.nan, rng.binomial(63, 0.3, 6000))
    frame = pa.table({"x": x, "y": ["a"] * 6000})
    budgets = [{"x": 1 + 2 * (i % 2), "y": 1} for i in range(6000)]
    return ds.simulate(plan, frame, budgets=budgets, seed=SEED)


def attacked(data: Aggregate, level: int, depth: int, supported: np.ndarray) -> Aggregate:
    """Return the same reports many times, 5 % of all replaced by one set of nodes."""
    tallies, n = counted_as(data, "x", NodeCounts), data.reports * (OF - KEPT)
    whole = {g: sum([t] * (KEPT - 1), t) for g, t in tallies.items()}
    false = NodeCounts.zero(of(data.plan.questions["x"]).intervals().tree.nodes)
    false.reports[depth] = n
    false.at(depth)[:] = n * supported
    whole[level] = whole[level] + false if level in whole else false
    others = data.reports * OF - sum(t.n for t in whole.values())
    return aggregate_of(data.plan, whole, others)


def test_a_report_that_was_found_moves_ranges_as_far_as_is_said(reports: ReportTable) -> None:
    """Every depth at every level, by the same estimate; what it is moved by stands in the bound."""
    data = Aggregate.of(reports)
    evidence = OrderEvidence.of(data, "x")
    shape = evidence.linear.shape
    found = ds.margin(data, "x", SHARE, ranges=RANGES)
    shown = ds.ranges(data, "x", RANGES)
    before = shown.linear.value
    for row, (low, high) in enumerate(RANGES):
        contrasts = shape.contrasts(shape.inside(low, 64 if high is None else high + 1))
        moves = []
        for level in (1000, 2000, 3000):
            attack = Attack(evidence, level, SHARE)
            for depth, false in enumerate(list(attack.false)[:-1]):
                added = false * attack.each
                _, own = shape.weights((1 / (attack.honest + added)).tolist())
                counted = shape.coefficients(contrasts, own)[depth]
                law = attack.law.laws[depth]
                best = np.argsort(-counted)[: law.form.ones]
                sent = np.isin(np.arange(law.size), best).astype(np.int64)
                shares = ds.ranges(attacked(data, level, depth, sent), "x", RANGES).linear.value
                moves.append(shares[row] - before[row])
        # the honest reports disagree between depths by their noise, and weights change
        most = min(max(moves), 1 - shown.value[row])
        assert found.up[row] == pytest.approx(most, abs=0.02)
    assert found.up.max() > 0.2
    assert found.basis == "attack"
    assert (found.down <= 0).all()
    assert found.down.min() < -0.2


def test_the_worst_set_is_the_worst_of_all_and_a_hashed_report_is_what_is_expected() -> None:
    rng = np.random.default_rng(SEED)
    plan = ds.Plan.of(
        {
            "name": "p",
            "attributes": [
                {"name": "x", "kind": "numeric", "range": [0, 511], "step": 1}
                | {"mechanism": "hierarchy"}
            ],
            "budget": {"levels": [1]},
        }
    )
    laws = plan.questions["x"].law(1000).laws  # type: ignore[attr-defined]
    for law in (laws[2], laws[-1]):
        counted = rng.standard_normal(law.size)
        own, other = map(float, law.means)

        def gain(supports: np.ndarray, k: np.ndarray = counted) -> float:
            scores = (supports - supports.mean()) / (own - other) + 1 / len(k)  # noqa: B023
            return float(k @ scores)

        if law.form.ones:
            sets = [
                np.bincount(rng.permutation(8)[: law.form.ones], minlength=8) for _ in range(500)
            ]
            assert worst(law, counted) == pytest.approx(max(map(gain, sets)))
        else:
            expected = np.full(law.size, other)
            expected[counted.argmax()] = 1
            assert worst(law, counted) == pytest.approx(gain(expected))


def test_the_mean_is_moved_as_the_ranges_that_it_is_made_of(reports: ReportTable) -> None:
    evidence = OrderEvidence.of(reports, "x")
    np.testing.assert_array_equal(points_of(evidence), np.arange(64))
    mean = mean_margin(evidence, "x", SHARE)
    assert 0 < mean.up[0] < 63
    assert mean.what == ("mean",)
    answer = STATISTICS["mean"].answered(reports, "x")
    assert [bound["share"] for bound in answer["margins"]] == [0.01, 0.05]
    answer = STATISTICS["ranges"].answered(reports, "x", ranges=["..10", "11.."])
    assert [row["what"] for row in answer["margins"][0]["margins"]] == [
        "0.0 to 10.0",
        "11.0 to 63.0",
    ]
    with pytest.raises(EstimateError, match="by intervals"):
        ds.margin(reports, "y", ranges=RANGES)
