"""The LoPub study on made-up records: data, crowds, counts, trials, and the page."""

from functools import cache
from math import comb, log
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from discretion.plan import Family
from discretion.synthesis import utility
from papers.lopub import census, printed, trial
from papers.lopub.census import PAIRS, TOTALS, Line, Stop
from papers.lopub.crowd import MODELS, OURS, PAPER, Sample, Way, even, filters, personal, spent
from papers.lopub.data import CALLS, CENSUS, RETAIL, SURVEYS, Field, Survey
from papers.lopub.pruning import (
    Information,
    Rates,
    dependent,
    pruned,
    rates,
    true_entropies,
    true_information,
)
from papers.lopub.study import CLASSIFIED, CLOSER, FOREST, SVM, WORST, Lopub
from papers.lopub.trial import sets, shuffled
from papers.page import summary, write
from papers.study import Effort, Findings, Measurement

ROWS = 1200
SMALL = Survey(
    CENSUS.file,
    (
        Field("sex", ("Female", "Male")),
        Field("race", ("x", "y", "z")),
        Field("age", edges=(30, 40, 50)),
        Field("income", ("<=50K", ">50K")),
        Field("hours", edges=(20, 40)),
    ),
    bits=16,
    phi=0.4,
    printed=printed.ADULT,
)


@cache
def records() -> pa.Table:
    """Return records in which age and income, and age and hours, depend."""
    rng = np.random.default_rng(1)
    age = rng.integers(0, 4, ROWS)
    rich = rng.random(ROWS) < 0.1 + 0.25 * age
    hours = np.clip(age + rng.integers(-1, 2, ROWS), 0, 2)
    return pa.table(
        {
            "sex": rng.choice(["Female", "Male"], ROWS),
            "race": rng.choice(["x", "y", "z"], ROWS, p=[0.8, 0.15, 0.05]),
            "age": age,
            "income": np.where(rich, ">50K", "<=50K"),
            "hours": hours,
        }
    )


@cache
def sample() -> Sample:
    return Sample.of(SMALL, records(), 1000, 200, 7)


@pytest.fixture(autouse=True)
def little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "SETS", {2: 3, 3: 2})
    monkeypatch.setattr(utility, "TREES", 5)


@cache
def run(f: float) -> list[Measurement]:
    return list(trial.run(sample(), f, 7, classified=True))


STUDY = Lopub(1, 2, flipped=CLASSIFIED)


@cache
def findings() -> Findings:
    """Return findings as if the small survey had been all three, and its pairs were Adult's."""
    measured: list[Measurement] = [(("unrelated",), 0.08)]
    for survey in SURVEYS:
        for f in CLASSIFIED:
            for key, value in run(f):
                own = (survey.name if part == SMALL.name else part for part in key)
                measured += [(tuple(own), value)] if key[0] != "pruned" else []
        for source in ("truth", CLASSIFIED[0]):
            information, entropies = true_information(sample()), true_entropies(sample())
            for phi in survey.printed.pruned:
                counts = pruned(information, entropies, SMALL, phi)._asdict().items()
                measured += [(("pruned", survey.name, source, phi, k), v) for k, v in counts]
        for way in (*PAPER, *OURS):
            share = 0.0 if way.ours else 0.5
            measured += [(("shuffled", survey.name, way, p), share) for p in (0.1, survey.phi)]
    for total in TOTALS:
        for place, line in enumerate(Line):
            for step in (0.0, 0.002):
                base = 0.2 - 0.05 * place + step
                measured.append((("pair seconds", line), 2.0))
                for stop in line.stops:
                    off = base - 0.01 * (stop is Stop.TWENTY)
                    measured.append((("pairs", total, line, stop), off))
    return Findings(measured)


def test_surveys_have_the_attributes_of_the_paper() -> None:
    assert [len(survey.fields) for survey in SURVEYS] == [16, 15, 17]
    assert RETAIL.shape == (2,) * 16
    assert max(CENSUS.shape) == 16
    assert max(len(field.edges) for field in (*CENSUS.fields, *CALLS.fields)) == 7
    assert CENSUS.binary == ("sex", "income")
    assert CALLS.binary == ("default", "housing", "loan", "y")


