"""The page says which bars are met and which are missed, and draws what there is."""

from dataclasses import replace
from pathlib import Path

import pytest

from papers.check import DISCLOSED, INDEPENDENT, PRINTED, Check, checks
from papers.page import number, page, summary, write_page
from papers.pldp import (
    BUDGETS,
    DRAWN,
    FIRST_SEED,
    S1,
    S2,
    SETTING1,
    SETTING2,
    SETTING3,
    Findings,
    Scope,
)
from papers.published import TABLE2
from papers.trial import APART, KNOWN, OURS, Trial, Way

SCOPE = Scope({"Abalone": 2, "Car": 2}, figures=False)


def findings(scope: Scope = SCOPE, factor: float = 0.1) -> Findings:
    """Return findings in which ours is this part of the printed figure."""
    trials = []
    for dataset in scope.seeds:
        for setting in (S1, S2):
            for i, off in enumerate((0.99, 1.01)):
                ours = tuple(factor * off * value for value in TABLE2[dataset, setting.name])
                ways = {OURS: ours, KNOWN: tuple(v / 1.2 for v in ours), APART: ours}
                trials.append(Trial(dataset, setting.name, FIRST_SEED + i, ways))
    return Findings(scope, tuple(trials))


def whole() -> Findings:
    """Return findings with everything that the figures need."""
    scope = Scope(dict.fromkeys(("Adult", "Abalone", "Bank", "Car"), 2))
    found = findings(scope)
    drawn = [
        Trial(name, setting.name, FIRST_SEED, dict.fromkeys(DRAWN, (0.1, 0.2, 0.3, 0.4)))
        for name in scope.seeds
        for setting in (SETTING1, SETTING2, *(SETTING3 if name == "Adult" else ()))
    ]
    return replace(
        found,
        trials=(*found.trials, *drawn),
        by_order=dict.fromkeys(DRAWN, (0.1, 0.2, 1.0, 5.0)),
        by_budget={name: tuple(0.1 for _ in BUDGETS) for name in scope.seeds},
    )


def test_all_bars_are_checked() -> None:
    found = checks(findings())
    assert [
        sum(one.rule == rule for one in found) for rule in (PRINTED, INDEPENDENT, DISCLOSED)
    ] == [
        20,
        20,
        16,
    ]
    assert all(one.met for one in found)
    ratios = {one.rule: one.ratio for one in found}
    assert ratios[PRINTED] == pytest.approx(0.1)
    assert ratios[INDEPENDENT] == pytest.approx(1.0)
    assert ratios[DISCLOSED] == pytest.approx(1.2)


def test_a_bar_is_missed_just_above_it() -> None:
    at = Check(PRINTED, "Car", "S#1", 2, 0.36, 0.01, 0.36)
    above = replace(at, ratio=0.361)
    assert (at.verdict, above.verdict) == ("met", "missed")
    text = summary([at, above])
    assert text.startswith("1 of 2 bars are met.")
    assert "- missed: ours over the printed figure, Car S#1, k = 2: 0.361 ± 0.010 where" in text


def test_the_page_prints_met_and_missed() -> None:
    good, bad = page(findings(), []), page(findings(factor=0.5), [])
    assert "56 of 56 bars are met." in good
    assert "missed" not in good
    assert "0.100 ± 0.001 ≤ 0.12: met" in good
    assert "0.500 ± 0.005 ≤ 0.12: missed" in bad
    assert "| PLDP, printed | 0.36 | 0.36 | 0.42 | 0.53 | 0.53 |" in good
    assert "Figure 5" not in good


def test_distances_that_are_not_known_are_dashes() -> None:
    assert number(float("nan")) == "–"
    assert number(0.12345) == "0.123"


def test_the_page_and_its_figures_are_written(tmp_path: Path) -> None:
    path = write_page(whole(), tmp_path / "results")
    text = path.read_text(encoding="utf-8")
    figures = sorted(file.name for file in path.parent.glob("*.svg"))
    assert figures == [
        f"pldp-{name}.svg" for name in ("figure-5", "figure-6", "figure-7", "table-2")
    ]
    for name in figures:
        assert f"]({name})" in text
    first = (path.parent / figures[0]).read_bytes()
    write_page(whole(), tmp_path / "results")
    assert (path.parent / figures[0]).read_bytes() == first  # the same findings, the same bytes


def test_ways_are_listed_in_one_order() -> None:
    assert findings().ways("Car", "S#1") == (OURS, APART, KNOWN)
    assert Way("mle", False) not in findings().ways("Car", "S#1")
