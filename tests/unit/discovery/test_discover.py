"""Texts that nobody listed: supports against brute force, tails against sums, and whole crowds."""

import itertools
from functools import cache

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import binom

import discretion as ds
from discretion.aggregate import Aggregate
from discretion.discovery import search
from discretion.discovery.null import Null, interval_after
from discretion.discovery.reported import Reported, Texts
from discretion.discovery.search import Search, _extensions, _spectrum
from discretion.discovery.spending import Step, parts_by_rank
from discretion.errors import EstimateError, KindError
from discretion.family import of
from discretion.mechanism import Prefixes
from discretion.plan import Plan
from discretion.table import ReportTable
from tests.builders import table_of
from tests.cases import for_each

SAID = {"apple": 0.3, "apples": 0.2, "": 0.15, "naïve": 0.1, "pear": 0.05, "x" * 99: 0.2}
PUBLIC = ["apple", "apples", "pear", "peach", "plum", "naive", "native", "a", "b", "c"] * 5
N = 12_000


@cache
def plan() -> Plan:
    discover = {"code": ds.public_code(PUBLIC).document, "bits": 56}
    groups = {"prefixes": {"groups": [14, 28, 42, 56]}}
    attributes = [
        {"name": "fruit", "kind": "text", "discover": discover, "mechanism": groups},
        {"name": "pet", "kind": "categorical", "values": ["cat", "dog"]},
    ]
    return Plan.of({"name": "fruit", "attributes": attributes, "budget": {"levels": [1, 2, 4]}})


@cache
def crowd() -> ReportTable:
    """Owners with unequal budgets, some of whom do not share the text."""
    rng = np.random.default_rng(5)
    said = pa.array([*SAID]).take(pa.array(rng.choice(len(SAID), N, p=[*SAID.values()])))
    lacking = pa.array(rng.random(N) < 0.1)
    records = pa.table(
        {"fruit": pa.compute.if_else(lacking, None, said), "pet": pa.array(["cat"] * N)}
    )
    return ds.simulate(plan(), records, budgets="levels", seed=6)


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "BEAM", 128)


@cache
def discovered() -> ds.DiscoveryEstimate:
    return ds.discover(crowd(), "fruit", error=0.01)


def reported() -> Reported:
    return Reported.of(crowd(), of(plan().questions["fruit"]).prefixed())


def test_what_was_said_is_found_with_its_share_and_nothing_else() -> None:
    found = discovered()
    assert set(found.texts) == {"apple", "apples", "", "naïve"}
    truth = [SAID[text] for text in found.texts]
    assert (np.abs(found.value - truth) < 4.5 * found.stderr).all()
    low, high = found.interval().T
    assert ((low >= 0) & (low <= found.value) & (found.value <= high)).all()
    assert abs(found.longer - 0.2) < 4.5 * found.longer_stderr
    assert all(e.tail <= found.error and e.planted > 0 for e in found.found)
    assert "(empty)" in str(found)
    assert found.to_frame().column_names == [*found.document()["texts"][0]]
    assert found.document()["longer"]["share"] == found.longer


def test_candidates_are_estimated_from_the_same_reports() -> None:
    found = discovered()
    shares = ds.frequencies(crowd(), "fruit", candidates=[*found.texts, "pear", "peach"])
    np.testing.assert_allclose(shares.value[:-2], found.value)
    np.testing.assert_allclose(shares.stderr[:-2], found.stderr)
    assert (np.abs(shares.value[-2:] - [0.05, 0]) < 4.5 * shares.stderr[-2:]).all()
    with pytest.raises(EstimateError, match="more bits"):
        ds.frequencies(crowd(), "fruit", candidates=["x" * 99])