def test_numbers_stand_in_bins_and_rare_labels_together() -> None:
    age = Field("age", edges=(24, 29))
    assert age.column(pa.chunked_array([[17.0, 24.0, 28.0, 29.0]])).to_pylist() == [0, 1, 1, 2]
    country = next(field for field in CENSUS.fields if field.name == "native-country")
    raw = pa.chunked_array([["?", "Mexico", "Peru"]])
    assert country.column(raw).to_pylist() == ["?", "Mexico", "other"]


def test_baskets_are_identified_by_their_items() -> None:
    found = RETAIL.records(pa.table({"items": ["39 7 48", "1", "48"]}))
    assert found.column_names == list(RETAIL.names)
    assert found["39"].to_pylist() == ["yes", "no", "no"]
    assert found["48"].to_pylist() == ["yes", "no", "yes"]


@pytest.mark.parametrize("survey", SURVEYS, ids=lambda survey: survey.name)
def test_plans_know_the_order_of_bins_and_cost_the_same(survey: Survey) -> None:
    plans = filters(survey, 1.6), even(survey, 1.6), personal(survey, 1.6)
    for plan in plans:
        assert plan.names == survey.names
        assert [plan.questions[name].attribute.size for name in survey.names] == list(survey.shape)
        assert not any(plan.questions[name].family is Family.NUMBERS for name in survey.names)
    d = len(survey.fields)
    assert plans[2].policy.allowance(d) == 1600 * d
    assert plans[0].policy.menu == plans[1].policy.menu == (1600,)


def test_budgets_compose_over_a_record() -> None:
    for f, hashes in ((0.5, 4), (0.9, 4), (0.5, 1)):
        exact = 2 * hashes * log((2 - f) / f)
        assert exact - 0.001 < spent(f, hashes) <= exact
    assert 15 * spent(0.5) == pytest.approx(131.8, abs=0.05)


def test_samples_do_not_overlap_and_tables_are_counted() -> None:
    drawn = Sample.of(SMALL, records().append_column("row", pa.array(range(ROWS))), 900, 300, 3)
    rows = [set(part["row"].to_pylist()) for part in (drawn.records, drawn.rest)]
    assert len(rows[0]) == 900
    assert len(rows[1]) == 300
    assert not rows[0] & rows[1]
    age, income = (sample().records[name].to_pylist() for name in ("age", "income"))
    both = sum(a == 3 and i == ">50K" for a, i in zip(age, income, strict=True))
    assert sample().truth((2, 3))[3, 1] == both / 1000


def test_shuffled_records_have_the_same_marginals_and_no_dependence() -> None:
    apart = sample().shuffled
    for axis in range(5):
        np.testing.assert_array_equal(apart.truth((axis,)), sample().truth((axis,)))
    assert true_information(apart)[2, 3] < 0.1 * true_information(sample())[2, 3]


def test_dependence_is_counted_against_the_truth() -> None:
    true: Information = {(0, 1): 0.5, (0, 2): 0.0, (1, 2): 0.5}
    shown: Information = {(0, 1): 0.6, (0, 2): 0.3, (1, 2): 0.01}
    assert dependent(true, (2, 2, 2), 0.4) == {(0, 1), (1, 2)}
    assert rates(shown, true, (2, 2, 2), 0.4) == pytest.approx((1 / 3, 1 / 3, 1 / 3))


def test_pruning_counts_pairs_as_the_printed_tables_do() -> None:
    for survey in (CENSUS, RETAIL):
        d = len(survey.fields)
        found: Information = {(a, b): 9.0 for a in range(d) for b in range(a + 1, d)}
        for phi, theirs in survey.printed.pruned.items():
            ours = pruned(found, list(range(d)), survey, phi)
            assert (ours.pairs, ours.all_pairs) == (theirs.pairs, theirs.all_pairs)
            assert ours.all_dependent == d * (d - 1), "twice, without the diagonal"
            supposed = ours.all_dependent if survey is RETAIL else 2 * ours.pairs
            assert ours.dependent == supposed


