"""The margin is what the worst report does: by trying every report at every level."""

import json
from collections.abc import Iterator
from math import exp
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from discretion.aggregate import Aggregate
from discretion.crowd import simulate
from discretion.errors import EstimateError
from discretion.family.counts import Tally
from discretion.family.sets.linear import capped, weights_of
from discretion.family.sets.manipulation import extremes
from discretion.labels import frequencies
from discretion.mechanism import MECHANISMS, CodedLaw, Hashed, SupportLaw
from discretion.plan import Family, Plan
from discretion.robustness.bound import ManipulationBound, margin
from discretion.robustness.weights import weights
from tests.builders import (
    Answers,
    Vector,
    aggregate_of,
    answered,
    disclosed,
    secret,
    table_of,
    tally_of,
)
from tests.cases import for_each
from tests.mechanisms import LISTED, SMALL
from tests.tallies import counted_as
from tests.unit.family.test_codewords_linear import BLOOM, COHORTS, RAPPOR, plan_of, reported_bits
from tests.unit.family.test_codewords_linear import tally_of as bits_of

SIZE = 4
SHARES = {0.05: (19, 20), 0.25: (3, 4), 0.5: (1, 2)}  # kept reports of so many
OTHERS = [0, 720]  # reports that leave the attribute out: none, or nine of ten
EXACT = 1e-9

pytestmark = pytest.mark.filterwarnings("ignore:.*look dependent")  # as they should, of liars


def honest(plan: Plan, n: int = 90, seed: int = 3, others: int = 0) -> Aggregate:
    """Return reports about x at two of the three levels, and others that leave it out."""
    codes = np.random.default_rng(seed).choice(SIZE, n, p=[0.5, 0.3, 0.15, 0.05])
    whole = Aggregate.of(answered(plan, codes, seed))
    tallies = {level: tally for level, tally in whole.tallies["x"].items() if level != 1500}
    return aggregate_of(plan, tallies if not plan.secret else whole.tallies["x"], others)


def times(tally: Tally, factor: int) -> Tally:
    return Tally(tally.n * factor, tally.supports * factor, tally.sizes * factor)


def attacked(data: Aggregate, level: int, law: SupportLaw, y: int, share: float) -> Aggregate:
    """Return the same reports many times, an exact share of all replaced by one report."""
    kept, of = SHARES[share]
    tallies = {v: times(tally, kept) for v, tally in counted_as(data, "x", Tally).items()}
    lies = times(tally_of(law, [y]), data.reports * (of - kept))
    tallies[level] = tallies[level] + lies if level in tallies else lies
    return aggregate_of(data.plan, tallies)


def by_trying(data: Aggregate, share: float, **options: Any) -> tuple[Vector, Vector, int]:
    """Return the largest changes up and down over all levels and reports, and the worst level."""
    plan, method = data.plan, "moment" if data.plan.secret else "weighted"
    before = frequencies(data, "x", method, **options).value
    found = {}
    for level in plan.questions["x"].menu[:1] if plan.secret else plan.questions["x"].menu:
        law = plan.questions["x"].law(level, Family.SETS)
        for y in law.outputs():
            lies = attacked(data, 0 if plan.secret else level, law, y, share)
            found[level, y] = frequencies(lies, "x", method, **options).value - before
    changes = np.array([*found.values()])
    worst = list(found)[int(np.abs(changes).max(axis=1).argmax())][0]
    return changes.max(axis=0), changes.min(axis=0), worst


def same(found: ManipulationBound, expected: tuple[Vector, Vector, int]) -> None:
    np.testing.assert_allclose(found.up, expected[0], atol=EXACT)
    np.testing.assert_allclose(found.down, expected[1], atol=EXACT)
    np.testing.assert_allclose(found.value, np.maximum(expected[0], -expected[1]), atol=EXACT)


@for_each("others", OTHERS)
@for_each("share", SHARES)
@for_each("mechanism", LISTED)
def test_no_report_at_any_level_does_more_and_one_does_as_much(
    mechanism: str, share: float, others: int
) -> None:
    """The level without a report is on the menu, and open to liars; so is the attribute to all."""
    data = honest(disclosed(mechanism, SIZE), others=others)
    found, expected = margin(data, "x", share), by_trying(data, share)
    same(found, expected)
    assert found.level == expected[2]
    assert found.basis == "worst"
    assert found.what == ("0", "1", "2", "3")


