"""LoPub's two methods against dense steps on the complete records, written out."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from discretion.errors import EstimateError
from discretion.joints import joint, lopub
from discretion.plan import Family, Plan
from tests.builders import (
    AVERAGE,
    MODE,
    PET,
    TOTAL,
    Answers,
    author,
    crowd,
    drawn,
    secret_survey,
    survey,
    table_of,
)

Table = npt.NDArray[np.float64]
SINGLE = 1e-5  # passes over the reports are in single precision
PAIR = ["mode", "pet"]
SKEWED = np.array([0.9, 0.1, 0.0, 0.0, 0.0])
OUE = [{**question, "mechanism": "oue"} for question in (MODE, PET)]


def owners(n: int, seed: int) -> list[Answers]:
    """Return codes and unequal levels; a third of the owners shares one of the two."""
    rng = np.random.default_rng(seed)
    rows: list[Answers] = []
    for _ in range(n):
        mode, pet = int(rng.choice(5, p=SKEWED)), int(rng.integers(3))
        row = {"mode": (int(rng.choice([250, 1000, 2500])), mode), "pet": (1500, pet)}
        left_out = rng.choice(["mode", "pet", ""], p=[1 / 6, 1 / 6, 2 / 3])
        rows.append({name: answer for name, answer in row.items() if name != left_out})
    return rows


def sent(plan: Plan, rows: Sequence[Answers], seed: int) -> list[Answers]:
    """Return levels and outputs of these owners, so that a test can read them."""
    data = drawn(plan, rows, seed).data.to_pylist()
    return [
        {
            name: (report[f"{name}.level"], int.from_bytes(report[f"{name}.y"], "little"))
            for name in PAIR
            if report[f"{name}.y"] is not None
        }
        for report in data
    ]


def dense(plan: Plan, rows: Sequence[Answers]) -> Table:
    """Return the likelihood of each complete report at each cell, from the laws themselves."""
    return np.array(
        [
            [
                float(
                    plan.questions["mode"]
                    .law(row["mode"][0], Family.SETS)
                    .probability(row["mode"][1], a)
                )
                * float(
                    plan.questions["pet"]
                    .law(row["pet"][0], Family.SETS)
                    .probability(row["pet"][1], b)
                )
                for a in range(5)
                for b in range(3)
            ]
            for row in rows
            if len(row) == 2
        ]
    )


def stepped(likelihood: Table, p: Table) -> Table:
    """Return the mean of the posteriors: lines 10 to 15 of Algorithm 1."""
    posterior = likelihood * p.ravel()
    return (posterior / posterior.sum(axis=1, keepdims=True)).mean(axis=0).reshape(p.shape)


def test_the_first_step_is_the_mean_posterior_of_the_complete_records(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lopub, "GAP", 1.0)  # no step grows a cell by more
    rows = sent(survey(), owners(300, seed=31), seed=32)
    found = joint(table_of(survey(), rows), PAIR, "em-lopub").value
    expected = stepped(dense(survey(), rows), np.full((5, 3), 1 / 15))
    np.testing.assert_allclose(found, expected, atol=SINGLE)


def test_it_stops_when_the_largest_cell_hardly_grows() -> None:
    rows = sent(survey(), owners(300, seed=33), seed=34)
    likelihood, p, steps = dense(survey(), rows), np.full((5, 3), 1 / 15), 0
    while True:
        p, last, steps = stepped(likelihood, p), p, steps + 1
        if p.max() - last.max() <= 0.001:
            break
    assert steps > 3
    found = joint(table_of(survey(), rows), PAIR, "em-lopub").value
    np.testing.assert_allclose(found, p, atol=SINGLE)


def test_hybrid_stops_when_no_cell_moves_much_though_the_largest_shrinks() -> None:
    cells = [(0, 1), (0, 2), (1, 0), (1, 0)] * 100  # the Lasso's largest cell is (0, 0)
    codes: list[Answers] = [{"mode": (2500, a), "pet": (1500, b)} for a, b in cells]
    rows = sent(survey(), codes, seed=43)
    reports = table_of(survey(), rows)
    start = joint(reports, PAIR, "lasso").value
    likelihood, p, steps = dense(survey(), rows), start, 0
    while True:
        p, last, steps = stepped(likelihood, p), p, steps + 1
        if np.abs(p - last).max() <= 0.001:
            break
    assert steps > 3
    assert stepped(likelihood, start).max() < start.max()  # the printed rule would stop here
    np.testing.assert_allclose(joint(reports, PAIR, "hybrid").value, p, atol=SINGLE)


def test_partial_records_are_not_used() -> None:
    rows = sent(survey(), owners(300, seed=35), seed=36)
    complete = [row for row in rows if len(row) == 2]
    assert 100 < len(complete) < len(rows)
    found, expected = (
        joint(table_of(survey(), some), PAIR, "em-lopub").value for some in (rows, complete)
    )
    np.testing.assert_allclose(found, expected, atol=SINGLE)


def test_secret_levels_are_all_taken_for_the_average() -> None:
    """What everybody sent is as if she had the plan's average of 2, and had said so."""
    said = Plan.of(author(attributes=OUE, budget=AVERAGE))
    kept = Plan.of(author(attributes=OUE, budget=AVERAGE, allocation="secret"))
    rows = sent(said, owners(300, seed=37), seed=38)
    average = [{name: (2000, y) for name, (_, y) in row.items()} for row in rows]
    found, expected, own = (
        joint(table_of(plan, some), PAIR, "em-lopub").value
        for plan, some in ((kept, rows), (said, average), (said, rows))
    )
    np.testing.assert_allclose(found, expected, atol=SINGLE)
    assert np.abs(found - own).max() > 0.01


def test_hybrids_zeros_are_those_of_the_lasso_and_it_begins_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lopub, "GAP", 1.0)
    rows = sent(survey(), owners(900, seed=39), seed=40)
    reports = table_of(survey(), rows)
    start, found = (joint(reports, PAIR, method).value for method in ("lasso", "hybrid"))
    assert 0 < (start == 0).sum() < start.size
    np.testing.assert_array_equal(found == 0, start == 0)
    np.testing.assert_allclose(found, stepped(dense(survey(), rows), start), atol=SINGLE)


@pytest.mark.parametrize("method", ["em-lopub", "hybrid"])
@pytest.mark.parametrize("plan", [survey(), secret_survey()], ids=["disclosed", "secret"])
def test_three_attributes_give_a_distribution(plan: Plan, method: str) -> None:
    table = joint(crowd(plan, 2_000, seed=41), ["pet", "mode", "mood"], method)
    assert table.value.shape == (3, 5, 3)
    assert table.value.sum() == pytest.approx(1, abs=SINGLE)
    assert (table.value >= 0).all()


@pytest.mark.parametrize("method", ["em-lopub", "hybrid"])
def test_without_complete_records_there_is_no_answer(method: str) -> None:
    reports = table_of(survey(), [{"mode": (500, 1)}, {"pet": (2000, 1)}] * 40)
    with pytest.raises(EstimateError, match="no report holds all of mode, pet"):
        joint(reports, PAIR, method)


@pytest.mark.parametrize("method", ["em-lopub", "hybrid"])
def test_secret_levels_without_an_average_are_refused(method: str) -> None:
    plan = Plan.of(author(attributes=OUE, budget=TOTAL, allocation="secret"))
    with pytest.raises(EstimateError, match="disclosed levels, or a plan with an average budget"):
        joint(crowd(plan, 200, seed=42), PAIR, method)
