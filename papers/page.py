"""The page about the PLDP paper: its figures beside ours, and which bars are met."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import isnan
from pathlib import Path

from papers import check
from papers.check import Check, checks, rows
from papers.dataset import Question
from papers.figures import third, write
from papers.pldp import (
    BUDGETS,
    FIRST_SEED,
    SETTING1,
    SETTING2,
    SETTING3,
    Findings,
)
from papers.published import CITATION, TABLE2
from papers.trial import Setting

NAME = "pldp.md"
EXPLAINED = {
    "blind": "ours, for secret allocations: what each owner spent on what is learnt from her ones",
    "map": "ours, with the levels: a log-linear model of all pairs, shrunk as the reports advise",
    "mle": "the most likely table, not shrunk",
    "tensor": "unbiased moments; each table is put on the simplex",
    "independent": "the product of the marginals",
    "pldp": "the paper's formula for one attribute (Eq. 16, denominator repaired)",
    "lasso": "the paper's regression for attributes that are reported together",
    "entropy-split": "the paper's product of two parts for attributes that are not",
    "em-lopub": "LoPub's expectation maximisation, on reports that hold all attributes",
    "hybrid": "the same, from the cells that the regression keeps",
}
RULES = {
    check.PRINTED: "Ours over the printed figure",
    check.INDEPENDENT: "Ours over the product of the marginals",
    check.DISCLOSED: "What secrecy costs",
}


def save(
    path: Path, draw: Callable[[Path], Iterable[str]], page: Callable[[Sequence[str]], str]
) -> Path:
    """Draw the figures of a page beside it, and write it with their names."""
    path.parent.mkdir(parents=True, exist_ok=True)
    names = list(draw(path.parent))
    path.write_text(page(names), encoding="utf-8")
    return path


def write_page(findings: Findings, place: Path) -> Path:
    """Write the page and its figures into a folder."""
    return save(place / NAME, partial(write, findings), partial(page, findings))


def page(findings: Findings, figures: Sequence[str]) -> str:
    """Return the page, with those figures that there are."""
    found = checks(findings)
    parts = [_head(findings), f"## Bars\n\n{summary(found)}"]
    parts += [f"### {title}\n\n{_verdicts(found, rule)}" for rule, title in RULES.items()]
    parts.append(f"## Table 2\n\n{_image(figures, 'table-2', 'Table 2 as curves')}\n{_legend()}")
    parts += [_distances(findings, *row) for row in rows(findings)]
    if findings.scope.figures:
        parts += [_figure5(findings, figures), _figure6(findings, figures)]
        parts.append(_figure7(findings, figures))
    parts.append(_differences())
    return "\n\n".join(part.strip() for part in parts) + "\n"


def summary(found: Sequence[Check]) -> str:
    """Say how many bars are met, and name those that are not."""
    missed = [one for one in found if not one.met]
    lines = [f"{len(found) - len(missed)} of {len(found)} bars are met."]
    lines += [
        f"- missed: {one.rule}, {one.dataset} {one.setting}, k = {one.k}: "
        f"{one} where at most {one.bar:g} is allowed"
        for one in missed
    ]
    return lines[0] + ("\n\n" + "\n".join(lines[1:]) if missed else "")


def table(heads: Sequence[object], body: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table."""
    lines = [heads, ["---"] * len(heads), *body]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def number(value: float) -> str:
    """Return a distance as it is printed; a dash where there is none."""
    return "–" if isnan(value) else f"{value:.3f}"


def distance_rows(findings: Findings, dataset: str, setting: str) -> list[list[str]]:
    """Return a row for the paper and for each way: its name, distances by k, and runs."""
    printed = TABLE2[dataset, setting]
    body = [["PLDP, printed", *(f"{value:.2f}" for value in printed), ""]]
    for way in findings.ways(dataset, setting):
        runs = findings.of(dataset, setting, way)
        body.append([str(way), *map(number, runs.mean(axis=0)), str(len(runs))])
    return body


def _distances(findings: Findings, dataset: str, setting: str) -> str:
    heads = ("AVD", *(f"k = {k}" for k in range(1, 6)), "runs")
    return f"### {dataset}, {setting}\n\n" + table(heads, distance_rows(findings, dataset, setting))


def _verdicts(found: Sequence[Check], rule: str) -> str:
    """Return the ratios of one rule, a row for each data set and setting."""
    chosen = [one for one in found if one.rule == rule]
    orders = sorted({one.k for one in chosen})
    body = []
    for row in dict.fromkeys((one.dataset, one.setting) for one in chosen):
        own = [one for one in chosen if (one.dataset, one.setting) == row]
        cells = (f"{one} ≤ {one.bar:g}: {one.verdict}" for one in own)
        body.append((", ".join(row), *cells))
    return table(("", *(f"k = {k}" for k in orders)), body)