def test_table_9_owes_its_first_losses_to_the_diagonal() -> None:
    first = printed.RETAIL.pruned[0.1]
    assert first.dependent - first.all_dependent == 16
    assert first.loss == pytest.approx(-0.067, abs=5e-4)
    assert printed.ADULT.pruned[0.5].reduction == pytest.approx(0.733, abs=5e-4)


def test_sets_are_different_and_drawn_from_the_seed() -> None:
    assert sets(5, 3, 1) == sets(5, 3, 1)
    assert len(set(sets(5, 2, 1))) == 3


def test_a_trial_asks_every_way() -> None:
    found, name = Findings(run(0.5)), SMALL.name
    for way in MODELS:
        assert all(("rate", kind, name, 0.5, way) in found for kind in (FOREST, SVM))
        for order in (2, 3):
            assert 0 <= found.mean("model", order, name, 0.5, way) <= 1
            assert (("table", order, name, 0.5, way) in found) == (way is not Way.LOOSE)
        shares = [found.mean(share, name, 0.5, way) for share in Rates._fields]
        assert sum(shares) == pytest.approx(1) or way is Way.LOOSE
    ours, lasso = (found.mean("model", 2, name, 0.5, way) for way in (Way.EVEN, Way.LASSO))
    assert ours < lasso, "marginals alone do not identify pairs"


def test_ours_finds_nothing_where_nothing_is() -> None:
    wrong = Findings(shuffled(sample(), 0.9, 7))
    assert all(wrong.mean("shuffled", SMALL.name, way, 0.1) <= 0.2 for way in OURS)
    lasso = wrong.mean("shuffled", SMALL.name, Way.LASSO, 0.1)
    assert lasso > 0.3, "solutions that marginals do not choose among"


def test_the_maximum_is_reached_after_early_stops() -> None:
    lines = (Line.ONE, Line.FOUR, Line.PERSONAL)
    found = Findings(each for line in lines for each in census.run(sample(), line, 5.0, 7))
    assert all(("pairs", 5.0, Line.ONE, stop) in found for stop in Stop)
    one, four = (found.mean("pairs", 5.0, line, Stop.LATE) for line in lines[:2])
    assert four > one, "hashes waste budget"
    assert found.mean("pairs", 5.0, Line.PERSONAL, None) < one
    assert Findings(census.unrelated(sample())).mean("unrelated") > 0.02


def test_checks_hold_ours_against_the_best_of_the_paper() -> None:
    found = list(STUDY.checks(findings()))
    pairs = [one for one in found if one.rule == PAIRS]
    assert len(pairs) == 8, "when nothing more is gained, and at the best stop"
    assert pairs[0].value == pytest.approx(0.051 / 0.201)
    assert pairs[1].value == pytest.approx(0.051 / 0.191)
    assert "after 20 passes" in pairs[1].about
    assert [one.met for one in pairs[:4]] == [True, True, True, True]
    assert 0 < pairs[0].stderr < 0.01
    assert len([one for one in found if one.rule == WORST]) == 8
    closer = [one for one in found if one.rule == CLOSER]
    assert len(closer) == 3 * 2 * 2 * 2
    assert summary(found).startswith(f"{sum(one.met for one in found)} of {len(found)} bars")


def test_the_page_has_every_figure_and_no_gap(tmp_path: Path) -> None:
    text = write(STUDY, findings(), tmp_path).read_text(encoding="utf-8")
    for figure in tmp_path.glob("*.svg"):
        assert f"({figure.name})" in text
    assert len(list(tmp_path.glob("*.svg"))) == 7
    assert "nan" not in text
    assert "131.8" in text
    assert "| 0.1 | 88 of 102 (0.137), 91 of 105 (0.133) |" in text
    assert "| LoPub, 4 hashes, stopped by the paper's rule | 0.2010 ± 0.0010 |" in text
    assert "| the true marginals, multiplied | 0.0800 | 0.0800 |  |" in text
    assert "\n\n\n" not in text
    assert "{" not in text


def test_a_quick_run_is_small() -> None:
    assert Lopub.of(Effort(quick=True)).part < Lopub.of(Effort()).part
    assert Lopub.of(Effort(5)).census_runs == 5
    assert comb(15, 2) == 105
