"""Secret allocations: the law of ones is learnt, and the table is not biased by what is not."""

import warnings

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest
from scipy.stats import binom

from discretion.crowd import simulate
from discretion.errors import AllocationWarning, EstimateError
from discretion.joints import joint
from discretion.joints.allocation import BudgetMixture
from discretion.joints.ones import NATS, Ones
from discretion.joints.table_evidence import Evidence
from discretion.joints.types import Dividing, Types
from tests.builders import AVERAGE, LEVELS, TOTAL, Vector, table_of
from tests.cases import for_each
from tests.unit.joints.crowds import Table, crowd, dependent, plan_of, records, total_variation

SEED = 31


def menu_law(size: int, epsilon: Vector) -> Table:
    """Return the probabilities of 0, ..., size ones at each epsilon: (epsilons, size + 1)."""
    q = 1 / (1 + np.exp(epsilon))[:, None]
    ones = np.arange(size + 1)
    return (binom.pmf(ones, size - 1, q) + binom.pmf(ones - 1, size - 1, q)) / 2


@for_each("budget", [AVERAGE, TOTAL, LEVELS])
@for_each("shared", [2, 3, 5])
def test_types_keep_the_policy_and_spread_over_all_of_it(
    budget: dict[str, object], shared: int
) -> None:
    policy = plan_of((2,) * 5, "oue", secret=True, budget=budget).policy
    types = Types.of(policy, 2)
    levels = types.levels((0, 1), shared)
    assert levels.shape == (types.count, 2)
    least, most = policy.floor(shared) / 1000, policy.menu[-1] / 1000
    assert levels.min() >= least - 1e-12
    assert levels.max() <= most + 1e-12
    allowance = policy.allowance(shared)
    if allowance is None:
        assert len(levels) == len(policy.menu) ** 2  # each pair of levels is a type
        assert set(np.unique(levels)) == {level / 1000 for level in policy.menu}
    else:
        assert (levels == least).all(axis=1).any()  # somebody spends as little as she may
        rest = allowance / 1000 - (shared - 2) * least
        assert levels.sum(axis=1).max() <= rest + 1e-9
        even = np.abs(levels - allowance / 1000 / shared).max(axis=1)
        assert even.min() < 0.25  # somebody is nearly even
        assert np.ptp(levels, axis=0).min() > 0.5 * (min(most, rest - least) - least)


def test_types_are_the_same_every_time() -> None:
    policy = plan_of((2,) * 3, "oue", secret=True).policy
    one, other = Types.of(policy, 3), Types.of(policy, 3)
    assert isinstance(one, Dividing)
    np.testing.assert_array_equal(one.levels((0, 2), 3), other.levels((0, 2), 3))
    assert (one.weights > 0).all()


def test_the_law_of_ones_of_a_type_is_binomial_and_a_coin() -> None:
    plan = plan_of((3, 5), "oue", secret=True)
    (group,) = Evidence.of(table_of(plan, [{"a": (0, 1), "b": (0, 3)}]), ("b", "a")).groups
    types = Types.of(plan.policy, 2)
    outcomes = np.array([(s, t) for s in range(4) for t in range(6)])
    keys = np.ravel_multi_index(tuple(outcomes.T), (4, 6))
    sharing = group.axes, (3, 5), 2
    likelihood = Ones(types, sharing, keys, np.ones(24)).likelihood
    epsilon = types.levels(group.axes, 2)
    assert group.axes == (1, 0)
    exact = (
        menu_law(3, epsilon[:, 0])[:, outcomes[:, 0]]
        * menu_law(5, epsilon[:, 1])[:, outcomes[:, 1]]
    )
    ratio = exact.T / likelihood
    np.testing.assert_allclose(ratio, np.broadcast_to(ratio[:, :1], ratio.shape), rtol=1e-9)


def ones_of(evidence: Evidence) -> list[tuple[int, int]]:
    (group,) = [g for g in evidence.groups if len(g.parts) == 2]
    return list(zip(*(part.ones.tolist() for part in group.sets), strict=True))


