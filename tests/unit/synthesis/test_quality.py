"""What a quality report says: what was spent, where the model agrees, what was not learnt."""

import json
import sys
from dataclasses import replace
from itertools import combinations
from math import comb, pi
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import chi2, ncx2

from discretion.crowd import simulate
from discretion.errors import DiscretionError, EstimateError, MissingPackage
from discretion.joints import joint
from discretion.synthesis import publish
from discretion.synthesis.agreement import (
    Unbiased,
    UnbiasedTables,
    agreements,
    compared,
)
from discretion.synthesis.headline import EVEN
from discretion.synthesis.quality import Quality, bins_of, quality
from discretion.synthesis.soft_evidence import SoftEvidence
from discretion.synthesis.spending import policy_words, spending
from discretion.synthesis.unlearnt import smallest_visible
from discretion.synthesis.utility import classifiers
from discretion.table import ReportTable
from tests.builders import POLICIES, table_of
from tests.unit.joints.crowds import crowd, dependent, plan_of
from tests.unit.synthesis.published import (
    N,
    secret_town,
    town,
    town_records,
    wrong,
)

ALPHA = 1e-6
ROUNDING = 1e-9


@pytest.fixture(scope="module")
def report() -> Quality:
    return town().quality()


def tables_of(names: tuple[str, ...] = ("home", "car", "hours", "pay", "pet")) -> UnbiasedTables:
    publication = town()
    bins = bins_of(publication.reports.plan.questions, publication.model.columns)
    return UnbiasedTables(
        publication.reports, SoftEvidence.of(publication.reports, names, bins).axes
    )


def test_what_was_spent_is_what_the_reports_state(report: Quality) -> None:
    reports = town().reports
    assert isinstance(reports, ReportTable)
    rows = reports.data.to_pylist()
    names = town().reports.plan.names
    totals = [sum(row[f"{name}.level"] or 0 for name in names) / 1000 for row in rows]
    spent = report.spending
    assert spent.reports == len(rows) == N
    assert spent.mean == pytest.approx(np.mean(totals))
    assert spent.median == pytest.approx(np.median(totals))
    assert spent.largest == max(totals)
    assert (
        spent.largest_level
        == max(row[f"{name}.level"] or 0 for row in rows for name in names) / 1000
    )
    assert sum(spent.shares) == pytest.approx(1)
    assert sum(q.of_all_spent or 0 for q in spent.questions) == pytest.approx(1)
    pet = spent.questions[-1]
    answered = [row["pet.level"] for row in rows if row["pet.level"] is not None]
    assert (pet.name, pet.n) == ("pet", len(answered))
    assert pet.mean_level == pytest.approx(np.mean(answered) / 1000)
    assert (spent.contract, spent.disclosed) == ("attribute", True)


def test_of_a_secret_plan_it_says_what_is_public_only() -> None:
    spent = secret_town().quality().spending
    assert not spent.disclosed
    assert spent.largest == 9  # three attributes, three each
    assert all(q.mean_level is q.largest_level is q.of_all_spent is None for q in spent.questions)
    assert all(q.n > 0 for q in spent.questions)
    assert spent.mean < spent.largest  # some shared fewer


@pytest.mark.parametrize("budget", POLICIES)
def test_every_policy_has_words(budget: dict[str, object]) -> None:
    said = policy_words(plan_of((2, 2), budget=budget).policy)
    assert any(digit in said for digit in "2458")


def test_a_bundle_counts_once() -> None:
    plan = plan_of((2, 3), bundles=[("a", "b")])
    reports = crowd(plan, dependent((2, 3)), 300, 4)
    spent = spending(reports)
    rows = reports.data.to_pylist()
    totals = [sum(row[f"{n}.level"] or 0 for n in plan.names) for row in rows]
    assert spent.contract == "record"
    assert spent.largest == max(totals) / 1000
    assert [q.name for q in spent.questions] == ["a", "b", "a+b"]


def test_moments_are_those_of_the_joint_table_where_all_share_both() -> None:
    """With gaps they are not: there a joint table also uses those who share one."""
    plan = plan_of((2, 3, 2))
    reports = crowd(plan, dependent((2, 3, 2)), 900, 2, missing=0.0)
    tables = UnbiasedTables(reports, SoftEvidence.of(reports, ("a", "b", "c")).axes)
    for names in combinations("abc", 2):
        own, whole = tables.table(names), joint(reports, names, method="tensor")
        assert own is not None
        np.testing.assert_allclose(own.value, whole.value, atol=ROUNDING)
        np.testing.assert_allclose(own.stderr, whole.stderr, atol=ROUNDING)


