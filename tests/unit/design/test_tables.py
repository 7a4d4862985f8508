"""Advice before collecting: errors against brute force and reference values, and what it says."""

import itertools
from collections.abc import Mapping, Sequence
from math import inf, prod, sqrt
from typing import Any

import numpy as np
import pytest

import discretion as ds
from discretion.design import advise
from discretion.design.information import Answer, Owners, eigenvalue, squared_error
from discretion.errors import BudgetError, EstimateError, UnknownAttribute
from discretion.mechanism import law
from tests.cases import for_each

TRAVEL = {"name": "travel", "kind": "categorical", "values": ["car", "bus", "bike", "walk"]}
WORK = {"name": "work", "kind": "categorical", "values": ["yes", "no", "not"], "mechanism": "oue"}
INCOME = {"name": "income", "kind": "numeric", "range": [0, 100], "step": 1, "bins": [0, 20, 100]}
AGE = {"name": "age", "kind": "numeric", "range": [0, 100], "step": 10, "mechanism": "grr"}
AVERAGE = {"average": 2, "least": 0.25, "most": 6}


def plan(**changes: Any) -> ds.Plan:
    questions = [TRAVEL, WORK, INCOME, AGE]
    return ds.Plan.of({"name": "p", "attributes": questions, "budget": AVERAGE, **changes})


@pytest.mark.parametrize(
    "mechanism, size, level, expected",  # lam_oue, lam_opt and lam_grr of the reference
    [
        ("oue", 5, 2000, 0.9392688770086822),
        ("oue", 10, 1000, 0.26258740245807244),
        ("oue", 40, 3000, 3.9606519267028824),
        ("subset", 5, 2000, 1.5735043321511755),
        ("subset", 100, 2000, 1.3950283441143319),
        ("grr", 4, 1500, 0.8662448160917008),
    ],
)
def test_eigenvalues_are_those_of_the_reference(
    mechanism: str, size: int, level: int, expected: float
) -> None:
    assert eigenvalue(law(mechanism, size, level)) == pytest.approx(expected, rel=1e-9)


@for_each("mechanism", ["grr", "sue", "oue", "subset"])
@for_each("size", [2, 3, 5])
def test_eigenvalues_are_those_of_the_information_in_all_outputs(mechanism: str, size: int) -> None:
    own = law(mechanism, size, 1250)
    information = _information({"x": size}, [Owners(1, (Answer(("x",), own),))])
    contrast = np.array([1, -1, *[0] * (size - 2)]) / sqrt(2)
    assert eigenvalue(own) == pytest.approx(contrast @ information @ contrast)


def test_the_error_is_that_of_the_reference() -> None:
    """joint_attrwise((3, 4, 5), ...) with lam_oue, lam_opt and lam_grr: unequal and partial."""
    table = {"a": 3, "b": 4, "c": 5}
    first = _owners(1000, a=("oue", 3, 1000), b=("subset", 4, 2000), c=("grr", 5, 500))
    assert squared_error(table, [first]) == pytest.approx(1.20523477460136, rel=1e-9)
    second = _owners(500, a=("oue", 3, 3000), c=("grr", 5, 2500))
    assert squared_error(table, [first, second]) == pytest.approx(1.0721519437299847, rel=1e-9)


def test_a_bundle_alone_has_the_error_of_its_cells() -> None:
    """joint_cell_limit((4, 5), 1000 budgets of 2)."""
    cell = Owners(1000, (Answer(("a", "b"), law("subset", 20, 2000)),))
    assert squared_error({"a": 4, "b": 5}, [cell]) == pytest.approx(0.013196816486725606)


CROWDS = {
    "overlapping bundles": [
        Owners(3, (Answer(("a", "b"), law("subset", 6, 1500)),)),
        Owners(5, (Answer(("b", "c"), law("subset", 6, 2500)),)),
    ],
    "a bundle, and the rest alone": [
        Owners(4, (Answer(("a", "c"), law("subset", 4, 3000)), Answer(("b",), law("oue", 3, 750)))),
        Owners(2, (Answer(("b", "a"), law("subset", 6, 1000)), Answer(("c",), law("sue", 2, 900)))),
    ],
    "single attributes": [
        Owners(7, (Answer(("a",), law("grr", 2, 1100)), Answer(("b",), law("subset", 3, 400)))),
        Owners(2, (Answer(("b",), law("oue", 3, 2000)), Answer(("c",), law("grr", 2, 1000)))),
    ],
}


