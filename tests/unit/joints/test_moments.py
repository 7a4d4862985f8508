"""The tensor: unbiased by enumeration of all reports, and honest about what it cannot know."""

import itertools

import numpy as np
import pytest

from discretion.joints import moments as module
from discretion.joints.moments import tensor
from discretion.joints.table_evidence import Evidence
from discretion.labels import frequencies
from discretion.plan import Family, Plan
from tests.builders import table_of
from tests.cases import for_each
from tests.unit.joints.crowds import Table, Vector, crowd, dependent, plan_of

ONE_LEVEL = {"a": 700, "b": 1900}
MECHANISMS = ("grr", "oue", "sue", "subset")


def one_level(mechanism: str, *, secret: bool = False) -> Plan:
    """Sizes 2 and 3; a has the level 0.7 and b 1.9."""
    budget = {"levels": [0.7, 1.9]}
    bundles = () if secret else [["a", "b"]]
    return plan_of((2, 3), mechanism, secret=secret, budget=budget, bundles=bundles)


def outcomes(plan: Plan, cell: tuple[int, int]) -> list[tuple[dict[str, tuple[int, int]], float]]:
    """Return all pairs of answers of an owner in a cell, with their probabilities."""
    laws = [plan.questions[name].law(level, Family.SETS) for name, level in ONE_LEVEL.items()]
    found = []
    for ys in itertools.product(*(list(law.outputs()) for law in laws)):
        probability = float(
            laws[0].probability(ys[0], cell[0]) * laws[1].probability(ys[1], cell[1])
        )
        answers = zip(ONE_LEVEL.items(), ys, strict=True)
        found.append(({name: (level, y) for (name, level), y in answers}, probability))
    return found


@for_each("mechanism", MECHANISMS)
@for_each("cell", list(np.ndindex(2, 3)))
def test_one_report_about_both_is_unbiased(mechanism: str, cell: tuple[int, int]) -> None:
    plan, mean = one_level(mechanism), np.zeros((2, 3))
    for answers, probability in outcomes(plan, cell):
        evidence = Evidence.of(table_of(plan, [answers]), ("a", "b"))
        mean += probability * tensor(evidence, secret=False).value
    truth = np.zeros((2, 3))
    truth[cell] = 1
    np.testing.assert_allclose(mean, truth, atol=1e-12)


@for_each("names", [("a", "b"), ("b", "a")])
@for_each("cell", list(np.ndindex(2, 3)))
def test_one_report_about_the_bundle_is_unbiased(
    names: tuple[str, str], cell: tuple[int, int]
) -> None:
    plan, level = one_level("grr"), 1400
    law, mean = plan.questions["a+b"].law(level, Family.SETS), np.zeros((2, 3))
    for y in law.outputs():
        probability = float(law.probability(y, 3 * cell[0] + cell[1]))
        evidence = Evidence.of(table_of(plan, [{"a+b": (level, y)}]), names)
        value = tensor(evidence, secret=False).value
        mean += probability * (value if names == ("a", "b") else value.T)
    truth = np.zeros((2, 3))
    truth[cell] = 1
    np.testing.assert_allclose(mean, truth, atol=1e-12)


def features(
    plan: Plan, answers: dict[str, tuple[int, int]], *, secret: bool
) -> tuple[Table, Table]:
    """Return numerators (1 + 2, 1 + 3) and denominators (2, 2) of one report about both."""
    (group,) = Evidence.of(table_of(plan, [answers]), ("a", "b")).groups
    own = [module._features(part, secret=secret) for part in group.parts]
    sums, scales = (np.multiply.outer(own[0][i][0], own[1][i][0]) for i in (0, 1))
    return sums, scales


