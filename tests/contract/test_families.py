"""What every family of reports keeps to, whatever a report is: one suite for all of them."""

import itertools
from typing import Any

import numpy as np
import pytest

from discretion.engine import added
from discretion.family import FAMILIES, LabelFamily, of
from discretion.plan import Family, Plan, Question
from discretion.table import ReportTable
from tests.builders import table_of
from tests.plans import APPS, AVERAGE, BASKET, HOME, MODE, NUMBERS, STARS, bundled_numbers, texts

SENSITIVE = {"uldp": {"sensitive": ["car", "bus"]}}
WORDS = {"rappor": {"hashes": 2, "bits": 7, "cohorts": 2}}
MECHANISMS = (
    "grr",
    "oue",
    "subset",
    "olh",
    "hadamard",
    "bloom",
    "she",
    WORDS,
    SENSITIVE,
    "lgrr",
    "losue",
    "loloha",
    "dbitflip",
)


def plan_of(attribute: dict[str, Any]) -> Plan:
    return Plan.of({"name": "one", "attributes": [attribute, HOME], "budget": AVERAGE})


def planes() -> Plan:
    asked = {"name": "planes", "attributes": NUMBERS, "budget": {"levels": [1, 4]}}
    return Plan.of({**asked, "bundles": [TREE, BINS], "share": {"sample": 1}})


NUMBER = {**NUMBERS[0], "mechanism": "laplace"}  # with so few outputs that none are joined
ORDERED = {**NUMBERS[0], "mechanism": "hierarchy"}
TREE = {"attributes": ["a", "b"], "mechanism": {"hierarchy": {"bits": [1, 1]}}}
BINS = {"attributes": ["a", "c"], "bins": [2, 2]}
WORD = {"name": "word", "kind": "text", "discover": {"code": "bits", "bits": 40}}
LABELS = [plan_of({**MODE, "mechanism": mechanism}).questions["mode"] for mechanism in MECHANISMS]
QUESTIONS: list[tuple[Plan, Question]] = [
    *((plan_of({**MODE, "mechanism": m}), q) for m, q in zip(MECHANISMS, LABELS, strict=True)),
    *((texts(), question) for question in texts().questions.values()),
    (plan_of(NUMBER), plan_of(NUMBER).questions["a"]),
    (plan_of(ORDERED), plan_of(ORDERED).questions["a"]),
    (plan_of(WORD), plan_of(WORD).questions["word"]),
    *((bundled_numbers(), bundled_numbers().questions[name]) for name in ("a+b", "a+c")),
    *((plan_of(each), plan_of(each).questions[each["name"]]) for each in (BASKET, STARS, APPS)),
]
QUESTIONS += [
    (planes(), question) for question in planes().questions.values() if "+" in question.name
]
MOST = 400  # outputs of a law, from which some are taken where there are more
FEW = 40  # outputs, each of which is counted by itself