def _head(findings: Findings) -> str:
    seeds = ", ".join(
        f"{name} {FIRST_SEED} to {FIRST_SEED + count - 1}"
        for name, count in findings.scope.seeds.items()
    )
    attributes = "\n".join(
        f"- {dataset.name}, {dataset.rows:,} records: {', '.join(map(_asked, dataset.questions))}"
        for dataset in findings.scope.datasets
    )
    return f"""
# PLDP: the printed figures beside ours

Written by `python -m papers pldp`, never by hand. The paper: {CITATION}.

Owners report by OUE; each shares some attributes at random, and a Dirichlet share of an allowance
of two units of budget for each of them goes to each, in thousandths. The allocation is secret, as
in the paper; *disclosed* means the very same reports with their levels. The distance, AVD, is half
the sum of absolute differences to the table of the records: the mean over all sets of k of the five
attributes, and over runs. Ours is fitted once to all five attributes, and the smaller tables are
its marginals; to the papers' methods each set is a question of its own, and they have fewer runs. ±
is one standard error. Seeds, none of which was used while the methods were made: {seeds}.

{attributes}

A name with edges is a number in bins that hold a fifth of the records each, as nearly as equal
values allow. The paper does not say which attributes it took, nor how it put them into buckets.
"""


def _asked(question: Question) -> str:
    edges = question.get("bins")
    return f"{question['name']} {edges}" if edges else str(question["name"])


def _legend() -> str:
    lines = [f"- `{name}`: {text}" for name, text in EXPLAINED.items()]
    note = "Where a row has few runs, they are those with the first seeds, and vary accordingly."
    return "\n".join([*lines, "", note])


def _image(figures: Sequence[str], name: str, title: str) -> str:
    path = f"pldp-{name}.svg"
    return f"![{title}]({path})\n" if path in figures else ""


def _means(findings: Findings, dataset: str, setting: Setting) -> list[tuple[object, ...]]:
    body: list[tuple[object, ...]] = []
    for way in findings.ways(dataset, setting.name):
        values = findings.of(dataset, setting.name, way).mean(axis=0)
        body.append((f"{dataset}, {setting.name}", way, *map(number, values)))
    return body


def _figure5(findings: Findings, figures: Sequence[str]) -> str:
    body = [*_means(findings, "Adult", SETTING1), *_means(findings, "Adult", SETTING2)]
    for way in findings.ways("Adult", SETTING3[0].name):
        values = third(findings, way).mean(axis=0)
        body.append(("Adult, Setting#3", way, *map(number, values)))
    times = [(way, *(f"{t:.2g}" for t in found)) for way, found in findings.by_order.items()]
    orders = [f"k = {k}" for k in range(1, 5)]
    return f"""
## Figure 5

{_image(figures, "figure-5", "Distance and time by k on Adult")}
The first four attributes of Adult. Setting#1: one to four of them each; Setting#2: two each, total
4; Setting#3: two each, with an average budget of k where k attributes are asked for. The paper's
values are only drawn, so they cannot be repeated here. Means of {findings.scope.drawn} runs, for
the paper's methods of {findings.scope.papers}.

{table(("AVD", "method", *orders), body)}

Seconds of one estimate of the first k attributes under Setting#1, the median of three:

{table(("method", *orders), times)}"""


def _figure6(findings: Findings, figures: Sequence[str]) -> str:
    body = [
        row
        for dataset in findings.scope.datasets
        for setting in (SETTING1, SETTING2)
        for row in _means(findings, dataset.name, setting)
    ]
    return f"""
## Figure 6

{_image(figures, "figure-6", "Distance by k on four data sets")}
The first four attributes of each data set; Car has every combination of its four equally often. The
paper's values are only drawn here, too.

{table(("AVD", "method", *(f"k = {k}" for k in range(1, 5))), body)}"""


def _figure7(findings: Findings, figures: Sequence[str]) -> str:
    body = [
        (name, *(f"{1000 * seconds:.0f}" for seconds in times))
        for name, times in findings.by_budget.items()
    ]
    return f"""
## Figure 7

{_image(figures, "figure-7", "Time by average budget")}
Milliseconds of one estimate of the first two attributes, secret, with its uncertainty, by average
budget; the median of three. The paper draws a few seconds.

{table(("data set", *BUDGETS), body)}"""


def _differences() -> str:
    return """
## What differs from the paper

- The paper takes for everybody the probabilities of the average budget. They are not those of a
  crowd with unequal budgets, and the error does not vanish with the number of owners: `pldp` in the
  tables above is that formula, on our attributes; its error is of the size printed for k = 1.
- `lasso` and `entropy-split` are given the most likely marginals instead, so they are better here
  than in the paper. Neither sees any dependence.
- The paper's Setting#2 and S#2 have enough reports of two (three) attributes, and larger tables are
  put together from smaller ones. Ours is one likelihood for reports of any attributes."""
