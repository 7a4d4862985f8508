"""The page about the PMPM paper: its methods beside ours, and which bars are met."""

from collections.abc import Sequence
from functools import partial
from math import isnan
from pathlib import Path

from papers.means import Way
from papers.page import save, table
from papers.pmpm import (
    AT,
    DIMENSIONS,
    FIRST_SEED,
    TAUS,
    Check,
    Findings,
    Point,
    checks,
)
from papers.pmpm_figures import write

NAME = "pmpm.md"
CITATION = (
    "Y. Zeng, S. Long, H. Liu and H. Ding, *Collecting Multidimensional Numerical Data and "
    "Estimating Mean with Personalized Local Differential Privacy*, Security and Communication "
    "Networks, 2022"
)
EXPLAINED = {
    Way.RECORD: "what `plan advise` proposes to someone who knows nothing about the numbers: "
    "one block of them, drawn beforehand, is told as one cell of a few levels each",
    Way.EVENLY: "the same if numbers were supposed to be spread evenly, as in the paper",
    Way.PILOT: "the same with the other year's file as the pilot (`--pilot`)",
    Way.ATTRIBUTE: "what `plan advise --contract attribute` proposes: some numbers, drawn "
    "beforehand, by the best window; personal levels as in PMPM, weights by their noise",
    Way.ALIKE: "as many numbers as PMPM draws, with the best window and weights: the same promise "
    "to each owner, to the number",
    Way.PMPM: "the paper's method: k = ⌊0.28 budget⌋ numbers by the piecewise mechanism, "
    "personal levels; the plain mean of those who tell a number",
    Way.PRINTED: "the paper's Algorithm 3 to the letter: answers times d / k, then the mean of "
    "those who tell a number, which is d / k times too large",
    Way.MPM: "k = ⌊budget / 2.5⌋ numbers by the piecewise mechanism, even levels; the plain mean",
    Way.HARMONY: "one number by Duchi's two-point mechanism; the plain mean",
    Way.DUCHI: "Duchi's mechanism for d numbers at once",
}


def write_page(findings: Findings, place: Path) -> Path:
    """Write the page and its figures into a folder."""
    return save(place / NAME, partial(write, findings), partial(page, findings))


def page(findings: Findings, figures: Sequence[str]) -> str:
    """Return the page, with those figures that there are."""
    found = checks(findings)
    parts = [_head(findings), f"## Bars\n\n{summary(found)}", _verdicts(found), _methods()]
    parts += [_errors(findings, survey) for survey in findings.surveys]
    parts += [_designs(findings)]
    if findings.scope.figures:
        parts += [_rules(figures), _budgets(figures), _dimensions(findings, figures)]
    parts.append(_differences())
    return "\n\n".join(part.strip() for part in parts) + "\n"


def summary(found: Sequence[Check]) -> str:
    """Say how many bars are met, and name those that are not."""
    missed = [one for one in found if not one.met]
    lines = [f"{len(found) - len(missed)} of {len(found)} bars are met."]
    lines += [
        f"- missed: {one.way} over {one.other}, {one.survey}, budget {one.budget:g}: "
        f"{one} where at most {one.bar:g} is allowed"
        for one in missed
    ]
    return lines[0] + ("\n\n" + "\n".join(lines[1:]) if missed else "")


def error_rows(findings: Findings, survey: str) -> list[list[str]]:
    """Return a row for each way and tau: its name, contract, and errors by budget in 1e-4."""
    scope, body = findings.scope, []
    for way in Way:
        for tau in scope.taus if way.personal else (0.0,):
            name = f"{way}, τ = {tau:g}" if way.personal else str(way)
            points = [findings.point(survey, budget, way, tau) for budget in scope.budgets]
            body.append([name, str(way.contract), *(_error(findings, p) for p in points)])
    return body


def _error(findings: Findings, point: Point) -> str:
    """Write the error to expect, and where crowds were simulated, theirs."""
    mean, error = findings.simulated(point)
    known = _scaled(findings.expected[point])
    if isnan(mean):
        return known
    return f"{known} ({_scaled(mean)}{'' if isnan(error) else f' ± {_scaled(error)}'})"


def _scaled(error: float) -> str:
    return f"{1e4 * error:.3g}" if error < 0.1 else f"{1e4 * error:,.0f}"


def _head(findings: Findings) -> str:
    last = FIRST_SEED + findings.scope.seeds - 1
    counts = ", ".join(f"{name}: {len(names)}" for name, names in findings.surveys.items())
    return f"""
# PMPM: the paper's methods beside ours

Written by `python -m papers pmpm`, never by hand. The paper: {CITATION}.

Each of the 3,220 counties is an owner who spends a total budget in all. The numbers are the columns
without a missing cell, scaled to [-1, 1] by their smallest and largest and put on a grid of
hundredths: {counts}. The paper counts one more in each file, presumably the county's identifier.

The error is the paper's: squared, of the mean about that of the records, averaged over the numbers.
It is *expected* by the exact variances of the laws, and in brackets *simulated*: the crowd reports,
`mean` estimates; the mean of {findings.scope.seeds} crowds with seeds {FIRST_SEED} to {last}, ± one
standard error. Budgets with the same seeds share much of their chance. Personal levels are drawn as
in the paper: of k numbers each has at least total / (k τ), and the rest is shared at random.

*Contract*: under `attribute` each number is protected by its own level, and all together by the
total; under `record` everything about an owner is protected by the total, and a number alone by no
less. Where one number is drawn, both are the same for it.

*Ours* is what `plan advise` proposes to someone who knows no records: numbers lie anywhere in their
range, with half the deviation of an even spread. That half was settled on with these files in view,
beside made-up ones; `ours, record contract, spread evenly` shows what the paper's own supposition
would come to.
"""