def outputs(question: Question, level: int) -> list[int]:
    """Return outputs of a law: all of them, or evenly chosen ones."""
    law = question.law(level)
    every = list(itertools.islice(law.outputs(), 20_000))
    return every[:: max(1, len(every) // MOST)]


def reports_of(plan: Plan, question: Question) -> ReportTable:
    levels = question.menu[:: max(1, len(question.menu) // 3)][:3]
    rows = [{question.name: (level, y)} for level in levels for y in outputs(question, level)]
    return table_of(plan, rows)


def name_of(given: object) -> str:
    return given.mechanism if isinstance(given, Question) else ""


everybody = pytest.mark.parametrize("plan, question", QUESTIONS, ids=name_of)
labelled = pytest.mark.parametrize("plan, question", QUESTIONS[: len(LABELS)], ids=name_of)


def test_every_family_that_a_plan_may_name_is_here() -> None:
    assert set(FAMILIES) == set(Family)
    assert {question.family for _, question in QUESTIONS} == set(Family)


@everybody
def test_counts_add_up_whatever_is_counted_together(plan: Plan, question: Question) -> None:
    family, reports = of(question), reports_of(plan, question)
    middle = len(reports) // 2
    parts = [ReportTable(plan, reports.data.slice(*each)) for each in ((0, middle), (middle,))]
    whole, (one, other) = family.count(reports), (family.count(part) for part in parts)
    assert added(one, other) == added(other, one) == whole
    assert sum(counts.n for counts in whole.values()) == len(reports)
    assert all(whole[level] - one[level] == other[level] for level in one.keys() & other.keys())


@everybody
def test_counts_are_restored_from_their_document(plan: Plan, question: Question) -> None:
    family = of(question)
    for level, counts in family.count(reports_of(plan, question)).items():
        assert family.restored(level, counts.document()) == counts


@everybody
def test_documents_of_other_questions_are_refused(plan: Plan, question: Question) -> None:
    family = of(question)
    (level, counts), *_ = family.count(reports_of(plan, question)).items()
    document = counts.document()
    for key, value in document.items():
        wrong = value[:-1] if isinstance(value, list) else -1
        with pytest.raises(ValueError, match="counts"):
            family.restored(level, {**document, key: wrong})


@everybody
def test_a_part_of_a_table_has_the_likelihoods_of_the_law(plan: Plan, question: Question) -> None:
    """Up to a factor of each report, for every code; numbers with each grid point as a bin."""
    family = of(question)
    if not family.tabulated:
        pytest.skip("reports that no table of several attributes can use")
    level, size = question.menu[-1], question.attribute.size
    ys = outputs(question, level)
    reports = table_of(plan, [{question.name: (level, y)} for y in ys])
    part = family.part(reports, np.arange(len(ys)), (0,), np.eye(size))
    law = question.law(level)
    exact = np.array([[float(law.probability(y, x)) for x in range(size)] for y in ys])
    found = part.factor.likelihood(slice(0, len(ys))).astype(np.float64)
    exact, found = (each / each.sum(axis=1, keepdims=True) for each in (exact, found))
    np.testing.assert_allclose(found, exact, rtol=1e-4, atol=1e-6)
    assert (part.factor.eigenvalues <= 1 + 1e-6).all()


def label_family(question: Question) -> LabelFamily[Any]:
    return of(question).labelled()


@labelled
def test_the_pooled_estimate_is_unbiased_at_every_level(plan: Plan, question: Question) -> None:
    """Counts as they are to be expected for a truth give that truth."""
    family, truth = label_family(question), np.array([0.4, 0.3, 0.15, 0.1, 0.05])
    for level in (question.menu[0], question.menu[-1]):
        law, total = question.law(level), np.zeros(5)
        if len(list(itertools.islice(law.outputs(), FEW + 1))) > FEW:
            pytest.skip("too many outputs to enumerate")
        for y in law.outputs():
            mass = sum(f * float(law.probability(y, x)) for x, f in enumerate(truth))
            counts = family.count(table_of(plan, [{question.name: (level, y)}]))
            pooled = family.pooled(counts)
            if not pooled.identifiable:
                pytest.skip("one report is of one cohort, which does not distinguish all codes")
            total += mass * pooled.value
        np.testing.assert_allclose(total, truth, atol=1e-9)


@labelled
def test_weights_are_shares_and_false_reports_move_both_ways(
    plan: Plan, question: Question
) -> None:
    family = label_family(question)
    counts = family.count(reports_of(plan, question))
    weights = family.pooled(counts).shares
    assert weights.sum() == pytest.approx(1)
    assert (np.diff(weights / [tally.n for tally in counts.values()]) > 0).all()
    levels, up, down = family.displaced(counts, 0.05, 10.0)
    assert up.shape == down.shape == (len(levels), 5)
    assert (up.max(axis=0) > 0).all()
    assert (down.min(axis=0) < 0).all()
    for level, tally in counts.items():
        assert all(p is None or 0 <= p <= 1 for p in family.pvalues(level, tally))
