"""The comparison of mechanisms: each figure against the law, the estimator or the limit."""

from dataclasses import asdict

import numpy as np
import pytest

import discretion as ds
from discretion.design.mechanisms import HEADS
from discretion.errors import BudgetError, EstimateError
from discretion.mechanism import CODED, MECHANISMS
from tests.builders import MODE, author, disclosed, secret_survey, survey
from tests.cases import for_each

LAWS = [name for name in (*MECHANISMS, *CODED) if name != "shist"]  # which is hrr


def test_every_law_is_there_once_the_best_first() -> None:
    found = ds.compare_mechanisms(survey(), "mode")
    assert sorted(row.mechanism for row in found.rows) == sorted(LAWS)
    assert found.rows[0].mechanism == "subset"
    assert [row.over_menu for row in found.rows] == sorted(row.over_menu for row in found.rows)
    assert found.level == 3000  # the middle of 0.25, 0.5, ..., 6


@for_each("name", LAWS)
def test_variances_are_those_of_the_weighted_estimate(name: str) -> None:
    plan, n = disclosed(name, 6, (1.5, 3)), 40_000
    rng = np.random.default_rng(7)
    for what, f in {"even": np.full(6, 1 / 6), "rare": np.array([0, *[0.2] * 5])}.items():
        values = {"x": rng.choice(6, n, p=f).tolist(), "z": [None] * n}
        budgets = {"x": [1.5] * n, "z": [None] * n}
        reports = ds.simulate(plan, values, budgets=budgets, seed=7)
        stated = getattr(ds.compare_mechanisms(plan, "x", n, 1.5).of(name), what) / n
        error = ds.frequencies(reports, "x", "weighted").stderr[0]
        assert error == pytest.approx(stated**0.5, rel=0.02)  # it is worked out at an estimate of f


def test_ratios_are_to_the_limit() -> None:
    found = ds.compare_mechanisms(survey(), "mode", level=2)
    assert found.of("subset").over_limit == pytest.approx(1, abs=1e-9)
    for row in found.rows:
        assert row.even * 5 == pytest.approx(row.over_limit * ds.frequency_limit(5, [2.0]))
    single = ds.Plan.of(author(budget={"levels": [2]}))
    for row in ds.compare_mechanisms(single, "mode").rows:
        assert row.over_menu == pytest.approx(row.over_limit)


@for_each("name", LAWS)
def test_the_margin_is_that_of_the_reports(name: str) -> None:
    """Where everybody is at one level and all codes are equally frequent."""
    plan, n = disclosed(name, 4, (2,)), 20_000
    values = {"x": [0, 1, 2, 3] * (n // 4), "z": [None] * n}
    reports = ds.simulate(plan, values, budgets={"x": [2] * n, "z": [None] * n}, seed=3)
    stated = ds.compare_mechanisms(plan, "x", share=0.1).of(name).margin
    assert float(ds.margin(reports, "x", 0.1).value.max()) == pytest.approx(stated, rel=0.1)


def test_the_best_may_have_to_be_short() -> None:
    plan = disclosed("subset", 100)
    found = ds.compare_mechanisms(plan, "x")
    assert found.best().mechanism == "subset"
    assert [found.best(most).mechanism for most in (1, 5, 12)] == ["hrr", "hadamard", "olh"]
    with pytest.raises(EstimateError, match="no report about x has 0 bytes or fewer"):
        found.best(0)


def test_it_reads_well() -> None:
    found = ds.compare_mechanisms(survey(), "pet", n=50_000)
    heading, heads, *rows = str(found).splitlines()
    assert heading == "pet: 3 values, 50,000 owners at level 3"
    assert heads.split("  ")[0] == HEADS[0]
    assert [row.split()[0] for row in rows[: len(LAWS)]] == [row.mechanism for row in found.rows]
    assert next(row for row in rows if row.startswith("oue")).startswith("oue *")
    assert max(map(len, str(found).splitlines())) <= 80


def test_a_name_that_the_plan_gives_a_law_is_kept() -> None:
    found = ds.compare_mechanisms(disclosed("shist", 4), "x")
    assert found.of("shist").mechanism == found.chosen
    with pytest.raises(EstimateError, match="not of hrr"):
        found.of("hrr")


def test_words_have_one_hash_and_variants_are_not_compared() -> None:
    own = {"rappor": "rappor", "bloom of 4 in 32 bits": {"bloom": {"hashes": 4, "bits": 32}}}
    own |= {"idldp": {"idldp": {"shares": {"bus": 0.5}}}, "she": "she"}
    for chosen, mechanism in own.items():
        plan = ds.Plan.of(author(attributes=[{**MODE, "mechanism": mechanism}]))
        found = ds.compare_mechanisms(plan, "mode")
        assert found.chosen == chosen
        assert sorted(row.mechanism for row in found.rows) == sorted(LAWS)
        starred = [line for line in str(found).splitlines() if " *" in line]
        assert [line.split()[0] for line in starred] == [chosen] * (chosen in LAWS)
        assert ("which is not compared" in str(found)) == (chosen not in LAWS)
        one, other = asdict(found.of("bloom")), asdict(found.of("sue"))
        assert {**one, "mechanism": "sue"} == pytest.approx(other)


def test_frames_and_documents_hold_the_rows() -> None:
    found = ds.compare_mechanisms(survey(), "mode")
    records = found.to_frame().to_pylist()
    assert records == found.document()["mechanisms"]
    first = asdict(found.rows[0])
    assert records[0] == {**first, "level": first["level"] / 1000}
    assert found.document()["chosen"] == "subset"


def test_what_has_no_comparison_is_refused() -> None:
    plan = survey()
    with pytest.raises(EstimateError, match="takes oue only"):
        ds.compare_mechanisms(secret_survey(), "mode")
    with pytest.raises(EstimateError, match="whole number of owners"):
        ds.compare_mechanisms(plan, "mode", n=0)
    with pytest.raises(EstimateError, match="share must lie between"):
        ds.compare_mechanisms(plan, "mode", share=1)
    with pytest.raises(BudgetError, match="above zero"):
        ds.compare_mechanisms(plan, "mode", level=0)
    number = {"name": "income", "kind": "numeric", "range": [0, 9], "step": 1}
    with pytest.raises(EstimateError, match="no labels of its own"):
        ds.compare_mechanisms(ds.Plan.of(author(attributes=[number])), "income")