def _verdicts(found: Sequence[Check]) -> str:
    budgets = list(dict.fromkeys(one.budget for one in found))
    body = []
    for key in dict.fromkeys((one.way, one.other, one.survey, one.tau) for one in found):
        own = [one for one in found if (one.way, one.other, one.survey, one.tau) == key]
        cells = (f"{one} ≤ {one.bar:g}: {'met' if one.met else 'missed'}" for one in own)
        other = f"{key[1]}, τ = {key[3]:g}" if key[1].personal else str(key[1])
        body.append((f"{key[0]} over {other}", key[2], *cells))
    heads = ("squared error", "file", *(f"budget {budget:g}" for budget in budgets))
    return "Ratios of simulated errors, each bar also for the expected ones.\n\n" + table(
        heads, body
    )


def _methods() -> str:
    lines = [f"- `{way}` ({way.contract} contract): {text}" for way, text in EXPLAINED.items()]
    return "## Errors\n\n" + "\n".join(lines)


def _errors(findings: Findings, survey: str) -> str:
    heads = ("squared error, 1e-4", "contract", *(f"{b:g}" for b in findings.scope.budgets))
    body = error_rows(findings, survey)
    return f"### {survey}, by budget\n\n{table(heads, body)}"


def _designs(findings: Findings) -> str:
    ways = (Way.RECORD, Way.EVENLY, Way.PILOT, Way.ATTRIBUTE, Way.PMPM, Way.MPM)
    budgets = findings.scope.budgets
    body = [
        (survey, way, *(findings.designs[survey, budget, way] for budget in budgets))
        for survey in findings.surveys
        for way in ways
    ]
    heads = ("file", "way", *(f"{budget:g}" for budget in budgets))
    return f"### Who tells what\n\n{table(heads, body)}"


def _image(figures: Sequence[str], number: str, title: str) -> str:
    path = f"pmpm-figures-{number}.svg"
    return f"![{title}]({path})\n" if path in figures else ""


def _rules(figures: Sequence[str]) -> str:
    return f"""
## Figures 3 and 4

{_image(figures, "3-4", "How many numbers to draw; how personal levels are")}
The paper draws 0.28 numbers for each unit of budget, which is best for numbers that are spread
evenly. Those of the counties are not: many lie near an end of their range and near each other, so
fewer answers with less noise are better, under 0.15 a unit. The largest level of an owner is soon
many times more telling than her smallest; this is what τ bounds."""


def _budgets(figures: Sequence[str]) -> str:
    return f"""
## Figures 5 to 8

{_image(figures, "5-6", "Errors by budget, with MPM")}
{_image(figures, "7-8", "Errors by budget, with Duchi et al.")}
Lines are expected errors, marks those of simulated crowds; ours under the attribute contract with
τ = 1.125. The rebound that the paper reports is here, too, where its k rises by one. The attribute
design has one from 8 to 9, where it draws two numbers: right for numbers nothing is known about,
too many for these. The paper's own values are only drawn."""


def _dimensions(findings: Findings, figures: Sequence[str]) -> str:
    ways = [(way, tau) for way in Way for tau in (TAUS[:: len(TAUS) - 1] if way.personal else (0,))]
    body = [
        (
            survey,
            f"{way}, τ = {tau:g}" if way.personal else way,
            way.contract,
            *(
                _scaled(findings.expected[Point(survey, count, AT, way, tau)])
                for count in DIMENSIONS
            ),
        )
        for survey in findings.surveys
        for way, tau in ways
    ]
    heads = ("file", "expected squared error, 1e-4", "contract", *DIMENSIONS)
    return f"""
## Figures 9 to 12

{_image(figures, "9-10", "Errors by dimension, with MPM")}
{_image(figures, "11-12", "Errors by dimension, with Duchi et al.")}
The first so many numbers of each file, budget {AT:g}. The paper's values are only drawn; those of
Census 2017 (Figure 10) lie between 4e-4 and 14e-4. That is where PMPM and MPM lie here, mended, and
nowhere near PMPM as it is printed: what was measured was not what was printed.

{table(heads, body)}"""


def _differences() -> str:
    return """
## What differs from the paper

- As printed, PMPM multiplies answers by d / k *and* averages over those who tell a number. One of
  the two is right; with both, estimates are d / k times too large. Mended, it is the plain mean of
  those who tell it, which also errs less than the sum over all owners times d / k: MPM and Harmony
  are given the same favour here.
- The paper gives everybody's answers the same weight, whatever their level. Weights by the noise of
  the level cost nothing, and the more personal levels are, the more they gain.
- The piecewise mechanism's window is not the best one for a mean. The best makes the error at the
  ends of the range, where it is largest, as small as possible.
- k is rounded down in the paper, so that the error jumps; `plan advise` compares all k.
- Below a budget of 7.15 PMPM draws one number, and there is nothing to divide among several."""