def test_bundles_are_about_their_parts() -> None:
    plan = plan_of((2, 3, 2), bundles=[("a", "b")])
    reports = crowd(plan, dependent((2, 3, 2)), 3000, 2, missing=0.3)
    report = publish(reports, seed=1).quality()
    assert [a.attributes for a in report.two_way] == list(combinations("abc", 2))
    rows = reports.data.to_pylist()
    both = [
        r for r in rows if r["a+b.y"] is not None or (r["a.y"] is not None and r["b.y"] is not None)
    ]
    assert report.two_way[0].n == len(both)
    assert not report.misses


def test_moments_in_bins_are_unbiased() -> None:
    """Many crowds of the same records: the mean of the moments is the table of the records."""
    records, plan = town_records(400), town().reports.plan
    sums = []
    for seed in range(12):
        reports = simulate(plan, records, budgets="dirichlet", seed=seed)
        axes = SoftEvidence.of(reports, ("hours", "car")).axes
        own = UnbiasedTables(reports, axes).table(("hours", "car"))
        assert own is not None
        sums.append(own.value)
    hours, car = (np.asarray(records[name].to_pylist(), object) for name in ("hours", "car"))
    answered = np.array([h is not None and c is not None for h, c in zip(hours, car, strict=True)])
    bins = np.searchsorted([10, 20], hours[answered].astype(float), side="right")
    truth = np.zeros((3, 2))
    np.add.at(truth, (bins, (car[answered] == "yes").astype(int)), 1 / answered.sum())
    error = np.std(sums, axis=0, ddof=1) / np.sqrt(len(sums))
    assert (abs(np.mean(sums, axis=0) - truth) < 5 * error).all()


def test_distance_and_noise_by_hand() -> None:
    root = np.array([[0.03, -0.03, 0.0], [0.0, 0.04, -0.04]])
    own = Unbiased(np.array([0.5, 0.3, 0.2]), root, 1000)
    found = compared(("a",), np.array([0.4, 0.35, 0.25]), own)
    sd = np.array([0.03, 0.05, 0.04])
    assert found.distance == pytest.approx(0.1)
    assert found.noise == pytest.approx(np.sqrt(2 / pi) * sd.sum() / 2)
    assert found.ratio == found.distance / found.noise
    covariance = root.T @ root
    trace, square = np.trace(covariance), (covariance**2).sum()
    square = max((square - trace**2 / 256) * 256 / 257, trace**2 / 2)
    df = trace**2 / square
    assert found.p == pytest.approx(chi2.sf(df * 0.015 / trace, df))


def test_a_true_model_is_seldom_flagged_and_a_wrong_one_is() -> None:
    """Of tables that scatter by a known covariance, five in a hundred have p below 0.05."""
    rng = np.random.default_rng(3)
    truth, runs, shards = np.full((3, 4), 1 / 12), 800, 256
    mixing = rng.normal(size=(12, 12)) * np.linspace(0.2, 1, 12)
    mixing -= mixing.mean(axis=1, keepdims=True)
    found, off = [], []
    for _ in range(runs):
        parts = (rng.normal(size=(shards, 12)) @ mixing / 400).reshape(shards, 3, 4)
        own = Unbiased(truth + parts.sum(axis=0), parts - parts.mean(axis=0), 5000)
        found.append(compared("ab", truth, own).p)
        tilted = truth + 0.12 * np.outer([1, 0, -1], [1, -1, 0, 0])
        off.append(compared("ab", tilted, own).p)
    hits = sum(p < 0.05 for p in found)
    spread = np.sqrt(runs * 0.05 * 0.95)
    assert abs(hits - 0.05 * runs) < 4 * spread, (runs, hits, spread)
    assert sum(p < 0.05 for p in off) > 3 * hits


def test_the_model_agrees_and_a_model_that_knows_no_dependence_is_flagged(report: Quality) -> None:
    assert len(report.one_way) == 5
    assert len(report.two_way) == comb(5, 2)
    assert not report.misses
    bad = quality(wrong())
    missed = {each.attributes for each in bad.misses}
    assert {("home", "car"), ("hours", "pay")} <= missed
    assert not any("pet" in names for names in missed)
    assert not any(len(names) == 1 for names in missed)
    assert "Do not quote it there" in str(bad)
    assert {(d.one, d.other) for d in bad.unlearnt.dropped} == {
        p.names for p in town().dependence.edges
    }


