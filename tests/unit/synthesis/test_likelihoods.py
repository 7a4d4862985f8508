"""What reports say about each question: likelihoods against the laws, and silence is one."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from discretion.crowd import simulate
from discretion.errors import EstimateError
from discretion.family.part import Single
from discretion.joints import joint
from discretion.joints.allocation import BudgetMixture
from discretion.joints.shards import about
from discretion.labels import frequencies
from discretion.plan import Family, Plan
from discretion.synthesis.likelihoods import SILENT, Question
from discretion.synthesis.soft_evidence import SoftEvidence
from discretion.table import ReportTable
from discretion.table.coded import cohorts_of
from discretion.table.columns import Levels
from tests.builders import table_of
from tests.folders import in_folder
from tests.unit.joints.crowds import crowd, dependent
from tests.unit.joints.test_numbers import probabilities_of
from tests.unit.synthesis.trees import (
    BUNDLED,
    EDGES,
    MIXED,
    SECRET,
    SIZES,
    Vector,
    evidence_of,
    likelihoods_of,
    reports_of,
    summed,
)

SINGLE = 1e-5
TOLD = 0.3  # missing: enough gaps of every kind


def answered(reports: ReportTable) -> Iterator[tuple[Question, Single, Levels]]:
    """Yield each question, the likelihoods (cells, reports) and the strata of all reports."""
    evidence = evidence_of(reports)
    likelihoods = likelihoods_of(evidence)
    assert likelihoods.n == evidence.n
    for index, question in enumerate(evidence.questions):
        yield question, likelihoods.values[evidence.rows(index)], likelihoods.strata[index]


def in_units(values: Sequence[float]) -> Vector:
    return np.array(values) / max(values)


@pytest.mark.parametrize("kind", ["mixed", "bundled"])
def test_likelihoods_are_those_of_the_laws(kind: str) -> None:
    reports = reports_of(kind, 200, missing=TOLD)
    plan, rows, seen = reports.plan, reports.data.to_pylist(), list(answered(reports))
    assert {question.name for question, _, _ in seen} == set(reports.shared)
    for question, likelihood, strata in seen:
        name = question.name
        for i, row in enumerate(rows):
            if row[f"{name}.y"] is None:
                assert strata[i] == SILENT
                assert (likelihood[:, i] == 1).all()
                continue
            law, y = plan.questions[name].law(row[f"{name}.level"], Family.SETS), row[f"{name}.y"]
            probability = [
                float(law.probability(int.from_bytes(y, "little"), x)) for x in range(law.size)
            ]
            assert strata[i] >= 0
            np.testing.assert_allclose(likelihood[:, i], in_units(probability), rtol=SINGLE)


@pytest.mark.parametrize("kind", ["mixed", "bundled"])
def test_strata_are_the_levels(kind: str) -> None:
    reports = reports_of(kind, 200, missing=TOLD)
    rows = reports.data.to_pylist()
    for question, _, strata in answered(reports):
        levels = [row[f"{question.name}.level"] for row in rows]
        pairs = {(levels[i], int(strata[i])) for i in np.flatnonzero(strata >= 0)}
        used = sorted(set(levels) - {None})
        assert question.strata.tolist() == used
        assert sorted(pairs) == [(level, index) for index, level in enumerate(used)]


def test_of_a_number_they_are_means_over_its_bins() -> None:
    reports = reports_of("number", 60, missing=TOLD)
    evidence = evidence_of(reports)
    axis = evidence.axes[3]
    assert axis.size == len(EDGES) - 1
    assert axis.mixing is not None
    (index,) = evidence.about(3)
    likelihood = likelihoods_of(evidence).values[evidence.rows(index)]
    for i, row in enumerate(reports.data.to_pylist()):
        if row["x.y"] is None:
            assert (likelihood[:, i] == 1).all()
            continue
        law = reports.plan.questions["x"].law(row["x.level"])
        y = int.from_bytes(row["x.y"], "little")
        probability = probabilities_of(law, y, len(axis.mixing), 0) @ axis.mixing
        np.testing.assert_allclose(likelihood[:, i], in_units(probability), rtol=SINGLE)


def test_of_secret_levels_they_are_means_over_the_levels_learnt() -> None:
    """The mixture over types of q^(s - b) (1 - q)^(l - 1 - s + b), one report at a time."""
    reports = reports_of("secret", 300, missing=TOLD)
    evidence, rows = evidence_of(reports), reports.data.to_pylist()
    bits = likelihoods_of(evidence).bits
    shared = [sum(row[f"{name}.y"] is not None for name in SECRET.names) for row in rows]
    for index, (question, likelihood, _) in enumerate(answered(reports)):
        law = BudgetMixture.learnt(about(reports, (evidence.axes[index],)))
        name, size = question.name, SIZES[index]
        for i, row in enumerate(rows):
            if row[f"{name}.y"] is None:
                assert (likelihood[:, i] == 1).all()
                continue
            y = int.from_bytes(row[f"{name}.y"], "little")
            (own,) = [each for each in law.strata if each.sharing[2] == shared[i]]
            q = 1 / (1 + np.exp(own.types.levels((0,), shared[i])[:, 0]))
            ones = y.bit_count()
            probability: list[float] = []
            for code in range(size):
                bit = y >> code & 1
                powers = q ** (ones - bit) * (1 - q) ** (size - 1 - ones + bit)
                probability.append(float(law.shares[own.sharing] @ powers))
            assert bits[index][i].tolist() == [y >> code & 1 for code in range(size)]
            np.testing.assert_allclose(likelihood[:, i], in_units(probability), rtol=1e-4)


@pytest.mark.parametrize("name", MIXED.names)
def test_marginals_are_the_most_likely_frequencies(name: str) -> None:
    reports = crowd(MIXED, dependent(SIZES), 5_000, seed=3, missing=0.2)
    index = list(MIXED.names).index(name)
    found = evidence_of(reports).marginals[index]
    expected = frequencies(reports, name, method="mle").value
    np.testing.assert_allclose(found, expected, atol=2e-3)
    assert found.sum() == pytest.approx(1)
    assert (found > 0).all()


def test_the_marginal_of_a_bundle_is_a_sum_over_its_cells() -> None:
    """Who shares everything reports b+a; so few are left who tell a alone."""
    reports = crowd(BUNDLED, dependent(SIZES), 3_000, seed=3, missing=0.1)
    evidence = evidence_of(reports)
    answered = (likelihoods_of(evidence).strata >= 0).sum(axis=1)
    most = max(evidence.about(0), key=lambda index: answered[index])
    assert evidence.questions[most].axes == (1, 0)
    table = joint(reports, ["a", "b"], "mle").value
    np.testing.assert_allclose(evidence.marginals[0], table.sum(axis=1), atol=5e-3)
    np.testing.assert_allclose(evidence.marginals[0], summed(dependent(SIZES), (0,)), atol=0.06)


def test_which_questions_are_about_several_axes() -> None:
    evidence = evidence_of(reports_of("bundled", 500))
    axes = [question.axes for question in evidence.questions]
    assert {axes[index] for index in evidence.about(0)} == {(0,), (1, 0)}
    assert {axes[index] for index in evidence.about(0, 1)} == {(1, 0)}
    assert evidence.about(0, 2) == []
    assert evidence.n == 500
    assert evidence.shape == SIZES


def test_bundles_with_an_attribute_that_is_not_asked_about_say_nothing() -> None:
    reports = reports_of("bundled", 500)
    assert {q.axes for q in SoftEvidence.of(reports, ("a", "c")).questions} == {(0,), (1,)}


@pytest.mark.parametrize("kind", ["mixed", "bundled", "secret", "number"])
def test_shards_of_a_folder_say_what_the_table_says(kind: str, tmp_path: Path) -> None:
    reports = reports_of(kind, 300, missing=TOLD)
    names, bins = list(reports.plan.attributes), {"x": EDGES} if kind == "number" else None
    one = SoftEvidence.of(reports, names, bins)
    other = SoftEvidence.of(in_folder(reports, tmp_path, shard=70), names, bins)
    assert other.n == one.n
    for here, there in zip(one.marginals, other.marginals, strict=True):
        np.testing.assert_allclose(there, here, atol=2e-3)
    said, again = likelihoods_of(one), likelihoods_of(other)
    np.testing.assert_array_equal(again.strata, said.strata)
    np.testing.assert_allclose(again.values, said.values, rtol=1e-3)
    assert [bits.tolist() for bits in again.bits] == [bits.tolist() for bits in said.bits]


def test_what_is_refused() -> None:
    row = {"a": (1000, 1), "b": (1000, 1)}
    with pytest.raises(EstimateError, match="nobody shared 'c'"):
        SoftEvidence.of(table_of(MIXED, [row]), ("a", "c"))
    rounds = [table_of(MIXED, [row], round=r) for r in (0, 1)]
    both = ReportTable(MIXED, pa.concat_tables([reports.data for reports in rounds]))
    with pytest.raises(EstimateError, match="of one round, got 0, 1"):
        SoftEvidence.of(both, ("a", "b"))


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
    for question, _, strata in answered(reports):
        levels, y = reports.columns(question.name)
        cohorts = cohorts_of(plan.questions[question.name].encoding, y)
        laws = list(zip(levels.tolist(), cohorts, strict=True))
        seen = set(zip(strata.tolist(), laws, strict=True))
        assert len({cohort for _, cohort in laws}) == 4
        assert len(seen) == len(set(laws)) == strata.max() + 1