@for_each("others", OTHERS)
@for_each("mechanism", LISTED)
def test_replacing_whole_reports_of_a_round_where_few_share_the_attribute(
    mechanism: str, others: int
) -> None:
    """A quarter of a table is replaced, row by row, in every way."""
    plan = disclosed(mechanism, SIZE)
    laws = {v: plan.questions["x"].law(v, Family.SETS) for v in plan.questions["x"].menu}
    outputs = {v: list(law.outputs()) for v, law in laws.items()}
    rows: list[Answers] = [{"z": (500, 1)}] * (others // 40)
    rows += [{"x": (500, outputs[500][1])}, {"x": (3000, outputs[3000][2]), "z": (500, 0)}]
    before = frequencies(table_of(plan, rows), "x", "weighted").value
    moved = []
    for level, ys in outputs.items():
        for y in ys:
            lies: list[Answers] = [{"x": (level, y)}] * len(rows)
            after = frequencies(table_of(plan, 3 * rows + lies), "x", "weighted")
            moved.append(after.value - before)
    found = margin(table_of(plan, rows), "x", 0.25)
    np.testing.assert_allclose(found.up, np.max(moved, axis=0), atol=EXACT)
    np.testing.assert_allclose(found.down, np.min(moved, axis=0), atol=EXACT)
    counted = margin(Aggregate.of(table_of(plan, rows)), "x", 0.25)
    assert counted.document() == found.document()


def test_the_fewer_share_an_attribute_the_further_false_reports_move_it() -> None:
    """False reports, 5 % of the round, are all about what one of ten others shares: a third."""
    plan = disclosed("grr", SIZE, [3])
    codes, few = np.arange(1_000) % SIZE, np.arange(1_000) >= 100
    records = {"x": pa.array(codes, mask=few), "z": np.full(1_000, "yes")}
    reports = simulate(plan, records, budgets="levels", seed=1)
    among, alone = (
        margin(reports, "x", 0.05),
        margin(answered(plan, codes, 1, missing=0), "x", 0.05),
    )
    f = frequencies(reports, "x", "weighted")
    assert (len(reports), f.n) == (1_000, 100)
    lies, kept = 50, 95
    most = extremes(plan.questions["x"].law(3000, Family.SETS))[0]
    np.testing.assert_allclose(among.up, lies / (lies + kept) * (most - f.value))
    assert among.up.max() > 5 * alone.up.max()


@for_each("others", OTHERS)
@for_each("cap", [0.5, 0.6, 0.95])
@for_each("mechanism", LISTED)
def test_of_a_capped_estimate_it_is_that_of_one_level(
    mechanism: str, cap: float, others: int
) -> None:
    data = honest(disclosed(mechanism, SIZE), others=others)
    found = margin(data, "x", 0.25, cap=cap)
    same(found, by_trying(data, 0.25, cap=cap))
    assert found.basis == "one level"


def test_different_false_reports_do_no_more_harm_than_equal_ones() -> None:
    data, share = honest(disclosed("oue", SIZE), others=80), 0.25
    kept, _ = SHARES[share]
    before, most = frequencies(data, "x", "weighted").value, margin(data, "x", share)
    rng = np.random.default_rng(1)
    for _ in range(200):
        tallies = {v: times(tally, kept) for v, tally in counted_as(data, "x", Tally).items()}
        for level in rng.choice(data.plan.questions["x"].menu, data.reports):
            law = data.plan.questions["x"].law(int(level), Family.SETS)
            lie = tally_of(law, [int(rng.choice([1, 2, 14, 13]))])
            tallies[int(level)] = tallies[int(level)] + lie if int(level) in tallies else lie
        after = frequencies(aggregate_of(data.plan, tallies), "x", "weighted")
        change = after.value - before
        assert (change <= most.up).all()
        assert (change >= most.down).all()


def ends(law: CodedLaw) -> Iterator[int]:
    """Yield the outputs whose digits are all the first or the last: of bits, every output."""
    extreme = {0, law.encoding.top}
    for y in law.outputs():
        above = y >> law.encoding.bits * law.encoding.depth
        if above or set(reported_bits(law.encoding, y)) <= extreme:
            yield y


@for_each("others", OTHERS)
@for_each("mechanism", ["bloom", BLOOM, RAPPOR, COHORTS, "she"])
def test_of_words_it_is_that_of_the_worst_bits_in_the_worst_cohort(
    mechanism: object, others: int
) -> None:
    """Everything is tried: all bits, all cohorts, all levels; of digits the first and the last."""
    plan, rng = plan_of(mechanism), np.random.default_rng(2)
    laws = {
        level: plan.questions["x"].law(level, Family.CODEWORDS)
        for level in plan.questions["x"].menu
    }
    ys = {
        v: rng.choice(list(law.outputs()), n).tolist()
        for (v, law), n in zip(laws.items(), (30, 0, 50), strict=True)
    }
    tallies = {v: bits_of(laws[v], each) for v, each in ys.items() if each}

    def value(lies: dict[int, list[int]], times: int) -> Vector:
        levels = {v: bits_of(laws[v], times * ys[v] + lies.get(v, [])) for v in laws}
        kept = {v: tally for v, tally in levels.items() if tally.n}
        return frequencies(aggregate_of(plan, kept), "x", "weighted").value

    before = value({}, 1)
    n = 80 + others
    lying = [value({v: n * [y]}, 3) - before for v, law in laws.items() for y in ends(law)]
    found = margin(aggregate_of(plan, tallies, others), "x", 0.25)
    np.testing.assert_allclose(found.up, np.max(lying, axis=0), atol=EXACT)
    np.testing.assert_allclose(found.down, np.min(lying, axis=0), atol=EXACT)
    assert found.basis == "one level"


@pytest.mark.parametrize("others", [0, 900])
def test_of_secret_levels_it_is_that_of_the_moment_estimate(others: int) -> None:
    data = honest(secret(SIZE), n=900, others=others)
    found = margin(data, "x", 0.05)
    same(found, by_trying(data, 0.05))
    assert found.level == 0


@pytest.mark.parametrize("share, others", [(0.5, 0), (0.2, 720)])
def test_of_secret_levels_enough_false_reports_make_everything_look_like_noise(
    share: float, others: int
) -> None:
    assert np.isfinite(margin(honest(secret(SIZE)), "x", 0.2).value).all()
    found = margin(honest(secret(SIZE), others=others), "x", share)
    assert np.isinf(found.value).all()
    rows = json.loads(json.dumps(found.document(), allow_nan=False))["margins"]
    assert rows[0] == {"what": "0", "down": None, "up": None, "margin": None}


@pytest.mark.parametrize("epsilon", [0.5, 1.5, 3])
@pytest.mark.parametrize("size", [2, 10])
def test_with_one_level_it_is_the_gain_of_the_literature(size: int, epsilon: float) -> None:
    """Cao, Jia and Gong (2021), one target: of grr b (1 - f) + b (d - 1) / (e - 1).

    Their 2 b e / (e - 1) - b f of oue is for liars who send as many ones as honest owners do. Here
    estimates sum to one, so the target's one alone gains more where honest owners send more.
    """
    e, share = exp(epsilon), 0.05
    found = {}
    for mechanism in ("grr", "oue"):
        plan = disclosed(mechanism, size, [epsilon])
        data = answered(plan, np.zeros(99, int), 1, missing=0)
        f = frequencies(data, "x", "weighted").value
        found[mechanism] = margin(data, "x", share).up + share * f
    np.testing.assert_allclose(found["grr"], share * (1 + (size - 1) / (e - 1)))
    gap = (e - 1) / (2 * (e + 1))
    one_hot, ones = ((1 - s / size) / gap + 1 / size for s in (1, 0.5 + (size - 1) / (e + 1)))
    np.testing.assert_allclose(found["oue"], share * one_hot)
    assert ones == pytest.approx(2 * e / (e - 1))
    assert (one_hot > ones) == ((size - 1) / (e + 1) > 0.5)


@for_each("mechanism", LISTED)
@for_each("size", [2, 3, 5])
def test_extreme_scores_are_those_of_all_reports(mechanism: str, size: int) -> None:
    law = MECHANISMS[mechanism](size, 1000)
    gap = law.inclusion.own - law.inclusion.other
    supports = [law.support(y) for y in law.outputs()]
    scores = [float(((s & 1) - s.bit_count() / size) / gap + 1 / size) for s in supports]
    up, down = extremes(law)
    if isinstance(law, Hashed) and size == 5:  # a bound, unless the size is a power of two
        assert up >= max(scores)
        assert down <= min(scores)
        return
    assert (up, down) == pytest.approx((max(scores), min(scores)))


@pytest.mark.parametrize("size", [2, 4])
def test_extreme_scores_where_there_are_as_many_parities_as_bits_or_more(size: int) -> None:
    law = SMALL["hadamard"](size, 3500)
    gap = law.inclusion.own - law.inclusion.other
    supports = [law.support(y) for y in law.outputs()]
    scores = [float(((s & 1) - s.bit_count() / size) / gap + 1 / size) for s in supports]
    assert extremes(law) == pytest.approx((max(scores), min(scores)))


@for_each("cap", [0.25, 0.3, 0.5, 1])
@for_each("seed", range(20))
def test_capped_shares_keep_to_the_cap_and_the_others_their_proportions(
    seed: int, cap: float
) -> None:
    found = np.random.default_rng(seed).exponential(size=4) ** 3
    shares = capped(found, cap)
    assert shares.sum() == pytest.approx(1)
    assert shares.max() <= cap
    free = shares < cap * (1 - 1e-9)
    if free.any():
        factor = (shares / found)[free]
        np.testing.assert_allclose(factor, factor[0])
        assert (shares[~free] <= factor[0] * found[~free] * (1 + 1e-9)).all()


@pytest.mark.parametrize("cap", [0, 0.33, 1.1, -1, float("nan")])
def test_a_cap_that_no_weights_can_keep_is_refused(cap: float) -> None:
    with pytest.raises(EstimateError, match="cap must be 1 at most"):
        capped(np.ones(3), cap)


@pytest.mark.parametrize("mechanism", LISTED)
def test_the_capped_estimate_by_hand_and_its_covariance(mechanism: str) -> None:
    plan = disclosed(mechanism, SIZE)
    data = Aggregate.of(answered(plan, np.arange(400) % SIZE, seed=4))
    cap = 0.4
    estimate = frequencies(data, "x", cap=cap)
    alone = {
        v: frequencies(aggregate_of(plan, {v: tally}), "x", "weighted")
        for v, tally in data.counted("x").items()
    }
    shares = [w.share for w in weights(data, "x", cap)]
    assert max(shares) == pytest.approx(cap)
    value = sum(s * e.value for s, e in zip(shares, alone.values(), strict=True))
    np.testing.assert_allclose(estimate.value, value)
    assert estimate.method == "weighted"
    at = estimate.spread.f  # type: ignore[attr-defined]
    parts = [e.spread.noise.covariance(at) for e in alone.values()]  # type: ignore[attr-defined]
    expected = sum(s**2 * part for s, part in zip(shares, parts, strict=True))
    np.testing.assert_allclose(estimate.covariance, expected, atol=1e-15)


def test_weights_are_the_shares_of_levels() -> None:
    data = Aggregate.of(answered(disclosed("grr", SIZE), np.arange(300) % SIZE, seed=4))
    found = weights(data, "x")
    assert [w.level for w in found] == [500, 1500, 3000]
    assert [w.reports for w in found] == [tally.n for tally in data.counted("x").values()]
    levels = [
        (data.plan.questions["x"].law(v, Family.SETS), t)
        for v, t in counted_as(data, "x", Tally).items()
    ]
    own = weights_of(levels)
    np.testing.assert_allclose([w.share for w in found], own / own.sum())
    assert found[-1].share > 0.6


def test_of_words_weights_are_shares_of_the_information() -> None:
    plan = plan_of("bloom")
    laws = {level: plan.questions["x"].law(level, Family.CODEWORDS) for level in (500, 3000)}
    tallies = {v: bits_of(law, [0] * n) for (v, law), n in zip(laws.items(), (30, 10), strict=True)}
    low, high = weights(aggregate_of(plan, tallies), "x")
    assert (low.level, low.reports, high.reports) == (500, 30, 10)
    assert low.share + high.share == pytest.approx(1)
    assert high.share > 0.8


@pytest.mark.parametrize(
    "options, message",
    [
        ({"share": 0}, "share must lie between 0 and 1, got 0"),
        ({"share": 1.0}, "share must lie between 0 and 1"),
        ({"cap": 0.1}, "cap must be 1 at most"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, float], message: str) -> None:
    with pytest.raises(EstimateError, match=message):
        margin(honest(disclosed("grr", SIZE)), "x", **options)


def test_a_cap_is_of_weighted_and_of_sets_with_levels() -> None:
    data = honest(disclosed("grr", SIZE))
    with pytest.raises(EstimateError, match="method with a cap must be one of weighted"):
        frequencies(data, "x", "stratified", cap=0.5)
    plan = plan_of("bloom")
    words = aggregate_of(
        plan, {500: bits_of(plan.questions["x"].law(500, Family.CODEWORDS), [1, 2, 4])}
    )
    for asked in (margin, weights):
        with pytest.raises(EstimateError, match="a cap needs sets of codes"):
            asked(words, "x", cap=0.5)
    with pytest.raises(EstimateError, match="a cap needs disclosed levels"):
        margin(honest(secret(SIZE)), "x", cap=0.5)


def test_the_frame_and_the_document_have_a_row_a_label() -> None:
    found = margin(honest(disclosed("subset", SIZE)), "x", 0.01)
    rows = found.to_frame().to_pylist()
    assert [row["what"] for row in rows] == ["0", "1", "2", "3"]
    assert [row["margin"] for row in rows] == found.value.tolist()
    document = json.loads(json.dumps(found.document(), allow_nan=False))
    assert document["margins"] == rows
    assert (document["share"], document["basis"]) == (0.01, "worst")