@pytest.mark.parametrize("crowd", CROWDS.values(), ids=CROWDS)
def test_the_error_is_the_inverse_information_of_all_outputs(crowd: Sequence[Owners]) -> None:
    sizes = {"a": 2, "b": 3, "c": 2}
    covariance = np.linalg.pinv(_contrasts(_information(sizes, crowd)), rcond=1e-10)
    for table in (("a", "b"), ("b",), ("b", "c")):
        fold = _fold(sizes, table)
        expected = float(np.trace(fold @ covariance @ fold.T))
        found = squared_error({name: sizes[name] for name in table}, crowd)
        assert found == pytest.approx(expected), table


def test_an_interaction_that_nobody_reports_has_no_bound() -> None:
    apart = [_owners(9, a=("grr", 2, 1000)), _owners(9, b=("grr", 2, 1000))]
    assert squared_error({"a": 2, "b": 2}, apart) == inf
    assert squared_error({"a": 2}, apart) < inf


def test_every_design_gives_a_forecast_and_its_contract() -> None:
    advice = advise(plan(), [["travel", "income"], ["work"]], 9_000, 4)
    assert {row.design.name: str(row.contract) for row in advice.rows} == {
        "split": "attribute",
        "sample": "attribute",
        "bundle": "record",
        "bundle all": "record",
    }
    split, sample, bundle, both = (
        advice.of(name)[0] for name in ("split", "sample", "bundle", "bundle all")
    )
    assert split.levels == {"travel": 1333, "income": 1333}
    assert sample.levels == {"travel": 2000, "income": 2000}
    assert bundle.levels == {"travel+income": 4000}
    assert both.levels == {"travel+income": 2666}
    assert [r.alone for r in (split, sample, bundle, both)] == [1333, 2000, 4000, 2666]
    assert [r.owners for r in (split, sample, bundle, both)] == [9_000, 4_500, 4_500, 9_000]
    cell = Owners(4_500, (Answer(("travel", "income"), law("subset", 8, 4000)),))
    expected = squared_error({"travel": 4, "income": 2}, [cell])
    assert bundle.squared_error == pytest.approx(expected)
    assert bundle.rmse == pytest.approx(sqrt(expected / 8))
    assert bundle.half_width == pytest.approx(1.959964 * bundle.rmse)


def test_rows_come_by_table_and_the_best_first() -> None:
    advice = advise(plan(), [["travel", "income"], ["work"]], 9_000)
    assert [row.table for row in advice.rows] == [("travel", "income")] * 4 + [("work",)] * 4
    for table in (["travel", "income"], ["work"]):
        errors = [row.squared_error for row in advice.rows if row.table == tuple(table)]
        assert errors == sorted(errors)
        assert advice.best(table).squared_error == errors[0]
    assert advice.best(["income", "travel"]).contract == "record"
    assert advice.best(["travel", "income"], contract="attribute").design.name == "sample"
    with pytest.raises(EstimateError, match=r"on travel\+income, work, not on age"):
        advice.best(["age"])


def test_designs_that_coincide_are_listed_once() -> None:
    assert {row.design.name for row in advise(plan(), [["travel", "work"]], 10).rows} == {
        "split",
        "bundle",
    }
    assert {row.design.name for row in advise(plan(), [["travel"], ["work"]], 10).rows} == {
        "split",
        "sample",
    }
    assert len(advise(plan(), [["travel", "work"], ["work", "travel"]], 10).rows) == 2