def test_misses_control_the_false_discovery_rate() -> None:
    found = agreements(wrong().model, tables_of(), 2)
    p = np.sort([each.p for each in found])
    kept = np.flatnonzero(p <= 0.05 * np.arange(1, len(p) + 1) / len(p))
    assert sum(each.misses for each in found) == (kept.max() + 1 if len(kept) else 0)


def test_headline_figures_stand_beside_their_intervals(report: Quality) -> None:
    by_name = {(f.attribute, f.what, f.label): f for f in report.figures}
    shares = [f for f in report.figures if f.what == "share"]
    assert {f.attribute for f in shares} == {"home", "car", "hours", "pet"}
    assert [f.label for f in shares if f.attribute == "car"] == ["no"]  # the other is the rest
    assert all(f.low <= f.estimate <= f.high for f in report.figures)
    assert all(f.holds for f in report.figures)
    pay = np.array(town_records()["pay"].to_pylist())
    mean, median = by_name["pay", "mean", None], by_name["pay", "median", None]
    assert mean.low < pay.mean() < mean.high
    assert median.low <= np.median(pay) <= median.high
    assert mean.high - mean.low < 5


def test_a_number_asked_for_in_bins_has_figures_by_its_bins(report: Quality) -> None:
    """The numbers of the bins 0 to 9, 10 to 19 and 20 to 40, equally frequent in each."""
    share, mean, median = (f for f in report.figures if f.attribute == "hours")
    own, model = tables_of().singles["hours"], town().model.marginal(("hours",))
    assert own is not None
    centres = np.array([4.5, 14.5, 30.0])
    assert mean.estimate == pytest.approx(own.value @ centres)
    assert mean.model == pytest.approx(model @ centres)
    shares = np.repeat(own.value / (10, 10, 21), (10, 10, 21))
    assert median.estimate == np.argmax(np.cumsum(shares) >= 0.5)
    assert share.label == "20 or more"
    assert share.model == pytest.approx(model[2])
    assert share.estimate == pytest.approx(own.value[2])
    hours = np.array([h for h in town_records()["hours"].to_pylist() if h is not None])
    assert share.low <= (hours >= 20).mean() <= share.high
    assert mean.low <= hours.mean() <= mean.high
    assert median.low <= np.median(hours) <= median.high


def test_what_few_share_or_nobody_has_is_not_learnt(report: Quality) -> None:
    lacking = report.unlearnt
    assert [s.attribute for s in lacking.attributes] == ["pet"]
    assert ("pet", "fish") in {(r.attribute, r.label) for r in lacking.values}
    assert all(r.model < r.resolvable for r in lacking.values)
    unseen = {(u.one, u.other) for u in lacking.pairs}
    edges = {pair.names for pair in town().dependence.edges}
    assert unseen | edges == {pair.names for pair in town().dependence.pairs}
    assert not unseen & edges
    strongest = {"home": 1.0, "car": 0.5, "hours": 1.0, "pay": 3.5, "pet": 1.5}
    for pair in lacking.pairs:  # what cannot be is never said to be visible
        assert pair.visible is None or pair.visible <= min(
            strongest[pair.one], strongest[pair.other]
        )
    assert {u.visible is None for u in lacking.pairs} == {True, False}


def test_the_smallest_visible_strength_is_found_four_times_out_of_five() -> None:
    df, information, level = 6, 80.0, 0.01
    strength = smallest_visible(df, information, level)
    critical = chi2.isf(level, df)
    assert ncx2.sf(critical, df, 2 * strength * information) == pytest.approx(0.8)
    assert smallest_visible(df, 2 * information, level) == pytest.approx(strength / 2)
    assert smallest_visible(df, information, level / 10) > strength


def test_a_test_that_nearly_always_finds_one_sees_everything() -> None:
    assert smallest_visible(6, 80.0, 0.8) == 0
    assert 0 < smallest_visible(6, 80.0, 0.79) < 0.01
    pairs = quality(publish(town().reports, 10, rate=0.99, seed=1)).unlearnt.pairs
    assert all(pair.visible == 0 for pair in pairs)