def test_supports_are_those_that_every_report_has_by_itself() -> None:
    told, attribute = reported(), of(plan().questions["fruit"]).prefixed().attribute
    words = [attribute.codeword(text) for text in ("apple", "", "日本")]
    codes = np.array([attribute.padded(word) for word in words], np.uint64)
    texts = Texts(["", "", ""], codes, np.array([word.length for word in words]))
    want = [dict.fromkeys(told.null(word.length).levels, 0) for word in words]
    for strata, y in crowd().answers("fruit"):
        for level, row in zip(strata.tolist(), y.tolist(), strict=True):
            law = plan().questions["fruit"].law(level)
            assert isinstance(law, Prefixes)
            group, z = row[-1], int.from_bytes(bytes(row[:-1]), "little")
            hashing = law.laws[group].hashing
            function, bucket = divmod(z, hashing.n_buckets)
            for word, code, own in zip(words, codes.tolist(), want, strict=True):
                if word.length <= law.groups[group]:
                    own[level] += hashing.bucket(function, code // law.widths[group]) == bucket
    assert [support.tolist() for support in told.supports(texts)] == [[*w.values()] for w in want]


def test_all_prefixes_and_extensions_have_the_sums_of_their_supports() -> None:
    told = reported()
    total, size = told.family.attribute.bits, told.family.groups[0]
    rng = np.random.default_rng(1)
    prefixes = rng.integers(0, 1 << size, 70).astype(np.uint64)  # more than a word of them
    every = told.about(told.family.groups[1])
    step = told.family.groups[1] - size
    sums = _extensions(every, prefixes, size, step)
    spectrum = _spectrum(told.about(size), size)
    for place in (0, 1, 2500, (1 << step) - 1):
        for column in (0, 69):
            code = (int(prefixes[column]) << step | place) << total - size - step
            assert sums[place, column] == pytest.approx(total_of(told, code, size + step), abs=0.5)
    for prefix in (0, 77, (1 << size) - 1):
        want = total_of(told, prefix << total - size, 1)
        assert spectrum[prefix] == pytest.approx(want, abs=1e-6)


def total_of(told: Reported, code: int, length: int) -> float:
    texts = Texts([""], np.array([code], np.uint64), np.array([length]))
    return told.null(length).total(told.supports(texts)[0])


def null_of(n: tuple[int, ...], *, levels: int) -> Null:
    own, other = (0.62, 0.9)[-levels:], (0.5, 1 / 64)[-levels:]
    weight = tuple((p - q) / (q * (1 - q)) for p, q in zip(own, other, strict=True))
    return Null(tuple(range(levels)), n, own, other, weight)


@for_each("chance", [1e-2, 1e-6, 1e-12, 1e-19])
def test_tails_are_those_of_sums_of_binomials(chance: float) -> None:
    one, both = null_of((5000,), levels=1), null_of((5000, 8000), levels=2)
    limit = one.threshold(chance)
    count = np.ceil(limit / one.weight[0])
    assert binom.sf(count - 1, 5000, 1 / 64) <= chance
    assert one.tail(count * one.weight[0]) == pytest.approx(binom.sf(count - 1, 5000, 1 / 64))
    assert binom.sf(count - 2, 5000, 1 / 64) > chance
    limit = both.threshold(chance)
    assert both.tail(limit) == pytest.approx(chance, rel=1e-6)
    first = np.arange(5001)
    rest = np.ceil((limit - both.weight[0] * first) / both.weight[1])
    exact = binom.pmf(first, 5000, 0.5) @ binom.sf(rest - 1, 8000, 1 / 64)
    assert exact == pytest.approx(chance, rel=0.05)


def test_intervals_cover_given_that_a_text_was_found_and_naive_ones_do_not() -> None:
    rng, least = np.random.default_rng(3), 5.0
    covered, naive = [], []
    for true in (3.5, 4.5, 6.0):
        drawn = true + rng.standard_normal(40_000)
        passed = drawn[drawn >= least][:150] / 100
        ends = [interval_after(x, least / 100, 0.01, 0.95) for x in passed]
        covered += [low <= true / 100 <= high for low, high in ends]
        naive += [abs(100 * x - true) < 1.96 for x in passed]
    assert np.mean(covered) > 0.93
    assert np.mean(naive) < 0.9


def test_random_texts_of_a_few_owners_are_not_found() -> None:
    rng = np.random.default_rng(8)
    words = ["".join(map(chr, each)) for each in rng.integers(97, 123, (2000, 6))]
    reports = ds.simulate(plan(), pa.table({"fruit": words, "pet": ["cat"] * 2000}), seed=9)
    found = ds.discover(reports, "fruit")
    assert not found.found
    assert found.document()["texts"] == []
    assert "0 texts" in str(found)


def test_levels_add_up_to_the_error_over_all_that_is_tried() -> None:
    steps = Step.all([14, 28, 42, 42], 0.05)
    assert [(step.before, step.bits) for step in steps] == [(0, 14), (14, 28), (28, 42)]
    assert sum(step.error for step in steps) == pytest.approx(0.05)
    for many in (1, 2, 3, 100, 2048):
        parts = parts_by_rank(many)
        assert parts.sum() <= 1 + 1e-12
        assert (np.diff(parts) <= 0).all()
    # a whole code of the extensions of every prefix: lengths 1, 2, 3, ..., 14 and 14 again
    levels = [
        step.level(step.before + length, part)
        for step in steps
        for part in (parts_by_rank(64) if step.before else [1.0])
        for length in [*range(1, 15), 14]
    ]
    assert sum(levels) <= 0.05 * (1 + 1e-12)
    assert sum(levels) >= 0.04


def test_what_is_extended_depends_on_earlier_groups_alone() -> None:
    """Reports that test a text must not have chosen it: the levels of a step hold given those."""
    told, steps = reported(), Step.all(plan_groups(), 0.05)
    beams = []
    for kept in (told, Reported(told.family, tuple(g for g in told.groups if g.bits <= 28))):
        search_of = Search(kept, 0.05)
        first = search_of._unfinished(search_of._started(steps[0])[1], steps[0].bits)
        second = search_of._unfinished(search_of._extended(first, steps[1])[1], steps[1].bits)
        beams.append((first, second))
    assert beams[0] == beams[1]
    fewer = Reported(told.family, tuple(g for g in told.groups if g.bits > 14))
    assert Search(fewer, 0.05)._started(steps[0])[1] != Search(told, 0.05)._started(steps[0])[1]


def plan_groups() -> tuple[int, ...]:
    return of(plan().questions["fruit"]).prefixed().groups


def test_keys_of_sixty_bits_are_found() -> None:
    """Random hexadecimal digits, with a code that says no more than that."""
    rng = np.random.default_rng(12)
    keys = ["".join(f"{digit:x}" for digit in own) for own in rng.integers(0, 16, (400, 13))]
    discover = {"code": ds.public_code(keys[:300]).document}
    asked = {"name": "key", "kind": "text", "discover": discover}
    keyed = Plan.of({"name": "key", "attributes": [asked], "budget": {"levels": [4]}})
    attribute = of(keyed.questions["key"]).prefixed().attribute
    lengths = {attribute.codeword(key).length for key in keys[300:303]}
    assert 52 < min(lengths) <= max(lengths) <= 60
    said = rng.choice(keys[300:303], 12_000, p=[0.3, 0.2, 0.5])
    found = ds.discover(ds.simulate(keyed, {"key": said.tolist()}, seed=13), "key")
    assert set(found.texts) == set(keys[300:303])


def test_one_report_is_unbiased_for_every_text_it_is_about() -> None:
    """Over all outputs of a small law: the share is 1 for the text that was said, 0 for others."""
    from discretion.mechanism.hashed import hashed
    from discretion.mechanism.hashing import Parities

    law = hashed(8, 1000, Parities(3, 2, 2))
    own, other = map(float, law.means)
    for said, asked in itertools.product(range(8), repeat=2):
        held = (y for y in law.outputs() if law.support(y) >> asked & 1)
        share = (float(sum(law.probability(y, said) for y in held)) - other) / (own - other)
        assert share == pytest.approx(float(said == asked))


@for_each("error", [0, 1, -1, "5 %", True])
def test_an_error_is_a_probability(error: object) -> None:
    with pytest.raises(EstimateError, match="error"):
        ds.discover(crowd(), "fruit", error)  # type: ignore[arg-type]


def test_counts_and_labels_are_refused() -> None:
    with pytest.raises(EstimateError, match="reports themselves"):
        ds.discover(Aggregate.of(crowd()), "fruit")  # type: ignore[arg-type]
    with pytest.raises(KindError):
        ds.discover(crowd(), "pet")
    with pytest.raises(EstimateError, match="nobody shared"):
        ds.discover(table_of(plan(), [{"pet": (1000, 1)}]), "fruit")
    with pytest.raises(EstimateError, match="candidates"):
        ds.frequencies(crowd(), "fruit")