def test_refused_designs_come_with_the_reason() -> None:
    refused = advise(plan(), [["travel", "age"]], 10).refused
    assert refused["bundle"] == "age needs bins to be in a bundle"
    assert refused["one attribute"] == "nobody would report travel and age together"
    overlap = advise(plan(), [["travel", "work"], ["work", "income"]], 10).refused
    assert overlap["bundle all"].startswith("work is in two tables")
    assert "above 20" in advise(plan(), [["travel", "work"]], 10, 24).refused["bundle"]
    least = advise(plan(), [["travel", "work"]], 10, 0.001)
    assert least.refused["split"] == "the total leaves less than a thousandth for an attribute"
    assert least.recommendation.startswith("Bundling (record contract) is the one way.")
    questions = [{**q, "mechanism": "oue"} for q in (TRAVEL, WORK)]
    secret = advise(plan(attributes=questions, allocation="secret"), [["travel", "work"]], 10)
    assert secret.refused["bundle"] == "a plan with secret allocation has no bundles"
    assert "as if they were not" in secret.recommendation
    wide = [{**TRAVEL, "values": list(range(70))}, {**WORK, "values": list(range(60))}]
    large = advise(plan(attributes=wide), [["travel", "work"]], 10)
    assert large.refused["bundle"] == "travel+work has 4,200 cells, above 4,096"


def test_needs_lists_what_the_plan_lacks() -> None:
    needs = advise(plan(), [["travel", "income"], ["work"]], 10, 4).needs
    assert needs["split"] == ("the level 1.333",)
    assert needs["sample"] == ("an allowance of 4 for 1 attribute (now 2)",)
    assert needs["bundle"] == ("the bundle travel+income", needs["sample"][0])
    assert "the level 2.666 for travel+income" in needs["bundle all"]
    bundled = plan(bundles=[["income", "travel"]], share={"least": 2})
    assert advise(bundled, [["travel", "income"]], 10, 4).needs == {"split": (), "bundle": ()}
    alone = advise(bundled, [["work"]], 10, 2).needs["split"]
    assert alone == ("a least share of 1 (now 2)",)


@pytest.mark.parametrize(
    "budget, expected",
    [(AVERAGE, 6000), ({"total": 5, "spread": 1.5}, 5000), ({"levels": [0.5, 1, 4]}, 3000)],
)
def test_the_total_is_what_the_policy_allows_unless_it_is_given(
    budget: Mapping[str, object], expected: int
) -> None:
    tables = [["travel", "income"], ["work", "income"]]
    assert advise(plan(budget=budget), tables, 10).total == expected
    assert advise(plan(budget=budget), tables, 10, 1.5).total == 1500


def test_the_recommendation_names_the_trade() -> None:
    advice = advise(plan(), [["travel", "income"]], 50_000, 2)
    bundle, split = advice.rows
    gain = split.squared_error / bundle.squared_error
    assert advice.recommendation == (
        f"Bundling (record contract) gives a {gain:.2g} times smaller squared error than "
        "splitting (attribute contract); each attribute alone is then protected by 2 instead of 1."
        " The plan as it is does not allow that."
    )


def test_the_stronger_contract_is_recommended_where_it_costs_hardly_anything() -> None:
    binary = [{**TRAVEL, "values": ["a", "b"]}, {**WORK, "values": ["a", "b"], "mechanism": "grr"}]
    advice = advise(plan(attributes=binary), [["travel", "work"]], 1_000, 14)
    assert advice.ranking == ("bundle", "split")
    assert advice.recommendation.startswith("Splitting (attribute contract) is about as good")
    for total, best in ((3, "sample"), (3.2, "split")):
        apart = advise(plan(attributes=binary), [["travel"], ["work"]], 1_000, total)
        assert apart.ranking[0] == best
        assert apart.recommendation.startswith("Splitting (attribute contract) is about as good")


def test_a_table_that_is_too_fine_for_the_owners_is_pointed_out() -> None:
    advice = advise(plan(), [["travel", "work"]], 50, 1)
    assert "up to" in advice.recommendation
    assert "more owners would help" in advice.recommendation
    assert str(advice).count("≤") == 2 * 2 + 1
    assert "≤" not in str(advise(plan(), [["travel", "work"]], 50_000, 4))


def test_it_shows_itself_as_text_html_and_frame() -> None:
    advice = advise(plan(), [["travel", "income"], ["work"]], 9_000, 4)
    text, html = str(advice), advice._repr_html_()
    assert "9,000 owners who spend 4 each" in text
    assert max(map(len, text.splitlines())) <= 80
    assert html.count("<tr>") == 1 + len(advice.rows)
    frame = advice.to_frame("pandas")
    assert frame["squared_error"].tolist() == [row.squared_error for row in advice.rows]
    assert frame["alone"].tolist() == [row.alone / 1000 for row in advice.rows]