def log_likelihoods(evidence: Evidence, epsilons: Table) -> tuple[float, float]:
    """Return that of the learnt law and of the true levels' own, for owners who share both."""
    law = BudgetMixture.learnt(evidence)
    (both,) = [own for own in law.strata if len(own.sizes) == 2]
    found = both.types.levels((0, 1), 2)
    totals = []
    for levels, shares in (
        (found, law.shares[both.sharing]),
        (epsilons, np.full(len(epsilons), 1 / len(epsilons))),
    ):
        own = [menu_law(size, levels[:, j]) for j, size in enumerate(evidence.shape)]
        table = np.einsum("g,gs,gt->st", shares, *own)
        assert table.sum() == pytest.approx(1, abs=1e-5)
        totals.append(sum(np.log(table[pair]) for pair in ones_of(evidence)))
    return float(totals[0]), float(totals[1])


KINDS = {"dirichlet": "dirichlet", "even": "even", "two kinds": None}


def two_kinds(n: int) -> Table:
    """Two in three owners guard a, the others guard b much more."""
    return np.where(np.arange(n)[:, None] % 3 < 2, [0.5, 3.0], [3.75, 0.25])


@pytest.mark.parametrize("kind", KINDS)
def test_the_learnt_law_explains_the_ones_as_well_as_the_true_levels(kind: str) -> None:
    n, plan = 20_000, plan_of((5, 6), "oue", secret=True)
    twin = plan_of((5, 6), "oue")  # the same crowd, but telling its levels
    epsilons = two_kinds(n)
    frame = pa.table({"a": epsilons[:, 0], "b": epsilons[:, 1]})
    budgets = KINDS[kind] or frame
    f = dependent((5, 6))
    known = crowd(twin, f, n, SEED, missing=0.0, budgets=budgets)
    levels = np.column_stack([known.data[f"{name}.level"] for name in "ab"]) / 1000
    evidence = Evidence.of(crowd(plan, f, n, SEED, missing=0.0, budgets=budgets), ("a", "b"))
    learnt, true = log_likelihoods(evidence, levels)
    assert learnt > true - 2 * NATS


@pytest.mark.parametrize("budget", [AVERAGE, LEVELS], ids=["average", "levels"])
def test_the_shares_are_a_law(budget: dict[str, object]) -> None:
    plan = plan_of((3, 4), "oue", secret=True, budget=budget)
    budgets = "levels" if budget is LEVELS else "dirichlet"
    evidence = Evidence.of(crowd(plan, dependent((3, 4)), 500, SEED, budgets=budgets), ("a", "b"))
    law = BudgetMixture.learnt(evidence)
    again = BudgetMixture.learnt(evidence)
    for sharing, shares in law.shares.items():
        assert shares.min() >= 0
        assert shares.sum() == pytest.approx(1, abs=1e-9)
        np.testing.assert_array_equal(shares, again.shares[sharing])
    for group in evidence.groups:
        totals = law.tables(group)
        assert totals.shape == (len(group), *(2,) * len(group.parts))
        assert totals.max() <= 1
        assert (totals.reshape(len(totals), -1).max(axis=1) > 0.999).all()


CONSISTENT = [("dirichlet", AVERAGE), ("even", AVERAGE), ("two kinds", AVERAGE), ("levels", LEVELS)]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::discretion.errors.DependenceWarning")  # one run in a thousand
@pytest.mark.parametrize("kind, budget", CONSISTENT, ids=[kind for kind, _ in CONSISTENT])
def test_blind_is_consistent_whatever_the_allocation(kind: str, budget: dict[str, object]) -> None:
    """At 200,000 owners a bias of a tenth of a budget would be many standard errors."""
    n, plan, f = 200_000, plan_of((4, 5), "oue", secret=True, budget=budget), dependent((4, 5))
    epsilons = two_kinds(n)
    frame = pa.table({"a": epsilons[:, 0], "b": epsilons[:, 1]})
    budgets, missing = (frame, 0.0) if kind == "two kinds" else (kind, 0.1)
    squares = []
    for seed in range(SEED, SEED + 5):
        reports = crowd(plan, f, n, seed, missing=missing, budgets=budgets)
        estimate = joint(reports, ("a", "b"))
        assert estimate.method == "blind"
        squares.append(((estimate.value - f) / estimate.stderr) ** 2)
    print(f"\n{kind}: seeds {SEED} to {SEED + 4}, rms z {np.sqrt(np.mean(squares)):.3f}")
    assert np.mean(squares) < 1.8
    assert np.mean(squares, axis=0).max() < 6  # a cell with a bias of two standard errors has 5


