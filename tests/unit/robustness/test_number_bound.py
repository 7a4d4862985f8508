"""The margin of a mean is what the worst output does, and what is shown of a likelihood can be."""

import numpy as np
import pytest

from discretion.aggregate import Aggregate
from discretion.errors import EstimateError
from discretion.family.counts import Outputs
from discretion.numbers import mean, quantiles
from discretion.numbers.mean import centred, weight_of
from discretion.numbers.number_evidence import NumberEvidence, menu_of
from discretion.plan import Family, Plan
from discretion.robustness.number_bound import margin, quantile_margin
from discretion.robustness.weights import weights
from discretion.table import ReportTable
from tests.builders import aggregate_of, answered, disclosed
from tests.cases import for_each
from tests.tallies import counted_as
from tests.unit.numbers.crowds import RANGES, crowd, numbers, plan_of, skewed

SHARE, KEPT, OF = 0.05, 19, 20
DECODED = ["duchi", "pm", "sw", "window", "hm"]
OTHERS = [0, 21_600]  # reports that leave the number out: none, or nine of ten
EXACT = 1e-9


def two_levels(reports: ReportTable, others: int = 0) -> Aggregate:
    """Return the same without the middle level, which liars may choose nonetheless."""
    tallies = Aggregate.of(reports).counted("x")
    return aggregate_of(reports.plan, {g: t for g, t in tallies.items() if g != 1000}, others)


def attacked(data: Aggregate, grade: int, y: int) -> Aggregate:
    """Return the same reports many times, 5 % of all replaced by one output."""
    tallies = {
        g: Outputs(t.n * KEPT, t.counts * KEPT) for g, t in counted_as(data, "x", Outputs).items()
    }
    n = data.reports * (OF - KEPT)
    lies = Outputs(
        n,
        np.bincount([y], minlength=data.plan.questions["x"].law(grade, Family.NUMBERS).n_outputs)
        * n,
    )
    tallies[grade] = tallies[grade] + lies if grade in tallies else lies
    return aggregate_of(data.plan, tallies)


@for_each("others", OTHERS)
@for_each("mechanism", DECODED)
def test_no_output_moves_the_mean_further_and_one_does_as_much(mechanism: str, others: int) -> None:
    """Outputs from end to end at all levels, by the same weights."""
    data = two_levels(skewed(mechanism), others)
    before, at = NumberEvidence.of(data, "x"), centred(NumberEvidence.of(data, "x"))
    found = []
    for level, law in menu_of(data.plan, "x"):
        for y in {0, 1, 2, *np.linspace(0, law.n_outputs - 1, 40).astype(int).tolist()}:
            if y < law.n_outputs:
                parts = NumberEvidence.of(attacked(data, level, y), "x").parts
                own = weight_of([part.law for part in parts], *at) * [part.n for part in parts]
                moved = own @ [part.mean for part in parts] / own.sum()
                found.append((before.value(moved) - mean(data, "x").value, level))
    most = margin(data, "x", SHARE)
    assert most.up[0] == pytest.approx(max(found)[0], rel=EXACT)
    assert most.down[0] == pytest.approx(min(found)[0], rel=EXACT)
    assert most.level == max(found, key=lambda each: abs(each[0]))[1]
    assert (most.what, most.basis) == (("mean",), "worst")


@pytest.mark.filterwarnings("ignore:.*look dependent")
@for_each("others", OTHERS)
@for_each("mechanism", DECODED)
def test_weights_that_are_estimated_anew_change_little_of_it(mechanism: str, others: int) -> None:
    data = two_levels(skewed(mechanism), others)
    most, before = margin(data, "x", SHARE), mean(data, "x").value
    found = [
        mean(attacked(data, level, y), "x", "weighted").value - before
        for level, law in menu_of(data.plan, "x")
        for y in {0, 1, *np.linspace(0, law.n_outputs - 1, 12).astype(int).tolist()}
    ]
    assert max(found) == pytest.approx(most.up[0], rel=0.05)
    assert min(found) >= 1.05 * most.down[0]
    assert most.basis == "worst"