@for_each(
    "tables, n, total, error, match",
    [
        ([], 10, 1, EstimateError, "lists of attributes"),
        (["travel"], 10, 1, EstimateError, "lists of attributes"),
        ("travel", 10, 1, EstimateError, "lists of attributes"),
        ([["travel", "travel"]], 10, 1, EstimateError, "different attributes"),
        ([["sex"]], 10, 1, UnknownAttribute, "no attribute 'sex'"),
        ([["travel+work"]], 10, 1, EstimateError, "is a bundle"),
        ([["travel"]], 0, 1, EstimateError, "whole number of owners, got 0"),
        ([["travel"]], 10, 0, BudgetError, "above zero"),
        ([["travel"]], 10, 21, BudgetError, "a level of 21 is above 20"),
    ],
)
def test_questions_that_make_no_sense_are_refused(
    tables: Any, n: int, total: float, error: type[Exception], match: str
) -> None:
    with pytest.raises(error, match=match):
        advise(plan(bundles=[["travel", "work"]]), tables, n, total)


def test_tables_that_no_estimate_could_hold_are_refused() -> None:
    wide = [{**TRAVEL, "values": list(range(400))}, {**WORK, "values": list(range(300))}]
    with pytest.raises(EstimateError, match="120,000 cells"):
        advise(plan(attributes=wide), [["travel", "work"]], 10)


def _owners(number: int, **answers: tuple[str, int, int]) -> Owners:
    return Owners(number, tuple(Answer((name,), law(*own)) for name, own in answers.items()))


def _information(sizes: Mapping[str, int], crowd: Sequence[Owners]) -> Any:
    """Return the information about the cells at the uniform distribution, over all outputs."""
    codes = np.indices(tuple(sizes.values())).reshape(len(sizes), -1)
    at = dict(zip(sizes, codes, strict=True))
    total = np.zeros((codes.shape[1],) * 2)
    for owners in crowd:
        for outputs in itertools.product(*(answer.law.outputs() for answer in owners.answers)):
            likelihood = np.ones(codes.shape[1])
            for y, answer in zip(outputs, owners.answers, strict=True):
                cell = np.zeros(codes.shape[1], np.int64)
                for name in answer.attributes:
                    cell = cell * sizes[name] + at[name]
                own = [float(answer.law.probability(y, code)) for code in range(answer.law.size)]
                likelihood *= np.array(own)[cell]
            total += owners.number * np.outer(likelihood, likelihood) / likelihood.mean()
    return total


def _contrasts(information: Any) -> Any:
    centre = np.eye(len(information)) - 1 / len(information)
    return centre @ information @ centre


def _fold(sizes: Mapping[str, int], table: Sequence[str]) -> Any:
    """Return the matrix that sums the cells of all attributes to those of the table."""
    codes = dict(zip(sizes, np.indices(tuple(sizes.values())).reshape(len(sizes), -1), strict=True))
    cell = np.zeros(prod(sizes.values()), np.int64)
    for name in table:
        cell = cell * sizes[name] + codes[name]
    return (cell == np.arange(prod(sizes[name] for name in table))[:, None]).astype(float)


def test_views_of_three_are_forecast_and_named_by_what_the_plan_lacks() -> None:
    names = ("a", "b", "c", "d")
    attributes = [{**TRAVEL, "name": name} for name in names]
    levels = {"levels": [1, 6]}
    pairs = list(itertools.combinations(names, 2))
    bare = plan(attributes=attributes, budget=levels)
    viewed = plan(attributes=attributes, budget=levels, views={"size": 3})
    views = [viewed.questions[name].parts for name, _ in viewed.share.questions]
    for own, lacking in ((bare, ("views: {size: 3}",)), (viewed, ())):
        advice = advise(own, pairs, 1000, total=6)
        (row,) = [row for row in advice.of("views") if row.table == ("a", "b")]
        crowd = [Owners(1000 / len(views), (Answer(v, law("subset", 64, 6000)),)) for v in views]
        assert row.squared_error == pytest.approx(squared_error({"a": 4, "b": 4}, crowd))
        assert row.alone == 6000
        assert advice.needs["views"] == lacking
    assert advise(viewed, pairs, 1000, total=2).needs["views"] == ("the level 2",)
    assert "views" not in advise(bare, pairs[:1], 1000, total=2).ranking
