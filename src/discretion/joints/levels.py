"""Do levels depend on values? One test for each question behind a table or a model of several.

A question is an attribute or a bundle. Labels, bins and the cells of a bundle are tested by their
frequencies, numbers by their mean. What an owner shares, and whether her level for one attribute
depends on her value of another, is not tested.
"""

from collections.abc import Sequence

from discretion.aggregate import Aggregate, Evidence
from discretion.errors import EstimateError
from discretion.estimate.homogeneity import Homogeneity
from discretion.family import of
from discretion.joints.axes import Axis
from discretion.joints.table_evidence import TableEvidence, questions_of
from discretion.numbers.mean import homogeneity_of
from discretion.numbers.number_evidence import NumberEvidence

STRATIFIED = "compare method='stratified'"
INCURABLE = "no method corrects it with these reports"


def levels_tested(counts: Aggregate, axes: Sequence[Axis]) -> dict[str, Homogeneity]:
    """Test the questions about some axes, each by itself; none whose levels cannot be compared."""
    tests = {name: _test(counts, name) for name in _asked(counts, axes)}
    return {name: test for name, test in tests.items() if test is not None}


def _asked(counts: Aggregate, axes: Sequence[Axis]) -> list[str]:
    return [name for name in questions_of(counts.plan, axes) if name in counts.shared]


def _test(counts: Aggregate, name: str) -> Homogeneity | None:
    if counts.plan.questions[name].numbers:
        return homogeneity_of(NumberEvidence.of(counts, name))
    return Evidence.of(counts, name).homogeneity


def remedy(evidence: TableEvidence) -> str:
    """Say what to do about levels that depend on values: an unbiased table, if there is one."""
    try:
        for name in evidence.questions:
            of(evidence.plan.questions[name]).check_linear()
    except EstimateError:
        return INCURABLE
    return STRATIFIED if evidence.holding(range(len(evidence.axes))) else INCURABLE
