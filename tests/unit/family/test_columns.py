"""Frequencies from columns of matrices: unbiased by enumeration, most likely, and covered."""

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.optimize import minimize
from scipy.stats import binom

from discretion.aggregate import Aggregate
from discretion.errors import DependenceWarning, EstimateError
from discretion.estimate.mle import fit
from discretion.estimate.noise import Vector
from discretion.estimate.spread import Spread
from discretion.family.columns import ColumnLevels, PooledColumns
from discretion.family.counts import Outputs
from discretion.labels import frequencies
from discretion.mechanism import Matrix, Places, Sensitive, Shares, Variant
from discretion.plan import Family, Plan
from discretion.robustness.bound import ONE_LEVEL, margin
from discretion.robustness.screening import screen
from discretion.robustness.weights import weights
from discretion.table.outputs import probabilities
from tests.builders import aggregate_of, answered, author
from tests.cases import for_each
from tests.significance import ALPHA

LOW, HIGH = 700, 3000
EXACT = 1e-10
VARIANTS: dict[str, Variant] = {
    "idldp": Shares((500, 1000, 1000)),
    "uldp": Sensitive(3, (0, 2)),
    "metric": Places(((0,), (500,), (2000,))),
    "plane": Places(((0, 0), (0, 900), (1200, 0))),
}
MECHANISMS: dict[str, Any] = {
    "idldp": {"idldp": {"shares": {"a": 0.5}}},
    "uldp": {"uldp": {"sensitive": ["a", "c"]}},
    "metric": {"metric": {"scale": 1.5}},
    "plane": {"metric": {"places": [[0, 0], [0, 0.9], [1.2, 0]]}},
}
F = np.array([0.2, 0.3, 0.5])


def plan_of(name: str, levels: tuple[float, ...] = (0.7, 1.5, 3)) -> Plan:
    x = {"name": "x", "kind": "categorical", "values": ["a", "b", "c"]}
    z = {"name": "z", "kind": "categorical", "values": ["yes", "no"]}
    questions = [{**x, "mechanism": MECHANISMS[name]}, z]
    return Plan.of(author(attributes=questions, budget={"levels": list(levels)}))


def reported(law: Matrix, *ys: int) -> tuple[Matrix, Outputs]:
    return law, Outputs(len(ys), np.bincount(ys, minlength=law.n_outputs))


def expected(law: Matrix, n: int) -> tuple[Matrix, Outputs]:
    """Return the counts of n reports, as near to their means as whole numbers are."""
    counts = np.rint(n * probabilities(law) @ F).astype(np.int64)
    return law, Outputs(int(counts.sum()), counts)


@pytest.mark.parametrize("name", VARIANTS)
def test_the_linear_estimate_is_unbiased_and_its_covariance_right(name: str) -> None:
    """Two owners of unequal levels: every value they may have and output they may send."""
    laws = [VARIANTS[name].law(level) for level in (LOW, HIGH)]
    tables = [probabilities(law) for law in laws]
    mean, second = np.zeros(3), np.zeros((3, 3))
    for one, other in itertools.product(range(3), repeat=2):
        probability = float(tables[0][one] @ F) * float(tables[1][other] @ F)
        value = PooledColumns([reported(laws[0], one), reported(laws[1], other)]).value
        mean, second = mean + probability * value, second + probability * np.outer(value, value)
    pool = PooledColumns([reported(laws[0], 0), reported(laws[1], 1)])
    np.testing.assert_allclose(mean, F, atol=EXACT)
    np.testing.assert_allclose(second - np.outer(mean, mean), pool.covariance(F), atol=1e-7)
    assert pool.value.sum() == pytest.approx(1)


def mle(levels: ColumnLevels) -> tuple[Vector, Spread]:
    linear = PooledColumns(levels)
    return fit(linear.likelihood, linear.start, linear.spread_at)


@pytest.mark.parametrize("name", VARIANTS)
def test_the_mle_is_what_another_optimiser_finds(name: str) -> None:
    laws = [VARIANTS[name].law(level) for level in (LOW, HIGH)]
    levels = [
        reported(laws[0], *[0] * 30 + [1] * 40 + [2] * 50),
        reported(laws[1], *[0] * 9 + [1] * 60),
    ]
    found, spread = mle(levels)

    rows = np.concatenate([probabilities(law) for law, _ in levels])
    counts = np.concatenate([tally.counts for _, tally in levels])
    best = minimize(
        lambda f: -float(counts @ np.log(np.maximum(rows @ f, 1e-300))),
        np.full(3, 1 / 3),
        jac=lambda f: -(counts / np.maximum(rows @ f, 1e-300)) @ rows,
        bounds=[(0, 1)] * 3,
        constraints={"type": "eq", "fun": lambda f: f.sum() - 1},
        method="SLSQP",
        options={"ftol": 1e-12},
    )
    np.testing.assert_allclose(found, best.x, atol=2e-3)
    assert (spread.variance > 0).all()


@pytest.mark.parametrize("name", VARIANTS)
def test_with_all_that_is_to_be_expected_the_truth_is_found(name: str) -> None:
    levels = [expected(VARIANTS[name].law(level), 10**9) for level in (LOW, HIGH)]
    for value in (PooledColumns(levels).value, mle(levels)[0]):
        np.testing.assert_allclose(value, F, atol=1e-4)


def test_an_open_value_that_was_reported_is_there_however_rare() -> None:
    law = Sensitive(4, (0, 1)).law(2000)
    value, _ = mle([reported(law, *[0] * 400 + [1] * 300 + [3])])
    assert value[2] == 0
    assert 0 < value[3] < 0.01


