"""What is counted about a number, what is refused, and how many levels become few channels."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import discretion as ds
from discretion.errors import DiscretionError, EstimateError, KindError, UnknownAttribute
from discretion.estimate.noise import Matrix
from discretion.family.numbers import OUTPUTS, joined
from discretion.mechanism import Hybrid, Marginal, TwoPoint
from discretion.mechanism.hybrid import hm
from discretion.mechanism.window import window
from discretion.numbers.channels import CHANNELS, channels_of
from discretion.numbers.number_evidence import NumberEvidence
from discretion.numbers.sieve import Channel
from discretion.plan import Plan
from discretion.table.outputs import probabilities
from tests.builders import table_of
from tests.cases import for_each
from tests.unit.numbers.crowds import (
    FINE,
    GRID,
    PERSONAL,
    RANGES,
    crowd,
    numbers,
    plan_of,
    skewed,
)

QUESTIONS: dict[str, Any] = {
    "mean": ds.mean,
    "sum": ds.sum,
    "variance": ds.variance,
    "quantiles": ds.quantiles,
    "cdf": lambda data, name: ds.cdf(data, name, [1.0]),
    "histogram": ds.histogram,
    "minimum": ds.minimum,
    "maximum": ds.maximum,
}


@for_each("question", QUESTIONS.values())
@for_each("aggregated", [False, True])
def test_every_question_needs_a_number_that_somebody_shared(
    question: Any, aggregated: bool
) -> None:
    reports: Any = crowd(plan_of("window"), [np.nan, np.nan, np.nan], seed=1)
    data = ds.Aggregate.of(reports) if aggregated else reports
    with pytest.raises(KindError) as wrong:
        question(data, "z")
    assert str(wrong.value).startswith("'z' must be reported as a number, and its mechanism is")
    with pytest.raises(UnknownAttribute, match="no attribute 'q'; it has x, z"):
        question(data, "q")
    with pytest.raises(EstimateError, match=r"^nobody shared 'x' in these reports$"):
        question(data, "x")


@for_each("question", QUESTIONS.values())
def test_every_question_is_about_one_round(question: Any) -> None:
    plan = plan_of("window")
    one, other = (table_of(plan, [{"x": (500, 3)}], round=r).data for r in (1, 4))
    ids = pa.array([b"a" * 16, b"b" * 16], pa.binary(16))
    data = pa.concat_tables([one, other]).set_column(0, "id", ids)
    with pytest.raises(EstimateError, match=r"of one round, got 1, 4: use of_round\(\)"):
        question(ds.ReportTable(plan, data), "x")


@pytest.mark.parametrize("data", [None, [1.0, 2.0], {"x": [1.0]}])
def test_what_is_no_reports_is_refused(data: Any) -> None:
    with pytest.raises(EstimateError, match=r"need reports or an Aggregate, got \w+"):
        ds.mean(data, "x")


def test_bins_and_bundles_are_no_numbers() -> None:
    binned = {**GRID, "bins": [0, 5, 10]}
    plan = Plan.of(
        {
            "name": "n",
            "attributes": [{"name": "x", **binned}, {"name": "y", **GRID}, {"name": "w", **GRID}],
            "bundles": [{"attributes": ["y", "w"], "levels": 2}],
            "budget": {"levels": [1]},
        }
    )
    reports = table_of(plan, [{"y": (1000, 3)}])
    with pytest.raises(KindError, match="its mechanism is subset"):
        ds.mean(reports, "x")
    with pytest.raises(KindError, match="its mechanism is grr"):
        ds.mean(reports, "y+w")


def test_a_number_is_reported_alone_and_in_every_bundle_it_is_in() -> None:
    """Also one that is a label where it is reported alone: only bundles report it as a number."""
    names = {"a": "window", "b": "grr", "c": "duchi"}
    plan = Plan.of(
        {
            "name": "n",
            "attributes": [{"name": n, **GRID, "mechanism": m} for n, m in names.items()],
            "bundles": [
                {"attributes": ["a", "b"], "levels": 3},
                {"attributes": ["a", "c"], "mechanism": "duchi"},
            ],
            "budget": {"levels": [0.5, 2]},
        }
    )
    rng, n = np.random.default_rng(2), 6_000
    x = {name: numbers(n, seed) for seed, name in enumerate(names)}
    lacks = rng.integers(0, 3, n)
    frame = {name: np.where(lacks == i, np.nan, x[name]) for i, name in enumerate(names)}
    reports = ds.simulate(plan, frame, budgets="levels", seed=2)
    shapes = {
        name: {type(p.law).__name__ for p in NumberEvidence.of(reports, name).parts} for name in x
    }
    assert shapes == {"a": {"Marginal"}, "b": {"Marginal"}, "c": {"Marginal", "TwoPoint"}}
    for name in names:
        found, reported = ds.mean(reports, name), frame[name]
        if name == "b":  # a third reports it with c, alone, as a label
            reported = reported[lacks == 2]
        assert found.n == np.isfinite(reported).sum()
        assert abs(found.value - np.nanmean(reported)) < 4.5 * found.stderr
    marginal_law = NumberEvidence.of(reports, "a").parts[0].law
    assert isinstance(marginal_law, Marginal)
    assert marginal_law.levels == 3


# Channels


def matrix_of(channel: Channel) -> Matrix:
    """Return P(y | grid point) of a channel: (outputs, points)."""
    return np.diff(channel.cumulative, axis=0).T


@pytest.mark.parametrize(
    "mechanism, step, grid", [("sw", 0.001, GRID), ("hm", 0.05, FINE), ("duchi", 0.001, GRID)]
)
def test_thousands_of_levels_are_at_most_64_channels(
    mechanism: str, step: float, grid: Any
) -> None:
    plan = plan_of(mechanism, grid=grid, budget={**PERSONAL, "step": step})
    low, high = grid["range"]
    x = low + (high - low) * numbers(3_000, 4) / 10
    epsilons = np.rint(np.random.default_rng(4).uniform(0.1, 4, 3_000) / step) * step
    budgets = {"x": np.maximum(epsilons, 0.1), "z": np.full(3_000, 0.1)}
    reports = crowd(plan, x, seed=4, missing=0.0, budgets=budgets)
    evidence = NumberEvidence.of(reports, "x")
    assert len(evidence.parts) > (1_500 if step == 0.001 else 60)
    channels = channels_of(evidence)
    found = ds.quantiles(reports, "x", [0.5]), ds.mean(reports, "x", "likelihood")
    assert len(channels) <= CHANNELS
    assert sum(channel.counts.sum() for channel in channels) == 3_000
    for channel in channels:
        np.testing.assert_allclose(matrix_of(channel).sum(axis=0), 1.0)
    assert abs(found[1].value - x.mean()) < 4.5 * found[1].stderr
    (first, last), median = found[0].interval(0.9999)[0], np.median(x)
    assert first <= median <= last


def test_a_channel_of_several_levels_mixes_their_laws_as_their_reports_are() -> None:
    plan = plan_of("window", budget={**PERSONAL, "step": 0.01})
    budgets = {"x": np.linspace(0.1, 4, 391).round(2), "z": np.full(391, 0.1)}
    evidence = NumberEvidence.of(crowd(plan, numbers(391, 1), 1, missing=0.0, budgets=budgets), "x")
    channel, (own, *rest) = channels_of(evidence)[0], evidence.parts
    group = [own, *rest][: int(channel.counts.sum())]  # one report at each level
    assert 1 < len(group) < 20
    rows = [np.add.reduceat(probabilities(p.law), joined(p.law)[:-1], axis=0) for p in group]
    np.testing.assert_allclose(matrix_of(channel), np.mean(rows, axis=0), atol=1e-12)


def test_outputs_are_joined_within_pieces_only() -> None:
    law = hm(201, 2_000)
    assert isinstance(law, Hybrid)
    edges = joined(law)
    assert edges[:3].tolist() == [0, 1, 2]  # the two points stay by themselves
    assert edges[-1] == law.n_outputs
    assert len(edges) - 1 == OUTPUTS + 2
    assert joined(hm(201, 100)).tolist() == [0, 1, 2]
    assert len(joined(window(2, 1_000))) - 1 == OUTPUTS


def test_whoever_answers_in_a_narrower_range_reports_its_ends_outside_of_it() -> None:
    plan = plan_of("duchi", grid={**GRID, "ranges": RANGES})
    places = np.full(300, 2)  # [2, 8]: codes 4 to 16
    reports = crowd(plan, numbers(300, 1), seed=1, missing=0.0, ranges={"x": places})
    evidence = NumberEvidence.of(reports, "x")
    assert not evidence.decodable
    (probability, *_) = [matrix_of(channel)[1] for channel in channels_of(evidence)]
    assert (probability[:5] == probability[4]).all()
    assert (probability[16:] == probability[16]).all()
    law = evidence.parts[0].law
    assert isinstance(law, TwoPoint)
    assert probability[10] == pytest.approx(float(law.probability(1, 6)))


@for_each("grid", [{"range": [0, 1], "step": 1}, {"range": [0, 409.5], "step": 0.1}])
@for_each("mechanism", ["duchi", "sw", "hm", "optimal", "laplace"])
def test_the_smallest_and_the_largest_grid(mechanism: str, grid: dict[str, Any]) -> None:
    plan = plan_of(mechanism, grid={"kind": "numeric", **grid})
    top = grid["range"][1]
    x = np.rint(numbers(2_000, 3) / 10) if top == 1 else numbers(2_000, 3) / 10 * top
    reports = crowd(plan, x, seed=3)
    size = NumberEvidence.of(reports, "x").number.size
    assert size == (2 if top == 1 else 4_096)
    found = [ds.mean(reports, "x"), ds.variance(reports, "x")]
    for each, truth in zip(found, (x.mean(), x.var()), strict=True):
        if mechanism != "duchi" or each.what == "mean" or size == 2:
            assert abs(each.value - truth) < 4.5 * each.stderr
    first, last = ds.quantiles(reports, "x", [0.5]).interval(0.9999)[0]
    assert 0 <= first <= np.median(x) <= last <= top
    share = ds.histogram(reports, "x")
    assert share.value.sum() == pytest.approx(1.0)
    assert (share.edges[0], share.edges[-1]) == (0, top)


def test_all_errors_are_deliberate_ones() -> None:
    for question in QUESTIONS.values():
        with pytest.raises(DiscretionError):
            question(skewed("window"), "z")
