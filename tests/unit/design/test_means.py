"""Designs for means: errors against the exact laws and reference values, and what is advised."""

from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import discretion as ds
from discretion.design.advice import WORTH
from discretion.design.design import Block, Design
from discretion.design.guess import PART, Guess, guesses
from discretion.design.mean_designs import blocks, draws, squared_error
from discretion.design.means import advise_means
from discretion.errors import BudgetError, EstimateError, KindError
from discretion.estimate.noise import Vector
from discretion.mechanism import Marginal, law, number_law
from discretion.numbers import mean
from discretion.plan.plan import Contract

SIZE = 41
SLOPE: Vector = np.arange(1.0, SIZE + 1) / np.arange(1.0, SIZE + 1).sum()
FINE = 4001
EVENLY = Guess.of(np.full(FINE, 1 / FINE))
ENDS = Guess.of(np.r_[0.5, np.zeros(FINE - 2), 0.5])
LABEL = {"name": "work", "kind": "categorical", "values": ["yes", "no"]}


def question(name: str, **changes: Any) -> dict[str, Any]:
    return {"name": name, "kind": "numeric", "range": [0, 10], "step": 0.5, **changes}


def plan(count: int = 6, **changes: Any) -> ds.Plan:
    questions = [question(f"q{i}") for i in range(count)]
    budget = {"total": 8, "spread": 1.5, "step": 0.5}
    return ds.Plan.of({"name": "p", "attributes": questions, "budget": budget, **changes})


def alike(guess: Guess, count: int) -> dict[str, Guess]:
    return {f"q{i}": guess for i in range(count)}


@pytest.mark.parametrize("mechanism", ["pm", "window", "duchi", "hm"])
def test_the_variance_of_one_answer_is_that_of_its_law(mechanism: str) -> None:
    guess = Guess.of(SLOPE)
    exact = number_law(mechanism, SIZE, 2500)
    noise = sum(p * float(exact.variance(code)) for code, p in enumerate(SLOPE))
    expected = noise * (2 / (SIZE - 1)) ** 2 + guess.spread
    assert guess.variance(mechanism, 2500) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("levels, k", [(2, 5), (4, 3), (5, 2)])
def test_the_variance_of_one_of_a_block_is_that_of_the_margin(levels: int, k: int) -> None:
    guess, cells = Guess.of(SLOPE), levels**k
    inclusion = law("grr", cells, 6000).inclusion
    own = inclusion.own + inclusion.other * (Fraction(cells, levels) - 1)
    margin = Marginal(SIZE, levels, own)
    noise = sum(p * float(margin.variance(code)) for code, p in enumerate(SLOPE))
    expected = noise * (2 / (SIZE - 1)) ** 2 + guess.spread
    assert guess.variance_in_cell(levels, cells, 6000) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    "guess, level, expected",  # n * error / d of the reference, joint_level_rr.py
    [(EVENLY, 4000, 0.357), (EVENLY, 10_000, 0.089), (ENDS, 2000, 1.32), (ENDS, 10_000, 0.109)],
)
def test_the_best_blocks_have_the_errors_of_the_reference(
    guess: Guess, level: int, expected: float
) -> None:
    found = min(
        guess.variance_in_cell(b, b**k, level) / k
        for k in range(1, 14)
        for b in range(2, 9)
        if b**k < 5e6
    )
    assert found == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize("level, k, expected", [(6000, 2, 0.3175), (10_000, 3, 0.187)])
def test_all_numbers_to_draw_are_compared(level: int, k: int, expected: float) -> None:
    """Rounded down, PMPM's rule draws one fewer: its errors are 0.372 and 0.202."""
    numbers = alike(EVENLY, 12)
    designs = draws(dict.fromkeys(numbers, "pm"), level)
    best = min(designs, key=lambda d: squared_error(d, numbers, 1, level))
    assert best.sample == k
    assert squared_error(best, numbers, 12, level) == pytest.approx(expected, rel=0.01)


def test_blocks_part_the_numbers_and_suit_them() -> None:
    narrow, wide = Guess.of(np.eye(SIZE)[20]), Guess.of(SLOPE)
    mixed = {f"q{i}": wide if i % 2 else narrow for i in range(7)}
    for design in blocks(mixed, 8000):
        names = [name for block in design.blocks for name in block.names]
        assert sorted(names) == [f"q{i}" for i in range(7)]
        sizes = [len(block.names) for block in design.blocks]
        assert max(sizes) - min(sizes) <= 1
    two = next(design for design in blocks(mixed, 8000) if len(design.blocks) == 2)
    assert {mixed[name] for name in two.blocks[0].names} == {narrow}


def test_a_block_gets_equal_parts_of_the_total() -> None:
    three = alike(EVENLY, 3)
    own = EVENLY.variance_in_cell(2, 8, 7998)
    design = Design("1 block", ((Block(tuple(three), "grr", 2),),))
    assert squared_error(design, three, 100, 8000) == pytest.approx(own / 100)


def test_a_guess_has_the_mean_and_the_deviation_that_were_guessed() -> None:
    guess = guesses(ds.Plan.of(_fine()), ["x"], {"x": (3, 1.5)})["x"]
    places = np.linspace(0, 10, 1001)
    mean = guess.frequencies @ places
    assert mean == pytest.approx(3, rel=0.005)
    assert np.sqrt(guess.frequencies @ places**2 - mean**2) == pytest.approx(1.5, rel=0.005)
    assert guess.spread == pytest.approx((1.5 / 5) ** 2, rel=0.01)