@pytest.mark.filterwarnings("ignore::discretion.errors.DependenceWarning")  # one in a thousand
@for_each("name", VARIANTS)
@for_each("method", ["mle", "weighted"])
def test_intervals_cover(name: str, method: str) -> None:
    """300 crowds of unequal levels: 95 % intervals hold the truth as often as they say."""
    plan, rng, crowds = plan_of(name), np.random.default_rng(20261116), 300
    held = np.zeros(3)
    for _ in range(crowds):
        tallies = {level: drawn(plan, level, 700, rng) for level in (700, 1500, 3000)}
        low, high = frequencies(aggregate_of(plan, tallies), "x", method).interval().T
        held += (low <= F) & (high >= F)
    few, many = binom.ppf([ALPHA, 1 - ALPHA], crowds, 0.95)
    assert ((few <= held) & (held <= many)).all(), f"{held} of {crowds}, {few} to {many}"


@pytest.mark.parametrize("name", VARIANTS)
def test_reports_with_gaps_and_their_aggregate_give_the_same_estimate(name: str) -> None:
    plan = plan_of(name)
    labels = np.array(["a", "b", "c"])[np.random.default_rng(5).choice(3, 3000, p=F)]
    reports = answered(plan, labels, 5)
    counted = Aggregate.of(reports)
    assert counted.to_json() == Aggregate.from_json(plan, counted.to_json()).to_json()
    assert 2000 < sum(t.n for t in counted.counted("x").values()) < 3000
    for method in ("auto", "mle", "weighted", "stratified"):
        one, other = (frequencies(each, "x", method) for each in (reports, counted))
        np.testing.assert_array_equal(one.value, other.value)
        assert (np.abs(one.value - F) < 6 * one.stderr).all()
        assert one.homogeneity is not None
        assert one.homogeneity.pvalue > ALPHA
    assert frequencies(counted, "x").method == "mle"


def test_levels_that_depend_on_values_are_noticed() -> None:
    plan = plan_of("uldp")
    rng = np.random.default_rng(1)
    tallies = {
        level: drawn(plan, level, 5000, rng, f)
        for level, f in ((700, F), (1500, F[::-1]), (3000, F))
    }
    with pytest.warns(DependenceWarning):
        frequencies(aggregate_of(plan, tallies), "x")


@pytest.mark.parametrize("name", VARIANTS)
def test_the_bound_is_what_false_reports_of_one_level_do(name: str) -> None:
    plan, others = plan_of(name), 50
    honest = {
        level: expected(plan.questions["x"].law(level, Family.COLUMNS), 2000)[1]
        for level in (700, 3000)
    }
    found = margin(aggregate_of(plan, honest, others), "x", 0.1)
    assert found.basis == ONE_LEVEL
    everyone = sum(tally.n for tally in honest.values()) + others
    before = PooledColumns(
        [(plan.questions["x"].law(v, Family.COLUMNS), t) for v, t in honest.items()]
    ).value
    moves = []
    for level, y in itertools.product((700, 1500, 3000), range(3)):
        kept: list[Any] = [
            (plan.questions["x"].law(v, Family.COLUMNS), scaled(t, 0.9)) for v, t in honest.items()
        ]
        lies = np.zeros(3)
        lies[y] = 0.1 * everyone
        kept.append((plan.questions["x"].law(level, Family.COLUMNS), Outputs(0.1 * everyone, lies)))  # type: ignore[arg-type]
        moves.append(PooledColumns(kept).value - before)
    np.testing.assert_allclose(found.up, np.max(moves, axis=0), atol=EXACT)
    np.testing.assert_allclose(found.down, np.min(moves, axis=0), atol=EXACT)


def test_higher_levels_weigh_more_and_shares_sum_to_one() -> None:
    plan = plan_of("idldp")
    tallies = {
        v: expected(plan.questions["x"].law(v, Family.COLUMNS), 100)[1] for v in (700, 1500, 3000)
    }
    shares = [each.share for each in weights(aggregate_of(plan, tallies), "x")]
    assert sum(shares) == pytest.approx(1)
    assert shares == sorted(shares)


def test_outputs_that_no_values_give_are_suspicious() -> None:
    plan, rng = plan_of("metric"), np.random.default_rng(3)
    tallies = {level: drawn(plan, level, 1000, rng) for level in (700, 1500)}
    liars = {3000: Outputs(1000, np.array([500, 500, 0]))}
    assert screen(aggregate_of(plan, tallies), "x").suspicious == ()
    found = screen(aggregate_of(plan, {**tallies, **liars}), "x")
    assert [group.level for group in found.suspicious] == [3000]


def test_what_columns_do_not_identify_is_refused() -> None:
    data = aggregate_of(plan_of("uldp"), {700: Outputs(3, np.array([1, 1, 1]))})
    with pytest.raises(EstimateError, match="a cap needs sets of codes, and 'x' has columns"):
        frequencies(data, "x", cap=0.5)
    with pytest.raises(EstimateError, match="needs oue, and 'x' uses uldp"):
        frequencies(data, "x", "pldp")
    blank = Matrix(((1 << 61, 1 << 61), (1 << 61, 1 << 61)))
    with pytest.raises(EstimateError, match="do not identify all values"):
        _ = PooledColumns([reported(blank, 0, 1)]).value


def drawn(
    plan: Plan, level: int, n: int, rng: np.random.Generator, f: npt.NDArray[np.float64] = F
) -> Outputs:
    return Outputs(
        n, rng.multinomial(n, probabilities(plan.questions["x"].law(level, Family.COLUMNS)) @ f)
    )


def scaled(tally: Outputs, share: float) -> Outputs:
    return Outputs(share * tally.n, share * tally.counts)  # type: ignore[arg-type]