@pytest.mark.parametrize("cell", list(np.ndindex(2, 3)))
def test_without_levels_numerator_and_denominator_have_one_factor(cell: tuple[int, int]) -> None:
    """E u = a (e_x - 1/l) and E (l/2 - ones) / (l - 1) = a, so any allocation cancels."""
    plan = one_level("oue", secret=True)
    sums, scales = np.zeros((3, 4)), np.zeros((2, 2))
    for answers, probability in outcomes(plan, cell):
        u, a = features(plan, answers, secret=True)
        sums, scales = sums + probability * u, scales + probability * a
    gaps = [
        float(law.inclusion.own - law.inclusion.other)
        for law in (
            plan.questions[name].law(level, Family.SETS) for name, level in ONE_LEVEL.items()
        )
    ]
    np.testing.assert_allclose(scales, np.outer([1, gaps[0]], [1, gaps[1]]), atol=1e-12)
    contrasts = [np.eye(size)[code] - 1 / size for size, code in zip((2, 3), cell, strict=True)]
    own = [np.append(1, gap * contrast) for gap, contrast in zip(gaps, contrasts, strict=True)]
    np.testing.assert_allclose(sums, np.outer(*own), atol=1e-12)


@pytest.mark.parametrize("question, level", [("a", 700), ("b", 1900), ("a+b", 1400)])
def test_denominators_are_precisions_at_the_uniform_law(question: str, level: int) -> None:
    """So that alone and in bundles, reports are pooled with the weights that are best there."""
    plan = one_level("grr")
    law, parts = plan.questions[question].law(level, Family.SETS), plan.questions[question].parts
    sizes = [plan.questions[part].attribute.size for part in parts]
    squares: dict[tuple[int, ...], float] = {}
    scale: dict[tuple[int, ...], float] = {}
    for y in law.outputs():
        probability = sum(float(law.probability(y, x)) for x in range(law.size)) / law.size
        (group,) = Evidence.of(table_of(plan, [{question: (level, y)}]), parts).groups
        u, a = module._features(group.parts[0], secret=False)
        for r in range(1, len(parts) + 1):
            for kept in itertools.combinations(range(len(parts)), r):
                own = u[0][tuple(slice(1, None) if i in kept else 0 for i in range(len(parts)))]
                scale[kept] = float(a[0][tuple(int(i in kept) for i in range(len(parts)))])
                squares[kept] = squares.get(kept, 0.0) + probability * float((own**2).sum())
    for kept, total in squares.items():
        contrasts = float(np.prod([sizes[i] - 1 for i in kept]))
        assert total / contrasts / scale[kept] ** 2 == pytest.approx(1 / scale[kept], rel=1e-9)


def stderr(root: Table) -> Table:
    return np.sqrt((root**2).sum(axis=0))


@pytest.mark.parametrize("secret", [False, True], ids=["disclosed", "secret"])
def test_every_report_that_answers_anything_counts(secret: bool) -> None:
    """All patterns of gaps; a report counts unless it says nothing about a and b."""
    plan = plan_of((3, 4, 2), "oue", secret=secret)
    rows: list[dict[str, tuple[int, int]]] = [
        {name: answer for name, answer in answers.items() if name in shared}
        for shared in ("a", "b", "c", "ab", "ac", "bc", "abc")
        for answers in (
            {"a": (500, 0b001), "b": (250, 0b0110), "c": (3000, 0b01)},
            {"a": (2000, 0b010), "b": (750, 0b0001), "c": (250, 0b10)},
            {"a": (1000, 0b001), "b": (4000, 0b0100), "c": (250, 0b10)},
        )
    ]
    whole = tensor(Evidence.of(table_of(plan, rows), ("a", "b")), secret=secret).value
    for i, row in enumerate(rows):
        rest = table_of(plan, rows[:i] + rows[i + 1 :])
        moved = tensor(Evidence.of(rest, ("a", "b")), secret=secret).value - whole
        assert (np.abs(moved).max() > 1e-6) == bool({"a", "b"} & row.keys())


@pytest.mark.parametrize("secret", [False, True], ids=["disclosed", "secret"])
def test_what_no_report_is_about_is_unknown_and_marginals_keep_theirs(secret: bool) -> None:
    plan = plan_of((3, 4), "oue", secret=secret)
    reports = crowd(plan, dependent((3, 4)), 5_000, 4, share=1, missing=0.0)
    found = tensor(Evidence.of(reports, ("a", "b")), secret=secret)
    assert found.unknown == ((0, 1),)
    assert stderr(found.root).min() >= 1
    alone = frequencies(reports, "a", "moment" if secret else "weighted")
    np.testing.assert_allclose(found.value.sum(axis=1), alone.value, atol=0.3 * alone.stderr.max())
    np.testing.assert_allclose(stderr(found.root.sum(axis=2)), alone.stderr, rtol=0.2)


