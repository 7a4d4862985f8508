"""Joint tables from coded reports: the likelihood is the laws', the scores are unbiased."""

import itertools
from functools import cache
from typing import Any

import numpy as np
import pytest

from discretion.errors import EstimateError
from discretion.family.codewords.part import CodewordPart
from discretion.joints import joint
from discretion.joints.build import likelihood_of
from discretion.joints.moments import tensor
from discretion.joints.table_evidence import Evidence
from discretion.plan import Family, Plan
from tests.builders import AVERAGE, table_of
from tests.cases import for_each
from tests.unit.joints.crowds import Table, crowd, dependent, plan_of

BLOOM = {"bloom": {"hashes": 2, "bits": 4}}
RAPPOR = {"rappor": {"hashes": 2, "bits": 5, "cohorts": 2}}
LEVELS = {"levels": [0.7, 1.9]}
METHODS = ("mle", "map", "tensor", "independent", "lasso", "entropy-split", "em-lopub", "hybrid")


def plan_with(*mechanisms: Any, sizes: tuple[int, ...] = (2, 3), budget: Any = LEVELS) -> Plan:
    return plan_of(sizes, list(mechanisms), budget=budget)


PAIRS: dict[str, tuple[object, object]] = {
    "words": (BLOOM, BLOOM),
    "words of cohorts": (BLOOM, "rappor"),
    "a word and a set": (BLOOM, "subset"),
    "digits and a code": ("she", "grr"),
}


@cache
def tables_of_one_report(pair: str) -> dict[tuple[int, int], Table]:
    """Return the table that each possible report about both gives when it is the only one."""
    plan = plan_with(*PAIRS[pair])
    outputs = plan.questions["a"].law(700).outputs(), plan.questions["b"].law(1900).outputs()
    found = {}
    for a, b in itertools.product(*map(list, outputs)):
        reports = table_of(plan, [{"a": (700, a), "b": (1900, b)}])
        found[a, b] = tensor(Evidence.of(reports, ("a", "b")), secret=False).value
    return found


@for_each("pair", PAIRS)
@for_each("cell", list(np.ndindex(2, 3)))
def test_one_report_about_both_is_unbiased(pair: str, cell: tuple[int, int]) -> None:
    plan, mean = plan_with(*PAIRS[pair]), np.zeros((2, 3))
    one, other = plan.questions["a"].law(700), plan.questions["b"].law(1900)
    for (a, b), table in tables_of_one_report(pair).items():
        mean += float(one.probability(a, cell[0]) * other.probability(b, cell[1])) * table
    truth = np.zeros((2, 3))
    truth[cell] = 1
    np.testing.assert_allclose(mean, truth, atol=1e-9)


def exact(plan: Plan, rows: list[dict[str, tuple[int, int]]], table: Table) -> float:
    """Return the log-likelihood of a table by the laws themselves."""
    total = 0.0
    for row in rows:
        cells = table
        for axis, name in enumerate("ab"):
            if name in row:
                level, y = row[name]
                law = plan.questions[name].law(level)
                own = [float(law.probability(y, code)) for code in range(law.size)]
                cells = cells * np.array(own).reshape([-1 if i == axis else 1 for i in range(2)])
        total += float(np.log(cells.sum()))
    return total


@pytest.mark.parametrize("other", [BLOOM, RAPPOR, "subset", "she"], ids=str)
def test_the_likelihood_is_that_of_the_laws(other: object) -> None:
    """Unequal levels, and records of which something is missing."""
    plan, rng = plan_with(RAPPOR, other), np.random.default_rng(1)
    rows = []
    for i in range(80):
        row = {}
        for name in "ab":
            level = int(rng.choice([700, 1900]))
            row[name] = (level, int(rng.choice(list(plan.questions[name].law(level).outputs()))))
        rows.append({k: v for j, (k, v) in enumerate(row.items()) if i % 4 != j + 1})
    evidence = Evidence.of(table_of(plan, rows), ("a", "b"))
    likelihood = likelihood_of(evidence)
    one, two = dependent((2, 3), 1), dependent((2, 3), 2, strength=-1.0)
    gained = likelihood.slope(two.ravel())[0] - likelihood.slope(one.ravel())[0]
    assert gained == pytest.approx(exact(plan, rows, two) - exact(plan, rows, one), abs=1e-3)