def test_a_few_reports_show_too_little_and_the_verdict_says_so() -> None:
    """Five owners, each with levels of her own: nothing to compare, nothing that could be seen."""
    plan = plan_of((3, 2))
    levels = (500, 1000, 2000, 3000, 4000)
    reports = table_of(plan, [{"a": (level, 1), "b": (level, 1)} for level in levels])
    report = publish(reports, seed=1).quality()
    assert [pair.visible for pair in report.unlearnt.pairs] == [None]
    said = str(report)
    assert "could not be compared with unbiased estimates" in said
    assert "0 of 1 pair was found" in said
    assert "even the strongest dependence may have gone undetected" in said
    assert "nats" not in said


def test_one_attribute_alone_is_compared_with_the_truth_without_classifiers() -> None:
    plan = plan_of((3,))
    records = pa.table({"a": [f"a{i % 3}" for i in range(300)]})
    report = publish(simulate(plan, records, seed=1), seed=1).quality(records)
    assert report.utility is not None
    assert [d.order for d in report.utility.distances] == [1]
    assert report.utility.classifiers == ()
    assert "One attribute depends on no other" in report.to_html()


def test_a_pair_that_nobody_shares_is_named() -> None:
    plan = plan_of((2, 2, 2))
    half = [(True, False), (False, True)]
    rows = [
        {"a": f"a{i % 2}" if one else None, "b": f"b{i % 3 % 2}" if two else None, "c": f"c{i % 2}"}
        for i in range(900)
        for one, two in half
    ]
    reports = simulate(plan, pa.Table.from_pylist(rows), budgets="dirichlet", seed=2)
    report = publish(reports, seed=1).quality()
    assert ("a", "b") not in {each.attributes for each in report.two_way}
    (untold,) = [u for u in report.unlearnt.pairs if u.visible is None]
    assert (untold.one, untold.other, untold.n) == ("a", "b", 0)
    assert "a and b" in report.to_html()


def test_json_has_plain_numbers_and_stable_keys(report: Quality) -> None:
    read = json.loads(report.to_json())
    assert read == report.document()
    assert list(read) == [
        "kind",
        "format",
        "plan",
        "plan_id",
        "simulated",
        "rows",
        "attributes",
        "spending",
        "one_way",
        "two_way",
        "interactions",
        "dependence",
        "figures",
        "unlearnt",
        "utility",
    ]
    assert read["utility"] is None
    assert read["format"] == 2
    assumed = {(f["attribute"], f["what"]): f["assumes"] for f in read["figures"]}
    assert assumed["hours", "mean"] == assumed["hours", "median"] == EVEN
    assert assumed["hours", "share"] is assumed["pay", "mean"] is assumed["pay", "median"] is None
    assert read["unlearnt"]["binned"] == ["hours"]
    first = report.two_way[0]
    assert read["two_way"][0]["ratio"] == first.ratio
    assert read["dependence"]["pairs"][0]["edge"] is True


def test_with_the_truth_it_says_how_far_off_it_is() -> None:
    report = town().quality(town_records())
    assert report.utility is not None
    assert report.utility.records == N
    assert [d.order for d in report.utility.distances] == [1, 2, 3, 4]
    kinds = [c.kind for c in report.utility.classifiers]
    assert kinds == ["random forest", "linear SVM"]
    assert report.document()["utility"]["classifiers"][0]["mean"]["attribute"] == "all"
    assert "true records" in str(report)


def test_without_scikit_learn_it_says_that_no_classifiers_were_trained(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.ensemble", None)
    with pytest.raises(MissingPackage, match=r"scikit-learn: pip install 'discretion\[utility\]'"):
        classifiers(town().rows, town_records(), town().model.columns)
    report = town().quality(town_records())
    assert report.utility is not None
    assert report.utility.classifiers == ()
    assert "No classifiers were trained" in str(report)


def test_it_is_written_as_the_suffix_says(report: Quality, tmp_path: Path) -> None:
    report.write(tmp_path / "q.json")
    report.write(tmp_path / "q.html")
    assert json.loads((tmp_path / "q.json").read_text("utf-8")) == report.document()
    assert (tmp_path / "q.html").read_text("utf-8") == report.to_html()
    with pytest.raises(DiscretionError, match=r"must end in \.html or \.json"):
        report.write(tmp_path / "q.pdf")
    with pytest.raises(DiscretionError, match="cannot be written"):
        report.write(tmp_path / "none" / "q.html")


def test_what_is_no_publication_is_refused() -> None:
    with pytest.raises(EstimateError, match="needs a Publication, got Table"):
        quality(town_records())
    other = replace(town(), model=secret_town().model)
    with pytest.raises(DiscretionError):
        quality(other)
