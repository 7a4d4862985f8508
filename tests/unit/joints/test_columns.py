"""Joint tables from columns of matrices: the likelihood is the laws', the scores are unbiased."""

import itertools
from typing import Any

import numpy as np
import pytest

from discretion.joints import joint
from discretion.joints.build import likelihood_of
from discretion.joints.moments import tensor
from discretion.joints.table_evidence import Evidence
from discretion.plan import Plan
from tests.builders import table_of
from tests.cases import for_each
from tests.unit.joints.crowds import Table, crowd, dependent, plan_of

LEVELS = {"levels": [0.7, 1.9]}
IDLDP: Any = {"idldp": {"shares": [0.5, 1, 1]}}
ULDP: Any = {"uldp": {"sensitive": ["b0", "b2"]}}
METRIC: Any = {"metric": {"scale": 1}}
VARIANTS = [IDLDP, ULDP, METRIC]


def plan_with(variant: object, other: str = "subset", sizes: tuple[int, int] = (2, 3)) -> Plan:
    kinds: list[Any] = [other, variant]
    return plan_of(sizes, kinds, budget=LEVELS)


@for_each("variant", VARIANTS)
@for_each("cell", list(np.ndindex(2, 3)))
def test_one_report_about_both_is_unbiased(variant: object, cell: tuple[int, int]) -> None:
    plan, mean = plan_with(variant), np.zeros((2, 3))
    laws = [plan.questions["a"].law(700), plan.questions["b"].law(1900)]
    for ys in itertools.product(*(list(law.outputs()) for law in laws)):
        probability = float(
            laws[0].probability(ys[0], cell[0]) * laws[1].probability(ys[1], cell[1])
        )
        answers = {"a": (700, ys[0]), "b": (1900, ys[1])}
        evidence = Evidence.of(table_of(plan, [answers]), ("a", "b"))
        mean += probability * tensor(evidence, secret=False).value
    truth = np.zeros((2, 3))
    truth[cell] = 1
    np.testing.assert_allclose(mean, truth, atol=1e-9)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_likelihood_is_that_of_the_laws(variant: object) -> None:
    """Of reports with both answers, one of them, and other levels; up to a factor each."""
    plan = plan_with(variant)
    rows = [
        {"a": (700, 1), "b": (1900, 2)},
        {"a": (1900, 2), "b": (700, 0)},
        {"b": (700, 1)},
        {"a": (1900, 1)},
        {"b": (1900, 0)},
    ]
    likelihood = likelihood_of(Evidence.of(table_of(plan, rows), ("a", "b")))

    def exact(f: Table) -> float:
        total = 0.0
        for row in rows:
            each = np.ones((2, 3))
            for axis, name in enumerate("ab"):
                if name in row:
                    level, y = row[name]
                    law = plan.questions[name].law(level)
                    own = [float(law.probability(y, code)) for code in range(law.size)]
                    each = each * np.reshape(own, (-1, 1) if axis == 0 else (1, -1))
            total += float(np.log((each * f).sum()))
        return total

    uniform, other = np.full((2, 3), 1 / 6), dependent((2, 3))
    found = [likelihood.slope(f.ravel())[0] for f in (other, uniform)]
    assert found[0] - found[1] == pytest.approx(exact(other) - exact(uniform), abs=1e-4)


@for_each("variant", VARIANTS)
@for_each("method", ["mle", "map", "tensor", "independent"])
def test_tables_of_a_crowd_with_gaps_are_near_the_truth(variant: object, method: str) -> None:
    plan, truth = plan_with(variant), dependent((2, 3))
    found = joint(crowd(plan, truth, 6000, seed=3, budgets="levels"), ["a", "b"], method=method)
    if method == "independent":
        truth = np.outer(truth.sum(axis=1), truth.sum(axis=0))
    assert (np.abs(found.value - truth) < 6 * found.stderr + 0.03).all()
