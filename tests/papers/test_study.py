"""Steps are run and watched, findings are summarised, and checks say what is met and missed."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import isnan
from pathlib import Path

import numpy as np
import pytest

from papers.__main__ import STUDIES
from papers.page import SLOT, bars, filled, summary
from papers.study import Check, Findings, Measurement, Step, Study, measure

ROOT = Path(__file__).parents[2]


def measured(name: str, *values: float) -> list[Measurement]:
    return [((name,), value) for value in values]


STEPS = [
    Step("clock", partial(measured, "seconds", 5.0), alone=True),
    Step("one", partial(measured, "error", 3.0)),
    Step("two", partial(measured, "error", -4.0, 1.0)),
]


def test_steps_that_measure_time_come_last_and_all_are_watched() -> None:
    seen: list[str] = []

    def watch(titles: Sequence[str]) -> Iterator[str]:
        for title in titles:
            seen.append(title)
            yield title

    found = measure(STEPS, watch, workers=1)
    assert seen == ["one", "two", "clock"]
    assert found.runs("error").tolist() == [3, -4, 1]


@pytest.mark.slow
def test_several_processes_measure_what_one_does() -> None:
    alone, together = (measure(STEPS, workers=workers) for workers in (1, 2))
    assert alone.runs("error").tolist() == together.runs("error").tolist()


def test_findings_are_summarised_over_runs() -> None:
    found = Findings([*measured("x", 3.0, -4.0), *measured("once", 2.0), (("text",), "draw 1")])
    assert found.mean("x") == -0.5
    assert found.rms("x") == pytest.approx(np.sqrt(12.5))
    assert found.stderr("x") == pytest.approx(3.5)
    assert isnan(found.stderr("once"))
    assert isnan(found.mean("nothing"))
    assert found.text("text") == "draw 1"
    assert ("x",) in found
    assert ("nothing",) not in found


def test_a_bar_is_missed_just_above_it() -> None:
    at = Check("over the printed figure", "Car, S#1", "k = 2", 0.36, 0.01, high=0.36)
    above = replace(at, value=0.361)
    assert (str(at), at.met) == ("0.360 ± 0.010 ≤ 0.36: met", True)
    assert summary([at]) == "1 of 1 bars are met."
    assert summary([at, above]).splitlines() == [
        "1 of 2 bars are met.",
        "",
        "- over the printed figure, Car, S#1, k = 2: 0.361 ± 0.010 ≤ 0.36: missed",
    ]


def test_bars_may_be_below_and_on_both_sides() -> None:
    assert str(Check("gain", "", "", 13.94, low=5)) == "13.9 ≥ 5: met"
    assert str(Check("cover", "", "", 0.92, low=0.93, high=0.97)) == "0.920 in 0.93 to 0.97: missed"


def test_ratios_of_runs_with_the_same_seeds_have_a_small_error() -> None:
    ours, theirs = np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0])
    check = Check.ratio("rule", "about", "at", ours, theirs, 0.6)
    assert (check.value, check.stderr, check.met) == (0.5, 0.0, True)
    assert Check.ratio("rule", "about", "at", ours, 4.0, 0.4).stderr == pytest.approx(
        1 / np.sqrt(3) / 4
    )


def test_each_rule_is_a_table_of_what_it_is_about() -> None:
    checks = [
        Check("first", "Adult", "k = 1", 0.1, high=1),
        Check("first", "Adult", "k = 2", 0.2, high=1),
        Check("first", "Car", "k = 2", 0.3, high=1),
    ]
    text = bars(checks)
    assert "### first\n\n|  | k = 1 | k = 2 |" in text
    assert "| Car |  | 0.300 ≤ 1: met |" in text


def test_sections_without_their_exhibits_are_left_out() -> None:
    template = "# {title}\n\n## One\n\n{table}\n\n## Two\n\n![x]({figure-2})\n"
    assert filled(template, {"title": "T", "table": "| a |"}) == "# T\n\n## One\n\n| a |\n\n"
    whole = filled(template, {"title": "T", "table": "| a |", "figure-2": "f.svg"})
    assert whole.endswith("## Two\n\n![x](f.svg)\n")


@pytest.mark.parametrize("kind", STUDIES.values(), ids=list(STUDIES))
def test_the_prose_of_a_page_in_the_documentation_is_that_of_its_template(
    kind: type[Study],
) -> None:
    template = (ROOT / "papers" / kind.name / "page.md").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "results" / f"{kind.name}.md").read_text(encoding="utf-8")
    words = map(re.escape, SLOT.sub("{}", template).split("{}"))
    assert re.fullmatch(".*?".join(words), page, re.DOTALL), "edit the template, then the page"
