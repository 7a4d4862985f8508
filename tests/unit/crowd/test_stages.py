"""Over rounds an owner keeps her response to an answer, and every round sends it anew."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

import discretion as ds
from discretion.crowd.rounds import simulate_rounds
from discretion.errors import RecordError
from discretion.plan import Plan
from discretion.randomness import ONE
from discretion.table import ReportTable
from discretion.table.columns import codes as integers
from discretion.table.columns import matrix, whole
from tests.cases import for_each

Vector = npt.NDArray[np.float64]
ALPHA = 1e-6
OWNERS, LEVELS = 12_000, (1.0, 4.0)
BLOOM = {"rappor": {"hashes": 1, "bits": 3, "cohorts": 2, "ones": 0.8, "zeros": 0.3}}
WORD = {"rappor": {"hashes": 1, "bits": 2, "ones": 0.9, "zeros": 0.2}}
STAGED = ["lgrr", "losue", "rappor", {"loloha": {"buckets": 3}}]


def plan_of(mechanism: Any, values: int = 2, **more: Any) -> Plan:
    asked = {"kind": "categorical", "values": [*"abcdef"[:values]]}
    attributes = [{**asked, "name": "v", "mechanism": mechanism}, {**asked, "name": "w"}]
    return Plan.of({"name": "k", "attributes": attributes, "budget": {"levels": LEVELS}, **more})


def rounds_of(plan: Plan, *labels: str, seed: int = 1, owners: int = OWNERS) -> ReportTable:
    """Return rounds in which all owners have these labels; one in five lacks the attribute."""
    lacks, rng = np.arange(owners) % 5 == 0, np.random.default_rng(seed)
    frames = [
        {"v": [None if own else each for own in lacks], "w": ["a"] * owners} for each in labels
    ]
    budgets = {name: rng.choice(LEVELS, owners).tolist() for name in "vw"}
    return simulate_rounds(plan, frames, budgets=budgets, seed=seed)


def sent(weeks: ReportTable, level: float) -> npt.NDArray[np.int64]:
    """Return what owners of a level sent in each round (rounds, n)."""
    found = []
    for round in weeks.rounds:
        data = weeks.of_round(round).data
        own = whole(data["v.level"]).fill_null(0).to_numpy() == 1000 * level
        found.append(integers(matrix(whole(data["v.y"])))[own])
        assert data["v.y"].null_count == OWNERS // 5
    return np.array(found)


def choice(law: Any, y: int, kept: int) -> float:
    return float(law.second.probability(y, kept))


def coins(law: Any, y: int, kept: int) -> float:
    """Return P(y | kept) of two bits; RAPPOR states how a one and a zero are sent."""
    one, zero = getattr(law, "instant", None) or (law.again, ONE - law.again)
    heads = [(one if kept >> i & 1 else zero) / ONE for i in range(2)]
    return float(np.prod([p if y >> i & 1 else 1 - p for i, p in enumerate(heads)]))


Second = Callable[[Any, int, int], float]


def law_of(law: Any, second: Second, x: int) -> tuple[Vector, Vector]:
    """Return P(y, z) of two rounds, given one response to x and given two of them."""
    outputs = list(law.permanent.outputs())
    kept = np.array([float(law.permanent.probability(k, x)) for k in outputs])
    sends = np.array([[second(law, y, k) for y in outputs] for k in outputs])
    one = kept @ sends
    return np.einsum("k,ky,kz->yz", kept, sends, sends), np.outer(one, one)


def fits(pairs: npt.NDArray[np.int64], expected: Vector) -> float:
    counts = np.zeros(expected.shape)
    np.add.at(counts, tuple(pairs), 1)
    return float(stats.chisquare(counts.ravel(), expected.ravel() * pairs.shape[1]).pvalue)


@for_each("mechanism, second", [("lgrr", choice), ("losue", coins), (WORD, coins)])
def test_the_first_stage_is_shared_and_the_second_fresh(mechanism: Any, second: Second) -> None:
    """Rounds: a, a, b, a. The first, second and last one send the same response."""
    plan = plan_of(mechanism)
    weeks = rounds_of(plan, "a", "a", "b", "a")
    for level in LEVELS:
        y = sent(weeks, level)
        shared, own = law_of(plan.questions["v"].law(int(1000 * level)), second, 0)
        other = law_of(plan.questions["v"].law(int(1000 * level)), second, 1)[1].sum(axis=0)
        for pair in ([0, 1], [0, 3], [1, 3]):
            assert fits(y[pair], shared) > ALPHA
            assert fits(y[pair], own) < ALPHA
        assert fits(y[[0, 2]], np.outer(own.sum(axis=1), other)) > ALPHA


def test_a_hash_function_is_kept_and_answers_in_one_bucket_have_one_response() -> None:
    plan, many = plan_of({"loloha": {"buckets": 3}}), 3
    weeks = rounds_of(plan, "a", "b", seed=2)
    for level in LEVELS:
        law: Any = plan.questions["v"].law(int(1000 * level))
        functions, buckets = np.divmod(sent(weeks, level), many)
        assert (functions[0] == functions[1]).all()
        assert len(np.unique(functions[0])) > 0.99 * functions.shape[1]
        own = np.array([law.hashing.bucket(functions[0], x) for x in (0, 1)])
        alike = own[0] == own[1]
        apart = (buckets - own) % many
        kept = np.full(many, float(law.permanent.bucket_means[1]))
        kept[0] = float(law.permanent.bucket_means[0])
        sends = np.array([[choice(law, y, k) for y in range(many)] for k in range(many)])
        shared, one = np.einsum("k,ky,kz->yz", kept, sends, sends), kept @ sends
        assert abs(alike.mean() - 1 / many) < 0.05
        assert fits(apart[:, alike], shared) > ALPHA
        assert fits(apart[:, alike], np.outer(one, one)) < 0.01  # at a large level they are near
        assert fits(apart[:, ~alike], np.outer(one, one)) > ALPHA


def test_a_cohort_is_kept_while_bits_are_drawn_anew() -> None:
    weeks = rounds_of(plan_of(BLOOM), "a", "b", "a", seed=3)
    for level in LEVELS:
        cohorts = sent(weeks, level) >> 3
        assert (cohorts == cohorts[0]).all()
        assert abs(cohorts.mean() - 0.5) < 0.05
        bits = sent(weeks, level) & 7
        assert (bits[0] != bits[2]).mean() > 0.5
        assert len(np.unique(bits)) == 8


def test_of_a_text_the_cohort_is_kept_and_its_bits_share_the_first_stage() -> None:
    """Of 160 bits, in several words, two rounds set one together as often as its law says."""
    parts = {"hashes": 2, "bits": 160, "cohorts": 8, "ones": 0.9, "zeros": 0.2}
    text = {"name": "v", "kind": "text", "mechanism": {"orappor": parts}}
    plan = Plan.of({"name": "k", "attributes": [text], "budget": {"levels": [4]}})
    weeks = simulate_rounds(plan, [{"v": ["x"] * 3000}, {"v": ["x", "y"] * 1500}], seed=5)
    rows = [matrix(whole(weeks.of_round(round).data["v.y"])) for round in (0, 1)]
    assert (rows[0][:, 20:] == rows[1][:, 20:]).all()
    assert set(rows[0][:, 20]) == set(range(8))
    both = np.unpackbits(rows[0][:, :20] & rows[1][:, :20], axis=1)
    law: Any = plan.questions["v"].law(4000)
    true, false = (float(p) for p in law.permanent.means)
    together = [own * 0.9**2 + (1 - own) * 0.2**2 for own in (true, false)]
    error = 0.5 / both[::2].size ** 0.5
    assert abs(both[::2].mean() - (2 * together[0] + 158 * together[1]) / 160) < 5 * error
    assert abs(both[1::2].mean() - (2 * together[0] + 158 * together[1]) / 160) > 20 * error


@for_each("again", ["memo", "fresh"])
def test_sampled_codes_are_kept_and_all_others_are_one_answer(again: str) -> None:
    plan = plan_of({"dbitflip": {"bits": 2}}, 6, again=again)
    weeks = rounds_of(plan, "a", "b", "a", seed=4)
    for level in LEVELS:
        y = sent(weeks, level)
        codes = y & 63
        assert (codes == codes[0]).all()
        neither = codes[0] & 3 == 0
        assert abs(neither.mean() - 6 / 15) < 0.05
        repeated = [(y[0] == y[t])[kind].mean() for t in (1, 2) for kind in (neither, ~neither)]
        keeps = [one == 1 for one in repeated]
        assert keeps == ([True, False, True, True] if again == "memo" else [False] * 4)


@for_each("mechanism", STAGED)
def test_estimates_and_changes_are_unbiased_and_bounds_hold(mechanism: Any) -> None:
    """Owners of unequal levels, of whom some lack the attribute; 30 % of the others change."""
    plan, runs, owners = plan_of(mechanism, 3), 50, 400
    number = np.arange(owners)
    lacks, first = number % 5 == 4, number % 5 % 3
    codes = [first, np.where(number % 10 < 3, 2, first)]
    labels = [
        [None if i % 5 == 4 else "abc"[code] for i, code in enumerate(each)] for each in codes
    ]
    frames = [{"v": each, "w": ["a"] * owners} for each in labels]
    truth = np.array([np.bincount(each[~lacks], minlength=3) for each in codes]) / sum(~lacks)
    found, held = np.empty((runs, 3, 3)), np.empty((runs, 3))
    for seed in range(runs):
        budgets = {"v": np.random.default_rng(seed).choice(LEVELS, owners), "w": [1.0] * owners}
        weeks = simulate_rounds(plan, frames, budgets=budgets, seed=seed)
        change = ds.change(weeks, "v", 0, 1)
        assert change.test.method == "bound: answers are repeated"
        found[seed] = change.second, change.first, change.value
        held[seed] = np.abs(change.value - truth[1] + truth[0]) < 1.96 * change.stderr
    score = (found.mean(axis=0) - [*truth, truth[1] - truth[0]]) / found.std(axis=0, ddof=1)
    print(f"seeds 0 to {runs - 1}: {np.abs(score).max() * runs**0.5:.2f}, held {held.mean():.3f}")
    assert np.abs(score).max() * runs**0.5 < 5
    assert held.mean() > 0.95


def test_rounds_of_other_owners_are_refused() -> None:
    plan = plan_of("lgrr")
    two, one = {"v": ["a", "b"], "w": ["a", "b"]}, {"v": ["a"], "w": ["a"]}
    silent = {"v": ["a", None], "w": ["a", None]}
    for frame in (one, silent):
        with pytest.raises(RecordError, match="same owners in all rounds, got 1"):
            simulate_rounds(plan, [two, frame], budgets="levels")


def test_the_same_seed_gives_the_same_rounds() -> None:
    one, same, other = (rounds_of(plan_of(BLOOM), "a", "b", seed=seed) for seed in (1, 1, 2))
    assert one == same
    assert one.data["v.y"] != other.data["v.y"]
