"""The page about the PENA paper: what it claims, its formulas beside ours, which bars are met."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from papers.incomes import MADE_SEED
from papers.page import save, table
from papers.pena import (
    BLOCK,
    EPSILONS,
    FACTORS,
    FIRST_SEED,
    LINES,
    OWN_RANGES,
    PRINTED,
    SHARES,
    Findings,
    Point,
    points,
    root_mean_square,
    weighing,
)
from papers.pena_check import Check, checks
from papers.pena_crowd import Pooled, Way
from papers.pena_figures import write

NAME = "pena.md"
CITATION = (
    "M. Akter and T. Hashem, *Computing Aggregates over Numeric Data with Personalized Local "
    "Differential Privacy*, ACISP 2017"
)
EXPLAINED = {
    Way.PRINTED: "(T_max - T_min) times the mean of the responses; budgets from U(0, ε]",
    Way.SAME: "the same formula; ε for everybody",
    Way.PLAIN: "the mean of decoded responses, all counting alike; budgets from U(0, ε]",
    Way.EQUAL: "the same; ε for everybody, so less privacy",
    Way.DUCHI: "the very responses of PENA, weighted by the noise of their levels",
    Way.WINDOW: "the same budgets, answers by the window, which also tell the distribution",
}
TITLES = ("ε", "safe range over the largest", "% who take part")
PLACES = (EPSILONS, FACTORS, tuple(round(100 * share) for share in SHARES))
HEADS = tuple(
    (f"average, % (by {title})", *places) for title, places in zip(TITLES, PLACES, strict=True)
)
CLAIMS = (
    """
The paper: errors fall with ε, and PENA and LDP are about as accurate, although most owners of PENA
have more privacy. Here: as printed, both show little but the formula's bias, so they are alike, and
ε hardly matters. Mended, errors fall as 1 / ε, and more privacy costs what it must: personal
budgets err more than ε for everybody.""",
    """
The paper: the error of the average rises slowly, and PENA beats LDP. Here: the printed bias is
μ - T, so it grows with T; mended, the error is proportional to T. Nothing lets personal budgets
from U(0, ε] beat ε for everybody.""",
    """
The paper: the error of the average rises slightly with participation and is below 20 % for up to
40 %; that of the minimum is constant. An error that does not fall with the number of owners is a
bias. Here: as printed, the bias stays, and what falls at first is the noise of the smallest
budgets; ours falls as 1 / √n.""",
)


def write_page(findings: Findings, place: Path) -> Path:
    """Write the page and its figures into a folder."""
    return save(place / NAME, partial(write, findings), partial(page, findings))


def page(findings: Findings, figures: Sequence[str]) -> str:
    """Return the page, with those figures that there are."""
    found = checks(findings)
    parts = [_head(findings), f"## Bars\n\n{summary(found)}\n\n{_verdicts(found)}", _ways()]
    parts += [_figure(findings, figures, which) for which in range(len(PLACES))]
    parts += [_weights(findings), _ranges(findings, figures), _differences()]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def summary(found: Sequence[Check]) -> str:
    """Say how many bars are met, and name those that are not."""
    missed = [one for one in found if not one.met]
    lines = [f"{len(found) - len(missed)} of {len(found)} bars are met."]
    lines += [
        f"- missed: {one.rule}, {one.dataset}, {one.about}: {one} where {one.bars} is allowed"
        for one in missed
    ]
    return lines[0] + ("\n\n" + "\n".join(lines[1:]) if missed else "")


def average_rows(findings: Findings, dataset: str, which: int) -> list[list[str]]:
    """Return a row for each way of a figure: its name and relative errors in percent."""
    at = points(dataset)[which]
    return [[str(way), *(_error(findings, point, way) for point in at)] for way in LINES]


def _error(findings: Findings, point: Point, way: Way) -> str:
    """Write the error to expect, and that of simulated crowds."""
    seen = root_mean_square(findings.errors(point, way))
    return f"{_percent(findings.expected[point, way])} ({_percent(seen)})"


def _percent(value: float) -> str:
    return f"{100 * value:.3g}" if abs(value) < 10 else f"{100 * value:,.0f}"


def _minimum_rows(findings: Findings, dataset: str, which: int) -> list[list[str]]:
    at = points(dataset)[which]
    errors = [
        [str(way), *(_percent(root_mean_square(findings.minimum_errors(p, way))) for p in at)]
        for way in PRINTED
    ]
    ours = [root_mean_square(findings.minimum_errors(p, Way.WINDOW)) for p in at]
    levels = [np.mean([each.level for each in findings.extremes[p]]) for p in at]
    held = [np.mean([each.covered for each in findings.extremes[p]]) for p in at]
    above = [np.mean([each.limit > 0 for each in findings.extremes[p]]) for p in at]
    return [
        *errors,
        ["ours, against the true quantile", *map(_percent, ours)],
        ["its level, %", *(f"{100 * level:.2g}" for level in levels)],
        ["bound holds, % of runs", *(f"{100 * share:.0f}" for share in held)],
        ["bound is above 0, % of runs", *(f"{100 * share:.0f}" for share in above)],
    ]


def _head(findings: Findings) -> str:
    scope = findings.scope
    data = "\n".join(
        f"- {name}: {facts.rows:,} owners, mean {facts.mean:,.0f}, largest {facts.largest:,.0f}; "
        f"{scope.times(facts.rows)} runs"
        for name, facts in findings.facts.items()
    )
    return f"""
# PENA: the printed formulas beside ours

Written by `python -m papers pena`, never by hand. The paper: {CITATION}.

{data}

