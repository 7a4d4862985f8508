"""What reports say about each question: likelihoods against the laws, and silence is one."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest

from discretion.crowd import simulate
from discretion.errors import EstimateError
from discretion.estimate import frequencies
from discretion.joints.allocation import AllocationLaw
from discretion.joints.shards import about
from discretion.plan import Plan
from discretion.publication.signals import Signal, Signals
from discretion.table import ReportTable
from discretion.table.coded import cohorts_of
from tests.builders import table_of
from tests.unit.joints.crowds import crowd, dependent
from tests.unit.joints.test_numbers import chance_of
from tests.unit.publication.trees import (
    BUNDLED,
    EDGES,
    MIXED,
    SECRET,
    SIZES,
    Table,
    Vector,
    reports_of,
    summed,
)

SINGLE = 1e-5
TOLD = 0.3  # missing: enough gaps of every kind


def signals_of(reports: ReportTable) -> Signals:
    bins = {"x": EDGES} if "x" in reports.plan.attributes else None
    return Signals.of(reports, list(reports.plan.attributes), bins)


def questions(plan: Plan, signals: Signals) -> list[tuple[str, Signal]]:
    """Return the question that each signal is of, by its axes."""
    names = {tuple(signals.names.index(part) for part in plan.parts(q)): q for q in plan.names}
    return [(names[signal.axes], signal) for signal in signals.each]


def in_units(values: Sequence[float]) -> Vector:
    return np.array(values) / max(values)


@pytest.mark.parametrize("kind", ["mixed", "bundled"])
def test_likelihoods_are_those_of_the_laws(kind: str) -> None:
    reports = reports_of(kind, 200, missing=TOLD)
    plan, rows, signals = reports.plan, reports.data.to_pylist(), signals_of(reports)
    seen = questions(plan, signals)
    assert {name for name, _ in seen} == set(reports.shared)
    for name, signal in seen:
        for i, row in enumerate(rows):
            if row[f"{name}.y"] is None:
                assert not signal.told[i]
                assert (signal.likelihood[:, i] == 1).all()
                continue
            law, y = plan.support_law(name, row[f"{name}.level"]), row[f"{name}.y"]
            chance = [
                float(law.probability(int.from_bytes(y, "little"), x)) for x in range(law.size)
            ]
            assert signal.told[i]
            np.testing.assert_allclose(signal.likelihood[:, i], in_units(chance), rtol=SINGLE)


@pytest.mark.parametrize("kind", ["mixed", "bundled"])
def test_strata_are_the_levels(kind: str) -> None:
    reports = reports_of(kind, 200, missing=TOLD)
    rows, signals = reports.data.to_pylist(), signals_of(reports)
    for name, signal in questions(reports.plan, signals):
        levels = [row[f"{name}.level"] for row in rows]
        pairs = {(levels[i], int(signal.strata[i])) for i in np.flatnonzero(signal.told)}
        used = sorted(set(levels) - {None})
        assert sorted(pairs) == [(level, place) for place, level in enumerate(used)]


def test_of_a_number_they_are_means_over_its_bins() -> None:
    reports = reports_of("number", 60, missing=TOLD)
    signals = signals_of(reports)
    axis = signals.axes[3]
    assert axis.size == len(EDGES) - 1
    assert axis.mixing is not None
    (signal,) = signals.about(3)
    for i, row in enumerate(reports.data.to_pylist()):
        if row["x.y"] is None:
            assert (signal.likelihood[:, i] == 1).all()
            continue
        law = reports.plan.law("x", row["x.level"])
        y = int.from_bytes(row["x.y"], "little")
        chance = chance_of(law, y, len(axis.mixing), 0) @ axis.mixing
        np.testing.assert_allclose(signal.likelihood[:, i], in_units(chance), rtol=SINGLE)


def test_of_secret_levels_they_are_means_over_the_levels_learnt() -> None:
    """The mixture over types of q^(s - b) (1 - q)^(l - 1 - s + b), one report at a time."""
    reports = reports_of("secret", 300, missing=TOLD)
    signals, rows = signals_of(reports), reports.data.to_pylist()
    shared = [sum(row[f"{name}.y"] is not None for name in SECRET.names) for row in rows]
    for place, (name, signal) in enumerate(questions(SECRET, signals)):
        law = AllocationLaw.learnt(about(reports, (signals.axes[place],)))
        size = SIZES[place]
        for i, row in enumerate(rows):
            if row[f"{name}.y"] is None:
                assert (signal.likelihood[:, i] == 1).all()
                continue
            y = int.from_bytes(row[f"{name}.y"], "little")
            q = 1 / (1 + np.exp(law.types.levels(SECRET.policy, (0,), shared[i])[:, 0]))
            ones = y.bit_count()
            chance: list[float] = []
            for code in range(size):
                bit = y >> code & 1
                powers = q ** (ones - bit) * (1 - q) ** (size - 1 - ones + bit)
                chance.append(float(law.shares @ powers))
            assert signal.bits is not None
            assert signal.bits[i].tolist() == [y >> code & 1 for code in range(size)]
            np.testing.assert_allclose(signal.likelihood[:, i], in_units(chance), rtol=1e-4)


def test_the_slope_is_that_of_the_log_likelihood() -> None:
    signals = signals_of(reports_of("bundled", 500))
    signal = max(signals.each, key=lambda each: len(each.likelihood))
    told = signal.likelihood[:, signal.told].astype(np.float64)
    f = np.random.default_rng(1).dirichlet(np.ones(len(told)))
    value, multiplier = signal.slope(f)
    assert value == pytest.approx(np.log(f @ told).sum(), rel=SINGLE)
    np.testing.assert_allclose(multiplier, (told / (f @ told)).mean(axis=1), rtol=SINGLE)


@pytest.mark.parametrize("name", MIXED.names)
def test_marginals_are_the_most_likely_frequencies(name: str) -> None:
    reports = crowd(MIXED, dependent(SIZES), 5_000, seed=3, missing=0.2)
    place = list(MIXED.names).index(name)
    found = signals_of(reports).marginals[place]
    expected = frequencies(reports, name, method="mle").value
    np.testing.assert_allclose(found, expected, atol=2e-3)
    assert found.sum() == pytest.approx(1)
    assert (found > 0).all()


def test_the_marginal_of_a_bundle_is_a_sum_over_its_cells() -> None:
    """Who shares everything reports b+a; so few are left who tell a alone."""
    reports = crowd(BUNDLED, dependent(SIZES), 3_000, seed=3, missing=0.1)
    signals = signals_of(reports)
    bundle = next(signal for signal in signals.each if signal.axes == (1, 0))
    assert bundle.n == max(signal.n for signal in signals.about(0))
    table: Table = bundle.frequencies.reshape(SIZES[1], SIZES[0])
    np.testing.assert_allclose(signals.marginals[0], table.sum(axis=0))
    np.testing.assert_allclose(signals.marginals[0], summed(dependent(SIZES), (0,)), atol=0.06)


def test_what_tells_several_axes_together() -> None:
    signals = signals_of(reports_of("bundled", 500))
    assert {signal.axes for signal in signals.about(0)} == {(0,), (1, 0)}
    assert {signal.axes for signal in signals.about(0, 1)} == {(1, 0)}
    assert signals.about(0, 2) == []
    assert signals.n == 500
    assert signals.shape == SIZES


def test_bundles_with_an_attribute_that_is_not_asked_about_say_nothing() -> None:
    reports = reports_of("bundled", 500)
    assert {s.axes for s in Signals.of(reports, ("a", "c")).each} == {(0,), (1,)}


def test_what_is_refused() -> None:
    row = {"a": (1000, 1), "b": (1000, 1)}
    with pytest.raises(EstimateError, match="nobody shared 'c'"):
        Signals.of(table_of(MIXED, [row]), ("a", "c"))
    rounds = [table_of(MIXED, [row], round=r) for r in (0, 1)]
    both = ReportTable(MIXED, pa.concat_tables([reports.data for reports in rounds]))
    with pytest.raises(EstimateError, match="of one round, got 0, 1"):
        Signals.of(both, ("a", "b"))


def test_reports_of_one_stratum_have_one_level_and_one_cohort() -> None:
    """A device has one cohort for all questions: only given it are two answers independent."""
    rappor = {"rappor": {"hashes": 2, "bits": 8, "cohorts": 4}}
    attributes = [
        {"name": name, "kind": "categorical", "values": list("uvwxy"), "mechanism": rappor}
        for name in "ab"
    ]
    budget = {"average": 2, "least": 1, "most": 3}
    plan = Plan.of({"name": "cohorts", "attributes": attributes, "budget": budget})
    records = {name: list("uvwxy") * 80 for name in "ab"}
    reports = simulate(plan, records, budgets="dirichlet", seed=2)
    for question, signal in questions(plan, signals_of(reports)):
        levels, y = reports.columns(question)
        laws = list(zip(levels.tolist(), cohorts_of(dict(plan.codings)[question], y), strict=True))
        seen = set(zip(signal.strata.tolist(), laws, strict=True))
        assert len({cohort for _, cohort in laws}) == 4
        assert len(seen) == len(set(laws)) == signal.strata.max() + 1