def test_the_eigenvalue_of_a_report_is_that_of_its_row() -> None:
    plan = plan_with(BLOOM, RAPPOR)
    law = plan.questions["b"].law(1900, Family.CODEWORDS)
    rows = [{"b": (1900, y)} for y in law.outputs()]
    (group,) = Evidence.of(table_of(plan, [*rows, {"a": (700, 1)}]), ("a", "b")).groups[1:]
    (part,) = group.parts
    assert isinstance(part, CodewordPart)
    own = np.array([[float(law.probability(y, code)) for code in range(3)] for y in law.outputs()])
    own /= own.mean(axis=1, keepdims=True)
    expected = ((own**2).mean(axis=1) - 1) / 2
    np.testing.assert_allclose(np.sort(part.eigenvalues), np.sort(expected), rtol=1e-4, atol=1e-7)


@for_each("method", METHODS)
def test_every_method_of_disclosed_levels_takes_words(method: str) -> None:
    sizes = (4, 3)
    plan = plan_of(sizes, [{"bloom": {"hashes": 2}}, BLOOM], budget=AVERAGE)  # type: ignore[list-item]
    truth = dependent(sizes)
    found = joint(crowd(plan, truth, 20_000, 3), ["a", "b"], method)
    assert found.value.shape == sizes
    assert found.value.sum() == pytest.approx(1, abs=1e-4)  # passes are in single precision
    if method in ("mle", "map", "tensor"):
        reach = np.abs(found.centre - truth) / np.sqrt((found.root**2).sum(axis=0))
        assert reach.max() < 5


@pytest.mark.parametrize("third", [RAPPOR, "she"], ids=str)
def test_words_and_sets_and_digits_go_together(third: Any) -> None:
    plan = plan_of((3, 3, 2), [BLOOM, "oue", third], budget=AVERAGE)  # type: ignore[list-item]
    truth = dependent((3, 3, 2))
    found = joint(crowd(plan, truth, 30_000, 4), ["a", "b", "c"], "mle")
    reach = np.abs(found.centre - truth) / np.sqrt((found.root**2).sum(axis=0))
    assert reach.max() < 5


def test_words_that_depend_on_each_other_have_no_scores_but_a_likelihood() -> None:
    plan = plan_of((6, 2), [BLOOM, "subset"], budget=AVERAGE)  # type: ignore[list-item]
    reports = crowd(plan, dependent((6, 2)), 20_000, 5)
    with pytest.raises(EstimateError, match="single bits do not distinguish the values of 'a'"):
        joint(reports, ["a", "b"], "tensor")
    found = joint(reports, ["a", "b"], "mle")
    assert np.abs(found.value - dependent((6, 2))).max() < 0.1


def test_blind_refuses_words() -> None:
    plan = plan_with(BLOOM, BLOOM, budget=AVERAGE)
    reports = crowd(plan, dependent((2, 3)), 500, 6)
    with pytest.raises(EstimateError, match="this method needs oue"):
        joint(reports, ["a", "b"], "blind")


@for_each("mechanism", [{"loloha": {}}, {"dbitflip": {"bits": 2}}])
def test_attributes_with_functions_of_their_own_are_as_independent_as_they_are(
    mechanism: Any,
) -> None:
    """By one function for both, the diagonal would be .34 too large."""
    plan = plan_with(mechanism, mechanism, sizes=(4, 4), budget={"levels": [4]})
    reports = crowd(plan, np.full((4, 4), 1 / 16), 20_000, seed=6, missing=0.1, budgets="levels")
    found = tensor(Evidence.of(reports, tuple(plan.names)), secret=False).value
    assert np.abs(found - 1 / 16).max() < 0.05