SPENT = ("the least", "shy and bold", "one in two shares one")


def spenders(kind: str, n: int) -> tuple[Table, npt.NDArray[np.bool_]]:
    """Return budgets of owners who spend less than they may, and who shares what."""
    rng, there = np.random.default_rng(8), np.ones((n, 2), np.bool_)
    if kind == "the least":
        return np.full((n, 2), 0.5), there
    if kind == "shy and bold":
        bold = rng.random(n) < 0.5
        return np.where(bold[:, None], [2.0, 1.75], [0.25, 0.5]), there
    alone = rng.random(n) < 0.5
    there[np.flatnonzero(alone), rng.integers(0, 2, alone.sum())] = False
    return np.where(alone[:, None], [2.0, 2.0], [0.25, 1.0]), there


@pytest.mark.parametrize("kind", SPENT)
def test_any_spending_is_explained_and_forged_ones_are_not(kind: str) -> None:
    n, plan, f = 20_000, plan_of((3, 4), "oue", secret=True), dependent((3, 4))
    levels, there = spenders(kind, n)
    people = records(plan, f, n, SEED)
    people = pa.table(
        {name: pa.array(people[name].to_pylist(), mask=~there[:, j]) for j, name in enumerate("ab")}
    )
    budgets = {"a": levels[:, 0], "b": levels[:, 1]}
    reports = simulate(plan, people, budgets=budgets, seed=SEED)
    with warnings.catch_warnings():
        warnings.simplefilter("error", AllocationWarning)
        found = joint(reports, ("a", "b"))
    z = (found.centre - f) / found.stderr
    assert np.sqrt((z**2).mean()) < 2
    evidence = Evidence.of(reports, ("a", "b"))
    law = BudgetMixture.learnt(evidence)
    assert law.fit.p > 0.01
    assert law.redrawn(np.random.default_rng(1)).fit.p > 1e-4


def test_ones_that_no_spending_makes_are_named() -> None:
    """All reports with exactly two ones: noise has none, or many, now and then."""
    plan = plan_of((4, 4), "oue", secret=True)
    rng = np.random.default_rng(3)
    sets = rng.choice([0b0011, 0b0101, 0b1001, 0b0110], (2000, 2))
    reports = table_of(plan, [{"a": (0, int(a)), "b": (0, int(b))} for a, b in sets])
    with pytest.warns(AllocationWarning, match="numbers of ones"):
        joint(reports, ("a", "b"))


@for_each("names", [("a", "c"), ("a", "b", "c")])
def test_levels_of_bundles_are_not_guessed(names: tuple[str, ...]) -> None:
    """A report about two attributes at once is a subset of cells, which ``blind`` cannot read."""
    plan = plan_of((2, 3, 2), "oue", bundles=[("a", "b")])
    reports = crowd(plan, dependent((2, 3, 2)), 300, SEED)
    with pytest.raises(EstimateError, match=r"needs oue, and 'a\+b' uses subset"):
        joint(reports, names, "blind")


def test_bundles_of_other_attributes_count_as_what_they_are_about() -> None:
    """Who reports b and d as one value has as little left for a and c as without the bundle."""
    plan = plan_of((3, 3, 3, 3), "oue", bundles=[("b", "d")])
    f = dependent((3, 3, 3, 3))
    reports = crowd(plan, f, 8_000, 1, missing=0.1)
    evidence = Evidence.of(reports, ("a", "c"))
    assert BudgetMixture.learnt(evidence).fit.p > 0.01
    truth = f.sum(axis=(1, 3))
    blind, seen = (
        total_variation(joint(reports, ("a", "c"), method).value, truth)
        for method in ("blind", "mle")
    )
    assert blind < 1.5 * seen + 0.01