def spread_of(sizes: tuple[int, ...], n: int, secret: bool) -> tuple[Vector, Vector]:
    """Return errors and claimed standard errors of cells over many samples."""
    plan, f = plan_of(sizes, "oue", secret=secret), dependent(sizes)
    errors, claimed = [], []
    for seed in range(40):
        evidence = Evidence.of(crowd(plan, f, n, seed), tuple(plan.attributes))
        found = tensor(evidence, secret=secret)
        errors.append((found.value - f).ravel())
        claimed.append(stderr(found.root).ravel())
    return np.array(errors), np.array(claimed)


@pytest.mark.parametrize("secret", [False, True], ids=["disclosed", "secret"])
def test_standard_errors_are_the_spread_of_many_samples(secret: bool) -> None:
    errors, claimed = spread_of((2, 3), 1_000, secret)
    z = errors / claimed
    assert 0.85 < np.sqrt((z**2).mean()) < 1.15
    assert np.abs(errors.mean(axis=0)).max() < 4 * errors.std() / np.sqrt(len(errors))


def equal_reports(n: int, level: int = 6000) -> tuple[Table, Table]:
    plan = plan_of((3, 4), "grr", budget={"levels": [0.5, 6.0]})
    rows: list[dict[str, tuple[int, int]]] = [{"a": (level, 1), "b": (level, 2)}] * n
    found = tensor(Evidence.of(table_of(plan, rows), ("a", "b")), secret=False)
    return found.value, stderr(found.root)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_a_handful_of_reports_knows_nothing(n: int) -> None:
    assert equal_reports(n)[1].min() >= 1


@pytest.mark.parametrize("n", [20, 300])
def test_equal_reports_are_not_certain(n: int) -> None:
    """One more owner, of whom nothing is known, would move the table by one part in n."""
    value, error = equal_reports(n)
    assert value[1, 2] == pytest.approx(1, abs=0.03)
    assert 0.5 / n < error[1, 2] < 2 / n


@pytest.mark.parametrize("ones", [(1, 3), (3, 3), (2, 2), (1,), (0, 4)])
def test_secret_reports_whose_ones_say_nothing_are_no_division_by_zero(
    ones: tuple[int, ...],
) -> None:
    plan = plan_of((4, 4), "oue", secret=True)
    rows: list[dict[str, tuple[int, int]]] = [
        {"a": (0, (1 << count) - 1), "b": (0, (1 << count) - 1)} for count in ones
    ]
    found = tensor(Evidence.of(table_of(plan, rows), ("a", "b")), secret=True)
    assert np.isfinite(found.value).all()
    assert found.value.sum() == pytest.approx(1)
    assert stderr(found.root).min() >= 1
    assert (0, 1) in found.unknown


def test_a_denominator_that_is_a_matter_of_luck_makes_a_component_unknown() -> None:
    """Three attributes at small secret budgets: products of gaps are lost in their noise."""
    budget = {"average": 0.3, "least": 0.1, "most": 1.0, "step": 0.1}
    plan = plan_of((2, 2, 2), "oue", secret=True, budget=budget)
    reports = crowd(plan, dependent((2, 2, 2)), 2_000, 5)
    found = tensor(Evidence.of(reports, ("a", "b", "c")), secret=True)
    assert (0, 1, 2) in found.unknown
    assert stderr(found.root).min() >= 1


def test_components_sum_to_nothing_and_the_table_to_one() -> None:
    plan = plan_of((3, 4, 2), ("grr", "oue", "sue"), bundles=[["c", "a"]])
    reports = crowd(plan, dependent((3, 4, 2)), 2_000, 6)
    found = tensor(Evidence.of(reports, ("b", "c", "a")), secret=False)
    assert found.value.shape == (4, 2, 3)
    assert found.value.sum() == pytest.approx(1)
    assert np.abs(found.root.reshape(len(found.root), -1).sum(axis=1)).max() < 1e-12
    turned = tensor(Evidence.of(reports, ("a", "b", "c")), secret=False)
    np.testing.assert_allclose(turned.value, found.value.transpose(2, 0, 1), atol=1e-12)