@pytest.mark.filterwarnings("ignore:.*look dependent")
def test_false_reports_that_are_many_of_an_attributes_move_the_weights_as_well() -> None:
    """One of ten shares it, so 5 % of the round are a third of the answers; of 3 %, nearly two."""
    few, fewer = (two_levels(skewed("pm"), others) for others in (21_600, 80_000))
    assert [margin(data, "x", SHARE).basis for data in (few, fewer)] == ["worst", "attack"]
    wrong = mean(attacked(fewer, 1000, 0), "x", "weighted").unclipped
    moved = wrong - mean(fewer, "x").value
    assert moved < 1.2 * margin(fewer, "x", SHARE).down[0]


def test_a_table_and_its_aggregate_have_the_same_margins() -> None:
    reports = crowd(plan_of("pm"), numbers(900, 1), 1, missing=0.9)
    counted = Aggregate.of(reports)
    assert sum(tally.n for tally in counted.counted("x").values()) < 150
    assert counted.reports == len(reports) == 900
    for asked in (margin, quantile_margin):
        assert asked(reports, "x").document() == asked(counted, "x").document()


@pytest.mark.filterwarnings("ignore:.*look dependent")
@pytest.mark.parametrize("others", OTHERS)
def test_without_decoding_an_attack_is_shown(others: int) -> None:
    data = two_levels(skewed("laplace"), others)
    found = margin(data, "x", SHARE)
    before = mean(data, "x", "likelihood").value
    top = mean(attacked(data, 3000, 20), "x", "likelihood").value - before
    assert (found.basis, found.level) == ("attack", 3000)
    assert found.up[0] == pytest.approx(top, rel=0.05)
    assert found.down[0] < 0 < found.up[0]


def test_narrower_ranges_leave_room_for_more_than_the_worst_of_the_whole_one() -> None:
    grid = {"kind": "numeric", "range": [0, 10], "step": 0.5, "ranges": RANGES}
    plan = plan_of("pm", grid=grid)
    assert margin(crowd(plan, numbers(900, 1), 1), "x").basis == "attack"
    ranged = crowd(plan, numbers(900, 1), 1, ranges="menu")
    assert not NumberEvidence.of(ranged, "x").decodable
    assert margin(ranged, "x").basis == "attack"


@pytest.mark.parametrize("mechanism", ["pm", "sw", "laplace"])
def test_quantiles_of_an_attack_move_both_ways(mechanism: str) -> None:
    found = quantile_margin(skewed(mechanism), "x", 0.2)
    assert found.what == ("0.25", "0.5", "0.75")
    assert found.basis == "attack"
    assert (found.down <= 0).all()
    assert (found.up >= 0).all()
    assert found.value.max() >= 0.5
    honest = quantiles(skewed(mechanism), "x").value
    assert (honest + found.up <= 10).all()
    assert (honest + found.down >= 0).all()


def test_a_number_in_bundles_can_be_manipulated_at_the_bundles_levels() -> None:
    numeric = {"kind": "numeric", "range": [0, 10], "step": 0.5, "mechanism": "pm"}
    author = {
        "name": "b",
        "attributes": [{"name": "x", **numeric}, {"name": "w", **numeric}],
        "budget": {"levels": [0.5, 2]},
        "bundles": [{"attributes": ["x", "w"], "levels": 2}],
    }
    plan = Plan.of(author)
    assert {level for level, _ in menu_of(plan, "x")} >= set(plan.questions["x+w"].menu)


def test_weights_of_a_number_are_those_of_the_mean() -> None:
    found = weights(skewed("pm"), "x")
    assert [w.level for w in found] == [500, 1000, 3000]
    assert sum(w.reports for w in found) == mean(skewed("pm"), "x").n
    assert sum(w.share for w in found) == pytest.approx(1)
    assert found[-1].share > found[0].share
    with pytest.raises(EstimateError, match="no unbiased decoding"):
        weights(skewed("laplace"), "x")


def test_labels_are_handed_down() -> None:
    labels = answered(disclosed("grr", 3), np.arange(90) % 3, seed=1)
    assert margin(labels, "x").what == ("0", "1", "2")
    assert margin(labels, "x", cap=0.5).basis == "one level"
    assert len(weights(labels, "x", cap=0.5)) == 3
    with pytest.raises(EstimateError, match="a cap is for labels"):
        margin(skewed("pm"), "x", cap=0.5)
    with pytest.raises(EstimateError, match="share must lie between 0 and 1"):
        quantile_margin(skewed("pm"), "x", share=2)
    with pytest.raises(EstimateError, match="levels must lie between 0 and 1"):
        quantile_margin(skewed("pm"), "x", levels=[0, 0.5])