def test_what_is_not_guessed_is_uniform_with_half_the_deviation() -> None:
    guess = guesses(plan(1), ["q0"])["q0"]
    even = Guess.of(guess.frequencies)
    assert guess.spread == pytest.approx(PART * even.spread)
    assert np.ptp(guess.frequencies) == 0


def test_a_pilot_is_counted_and_gaps_left_out() -> None:
    frame = pa.table({"q0": [0.0, 0.0, 10.0, None], "q1": [5.0, None, None, None]})
    first, second = guesses(plan(2), ["q0", "q1"], frame).values()
    assert first.frequencies[0] == pytest.approx(2 / 3)
    assert first.spread == pytest.approx(8 / 9)
    assert second.spread == 0


@pytest.mark.parametrize(
    "guess, message",
    [
        ({"q9": (1, 1)}, "guesses must be about q0, q1, not 'q9'"),
        ({"q0": 3}, "must be a pair"),
        ({"q0": (11, 1)}, "no numbers from 0 to 10 have mean 11"),
        ({"q0": (5, 6)}, "have mean 5 and standard deviation 6"),
        (pa.table({"q0": [1.0], "q1": pa.array([None], pa.float64())}), "no record"),
    ],
)
def test_impossible_guesses_are_refused(guess: object, message: str) -> None:
    with pytest.raises(EstimateError, match=message):
        guesses(plan(2), ["q0", "q1"], guess)


def test_advice_ranks_designs_and_proposes_plans_of_both_contracts() -> None:
    advice = advise_means(plan(), 5_000)
    errors = [row.squared_error for row in advice.rows]
    assert errors == sorted(errors)
    for contract in Contract:
        proposed = ds.Plan.of(advice.proposal(contract))
        assert proposed.contract is contract
        assert proposed.sample == advice.best(contract).design.sample
        assert proposed.policy.allowance(1) == 8000
    assert advice.best().contract is Contract.RECORD
    assert "record contract" in advice.recommendation
    assert str(advice).startswith("5,000 owners who spend 8 each: the means of 6 numbers")
    assert max(map(len, str(advice).splitlines())) <= 81
    assert advice.to_frame().num_rows == len(advice.rows)


def test_the_stronger_contract_is_recommended_where_it_costs_little() -> None:
    advice = advise_means(plan(2), 1_000, total=5)
    gain = advice.best("attribute").squared_error / advice.best("record").squared_error
    assert 1 < gain < WORTH
    assert advice.recommended is advice.best("attribute").design
    assert "bundles" not in advice.proposal()
    assert "is about as good as" in advice.recommendation


def test_forecasts_are_what_crowds_have() -> None:
    """n, runs and seeds fixed; 60 runs of 6 means have a relative error of about 0.075."""
    rng = np.random.default_rng(1)
    records = pa.table({f"q{i}": rng.beta(1 + i, 4, 1000) * 10 for i in range(6)})
    truth = np.array([column.to_numpy().mean() for column in records.columns])
    advice = advise_means(plan(), 1000, guess=records)
    within = np.mean([column.to_numpy().var() / 25 for column in records.columns]) / 1000
    for contract in Contract:
        proposed = ds.Plan.of(advice.proposal(contract))
        errors = []
        for seed in range(60):
            reports = ds.simulate(proposed, records, seed=seed)
            found = [mean(reports, name).value for name in records.column_names]
            errors.append(np.mean((np.array(found) - truth) ** 2) / 25)
        expected = advice.best(contract).squared_error - within
        assert np.mean(errors) == pytest.approx(expected, rel=0.3), contract


def test_names_choose_numbers_and_the_plan_has_the_others_left_out() -> None:
    mixed = plan(attributes=[question("a"), LABEL, question("b")], budget={"levels": [1, 2, 3]})
    advice = advise_means(mixed, 100, names=["b"])
    assert advice.names == ("b",)
    assert advice.total == 2000  # the middle level
    assert [q["name"] for q in advice.proposal()["attributes"]] == ["b"]
    assert advice.recommendation == "Drawing 1 (attribute contract) is the one way."
    assert advise_means(mixed, 100).names == ("a", "b")


def test_what_cannot_be_advised_is_refused() -> None:
    labels = plan(attributes=[LABEL], budget={"levels": [1]})
    with pytest.raises(EstimateError, match="asks for no numbers"):
        advise_means(labels, 100)
    with pytest.raises(KindError, match="work"):
        advise_means(labels, 100, names=["work"])
    with pytest.raises(EstimateError, match="n must be a whole number"):
        advise_means(plan(), 0)
    with pytest.raises(BudgetError, match="up to 20"):
        advise_means(plan(1), 100, total=50)
    with pytest.raises(EstimateError, match="'q0' is a number: advise_means"):
        ds.advise(plan(2), [["q0", "q1"]], 100)


def _fine() -> dict[str, Any]:
    budget = {"total": 1, "spread": 1}
    return {"name": "f", "attributes": [question("x", step=0.01)], "budget": budget}