The paper's 3.15 million family incomes (IPUMS) are not to be had. The first column is `earnings`
of the Current Population Survey, March 2009 (`cps09mar.csv`); the second is made by the package
with seed {MADE_SEED}: a lognormal body, a Pareto tail cut off at a million, 1 % without income, and
heaps at round numbers.

Budgets are drawn from U(0, ε] as in the paper and rounded down to a menu: thousandths up to 0.02,
hundredths above. With exact U(0, ε] the variance of an unweighted mean is infinite; what is shown
for it depends on the least level, 0.001. *LDP* means ε for everybody. Defaults are the paper's:
ε 0.5, safe range 1.0 times the largest number, 50 % take part, drawn anew in every run. The grid
has 500 steps of whole dollars.

Errors of the average are relative to the mean of all records, the root of their mean square over
runs, in percent: *expected* by the exact variances of the laws and, in brackets, simulated. Errors
of the minimum are in percent of the largest number, since the true minimum is 0 or 1 dollar: of
what is printed about the minimum, of ours about the quantile that it names. Intervals of means are
held against the mean of those who take part. Minimum and quantiles are asked for in the first
{scope.extremes} runs at most. Seeds: the i-th setting of a column (from 0; Figures 2 to 4, weights,
own ranges) has {FIRST_SEED} + {BLOCK} i and following. None was used while the methods were made; a
rehearsal of this experiment had 20 runs with the first of them. ± is one standard error.
"""


def _verdicts(found: Sequence[Check]) -> str:
    body = [(one.rule, one.dataset, one.about, str(one), one.bars, one.verdict) for one in found]
    note = (
        "Bars of shares of runs are wider by two standard errors of so many runs, those of "
        "measured ratios and slopes are three standard errors."
    )
    return table(("rule", "data", "", "found", "allowed", ""), body) + f"\n\n{note}"


def _ways() -> str:
    return "## Lines\n\n" + "\n".join(f"- `{way}`: {text}" for way, text in EXPLAINED.items())


def _figure(findings: Findings, figures: Sequence[str], which: int) -> str:
    number = which + 2
    image = _image(figures, f"figure-{number}", f"Errors by {TITLES[which]}")
    parts = [f"## Figure {number}\n\n{image}{CLAIMS[which]}"]
    for name in findings.facts:
        rows = average_rows(findings, name, which)
        parts.append(f"### {name}\n\n{table(HEADS[which], rows)}")
        heads = ("minimum, % of the largest", *PLACES[which])
        parts.append(table(heads, _minimum_rows(findings, name, which)))
    return "\n\n".join(parts)


def _weights(findings: Findings) -> str:
    body = [
        (name, way, _error(findings, weighing(name, facts.rows), way))
        for name, facts in findings.facts.items()
        for way in (*LINES[2:], Way.LEVEL)
    ]
    extremes = [
        (
            name,
            f"{100 * float(np.mean([each.level for each in found])):.2g}",
            f"{100 * float(np.mean([each.covered for each in found])):.0f}",
            f"{100 * float(np.mean([each.limit > 0 for each in found])):.0f}",
        )
        for name, facts in findings.facts.items()
        for found in (findings.extremes[weighing(name, facts.rows)],)
    ]
    heads = ("minimum", "level, %", "bound holds, % of runs", "bound is above 0, % of runs")
    return f"""
## What weights are worth

Budgets from U(0.1, 4), in steps of 0.05: all owners of the small column, a tenth of the large one,
{findings.scope.runs} runs. *LDP* is 4 for everybody.

{table(("data", "way", "relative error, %"), body)}

{table(heads, extremes)}"""


def _ranges(findings: Findings, figures: Sequence[str]) -> str:
    body = []
    for name in findings.facts:
        for way in Pooled:
            cells = []
            for epsilon in OWN_RANGES:
                errors = np.array([a.error for a in findings.pooled[name, epsilon, way]])
                off = _percent(float(errors.mean()))
                cells.append(f"{_percent(root_mean_square(errors))} (mean {off})")
            body.append((name, way, *cells))
    image = _image(figures, "own-ranges", "Errors where owners choose their ranges")
    return f"""
## Beyond the paper: ranges of owners' own

{image}
Every owner takes the whole range, its lower half or its lower quarter, at random and whatever her
income; all take part. Who has more than her range says its end. PENA's text allows this and pools
all responses: `{Pooled.NAIVE}` decodes each over its own range and averages, which misses what was
cut off however many answer; with these budgets the noise of the smallest ones is larger still. Ours
is one likelihood of all reports.

{table(("data", "relative error, % (by ε)", *OWN_RANGES), body)}"""


def _image(figures: Sequence[str], name: str, title: str) -> str:
    path = f"pena-{name}.svg"
    return f"![{title}]({path})\n" if path in figures else ""


def _differences() -> str:
    return """
## What differs from the paper

- As printed, the average is twice the mean less the end of the range. For incomes, most of them
  far below the largest, that is negative, and off by ten times the mean. The paper reports less
  than 20 %; how it worked out its errors it does not say.
- No minimum is defined. The smallest response is -coth(ε / 2) of the least budget there is,
  whatever the incomes. The law of a response depends on incomes through their mean only, so from
  PENA's responses no minimum can be told, by any formula.
- Ours answers with the lowest quantile that reports of these budgets could resolve at best, and a
  bound below it. Where the bound is 0, the end of the range, it holds without saying anything; the
  tables tell how often that is.
- Personal budgets from U(0, ε] cannot give a better average than ε for everybody: 1.7 times the
  error is the least. With weights that is nearly reached; without, the few smallest budgets spoil
  everything."""
